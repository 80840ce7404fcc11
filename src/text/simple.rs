//! Simple characters: most of European, Arabic and Korean prose, Katakana and the signs of Chinese and Japanese, whose
//! words need no Unicode tables.
//!
//! A character is simple if NFKC leaves it alone, its lower case is one character in any context, and
//! word borders beside it follow from its [`Class`]. Typographic apostrophes are simple, too: they all become one.
//! Characters that attach to others are not (marks, joiners, variation selectors), nor those that a dictionary
//! divides. Texts with any other character take the path through the tables of ICU4X; the tests compare both.
//!
//! Cost: linear; a few nanoseconds a character.
//!
//! Source: Unicode Standard Annex #29, 4.1 (rules `WB5` to `WB13b`).

use std::ops::Range;
use std::sync::LazyLock;

use super::characters::is_apostrophe;

/// The class of a simple character, by which words are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    /// A letter of a script that writes spaces between words.
    Letter,
    Digit,
    /// A letter of Katakana, which only joins its like.
    Katakana,
    /// Joins letters (`:`).
    BetweenLetters,
    /// Joins digits (`,`, `;`).
    BetweenDigits,
    /// Joins letters and digits (`.`, an apostrophe).
    Between,
    /// Joins anything (`_`).
    Connector,
    /// Part of no word.
    Sign,
}

impl Class {
    /// True for a character that words consist of, unlike those that only join others.
    fn is_of_words(self) -> bool {
        matches!(self, Self::Letter | Self::Digit | Self::Katakana | Self::Connector)
    }

    /// True if a word ends between two characters that words consist of.
    fn parts(self, next: Self) -> bool {
        self != Self::Connector && next != Self::Connector && (self == Self::Katakana) != (next == Self::Katakana)
    }
}

/// Number of characters whose classes and lower case are in tables: Latin, Greek, Cyrillic, Armenian, Arabic.
const TABLE: usize = 0x700;

/// The class of a simple character; `None` for all others.
#[inline]
fn class(c: char) -> Option<Class> {
    const CLASSES: [Option<Class>; TABLE] = {
        let mut classes = [None; TABLE];
        let mut c = 0;
        while c < TABLE {
            if let Some(character) = char::from_u32(c as u32) {
                classes[c] = class_by_rule(character);
            }
            c += 1;
        }
        classes
    };
    CLASSES.get(c as usize).map_or_else(|| class_by_rule(c), |&class| class)
}

const fn class_by_rule(c: char) -> Option<Class> {
    Some(match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        ':' => Class::BetweenLetters,
        ',' | ';' => Class::BetweenDigits,
        '.' => Class::Between,
        '_' => Class::Connector,
        _ if is_apostrophe(c) => Class::Between,
        '\0'..='\u{7F}' => Class::Sign,
        _ if is_letter(c) => Class::Letter,
        '\u{660}'..='\u{669}' => Class::Digit,
        '\u{30A1}'..='\u{30FA}' | '\u{30FC}' => Class::Katakana,
        '\u{FF1A}' => Class::BetweenLetters,
        '\u{FF0C}' | '\u{FF1B}' => Class::BetweenDigits,
        '\u{A1}'
        | '\u{A7}'
        | '\u{AB}'
        | '\u{BB}'
        | '\u{BF}'
        | '\u{61F}'
        | '\u{2012}'..='\u{2015}'
        | '\u{201C}'..='\u{201F}'
        | '\u{2020}'..='\u{2022}'
        | '\u{2026}'
        | '\u{2192}'
        | '\u{25CF}'
        | '\u{3001}'..='\u{3003}'
        | '\u{3008}'..='\u{3011}'
        | '\u{3014}'..='\u{301B}'
        | '\u{30FB}'
        | '\u{FF01}'
        | '\u{FF08}'
        | '\u{FF09}'
        | '\u{FF1F}' => Class::Sign,
        _ => return None,
    })
}

/// True for a simple letter beyond ASCII.
const fn is_letter(c: char) -> bool {
    matches!(c,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{12F}' | '\u{131}' // Latin
        | '\u{134}'..='\u{13E}' | '\u{141}'..='\u{148}' | '\u{14A}'..='\u{17E}'
        | '\u{1A0}' | '\u{1A1}' | '\u{1AF}' | '\u{1B0}' | '\u{218}'..='\u{21B}' | '\u{1EA0}'..='\u{1EF9}'
        | '\u{391}'..='\u{3A1}' | '\u{3A4}'..='\u{3C9}' | '\u{3CC}'..='\u{3CE}' | '\u{386}'
        | '\u{388}'..='\u{38A}' | '\u{38C}' | '\u{38E}'..='\u{390}' // Greek, but for Σ, whose lower case has two forms
        | '\u{400}'..='\u{481}' | '\u{48A}'..='\u{52F}' // Cyrillic
        | '\u{531}'..='\u{556}' | '\u{561}'..='\u{586}' // Armenian
        | '\u{621}'..='\u{63A}' | '\u{641}'..='\u{64A}' | '\u{67E}' | '\u{686}' | '\u{698}' | '\u{6A9}' | '\u{6AF}'
        | '\u{6CC}' // Arabic
        | '\u{AC00}'..='\u{D7A3}') // Korean
}

/// Calls `word` with the byte range of every word of a text of simple characters, in order. Returns false, without
/// any call, if the text has another character.
pub(super) fn words(text: &str, mut word: impl FnMut(Range<usize>)) -> bool {
    if !text.is_ascii() && !text.chars().all(|c| class(c).is_some()) {
        return false;
    }
    let mut classes = text.char_indices().map(|(at, c)| (at, class(c).unwrap_or(Class::Sign)));
    let mut next = classes.next();
    while let Some((start, first)) = next {
        next = classes.next();
        if !first.is_of_words() {
            continue;
        }
        let (mut last, mut is_word) = (first, first != Class::Connector);
        let end = loop {
            let Some((at, class)) = next else { break text.len() };
            if class.is_of_words() {
                if last.parts(class) {
                    break at;
                }
                is_word |= class != Class::Connector;
                last = class;
                next = classes.next();
                continue;
            }
            let joined = match class {
                Class::BetweenLetters => Class::Letter,
                Class::BetweenDigits => Class::Digit,
                Class::Between if matches!(last, Class::Letter | Class::Digit) => last,
                _ => break at,
            };
            let after = classes.next();
            if last != joined || after.is_none_or(|(_, after)| after != joined) {
                // The character after a sign that joins nothing may begin a word.
                next = after;
                break at;
            }
            next = after;
        };
        if is_word {
            word(start..end);
        }
    }
    true
}

/// Appends the form of a word of simple letters, digits and ASCII signs: its lower case, with `ss` for `ß`, `i` for `ı`, and
/// the letters of Arabic for those of Persian ([`super::normalise`]). Returns false, and appends nothing, if the word has
/// another character.
pub(super) fn lower(word: &str, form: &mut String) -> bool {
    static LOWER: LazyLock<[char; TABLE]> = LazyLock::new(|| {
        std::array::from_fn(|c| match char::from_u32(c as u32) {
            Some('ı') => 'i',
            Some('ی') => 'ي',
            Some('ک') => 'ك',
            Some(c) => first_of_lower(c),
            None => '\0',
        })
    });
    let table: &[char; TABLE] = &LOWER;
    let length = form.len();
    for c in word.chars() {
        let lower = match class(c) {
            _ if c.is_ascii() => Some(c.to_ascii_lowercase()),
            Some(Class::Letter) => Some(table.get(c as usize).map_or_else(|| first_of_lower(c), |&lower| lower)),
            Some(Class::Digit | Class::Katakana) => Some(c),
            Some(Class::Between) => Some('\''),
            _ => None,
        };
        let Some(lower) = lower else {
            form.truncate(length);
            return false;
        };
        if lower == 'ß' {
            form.push_str("ss");
        } else {
            form.push(lower);
        }
    }
    true
}

/// The forms in UTF-8 of the simple letters whose character and whose form take two bytes each, by code point from U+0080
/// on; zeros for all other characters.
pub fn two_byte_forms() -> &'static [[u8; 2]; TWO_BYTES] {
    static FORMS: LazyLock<[[u8; 2]; TWO_BYTES]> = LazyLock::new(|| {
        let mut form = String::new();
        std::array::from_fn(|c| {
            form.clear();
            let letter = char::from_u32(FIRST_OF_TWO_BYTES + c as u32).filter(|&c| class(c) == Some(Class::Letter));
            let is_short = letter.is_some_and(|c| lower(c.encode_utf8(&mut [0; 4]), &mut form)) && form.len() == 2;
            if is_short { [form.as_bytes()[0], form.as_bytes()[1]] } else { [0; 2] }
        })
    });
    &FORMS
}

/// The first character that takes two bytes in UTF-8.
const FIRST_OF_TWO_BYTES: u32 = 0x80;

/// Number of characters of two bytes that may be simple letters.
const TWO_BYTES: usize = TABLE - FIRST_OF_TWO_BYTES as usize;

/// The first character of a letter's lower case, which is the only one of a simple letter.
fn first_of_lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_simple_texts() {
        let words = |text: &str| {
            let mut found = Vec::new();
            assert!(words(text, |span| found.push(text[span].to_owned())));
            found
        };
        assert_eq!(
            words("l’été: 3.14, a:b 1,2,x a.b. _ __a_ 1.a"),
            ["l’été", "3.14", "a:b", "1,2", "x", "a.b", "__a_", "1", "a"]
        );
        assert_eq!(words("…«Волны»—2026"), ["Волны", "2026"]);
        assert_eq!(words("データ・ベースAPI_キー、（1，2）"), ["データ", "ベース", "API_キー", "1，2"]);
        assert!(words("").is_empty());
    }

    #[test]
    fn a_mark_or_a_script_without_spaces_is_not_simple() {
        for text in ["e\u{301}", "海", "น้ำ", "a\u{200b}b", "ＡＢ", "²", "Σ"] {
            let mut found = 0;
            assert!(!words(text, |_| found += 1) && found == 0, "{text}");
            let mut form = String::from("left");
            assert!(!lower(text, &mut form) && form == "left", "{text}");
        }
    }
}
