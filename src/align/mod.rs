//! Passages that two texts share, however disguised.
//!
//! [`align()`] takes two texts as [`Words`] and finds the [`Passage`]s:
//!
//! ```text
//!  words of A ─┐                 ┌─ runs of equal stems ──────┐
//!              ├─ shared stems ──┤        seeds               ├─▶ anchors ─groups─▶
//!  words of B ─┘     pair        └─ windows with much in common┘
//!
//!  ─▶ each word and its counterpart ─▶ log-odds a word ─▶ borders in A and B ─▶ passages
//!         matches                        odds             stretches   chain, resolve, extend
//! ```
//!
//! One measure decides everywhere: the log-likelihood ratio of "copied" against "by chance" (`log_odds`), summed
//! over words. It selects windows, sets the borders of passages and decides which passages count. It needs no
//! language and no list of stop words. Sentences only break ties between borders that are nearly as good.
//!
//! Texts that lost their accents are compared a second time, without any (`unaccented`).
//!
//! The frequency of a word, and so the odds, depend on the subjects of the texts (`topic`) and, if the first is short,
//! on other documents (`background`). In many documents some words stand together (`collocations`): after the first of
//! them the others tell little.
//!
//! [`Candidates`] finds those of many texts that are worth aligning with a given one.
//!
//! Cost: linear in the words if words repeat as they do in a natural language; the modules state the bounds for
//! other texts. Aligning two texts of [`Words::MOST`] words takes at most 256 MB, words included, whatever they
//! contain.
//!
//! Source: the stages seeding, extension and filtering are those of the PAN text alignment tasks (Potthast et
//! al., *Overview of the 5th International Competition on Plagiarism Detection*, CLEF 2013); ending a segment
//! where the sum has dropped comes from BLAST (Altschul et al. 1990, section *X-drop*).

mod background;
mod boilerplate;
mod candidates;
mod chain;
mod collocations;
mod common;
mod evidence;
mod extend;
mod groups;
mod hits;
mod log_odds;
mod matches;
mod memory_bound;
mod own;
mod pair;
mod passage_keys;
mod passages;
mod rare;
mod resolve;
mod seeds;
mod segments;
mod topic;
mod unaccented;
mod verbatim;
mod whole;
mod windows;
mod words;
mod work_bound;

pub use background::{Background, Counted};
pub use boilerplate::{Boilerplate, CROWD, Search};
pub use candidates::{Candidates, Indexing};
pub use collocations::{Among, Collocations};
pub use common::CommonPhrases;
pub use evidence::{Evidence, FEATURES, NAMES, one_of_unrelated};
pub use hits::Candidate;
pub use memory_bound::AlignmentMemory;
pub use pair::Key;
pub use passage_keys::PassageKeys;
pub use passages::{align, align_among};
pub use resolve::LEAD;
pub(crate) use resolve::SURE;
pub use whole::Wholes;
pub use words::{Word, Words, hash_of_run};
pub(crate) use words::{in_runs, shared_words};

use std::ops::Range;

/// Minimum length of a verbatim run, in words that have the same form and are consecutive in both texts.
/// Shorter runs are often phrases that every text on a subject contains.
pub const VERBATIM: usize = 7;

/// The thresholds of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Minimum length in words, in both texts.
    pub min_words: usize,
    /// Minimum probability, from 0 to 1, that the passage is a copy, among as many copies as unrelated texts on one
    /// subject. A run of `min_words` equal stems is a passage whatever its probability.
    pub min_probability: f32,
    /// True to find the whole of a text that stands word for word in the other, too, however improbable: of one of five
    /// words or more, or of two equal texts.
    pub whole_texts: bool,
    /// True to find passages of [`LEAD`] and more too: they do not count, but are worth a look.
    pub leads: bool,
    /// Threads that work on one pair of texts.
    pub threads: usize,
}

impl Default for Options {
    /// 20 words, and the probability at which as many labelled copies are found as by a score of 25 nats, with a third of
    /// the passages of unrelated texts (docs/measured/screening.md).
    fn default() -> Self {
        Self { min_words: 20, min_probability: 0.2, whole_texts: true, leads: false, threads: 1 }
    }
}

/// Common ground of a word and its counterpart in another language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Correspondence {
    /// A lexicon lists them as translations.
    Lexicon,
    /// They begin with the same letters.
    Cognate,
    /// They are the same number.
    Number,
    /// They have the same consonants in two scripts.
    Name,
}

/// A span of one text that also stands in another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Passage {
    /// Its words in the first text.
    pub a: Range<usize>,
    /// Its words in the second text.
    pub b: Range<usize>,
    /// The log-odds, in nats, that it is a copy: the lower of the two texts' scores.
    pub score: f32,
    /// The score of the strongest of its pieces.
    pub best: f32,
    /// The probability that it is a copy, among as many copies as unrelated texts on one subject.
    pub probability: f32,
    /// The evidence for that.
    pub evidence: Evidence,
    /// Length of the longest run of equal stems, without those that many documents share.
    pub own_run: usize,
    /// True if its probability is below .9 and it has no run of 20 equal stems, nor is it the whole of a
    /// shorter text, equal word for word. More than one of
    /// 1,000 pairs of unrelated texts on one subject have such a passage.
    pub is_weak: bool,
    /// Pairs of matched words, in the order of the first text.
    pub matched: Vec<(u32, u32)>,
    /// Of a translated passage, what the words of each pair have in common; else empty.
    pub correspondences: Vec<Correspondence>,
    /// Its words in other places of the second text that are nearly as good, in order.
    pub elsewhere: Vec<Range<usize>>,
}

impl Passage {
    /// True if one of the texts is in another language and translates the other there.
    pub fn is_translated(&self) -> bool {
        !self.correspondences.is_empty()
    }
}

#[cfg(test)]
mod tests;
