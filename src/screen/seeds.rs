//! Where to look: pairs of places that stand for each other in a copy.
//!
//! Two kinds of seeds, for neither finds all:
//! - **Runs** of [`RUN`] equal words: verbatim copies, however short.
//! - **Windows** (`windows`) that have more words in common than chance would
//!   give, in any order: copies whose words were shuffled, replaced, dropped.
//!
//! Cost: sorting.

use super::pair::{Anchor, NONE, Pair, Side};
use super::{hash_of_run, windows};

/// The length of a run, in words.
pub(super) const RUN: usize = 5;

/// The places of a run are paired each with each up to so many pairs, then in their order.
const MOST_PLACES: usize = 64;

/// All anchors of two texts, sorted.
pub(super) fn anchors(pair: &Pair<'_>) -> Vec<Anchor> {
    let mut anchors = Vec::new();
    of_runs(pair, &mut anchors);
    windows::anchors(pair, &mut anchors);
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

fn of_runs(pair: &Pair<'_>, anchors: &mut Vec<Anchor>) {
    let (runs_a, runs_b) = (runs(&pair.a), runs(&pair.b));
    let mut rest = runs_b.as_slice();
    for same in runs_a.chunk_by(|run, next| run.0 == next.0) {
        let hash = same[0].0;
        rest = &rest[rest.partition_point(|run| run.0 < hash)..];
        let there = &rest[..rest.iter().take_while(|run| run.0 == hash).count()];
        let mut add = |here: u32, there: u32| anchors.extend((0..RUN as u32).map(|word| (here + word, there + word)));
        if same.len() * there.len() > MOST_PLACES {
            // The first with the first and so on; what is left with the last.
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

/// The runs of words that the other text has too, by hash.
fn runs(side: &Side<'_>) -> Vec<(u64, u32)> {
    let windows = side.shared.windows(RUN).zip(0..).filter(|(words, _)| !words.contains(&NONE));
    let mut runs: Vec<(u64, u32)> = windows.map(|(words, place)| (hash_of_run(words.iter().copied()), place)).collect();
    runs.sort_unstable();
    runs
}
