//! Text of a document that its reader may not see.

/// Numbers of characters of a document that its reader may not see, white space aside. A character is counted once.
///
/// They are a hint: white letters on a dark picture are seen, and a scanned page has its text in invisible letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Hidden {
    /// Characters that are white, or nearly so, where no background is known.
    pub white: usize,
    /// Characters of less than three points.
    pub tiny: usize,
    /// Characters outside of the page.
    pub outside: usize,
    /// Characters that are marked as hidden, or are drawn without ink.
    pub invisible: usize,
}

/// Size in points below which letters are tiny.
pub(super) const TINY: f32 = 3.0;

/// Brightness from which a colour is as good as white, of each part from 0 to 1.
pub(super) const WHITE: f32 = 0.94;

/// True if a colour, six hex digits, is white or nearly so.
pub(super) fn is_white(colour: &str) -> bool {
    let part = |at| colour.get(at..at + 2).and_then(|part| u8::from_str_radix(part, 16).ok());
    colour.len() == 6 && [0, 2, 4].into_iter().all(|at| part(at).is_some_and(is_bright))
}

/// True if a part of a colour, from 0 to 255, is as good as full.
pub(super) fn is_bright(part: u8) -> bool {
    f32::from(part) / 255.0 >= WHITE
}

/// Units of length, each with its points.
const UNITS: [(&str, f32); 5] = [("pt", 1.0), ("mm", 72.0 / 25.4), ("cm", 720.0 / 25.4), ("in", 72.0), ("px", 0.75)];

/// The number of a length, as text, and the points of its unit: one of `relative`, or one of [`UNITS`].
pub(super) fn unit_of<'l>(length: &'l str, relative: &[(&str, f32)]) -> Option<(&'l str, f32)> {
    relative.iter().chain(&UNITS).find_map(|&(unit, points)| Some((length.strip_suffix(unit)?, points)))
}

/// The number of characters that are not white space.
pub(super) fn visible_characters(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
