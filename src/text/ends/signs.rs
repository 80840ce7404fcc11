//! The signs between words that carry meaning.
//!
//! Words leave out most signs. Of those of ASCII between words some change what a text says:
//!
//! - question marks, and an exclamation mark before a letter (`!ok`);
//! - `&`, and two bars (`||`) within a line; one bar alone divides a table;
//! - two commas or semicolons (`;;`), between which a cell of a table is empty;
//! - a sign right before a number that begins there (`.5`, `~5`, `#5`, `-$5`, `-EUR 5`), also an opening bracket, by which
//!   accounts mark what is owed (`(300)`), but not at the start of a line, which it numbers; no signs of pauses, quotations,
//!   emphasis and tables;
//! - a sign that stands alone between two digits (`1/2`, `1 : 2`, `1-2`), where all dashes are one; the minus of an exponent
//!   (`1e-3`); a slash between letters (`a/b`); a hyphen behind a single letter or capitals (`A-`, `HIV-`);
//! - `<`, and `>` but at the beginning of a line, where it marks a quotation. Words have most of them, and leave out those
//!   of layout.
//!
//! The signs of other scripts and widths count as those of ASCII (`？`, `؟`, `／`, the `;` of Greek). All other signs count
//! (`✓`, `👍`, `◎`, `†`, `′`), but for punctuation, frames of tables, marks of trade, what has no glyph, and bullets: shapes,
//! arrows and characters of private use that begin a line, but not before a number.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use crate::text::characters::{has_no_spaces, is_currency, is_greek, is_hangul, is_invisible, plain_sign};
use crate::text::disguises::is_override;

/// True if a gap of ASCII may have a [`joint`].
pub(super) fn may_join(text: &str, gap: &Range<usize>) -> bool {
    let may_be_digit = |byte: &u8| byte.is_ascii_digit() || !byte.is_ascii();
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        b"/" | [b'-', _, ..] => true,
        signs if signs.trim_ascii().len() == 1 => {
            let last = gap.start.checked_sub(1).map(|last| &bytes[last]);
            last.is_some_and(|last| may_be_digit(last) || matches!(last, b'e' | b'E'))
                && bytes.get(gap.end).is_some_and(may_be_digit)
        }
        _ => false,
    }
}

/// True if a gap of ASCII may have a sign [`before_number`], or a repeated one, or the question mark of Greek.
pub(super) fn may_begin(text: &str, gap: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        [.., b'-'] => bytes.get(gap.end).is_some_and(|next| !next.is_ascii_alphabetic()) || is_money(&text[gap.end..]),
        signs if signs.contains(&b';') && ends_in_greek(&text[..gap.start]) => true,
        signs => {
            let is_before_digit = || {
                signs.last().is_some_and(u8::is_ascii_punctuation)
                    && bytes.get(gap.end).is_some_and(|next| !next.is_ascii_alphabetic())
            };
            is_before_digit() || signs.array_windows().any(|pair| matches!(pair, b",," | b";;"))
        }
    }
}

/// The sign that belongs to the number behind it, if what stands before the sign lets a number begin.
pub(super) fn before_number(before: &str, gap: &str, behind: &str) -> Option<char> {
    let next = behind.chars().next()?;
    let mut signs = gap.chars().map(plain_sign).rev();
    let (sign, outside) = (signs.next()?, signs.next());
    if !(sign.is_ascii_punctuation() || is_dash(sign)) {
        return None;
    }
    let begins = match outside {
        Some(outside) => outside != sign && outside != '-' && !is_dash(outside),
        None => before.chars().next_back().is_none_or(|c| !c.is_alphanumeric() || has_no_spaces(c) || is_hangul(c)),
    };
    if !begins {
        return None;
    }
    if !(is_digit(next) || is_before_digits(next) || sign == '-' && is_money(behind)) {
        return None;
    }
    match sign {
        // The number of a list.
        '(' | '[' if outside.map_or(before.is_empty(), |outside| outside == '\n') => None,
        _ if is_dash(sign) => Some('-'),
        '\'' | '"' | ',' | ';' | ':' | '!' | '?' | '*' | '_' | '|' | '>' | '`' | '=' | ')' | ']' | '}' => None,
        _ => Some(sign),
    }
}

/// The sign that tells what two words are to each other, or that belongs to the letters before it.
pub(super) fn joint(before: &str, gap: &str, next: Option<char>) -> Option<char> {
    let trimmed = gap.trim();
    let is_spaced = trimmed.len() < gap.len();
    // A list begins behind a line break.
    let is_alone = !is_spaced
        || gap.starts_with(char::is_whitespace)
            && gap.ends_with(char::is_whitespace)
            && !gap[..gap.len() - gap.trim_start().len()].contains('\n');
    let alone = if is_alone { trimmed } else { gap };
    let are_between = |is: fn(char) -> bool| before.ends_with(is) && next.is_some_and(is);
    let mut signs = alone.chars().map(plain_sign);
    match (signs.next()?, signs.next()) {
        (sign, None) if (sign == '-' || is_dash(sign)) && are_between(is_digit) => return Some('-'),
        (sign @ (':' | '*' | '^' | '~' | '\\' | '·' | '・' | '/'), None) if are_between(is_digit) => {
            return Some(sign);
        }
        (sign @ ('.' | ',' | '、'), None) if !is_spaced && are_between(is_han_digit) => return Some(sign),
        ('/', None) if !is_spaced && !before.is_empty() && next.is_some() => return Some('/'),
        ('-', None) if !is_spaced && is_power(before) && next.is_some_and(is_digit) => return Some('-'),
        _ => {}
    }
    let behind = gap.strip_prefix('-')?.chars().next()?;
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_letter = word.chars().nth(1).is_none() && word.contains(char::is_alphabetic);
    let is_meant = match behind {
        // A dash of two hyphens.
        '-' => false,
        // No word is divided before a small letter behind capitals: `EU-` is left.
        '\n' | '\r' => !is_letter && are_capitals(word) && next.is_some_and(char::is_lowercase),
        _ => is_letter || are_capitals(word),
    };
    is_meant.then_some('-')
}

/// True for a sign beyond ASCII that carries meaning wherever it stands, or only where it is no bullet.
pub(super) fn is_meant(c: char, is_bullet: bool) -> bool {
    use GeneralCategory as Category;
    match c {
        '©' | '®' | '℗' | '℠' | '™' | '¦' | '\u{FFFC}' | '\u{2500}'..='\u{259F}' => false,
        // Squares, diamonds and arrows among the dingbats, which are pictures otherwise.
        '※' | '\u{2750}'..='\u{2752}' | '\u{2756}' | '\u{2794}'..='\u{27BE}' | '\u{2B00}'..='\u{2BFF}' => !is_bullet,
        '†' | '‡' | '§' | '‱' | '′' | '″' | '‖' | '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}' => {
            true
        }
        // What turns the direction, and the letters of a flag.
        _ if is_override(c) || matches!(c, '\u{E0020}'..='\u{E007E}') => true,
        _ if is_invisible(c) => false,
        _ => match CodePointMapData::<Category>::new().get(c) {
            Category::OtherSymbol | Category::MathSymbol | Category::PrivateUse => !is_bullet,
            Category::NonspacingMark | Category::EnclosingMark | Category::Unassigned => true,
            _ => false,
        },
    }
}

/// True for what may stand between a sign and its digits: a point, a sign of currency, a root, infinity.
fn is_before_digits(c: char) -> bool {
    matches!(c, '.' | '√' | '∞') || is_currency(c)
}

/// True if a text begins with a sum of money whose currency comes first: `EUR 300`, `kr 300`, `US$300`.
pub(super) fn is_money(text: &str) -> bool {
    let code = text.chars().take_while(|c| c.is_alphabetic()).take(4).count();
    let behind = text.char_indices().nth(code).map_or("", |(at, _)| &text[at..]);
    let behind = behind.strip_prefix(is_currency).unwrap_or(behind);
    (1..=3).contains(&code)
        && behind.strip_prefix([' ', '\u{A0}']).unwrap_or(behind).starts_with(|c: char| c.is_ascii_digit())
}

/// True for a dash, or another hyphen than that of ASCII.
fn is_dash(c: char) -> bool {
    matches!(c, '\u{2010}'..='\u{2015}')
}

/// True for a digit, also of Han.
fn is_digit(c: char) -> bool {
    c.is_numeric() || is_han_digit(c)
}

/// True for a digit of Han, or a power of ten.
fn is_han_digit(c: char) -> bool {
    "〇零一二三四五六七八九十百千万萬億亿兆两兩".contains(c)
}

/// True if a text ends with a word of Greek, and not with a letter as a name (`IFN-γ`).
pub(super) fn ends_in_greek(text: &str) -> bool {
    let mut last = text.chars().rev();
    last.next().is_some_and(is_greek) && last.next().is_some_and(is_greek)
}

/// True if a text ends with a digit and the `e` of its exponent.
fn is_power(text: &str) -> bool {
    matches!(text.as_bytes(), [.., digit, b'e' | b'E'] if digit.is_ascii_digit())
}

/// True for a word of capitals.
fn are_capitals(word: &str) -> bool {
    !word.is_empty() && word.chars().all(char::is_uppercase)
}
