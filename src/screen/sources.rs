//! Sources with which documents are compared one at a time, however many these are.
//!
//! The passages of a document depend only on that document and the sources: the frequency of words (`background`), crowds
//! and collocations are counted in the sources.
//!
//! Cost: as of the sources of a screening; of the documents, one for each thread.

use std::ops::Range;

use super::background::{Sample, number_of};
use super::{Preparer, Text};
use crate::align::{
    AlignmentMemory, Among, Boilerplate, Candidates, Collocations, Counted, Key, Options, Passage, Search, align_among,
};
use crate::error::{Reason, Result};
use crate::observer::Observer;

/// Texts that may have been copied, indexed.
#[derive(Debug)]
pub struct Sources {
    texts: Vec<Text>,
    /// Of each, the runs of words that make no passage by themselves.
    common: Vec<Vec<Range<usize>>>,
    candidates: Candidates<'static>,
    collocations: Collocations,
    sample: Sample,
    memory: AlignmentMemory,
    options: Options,
}

impl Sources {
    /// Indexes texts, each with the runs of its words, in order, that make no passage by themselves. The options say which
    /// passages count; `max_memory` is for all alignments that run at a time.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn new(
        texts: Vec<(Text, Vec<Range<usize>>)>,
        options: Options,
        threads: usize,
        max_memory: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let (texts, common): (Vec<Text>, Vec<_>) = texts.into_iter().unzip();
        let candidates = Candidates::new(texts.iter().map(|text| &text.words));
        let collocations = Collocations::of(&[&candidates]);
        let sample = Sample::of(&texts, 0, &[], true, threads, observer)?;
        Ok(Self { texts, common, candidates, collocations, sample, memory: AlignmentMemory::new(max_memory), options })
    }

    /// Prepares for searches by all threads.
    pub fn index(&self) -> SourceIndex<'_> {
        SourceIndex { sources: self, boilerplate: Boilerplate::new(vec![&self.candidates]) }
    }

    /// Number of texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// Sources with the runs that many of them share.
#[derive(Debug)]
pub struct SourceIndex<'s> {
    sources: &'s Sources,
    boilerplate: Boilerplate<'s>,
}

impl SourceIndex<'_> {
    /// Prepares for documents, on one thread.
    pub fn search(&self) -> SourceSearch<'_> {
        let (preparer, search) = (Preparer::new(None), self.boilerplate.search());
        SourceSearch { sources: self.sources, preparer, search }
    }
}

/// Compares documents with sources, on one thread.
pub struct SourceSearch<'s> {
    sources: &'s Sources,
    preparer: Preparer,
    search: Search<'s>,
}

/// A document, and what it shares with sources.
#[derive(Debug)]
pub struct WithSources {
    /// The document.
    pub text: Text,
    /// The number of each source, and the passages.
    pub found: Vec<(usize, Vec<Passage>)>,
    /// Why only its beginning was compared, or nothing: it is too long.
    pub problem: Option<Reason>,
}

impl SourceSearch<'_> {
    /// Compares the document of a text with the sources, until the observer stops it.
    pub fn of(&mut self, text: String, observer: &dyn Observer) -> WithSources {
        let Self { sources, preparer, search } = self;
        let text = preparer.prepare(String::new(), None, text);
        let (words, most) = (text.words.len(), sources.memory.words());
        let mut found = Vec::new();
        if words > most {
            let reason = Reason::TooLongToAlign { words: words as u64, most: most as u64 };
            return WithSources { text, found, problem: Some(reason) };
        }
        let counted = Counted { words: &text.words, is_counted: false, common: &[] };
        let (background, collocations) = (sources.sample.background(), &sources.collocations);
        let among = Among { background, collocations, language: number_of(text.language), memory: &sources.memory };
        let candidates = search.of(&text.words, |_, _| true).into_iter().next();
        for candidate in candidates.into_iter().flatten() {
            if observer.is_stopped() {
                break;
            }
            let number = candidate.text() as usize;
            let source = &sources.texts[number];
            let key = if text.language == source.language { Key::Stem } else { Key::Form };
            let of_source = Counted { common: &sources.common[number], ..sources.sample.of_read(number, source) };
            let passages = align_among([counted, of_source], Some(&candidate), key, sources.options, among);
            if !passages.is_empty() {
                found.push((number, passages));
            }
        }
        let problem = text.cut_short().map(|problem| problem.reason);
        WithSources { text, found, problem }
    }
}
