//! Stop words: words so common that they tell nothing about a text.
//!
//! A list is compared with words in their normal form, before they are stemmed.
//! Languages have the lists of the crate stop-words; a user can bring one of his
//! own, which then counts for every text.

use std::collections::HashSet;

use super::Language;
use super::normalise::Normaliser;
use super::tokenise::Tokeniser;

/// A set of words in their normal form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StopList {
    words: HashSet<String>,
}

impl StopList {
    /// The list of a language; empty if it has none.
    ///
    /// Entries of several words are left out: a token never equals one.
    pub fn of_language(language: Language) -> Self {
        Self::of_entries(language.stop_words().iter().copied(), language)
    }

    /// A user's list: words between white space, `#` starts a comment that runs to
    /// the end of its line.
    pub fn parse(text: &str) -> Self {
        let entries = text.lines().flat_map(|line| line.split('#').next().unwrap_or_default().split_whitespace());
        Self::of_entries(entries, Language::UNDETERMINED)
    }

    fn of_entries<'a>(entries: impl Iterator<Item = &'a str>, language: Language) -> Self {
        let normaliser = Normaliser::new(language);
        let tokeniser = Tokeniser::new(language.has_elision());
        let mut words = HashSet::new();
        let mut form = String::new();
        for entry in entries {
            let mut spans = Vec::new();
            tokeniser.words(entry, |span| spans.push(span));
            if let [span] = &spans[..] {
                normaliser.normalise(&entry[span.clone()], &mut form);
                words.insert(form.clone());
            }
        }
        Self { words }
    }

    /// Whether the list has a word in this normal form.
    pub fn contains(&self, form: &str) -> bool {
        self.words.contains(form)
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether no word is on the list.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in order, for a digest or for display.
    pub fn sorted(&self) -> Vec<&str> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        words.sort_unstable();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: &str) -> StopList {
        StopList::of_language(language.parse().unwrap())
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
        let list = StopList::parse("Foo bar # not this\n\n# nor this\nstate-of-the-art ＢＡＺ\n");
        assert_eq!(list.sorted(), ["bar", "baz", "foo"]);
    }
}
