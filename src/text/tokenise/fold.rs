//! Folds a text before its words are found: all spellings of a word become one.
//!
//! Letters are brought to NFKC, invisible characters are dropped and apostrophes made plain. Otherwise a
//! decomposed `が`, a full-width letter or a joiner inside a word would move its borders. Signs are left alone:
//! they end words in any spelling.
//!
//! A zero-width space is dropped between letters of scripts that use spaces, where it only disguises a word. In
//! other scripts it is a word border, and is kept.
//!
//! Cost: most texts need no folding, which one pass establishes. In others, such as those with typographic apostrophes,
//! runs of common characters are copied as they are.

use std::ops::Range;

use icu_normalizer::ComposingNormalizerBorrowed;

use super::{Letters, is_han_or_kana};
use crate::text::breaks::soft_breaks;
use crate::text::characters::{has_no_spaces, is_apostrophe, is_invisible};

const ZERO_WIDTH_SPACE: char = '\u{200B}';

/// A folded text, with the place of each change in the original.
#[derive(Debug, PartialEq)]
pub(super) struct Folded {
    pub(super) text: String,
    edits: Vec<Edit>,
}

/// A range of the original, and of the folded text that replaced it.
#[derive(Debug, PartialEq)]
struct Edit {
    folded: Range<usize>,
    original: Range<usize>,
}

impl Folded {
    /// Folds a text; `None` if it is folded already.
    pub(super) fn new(original: &str, letters: Letters) -> Option<Self> {
        let nfkc = ComposingNormalizerBorrowed::new_nfkc();
        if original.chars().all(is_common) || is_folded(original, letters, &nfkc) {
            return None;
        }
        Some(Self::skipping(original, letters, &nfkc, is_common))
    }

    /// A part of a text without the soft line breaks in it; `None` if it has none. Places are those in the part.
    pub(super) fn unwrapped(text: &str, part: Range<usize>) -> Option<Self> {
        let mut breaks = soft_breaks(text, part.clone()).peekable();
        breaks.peek()?;
        let mut joined = Self { text: String::with_capacity(part.len()), edits: Vec::new() };
        let mut at = part.start;
        for space in breaks {
            joined.text.push_str(&text[at..space.start]);
            at = space.end;
            joined.edit("", space.start - part.start..at - part.start);
        }
        joined.text.push_str(&text[at..part.end]);
        Some(joined)
    }

    /// Folds a text. Runs of characters for which `is_folded` is true are copied, except the last of each, to which a
    /// mark may belong.
    fn skipping(
        original: &str,
        letters: Letters,
        nfkc: &ComposingNormalizerBorrowed,
        is_folded: impl Fn(char) -> bool,
    ) -> Self {
        let mut folded = Self { text: String::with_capacity(original.len()), edits: Vec::new() };
        let mut at = 0;
        loop {
            let run = original[at..].find(|c| !is_folded(c)).map_or(original.len(), |length| at + length);
            let last = original[at..run].chars().next_back().map_or(0, char::len_utf8);
            folded.text.push_str(&original[at..run - last]);
            at = run - last;
            let Some(c) = original[at..].chars().next() else { return folded };
            let end = at + c.len_utf8();
            if is_invisible(c) && !(c == ZERO_WIDTH_SPACE && borders(&folded.text, &original[end..])) {
                folded.edit("", at..end);
                at = end;
            } else if is_apostrophe(c) && !c.is_ascii() {
                folded.edit("'", at..end);
                at = end;
            } else if letters.contains(c) {
                at = folded.cluster(original, at, letters, nfkc);
            } else {
                folded.text.push(c);
                at = end;
            }
        }
    }

    /// Appends a letter and the marks that follow it, in their common form; returns their end in the original.
    fn cluster(&mut self, original: &str, start: usize, letters: Letters, nfkc: &ComposingNormalizerBorrowed) -> usize {
        let mut raw = String::new();
        let (mut end, mut seen) = (start, start);
        for c in original[start..].chars() {
            seen += c.len_utf8();
            // Invisible characters belong to the letter only if a mark follows.
            if is_invisible(c) {
                continue;
            }
            if end > start && !letters.is_mark(c) && !joins_am(&raw, c) {
                break;
            }
            raw.push(c);
            end = seen;
        }
        let common =
            SARA_AM.iter().fold(nfkc.normalize(&raw).into_owned(), |text, (apart, one)| text.replace(apart, one));
        if common == original[start..end] {
            self.text.push_str(&common);
        } else {
            self.edit(&common, start..end);
        }
        end
    }

    fn edit(&mut self, text: &str, original: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(text);
        self.edits.push(Edit { folded: start..self.text.len(), original });
    }

    /// The range in the original of a span of the folded text. A span that begins or ends inside a change
    /// covers the whole change.
    pub(super) fn original(&self, span: Range<usize>) -> Range<usize> {
        let start = match self.edits.partition_point(|edit| edit.folded.start <= span.start) {
            0 => span.start,
            n => {
                let Edit { folded, original } = &self.edits[n - 1];
                if span.start < folded.end { original.start } else { original.end + (span.start - folded.end) }
            }
        };
        let end = match self.edits.partition_point(|edit| edit.folded.start < span.end) {
            0 => span.end,
            n => {
                let Edit { folded, original } = &self.edits[n - 1];
                original.end + span.end.saturating_sub(folded.end)
            }
        };
        start..end
    }
}

/// The vowel *am* of Thai and Lao, which NFKC decomposes and the dictionaries do not.
const SARA_AM: [(&str, &str); 2] = [("\u{E4D}\u{E32}", "\u{E33}"), ("\u{ECD}\u{EB2}", "\u{EB3}")];

/// True for the second half of an *am* whose first half ends `before`.
fn joins_am(before: &str, c: char) -> bool {
    matches!((before.chars().next_back(), c), (Some('\u{E4D}'), '\u{E32}') | (Some('\u{ECD}'), '\u{EB2}'))
}

/// True if a zero-width space between these two texts is a word border.
fn borders(before: &str, after: &str) -> bool {
    before.chars().next_back().is_some_and(has_no_spaces) || after.chars().next().is_some_and(has_no_spaces)
}

/// True for a common character that folding does not change among its like; this test is cheap and runs first.
fn is_common(c: char) -> bool {
    is_han_or_kana(c)
        || matches!(c,
        '\0'..='\u{7F}' | '\u{C0}'..='\u{131}' | '\u{134}'..='\u{13E}' | '\u{141}'..='\u{148}' // Latin
        | '\u{14A}'..='\u{17E}' | '\u{391}'..='\u{3C9}' | '\u{400}'..='\u{45F}' // and Greek, Cyrillic
        | '\u{2010}'..='\u{2017}' | '\u{201C}'..='\u{2027}' | '\u{3000}'..='\u{3003}' // signs
        | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' | '\u{30FB}' | '\u{30FC}' | '\u{FF01}'..='\u{FF06}' | '\u{FF08}'..='\u{FF0F}' | '\u{FF1A}'..='\u{FF20}')
}

/// True if folding would change nothing.
fn is_folded(text: &str, letters: Letters, nfkc: &ComposingNormalizerBorrowed) -> bool {
    if text.chars().any(|c| !c.is_ascii() && (is_invisible(c) || is_apostrophe(c))) {
        return false;
    }
    if SARA_AM.iter().any(|(apart, _)| text.contains(apart)) {
        return false;
    }
    let mut rest = text;
    loop {
        let (_, unsure) = nfkc.split_normalized(rest);
        let Some(c) = unsure.chars().next() else { return true };
        let is_am = matches!(c, '\u{E33}' | '\u{EB3}');
        if !is_am && (letters.contains(c) || letters.is_mark(c)) {
            return false;
        }
        rest = &unsure[c.len_utf8()..];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Copying runs of common characters changes nothing.
        #[test]
        fn folding_is_the_same_letter_by_letter(
            text in prop::collection::vec(
                prop_oneof![
                    "[a-zA-Z0-9 .,àéñğαωжйが漢ー、「]{0,8}",
                    "[’'\u{200B}\u{200D}\u{AD}\u{301}\u{308}\u{3099}\u{E4D}\u{E32}\u{1100}\u{1161}ﬁＡ²ﾊﾞ]",
                    any::<char>().prop_map(String::from),
                ],
                0..30,
            )
        ) {
            let (text, letters) = (text.concat(), Letters::new());
            let nfkc = ComposingNormalizerBorrowed::new_nfkc();
            let plain = Folded::skipping(&text, letters, &nfkc, |_| false);
            prop_assert_eq!(Folded::skipping(&text, letters, &nfkc, is_common), plain);
        }
    }

    #[test]
    fn common_characters_are_folded() {
        let letters = Letters::new();
        let nfkc = ComposingNormalizerBorrowed::new_nfkc();
        for c in ('\0'..=char::MAX).filter(|&c| is_common(c)) {
            assert!(is_folded(&format!("{c}a{c}"), letters, &nfkc), "U+{:04X}", u32::from(c));
        }
    }
}
