//! Words that are not what they look like, and characters that are not seen, for the
//! page to mark: which letters of a word pass for which, and what is hidden in it.

use serde::Serialize;

use super::data::legible;
use crate::pipeline::screen::Text;
use crate::text::lookalikes::{is_latin, unmask};

/// So many are marked in a text: a few show what was done, and each takes as much room in
/// the page as a line.
const MOST: usize = 5_000;

/// A place in a text as it is shown, in UTF-16 units.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mark {
    at: usize,
    length: usize,
    /// Letters that pass for others, as they are and as what they look like.
    lookalikes: Vec<(char, char)>,
    /// The numbers of characters that are not seen.
    hidden: Vec<u32>,
}

/// The first disguises of a text, in order.
pub(super) fn marks(text: &Text) -> Vec<Mark> {
    if text.disguised.is_empty() {
        return Vec::new();
    }
    let among_latin = is_latin(&text.text);
    let units = |text: &str| text.chars().map(|c| legible(c).len_utf16()).sum::<usize>();
    let (mut marks, mut at, mut end) = (Vec::new(), 0, 0);
    for span in text.disguised.iter().take(MOST) {
        let shown = &text.text[span.clone()];
        at += units(&text.text[end..span.start]);
        let length = units(shown);
        let plain = unmask(shown, among_latin);
        let letters = plain.iter().flat_map(|plain| shown.chars().zip(plain.chars()));
        let mut lookalikes: Vec<(char, char)> = letters.filter(|(c, plain)| c != plain).collect();
        let mut hidden: Vec<u32> = shown.chars().filter(|&c| is_hidden(c)).map(u32::from).collect();
        hidden.sort_unstable();
        hidden.dedup();
        lookalikes.sort_unstable();
        lookalikes.dedup();
        marks.push(Mark { at, length, lookalikes, hidden });
        at += length;
        end = span.end;
    }
    marks
}

/// Characters without a shape, and those that turn the direction of the text.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{34F}' | '\u{180E}' | '\u{200B}'..='\u{200D}' | '\u{202D}' | '\u{202E}' | '\u{2060}' | '\u{FEFF}')
}
