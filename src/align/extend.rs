//! Heads and tails of rewritten passages, found by the order of their words.
//!
//! The measure of the other modules takes a counterpart anywhere near, so a common word scores next to nothing. A copy
//! whose words were replaced one by one keeps the others in their order, and even a common word seldom stands in one
//! very place by chance. So both texts are aligned from the end of a passage outward, word by word, with gaps: the end
//! moves to where the sum of the scores is greatest, if that is [`LEAST`] or more. The same is done once more from
//! there, until nothing is gained.
//!
//! Only passages that keep less than three fourths of their words are extended; a near copy ends where its words
//! cease to match. Which passages count is decided before, so nothing becomes a passage by being extended. On the
//! labelled sets 99 % of the characters added belong to true passages.
//!
//! Cost: [`WIDTH`] steps for each word added, and for some 25 words beyond each end; 75 KB.
//!
//! Source: the gapped extension of BLAST (Altschul et al. 1997), affine gaps (Gotoh 1982).

use super::Passage;
use super::log_odds;
use super::matches::REACH;
use super::pair::{NONE, Pair, common};
use super::resolve::is_disguised;

/// Minimum sum of the scores of an extension, in nats.
const LEAST: f32 = 6.0;

/// Share of the words that the copy is assumed to keep there: the least that any passage is taken to keep.
const KEPT: f32 = log_odds::KEPT_WITHIN.0;

/// Cost of opening a gap, in nats: words inserted or left out at about one word of seven.
const OPEN: f32 = 2.0;

/// Additional cost of each word of a gap, in nats.
const EXTEND: f32 = 0.4;

/// Fall of the greatest sum of a row below the maximum, in nats, at which an alignment ends.
const DROP: f32 = 10.0;

/// Number of cells in a row: in one alignment the numbers of words of both texts differ by [`REACH`] at most, as a
/// counterpart lies no further from its place anywhere.
const WIDTH: usize = 2 * REACH + 1;

/// Maximum number of words of the first text in one alignment.
const MOST: usize = 512;

/// Extends rewritten passages at both ends, but not into their neighbours. Returns true if one was extended. Passages
/// must be sorted by their places in the first text.
pub(super) fn extend(pair: &Pair<'_>, passages: &mut [Passage]) -> bool {
    if !passages.iter().any(is_disguised) {
        return false;
    }
    let mut is_extended = false;
    // What many documents share is in no text's order by chance.
    let [own_a, own_b] = &pair.own_shared();
    let shared = [&**own_a, &**own_b];
    let (mut before_a, mut before_b) = (0, 0);
    for at in 0..passages.len() {
        let next = passages.get(at + 1).map(|next| (next.a.start, next.b.start));
        let passage = &mut passages[at];
        if is_disguised(passage) {
            let end_a = next.map_or(pair.a.len(), |next| next.0);
            let end_b = next.map(|next| next.1).filter(|&start| start >= passage.b.end).unwrap_or(pair.b.len());
            let start_b = if before_b <= passage.b.start { before_b } else { 0 };
            let matched = passage.matched.len();
            extend_tail(pair, shared, passage, end_a, end_b);
            extend_head(pair, shared, passage, before_a, start_b);
            is_extended |= passage.matched.len() > matched;
            let own = passage.b.clone();
            passage.elsewhere.retain(|place| common(place, &own) == 0);
            passage.matched.sort_unstable();
        }
        (before_a, before_b) = (before_a.max(passage.a.end), passage.b.end);
    }
    is_extended
}

/// Extends a passage to the right, up to these places of both texts.
fn extend_tail(pair: &Pair<'_>, shared: [&[u32]; 2], passage: &mut Passage, end_a: usize, end_b: usize) {
    while passage.a.end < end_a && passage.b.end < end_b {
        let (a, b) = (&shared[0][passage.a.end..end_a], &shared[1][passage.b.end..end_b]);
        let matched = aligned(pair, a.iter().copied(), b.iter().copied());
        let Some(&(i, j)) = matched.last() else { return };
        let (from_a, from_b) = (passage.a.end as u32, passage.b.end as u32);
        passage.matched.extend(matched.iter().map(|&(i, j)| (from_a + i, from_b + j)));
        passage.a.end += i as usize + 1;
        passage.b.end += j as usize + 1;
    }
}

/// Extends a passage to the left, down to these places of both texts.
fn extend_head(pair: &Pair<'_>, shared: [&[u32]; 2], passage: &mut Passage, start_a: usize, start_b: usize) {
    while start_a < passage.a.start && start_b < passage.b.start {
        let (a, b) = (&shared[0][start_a..passage.a.start], &shared[1][start_b..passage.b.start]);
        let matched = aligned(pair, a.iter().rev().copied(), b.iter().rev().copied());
        let Some(&(i, j)) = matched.last() else { return };
        let (to_a, to_b) = (passage.a.start as u32 - 1, passage.b.start as u32 - 1);
        passage.matched.extend(matched.iter().map(|&(i, j)| (to_a - i, to_b - j)));
        passage.a.start -= i as usize + 1;
        passage.b.start -= j as usize + 1;
    }
}

/// The last step of an alignment: a word of both texts, or of one, in a gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Both,
    First,
    Second,
}

const STEPS: [Step; 3] = [Step::Both, Step::First, Step::Second];

/// The greatest sums of the alignments that end in a cell, by their last step.
type Sums = [f32; 3];

const NOWHERE: Sums = [f32::NEG_INFINITY; 3];

/// For each step into a cell, the greatest sum and the step before. The cells before are given: by a word of both
/// texts, of the first, of the second.
fn into_cell(before: [Sums; 3], score: f32) -> (Sums, [Step; 3]) {
    let best = STEPS.map(|step| {
        let opens = |last| if step == Step::Both || step == last { 0.0 } else { OPEN };
        let ways = STEPS.map(|last| (before[step as usize][last as usize] - opens(last), last));
        let (sum, last) = ways[1..].iter().fold(ways[0], |best, way| if way.0 > best.0 { *way } else { best });
        (sum + if step == Step::Both { score } else { -EXTEND }, last)
    });
    (best.map(|best| best.0), best.map(|best| best.1))
}

/// The pairs of equal words in the best alignment of two sequences from their beginnings, by their numbers in the
/// sequences; none if its sum is less than [`LEAST`].
fn aligned(pair: &Pair<'_>, a: impl Iterator<Item = u32>, b: impl Iterator<Item = u32>) -> Vec<(u32, u32)> {
    let (a, b): (Vec<u32>, Vec<u32>) = (a.take(MOST).collect(), b.take(MOST + REACH).collect());
    let is_hit = |i: usize, j: usize| i > 0 && j > 0 && a[i - 1] == b[j - 1] && a[i - 1] != NONE;
    let hit = |i: usize| log_odds::hit(KEPT, log_odds::chance(pair.frequency_alone(a[i - 1]), 1.0));
    let mut rows: Vec<[[Step; 3]; WIDTH]> = Vec::new();
    let mut above = [NOWHERE; WIDTH];
    let (mut most, mut end) = (0.0, None);
    for i in 0..=a.len() {
        let (mut row, mut steps) = ([NOWHERE; WIDTH], [STEPS; WIDTH]);
        let mut highest = f32::NEG_INFINITY;
        for k in 0..WIDTH {
            // The cell of i words of the first text and j of the second.
            let Some(j) = (i + k).checked_sub(REACH).filter(|&j| j <= b.len()) else { continue };
            if i + j == 0 {
                row[k] = [0.0, f32::NEG_INFINITY, f32::NEG_INFINITY];
            } else {
                let cell = |row: &[Sums], k: Option<usize>| k.and_then(|k| row.get(k)).copied().unwrap_or(NOWHERE);
                let before = [above[k], cell(&above, Some(k + 1)), cell(&row, k.checked_sub(1))];
                let score = if is_hit(i, j) { hit(i) } else { log_odds::absent(KEPT) };
                (row[k], steps[k]) = into_cell(before, score);
            }
            if is_hit(i, j) && row[k][0] > most {
                (most, end) = (row[k][0], Some((i, k)));
            }
            highest = row[k].into_iter().fold(highest, f32::max);
        }
        rows.push(steps);
        above = row;
        if highest < most - DROP {
            break;
        }
    }
    end.filter(|_| most >= LEAST).map(|end| path(&rows, end, is_hit)).unwrap_or_default()
}

/// The equal words of the alignment that ends in a cell with a word of both texts.
fn path(rows: &[[[Step; 3]; WIDTH]], end: (usize, usize), is_hit: impl Fn(usize, usize) -> bool) -> Vec<(u32, u32)> {
    let (mut i, mut k) = end;
    let (mut step, mut matched) = (Step::Both, Vec::new());
    while (i, k) != (0, REACH) {
        let j = i + k - REACH;
        let last = rows[i][k][step as usize];
        match step {
            Step::Both => {
                if is_hit(i, j) {
                    matched.push((i as u32 - 1, j as u32 - 1));
                }
                i -= 1;
            }
            Step::First => (i, k) = (i - 1, k + 1),
            Step::Second => k -= 1,
        }
        step = last;
    }
    matched.reverse();
    matched
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::super::tests::words;
    use super::super::{Key, Words};
    use super::*;

    /// Two texts and a passage, words 200 to 260 of the first, of which every second one is kept in the second text.
    /// Of the 60 words before and after, only the common ones are: one in five.
    fn rewritten(change: impl Fn(&mut [u32])) -> ([Words; 2], Passage) {
        let common = |at: u32| at * 7 % 40;
        let text = |own: u32| move |at: u32| if at.is_multiple_of(5) { common(at) } else { own + at };
        let a: Vec<u32> = (0..600).map(text(1_000)).collect();
        let mut copy: Vec<u32> = (140..320).map(text(10_000)).collect();
        (60..120).step_by(2).for_each(|at| copy[at] = a[140 + at]);
        change(&mut copy);
        let b: Vec<u32> = (0..140).map(|at| 30_000 + at).chain(copy).chain((320..500).map(|at| 30_000 + at)).collect();
        let matched = (200..260).filter(|at| at % 2 == 0 || at % 5 == 0).map(|at| (at, at)).collect();
        let passage = Passage { a: 200..260, b: 200..260, score: 50.0, matched, ..Passage::default() };
        ([words(&a), words(&b)], passage)
    }

    fn extended([a, b]: &[Words; 2], mut passages: Vec<Passage>) -> Vec<(usize, usize)> {
        extend(&Pair::new(a, b, Key::Stem), &mut passages);
        assert!(passages.iter().all(|passage| passage.matched.is_sorted()));
        passages.into_iter().map(|passage| (passage.a.start, passage.a.end)).collect()
    }

    #[test]
    fn common_words_in_their_order_continue_a_rewritten_passage() {
        let (texts, passage) = rewritten(|_| ());
        assert_eq!(extended(&texts, vec![passage]), [(140, 316)]);
    }

    #[test]
    fn the_same_words_in_another_order_do_not() {
        let (texts, passage) = rewritten(|copy| {
            copy[..60].reverse();
            copy[120..].reverse();
        });
        assert_eq!(extended(&texts, vec![passage]), [(200, 260)]);
    }

    #[test]
    fn a_near_copy_is_not_extended() {
        let (texts, mut passage) = rewritten(|_| ());
        passage.matched = (200..260).map(|at| (at, at)).collect();
        assert_eq!(extended(&texts, vec![passage]), [(200, 260)]);
    }

    #[test]
    fn a_passage_ends_where_its_neighbour_begins() {
        let (texts, passage) = rewritten(|_| ());
        let at = |a: Range<usize>, b: Range<usize>| Passage {
            matched: a.clone().zip(b.clone()).map(|(i, j)| (i as u32, j as u32)).collect(),
            a,
            b,
            ..passage.clone()
        };
        let all = vec![at(100..172, 400..472), passage.clone(), at(287..350, 287..350)];
        assert_eq!(extended(&texts, all), [(100, 172), (175, 286), (287, 350)]);
    }

    proptest! {
        /// The alignment is the best chain of equal words; between two of them as many words as possible stand for each
        /// other, or are in gaps, whichever costs less.
        #[test]
        fn an_alignment_is_the_best_chain_of_equal_words(
            a in prop::collection::vec(0u32..8, 1..14),
            b in prop::collection::vec(0u32..8, 1..14),
        ) {
            let texts = [words(&a), words(&b)];
            let mut pair = Pair::new(&texts[0], &texts[1], Key::Stem);
            pair.frequencies.iter_mut().for_each(|frequency| *frequency = 0.05);
            let hit = log_odds::hit(KEPT, log_odds::chance(0.05, 1.0));
            let gap = |words: usize| if words == 0 { 0.0 } else { OPEN + EXTEND * words as f32 };
            let between = |i: usize, j: usize| {
                let cost = |put: usize| gap(i - put) + gap(j - put) - put as f32 * log_odds::absent(KEPT);
                (0..=i.min(j)).map(cost).fold(f32::INFINITY, f32::min)
            };
            let mut chains: Vec<(usize, usize, f32)> = Vec::new();
            for (i, j) in (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))).filter(|&(i, j)| a[i] == b[j]) {
                let before = chains.iter().filter(|chain| chain.0 < i && chain.1 < j);
                let longer = before.map(|chain| chain.2 - between(i - chain.0 - 1, j - chain.1 - 1));
                chains.push((i, j, hit + longer.fold(-between(i, j), f32::max)));
            }
            let best = chains.iter().map(|chain| chain.2).fold(0.0, f32::max);
            let found = aligned(&pair, pair.a.shared.iter().copied(), pair.b.shared.iter().copied());
            let (mut sum, mut next) = (0.0, (0, 0));
            for &(i, j) in &found {
                let (i, j) = (i as usize, j as usize);
                prop_assert_eq!(a[i], b[j]);
                sum += hit - between(i - next.0, j - next.1);
                next = (i + 1, j + 1);
            }
            prop_assert_eq!(found.is_empty(), best < LEAST, "{}", best);
            prop_assert!(found.is_empty() || (sum - best).abs() < 1e-3, "{} {}", sum, best);
        }
    }
}
