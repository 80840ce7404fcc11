//! Stop words: words so common that they say nothing about a text.
//!
//! A list is compared with words in their normal form, before they are stemmed. The lists of the languages are
//! those of the crate stop-words. A user's own list replaces them, for every text.

use std::collections::HashSet;

use super::Language;
use super::characters::is_apostrophe;
use super::normalise::{Normaliser, split_at_apostrophes};
use super::tokenise::Tokeniser;

/// A user's stop words, as written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StopList {
    entries: Vec<String>,
}

impl StopList {
    /// Reads a list of words separated by white space; a comment runs from `#` to the end of its line.
    pub fn parse(text: &str) -> Self {
        let mut entries: Vec<String> = text
            .lines()
            .flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace())
            .map(str::to_owned)
            .collect();
        entries.sort_unstable();
        entries.dedup();
        Self { entries }
    }

    /// The entries in order, each once.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(String::as_str)
    }

    /// The entries of more than one token, such as `state-of-the-art`, which no token can equal.
    pub fn several_words(&self) -> impl Iterator<Item = &str> {
        let tokeniser = Tokeniser::default();
        self.entries().filter(move |entry| {
            let mut words = 0;
            tokeniser.words(entry, |_| words += 1);
            words > 1
        })
    }
}

/// Stop words in the normal form of one language.
#[derive(Debug, Clone, Default)]
pub struct StopSet {
    words: HashSet<String>,
}

impl StopSet {
    /// The built-in stop words of a language; none for many.
    pub fn of_language(language: Language) -> Self {
        Self::new(language.stop_words().iter().copied(), language)
    }

    /// A user's stop words, tokenised and normalised as words of a language.
    pub fn of_list(list: &StopList, language: Language) -> Self {
        Self::new(list.entries(), language)
    }

    fn new<'a>(entries: impl Iterator<Item = &'a str>, language: Language) -> Self {
        let normaliser = Normaliser::new(language);
        let tokeniser = Tokeniser::default();
        let mut words = HashSet::new();
        let mut form = String::new();
        for entry in entries {
            let mut spans = Vec::new();
            tokeniser.words(entry, |token| {
                if language.has_elision() {
                    split_at_apostrophes(entry, token, &mut |span| spans.push(span));
                } else {
                    spans.push(token);
                }
            });
            // With elision `qu'il` is two words, and both are stop words. Other entries of several words are
            // phrases, which no token equals.
            if spans.len() == 1 || entry.contains(is_apostrophe) {
                for span in spans {
                    normaliser.normalise(&entry[span], &mut form);
                    words.insert(form.clone());
                }
            }
        }
        Self { words }
    }

    /// True if a word in its normal form is a stop word.
    pub fn contains(&self, form: &str) -> bool {
        self.words.contains(form)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if the set has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: &str) -> StopSet {
        StopSet::of_language(language.parse().unwrap())
    }

    #[test]
    fn languages_have_their_small_words() {
        for (language, word) in [
            ("eng", "the"),
            ("eng", "don't"),
            ("spa", "pero"),
            ("cat", "amb"),
            ("fra", "l"),
            ("rus", "и"),
            ("cmn", "的"),
        ] {
            assert!(of(language).contains(word), "{language} {word}");
        }
        assert!(of("und").is_empty());
    }

    #[test]
    fn a_users_list_is_words_and_comments() {
        let list = StopList::parse("Foo bar # not this\n\n# nor this\nstate-of-the-art ＢＡＺ bar\n");
        assert!(list.entries().eq(["Foo", "bar", "state-of-the-art", "ＢＡＺ"]));
        assert!(list.several_words().eq(["state-of-the-art"]));
        let set = StopSet::of_list(&list, Language::UNDETERMINED);
        assert_eq!((set.len(), set.contains("baz"), set.contains("art")), (3, true, false));
    }

    #[test]
    fn a_users_list_is_read_in_the_language_of_the_text() {
        let set = |language: &str, text| StopSet::of_list(&StopList::parse(text), language.parse().unwrap());
        assert!(set("tur", "ISI").contains("ısı"));
        let french = set("fra", "d'une qu’il");
        assert!(["d", "une", "qu", "il"].iter().all(|word| french.contains(word)));
    }
}
