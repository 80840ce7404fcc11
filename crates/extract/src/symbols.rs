//! Characters that a document names by their place in a font of symbols: `w:sym` of Word, fonts of RTF and PDF.
//!
//! Source: the encodings of Adobe's Symbol, which that of Microsoft follows, and of ITC Zapf Dingbats (ISO 32000-1, D.5, D.6).

/// The characters of Symbol from 0x21 on; none stands at 0x60.
const LOWER: &str = "!∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\u{0}\
    αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";

/// The characters of Symbol from 0xA0 on.
const UPPER: &str =
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\u{0}〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭";

/// The boxes and ticks of Wingdings, by their places.
const WINGDINGS: [(u32, char); 9] = [
    (0x51, '☒'),
    (0x52, '☑'),
    (0x6F, '☐'),
    (0x78, '☒'),
    (0xA8, '☐'),
    (0xFB, '✗'),
    (0xFC, '✓'),
    (0xFD, '☒'),
    (0xFE, '☑'),
];

/// The signs of Zapf Dingbats that Unicode has outside of its block of dingbats, which else has them in the same order.
const DINGBATS: [(u32, char); 18] = [
    (0x25, '☎'),
    (0x2A, '☛'),
    (0x2B, '☞'),
    (0x48, '★'),
    (0x6C, '●'),
    (0x6E, '■'),
    (0x73, '▲'),
    (0x74, '▼'),
    (0x75, '◆'),
    (0x77, '◗'),
    (0xA8, '♣'),
    (0xA9, '♦'),
    (0xAA, '♥'),
    (0xAB, '♠'),
    (0xD5, '→'),
    (0xD6, '↔'),
    (0xD7, '↕'),
    (0xF0, '\0'),
];

/// The character at a place of a font. One that is not known here is a character of private use, so that two of them stay
/// apart; `None` if the place is no character of Unicode.
pub(crate) fn symbol(font: &str, written: u32) -> Option<char> {
    // The places of fonts of symbols are written as they are, or from U+F000 on; others are of Unicode.
    let place = match written {
        0..=0xFF => written,
        0xF000..=0xF0FF => written - 0xF000,
        _ => return char::from_u32(written),
    };
    let listed = |list: &[(u32, char)]| list.iter().find(|(at, _)| *at == place).map(|(_, character)| *character);
    let found = match font {
        _ if place == 0x20 => Some(' '),
        "Symbol" if place >= 0xA0 => UPPER.chars().nth(place as usize - 0xA0),
        "Symbol" => (place as usize).checked_sub(0x21).and_then(|place| LOWER.chars().nth(place)),
        "Wingdings" => listed(&WINGDINGS),
        "ZapfDingbats" => listed(&DINGBATS).or_else(|| match place {
            0x21..=0x7E => char::from_u32(0x2700 + place - 0x20),
            0xAC..=0xB5 => char::from_u32(0x2460 + place - 0xAC),
            0xA1..=0xFE => char::from_u32(0x2761 + place - 0xA1),
            _ => None,
        }),
        _ => None,
    };
    found.filter(|character| *character != '\0').or_else(|| char::from_u32(0xF000 | place))
}

/// True for a character of private use, whose sign is unknown.
pub(crate) fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_characters() {
        for (font, place, expected) in [
            ("Symbol", 0xF0A3, '≤'),
            ("Symbol", 0xF0B3, '≥'),
            ("Symbol", 0xF061, 'α'),
            ("Symbol", 0xF07E, '∼'),
            ("Symbol", 0xF02D, '−'),
            ("Symbol", 0xF0E5, '∑'),
            ("Symbol", 0xF060, '\u{F060}'),
            ("Wingdings", 0xF0FC, '✓'),
            ("Wingdings", 0xF0A8, '☐'),
            ("Wingdings", 0xF04A, '\u{F04A}'),
            ("Webdings", 0x2713, '✓'),
            ("Wingdings", 0x004A, '\u{F04A}'),
            ("Symbol", 0xF0F2, '∫'),
            ("Symbol", 0x20, ' '),
            ("ZapfDingbats", 0x34, '✔'),
            ("ZapfDingbats", 0x48, '★'),
            ("ZapfDingbats", 0xAC, '①'),
            ("ZapfDingbats", 0xB6, '❶'),
            ("ZapfDingbats", 0xFE, '➾'),
            ("ZapfDingbats", 0xF0, '\u{F0F0}'),
        ] {
            assert_eq!(symbol(font, place), Some(expected), "{font} {place}");
        }
        assert_eq!(symbol("Symbol", 0xD800), None);
    }
}
