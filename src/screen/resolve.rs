//! Selection of the passages to report: long enough, certain enough, and none twice.

use std::ops::Range;

use super::groups::GAP;
use super::pair::Pair;
use super::{Options, Passage};

/// Maximum gap, in words of either text, between two passages that are joined: some sentences were replaced by
/// others.
const TOUCHING: usize = 24;

/// Maximum gap in one text if the gap in the other is up to [`GAP`] words: a long sentence was inserted there,
/// or left out here.
const ADJOINING: usize = 4;

/// Maximum length of a short text, in words.
const SHORT: usize = 500;

/// A passage that covers at least one word in so many of a short first text needs only [`LESS`] of the score. A
/// short text gives chance fewer places, and an author who rewrites a whole text leaves less of each sentence.
const MUCH: usize = 10;

/// Share of [`Options::min_score`] that such a passage needs; see [`MUCH`].
const LESS: f32 = 0.4;

/// The best passages, joined where they touch in both texts.
pub(super) fn resolve(pair: &Pair<'_>, passages: Vec<Passage>, options: Options) -> Vec<Passage> {
    joined(best(pair, passages, options))
}

/// Removes passages that are too short or too uncertain; if passages overlap by more than half in the first
/// text, only the best is kept.
pub(super) fn best(pair: &Pair<'_>, mut passages: Vec<Passage>, options: Options) -> Vec<Passage> {
    passages.retain(|passage| counts(pair, passage, options));
    passages
        .sort_by(|x, y| y.score.total_cmp(&x.score).then_with(|| (x.a.start, x.b.start).cmp(&(y.a.start, y.b.start))));
    let mut kept: Vec<Passage> = Vec::new();
    for passage in passages {
        if !kept.iter().any(|better| common(&passage.a, &better.a) * 2 > passage.a.len()) {
            kept.push(passage);
        }
    }
    kept
}

/// Sorts passages and joins those that touch in both texts.
pub(super) fn joined(mut kept: Vec<Passage>) -> Vec<Passage> {
    kept.sort_by_key(|passage| (passage.a.start, passage.b.start));
    let mut joined: Vec<Passage> = Vec::new();
    for passage in kept {
        match joined.last_mut() {
            Some(last) if touch(gap(&last.a, &passage.a), gap(&last.b, &passage.b)) => join(last, passage),
            _ => joined.push(passage),
        }
    }
    joined
}

fn counts(pair: &Pair<'_>, passage: &Passage, options: Options) -> bool {
    if passage.a.len().min(passage.b.len()) < options.min_words {
        // Only a short text that stands verbatim and whole in the other.
        let is_whole = passage.a.len() == pair.a.len() || passage.b.len() == pair.b.len();
        return is_whole && longest_run(&passage.matched) == passage.a.len().max(passage.b.len());
    }
    let is_much = pair.a.len() <= SHORT && passage.a.len() * MUCH >= pair.a.len();
    !is_weak(passage, options) || is_much && passage.score >= options.min_score * LESS
}

/// True if neither the score nor a run of equal words would be enough in a long text.
pub(super) fn is_weak(passage: &Passage, options: Options) -> bool {
    passage.score < options.min_score && longest_run(&passage.matched) < options.min_words
}

/// Length of the longest run of matched words that are consecutive in both texts.
fn longest_run(matched: &[(u32, u32)]) -> usize {
    matched.chunk_by(|x, y| x.0 + 1 == y.0 && x.1 + 1 == y.1).map(<[_]>::len).max().unwrap_or(0)
}

fn common(x: &Range<usize>, y: &Range<usize>) -> usize {
    x.end.min(y.end).saturating_sub(x.start.max(y.start))
}

/// Number of words between two ranges.
fn gap(x: &Range<usize>, y: &Range<usize>) -> usize {
    x.start.max(y.start).saturating_sub(x.end.min(y.end))
}

/// True if passages with these gaps between them, one per text, are joined.
fn touch(x: usize, y: usize) -> bool {
    x.max(y) <= TOUCHING || x.min(y) <= ADJOINING && x.max(y) <= GAP
}

/// True if two passages have a pair of words in common around a place of the first text: one passage, found
/// from two sides.
pub(super) fn are_one(x: &Passage, y: &Passage, around: usize) -> bool {
    let near = |passage: &Passage| {
        let place = |word: usize| passage.matched.partition_point(|pair| (pair.0 as usize) < word);
        place(around.saturating_sub(GAP))..place(around + GAP)
    };
    let of_y = &y.matched[near(y)];
    x.matched[near(x)].iter().any(|pair| of_y.binary_search(pair).is_ok())
}

pub(super) fn join(passage: &mut Passage, other: Passage) {
    for (mine, other) in [(&mut passage.a, other.a), (&mut passage.b, other.b)] {
        *mine = mine.start.min(other.start)..mine.end.max(other.end);
    }
    passage.score += other.score;
    passage.matched.extend(other.matched);
    passage.matched.sort_unstable();
    passage.matched.dedup_by_key(|pair| pair.0);
}
