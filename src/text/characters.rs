//! Kinds of characters, the same in every language: apostrophes, characters without a glyph, white space, letters of
//! scripts without spaces.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

/// True for an apostrophe in any of its encodings.
pub(crate) const fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '\u{2018}' | '\u{2019}' | '\u{201B}' | '\u{02BC}' | '\u{FF07}')
}

/// The ASCII equivalent of a sign of another script or width, or the character itself.
pub(super) fn plain_sign(c: char) -> char {
    match c {
        _ if c.is_ascii() => c,
        '\u{2212}' | '\u{FE63}' => '-',
        '\u{37E}'
        | '\u{55E}'
        | '\u{61F}'
        | '\u{1367}'
        | '\u{1945}'
        | '\u{2047}'..='\u{2049}'
        | '\u{2CFA}'
        | '\u{2E2E}'
        | '\u{A60F}'
        | '\u{A6F7}'
        | '\u{FE56}' => '?',
        '\u{66A}' | '\u{FE6A}' => '%',
        '\u{60C}' | '\u{FE50}' => ',',
        '\u{61B}' | '\u{FE54}' => ';',
        '\u{FE60}' => '&',
        '\u{2044}' => '/',
        // A converter of Japanese chooses one of the two.
        '\u{301C}' => '~',
        '\u{FF64}' => '、',
        '\u{FF65}' => '・',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        _ => c,
    }
}

/// The digit of ASCII for a decimal digit of any script, whose ten digits stand in a row that begins behind no digit.
pub(crate) fn digit(c: char) -> Option<char> {
    let is_digit = |c: char| CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::DecimalNumber;
    let before = |&back: &u32| char::from_u32(u32::from(c) - back).is_some_and(is_digit);
    is_digit(c).then(|| (1..10).take_while(before).count() as u32).and_then(|value| char::from_digit(value, 10))
}

/// True for a sign of currency.
pub(super) fn is_currency(c: char) -> bool {
    plain_sign(c) == '$'
        || !c.is_ascii() && CodePointMapData::<GeneralCategory>::new().get(c) == GeneralCategory::CurrencySymbol
}

/// True for a bullet of lists: no shape by which something is chosen or told apart, as by `●` and `○` or `▲` and `▼`.
/// Those of private use are of fonts of symbols.
pub(super) fn is_bullet(c: char) -> bool {
    matches!(c, '•' | '‣' | '⁃' | '∙' | '⋅' | '▪' | '▸' | '►' | '➢' | '➤' | '❖')
        || matches!(c, '\u{F076}' | '\u{F0A7}' | '\u{F0B7}' | '\u{F0D8}')
}

/// True for a syllable of Korean.
pub(super) fn is_hangul(c: char) -> bool {
    matches!(c, '\u{AC00}'..='\u{D7A3}')
}

/// True for a letter of Greek.
pub(super) fn is_greek(c: char) -> bool {
    matches!(c, '\u{370}'..='\u{3FF}' | '\u{1F00}'..='\u{1FFF}')
}

/// True for a character without a glyph (`Default_Ignorable_Code_Point`).
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// True for ASCII white space, vertical tab included.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// True for a character of a script that puts no spaces between words.
pub(crate) fn has_no_spaces(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' // Thai, Lao
        | '\u{1000}'..='\u{109F}' // Burmese
        | '\u{1780}'..='\u{17FF}' | '\u{19E0}'..='\u{19FF}' // Khmer
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AA7F}' // more Burmese
        | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{30FF}' // kana
        | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' // Han
        | '\u{FF66}'..='\u{FF9F}' // half-width kana
        | '\u{20000}'..='\u{3FFFF}')
}
