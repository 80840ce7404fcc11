//! Stems: the part of a word that its inflections share.
//!
//! The Snowball stemmers are those of the crates rust-stemmers and frostem; [`super::languages`] lists the
//! stemmer of each language.
//!
//! Cost: linear in the word. Words of more than [`MAX_LETTERS`] letters are left unstemmed: no stemmer was made
//! for them, and a gigabyte without a space must not be passed to one.

use std::borrow::Cow;

use super::Language;
use super::languages::Stemming;

/// The longest word that is stemmed, in characters.
pub const MAX_LETTERS: usize = 64;

/// Stems words of one language.
pub struct Stemmer(Kind);

enum Kind {
    RustStemmers(rust_stemmers::Stemmer),
    Frostem(frostem::Stemmer),
}

impl Stemmer {
    /// The stemmer of a language, if it has one.
    pub fn new(language: Language) -> Option<Self> {
        match language.stemming() {
            Stemming::RustStemmers(algorithm) => {
                Some(Self(Kind::RustStemmers(rust_stemmers::Stemmer::create(algorithm))))
            }
            Stemming::Frostem(algorithm) => Some(Self(Kind::Frostem(frostem::Stemmer::new(algorithm)))),
            Stemming::Nothing => None,
        }
    }

    /// The stem of a word in its normal form, or the word itself if it has no stem.
    pub fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        if word.len() > MAX_LETTERS && word.chars().nth(MAX_LETTERS).is_some() {
            return Cow::Borrowed(word);
        }
        let stem = match &self.0 {
            Kind::RustStemmers(stemmer) => stemmer.stem(word),
            Kind::Frostem(stemmer) => stemmer.stem(word),
        };
        if stem.is_empty() { Cow::Borrowed(word) } else { stem }
    }
}

impl std::fmt::Debug for Stemmer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            Kind::RustStemmers(_) => "Stemmer(rust-stemmers)",
            Kind::Frostem(_) => "Stemmer(frostem)",
        })
    }
}

/// The crate and the algorithm of a language's stemmer, for display.
pub fn describe(language: Language) -> Option<String> {
    match language.stemming() {
        Stemming::RustStemmers(algorithm) => Some(format!("rust-stemmers {algorithm:?}").to_lowercase()),
        Stemming::Frostem(algorithm) => Some(format!("frostem {}", algorithm.name())),
        Stemming::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem(language: &str, word: &str) -> String {
        Stemmer::new(language.parse().unwrap()).unwrap().stem(word).into_owned()
    }

    #[test]
    fn inflections_meet() {
        for (language, words) in [
            ("eng", ["connection", "connections"]),
            ("deu", ["häuser", "häusern"]),
            ("fra", ["continuelle", "continuelles"]),
            ("cat", ["ciutat", "ciutats"]),
            ("spa", ["libro", "libros"]),
            ("rus", ["книгами", "книга"]),
            ("fin", ["talossa", "talosta"]),
            ("ell", ["θάλασσες", "θάλασσας"]),
            ("pol", ["książki", "książka"]),
            ("ukr", ["книгами", "книга"]),
        ] {
            let [a, b] = words.map(|word| stem(language, word));
            assert_eq!(a, b, "{language}");
        }
    }

    #[test]
    fn greek_does_not_panic_where_another_stemmer_does() {
        assert!(!stem("ell", "ισαισα").is_empty());
    }

    #[test]
    fn a_word_without_end_is_left_alone() {
        let word = "ing".repeat(1_000_000);
        assert_eq!(stem("eng", &word), word);
    }

    /// Letters that stemmers know, letters that they do not, marks and signs.
    fn words() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zäöüßéèçñåøæœığşčřžő']{0,70}",
            "[а-яёіїєґўђљњћџ]{0,20}",
            "[α-ωάέήίόύώϊϋΐΰς]{0,20}",
            "[\u{0621}-\u{0652}\u{067e}\u{06cc}\u{06a9}\u{200c}]{0,20}",
            "[\u{0900}-\u{097f}]{0,20}",
            "[\u{0b80}-\u{0bff}]{0,20}",
            "[\u{0531}-\u{0587}\u{05d0}-\u{05f4}]{0,20}",
            "\\PC{0,12}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn no_word_breaks_a_stemmer(word in words()) {
            for language in Language::all() {
                if let Some(stemmer) = Stemmer::new(language) {
                    prop_assert_eq!(stemmer.stem(&word).is_empty(), word.is_empty());
                }
            }
        }
    }
}
