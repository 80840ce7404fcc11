//! Letters that stand in the text from the end to the beginning, and an override that shows them the
//! other way round.
//!
//! An override without an end in its paragraph turns nothing here: it may be a stray.
//!
//! Source: Unicode Standard Annex #9.

use std::ops::Range;

use super::is_letter;

/// What follows is shown from left to right.
pub(super) const TO_THE_RIGHT: char = '\u{202D}';

/// What follows is shown from right to left.
pub(super) const TO_THE_LEFT: char = '\u{202E}';

/// Ends what an override began.
const END: char = '\u{202C}';

/// Where letters are shown in the other direction than they would be, in bytes and in order.
pub(super) fn spans(text: &str) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, sign) in text.match_indices([TO_THE_LEFT, TO_THE_RIGHT, END, '\n', '\u{2029}']) {
        match sign.chars().next() {
            Some(TO_THE_LEFT) => start = Some(at + sign.len()),
            // Only letters from right to left are turned by the other; programs put it around numbers.
            Some(END) => spans.extend(start.take().map(|start| start..at)),
            _ => start = None,
        }
    }
    spans
}

/// A word the other way round, if its letters run from left to right by themselves.
pub(super) fn back(word: &str) -> String {
    if word.contains(is_letter) { word.chars().rev().collect() } else { word.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_reaches_to_its_end_in_the_same_paragraph() {
        let found = |text: &str| spans(text).into_iter().map(|span| text[span].to_owned()).collect::<Vec<_>>();
        assert_eq!(found("a \u{202e}cb\u{202c} d \u{202e}fe\u{202c}"), ["cb", "fe"]);
        assert!(
            found("a \u{202e}b\nc\u{202c}").is_empty() && found("\u{202e}").is_empty() && found("\u{202c}").is_empty()
        );
        assert_eq!((back("retaw"), back("שלום")), ("water".into(), "שלום".into()));
    }
}
