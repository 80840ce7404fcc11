//! Cuts a long text into portions, so that the memory of a stage does not depend on its length.
//!
//! A portion ends with a line, else with ASCII white space, else with an ideographic space or a full-width end
//! of a sentence. Only [`LONGEST`] bytes without any of these are cut inside a word.
//!
//! Cost: one search back from each cut.

use std::ops::Range;

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
        at += portion(&text[start..], longest);
        Some(start..at)
    })
}

/// The length of the first portion of a text.
fn portion(text: &str, longest: usize) -> usize {
    if text.len() <= longest {
        return text.len();
    }
    let most = &text[..text.floor_char_boundary(longest)];
    let ends: [fn(char) -> bool; 3] = [
        |c| c == '\n',
        |c| c.is_ascii_whitespace(),
        |c| matches!(c, '\u{3000}' | '\u{3002}' | '\u{FF01}' | '\u{FF1F}'),
    ];
    let end =
        |ends: fn(char) -> bool| most.char_indices().rev().find(|&(_, c)| ends(c)).map(|(at, c)| at + c.len_utf8());
    ends.into_iter().find_map(end).unwrap_or(most.len())
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
        assert_eq!(cut("海水面", 5), ["海", "水", "面"]);
        assert_eq!(cut("short", 5), ["short"]);
        assert!(cut("", 5).is_empty());
    }

    proptest! {
        #[test]
        fn portions_are_the_text(text in "[a-c的 \n]{0,60}", longest in 4usize..20) {
            let portions = cut(&text, longest);
            prop_assert_eq!(portions.concat(), text.as_str());
            prop_assert!(portions.iter().all(|portion| (1..=longest).contains(&portion.len())));
        }
    }
}
