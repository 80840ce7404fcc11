//! The two bodies of a mail that are to say the same: a plain one, and a web page.
//!
//! Programs show the page. It mostly has the words of the plain part, which may have more: quotes, the targets of links. A line
//! of the page with a word that the plain part does not have, or not so often, is one that only the page says: a footer, or
//! another account number.
//!
//! Cost: linear in the characters.

use std::collections::HashMap;

/// The lines of a page that have words beyond those of the plain part, after an empty line; empty if there are none.
pub(crate) fn unsaid(plain: &str, page: &str) -> String {
    let mut said: HashMap<String, u32> = HashMap::new();
    each_word(plain, &mut |word| *said.entry(word.to_owned()).or_default() += 1);
    let mut unsaid = String::new();
    for line in page.lines() {
        let mut is_said = true;
        each_word(line, &mut |word| match said.get_mut(word) {
            Some(left) if *left > 0 => *left -= 1,
            _ => is_said = false,
        });
        if !is_said {
            unsaid.push('\n');
            unsaid.push_str(line.trim());
        }
    }
    if !unsaid.is_empty() {
        unsaid.push('\n');
    }
    unsaid
}

/// The words of a text in lower case: runs of letters and digits. Where words have no spaces, a line may break between any two
/// letters, so each is one.
fn each_word(text: &str, found: &mut dyn FnMut(&str)) {
    let mut word = String::new();
    for c in text.chars().flat_map(char::to_lowercase).filter(|&c| c != SOFT_HYPHEN).chain([' ']) {
        let is_word = is_unspaced(c);
        if (is_word || !c.is_alphanumeric()) && !word.is_empty() {
            found(&word);
            word.clear();
        }
        if is_word {
            found(c.encode_utf8(&mut [0; 4]));
        } else if c.is_alphanumeric() {
            word.push(c);
        }
    }
}

const SOFT_HYPHEN: char = '\u{ad}';

/// True for Thai, Lao, Burmese, Khmer, and Chinese and Japanese letters.
fn is_unspaced(c: char) -> bool {
    c.is_alphanumeric()
        && matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{2e80}'..='\u{31ff}'
            | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_says_the_same_adds_nothing() {
        for (plain, page) in [
            ("", ""),
            ("Pay it to 42.\n> When?\n", "Pay it\nto 42.\nWhen?"),
            ("HELLO, see *here* <https://example.org/a?b=1>", "Hello, see here"),
            ("潮はすぐ\nに来る。", "潮はすぐに来る。"),
            ("Kontonummer", "Konto\u{ad}nummer"),
            ("It’s 1.5 €", "It's 1,5"),
        ] {
            assert_eq!(unsaid(plain, page), "", "{plain}");
        }
    }

    #[test]
    fn lines_with_other_words_are_added() {
        let plain = "Accounts 1 and 2.\n\nPay to account 1.\n";
        let page = |number| format!("Accounts 1 and 2.\nPay to account {number}.\n Unsubscribe\n");
        assert_eq!(unsaid(plain, &page(1)), "\nUnsubscribe\n");
        assert_eq!(unsaid(plain, &page(3)), "\nPay to account 3.\nUnsubscribe\n");
        assert_eq!(unsaid(plain, &page(2)), "\nPay to account 2.\nUnsubscribe\n", "a word more often");
        assert_eq!(unsaid("潮が来る", "潮が来ない"), "\n潮が来ない\n");
    }
}
