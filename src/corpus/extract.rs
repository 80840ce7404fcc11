//! Extracts the text of files that are not plain text.
//!
//! ```text
//!  bytes ──▶ recognise ──┬──▶ characters ──▶ plain text, web page (html)
//!          (../format)   └──▶ office documents: docx, pptx, odt, epub (in a zip, as xml), rtf, pdf
//! ```
//!
//! Formats are detected from content. For a file that begins with a tag, the ending of its name
//! decides too whether it is a web page. Unpacked content is bounded ([`crate::error::Refusal::TooLarge`]) and
//! stays in memory. If a reader panics nevertheless, only its file is refused.

pub(super) mod docx;
pub(super) mod epub;
pub mod html;
pub(super) mod mail;
pub(super) mod odt;
mod paragraphs;
#[cfg(feature = "pdf")]
pub(super) mod pdf;
pub(super) mod pptx;
mod properties;
pub(super) mod rtf;
mod xml;
pub(super) mod zip;

use super::hidden::Hidden;

/// The text of an office document, and counts of what is missing or may not be seen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Extracted {
    /// Its text.
    pub(super) text: String,
    /// Number of malformed sequences, or of glyphs without a character, that became U+FFFD or are missing.
    pub(super) replaced: usize,
    /// Numbers of characters that its reader may not see.
    pub(super) hidden: Hidden,
    /// The date that it states, in seconds since 1970 ([`date`](super::date)).
    pub(super) date: Option<i64>,
}

impl From<String> for Extracted {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
