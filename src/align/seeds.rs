//! Seeds: pairs of places, one in each text, that are likely to match in a copy.
//!
//! There are two kinds, as neither finds all copies:
//! - **Runs** of [`RUN`] equal words: verbatim copies, however short.
//! - **Windows** (`windows`) that have more words in common than chance would give, in any order: copies whose
//!   words were shuffled, replaced or dropped.
//!
//! A long text is searched in stretches, so that memory follows the stretch. Each stretch has at most
//! [`MOST_PAIRS`] pairs of runs and [`super::windows::MOST_ANCHORS`] words of windows for each of its own
//! words. Where a text repeats itself more than that, fewer of the equal places are paired, but no place stays
//! without an anchor.
//!
//! Cost: sorting; 16 bytes a word of both texts.

use std::ops::Range;

use super::hash_of_run;
use super::pair::{Anchor, NONE, Pair, Side, in_order};
use super::passage_keys::{REPEATS, RUN};
use super::windows::Windows;

/// Maximum pairs of runs for each word of a stretch; beyond it all places are paired in order. Copies have
/// about one.
const MOST_PAIRS: usize = 8;

/// Finds the seeds of two texts, stretch by stretch.
pub(super) struct Seeds<'p> {
    runs: [Vec<(u64, u32)>; 2],
    windows: Windows<'p>,
}

impl<'p> Seeds<'p> {
    pub(super) fn new(pair: &'p Pair<'p>, threads: usize) -> Self {
        Self { runs: shared_runs(pair), windows: Windows::new(pair, threads) }
    }

    /// All anchors of a stretch of the first text, sorted.
    pub(super) fn anchors(&self, stretch: &Range<usize>) -> Vec<Anchor> {
        let mut anchors = Vec::new();
        let mut pairs = 0;
        // The places of one run are paired all with all, or in order if these are too many pairs.
        self.each_pair(stretch, REPEATS, |_, _| pairs += 1);
        let most = if pairs > MOST_PAIRS * stretch.len() { 1 } else { REPEATS };
        self.each_pair(stretch, most, |here, there| {
            anchors.extend((0..RUN as u32).map(|word| (here + word, there + word)));
        });
        in_order(&mut anchors);
        self.windows.anchors(stretch, &mut anchors);
        in_order(&mut anchors);
        anchors
    }

    /// Calls `add` with the places of two equal runs, for each that begins in a stretch of the first text.
    fn each_pair(&self, stretch: &Range<usize>, most: usize, mut add: impl FnMut(u32, u32)) {
        let [runs_a, runs_b] = &self.runs;
        let mut rest = runs_b.as_slice();
        let mut add = |here: u32, there: u32| {
            if stretch.contains(&(here as usize)) {
                add(here, there);
            }
        };
        for same in runs_a.chunk_by(|run, next| run.0 == next.0) {
            let hash = same[0].0;
            rest = &rest[rest.partition_point(|run| run.0 < hash)..];
            let there = &rest[..rest.iter().take_while(|run| run.0 == hash).count()];
            if same.len() * there.len() > most {
                // The first with the first and so on; those left over with the last.
                for (&(_, here), number) in same.iter().zip(0..) {
                    there.get(number).or(there.last()).into_iter().for_each(|&(_, there)| add(here, there));
                }
                for &(_, there) in there.iter().skip(same.len()) {
                    same.last().into_iter().for_each(|&(_, here)| add(here, there));
                }
                continue;
            }
            for &(_, here) in same {
                for &(_, there) in there {
                    add(here, there);
                }
            }
        }
    }
}

/// The runs that two texts may share, of each text sorted by hash. A few that they do not share are among them.
fn shared_runs(pair: &Pair<'_>) -> [Vec<(u64, u32)>; 2] {
    let (mut a, mut b) = (runs(&pair.a), runs(&pair.b));
    // Sorting costs most, and most texts share few runs.
    let in_a = Hashes::of(&a);
    b.retain(|run| in_a.may_contain(run.0));
    let in_b = Hashes::of(&b);
    a.retain(|run| in_b.may_contain(run.0));
    [a, b].map(|mut runs| {
        runs.shrink_to_fit();
        runs.sort_unstable();
        runs
    })
}

/// The runs of shared words of a text, in order.
fn runs(side: &Side<'_>) -> Vec<(u64, u32)> {
    let windows = side.shared.windows(RUN).zip(0..).filter(|(words, _)| !words.contains(&NONE));
    windows.map(|(words, place)| (hash_of_run(words.iter().copied()), place)).collect()
}

/// A set of hashes that may contain others, one in eight or fewer: one bit each.
struct Hashes {
    bits: Vec<u64>,
}

impl Hashes {
    fn of(runs: &[(u64, u32)]) -> Self {
        let mut hashes = Self { bits: vec![0; (runs.len() * 8).div_ceil(64).next_power_of_two()] };
        for run in runs {
            let (word, bit) = hashes.place(run.0);
            hashes.bits[word] |= bit;
        }
        hashes
    }

    fn may_contain(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.bits[word] & bit != 0
    }

    fn place(&self, hash: u64) -> (usize, u64) {
        let mixed = hash.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed >> 32) as usize & (self.bits.len() - 1), 1 << (mixed >> 26 & 63))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Key;
    use super::super::tests::words;
    use super::super::windows::MOST_ANCHORS;
    use super::*;

    proptest! {
        /// The runs left out are those that only one text has.
        #[test]
        fn shared_runs_are_among_those_kept(
            a in prop::collection::vec(0u32..4, 0..80),
            b in prop::collection::vec(0u32..4, 0..80),
        ) {
            let (a, b) = (words(&a), words(&b));
            let pair = Pair::new(&a, &b, Key::Stem);
            let all = [runs(&pair.a), runs(&pair.b)];
            let kept = shared_runs(&pair);
            for (side, other) in [(0, 1), (1, 0)] {
                let shared = |run: &(u64, u32)| all[other].iter().any(|there| there.0 == run.0);
                let mut plain: Vec<(u64, u32)> = all[side].iter().copied().filter(shared).collect();
                plain.sort_unstable();
                let found: Vec<(u64, u32)> = kept[side].iter().copied().filter(shared).collect();
                prop_assert_eq!(found, plain);
            }
        }
    }

    /// Even if a text repeats itself, the anchors of a stretch are bounded, and each of its words has one.
    #[test]
    fn anchors_are_bounded_where_texts_repeat_themselves() {
        let blocks: Vec<u32> = (0..2000).map(|at| at / 40).collect();
        let eight_times: Vec<u32> = (0..2000).map(|at| at % 250).collect();
        let one_word = vec![7; 2000];
        for text in [blocks, eight_times, one_word] {
            let (a, b) = (words(&text), words(&[&text[..], &[9000]].concat()));
            let pair = Pair::new(&a, &b, Key::Stem);
            let stretch = 500..1500;
            let anchors = Seeds::new(&pair, 2).anchors(&stretch);
            let most = RUN * (MOST_PAIRS * stretch.len()).max(a.len() + b.len()) + 2 * MOST_ANCHORS * stretch.len();
            assert!(anchors.len() <= most && anchors.is_sorted(), "{} of {most}", anchors.len());
            assert!(stretch.clone().all(|word| anchors.iter().any(|anchor| anchor.0 as usize == word)));
        }
    }
}
