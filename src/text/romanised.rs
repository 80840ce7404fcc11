//! Russian, Ukrainian, Bulgarian and Greek written in Latin letters: `voda` for `вода`, `thalassa` for `θάλασσα`.
//!
//! A text is read so if its words, restored to their letters, are stop words of such a language often enough, and
//! more often than the words as they stand are in the language that the text seems to have. Of 28,000 texts in twenty other
//! languages, manual pages most of them, with and without their accents, none is read so. The restored word is an
//! approximation: signs that were not written (`ь`), and letters that share a spelling (`η` and `ι`), are lost, so
//! some words differ from those of the original. Words without accents ([`folded`]) make up for it in Greek.
//!
//! Other languages in Latin letters are told and not restored (`unread.rs`).
//!
//! Source of the spellings: ISO 9, the tables of BGN/PCGN for each language, ELOT 743, and common use on keyboards
//! without other letters.

mod unread;

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Language;
use super::fold::folded;

/// The number of words by which a text is judged.
const SAMPLE: usize = 400;

/// Minimum share of stop words of two letters or more among the restored words, as a fraction. Prose has two to four in
/// ten.
const STOP_WORDS: (usize, usize) = (1, 8);

/// Minimum number of different stop words: commands and abbreviations repeat a few that are spelled like one.
const DIFFERENT: usize = 12;

/// Length in bytes beyond which no word is a stop word, in whatever letters: some five for each of its letters. A text of
/// megabytes without a space is not restored to learn that it is none.
const LONGEST: usize = 120;

/// They are more by this factor than those of the words as they stand, in the language that the text seems to have: a
/// Croatian text has words in common with Russian ones.
const MORE: (usize, usize) = (3, 2);

/// From this share of stop words as it stands on, one in so many, a text is what it seems to be: nothing is restored.
const NATURAL: usize = 4;

/// The spellings of a language, with its letters.
struct Spellings {
    language: Language,
    /// Longest first.
    letters: Vec<(&'static str, &'static str)>,
    /// Stop words without accents.
    stop_words: HashSet<String>,
}

/// Spellings of all Cyrillic languages here.
const CYRILLIC: &str = "shch щ šč щ zh ж kh х ts ц ch ч sh ш yu ю ju ю ya я ja я ye е je е yo ё jo ё ž ж š ш č ч ŝ щ û ю \
    â я è э ë ё a а b б v в w в g г d д e е z з i и j й k к l л m м n н o о p п r р s с t т u у f ф h х x х c ц q к y ы ' ь ’ ь ʹ ь ʺ ъ";

const RUSSIAN: &str = "iya ия iye ие iyu ию iy ий yy ый";

const UKRAINIAN: &str = "zgh зг ia я iu ю ie є ye є je є yi ї ï ї ì і g ґ h г i і y и";

const BULGARIAN: &str = "sht щ ă ъ ŭ ъ y й";

const GREEK: &str = "th θ ch χ kh χ ps ψ ks ξ a α b μπ v β g γ d δ e ε z ζ h χ i ι k κ c κ l λ m μ n ν x ξ o ο p π r ρ s σ \
    t τ u υ y υ f φ w ω ī η ō ω 8 θ 3 ξ";

static LANGUAGES: LazyLock<Vec<Spellings>> = LazyLock::new(|| {
    let tables =
        [("rus", RUSSIAN, CYRILLIC), ("ukr", UKRAINIAN, CYRILLIC), ("bul", BULGARIAN, CYRILLIC), ("ell", GREEK, "")];
    let made = tables.map(|(code, own, all)| {
        let mut letters: Vec<(&str, &str)> = Vec::new();
        let words: Vec<&str> = own.split_whitespace().chain(all.split_whitespace()).collect();
        for pair in words.chunks_exact(2) {
            if !letters.iter().any(|known| known.0 == pair[0]) {
                letters.push((pair[0], pair[1]));
            }
        }
        letters.sort_by_key(|(latin, _)| std::cmp::Reverse(latin.chars().count()));
        let language: Language = code.parse().ok()?;
        let stop_words = language.stop_words().iter().map(|word| folded(word).into_owned()).collect();
        Some(Spellings { language, letters, stop_words })
    });
    made.into_iter().flatten().collect()
});

/// A text in Latin letters that is written in others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Romanised {
    /// Its words can be [`restored`].
    Read(Language),
    /// Its words are compared as they are, with those of other texts in Latin letters.
    Unread(Language),
}

/// The language of a text in Latin letters that is written in others; `None` for nearly all texts. `seeming` is the
/// language that its letters as they stand seem to have.
pub fn original(text: &str, seeming: Language) -> Option<Romanised> {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() && !is_prime(c))
        .filter(|word| word.starts_with(char::is_alphabetic) && word.chars().count() > 1)
        .take(SAMPLE)
        .map(str::to_lowercase)
        .collect();
    let are_latin = |is_latin: fn(char) -> bool| {
        let latin = words.iter().filter(|word| word.chars().all(|c| is_latin(c) || is_prime(c)));
        !words.is_empty() && latin.count() * 10 >= words.len() * 9
    };
    // Scholars write dots below letters (`ṣ`).
    if !are_latin(|c| c < '\u{300}' || matches!(c, '\u{1E00}'..='\u{1EFF}')) {
        return None;
    }
    let own: HashSet<&str> = seeming.stop_words().iter().copied().collect();
    let as_they_stand = words.iter().filter(|word| own.contains(word.as_str())).count();
    if as_they_stand * NATURAL >= words.len() {
        return None;
    }
    let read = if are_latin(|c| c < '\u{300}') { read(&words, as_they_stand) } else { None };
    read.map(Romanised::Read).or_else(|| {
        let plain: Vec<String> = words.iter().map(|word| folded(word).into_owned()).collect();
        unread::unread(&plain, as_they_stand).map(Romanised::Unread)
    })
}

/// The language whose letters restore most of these words; `as_they_stand` of them are small words of another.
fn read(words: &[String], as_they_stand: usize) -> Option<Language> {
    let found = LANGUAGES.iter().map(|spellings| {
        let short = words.iter().filter(|word| word.len() <= LONGEST);
        let restored = short.map(|word| folded(&spellings.restore(word)).into_owned());
        let known: Vec<String> = restored.filter(|word| spellings.stop_words.contains(word)).collect();
        let different = known.iter().collect::<HashSet<_>>().len();
        (known.len(), different, spellings.language)
    });
    let (count, different, language) = found.max_by_key(|&(count, ..)| count)?;
    let is_it = count * STOP_WORDS.1 >= words.len() * STOP_WORDS.0
        && different >= DIFFERENT
        && count * MORE.1 >= as_they_stand * MORE.0;
    is_it.then_some(language)
}

/// A word in the letters of its language, in lower case. `has_prime` is true if an apostrophe follows it.
pub fn restored(word: &str, language: Language, has_prime: bool) -> String {
    let word = word.to_lowercase();
    let Some(spellings) = LANGUAGES.iter().find(|spellings| spellings.language == language) else { return word };
    let mut restored = spellings.restore(&word);
    if has_prime && spellings.is_cyrillic() && !restored.ends_with(is_vowel) {
        restored.push('ь');
    }
    restored
}

/// True for an apostrophe, or a sign in its place, that stands for a soft sign.
pub fn is_prime(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʹ' | 'ʺ')
}

impl Spellings {
    fn is_cyrillic(&self) -> bool {
        self.language.code() != "ell"
    }

    /// A word in lower case, in the letters of the language. What is no spelling stays.
    fn restore(&self, word: &str) -> String {
        let mut restored = String::with_capacity(2 * word.len());
        let mut left = word;
        while let Some(first) = left.chars().next() {
            let before = restored.chars().last();
            // Most spellings begin with another letter, which is told without a comparison of strings.
            let begins = |latin: &str| latin.as_bytes()[0] == left.as_bytes()[0] && left.starts_with(latin);
            let spelling = self.letters.iter().find(|(latin, _)| begins(latin) && !self.is_divided(latin, before));
            let (length, letters) = spelling.map_or((first.len_utf8(), None), |(latin, own)| (latin.len(), Some(*own)));
            match letters {
                // `moy` and `stroyka`, but `vody`.
                Some("ы" | "и") if first == 'y' && before.is_some_and(is_vowel) => restored.push('й'),
                Some("е") if before.is_none() && self.language.code() == "rus" && left.starts_with("et") => {
                    restored.push('э');
                }
                Some(letters) => restored.push_str(letters),
                None => restored.push(first),
            }
            left = &left[length..];
        }
        restored
    }

    /// True for a spelling that is two letters here: in `novye` a vowel follows `ы`, in `yest` it is `е` alone.
    fn is_divided(&self, latin: &str, before: Option<char>) -> bool {
        latin == "ye" && self.is_cyrillic() && before.is_some_and(|before| !is_vowel(before))
    }
}

fn is_vowel(c: char) -> bool {
    "аеиоуыэюяёіїє".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(code: &str) -> Language {
        code.parse().unwrap()
    }

    #[test]
    fn words_have_their_letters_again() {
        for (language, latin, word) in [
            ("rus", "Voda", "вода"),
            ("rus", "bol'shaya", "большая"),
            ("rus", "novye", "новые"),
            ("rus", "yest", "ест"),
            ("rus", "eto", "это"),
            ("rus", "stroyka", "стройка"),
            ("rus", "bibliya", "библия"),
            ("rus", "ŝuka", "щука"),
            ("rus", "shchuka", "щука"),
            ("ukr", "zhyttya", "життя"),
            ("ukr", "Ukrayina", "україна"),
            ("bul", "chovek", "човек"),
            ("ell", "thalassa", "θαλασσα"),
            ("ell", "psychi", "ψυχι"),
            ("eng", "Water", "water"),
        ] {
            assert_eq!(restored(latin, of(language), false), word, "{latin}");
        }
        assert_eq!(restored("govorit", of("rus"), true), "говорить");
    }

    /// The texts of a language in `data/texts`.
    fn texts(code: &str) -> Vec<String> {
        let folder = format!("{}/data/texts/{code}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_dir(folder).unwrap().map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect()
    }

    #[test]
    fn no_stop_word_is_longer() {
        for spellings in &*LANGUAGES {
            assert!(spellings.stop_words.iter().all(|word| 5 * word.chars().count() <= LONGEST));
        }
    }

    #[test]
    fn a_text_in_other_letters_is_recognised() {
        for code in ["rus", "bul", "ell"] {
            let spellings = LANGUAGES.iter().find(|spellings| spellings.language == of(code)).unwrap();
            let text = texts(code).join("\n");
            let spelled = |c: char| {
                let c = if c == 'ς' { 'σ' } else { c };
                let of_c = |(_, own): &&(&str, &str)| own.chars().eq(c.to_lowercase());
                let latin = spellings.letters.iter().filter(of_c).map(|(latin, _)| *latin).next_back();
                latin.map_or_else(|| c.to_string(), str::to_owned)
            };
            let accents_off = text.split_inclusive(' ').map(|word| folded(word).into_owned()).collect::<String>();
            let latin: String = accents_off.chars().map(spelled).collect();
            assert_eq!(original(&latin, of("slv")), Some(Romanised::Read(of(code))), "{latin}");
            assert_eq!(original(&text, of(code)), None, "{text}");
        }
    }

    #[test]
    fn a_text_in_its_own_letters_is_what_it_seems() {
        for code in ["eng", "deu", "fra", "pol", "ces", "slk", "fin", "hun", "tur", "ind", "vie", "ron"] {
            for text in texts(code) {
                for seeming in [of(code), Language::UNDETERMINED] {
                    assert_eq!(original(&text, seeming), None, "{code} {seeming:?}");
                }
            }
        }
        assert_eq!(original("", of("eng")), None);
    }

    #[test]
    fn other_languages_in_latin_letters_are_told() {
        let texts = include_str!("romanised/samples.txt").lines().map(|line| line.split_once('\t').unwrap());
        for (code, text) in texts {
            for seeming in ["ind", "und", "tgl"] {
                assert_eq!(original(text, of(seeming)), Some(Romanised::Unread(of(code))), "{text}");
            }
        }
    }
}
