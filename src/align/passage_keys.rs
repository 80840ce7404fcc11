//! The keys of a text in the index of candidates, by which copies of its parts are found among many texts.
//!
//! - **Runs** of [`RUN`] words in their normal forms, winnowed: of every [`WINDOW`] consecutive runs the one
//!   with the least hash is kept. If two texts share [`RUN_FOUND`] consecutive words, both keep the same run of
//!   these.
//! - **Skip-bigrams**: pairs of stems, in either order, with at most [`AHEAD`] − 1 others between; common words
//!   are left out. They survive when words are shuffled, replaced and dropped.
//!
//! - **Stems**, stop words left out: a copy that keeps neither runs nor neighbours keeps some of its rarer words
//!   (`rare`).
//!
//! - **Runs without accents**, winnowed in the same way, if a text has accents and the run some of them: a copy that
//!   lost its accents contains these as they are. They have hashes of their own, and are not counted as runs.
//!
//! They depend on the text alone, so texts can be added to an index at any time.
//!
//! Source: winnowing is due to Schleimer, Wilkerson, Aiken, *Winnowing: Local Algorithms for
//! Document Fingerprinting*, SIGMOD 2003, section 3.

use super::{Word, Words, hash_of_run};

/// Length of a shared run, in words, that always makes two texts candidates.
pub(super) const RUN_FOUND: usize = RUN + WINDOW - 1;

/// The length of a run, in words.
pub(super) const RUN: usize = 5;

/// Number of consecutive runs of which one is kept.
pub(super) const WINDOW: usize = 16;

/// Number of following words with which a word forms a skip-bigram.
pub(super) const AHEAD: usize = 3;

/// Maximum number of equal places of a text that are looked at one by one: beyond it the text repeats itself.
pub(super) const REPEATS: usize = 16;

/// The length of a block, in words.
pub(super) const BLOCK: usize = 64;

/// The keys of one text, as stored in an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassageKeys {
    /// Hash (upper 32 bits) and block of each key, sorted.
    pub(super) entries: Vec<u64>,
    /// Number of blocks of the text.
    pub(super) blocks: u32,
}

impl PassageKeys {
    /// The keys of a text. Cost: sorting them.
    pub fn of(text: &Words) -> Self {
        let words = text.as_slice();
        let mut entries = Vec::new();
        let mut add = |hash: u32, place: usize| entries.push(entry(hash, (place / BLOCK) as u32));
        winnow(text.forms(), &mut add);
        folded_runs(text, &mut |hash, place| add(without_accents(hash), place));
        skip_bigrams(words, |hashes, place| hashes.iter().for_each(|&hash| add(hash, place)));
        for (place, word) in words.iter().enumerate().filter(|(_, word)| !word.is_common) {
            add(key_of_stem(word.stem), place);
        }
        entries.sort_unstable();
        entries.dedup();
        entries.shrink_to_fit();
        Self { entries, blocks: words.len().div_ceil(BLOCK) as u32 }
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// True if the text has no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn entry(hash: u32, block: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(block)
}

/// Calls `feature` for each word with the hashes of the skip-bigrams that it ends, and its place.
pub(super) fn skip_bigrams(words: &[Word], mut feature: impl FnMut(&[u32], usize)) {
    let mut before: [Option<u32>; AHEAD] = [None; AHEAD];
    let mut hashes = Vec::with_capacity(AHEAD);
    for (place, word) in words.iter().enumerate().filter(|(_, word)| !word.is_common) {
        hashes.clear();
        hashes.extend(
            before.iter().flatten().filter(|&&other| other != word.stem).map(|&other| skip_bigram(other, word.stem)),
        );
        feature(&hashes, place);
        before.rotate_right(1);
        before[0] = Some(word.stem);
    }
}

/// The lowest bit of a key's hash: 1 for a run, 0 for a skip-bigram or a stem.
pub(super) const RUN_MARK: u32 = 1;

/// The next bit, if the lowest is 0: 1 for a stem.
const STEM_MARK: u32 = 2;

/// The bits that tell the kinds of keys apart.
pub(super) const MARKS: u32 = RUN_MARK | STEM_MARK;

/// Calls `key` with the keys of runs in other texts that differ from this text's winnowed `runs` in their accents only.
pub(super) fn in_other_accents(text: &Words, runs: impl Iterator<Item = u32>, mut key: impl FnMut(u32)) {
    folded_runs(text, &mut |hash, _| key(hash));
    if text.longest_bare() >= RUN_FOUND {
        runs.for_each(|hash| key(without_accents(hash)));
    }
}

/// Calls `feature` with the runs that have accents, each without them: its hash and its place.
fn folded_runs(text: &Words, feature: &mut impl FnMut(u32, usize)) {
    let Some(folded) = text.folded() else { return };
    winnow(folded.iter().copied(), &mut |hash, place| {
        if text.with_accents(place..(place + RUN).min(text.len())) > 0 {
            feature(hash, place);
        }
    });
}

/// The key of a run without accents, given the hash of the same run in a text that has none.
fn without_accents(run: u32) -> u32 {
    mix(u64::from(run) << 32 | u64::from(u32::MAX)) & !MARKS
}

/// The key of two words near each other, in either order.
pub(super) fn skip_bigram(x: u32, y: u32) -> u32 {
    mix(u64::from(x.min(y)) << 32 | u64::from(x.max(y))) & !MARKS
}

/// The key of a single word.
pub(super) fn key_of_stem(stem: u32) -> u32 {
    mix(u64::from(stem) << 32 | u64::from(stem)) & !MARKS | STEM_MARK
}

/// The upper half of splitmix64's bijection of 64 bits.
pub(super) fn mix(mut x: u64) -> u32 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 32) as u32
}

/// The runs with the least hash of every [`WINDOW`] consecutive ones; the last of equal ones. A text with fewer
/// runs keeps the least of all; a text shorter than a run is one run.
pub(super) fn winnow(forms: impl Iterator<Item = u32>, feature: &mut impl FnMut(u32, usize)) {
    let forms: Vec<u32> = forms.collect();
    let runs: Vec<u32> = forms
        .windows(RUN.min(forms.len()).max(1))
        .map(|run| mix(hash_of_run(run.iter().copied())) | RUN_MARK)
        .collect();
    let mut last = None;
    for start in 0..(runs.len() + 1).saturating_sub(WINDOW).max(usize::from(!runs.is_empty())) {
        let window = &runs[start..(start + WINDOW).min(runs.len())];
        let found = (0..window.len()).rev().min_by_key(|&at| window[at]).map(|at| start + at);
        if found != last {
            last = found;
            if let Some(at) = found {
                feature(runs[at], at);
            }
        }
    }
}
