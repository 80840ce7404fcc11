//! Passages that two texts share, however disguised.
//!
//! [`align`] takes two texts as [`Words`] and finds the [`Passage`]s:
//!
//! ```text
//!  words of A ─┐                 ┌─ runs of equal stems ──────┐
//!              ├─ shared stems ──┤        seeds               ├─▶ anchors ─groups─▶
//!  words of B ─┘     pair        └─ windows with much in common┘
//!
//!  ─▶ each word and its counterpart ─▶ log-odds a word ─▶ borders in A and B ─▶ passages
//!         matches                        odds              segments       resolve
//! ```
//!
//! One measure decides everywhere: how much likelier what is seen of a word would be
//! in a copy than by chance (`odds`), summed over words. It tells a window
//! worth a look, where a passage ends, and whether it is one. No language is needed for
//! it, no list of stop words, and sentences only to choose between borders that are equally good.
//!
//! [`Candidates`] tells which of many texts are worth aligning with one.
//!
//! Cost: linear in the words for texts whose words repeat as those of a language do; the
//! modules say what bounds them otherwise. Two texts of [`Words::MOST`] words are aligned in 256 MB, words included,
//! whatever they hold.
//!
//! Source: the stages seeding, extension and filtering are those of the PAN text
//! alignment tasks (Potthast et al., *Overview of the 5th International Competition on
//! Plagiarism Detection*, CLEF 2013); ending a segment where the sum has dropped is due to
//! BLAST (Altschul et al. 1990, section *X-drop*).

mod align;
mod candidates;
mod groups;
mod matches;
mod odds;
mod pair;
mod passage_keys;
mod resolve;
mod room;
mod seeds;
mod stretches;
mod verbatim;
mod windows;
mod words;

pub use align::align;
pub use candidates::{Candidates, Indexing, Search};
pub use pair::Key;
pub use passage_keys::{PassageKeys, RUN_FOUND};
pub use words::{Word, Words, hash_of_run};

use std::ops::Range;

/// What counts as a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// The least length in words, in both texts.
    pub min_words: usize,
    /// The least score: log-odds, in nats, that it is a copy; two fifths of that are enough for a
    /// tenth of the first text. A run of `min_words` equal stems is a passage whatever
    /// its score.
    pub min_score: f32,
    /// Threads that work on one pair of texts.
    pub threads: usize,
}

impl Default for Options {
    /// 20 words and 25 nats: at that, the least of 600 known copies were found, and
    /// chance gave none in 60 pairs of texts without a copy (docs/screening.md).
    fn default() -> Self {
        Self { min_words: 20, min_score: 25.0, threads: 1 }
    }
}

/// A span of one text that stands in another.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The words of the first text.
    pub a: Range<usize>,
    /// The words of the second text.
    pub b: Range<usize>,
    /// The log-odds that it is a copy and no chance, in nats; of both texts' the lesser.
    pub score: f32,
    /// Whether it counts only because the first text is short: its score is under
    /// [`Options::min_score`], and it has no run of [`Options::min_words`] equal stems. What two people
    /// write of one thing in a few words may be as much alike.
    pub is_weak: bool,
    /// Pairs of words that stand for each other, in the order of the first text.
    pub matched: Vec<(u32, u32)>,
}

#[cfg(test)]
mod tests;
