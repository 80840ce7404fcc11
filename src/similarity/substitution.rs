//! Detects two texts that differ by one word replaced throughout.
//!
//! Examples are the manual pages of two commands, the read-me files of two crates, a licence and its twin: the
//! words are the same but for the name of their subject. The Jaccard coefficient takes them for versions of one
//! text; a reader does not. Edits hardly ever replace the same word by the same other word twice, so either of
//! two signs is enough:
//!
//! - *swap*: a word occurs three times or more in one text and never in the other, and vice versa;
//! - *substitution*: where the texts differ ([`differences`]), the same word stands twice or more in the place of the
//!   same other word, and these are at least half of all occurrences of either in its text.
//!
//! Cost: that of finding the differences, and the words of both texts for each word that may be replaced.

use std::collections::HashMap;
use std::ops::Range;

use super::BREAK;
use super::contained::is_same_word;
use super::diff::{Difference, differences};

/// Minimum occurrences of a word that the other text lacks, for a swap.
const SWAPPED: usize = 3;

/// Minimum number of places at which the same word replaces the same other one.
const REPEATED: usize = 2;

/// Longest run of words that replaces as many others, in words.
const LONGEST_RUN: usize = 3;

/// True if one word is replaced by another throughout: the texts are about different things. Both are lists of
/// kept words, in the order of the text.
pub(crate) fn is_substituted(a: &[u32], b: &[u32]) -> bool {
    let runs = differences(a, b);
    is_swapped(a, b, &runs) || has_substitution(a, b, &runs)
}

/// True if each text has a word that is frequent in it and that the other lacks.
fn is_swapped(a: &[u32], b: &[u32], runs: &[Difference]) -> bool {
    has_own(a, b, runs.iter().map(|(here, _)| here.clone()))
        && has_own(b, a, runs.iter().map(|(_, there)| there.clone()))
}

/// True if a word occurs [`SWAPPED`] times or more in a text and never in the other: all its places are in `differing`.
fn has_own(text: &[u32], other: &[u32], differing: impl Iterator<Item = Range<usize>>) -> bool {
    let mut words: Vec<u32> = differing.flat_map(|run| &text[run]).map(|&word| hash(word)).collect();
    words.sort_unstable();
    let mut frequent = words.chunk_by(|a, b| a == b).filter(|same| same.len() >= SWAPPED);
    frequent.any(|same| count(other, same[0]) == 0)
}

fn has_substitution(a: &[u32], b: &[u32], runs: &[Difference]) -> bool {
    let mut pairs: HashMap<(u32, u32), usize> = HashMap::new();
    for (here, there) in replaced(runs) {
        for pair in a[here.clone()].iter().zip(&b[there.clone()]) {
            *pairs.entry((hash(*pair.0), hash(*pair.1))).or_default() += 1;
        }
    }
    let mut repeated = pairs.into_iter().filter(|&(_, times)| times >= REPEATED);
    repeated.any(|((x, y), times)| 2 * times >= count(a, x).max(count(b, y)))
}

/// The runs of words of A that are replaced in B by as many words, [`LONGEST_RUN`] at most.
fn replaced(runs: &[Difference]) -> impl Iterator<Item = &Difference> {
    runs.iter().filter(|(here, there)| here.len() == there.len() && here.len() <= LONGEST_RUN)
}

/// A kept word whatever ends behind it.
fn hash(word: u32) -> u32 {
    word & !BREAK
}

/// Number of occurrences of a word.
fn count(words: &[u32], word: u32) -> usize {
    words.iter().filter(|&&other| is_same_word(other, word)).count()
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

    proptest! {
        #[test]
        fn what_is_replaced_differs(a in prop::collection::vec(0u32..6, 0..40), b in prop::collection::vec(0u32..6, 0..40)) {
            let [a, b] = [a, b].map(|words| words.into_iter().map(|word| 2 * word).collect::<Vec<_>>());
            for (here, there) in replaced(&differences(&a, &b)) {
                prop_assert!(here.clone().zip(there.clone()).all(|(i, j)| a[i] != b[j]));
            }
            prop_assert_eq!(is_substituted(&a, &b), is_substituted(&b, &a));
        }
    }
}
