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

use std::collections::{HashMap, HashSet};

use super::Removals;
use crate::error::Result;
use crate::file::collection::Collection;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::similarity::{BREAK, Removal};

/// Number of texts beside a pair that must have the right form of a word.
const LEAST_TEXTS: u64 = 3;

/// Number of documents whose words a thread counts at a time.
const PART: usize = if cfg!(test) { 3 } else { 1 << 12 };

/// Number of bits of the filter before the table of counted words: 8 KiB, which stays in the cache.
const FILTER_BITS: usize = 1 << 16;

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

/// The occurrences of a word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    /// In all documents.
    all: u64,
    /// Number of texts that have it; of equal ones the first.
    texts: u64,
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
        let pairs = self.only_edited();
        let places = parallel::map(pairs.len(), threads, |number| {
            go_on(observer)?;
            let [document, survivor] = pairs[number].map(|each| collection.view(each));
            Ok(document.contained_but_for(&survivor))
        })?;
        let word = |document: u32, place: usize| collection.view(document).words[place] & !BREAK;
        let asked: Vec<([u32; 2], Vec<[usize; 2]>)> =
            pairs.into_iter().zip(places).filter(|(_, places)| !places.is_empty()).collect();
        let words: HashSet<u32> = asked
            .iter()
            .flat_map(|(pair, places)| places.iter().flat_map(|at| [word(pair[0], at[0]), word(pair[1], at[1])]))
            .collect();
        let counts = self.counts(collection, &words, threads, observer)?;
        let misspelt = |pair: [u32; 2], places: [usize; 2]| {
            let both = [word(pair[0], places[0]), word(pair[1], places[1])];
            let [own, other] = both.map(|word| counts[&word]);
            let has = |document: u32, word: u32| collection.view(document).words.iter().any(|it| it & !BREAK == word);
            let is_attested = |form: u32, count: Count| {
                count.texts >= LEAST_TEXTS + pair.iter().filter(|&&document| has(document, form)).count() as u64
            };
            let is_own = own.all == 1 && is_attested(both[1], other);
            (is_own || other.all == 1 && is_attested(both[0], own)).then_some(Misspelt { places, is_own })
        };
        let candidate = |(pair, places): ([u32; 2], Vec<[usize; 2]>)| {
            let words = places.into_iter().map(|places| misspelt(pair, places)).collect::<Option<Vec<_>>>()?;
            Some(Candidate { document: pair[0], survivor: pair[1], words })
        };
        Ok(asked.into_iter().filter_map(candidate).collect())
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
        words: &HashSet<u32>,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<HashMap<u32, Count>> {
        if words.is_empty() {
            return Ok(HashMap::new());
        }
        let [same, ..] = &self.survivors;
        let bit = |word: u32| (word >> 1) as usize % FILTER_BITS;
        let mut filter = vec![0u64; FILTER_BITS / 64];
        for &word in words {
            filter[bit(word) / 64] |= 1 << (bit(word) % 64);
        }
        let may_count = |word: u32| filter[bit(word) / 64] >> (bit(word) % 64) & 1 != 0;
        let documents: Vec<u32> = (0..collection.len() as u32).collect();
        let parts: Vec<&[u32]> = documents.chunks(PART).collect();
        observer.begin("counting words that may be misspelt", Some(documents.len() as u64));
        let counted = parallel::map(parts.len(), threads, |number| {
            go_on(observer)?;
            let mut counts: HashMap<u32, Count> = HashMap::new();
            let mut seen = HashSet::new();
            for &document in parts[number] {
                seen.clear();
                let is_text = same[document as usize] == document;
                for word in collection.view(document).words.iter().map(|word| word & !BREAK) {
                    if may_count(word) && words.contains(&word) {
                        let count = counts.entry(word).or_default();
                        count.all += 1;
                        count.texts += u64::from(is_text && seen.insert(word));
                    }
                }
            }
            observer.advance(parts[number].len() as u64);
            Ok(counts)
        })?;
        let mut all: HashMap<u32, Count> = words.iter().map(|&word| (word, Count::default())).collect();
        for (word, count) in counted.into_iter().flatten() {
            let sum = all.entry(word).or_default();
            sum.all += count.all;
            sum.texts += count.texts;
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::{found, text};
    use super::*;
    use crate::file::test_collections::collection_of_words;

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
            let counts = removals.counts(&collection, &asked, 2, &()).unwrap();
            prop_assert_eq!(counts.len(), asked.len());
            for (word, count) in counts {
                let of = |text: &&Vec<u32>| text.iter().filter(|other| *other & !BREAK == word).count() as u64;
                let [same, ..] = &removals.survivors;
                let first = (0..).zip(&texts).filter(|(document, _)| same[*document as usize] == *document);
                let texts_with = first.filter(|(_, text)| of(text) > 0).count() as u64;
                prop_assert_eq!(count, Count { all: texts.iter().map(|text| of(&text)).sum(), texts: texts_with });
            }
        }
    }
}
