//! Detects two texts that differ by one word replaced throughout.
//!
//! Examples are the manual pages of two commands, the read-me files of two crates, a licence and its twin: the
//! words are the same but for the name of their subject. The Jaccard coefficient takes them for versions of one
//! text; a reader does not. Edits hardly ever replace the same word by the same other word twice, so either of
//! two signs is enough:
//!
//! - *swap*: a word occurs three times or more in one text and never in the other, and vice versa;
//! - *substitution*: where the texts differ, the same word stands twice or more in the place of the same other
//!   word, and these are at least half of all occurrences of either in its text.
//!
//! The differences are found between anchors: runs of three words that occur once in each text, in the same
//! order, as in patience diff (B. Cohen). Texts that repeat themselves have few anchors; a substitution in them
//! may go undetected.
//!
//! Cost: O(n log n) in the words, and at most 100 steps a word between anchors.

use std::collections::HashMap;
use std::ops::Range;

use super::BREAK;

/// Minimum occurrences of a word that the other text lacks, for a swap.
const SWAPPED: usize = 3;

/// Minimum number of places at which the same word replaces the same other one.
const REPEATED: usize = 2;

/// Longest run of words that replaces as many others, in words.
const LONGEST_RUN: usize = 3;

/// Longest stretch between anchors, in words, that is compared all with all.
const MAX_GAP: usize = 100;

/// True if one word is replaced by another throughout: the texts are about different things. Both are lists of
/// kept words, in the order of the text.
pub(crate) fn is_substituted(a: &[u32], b: &[u32]) -> bool {
    let [a, b] = [a, b].map(without_breaks);
    let (a, b) = (a.as_slice(), b.as_slice());
    if a == b {
        return false;
    }
    let (in_a, in_b) = (Counts::of(a), Counts::of(b));
    (in_a.lacks(&in_b) && in_b.lacks(&in_a)) || has_substitution(a, b, &in_a, &in_b)
}

/// The hashes of kept words alone.
fn without_breaks(words: &[u32]) -> Vec<u32> {
    words.iter().map(|word| word & !BREAK).collect()
}

/// The number of occurrences of each word, ordered by hash.
struct Counts(Vec<(u32, usize)>);

impl Counts {
    fn of(words: &[u32]) -> Self {
        let mut sorted = words.to_vec();
        sorted.sort_unstable();
        Self(sorted.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect())
    }

    fn get(&self, word: u32) -> usize {
        self.0.binary_search_by_key(&word, |&(word, _)| word).map_or(0, |at| self.0[at].1)
    }

    /// True if a word that is frequent in the other text does not occur in this one.
    fn lacks(&self, other: &Self) -> bool {
        other.0.iter().any(|&(word, count)| count >= SWAPPED && self.get(word) == 0)
    }
}

fn has_substitution(a: &[u32], b: &[u32], in_a: &Counts, in_b: &Counts) -> bool {
    let mut pairs: HashMap<(u32, u32), usize> = HashMap::new();
    for (here, there) in replaced(a, b) {
        for pair in a[here].iter().zip(&b[there]) {
            *pairs.entry((*pair.0, *pair.1)).or_default() += 1;
        }
    }
    pairs.iter().any(|(&(x, y), &count)| count >= REPEATED && 2 * count >= in_a.get(x).max(in_b.get(y)))
}

/// The runs of words of A that are replaced in B by as many words, [`LONGEST_RUN`] at most.
fn replaced(a: &[u32], b: &[u32]) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let is_short = |(here, there): &(Range<usize>, Range<usize>)| {
        here.len() == there.len() && (1..=LONGEST_RUN).contains(&here.len())
    };
    differences_of(a, b).into_iter().filter(is_short)
}

/// The runs of kept words in which two texts differ, as places in both, in order; a run may be empty in one of them.
pub(crate) fn differences(a: &[u32], b: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
    let [a, b] = [a, b].map(without_breaks);
    differences_of(&a, &b)
}

/// The same for hashes alone.
fn differences_of(a: &[u32], b: &[u32]) -> Vec<(Range<usize>, Range<usize>)> {
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
fn gap(
    a: &[u32],
    b: &[u32],
    (here, there): (Range<usize>, Range<usize>),
    runs: &mut Vec<(Range<usize>, Range<usize>)>,
) {
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

    /// Each word as its place in the list of distinct words seen so far.
    fn words(texts: [&str; 2]) -> [Vec<u32>; 2] {
        let mut seen: Vec<String> = Vec::new();
        texts.map(|text| {
            text.split_whitespace()
                .map(|word| {
                    let known = seen.iter().position(|other| other == word);
                    known.unwrap_or_else(|| {
                        seen.push(word.to_owned());
                        seen.len() - 1
                    }) as u32
                        * 2
                })
                .collect()
        })
    }

    fn holds(a: &str, b: &str) -> bool {
        let [a, b] = words([a, b]);
        assert_eq!(is_substituted(&a, &b), is_substituted(&b, &a));
        is_substituted(&a, &b)
    }

    const PAGE: &str = "ls lists what is in a folder unless ls is told otherwise and prints the names one in a line";

    #[test]
    fn a_name_put_for_another_throughout_is_told_from_edits() {
        assert!(!holds(PAGE, PAGE));
        assert!(holds(PAGE, &PAGE.replace("ls ", "dir ")));
        // One replaced place is an edit; so are different replacements of one word.
        assert!(!holds(PAGE, &PAGE.replacen("ls ", "dir ", 1)));
        assert!(!holds(PAGE, &PAGE.replacen("ls ", "dir ", 1).replacen("ls ", "cat ", 1)));
        // Two places of five are too few.
        let more = format!("{PAGE} and ls or ls or ls");
        assert!(!holds(&more, &more.replacen("ls ", "dir ", 2)));
    }

    #[test]
    fn a_swap_needs_no_places() {
        let [a, b] = ["ls ls ls", "dir dir dir"].map(|names| format!("one {names} two"));
        assert!(holds(&a, &b));
        // An inserted paragraph is no swap.
        assert!(!holds(PAGE, &format!("{PAGE} with more and more and more of it")));
    }

    #[test]
    fn runs_of_words_stand_for_as_many() {
        let text = "the iso 8859 4 set and its codes are told here since iso 8859 4 is not known to all who read";
        assert!(holds(text, &text.replace("8859 4", "8859 10")));
        assert!(holds(text, &text.replace("iso 8859 4", "koi 8 r")));
    }

    /// The length of a longest common subsequence.
    fn plain_common(a: &[u32], b: &[u32]) -> usize {
        common(a, b).len()
    }

    proptest! {
        #[test]
        fn places_ascend_and_are_equal(a in prop::collection::vec(0u32..6, 0..40), b in prop::collection::vec(0u32..6, 0..40)) {
            let found = common(&a, &b);
            prop_assert!(found.iter().all(|&(i, j)| a[i] == b[j]));
            prop_assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            // The length must not depend on the order of the texts.
            prop_assert_eq!(plain_common(&a, &b), plain_common(&b, &a));
            for (here, there) in replaced(&a, &b) {
                prop_assert!(here.len() == there.len() && (1..=LONGEST_RUN).contains(&here.len()));
                prop_assert!(here.end <= a.len() && there.end <= b.len());
                prop_assert!(here.zip(there).all(|(i, j)| a[i] != b[j]));
            }
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
}
