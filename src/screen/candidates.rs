//! Which texts are worth aligning: an index of what they are made of.
//!
//! Two kinds of features, of which one table holds all:
//! - **Runs** of [`RUN`] words in their normal forms, winnowed: of every [`WINDOW`] in a row the one with
//!   the least hash. Any run of [`RUN_FOUND`] words that two texts share has one
//!   that both kept, and one is enough.
//! - **Couples** of stems with at most [`AHEAD`] − 1 others between, common words left out, in either
//!   order: these survive when words are shuffled, replaced and dropped. [`ENOUGH`] in one
//!   place of both texts are needed, as two or three meet by chance.
//!
//! ```text
//!  table, sorted:   hash of a feature, 32 bits │ block of 64 words, 32 bits
//!                                                 └─ starts: the first block of each text
//! ```
//!
//! A feature that stands in more than [`MOST_PLACES`] blocks is a common phrase and tells no
//! text from another; it is passed over. The promise about runs does not hold for a run all
//! of whose features are.
//!
//! Cost: about 3.3 features a word, 8 bytes each; a query is a binary search a feature.
//!
//! Source: winnowing is due to Schleimer, Wilkerson, Aiken, *Winnowing: Local Algorithms for
//! Document Fingerprinting*, SIGMOD 2003, section 3.

use std::collections::{HashMap, HashSet};

use super::{Word, Words};

/// Any run of so many words that two texts share makes one a candidate of the other.
pub const RUN_FOUND: usize = RUN + WINDOW - 1;

/// The length of a run, in words.
const RUN: usize = 5;

/// Of so many runs in a row one is kept.
const WINDOW: usize = 16;

/// A word makes a couple with each of so many that follow it.
const AHEAD: usize = 3;

/// A word that makes up more than this share of all words is common.
const COMMON: f64 = 0.001;

/// So many couples in one place of two texts make them candidates.
const ENOUGH: usize = 3;

/// The length of a block, in words.
const BLOCK: usize = 64;

/// A feature in more blocks than this is a common phrase.
const MOST_PLACES: usize = 256;

/// An index of texts, to be asked which of them may share a passage with another one.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Features and blocks, sorted.
    table: Vec<u64>,
    /// The first block of each text, and the number of all.
    starts: Vec<u32>,
    /// Stems that make no couples.
    common: HashSet<u32>,
}

impl Candidates {
    /// Indexes texts; their numbers are the order in which they come.
    pub fn new<'t>(texts: impl Iterator<Item = &'t Words> + Clone) -> Self {
        let common = common(texts.clone());
        let (mut table, mut starts, mut first) = (Vec::new(), vec![0], 0);
        for text in texts {
            features(text, &common, |hash, place| {
                table.push(u64::from(hash) << 32 | u64::from(first + (place / BLOCK) as u32));
            });
            first += text.len().div_ceil(BLOCK) as u32;
            starts.push(first);
        }
        table.sort_unstable();
        table.dedup();
        table.shrink_to_fit();
        Self { table, starts, common }
    }

    /// The numbers of the texts that may share a passage with this one, in order.
    pub fn of(&self, text: &Words) -> Vec<u32> {
        // Texts, and where a couple stands in this text and in theirs.
        let mut couples: Vec<(u32, u32, u32)> = Vec::new();
        let mut found: Vec<u32> = Vec::new();
        features(text, &self.common, |hash, place| {
            let blocks = self.blocks(hash);
            if blocks.len() > MOST_PLACES {
                return;
            }
            for &entry in blocks {
                let block = entry as u32;
                let text = self.starts.partition_point(|&start| start <= block) as u32 - 1;
                if hash & 1 == RUN_MARK {
                    found.push(text);
                } else {
                    couples.push((text, (place / BLOCK) as u32, block));
                }
            }
        });
        couples.sort_unstable();
        found.extend(couples.chunk_by(|x, y| x.0 == y.0).filter(|couples| meet(couples)).map(|couples| couples[0].0));
        found.sort_unstable();
        found.dedup();
        found
    }

    fn blocks(&self, hash: u32) -> &[u64] {
        let from = self.table.partition_point(|&entry| (entry >> 32) < u64::from(hash));
        let length =
            self.table[from..].iter().take(MOST_PLACES + 1).take_while(|&&entry| (entry >> 32) as u32 == hash).count();
        &self.table[from..from + length]
    }
}

/// Calls `feature` with the hash of each feature of a text and the word it begins with.
fn features(text: &Words, common: &HashSet<u32>, mut feature: impl FnMut(u32, usize)) {
    let words = text.as_slice();
    winnow(words, &mut feature);
    let mut before: [Option<u32>; AHEAD] = [None; AHEAD];
    for (place, word) in words.iter().enumerate().filter(|(_, word)| !common.contains(&word.stem)) {
        for &other in before.iter().flatten().filter(|&&other| other != word.stem) {
            feature(couple(other, word.stem), place);
        }
        before.rotate_right(1);
        before[0] = Some(word.stem);
    }
}

/// The last bit of a feature tells a run from a couple.
const RUN_MARK: u32 = 1;

fn couple(x: u32, y: u32) -> u32 {
    mix(u64::from(x.min(y)) << 32 | u64::from(x.max(y))) & !RUN_MARK
}

/// The upper half of a bijection of 64 bits, that of splitmix64.
fn mix(mut x: u64) -> u32 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 32) as u32
}

/// The least of every [`WINDOW`] runs in a row, the last of equal ones; of a shorter text the least of all.
fn winnow(words: &[Word], feature: &mut impl FnMut(u32, usize)) {
    let runs: Vec<u32> = words
        .windows(RUN)
        .map(|run| mix(run.iter().fold(0, |hash: u64, word| mix_in(hash, word.form))) | RUN_MARK)
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

fn mix_in(hash: u64, word: u32) -> u64 {
    (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Stems that make up more than [`COMMON`] of all words.
fn common<'t>(texts: impl Iterator<Item = &'t Words>) -> HashSet<u32> {
    let mut counts: HashMap<u32, u64> = HashMap::new();
    let mut all = 0u64;
    for text in texts {
        all += text.len() as u64;
        for same in text.by_stem().chunk_by(|&x, &y| stem(text, x) == stem(text, y)) {
            *counts.entry(stem(text, same[0])).or_default() += same.len() as u64;
        }
    }
    // In a few short texts the words of their matter are common too.
    let least = (all as f64 * COMMON).max(20.0);
    counts.into_iter().filter(|&(_, count)| count as f64 > least).map(|(stem, _)| stem).collect()
}

fn stem(text: &Words, word: u32) -> u32 {
    text.as_slice()[word as usize].stem
}

/// Whether enough couples of two texts stand in one place of both: two blocks in a row.
fn meet(couples: &[(u32, u32, u32)]) -> bool {
    if couples.len() < ENOUGH {
        return false;
    }
    let mut cells: HashMap<(u32, u32), usize> = HashMap::new();
    for &(_, a, b) in couples {
        for cell in [(a, b), (a + 1, b), (a, b + 1), (a + 1, b + 1)] {
            let count = cells.entry(cell).or_default();
            *count += 1;
            if *count >= ENOUGH {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(forms: &[u32]) -> Words {
        let word = |(i, &form): (usize, &u32)| Word {
            start: 2 * i as u32,
            end: 2 * i as u32 + 1,
            form: form.wrapping_mul(0x9E37_79B1),
            stem: form.wrapping_mul(0x85EB_CA6B),
            begins_sentence: false,
        };
        Words::new(forms.iter().enumerate().map(word).collect())
    }

    proptest! {
        /// The guarantee of winnowing: stems are made to differ, so that only runs count.
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
            prop_assert_eq!(Candidates::new([&other, &strange].into_iter()).of(&a), [1]);
        }
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
        assert_eq!(Candidates::new(texts.iter()).of(&words(&shuffled)), [1]);
        assert!(Candidates::new(std::iter::empty()).of(&texts[0]).is_empty());
        assert!(Candidates::new(texts.iter()).of(&Words::default()).is_empty());
    }
}
