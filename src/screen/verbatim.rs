//! Runs of equal words, however often they are repeated: what is promised of them.
//!
//! Where a text repeats itself, a word may stand for many, and the measure of chance tells
//! nothing. A long run of equal words is a passage all the same.
//!
//! Cost: linear; next to nothing for texts that share no run.

use std::collections::HashMap;
use std::ops::Range;

use super::Passage;
use super::odds;
use super::pair::{NONE, Pair};

/// The share of words that a run has kept, nearly.
const KEPT: f32 = 0.98;

/// Runs of so many words or more that both texts have, but those that are `covered` to nine tenths.
pub(super) fn runs(pair: &Pair<'_>, least: usize, covered: &[Passage]) -> Vec<Passage> {
    let (a, b) = (&pair.a.shared, &pair.b.shared);
    let places = places(a, least);
    if places.is_empty() || least == 0 {
        return Vec::new();
    }
    let mut is_covered = vec![false; a.len()];
    for passage in covered {
        is_covered[passage.a.clone()].fill(true);
    }
    // As a rule nothing is left to be found.
    if places.iter().all(|&place| !is_covered[place..place + least].contains(&false)) {
        return Vec::new();
    }
    let mut there: HashMap<&[u32], usize> = HashMap::new();
    for place in self::places(b, least) {
        there.entry(&b[place..place + least]).or_insert(place);
    }
    let mut runs = Vec::new();
    let mut end = 0;
    for place in places {
        let Some(&other) = there.get(&a[place..place + least]).filter(|_| place >= end) else { continue };
        let length = a[place..].iter().zip(&b[other..]).take_while(|(x, y)| x == y && **x != NONE).count();
        end = place + length;
        if is_covered[place..end].iter().filter(|&&is_covered| is_covered).count() * 10 < length * 9 {
            runs.push(passage(pair, place..end, other..other + length));
        }
    }
    runs
}

/// Where runs of so many shared words begin.
fn places(shared: &[u32], least: usize) -> Vec<usize> {
    let mut length = 0;
    let mut places = Vec::new();
    for (place, &word) in shared.iter().enumerate() {
        length = if word == NONE { 0 } else { length + 1 };
        if length >= least {
            places.push(place + 1 - least);
        }
    }
    places
}

/// A run of equal words as a passage.
pub(super) fn passage(pair: &Pair<'_>, a: Range<usize>, b: Range<usize>) -> Passage {
    let hit = |&word: &u32| odds::hit(KEPT, pair.chance(word, a.len() as f32));
    let score = pair.a.shared[a.clone()].iter().map(hit).sum();
    let matched = a.clone().zip(b.clone()).map(|(i, j)| (i as u32, j as u32)).collect();
    Passage { a, b, score, is_weak: false, matched }
}
