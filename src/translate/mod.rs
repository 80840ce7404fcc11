//! Passages that one text translates from another.
//!
//! ```text
//!  words of A ── lexicons, letters, digits ──▶ keys of counterparts ──▶ windows of sources that hold many (index)
//!                                                                           │
//!  words of A and B near it ──▶ each word and its counterpart near the line on which both advance (align)
//!                                                                           │
//!       log-odds a word, in both directions ──▶ borders in A and B ──▶ probability (evidence)
//! ```
//!
//! A [`Lexicon`] says which stems of two languages translate each other. Beside it, words are counterparts if their
//! letters begin alike (cognates, `letters`), if they are the same number, or, between two scripts, if they have the
//! same consonants (names). Word order and word forms differ between languages, so that no run of words tells anything;
//! what tells a translation is that far more words than by chance have a counterpart at about the place where a
//! translation would have it. By chance means: as often as the keys of its counterparts occur in blocks of the other
//! language, in the corpus and around that place.
//!
//! Cost: [`Index`] takes 8 bytes for each key of each block, some 30 bytes a word, and a [`Vocabulary`] as many. A document is searched by windows of 64
//! words; of the windows of sources the best few are aligned, each with some 500 words around it.

mod align;
mod compounds;
mod counterparts;
mod evidence;
mod index;
mod letters;
pub mod lexicon;
mod vocabulary;

pub use align::{Side, keep_better, translated};
pub use counterparts::{Asked, Counterparts};
pub use evidence::NAMES;
pub use index::{Index, Seed};
pub use lexicon::{Dictionary, Lexicon};
pub use vocabulary::{Reader, Telling, Vocabulary};
