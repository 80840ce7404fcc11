//! In how many documents of a corpus each n-gram of items occurs, and each short item as a whole.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Items;
use super::whole;
use super::words::{Word, Words};

/// Reads documents and looks n-grams up, on one thread.
#[derive(Debug, Default)]
pub struct Lookup {
    reader: Words,
    words: Vec<Word>,
    counted: Vec<u32>,
}

impl Lookup {
    /// The words of a document.
    pub(super) fn words(&mut self, text: &str) -> &[Word] {
        self.reader.read(text, &mut self.words);
        &self.words
    }

    /// The numbers of the n-grams that a document of at most 4 GiB has, ascending, and those of its short items, which follow
    /// the n-grams; then its number of words. A document without any number has no item.
    pub fn counted(&mut self, items: &Items, text: &str) -> (&[u32], u64) {
        let Self { reader, words, counted } = self;
        reader.read(text, words);
        counted.clear();
        items.look_up(words, |place, key, is_anchor| {
            counted.push(key as u32);
            let places = items.table.places(key).iter().map(|&word| (items.item_of(word), word));
            for (item, word) in places.filter(|&(item, _)| is_anchor && items.is_short(item)) {
                if whole::at(items, item, word, words, place).is_some() {
                    counted.push(of_whole(items, item) as u32);
                }
            }
        });
        counted.sort_unstable();
        counted.dedup();
        (counted, words.len() as u64)
    }
}

/// The number of a short item as a whole.
fn of_whole(items: &Items, item: u32) -> usize {
    items.ngrams() + item as usize
}

/// The numbers of documents that have the n-grams of items.
#[derive(Debug)]
pub struct Counts {
    /// Of each n-gram, and of each short item as a whole.
    documents: Vec<AtomicU32>,
    words: AtomicU64,
}

impl Counts {
    /// Nothing counted yet.
    pub fn new(items: &Items) -> Self {
        let documents = (0..of_whole(items, items.len())).map(|_| AtomicU32::new(0)).collect();
        Self { documents, words: AtomicU64::new(0) }
    }

    /// The counts of documents that were read elsewhere: how many have each number of [`Lookup::counted`], and the words of all.
    /// Numbers that `items` do not have are ignored.
    pub fn of(items: &Items, documents: impl IntoIterator<Item = (u32, u32)>, words: u64) -> Self {
        Self::new(items).plus(documents, words)
    }

    /// Counts a document of at most 4 GiB. Returns true if it has an n-gram of an item, and is to be searched.
    pub fn count(&self, items: &Items, lookup: &mut Lookup, text: &str) -> bool {
        let (counted, words) = lookup.counted(items, text);
        self.words.fetch_add(words, Ordering::Relaxed);
        for &number in counted {
            self.documents[number as usize].fetch_add(1, Ordering::Relaxed);
        }
        !counted.is_empty()
    }

    /// The counts with those of other documents, given as to [`Counts::of`].
    #[must_use]
    pub(super) fn plus(mut self, others: impl IntoIterator<Item = (u32, u32)>, words: u64) -> Self {
        for (number, documents) in others {
            if let Some(count) = self.documents.get_mut(number as usize) {
                let count = count.get_mut();
                *count = count.saturating_add(documents);
            }
        }
        let sum = self.words.get_mut();
        *sum = sum.saturating_add(words);
        self
    }

    /// The number of documents that have each number of [`Lookup::counted`].
    pub(super) fn numbers(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.documents).map(|(number, documents)| (number, documents.load(Ordering::Relaxed)))
    }

    /// Number of words of all documents counted.
    pub fn words(&self) -> u64 {
        self.words.load(Ordering::Relaxed)
    }

    /// Number of documents that have an n-gram.
    pub(super) fn of_ngram(&self, key: usize) -> u32 {
        self.documents[key].load(Ordering::Relaxed)
    }

    /// Number of documents that have all of a short item.
    pub(super) fn whole(&self, items: &Items, item: u32) -> u32 {
        self.documents[of_whole(items, item)].load(Ordering::Relaxed)
    }
}
