//! Marks laid over letters to disguise a word, and removed to read it: `w̶a̶t̶e̶r̶`.
//!
//! Accents that a language writes are part of its letters. Marks that Unicode does not compose with their
//! letter are suspect in three cases: they cover the letter (overlays), two of them stand on one letter, or
//! they stand on more than half of a word's letters. Overlays alone are removed first, and with them the lines under and
//! over letters, by which people underline where they have no other way. In the other cases all marks of the word are removed,
//! so a comparison may lose an accent.
//!
//! A few lines are no disguise: `x̅` is a mean, and `k̲` a letter of Haida.
//!
//! Source: the composition of Unicode Standard Annex #15 decides which marks make letters.

use std::borrow::Cow;

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

use super::is_letter;
use super::plain::is_unspaced;

/// Number of uncomposed marks or lines in a word that its language or subject may require.
const FEW: usize = 2;

/// The marks of a word that cannot belong to its letters; empty if all can.
pub fn laid_over(word: &str) -> Vec<char> {
    let overlays = word.chars().filter(|&c| is_overlay(c));
    let plain = without_overlays(word);
    overlays.chain(of_no_letter(&plain)).collect()
}

/// The word without its overlays, or without any marks if others still cannot belong to its letters; `None` if
/// nothing is suspect.
pub fn without(word: &str) -> Option<String> {
    let plain = without_overlays(word);
    if of_no_letter(&plain).is_empty() {
        return if plain.len() < word.len() { Some(plain.into_owned()) } else { None };
    }
    Some(DecomposingNormalizerBorrowed::new_nfd().normalize(&plain).chars().filter(|&c| !is_mark(c)).collect())
}

fn without_overlays(word: &str) -> Cow<'_, str> {
    if word.contains(is_overlay) { word.chars().filter(|&c| !is_overlay(c)).collect() } else { Cow::Borrowed(word) }
}

/// True if strokes or shapes cover letters of a word, or if lines stand at more than [`FEW`] of them and at more than half. Coptic
/// is written with lines, and Chinese marks names by them.
pub(super) fn is_covered(word: &str) -> bool {
    let is_counted = |c: char| c.is_alphabetic() && !is_unspaced(c) && !is_coptic(c);
    let (lines, letters) =
        (word.chars().filter(|&c| is_line(c)).count(), word.chars().filter(|&c| is_counted(c)).count());
    word.contains(|c| is_overlay(c) && !is_line(c)) || lines > FEW && lines * 2 > letters && letters > 0
}

/// The uncomposed marks of a word if two stand on one letter, or if there are more than [`FEW`] and more than
/// half as many as letters; else none.
fn of_no_letter(word: &str) -> Vec<char> {
    if !word.contains(is_mark) || !word.contains(is_letter) {
        return Vec::new();
    }
    let composed = ComposingNormalizerBorrowed::new_nfc().normalize(word);
    let (mut left, mut letters, mut together, mut is_suspect) = (Vec::new(), 0, 0, false);
    for c in composed.chars() {
        if is_mark(c) {
            left.push(c);
            together += 1;
            is_suspect |= together > 1;
        } else {
            letters += usize::from(is_letter(c));
            together = 0;
        }
    }
    is_suspect |= left.len() > FEW && left.len() * 2 > letters;
    if is_suspect { left } else { Vec::new() }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{34E}' | '\u{350}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20F0}' | '\u{FE20}'..='\u{FE2F}')
}

/// True for a character that combines with the letter before it, as accents and the vowel signs of India do.
pub(super) fn stands_on_another(c: char) -> bool {
    GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Strokes through a letter, lines under and over it, and shapes around it.
pub(super) fn is_overlay(c: char) -> bool {
    is_line(c)
        || matches!(c, '\u{334}'..='\u{338}' | '\u{20D2}' | '\u{20D3}' | '\u{20D8}'..='\u{20DA}' | '\u{20DD}'..='\u{20E0}'
        | '\u{20E2}'..='\u{20E6}' | '\u{20EA}' | '\u{20EB}')
}

/// Single and double lines over and under a letter. The macrons of languages are shorter (U+0304, U+0331).
fn is_line(c: char) -> bool {
    matches!(c, '\u{305}' | '\u{332}' | '\u{333}' | '\u{33F}')
}

fn is_coptic(c: char) -> bool {
    matches!(c, '\u{3E2}'..='\u{3EF}' | '\u{2C80}'..='\u{2CFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_that_no_language_writes_are_taken_off() {
        for (marked, plain) in [
            ("w\u{336}ater", "water"),
            ("w\u{301}\u{323}a\u{301}\u{323}t\u{301}\u{323}e\u{301}\u{323}r\u{301}\u{323}", "water"),
            ("w\u{332}a\u{332}t\u{332}e\u{332}r\u{332}", "water"),
            ("в\u{336}ода", "вода"),
            ("m\u{20dd}oon", "moon"),
            ("ά\u{336}λ\u{336}φ\u{336}α\u{336}", "άλφα"),
            ("海\u{336}水\u{336}", "海水"),
            ("p\u{332}la\u{332}g\u{332}e\u{301}\u{332}", "plag\u{e9}"),
            ("ş\u{332}i\u{332}ş\u{332}e\u{332}", "şişe"),
            ("إ\u{332}ل\u{332}ى\u{332}", "إلى"),
            ("מ\u{305}י\u{305}ם\u{305}", "מים"),
        ] {
            let nfc = ComposingNormalizerBorrowed::new_nfc();
            assert_eq!(without(marked).as_deref().map(|word| nfc.normalize(word)).as_deref(), Some(plain), "{marked}");
        }
    }

    #[test]
    fn accents_of_languages_stay() {
        // Vietnamese, Yoruba, Russian with stress, Lithuanian, Guarani, Greek, Hindi, Arabic, Hebrew.
        for word in [
            "water",
            "café",
            "cafe\u{301}",
            "tiếng",
            "e\u{323}\u{302}",
            "ẹ\u{300}kọ\u{301}",
            "м\u{43e}\u{301}ре",
            "kal\u{303}bà",
            "g\u{303}uara",
            "ẹ\u{300}gọ\u{300}",
            "ḇayi\u{331}ṯ",
            "o\u{323}\u{301}ba",
            "ἄνθρωπος",
            "हिन्दी",
            "مُحَمَّد",
            "שָׁלוֹם",
        ] {
            assert_eq!(without(word), None, "{word}");
        }
    }

    #[test]
    fn lines_are_a_disguise_if_most_letters_have_them() {
        let lined = |word: &str, line: char| word.chars().flat_map(|c| [c, line]).collect::<String>();
        for line in ['\u{332}', '\u{305}', '\u{333}'] {
            for word in ["water", "şişe", "вода", "مياه", "कमल"] {
                assert!(is_covered(&lined(word, line)), "{word}");
            }
            for word in ["x", "AB", "ⲡⲛⲁ", "李时珍"] {
                assert!(!is_covered(&lined(word, line)), "{word}");
            }
        }
        assert!(is_covered("w\u{336}ater") && !is_covered("k\u{332}’il\u{332}aa"));
    }
}
