//! The text of a PDF.
//!
//! ```text
//!  objects ──▶ pages ──▶ glyphs and their places (page) ──▶ lines, paragraphs (layout)
//!  (lopdf)                    ▲ characters of glyphs (fonts, cmap)
//! ```
//!
//! A PDF gives the place of each glyph; words, lines and their order are inferred. Lines
//! come in the order in which the page draws them, which in the output of word processors
//! and typesetters is the reading order; what is typed into its fields follows. Repeated headers and footers are left out, and so
//! is content marked as an artifact.
//!
//! Every limit is a count (of bytes unpacked, pages, characters), never a time, so that
//! the same file gives the same text on any machine. Files without a password or with an
//! empty one are read. The library that parses the file runs on a stack of known size, and is
//! kept from printing and from ending the program.
//!
//! Cost: linear in the bytes unpacked, some 20 MB/s; for a small file under a second (`allowance`).
//!
//! Source: ISO 32000-1 (7: syntax and pages, 9: text, 14.6 to 14.9: marked content).

mod allowance;
mod cmap;
mod date;
mod entries;
mod fonts;
mod layout;
mod notes;
mod opening_cost;
mod page;
mod sheet;
mod spaced;
mod streams;
mod truncated;
mod unseen;

use std::collections::HashSet;
use std::thread;

use lopdf::{DecompressError, Dictionary, Document, Error, LoadOptions, Object, ObjectId, Stream};

use super::Extracted;
use crate::Refusal;
use crate::catch_panic::catch_panic;
use crate::hidden::Hidden;
use allowance::Allowance;
use layout::Layout;
use unseen::Area;

/// Memory limit for the objects of a file in bytes, by an estimate (`check`): [`OBJECTS`] plus
/// [`OBJECTS_PER_BYTE`] for each byte of the file, but at most [`MAX_OBJECTS`] plus
/// [`MAX_OBJECTS_PER_BYTE`] for each byte. The objects of a book of a thousand pages with all its
/// structure take some hundred megabytes.
const OBJECTS: usize = 64 << 20;
const OBJECTS_PER_BYTE: usize = 1024;
const MAX_OBJECTS: usize = if cfg!(test) { 64 << 20 } else { 1 << 30 };
const MAX_OBJECTS_PER_BYTE: usize = 8;

/// Memory limit for the operands of one operation in bytes, by the same estimate.
const MAX_OPERANDS: usize = if cfg!(test) { 4 << 20 } else { 256 << 20 };

/// Maximum length of a stream of objects, unpacked, in bytes.
const MAX_OBJECT_STREAM: usize = 32 << 20;

/// The same for all such streams of an encrypted file together: their content is unknown before
/// the file is opened.
const MAX_ENCRYPTED_OBJECTS: usize = 8 << 20;

/// Maximum number of stream lengths that refer to other streams. A sound file has none, and a
/// few may occur by chance in its pictures. The library recurses for each.
const MAX_CHAIN: usize = 1000;

/// The same where the stack is that of any thread: 2 MiB or more.
const MAX_CHAIN_ON_ANY_STACK: usize = 20;

/// Cost of an operation on top of its bytes, counted like bytes unpacked.
const OPERATION: usize = 8;
/// Cost of a node of the page tree, or of a part of a page's content.
const NODE: usize = 32;
/// Cost of a form each time that it is drawn.
const FORM: usize = 512;

/// Maximum number of pages: the longest books have some thousands.
const MAX_PAGES: usize = 100_000;

/// Maximum depth of the page tree: real ones have a few levels.
const MAX_LEVELS: usize = 64;

/// Maximum number of references that lead from one to the next: a sound file has no
/// reference to a reference.
const MAX_REFERENCES: usize = 4;

/// Stack size in bytes; only the part in use costs memory. The library recurses for nested
/// objects, up to a hundred deep, and for up to [`MAX_CHAIN`] lengths.
const STACK: usize = 64 << 20;

/// Minimum number of known letters and digits for each glyph without a known character: with
/// more than a fifth missing, too few words are complete to compare a text by.
const KNOWN_PER_UNKNOWN: usize = 4;

const FORMAT: &str = "PDF";

/// The text; glyphs without a known character count as replaced.
pub(crate) fn text(bytes: &[u8]) -> Result<Extracted, Refusal> {
    let read = |max_chain| catch_panic(|| read(bytes, max_chain)).unwrap_or_else(|said| Err(damaged(&said)));
    thread::scope(|scope| {
        match thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || read(MAX_CHAIN)) {
            Ok(thread) => thread.join().unwrap_or_else(|_| Err(damaged("it cannot be parsed"))),
            // The system refuses another thread, so this one's stack must do.
            Err(_) => read(MAX_CHAIN_ON_ANY_STACK),
        }
    })
}

fn damaged(what: &str) -> Refusal {
    Refusal::Damaged { format: FORMAT, what: what.to_owned() }
}

fn breaks_off() -> Refusal {
    damaged("its end is missing")
}

fn read(bytes: &[u8], max_chain: usize) -> Result<Extracted, Refusal> {
    if opening_cost::length_chain(bytes) > max_chain {
        return Err(damaged("the lengths of its streams are not numbers"));
    }
    let most = MAX_OBJECTS + MAX_OBJECTS_PER_BYTE * bytes.len();
    let limit = OBJECTS.saturating_add(OBJECTS_PER_BYTE.saturating_mul(bytes.len())).min(most);
    if !opening_cost::objects(bytes, limit, MAX_OBJECT_STREAM) {
        return Err(Refusal::TooLarge);
    }
    let limit = if opening_cost::may_be_encrypted(bytes) {
        MAX_ENCRYPTED_OBJECTS / opening_cost::object_streams(bytes).max(1)
    } else {
        MAX_OBJECT_STREAM
    };
    let options = LoadOptions::with_max_decompressed_size(limit);
    let is_truncated = !truncated::has_end(bytes);
    let document = match Document::load_mem_with_options(bytes, options).map_err(|error| refusal(&error)) {
        Err(Refusal::Damaged { .. }) if is_truncated => return Err(breaks_off()),
        document => document?,
    };
    if document.trailer.has(b"Encrypt") {
        return Err(Refusal::Encrypted);
    }
    if is_truncated && (opening_cost::ends_within_object(bytes) || truncated::lacks_objects(&document)) {
        return Err(breaks_off());
    }
    let mut allowance = Allowance::of(bytes.len());
    let mut fonts = page::Fonts::of(bytes.len());
    let mut layout = Layout::default();
    let mut hidden = Hidden::default();
    for page in pages(&document, &mut allowance)? {
        page::read(&document, &page, &mut fonts, &mut allowance, &mut layout, &mut hidden)?;
        if let Ok(page) = document.get_dictionary(page.id) {
            notes::each(&document, page, &mut allowance, |text| layout.note(text))?;
        }
        layout.end_page();
    }
    let (text, unknown, pictured) = layout.finish();
    let pictured = pictured + carried(&document);
    let known = text.chars().filter(|c| c.is_alphanumeric()).count();
    if known > 0 && known >= unknown.saturating_mul(KNOWN_PER_UNKNOWN) {
        Ok(Extracted { text, replaced: unknown, hidden, pictured, date: date::date(&document) })
    } else if is_truncated {
        Err(breaks_off())
    } else if unknown > 0 {
        Err(Refusal::NoCharacters)
    } else if allowance.is_lost() {
        Err(damaged("the content of its pages cannot be unpacked"))
    } else {
        Err(Refusal::NoText)
    }
}

/// Number of the kinds of content that are not read: attached files, and a form in XML, which may say all.
fn carried(document: &Document) -> usize {
    let Ok(catalog) = document.catalog() else { return 0 };
    let has = |within: &[u8], key: &[u8]| dictionary(document, catalog, within).is_some_and(|within| within.has(key));
    let is_attachment =
        |object: &Object| object.as_dict().is_ok_and(|note| name(document, note, b"Subtype") == b"FileAttachment");
    let has_files =
        has(b"Names", b"EmbeddedFiles") || catalog.has(b"AF") || document.objects.values().any(is_attachment);
    usize::from(has_files) + usize::from(has(b"AcroForm", b"XFA"))
}

fn refusal(error: &Error) -> Refusal {
    match error {
        Error::Decompress(DecompressError::MemoryLimitExceeded { .. }) => Refusal::TooLarge,
        Error::Decryption(_) | Error::InvalidPassword | Error::UnsupportedSecurityHandler(_) => Refusal::Encrypted,
        other => damaged(&other.to_string()),
    }
}

/// A page.
#[derive(Clone, Copy)]
struct Page<'a> {
    id: ObjectId,
    /// Its own or inherited resources.
    resources: Resources<'a>,
    /// Its visible part, its own or inherited.
    area: Option<Area>,
}

/// The pages in order.
fn pages<'a>(document: &'a Document, allowance: &mut Allowance) -> Result<Vec<Page<'a>>, Refusal> {
    let root = document.catalog().and_then(|catalog| catalog.get(b"Pages")).and_then(Object::as_reference);
    let root = root.map_err(|_| damaged("it has no pages"))?;
    let (mut pages, mut seen) = (Vec::new(), HashSet::new());
    let mut waiting = vec![(Page { id: root, resources: None, area: None }, 0)];
    while let Some((inherited, level)) = waiting.pop() {
        let Some(Object::Dictionary(node)) = document.objects.get(&inherited.id) else { continue };
        // A page that occurs twice in the tree is read once.
        if !seen.insert(inherited.id) || level > MAX_LEVELS {
            continue;
        }
        let resources = dictionary(document, node, b"Resources").map_or(inherited.resources, Some);
        let area = [&b"CropBox"[..], b"MediaBox"].into_iter().find_map(|key| area(document, node, key));
        let page = Page { resources, area: area.or(inherited.area), ..inherited };
        match array(document, node, b"Kids") {
            Some(kids) => {
                // Nodes may share their kids.
                allowance.take(NODE.saturating_mul(kids.len()))?;
                let kids = kids.iter().rev().filter_map(|kid| kid.as_reference().ok());
                waiting.extend(kids.map(|id| (Page { id, ..page }, level + 1)));
            }
            None if pages.len() >= MAX_PAGES => return Err(Refusal::TooLarge),
            None => pages.push(page),
        }
    }
    Ok(pages)
}

/// The rectangle that is the value of a key.
fn area(document: &Document, of: &Dictionary, key: &[u8]) -> Option<Area> {
    let [a, b, c, d] = array(document, of, key)?.as_slice() else { return None };
    let [a, b, c, d] = [number(document, a)?, number(document, b)?, number(document, c)?, number(document, d)?];
    Some([a.min(c), b.min(d), a.max(c), b.max(d)])
}

type Resources<'a> = Option<&'a Dictionary>;

/// Resolves an object that may be a reference. At most [`MAX_REFERENCES`] are followed in a row, as
/// each costs a search.
fn followed<'a>(document: &'a Document, mut object: &'a Object) -> Option<&'a Object> {
    for _ in 0..=MAX_REFERENCES {
        let Object::Reference(id) = object else { return Some(object) };
        object = document.objects.get(id)?;
    }
    None
}

/// The value of a key in a dictionary, resolved.
fn entry<'a>(document: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a Object> {
    followed(document, of.get(key).ok()?)
}

fn dictionary<'a>(document: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a Dictionary> {
    match entry(document, of, key)? {
        Object::Dictionary(found) => Some(found),
        _ => None,
    }
}

fn stream<'a>(document: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a Stream> {
    entry(document, of, key)?.as_stream().ok()
}

fn array<'a>(document: &'a Document, of: &'a Dictionary, key: &[u8]) -> Option<&'a Vec<Object>> {
    entry(document, of, key)?.as_array().ok()
}

/// The name that is the value of a key in a dictionary; empty if there is none.
fn name<'a>(document: &'a Document, of: &'a Dictionary, key: &[u8]) -> &'a [u8] {
    entry(document, of, key).and_then(|name| name.as_name().ok()).unwrap_or_default()
}

fn number(document: &Document, object: &Object) -> Option<f32> {
    followed(document, object)?.as_float().ok().filter(|number| number.is_finite())
}

#[cfg(test)]
mod tests;
