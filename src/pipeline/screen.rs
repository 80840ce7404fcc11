//! Which passages do documents share? The stages of screening in order.
//!
//! 1. **Read** (`reading`): every document is read, its words are normalised
//!    and stemmed in its language, look-alike letters and invisible characters seen through.
//! 2. **Leave out** (`left_out`): quotations, bibliographies and the words of templates are
//!    marked; they do not count.
//! 3. **Candidates** ([`crate::screen::Candidates`]): which sources are worth a closer look.
//! 4. **Align** ([`crate::screen::align`]): each document with its candidates, by all threads.
//! 5. **Count**: words of a document that stand in each source, and in any.
//!
//! Sources can also be archives ([`crate::pipeline::fingerprint`] with passages), which were read before and are
//! looked at in place (`archive`).
//!
//! Cost: the texts and 24 bytes a word are in memory, the index of candidates takes 28 bytes a
//! word of the sources more, that of archives none; time is that of aligning, about linear in the words of all
//! pairs of candidates. Of a text [`crate::screen::Words::MOST`] words are compared: a pair takes 256 MB beside the
//! texts, whatever they hold.

mod anonymous;
mod archive;
mod comparing;
mod exclude;
mod reading;
mod share;

use std::collections::HashSet;
use std::path::PathBuf;

pub use exclude::Exclude;
pub use reading::{Disguises, Text};
pub use share::{Faithfulness, Share, VERBATIM};

pub(super) use reading::{Preparer, bounded};

use self::archive::{Archive, expect_text, is_archive};
use self::comparing::{Compared, Corpus, compare_all};
use super::authors::Authors;
use crate::corpus::inputs::{Selection, resolved};
use crate::corpus::records::Reading;
use crate::error::Location;
use crate::error::{Error, Result, all_shown};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::pipeline::reading::or_problem;
use crate::pipeline::screen::exclude::Leaving;
use crate::screen::{Options, Passage};
use crate::text::Language;

/// What is to be screened, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// The documents that are looked into: files, folders, or `-` for standard input.
    pub suspicious: Vec<PathBuf>,
    /// What they may have been copied from, archives among them; if empty, the others of them.
    pub sources: Vec<PathBuf>,
    /// Texts whose words do not count, such as the assignment.
    pub templates: Vec<PathBuf>,
    /// Which files of folders.
    pub selection: Selection,
    /// How files are taken apart into documents.
    pub reading: Reading,
    /// The language of all; `None` detects each document's own.
    pub language: Option<Language>,
    /// What counts as a passage.
    pub options: Options,
    /// What does not count beside templates.
    pub exclude: Exclude,
    /// Who wrote what; no author is compared with himself.
    pub authors: Authors,
    /// Whether the first problem ends the run.
    pub strict: bool,
    /// So many threads.
    pub threads: usize,
}

/// What was found.
#[derive(Debug)]
pub struct Screening {
    /// The suspicious documents, then the sources, of archives only those that share a passage;
    /// if there are no sources, each is both.
    pub texts: Vec<Text>,
    /// How many of them are suspicious.
    pub suspicious: usize,
    /// How many sources there were.
    pub sources: usize,
    /// Pairs of documents that share passages, those with the greatest share first.
    pub matches: Vec<Match>,
    /// How many documents stand among their own sources, under their id and with their text;
    /// no document is compared with itself.
    pub own: usize,
    /// How many documents of archives have no author, if authors are told apart: they are compared with all.
    pub authorless: usize,
    /// How many files and records could not be read, or pairs not be compared.
    pub skipped: u64,
    /// How many documents have more words than are compared.
    pub in_part: u64,
}

/// Two documents that share passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The number of the suspicious document among [`Screening::texts`]; if each is both, of the
    /// one of which the greater share is found.
    pub suspicious: u32,
    /// The number of the source.
    pub source: u32,
    /// What they share, the longest first.
    pub passages: Vec<Passage>,
    /// How much of the suspicious document they cover.
    pub share: Share,
    /// The same of the source.
    pub source_share: Share,
}

/// Screens documents.
///
/// The result is the same for any number of threads. Where there are no sources, each
/// pair of documents is found once.
///
/// # Errors
///
/// [`crate::Error::Strict`] at the first problem, if asked to; [`crate::Error::Interrupted`]; those
/// of the selection of files; those of opening and checking archives,
/// [`crate::Error::NoPassages`], [`crate::Error::NoText`], and [`crate::Error::NoSources`].
pub fn screen(job: &Job, observer: &dyn Observer) -> Result<Screening> {
    job.suspicious.iter().chain(&job.templates).try_for_each(|path| expect_text(path))?;
    let (files, sources): (Vec<PathBuf>, Vec<PathBuf>) =
        job.sources.iter().cloned().partition(|source| is_archive(source));
    let mut seen = HashSet::new();
    let files: Vec<PathBuf> = files.into_iter().filter(|file| seen.insert(resolved(file))).collect();
    let mut archives = archive::open_all(&files, observer)?;
    let mut skipped = 0;
    let mut read = |job: &Job, what: &str, inputs: &[PathBuf]| -> Result<Vec<Text>> {
        let (texts, problems) = reading::read(job, what, inputs, observer)?;
        skipped += problems;
        Ok(texts)
    };
    let templates = read(job, "reading templates", &job.templates)?;
    let mut texts = read(job, "reading documents", &job.suspicious)?;
    let suspicious = texts.len();
    let selection = Selection { expect_files: true, ..job.selection.clone() };
    texts.extend(read(&Job { selection, ..job.clone() }, "reading sources", &sources)?);
    let in_part = report_parts(job, templates.iter().chain(&texts), &archives, observer)?;
    let kept: usize = archives.iter().map(Archive::count).sum();
    let compared = texts.len() - suspicious + kept;
    let has_words = kept > 0 || texts[suspicious..].iter().any(|text| !text.words.is_empty());
    if !job.sources.is_empty() && !has_words {
        return Err(Error::NoSources { path: all_shown(&job.sources) });
    }
    observer.begin("looking for what does not count", Some(texts.len() as u64));
    let are_told = job.authors != Authors::Unknown;
    let authorless = if are_told { archives.iter().map(Archive::authorless).sum() } else { 0 };
    let leaving = Leaving::new(job, &templates, |seen| {
        texts.iter().for_each(&mut *seen);
        for archive in &archives {
            archive.each(&mut *seen);
        }
    });
    let mut defects = Vec::new();
    let left_out = parallel::map(texts.len(), job.threads, |number| {
        go_on(observer)?;
        let left_out = or_problem(&texts[number].id, Location::File, || leaving.out(&texts[number]));
        observer.advance(1);
        Ok(left_out)
    })?;
    for (text, words) in texts.iter_mut().zip(left_out) {
        text.leave_out(words.unwrap_or_else(|problem| {
            defects.push(problem);
            Vec::new()
        }));
    }
    let corpus = Corpus { texts: &texts, suspicious, archives: &archives, leaving: &leaving };
    let Compared { mut matches, own, problems } = compare_all(job, &corpus, observer)?;
    for problem in defects.into_iter().chain(problems) {
        if job.strict {
            return Err(Error::Strict(problem.to_string()));
        }
        observer.report(&problem);
        skipped += 1;
    }
    archive::take(&mut archives, &mut texts, &mut matches);
    matches.sort_by(|x, y| {
        let share = |found: &Match| found.share.covered as f64 / found.share.counted.max(1) as f64;
        share(y).total_cmp(&share(x)).then_with(|| (x.suspicious, x.source).cmp(&(y.suspicious, y.source)))
    });
    Ok(Screening { texts, suspicious, sources: compared, matches, own, authorless, skipped, in_part })
}

/// Tells which texts are compared in part; returns how many.
fn report_parts<'t>(
    job: &Job,
    texts: impl Iterator<Item = &'t Text>,
    archives: &[Archive],
    observer: &dyn Observer,
) -> Result<u64> {
    let mut count = 0;
    for problem in texts.filter_map(Text::cut_short).chain(archives.iter().flat_map(Archive::cut_short)) {
        if job.strict {
            return Err(Error::Strict(problem.to_string()));
        }
        observer.report(&problem);
        count += 1;
    }
    Ok(count)
}

#[cfg(test)]
pub(crate) mod tests;
