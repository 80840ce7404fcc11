//! Where documents come from: bytes, decoded, and their text extracted.
//!
//! [`source`] brings the bytes of a file or of standard input, [`decode`] makes
//! characters of them, [`extract`] takes the main content out of a web page, and the text
//! out of an office document.
//! [`Document::new`] puts the three together; it never fails on a bad byte, and
//! refuses only what is no text at all.
//!
//! For many: [`inputs`] finds files, [`records`] takes them apart into documents,
//! compressed ones too ([`compression`]), and a [`problem`] says which record of
//! which file could not be read, and why.

mod catch_panic;
pub mod compression;
pub(crate) mod convert;
pub(crate) mod copy;
pub mod decode;
pub mod extract;
pub mod inputs;
mod interruptible;
pub mod kept;
pub mod records;
pub mod source;

use std::borrow::Cow;

pub use crate::durable::new_file::NewFile;
use crate::error::{Error, Result};
pub use decode::Encoding;
pub use extract::Format;
pub use interruptible::Stop;
pub use source::Source;

/// How bytes are read as a document.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The encoding of the bytes; `None` detects it.
    pub encoding: Option<Encoding>,
    /// The format of the file; `None` detects it from the content, and from the ending of the id, too, where the
    /// content begins with a tag.
    pub format: Option<Format>,
}

/// An id, a text, and how it was come by.
#[derive(Debug)]
pub struct Document<'a> {
    /// What the user calls it: a path, or `-` for standard input.
    pub id: String,
    /// The text as read; all spans point into it.
    pub text: Cow<'a, str>,
    /// What kind of file it came from.
    pub format: Format,
    /// The encoding that it was read in, by its WHATWG name; `UTF-8` for the text of an
    /// office document.
    pub encoding: &'static str,
    /// How many malformed sequences of bytes became U+FFFD; in a PDF, how many characters
    /// have a sign and no meaning.
    pub replaced: usize,
}

impl<'a> Document<'a> {
    /// Reads bytes as a document.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if they are an office document that gives no text;
    /// [`Error::Binary`] if they are no text, unless an encoding is forced.
    pub fn new(id: &str, bytes: &'a [u8], options: Options) -> Result<Self> {
        let refused = |refusal| Error::Refused { path: id.to_owned(), refusal };
        let format = match (options.format, Format::of_bytes(bytes)) {
            // Whoever names an encoding may mean to read bytes as they are.
            (None, Err(refusal)) if options.encoding.is_none() => return Err(refused(refusal)),
            (named, found) => named.or(found.unwrap_or_default()),
        };
        if let Some(read) = format.and_then(|format| extract::office(format, bytes)) {
            let (text, replaced) = read.map_err(refused)?;
            let (text, format) = (Cow::Owned(text), format.unwrap_or(Format::Text));
            return Ok(Self { id: id.to_owned(), text, format, encoding: Encoding::UTF_8.name(), replaced });
        }
        if options.encoding.is_none()
            && let Some(kind) = decode::binary(bytes)
        {
            return Err(Error::Binary { path: id.to_owned(), kind });
        }
        let decoded = decode::decode(bytes, options.encoding);
        let format = options.format.unwrap_or_else(|| extract::html::recognise(id, &decoded.text));
        let text = match format {
            Format::Html => Cow::Owned(extract::html::main_content(&decoded.text)),
            _ => decoded.text,
        };
        Ok(Self { id: id.to_owned(), text, format, encoding: decoded.encoding, replaced: decoded.replaced })
    }
}
