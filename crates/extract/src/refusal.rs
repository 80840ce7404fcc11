//! Reasons why bytes give no text.

use crate::foreign;

/// The reason why bytes give no text; each names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// They are not a text.
    #[error("is {kind}, not a text; extract its text first (or give --encoding to read it as text all the same)")]
    Binary {
        /// The detected type, with its article: "a PDF".
        kind: &'static str,
    },
    /// It needs a password.
    #[error("is encrypted; save it without a password first")]
    Encrypted,
    /// It has no bytes, although its name ends as that of a document.
    #[error("is an empty file of 0 bytes, not a document; copy it again, or restore it from a backup")]
    Empty,
    /// It contains no text.
    #[error(
        "contains no text, perhaps only pictures; run OCR on it first, for example with `ocrmypdf`; save an office document as \
         PDF before"
    )]
    NoText,
    /// Its fonts do not map their glyphs to characters.
    #[error(
        "contains text whose fonts do not map glyphs to characters; run OCR on it first, for example with \
         `ocrmypdf --force-ocr`"
    )]
    NoCharacters,
    /// It is truncated, damaged or of another format.
    #[error("is not a valid {format}: {what}; copy it again, or save it anew with the program that made it")]
    Damaged {
        /// The expected format.
        format: &'static str,
        /// The mismatch.
        what: String,
    },
    /// It would expand far beyond any usual document of its size.
    #[error("unpacks to far more than a document of its size should; if you trust it, extract its text first")]
    TooLarge,
    /// A file of another program.
    #[error("is {what}; {remedy}")]
    Foreign {
        /// The kind of file, with its article.
        what: &'static str,
        /// The remedy.
        remedy: &'static str,
    },
    /// A PDF, which this build cannot read.
    #[error("is a PDF, which this build does not read; install it with --features pdf")]
    NoPdf,
}

impl Refusal {
    /// True for a Word document of the old format.
    pub fn is_old_word(&self) -> bool {
        *self == foreign::WORD
    }

    /// A short name; problems are counted by it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Binary { .. } => "not a text",
            Self::Encrypted => "encrypted",
            Self::Empty => "empty file",
            Self::NoText | Self::NoCharacters => "no text in it",
            Self::Damaged { .. } => "damaged document",
            Self::TooLarge => "unpacks to too much",
            Self::NoPdf => "PDF",
            Self::Foreign { .. } => "another format",
        }
    }
}
