//! The recipe: everything that decides a fingerprint, in words and numbers.
//!
//! Fingerprints are comparable only if they were made by the same recipe. It is
//! kept as plain values so that it can be stored beside fingerprints, shown, and
//! compared years later by a program that no longer has the same options.

use std::collections::BTreeMap;

/// Everything that decides a fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Recipe {
    /// The version of the pipeline itself: raised by every change of `dedup` that
    /// gives the same text another fingerprint.
    pub version: u32,
    /// The ISO 639-3 code of the language of all texts, or `auto`.
    pub language: String,
    /// `none`, or the origin of the list and a digest of its words.
    pub stop_words: String,
    /// Whether terms are stems.
    pub stem: bool,
    /// The smallest n-gram, in terms.
    pub min_ngram: usize,
    /// The greatest n-gram, in terms.
    pub max_ngram: usize,
    /// The low 64 coefficients of the Rabin polynomial, in hex.
    pub polynomial: String,
    /// The number of MinHash sketches.
    pub sketches: usize,
    /// The seed of the sketches' coefficients, in hex.
    pub sketch_seed: String,
    /// The crates whose behaviour shows in a fingerprint, with their versions.
    pub libraries: BTreeMap<String, String>,
}

impl Recipe {
    /// A short name for the recipe: equal for equal recipes, different (but for a
    /// chance of 2^-64) for different ones.
    ///
    /// # Panics
    ///
    /// Never: a recipe is plain strings and numbers, which JSON can hold.
    pub fn id(&self) -> u64 {
        let text = serde_json::to_string(self).expect("plain strings and numbers");
        u64::from_be_bytes(*blake3::hash(text.as_bytes()).as_bytes().first_chunk().expect("32 bytes"))
    }
}
