//! The conductors: they join the stages, which do not know each other.
//!
//! - [`Fingerprinter`] takes one text through language, words, terms, n-grams, simhash and sketch;
//!   [`compare`](compare()) judges two, [`explain`](explain()) shows every step.
//! - [`fingerprint`] reads many documents and writes their fingerprints to a file.
//! - [`find`] searches them for near-duplicates, and [`clean`] writes the survivors.
//! - [`screen`] finds passages that documents share with others.
//! - [`index`] keeps documents in a folder that grows and shrinks.

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
pub mod screen;
pub mod texts;

pub use compare::{Comparison, compare};
pub use explain::{Explanation, Minimum, Ngram, Word, explain};
pub use fingerprinter::{Analysis, Fingerprint, Fingerprinter, Options, Shingles, Times};
