//! Turns a document into terms and n-grams.
//!
//! [`detect`] finds the [`languages`] of the text, [`tokenise`] its words, [`normalise`] their common form;
//! [`one_script`] reads a text of two scripts in one; [`stopwords`] and [`stem`] make terms of them, [`fold`] drops their
//! accents, and [`ngrams`] lists the runs of terms that count. [`ends`] says where sentences and lines end, [`code`] which lines are a program's, [`table`] which are rows, [`spans`] where the words of a text are,
//! [`plain_words`] where they begin whatever the language. [`without_layout`] is what short texts are compared by, [`ambiguity`] tells
//! apart words of one form.
//! [`analyse`] combines the steps for one language; the tests compare every faster path with it.

pub mod ambiguity;
pub mod analyse;
mod breaks;
pub(crate) mod characters;
pub mod chunks;
pub mod code;
pub mod detect;
pub mod disguises;
pub mod ends;
pub mod fold;
pub mod languages;
pub mod ngrams;
pub mod normalise;
pub mod one_script;
pub mod plain_words;
mod portions;
pub(crate) mod read_words;
pub mod romanised;
mod simple;
pub mod spans;
pub mod stem;
pub mod stopwords;
pub mod table;
pub mod tokenise;
pub mod without_layout;
pub mod word_hash;
pub mod words;

use std::sync::Arc;

pub use analyse::{Analyser, Outcome, Token};
pub use detect::Detection;
pub use languages::Language;
pub use ngrams::NgramRange;
pub use simple::two_byte_forms;
pub use stopwords::{StopList, StopSet};

/// The options that decide the terms of a text.
#[derive(Debug, Clone)]
pub struct Options {
    /// The language of every text; `None` detects each text's own.
    pub language: Option<Language>,
    /// The words that are dropped.
    pub stop_words: StopWords,
    /// True if words are stemmed where their language has a stemmer.
    pub stem: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { language: None, stop_words: StopWords::Auto, stem: true }
    }
}

/// The words that are dropped before n-grams are made.
#[derive(Debug, Clone, Default)]
pub enum StopWords {
    /// The list of the text's language, if it has one.
    #[default]
    Auto,
    /// No word at all.
    None,
    /// One list for all texts, whatever their language.
    List(Arc<StopList>),
}
