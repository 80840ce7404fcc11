//! Words and shingles of documents in less than a fifth of their size, for a file that only this process needs.
//!
//! The shingles of a text follow from the hashes of its words, and texts share most of their words. So words are numbered
//! as they are first met, and a document is the list of its words' numbers:
//!
//! ```text
//! 2 × (number + 1) + break    seven bits a byte, the lowest first; the highest bit: another byte follows
//! break, hash, kept word      1, 8 and 4 bytes: a word that has no number, as there are no more
//! ```
//!
//! Frequent words are met early, so their numbers take one or two bytes. The break is the lowest bit of a kept word.
//!
//! Cost: 1.9 bytes a word of English instead of 12, and some 40 bytes of memory for each distinct word while documents are
//! added, of which 12 remain. To pack takes some 40 ns a word beside other work, to unpack as long as making shingles.

use std::ops::RangeInclusive;

use crate::similarity::BREAK;
use crate::sketch::hashed::HashMapOfHashes;
use crate::sketch::rabin::{MAX_NGRAM, Rabin};
use crate::sketch::recipe::Recipe;
use crate::sketch::sorted::Sorter;

/// Maximum number of numbered words: their numbers take three bytes at most.
const MOST_WORDS: usize = (1 << 20) - 1;

/// Least number of numbered words with which packing saves enough.
const LEAST_WORDS: usize = if cfg!(test) { 1 } else { 1 << 12 };

/// Memory in bytes for a numbered word.
const OF_A_WORD: u64 = 64;

/// The numbered words.
#[derive(Debug)]
pub(super) struct Dictionary {
    /// The hash of each, by which shingles are made.
    hashes: Vec<u64>,
    /// Each as it is kept, without a break.
    words: Vec<u32>,
    /// The sizes of shingles in words.
    sizes: RangeInclusive<usize>,
    rabin: Rabin,
}

/// Packs one document after another.
#[derive(Debug)]
pub(super) struct Packer {
    dictionary: Dictionary,
    /// Each word as it is kept and its number, by its key.
    numbers: HashMapOfHashes<[u32; 2]>,
    /// Maximum number of numbered words.
    most: usize,
    bytes: Vec<u8>,
    /// The last document, in `count` words.
    packed: Vec<u32>,
    count: usize,
}

/// The packed words of a document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Packed<'a> {
    pub(super) dictionary: &'a Dictionary,
    pub(super) bytes: &'a [u32],
    /// Number of words.
    pub(super) count: usize,
}

/// The key of a word among the numbers: its hash, unless its kept form has more than the first bits of that. The first
/// half is always that of the hash.
fn key(hash: u64, word: u32) -> u64 {
    hash ^ u64::from(word ^ (hash >> 32) as u32 & !BREAK)
}

impl Packer {
    /// A packer for shingles of this recipe that takes about as much memory as `bytes`; `None` if that is too little.
    pub(super) fn new(recipe: &Recipe, bytes: u64) -> Option<Self> {
        let most = usize::try_from(bytes / OF_A_WORD).map_or(MOST_WORDS, |most| most.min(MOST_WORDS));
        let sizes = recipe.min_ngram..=recipe.max_ngram;
        if most < LEAST_WORDS || *sizes.start() == 0 || *sizes.end() > MAX_NGRAM {
            return None;
        }
        let dictionary = Dictionary { hashes: Vec::new(), words: Vec::new(), sizes, rabin: Rabin::new() };
        Some(Self {
            dictionary,
            numbers: HashMapOfHashes::default(),
            most,
            bytes: Vec::new(),
            packed: Vec::new(),
            count: 0,
        })
    }

    /// Packs a document, given for each word its hash, by which the shingles were made, and the word as it is kept.
    pub(super) fn pack(&mut self, hashes: &[u64], words: &[u32]) {
        self.bytes.clear();
        self.count = words.len();
        for (&hash, &word) in hashes.iter().zip(words) {
            let (is_end, word) = (word & BREAK, word & !BREAK);
            if let Some(number) = self.number(hash, word) {
                put(&mut self.bytes, 2 * (number + 1) + is_end);
            } else {
                self.bytes.push(is_end as u8);
                self.bytes.extend_from_slice(&hash.to_le_bytes());
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
        }
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.packed.clear();
        self.packed.extend(self.bytes.as_chunks().0.iter().map(|&four| u32::from_ne_bytes(four)));
    }

    /// The document that was packed last.
    pub(super) fn last(&self) -> Packed<'_> {
        Packed { dictionary: &self.dictionary, bytes: &self.packed, count: self.count }
    }

    /// The number of a word; `None` if it has none and there are no more.
    fn number(&mut self, hash: u64, word: u32) -> Option<u32> {
        let key = key(hash, word);
        if let Some(&[known, number]) = self.numbers.get(&key) {
            // Another word may have the same key; the key and the word tell the hash.
            return (known == word).then_some(number);
        }
        let Dictionary { hashes, words, .. } = &mut self.dictionary;
        let number = hashes.len() as u32;
        if hashes.len() == self.most {
            return None;
        }
        hashes.push(hash);
        words.push(word);
        self.numbers.insert(key, [word, number]);
        Some(number)
    }

    /// The words that were numbered, to unpack documents.
    pub(super) fn into_dictionary(self) -> Dictionary {
        self.dictionary
    }
}

/// Appends a number.
fn put(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 1 << 7 {
        bytes.push(number as u8 | 1 << 7);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the front.
#[inline]
fn take(bytes: &mut &[u8]) -> u32 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, rest)) = bytes.split_first().filter(|_| shift < u32::BITS) {
        *bytes = rest;
        number |= u32::from(byte & 0x7f) << shift;
        if byte < 1 << 7 {
            break;
        }
        shift += 7;
    }
    number
}

/// Takes so many bytes off the front; zeros if there are less.
fn take_bytes<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    bytes.split_first_chunk().map_or([0; N], |(&taken, rest)| {
        *bytes = rest;
        taken
    })
}

impl Packed<'_> {
    /// Calls `found` with the hash of each word, and the word as it is kept.
    #[inline]
    fn each(self, mut found: impl FnMut(u64, u32)) {
        let mut bytes: &[u8] = bytemuck::cast_slice(self.bytes);
        let Dictionary { hashes, words, .. } = self.dictionary;
        for _ in 0..self.count {
            let taken = take(&mut bytes);
            let (hash, word) = match (taken / 2).checked_sub(1) {
                None => (u64::from_le_bytes(take_bytes(&mut bytes)), u32::from_le_bytes(take_bytes(&mut bytes))),
                Some(number) => {
                    let number = number as usize;
                    (hashes.get(number).copied().unwrap_or_default(), words.get(number).copied().unwrap_or_default())
                }
            };
            found(hash, word | taken & BREAK);
        }
    }

    /// The words as they are kept.
    pub(super) fn words(self) -> Vec<u32> {
        let mut words = Vec::with_capacity(self.count);
        self.each(|_, word| words.push(word));
        words
    }

    /// The distinct shingles, ascending.
    pub(super) fn shingles(self) -> Vec<u64> {
        self.lists().0
    }

    /// The shingles and the words.
    pub(super) fn lists(self) -> (Vec<u64>, Vec<u32>) {
        let (mut hashes, mut words) = (Vec::with_capacity(self.count), Vec::with_capacity(self.count));
        self.each(|hash, word| {
            hashes.push(hash);
            words.push(word);
        });
        let Dictionary { sizes, rabin, .. } = self.dictionary;
        // A text of fewer words than a shingle has is one shingle.
        let [least, greatest] = [sizes.start(), sizes.end()].map(|&size| size.min(self.count));
        let mut all = Vec::with_capacity(self.count);
        (least.max(1)..=greatest).for_each(|n| rabin.ngrams(&hashes, n, &mut all));
        let mut shingles = Sorter::default().sort(&all).to_vec();
        shingles.dedup();
        (shingles, words)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::similarity::ShingleSet;
    use crate::sketch::minhash::mix;
    use crate::store::file::test_collections::recipe;

    /// The shingles of words, run by run.
    fn plain(hashes: &[u64], sizes: RangeInclusive<usize>) -> Vec<u64> {
        let (rabin, mut all) = (Rabin::portable(), Vec::new());
        for size in sizes.filter(|&size| size <= hashes.len()) {
            for run in hashes.windows(size) {
                rabin.ngrams(run, size, &mut all);
            }
        }
        if all.is_empty() {
            rabin.ngrams(hashes, hashes.len(), &mut all);
        }
        ShingleSet::new(all).as_slice().to_vec()
    }

    proptest! {
        #[test]
        fn unpacked_lists_are_those_that_were_packed(
            documents in prop::collection::vec(
                prop::collection::vec((0u64..300, any::<bool>(), prop::option::of(any::<u32>())), 1..200), 1..6),
            most in prop::sample::select(vec![1, 10, 200, MOST_WORDS]),
            (least, more) in (1usize..5, 0usize..3),
        ) {
            let recipe = Recipe { min_ngram: least, max_ngram: least + more, ..recipe() };
            let mut packer = Packer::new(&recipe, most as u64 * OF_A_WORD).unwrap();
            let mut all = Vec::new();
            for document in &documents {
                // Of some words the kept form is not the first bits of the hash.
                let hashes: Vec<u64> = document.iter().map(|&(number, ..)| mix(number)).collect();
                let words: Vec<u32> = document
                    .iter()
                    .map(|&(number, ends, other)| other.unwrap_or((mix(number) >> 32) as u32) & !BREAK | u32::from(ends))
                    .collect();
                packer.pack(&hashes, &words);
                let lists = (plain(&hashes, least..=least + more), words);
                prop_assert_eq!(packer.last().lists(), lists.clone());
                all.push((packer.packed.clone(), lists));
            }
            let dictionary = packer.into_dictionary();
            prop_assert!(dictionary.words.len() <= most);
            for (bytes, (shingles, words)) in &all {
                let packed = Packed { dictionary: &dictionary, bytes, count: words.len() };
                prop_assert_eq!((&packed.shingles(), &packed.words()), (shingles, words));
            }
        }

        #[test]
        fn damaged_bytes_are_read_as_some_words(bytes in prop::collection::vec(any::<u32>(), 0..20), count in 1usize..60) {
            let dictionary = Packer::new(&recipe(), OF_A_WORD).unwrap().into_dictionary();
            let (shingles, words) = Packed { dictionary: &dictionary, bytes: &bytes, count }.lists();
            prop_assert!(words.len() == count && shingles.is_sorted());
        }
    }

    #[test]
    fn words_with_one_key_are_two_words() {
        let (first, second) = ((1 << 40, 1 << 8), (1 << 40 | 2, 1 << 8 | 2));
        assert_eq!(key(first.0, first.1), key(second.0, second.1));
        let mut packer = Packer::new(&recipe(), MOST_WORDS as u64 * OF_A_WORD).unwrap();
        packer.pack(&[first.0, second.0], &[first.1, second.1]);
        assert_eq!(packer.last().words(), [first.1, second.1]);
        assert_eq!(packer.dictionary.words.len(), 1);
    }

    #[test]
    fn frequent_words_take_a_byte_and_no_packer_is_too_small() {
        let mut packer = Packer::new(&recipe(), MOST_WORDS as u64 * OF_A_WORD).unwrap();
        let hashes: Vec<u64> = (0..63).chain(0..63).map(mix).collect();
        let words: Vec<u32> = hashes.iter().map(|hash| (hash >> 32) as u32 & !BREAK).collect();
        packer.pack(&hashes, &words);
        assert_eq!(packer.last().bytes.len(), 126usize.div_ceil(4));
        assert!(Packer::new(&recipe(), 0).is_none());
    }
}
