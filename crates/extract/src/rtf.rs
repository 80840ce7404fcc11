//! The text of a Rich Text Format document.
//!
//! A document consists of groups in braces, control words after backslashes, and text.
//! Groups that are no text (tables of fonts and styles, pictures, headers, unknown
//! destinations marked `\*`) are skipped. Bytes are decoded in the code page of their font.
//! Each table cell is a line; footnotes come at the end. Text that is hidden, tiny or white is counted.
//!
//! Cost: linear; memory is the text and 16 bytes for each open group.
//!
//! Source: Rich Text Format Specification 1.9.1 (Microsoft).

mod charset;
mod date;
mod ink;
mod words;

use std::collections::HashMap;

use super::Extracted;
use super::paragraphs::Paragraphs;
use crate::Refusal;
use crate::hidden::{Hidden, visible_characters};
use crate::pictured;
use crate::raised;
pub(crate) use charset::encoding;
use charset::{Bytes, Charset};
use ink::{Ink, Palette};
use words::{Destination, Token, Tokens};

/// Maximum nesting depth of groups: tables in tables and fields in fields have a few dozen.
const MAX_DEPTH: usize = 10_000;

/// The text.
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, Refusal> {
    let damaged = |what: &str| Refusal::Damaged { format: "RTF", what: what.to_owned() };
    if !bytes.starts_with(b"{\\rtf") {
        return Err(damaged("it does not begin with {\\rtf"));
    }
    let mut reader = Reader { date: date::date(bytes), ..Reader::default() };
    for token in Tokens::new(bytes) {
        match token {
            Token::Open if reader.groups.len() >= MAX_DEPTH => {
                return Err(damaged(&format!("more than {MAX_DEPTH} groups are nested")));
            }
            Token::Open => reader.open(),
            Token::Close => {
                if reader.close() {
                    return Ok(reader.finish());
                }
            }
            Token::Word(word, parameter) => reader.word(word, parameter),
            Token::Symbol(symbol) => reader.symbol(symbol),
            Token::Hex(byte) => reader.byte(byte),
            Token::Text(text) => {
                for &byte in text {
                    reader.byte(byte);
                }
            }
        }
    }
    // A truncated file gives the text that is there: word processors read such files too.
    Ok(reader.finish())
}

/// The state of a group, which nested groups inherit.
#[derive(Debug, Clone, Copy, Default)]
struct Group {
    destination: Destination,
    /// The font, by its number in the font table.
    font: i32,
    /// Number of fallback characters after `\u`, which repeat its character for old readers.
    fallback: u32,
    /// Hidden, or deleted while changes were tracked.
    is_hidden: bool,
    is_deleted: bool,
    ink: Ink,
    /// True once the group's first word, which gives its destination, has been read.
    is_begun: bool,
}

#[derive(Default)]
struct Reader {
    text: Paragraphs,
    groups: Vec<Group>,
    now: Group,
    /// True if `\*` precedes the next word.
    is_optional: bool,
    /// Number of fallback characters still to skip.
    skip: u32,
    /// The first half of a character of two UTF-16 units.
    half: Option<u16>,
    bytes: Bytes,
    /// The code page of the document, and those of its fonts.
    charset: Charset,
    fonts: HashMap<i32, Charset>,
    default_font: i32,
    palette: Palette,
    hidden: Hidden,
    date: Option<i64>,
    /// Number of pictures and objects.
    pictures: usize,
}

impl Reader {
    fn open(&mut self) {
        self.flush();
        self.skip = 0;
        self.groups.push(self.now);
        if self.groups.len() == 1 {
            self.now.fallback = 1;
        }
        self.now.is_begun = false;
        if self.now.destination == Destination::EitherOr {
            // The first of the two groups is for readers without Unicode.
            self.now.destination = Destination::Skipped;
        }
    }

    /// Ends a group; returns true if it was the outermost, the document.
    fn close(&mut self) -> bool {
        self.flush();
        self.skip = 0;
        let Some(outer) = self.groups.pop() else { return true };
        if self.now.destination == Destination::Note && outer.destination != Destination::Note {
            self.text.end_note();
        }
        if self.now.destination == Destination::Box && outer.destination != Destination::Box {
            self.text.end_box();
        }
        self.now = outer;
        self.is_optional = false;
        self.groups.is_empty()
    }

    fn word(&mut self, word: &str, parameter: Option<i32>) {
        // A fallback character may be a control word.
        if self.skip > 0 && word != "u" {
            self.skip -= 1;
            return;
        }
        let is_optional = std::mem::take(&mut self.is_optional);
        let is_first = !std::mem::replace(&mut self.now.is_begun, true);
        if word != "u" && word != "uc" {
            self.flush();
        }
        if (is_first || is_optional) && self.begin(word, is_optional) {
            return;
        }
        let number = parameter.unwrap_or(1);
        self.now.ink.note(word, number, &mut self.palette);
        match word {
            "u" => self.unicode(number),
            "uc" => self.now.fallback = u32::try_from(number).unwrap_or(0).min(1000),
            "f" if self.now.destination == Destination::Fonts => self.now.font = number,
            "f" => self.set_font(number),
            "fcharset" => drop(Charset::of_font(number).map(|charset| self.fonts.insert(self.now.font, charset))),
            "cpg" => drop(Charset::of_page(number).map(|charset| self.fonts.insert(self.now.font, charset))),
            "ansicpg" => self.charset = Charset::of_page(number).unwrap_or_default(),
            "mac" => self.charset = Charset::MAC,
            "deff" => self.default_font = number,
            "v" => self.now.is_hidden = number != 0,
            "deleted" => self.now.is_deleted = number != 0,
            "plain" => {
                self.now.is_hidden = false;
                self.now.is_deleted = false;
                self.set_font(self.default_font);
            }
            "par" | "sect" | "page" | "column" | "row" | "cell" | "nestcell" | "nestrow" => {
                if self.is_text() {
                    self.text.end();
                }
            }
            "red" | "green" | "blue" if self.now.destination == Destination::Colours => {
                self.palette.part(u8::try_from(number).unwrap_or(0));
            }
            "line" => self.push("\n"),
            "tab" => self.push("\t"),
            word => self.push(words::character(word)),
        }
    }

    /// Sets the destination of a group from its first word; returns true if the word has no
    /// other meaning.
    fn begin(&mut self, word: &str, is_optional: bool) -> bool {
        self.palette.page_has_ground |= word == "background";
        let Some(destination) = Destination::of(word, is_optional) else { return false };
        // A picture of Word is in a group of its own (`shppict`), and once more for old readers (`nonshppict`).
        let is_alone = word == "pict" && self.now.destination != Destination::Skipped;
        self.pictures += usize::from(is_alone || matches!(word, "shppict" | "objdata"));
        if self.now.destination == Destination::Skipped && destination != Destination::Unicode {
            return true;
        }
        match destination {
            // Its text belongs to the group around both.
            Destination::Unicode => {
                let around = self.groups.iter().rev().find(|group| group.destination != Destination::EitherOr);
                let around = around.map_or(Destination::Text, |group| group.destination);
                self.now.destination = around;
            }
            Destination::Note | Destination::Box if self.now.destination != destination => {
                self.text.begin_aside();
                self.now.destination = destination;
            }
            _ => self.now.destination = destination,
        }
        true
    }

    fn symbol(&mut self, symbol: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        match symbol {
            b'*' => self.is_optional = true,
            b'\\' | b'{' | b'}' => self.byte(symbol),
            b'\n' | b'\r' => self.word("par", None),
            b'\t' => self.push("\t"),
            b'~' => self.push("\u{a0}"),
            b'_' => self.push("-"),
            // `\-` is an optional hyphen; others are for indexes and formulas.
            _ => self.flush(),
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.now.destination == Destination::Colours {
            if byte == b';' {
                self.palette.end_colour();
            }
        } else if self.is_read() {
            self.half = None;
            self.bytes.push(byte, self.fonts.get(&self.now.font).copied().unwrap_or(self.charset));
        }
    }

    fn unicode(&mut self, number: i32) {
        self.skip = self.now.fallback;
        if !self.is_read() {
            return;
        }
        self.flush_bytes();
        // Numbers beyond 32,767 are written as negative ones; some programs write them positive.
        let unit = number.cast_unsigned() as u16;
        let units: Vec<u16> = self.half.take().into_iter().chain([unit]).collect();
        if units.len() == 1 && (0xd800..0xdc00).contains(&unit) {
            self.half = Some(unit);
            return;
        }
        for character in char::decode_utf16(units) {
            // Symbol fonts use the private-use area.
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            if !('\u{e000}'..='\u{f8ff}').contains(&character) {
                self.take(character.encode_utf8(&mut [0; 4]));
            }
        }
    }

    fn set_font(&mut self, number: i32) {
        self.now.font = number;
    }

    fn is_text(&self) -> bool {
        self.is_read() && !self.now.is_hidden
    }

    /// True if the group's content is text of the document, be it hidden.
    fn is_read(&self) -> bool {
        let is_content = matches!(self.now.destination, Destination::Text | Destination::Note | Destination::Box);
        is_content && !self.now.is_deleted
    }

    /// Takes characters of the document: hidden ones are counted only.
    fn take(&mut self, text: &str) {
        let characters = visible_characters(text);
        if self.now.is_hidden {
            self.hidden.invisible += characters;
            return;
        }
        if self.now.ink.is_tiny() {
            self.hidden.tiny += characters;
        } else if self.now.destination != Destination::Box && self.now.ink.is_white(&self.palette) {
            self.hidden.white += characters;
        }
        self.text.push(&raised::shown(text, self.now.ink.is_raised()));
    }

    fn push(&mut self, text: &str) {
        if !text.is_empty() && self.is_text() {
            self.flush();
            self.text.push(text);
        }
    }

    fn flush(&mut self) {
        self.half = None;
        self.flush_bytes();
    }

    fn flush_bytes(&mut self) {
        let text = self.bytes.take();
        if !text.is_empty() {
            self.take(&text);
        }
    }

    fn finish(mut self) -> Extracted {
        self.flush();
        let (text, replaced) = (self.text.finish(), self.bytes.replaced());
        let pictured = pictured(&text, self.pictures);
        Extracted { text, replaced, hidden: self.hidden, pictured, date: self.date }
    }
}

#[cfg(test)]
mod tests;
