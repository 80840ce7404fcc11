//! Collocations: words that stand together in many texts, and so tell little about two of them.
//!
//! Notices and frames of pages vary in names and numbers: `the population was 1,234 in 567 households`. Two texts with
//! one share no long run, and one by one its words are rare. But a word that stands beside another in a crowd of texts
//! ([`CROWD`]) is likely there once the other has been matched. So its chance is that of standing beside the other
//! word, if this is greater than that of standing there at all:
//!
//! ```text
//!                       blocks of the index with w′ and w together
//!   chance of w by w′ = ──────────────────────────────────────────
//!                       places of w′ in all texts, from the sample
//! ```
//!
//! The first word of a notice keeps its score, and so do the words of a passage with a run of
//! [`Options::min_words`](super::Options::min_words) equal words.
//!
//! Two words stand together if at most two others lie between, stop words aside, in either order: the skip-bigrams of
//! the index of candidates. So archives count like texts that were read, and nothing else is stored.
//!
//! Cost: a pass over each index, and 8 bytes a collocation; for each matched word of a passage three look-ups.
//!
//! Source: collocations as frequent pairs of words in a window (Manning and Schütze, *Foundations of Statistical Natural
//! Language Processing*, chapter 5); a word given those before it, as in an n-gram model (chapter 6).

use std::ops::Range;

use super::background::Background;
use super::boilerplate::{CROWD, texts_with};
use super::candidates::Candidates;
use super::passage_keys::{AHEAD, BLOCK, MARKS, skip_bigram};
use super::{AlignmentMemory, Passage, Word, Words};

/// A collocation stands in at least one of so many blocks of 64 words. In a sample of 2,000 documents of 500 words its
/// words are then counted some eight times, enough to estimate the chance.
const ONE_OF: usize = 2048;

/// The pairs of words that stand together in many texts.
#[derive(Debug, Default)]
pub struct Collocations {
    /// The key of each skip-bigram and the number of blocks that contain it, ascending.
    blocks_with: Vec<(u32, u32)>,
    /// Number of blocks of all texts.
    blocks: usize,
}

impl Collocations {
    /// The collocations of all texts of these indexes.
    pub fn of(indexes: &[&Candidates<'_>]) -> Self {
        let blocks: usize = indexes.iter().map(|index| index.blocks()).sum();
        let least = CROWD.max(blocks.div_ceil(ONE_OF));
        let mut keys: Vec<u32> = Vec::new();
        for index in indexes {
            let same = index.table().chunk_by(|x, y| x >> 32 == y >> 32);
            // One of the indexes has at least the mean of all.
            let many = same.filter(|same| same.len() * indexes.len() >= least);
            keys.extend(many.map(|same| (same[0] >> 32) as u32).filter(|key| key & MARKS == 0));
        }
        keys.sort_unstable();
        keys.dedup();
        let counted = keys.into_iter().filter_map(|key| {
            let blocks = indexes.iter().map(|index| index.entries(key).len()).sum::<usize>();
            (blocks >= least && texts_with(indexes, key) >= CROWD).then_some((key, blocks as u32))
        });
        Self { blocks_with: counted.collect(), blocks }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.blocks_with.is_empty()
    }

    /// Number of blocks in which two stems stand together; 0 if they are no collocation.
    fn together(&self, x: u32, y: u32) -> u32 {
        let found = self.blocks_with.binary_search_by_key(&skip_bigram(x, y), |of_key| of_key.0);
        found.ok().filter(|_| x != y).map_or(0, |at| self.blocks_with[at].1)
    }
}

/// The documents among which two texts are aligned.
#[derive(Debug, Clone, Copy)]
pub struct Among<'b> {
    /// The frequency of words in them.
    pub background: &'b Background,
    /// Words that stand together in many of them.
    pub collocations: &'b Collocations,
    /// The number of the texts' language.
    pub language: u32,
    /// The memory of all alignments.
    pub memory: &'b AlignmentMemory,
}

impl Among<'_> {
    /// For each matched word of a passage, the greatest chance that it stands beside one of the matched words before it;
    /// 0 if it stands beside none of them in many texts, or not in both of these.
    pub(super) fn chances(self, texts: [&Words; 2], passage: &Passage) -> Vec<f32> {
        let mut chances = vec![0.0; passage.matched.len()];
        if self.collocations.is_empty() {
            return chances;
        }
        let (numbers_a, numbers_b) = (numbers(texts[0], &passage.a), numbers(texts[1], &passage.b));
        // The stems of the matched words so far, and their numbers in both texts.
        let mut before: Vec<(u32, [u32; 2])> = Vec::new();
        for (&(i, j), chance) in passage.matched.iter().zip(&mut chances) {
            let word = texts[0].as_slice()[i as usize];
            if word.is_common {
                continue;
            }
            let places = [numbers_a[i as usize - passage.a.start], numbers_b[j as usize - passage.b.start]];
            let is_near = |other: &[u32; 2]| (0..2).all(|text| other[text].abs_diff(places[text]) as usize <= AHEAD);
            let near = before.iter().rev().take(AHEAD).filter(|(_, other)| is_near(other));
            *chance = near.map(|&(stem, _)| self.chance(stem, word.stem)).fold(0.0, f32::max);
            before.push((word.stem, places));
        }
        chances
    }

    /// The chance of a word by another; 0 if they do not stand together in many texts.
    fn chance(self, other: u32, word: u32) -> f32 {
        let together = self.collocations.together(other, word);
        if together == 0 {
            return 0.0;
        }
        let words = (self.collocations.blocks * BLOCK) as f32;
        (together as f32 / (self.background.share(other, self.language) * words)).min(1.0)
    }
}

/// For each word of a part of a text, the number of words before it, stop words aside.
fn numbers(text: &Words, words: &Range<usize>) -> Vec<u32> {
    let count = |number: &mut u32, word: &Word| {
        let before = *number;
        *number += u32::from(!word.is_common);
        Some(before)
    };
    text.as_slice()[words.clone()].iter().scan(0, count).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use proptest::prelude::*;

    use super::*;

    /// A text of words, given by their stems; every fifth stem is a stop word.
    fn words(stems: &[u32]) -> Words {
        let word = |&stem: &u32| Word {
            start: 0,
            end: 0,
            form: stem,
            stem,
            begins_sentence: false,
            is_common: stem.is_multiple_of(5),
        };
        Words::new(stems.iter().map(word).collect())
    }

    /// The pairs of stems with at most two others between, stop words aside, each with the place of the later one.
    fn pairs(stems: &[u32]) -> Vec<(u32, u32, usize)> {
        let kept: Vec<(usize, u32)> = stems.iter().copied().enumerate().filter(|(_, stem)| stem % 5 > 0).collect();
        let near = |last: usize| kept[last.saturating_sub(3)..last].iter().map(move |other| (other.1, last));
        let all = (0..kept.len()).flat_map(near);
        all.map(|(x, last)| (x.min(kept[last].1), x.max(kept[last].1), kept[last].0))
            .filter(|(x, y, _)| x != y)
            .collect()
    }

    /// The specification: each pair counted in each text.
    fn plain(texts: &[Vec<u32>]) -> HashMap<(u32, u32), u32> {
        let mut texts_with: HashMap<(u32, u32), HashSet<usize>> = HashMap::new();
        let mut blocks_with: HashMap<(u32, u32), HashSet<(usize, usize)>> = HashMap::new();
        for (number, text) in texts.iter().enumerate() {
            for (x, y, place) in pairs(text) {
                texts_with.entry((x, y)).or_default().insert(number);
                blocks_with.entry((x, y)).or_default().insert((number, place / BLOCK));
            }
        }
        let many = blocks_with.into_iter().filter(|(pair, _)| texts_with[pair].len() >= CROWD);
        many.map(|(pair, blocks)| (pair, blocks.len() as u32)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Also if the texts are spread over several indexes.
        #[test]
        fn collocations_are_those_of_the_plain_way(
            texts in prop::collection::vec(prop::collection::vec(0u32..24, 0..150), CROWD..CROWD + 30),
            split in 0..CROWD,
        ) {
            let all: Vec<Words> = texts.iter().map(|text| words(text)).collect();
            let (first, second) = (Candidates::new(&all[..split]), Candidates::new(&all[split..]));
            let of_all = Collocations::of(&[&Candidates::new(&all)]);
            let of_two = Collocations::of(&[&second, &first]);
            prop_assert_eq!(&of_all.blocks_with, &of_two.blocks_with);
            let expected = plain(&texts);
            prop_assert_eq!(of_all.blocks_with.len(), expected.len());
            for (x, y) in (0..24).flat_map(|x| (0..24).map(move |y| (x, y))) {
                let pair = (x.min(y), x.max(y));
                prop_assert_eq!(of_all.together(x, y), expected.get(&pair).copied().unwrap_or(0), "{} {}", x, y);
            }
        }

        /// A matched word is expected beside any before it that is near in both texts.
        #[test]
        fn chances_are_those_of_the_plain_way(
            a in prop::collection::vec(0u32..12, 30..60),
            b in prop::collection::vec(0u32..12, 30..60),
            skipped in prop::collection::vec(any::<bool>(), 60),
            together in prop::collection::btree_map(0u32..144, 1u32..9, 0..60),
        ) {
            let mut blocks_with: Vec<(u32, u32)> = together
                .iter()
                .filter(|(pair, _)| *pair / 12 < *pair % 12)
                .map(|(pair, &blocks)| (skip_bigram(pair / 12, pair % 12), blocks))
                .collect();
            blocks_with.sort_unstable();
            let collocations = Collocations { blocks_with, blocks: 3 };
            let texts = [words(&a), words(&b)];
            let background = Background::new([Background::counts(&texts[0], 1), Background::counts(&texts[1], 1)]);
            let memory = AlignmentMemory::default();
            let among = Among { background: &background, collocations: &collocations, language: 1, memory: &memory };
            // Each word with the next one of its stem in the second text.
            let mut matched: Vec<(u32, u32)> = Vec::new();
            for (i, stem) in a.iter().enumerate().filter(|(i, _)| !skipped[*i]) {
                let free = |j: &usize| b[*j] == *stem && matched.iter().all(|pair| pair.1 != *j as u32);
                if let Some(j) = (0..b.len()).find(free) {
                    matched.push((i as u32, j as u32));
                }
            }
            let passage = Passage {
                a: 0..a.len(),
                b: 0..b.len(),
                matched: matched.clone(),
                ..Passage::default()
            };
            let is_stop = |word: u32| a[word as usize].is_multiple_of(5);
            let between = |text: &[u32], x: u32, y: u32| {
                let (from, to) = (x.min(y) as usize, x.max(y) as usize);
                text[from..to].iter().filter(|stem| **stem % 5 > 0).count()
            };
            let places = |stem| a.iter().chain(&b).filter(|&&other| other == stem).count() as f32;
            let all = (a.len() + b.len()) as f32;
            for (at, chance) in among.chances([&texts[0], &texts[1]], &passage).into_iter().enumerate() {
                let (i, j) = matched[at];
                let near = matched[..at].iter().filter(|(x, y)| {
                    !is_stop(i) && !is_stop(*x) && between(&a, *x, i) <= 3 && between(&b, *y, j) <= 3
                });
                let expected = near.map(|(x, _)| {
                    let (x, y) = (a[*x as usize], a[i as usize]);
                    let blocks = if x == y { None } else { together.get(&(x.min(y) * 12 + x.max(y))) };
                    (blocks.copied().unwrap_or(0) as f32 * all / (places(x) * 3.0 * 64.0)).min(1.0)
                });
                let expected = expected.fold(0.0, f32::max);
                prop_assert!((chance - expected).abs() < 1e-4, "{at}: {chance} {expected}");
            }
        }
    }

    #[test]
    fn a_pair_that_is_rare_among_many_texts_is_no_collocation() {
        let text = |pair: &[u32], number: u32| words(&[pair, &[1_001 + 5 * number]].concat());
        let few = CROWD as u32;
        let of = |all: u32| {
            let texts: Vec<Words> =
                (0..all).map(|number| text(if number < few { &[1, 2] } else { &[] }, number)).collect();
            Collocations::of(&[&Candidates::new(&texts)]).together(1, 2)
        };
        let most = few * ONE_OF as u32;
        assert_eq!((of(few), of(few + 500), of(most), of(most + 1)), (few, few, few, 0));
    }
}
