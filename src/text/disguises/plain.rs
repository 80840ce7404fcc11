//! A text without what stands between its letters, so that its words can be told apart.
//!
//! - Strokes through letters and shapes around them go, in every script.
//! - In scripts that write no blanks between words a zero-width space goes: it may part words there, and
//!   stands before every character of a text that is to be hidden.
//! - So does the one blank between any two characters of a run of [`LEAST`] and more: `潮 の 満 ち 引 き`.
//!
//! Cost: a look at each character; a text without any of these is not copied.

use std::borrow::Cow;
use std::ops::Range;

use super::marks::{is_overlay, stands_on_another};

/// So many characters, each between blanks, are text that was spaced out.
const LEAST: usize = 10;

const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// A text, and where its parts stand in the one it was made of.
pub(super) struct Plain<'t> {
    pub(super) text: Cow<'t, str>,
    /// Where each part begins here, and there; they follow each other in both.
    parts: Vec<(usize, usize)>,
}

impl<'t> Plain<'t> {
    pub(super) fn new(text: &'t str) -> Self {
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

    /// Where a span, which is not empty, stands in the text that this was made of.
    pub(super) fn original(&self, span: Range<usize>) -> Range<usize> {
        let there = |place: usize| {
            let part = self.parts.partition_point(|part| part.0 <= place).saturating_sub(1);
            let (here, there) = self.parts[part];
            there + (place - here)
        };
        there(span.start)..there(span.end - 1) + 1
    }
}

/// What is left out, in bytes and in order.
fn dropped(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() {
        return Vec::new();
    }
    let mut dropped: Vec<Range<usize>> = Vec::new();
    // The blanks between characters of a run so far, if it is a run.
    let mut blanks: Vec<Range<usize>> = Vec::new();
    // What stands before: a character of a script without blanks, that and a blank, or anything else.
    let (mut before, mut after_blank) = (None, None);
    for (at, c) in text.char_indices() {
        let span = at..at + c.len_utf8();
        if is_overlay(c) {
            dropped.push(span);
        } else if c == ZERO_WIDTH_SPACE {
            let next = text[span.end..].chars().find(|&c| c != ZERO_WIDTH_SPACE && !is_overlay(c));
            if before.is_some() && next.is_some_and(is_unspaced) {
                dropped.push(span);
            }
        } else if is_unspaced(c) && !stands_on_another(c) {
            match (before, after_blank.take()) {
                (None, Some(blank)) => blanks.push(blank),
                _ => take_run(&mut blanks, &mut dropped),
            }
            before = Some(c);
        } else if is_unspaced(c) {
            // A sign of the character before, or one that was set apart from it.
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

/// Ends a run: its blanks go if it was long enough.
fn take_run(blanks: &mut Vec<Range<usize>>, dropped: &mut Vec<Range<usize>>) {
    if blanks.len() + 1 >= LEAST {
        dropped.append(blanks);
    }
    blanks.clear();
}

/// A blank as it may stand between two characters.
pub(super) fn is_blank(c: char) -> bool {
    matches!(c, ' ' | '\u{A0}' | '\u{3000}')
}

/// Whether a character is of a script that writes no blanks between words: Han, Kana, Thai, Lao, Burmese, Khmer.
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
