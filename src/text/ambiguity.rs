//! Letters and digits that the [form](super::normalise) of a word does not have, by which words of one form differ.

use super::word_hash::mixed;

/// A hash of the characters of a word that its form does not have, and of their places; 0 if there are none. They are raised
/// letters and digits and fractions (`10⁶` and `106`, `2¹⁰` and `21⁰`, `1½` and `11⁄2`), lowered digits beside others (`log₂8`), and
/// the `ı` and `İ` of Turkish (`sınır`, border; `sinir`, nerve; `dış`, outer; `DİŞ`, tooth).
pub fn ambiguity(word: &str) -> u64 {
    if word.is_ascii() {
        return 0;
    }
    let is_raised = |c: char| {
        matches!(c, '²' | '³' | '¹' | '¼'..='¾' | '⁰' | 'ⁱ' | '⁴'..='⁹' | 'ⁿ' | '⅐'..='⅟' | '↉' | 'ı' | 'İ')
            || matches!(c, '\u{2B0}'..='\u{2B8}' | '\u{2E0}'..='\u{2E4}' | '\u{1D2C}'..='\u{1D61}')
            || matches!(c, '\u{1D78}' | '\u{1D9B}'..='\u{1DBF}' | '\u{2C7D}')
    };
    let (mut found, mut letters, mut last) = (0, 0, ' ');
    let mut characters = word.chars().peekable();
    while let Some(c) = characters.next() {
        let mut is_in_number = || last.is_ascii_digit() || characters.peek().is_some_and(char::is_ascii_digit);
        if is_raised(c) || matches!(c, '₀'..='₉') && is_in_number() {
            found = mixed(found, letters << 32 | u64::from(u32::from(c))) | 1;
        }
        letters += u64::from(c.is_alphanumeric());
        last = c;
    }
    found
}
