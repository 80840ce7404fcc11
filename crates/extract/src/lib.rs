//! The text of a document, given its bytes: plain text in any encoding, web pages, PDF, office documents, e-books, mails.
//!
//! ```text
//!  bytes ──▶ format ──┬──▶ decode ──▶ characters ──▶ plain text, web page (html)
//!                     └──▶ office documents: docx, pptx, odt, epub (in a zip, as xml), rtf, pdf, mail, msg
//! ```
//!
//! [`Document::new`] does all of it. It never fails on a malformed byte; it refuses only bytes that are not a text at all,
//! and says how to get one ([`Refusal`]).
//!
//! Formats are detected from content. For a file that begins with a tag, the ending of its name
//! decides too whether it is a web page. Unpacked content is bounded ([`Refusal::TooLarge`]) and
//! stays in memory. If a reader panics nevertheless, only its document is refused.
//!
//! Cost: linear in the bytes, but for web pages among teasers and notices ([`html`]).

pub mod carried;
mod catch_panic;
mod date;
pub mod decode;
mod document;
mod docx;
mod epub;
mod field;
pub mod foreign;
mod format;
mod hidden;
pub mod html;
mod http;
mod linear;
pub mod mail;
mod msg;
mod odt;
mod paragraphs;
#[cfg(feature = "pdf")]
mod pdf;
mod pptx;
mod properties;
mod raised;
mod refusal;
mod rtf;
mod symbols;
pub mod warc;
mod xml;
pub mod zip;

pub use catch_panic::catch_panic;
pub use date::{iso as iso_date, mail as mail_date, plausible as plausible_date};
pub use decode::Encoding;
pub use document::{Document, Options};
pub use format::Format;
pub use hidden::Hidden;
pub use refusal::Refusal;

/// The text of an office document, and counts of what is missing or may not be seen.
#[derive(Debug, Default, PartialEq, Eq)]
struct Extracted {
    /// Its text.
    text: String,
    /// Number of malformed sequences, or of glyphs without a character, that became U+FFFD or are missing.
    replaced: usize,
    /// Numbers of characters that its reader may not see.
    hidden: Hidden,
    /// Number of its pictures and other parts that may hold text.
    pictured: usize,
    /// The date that it states, in seconds since 1970 ([`date`]).
    date: Option<i64>,
}

impl From<String> for Extracted {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

/// Letters and digits that a picture has around it if it is no picture of text: some 50 words. A page of text has six times as
/// many.
const LETTERS_OF_A_PICTURE: usize = 250;

/// How many of the pictures of a document may hold text: all, if there is little text beside them.
fn pictured(text: &str, pictures: usize) -> usize {
    if has_letters(text.chars(), LETTERS_OF_A_PICTURE.saturating_mul(pictures)) { 0 } else { pictures }
}

/// True if there are at least so many letters and digits.
fn has_letters(characters: impl Iterator<Item = char>, count: usize) -> bool {
    characters.filter(|c| c.is_alphanumeric()).take(count).count() == count
}

#[cfg(test)]
mod tests;
