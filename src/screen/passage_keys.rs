//! What tells a text from others, so that copies of its parts are found among many.
//!
//! - **Runs** of [`RUN`] words in their normal forms, winnowed: of every [`WINDOW`] in a row the one with
//!   the least hash. Any run of [`RUN_FOUND`] words that two texts share has one that both kept.
//! - **Couples** of stems with at most [`AHEAD`] − 1 others between, common words left out, in either
//!   order: these survive when words are shuffled, replaced and dropped.
//!
//! They depend on the text alone: texts can be added to an index at any time.
//!
//! Source: winnowing is due to Schleimer, Wilkerson, Aiken, *Winnowing: Local Algorithms for
//! Document Fingerprinting*, SIGMOD 2003, section 3.

use super::{Word, Words, hash_of_run};

/// Any run of so many words that two texts share makes one a candidate of the other.
pub const RUN_FOUND: usize = RUN + WINDOW - 1;

/// The length of a run, in words.
const RUN: usize = 5;

/// Of so many runs in a row one is kept.
const WINDOW: usize = 16;

/// A word makes a couple with each of so many that follow it.
pub(super) const AHEAD: usize = 3;

/// The length of a block, in words.
pub(super) const BLOCK: usize = 64;

/// What an index keeps of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassageKeys {
    /// Hash and block of each, sorted.
    pub(super) entries: Vec<u64>,
    /// How many blocks it has.
    pub(super) blocks: u32,
}

impl PassageKeys {
    /// The features of a text. Cost: sorting them.
    pub fn of(text: &Words) -> Self {
        let words = text.as_slice();
        let mut entries = Vec::new();
        let mut add = |hash: u32, place: usize| entries.push(entry(hash, (place / BLOCK) as u32));
        winnow(words, &mut add);
        skip_bigrams(words, |hashes, place| hashes.iter().for_each(|&hash| add(hash, place)));
        entries.sort_unstable();
        entries.dedup();
        entries.shrink_to_fit();
        Self { entries, blocks: words.len().div_ceil(BLOCK) as u32 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

fn entry(hash: u32, block: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(block)
}

/// Calls `feature` with the hashes of the couples that each word of a text ends, and its place.
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

/// The last bit of a feature tells a run from a couple.
const RUN_MARK: u32 = 1;

fn skip_bigram(x: u32, y: u32) -> u32 {
    mix(u64::from(x.min(y)) << 32 | u64::from(x.max(y))) & !RUN_MARK
}

/// The upper half of a bijection of 64 bits, that of splitmix64.
fn mix(mut x: u64) -> u32 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 32) as u32
}

/// The least of every [`WINDOW`] runs in a row, the last of equal ones; of a shorter text the least of all, and of
/// one that is no run all its words.
pub(super) fn winnow(words: &[Word], feature: &mut impl FnMut(u32, usize)) {
    let runs: Vec<u32> = words
        .windows(RUN.min(words.len()).max(1))
        .map(|run| mix(hash_of_run(run.iter().map(|word| word.form))) | RUN_MARK)
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
