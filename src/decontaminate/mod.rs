//! Decontamination: items of test sets among the documents of a corpus.
//!
//! 1. **Items** ([`Items`]): the words of each question, its choices and its answer ([`words`]), and a table of their
//!    n-grams of [`N`] words. Markup, capitals, punctuation and look-alike letters make no difference.
//! 2. **Count** ([`Counts`]): in how many documents each n-gram occurs; only those of items are counted.
//! 3. **Telling** ([`Telling`]): an n-gram tells an item if at most [`MOST_ITEMS`](items::MOST_ITEMS) items of its set
//!    have it, and few documents: at most [`FEW_DOCUMENTS`], or ten times as many as the item's median n-gram, if the
//!    whole item is common. Prompts, licences, quotations and idioms tell nothing.
//!    A word tells its item if every n-gram that has it does.
//! 4. **Find** ([`Telling::find`]): in one document, the telling words of an item that stand in one alignment
//!    (`align`), of all its telling words: its coverage. The alignment must have [`SHORT`] words, [`N`] of
//!    them telling, and enough of the item: the coverage that is asked for, or [`OF_ALL_WORDS`] times that share of
//!    all its words. Of fewer telling words than [`SHORT`], all must be there. A short item, and one of several parts, is looked
//!    for as a whole (`whole`).
//!
//! Items in other words are found by the aligner of [`mod@crate::screen`], if that is asked for ([`Rewritten`]).
//!
//! An item without enough telling words is undecidable, and [`Undecidable`] says why.
//!
//! Cost: a look-up for each word of a document that the table lacks. Memory: that of the items.

mod align;
mod counts;
pub mod items;
mod plain;
pub mod rewritten;
pub mod saved;
mod table;
mod whole;
pub mod words;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

pub use counts::{Counts, Lookup};
use items::{ANCHOR, N, SHORT};
pub use items::{Items, Piece};
pub use rewritten::Rewritten;

/// Number of documents in which an n-gram may always occur and still tell an item.
pub const FEW_DOCUMENTS: u32 = 20;

/// Number of times by which an n-gram may be in more documents than the median one of its item.
const TIMES_THE_MEDIAN: u32 = 10;

/// Bits of information that a word of running text carries, given those before it.
const BITS_OF_A_WORD: u32 = 6;

/// The share of an item's telling words that contaminates a document by default: the first half of an item still counts if
/// a third of the item is a prompt before it, and a sentence that an item of five quotes does not.
pub const COVERAGE: f64 = 0.25;

/// How much more of all words of an item counts as much as a share of its telling words. So half of an item counts however long
/// the prompt or the quotation is with which it begins.
pub const OF_ALL_WORDS: f64 = 1.5;

/// The reason why an item can neither be found nor called absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Undecidable {
    /// It has too few words: a corpus of this size has such a phrase by chance.
    Short,
    /// Hardly a word is left that does not stand in more items of its set than three.
    Template,
    /// Hardly a word is left that does not stand in many documents.
    Common,
}

impl Undecidable {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Template => "template",
            Self::Common => "common",
        }
    }
}

/// The telling n-grams and words of each item in a corpus.
#[derive(Debug)]
pub struct Telling {
    items: Arc<Items>,
    /// Bit `i`: an n-gram that tells its item begins at word `i` of all items.
    begins: Vec<u64>,
    /// Number of telling words before each word of all items, and before the end.
    before: Vec<u32>,
    undecidable: Vec<Option<Undecidable>>,
    coverage: f64,
}

/// An item found in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The number of the item.
    pub item: u32,
    /// Number of its telling words in the document.
    pub words: u32,
    /// Their share of all its telling words.
    pub coverage: f64,
    /// The spans in bytes of the document, in order; empty if too little was found.
    pub spans: Vec<Range<usize>>,
    /// Of an item in other words, the probability that it is a copy, among as many copies as unrelated texts on one
    /// subject.
    pub probability: Option<f64>,
}

impl Telling {
    /// The telling n-grams and words in a corpus that was counted; `coverage` is the least share of an item's telling words that
    /// counts as found, or [`OF_ALL_WORDS`] times that share of all its words.
    pub fn new(items: Arc<Items>, counts: &Counts, coverage: f64) -> Self {
        let mut of_places: Vec<(u32, u32)> = Vec::new();
        for key in 0..items.table.len() {
            // The anchor of a longer item says nothing of its words.
            let is_anchor = items.table.is_anchor(key);
            let places = items.table.places(key).iter().copied();
            let of_words = places.filter(|&place| !is_anchor || items.is_short(items.item_of(place)));
            of_places.extend(of_words.map(|place| (place, counts.of_ngram(key))));
        }
        of_places.sort_unstable();
        let mut begins = vec![0_u64; items.words.len() / 64 + 1];
        let mut limits = vec![0; items.len() as usize];
        for of_item in of_places.chunk_by_mut(|a, b| items.item_of(a.0) == items.item_of(b.0)) {
            let item = items.item_of(of_item[0].0);
            let mut documents: Vec<u32> = of_item.iter().map(|(_, documents)| *documents).collect();
            documents.sort_unstable();
            let median = documents[documents.len() / 2];
            let limit = FEW_DOCUMENTS.max(median.saturating_mul(TIMES_THE_MEDIAN));
            limits[item as usize] = limit;
            for &(place, _) in of_item.iter().filter(|(_, documents)| *documents <= limit) {
                begins[place as usize / 64] |= 1 << (place % 64);
            }
        }
        let mut telling = Self { items, begins, before: Vec::new(), undecidable: Vec::new(), coverage };
        telling.before = telling.sums();
        let has_places: Vec<bool> = limits.iter().map(|&limit| limit > 0).collect();
        let fewest = fewest_words(counts.words());
        for item in 0..telling.items.len() {
            let undecidable = if telling.items.is_short(item) {
                let (has_anchor, words) = (has_places[item as usize], telling.items.deciding(item));
                match counts.whole(&telling.items, item) {
                    _ if !has_anchor || words < fewest => Some(Undecidable::Short),
                    documents if documents > FEW_DOCUMENTS => Some(Undecidable::Common),
                    _ => None,
                }
            } else if telling.words(item) as usize >= fewest.max(ANCHOR) {
                None
            } else {
                Some(if telling.is_mostly_of_set(item, &of_places) {
                    Undecidable::Template
                } else {
                    Undecidable::Common
                })
            };
            telling.undecidable.push(undecidable);
        }
        telling
    }

    /// The number of telling words before each word, and before the end: those of which every n-gram tells the item.
    fn sums(&self) -> Vec<u32> {
        let (items, mut sum) = (&self.items, 0);
        let mut before = Vec::with_capacity(items.words.len() + 1);
        for item in 0..items.len() {
            let (is_short, all) = (items.is_short(item), items.span(item));
            // The end of the last n-gram so far that tells nothing.
            let mut end = 0;
            for (words, decides) in items.pieces(item) {
                for word in words {
                    if word + N <= all.end && !self.begins(word) {
                        end = word + N;
                    }
                    before.push(sum);
                    sum += u32::from(decides && (is_short || word >= end));
                }
            }
        }
        before.push(sum);
        before
    }

    /// True if more n-grams of an item are phrases of its set than common in the corpus.
    fn is_mostly_of_set(&self, item: u32, of_places: &[(u32, u32)]) -> bool {
        let words = self.items.span(item);
        let place = |word: usize| of_places.partition_point(|(place, _)| (*place as usize) < word);
        let in_table = place(words.end) - place(words.start);
        let common = in_table - words.clone().filter(|&word| self.begins(word)).count();
        words.len() + 1 - N - in_table >= common
    }

    fn begins(&self, word: usize) -> bool {
        self.begins[word / 64] >> (word % 64) & 1 == 1
    }

    /// Number of telling words among some words of one item.
    fn telling_words(&self, words: Range<usize>) -> u32 {
        self.before[words.end] - self.before[words.start]
    }

    /// Number of telling words of an item; of a short one, of words that decide.
    pub fn words(&self, item: u32) -> u32 {
        self.telling_words(self.items.span(item))
    }

    /// Why an item is undecidable, if it is.
    pub fn undecidable(&self, item: u32) -> Option<Undecidable> {
        self.undecidable[item as usize]
    }

    /// The items in a document of at most 4 GiB, in the order of their numbers and places: each with enough of it, or
    /// once, without spans, with the most that was found of it.
    pub fn find(&self, lookup: &mut Lookup, text: &str) -> Vec<Found> {
        let words = lookup.words(text);
        let (mut hits, mut found, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        self.items.look_up(words, |place, key, is_anchor| {
            for &word in self.items.table.places(key) {
                let item = self.items.item_of(word);
                if self.undecidable(item).is_some() {
                    continue;
                }
                if !is_anchor {
                    if self.begins(word as usize) {
                        hits.push(align::Hit { item, word, place: place as u32 });
                    }
                } else if let Some(spans) = whole::at(&self.items, item, word, words, place) {
                    let spans = spans.into_iter().map(|(span, end)| self.items.bytes(text, words, span, end)).collect();
                    whole.push(Found { item, words: self.words(item), coverage: 1.0, spans, probability: None });
                }
            }
        });
        hits.sort_unstable();
        for of_item in hits.chunk_by(|a, b| a.item == b.item) {
            let item = of_item[0].item;
            let all = self.words(item);
            let least = self.coverage * f64::from(all);
            let words_of_all = self.items.span(item).len();
            // Words of parts that do not decide would count too.
            let all_decide = words_of_all == self.items.deciding(item);
            let least_words = OF_ALL_WORDS * self.coverage * words_of_all as f64;
            let is_enough = |matched: align::Matched| {
                let is_long = matched.telling >= N as u32 && matched.words >= SHORT as u32;
                let is_half = all_decide && f64::from(matched.words) >= least_words;
                let is_part = f64::from(matched.telling) >= least || is_half;
                matched.telling == all || all >= SHORT as u32 && is_long && is_part
            };
            let mut most = 0;
            let before = found.len();
            align::each(self, of_item, words, |matched, place, end| {
                most = most.max(matched.telling);
                let enough = is_enough(matched);
                if enough {
                    let coverage = f64::from(matched.telling) / f64::from(all);
                    let spans = vec![self.items.bytes(text, words, place, end)];
                    found.push(Found { item, words: matched.telling, coverage, spans, probability: None });
                }
                enough
            });
            if found.len() == before && most > 0 {
                let coverage = f64::from(most) / f64::from(all);
                found.push(Found { item, words: most, coverage, spans: Vec::new(), probability: None });
            }
        }
        let mut found = with_whole(found, whole);
        found.sort_by_key(|found| (found.item, found.spans.first().map(|span| span.start)));
        found
    }
}

impl Found {
    /// From the first byte of it to the last; `None` without spans.
    fn extent(&self) -> Option<Range<usize>> {
        Some(self.spans.first()?.start..self.spans.last()?.end)
    }
}

/// Where each item was found.
struct Places(HashMap<u32, Vec<Range<usize>>>);

impl Places {
    fn of<'f>(found: impl Iterator<Item = &'f Found>) -> Self {
        let mut places: HashMap<u32, Vec<Range<usize>>> = HashMap::new();
        for found in found {
            places.entry(found.item).or_default().extend(found.extent());
        }
        Self(places)
    }

    /// True if the same item was found in a place that overlaps with this one; for one without a place, if it was found at all.
    fn have(&self, found: &Found) -> bool {
        let Some(places) = self.0.get(&found.item) else { return false };
        let meets = |own: Range<usize>| places.iter().any(|place| place.start < own.end && own.start < place.end);
        found.extent().is_none_or(meets)
    }
}

/// The items that alignments found, and those that stand as a whole: of two in one place the one with more of the item, and
/// then the alignment, which is in one piece.
fn with_whole(mut aligned: Vec<Found>, mut whole: Vec<Found>) -> Vec<Found> {
    let complete = Places::of(aligned.iter().filter(|found| found.coverage >= 1.0));
    whole.retain(|found| !complete.have(found));
    let places = Places::of(whole.iter());
    aligned.retain(|found| !places.have(found));
    aligned.append(&mut whole);
    aligned
}

/// Number of words that a phrase needs so that a corpus of so many words has it by chance less than once.
fn fewest_words(of_corpus: u64) -> usize {
    of_corpus.next_power_of_two().trailing_zeros().div_ceil(BITS_OF_A_WORD) as usize
}

#[cfg(test)]
mod tests;
