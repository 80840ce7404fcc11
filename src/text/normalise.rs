//! The common form of a word: NFKC, without case, no invisible characters.
//!
//! Two spellings that a reader takes for the same word get the same form. NFKC unifies full-width letters and
//! ligatures. Capitals are lowered by the rules of the language (Turkish `I` is `ı`). Soft hyphens, joiners and
//! other invisible characters are dropped, and the many apostrophes become one.
//!
//! Small letters whose capitals are those of others become those others, so that a word in capitals has the form of
//! the word: `ß` is `ss`, as in `STRASSE`, and Greek `ᾳ` is `αι`. Where the language is not known, `ı` is `i`, as
//! `I` may be the capital of either. Only `ς` stays, which is restored at the end of a word in capitals. This happens
//! here and not in words alone, so that forms on stop lists and terms meet as well. German stems stay as they are: the
//! stemmer itself begins by writing `ss`.
//!
//! *Yeh* and *kaf* are `ي` and `ك`, but in Persian and Urdu `ی` and `ک`, whatever keyboard they were typed on. The stroke that
//! lengthens a word of Arabic is dropped.
//!
//! Cost: linear; ASCII words are lowered in place, others go through the tables of ICU4X.
//!
//! Source: Unicode Standard Annex #15 (NFKC), The Unicode Standard §3.13 (case), `DerivedCoreProperties.txt`
//! (`Default_Ignorable_Code_Point`).

use std::borrow::Cow;
use std::ops::Range;

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
    /// True for a language that writes *yeh* and *kaf* as Persian does.
    persian: bool,
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
            persian: matches!(language.code(), "pes" | "urd"),
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
        if !(self.plain_ascii && simple::lower(word, form)) {
            self.lower_by_tables(word, form);
        }
        if self.persian && form.contains(['ي', 'ك']) {
            *form = form.replace('ي', "ی").replace('ك', "ک");
        }
    }

    /// Writes the form of any word, with *yeh* and *kaf* of Arabic: the specification of [`simple::lower`].
    fn lower_by_tables(&self, word: &str, form: &mut String) {
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
        if plain.contains(has_others_capital) {
            plain = Cow::Owned(self.without_others_capitals(&plain));
        }
        form.push_str(&self.nfkc.normalize(&plain));
    }

    /// A word in lower case, with letters that have the capitals of others written as those others.
    fn without_others_capitals(&self, lower: &str) -> String {
        let mut plain = String::with_capacity(lower.len());
        for c in lower.chars() {
            match c {
                'ı' if self.plain_ascii => plain.push('i'),
                // The lower case of `İ` where the language was not known.
                DOT if plain.ends_with('i') => {}
                'ı' | DOT => plain.push(c),
                TATWEEL => {}
                'ی' => plain.push('ي'),
                'ک' => plain.push('ك'),
                _ if has_others_capital(c) => plain.push_str(&self.case.fold_string(c.encode_utf8(&mut [0; 4]))),
                _ => plain.push(c),
            }
        }
        plain
    }
}

/// The dot above a letter.
const DOT: char = '\u{307}';

/// The stroke that makes a word of Arabic longer, and means nothing.
const TATWEEL: char = '\u{640}';

/// True for a small letter, or a mark on it, that other letters share a capital with: `ß`, the two letters i of
/// Turkish, and the Greek letters with an iota below; and for the letters that are typed for others of Arabic.
fn has_others_capital(c: char) -> bool {
    matches!(c, 'ß' | 'ı' | DOT | TATWEEL | 'ی' | 'ک' | '\u{345}' | '\u{1F80}'..='\u{1FFC}')
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
            ("Straße", "strasse"),
            ("GROẞ", "gross"),
            ("ῳδή", "ωιδή"),
            ("ΩΙΔΉ", "ωιδή"),
            ("ΟΔΟΣ", "οδος"),
            ("ЁЛКА", "ёлка"),
            ("ﾊﾟﾝ", "パン"),
            ("\u{3164}", ""),
        ] {
            assert_eq!(form("eng", word), expected);
        }
    }

    #[test]
    fn letters_of_persian_are_typed_on_two_keyboards() {
        for word in ["یک‌کتاب", "يك‌كتاب", "يـــك‌كتاب"] {
            assert_eq!(form("pes", word), "یککتاب");
            assert_eq!(form("ara", word), "يككتاب");
            assert_eq!(form("und", word), "يككتاب");
        }
    }

    #[test]
    fn turkish_has_two_letters_i() {
        assert_eq!(form("tur", "ISPARTA"), "ısparta");
        assert_eq!(form("tur", "İZMİR"), "izmir");
        assert_eq!(form("tur", "ısparta"), "ısparta");
        for word in ["ISPARTA", "ısparta", "Isparta", "İsparta", "i\u{307}sparta"] {
            assert_eq!(form("eng", word), "isparta", "{word}");
        }
    }

    #[test]
    fn capitals_have_the_form_of_the_small_letters() {
        // A letter that shares its capital with a commoner one, such as a final sigma, becomes that one; so do the two
        // lunate sigmas, which are compatible with the final one.
        let shares_its_capital = |c: char| {
            let small: String = c.to_uppercase().flat_map(char::to_lowercase).collect();
            c.is_lowercase() && small.chars().count() == 1 && !small.contains(c)
        };
        let is_tested = |&c: &char| c.is_alphabetic() && !shares_its_capital(c) && !matches!(c, 'ϲ' | 'Ϲ');
        for c in ('\0'..=char::MAX).filter(is_tested) {
            let word = format!("a{c}b");
            assert_eq!(form("und", &word.to_uppercase()), form("und", &word), "U+{:04X}", u32::from(c));
            assert_eq!(form("und", &word.to_lowercase()), form("und", &word), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn german_stems_do_not_depend_on_sharp_s() {
        let stemmer = crate::text::stem::Stemmer::new("deu".parse().unwrap()).unwrap();
        let words = "straße straßen größe größeren weiß weißlich genießt gießerei draußen außerhalb maß maße fuß füße \
            fußes süßigkeiten heißeste schließlich abschließend ßa eißu";
        for word in words.split_whitespace() {
            assert_eq!(stemmer.stem(word), stemmer.stem(&form("deu", word)), "{word}");
        }
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
                normaliser.lower_by_tables(&word, &mut by_tables);
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
