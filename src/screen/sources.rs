//! Sources with which documents are compared one at a time, however many these are.
//!
//! What is found in a document depends on it and on the sources alone: the frequency of words is counted in the sources
//! (`background`), and so are crowds and collocations.
//!
//! Cost: as of the sources of a screening; of the documents, one for each thread.

use std::ops::Range;

use super::background::{Sample, number_of};
use super::{Preparer, Text};
use crate::align::{
    AlignmentMemory, Among, Boilerplate, Candidates, Collocations, Counted, Key, Options, Passage, Search, align_among,
};
use crate::error::Result;
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

    /// The runs that many sources share, for all searches.
    pub fn boilerplate(&self) -> Boilerplate<'_> {
        Boilerplate::new(vec![&self.candidates])
    }

    /// Prepares for documents, on one thread.
    pub fn search<'s>(&'s self, boilerplate: &'s Boilerplate<'s>) -> SourceSearch<'s> {
        SourceSearch { sources: self, preparer: Preparer::new(None), search: boilerplate.search() }
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
    /// False if the document is so long that only its beginning was compared, or nothing.
    pub is_whole: bool,
}

impl SourceSearch<'_> {
    /// Compares the document of a text with each source that is `wanted`, given its number.
    pub fn of(&mut self, text: String, wanted: impl Fn(usize) -> bool) -> WithSources {
        let Self { sources, preparer, search } = self;
        let text = preparer.prepare(String::new(), None, text);
        if text.words.len() > sources.memory.words() {
            return WithSources { text, found: Vec::new(), is_whole: false };
        }
        let counted = Counted { words: &text.words, is_counted: false, common: &[] };
        let (background, collocations) = (sources.sample.background(), &sources.collocations);
        let among = Among { background, collocations, language: number_of(text.language), memory: &sources.memory };
        let candidates = search.of(&text.words, |_, source| wanted(source as usize)).into_iter().next();
        let mut found = Vec::new();
        for candidate in candidates.into_iter().flatten() {
            let number = candidate.text() as usize;
            if !wanted(number) {
                continue;
            }
            let source = &sources.texts[number];
            let key = if text.language == source.language { Key::Stem } else { Key::Form };
            let of_source = Counted { common: &sources.common[number], ..sources.sample.of_read(number, source) };
            let passages = align_among([counted, of_source], Some(&candidate), key, sources.options, among);
            if !passages.is_empty() {
                found.push((number, passages));
            }
        }
        let is_whole = text.compared == text.text.len();
        WithSources { text, found, is_whole }
    }
}
