//! Digits in place of the letters that they look like: `w4t3r`.
//!
//! Names such as `mp3` and `md5sums` have digits too. So digits are letters only where many different words have them
//! between their letters: [`FEWEST`] among [`NEAR`] words. Of 44,000 manual pages, articles and essays none has such a
//! stretch.
//!
//! `1` stands for `i` or for `l`. In manuals of six languages the rule of `i_or_l` is right for .79 to .88 of them,
//! always `i` for .65 to .72.
//!
//! Cost: one pass over the tokens, which ends at the first byte of most of them.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

/// Minimum number of different words with digits between letters, for digits to be letters.
const FEWEST: usize = 10;

/// The number of words among which they stand.
const NEAR: usize = 50;

/// Number of words before the first and after the last of these that belong to them: `gl455` has no letter after its
/// digits.
const BESIDE: usize = 5;

/// Maximum length of a word in bytes; longer ones are encoded data.
const LONGEST: usize = 32;

/// The byte ranges of a text in which digits are letters, in order, given its tokens.
pub(super) fn stretches(text: &str, tokens: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    let (mut near, mut places): (VecDeque<(usize, &str)>, HashMap<&str, usize>) = Default::default();
    for (at, token) in tokens.iter().enumerate() {
        let word = &text[token.clone()];
        if !is_masked(word) {
            continue;
        }
        near.push_back((at, word));
        *places.entry(word).or_default() += 1;
        while let Some(&(_, gone)) = near.front().filter(|first| first.0 + NEAR <= at) {
            near.pop_front();
            if let Some(left) = places.get_mut(gone).filter(|left| **left > 1) {
                *left -= 1;
            } else {
                places.remove(gone);
            }
        }
        if places.len() >= FEWEST {
            let first = tokens[near[0].0.saturating_sub(BESIDE)].start;
            let end = tokens[(at + BESIDE).min(tokens.len() - 1)].end;
            match stretches.last_mut() {
                Some(last) if first <= last.end => last.end = end,
                _ => stretches.push(first..end),
            }
        }
    }
    stretches
}

/// The word with letters in place of its digits; `None` if it has no digits, or is rather a number with its unit.
pub fn letters(word: &str) -> Option<String> {
    let all: Vec<char> = word.chars().collect();
    let is_number = all.iter().take(2).all(char::is_ascii_digit);
    let has_digits = all.iter().any(char::is_ascii_digit);
    if is_number || !has_digits || !all.iter().all(|&c| c.is_alphabetic() || is_alike(c)) {
        return None;
    }
    let beside = |at: Option<usize>| at.and_then(|at| all.get(at)).and_then(|&c| letter(c, None, None));
    let letters = (0..all.len()).map(|at| letter(all[at], beside(at.checked_sub(1)), beside(Some(at + 1))));
    letters.collect()
}

/// True if two words are the same but for letters that digits stand for in one of them.
pub fn differ_in_digits(x: &str, y: &str) -> bool {
    let (mut same, mut digits) = (0, 0);
    let mut pairs = x.chars().zip(y.chars());
    x.chars().count() == y.chars().count()
        && pairs.all(|(x, y)| {
            let is_for = |digit: char, other: char| match digit {
                '1' => matches!(other, 'i' | 'l'),
                _ => digit.is_ascii_digit() && letter(digit, None, None) == Some(other),
            };
            let is_digit = is_for(x, y) || is_for(y, x);
            same += usize::from(x == y && x.is_alphabetic());
            digits += usize::from(is_digit);
            x == y || is_digit
        })
        && same >= 2
        && digits > 0
}

/// True for a word with a digit between two letters, at most as many digits as letters, and no capital within: neither
/// hexadecimal nor encoded data.
fn is_masked(word: &str) -> bool {
    let bytes = word.as_bytes();
    let is_between = |bytes: &[u8]| {
        bytes[0].is_ascii_alphabetic() && is_alike(char::from(bytes[1])) && bytes[2].is_ascii_lowercase()
    };
    bytes.len() <= LONGEST
        && bytes.windows(3).any(is_between)
        && bytes[1..].iter().all(|&byte| byte.is_ascii_lowercase() || is_alike(char::from(byte)))
        && !bytes.iter().all(u8::is_ascii_hexdigit)
        && 2 * bytes.iter().filter(|byte| byte.is_ascii_digit()).count() <= bytes.len()
}

/// True for a digit that looks like a letter.
fn is_alike(c: char) -> bool {
    c.is_ascii_digit() && letter(c, None, None).is_some()
}

/// The letter that a character stands for between two others, in lower case if it is a digit.
fn letter(c: char, before: Option<char>, after: Option<char>) -> Option<char> {
    Some(match c {
        '0' => 'o',
        '1' => i_or_l(before, after),
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        c if c.is_alphabetic() => c,
        _ => return None,
    })
}

fn i_or_l(before: Option<char>, after: Option<char>) -> char {
    let is_vowel = |c: char| "aeiouyAEIOUY".contains(c);
    let is_l = match (before, after) {
        (Some(before), Some(after)) => match (is_vowel(before), is_vowel(after)) {
            (true, true) => true,
            (false, false) => false,
            (true, false) => !matches!(after, 'n' | 'r' | 's'),
            (false, true) => matches!(before.to_ascii_lowercase(), 'b' | 'c' | 'f' | 'g' | 'k' | 'p'),
        },
        (Some(before), None) => is_vowel(before),
        (None, after) => after.is_some_and(is_vowel),
    };
    if is_l { 'l' } else { 'i' }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of a text that are read without their digits.
    fn read(text: &str) -> String {
        let mut at = 0;
        let tokens: Vec<Range<usize>> = text
            .split(' ')
            .map(|word| {
                at += word.len() + 1;
                at - 1 - word.len()..at - 1
            })
            .collect();
        let words = stretches(text, &tokens).into_iter().flat_map(|stretch| text[stretch].split(' '));
        words.filter(|word| letters(word).is_some()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn digits_are_letters_where_many_words_have_them() {
        let masked = "th4t m4ny w0rds h4ve b3en wr1tten w1th d1gits f0r l3tters n0w";
        let plain = "and these are the plain words of another part ".repeat(8);
        assert_eq!(read(&format!("{plain}gl455 {masked} {}", plain.trim())), format!("gl455 {masked}"));
        assert_eq!(read("the md5sums of md5sums and the po4a of s3cmd"), "");
        assert_eq!(read(&"md5sums ".repeat(60)), "", "one word again and again");
        let far: Vec<String> = masked.split(' ').map(|word| format!("{word} {}", "plain ".repeat(9).trim())).collect();
        assert_eq!(read(&far.join(" ")), "", "too far from each other");
    }

    #[test]
    fn a_digit_is_the_letter_that_it_looks_like() {
        for (masked, word) in [
            ("w4t3r", "water"),
            ("d3s1gn3r", "designer"),
            ("5ch00l", "school"),
            ("Th15", "This"),
            ("g1ass", "glass"),
            ("ma1n", "main"),
            ("ha1f", "half"),
            ("w1th", "with"),
            ("ha11", "hall"),
            ("1s", "is"),
            ("t00", "too"),
            ("1etter", "letter"),
        ] {
            assert_eq!(letters(masked).as_deref(), Some(word), "{masked}");
        }
        for word in ["water", "10th", "2015", "4", "h2o", "a4-b", "x86", ""] {
            assert_eq!(letters(word), None, "{word}");
        }
    }

    #[test]
    fn data_is_not_masked() {
        for word in ["deadbe3f", "aGVs4bG8", "x11", "4nd", "мп3с", "h2o", "w4", "a14537b"] {
            assert!(!is_masked(word), "{word}");
        }
        assert!(is_masked("w4ter") && is_masked("W4ter") && is_masked("pl4g14r1sm"));
    }

    #[test]
    fn words_differ_in_digits_only() {
        for (x, y) in [("w4ter", "water"), ("water", "w4t3r"), ("hi11", "hill"), ("w4ter", "wat3r")] {
            assert!(differ_in_digits(x, y), "{x} {y}");
        }
        for (x, y) in [("water", "water"), ("2014", "201a"), ("s3", "se"), ("w4ter", "later"), ("hill", "hall")] {
            assert!(!differ_in_digits(x, y), "{x} {y}");
        }
    }
}
