//! Detects a file's format and extracts its text.
//!
//! ```text
//!  bytes ──▶ recognise ──┬──▶ characters ──▶ plain text, web page (html)
//!                        └──▶ office documents: docx, odt, epub (in a zip, as xml), rtf, pdf
//! ```
//!
//! Formats are detected from content. For a file that begins with a tag, the ending of its name
//! decides too whether it is a web page. Unpacked content is bounded ([`Refusal::TooLarge`]) and
//! stays in memory. If a reader panics nevertheless, only its file is refused.

mod docx;
mod epub;
pub mod html;
mod odt;
mod paragraphs;
#[cfg(feature = "pdf")]
mod pdf;
mod rtf;
mod xml;
mod zip;

use crate::corpus::catch_panic::catch_panic;
use crate::error::Refusal;
use zip::Archive;

/// Maximum white space before the beginning of a PDF or RTF, in bytes: PDF readers search
/// the same range.
const MAX_BLANKS: usize = 1024;

/// The format of the file that a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Plain text, taken unchanged.
    Text,
    /// A web page; its main content is taken.
    Html,
    /// A word-processing document in Office Open XML.
    Docx,
    /// An `OpenDocument` text.
    Odt,
    /// Rich Text Format.
    Rtf,
    /// An electronic book.
    Epub,
    /// A PDF.
    Pdf,
}

impl Format {
    /// The format of an office document; `None` for plain text and web pages.
    ///
    /// # Errors
    ///
    /// [`Refusal::Damaged`] if it is an archive whose directory cannot be read.
    pub fn of_bytes(bytes: &[u8]) -> Result<Option<Self>, Refusal> {
        Ok(match bytes {
            _ if trimmed(bytes).starts_with(b"%PDF-") => Some(Self::Pdf),
            _ if trimmed(bytes).starts_with(b"{\\rtf") => Some(Self::Rtf),
            _ if zip::begins(bytes) => of_archive(&mut Archive::open(bytes)?)?,
            _ => None,
        })
    }

    /// True if the bytes begin like an office document.
    pub(super) fn may_begin(bytes: &[u8]) -> bool {
        let begin = trimmed(bytes);
        begin.starts_with(b"%PDF-") || begin.starts_with(b"{\\rtf") || zip::begins(bytes)
    }
}

/// Strips a leading byte-order mark and white space, which mail and web servers add.
fn trimmed(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let blanks = bytes.iter().take(MAX_BLANKS).take_while(|byte| byte.is_ascii_whitespace()).count();
    &bytes[blanks..]
}

/// The format of an archive; `None` if it is no office document.
fn of_archive(archive: &mut Archive) -> Result<Option<Format>, Refusal> {
    let mimetype = archive.read("mimetype")?.unwrap_or_default();
    Ok(if mimetype.starts_with(odt::MIMETYPE) {
        Some(Format::Odt)
    } else if mimetype.starts_with(epub::MIMETYPE) || archive.has(epub::CONTAINER) {
        Some(Format::Epub)
    } else if docx::is(archive)? {
        Some(Format::Docx)
    } else {
        None
    })
}

/// The text of an office document, and the number of its malformed sequences that became
/// U+FFFD; `None` for plain text and web pages.
pub(super) fn office(format: Format, bytes: &[u8]) -> Option<Result<(String, usize), Refusal>> {
    let archived = |text: fn(&mut Archive) -> Result<String, Refusal>| Ok((text(&mut Archive::open(bytes)?)?, 0));
    let read = || match format {
        Format::Text | Format::Html => Ok((String::new(), 0)),
        Format::Docx => archived(docx::text),
        Format::Odt => archived(odt::text),
        Format::Epub => archived(epub::text),
        Format::Rtf => rtf::text(trimmed(bytes)),
        #[cfg(feature = "pdf")]
        Format::Pdf => pdf::text(trimmed(bytes)),
        #[cfg(not(feature = "pdf"))]
        Format::Pdf => Err(Refusal::NoPdf),
    };
    if matches!(format, Format::Text | Format::Html) {
        return None;
    }
    Some(catch_panic(read).unwrap_or_else(|what| Err(Refusal::Damaged { format: "document", what })))
}

#[cfg(test)]
mod tests;
