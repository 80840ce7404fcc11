//! Soft line breaks: those of wrapping, in scripts that put no spaces between words.
//!
//! A Chinese, Japanese, Thai, Lao, Khmer or Burmese text is wrapped anywhere, inside a word as often as between two,
//! so a single line break between two letters of such scripts separates no words. The text then has the same words at
//! any width. An empty line still separates, and so does a blank without a line break.
//!
//! Two more breaks separate words:
//!
//! - Thai, Lao, Khmer and Burmese set phrases apart by blanks. Where such a text breaks at its blank, the blank stays
//!   at the end of the line or begins the next one.
//! - A line of Katakana alone is an entry of a list. Katakana has no dictionary that would find its end again, so the
//!   whole list would become one word.
//!
//! A break is soft by its own chunk alone: nothing beyond the white space around the two pieces that it joins is
//! examined. So a text can be cut between chunks ([`super::chunks`]) with the same result.
//!
//! Cost: two bytes are examined between chunks that are not of such scripts.

use std::borrow::Cow;
use std::ops::Range;

use super::characters::{has_no_spaces, is_invisible, is_space};

/// Minimum of the first byte in UTF-8 of letters in scripts without spaces.
const FIRST_BYTE: u8 = 0xE0;

/// Maximum length in bytes of a soft line break with the indentation after it. A bound keeps the search for the end of a
/// portion linear.
const LONGEST: usize = 80;

/// True if a maximal run of white space in a text is a soft line break.
#[inline]
pub(super) fn is_soft(text: &str, space: Range<usize>) -> bool {
    let bytes = text.as_bytes();
    bytes.get(space.end).is_some_and(|&byte| byte >= FIRST_BYTE)
        && bytes[..space.start].last().is_some_and(|byte| !byte.is_ascii())
        && bytes[space.clone()].iter().any(|&byte| is_break(byte))
        && joins(text, space)
}

/// True if a run of white space with a line break, between characters beyond ASCII, is soft.
#[cold]
fn joins(text: &str, space: Range<usize>) -> bool {
    let (line, blanks, next) = (&text[..space.start], &text[space.clone()], &text[space.end..]);
    let last = line.chars().rev().find(|&c| !is_invisible(c) || c == ZERO_WIDTH_SPACE);
    let (Some(last), Some(first)) = (last, next.chars().next()) else { return false };
    if space.len() > LONGEST || !has_no_spaces(last) || !has_no_spaces(first) {
        return false;
    }
    let is_one = blanks.replace("\r\n", "\n").bytes().filter(|&byte| is_break(byte)).count() == 1;
    let is_blank_of_text = has_phrases(last) && has_phrases(first) && {
        let indentation = blanks.strip_prefix("\r\n").or_else(|| blanks.strip_prefix(['\n', '\r']));
        indentation.is_none_or(|indentation| indentation == " ")
    };
    is_one && !is_blank_of_text && !is_entry(line)
}

const ZERO_WIDTH_SPACE: char = '\u{200B}';

fn is_break(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// True for a letter, among those without spaces, of a script that sets phrases apart by blanks: all but those of
/// Chinese and Japanese.
fn has_phrases(c: char) -> bool {
    matches!(c, '\0'..='\u{2FFF}' | '\u{A000}'..='\u{ABFF}')
}

/// True if a line ends in an entry of a list: Katakana after ASCII white space or punctuation. Other signs before it,
/// and those that [`super::words`] may cut off, must not decide, as they depend on the chunk.
fn is_entry(line: &str) -> bool {
    let before = line.trim_end_matches(is_katakana);
    before.len() < line.len() && before.chars().next_back().is_none_or(|c| c.is_ascii() && !c.is_ascii_alphanumeric())
}

/// The length in bytes of the Katakana at the beginning of a text, half-width letters and sound marks included.
pub(super) fn length_of_katakana(text: &str) -> usize {
    text.find(|c| !is_katakana(c)).unwrap_or(text.len())
}

fn is_katakana(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309A}' | '\u{30A1}'..='\u{30FF}' | '\u{FF66}'..='\u{FF9F}')
}

/// The run of white space around a byte of white space.
pub(super) fn space_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = bytes[..at].iter().rev().take_while(|&&byte| is_space(byte)).count();
    let after = bytes[at..].iter().take_while(|&&byte| is_space(byte)).count();
    at - before..at + after
}

/// The soft breaks within a part of a text, in order.
pub(super) fn soft_breaks(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = &text.as_bytes()[..part.end];
    let mut at = part.start;
    std::iter::from_fn(move || {
        loop {
            at += memchr::memchr2(b'\n', b'\r', &bytes[at..])?;
            let space = space_around(text, at);
            at = space.end.min(bytes.len());
            if space.start >= part.start && space.end < bytes.len() && is_soft(text, space.clone()) {
                return Some(space);
            }
        }
    })
}

/// A word without the soft breaks in it: all its white space.
pub(super) fn unwrapped(word: &str) -> Cow<'_, str> {
    if word.bytes().any(is_space) {
        Cow::Owned(word.chars().filter(|&c| !u8::try_from(c).is_ok_and(is_space)).collect())
    } else {
        Cow::Borrowed(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_joined(text: &str) -> bool {
        soft_breaks(text, 0..text.len()).next().is_some()
    }

    #[test]
    fn one_break_between_letters_without_spaces_is_soft() {
        for text in [
            "研\n究",
            "研\r\n究",
            "研\r究",
            "研 \n\t 究",
            "研\n\u{b}\u{c}究",
            "ひら\nがな",
            "このデー\nタは",
            "WebサーバーとAPIサー\nバー",
            "葛\u{E0100}\n城",
            "ภา\nษา",
            "ภา\n    ษา",
            "ພາ\nສາ",
            "ភា\nសា",
            "ပင်\nလယ်",
        ] {
            assert!(is_joined(text), "{text:?}");
        }
    }

    #[test]
    fn other_white_space_separates() {
        for text in [
            "研 究",
            "研\n\n究",
            "研\n \r\n究",
            "研\n　究",
            "研。\n究",
            "研a\n究",
            "研\n1究",
            "研\n> 究",
            "ខ\u{200b}\nម",
            "한국\n어",
            "मा\nला",
            "ภา \nษา",
            "ภา\n ษา",
            "ภา\r\n ษา",
            "アメリカ\nイギリス",
            "- アメリカ\nイギリス",
            "ｱﾒﾘｶ\nｲｷﾞﾘｽ",
            "\n究",
            "研\n",
            "\n",
            "",
        ] {
            assert!(!is_joined(text), "{text:?}");
        }
    }

    #[test]
    fn a_wide_gap_separates() {
        assert!(is_joined(&format!("研\n{}究", " ".repeat(LONGEST - 1))));
        assert!(!is_joined(&format!("研\n{}究", " ".repeat(LONGEST))));
    }

    #[test]
    fn a_break_belongs_to_the_part_that_contains_all_of_it() {
        let text = "研\n 究 海\n水";
        assert!(soft_breaks(text, 0..text.len()).eq([3..5, 12..13]));
        assert!(soft_breaks(text, 0..5).next().is_none());
        assert!(soft_breaks(text, 4..text.len()).eq(std::iter::once(12..13)));
    }

    #[test]
    fn a_word_loses_its_breaks() {
        assert_eq!(unwrapped("研\r\n  究"), "研究");
        assert!(matches!(unwrapped("研究"), Cow::Borrowed(_)));
    }
}
