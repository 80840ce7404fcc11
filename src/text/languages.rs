//! The table of known languages, one line each.
//!
//! To add a language, add its line to `TABLE` (in the order of the codes) and its texts to `data/texts`;
//! `CONTRIBUTING.md` has the recipe.

use std::fmt;
use std::str::FromStr;

use frostem::Algorithm as Frostem;
use rust_stemmers::Algorithm as RustStemmers;

use crate::error::Error;

/// The way a language is detected in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recognition {
    /// By whatlang's trigrams and scripts.
    Whatlang,
    /// By trigrams of our own, beside whatlang's.
    Trigrams,
    /// By its script alone, which no other language here uses.
    Script,
    /// Never detected: the user must name it.
    Named,
}

/// The Snowball stemmer of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stemming {
    /// One of the crate rust-stemmers.
    RustStemmers(RustStemmers),
    /// One of the crate frostem, for languages that rust-stemmers lacks or gets wrong (its Greek stemmer panics
    /// on some words).
    Frostem(Frostem),
    /// None.
    Nothing,
}

/// One line of the table.
struct Row {
    code: &'static str,
    short: &'static str,
    name: &'static str,
    recognition: Recognition,
    stop_words: &'static str,
    stemming: Stemming,
}

const fn row(
    code: &'static str,
    short: &'static str,
    name: &'static str,
    recognition: Recognition,
    stop_words: &'static str,
    stemming: Stemming,
) -> Row {
    Row { code, short, name, recognition, stop_words, stemming }
}

use Recognition::{Named, Script, Trigrams as T, Whatlang as W};
use Stemming::{Frostem as F, Nothing, RustStemmers as R};

/// ISO 639-3 code, ISO 639-1 code, English name, recognition, the code of the list in the crate stop-words (""
/// for none), stemmer.
#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("afr", "af", "Afrikaans", W, "af", Nothing),
    row("aka", "ak", "Akan", W, "", Nothing),
    row("amh", "am", "Amharic", W, "", Nothing),
    row("ara", "ar", "Arabic", W, "ar", R(RustStemmers::Arabic)),
    row("aze", "az", "Azerbaijani", W, "az", Nothing),
    row("bel", "be", "Belarusian", W, "be", Nothing),
    row("ben", "bn", "Bengali", W, "bn", Nothing),
    row("bre", "br", "Breton", T, "br", Nothing),
    row("bul", "bg", "Bulgarian", W, "bg", Nothing),
    row("cat", "ca", "Catalan", W, "ca", F(Frostem::Catalan)),
    row("ces", "cs", "Czech", W, "cs", F(Frostem::Czech)),
    row("cmn", "zh", "Chinese", W, "zh", Nothing),
    row("cym", "cy", "Welsh", W, "", Nothing),
    row("dan", "da", "Danish", W, "da", R(RustStemmers::Danish)),
    row("deu", "de", "German", W, "de", R(RustStemmers::German)),
    row("ell", "el", "Greek", W, "el", F(Frostem::Greek)),
    row("eng", "en", "English", W, "en", R(RustStemmers::English)),
    row("epo", "eo", "Esperanto", W, "eo", F(Frostem::Esperanto)),
    row("est", "et", "Estonian", W, "et", F(Frostem::Estonian)),
    row("eus", "eu", "Basque", T, "eu", F(Frostem::Basque)),
    row("fin", "fi", "Finnish", W, "fi", R(RustStemmers::Finnish)),
    row("fra", "fr", "French", W, "fr", R(RustStemmers::French)),
    row("gle", "ga", "Irish", T, "ga", F(Frostem::Irish)),
    row("glg", "gl", "Galician", T, "gl", Nothing),
    row("guj", "gu", "Gujarati", W, "gu", Nothing),
    row("hau", "ha", "Hausa", T, "ha", Nothing),
    row("heb", "he", "Hebrew", W, "he", Nothing),
    row("hin", "hi", "Hindi", W, "hi", F(Frostem::Hindi)),
    row("hrv", "hr", "Croatian", W, "hr", Nothing),
    row("hun", "hu", "Hungarian", W, "hu", R(RustStemmers::Hungarian)),
    row("hye", "hy", "Armenian", W, "hy", F(Frostem::Armenian)),
    row("ind", "id", "Indonesian", W, "id", F(Frostem::Indonesian)),
    row("ita", "it", "Italian", W, "it", R(RustStemmers::Italian)),
    row("jav", "jv", "Javanese", W, "", Nothing),
    row("jpn", "ja", "Japanese", W, "ja", Nothing),
    row("kan", "kn", "Kannada", W, "", Nothing),
    row("kat", "ka", "Georgian", W, "", Nothing),
    row("kaz", "kk", "Kazakh", T, "kk", Nothing),
    row("khm", "km", "Khmer", W, "", Nothing),
    row("kor", "ko", "Korean", W, "ko", Nothing),
    row("kur", "ku", "Kurdish", T, "ku", Nothing),
    row("lao", "lo", "Lao", Script, "", Nothing),
    row("lat", "la", "Latin", W, "la", Nothing),
    row("lav", "lv", "Latvian", W, "lv", Nothing),
    row("lit", "lt", "Lithuanian", W, "lt", F(Frostem::Lithuanian)),
    row("mal", "ml", "Malayalam", W, "", Nothing),
    row("mar", "mr", "Marathi", W, "mr", Nothing),
    row("mkd", "mk", "Macedonian", W, "", Nothing),
    row("msa", "ms", "Malay", Named, "ms", Nothing),
    row("mya", "my", "Burmese", W, "", Nothing),
    row("nep", "ne", "Nepali", W, "ne", F(Frostem::Nepali)),
    row("nld", "nl", "Dutch", W, "nl", R(RustStemmers::Dutch)),
    row("nob", "nb", "Norwegian", W, "no", R(RustStemmers::Norwegian)),
    row("ori", "or", "Odia", W, "", Nothing),
    row("pan", "pa", "Punjabi", W, "", Nothing),
    row("pes", "fa", "Persian", W, "fa", F(Frostem::Persian)),
    row("pol", "pl", "Polish", W, "pl", F(Frostem::Polish)),
    row("por", "pt", "Portuguese", W, "pt", R(RustStemmers::Portuguese)),
    row("ron", "ro", "Romanian", W, "ro", R(RustStemmers::Romanian)),
    row("rus", "ru", "Russian", W, "ru", R(RustStemmers::Russian)),
    row("sin", "si", "Sinhala", W, "", Nothing),
    row("slk", "sk", "Slovak", W, "sk", Nothing),
    row("slv", "sl", "Slovene", W, "sl", Nothing),
    row("sna", "sn", "Shona", W, "", Nothing),
    row("som", "so", "Somali", T, "so", Nothing),
    row("sot", "st", "Sesotho", T, "st", Nothing),
    row("spa", "es", "Spanish", W, "es", R(RustStemmers::Spanish)),
    row("sqi", "sq", "Albanian", T, "sq", Nothing),
    row("srp", "sr", "Serbian", W, "", F(Frostem::Serbian)),
    row("swa", "sw", "Swahili", T, "sw", Nothing),
    row("swe", "sv", "Swedish", W, "sv", R(RustStemmers::Swedish)),
    row("tam", "ta", "Tamil", W, "ta", R(RustStemmers::Tamil)),
    row("tel", "te", "Telugu", W, "", Nothing),
    row("tgk", "tg", "Tajik", T, "tg", Nothing),
    row("tgl", "tl", "Tagalog", W, "tl", Nothing),
    row("tha", "th", "Thai", W, "th", Nothing),
    row("tuk", "tk", "Turkmen", W, "", Nothing),
    row("tur", "tr", "Turkish", W, "tr", R(RustStemmers::Turkish)),
    row("ukr", "uk", "Ukrainian", W, "uk", F(Frostem::Ukrainian)),
    row("und", "", "undetermined", Named, "", Nothing),
    row("urd", "ur", "Urdu", W, "ur", Nothing),
    row("uzb", "uz", "Uzbek", W, "uz", Nothing),
    row("vie", "vi", "Vietnamese", W, "vi", Nothing),
    row("yid", "yi", "Yiddish", W, "", F(Frostem::Yiddish)),
    row("yor", "yo", "Yoruba", T, "yo", Nothing),
    row("zul", "zu", "Zulu", W, "zu", Nothing),
];

/// Other common names of some languages.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("castilian", "spa"),
    ("farsi", "pes"),
    ("fas", "pes"),
    ("mandarin", "cmn"),
    ("may", "msa"),
    ("no", "nob"),
    ("nor", "nob"),
    ("slovenian", "slv"),
    ("zho", "cmn"),
    ("bokmål", "nob"),
    ("oriya", "ori"),
    ("sinhalese", "sin"),
];

/// The languages in which an apostrophe joins two words.
const ELISION: &[&str] = &["cat", "fra", "ita"];

/// The languages that put no spaces between words.
const NO_SPACES: &[&str] = &["cmn", "jpn", "khm", "lao", "mya", "tha"];

/// One of the languages of the table; `und` stands for a language that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(u8);

impl Language {
    /// The language of texts whose language is unknown: no stop words, no stems.
    pub const UNDETERMINED: Self = Self::at("und");

    /// The language with this code; an unknown code in a constant does not compile.
    pub(super) const fn at(code: &str) -> Self {
        let wanted = code.as_bytes();
        let mut place = 0;
        loop {
            let found = TABLE[place].code.as_bytes();
            if found[0] == wanted[0] && found[1] == wanted[1] && found[2] == wanted[2] {
                return Self(place as u8);
            }
            place += 1;
        }
    }

    /// The language with this ISO 639-3 code; undetermined if the table lacks it.
    pub(super) fn of_code(code: &str) -> Self {
        TABLE.binary_search_by_key(&code, |row| row.code).map_or(Self::UNDETERMINED, |place| Self(place as u8))
    }

    /// All languages in the order of their codes, `und` left out.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..TABLE.len() as u8).map(Self).filter(|language| language.is_determined())
    }

    fn row(self) -> &'static Row {
        &TABLE[usize::from(self.0)]
    }

    /// The language as whatlang names it; `None` for one that whatlang lacks.
    ///
    /// ```
    /// use nearcopy::Language;
    ///
    /// let lang = whatlang::detect_lang("Der Hafen wird bei Niedrigwasser geschlossen.").unwrap();
    /// let language = Language::from(lang);
    /// assert_eq!((language.name(), language.lang()), ("German", Some(whatlang::Lang::Deu)));
    /// ```
    pub fn lang(self) -> Option<whatlang::Lang> {
        whatlang::Lang::from_code(self.code())
    }

    /// True unless this is `und`.
    pub fn is_determined(self) -> bool {
        self != Self::UNDETERMINED
    }

    /// The ISO 639-3 code.
    pub fn code(self) -> &'static str {
        self.row().code
    }

    /// The ISO 639-1 code; "" if there is none.
    pub fn short_code(self) -> &'static str {
        self.row().short
    }

    /// The English name.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// True if the language is detected in texts, not only named by users.
    pub fn is_detected(self) -> bool {
        self.row().recognition != Recognition::Named
    }

    /// Its stop words in the crate stop-words (NLTK's list if it has one, else that of Stopwords ISO); none for
    /// many languages.
    pub fn stop_words(self) -> &'static [&'static str] {
        stop_words::lookup(self.row().stop_words).unwrap_or_default()
    }

    /// Its stemmer.
    pub(crate) fn stemming(self) -> Stemming {
        self.row().stemming
    }

    /// True if an apostrophe joins two words (`l'école`).
    pub fn has_elision(self) -> bool {
        ELISION.contains(&self.code())
    }

    /// True if words are written with spaces between them; in other languages dictionaries find them.
    pub fn has_spaces(self) -> bool {
        !NO_SPACES.contains(&self.code())
    }
}

impl FromStr for Language {
    type Err = Error;

    /// Finds a language by ISO 639-3 code, ISO 639-1 code or English name, in upper or lower case; a suffix
    /// after `-` or `_` (`pt-BR`) is ignored.
    fn from_str(name: &str) -> Result<Self, Error> {
        let base = name.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
        let code = OTHER_NAMES.iter().find(|(other, _)| *other == base).map_or(&*base, |(_, code)| code);
        let matches = |known: &str| !known.is_empty() && known.eq_ignore_ascii_case(code);
        TABLE
            .iter()
            .position(|row| matches(row.code) || matches(row.short) || matches(row.name))
            .map(|place| Self(place as u8))
            .ok_or_else(|| Error::Language(name.to_owned()))
    }
}

impl From<whatlang::Lang> for Language {
    /// Every language of whatlang's is known.
    fn from(lang: whatlang::Lang) -> Self {
        Self::of_code(lang.code())
    }
}

impl fmt::Display for Language {
    /// The name and the code: `Catalan (cat)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name(), self.code())
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl serde::Serialize for Language {
    /// The ISO 639-3 code.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_und_is_where_it_is_said_to_be() {
        assert!(TABLE.is_sorted_by(|a, b| a.code < b.code));
        assert_eq!(Language::UNDETERMINED.code(), "und");
    }

    #[test]
    fn the_table_knows_the_languages_of_whatlang() {
        let known = TABLE.iter().filter(|row| row.recognition == Recognition::Whatlang).map(|row| row.code);
        let mut codes: Vec<&str> = whatlang::Lang::all().iter().map(whatlang::Lang::code).collect();
        codes.sort_unstable();
        assert!(known.eq(codes));
        assert!(whatlang::Lang::all().iter().all(|&lang| Language::from(lang).lang() == Some(lang)));
        assert_eq!(Language::at("lao").lang(), None);
    }

    #[test]
    fn lists_that_the_table_names_exist() {
        for row in TABLE {
            let exists = stop_words::lookup(row.stop_words).is_some();
            assert_eq!(exists, !row.stop_words.is_empty(), "{}", row.code);
        }
    }

    /// Another crate in a build could enable other features of stop-words and so replace the lists.
    #[test]
    fn the_english_list_is_nltks() {
        let english: Language = "eng".parse().unwrap();
        assert_eq!(english.stop_words().len(), 198);
        assert!(!english.stop_words().contains(&"computer"));
    }

    #[test]
    fn languages_are_found_by_code_and_name() {
        for (name, code) in [("no", "nob"), ("zh-CN", "cmn"), ("pt_BR", "por"), ("Farsi", "pes")] {
            assert_eq!(name.parse::<Language>().unwrap().code(), code);
        }
        for name in ["cat", "ca", "Catalan", "CATALAN"] {
            assert_eq!(name.parse::<Language>().unwrap().code(), "cat");
        }
        assert_eq!("und".parse::<Language>().unwrap(), Language::UNDETERMINED);
        assert!("".parse::<Language>().is_err());
        assert!("klingon".parse::<Language>().unwrap_err().to_string().contains("dedup languages"));
    }
}
