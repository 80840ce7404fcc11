//! The text of a Rich Text Format document.
//!
//! A document consists of groups in braces, control words after backslashes, and text.
//! Groups that are no text (tables of fonts and styles, pictures, headers, unknown
//! destinations marked `\*`) are skipped. Bytes are decoded in the code page of their font, or are places in a font of symbols.
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
use crate::field::{Field, MAX_OPEN};
use crate::hidden::{Hidden, visible_characters};
use crate::pictured;
use crate::raised;
use crate::symbols::{is_private, symbol};
pub(crate) use charset::encoding;
use charset::{Bytes, Charset, SYMBOLS};
use ink::{Ink, Palette};
use words::{Destination, Token, Tokens};

/// Maximum length of the name of a font in bytes.
const MAX_NAME: usize = 64;

/// Maximum nesting depth of groups: tables in tables and fields in fields have a few dozen.
const MAX_DEPTH: usize = 10_000;

/// The number of the entry of a form's list where none was chosen.
const UNANSWERED: usize = 25;

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
    // A truncated file gives the text that is there, as in word processors. What is missing is unknown.
    let read = reader.finish();
    Ok(Extracted { pictured: read.pictured + 1, ..read })
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
    /// The names of fonts of symbols.
    symbol_fonts: HashMap<i32, String>,
    /// The name of a font that is being read.
    font_name: String,
    default_font: i32,
    palette: Palette,
    hidden: Hidden,
    date: Option<i64>,
    /// Number of pictures and objects.
    pictures: usize,
    /// Number of formulas, which are not read.
    formulas: usize,
    /// The open fields, each with the number of groups that are open around its end.
    fields: Vec<(usize, Field)>,
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
        while self.fields.last().is_some_and(|(depth, _)| self.groups.len() < *depth) {
            self.end_field();
        }
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
            "fcharset" if number == SYMBOLS => drop(self.symbol_fonts.insert(self.now.font, String::new())),
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
            "field" if self.is_content() && self.fields.len() < MAX_OPEN => {
                self.fields.push((self.groups.len(), Field::default()));
            }
            "ffres" | "ffdefres" => self.answer(word, number),
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
        self.formulas += usize::from(word == "mmath" && self.now.destination != Destination::Skipped);
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
        if let (Destination::Entry, Some((_, field))) = (destination, self.fields.last_mut()) {
            field.form.entries.push(String::new());
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
        } else if self.now.destination == Destination::Fonts {
            self.name_font(byte);
        } else if self.is_content() && self.symbol_fonts.contains_key(&self.now.font) {
            self.flush();
            self.symbol_of_font(u32::from(byte));
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
            // Fonts of symbols use the private-use area.
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            if is_private(character) {
                self.symbol_of_font(u32::from(character));
            } else {
                self.take(character.encode_utf8(&mut [0; 4]));
            }
        }
    }

    /// Reads a byte of the names of fonts, each of which ends with a semicolon.
    fn name_font(&mut self, byte: u8) {
        if byte != b';' {
            self.font_name.extend((self.font_name.len() < MAX_NAME).then_some(char::from(byte)));
            return;
        }
        let name = std::mem::take(&mut self.font_name).trim().to_owned();
        // Some programs give these another character set.
        if self.symbol_fonts.contains_key(&self.now.font) || matches!(&*name, "Symbol" | "Wingdings") {
            self.symbol_fonts.insert(self.now.font, name);
        }
    }

    /// Takes the character at a place of the font.
    fn symbol_of_font(&mut self, place: u32) {
        let font = self.symbol_fonts.get(&self.now.font).map_or("", String::as_str);
        if let Some(character) = symbol(font, place).filter(|_| self.is_read()) {
            self.take(character.encode_utf8(&mut [0; 4]));
        }
    }

    /// Notes what was chosen in a form, or would be by default.
    fn answer(&mut self, word: &str, number: i32) {
        let Some((_, field)) = self.fields.last_mut() else { return };
        let number = usize::try_from(number).unwrap_or(0);
        if word == "ffdefres" {
            field.form.default = number;
        } else if number != UNANSWERED {
            field.form.chosen = Some(number);
        }
    }

    /// Ends the innermost field, whose text belongs to that around it.
    fn end_field(&mut self) {
        let Some((_, field)) = self.fields.pop() else { return };
        let content = field.content();
        if !content.is_empty() {
            self.push(&content);
        }
    }

    fn set_font(&mut self, number: i32) {
        self.now.font = number;
    }

    fn is_text(&self) -> bool {
        self.is_content() && !self.now.is_deleted && !self.now.is_hidden
    }

    /// True if the group's content is text of the document, be it hidden.
    fn is_read(&self) -> bool {
        let is_of_field = matches!(self.now.destination, Destination::Instruction | Destination::Entry);
        (is_of_field || self.is_content()) && !self.now.is_deleted
    }

    /// True if the group's content is not that of a table, or of a field.
    fn is_content(&self) -> bool {
        matches!(self.now.destination, Destination::Text | Destination::Note | Destination::Box)
    }

    /// Takes characters of the document: hidden ones are counted only.
    fn take(&mut self, text: &str) {
        if let Some((_, field)) = self.fields.last_mut() {
            match self.now.destination {
                Destination::Instruction => return field.instruction.push_str(text),
                Destination::Entry => {
                    return field.form.entries.last_mut().into_iter().for_each(|entry| *entry += text);
                }
                _ => field.has_result |= !text.trim().is_empty(),
            }
        }
        if !self.is_content() {
            return;
        }
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
        let pictured = pictured(&text, self.pictures).max(self.formulas);
        Extracted { text, replaced, hidden: self.hidden, pictured, date: self.date }
    }
}

#[cfg(test)]
mod tests;
