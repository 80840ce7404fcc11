//! The signs between words that carry meaning.
//!
//! Words leave out most signs. Of those between words some change what a text says:
//!
//! - pictures (`✓`, `👍`), question marks, and an exclamation mark before a letter (`!ok`);
//! - `&`, and two bars (`||`) within a line; one bar alone divides a table;
//! - two commas or semicolons (`;;`), between which a cell of a table is empty;
//! - a sign right before a number that begins there: a point (`.5`), a dash (`–14`), `~`, an opening bracket, by which accounts
//!   mark what is owed (`(300)`); and the signs of minutes and seconds behind one (`14′`);
//! - a dagger (`†`);
//! - a sign that stands alone between two digits (`1/2`, `1:2`, `1-2`), where all dashes are one; a slash between letters
//!   (`a/b`); a hyphen behind a single letter (`A-`);
//! - `<`, and `>` but at the beginning of a line, where it marks a quotation. Words have most of them, and leave out those
//!   of layout.

use std::ops::Range;

/// True if a gap of ASCII may have a [`joint`].
pub(super) fn may_join(text: &str, gap: &Range<usize>) -> bool {
    let may_be_digit = |byte: &u8| byte.is_ascii_digit() || !byte.is_ascii();
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        b"/" | [b'-', _, ..] => true,
        [_] => {
            gap.start.checked_sub(1).is_some_and(|last| may_be_digit(&bytes[last]))
                && bytes.get(gap.end).is_some_and(may_be_digit)
        }
        _ => false,
    }
}

/// True if a gap of ASCII may have a sign [`before_number`], or a repeated one.
pub(super) fn may_begin(text: &str, gap: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        [.., b'(' | b'~'] => bytes.get(gap.end).is_some_and(|next| next.is_ascii_digit() || !next.is_ascii()),
        signs => signs.array_windows().any(|pair| matches!(pair, b",," | b";;")),
    }
}

/// The sign that belongs to the number behind it, if white space or an opening bracket stands before the sign.
pub(super) fn before_number(before: &str, gap: &str, next: Option<char>) -> Option<char> {
    next.filter(|next| next.is_numeric())?;
    let mut signs = gap.chars().rev();
    let (sign, outside) = (signs.next()?, signs.next());
    let begins = outside
        .map_or(before.is_empty(), |c| c.is_whitespace() || matches!(c, '(' | '[' | '{' | '"' | '“' | '„' | '«'));
    match sign {
        '.' | '~' | '(' if begins => Some(sign),
        '\u{2010}'..='\u{2015}' if begins => Some('-'),
        _ => None,
    }
}

/// The sign that tells what two words are to each other, or that belongs to a single letter.
pub(super) fn joint(before: &str, gap: &str, next: Option<char>) -> Option<char> {
    let mut signs = gap.chars();
    let (sign, second) = (signs.next()?, signs.next());
    let is_digit = |c: char| c.is_numeric();
    let is_between_digits = || before.ends_with(is_digit) && next.is_some_and(is_digit);
    match (sign, second) {
        ('-' | '\u{2010}'..='\u{2015}' | '\u{2212}', None) if is_between_digits() => Some('-'),
        (':' | '*' | '^' | '~' | '\\', None) if is_between_digits() => Some(sign),
        ('\u{2044}', None) if is_between_digits() => Some('/'),
        ('′' | '″', _) if before.ends_with(is_digit) => Some(sign),
        ('/', None) if !before.is_empty() && next.is_some() => Some('/'),
        // Not a word divided by the end of a line, nor a dash of two hyphens.
        ('-', Some(second)) if !matches!(second, '-' | '\n' | '\r') && is_single_letter(before) => Some('-'),
        _ => None,
    }
}

/// True if a text ends with a word of one letter.
fn is_single_letter(text: &str) -> bool {
    let mut last = text.chars().rev();
    last.next().is_some_and(char::is_alphabetic) && !last.next().is_some_and(char::is_alphanumeric)
}

/// True for a picture that is no bullet: miscellaneous symbols, dingbats, emoji.
pub(super) fn is_picture(c: char) -> bool {
    matches!(c, '\u{2600}'..='\u{27BF}' | '\u{2B00}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}' | '°')
}
