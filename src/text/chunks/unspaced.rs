//! Words of Chinese and Japanese that are told without reading their chunk.
//!
//! A run of Han and Hiragana has the words that its dictionary gives it, and a run of Katakana is one word, whatever stands
//! around it: unless that joins the run or is joined by it. So a run is told if plain signs follow it at most, and then
//! a letter, a digit of ASCII, or the end of the chunk; all others are read with their chunk.
//!
//! Cost: one pass through the run, beside that of its words.

use std::ops::Range;

use crate::text::breaks::is_soft;
use crate::text::characters::is_space;
use crate::text::tokenise::han;

/// A run of letters without spaces.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// Its end.
    pub(super) end: usize,
    /// The place behind the signs and the white space that follow it.
    pub(super) behind: usize,
    is_katakana: bool,
}

/// Least first byte in UTF-8 of the letters and signs told here.
const LEAST_BYTE: u8 = 0xE2;

impl Run {
    /// The run that begins at a place of a text, if its words can be told.
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let rest = text.get(start..).filter(|rest| rest.as_bytes()[0] >= LEAST_BYTE)?;
        let of = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let (length, is_katakana) = match of(han::is_run) {
            0 => (of(is_katakana), true),
            length => (length, false),
        };
        if length == 0 || !is_katakana && !han::is_known() {
            return None;
        }
        let end = start + length;
        behind(text, end, true).map(|behind| Self { end, behind, is_katakana })
    }

    /// The end of its word that begins at `start`.
    pub(super) fn end_of_word(&self, text: &str, start: usize) -> usize {
        if self.is_katakana { self.end } else { start + han::first_word(&text[start..self.end]) }
    }
}

/// The place behind the signs and the white space that follow letters and digits of ASCII, if a run or such signs do.
pub(super) fn behind_letters(text: &str, end: usize) -> Option<usize> {
    (text.as_bytes()[end] >= LEAST_BYTE).then(|| behind(text, end, false)).flatten()
}

/// The place behind the plain signs and the white space that follow a word; `None` if anything follows that may belong to
/// what stands before.
fn behind(text: &str, end: usize, is_unspaced: bool) -> Option<usize> {
    let signs = text[end..].find(|c| !is_sign(c)).unwrap_or(text.len() - end);
    let at = end + signs;
    match text[at..].chars().next() {
        None => Some(at),
        Some(c) if han::is_run(c) || is_katakana(c) => Some(at),
        // Signs join two numbers.
        Some(c) if c.is_ascii_alphanumeric() => is_unspaced.then_some(at),
        Some(c) if c.is_ascii() && is_space(c as u8) => {
            let spaces = text[at..].bytes().take_while(|&byte| is_space(byte)).count();
            let space: Range<usize> = at..at + spaces;
            (!is_soft(text, space.clone())).then_some(space.end)
        }
        Some(_) => None,
    }
}

/// True for a letter of Katakana, or the sign of a long vowel.
fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A1}'..='\u{30FA}' | '\u{30FC}')
}

/// True for a sign that is no word, belongs to none, and joins no letters without spaces.
fn is_sign(c: char) -> bool {
    matches!(
        c,
        '\u{2014}' | '\u{201C}' | '\u{201D}' | '\u{2026}' | '\u{3001}' | '\u{3002}' | '\u{3008}'
            ..='\u{3011}' | '\u{FF01}' | '\u{FF08}' | '\u{FF09}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}'
    )
}
