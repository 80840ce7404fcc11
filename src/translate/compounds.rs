//! Words that are put together from two: `Paketverwaltung` from `Paket` and `Verwaltung`.
//!
//! Dictionaries list few of them, and other languages write two words. A long word is divided where a lexicon has both
//! parts, the second as long as possible; between them one of a few endings may stand that join words.
//!
//! Cost: a look-up for each place of a long word.

use super::lexicon::Lexicon;
use crate::text::Language;
use crate::text::read_words::WordReader;

/// Languages that write compounds as one word.
const LANGUAGES: [&str; 9] = ["afr", "dan", "deu", "est", "fin", "hun", "nld", "nob", "swe"];

/// Minimum length of either part in characters.
const LEAST: usize = 4;

/// Endings of the first part that only join it.
const JOINTS: [&str; 4] = ["", "s", "es", "n"];

/// Divides the compounds of a language.
#[derive(Debug)]
pub(super) struct Compounds<'l> {
    language: Language,
    lexicons: &'l [Lexicon],
    reader: WordReader,
}

impl<'l> Compounds<'l> {
    /// `None` for a language without compounds, or without a lexicon.
    pub(super) fn of(language: Language, lexicons: &'l [Lexicon]) -> Option<Self> {
        let has_lexicon = lexicons.iter().any(|lexicon| lexicon.languages().contains(&language));
        let is_wanted = has_lexicon && LANGUAGES.contains(&language.code());
        is_wanted.then(|| Self { language, lexicons, reader: WordReader::new(language) })
    }

    /// The stems of the two parts of a word.
    pub(super) fn parts(&mut self, word: &str) -> Option<[u32; 2]> {
        let places: Vec<usize> = word.char_indices().map(|(at, _)| at).collect();
        if places.len() < 2 * LEAST || !word.chars().all(char::is_alphabetic) {
            return None;
        }
        for &place in &places[LEAST..=places.len() - LEAST] {
            let (first, second) = word.split_at(place);
            let Some(second) = self.known(second) else { continue };
            let joints = JOINTS.iter().filter_map(|joint| first.strip_suffix(joint));
            let long: Vec<&str> = joints.filter(|first| first.chars().count() >= LEAST).collect();
            if let Some(first) = long.into_iter().find_map(|first| self.known(first)) {
                return Some([first, second]);
            }
        }
        None
    }

    /// The stem of a word, if a lexicon has it.
    fn known(&mut self, word: &str) -> Option<u32> {
        let read = self.reader.memo.read(&self.reader.analyser, word).filter(|read| !read.is_common)?;
        self.lexicons.iter().any(|lexicon| lexicon.has(self.language, read.stem)).then_some(read.stem)
    }
}
