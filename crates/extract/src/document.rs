//! A document: an id, its text, and how it was read.

use std::borrow::Cow;

use crate::decode::{self, Encoding};
use crate::format::Format;
use crate::hidden::Hidden;
use crate::{Extracted, Refusal, foreign, html, mail};

/// Options for reading bytes as a document.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The encoding of the bytes; `None` detects it.
    pub encoding: Option<Encoding>,
    /// The format of the file; `None` detects it from the content, and from the ending of the id, too, where the
    /// content begins with a tag.
    pub format: Option<Format>,
    /// Maximum number of bytes that a packed document may unpack to; `None` leaves it to the limits of its format.
    pub max_unpacked: Option<u64>,
}

/// An id, a text, and the format and encoding that it was read in.
#[derive(Debug)]
pub struct Document<'a> {
    /// The id: a path, or `-` for standard input.
    pub id: String,
    /// The text as read; all spans point into it.
    pub text: Cow<'a, str>,
    /// The format of its file.
    pub format: Format,
    /// The encoding that it was read in, by its WHATWG name; `UTF-8` for the text of an
    /// office document.
    pub encoding: &'static str,
    /// Number of malformed byte sequences replaced by U+FFFD; in a PDF, the number of glyphs that
    /// map to no character.
    pub replaced: usize,
    /// Numbers of characters that its reader may not see; found in PDF, DOCX, ODT, RTF and HTML only.
    pub hidden: Hidden,
    /// Number of pictures and other parts that may hold text, which is unknown: pages of a PDF without text, files in it, documents
    /// and diagrams in others, and the pictures, charts and objects of documents with little text beside them. All those of a
    /// web page, its scripts included, count as one.
    pub pictured: usize,
    /// The date that it states, of its last change or else of its creation, in seconds since 1970 (UTC).
    pub date: Option<i64>,
}

impl<'a> Document<'a> {
    /// Reads bytes as a document.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] if they are an office document that gives no text, or are none and the id ends as that of one; or
    /// if they are not a text, unless an encoding is given.
    pub fn new(id: &str, bytes: &'a [u8], options: Options) -> Result<Self, Refusal> {
        if bytes.is_empty() && options.format.is_none() && Format::of_name(id).is_some() {
            return Err(Refusal::Empty);
        }
        let format = match (options.format, Format::of_bytes(bytes)) {
            // An encoding given by the user may mean that the bytes are to be read as they are.
            (None, Err(refusal)) if options.encoding.is_none() => return Err(refusal),
            (named, found) => named.or(found.unwrap_or_default()),
        };
        let max_unpacked = options.max_unpacked.unwrap_or(u64::MAX);
        if let Some(read) = format.and_then(|format| format.office_text(bytes, max_unpacked)) {
            let Extracted { text, replaced, hidden, pictured, date } = read?;
            let (text, format) = (Cow::Owned(text), format.unwrap_or(Format::Text));
            return Ok(Self {
                id: id.to_owned(),
                text,
                format,
                encoding: Encoding::UTF_8.name(),
                replaced,
                hidden,
                pictured,
                date,
            });
        }
        if let Some(refusal) = foreign::link(id, bytes).filter(|_| options.format.is_none()) {
            return Err(refusal);
        }
        if options.encoding.is_none()
            && let Some(kind) = decode::binary(bytes)
        {
            if let Some(refusal) = foreign::refusal(bytes).filter(|_| options.format.is_none()) {
                return Err(refusal);
            }
            return Err(Refusal::Binary { kind });
        }
        let decoded = decode::decode(bytes, options.encoding);
        let format = options.format.unwrap_or_else(|| html::recognise(id, &decoded.text));
        let (text, hidden, pictured, date) = if format == Format::Html {
            let html::Page { text, hidden, pictured } = html::read(&decoded.text);
            (Cow::Owned(text), hidden, pictured, html::date(&decoded.text))
        } else {
            let date = mail::date(&decoded.text);
            (decoded.text, Hidden::default(), 0, date)
        };
        let (encoding, replaced) = (decoded.encoding, decoded.replaced);
        Ok(Self { id: id.to_owned(), text, format, encoding, replaced, hidden, pictured, date })
    }

    /// The same with a text of its own.
    pub(crate) fn into_owned(self) -> Document<'static> {
        Document { text: Cow::Owned(self.text.into_owned()), ..self }
    }
}
