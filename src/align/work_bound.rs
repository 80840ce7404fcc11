//! A bound on the work of aligning texts that repeat themselves.
//!
//! Texts of few different words have equal runs everywhere: two of eight random words, 150,000 of them, have half a
//! million groups of anchors, and matching the words around each of them took a minute. The work of a group is the
//! number of words around it. All groups are refined while that is at most [`MOST`] for each word of a text between
//! anchors, as in any natural language. Beyond it, groups are left out
//! - whose equal words are too common to tell a copy from chance: what scores they have is of common words that are
//!   missing;
//! - then those with the fewest anchors.
//!
//! Long runs of equal words are passages in any case (`verbatim`).
//!
//! Cost: linear in the text and the anchors.

use std::ops::Range;

use super::log_odds::{self, KEPT_WITHIN};
use super::matches::REACH;
use super::pair::{Anchor, NONE, Pair};

/// Work for each word of the first text between its first and its last anchor. Where essays and documentation share
/// passages, it is 8 at most.
const MOST: usize = 32;

/// Number of words that are always allowed for: of short parts of texts a few words have all groups.
const LEAST: usize = 1024;

/// The work that is left for the groups of a stretch.
#[derive(Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// The bound for some groups of anchors, which are to be refined from the last to the first. `around` gives the
    /// words around a group in both texts. If the groups exceed the bound, those are removed whose equal words can be no
    /// piece of a passage: they score less than `piece` and have no run of `run` words. The others are sorted by their
    /// anchors.
    pub(super) fn new(
        pair: &Pair<'_>,
        groups: &mut Vec<Vec<Anchor>>,
        around: impl Fn(&[Anchor]) -> [Range<usize>; 2],
        piece: (f32, usize),
    ) -> Self {
        let places = groups.iter().flatten().map(|anchor| anchor.0 as usize);
        let words = places.clone().max().unwrap_or(0) - places.min().unwrap_or(0) + 1;
        let left = MOST * words.max(LEAST);
        if groups.iter().map(|group| of(&around(group))).sum::<usize>() > left {
            leave_out(pair, groups, around, piece);
            groups.sort_by_key(Vec::len);
        }
        Self { left }
    }

    /// Takes the work of a group; false if none is left.
    pub(super) fn take(&mut self, around: &[Range<usize>; 2]) -> bool {
        let left = self.left.checked_sub(of(around));
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

/// Removes the groups whose equal words can be no piece of a passage.
fn leave_out(
    pair: &Pair<'_>,
    groups: &mut Vec<Vec<Anchor>>,
    around: impl Fn(&[Anchor]) -> [Range<usize>; 2],
    (piece, run): (f32, usize),
) {
    let sums = greatest_sums(pair);
    groups.retain(|group| {
        let [a, _] = around(group);
        sums[a.end] - sums[a.start] >= f64::from(piece) || longest_run(group) >= run
    });
}

/// The work of a group: the words around it in both texts.
fn of(around: &[Range<usize>; 2]) -> usize {
    around.iter().map(Range::len).sum()
}

/// For each place of the first text the greatest score of all words before it, in nats: each has a counterpart in a
/// text that keeps as much as possible.
fn greatest_sums(pair: &Pair<'_>) -> Vec<f64> {
    let score = |word: u32| log_odds::hit(KEPT_WITHIN.1, pair.chance(word, 2.0 * REACH as f32)).max(0.0);
    let scores: Vec<f64> = (0..pair.frequencies.len() as u32).map(|word| f64::from(score(word))).collect();
    let mut sum = 0.0;
    let of_words = pair.a.shared.iter().map(|&word| {
        sum += if word == NONE { 0.0 } else { scores[word as usize] };
        sum
    });
    std::iter::once(0.0).chain(of_words).collect()
}

/// The number of words of the longest run of equal words that have anchors in a row.
fn longest_run(group: &[Anchor]) -> usize {
    let mut runs: Vec<(i64, u32)> = group.iter().map(|&(a, b)| (i64::from(a) - i64::from(b), a)).collect();
    runs.sort_unstable();
    runs.chunk_by(|x, y| x.0 == y.0 && x.1 + 1 == y.1).map(<[_]>::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::groups::groups;
    use super::super::passages::{around_both, refine};
    use super::super::seeds::Seeds;
    use super::super::tests::words;
    use super::super::{Key, Words};
    use super::*;

    /// Numbers below `limit` in no order.
    fn chosen(mut seed: u64, limit: u64, count: usize) -> Vec<u32> {
        let next = |_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % limit) as u32
        };
        (0..count).map(next).collect()
    }

    fn groups_of(pair: &Pair<'_>) -> Vec<Vec<Anchor>> {
        groups(&Seeds::new(pair, 1).anchors(&(0..pair.a.len())))
    }

    fn work(pair: &Pair<'_>, groups: &[Vec<Anchor>]) -> usize {
        groups.iter().map(|group| of(&around_both(pair, group))).sum()
    }

    #[test]
    fn two_texts_of_eight_random_words_are_aligned_in_little_work() {
        let [a, b]: [Words; 2] = [1, 2].map(|seed| words(&chosen(seed, 8, 20_000)));
        let pair = Pair::new(&a, &b, Key::Stem);
        let mut left = groups_of(&pair);
        assert!(work(&pair, &left) > MOST * a.len());
        Work::new(&pair, &mut left, |group| around_both(&pair, group), (8.0, 20));
        assert!(work(&pair, &left) < MOST * a.len(), "{}", work(&pair, &left));
    }

    #[test]
    fn work_is_taken_until_none_is_left() {
        let mut work = Work { left: 100 };
        let taken = [30..50, 0..0, 0..81, 0..80, 0..1].map(|a| work.take(&[a, 0..0]));
        assert_eq!(taken, [true, true, false, false, false]);
    }

    proptest! {
        /// The plain way is to refine every group, and to sum up the scores of the words that have a counterpart.
        #[test]
        fn the_equal_words_of_a_group_that_is_left_out_are_no_piece(
            seed: u64,
            kinds in 2u64..24,
            kept in prop::collection::vec(0usize..400, 0..3),
        ) {
            let (a, mut b) = (chosen(seed, kinds, 400), chosen(!seed, kinds, 400));
            // Some rarer words, and runs that the texts share.
            for &at in &kept {
                let end = (at + 30).min(400);
                b[at..end].copy_from_slice(&a[at..end]);
                b[at] = 1000;
            }
            let [a, b] = [words(&a), words(&b)];
            let pair = Pair::new(&a, &b, Key::Stem);
            let (all, piece) = (groups_of(&pair), (8.0, 20));
            let mut left = all.clone();
            leave_out(&pair, &mut left, |group| around_both(&pair, group), piece);
            for group in all.into_iter().filter(|group| !left.contains(group)) {
                if let Some(passage) = refine(&pair, group, &mut BTreeMap::new()) {
                    let kept = (passage.matched.len() as f32 / passage.a.len() as f32).min(KEPT_WITHIN.1);
                    let chance = |word: u32| pair.chance(pair.a.shared[word as usize], 2.0 * REACH as f32);
                    let score: f32 = passage.matched.iter().map(|&(word, _)| log_odds::hit(kept, chance(word))).sum();
                    // A long run whose words are no anchors is found as one (`verbatim`).
                    prop_assert!(score < piece.0, "{score} {passage:?}");
                }
            }
        }
    }
}
