//! The hashes of each word by which passages are compared: of its form, of its stem and of its form without accents.
//!
//! A text repeats its words, and texts of one language repeat each other's, so each word is analysed once and
//! remembered. Memory: 100 bytes a remembered word, 7 MB a language and thread.

use std::borrow::Cow;
use std::collections::HashMap;

use super::fold::folded;
use super::{Analyser, Language, Options, Outcome};

/// Maximum number of words remembered of a language. Beyond it all are forgotten: those that are frequent come back
/// soon.
const MOST: usize = 1 << 16;

/// Maximum length in bytes of a word that is remembered; longer ones are hardly repeated.
const LONGEST: usize = 48;

/// The hashes of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ReadWord {
    /// Hash of its normal form.
    pub(crate) form: u32,
    /// Hash of its stem; of a stop word, of its form.
    pub(crate) stem: u32,
    /// True for a stop word: evidence of copying too, if weak.
    pub(crate) is_common: bool,
    /// Hash of its form without accents, if it has any.
    pub(crate) folded: Option<u32>,
}

/// Analyses words of one language.
#[derive(Debug)]
pub(crate) struct WordReader {
    pub(crate) analyser: Analyser,
    pub(crate) memo: Memo,
}

impl WordReader {
    pub(crate) fn new(language: Language) -> Self {
        Self { analyser: Analyser::new(language, &Options::default()), memo: Memo::default() }
    }
}

/// The words analysed before; `None` for those that have no letter or digit.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    words: HashMap<Box<str>, Option<ReadWord>>,
    form: String,
}

impl Memo {
    /// Analyses a word, unless it is known. The analyser must always be the same.
    pub(crate) fn read(&mut self, analyser: &Analyser, word: &str) -> Option<ReadWord> {
        if word.len() > LONGEST {
            return analysed(analyser, word, &mut self.form);
        }
        if let Some(&known) = self.words.get(word) {
            return known;
        }
        let read = analysed(analyser, word, &mut self.form);
        if self.words.len() == MOST {
            self.words.clear();
        }
        self.words.insert(word.into(), read);
        read
    }
}

/// Analyses a word; `form` is a buffer.
fn analysed(analyser: &Analyser, word: &str, form: &mut String) -> Option<ReadWord> {
    let (stem, is_common) = match analyser.outcome(word, form) {
        Outcome::Invisible => return None,
        Outcome::Stop => (hash_of_stem(form), true),
        Outcome::Term(term) => (hash_of_stem(&term), false),
    };
    let folded = match folded(form) {
        Cow::Owned(folded) => Some(hash(&folded)),
        Cow::Borrowed(_) => None,
    };
    Some(ReadWord { form: hash(form), stem, is_common, folded })
}

/// The hash of a stem. Russian is written with `ё` or with `е` in its place, as the author likes.
fn hash_of_stem(stem: &str) -> u32 {
    if stem.contains('ё') { hash(&stem.replace('ё', "е")) } else { hash(stem) }
}

/// A 32-bit hash of a word. Two different words may collide now and then; no passage depends on one word.
fn hash(word: &str) -> u32 {
    let hash = word
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A word is the same whether it is remembered or analysed anew.
        #[test]
        fn what_is_remembered_is_what_would_be_analysed(
            words in prop::collection::vec("[a-eé]{1,4}|ёл?|the|[\u{2d9}\u{301}]|[a-z]{47,52}", 0..200),
        ) {
            for language in ["English", "French", "Russian"] {
                let mut reader = WordReader::new(language.parse().unwrap());
                for word in &words {
                    let read = reader.memo.read(&reader.analyser, word);
                    prop_assert_eq!(read, analysed(&reader.analyser, word, &mut String::new()));
                }
            }
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut reader = WordReader::new("English".parse().unwrap());
        for number in 0..=MOST {
            reader.memo.read(&reader.analyser, &number.to_string());
        }
        assert_eq!(reader.memo.words.len(), 1);
    }
}
