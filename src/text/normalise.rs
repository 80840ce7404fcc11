//! The common form of a word: NFKC, lower case, no invisible characters.
//!
//! Two spellings that a reader takes for the same word get the same form. NFKC unifies full-width letters and
//! ligatures. Capitals are lowered by the rules of the language (Turkish `I` is `ı`). Soft hyphens, joiners and
//! other invisible characters are dropped, and the many apostrophes become one.
//!
//! Cost: linear; ASCII words are lowered in place, others go through the tables of ICU4X.
//!
//! Source: Unicode Standard Annex #15 (NFKC), The Unicode Standard §3.13 (case), `DerivedCoreProperties.txt`
//! (`Default_Ignorable_Code_Point`).

use std::ops::Range;

use std::borrow::Cow;

use icu_casemap::CaseMapperBorrowed;
use icu_locale_core::{LanguageIdentifier, langid};
use icu_normalizer::ComposingNormalizerBorrowed;

use super::characters::{is_apostrophe, is_invisible};
use super::{Language, simple};

/// Brings words of one language to their common form.
#[derive(Debug)]
pub struct Normaliser {
    nfkc: ComposingNormalizerBorrowed<'static>,
    case: CaseMapperBorrowed<'static>,
    locale: LanguageIdentifier,
    /// True if ASCII letters can be lowered one by one in this language.
    plain_ascii: bool,
}

impl Normaliser {
    /// The normaliser for words of a language.
    pub fn new(language: Language) -> Self {
        // These are the two languages of Unicode's SpecialCasing.txt in which `I` does not become `i`;
        // Lithuanian's extra dots do not survive NFKC equality.
        let locale = match language.code() {
            "tur" => langid!("tr"),
            "aze" => langid!("az"),
            _ => LanguageIdentifier::UNKNOWN,
        };
        Self {
            nfkc: ComposingNormalizerBorrowed::new_nfkc(),
            case: CaseMapperBorrowed::new(),
            plain_ascii: locale == LanguageIdentifier::UNKNOWN,
            locale,
        }
    }

    /// Writes the common form of `word` to `form`, replacing its content.
    ///
    /// The form is empty if the word has no visible character.
    pub fn normalise(&self, word: &str, form: &mut String) {
        form.clear();
        if self.plain_ascii && word.is_ascii() {
            form.push_str(word);
            form.make_ascii_lowercase();
            return;
        }
        if self.plain_ascii && simple::lower(word, form) {
            return;
        }
        self.normalise_by_tables(word, form);
    }

    /// Writes the common form of any word: the specification of the shorter paths.
    fn normalise_by_tables(&self, word: &str, form: &mut String) {
        form.clear();
        // Invisible characters are dropped first, so that none keeps a letter from its accent, and again after
        // NFKC, which makes some more. Few words have any.
        let visible = without_invisible(word);
        let compatible = self.nfkc.normalize(&visible);
        let lower = self.case.lowercase_to_string(&compatible, &self.locale);
        let mut plain = without_invisible(&lower);
        if plain.contains(is_apostrophe) {
            plain = plain.chars().map(plain_apostrophe).collect();
        }
        form.push_str(&self.nfkc.normalize(&plain));
    }
}

fn without_invisible(word: &str) -> Cow<'_, str> {
    if word.contains(is_invisible) { word.chars().filter(|&c| !is_invisible(c)).collect() } else { Cow::Borrowed(word) }
}

/// The plain apostrophe for any typographic one; other characters are left alone.
fn plain_apostrophe(c: char) -> char {
    if is_apostrophe(c) { '\'' } else { c }
}

/// The parts of a token between apostrophes.
pub(super) fn split_at_apostrophes(text: &str, span: Range<usize>, part: &mut impl FnMut(Range<usize>)) {
    let mut start = span.start;
    for piece in text[span].split_inclusive(is_apostrophe) {
        let letters = piece.trim_end_matches(is_apostrophe);
        if !letters.is_empty() {
            part(start..start + letters.len());
        }
        start += piece.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn form(language: &str, word: &str) -> String {
        let mut form = String::from("left over");
        Normaliser::new(language.parse().unwrap()).normalise(word, &mut form);
        form
    }

    #[test]
    fn spellings_of_one_word_meet() {
        for (word, expected) in [
            ("Word", "word"),
            ("ＷＯＲＤ", "word"),
            ("ﬁne", "fine"),
            ("wo\u{ad}rd", "word"),
            ("w\u{200b}o\u{2060}rd", "word"),
            ("cafe\u{301}", "café"),
            ("don’t", "don't"),
            ("STRASSE", "strasse"),
            ("ΟΔΟΣ", "οδος"),
            ("ЁЛКА", "ёлка"),
            ("ﾊﾟﾝ", "パン"),
            ("\u{3164}", ""),
        ] {
            assert_eq!(form("eng", word), expected);
        }
    }

    #[test]
    fn turkish_has_two_letters_i() {
        assert_eq!(form("tur", "ISPARTA"), "ısparta");
        assert_eq!(form("tur", "İZMİR"), "izmir");
        assert_eq!(form("eng", "ISPARTA"), "isparta");
    }

    #[test]
    fn what_is_normal_stays_so_for_every_character() {
        let normaliser = Normaliser::new(Language::UNDETERMINED);
        let (mut once, mut twice) = (String::new(), String::new());
        for c in '\0'..=char::MAX {
            normaliser.normalise(c.encode_utf8(&mut [0; 4]), &mut once);
            normaliser.normalise(&once, &mut twice);
            assert_eq!(once, twice, "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn every_character_has_the_form_of_the_tables() {
        let normaliser = Normaliser::new(Language::UNDETERMINED);
        let (mut form, mut by_tables) = (String::new(), String::new());
        for c in '\0'..=char::MAX {
            for word in [format!("{c}"), format!("a{c}"), format!("{c}b"), format!("é{c}σ")] {
                normaliser.normalise(&word, &mut form);
                normaliser.normalise_by_tables(&word, &mut by_tables);
                assert_eq!(form, by_tables, "{word:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn composed_and_decomposed_words_meet(word in "\\PC{1,12}") {
            let nfd = icu_normalizer::DecomposingNormalizerBorrowed::new_nfd().normalize(&word).into_owned();
            prop_assert_eq!(form("und", &word), form("und", &nfd));
        }

        #[test]
        fn what_is_normal_stays_so_for_every_word(word in "[a-zA-ZéİI\u{301}\u{345}\u{ad}\u{200d}\u{34f}\u{3164}ｶﾞ’ſßΣς]{1,8}|\\PC{1,8}") {
            let once = form("und", &word);
            prop_assert_eq!(form("und", &once), once);
        }
    }
}
