//! Text that many texts have in common: an assignment, a licence notice, the frame of a page.
//!
//! ```text
//!  texts ─▶ phrases of 5 words ─count by part of their hash─▶ those that may be in many texts ─count exactly─▶ phrases
//! ```
//!
//! The first count needs no more than a table of numbers and is never too small. Texts of one owner, such as an author,
//! count once.
//!
//! Cost: hashing the words of all texts twice, and 4 to 8 bytes a word; in addition 8 bytes a word of the text that is
//! shared.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use super::Words;
use super::passage_keys::{RUN, mix};
use super::words::{Word, hash_of_run};
use crate::error::Result;
use crate::parallel;
use crate::runs::append_run;

/// The phrases of five words that many texts contain.
#[derive(Debug, Default)]
pub struct CommonPhrases {
    hashes: HashSet<u32>,
}

impl CommonPhrases {
    /// Finds the phrases in texts of at least `at_least` owners; each text comes with the number of its owner.
    ///
    /// # Errors
    ///
    /// Those of `go_on`, which is called before each text.
    pub fn of(
        texts: &[(&Words, u32)],
        at_least: usize,
        threads: usize,
        go_on: impl Fn() -> Result<()> + Sync,
    ) -> Result<Self> {
        let words: usize = texts.iter().map(|(words, _)| words.len()).sum();
        let counts: Vec<AtomicU32> = (0..words.next_power_of_two()).map(|_| AtomicU32::new(0)).collect();
        let count = |hash: u32| &counts[hash as usize % counts.len()];
        parallel::map(texts.len(), threads, |number| {
            go_on()?;
            for hash in Self::of_words(texts[number].0.as_slice()) {
                count(hash).fetch_add(1, Relaxed);
            }
            Ok(())
        })?;
        let of_texts = parallel::map(texts.len(), threads, |number| {
            go_on()?;
            let (words, owner) = texts[number];
            let hashes = Self::of_words(words.as_slice()).into_iter();
            let may_be_common = hashes.filter(|&hash| count(hash).load(Relaxed) as usize >= at_least);
            let mut entries: Vec<u64> = may_be_common.map(|hash| u64::from(hash) << 32 | u64::from(owner)).collect();
            entries.sort_unstable();
            entries.dedup();
            entries.shrink_to_fit();
            Ok(entries)
        })?;
        let mut entries = of_texts.concat();
        entries.sort_unstable();
        entries.dedup();
        let of_hashes = entries.chunk_by(|x, y| x >> 32 == y >> 32);
        let common = of_hashes.filter(|owners| owners.len() >= at_least);
        Ok(Self { hashes: common.map(|owners| (owners[0] >> 32) as u32).collect() })
    }

    /// Adds the phrases of other texts.
    pub fn add(&mut self, others: Self) {
        self.hashes.extend(others.hashes);
    }

    /// The hash of the phrase that begins at each word, in order; none for the last words.
    pub fn of_words(words: &[Word]) -> Vec<u32> {
        words.windows(RUN).map(|run| mix(hash_of_run(run.iter().map(|word| word.form)))).collect()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// The words of a text that stand in these phrases, as runs of at least `length` words.
    pub fn runs(&self, words: &Words, length: usize) -> Vec<Range<usize>> {
        self.runs_of(words, length, |hash| self.contains(hash))
    }

    /// The same of phrases for which `is_one` holds.
    pub fn runs_of(&self, words: &Words, length: usize, is_one: impl Fn(u32) -> bool) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        if self.is_empty() {
            return runs;
        }
        for (hash, start) in Self::of_words(words.as_slice()).into_iter().zip(0..) {
            if is_one(hash) {
                append_run(&mut runs, start..start + RUN);
            }
        }
        runs.retain(|run| run.len() >= length);
        runs
    }

    /// True if a phrase with this hash is one of them.
    pub fn contains(&self, hash: u32) -> bool {
        self.hashes.contains(&hash)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::collections::HashMap;

    use super::super::tests::words;
    use super::*;

    /// The specification: every phrase of every text counted.
    fn plain(texts: &[(&Words, u32)], at_least: usize) -> Vec<Vec<Range<usize>>> {
        let mut owners: HashMap<u32, HashSet<u32>> = HashMap::new();
        for (words, owner) in texts {
            for phrase in CommonPhrases::of_words(words.as_slice()) {
                owners.entry(phrase).or_default().insert(*owner);
            }
        }
        let common = owners.into_iter().filter(|(_, owners)| owners.len() >= at_least);
        let all = CommonPhrases { hashes: common.map(|(phrase, _)| phrase).collect() };
        texts.iter().map(|(words, _)| all.runs(words, RUN)).collect()
    }

    proptest! {
        /// A run of common words is found to the word, if the texts have it alike.
        #[test]
        fn runs_are_those_of_the_plain_way(
            notice in prop::collection::vec(0u32..400, RUN..80),
            places in prop::collection::vec((any::<bool>(), 0u32..60, 0u32..8), 6..14),
        ) {
            let texts: Vec<Words> = places
                .iter()
                .zip(1..)
                .map(|(&(has_notice, before, _), number)| {
                    let own = |from: u32| (0..before).map(move |word| number * 100_000 + from + word);
                    let notice = notice.iter().copied().filter(|_| has_notice);
                    words(&own(0).chain(notice).chain(own(500)).collect::<Vec<u32>>())
                })
                .collect();
            let texts: Vec<(&Words, u32)> = texts.iter().zip(&places).map(|(text, place)| (text, place.2)).collect();
            let found = CommonPhrases::of(&texts, 5, 2, || Ok(())).unwrap();
            let runs: Vec<_> = texts.iter().map(|(words, _)| found.runs(words, RUN)).collect();
            prop_assert_eq!(runs, plain(&texts, 5));
        }
    }

    #[test]
    fn texts_of_one_owner_count_once() {
        let text = words(&(0..30).collect::<Vec<u32>>());
        let runs = |owners: [u32; 5]| {
            let texts: Vec<(&Words, u32)> = owners.iter().map(|&owner| (&text, owner)).collect();
            CommonPhrases::of(&texts, 5, 1, || Ok(())).unwrap().runs(&text, RUN)
        };
        assert_eq!(runs([0, 1, 2, 3, 4]), vec![0..30]);
        assert!(runs([0, 1, 2, 3, 3]).is_empty());
    }
}
