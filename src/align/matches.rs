//! The counterpart of each word in the other text.
//!
//! The anchors around a word predict the place of its counterpart: as far from the anchors' places in the
//! second text as the word is from theirs in the first. Candidates are the words of the same stem near there.
//! They are assigned greedily, each word at most once: first those in the longest runs of equal words, then
//! those nearest to the place that most anchors predict. So a word that the second text repeats counts once,
//! and a copied sentence that repeats a phrase is matched word by word.
//!
//! Cost: a step for each word, for each anchor around it, and for every four words within reach.
//! Candidates beyond [`MOST`], as in a text of one repeated word, are assigned in batches.

use std::cmp::Reverse;
use std::ops::Range;

use super::log_odds;
use super::pair::{Anchor, NONE, Pair};
use super::passage_keys::RUN;

/// Maximum distance of a counterpart from the place that an anchor predicts, in words.
pub(super) const REACH: usize = 24;

/// Number of anchors used before a word, and after it.
const AROUND: usize = 6;

/// Number of candidates at which a batch is assigned: 16 MB. A novel and its copy stay below. After as many matched pairs
/// of words only the best passages are kept.
pub(super) const MOST: usize = if cfg!(test) { 5_000 } else { 1 << 20 };

/// A possible counterpart of a word; the best sorts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    /// Length of the run of equal words in which both stand.
    run: Reverse<u32>,
    /// Median distance from the places that the anchors predict, in words.
    distance: u32,
    word: u32,
    other: u32,
}

/// Words and their counterparts in a part of each text.
pub(super) struct Matches {
    pub(super) a: Range<usize>,
    pub(super) b: Range<usize>,
    /// The counterpart of each word of `a`, or [`NONE`].
    to_b: Vec<u32>,
    /// The counterpart of each word of `b`.
    to_a: Vec<u32>,
    /// Number of words searched for a counterpart of each shared word of `a`.
    looked_at: Vec<f32>,
}

/// For each word of a range its score (nats), and true if it has a counterpart.
pub(super) type Scores = Vec<(f32, bool)>;

impl Matches {
    /// Matches the words of `a` with those of `b`. The anchors must be sorted.
    pub(super) fn new(pair: &Pair<'_>, anchors: &[Anchor], a: Range<usize>, b: Range<usize>) -> Self {
        let mut looked_at = vec![0.0; a.len()];
        let (mut to_b, mut to_a) = (vec![NONE; a.len()], vec![NONE; b.len()]);
        let mut candidates: Vec<Candidate> = Vec::new();
        let mut take = |candidates: &mut Vec<Candidate>| {
            candidates.sort_unstable();
            for Candidate { word, other, .. } in candidates.drain(..) {
                let (of_a, of_b) = (&mut to_b[word as usize - a.start], &mut to_a[other as usize - b.start]);
                if *of_a == NONE && *of_b == NONE {
                    (*of_a, *of_b) = (other, word);
                }
            }
        };
        let reach = i64::from(REACH as u32);
        let mut spots: Vec<i64> = Vec::new();
        let mut next = 0;
        let mut runs = Runs::default();
        for i in a.clone() {
            runs.go_to(i);
            if candidates.len() >= MOST {
                take(&mut candidates);
            }
            let shared = pair.a.shared[i];
            if shared == NONE {
                continue;
            }
            next += anchors[next..].iter().take_while(|anchor| (anchor.0 as usize) < i).count();
            spots.clear();
            let around = &anchors[next.saturating_sub(AROUND)..(next + AROUND).min(anchors.len())];
            spots.extend(around.iter().map(|&(x, y)| i64::from(y) + i64::from(i as u32) - i64::from(x)));
            spots.sort_unstable();
            let mut end = i64::MIN;
            for &spot in &spots {
                let (from, to) = ((spot - reach).max(end), spot + reach + 1);
                if from >= to {
                    continue;
                }
                looked_at[i - a.start] += (to - from) as f32;
                end = to;
                let last = place(to).min(b.end);
                pair.b.each_place_in(shared, place(from).max(b.start).min(last)..last, |other| {
                    let run = Reverse(runs.around(pair, i, other as usize) as u32);
                    let distance = middle_distance(&spots, i64::from(other)) as u32;
                    candidates.push(Candidate { run, distance, word: i as u32, other });
                });
            }
        }
        take(&mut candidates);
        Self { a, b, to_b, to_a, looked_at }
    }

    /// The scores of the words of `a`. A counterpart counts if it lies `within` a part of the second text.
    pub(super) fn scores_a(&self, pair: &Pair<'_>, within: &Range<usize>, kept: f32) -> Scores {
        let score = |(k, i): (usize, usize)| {
            let looked_at = self.looked_at[k].max(2.0 * REACH as f32);
            let counterpart = self.to_b[k];
            score(pair, pair.a.shared[i], (counterpart, (i as u32, counterpart)), within, looked_at, kept)
        };
        self.a.clone().enumerate().map(score).collect()
    }

    /// The scores of the words of `b`. A counterpart counts if it lies `within` a part of the first text.
    pub(super) fn scores_b(&self, pair: &Pair<'_>, within: &Range<usize>, kept: f32) -> Scores {
        let score = |(k, j): (usize, usize)| {
            let (counterpart, looked_at) = (self.to_a[k], 2.0 * REACH as f32);
            score(pair, pair.b.shared[j], (counterpart, (counterpart, j as u32)), within, looked_at, kept)
        };
        self.b.clone().enumerate().map(score).collect()
    }

    /// The pairs of words in both ranges, in the order of the first text.
    pub(super) fn pairs(&self, a: &Range<usize>, b: &Range<usize>) -> Vec<(u32, u32)> {
        let counterpart = |i: usize| (i as u32, self.to_b[i - self.a.start]);
        let mut pairs: Vec<(u32, u32)> =
            a.clone().map(counterpart).filter(|&(_, j)| j != NONE && b.contains(&(j as usize))).collect();
        pairs.shrink_to_fit();
        pairs
    }
}

/// Runs of equal words that extend beyond the current word.
#[derive(Default)]
struct Runs {
    /// Offset of the second text's place (sorted by it), end of the run in the first text, and length of the
    /// run.
    open: Vec<(i64, usize, usize)>,
}

impl Runs {
    /// Drops the runs that end at or before a word.
    fn go_to(&mut self, word: usize) {
        self.open.retain(|&(_, end, _)| word < end);
    }

    /// Length of the run in which two equal words stand; 0 if it is shorter than [`RUN`].
    fn around(&mut self, pair: &Pair<'_>, i: usize, j: usize) -> usize {
        let ahead = i64::from(j as u32) - i64::from(i as u32);
        let place = match self.open.binary_search_by_key(&ahead, |run| run.0) {
            Ok(open) => return self.open[open].2,
            Err(place) => place,
        };
        let (a, b) = (&pair.a.shared, &pair.b.shared);
        let is_same = |(x, y): &(&u32, &u32)| x == y && **x != NONE;
        let before = a[..i].iter().rev().zip(b[..j].iter().rev()).take(RUN).take_while(is_same).count();
        let from = a[i..].iter().zip(&b[j..]).take_while(is_same).count();
        let length = if before + from < RUN { 0 } else { before + from };
        // Counting a short run again is faster than looking it up.
        if length > 0 {
            self.open.insert(place, (ahead, i + from, length));
        }
        length
    }
}

/// Median distance of the spots, which must be sorted, from a place: of an even number the greater of the middle two.
fn middle_distance(spots: &[i64], place: i64) -> u64 {
    let distance = |spot: usize| spots.get(spot).map_or(0, |spot| (spot - place).unsigned_abs());
    // The greatest distances are those of the first or the last spot.
    let (mut first, mut last) = (0, spots.len().saturating_sub(1));
    for _ in spots.len() / 2 + 1..spots.len() {
        if distance(first) > distance(last) {
            first += 1;
        } else {
            last -= 1;
        }
    }
    distance(first).max(distance(last))
}

/// A spot as a place of the text: 0 if it lies before the text.
fn place(spot: i64) -> usize {
    usize::try_from(spot).unwrap_or(0)
}

/// The score of a word, given its counterpart, or [`NONE`], and the pair of the two. A matched word that many documents share, or
/// that is left out, scores nothing: it is no evidence, neither for nor against.
fn score(
    pair: &Pair<'_>,
    shared: u32,
    (counterpart, matched): (u32, (u32, u32)),
    within: &Range<usize>,
    looked_at: f32,
    kept: f32,
) -> (f32, bool) {
    if shared == NONE {
        return (log_odds::absent(kept), false);
    }
    if counterpart != NONE && pair.is_common(matched) {
        return (0.0, false);
    }
    let chance = pair.chance(shared, looked_at);
    if counterpart != NONE && within.contains(&(counterpart as usize)) {
        (log_odds::hit(kept, chance), true)
    } else {
        (log_odds::miss(kept, chance), false)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_median_is_that_of_the_sorted_distances(mut spots in prop::collection::vec(-50i64..50, 1..13), place in -60i64..60) {
            spots.sort_unstable();
            let mut distances: Vec<u64> = spots.iter().map(|&spot| (spot - place).unsigned_abs()).collect();
            distances.sort_unstable();
            prop_assert_eq!(middle_distance(&spots, place), distances[distances.len() / 2]);
        }
    }
}
