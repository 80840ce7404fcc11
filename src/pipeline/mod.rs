//! The conductors, which join the stages; the stages do not know each other.
//!
//! - [`Fingerprinter`] takes one text through language, words, terms, n-grams, simhash and sketch;
//!   [`compare`](compare()) judges two, [`explain`](explain()) shows every step.
//! - [`fingerprint`] reads many documents and writes their fingerprints to a file.
//! - [`find`] searches fingerprints for near-duplicates, and [`clean`] writes the survivors;
//!   [`review`] finds where documents differ that a wider claim would remove, `typos` which words are misspelt.
//! - [`screen`] finds passages that documents share with others.
//! - [`index`] keeps fingerprints in a folder, to which documents can be added and from which they can be removed.

pub mod authors;
pub mod clean;
mod compare;
mod explain;
pub mod find;
pub mod fingerprint;
mod fingerprinter;
mod grams;
pub mod index;
mod memo;
mod reading;
mod recipe;
pub mod review;
pub mod screen;
pub mod texts;
mod typos;

pub use compare::{Comparison, compare};
pub use explain::{Explanation, Minimum, Ngram, Word, explain};
pub use fingerprinter::{Analysis, Fingerprint, Fingerprinter, Options, Shingles, Times};

#[cfg(test)]
mod tests;
