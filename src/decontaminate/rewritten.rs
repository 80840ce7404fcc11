//! Items that a document has in other words: passages as [`mod@crate::screen`] finds them.
//!
//! An item counts as for [`Telling::find`], except that words may be inflected, replaced, moved and left out: the
//! document must have the least share of its telling words, at least [`SHORT`] words, [`N`] of them telling. They must stand
//! in a passage that is probably a copy, not another text on one subject ([`LEAST`]). Other words of the item, such as a prompt,
//! make no passage by themselves.
//!
//! Items of fewer than [`MIN_WORDS`] words are not looked for, nor those that are undecidable.
//!
//! Cost: that of screening each document; memory: some 90 bytes a word of the items.

use std::ops::Range;

use super::items::{N, SHORT};
use super::{Found, Telling};
use crate::align::{Boilerplate, Options, append_run};
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::screen::Preparer;
use crate::screen::sources::{SourceSearch, Sources};

/// Least probability by default that a passage is a copy: rather than another text on one subject.
pub const LEAST: f64 = 0.5;

/// Least number of words of an item that is looked for.
pub const MIN_WORDS: usize = 20;

/// Memory in bytes for a word of an item.
pub const OF_A_WORD: u64 = 90;

/// The items that are looked for in other words.
#[derive(Debug)]
pub struct Rewritten {
    sources: Sources,
    /// The item of each source, and its telling words.
    items: Vec<OfItem>,
    coverage: f64,
}

#[derive(Debug)]
struct OfItem {
    item: u32,
    /// Runs of words that do not tell it.
    untold: Vec<Range<usize>>,
    /// Number of words that do.
    telling: usize,
}

impl Rewritten {
    /// The items of which something may be said; their texts must have been kept ([`super::Items::with_texts`]).
    /// Passages count from a probability of `least` on; `max_memory` is for all alignments that run at a time.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn new(
        telling: &Telling,
        least: f64,
        threads: usize,
        max_memory: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let options = Options { min_words: MIN_WORDS, min_probability: least as f32, ..Options::default() };
        let (mut preparer, mut texts, mut items) = (Preparer::new(None), Vec::new(), Vec::new());
        for (item, whole) in (0..).zip(telling.items.texts.iter().flatten()) {
            go_on(observer)?;
            if telling.undecidable(item).is_some() {
                continue;
            }
            let text = preparer.prepare(String::new(), None, whole.text.clone());
            if text.words.len() < MIN_WORDS {
                continue;
            }
            let first = telling.items.span(item).start;
            let mut tell =
                whole.words.iter().zip(first..).filter(|(_, word)| telling.telling_words(*word..word + 1) == 1);
            let mut next = tell.next();
            let mut untold: Vec<Range<usize>> = Vec::new();
            for word in 0..text.words.len() {
                let span = text.words.bytes(word..word + 1);
                while next.as_ref().is_some_and(|(telling, _)| telling.end <= span.start) {
                    next = tell.next();
                }
                if next.as_ref().is_none_or(|(telling, _)| telling.start >= span.end) {
                    append_run(&mut untold, word..word + 1);
                }
            }
            let told = text.words.len() - untold.iter().map(Range::len).sum::<usize>();
            items.push(OfItem { item, untold: untold.clone(), telling: told });
            texts.push((text, untold));
        }
        let sources = Sources::new(texts, options, threads, max_memory, observer)?;
        Ok(Self { sources, items, coverage: telling.coverage })
    }

    /// Number of items that are looked for.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What many items share, for all searches.
    pub fn boilerplate(&self) -> Boilerplate<'_> {
        self.sources.boilerplate()
    }

    /// Prepares for documents, on one thread.
    pub fn search<'r>(&'r self, boilerplate: &'r Boilerplate<'r>) -> Search<'r> {
        Search { rewritten: self, boilerplate, sources: self.sources.search(boilerplate) }
    }
}

/// Looks for rewritten items in documents, on one thread.
pub struct Search<'r> {
    rewritten: &'r Rewritten,
    boilerplate: &'r Boilerplate<'r>,
    sources: SourceSearch<'r>,
}

impl Search<'_> {
    /// The same without what it remembers of documents, which a panic may have left half-written.
    #[must_use]
    pub fn renewed(self) -> Self {
        self.rewritten.search(self.boilerplate)
    }

    /// Adds the items that a document has in other words to those that [`Telling::find`] found in it. Returns false if the
    /// document is too long to be searched whole.
    pub fn add(&mut self, text: &str, found: &mut Vec<Found>) -> bool {
        let Rewritten { items, coverage, .. } = self.rewritten;
        let has = |item: u32| found.iter().any(|found| found.item == item && !found.spans.is_empty());
        let shared = self.sources.of(text.to_owned(), |source| !has(items[source].item));
        let mut more = Vec::new();
        for (source, passages) in shared.found {
            let of = &items[source];
            for passage in passages {
                let words = of.telling_in(&passage.matched);
                let share = words as f64 / of.telling.max(1) as f64;
                if share >= *coverage && words >= N && passage.matched.len() >= SHORT {
                    more.push(Found {
                        item: of.item,
                        words: words as u32,
                        coverage: share,
                        spans: vec![shared.text.words.bytes(passage.a)],
                        probability: Some(f64::from(passage.probability)),
                    });
                }
            }
        }
        found.extend(more);
        found.sort_by_key(|found| (found.item, found.spans.first().map(|span| span.start)));
        shared.is_whole
    }
}

impl OfItem {
    /// Number of its telling words among matched ones, each given with a word of the document.
    fn telling_in(&self, matched: &[(u32, u32)]) -> usize {
        let mut words: Vec<usize> = matched.iter().map(|(_, word)| *word as usize).collect();
        words.sort_unstable();
        words.dedup();
        let is_untold = |word: usize| {
            let run = self.untold.partition_point(|run| run.end <= word);
            self.untold.get(run).is_some_and(|run| run.contains(&word))
        };
        words.into_iter().filter(|&word| !is_untold(word)).count()
    }
}
