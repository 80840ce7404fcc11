//! Characters that a document names by their place in a font of symbols (`w:sym`).
//!
//! Source: the encoding of Adobe's Symbol, which that of Microsoft follows.

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

/// The character at a place of a font, which is written in hexadecimal digits. One that is not known here is a character of
/// private use, so that two of them stay apart. `None` if the place is no number.
pub(super) fn symbol(font: &str, place: &str) -> Option<char> {
    let written = u32::from_str_radix(place, 16).ok()?;
    // The places of fonts of symbols are written as they are, or from U+F000 on; others are of Unicode.
    let place = match written {
        0..=0xFF => written,
        0xF000..=0xF0FF => written - 0xF000,
        _ => return char::from_u32(written),
    };
    let found = match font {
        "Symbol" if place >= 0xA0 => UPPER.chars().nth(place as usize - 0xA0),
        "Symbol" => (place as usize).checked_sub(0x21).and_then(|place| LOWER.chars().nth(place)),
        "Wingdings" => WINGDINGS.iter().find(|(at, _)| *at == place).map(|(_, character)| *character),
        _ => None,
    };
    found.filter(|character| *character != '\0').or_else(|| char::from_u32(0xF000 | place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_characters() {
        for (font, place, expected) in [
            ("Symbol", "F0A3", '≤'),
            ("Symbol", "F0B3", '≥'),
            ("Symbol", "F061", 'α'),
            ("Symbol", "f07e", '∼'),
            ("Symbol", "F02D", '−'),
            ("Symbol", "F0E5", '∑'),
            ("Symbol", "F060", '\u{F060}'),
            ("Wingdings", "F0FC", '✓'),
            ("Wingdings", "F0A8", '☐'),
            ("Wingdings", "F04A", '\u{F04A}'),
            ("Webdings", "2713", '✓'),
            ("Wingdings", "004A", '\u{F04A}'),
            ("Symbol", "F0F2", '∫'),
        ] {
            assert_eq!(symbol(font, place), Some(expected), "{font} {place}");
        }
        assert_eq!(symbol("Symbol", ""), None);
    }
}
