//! Attested typos: words that are misspelt, as the corpus attests.
//!
//! A text that stands whole in its survivor but for single words goes by [`Removal::Contained`] if each of these is a
//! typo: one of its two forms occurs nowhere else, and the other in [`LEAST_TEXTS`] further texts. Kept words are hashes,
//! so what is found here are [`Candidate`]s, for a caller who reads their letters.
//!
//! Only pairs that [`Removal::Edited`] removes are asked. A text with copies, or in which another stands whole, stays: its
//! own typo would occur elsewhere, and what goes for it needs it.
//!
//! Cost: the comparison of the words of each such pair, then one pass over the kept words of all documents, which lie in
//! memory or a mapped file.

use std::collections::HashSet;

use super::Removals;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::similarity::{BREAK, Removal};
use crate::sketch::hashed::HashMapOfHashes;
use crate::store::file::collection::Collection;

/// Number of texts beside a pair that must have the right form of a word.
const LEAST_TEXTS: u64 = 3;

/// Least number of words of a text for each typo in it.
const WORDS_A_TYPO: usize = 25;

/// Binary logarithm of the number of bits of the filter before the table of counted words: 32 KiB, which stay in the
/// cache.
const LOG2_FILTER: u32 = 18;

/// A document that stands whole in its survivor but for words that may be typos.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The document.
    pub document: u32,
    /// Its survivor.
    pub survivor: u32,
    /// The words that differ.
    pub words: Vec<Misspelt>,
}

/// A word of a document in whose place its survivor has another, one of which occurs nowhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misspelt {
    /// The places of the word in the document and in the survivor.
    pub places: [usize; 2],
    /// True if the document's form is the one that occurs nowhere else.
    pub is_own: bool,
}

/// A word of a document in whose place its survivor has another, which may be a typo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// The places of the word in the document and in the survivor.
    pub places: [usize; 2],
    /// The kept word of the document, and that of the survivor.
    pub words: [u32; 2],
    /// The number of the two texts that have each of these words.
    pub texts: [u64; 2],
}

/// A document that only [`Removal::Edited`] removes, and that stands whole in its survivor but for single words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The document.
    pub document: u32,
    /// Its survivor.
    pub survivor: u32,
    /// The words that differ.
    pub words: Vec<Other>,
}

impl Asked {
    fn of(collection: &Collection, pair: [u32; 2], places: Vec<[usize; 2]>) -> Self {
        let [own, other] = &pair.map(|document| collection.words(document));
        let has = |words: &[u32], word: u32| u64::from(words.iter().any(|it| it & !BREAK == word));
        let differing = |places: [usize; 2]| {
            let words = [own[places[0]] & !BREAK, other[places[1]] & !BREAK];
            Other { places, words, texts: words.map(|word| has(own, word) + has(other, word)) }
        };
        Self { document: pair[0], survivor: pair[1], words: places.into_iter().map(differing).collect() }
    }

    /// The candidate, if of the two forms of each word one occurs nowhere else and the other in further texts.
    pub fn candidate(&self, counts: &Counts) -> Option<Candidate> {
        let misspelt = |other: &Other| {
            let count = other.words.map(|word| counts.of(word));
            let is_attested = |form: usize| count[form].texts >= LEAST_TEXTS + other.texts[form];
            let is_own = count[0].all == 1 && is_attested(1);
            (is_own || count[1].all == 1 && is_attested(0)).then_some(Misspelt { places: other.places, is_own })
        };
        let words = self.words.iter().map(misspelt).collect::<Option<Vec<_>>>()?;
        Some(Candidate { document: self.document, survivor: self.survivor, words })
    }
}

/// The occurrences of a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// In all documents.
    pub all: u64,
    /// Number of texts that have it; of equal ones the first.
    pub texts: u64,
}

/// The counts of some words.
#[derive(Debug, Clone)]
pub struct Counts {
    /// The place of each word among the counts.
    places: HashMapOfHashes<u32>,
    /// The bits of the first bits of these words.
    filter: Vec<u64>,
    found: Vec<Count>,
    /// The document in which each word was counted last, numbered from 1.
    last: Vec<u32>,
    documents: u32,
}

/// The place of a word in the filter: a kept word is a hash already, and a break behind it is not among its first bits.
fn bit(word: u32) -> usize {
    (word >> (u32::BITS - LOG2_FILTER)) as usize
}

impl Counts {
    /// The counts of these words before any document.
    pub fn new(words: impl IntoIterator<Item = u32>) -> Self {
        let (mut places, mut filter) = (HashMapOfHashes::default(), vec![0u64; 1 << (LOG2_FILTER - 6)]);
        for word in words {
            let next = places.len() as u32;
            places.entry(spread(word)).or_insert(next);
            filter[bit(word) / 64] |= 1 << (bit(word) % 64);
        }
        let (found, last) = (vec![Count::default(); places.len()], vec![0; places.len()]);
        Self { places, filter, found, last, documents: 0 }
    }

    /// Counts the words of a document; `is_text` is false for those that equal an earlier one.
    pub fn add(&mut self, words: &[u32], is_text: bool) {
        self.documents += 1;
        for &word in words {
            if self.filter[bit(word) / 64] >> (bit(word) % 64) & 1 != 0
                && let Some(&place) = self.places.get(&spread(word & !BREAK))
            {
                let (count, last) = (&mut self.found[place as usize], &mut self.last[place as usize]);
                count.all += 1;
                count.texts += u64::from(is_text && *last != self.documents);
                *last = self.documents;
            }
        }
    }

    /// Adds further occurrences of a word.
    pub fn add_count(&mut self, word: u32, more: Count) {
        if let Some(&place) = self.places.get(&spread(word)) {
            let count = &mut self.found[place as usize];
            count.all += more.all;
            count.texts += more.texts;
        }
    }

    /// The count of one of the words.
    pub fn of(&self, word: u32) -> Count {
        self.places.get(&spread(word)).map_or_else(Count::default, |&place| self.found[place as usize])
    }
}

/// A kept word as a hash of 64 bits.
fn spread(word: u32) -> u64 {
    let hash = u64::from(word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    hash ^ hash >> 32
}

impl Removals {
    /// The documents that only [`Removal::Edited`] removes and that would be contained in their survivors if some words
    /// were typos, as far as the counts of these words allow that.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn candidates(
        &self,
        collection: &Collection,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Candidate>> {
        let asked = self.asked(collection, threads, observer)?;
        let words = asked.iter().flat_map(|asked| asked.words.iter().flat_map(|other| other.words));
        let counts = self.counts(collection, Counts::new(words), threads, observer)?;
        Ok(asked.iter().filter_map(|asked| asked.candidate(&counts)).collect())
    }

    /// The documents that only [`Removal::Edited`] removes and that would be contained in their survivors if some words
    /// were typos, whatever their counts.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn asked(&self, collection: &Collection, threads: usize, observer: &dyn Observer) -> Result<Vec<Asked>> {
        let pairs = self.only_edited();
        let places = parallel::map(pairs.len(), threads, |number| {
            go_on(observer)?;
            let [document, survivor] = pairs[number].map(|each| collection.view(each));
            Ok(document.contained_but_for(&survivor))
        })?;
        let are_few = |document: u32, places: &[[usize; 2]]| {
            !places.is_empty() && places.len() * WORDS_A_TYPO <= collection.kept_words(document)
        };
        let asked = pairs.into_iter().zip(places).filter(|(pair, places)| are_few(pair[0], places));
        Ok(asked.map(|(pair, places)| Asked::of(collection, pair, places)).collect())
    }

    /// Lets a document go by [`Removal::Contained`] for the survivor of one of its [`candidates`](Self::candidates), whose
    /// words differ in these typos: each the form of the document and that of the survivor.
    pub fn admit(&mut self, candidate: &Candidate, typos: Vec<[String; 2]>) {
        self.survivors[Removal::Contained as usize][candidate.document as usize] = candidate.survivor;
        self.typos.insert(candidate.document, typos);
    }

    /// The typos for which a document counts as contained in its survivor: each its own form and the survivor's.
    pub fn typos(&self, document: u32) -> &[[String; 2]] {
        self.typos.get(&document).map_or(&[], Vec::as_slice)
    }

    /// The documents that go by [`Removal::Edited`] alone, each with its survivor, and that no other document needs.
    fn only_edited(&self) -> Vec<[u32; 2]> {
        let [same, contained, edited] = &self.survivors;
        let mut needed = HashSet::new();
        for survivors in [same, contained] {
            needed.extend((0..).zip(survivors).filter(|(document, other)| document != *other).map(|(_, other)| *other));
        }
        let stays = |document: u32| contained[document as usize] == document;
        (0..)
            .zip(edited)
            .map(|(document, &survivor)| [document, survivor])
            .filter(|&[document, survivor]| {
                document != survivor && stays(document) && stays(survivor) && !needed.contains(&document)
            })
            .collect()
    }

    /// Counts some words in all documents. Of texts longer than [`crate::similarity::KEPT_WORDS`] the end is not kept,
    /// and not counted.
    fn counts(
        &self,
        collection: &Collection,
        mut sums: Counts,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Counts> {
        if sums.places.is_empty() {
            return Ok(sums);
        }
        let [same, ..] = &self.survivors;
        let documents: Vec<u32> = (0..collection.len() as u32).collect();
        let parts: Vec<&[u32]> = documents.chunks(documents.len().div_ceil(threads.max(1)).max(1)).collect();
        observer.begin("counting words that may be misspelt", Some(documents.len() as u64));
        let counted = parallel::map(parts.len(), threads, |number| {
            let mut counts = sums.clone();
            for &document in parts[number] {
                if document % 1024 == 0 {
                    go_on(observer)?;
                }
                counts.add(&collection.words(document), same[document as usize] == document);
            }
            observer.advance(parts[number].len() as u64);
            Ok(counts.found)
        })?;
        for (place, count) in counted.iter().flat_map(|part| part.iter().enumerate()) {
            let sum = &mut sums.found[place];
            sum.all += count.all;
            sum.texts += count.texts;
        }
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{found, text};
    use super::*;
    use crate::store::file::test_collections::collection_of_words;

    /// A text of six sentences whose 30th word is another.
    fn with(word: u32) -> Vec<u32> {
        let mut words = text(&[10, 20, 30, 40, 50, 60]);
        words[30] = 2 * word;
        words
    }

    /// Texts that have a word, and little else in common with others.
    fn others(word: u32) -> impl Iterator<Item = Vec<u32>> {
        (1..4).map(move |number| {
            let mut words =
                text(&[1000 * number, 1000 * number + 10, 1000 * number + 20, 1000 * number + 30, 1000 * number + 40]);
            words[3] = 2 * word;
            words
        })
    }

    fn candidates(texts: &[Vec<u32>]) -> Vec<Candidate> {
        let (_folder, collection) = collection_of_words(texts);
        found(&collection, super::super::tests::EFFORT).candidates(&collection, 2, &()).unwrap()
    }

    #[test]
    fn one_form_occurs_nowhere_else_and_the_other_in_further_texts() {
        let misspelt = |is_own| vec![Misspelt { places: [30, 30], is_own }];
        let candidate = |words| Candidate { document: 1, survivor: 0, words };
        let pair = [with(7), with(8)];
        assert_eq!(candidates(&[pair.to_vec(), others(7).collect()].concat()), [candidate(misspelt(true))]);
        assert_eq!(candidates(&[pair.to_vec(), others(8).collect()].concat()), [candidate(misspelt(false))]);
        // Both are attested, or neither is; or the rare form has a copy, or the word is missing.
        assert_eq!(candidates(&[pair.to_vec(), others(7).collect(), others(8).collect()].concat()), []);
        assert_eq!(candidates(&[pair.to_vec(), others(7).take(2).collect()].concat()), []);
        assert_eq!(candidates(&[pair.to_vec(), vec![with(8)], others(7).collect()].concat()), []);
        let mut shorter = with(7);
        shorter.remove(30);
        assert_eq!(candidates(&[vec![with(7), shorter], others(7).collect()].concat()), []);
    }

    proptest! {
        #[test]
        fn words_are_counted_as_one_by_one(
            texts in prop::collection::vec(prop::collection::vec(0u32..40, 3..12), 1..20),
            asked in prop::collection::hash_set(0u32..40, 0..6),
        ) {
            let texts: Vec<Vec<u32>> = texts.iter().map(|words| words.iter().map(|word| (word << 1) | (word % 2)).collect()).collect();
            let asked: HashSet<u32> = asked.into_iter().map(|word| word << 1).collect();
            let (_folder, collection) = collection_of_words(&texts);
            let removals = found(&collection, super::super::tests::EFFORT);
            let counts = removals.counts(&collection, Counts::new(asked.iter().copied()), 2, &()).unwrap();
            prop_assert_eq!(counts.found.len(), asked.len());
            for word in asked {
                let count = counts.of(word);
                let of = |text: &&Vec<u32>| text.iter().filter(|other| *other & !BREAK == word).count() as u64;
                let [same, ..] = &removals.survivors;
                let first = (0..).zip(&texts).filter(|(document, _)| same[*document as usize] == *document);
                let texts_with = first.filter(|(_, text)| of(text) > 0).count() as u64;
                prop_assert_eq!(count, Count { all: texts.iter().map(|text| of(&text)).sum(), texts: texts_with });
            }
        }
    }
}
