//! Why an office document gives no text.

/// Why an office document (PDF, DOCX, ODT, RTF, EPUB) gives no text; each names the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// It can be read with a password only.
    #[error("is encrypted; save it without a password first")]
    Encrypted,
    /// Nothing in it is text.
    #[error("has no text in it, only pictures perhaps; run OCR on it first, as with `ocrmypdf`")]
    NoText,
    /// Its fonts do not say which characters their signs are.
    #[error(
        "has text of which the fonts do not say the characters; run OCR on it first, as with `ocrmypdf --force-ocr`"
    )]
    NoCharacters,
    /// It was cut short, or is something else.
    #[error("is not a valid {format}: {what}; copy it again, or save it anew with the program that made it")]
    Damaged {
        /// What it should be.
        format: &'static str,
        /// What does not agree.
        what: String,
    },
    /// It would swell beyond what any document of its size does.
    #[error("unpacks to far more than a document of its size should; if you trust it, extract its text first")]
    TooLarge,
    /// A PDF, of which this build knows nothing.
    #[error("is a PDF, which this build does not read; install it with --features pdf")]
    NoPdf,
}
