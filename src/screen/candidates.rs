//! Which texts are worth aligning: an index of what they are made of.
//!
//! Two kinds of features, of which one table holds all:
//! - **Runs** of [`RUN`] words in their normal forms, winnowed: of every [`WINDOW`] in a row the one with
//!   the least hash. Any run of [`RUN_FOUND`] words that two texts share has one
//!   that both kept, and one is enough.
//! - **Couples** of stems with at most [`AHEAD`] − 1 others between, common words left out, in either
//!   order: these survive when words are shuffled, replaced and dropped. [`ENOUGH`] words in one
//!   place of both texts that end couples are needed, as two or three meet by chance.
//!
//! ```text
//!  table, sorted:   hash of a feature, 32 bits │ block of 64 words, 32 bits
//!      ▲                                          └─ starts: the first block of each text
//!      └─ heads: where each value of the hash's upper bits begins
//! ```
//!
//! A feature that stands in more than [`MOST_PLACES`] blocks is a common phrase and tells no
//! text from another; it is passed over. The promise about runs does not hold for a run all
//! of whose features are.
//!
//! Cost: about 3.3 features a word, 8 bytes each; a query looks each feature up and adds for each
//! block that has it.
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

/// So many words that end couples, in one place of two texts, make them candidates. A couple
/// that stands nowhere else counts for a word, one that is everywhere for none. (Of 10,000
/// texts of 5 KB in English 95 are candidates of one then, and of 247 verbatim and 240 disguised
/// passages none is lost; at half of that they are three times as many.)
const ENOUGH: f32 = 4.0;

/// The length of a block, in words.
const BLOCK: usize = 64;

/// A feature in more blocks than this is a common phrase.
const MOST_PLACES: usize = 256;

/// So many entries of the table have one head, on average.
const ENTRIES_A_HEAD: usize = 8;

/// An index of texts, to be asked which of them may share a passage with another one.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Features and blocks, sorted.
    table: Vec<u64>,
    /// Where in the table each value of the upper bits begins, and its end.
    heads: Vec<u64>,
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
            let mut add = |hash: u32, place: usize| {
                table.push(u64::from(hash) << 32 | u64::from(first + (place / BLOCK) as u32));
            };
            winnow(text.as_slice(), &mut add);
            couples(text.as_slice(), &common, |hashes, place| hashes.iter().for_each(|&hash| add(hash, place)));
            first += text.len().div_ceil(BLOCK) as u32;
            starts.push(first);
        }
        table.sort_unstable();
        table.dedup();
        table.shrink_to_fit();
        Self { heads: heads(&table), table, starts, common }
    }

    /// The numbers of the texts that may share a passage with this one, in order.
    pub fn of(&self, text: &Words) -> Vec<u32> {
        let mut found: Vec<u32> = Vec::new();
        winnow(text.as_slice(), &mut |hash, _| {
            let blocks = self.blocks(hash);
            if blocks.len() <= MOST_PLACES {
                found.extend(blocks.iter().map(|&entry| self.text_of(entry as u32)));
            }
        });
        let mut meetings = Meetings::new(self);
        couples(text.as_slice(), &self.common, |hashes, place| meetings.add(hashes, place));
        found.extend(meetings.finish());
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The entries of a feature; if there are too many, one more than [`MOST_PLACES`].
    fn blocks(&self, hash: u32) -> &[u64] {
        let Some(heads) = self.heads.len().checked_sub(1) else { return &[] };
        let head = head(u64::from(hash), heads);
        let entries = &self.table[self.heads[head] as usize..self.heads[head + 1] as usize];
        let entries = &entries[entries.partition_point(|&entry| (entry >> 32) < u64::from(hash))..];
        let same = entries.iter().take(MOST_PLACES + 1).take_while(|&&entry| (entry >> 32) as u32 == hash);
        &entries[..same.count()]
    }

    fn text_of(&self, block: u32) -> u32 {
        self.starts.partition_point(|&start| start <= block) as u32 - 1
    }
}

/// Where the entries of each value of the hash's upper bits begin, and their end.
fn heads(table: &[u64]) -> Vec<u64> {
    let all = 1 << (table.len() / ENTRIES_A_HEAD).max(1).ilog2().min(31);
    let mut heads = vec![0; all + 1];
    for &entry in table {
        heads[head(entry >> 32, all) + 1] += 1;
    }
    for head in 1..heads.len() {
        heads[head] += heads[head - 1];
    }
    heads
}

/// The upper bits of a hash, of which there are `heads`, a power of two.
fn head(hash: u64, heads: usize) -> usize {
    (hash >> (32 - heads.ilog2())) as usize
}

/// Where words that end couples of a text meet those of the index: in which of its blocks, in
/// the current block of the text and the one before.
struct Meetings<'i> {
    index: &'i Candidates,
    blocks: Vec<Meeting>,
    /// Which of `blocks` are not zero, for the block before and the current one.
    touched: [Vec<u32>; 2],
    current: usize,
    found: Vec<u32>,
    /// The natural logarithm of the number of blocks.
    all: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Meeting {
    /// How many words met, in the block before and the current one.
    words: [f32; 2],
    /// The word that was counted last, and 1.
    last: u32,
}

impl<'i> Meetings<'i> {
    fn new(index: &'i Candidates) -> Self {
        let blocks = index.starts.last().map_or(0, |&all| all as usize);
        Self {
            index,
            // One more, that every block has a next.
            blocks: vec![Meeting::default(); blocks + 1],
            touched: Default::default(),
            current: 0,
            found: Vec::new(),
            all: (blocks.max(2) as f32).ln(),
        }
    }

    /// Adds the couples that a word ends.
    fn add(&mut self, hashes: &[u32], place: usize) {
        while self.current < place / BLOCK {
            self.close();
        }
        // A word is counted once, by its rarest couple.
        let mut entries: Vec<&[u64]> = hashes.iter().map(|&hash| self.index.blocks(hash)).collect();
        entries.sort_by_key(|entries| entries.len());
        for entries in entries.into_iter().filter(|entries| (1..=MOST_PLACES).contains(&entries.len())) {
            let tells = 1.0 - (entries.len() as f32).ln() / self.all;
            for &entry in entries {
                let met = &mut self.blocks[entry as u32 as usize];
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

    /// Looks at the current block and goes on to the next.
    fn close(&mut self) {
        let touched = &self.touched[self.current % 2];
        for &block in touched {
            let words = |block: u32| self.blocks[block as usize].words.iter().sum::<f32>();
            let text = || self.index.text_of(block);
            let here = words(block);
            let is_of = |text: u32, other: u32| self.index.starts[text as usize + 1] > other;
            if here >= ENOUGH {
                self.found.push(text());
            } else if here + words(block + 1) >= ENOUGH && is_of(text(), block + 1)
                || block > 0 && here + words(block - 1) >= ENOUGH && self.index.text_of(block - 1) == text()
            {
                self.found.push(text());
            }
        }
        self.current += 1;
        for block in self.touched[self.current % 2].drain(..) {
            self.blocks[block as usize].words[self.current % 2] = 0.0;
        }
    }

    /// The texts in which enough words met, some of them more than once.
    fn finish(mut self) -> Vec<u32> {
        self.close();
        self.found
    }
}

/// Calls `feature` with the hashes of the couples that each word of a text ends, and its place.
fn couples(words: &[Word], common: &HashSet<u32>, mut feature: impl FnMut(&[u32], usize)) {
    let mut before: [Option<u32>; AHEAD] = [None; AHEAD];
    let mut hashes = Vec::with_capacity(AHEAD);
    for (place, word) in words.iter().enumerate().filter(|(_, word)| !common.contains(&word.stem)) {
        hashes.clear();
        hashes.extend(
            before.iter().flatten().filter(|&&other| other != word.stem).map(|&other| couple(other, word.stem)),
        );
        feature(&hashes, place);
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
