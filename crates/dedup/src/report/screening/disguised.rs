//! Disguised words for the page to mark: their look-alike letters and digits, and their invisible
//! characters.

use nearcopy::screen::Text;
use nearcopy::text::disguises::{LookAlikes, is_hidden, is_override, laid_over, letters, without};
use serde::Serialize;

use crate::report::escape::visible;

/// Maximum number of marks in a text: a few show what was done, and each takes as much
/// room in the page as a line.
const MOST: usize = 5_000;

/// A disguised word or character: its place in the text as shown, in UTF-16 units.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mark {
    at: usize,
    length: usize,
    /// Look-alike letters and digits, each with the letter that it looks like.
    lookalikes: Vec<(char, char)>,
    /// Code points of invisible characters and of those that override the direction of text.
    hidden: Vec<u32>,
    /// Code points of marks over letters that no language uses.
    laid_over: Vec<u32>,
    /// True if the word is written letter by letter.
    spaced: bool,
}

/// The first disguises of a text, in order.
pub(super) fn marks(text: &Text) -> Vec<Mark> {
    if text.disguised.is_empty() {
        return Vec::new();
    }
    let of_text = LookAlikes::of(&text.text);
    let units = |text: &str| text.chars().map(|c| legible(c).len_utf16()).sum::<usize>();
    let (mut marks, mut at, mut end) = (Vec::new(), 0, 0);
    for span in text.disguised.iter().take(MOST) {
        let shown = &text.text[span.clone()];
        at += units(&text.text[end..span.start]);
        let length = units(shown);
        let bare = without(shown).unwrap_or_else(|| shown.to_owned());
        let plain = of_text.unmask(&bare).unwrap_or_else(|| bare.clone());
        let plain = letters(&plain).unwrap_or(plain);
        let pairs = bare.chars().zip(plain.chars());
        let lookalikes = in_order(pairs.filter(|(c, plain)| c != plain));
        let hidden = in_order(shown.chars().filter(|&c| is_hidden(c) || is_override(c)).map(u32::from));
        let laid_over = in_order(laid_over(shown).into_iter().map(u32::from));
        let spaced = shown.contains(char::is_whitespace);
        marks.push(Mark { at, length, lookalikes, hidden, laid_over, spaced });
        at += length;
        end = span.end;
    }
    marks
}

/// A character of a text as shown; line breaks stay.
pub(super) fn legible(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        // A return is half of a line break; a form feed becomes one.
        '\r' => ' ',
        '\x0c' => '\n',
        c => visible(c),
    }
}

/// Each item once, sorted.
fn in_order<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.collect::<std::collections::BTreeSet<T>>().into_iter().collect()
}
