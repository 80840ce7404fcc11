//! Removes characters between letters, so that words can be found.
//!
//! - Strokes through letters, lines under and over them and shapes around them are removed in every script.
//! - In scripts that write no blanks between words, zero-width spaces are removed. They may separate words
//!   there, but a disguised text has one before every character.
//! - The single blanks between the characters of a run of [`LEAST`] or more are removed too: `潮 の 満 ち 引 き`.
//!
//! Cost: one pass; a text with nothing to remove is not copied.

use std::borrow::Cow;
use std::ops::Range;

use super::marks::{is_overlay, stands_on_another};

/// Minimum number of characters in a run of spaced-out text.
const LEAST: usize = 10;

const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// A text without the removed characters, and the places of its parts in the original.
#[derive(Debug)]
pub struct Plain<'t> {
    /// Its characters.
    pub text: Cow<'t, str>,
    /// The start of each part in this text and in the original, ascending in both.
    parts: Vec<(usize, usize)>,
}

impl<'t> Plain<'t> {
    /// A text without what stands between its letters.
    pub fn new(text: &'t str) -> Self {
        let dropped = dropped(text);
        if dropped.is_empty() {
            return Self { text: Cow::Borrowed(text), parts: vec![(0, 0)] };
        }
        let mut plain = String::with_capacity(text.len());
        let (mut parts, mut at) = (Vec::new(), 0);
        for Range { start, end } in dropped {
            if start > at {
                parts.push((plain.len(), at));
                plain.push_str(&text[at..start]);
            }
            at = end;
        }
        parts.push((plain.len(), at));
        plain.push_str(&text[at..]);
        Self { text: Cow::Owned(plain), parts }
    }

    /// The byte range in the original of a span of this text, which must not be empty.
    pub fn original(&self, span: Range<usize>) -> Range<usize> {
        let there = |place: usize| {
            let part = self.parts.partition_point(|part| part.0 <= place).saturating_sub(1);
            let (here, there) = self.parts[part];
            there + (place - here)
        };
        there(span.start)..there(span.end - 1) + 1
    }
}

/// The byte ranges of the characters to remove, in order.
fn dropped(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut dropped: Vec<Range<usize>> = Vec::new();
    // The blanks between the characters of the current run.
    let mut blanks: Vec<Range<usize>> = Vec::new();
    // The character before, if its script has no blanks; and the blank after such a character.
    let (mut before, mut after_blank) = (None, None);
    // What stands behind a row of spaces without width, and where.
    let mut behind = (0, None);
    for (at, c) in text.char_indices() {
        let span = at..at + c.len_utf8();
        if is_overlay(c) {
            dropped.push(span);
        } else if c == ZERO_WIDTH_SPACE {
            if behind.0 <= at {
                let next = text[span.end..].char_indices().find(|&(_, c)| c != ZERO_WIDTH_SPACE && !is_overlay(c));
                behind = next.map_or((text.len(), None), |(there, c)| (span.end + there, Some(c)));
            }
            if before.is_some() && behind.1.is_some_and(is_unspaced) {
                dropped.push(span);
            }
        } else if is_unspaced(c) && !stands_on_another(c) {
            match (before, after_blank.take()) {
                (None, Some(blank)) => blanks.push(blank),
                _ => take_run(&mut blanks, &mut dropped),
            }
            before = Some(c);
        } else if is_unspaced(c) {
            // A sign that combines with the character before, or that a blank sets apart from it.
            if let Some(blank) = after_blank.take() {
                blanks.push(blank);
                before = Some(c);
            }
        } else if before.take().is_some() && is_blank(c) {
            after_blank = Some(span);
        } else {
            after_blank = None;
            take_run(&mut blanks, &mut dropped);
        }
    }
    take_run(&mut blanks, &mut dropped);
    dropped.sort_unstable_by_key(|span| span.start);
    dropped
}

/// Ends a run; its blanks are removed if it was long enough.
fn take_run(blanks: &mut Vec<Range<usize>>, dropped: &mut Vec<Range<usize>>) {
    if blanks.len() + 1 >= LEAST {
        dropped.append(blanks);
    }
    blanks.clear();
}

/// True for a blank that can stand between two characters.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{3000}')
}

/// True for a character of a script that writes no blanks between words: Han, Kana, Thai, Lao, Burmese, Khmer.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17D3}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{309F}' | '\u{30A1}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_between_goes_and_the_rest_is_found_again() {
        for (text, expected) in [
            ("w\u{336}a\u{336}ter", "water"),
            ("海\u{336}水\u{336}。", "海水。"),
            ("海\u{200b}水\u{200b}\u{200b}面", "海水面"),
            ("海\u{200b}\u{200b}w\u{200b}\u{336}水", "海\u{200b}\u{200b}w\u{200b}水"),
            ("海\u{200b}\u{336}\u{200b}水\u{200b}", "海水\u{200b}"),
            ("the sea\u{200b}wa\u{200b}ter", "the sea\u{200b}wa\u{200b}ter"),
            ("天 地 人 春 夏 秋 冬 東 西 南 北", "天地人春夏秋冬東西南北"),
            ("天　地　人　春　夏　秋　冬　東　西　南　北！", "天地人春夏秋冬東西南北！"),
            ("天 地 人", "天 地 人"),
            (
                "我 喜欢 吃 苹果 和 梨子 也 喜欢 吃 葡萄 和 香蕉 你 呢",
                "我 喜欢 吃 苹果 和 梨子 也 喜欢 吃 葡萄 和 香蕉 你 呢",
            ),
            ("น้ำ ขึ้น", "น้ำ ขึ้น"),
            ("ก ร ะ แ ส น้ ขึ้ ล ง ท ะ เ ล", "กระแสน้ขึ้ลงทะเล"),
            ("", ""),
        ] {
            let plain = Plain::new(text);
            assert_eq!(plain.text, expected, "{text}");
            for (at, c) in plain.text.char_indices() {
                let span = plain.original(at..at + c.len_utf8());
                assert_eq!(text[span].chars().collect::<Vec<_>>(), [c], "{text}");
            }
        }
    }
}
