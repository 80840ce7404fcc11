//! Escaping of untrusted text, so that it is shown and never interpreted.
//!
//! Characters that control a terminal, a browser or the direction of text become
//! visible: C0 controls become their pictures (`␛`); other controls, directional
//! embeddings, overrides and isolates, and non-characters become `�`. Plain direction
//! marks (U+200E, U+200F, U+061C) stay, as ordinary texts contain them. [`Escaped`]
//! also escapes HTML markup.

use std::fmt::{self, Write};

/// Text inside an element or a quoted attribute of a page.
pub(in crate::report) struct Escaped<'a>(pub(in crate::report) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // A browser collapses white space into one space.
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                _ => f.write_char(visible(c))?,
            }
        }
        Ok(())
    }
}

/// Text for one line on a terminal.
pub(in crate::report) fn tamed(text: &str) -> String {
    text.chars().map(visible).collect()
}

/// The same, with its middle cut out if it is longer than 100 characters.
pub(in crate::report) fn plain(text: &str) -> String {
    const MOST: usize = 100;
    let count = text.chars().count();
    if count <= MOST {
        return tamed(text);
    }
    let half = MOST / 2;
    let ends = [text.chars().take(half).collect::<String>(), text.chars().skip(count - half + 1).collect()];
    tamed(&ends.join("…"))
}

/// The character itself, or the visible replacement of a control character.
pub(in crate::report) fn visible(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '␡',
        '\u{80}'..='\u{9f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{fdd0}'..='\u{fdef}' => char::REPLACEMENT_CHARACTER,
        _ if u32::from(c) & 0xfffe == 0xfffe => char::REPLACEMENT_CHARACTER,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commands_become_visible() {
        let hostile = "<b a=\"'&\n\0\x1b[2J\u{202e}x\u{2069}\u{9b}\u{200f}\u{ffff}";
        assert_eq!(Escaped(hostile).to_string(), "&lt;b a=&quot;&#39;&amp; ␀␛[2J�x��\u{200f}�");
        assert_eq!(plain("a\nb\x1b]0;x\x07"), "a␊b␛]0;x␇");
    }

    #[test]
    fn long_ids_keep_both_ends() {
        let long = format!("{}{}", "é".repeat(80), "z".repeat(80));
        assert_eq!(plain(&long), format!("{}…{}", "é".repeat(50), "z".repeat(49)));
        assert_eq!(plain(&"é".repeat(100)), "é".repeat(100));
    }

    proptest! {
        #[test]
        fn a_parser_gives_back_what_is_visible(text in "[^\t\r]*") {
            let page = format!("<!DOCTYPE html><p title=\"{0}\">{0}</p>", Escaped(&text));
            let document = dom_query::Document::from(page);
            prop_assert_eq!(&*document.errors.borrow(), &[] as &[std::borrow::Cow<str>]);
            let shown: String = text.chars().map(|c| if c == '\n' { ' ' } else { visible(c) }).collect();
            let element = document.select("p");
            prop_assert_eq!(element.attr_or("title", "").to_string(), shown.clone());
            prop_assert_eq!(element.text().to_string(), shown);
        }
    }
}
