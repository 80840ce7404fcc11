//! Pieces of one passage, chained across the text between them.
//!
//! A copy that was rewritten keeps some sentences nearly, others hardly, and leaves some out, so it is found in pieces. A
//! piece is chained to an earlier one by the text that lies between them in both texts: the words left out or inserted,
//! or the jump back if they changed places or overlap. With jumps of x and y words the gap is
//!
//! ```text
//!  ln(1 + x/16) + ln(1 + y/16)
//! ```
//!
//! the logarithm of the number of cells of 16 × 16 words in which a chance piece would stand as near. So it grows slowly,
//! and a gap in one text is much smaller than one in both. Three rules follow from it:
//! - A gap has a limit, however certain both sides are: 1.85 between verbatim pieces, which beyond it are two copies with
//!   other text between them, and up to 5 as the share of words that they keep falls to three fourths.
//! - A piece whose words in the second text are those of the piece before, such as a summary behind a quotation, has no gap
//!   in it, and the limit of verbatim pieces in the first. Whoever goes on in the words of a subject meets some again, so
//!   each of the two must be a piece even after the cost of the gap.
//! - A gap has a cost, which what stands on either side must outweigh: at its limit that of a whole passage, 25 nats. So
//!   a weak piece is chained only if it is near.
//!
//! The best chain is found by dynamic programming over the pieces in the order of the first text. Of 156 neighbouring
//! pieces of one labelled copy nearly all are in order, with at most 43 words between them in one text, but half of them
//! with more than 50 in the other, up to 740; of 34 neighbours of different copies half are out of order.
//!
//! Cost: [`REPEATS`] steps for each piece.
//!
//! Source: collinear chaining with concave gap costs (Myers and Miller, *Chaining Multiple-Alignment Fragments in
//! Sub-Quadratic Time*, SODA 1995); the number of chance pieces in a search space is that of Karlin and Altschul (1990).

use std::cmp::Reverse;

use libm::log1pf;

use super::Passage;
use super::pair::common;
use super::passage_keys::REPEATS;

/// Size of a cell, in words: pieces nearer than this are neighbours.
const CELL: f32 = 16.0;

/// Score, in nats, that most passages have. The widest gap costs as much, and a repeat is noted from it on.
pub(super) const WHOLE: f32 = 25.0;

/// Maximum gap between verbatim pieces: 24 words in both texts, or 85 in one.
const VERBATIM: f32 = 1.85;

/// Maximum gap between disguised pieces: 178 words in both texts, or 2,358 in one.
const DISGUISED: f32 = 5.0;

/// Minimum score, in nats, of a piece of a passage. Pieces are chained before it is asked whether they count.
pub(super) const PIECE: f32 = 8.0;

/// Share of words lost beyond which pieces and passages count as disguised.
pub(super) const LOST: f32 = 0.25;

/// The chains of these pieces, each as one passage, in the order of the first text.
pub(super) fn chained(mut pieces: Vec<Passage>) -> Vec<Passage> {
    pieces.sort_by_key(|piece| (piece.a.start, piece.b.start));
    // For each piece the best score of a chain that ends with it, and the piece before with the cost of the gap.
    let mut chains: Vec<(f32, Option<(usize, f32)>)> = Vec::with_capacity(pieces.len());
    for (at, piece) in pieces.iter().enumerate() {
        let mut best = (piece.score, None);
        // Pieces that stand elsewhere in the second text may lie between.
        for before in at.saturating_sub(REPEATS)..at {
            let Some(cost) = cost_between(&pieces[before], piece) else { continue };
            let score = chains[before].0 - cost + piece.score;
            if score > best.0 {
                best = (score, Some((before, cost)));
            }
        }
        chains.push(best);
    }
    let mut best_first: Vec<usize> = (0..pieces.len()).collect();
    best_first.sort_by(|&x, &y| chains[y].0.total_cmp(&chains[x].0).then(x.cmp(&y)));
    let mut pieces: Vec<Option<Passage>> = pieces.into_iter().map(Some).collect();
    let mut found: Vec<Passage> = Vec::new();
    for last in best_first {
        let Some(mut passage) = pieces[last].take() else { continue };
        let mut at = last;
        while let Some((before, cost)) = chains[at].1
            && let Some(piece) = pieces[before].take()
        {
            join(&mut passage, piece);
            passage.score -= cost;
            at = before;
        }
        found.push(passage);
    }
    found.sort_by_key(|passage| (passage.a.start, passage.b.start, Reverse(passage.a.end)));
    found
}

/// Adds another passage to one: its words in both texts, its score, and its other places.
pub(super) fn join(passage: &mut Passage, other: Passage) {
    for (mine, other) in [(&mut passage.a, other.a), (&mut passage.b, other.b)] {
        *mine = mine.start.min(other.start)..mine.end.max(other.end);
    }
    passage.score += other.score;
    passage.best = passage.best.max(other.best);
    if other.probability > passage.probability {
        (passage.probability, passage.evidence) = (other.probability, other.evidence);
    }
    passage.matched.extend(other.matched);
    passage.matched.sort_unstable();
    passage.matched.dedup_by_key(|pair| pair.0);
    passage.elsewhere.extend(other.elsewhere);
    passage.elsewhere.sort_unstable_by_key(|place| (place.start, place.end));
}

/// Lengths of the runs of matched words that are consecutive in both texts.
fn runs(matched: &[(u32, u32)]) -> impl Iterator<Item = usize> {
    matched.chunk_by(|x, y| x.0 + 1 == y.0 && x.1 + 1 == y.1).map(<[_]>::len)
}

/// Length of the longest of these runs.
pub(super) fn longest_run(matched: &[(u32, u32)]) -> usize {
    runs(matched).max().unwrap_or(0)
}

/// Number of words in those of at least `least` words.
pub(super) fn words_in_runs(matched: &[(u32, u32)], least: usize) -> usize {
    runs(matched).filter(|&length| length >= least).sum()
}

/// Cost of the gap between a piece and a later one, in nats; none if it is too wide for one passage.
fn cost_between(x: &Passage, y: &Passage) -> Option<f32> {
    let jump = |before: usize, after: usize| after as f32 - before as f32;
    let (mut a, mut b) = (jump(x.a.end, y.a.start), jump(x.b.end, y.b.start));
    // Pieces that overlap alike in both texts have no gap.
    let both = a.max(b).min(0.0);
    (a, b) = (a - both, b - both);
    let repeats = 2 * common(&x.b, &y.b) > x.b.len().min(y.b.len());
    if repeats {
        b = 0.0;
    }
    let gap = log1pf(a.abs() / CELL) + log1pf(b.abs() / CELL);
    // A weak piece beside a verbatim one says little about how the copy was made.
    let kept = |piece: &Passage| piece.matched.len() as f32 / piece.a.len().max(piece.b.len()) as f32;
    let kept = (kept(x) * x.score + kept(y) * y.score) / (x.score + y.score);
    let disguised = if repeats { 0.0 } else { ((1.0 - kept) / LOST).clamp(0.0, 1.0) };
    let limit = VERBATIM + (DISGUISED - VERBATIM) * disguised;
    let cost = WHOLE * gap / limit;
    (gap <= limit && (!repeats || x.score.min(y.score) - cost >= PIECE)).then_some(cost)
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::*;

    /// A piece with a counterpart for every `each`-th word.
    fn piece(a: Range<usize>, b: usize, score: f32, each: usize) -> Passage {
        let matched = a.clone().step_by(each).map(|word| (word as u32, (b + word - a.start) as u32)).collect();
        Passage { b: b..b + a.len(), a, score, matched, ..Passage::default() }
    }

    fn found(pieces: Vec<Passage>) -> Vec<(Range<usize>, Range<usize>)> {
        chained(pieces).into_iter().map(|passage| (passage.a, passage.b)).collect()
    }

    #[test]
    fn verbatim_copies_with_other_text_between_stay_two() {
        let two = |a: usize, b: usize, each| {
            found(vec![piece(100..200, 300, 90.0, each), piece(200 + a..300 + a, 400 + b, 90.0, each)]).len()
        };
        assert_eq!([two(24, 24, 1), two(50, 0, 1), two(0, 50, 1)], [1, 1, 1]);
        assert_eq!([two(40, 40, 1), two(150, 0, 1), two(0, 150, 1)], [2, 2, 2]);
        // A rewritten copy may leave out a page.
        assert_eq!([two(150, 150, 2), two(10, 700, 2), two(200, 200, 2)], [1, 1, 2]);
    }

    #[test]
    fn pieces_that_changed_places_are_one_if_they_are_near() {
        let swapped =
            |apart: usize| found(vec![piece(100..130, 340 + apart, 60.0, 2), piece(130..160, 310, 60.0, 2)]).len();
        assert_eq!([swapped(0), swapped(4000)], [1, 2]);
    }

    #[test]
    fn a_second_copy_of_the_same_words_is_joined_if_it_is_near() {
        let again = |gap: usize| found(vec![piece(100..200, 300, 90.0, 1), piece(200 + gap..260 + gap, 310, 40.0, 2)]);
        assert_eq!((again(10), again(400).len()), (vec![(100..270, 300..400)], 2));
        // A few of the words again, some lines below, are no part of the copy.
        let some = |score| found(vec![piece(100..200, 300, 90.0, 1), piece(240..260, 310, score, 2)]).len();
        assert_eq!([some(18.0), some(30.0)], [2, 1]);
    }

    #[test]
    fn a_weak_piece_is_chained_only_if_it_is_near() {
        let beside = |gap: usize, score| {
            found(vec![piece(100..200, 300, 90.0, 2), piece(200 + gap..220 + gap, 400 + gap, score, 2)]).len()
        };
        assert_eq!([beside(10, 9.0), beside(60, 9.0), beside(60, 20.0)], [1, 2, 1]);
        // Several may bridge a gap that one could not.
        let near = vec![
            piece(100..200, 300, 90.0, 2),
            piece(210..230, 410, 9.0, 2),
            piece(240..260, 440, 9.0, 2),
            piece(270..290, 470, 9.0, 2),
        ];
        assert_eq!(found(near), [(100..290, 300..490)]);
    }

    #[test]
    fn what_stands_elsewhere_in_the_second_text_does_not_come_between() {
        let pieces = vec![piece(100..160, 300, 21.0, 2), piece(150..172, 2000, 9.0, 2), piece(170..200, 370, 15.0, 2)];
        assert_eq!(found(pieces), [(100..200, 300..400), (150..172, 2000..2022)]);
    }

    proptest! {
        /// Each piece is in one chain, and the order in which pieces were found does not matter.
        #[test]
        fn pieces_are_divided_among_chains(
            pieces in prop::collection::vec((0usize..900, 20usize..90, 0usize..900, 8u16..60, 1usize..4), 0..12),
        ) {
            let mut pieces: Vec<Passage> = pieces
                .into_iter()
                .map(|(a, length, b, score, each)| piece(a..a + length, b, f32::from(score), each))
                .collect();
            let distinct = |x: &Passage, y: &Passage| (x.a.start, x.b.start) != (y.a.start, y.b.start);
            prop_assume!((1..pieces.len()).all(|at| pieces[..at].iter().all(|piece| distinct(piece, &pieces[at]))));
            let chains = chained(pieces.clone());
            for piece in &pieces {
                let holds = |chain: &&Passage| {
                    chain.a.start <= piece.a.start && chain.a.end >= piece.a.end && chain.b.start <= piece.b.start
                };
                prop_assert!(chains.iter().any(|chain| holds(&chain)));
            }
            let (scores, all): (f32, f32) =
                (chains.iter().map(|chain| chain.score).sum(), pieces.iter().map(|piece| piece.score).sum());
            prop_assert!(scores <= all + 1e-3);
            pieces.reverse();
            prop_assert_eq!(chained(pieces), chains);
        }
    }
}
