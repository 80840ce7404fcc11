//! Counterparts that have another stem: `балет` and `балетный`, `subproblem` and `sub problem`, `water` and `w4ter`.
//!
//! They are looked for only in gaps of a few words between two matched words, in both texts: elsewhere words that begin
//! alike are different words. They count as words of the same stem.
//!
//! Cost: linear in the matched words.

use std::ops::Range;

use super::Text;
use crate::align::Passage;
use crate::text::disguises::differ_in_digits;

/// Maximum length of a gap, in words of either text.
const GAP: u32 = 3;

/// Minimum length in letters of the common beginning of two words.
const PREFIX: usize = 5;

/// Share of the shorter word that the common beginning is at least, as a fraction.
const MOST: (usize, usize) = (3, 4);

/// Adds such counterparts to the matched words of a passage.
pub(super) fn add(a: &Text, b: &Text, passage: &mut Passage) {
    let mut found = Vec::new();
    for pair in passage.matched.windows(2) {
        let (gap_a, gap_b) = (pair[0].0 + 1..pair[1].0, pair[0].1 + 1..pair[1].1);
        let is_gap = |gap: &Range<u32>| !gap.is_empty() && gap.end - gap.start <= GAP;
        if is_gap(&gap_a) && is_gap(&gap_b) {
            let [here, there] = [(a, &gap_a), (b, &gap_b)].map(|(text, gap)| words(text, gap.clone()));
            let places = related(&here, &there).into_iter();
            found.extend(places.map(|(i, j)| (gap_a.start + i as u32, gap_b.start + j as u32)));
        }
    }
    passage.matched.extend(found);
    passage.matched.sort_unstable();
}

/// Words in lower case.
fn words(text: &Text, words: Range<u32>) -> Vec<String> {
    let bytes = |word: u32| text.words.bytes(word as usize..word as usize + 1);
    words.map(|word| text.text.get(bytes(word)).unwrap_or_default().to_lowercase()).collect()
}

/// The places of related words in two sequences, in order.
fn related(a: &[String], b: &[String]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut next = 0;
    for i in 0..a.len() {
        let place = (next..b.len()).find_map(|j| {
            let is_divided = |word: &str, parts: Option<&[String]>| parts.is_some_and(|parts| parts.concat() == word);
            if begin_alike(&a[i], &b[j]) || differ_in_digits(&a[i], &b[j]) || is_divided(&b[j], a.get(i..i + 2)) {
                Some((j, j + 1))
            } else {
                is_divided(&a[i], b.get(j..j + 2)).then_some((j, j + 2))
            }
        });
        if let Some((j, after)) = place {
            found.push((i, j));
            next = after;
        }
    }
    found
}

/// True if two words have most of the shorter one in common, at their beginnings.
fn begin_alike(x: &str, y: &str) -> bool {
    let common = x.chars().zip(y.chars()).take_while(|(x, y)| x == y && x.is_alphabetic()).count();
    let shorter = x.chars().count().min(y.chars().count());
    common >= PREFIX && common * MOST.1 >= shorter * MOST.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_begin_alike_or_are_divided_are_related() {
        let of = |a: &str, b: &str| {
            let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
            related(&words(a), &words(b))
        };
        assert_eq!(of("балетный", "балет"), [(0, 0)]);
        assert_eq!(of("small subproblems", "sub problems"), [(1, 0)]);
        assert_eq!(of("sub problems", "the subproblems"), [(0, 1)]);
        assert_eq!(of("many architects", "architecture"), [(1, 0)]);
        assert_eq!(of("the w4ter", "some water"), [(1, 1)]);
        assert_eq!(of("theatres architecture", "architects theatre"), [(0, 1)], "in order only");
        for (a, b) in [
            ("inter", "internal"),
            ("конец", "концерт"),
            ("20131", "201312"),
            ("interest", "internal"),
            ("sub", "problem"),
        ] {
            assert_eq!(of(a, b).len(), usize::from(a == "inter"), "{a} {b}");
        }
    }
}
