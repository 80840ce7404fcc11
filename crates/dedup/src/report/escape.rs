//! Escaping of untrusted text, so that it is shown and never interpreted.
//!
//! Characters that control a terminal, a browser or the direction of text become
//! visible: C0 controls become their pictures (`␛`); other controls, directional
//! embeddings, overrides and isolates, and non-characters become `�`. Plain direction
//! marks (U+200E, U+200F, U+061C) stay, as ordinary texts contain them. Markup is escaped
//! by the templates of the page.

/// A whole page of HTML; its white space stays as it is.
pub(in crate::report) fn shown(page: &str) -> String {
    page.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { c } else { visible(c) }).collect()
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
        assert_eq!(shown("a\n\0\x1b[2J\u{202e}x\u{2069}\u{9b}\u{200f}\u{ffff}"), "a\n␀␛[2J�x��\u{200f}�");
        assert_eq!(plain("a\nb\x1b]0;x\x07"), "a␊b␛]0;x␇");
    }

    #[test]
    fn long_ids_keep_both_ends() {
        let long = format!("{}{}", "é".repeat(80), "z".repeat(80));
        assert_eq!(plain(&long), format!("{}…{}", "é".repeat(50), "z".repeat(49)));
        assert_eq!(plain(&"é".repeat(100)), "é".repeat(100));
    }

    proptest! {
        /// Otherwise a list of names could not be read again.
        #[test]
        fn names_of_files_have_nothing_to_replace(name in any::<String>()) {
            let name = nearcopy::error::shown_bytes(name.as_bytes());
            prop_assert_eq!(tamed(&name), name);
        }

        #[test]
        fn a_parser_gives_back_what_is_visible(text in "[^\t\r]*") {
            let page = maud::html! { (maud::DOCTYPE) p title=(text) { (text) } };
            let document = dom_query::Document::from(shown(&page.into_string()));
            prop_assert_eq!(&*document.errors.borrow(), &[] as &[std::borrow::Cow<str>]);
            let shown = shown(&text);
            let element = document.select("p");
            prop_assert_eq!(element.attr_or("title", "").to_string(), shown.clone());
            prop_assert_eq!(element.text().to_string(), shown);
        }
    }
}
