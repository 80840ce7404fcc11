//! The windows of texts that hold many counterparts of a document's words.
//!
//! Texts are cut into blocks of 32 words. For each language the index has every key with the blocks that contain it, from
//! which it also tells how rare the key is. A window of a document, of 64 words, adds to each block the log-odds of
//! every word with a counterpart in it; of the windows of two blocks the best few are candidates.
//!
//! Cost: 8 bytes for each key of a block. A search reads the blocks of each key, and passes over all blocks of the language
//! for each window; keys in more than a sixteenth of the blocks tell too little and are skipped.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

use libm::log1pf;

use super::counterparts::{Asked, AskedKey, Postings};
use super::evidence::{log_odds, share_of};
use super::vocabulary::{NONE, Vocabulary};
use crate::text::Language;

/// Length of a block in words.
pub(super) const BLOCK: usize = 32;

/// Length of a window of a document in words, and the distance of two.
const WINDOW: usize = 64;
const STEP: usize = 32;

/// Maximum number of windows of sources that are candidates of one window.
const MOST: usize = 8;

/// Minimum sum of log-odds, in nats, of a candidate.
const LEAST: f32 = 5.0;

/// Numbers of blocks that are counted beside those of the corpus, all and those with a given key: few texts say little about
/// which words are common, and most translations of a lexicon stand in no text. What stands in most blocks does so in other
/// texts as well, so that fewer count beside it. Measured on halves of German, Spanish and Russian sources, from 20 blocks
/// to 800.
const OTHERS: f32 = 28.0;
const OTHERS_WITH: f32 = 0.12;

/// Number of seeds of a document that are kept beside one for each of its windows.
const FEW: usize = 8;

/// Distances within which two seeds are one, in words of the document and from their lines.
const APART: (usize, usize) = (96, 40);

/// A key is used if it stands in this many blocks or fewer, or in a sixteenth of all.
const RARE: usize = 8;

/// The keys of texts in all languages.
#[derive(Debug, Default)]
pub struct Index {
    tables: BTreeMap<Language, Table>,
}

/// The keys of the texts of a language.
#[derive(Debug, Default)]
struct Table {
    /// Keys in the upper half, blocks in the lower; ascending once all texts are in.
    postings: Vec<u64>,
    /// For each value of the upper 16 bits of a key where its postings begin, and the end.
    heads: Vec<u32>,
    /// The first block of each text, and its number; ascending.
    texts: Vec<(u32, u32)>,
    /// Number of blocks, and of those with words: a text may be in another language in part.
    blocks: usize,
    filled: usize,
}

/// A window of a document, and one of another text that may translate it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seed {
    /// The number of the other text.
    pub text: u32,
    /// The words of the document.
    pub a: Range<usize>,
    /// The words of the other text.
    pub b: Range<usize>,
    /// The sum of log-odds, in nats.
    pub score: f32,
    /// The words by which the second is behind the first.
    pub offset: f32,
}

impl Index {
    /// Adds a text. All texts are added before anything is asked.
    pub fn add(&mut self, number: u32, language: Language, vocabulary: &Vocabulary) {
        let table = self.tables.entry(language).or_default();
        table.texts.push((table.blocks as u32, number));
        let mut keys: Vec<u32> = Vec::new();
        for start in (0..vocabulary.words.len()).step_by(BLOCK) {
            keys.clear();
            for word in start..(start + BLOCK).min(vocabulary.words.len()) {
                keys.extend(vocabulary.keys(word).map(|(key, _)| key));
            }
            keys.sort_unstable();
            keys.dedup();
            table.filled += usize::from(!keys.is_empty());
            table.postings.extend(keys.iter().map(|&key| u64::from(key) << 32 | table.blocks as u64));
            table.blocks += 1;
        }
    }

    /// Sorts the keys, after the last text.
    pub fn complete(&mut self) {
        for table in self.tables.values_mut() {
            table.postings.sort_unstable();
            table.postings.shrink_to_fit();
            let postings = &table.postings;
            let head = |upper: u64| postings.partition_point(|&posting| posting >> 48 < upper) as u32;
            table.heads = (0..=1 << 16).map(head).collect();
        }
    }

    /// Languages of its texts.
    pub fn languages(&self) -> impl Iterator<Item = Language> + '_ {
        self.tables.keys().copied()
    }

    /// The blocks of a language that have a key.
    pub fn postings(&self, language: Language) -> impl Fn(u32) -> Postings + '_ {
        let table = self.tables.get(&language);
        let blocks = table.map_or(0, |table| table.filled) as f32;
        move |key| {
            let places = table.map_or(0..0, |table| table.places_of(key));
            Postings { rate: rate(places.len() as f32, blocks), places }
        }
    }

    /// The places of texts in a language that a document may translate, the best first.
    pub fn seeds(
        &self,
        words: &Vocabulary,
        asked: &Asked,
        language: Language,
        is_wanted: impl Fn(u32) -> bool,
    ) -> Vec<Seed> {
        let Some(table) = self.tables.get(&language) else { return Vec::new() };
        // A translation has greater sums than chance; of windows that have one by chance there are many.
        let mut seeds = joined(table.windows(words, asked, is_wanted));
        seeds.truncate(words.words.len().div_ceil(STEP) + FEW);
        seeds
    }
}

/// Expected number of a key in a block of the language, given the number of blocks with it and that of all.
fn rate(with: f32, blocks: f32) -> f32 {
    // Below 8 blocks a share says nothing.
    let others = OTHERS * (1.0 - with / blocks.max(8.0)).powi(2);
    // Of Poisson's distribution, this share of blocks has none.
    -log1pf(-(with + OTHERS_WITH) / (blocks + others).max(with + 2.0 * OTHERS_WITH))
}

impl Table {
    /// The best windows of texts for each window of a document.
    fn windows(&self, words: &Vocabulary, asked: &Asked, is_wanted: impl Fn(u32) -> bool) -> Vec<Seed> {
        let wanted: Vec<usize> = (0..self.texts.len()).filter(|&text| is_wanted(self.texts[text].1)).collect();
        let mut tally = Tally { scores: vec![0.0; self.blocks], seen: vec![NONE; self.blocks] };
        let (mut seeds, mut best, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let end = words.words.len();
        for start in (0..end.saturating_sub(WINDOW - STEP).max(1)).step_by(STEP) {
            let window = start..(start + WINDOW).min(end);
            entries.clear();
            entries.extend(words.words[window.clone()].iter().copied().filter(|&entry| entry != NONE));
            entries.sort_unstable();
            entries.dedup();
            for &entry in &entries {
                tally.add(self, asked, entry);
            }
            for &text in &wanted {
                tally.windows(self, text, &window, &mut best);
            }
            if best.len() > MOST {
                best.select_nth_unstable_by(MOST, Seed::best_first);
                best.truncate(MOST);
            }
            seeds.append(&mut best);
            tally.scores.fill(0.0);
            tally.seen.fill(NONE);
        }
        seeds
    }

    /// Where the postings of a key stand.
    fn places_of(&self, key: u32) -> Range<u32> {
        let Some(&[from, to]) = self.heads.get((key >> 16) as usize..).and_then(|heads| heads.first_chunk()) else {
            return 0..0;
        };
        let near = &self.postings[from as usize..to as usize];
        let start = near.partition_point(|&posting| ((posting >> 32) as u32) < key);
        let length = near[start..].partition_point(|&posting| (posting >> 32) as u32 == key);
        from + start as u32..from + (start + length) as u32
    }
}

impl Seed {
    /// True for two windows of one text that overlap.
    fn is_beside(&self, other: &Self) -> bool {
        self.text == other.text && self.b.start < other.b.end && other.b.start < self.b.end
    }

    /// The order by score; by places, where scores are equal.
    fn best_first(x: &Self, y: &Self) -> Ordering {
        y.score.total_cmp(&x.score).then((x.text, x.a.start, x.b.start).cmp(&(y.text, y.a.start, y.b.start)))
    }

    /// True for two windows of one text that one passage may have.
    fn is_in_line(&self, other: &Self) -> bool {
        let lines = (self.b.start + other.a.start).abs_diff(other.b.start + self.a.start);
        self.a.start.abs_diff(other.a.start) <= APART.0 && lines <= APART.1
    }
}

/// Joins the seeds that one passage would have: each that is left has the sum of the scores of its line. The best first.
fn joined(mut seeds: Vec<Seed>) -> Vec<Seed> {
    seeds.sort_by(Seed::best_first);
    // The best of each line with its rank, by text and by the place in the document, so that a seed is compared with those
    // beside it alone.
    let mut joined: BTreeMap<(u32, usize), Vec<(usize, Seed)>> = BTreeMap::new();
    for (rank, seed) in seeds.into_iter().enumerate() {
        let place = seed.a.start / APART.0;
        let beside = joined.range_mut((seed.text, place.saturating_sub(1))..=(seed.text, place + 1));
        let heads = beside.flat_map(|(_, heads)| heads).filter(|(_, head)| head.is_in_line(&seed));
        match heads.min_by_key(|(rank, _)| *rank) {
            Some((_, head)) => {
                let score = head.score + seed.score;
                head.offset = (head.offset * head.score + seed.offset * seed.score) / score;
                head.score = score;
            }
            None => joined.entry((seed.text, place)).or_default().push((rank, seed)),
        }
    }
    let mut joined: Vec<Seed> = joined.into_values().flatten().map(|(_, seed)| seed).collect();
    joined.sort_by(Seed::best_first);
    joined
}

/// The log-odds that a window adds to each block.
struct Tally {
    scores: Vec<f32>,
    /// The entry that was added last.
    seen: Vec<u32>,
}

impl Tally {
    /// Adds the counterparts of a word.
    fn add(&mut self, table: &Table, asked: &Asked, entry: u32) {
        let Some(word) = asked.of(entry) else { return };
        let is_rare = |key: &&AskedKey| key.places.len() <= RARE.max(table.filled / 16);
        let used = || word.keys.iter().take_while(is_rare);
        let rate = word.absent + used().map(|key| key.rate).sum::<f32>();
        // Two blocks are as long as a window.
        let weight = log_odds(share_of(word.class), 2.0 * rate);
        for key in used() {
            for &posting in &table.postings[key.places.start as usize..key.places.end as usize] {
                let block = posting as u32;
                if self.seen[block as usize] != entry {
                    self.seen[block as usize] = entry;
                    self.scores[block as usize] += weight;
                }
            }
        }
    }

    /// Windows of a text that do not overlap: of two that do, the better one, from the first on.
    fn windows(&self, table: &Table, text: usize, a: &Range<usize>, found: &mut Vec<Seed>) {
        let (first, number) = table.texts[text];
        let end = table.texts.get(text + 1).map_or(table.blocks, |&(next, _)| next as usize);
        let scores = &self.scores[first as usize..end];
        // A text of one block has a window, too.
        for at in 0..scores.len().min(scores.len().saturating_sub(1).max(1)) {
            let score = scores[at] + scores.get(at + 1).unwrap_or(&0.0);
            if score < LEAST {
                continue;
            }
            let b = at * BLOCK..(at + 2) * BLOCK;
            let offset = b.start as f32 - a.start as f32;
            let seed = Seed { text: number, a: a.clone(), b, score, offset };
            match found.last_mut() {
                Some(last) if last.is_beside(&seed) => {
                    if last.score < score {
                        *last = seed;
                    }
                }
                _ => found.push(seed),
            }
        }
    }
}

#[cfg(test)]
pub(in crate::translate) mod tests;
