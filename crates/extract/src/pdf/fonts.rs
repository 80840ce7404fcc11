//! The fonts of a PDF: the characters and widths of the codes in its text.
//!
//! The characters come from the font's own map (`ToUnicode`), else from the names of its
//! glyphs, else from the encoding that it names. In a font without any of these the
//! characters are unknown.
//!
//! Source: ISO 32000-1, 9.6 to 9.10.

use std::borrow::Cow;
use std::collections::HashMap;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_16BE};
use lopdf::{Dictionary, Document, Object};

use super::cmap::CMap;
use super::entries::Entries;
use super::{Allowance, array, dictionary, entry, followed, name, number, stream};
use crate::Refusal;
use crate::symbols::{is_private, symbol};

/// Number of code space ranges whose search costs as much as the code itself.
const LENGTHS: usize = 4;

/// Maximum length of the names of fonts and encodings that are examined, in bytes.
const MAX_NAME: usize = 128;

/// Maximum length of a font's code map, unpacked, in bytes; one of all Chinese has half a
/// million.
const MAX_MAP: usize = 4 << 20;

/// A font.
#[derive(Default)]
pub(super) struct Font {
    map: Option<CMap>,
    kind: Kind,
    /// The widths of codes in thousandths of the font's size.
    widths: HashMap<u32, f32>,
    default_width: Option<f32>,
}

enum Kind {
    /// Each byte is a code; the table has the characters of each.
    Simple(Vec<Option<String>>),
    /// Codes have several bytes, and only the map gives their characters.
    Wide,
    /// Codes are those of a character encoding.
    Encoded(&'static Encoding),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Simple(Vec::new())
    }
}

/// A glyph: a code of the text with its characters and width.
pub(super) struct Sign {
    /// The characters that it stands for; `None` if unknown.
    pub(super) text: Option<String>,
    /// Its width in thousandths of the font's size.
    pub(super) width: f32,
    /// True for a space of a single byte, which word spacing widens.
    pub(super) is_space: bool,
}

impl Font {
    pub(super) fn read(
        document: &Document,
        font: &Dictionary,
        allowance: &mut Allowance,
        glyphs: &mut Glyphs,
        entries: &mut Entries,
    ) -> Result<Self, Refusal> {
        // Even an empty font has a table of 256 codes.
        entries.take(256);
        let map = stream(document, font, b"ToUnicode").map(|map| allowance.unpack(map, MAX_MAP)).transpose()?;
        let mut found = Self { map: map.flatten().map(|map| CMap::parse(&map, entries)), ..Self::default() };
        if name(document, font, b"Subtype") == b"Type0" {
            found.wide(document, font, allowance, entries)?;
        } else {
            found.simple(document, font, glyphs, entries);
        }
        Ok(found)
    }

    /// The cost of decoding this many bytes of text, on top of their length.
    pub(super) fn cost_of(&self, bytes: usize) -> usize {
        bytes.saturating_mul(self.map.as_ref().map_or(0, CMap::lengths) / LENGTHS)
    }

    fn simple(&mut self, document: &Document, font: &Dictionary, glyphs: &mut Glyphs, entries: &mut Entries) {
        self.kind = Kind::Simple(glyphs.names(document, font, entries));
        let first = entry(document, font, b"FirstChar").and_then(|first| first.as_i64().ok()).unwrap_or(0);
        let widths = array(document, font, b"Widths").into_iter().flatten().take(256);
        let scale = if name(document, font, b"Subtype") == b"Type3" { type3_scale(document, font) } else { 1.0 };
        let codes = u32::try_from(first).unwrap_or(0)..;
        self.widths =
            codes.zip(widths).filter_map(|(code, width)| Some((code, scale * number(document, width)?))).collect();
        let descriptor = dictionary(document, font, b"FontDescriptor");
        self.default_width = descriptor.and_then(|it| number(document, it.get(b"MissingWidth").ok()?));
    }

    fn wide(
        &mut self,
        document: &Document,
        font: &Dictionary,
        allowance: &mut Allowance,
        entries: &mut Entries,
    ) -> Result<(), Refusal> {
        self.kind = match entry(document, font, b"Encoding") {
            Some(Object::Name(name)) => encoding(name).map_or(Kind::Wide, Kind::Encoded),
            Some(Object::Stream(stream)) if self.map.is_none() => {
                self.map = allowance.unpack(stream, MAX_MAP)?.map(|map| CMap::parse(&map, entries));
                Kind::Wide
            }
            _ => Kind::Wide,
        };
        let descendant = array(document, font, b"DescendantFonts")
            .and_then(|fonts| followed(document, fonts.first()?)?.as_dict().ok());
        if let Some(descendant) = descendant {
            self.wide_widths(document, descendant, entries);
        }
        Ok(())
    }

    /// Reads the widths of a font whose codes have several bytes.
    fn wide_widths(&mut self, document: &Document, descendant: &Dictionary, entries: &mut Entries) {
        self.default_width =
            Some(descendant.get(b"DW").ok().and_then(|width| number(document, width)).unwrap_or(1000.0));
        // The list has triples `first last width` and pairs `first [widths]`.
        let mut widths = array(document, descendant, b"W").into_iter().flatten();
        while let (Some(first), Some(next)) = (widths.next(), widths.next()) {
            let Some(first) = number(document, first) else { return };
            let first = code_of(first);
            if !entries.take(1) {
                return;
            }
            match followed(document, next) {
                Some(Object::Array(list)) => {
                    let list = entries.each(list).filter_map(|width| number(document, width));
                    self.widths.extend((first..).zip(list));
                }
                Some(last) => {
                    let last = number(document, last).map_or(first, code_of);
                    let Some(width) = widths.next().and_then(|width| number(document, width)) else { return };
                    // Codes have two bytes; a longer run is a mistake or malice.
                    if last.saturating_sub(first) <= 0xffff {
                        self.widths.extend(entries.each(first..=last).map(|code| (code, width)));
                    }
                }
                None => return,
            }
        }
    }

    /// Calls `found` with every glyph of a text.
    pub(super) fn signs(&self, mut text: &[u8], mut found: impl FnMut(Sign)) {
        while !text.is_empty() {
            let length = self.length(text).clamp(1, text.len());
            let (bytes, rest) = text.split_at(length);
            text = rest;
            let code = bytes.iter().fold(0, |code, &byte| code << 8 | u32::from(byte));
            let characters = self.character(code, bytes);
            let width = self.widths.get(&code).copied().or(self.default_width);
            let width = width.unwrap_or_else(|| usual_width(characters.as_deref()));
            found(Sign { text: characters, width, is_space: bytes == b" " });
        }
    }

    fn length(&self, text: &[u8]) -> usize {
        match &self.kind {
            Kind::Simple(_) => 1,
            Kind::Wide => self.map.as_ref().and_then(|map| map.length(text)).unwrap_or(2),
            Kind::Encoded(encoding) if *encoding == UTF_16BE => {
                if (0xd8..0xdc).contains(&text[0]) {
                    4
                } else {
                    2
                }
            }
            Kind::Encoded(_) => 1 + usize::from(text[0] >= 0x81),
        }
    }

    fn character(&self, code: u32, bytes: &[u8]) -> Option<String> {
        let mapped = self.map.as_ref().and_then(|map| map.get(code)).filter(|text| is_said(text));
        mapped.or_else(|| match &self.kind {
            Kind::Simple(table) => table.get(code as usize)?.clone(),
            Kind::Wide => None,
            Kind::Encoded(encoding) => {
                encoding.decode_without_bom_handling_and_without_replacement(bytes).map(Cow::into_owned)
            }
        })
    }
}

#[expect(clippy::cast_sign_loss, reason = "what is below 0 becomes 0")]
fn code_of(number: f32) -> u32 {
    number as u32
}

/// True if a map gives a usable text: some give NUL or private-use characters.
fn is_said(text: &str) -> bool {
    !text.is_empty() && !text.contains(|c: char| matches!(c, '\0' | '\u{fffd}') || is_private(c))
}

/// The character encoding of a Chinese, Japanese or Korean font, by the name of its map.
fn encoding(name: &[u8]) -> Option<&'static Encoding> {
    let name = std::str::from_utf8(name).ok().filter(|name| name.len() <= MAX_NAME)?;
    let is = |part: &str| name.contains(part);
    Some(match name {
        _ if is("UCS2") || is("UTF16") => UTF_16BE,
        _ if is("GBK") || is("GB-EUC") || is("GBpc") => GBK,
        _ if is("RKSJ") => SHIFT_JIS,
        _ if is("B5") => BIG5,
        _ if is("KSC") => EUC_KR,
        "EUC-H" | "EUC-V" => EUC_JP,
        _ => return None,
    })
}

/// Caches the characters of glyph names and of the standard encodings, which fonts share.
#[derive(Default)]
pub(super) struct Glyphs {
    bases: HashMap<&'static [u8], Vec<Option<String>>>,
    named: HashMap<Vec<u8>, Option<String>>,
}

impl Glyphs {
    /// The characters of each byte in a font with names for its glyphs.
    fn names(&mut self, document: &Document, font: &Dictionary, entries: &mut Entries) -> Vec<Option<String>> {
        let base_font = name(document, font, b"BaseFont");
        let base_font = &base_font[..base_font.len().min(MAX_NAME)];
        let symbols =
            ["Symbol", "Dingbats"].iter().find(|kind| memchr::memmem::find(base_font, kind.as_bytes()).is_some());
        let (base, differences) = match entry(document, font, b"Encoding") {
            Some(Object::Name(name)) => (name.as_slice(), None),
            Some(Object::Dictionary(own)) => {
                (name(document, own, b"BaseEncoding"), array(document, own, b"Differences"))
            }
            _ => (&b""[..], None),
        };
        let is_truetype = name(document, font, b"Subtype") == b"TrueType";
        let mut table = match symbols {
            Some(_) if is_embedded(document, font) => vec![None; 256],
            Some(&"Symbol") => symbols_of("Symbol"),
            Some(_) => symbols_of("ZapfDingbats"),
            None => self.base(document, base, is_truetype),
        };
        let mut code = 0;
        for entry in entries.each(differences.into_iter().flatten()) {
            match entry {
                Object::Integer(number) => code = usize::try_from(*number).unwrap_or(256),
                Object::Name(name) => {
                    if let Some(slot) = table.get_mut(code) {
                        *slot = self.named(document, name);
                    }
                    code += 1;
                }
                _ => {}
            }
        }
        table
    }

    /// The characters of each byte in a standard encoding.
    fn base(&mut self, document: &Document, name: &[u8], is_truetype: bool) -> Vec<Option<String>> {
        let usual = [&b"MacRomanEncoding"[..], b"WinAnsiEncoding", b"MacExpertEncoding"];
        let otherwise = if is_truetype { usual[1] } else { b"StandardEncoding" };
        let base = usual.into_iter().find(|usual| *usual == name).unwrap_or(otherwise);
        let read = || (0..=255).map(|code| in_encoding(document, Object::Name(base.to_vec()), code)).collect();
        self.bases.entry(base).or_insert_with(read).clone()
    }

    /// The characters of a glyph of this name.
    fn named(&mut self, document: &Document, name: &[u8]) -> Option<String> {
        if let Some(known) = self.named.get(name) {
            return known.clone();
        }
        let found = named(document, name);
        self.named.insert(name.to_vec(), found.clone());
        found
    }
}

/// True if the glyphs of a font are in the file, where each may stand at any code.
fn is_embedded(document: &Document, font: &Dictionary) -> bool {
    let descriptor = dictionary(document, font, b"FontDescriptor");
    descriptor.is_some_and(|it| [&b"FontFile"[..], b"FontFile2", b"FontFile3"].iter().any(|file| it.has(file)))
}

/// The characters of each byte in a standard font of symbols.
fn symbols_of(font: &str) -> Vec<Option<String>> {
    let known = |code| symbol(font, code).filter(|c| !is_private(*c));
    (0..=255).map(|code| known(code).map(String::from)).collect()
}

/// The characters of a byte in an encoding, which is named or given as differences. (The
/// library has the tables but gives access to them only through a font.)
fn in_encoding(document: &Document, encoding: Object, code: u8) -> Option<String> {
    let font = Dictionary::from_iter([("Type", "Font".into()), ("Encoding", encoding)]);
    let text = font.get_font_encoding(document).and_then(|encoding| encoding.bytes_to_string(&[code])).ok()?;
    Some(text).filter(|text| !text.is_empty())
}

/// The characters of a glyph by its name: `eacute`, `uni00E9`, `u1F600`, `f_i`, `a.alt`.
fn named(document: &Document, name: &[u8]) -> Option<String> {
    let name = std::str::from_utf8(name).ok()?.split('.').next()?;
    let parts = name.split('_').map(|part| {
        let unit = |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        if let Some(digits) = part.strip_prefix("uni").filter(|digits| digits.len() >= 4 && digits.is_ascii()) {
            let units = digits.as_bytes().as_chunks::<4>().0.iter();
            return units
                .map(|unit| u16::from_str_radix(std::str::from_utf8(unit).ok()?, 16).ok())
                .collect::<Option<Vec<_>>>()
                .map(|units| String::from_utf16_lossy(&units));
        }
        if let Some(c) = part.strip_prefix('u').filter(|digits| (4..=6).contains(&digits.len())).and_then(unit) {
            return Some(c.to_string());
        }
        let differences = Object::Array(vec![Object::Integer(0), Object::Name(part.as_bytes().to_vec())]);
        let encoding = Dictionary::from_iter([("Differences", differences)]);
        in_encoding(document, Object::Dictionary(encoding), 0)
    });
    parts.collect::<Option<String>>().filter(|text| is_said(text))
}

/// Widths of a Type 3 font are multiplied by this: its glyphs have their own scale.
fn type3_scale(document: &Document, font: &Dictionary) -> f32 {
    let matrix = array(document, font, b"FontMatrix");
    let scale = matrix.and_then(|matrix| number(document, matrix.first()?));
    scale.map_or(1.0, |scale| 1000.0 * scale)
}

/// Approximate width of a character, in thousandths of the font's size, for fonts that do
/// not give it.
fn usual_width(text: Option<&str>) -> f32 {
    match text.and_then(|text| text.chars().next()) {
        Some(
            ' ' | 'i' | 'j' | 'l' | 't' | 'f' | 'I' | '.' | ',' | ':' | ';' | '!' | '|' | '\'' | '(' | ')' | '[' | ']',
        ) => 280.0,
        Some('m' | 'w' | 'M' | 'W' | '—') => 830.0,
        Some(c) if c.is_uppercase() => 690.0,
        Some(c) if c as u32 >= 0x2e80 => 1000.0,
        _ => 530.0,
    }
}
