//! Items that a document has in other words: passages as [`mod@crate::screen`] finds them.
//!
//! An item counts as for [`Telling::find`], except that words may be inflected, replaced, moved and left out: the
//! document must have the least share of its telling words, [`SHORT`] words of it at least, [`N`] of them telling. They
//! must stand in a passage that is probably a copy. Other words of the item, such as a prompt, make no passage by
//! themselves.
//!
//! Items with fewer than [`MIN_WORDS`] telling words are not searched for, nor those that are undecidable. Markup is read as
//! in [`Telling::find`]. What is found of an item depends on all items, of which the frequency of words is known.
//!
//! Cost: that of screening each document. Memory: see [`size`].

use std::collections::HashMap;
use std::ops::Range;

use super::items::{ItemText, N, SHORT};
use super::plain::Plain;
use super::{Found, Telling};
use crate::align::{Options, in_runs};
use crate::error::{Reason, Result};
use crate::observer::{Observer, go_on};
use crate::runs::append_run;
use crate::screen::sources::{SourceIndex, SourceSearch, Sources};
use crate::screen::{Preparer, Text};

/// Least probability by default that a passage is a copy: it is so rather than another text on the same subject.
pub const LEAST: f64 = 0.5;

/// Least number of telling words of an item that is searched for.
pub const MIN_WORDS: usize = 20;

/// Memory in bytes that items take beside their n-grams, given their number and that of their words. Some 90 bytes a word of
/// running text: its letters, three times while the index is made, its place, and the word and its keys in the index.
pub fn size(items: u64, words: u64) -> u64 {
    700 * items + 90 * words
}

/// The items that are searched for in other words.
#[derive(Debug)]
pub struct Rewritten {
    sources: Sources,
    /// The items of each source.
    items: Vec<OfSource>,
    coverage: f64,
    least: f64,
}

/// Items with equal texts, of which the same words tell.
#[derive(Debug)]
struct OfSource {
    items: Vec<u32>,
    /// Runs of words that do not tell them.
    uncounted: Vec<Range<usize>>,
    /// Number of words that do.
    telling: usize,
}

impl Rewritten {
    /// The items of which something may be said. Passages count if their probability is at least `least`; `max_memory` is
    /// for all alignments that run at a time, and decides how long a document may be.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    ///
    /// # Panics
    ///
    /// If the texts of the items were not kept ([`super::Items::with_texts`]).
    pub fn new(
        telling: &Telling,
        least: f64,
        threads: usize,
        max_memory: u64,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let whole = telling.items.texts.as_deref().expect("the texts of items are kept");
        observer.begin("indexing the items", Some(whole.len() as u64));
        let (mut preparer, mut texts, mut items) = (Preparer::new(None), Vec::new(), Vec::<OfSource>::new());
        let mut known = HashMap::new();
        for (item, whole) in (0..).zip(whole) {
            go_on(observer)?;
            observer.advance(1);
            if telling.undecidable(item).is_some() || telling.items.is_short(item) {
                continue;
            }
            let text = preparer.prepare(String::new(), None, whole.text.clone());
            let uncounted = uncounted(telling, item, whole, &text);
            let telling = text.words.len() - uncounted.iter().map(Range::len).sum::<usize>();
            if telling < MIN_WORDS {
                continue;
            }
            let number = *known.entry((&*whole.text, uncounted.clone())).or_insert(items.len());
            if number == items.len() {
                items.push(OfSource { items: Vec::new(), uncounted: uncounted.clone(), telling });
                texts.push((text, uncounted));
            }
            items[number].items.push(item);
        }
        let options = Options { min_words: MIN_WORDS, min_probability: least as f32, ..Options::default() };
        let sources = Sources::new(texts, options, threads, max_memory, observer)?;
        Ok(Self { sources, items, coverage: telling.coverage, least })
    }

    /// Number of items that are searched for.
    pub fn len(&self) -> usize {
        self.items.iter().map(|of| of.items.len()).sum()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Prepares for searches by all threads.
    pub fn index(&self) -> RewrittenIndex<'_> {
        RewrittenIndex { rewritten: self, sources: self.sources.index() }
    }
}

/// The runs of an item's words that do not tell it.
fn uncounted(telling: &Telling, item: u32, whole: &ItemText, text: &Text) -> Vec<Range<usize>> {
    let first = telling.items.span(item).start;
    let words = whole.words.iter().zip(first..);
    let mut tell = words.filter(|(_, word)| telling.telling_words(*word..word + 1) == 1).map(|(span, _)| span);
    let (mut next, mut runs) = (tell.next(), Vec::new());
    for word in 0..text.words.len() {
        let span = text.words.bytes(word..word + 1);
        while next.is_some_and(|telling| telling.end <= span.start) {
            next = tell.next();
        }
        if next.is_none_or(|telling| telling.start >= span.end) {
            append_run(&mut runs, word..word + 1);
        }
    }
    runs
}

/// The index of items in other words.
#[derive(Debug)]
pub struct RewrittenIndex<'r> {
    rewritten: &'r Rewritten,
    sources: SourceIndex<'r>,
}

impl RewrittenIndex<'_> {
    /// Prepares for documents, on one thread.
    pub fn search(&self) -> RewrittenSearch<'_> {
        RewrittenSearch { index: self, sources: self.sources.search() }
    }
}

/// Searches documents for items in other words, on one thread.
pub struct RewrittenSearch<'r> {
    index: &'r RewrittenIndex<'r>,
    sources: SourceSearch<'r>,
}

impl RewrittenSearch<'_> {
    /// The same without what it remembers of documents, which a panic may have left half-written.
    #[must_use]
    pub fn renewed(self) -> Self {
        self.index.search()
    }

    /// Adds the places of a document that have an item in other words to those that [`Telling::find`] found in it; they are
    /// beside those. Returns why not all of the document was searched, if it is too long.
    pub fn add(&mut self, text: &str, found: &mut Vec<Found>, observer: &dyn Observer) -> Option<Reason> {
        let Rewritten { items, coverage, least, .. } = self.index.rewritten;
        // What an item has in its own words beside others would make them look surer than they are.
        let left = without(text, found);
        let plain = Plain::of(&left);
        let shared = self.sources.of(plain.as_ref().map_or(&left, |plain| &plain.text).clone(), observer);
        for (source, passages) in shared.found {
            let of = &items[source];
            for passage in passages {
                let (words, probability) = (of.telling_in(&passage.matched), f64::from(passage.probability));
                let share = words as f64 / of.telling as f64;
                if share < *coverage || words < N || passage.matched.len() < SHORT || probability < *least {
                    continue;
                }
                let span = shared.text.words.bytes(passage.a);
                let span = plain.as_ref().map_or(span.clone(), |plain| plain.original(span));
                for &item in &of.items {
                    let (spans, probability) = (vec![span.clone()], Some(probability));
                    found.push(Found { item, words: words as u32, coverage: share, spans, probability });
                }
            }
        }
        found.sort_by_key(|found| (found.item, found.spans.first().map(|span| span.start)));
        shared.problem
    }
}

/// A text with blanks in place of what was found in it.
fn without(text: &str, found: &[Found]) -> String {
    let mut left = text.as_bytes().to_vec();
    for span in found.iter().flat_map(|found| &found.spans) {
        left[span.clone()].fill(b' ');
    }
    String::from_utf8(left).expect("words begin and end between characters")
}

impl OfSource {
    /// Number of their telling words among matched ones, each given with a word of the document.
    fn telling_in(&self, matched: &[(u32, u32)]) -> usize {
        let mut words: Vec<usize> = matched.iter().map(|(_, word)| *word as usize).collect();
        words.sort_unstable();
        words.dedup();
        words.into_iter().filter(|&word| !in_runs(&self.uncounted, word)).count()
    }
}
