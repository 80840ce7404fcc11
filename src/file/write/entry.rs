//! What is written of one document.

use crate::file::format::{Counts, Provenance};

/// What is written of one document.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// What the user calls it.
    pub id: &'a str,
    /// Its simhash; `None` if and only if it has no n-grams of terms.
    pub simhash: Option<u64>,
    /// Its minima, as many as the recipe says; none if it has no shingles.
    pub sketch: &'a [u32],
    /// The first 128 bits of the BLAKE3 hash of its text.
    pub digest: [u8; 16],
    /// The hash of a short text without its layout; 0 for other texts.
    pub layout: u64,
    /// The ISO 639-3 code of the language that it was read in.
    pub language: &'a str,
    /// How much text it has.
    pub counts: Counts,
    /// Where it came from.
    pub place: Provenance,
    /// Its sort key, if keys are kept; an empty one is none.
    pub key: Option<&'a str>,
    /// Its distinct shingles, ascending, if shingles are kept.
    pub shingles: &'a [u64],
    /// The hashes of its first [`KEPT_WORDS`](crate::similarity::KEPT_WORDS) words in their order, if shingles are kept.
    pub words: &'a [u32],
    /// Its text, if passages are kept.
    pub text: &'a str,
    /// Who wrote it, if that is known and passages are kept.
    pub author: Option<&'a str>,
}
