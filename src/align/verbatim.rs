//! Long runs of equal words are always passages, even where they repeat.
//!
//! Where a text repeats itself, a word has many possible counterparts, and the measure of chance says nothing.
//!
//! Cost: linear, and sorting the runs of the second text at 16 bytes each; next to nothing for texts that share
//! no run.

use std::cmp::Reverse;
use std::ops::Range;

use super::log_odds;
use super::pair::{NONE, Pair};
use super::passage_keys::REPEATS;
use super::{Passage, hash_of_run};

/// Shared runs of at least `least` words, except those of which nine tenths have counterparts in the passages `covered`: what
/// only lies between the words of a passage may stand elsewhere in the second text.
pub(super) fn runs(pair: &Pair<'_>, least: usize, covered: &[Passage]) -> Vec<Passage> {
    let [a, b] = &pair.own_shared();
    if least == 0 || places(a, least).next().is_none() {
        return Vec::new();
    }
    let mut is_covered = vec![false; a.len()];
    for passage in covered {
        passage.matched.iter().for_each(|&(word, _)| is_covered[word as usize] = true);
    }
    // Usually all runs are covered already.
    if places(a, least).all(|place| !is_covered[place..place + least].contains(&false)) {
        return Vec::new();
    }
    let there = Places::new(b, least);
    let mut runs = Vec::new();
    let mut end = 0;
    for place in places(a, least) {
        let run = (place >= end).then(|| &a[place..place + least]);
        let length =
            |other: &usize| a[place..].iter().zip(&b[*other..]).take_while(|(x, y)| x == y && **x != NONE).count();
        let longest = run.and_then(|run| {
            // The place where it goes on for longest is taken.
            let lengths = there.of(run).take(REPEATS).map(|other| (length(&other), Reverse(other)));
            lengths.max()
        });
        let Some((length, Reverse(other))) = longest else { continue };
        end = place + length;
        if is_covered[place..end].iter().filter(|&&is_covered| is_covered).count() * 10 < length * 9 {
            runs.push(passage(pair, place..end, other..other + length));
        }
    }
    runs
}

/// The places where `least` or more shared words begin.
fn places(shared: &[u32], least: usize) -> impl Iterator<Item = usize> {
    let mut length = 0;
    shared.iter().enumerate().filter_map(move |(place, &word)| {
        length = if word == NONE { 0 } else { length + 1 };
        (length >= least).then(|| place + 1 - least)
    })
}

/// The runs of a text, sorted by hash, then by place.
struct Places<'s> {
    shared: &'s [u32],
    runs: Vec<(u64, u32)>,
}

impl<'s> Places<'s> {
    fn new(shared: &'s [u32], least: usize) -> Self {
        let hashed = |place| (hash_of_run(shared[place..place + least].iter().copied()), place as u32);
        let mut runs: Vec<(u64, u32)> = places(shared, least).map(hashed).collect();
        runs.sort_unstable();
        Self { shared, runs }
    }

    /// The places of a run, in order.
    fn of(&self, run: &[u32]) -> impl Iterator<Item = usize> {
        let hash = hash_of_run(run.iter().copied());
        let from = self.runs.partition_point(|other| other.0 < hash);
        let equal = self.runs[from..].iter().take_while(move |other| other.0 == hash).map(|other| other.1 as usize);
        equal.filter(move |&place| self.shared[place..place + run.len()] == *run)
    }
}

/// A run of equal words as a passage.
pub(super) fn passage(pair: &Pair<'_>, a: Range<usize>, b: Range<usize>) -> Passage {
    let matched: Vec<(u32, u32)> = a.clone().zip(b.clone()).map(|(i, j)| (i as u32, j as u32)).collect();
    let hit = |&(i, _): &(u32, u32)| {
        log_odds::hit(log_odds::KEPT_WITHIN.1, pair.chance(pair.a.shared[i as usize], a.len() as f32))
    };
    let score = matched.iter().filter(|&&matched| !pair.is_common(matched)).map(hit).sum();
    Passage { a, b, score, best: score, matched, ..Passage::default() }
}
