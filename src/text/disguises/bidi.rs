//! Letters stored back to front, with a direction override that shows them in the right order.
//!
//! An override without an end in its paragraph is ignored: it may be a stray.
//!
//! Source: Unicode Standard Annex #9.

use std::ops::Range;

use super::is_letter;

/// Shows the following text from left to right.
pub(super) const TO_THE_RIGHT: char = '\u{202D}';

/// Shows the following text from right to left.
pub(super) const TO_THE_LEFT: char = '\u{202E}';

/// Ends an override.
const END: char = '\u{202C}';

/// Text that is shown in one direction, whatever its letters.
pub(super) struct Turned {
    /// Its byte range.
    pub(super) span: Range<usize>,
    is_to_the_left: bool,
}

impl Turned {
    /// The word reversed, if the override shows its letters against their own direction; else the word.
    pub(super) fn back(&self, word: &str) -> String {
        let is_turned = if self.is_to_the_left { word.contains(is_letter) } else { word.contains(runs_to_the_left) };
        if is_turned { word.chars().rev().collect() } else { word.to_owned() }
    }
}

/// The spans under an override that ends in the same paragraph, in order.
pub(super) fn spans(text: &str) -> Vec<Turned> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, sign) in text.match_indices([TO_THE_LEFT, TO_THE_RIGHT, END, '\n', '\u{2029}']) {
        match sign.chars().next() {
            Some(c @ (TO_THE_LEFT | TO_THE_RIGHT)) => start = Some((at + sign.len(), c == TO_THE_LEFT)),
            Some(END) => {
                spans.extend(start.take().map(|(start, is_to_the_left)| Turned { span: start..at, is_to_the_left }));
            }
            _ => start = None,
        }
    }
    spans
}

/// Letters of Hebrew, Arabic and their neighbours.
fn runs_to_the_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}') && c.is_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_reaches_to_its_end_in_the_same_paragraph() {
        let found = |text: &str| spans(text).into_iter().map(|it| text[it.span].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("a \u{202e}cb\u{202c} d \u{202e}fe\u{202c}"), ["cb", "fe"]);
        assert!(
            found("a \u{202e}b\nc\u{202c}").is_empty() && found("\u{202e}").is_empty() && found("\u{202c}").is_empty()
        );
        let back = |word: &str, is_to_the_left| Turned { span: 0..0, is_to_the_left }.back(word);
        assert_eq!((back("retaw", true), back("שלום", true)), ("water".into(), "שלום".into()));
        assert_eq!((back("water", false), back("םולש", false)), ("water".into(), "שלום".into()));
    }
}
