//! Texts that share the rarest words of a part of another text, wherever these stand.
//!
//! A heavily rewritten copy may keep neither a run nor enough pairs of neighbouring words to be found by them
//! ([`Candidates`]). What it keeps are single words. So for each part of [`PART`] words the [`MOST_FOUND`] texts are
//! found that have the most of its words in one place, at least [`ENOUGH`], each word weighted by its inverse document
//! frequency; two neighbouring blocks of the index are one place. Of 225 labelled copies that had 45 to 65 % of their words replaced, the
//! source was among the first five of 259 texts for all.
//!
//! Cost: for each word of a part a step for each block that contains it, of which there are at most [`MOST_BLOCKS`]; 8
//! bytes for each block of the indexes and thread.
//!
//! Source: inverse document frequency (Spärck Jones 1972); candidates by the rarest words of a part are how the systems
//! of the PAN source retrieval tasks choose their queries (Potthast et al. 2014).

use std::cmp::Ordering;
use std::ops::Range;

use libm::logf;

use super::Words;
use super::candidates::{Candidates, ENOUGH, FEW};
use super::hits::{Hit, Place};
use super::passage_keys::{BLOCK, key_of_stem};

/// Length of a part, in words.
const PART: usize = 2 * BLOCK;

/// Number of texts that are found for each part.
const MOST_FOUND: usize = 5;

/// Maximum number of blocks that contain a rare word; in few texts every word has its weight.
const MOST_BLOCKS: usize = 1024;

/// Queries several indexes together, one text after another.
pub(super) struct Rare<'i> {
    indexes: Vec<&'i Candidates<'i>>,
    /// The number of the first block of each index among the blocks of all; one block of no text stands between.
    firsts: Vec<u32>,
    /// Number of blocks.
    blocks: usize,
    /// The words of the current part in each block.
    sums: Vec<Sum>,
    /// The blocks whose sums are not zero.
    touched: Vec<u32>,
}

/// Rare words in one place.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Sum {
    /// The sum of their weights.
    weight: f32,
    /// Their number.
    words: u16,
}

/// A text of an index.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    sum: f32,
    index: usize,
    text: u32,
}

impl Found {
    /// The greatest sum first, then the order of the texts.
    fn order(&self, other: &Self) -> Ordering {
        other.sum.total_cmp(&self.sum).then_with(|| (self.index, self.text).cmp(&(other.index, other.text)))
    }
}

impl<'i> Rare<'i> {
    pub(super) fn new(indexes: Vec<&'i Candidates<'i>>) -> Self {
        let mut end = 0;
        let mut firsts = Vec::with_capacity(indexes.len());
        for index in &indexes {
            firsts.push(end as u32);
            end += index.blocks() + 1;
        }
        let blocks = end - indexes.len();
        Self { indexes, firsts, blocks, sums: vec![Sum::default(); end + 1], touched: Vec::new() }
    }

    /// Adds the texts to those `found` in each index, of those that the text `is_compared` with, given by the numbers of
    /// index and text. Words in `common` parts of the text are left out.
    pub(super) fn add(
        &mut self,
        text: &Words,
        common: &[Range<usize>],
        is_compared: impl Fn(usize, u32) -> bool,
        found: &mut [Vec<Hit>],
    ) {
        let mut stems: Vec<u32> = Vec::with_capacity(PART);
        let mut common = common.iter().peekable();
        for (part, words) in text.as_slice().chunks(PART).enumerate() {
            stems.clear();
            for (word, place) in words.iter().zip(part * PART..) {
                while common.next_if(|words| words.end <= place).is_some() {}
                let is_in_common = common.peek().is_some_and(|words| words.contains(&place));
                if !word.is_common && !is_in_common {
                    stems.push(word.stem);
                }
            }
            stems.sort_unstable();
            stems.dedup();
            for &stem in &stems {
                self.add_stem(stem);
            }
            // The second block of the part: its place has the words of both.
            let place = Place::Words { own: (part * PART / BLOCK + 1) as u32 };
            for Found { index, text, .. } in self.best(&is_compared) {
                found[index].push(Hit { text, place });
            }
            self.touched.drain(..).for_each(|block| self.sums[block as usize] = Sum::default());
        }
    }

    /// Adds the weight of a stem to each block that contains it, if it is rare.
    fn add_stem(&mut self, stem: u32) {
        let key = key_of_stem(stem);
        let blocks: usize = self.indexes.iter().map(|index| index.entries(key).len()).sum();
        if blocks > MOST_BLOCKS {
            return;
        }
        let weight = logf((self.blocks + FEW) as f32 / blocks as f32);
        for (index, first) in self.indexes.iter().zip(&self.firsts) {
            for &entry in index.entries(key) {
                let block = first.saturating_add(entry as u32);
                let Some(sum) = self.sums.get_mut(block as usize) else { continue };
                if sum.words == 0 {
                    self.touched.push(block);
                }
                sum.weight += weight;
                sum.words = sum.words.saturating_add(1);
            }
        }
    }

    /// The texts with the greatest sums in one place, the best first.
    fn best(&self, is_compared: impl Fn(usize, u32) -> bool) -> Vec<Found> {
        let mut best: Vec<Found> = Vec::with_capacity(MOST_FOUND + 1);
        for &block in &self.touched {
            let here = self.sums[block as usize];
            let index = self.firsts.partition_point(|&first| first <= block) - 1;
            let of_index = block - self.firsts[index];
            let beside =
                |other: Option<u32>| other.and_then(|other| self.sums.get(other as usize).copied()).unwrap_or_default();
            let (before, after) = (beside(block.checked_sub(1)), beside(Some(block + 1)));
            let least = if best.len() < MOST_FOUND { 0.0 } else { best[MOST_FOUND - 1].sum };
            if here.weight + before.weight.max(after.weight) < least
                || f32::from(here.words.saturating_add(before.words.max(after.words))) < ENOUGH
            {
                continue;
            }
            let text = self.indexes[index].text_of(of_index);
            let of_text = |other: Option<u32>, sum: Sum| {
                let is_of_text = |other| self.indexes[index].text_of(other) == text;
                if sum.words > 0 && other.is_some_and(is_of_text) { sum } else { Sum::default() }
            };
            let (before, after) = (of_text(of_index.checked_sub(1), before), of_text(Some(of_index + 1), after));
            let beside = if before.weight > after.weight { before } else { after };
            if f32::from(here.words.saturating_add(beside.words)) < ENOUGH {
                continue;
            }
            let found = Found { sum: here.weight + beside.weight, index, text };
            let known = best.iter().position(|other| (other.index, other.text) == (index, text));
            if known.is_some_and(|at| best[at].sum >= found.sum)
                || best.len() == MOST_FOUND && best[MOST_FOUND - 1].order(&found) == Ordering::Less
                || known.is_none() && !is_compared(index, text)
            {
                continue;
            }
            if let Some(at) = known {
                best.remove(at);
            }
            let at = best.partition_point(|other| other.order(&found) == Ordering::Less);
            best.insert(at, found);
            best.truncate(MOST_FOUND);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::tests::words;
    use super::*;

    fn found(indexes: &[Candidates<'_>], text: &Words, common: &[Range<usize>]) -> Vec<Vec<Hit>> {
        let mut found = vec![Vec::new(); indexes.len()];
        Rare::new(indexes.iter().collect()).add(text, common, |_, _| true, &mut found);
        found
    }

    /// The specification: for each text of the index the greatest sum of weights in a block and the better one beside it,
    /// of those with enough words.
    fn plain_sums(texts: &[Vec<u32>], part: &[u32]) -> Vec<f32> {
        let blocks: Vec<Vec<BTreeSet<u32>>> = texts
            .iter()
            .map(|text| text.chunks(BLOCK).map(|block| block.iter().copied().collect()).collect())
            .collect();
        let all = blocks.iter().map(Vec::len).sum::<usize>();
        let weight = |stem: &u32| {
            let with = blocks.iter().flatten().filter(|block| block.contains(stem)).count();
            let is_rare = with > 0 && with <= MOST_BLOCKS;
            if is_rare { logf((all + FEW) as f32 / with as f32) } else { 0.0 }
        };
        let stems: BTreeSet<u32> = part.iter().copied().collect();
        let sum = |block: &BTreeSet<u32>| {
            let weights: Vec<f32> =
                stems.iter().filter(|stem| block.contains(stem)).map(weight).filter(|&weight| weight > 0.0).collect();
            (weights.iter().sum::<f32>(), weights.len())
        };
        let of_text = |blocks: &Vec<BTreeSet<u32>>| {
            let sums: Vec<(f32, usize)> = blocks.iter().map(sum).collect();
            let at = |number: Option<usize>| number.and_then(|number| sums.get(number).copied()).unwrap_or_default();
            let place = |number: usize| {
                let (before, after) = (at(number.checked_sub(1)), at(Some(number + 1)));
                let (here, beside) = (sums[number], if before.0 > after.0 { before } else { after });
                if here.1 > 0 && (here.1 + beside.1) as f32 >= ENOUGH { here.0 + beside.0 } else { 0.0 }
            };
            (0..sums.len()).map(place).fold(0.0, f32::max)
        };
        blocks.iter().map(of_text).collect()
    }

    proptest! {
        #[test]
        fn the_texts_with_the_greatest_sums_are_found(
            texts in prop::collection::vec(prop::collection::vec(0u32..900, 1..300), 1..12),
            text in prop::collection::vec(0u32..900, 1..300),
            cut in 0usize..12,
        ) {
            let all: Vec<Words> = texts.iter().map(|text| words(text)).collect();
            let (some, others) = all.split_at(cut.min(all.len()));
            let found = found(&[Candidates::new(some), Candidates::new(others)], &words(&text), &[]);
            for (part, words) in text.chunks(PART).enumerate() {
                let place = Place::Words { own: (2 * part + 1) as u32 };
                let of_part = |met: &&Hit| met.place == place;
                let numbers = |index: usize, first: usize| {
                    found[index].iter().filter(of_part).map(move |met| met.text as usize + first).collect::<Vec<_>>()
                };
                let sums = plain_sums(&texts, words);
                let mut of_found: Vec<f32> =
                    numbers(0, 0).into_iter().chain(numbers(1, some.len())).map(|text| sums[text]).collect();
                of_found.sort_by(|x, y| y.total_cmp(x));
                let mut greatest: Vec<f32> = sums.into_iter().filter(|&sum| sum > 0.0).collect();
                greatest.sort_by(|x, y| y.total_cmp(x));
                greatest.truncate(MOST_FOUND);
                prop_assert_eq!(of_found.len(), greatest.len());
                prop_assert!(of_found.iter().zip(&greatest).all(|(x, y)| (x - y).abs() < 1e-3));
            }
        }
    }

    #[test]
    fn a_few_rare_words_in_another_order_find_their_text() {
        let own = |number: u32| (0..400).map(move |word| 1000 * number + word);
        let mut texts: Vec<Vec<u32>> = (1..40).map(|number| own(number).collect()).collect();
        // Every tenth word of one part of a text, backwards, and a word of each of the others.
        let mut text: Vec<u32> = own(50).take(128).collect();
        for number in 0..12 {
            text[10 * number] = texts[20][120 - 10 * number];
            text[10 * number + 5] = texts[number][7];
        }
        texts.push(own(50).collect());
        let index = [Candidates::new(texts[..39].iter().map(|text| words(text)).collect::<Vec<_>>().iter())];
        let of = |common: &[Range<usize>]| found(&index, &words(&text), common)[0].clone();
        assert_eq!(of(&[])[0].text, 20);
        assert!(of(std::slice::from_ref(&(0..128))).is_empty(), "words of notices find nothing");
    }

    #[test]
    fn texts_that_are_not_compared_leave_room_for_others() {
        let texts: Vec<Words> = (0..60).map(|_| words(&(0..100).collect::<Vec<_>>())).collect();
        let others: Vec<Words> = (0..3000).map(|number| words(&[10_000 + number])).collect();
        let index = Candidates::new(texts.iter().chain(&others));
        let mut found = vec![Vec::new()];
        Rare::new(vec![&index]).add(&texts[0], &[], |_, text| text > 50, &mut found);
        assert_eq!(found[0].iter().map(|met| met.text).collect::<Vec<_>>(), [51, 52, 53, 54, 55]);
    }
}
