//! Candidates: an index of the keys of many texts finds those worth aligning with one.
//!
//! ```text
//!  table, sorted:   hash of a key, 32 bits │ block of 64 words, 32 bits
//!      ▲                                      └─ starts: the first block of each text
//!      └─ heads: where each value of the hash's upper bits begins
//! ```
//!
//! Two texts are candidates if they share one run, or at least [`ENOUGH`] words that end a skip-bigram, close
//! together in both: two or three meet by chance.
//!
//! A run in a crowd makes no candidates ([`super::Boilerplate`]). Of the texts with any other run, only the first
//! [`MOST_PLACES`] are found. A skip-bigram that stands in more blocks than that is a common phrase, distinguishes
//! no text, and is skipped.
//!
//! Cost: about 3.3 keys a word, 8.5 bytes each; a query looks up each key and adds to each block that contains
//! it.

use std::collections::HashMap;
use std::ops::Range;

use libm::logf;

use super::Words;
use super::hits::{Hit, Place};
use super::passage_keys::{AHEAD, BLOCK, PassageKeys, REPEATS, skip_bigrams};
use crate::store::file::format::PassageIndex;
use crate::store::file::lookup::{Table, head_bits, heads};

/// Weight of the words ending a skip-bigram, in one place of two texts, that makes them candidates. A word
/// whose skip-bigram stands in one block weighs 1, in more blocks less. (Among 10,000 English texts of 5 KB a
/// text then has 96 candidates, and none of 247 verbatim and 240 disguised passages is lost; at 6, 2 % less of
/// the other shared passages is found.)
pub(super) const ENOUGH: f32 = 5.0;

/// Maximum number of blocks of a skip-bigram before it is skipped as a common phrase, and of texts found by one
/// run.
const MOST_PLACES: usize = 256;

/// Maximum number of blocks of a skip-bigram in or around a run that makes no candidates.
const MOST_IN_NOTICE: usize = 15;

/// Number of blocks added to those of the index in computing weights: in a small index too, a skip-bigram that
/// two texts share is rare.
pub(super) const FEW: usize = 1000;

/// Builds an index of candidates.
#[derive(Debug, Default)]
pub struct Indexing {
    table: Vec<u64>,
    starts: Vec<u32>,
    blocks: u32,
}

impl Indexing {
    /// Adds a text; its number is the number of texts added before it.
    ///
    /// # Panics
    ///
    /// If all texts together have more than 2^32 blocks of 64 words.
    pub fn add(&mut self, features: &PassageKeys) {
        let first = u64::from(self.blocks);
        self.table.extend(features.entries.iter().map(|entry| entry + first));
        self.starts.push(self.blocks);
        self.blocks = self.blocks.checked_add(features.blocks).expect("no more than 2^38 words");
    }

    /// Returns the index. Cost: sorting all keys.
    pub fn finish(mut self) -> Candidates<'static> {
        self.starts.push(self.blocks);
        self.table.sort_unstable();
        self.table.shrink_to_fit();
        let heads = heads(&self.table, head_bits(self.table.len()));
        Candidates(PassageIndex { first_blocks: self.starts.into(), heads: heads.into(), features: self.table.into() })
    }
}

/// An index of texts that finds those that may share a passage with another text.
#[derive(Debug, Clone)]
pub struct Candidates<'m>(PassageIndex<'m>);

impl<'m> Candidates<'m> {
    /// Indexes texts, numbered in their order.
    pub fn new<'t>(texts: impl IntoIterator<Item = &'t Words>) -> Candidates<'static> {
        let mut indexing = Indexing::default();
        texts.into_iter().for_each(|text| indexing.add(&PassageKeys::of(text)));
        indexing.finish()
    }

    /// The candidates of an index from a file. An inconsistent index yields wrong candidates or none, but no error.
    pub fn of_index(index: PassageIndex<'m>) -> Self {
        Self(index)
    }

    /// Its index, to be written to a file.
    pub fn index(&self) -> &PassageIndex<'m> {
        &self.0
    }

    /// Prepares for queries, on one thread.
    pub fn search(&self) -> Search<'_> {
        Search { index: self, meetings: Meetings::new(self) }
    }

    /// Upper bound on the number of words of a text.
    pub fn words_at_most(&self, text: usize) -> usize {
        let blocks = self.0.first_blocks.get(text..text + 2).map_or(0, |starts| starts[1].saturating_sub(starts[0]));
        blocks as usize * BLOCK
    }

    /// Number of texts.
    pub(super) fn len(&self) -> usize {
        self.0.first_blocks.len().saturating_sub(1)
    }

    /// Number of blocks of all texts.
    pub(super) fn blocks(&self) -> usize {
        self.0.first_blocks.last().map_or(0, |&all| all as usize)
    }

    /// All entries, sorted.
    pub(super) fn table(&self) -> &[u64] {
        &self.0.features
    }

    /// The entries of a key.
    pub(super) fn entries(&self, hash: u32) -> &[u64] {
        Table { heads: &self.0.heads, entries: &self.0.features }.of(hash)
    }

    /// Number of texts that contain a key, counted up to `most`.
    pub(super) fn texts_with(&self, hash: u32, most: usize) -> usize {
        self.texts(hash).take(most).count()
    }

    /// The texts that contain a key, in order.
    pub(super) fn texts(&self, hash: u32) -> impl Iterator<Item = u32> + '_ {
        let mut entries = self.entries(hash);
        std::iter::from_fn(move || {
            let text = self.text_of(*entries.first()? as u32);
            let end = self.0.first_blocks.get(text as usize + 1).copied().unwrap_or(u32::MAX);
            entries = &entries[entries.partition_point(|&entry| (entry as u32) < end).max(1)..];
            Some(text)
        })
    }

    /// The text of a block; an inconsistent index has blocks of no text, which count as the last one's.
    pub(super) fn text_of(&self, block: u32) -> u32 {
        (self.0.first_blocks.partition_point(|&start| start <= block) as u32).saturating_sub(1)
    }
}

/// A run of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run {
    pub(super) hash: u32,
    /// Its first word.
    pub(super) start: u32,
    /// True if it makes no candidates.
    pub(super) is_common: bool,
}

/// The runs of a text, and the words among which it has little of its own.
#[derive(Debug, Default)]
pub(super) struct Runs {
    pub(super) runs: Vec<Run>,
    /// The words in and around the runs that make none.
    pub(super) common: Vec<Range<usize>>,
}

/// Queries an index, one text after another.
pub struct Search<'i> {
    index: &'i Candidates<'i>,
    meetings: Meetings<'i>,
}

impl Search<'_> {
    /// The places where the texts that may share a passage with this one meet it. `runs` are the text's own; those that
    /// make no candidates by themselves find only the texts for which `is_copy` is true.
    pub(super) fn of(&mut self, text: &Words, runs: &Runs, is_copy: impl Fn(u32) -> bool) -> Vec<Hit> {
        let mut found: Vec<Hit> = Vec::new();
        let mut repeats: HashMap<u32, usize> = HashMap::new();
        for run in &runs.runs {
            let repeats = repeats.entry(run.hash).or_default();
            *repeats += 1;
            // Texts that contain a run which this one repeats more often are compared as a whole.
            let place = if *repeats <= REPEATS && !run.is_common {
                Place::Run { start: run.start }
            } else if *repeats <= REPEATS + 1 {
                Place::Anywhere
            } else {
                continue;
            };
            let texts = self.index.texts(run.hash).take(MOST_PLACES);
            found.extend(texts.filter(|&text| !run.is_common || is_copy(text)).map(|text| Hit { text, place }));
        }
        let mut common = runs.common.iter().peekable();
        skip_bigrams(text.as_slice(), |hashes, place| {
            while common.next_if(|words| words.end <= place).is_some() {}
            let is_common = common.peek().is_some_and(|words| words.contains(&place));
            self.meetings.add(hashes, place, if is_common { MOST_IN_NOTICE } else { MOST_PLACES });
        });
        found.extend(self.meetings.finish());
        found
    }
}

/// Weights of the words of a text whose skip-bigrams stand in a block of the index, for each such block, in the
/// text's current block and the one before.
struct Meetings<'i> {
    index: &'i Candidates<'i>,
    blocks: Vec<Meeting>,
    /// The `blocks` that are not zero, for the text's block before and the current one.
    touched: [Vec<u32>; 2],
    current: usize,
    found: Vec<Hit>,
    /// The natural logarithm of the number of blocks, and [`FEW`] more.
    all: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Meeting {
    /// Weight of the words that met, in the text's block before and the current one.
    words: [f32; 2],
    /// The place of the word that was counted last, plus 1.
    last: u32,
}

impl<'i> Meetings<'i> {
    fn new(index: &'i Candidates<'i>) -> Self {
        let blocks = index.blocks();
        Self {
            index,
            // One more, so that every block has a next.
            blocks: vec![Meeting::default(); blocks + 1],
            touched: Default::default(),
            current: 0,
            found: Vec::new(),
            all: logf((blocks + FEW) as f32),
        }
    }

    /// Adds the skip-bigrams that a word ends, of those that stand in at most this number of blocks.
    fn add(&mut self, hashes: &[u32], place: usize, most: usize) {
        while self.current < place / BLOCK {
            self.close();
        }
        // A word is counted once, by its rarest skip-bigram.
        let mut entries: [&[u64]; AHEAD] = [&[]; AHEAD];
        for (entries, &hash) in entries.iter_mut().zip(hashes) {
            *entries = self.index.entries(hash);
        }
        entries.sort_by_key(|entries| entries.len());
        for entries in entries.into_iter().filter(|entries| (1..=most).contains(&entries.len())) {
            let tells = 1.0 - logf(entries.len() as f32) / self.all;
            for &entry in entries {
                let Some(met) = self.blocks.get_mut(entry as u32 as usize) else { continue };
                if met.last != place as u32 + 1 {
                    met.last = place as u32 + 1;
                    let words = &mut met.words[self.current % 2];
                    if *words == 0.0 {
                        self.touched[self.current % 2].push(entry as u32);
                    }
                    *words += tells;
                }
            }
        }
    }

    /// Evaluates the current block of the text and proceeds to the next.
    fn close(&mut self) {
        let touched = &self.touched[self.current % 2];
        for &block in touched {
            let words = |block: u32| self.blocks.get(block as usize).map_or(0.0, |met| met.words.iter().sum::<f32>());
            let text = || self.index.text_of(block);
            let here = words(block);
            let with_next = || here + words(block + 1) >= ENOUGH && self.index.text_of(block + 1) == text();
            let with_last =
                || block > 0 && here + words(block - 1) >= ENOUGH && self.index.text_of(block - 1) == text();
            if here >= ENOUGH || with_next() || with_last() {
                let met = Hit { text: text(), place: Place::Words { own: self.current as u32 } };
                if self.found.last() != Some(&met) {
                    self.found.push(met);
                }
            }
        }
        self.current += 1;
        self.forget(self.current % 2);
    }

    fn forget(&mut self, which: usize) {
        for block in self.touched[which].drain(..) {
            self.blocks[block as usize].words[which] = 0.0;
            self.blocks[block as usize].last = 0;
        }
    }

    /// The places where enough words met. Resets everything for the next text.
    fn finish(&mut self) -> std::vec::Drain<'_, Hit> {
        self.close();
        (0..2).for_each(|which| self.forget(which));
        self.current = 0;
        self.found.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::passage_keys::RUN_FOUND;
    use super::super::tests::words;
    use super::super::{Boilerplate, Candidate};
    use super::*;

    fn found(index: &Candidates<'_>, text: &Words) -> Vec<u32> {
        Boilerplate::new(vec![index]).search().of(text, |_, _| true).remove(0).iter().map(Candidate::text).collect()
    }

    proptest! {
        /// Tests the guarantee of winnowing: stems are made to differ, so that only runs count.
        #[test]
        fn a_shared_run_makes_a_candidate(
            run in prop::collection::vec(0u32..50, RUN_FOUND),
            a in [prop::collection::vec(100u32..140, 0..60), prop::collection::vec(100u32..140, 0..60)],
            b in [prop::collection::vec(200u32..240, 0..60), prop::collection::vec(200u32..240, 0..60)],
        ) {
            let around = |[before, after]: &[Vec<u32>; 2]| [before.as_slice(), &run, after].concat();
            let (a, b) = (words(&around(&a)), words(&around(&b)));
            let mut strange = b.as_slice().to_vec();
            for word in &mut strange {
                word.stem = !word.stem;
            }
            let strange = Words::new(strange);
            let other = words(&[900, 901, 902]);
            prop_assert_eq!(found(&Candidates::new([&other, &strange].into_iter()), &a), [1]);
        }
    }

    #[test]
    fn a_run_without_its_accents_makes_a_candidate() {
        let run: Vec<u32> = (0..RUN_FOUND as u32).collect();
        let bare = words(&run);
        let forms: Vec<u32> = bare.as_slice().iter().map(|word| word.form).collect();
        let mut strange = bare.as_slice().to_vec();
        for word in &mut strange {
            (word.form, word.stem) = (!word.form, !word.stem);
        }
        let accented: Vec<(u32, u32)> = (0..).zip(forms).collect();
        let accented = Words::accented(strange.clone(), &accented);
        assert_eq!(found(&Candidates::new([&words(&[1, 2]), &accented].into_iter()), &bare), [1]);
        assert_eq!(found(&Candidates::new([&words(&[1, 2]), &bare].into_iter()), &accented), [1]);
        assert_eq!(found(&Candidates::new([&bare].into_iter()), &Words::new(strange)), [0u32; 0]);
    }

    #[test]
    fn shuffled_words_make_a_candidate_and_a_few_common_ones_do_not() {
        let text: Vec<u32> = (0..400).collect();
        let mut shuffled: Vec<u32> = (1000..1300).chain(100..140).chain(2000..2100).collect();
        for pair in shuffled[300..340].chunks_mut(3) {
            pair.reverse();
        }
        let stranger: Vec<u32> = (3000..3300).chain([7, 8]).collect();
        let texts = [words(&stranger), words(&text)];
        assert_eq!(found(&Candidates::new(texts.iter()), &words(&shuffled)), [1]);
        assert!(found(&Candidates::new(std::iter::empty()), &texts[0]).is_empty());
        assert!(found(&Candidates::new(texts.iter()), &Words::default()).is_empty());
        let short = [words(&[1]), words(&[2, 3]), words(&[2, 3])];
        assert_eq!(found(&Candidates::new(short.iter()), &short[1]), [1, 2]);
    }
}
