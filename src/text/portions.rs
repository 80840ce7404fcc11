//! Cuts a long text into portions, so that the memory of a stage does not depend on its length.
//!
//! A portion ends with a line that is not wrapped inside a word ([`super::breaks`]), else with ASCII white space, else with an ideographic space or a full-width end
//! of a sentence. Only [`LONGEST`] bytes without any of these are cut inside a word.
//!
//! Cost: one search back from each cut.

use std::ops::Range;

use super::breaks::{is_soft, space_around};

/// Longest portion, in bytes. Folding and tokenising one takes some megabytes, whatever it contains.
const LONGEST: usize = 1 << 18;

/// The portions of a text, in order: byte ranges without a gap.
pub(super) fn portions(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    portions_of(text, LONGEST)
}

/// Portions of at most `longest` bytes, which must hold at least one character.
fn portions_of(text: &str, longest: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == text.len() {
            return None;
        }
        let start = at;
        at = end_of_portion(text, start, longest);
        Some(start..at)
    })
}

/// The end of the portion of a text that begins at `start`.
fn end_of_portion(text: &str, start: usize, longest: usize) -> usize {
    if text.len() - start <= longest {
        return text.len();
    }
    let most = &text[start..text.floor_char_boundary(start + longest)];
    let separates = |at: usize| !is_soft(text, space_around(text, start + at));
    let is_line_end = |(at, c): (usize, char)| c == '\n' && separates(at);
    let is_blank = |(at, c): (usize, char)| c.is_ascii_whitespace() && separates(at);
    let is_sentence_end = |(_, c)| matches!(c, '\u{3000}' | '\u{3002}' | '\u{FF01}' | '\u{FF1F}');
    let ends: [&dyn Fn((usize, char)) -> bool; 3] = [&is_line_end, &is_blank, &is_sentence_end];
    let end = |is_end: &dyn Fn((usize, char)) -> bool| {
        most.char_indices().rev().find(|&place| is_end(place)).map(|(at, c)| at + c.len_utf8())
    };
    start + ends.into_iter().find_map(end).unwrap_or(most.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(text: &str, longest: usize) -> Vec<&str> {
        portions_of(text, longest).map(|portion| &text[portion]).collect()
    }

    #[test]
    fn a_portion_ends_with_a_line_or_else_a_word_or_else_anywhere() {
        assert_eq!(cut("one two\nthree four", 12), ["one two\n", "three four"]);
        assert_eq!(cut("one two three", 10), ["one two ", "three"]);
        assert_eq!(cut("海水。海水面", 17), ["海水。", "海水面"]);
        assert_eq!(cut("海水。海\n水面", 17), ["海水。", "海\n水面"]);
        assert_eq!(cut("海水\n\n海\n水面", 17), ["海水\n\n", "海\n水面"]);
        assert_eq!(cut("海水面", 5), ["海", "水", "面"]);
        assert_eq!(cut("short", 5), ["short"]);
        assert!(cut("", 5).is_empty());
    }

    proptest! {
        #[test]
        fn portions_are_the_text(text in "[a-c的水 \n]{0,60}", longest in 4usize..20) {
            let portions = cut(&text, longest);
            prop_assert_eq!(portions.concat(), text.as_str());
            prop_assert!(portions.iter().all(|portion| (1..=longest).contains(&portion.len())));
        }
    }
}
