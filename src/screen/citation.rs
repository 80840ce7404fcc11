//! How a source is named beside a quotation: `(Lee 2004, 12)`, `[3]`, `S. 12`, `第12页`, a raised number or an address.
//!
//! Cost: one pass for each word for a page; the text beside a quotation is short.

use std::ops::Range;

use crate::text::characters::{digit, is_apostrophe};

/// Letters of the longest unit whose powers are written with a raised number.
const LONGEST_UNIT: usize = 2;

/// Length of the longest number of an item in a list, in characters.
const LONGEST_ITEM: usize = 2;

/// Words for a page in front of its number, in lower case, in many languages. Between the two may stand [`BETWEEN`].
const PAGES: &str = "p. pp. page pages pag. pág. págs. pàg. página páginas pagina pagine seite seiten s. ss. str. strana \
    strona sid. sidan blz. lk hlm. hal. tr. trang sayfa с. стр. страница страницы стор. сторінка σ. σσ. σελ. էջ გვ. עמ' עמ׳ \
    עמ’ עמוד ص صص صفحة صفحه पृ. पृष्ठ পৃ. পৃষ্ঠা หน้า น. 頁 页";

/// Words for a page behind its number.
const BEHIND: &str = "页 頁 ページ 쪽 페이지 lpp. old.";

/// Blanks between a number and what it counts.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];

/// Signs between the number of a page and the word for it.
const BETWEEN: [char; 5] = ['.', ':', BLANKS[0], BLANKS[1], BLANKS[2]];

/// Number of digits of a year.
const YEAR: usize = 4;

/// True if a text has what looks like a source: digits of any script in brackets, as in `(Lee 2004, 12)` and `[3]`, but not
/// behind a name as in `printf(3)`, nor before an item of a list as in `(1) First`; a raised number, but not of a unit as in
/// `m²`; a number in a circle; a page, or an address.
pub(super) fn names_source(text: &str) -> bool {
    let lower = lower_case(text);
    let is_note = |(at, c): (usize, char)| {
        // In PDF, raised numbers stand apart.
        let unit = || text[..at].trim_end_matches(BLANKS).chars().rev().take_while(|c| c.is_alphabetic()).count();
        matches!(c, '¹' | '⁰' | '⁴'..='⁹')
            || matches!(c, '²' | '³') && !(1..=LONGEST_UNIT).contains(&unit())
            || matches!(c, '①'..='⑳') && !is_item(&text[..at], &text[at + c.len_utf8()..])
    };
    text.contains("://")
        || text.contains("www.")
        || text.char_indices().any(is_note)
        || PAGES.split_whitespace().any(|word| is_between(&lower, word, |at| is_page(text, at..at + word.len())))
        || BEHIND
            .split_whitespace()
            .any(|word| is_between(text, word, |at| ends_with_number(text[..at].trim_end_matches(BETWEEN))))
        || has_number_in_brackets(text)
}

/// A text in lower case, with each letter at its place: one whose lower case is of another length stays as it is.
fn lower_case(text: &str) -> String {
    let lower = |c: char| {
        let mut letters = c.to_lowercase();
        letters.next().filter(|lower| letters.next().is_none() && lower.len_utf8() == c.len_utf8()).unwrap_or(c)
    };
    text.chars().map(lower).collect()
}

/// True if a word stands anywhere in a text at such a place.
fn is_between(text: &str, word: &str, is: impl Fn(usize) -> bool) -> bool {
    text.match_indices(word).any(|(at, _)| is(at))
}

fn ends_with_number(text: &str) -> bool {
    text.ends_with(is_digit)
}

/// True if a word for a page, at this place of a text, has its number behind it.
fn is_page(text: &str, at: Range<usize>) -> bool {
    let (before, word, behind) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
    let is_within = before.ends_with(|c: char| c.is_alphanumeric() || is_apostrophe(c));
    // As in `10 s. 12 boats`, the seconds; in Thai, the hour. A full stop ends what the number counts, and a year counts none.
    let number = before.trim_end_matches(BLANKS);
    let is_unit = matches!(word, "s." | "с." | "น.") && ends_with_number(number) && !ends_with_year(number);
    behind.trim_start_matches(BETWEEN).starts_with(is_digit) && !is_within && !is_unit
}

/// True if a text ends with a number of four digits.
fn ends_with_year(text: &str) -> bool {
    text.chars().rev().take_while(|&c| is_digit(c)).count() == YEAR
}

/// Brackets around a source.
pub(super) const OPENING: [char; 6] = ['(', '[', '（', '［', '【', '〔'];
pub(super) const CLOSING: [char; 6] = [')', ']', '）', '］', '】', '〕'];

/// True if what stands in round brackets has a number: a year, or one that does not end a name, as in `gdm3` and `UTF-8`.
fn has_number(inside: &str) -> bool {
    let starts = inside.char_indices().filter(|&(at, c)| is_digit(c) && !inside[..at].ends_with(is_digit));
    starts.map(|(at, _)| inside.split_at(at)).any(|(before, number)| {
        let digits = number.chars().take_while(|&c| is_digit(c)).count();
        digits >= YEAR || !before.trim_end_matches('-').ends_with(char::is_alphabetic)
    })
}

fn has_number_in_brackets(text: &str) -> bool {
    let mut open = None;
    text.char_indices().any(|(at, c)| {
        match c {
            _ if OPENING.contains(&c) => open = Some((at, at + c.len_utf8())),
            _ if CLOSING.contains(&c) => {
                let Some((open, inside)) = open.take() else { return false };
                let (before, inside, behind) = (&text[..open], &text[inside..at], &text[at + c.len_utf8()..]);
                let is_round = text[open..].starts_with(['(', '（']);
                let is_short = is_round && inside.chars().count() <= LONGEST_ITEM;
                let is_section = is_short && before.ends_with(|c: char| c.is_ascii_alphanumeric());
                let is_other = is_section || is_short && is_item(before, behind) || inside.contains(['<', '>', '=']);
                return inside.contains(is_digit) && (has_number(inside) || !is_round) && !is_other;
            }
            _ => {}
        }
        false
    })
}

/// True if what stands between these is the number of an item: a sentence or a part of one ends, and a word follows.
fn is_item(before: &str, behind: &str) -> bool {
    let ends =
        |c: char| matches!(c, '.' | ';' | ':' | ',' | '!' | '?' | '。' | '；' | '：' | '，' | '،' | '؛' | '؟' | '।');
    before.trim_end().ends_with(ends) && behind.trim_start_matches([' ', '\u{a0}']).starts_with(char::is_alphabetic)
}

/// True for a decimal digit of any script.
fn is_digit(c: char) -> bool {
    digit(c).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_many_languages() {
        for source in [
            "(Lee 2004, 12)",
            "（李2004）",
            "[Knu84]",
            "(12–14)",
            "[3]",
            "٣ (٢٠٠٤، ١٢)",
            "[٣]",
            "ص ١٢",
            "(۲۰۰۴)",
            "صص. ۱۲–۱۴",
            "(२००४)",
            "पृ. 12",
            "पृष्ठ १२",
            "(২০০৪)",
            "(๒๕๔๗)",
            "[๓]",
            "หน้า ๑๒",
            "(၂၀၀၄)",
            "第12页",
            "12頁",
            "１２ページ",
            "12쪽",
            "〔3〕",
            "①",
            "，頁 12",
            "s. 12",
            "S. 12",
            "str. 12",
            "стр. 12",
            "σελ. 12",
            "עמ' 12",
            "12. lpp.",
            "hlm. 12",
            "on page 12",
            "p.\u{a0}12",
            "P. 12",
            "Pp. 12-13",
            "PAGE 12",
            "С. 12",
            "С. 12–14",
            "Стр. 12",
            "М., 2001. с. 45",
            "М., 2001 с. 45",
            "Berlin 2001. S. 12",
            "end ²",
        ] {
            assert!(names_source(&format!("” {source} and so on")), "{source}");
        }
    }

    #[test]
    fn other_numbers_name_none() {
        for text in [
            "in 2004",
            "printf(3)",
            "the manager (gdm3)",
            "in (UTF-8) and (ext4)",
            "with libc (>= 2.15)",
            "in two: (1) first",
            "أمران: (١) أول",
            "有两点：（1）第一",
            "有两点：①第一",
            "m²",
            "3 m ²",
            "(why)",
            "10 s. 12 boats",
            "10 с. 12 лодок",
            "the boat’s. 12 men",
            "bus. 12 men",
            "12 pagans",
            "a page",
            "ليس 12",
        ] {
            assert!(!names_source(text), "{text}");
        }
    }
}
