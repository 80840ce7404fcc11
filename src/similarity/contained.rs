//! Tells whether a text stands whole in another: everything that it says is there.
//!
//! The words of A must be those of B, in order, with stretches of B left out. A stretch that is left out begins and
//! ends where a sentence or a line does ([`BREAK`]), in both texts, so that no word is lost or added within a sentence:
//! "you may not copy" does not contain "you may copy". Before its first word A may lack a beginning of B that ends
//! with a break, and behind its last word any end of B, of
//! [`LEAST_CUT`] words or more, if A ends without the end of a sentence: it was cut off.
//!
//! ```text
//!  A   the tide comes in. it goes out again. at noon it is
//!  B   Tides. the tide comes in. nobody waits. it goes out again. at noon it is low.
//!      ------                    -------------                                  ~~~~ cut off
//! ```
//!
//! Short texts are never contained: from [`LONG_TEXT`](super::LONG_TEXT) words on what stands in another text is hardly
//! there by chance. Nor is one in pieces of fewer than [`LEAST_PIECE`] words on average: the lines of a long table make
//! up many a short one.
//!
//! Words are taken where they first fit, and the search returns at most [`PATIENCE`] times the length of both texts to
//! places already passed. So a text that repeats itself may go undetected, and none is detected that is not contained.
//!
//! Cost: O(|A| + |B|).

/// The bit of a kept word behind which a sentence or a line ends; the other bits are the word's hash.
pub const BREAK: u32 = 1;

/// Least average length of the pieces in which a text stands in another, in words.
const LEAST_PIECE: usize = 10;

/// Least number of words that a text was cut off from: a few words more at the end of a text may turn its meaning.
const LEAST_CUT: usize = 5;

/// Number of words looked at for each word of both texts, before the search gives up.
const PATIENCE: usize = 8;

/// True if two kept words are equal, whatever ends behind them.
#[inline]
pub(crate) fn is_same_word(a: u32, b: u32) -> bool {
    (a ^ b) & !BREAK == 0
}

/// True if a sentence or a line ends before this place.
#[inline]
fn is_break(words: &[u32], place: usize) -> bool {
    place == 0 || words[place - 1] & BREAK != 0
}

/// True if all that A says stands in B, given the kept words of both.
pub(crate) fn is_contained(a: &[u32], b: &[u32]) -> bool {
    if a.is_empty() || a.len() > b.len() {
        return false;
    }
    let mut left = PATIENCE * (a.len() + b.len());
    let (mut piece, mut from, mut pieces) = (0, 0, 0);
    // `a[piece..]` is looked for in `b[from..]`.
    while piece < a.len() {
        let Some((end, next)) = longest_first(a, b, piece, from, &mut left) else { return false };
        pieces += 1;
        (piece, from) = (end, next);
    }
    pieces * LEAST_PIECE <= a.len().max(LEAST_PIECE)
}

/// The first place of B from `from` on, at a break, where a piece of A begins that ends at a break of both texts or with
/// A; returns the ends of the longest such piece. `left` counts down the words that are looked at.
fn longest_first(a: &[u32], b: &[u32], piece: usize, from: usize, left: &mut usize) -> Option<(usize, usize)> {
    for start in (from..b.len()).filter(|&start| is_same_word(a[piece], b[start]) && is_break(b, start)) {
        let equal = a[piece..].iter().zip(&b[start..]).take_while(|(a, b)| is_same_word(**a, **b)).count();
        *left = left.checked_sub(equal)?;
        let is_end = |length: &usize| {
            let (in_a, in_b) = (piece + length, start + length);
            if in_a == a.len() {
                in_b == b.len() || is_break(b, in_b) || is_cut_off(a, &b[in_b..])
            } else {
                is_break(a, in_a) && is_break(b, in_b)
            }
        };
        if let Some(length) = (1..=equal).rev().find(is_end) {
            return Some((piece + length, start + length));
        }
    }
    None
}

/// True if a text ends without the end of a sentence and another goes on for some words.
fn is_cut_off(a: &[u32], rest: &[u32]) -> bool {
    !is_break(a, a.len()) && rest.len() >= LEAST_CUT
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The kept words of a text of words divided by spaces, in which `.` and `|` are breaks.
    fn kept(text: &str) -> Vec<u32> {
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            if matches!(word, "." | "|") {
                if let Some(last) = words.last_mut() {
                    *last |= BREAK;
                }
            } else {
                let hash = word.bytes().fold(7u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
                words.push(hash << 1);
            }
        }
        words
    }

    const TEXT: &str = "you may copy the text of this file to any place that you like and change it there . \
                        you must leave this notice in every copy that you hand on to others | \
                        nobody is liable for what comes of it in any country of the world .";

    fn holds(a: &str, b: &str) -> bool {
        is_contained(&kept(a), &kept(b))
    }

    #[test]
    fn a_text_with_more_before_between_and_behind_contains_it() {
        let [one, two, three] = <[&str; 3]>::try_from(TEXT.split_inclusive(['.', '|']).collect::<Vec<_>>()).unwrap();
        assert!(holds(TEXT, TEXT));
        assert!(holds(&[one, three].concat(), TEXT));
        assert!(holds(&[two, three].concat(), TEXT));
        assert!(holds(TEXT, &format!("a heading | {one} one more sentence . {two} {three} a footer")));
        // In another order something else may be meant.
        assert!(!holds(&[two, one, three].concat(), TEXT));
        assert!(!holds(TEXT, &[one, two].concat()));
    }

    #[test]
    fn no_word_may_stand_within_a_sentence() {
        assert!(!holds(TEXT, &TEXT.replace("may copy", "may not copy")));
        assert!(!holds(TEXT, &TEXT.replace("any place", "no place")));
        assert!(!holds(&TEXT.replace("nobody is", "is"), TEXT));
        // A line of its own in one text, part of a sentence in the other.
        assert!(!holds(TEXT, &TEXT.replace("that you like", "| that you do not | like")));
        assert!(!holds(&TEXT.replace("hand on", "hand | on"), &TEXT.replace("hand on", "hand never | on")));
    }

    #[test]
    fn a_text_that_was_cut_off_stands_in_the_whole() {
        let words: Vec<&str> = TEXT.split(' ').filter(|word| !word.is_empty()).collect();
        assert!(holds(&words[..30].join(" "), TEXT));
        // Nothing tells that a few words were cut off.
        assert!(!holds(&words[..words.len() - 4].join(" "), TEXT));
        // Its last sentence is complete, and is another.
        assert!(!holds(&format!("{} .", words[..30].join(" ")), TEXT));
        // Nothing tells that the beginning was cut off.
        assert!(!holds(&words[3..].join(" "), TEXT));
    }

    #[test]
    fn lines_of_a_table_make_up_no_text() {
        let line = |name: &str, answer: &str| format!("{name} | {answer} |");
        let table: String = ('a'..='z').map(|name| line(&name.to_string(), "yes") + &line("", "no")).collect();
        let one: String = ('a'..='z').map(|name| line(&name.to_string(), "no")).collect();
        assert!(!holds(&one, &table));
    }

    /// True if A is contained, by trying every way.
    fn plain(a: &[u32], b: &[u32], (i, j): (usize, usize), is_inside: bool) -> bool {
        if i == a.len() {
            return j == b.len() || is_break(b, j) || !is_break(a, i) && b.len() - j >= LEAST_CUT;
        }
        if j == b.len() {
            return false;
        }
        let may_skip = !is_inside || is_break(a, i) && is_break(b, j);
        let goes_on = |to: usize| is_break(b, to) && is_same_word(a[i], b[to]) && plain(a, b, (i + 1, to + 1), true);
        (is_inside && is_same_word(a[i], b[j]) && plain(a, b, (i + 1, j + 1), true))
            || (may_skip && (j..b.len()).any(goes_on))
    }

    proptest! {
        #[test]
        fn what_is_found_is_contained(
            words in prop::collection::vec((0u32..4, 0u32..3), 0..14),
            others in prop::collection::vec((0u32..4, 0u32..3), 0..14),
        ) {
            let kept = |words: &[(u32, u32)]| -> Vec<u32> {
                words.iter().map(|&(word, end)| word << 1 | u32::from(end == 0)).collect()
            };
            let [a, b] = [kept(&words), kept(&others)];
            prop_assert!(!is_contained(&a, &b) || plain(&a, &b, (0, 0), false));
        }

        #[test]
        fn sentences_left_out_are_found(
            sentences in prop::collection::vec((10usize..20, any::<bool>()), 1..8),
        ) {
            let mut next = 0;
            let (mut whole, mut part) = (Vec::new(), Vec::new());
            for (length, stays) in sentences {
                let mut sentence: Vec<u32> = (next..next + length as u32).map(|word| word << 1).collect();
                *sentence.last_mut().unwrap() |= BREAK;
                next += length as u32;
                if stays {
                    part.extend(&sentence);
                }
                whole.extend(sentence);
            }
            prop_assert_eq!(is_contained(&part, &whole), !part.is_empty());
        }
    }
}
