//! The runs of words in which two texts differ.
//!
//! Texts that differ in few words are compared by the greedy algorithm of Myers, which finds a shortest list of
//! insertions and deletions. If these are too many for their texts ([`most_edits`]), the differences are found between
//! anchors: runs of three words that occur once in each text, in the same order, as in patience diff (B. Cohen). Texts
//! that repeat themselves have few anchors, so of these only part may be told.
//!
//! Cost: O(n) in the words of texts with few differences, O(n log n) and at most 100 steps a word between anchors else.
//!
//! Source: E. W. Myers, *An O(ND) Difference Algorithm and Its Variations*, 1986.

use std::ops::Range;

use super::BREAK;
use super::contained::is_same_word;

/// A run of words of each text, one in the place of the other; one of them may be empty.
pub type Difference = (Range<usize>, Range<usize>);

/// Longest stretch between anchors, in words, that is compared all with all.
const MAX_GAP: usize = 100;

/// Number of steps of the greedy algorithm for each word of both texts: it then costs less than looking for anchors.
const STEPS: usize = 8;

/// Number of marks of words by which texts are told apart that differ in more.
const MARKS: usize = 4096;

/// Greatest number of edits that the greedy algorithm looks for, in 8 MiB.
const MOST_EDITS: usize = 2048;

/// The differences of two lists of kept words, in order; the same whichever of the two is the first.
pub fn differences(a: &[u32], b: &[u32]) -> Vec<Difference> {
    if (a.len(), a) > (b.len(), b) {
        let turned = differences_of(b, a).into_iter();
        return turned.map(|(here, there)| (there, here)).collect();
    }
    differences_of(a, b)
}

fn differences_of(a: &[u32], b: &[u32]) -> Vec<Difference> {
    let most = most_edits(a.len() + b.len());
    let few = (least_edits(a, b) <= most).then(|| greedy(a, b, most)).flatten();
    few.unwrap_or_else(|| {
        let [a, b] = [a, b].map(|words| words.iter().map(|word| word & !BREAK).collect::<Vec<_>>());
        between_anchors(&a, &b)
    })
}

/// The number of edits for which the greedy algorithm takes [`STEPS`] for each of these words: half its square.
fn most_edits(words: usize) -> usize {
    (2 * STEPS * words).isqrt().min(MOST_EDITS)
}

/// A number of edits that two texts differ in at least: the words of each without their like in the other, but for words that
/// share their mark with another.
fn least_edits(a: &[u32], b: &[u32]) -> usize {
    let mark = |word: u32| ((word & !BREAK) >> 1) as usize % MARKS;
    let missing = |words: &[u32], in_other: &[u32]| {
        let mut marks = [false; MARKS];
        for &word in in_other {
            marks[mark(word)] = true;
        }
        words.iter().filter(|&&word| !marks[mark(word)]).count()
    };
    missing(a, b) + missing(b, a)
}

/// The differences by a shortest list of insertions and deletions; `None` if it has more than `most`.
///
/// A diagonal is the place in A minus that in B. For each number of edits, the furthest place in A is found on every
/// diagonal that so many edits lead to.
fn greedy(a: &[u32], b: &[u32], most: usize) -> Option<Vec<Difference>> {
    let first = equal(a, b);
    if [first; 2] == [a.len(), b.len()] {
        return Some(Vec::new());
    }
    let mut paths = Paths { ends: [a.len(), b.len()], furthest: vec![first as u32 + 1] };
    for edits in 1..=most {
        let row = paths.furthest.len();
        paths.furthest.resize(row + edits + 1, 0);
        let (before, row) = paths.furthest.split_at_mut(row);
        let before = &before[before.len() - edits..];
        let mut left = 0;
        for (step, furthest) in row.iter_mut().enumerate() {
            let right = before.get(step).copied().unwrap_or(0);
            let next = next(paths.ends, [left, right], edits, step);
            left = right;
            let Some((x, _)) = next else { continue };
            let y = in_b(x, edits, step);
            let end = x + equal(&a[x..], &b[y..]);
            *furthest = end as u32 + 1;
            if [end, in_b(end, edits, step)] == paths.ends {
                return Some(paths.traced(edits, step));
            }
        }
    }
    None
}

/// The paths of the greedy algorithm through two texts.
struct Paths {
    /// The numbers of words of A and B.
    ends: [usize; 2],
    /// For each number of edits d, the furthest places on the diagonals −d, −d + 2, …, d, numbered from 0, each plus one;
    /// 0 for a diagonal that so many edits do not lead to.
    furthest: Vec<u32>,
}

/// The place in B that belongs to a place in A.
fn in_b(x: usize, edits: usize, step: usize) -> usize {
    x + edits - 2 * step
}

impl Paths {
    /// [`next`] after so many edits.
    fn next(&self, edits: usize, step: usize) -> Option<(usize, bool)> {
        let row = edits * (edits - 1) / 2;
        let left = if step > 0 { self.furthest[row + step - 1] } else { 0 };
        let right = if step < edits { self.furthest[row + step] } else { 0 };
        next(self.ends, [left, right], edits, step)
    }

    /// The differences on the path to the end of both texts, which so many edits led to.
    fn traced(&self, mut edits: usize, mut step: usize) -> Vec<Difference> {
        let (mut runs, mut end): (Vec<Difference>, _) = (Vec::new(), self.ends);
        while edits > 0
            && let Some((x, is_deleted)) = self.next(edits, step)
        {
            let y = in_b(x, edits, step);
            // The words from here to the end are equal; before them, one differs.
            let start = if is_deleted { [x - 1, y] } else { [x, y - 1] };
            match runs.last_mut() {
                Some((here, there)) if [here.start, there.start] == [x, y] && end == [x, y] => {
                    [here.start, there.start] = start;
                }
                _ => runs.push((start[0]..x, start[1]..y)),
            }
            end = start;
            step -= usize::from(is_deleted);
            edits -= 1;
        }
        runs.reverse();
        runs
    }
}

/// The furthest place on a diagonal right after the last of these edits, of which there is at least one, and true if that
/// left out a word of A; given the furthest places on the diagonals beside it before that edit, as [`Paths`] has them.
#[inline]
fn next([most_x, most_y]: [usize; 2], [left, right]: [u32; 2], edits: usize, step: usize) -> Option<(usize, bool)> {
    let (left, right) = (left as usize, right as usize);
    let deleted = if left == 0 || left > most_x { 0 } else { left + 1 };
    let inserted = if right + edits > most_y + 1 + 2 * step { 0 } else { right };
    Some((deleted.max(inserted).checked_sub(1)?, deleted >= inserted))
}

/// Number of equal words with which two lists begin; eight are compared at a time.
fn equal(a: &[u32], b: &[u32]) -> usize {
    // As on most diagonals.
    if a.first().zip(b.first()).is_none_or(|(a, b)| !is_same_word(*a, *b)) {
        return 0;
    }
    // Without a branch, so that compilers make vectors of it.
    let are_same =
        |(a, b): &(&[u32; 8], &[u32; 8])| a.iter().zip(*b).fold(true, |same, (a, b)| same & is_same_word(*a, *b));
    let eights = 8 * a.as_chunks().0.iter().zip(b.as_chunks().0).take_while(are_same).count();
    eights + a[eights..].iter().zip(&b[eights..]).take_while(|(a, b)| is_same_word(**a, **b)).count()
}

/// The differences between anchors, of hashes alone.
fn between_anchors(a: &[u32], b: &[u32]) -> Vec<Difference> {
    let mut runs = Vec::new();
    let (mut i, mut j) = (0, 0);
    let ends = std::iter::once((a.len(), b.len()));
    for (x, y) in anchors(a, b).into_iter().chain(ends) {
        // The anchor lies inside the previous run in one of the texts.
        if x < i || y < j {
            continue;
        }
        gap(a, b, (i..x, j..y), &mut runs);
        (i, j) = (x, y);
        while i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
        }
    }
    runs
}

/// The places of the anchors in both texts: runs of three words that occur once in each, in the same order.
fn anchors(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let (here, there) = (once(a), once(b));
    let mut there = there.as_slice();
    let mut both = Vec::new();
    for x in here {
        let before = there.iter().take_while(|&&y| run(y) < run(x)).count();
        there = &there[before..];
        if let Some(&y) = there.first().filter(|&&y| run(y) == run(x)) {
            both.push((place(x), place(y)));
        }
    }
    both.sort_unstable();
    ascending(&both)
}

/// The runs of three words that occur once, sorted: each with its [place](place) as one number, which sorts faster
/// than a tuple.
fn once(words: &[u32]) -> Vec<u128> {
    let number = |(place, words): (usize, &[u32])| {
        words.iter().fold(0, |run: u128, &word| run << 32 | u128::from(word)) << 32 | place as u128
    };
    let mut runs: Vec<u128> = words.windows(3).enumerate().map(number).collect();
    runs.sort_unstable();
    let once = runs.chunk_by(|&a, &b| run(a) == run(b)).filter(|same| same.len() == 1);
    once.map(|same| same[0]).collect()
}

/// The words of a run.
fn run(number: u128) -> u128 {
    number >> 32
}

/// The place of a run in its text.
fn place(number: u128) -> usize {
    (number & 0xffff_ffff) as usize
}

/// A longest sublist in which both places ascend, given pairs sorted by the first.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the smallest second place that ends a list of that length (patience
    // sorting).
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, &(_, y)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < y);
        before.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut list: Vec<_> = std::iter::successors(ends.last().copied(), |&at| before[at]).map(|at| pairs[at]).collect();
    list.reverse();
    list
}

/// Adds the differing runs between two anchors.
fn gap(a: &[u32], b: &[u32], (here, there): Difference, runs: &mut Vec<Difference>) {
    let common = if here.len().max(there.len()) <= MAX_GAP {
        common(&a[here.clone()], &b[there.clone()])
    } else if here.len() == there.len() {
        // Too long to compare all with all; with equal lengths, words most likely correspond place by place.
        (0..here.len()).filter(|&at| a[here.start + at] == b[there.start + at]).map(|at| (at, at)).collect()
    } else {
        Vec::new()
    };
    let end = std::iter::once((here.len(), there.len()));
    let (mut i, mut j) = (0, 0);
    for (x, y) in common.into_iter().chain(end) {
        if i < x || j < y {
            runs.push((here.start + i..here.start + x, there.start + j..there.start + y));
        }
        (i, j) = (x + 1, y + 1);
    }
}

/// The places of a longest common subsequence of two short lists, in order.
fn common(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut lengths = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            let at = i * width + j;
            lengths[at] =
                if a[i] == b[j] { lengths[at + width + 1] + 1 } else { lengths[at + width].max(lengths[at + 1]) };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut places = Vec::new();
    while i < a.len() && j < b.len() {
        let at = i * width + j;
        if a[i] == b[j] {
            places.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if lengths[at + width] >= lengths[at + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words() -> impl Strategy<Value = Vec<u32>> {
        prop::collection::vec((0u32..6).prop_map(|word| word << 1), 0..40)
    }

    /// The words of A that are in no difference, which must be the same as those of B.
    fn kept(a: &[u32], b: &[u32], runs: &[Difference]) -> usize {
        let mut rest = [a, b].map(<[u32]>::to_vec);
        for (here, there) in runs.iter().rev() {
            rest[0].drain(here.clone());
            rest[1].drain(there.clone());
        }
        assert_eq!(rest[0], rest[1]);
        rest[0].len()
    }

    proptest! {
        /// The plain twin of the greedy algorithm compares all with all.
        #[test]
        fn the_greedy_algorithm_keeps_as_many_words_as_can_be(a in words(), b in words()) {
            let found = greedy(&a, &b, a.len() + b.len()).unwrap();
            prop_assert_eq!(kept(&a, &b, &found), common(&a, &b).len());
            prop_assert!(found.windows(2).all(|runs| runs[0].0.end < runs[1].0.start && runs[0].1.end < runs[1].1.start));
            let edits: usize = found.iter().map(|(here, there)| here.len() + there.len()).sum();
            prop_assert!(greedy(&a, &b, edits).is_some());
            prop_assert!(edits == 0 || greedy(&a, &b, edits - 1).is_none());
            prop_assert!(least_edits(&a, &b) <= edits);
        }

        #[test]
        fn what_stands_between_differences_is_equal(a in words(), b in words()) {
            kept(&a, &b, &between_anchors(&a, &b));
            let found = differences(&a, &b);
            kept(&a, &b, &found);
            let turned: Vec<Difference> = differences(&b, &a).into_iter().map(|(here, there)| (there, here)).collect();
            prop_assert_eq!(found, turned);
        }

        #[test]
        fn places_ascend_and_are_equal(a in words(), b in words()) {
            let found = common(&a, &b);
            prop_assert!(found.iter().all(|&(i, j)| a[i] == b[j]));
            prop_assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            // The length must not depend on the order of the texts.
            prop_assert_eq!(found.len(), common(&b, &a).len());
        }

        #[test]
        fn lists_that_ascend_are_the_longest(seconds in prop::collection::vec(0usize..20, 0..12)) {
            let pairs: Vec<(usize, usize)> = seconds.iter().copied().enumerate().collect();
            let list = ascending(&pairs);
            prop_assert!(list.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            let plain = (0u32..1 << pairs.len()).filter_map(|chosen| {
                let chosen: Vec<_> = (0..pairs.len()).filter(|&at| chosen >> at & 1 == 1).map(|at| pairs[at].1).collect();
                chosen.is_sorted_by(|a, b| a < b).then_some(chosen.len())
            });
            prop_assert_eq!(Some(list.len()), plain.max());
        }
    }

    #[test]
    fn breaks_are_no_differences() {
        assert_eq!(differences(&[2, 4, 6], &[2, 4 | BREAK, 6]), []);
        assert_eq!([[8, 10], [4 | BREAK, 4]].map(|b| least_edits(&[2, 4], &b)), [4, 1]);
        assert_eq!(differences(&[2, 4, 6], &[2, 8, 4, 6]), [(1..1, 1..2)]);
        assert_eq!(differences(&[2, 4, 6, 8], &[2, 10, 8]), [(1..3, 1..2)]);
    }
}
