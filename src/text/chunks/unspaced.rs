//! Words of Chinese and Japanese that are told without reading their chunk.
//!
//! A run of Han and Hiragana has the words that its dictionary gives it, and a run of Katakana is one word, whatever stands
//! around it: unless that joins the run or is joined by it. So a run is told if plain signs follow it at most, and then
//! a letter, a digit of ASCII, or the end of the chunk; all others are read with their chunk.
//!
//! Cost: one pass through the run, beside that of its words.

use crate::text::breaks::{is_soft, length_of_katakana, space_around};
use crate::text::characters::is_space;
use crate::text::tokenise::han;

/// A run of letters without spaces.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// Its start, behind the signs that it begins with.
    pub(super) start: usize,
    /// Its end.
    pub(super) end: usize,
    /// The place behind the signs and the white space that follow it.
    pub(super) behind: usize,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Han and Hiragana.
    #[default]
    Han,
    /// The same with soft line breaks, which its words may contain.
    Wrapped,
    /// Katakana.
    Katakana,
}

/// The gap between a word and the next one.
enum Behind {
    /// A soft line break, with its end.
    Soft(usize),
    /// Signs and white space, either or both of them absent, with their end.
    End(usize),
}

/// Least first byte in UTF-8 of the letters and signs told here.
const LEAST_BYTE: u8 = 0xE2;

impl Run {
    /// The run that begins at a place of a text or behind the signs there, if its words can be told.
    pub(super) fn at(text: &str, start: usize) -> Option<Self> {
        let start = behind_signs(text, start);
        if *text.as_bytes().get(start)? < LEAST_BYTE {
            return None;
        }
        let length_of =
            |start: usize, is: fn(char) -> bool| text[start..].find(|c| !is(c)).unwrap_or(text.len() - start);
        let (mut length, mut kind) = (length_of(start, han::is_run), Kind::Han);
        if length == 0 || !han::is_known() {
            (length, kind) = (length_of(start, is_katakana), Kind::Katakana);
        }
        let mut end = start + length;
        while length > 0 {
            match behind(text, end, true)? {
                Behind::End(behind) => return Some(Self { start, end, behind, kind }),
                Behind::Soft(_) if kind == Kind::Katakana => return None,
                Behind::Soft(next) => {
                    (length, kind) = (length_of(next, han::is_run), Kind::Wrapped);
                    end = next + length;
                }
            }
        }
        None
    }

    /// The end of its word that begins at `start`.
    pub(super) fn end_of_word(&self, text: &str, start: usize) -> usize {
        match self.kind {
            Kind::Han => start + han::first_word(&text[start..self.end]),
            Kind::Wrapped | Kind::Katakana => self.end,
        }
    }
}

/// The place behind the signs and the white space that follow letters and digits of ASCII, if a run or such signs do.
pub(super) fn behind_letters(text: &str, end: usize) -> Option<usize> {
    if text.as_bytes()[end] < LEAST_BYTE {
        return None;
    }
    match behind(text, end, false)? {
        Behind::End(next) => Some(next),
        Behind::Soft(_) => None,
    }
}

/// The gap of plain signs and white space behind a word; `None` if the character after it may belong to the text before.
fn behind(text: &str, end: usize, is_unspaced: bool) -> Option<Behind> {
    let at = behind_signs(text, end);
    match text[at..].chars().next() {
        None => Some(Behind::End(at)),
        Some(c) if han::is_run(c) => Some(Behind::End(at)),
        // What stands before a line of Katakana decides whether it goes on in the next.
        Some(c) if is_katakana(c) => {
            let space = space_around(text, at + length_of_katakana(&text[at..]));
            (!is_soft(text, space)).then_some(Behind::End(at))
        }
        // Signs join two numbers, and a minus belongs to its number.
        Some(c) if c.is_ascii_alphanumeric() => {
            let is_minus = c.is_ascii_digit() && text[end..at].ends_with('-');
            (is_unspaced && !is_minus).then_some(Behind::End(at))
        }
        Some(c) if c.is_ascii() && is_space(c as u8) => {
            let space = space_around(text, at);
            let next = space.end;
            if is_soft(text, space) { (at == end).then_some(Behind::Soft(next)) } else { Some(Behind::End(next)) }
        }
        Some(_) => None,
    }
}

/// The place behind the plain signs at a place of a text.
fn behind_signs(text: &str, at: usize) -> usize {
    text[at..].find(|c| !is_sign(c)).map_or(text.len(), |signs| at + signs)
}

/// True if a word consists of letters that are told here, and so is its own form.
pub fn are_unspaced(word: &str) -> bool {
    word.chars().all(|c| han::is_run(c) || is_katakana(c))
}

/// True for a letter of Katakana, or the sign of a long vowel.
fn is_katakana(c: char) -> bool {
    matches!(c, '\u{30A1}'..='\u{30FA}' | '\u{30FC}')
}

/// True for a sign that is no word, belongs to none, and joins no letters without spaces.
fn is_sign(c: char) -> bool {
    matches!(
        c,
        '"' | '&' | '('..='*' | ','..='/' | ':' | ';' | '?' | '@' | '['..='^' | '`' | '{'..='~' |
        '\u{2014}' | '\u{201C}' | '\u{201D}' | '\u{2026}' | '\u{3001}' | '\u{3002}' | '\u{3008}'
            ..='\u{3011}' | '\u{FF01}' | '\u{FF08}' | '\u{FF09}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}'
    )
}
