//! Extracts the text of files that are not plain text.
//!
//! ```text
//!  bytes ──▶ recognise ──┬──▶ characters ──▶ plain text, web page (html)
//!          (../format)   └──▶ office documents: docx, odt, epub (in a zip, as xml), rtf, pdf
//! ```
//!
//! Formats are detected from content. For a file that begins with a tag, the ending of its name
//! decides too whether it is a web page. Unpacked content is bounded ([`crate::error::Refusal::TooLarge`]) and
//! stays in memory. If a reader panics nevertheless, only its file is refused.

pub(super) mod docx;
pub(super) mod epub;
pub mod html;
pub(super) mod odt;
mod paragraphs;
#[cfg(feature = "pdf")]
pub(super) mod pdf;
pub(super) mod rtf;
mod xml;
pub(super) mod zip;

#[cfg(test)]
mod tests;
