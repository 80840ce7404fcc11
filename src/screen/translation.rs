//! The settings of the search for translations.

use std::sync::Arc;

use crate::text::Language;
use crate::translate::Lexicon;

/// Which pairs of languages are compared, and by what.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    /// The lexicons; texts in the two languages of any are compared.
    pub lexicons: Arc<Vec<Lexicon>>,
    /// True to compare texts in any two languages: by cognates, numbers and names where there is no lexicon.
    pub in_any_languages: bool,
}

/// How translations between two languages are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranslationSearch {
    /// By a lexicon of the two languages.
    ByLexicon,
    /// By cognates, numbers and names alone.
    ByLetters,
    /// Not at all.
    None,
}

impl Translation {
    /// True if there are pairs of languages to compare.
    pub fn is_wanted(&self) -> bool {
        self.in_any_languages || !self.lexicons.is_empty()
    }

    /// How translations between two different languages are searched for.
    pub fn search(&self, a: Language, b: Language) -> TranslationSearch {
        let is_between = |lexicon: &Lexicon| lexicon.languages() == [a, b] || lexicon.languages() == [b, a];
        if self.lexicons.iter().any(is_between) {
            TranslationSearch::ByLexicon
        } else if self.in_any_languages {
            TranslationSearch::ByLetters
        } else {
            TranslationSearch::None
        }
    }

    /// True if texts in these two languages are compared.
    pub fn is_between(&self, a: Language, b: Language) -> bool {
        let are_two = a != b && [a, b].into_iter().all(Language::is_determined);
        are_two && self.search(a, b) != TranslationSearch::None
    }

    /// True if texts in this language are compared with texts in another.
    pub(super) fn is_from(&self, language: Language) -> bool {
        let is_of = |lexicon: &Lexicon| lexicon.languages().contains(&language);
        language.is_determined() && (self.in_any_languages || self.lexicons.iter().any(is_of))
    }
}
