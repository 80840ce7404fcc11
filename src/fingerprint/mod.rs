//! One text becomes one fingerprint; the stages of `text` and `sketch`, which do not know each other, meet here.
//!
//! - [`Fingerprinter`] takes a text through language, words, terms, n-grams, simhash and sketch, and remembers the hashes
//!   of the words that it has seen (`memo`).
//! - [`compare()`] judges two, [`explain()`] shows every step.
//! - The recipe (`recipe`) names everything that decides a fingerprint.

mod compare;
mod explain;
mod fingerprinter;
mod grams;
mod memo;
pub(crate) mod recipe;

pub use compare::{Comparison, compare};
pub use explain::{Explanation, Minimum, Ngram, Word, explain};
pub use fingerprinter::{Analysis, Fingerprint, Fingerprinter, Options, Shingles, Times};
pub use fingerprinter::{digest, digest_of};
