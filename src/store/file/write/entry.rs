//! The record of one document.

use crate::store::file::format::{Counts, Provenance};

/// The record of one document, as it is written to a fingerprint file.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its simhash; `None` if and only if it has no n-grams of terms.
    pub simhash: Option<u64>,
    /// Its minima, as many as the recipe says; none if it has no shingles.
    pub sketch: &'a [u32],
    /// The first 128 bits of the BLAKE3 hash of its text.
    pub digest: [u8; 16],
    /// The hash of what the text says; 0 for a text without words.
    pub letters: u64,
    /// The ISO 639-3 code of the language that it was read in.
    pub language: &'a str,
    /// The size of its text.
    pub counts: Counts,
    /// Its origin.
    pub place: Provenance,
    /// Its sort key, if keys are kept; an empty one counts as none.
    pub key: Option<&'a str>,
    /// Its distinct shingles, ascending, if shingles are kept.
    pub shingles: &'a [u64],
    /// The hashes of its first [`KEPT_WORDS`](crate::similarity::KEPT_WORDS) words in their order, if shingles are kept.
    pub words: &'a [u32],
    /// Its text, if passages are kept.
    pub text: &'a str,
    /// Its author, if known and if passages are kept.
    pub author: Option<&'a str>,
}
