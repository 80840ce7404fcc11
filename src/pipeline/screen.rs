//! Screening finds the passages that documents share. Its stages, in order:
//!
//! 1. **Read** (`reading`): every document is read; its words are normalised and stemmed in its language, and
//!    look-alike letters and invisible characters are seen through.
//! 2. **Leave out** (`common`, `exclude`): text that many documents share is noticed; quotations, bibliographies and
//!    the words of templates are marked as not counted.
//! 3. **Candidates** ([`crate::screen::Crowds`]): the sources worth aligning with a document.
//! 4. **Align** ([`crate::screen::align`]): each document with its candidates, by all threads. How common words are is
//!    counted in all documents, for short ones (`background`).
//! 5. **Count** (`share`): the words of a document that stand in each source, and in any source.
//!
//! Sources can also be archives ([`crate::pipeline::fingerprint`] with passages). These were read earlier and
//! are searched in place (`archive`).
//!
//! Cost: memory holds the texts and 24 bytes a word, 28 in languages with accents. The index of candidates takes another 28 bytes a word of
//! the sources; that of archives takes none. Time is that of aligning, about linear in the words of all pairs
//! of candidates. Only the first [`crate::screen::Words::MOST`] words of a text are compared, so any pair takes
//! at most 256 MB beside the texts. Texts that exceed [`Job::max_memory`] are problems.

mod anonymous;
mod archive;
mod background;
mod bibliography;
mod common;
mod comparing;
pub mod documents;
mod exclude;
mod read_words;
mod reading;
mod related;
mod room;
mod share;
mod unread;

use std::collections::HashSet;
use std::path::PathBuf;

pub use common::CommonText;
pub use exclude::{Common, Exclude};
pub use reading::{Disguises, Place, Text};
pub use share::{Faithfulness, Share, VERBATIM, replaced};
pub use unread::Unread;

pub(super) use reading::{Preparer, bounded};

use self::archive::{Archive, expect_text, is_archive};
use self::common::Noticed;
use self::comparing::{Compared, Corpus, compare_all};
use self::room::TextRoom;
use self::unread::Problems;
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

/// The inputs and options of a screening.
#[derive(Debug, Clone)]
pub struct Job {
    /// The documents to be screened: files, folders, or `-` for standard input.
    pub suspicious: Vec<PathBuf>,
    /// The possible sources, archives among them; if empty, the documents are compared with each other.
    pub sources: Vec<PathBuf>,
    /// Texts whose words do not count, such as the assignment.
    pub templates: Vec<PathBuf>,
    /// The files to take from folders.
    pub selection: Selection,
    /// The rules by which files are split into documents.
    pub reading: Reading,
    /// The language of all documents; `None` detects that of each.
    pub language: Option<Language>,
    /// The thresholds of a passage.
    pub options: Options,
    /// The words that do not count, apart from templates.
    pub exclude: Exclude,
    /// The source of authors' names; documents of one author are not compared with each other.
    pub authors: Authors,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// Number of threads.
    pub threads: usize,
    /// Memory in bytes for all texts that are compared. A text that finds no room, or is too long to be aligned in half
    /// of it, is a problem.
    pub max_memory: u64,
}

impl Job {
    /// Memory for all alignments that run at a time.
    fn alignment_memory(&self) -> u64 {
        self.max_memory / 2
    }
}

/// The result of a screening.
#[derive(Debug)]
pub struct Screening {
    /// The suspicious documents, then the sources; of archives, only the texts that share a passage. Without
    /// sources each document is both.
    pub texts: Vec<Text>,
    /// Number of suspicious documents.
    pub suspicious: usize,
    /// Number of sources.
    pub sources: usize,
    /// Pairs of documents that share passages, the greatest share first.
    pub matches: Vec<Match>,
    /// Pairs of documents whose passages do not count but are worth a look, if these were asked for
    /// ([`Options::leads`]).
    pub leads: Vec<Match>,
    /// The texts that many documents share, the greatest product of words and documents first.
    pub common: Vec<CommonText>,
    /// Number of different documents and sources that were read; those of archives are not counted.
    pub read: usize,
    /// Number of documents that stand among their own sources, with the same id and text; no document is
    /// compared with itself.
    pub own: usize,
    /// Number of archived documents without an author, if authors are distinguished; they are compared with all
    /// documents.
    pub authorless: usize,
    /// Number of files and records that could not be read, and of pairs that could not be compared.
    pub skipped: u64,
    /// The first [`Unread::MOST`] of them, in order.
    pub unread: Vec<Unread>,
    /// Number of documents with more words than are compared.
    pub in_part: u64,
}

/// Two documents that share passages.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The index of the suspicious document in [`Screening::texts`]. If each document is both, it is the one
    /// with the greater share of its words in the other.
    pub suspicious: u32,
    /// The index of the source.
    pub source: u32,
    /// The passages that they share, the longest first.
    pub passages: Vec<Passage>,
    /// The share of the suspicious document that the passages cover.
    pub share: Share,
    /// The share of the source that they cover.
    pub source_share: Share,
    /// True if none of its passages counts.
    pub(crate) is_lead: bool,
}

/// Screens documents.
///
/// The result is the same for any number of threads. Without sources, each pair of documents is reported once.
///
/// # Errors
///
/// - [`crate::Error::Strict`] at the first problem, if [`Job::strict`] is set;
/// - [`crate::Error::Interrupted`];
/// - the errors of selecting files, and of opening and checking archives;
/// - [`crate::Error::NoPassages`], [`crate::Error::NoText`] and [`crate::Error::NoSources`].
pub fn screen(job: &Job, observer: &dyn Observer) -> Result<Screening> {
    job.suspicious.iter().chain(&job.templates).try_for_each(|path| expect_text(path))?;
    let (files, sources): (Vec<PathBuf>, Vec<PathBuf>) =
        job.sources.iter().cloned().partition(|source| is_archive(source));
    let mut seen = HashSet::new();
    let files: Vec<PathBuf> = files.into_iter().filter(|file| seen.insert(resolved(file))).collect();
    let archives = archive::open_all(&files, observer)?;
    let (mut room, mut problems) = (TextRoom::new(job), Problems::new(observer));
    let mut read =
        |job: &Job, what: &str, inputs: &[PathBuf]| reading::read(job, what, inputs, &mut room, &mut problems);
    let templates = read(job, "reading templates", &job.templates)?;
    let mut texts = read(job, "reading documents", &job.suspicious)?;
    let suspicious = texts.len();
    let selection = Selection { expect_files: true, ..job.selection.clone() };
    texts.extend(read(&Job { selection, ..job.clone() }, "reading sources", &sources)?);
    screen_texts(job, texts, suspicious, archives, &templates, problems)
}

/// Screens texts, of which the first are suspicious and the others sources, and the texts of archives.
fn screen_texts(
    job: &Job,
    mut texts: Vec<Text>,
    suspicious: usize,
    mut archives: Vec<Archive>,
    templates: &[Text],
    mut unread: Problems<'_>,
) -> Result<Screening> {
    let observer = unread.observer;
    let in_part = report_parts(job, templates.iter().chain(&texts), &archives, observer)?;
    let kept: usize = archives.iter().map(Archive::count).sum();
    let compared = texts.len() - suspicious + kept;
    let has_words = kept > 0 || texts[suspicious..].iter().any(|text| !text.words.is_empty());
    if !job.sources.is_empty() && !has_words {
        return Err(Error::NoSources { path: all_shown(&job.sources) });
    }
    observer.begin("marking words that do not count", Some(texts.len() as u64));
    let are_told = job.authors != Authors::Unknown;
    let authorless = if are_told { archives.iter().map(Archive::authorless).sum() } else { 0 };
    let noticed = Noticed::among(&mut texts, suspicious, job.threads, observer)?;
    let leaving = Leaving::new(job, templates, noticed, |seen| {
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
        unread.note(&problem);
    }
    archive::take(&mut archives, &mut texts, &mut matches);
    matches.sort_by(|x, y| {
        let share = |found: &Match| found.share.covered as f64 / found.share.counted.max(1) as f64;
        share(y).total_cmp(&share(x)).then_with(|| (x.suspicious, x.source).cmp(&(y.suspicious, y.source)))
    });
    let Problems { count: skipped, unread, .. } = unread;
    let (common, read) = leaving.noticed();
    let sources = compared;
    let (leads, matches) = matches.into_iter().partition(|found| found.is_lead);
    Ok(Screening {
        texts,
        suspicious,
        sources,
        matches,
        leads,
        common,
        read,
        own,
        authorless,
        skipped,
        unread,
        in_part,
    })
}

/// Reports the texts that are compared in part; returns their number.
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
