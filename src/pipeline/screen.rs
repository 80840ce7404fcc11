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
//! Cost: the texts and 28 bytes a word are in memory, the index of candidates takes 27 bytes a
//! word of the sources more; time is that of aligning, about linear in the words of all
//! pairs of candidates.

mod left_out;
mod reading;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub use left_out::LeftOut;
pub use reading::{Disguises, Text};

pub(super) use reading::Preparer;

use super::authors::Authors;
use crate::corpus::inputs::Selection;
use crate::corpus::problem::{Place, Problem};
use crate::corpus::records::Reading;
use crate::error::{Error, Result};
use crate::observer::{Observer, go_on};
use crate::screen::{Candidates, Key, Options, Passage, align};
use crate::text::Language;

/// What is to be screened, and how.
#[derive(Debug, Clone)]
pub struct Job {
    /// The documents that are looked into: files, folders, or `-` for standard input.
    pub suspicious: Vec<PathBuf>,
    /// What they may have been copied from; if empty, the others of them.
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
    pub left_out: LeftOut,
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
    /// The suspicious documents, then the sources; if there are no sources, each is both.
    pub texts: Vec<Text>,
    /// How many of them are suspicious.
    pub suspicious: usize,
    /// Pairs of documents that share passages, those with the greatest share first.
    pub matches: Vec<Match>,
    /// How many files and records could not be read, or not be compared as a whole.
    pub skipped: u64,
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
    /// How many words of the suspicious document they cover, those left out not counted.
    pub covered: usize,
    /// The same of the source.
    pub source_covered: usize,
}

/// Words that follow each other in both texts, so many or more, are verbatim.
pub const VERBATIM: usize = 5;

/// How a passage's words were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// Words in runs of [`VERBATIM`] or more that stand in the source as they are.
    pub verbatim: usize,
    /// Words of the suspicious document that stand in the source as they are.
    pub exact: usize,
    /// Those with the same stem, or under a disguise.
    pub stemmed: usize,
    /// Those that have no counterpart.
    pub missing: usize,
}

impl Screening {
    /// How the words of a match's passage were kept.
    pub fn kept(&self, found: &Match, passage: &Passage) -> Kept {
        let [a, b] = [found.suspicious, found.source].map(|text| self.texts[text as usize].words.as_slice());
        let is_exact = |&&(i, j): &&(u32, u32)| a[i as usize].form == b[j as usize].form;
        let exact: Vec<&(u32, u32)> = passage.matched.iter().filter(is_exact).collect();
        let runs = exact.chunk_by(|x, y| x.0 + 1 == y.0 && x.1 + 1 == y.1).map(<[_]>::len);
        let verbatim = runs.filter(|&run| run >= VERBATIM).sum();
        let exact = exact.len();
        let stemmed = passage.matched.len() - exact;
        Kept { verbatim, exact, stemmed, missing: passage.a.len().saturating_sub(passage.matched.len()) }
    }

    /// The share of a suspicious document's words that stand in any source: how many, and of
    /// how many.
    pub fn share(&self, text: u32) -> (usize, usize) {
        let mut covered = vec![false; self.texts[text as usize].words.len()];
        for found in &self.matches {
            for passage in &found.passages {
                if found.suspicious == text {
                    covered[passage.a.clone()].fill(true);
                }
                if found.source == text {
                    covered[passage.b.clone()].fill(true);
                }
            }
        }
        let text = &self.texts[text as usize];
        let count = (0..covered.len()).filter(|&word| covered[word] && !text.is_left_out(word)).count();
        (count, text.counted())
    }
}

/// Screens documents.
///
/// The result is the same for any number of threads. Where there are no sources, each
/// pair of documents is found once.
///
/// # Errors
///
/// [`crate::Error::Strict`] at the first problem, if asked to; [`crate::Error::Interrupted`]; those
/// of the selection of files.
pub fn screen(job: &Job, observer: &dyn Observer) -> Result<Screening> {
    let mut skipped = 0;
    let mut read = |what: &str, inputs: &[PathBuf]| -> Result<Vec<Text>> {
        let (texts, problems) = reading::read(job, what, inputs, observer)?;
        skipped += problems;
        Ok(texts)
    };
    let templates = read("reading templates", &job.templates)?;
    let mut texts = read("reading documents", &job.suspicious)?;
    let suspicious = texts.len();
    texts.extend(read("reading sources", &job.sources)?);
    observer.begin("looking for what does not count", None);
    let common = left_out::Common::new(&texts, job.left_out.common);
    let mut defects = Vec::new();
    for text in &mut texts {
        let words = contained(text, || left_out::left_out(text, &templates, &job.left_out, &common));
        text.leave_out(words.unwrap_or_else(|problem| {
            defects.push(problem);
            Vec::new()
        }));
    }
    let (mut matches, unaligned) = all_matches(job, &texts, suspicious, observer)?;
    for problem in defects.into_iter().chain(unaligned) {
        if job.strict {
            return Err(Error::Strict(problem.to_string()));
        }
        observer.report(&problem);
        skipped += 1;
    }
    matches.sort_by(|x, y| {
        let share = |m: &Match| m.covered as f64 / texts[m.suspicious as usize].counted().max(1) as f64;
        share(y).total_cmp(&share(x)).then_with(|| (x.suspicious, x.source).cmp(&(y.suspicious, y.source)))
    });
    Ok(Screening { texts, suspicious, matches, skipped })
}

/// What is made of a text; if that panics, which must not end the run, the problem.
fn contained<T>(text: &Text, work: impl FnOnce() -> T) -> std::result::Result<T, Problem> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| reading::defect(text.id.clone(), Place::File))
}

/// Aligns each suspicious document with its candidates. Of a document whose alignment with
/// one of them panics nothing is known: it is a problem, not a match.
fn all_matches(
    job: &Job,
    texts: &[Text],
    suspicious: usize,
    observer: &dyn Observer,
) -> Result<(Vec<Match>, Vec<Problem>)> {
    let are_both = job.sources.is_empty();
    let sources = if are_both { 0..texts.len() } else { suspicious..texts.len() };
    observer.begin("indexing sources", None);
    let candidates = Candidates::new(texts[sources.clone()].iter().map(|text| &text.words));
    observer.begin("comparing documents", Some(suspicious as u64));
    let next = AtomicUsize::new(0);
    let found: Mutex<BTreeMap<usize, std::result::Result<Vec<Match>, Problem>>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..job.threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= suspicious || observer.is_stopped() {
                        return;
                    }
                    let of_pair = |other: usize| {
                        let turned = are_both && texts[other].words.len() < texts[number].words.len();
                        let (first, second) = if turned { (other, number) } else { (number, other) };
                        of_two(texts, first, second, are_both, job.options)
                    };
                    let matches = contained(&texts[number], || {
                        let others = candidates.of(&texts[number].words).into_iter();
                        let others = others.map(|other| other as usize + sources.start);
                        others.filter(|&other| !are_both || other > number).filter_map(of_pair).collect()
                    });
                    found.lock().unwrap_or_else(PoisonError::into_inner).insert(number, matches);
                    observer.advance(1, 0);
                }
            });
        }
    });
    go_on(observer)?;
    let (mut matches, mut problems) = (Vec::new(), Vec::new());
    for of_document in found.into_inner().unwrap_or_else(PoisonError::into_inner).into_values() {
        match of_document {
            Ok(new) => matches.extend(new),
            Err(problem) => problems.push(problem),
        }
    }
    matches.sort_unstable_by_key(|found: &Match| (found.suspicious, found.source));
    Ok((matches, problems))
}

/// What two documents share; of documents that are both suspicious and source, the one
/// of which the greater share stands in the other is the suspicious one.
fn of_two(texts: &[Text], number: usize, other: usize, are_both: bool, options: Options) -> Option<Match> {
    let [a, b] = [&texts[number], &texts[other]];
    #[cfg(test)]
    tests::panic_if_asked(&a.id, "while-aligning");
    // A document may stand among the sources too.
    if a.id == b.id || a.author.is_some() && a.author == b.author {
        return None;
    }
    let key = if a.language == b.language { Key::Stem } else { Key::Form };
    let mut passages = align(&a.words, &b.words, key, options);
    passages.retain(|passage| {
        let counted = a.counted_in(passage.a.clone());
        counted == passage.a.len() || counted >= options.min_words
    });
    if passages.is_empty() {
        return None;
    }
    passages.sort_by_key(|passage| (std::cmp::Reverse(passage.a.len()), passage.a.start));
    let covered = |text: &Text, span: fn(&Passage) -> Range<usize>| {
        let mut covered = vec![false; text.words.len()];
        for passage in &passages {
            covered[span(passage)].fill(true);
        }
        (0..covered.len()).filter(|&word| covered[word] && !text.is_left_out(word)).count()
    };
    let of_a = covered(a, |passage| passage.a.clone());
    let of_b = covered(b, |passage| passage.b.clone());
    let mut found =
        Match { suspicious: number as u32, source: other as u32, passages, covered: of_a, source_covered: of_b };
    // Shares are compared without division.
    if are_both && of_b * a.counted() > of_a * b.counted() {
        found = found.turned();
    }
    Some(found)
}

impl Match {
    /// The same from the source's side.
    fn turned(mut self) -> Self {
        for passage in &mut self.passages {
            std::mem::swap(&mut passage.a, &mut passage.b);
            for pair in &mut passage.matched {
                *pair = (pair.1, pair.0);
            }
            passage.matched.sort_unstable();
        }
        self.passages.sort_by_key(|passage| (std::cmp::Reverse(passage.a.len()), passage.a.start));
        let (suspicious, source) = (self.source, self.suspicious);
        let (covered, source_covered) = (self.source_covered, self.covered);
        Self { suspicious, source, covered, source_covered, ..self }
    }
}

#[cfg(test)]
mod tests;
