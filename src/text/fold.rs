//! Words without their accents, as they are typed on a keyboard that lacks them: `příliš` as `prilis`, `đường` as
//! `duong`, `ёлка` as `елка`.
//!
//! Only marks that a writer of the language may leave out are dropped: those of Latin and Greek letters, the points of
//! Hebrew and Arabic, and the sign of stress on Cyrillic vowels. `й` is a letter of its own, and so are the vowel signs
//! of India.
//!
//! Cost: linear; ASCII words are returned as they are.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};

/// A word in its normal form, without accents.
pub fn folded(word: &str) -> Cow<'_, str> {
    if word.is_ascii() {
        return Cow::Borrowed(word);
    }
    let apart = DecomposingNormalizerBorrowed::new_nfd().normalize(word);
    let (mut plain, mut bears_accents) = (String::with_capacity(word.len()), false);
    for c in apart.chars() {
        match c {
            '\u{300}'..='\u{36F}' if bears_accents => continue,
            // The sign of stress.
            '\u{301}' if plain.ends_with(is_vowel_of_cyrillic) => continue,
            '\u{591}'..='\u{5BD}' | '\u{5BF}'..='\u{5C7}' | '\u{64B}'..='\u{652}' | '\u{670}' => continue,
            _ => bears_accents = can_bear_accents(c),
        }
        match without_stroke(c) {
            Some(letters) => plain.push_str(letters),
            None => plain.push(c),
        }
    }
    let plain = match ComposingNormalizerBorrowed::new_nfc().normalize(&plain) {
        Cow::Borrowed(_) => plain,
        Cow::Owned(composed) => composed,
    };
    let plain = plain.replace('ё', "е");
    if plain == word { Cow::Borrowed(word) } else { Cow::Owned(plain) }
}

/// True for a letter whose accents are left out where a keyboard lacks them.
fn can_bear_accents(c: char) -> bool {
    matches!(c, 'a'..='z' | 'A'..='Z' | '\u{C0}'..='\u{24F}' | '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}')
}

fn is_vowel_of_cyrillic(c: char) -> bool {
    matches!(c, 'а' | 'е' | 'и' | 'о' | 'у' | 'ы' | 'э' | 'ю' | 'я' | 'і' | 'є')
}

/// The usual replacement of a letter that Unicode does not compose of a letter and a mark.
fn without_stroke(c: char) -> Option<&'static str> {
    Some(match c {
        'đ' | 'ð' => "d",
        'ł' => "l",
        'ø' => "o",
        'ı' => "i",
        'ħ' => "h",
        'ŧ' => "t",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'þ' => "th",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_are_dropped() {
        for (word, plain) in [
            ("příliš", "prilis"),
            ("źdźbło", "zdzblo"),
            ("őrült", "orult"),
            ("đường", "duong"),
            ("nghiễm", "nghiem"),
            ("ışık", "isik"),
            ("straße", "strasse"),
            ("œuvre", "oeuvre"),
            ("άνθρωπος", "ανθρωπος"),
            ("ёлка", "елка"),
            ("за́мок", "замок"),
            ("שָׁלוֹם", "שלום"),
            ("كِتَاب", "كتاب"),
        ] {
            assert_eq!(folded(word), plain);
        }
    }

    #[test]
    fn letters_of_their_own_and_plain_words_stay() {
        for word in ["water", "йод", "їжак", "हिन्दी", "がぎぐ", "한국어", "c++", ""] {
            assert_eq!(folded(word), word);
            assert!(matches!(folded(word), Cow::Borrowed(_)), "{word}");
        }
    }
}
