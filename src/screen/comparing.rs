//! Alignment of each suspicious document with its candidates.

mod document;
mod matches;
mod merged;

use std::collections::HashMap;

use document::OfOne;

use super::archive::Archive;
use super::background::{Sample, number_of};
use super::corpus::Corpus;
use super::translated::Translations;
use super::{Match, Preparer, Settings, Text};
use crate::align::{AlignmentMemory, Among, Boilerplate, Candidates, Collocations, Options, Wholes, Words};
use crate::error::{Location, Problem, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::or_problem;

/// The result for all documents.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// In the order of the documents.
    pub(super) matches: Vec<Match>,
    /// Number of documents that stand among their own sources.
    pub(super) own: usize,
    /// Pairs, or whole documents, whose comparison panicked.
    pub(super) problems: Vec<Problem>,
}

/// Aligns each suspicious document with its candidates.
pub(super) fn compare_all(settings: &Settings, corpus: &Corpus<'_>, observer: &dyn Observer) -> Result<Compared> {
    observer.begin("indexing sources", None);
    let with_each_other = corpus.with_each_other(settings);
    let first = if with_each_other { 0 } else { corpus.suspicious };
    let read = Candidates::new(corpus.texts[first..].iter().map(|text| &text.words));
    let archived: Vec<Candidates<'_>> = corpus.archives.iter().map(Archive::candidates).collect();
    let indexes: Vec<&Candidates<'_>> = std::iter::once(&read).chain(&archived).collect();
    let collocations = Collocations::of(&indexes);
    let crowds = Boilerplate::new(indexes);
    let is_wanted = !collocations.is_empty();
    let sample = Sample::of(corpus.texts, corpus.suspicious, corpus.archives, is_wanted, settings.threads, observer)?;
    let words: Vec<&Words> =
        corpus.texts.iter().map(|text| &text.words).filter(|_| settings.options.whole_texts).collect();
    let wholes = Wholes::among(&words, settings.threads, || go_on(observer))?;
    let memory = AlignmentMemory::new(settings.alignment_memory());
    let known = corpus.known(with_each_other);
    let mut problems = Vec::new();
    let translations = Translations::new(&settings.translation, corpus, settings.threads, &mut problems, observer)?;
    let searched = Searched { corpus, known, first, sample, wholes, collocations, memory, translations };
    observer.begin("comparing documents", Some(corpus.suspicious as u64));
    let fresh = || (Preparer::new(None).across(&settings.translation), crowds.search());
    // Threads that have no document of their own help with those of the others.
    let options = Options { threads: (settings.threads / corpus.suspicious.max(1)).max(1), ..settings.options };
    let compared = parallel::each(corpus.suspicious, settings.threads, fresh, |state, number| {
        go_on(observer)?;
        let (preparer, search) = state;
        let compared = or_problem(&corpus.texts[number].id, Location::File, || {
            searched.compare(number, options, preparer, search, observer)
        });
        if compared.is_err() {
            // The caches of the analysers may be half-written.
            *state = fresh();
        }
        go_on(observer)?;
        observer.advance(1);
        Ok(compared)
    })?;
    let mut all = Compared { problems, ..Compared::default() };
    for of_document in compared {
        match of_document {
            Ok(OfOne { matches, own, problems }) => {
                all.matches.extend(matches);
                all.problems.extend(problems);
                all.own += usize::from(own);
            }
            Err(problem) => all.problems.push(problem),
        }
    }
    all.matches.sort_unstable_by_key(|found| (found.suspicious, found.source));
    Ok(all)
}

/// A corpus whose sources are indexed.
struct Searched<'a> {
    corpus: &'a Corpus<'a>,
    /// The texts of the suspicious documents by their ids, if these are compared with each other; else none.
    known: HashMap<&'a str, &'a str>,
    /// The number of the first text that is searched.
    first: usize,
    sample: Sample,
    wholes: Wholes,
    collocations: Collocations,
    memory: AlignmentMemory,
    translations: Option<Translations<'a>>,
}

impl Searched<'_> {
    /// The documents among which a text is aligned with another.
    fn among(&self, text: &Text) -> Among<'_> {
        let (background, collocations) = (self.sample.background(), &self.collocations);
        Among { background, collocations, language: number_of(text.language), memory: &self.memory }
    }

    /// True if a text is a suspicious document, and so compared as one of two documents.
    fn is_document(&self, other: usize) -> bool {
        other < self.corpus.suspicious
    }

    /// True if a suspicious document is compared with another text that was read, and not only the other way round.
    fn is_compared(&self, number: usize, other: usize) -> bool {
        let of = |number: usize| (number, &self.corpus.texts[number]);
        !self.is_document(other) || comes_first(of(number), of(other))
    }

    /// True if a document may copy a source, given by its id, author and text, which is not compared as a document.
    fn may_copy_source(&self, text: &Text, source: (&str, Option<&str>, &str)) -> bool {
        !self.is_known(source.0, source.2) && !is_itself(text, source.0, source.2) && may_copy(text, source.1)
    }

    /// True if a source is one of the documents that are compared with each other.
    fn is_known(&self, id: &str, text: &str) -> bool {
        self.known.get(id).is_some_and(|&known| known == text)
    }

    /// True if a suspicious document is compared with a text, given by its index and its number there: the texts that were
    /// read are the first index, the archives follow.
    fn is_candidate(&self, number: usize, index: usize, other: u32) -> bool {
        let text = &self.corpus.texts[number];
        let Some(archive) = index.checked_sub(1) else {
            let other = other as usize + self.first;
            let source = &self.corpus.texts[other];
            let author = source.author.as_deref();
            return if self.is_document(other) {
                self.is_compared(number, other) && may_copy(text, author)
            } else {
                self.may_copy_source(text, (&source.id, author, &source.text))
            };
        };
        let source = self.corpus.archives[archive].source(other as usize);
        source.is_some_and(|source| self.may_copy_source(text, source))
    }
}

/// True if a text may copy one of this author: no author copies themselves.
fn may_copy(text: &Text, author: Option<&str>) -> bool {
    text.author.is_none() || text.author.as_deref() != author
}

/// True if a source, given by its id and text, is the document itself.
fn is_itself(text: &Text, id: &str, source: &str) -> bool {
    text.id == id && text.text == source
}

/// True if the first of two documents, each given with its number, is compared with the second, and not the other way
/// round: the shorter one, which may have the greater share in the other, whatever their names.
fn comes_first((number, a): (usize, &Text), (other, b): (usize, &Text)) -> bool {
    (a.words.len(), &a.text, number) < (b.words.len(), &b.text, other)
}
