//! Entries of one file on their way into the lexicon, and a sample of them that shows which language is which.
//!
//! The languages of a file are those that its name or the user tells. A table with its columns exchanged makes a lexicon by
//! which nothing is found, so a sample of the headwords is joined to a text, and one of their first translations, and the
//! language of both is detected. If each looks like the other's, the columns are probably exchanged. `docs/translated.md`
//! says how often that is so.

use nearcopy::text::{Language, detect};
use nearcopy::translate::Dictionary;

use super::glosses::Glosses;

/// Minimum number of entries by which the languages are detected.
const ENOUGH: usize = 50;

/// Maximum number of entries in the sample.
const MOST: usize = 1 << 12;

/// Maximum length of a translation in the sample, in bytes.
const LONGEST: usize = 80;

/// The entries of a file.
pub(super) struct Entries<'d> {
    dictionary: &'d mut Dictionary,
    languages: [Language; 2],
    is_turned: bool,
    glosses: Glosses,
    /// Number of entries.
    count: usize,
    /// Headwords and first translations of each entry whose number `step` divides.
    sample: Vec<[String; 2]>,
    step: usize,
}

impl<'d> Entries<'d> {
    /// No entries yet, of a file that has the languages of the dictionary, the other way round if it `is_turned`.
    pub(super) fn new(dictionary: &'d mut Dictionary, [a, b]: [Language; 2], is_turned: bool) -> Self {
        let languages = if is_turned { [b, a] } else { [a, b] };
        let glosses = Glosses::between(languages[0], languages[1]);
        Self { dictionary, languages, is_turned, glosses, count: 0, sample: Vec::new(), step: 1 }
    }

    /// The languages of headwords and translations.
    pub(super) fn languages(&self) -> [Language; 2] {
        self.languages
    }

    /// Number of entries.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Adds an entry by the text that lists its translations.
    pub(super) fn add(&mut self, headword: &str, listed: &str) {
        let found = self.glosses.of(listed);
        // In the wrong column, translations in another script are read as none.
        self.sample(headword, found.first().map_or(listed, String::as_str));
        self.dictionary.add(headword, found.iter().map(String::as_str), self.is_turned);
        self.count += 1;
    }

    /// Adds an entry that has one translation.
    pub(super) fn add_pair(&mut self, headword: &str, translation: &str) {
        self.sample(headword, translation);
        self.dictionary.add(headword, [translation], self.is_turned);
        self.count += 1;
    }

    /// Puts an entry into the sample, if its number is in turn.
    fn sample(&mut self, headword: &str, translation: &str) {
        if !self.count.is_multiple_of(self.step) {
            return;
        }
        let translation = &translation[..translation.floor_char_boundary(LONGEST)];
        self.sample.push([headword.to_owned(), translation.to_owned()]);
        if self.sample.len() > MOST {
            // Alphabetic order puts foreign words together, so the sample is of all of the file.
            let mut number = 0;
            self.sample.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.step *= 2;
        }
    }

    /// Notes the name and the licence that the dictionary states.
    pub(super) fn note_origin(&mut self, name: &str, licence: &str) {
        self.dictionary.note_origin(name, licence);
    }

    /// Notes a further file that the entries come from.
    pub(super) fn note_source(&mut self, file: String, content: &[u8]) {
        self.dictionary.note_source(file, content);
    }

    /// True if the headwords look like the language of the translations, and these like that of the headwords.
    pub(super) fn look_reversed(&self) -> bool {
        let language = |side: usize| {
            let words: Vec<&str> = self.sample.iter().map(|pair| pair[side].as_str()).collect();
            detect::of_whole(&words.join("\n")).language
        };
        let [from, to] = self.languages;
        self.sample.len() >= ENOUGH && language(0) == to && language(1) == from
    }
}
