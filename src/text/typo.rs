//! Typos: two words that may be one word, once misspelt.
//!
//! They are one edit apart: a letter more, less or other, or two neighbours exchanged. An edit at an end is a prefix or an
//! ending (`typical` / `atypical`, `file` / `files`), one of an accent alone another form (`konnte` / `könnte`), and a word
//! with a capital may be a name (`Johnson` / `Johnston`), so none of these is a typo. Neither is what has a digit or a
//! sign, nor a short word.
//!
//! Neither is an exchange of vowels, which makes tenses and other words (`schreiben` / `schrieben`, `trial` / `trail`), nor
//! anything in scripts that leave out vowels, where exchanged consonants are another root (`العملية`, practical;
//! `العلمية`, scientific). So the letters are Latin, Greek or Cyrillic.
//!
//! Typos and words that look alike (`contract` / `contact`, `geliyor` / `gelmiyor`) are left; of exchanged letters, hardly
//! anything but typos (but `casual` / `causal`). Only a corpus tells them apart: a typo has [runs of three
//! letters](trigrams) that no word of the language has.
//!
//! Cost: quadratic in the letters of the words.

use std::iter::once;

use super::fold::folded;

/// Least length of a word that may be a typo, in letters.
const LEAST_LETTERS: usize = 5;

/// Greatest length in letters; longer words are no words of a language.
const MOST_LETTERS: usize = 64;

/// Vowels of the scripts of typos, without accents.
const VOWELS: &str = "aeiouyαεηιουωаеиоуыэюяіє";

/// The way in which a word is misspelt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typo {
    /// Two neighbouring letters are exchanged.
    Exchanged,
    /// A letter is missing, added or another one.
    Letter,
}

/// The way in which one of two words, as they are written, may be the other one misspelt; `None` if it is not.
pub fn typo(a: &str, b: &str) -> Option<Typo> {
    let [x, y] = [a, b].map(|word| word.chars().collect::<Vec<char>>());
    let is_plain = |word: &[char]| {
        (LEAST_LETTERS..=MOST_LETTERS).contains(&word.len())
            && word.iter().all(|&c| c.is_alphabetic() && !c.is_uppercase() && has_vowels(c))
    };
    let may_be = is_plain(&x)
        && is_plain(&y)
        && x.first() == y.first()
        && x.last() == y.last()
        && strsim::osa_distance(a, b) == 1
        && folded(a) != folded(b);
    let others: Vec<char> = x.iter().zip(&y).filter(|(a, b)| a != b).map(|(&a, _)| a).collect();
    match others[..] {
        _ if !may_be => None,
        [a, b] if x.len() == y.len() => (!(is_vowel(a) && is_vowel(b))).then_some(Typo::Exchanged),
        _ => Some(Typo::Letter),
    }
}

/// True for the letters of scripts that write vowels.
fn has_vowels(letter: char) -> bool {
    matches!(letter, '\0'..='\u{24F}' | '\u{370}'..='\u{52F}' | '\u{1E00}'..='\u{1FFF}')
}

fn is_vowel(letter: char) -> bool {
    folded(letter.encode_utf8(&mut [0; 4])).chars().all(|plain| VOWELS.contains(plain))
}

/// True for a word whose letters say whether the corpus knows its language: letters alone, and long enough for a typo.
pub fn is_telling(form: &str) -> bool {
    (LEAST_LETTERS..=MOST_LETTERS).contains(&form.chars().count()) && form.chars().all(char::is_alphabetic)
}

/// The runs of three letters of a word, its ends counted as letters.
pub fn trigrams(word: &str) -> impl Iterator<Item = [char; 3]> {
    let letters: Vec<char> = once(' ').chain(word.chars()).chain(once(' ')).collect();
    (2..letters.len()).map(move |at| [letters[at - 2], letters[at - 1], letters[at]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_within_a_word_may_be_a_typo() {
        for (word, misspelt, expected) in [
            ("document", "documnet", Typo::Exchanged),
            ("document", "docment", Typo::Letter),
            ("document", "docuument", Typo::Letter),
            ("document", "docunent", Typo::Letter),
            ("заявление", "заялвение", Typo::Exchanged),
            ("заявление", "зявление", Typo::Letter),
            // Only a corpus can tell.
            ("contract", "contact", Typo::Letter),
        ] {
            assert_eq!([typo(word, misspelt), typo(misspelt, word)], [Some(expected); 2], "{misspelt}");
        }
    }

    #[test]
    fn other_forms_and_names_are_no_typos() {
        for (a, b) in [
            ("typical", "atypical"),
            ("ispell", "aspell"),
            ("file", "files"),
            ("files", "filed"),
            ("выдано", "выдана"),
            ("konnte", "könnte"),
            ("schreiben", "schrieben"),
            ("trial", "trail"),
            ("поёте", "поете"),
            ("Johnson", "Johnston"),
            ("LIKEE", "LIKKE"),
            ("utf8x", "utf9x"),
            ("b-tree", "btree"),
            ("form", "from"),
            ("document", "document"),
            ("document", "docmunets"),
            ("güvendiğiniz", "güvenmediğiniz"),
            ("العلمية", "العملية"),
            ("השמלה", "השלמה"),
        ] {
            assert_eq!([typo(a, b), typo(b, a)], [None; 2], "{a} {b}");
        }
    }

    #[test]
    fn trigrams_have_the_ends_of_a_word() {
        let of = |word: &str| trigrams(word).map(|run| run.iter().collect::<String>()).collect::<Vec<_>>();
        assert_eq!(of("tide"), [" ti", "tid", "ide", "de "]);
        assert_eq!(of("a"), [" a "]);
        assert!(of("").is_empty());
    }
}
