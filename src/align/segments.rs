//! The borders of passages, from the scores of words.
//!
//! A segment is the run of words with the greatest sum of scores in which the sum never falls by more than
//! [`DROP`] below its maximum. So no passage spans a long stretch of other words, however strong it is on both
//! sides. Of borders that are nearly as good, the one where a sentence begins is taken.
//!
//! A sentence that was inserted or left out is one change, not one per word: a gap costs [`OPEN`] and
//! [`EXTEND`] a word, if that is less than the cost of its words one by one.
//!
//! Cost: linear. Source: Kadane's algorithm with the X-drop of BLAST, and affine gaps (Gotoh 1982).

use std::ops::Range;

use super::Words;

/// Maximum fall of the sum within a segment, in nats: the cost of a gap of 30 words.
const DROP: f32 = 15.0;

/// Cost of a gap, in nats: sentences are inserted or left out at about one word of 400.
const OPEN: f32 = 6.0;

/// Additional cost of each word of a gap, in nats.
const EXTEND: f32 = 0.3;

/// Maximum cost, in nats, of moving a border to the start of a sentence.
const SENTENCE: f32 = 2.0;

/// Maximum distance by which a border is moved to the start of a sentence, in words.
const AROUND: usize = 12;

/// A run of words whose scores suggest a copy.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ScoredSegment {
    pub(super) words: Range<usize>,
    /// Sum of their scores, in nats.
    pub(super) score: f32,
    /// Share of the words that have a counterpart, of those that are evidence.
    pub(super) matched: f32,
}

/// The segments of a text, given the scores of its words from `start` on.
pub(super) fn segments(scores: &[(f32, bool)], text: &Words, start: usize) -> Vec<ScoredSegment> {
    let mut segments: Vec<ScoredSegment> = Vec::new();
    let with_gaps = with_gaps(scores);
    let mut at = 0;
    while at < scores.len() {
        if with_gaps[at] <= 0.0 {
            at += 1;
            continue;
        }
        let (end, score) = highest(&with_gaps[at..]);
        segments.push(ScoredSegment { words: at..at + end, score, matched: 0.0 });
        at += end;
    }
    for segment in &mut segments {
        to_sentences(&mut segment.words, scores, |word| text.begins_sentence(start + word));
        let scores = &scores[segment.words.clone()];
        let evident = scores.iter().filter(|score| score.0 != 0.0).count();
        segment.matched = scores.iter().filter(|score| score.1).count() as f32 / evident.max(1) as f32;
        segment.words = segment.words.start + start..segment.words.end + start;
    }
    segments
}

/// The scores, where each word in a gap has its part of the gap's cost instead: the best path through the
/// words, each in the passage or in a gap.
fn with_gaps(scores: &[(f32, bool)]) -> Vec<f32> {
    // The best sums so far, with the last word in the passage, and in a gap. Before the passage a gap costs
    // nothing to open.
    let (mut passage, mut gap) = (0.0, 0.0);
    // For each word, true if the best path to [passage, gap] came from a gap.
    let mut from_gap: Vec<[bool; 2]> = Vec::with_capacity(scores.len());
    for (score, _) in scores {
        from_gap.push([gap > passage, gap >= passage - OPEN]);
        (passage, gap) = (gap.max(passage) + score, gap.max(passage - OPEN) - EXTEND);
    }
    let mut with_gaps: Vec<f32> = scores.iter().map(|score| score.0).collect();
    let mut is_gap = gap > passage;
    for (score, from_gap) in with_gaps.iter_mut().zip(from_gap).rev() {
        let before = from_gap[usize::from(is_gap)];
        if is_gap {
            *score = -EXTEND - if before { 0.0 } else { OPEN };
        }
        is_gap = before;
    }
    with_gaps
}

/// The length of the prefix with the greatest sum before a drop, and that sum.
fn highest(scores: &[f32]) -> (usize, f32) {
    let (mut sum, mut height, mut end) = (0.0, 0.0, 0);
    for (at, score) in scores.iter().enumerate() {
        sum += score;
        if sum > height {
            (height, end) = (sum, at + 1);
        }
        if sum < 0.0 || sum < height - DROP {
            break;
        }
    }
    (end, height)
}

/// Moves borders to the start of a sentence, if that costs little.
fn to_sentences(words: &mut Range<usize>, scores: &[(f32, bool)], begins: impl Fn(usize) -> bool) {
    if !begins(words.start) {
        words.start = best(scores, words.start, 0..words.end, &begins, 1.0).unwrap_or(words.start);
    }
    if !begins(words.end) {
        words.end = best(scores, words.end, words.start..scores.len(), &begins, -1.0).unwrap_or(words.end);
    }
}

/// The sentence border around `at` that loses least, if it loses less than [`SENTENCE`]. `outward` is 1 if
/// moving the border to the left gains words, −1 if it loses them.
fn best(
    scores: &[(f32, bool)],
    at: usize,
    limits: Range<usize>,
    begins: &impl Fn(usize) -> bool,
    outward: f32,
) -> Option<usize> {
    let (mut least, mut border) = (-SENTENCE, None);
    let mut gained = 0.0;
    let first = at.saturating_sub(AROUND).max(limits.start);
    for (score, place) in scores[first..at].iter().zip(first..at).rev() {
        gained += outward * score.0;
        if begins(place) && gained > least {
            (least, border) = (gained, Some(place));
        }
    }
    gained = 0.0;
    let end = (at + AROUND).min(limits.end).max(at);
    for (score, place) in scores[at..end].iter().zip(at + 1..) {
        gained -= outward * score.0;
        if begins(place) && gained > least {
            (least, border) = (gained, Some(place));
        }
    }
    border
}

#[cfg(test)]
mod tests {
    use super::super::Word;
    use super::*;

    /// A text of `words` words; sentences begin at those in `sentences`.
    fn text(words: usize, sentences: &[usize]) -> Words {
        let word = |i: usize| {
            let begins_sentence = sentences.contains(&i);
            Word { start: i as u32, end: i as u32 + 1, form: 0, stem: 0, begins_sentence, is_common: false }
        };
        Words::new((0..words).map(word).collect())
    }

    fn found(signs: &str, sentences: &[usize]) -> Vec<(usize, usize)> {
        let score = |sign| if sign == '+' { (2.0, true) } else { (-1.0, false) };
        let scores: Vec<(f32, bool)> = signs.chars().map(score).collect();
        segments(&scores, &text(100, sentences), 10)
            .into_iter()
            .map(|segment| (segment.words.start, segment.words.end))
            .collect()
    }

    #[test]
    fn a_segment_bridges_a_gap_that_both_sides_outweigh() {
        assert_eq!(found("--++++-++++--", &[]), [(12, 21)]);
        assert_eq!(found("+++++++++++--------------++++++++++++", &[]), [(10, 47)]);
    }

    #[test]
    fn it_does_not_reach_over_a_long_one() {
        let around = |gap: usize| format!("{0}{1}{0}", "+".repeat(40), "-".repeat(gap));
        assert_eq!(found(&around(25), &[]), [(10, 115)]);
        assert_eq!(found(&around(40), &[]), [(10, 50), (90, 130)]);
    }

    #[test]
    fn a_gap_costs_less_than_its_words() {
        let score = |sign| (if sign == '+' { 2.0 } else { -1.0 }, false);
        let costs = |signs: &str| with_gaps(&signs.chars().map(score).collect::<Vec<_>>()).iter().sum::<f32>();
        assert!((costs("++++++++--------++++++++") - 24.0).abs() < 1e-4, "eight words are no gap yet");
        assert!((costs("++++++++----------------++++++++") - (32.0 - OPEN - 16.0 * EXTEND)).abs() < 1e-4);
    }

    #[test]
    fn it_begins_and_ends_with_a_sentence_if_that_costs_little() {
        assert_eq!(found("---+++++---", &[12, 19]), [(12, 19)]);
        assert_eq!(found("---+++++---", &[14]), [(13, 18)], "that would cost two nats");
        assert_eq!(found("-----+++++-----", &[12, 24]), [(15, 20)]);
    }
}
