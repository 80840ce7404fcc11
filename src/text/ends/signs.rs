//! The signs between words that carry meaning.
//!
//! Words leave out most signs. Of those of ASCII between words some change what a text says:
//!
//! - question marks, and an exclamation mark before a letter (`!ok`);
//! - `&`, and two bars (`||`) within a line; one bar alone divides a table;
//! - commas, semicolons and bars between which a cell of a table is empty (`cells.rs`);
//! - a sign right before a number that begins there (`.5`, `~5`, `#5`, `-$5`, `-EUR 5`), also an opening bracket, by which
//!   accounts mark what is owed (`(300)`, `(EUR 300)`), but not where it numbers a line; no signs of pauses, quotations,
//!   emphasis and tables; `~`, and a minus that begins a line, with a space behind it too (`- 500`);
//! - feet and inches (`5'`, `5"`);
//! - a minus or asterisks behind a number (`500-`, `0.05**`) or behind a single letter (`A*`), but no emphasis; a sign that is
//!   alone in brackets (`(+)`, `[*]`);
//! - a sign that stands alone between two digits (`1/2`, `1 : 2`, `1-2`), where all dashes are one; the minus of an exponent
//!   (`1e-3`); a slash between letters (`a/b`); a hyphen behind a single letter or capitals (`A-`, `HIV-`);
//! - `<`, and `>` but at the beginning of a line, where it marks a quotation. Words have most of them, and leave out those
//!   of layout.
//!
//! The signs of other scripts and widths count as those of ASCII (`？`, `؟`, `／`, the `;` of Greek). All other signs count
//! (`✓`, `👍`, `◎`, `†`, `′`), but for punctuation, frames of tables, marks of trade, what has no glyph, and bullets that
//! begin a line, but not before a number.

use std::ops::Range;

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;

use super::primes::prime;

use crate::text::characters::{has_no_spaces, is_currency, is_greek, is_hangul, is_invisible, is_space, plain_sign};
use crate::text::disguises::is_override;

/// True if a gap of ASCII may have signs that carry meaning by what stands beside them: a [`joint`], a sign [`before_number`], an
/// empty cell, the question mark of Greek, or signs that stand apart, [`behind_word`] or [`before_word`].
pub(super) fn may_mean(text: &str, gap: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    // Before a letter few signs do.
    let is_before_letter = bytes.get(gap.end).is_some_and(u8::is_ascii_alphabetic);
    let may = |&sign: &u8| matches!(sign, b'/' | b',' | b';') || may_stand_apart(char::from(sign));
    (!is_before_letter || bytes[gap.clone()].iter().any(may))
        && (may_join(text, gap)
            || may_begin(text, gap)
            || may_be_apart(&text[..gap.start], &text[gap.clone()], &text[gap.end..]))
}

/// True if a gap of ASCII may have a [`joint`].
fn may_join(text: &str, gap: &Range<usize>) -> bool {
    let may_be_digit = |byte: &u8| byte.is_ascii_digit() || !byte.is_ascii();
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        b"/" | [b'-', _, ..] => true,
        b"-" if gap.end == bytes.len() => true,
        signs if signs.trim_ascii().len() == 1 => {
            let last = gap.start.checked_sub(1).map(|last| &bytes[last]);
            last.is_some_and(|last| may_be_digit(last) || matches!(last, b'e' | b'E'))
                && bytes.get(gap.end).is_some_and(may_be_digit)
        }
        _ => false,
    }
}

/// True if a gap of ASCII may have a sign [`before_number`], or an empty cell, or the question mark of Greek.
fn may_begin(text: &str, gap: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    match &bytes[gap.clone()] {
        [.., b'-'] => bytes.get(gap.end).is_some_and(|next| !next.is_ascii_alphabetic()) || is_money(&text[gap.end..]),
        [.., b'('] if is_code(&text[gap.end..]) => true,
        signs if signs.contains(&b';') && ends_in_greek(&text[..gap.start]) => true,
        signs => {
            let is_before_digit = || {
                signs.last().is_some_and(u8::is_ascii_punctuation)
                    && bytes.get(gap.end).is_some_and(|next| !next.is_ascii_alphabetic())
            };
            is_before_digit() || signs.iter().filter(|sign| matches!(sign, b',' | b';')).nth(1).is_some()
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
    let is_sum = is_minus(sign) && is_money(behind) || sign == '(' && is_code(behind);
    if !(is_digit(next) || is_before_digits(next) || is_sum) {
        return None;
    }
    let begins_line = outside.map_or(before.is_empty(), |outside| outside == '\n');
    match sign {
        '(' | '[' if begins_line && is_numbering(behind) => None,
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
        (sign, None) if is_minus(sign) && are_between(is_digit) => return Some('-'),
        (sign @ (':' | '*' | '^' | '~' | '\\' | '·' | '・' | '/' | '@' | '#'), None) if are_between(is_digit) => {
            return Some(sign);
        }
        (sign @ ('.' | ',' | '、'), None) if !is_spaced && are_between(is_han_digit) => return Some(sign),
        ('/', None) if !is_spaced && !before.is_empty() && next.is_some() => return Some('/'),
        (sign, None) if is_minus(sign) && !is_spaced && is_power(before) && next.is_some_and(is_digit) => {
            return Some('-');
        }
        _ => {}
    }
    let mut rest = gap.chars();
    rest.next().filter(|&sign| is_minus(plain_sign(sign)))?;
    let behind = rest.next().or(if next.is_none() { Some('\n') } else { None })?;
    let word = last_word(before);
    let is_letter = is_one_letter(word);
    let is_wrapped = matches!(behind, '\n' | '\r') && next.is_some() && gap.matches('\n').nth(1).is_none();
    if word.ends_with(char::is_numeric) {
        // A word that was divided has its rest in small letters.
        let is_divided = is_wrapped && next.is_some_and(char::is_lowercase);
        return (!is_minus(behind) && !is_divided).then_some('-');
    }
    let is_meant = match behind {
        // A dash of two hyphens.
        _ if is_minus(behind) => false,
        // No word is divided before a small letter behind capitals: `EU-` is a word of its own. A single letter is one before a
        // capital: more depends on the grade `A-` than on `U-Bahn`.
        _ if is_wrapped => are_capitals(word) && is_letter != next.is_some_and(char::is_lowercase),
        _ => is_letter || are_capitals(word),
    };
    is_meant.then_some('-')
}

/// True if a gap may have signs that stand apart: [`behind_word`] or [`before_word`].
pub(super) fn may_be_apart(before: &str, gap: &str, behind: &str) -> bool {
    let signs = gap.as_bytes();
    if !gap.is_ascii() {
        return gap.contains(may_stand_apart);
    }
    if !signs.iter().any(|&sign| may_stand_apart(char::from(sign))) {
        return false;
    }
    let is_before_digit = || behind.bytes().next().is_some_and(|next| !next.is_ascii_alphabetic());
    signs.starts_with(b"*") && is_graded(before)
        || matches!(signs, [b'\'' | b'"', ..]) && prime(before, gap, behind).is_some()
        || signs.last().is_some_and(|&last| is_space(last))
            && matches!(signs.trim_ascii_end().last(), Some(b'-' | b'~'))
            && is_before_digit()
        || signs.array_windows().any(|pair| matches!(pair, b"+-" | b"-+"))
        || signs.starts_with(b"-") && before.ends_with('+')
        || signs.ends_with(b"-") && behind.starts_with('+')
        || signs.array_windows().any(|&[open, sign, close]: &[u8; 3]| {
            matches!(open, b'(' | b'[') && matches!(close, b')' | b']') && is_alone_in_brackets(char::from(sign))
        })
}

/// True for a sign without one of which nothing stands apart in a gap: neither [`behind_word`] nor [`before_word`].
fn may_stand_apart(sign: char) -> bool {
    let plain = plain_sign(sign);
    matches!(plain, '*' | '~' | '(' | '[' | '"' | '\'' | '”' | '’') || is_minus(plain)
}

/// The signs that stand apart and belong to the word before them: a [`prime`], asterisks behind a number or a letter, a minus
/// behind a plus, and [`grouped`] ones in its line.
pub(super) fn behind_word(before: &str, gap: &str, behind: &str) -> impl Iterator<Item = char> {
    let stars = gap.bytes().take_while(|&byte| byte == b'*').count();
    let is_behind = || gap[stars..].chars().next().map_or(behind.is_empty(), |c| !is_alone_in_brackets(c));
    // Of a line with another one before they may end an emphasis.
    let last = || memchr::memrchr3(b'*', b'\n', b'\r', before.as_bytes()).map(|at| before.as_bytes()[at]);
    let are_meant = stars > 0 && is_behind() && is_graded(before) && last() != Some(b'*');
    let stars = if are_meant { stars } else { 0 };
    let plus = (before.ends_with('+') && gap.starts_with(|c| is_minus(plain_sign(c)))).then_some('±');
    let line = gap.find(['\n', '\r']).map_or(gap, |end| &gap[..end]);
    prime(before, gap, behind).into_iter().chain(std::iter::repeat_n('*', stars)).chain(plus).chain(grouped(line))
}

/// The signs that stand apart and belong to the word behind them: a minus or `~` with a space before a number, a minus before a
/// plus, and [`grouped`] ones in the lines behind the first.
pub(super) fn before_word(before: &str, gap: &str, behind: &str) -> impl Iterator<Item = char> {
    let minus = (behind.starts_with('+') && gap.ends_with(|c| is_minus(plain_sign(c)))).then_some('∓');
    let lines = gap.find(['\n', '\r']).map_or("", |end| &gap[end..]);
    spaced_sign(before, gap, behind).into_iter().chain(minus).chain(grouped(lines))
}

/// The signs that stand alone in brackets (`(+)`), and a plus and a minus side by side (`+-`).
fn grouped(signs: &str) -> impl Iterator<Item = char> {
    signs.char_indices().filter_map(|(at, c)| {
        let mut rest = signs[at + c.len_utf8()..].chars().map(plain_sign);
        match (plain_sign(c), rest.next()?) {
            ('+', sign) if is_minus(sign) => Some('±'),
            (sign, '+') if is_minus(sign) => Some('∓'),
            (_, sign) if matches!(c, '(' | '[') && is_alone_in_brackets(sign) => {
                matches!(rest.next()?, ')' | ']').then_some(if is_dash(sign) { '-' } else { sign })
            }
            _ => None,
        }
    })
}

/// A minus that begins a line, or `~`, with a space between it and a number.
fn spaced_sign(before: &str, gap: &str, behind: &str) -> Option<char> {
    let next = behind.chars().next()?;
    let line = gap.rsplit(['\n', '\r']).next().unwrap_or_default();
    let begins_line = before.is_empty() || line.len() < gap.len();
    let signs = line.trim_end();
    let is_before = signs.len() < line.len() && (is_digit(next) || is_before_digits(next));
    let mut signs = signs.chars().map(plain_sign).rev();
    let (sign, outside) = (signs.next().filter(|_| is_before)?, signs.next());
    let is_free = outside.is_none_or(|outside| outside.is_whitespace() || matches!(outside, '(' | '['));
    match sign {
        '~' if is_free => Some('~'),
        _ if is_minus(sign) && begins_line && outside.is_none_or(char::is_whitespace) => Some('-'),
        _ => None,
    }
}

/// True for a sign of ASCII or a dash that means something alone in brackets.
fn is_alone_in_brackets(sign: char) -> bool {
    matches!(sign, '+' | '*' | '#' | '!' | '/') || is_minus(sign)
}

/// True if a text ends with a number or a single letter, neither of them emphasised.
fn is_graded(text: &str) -> bool {
    let word = last_word(text);
    (word.ends_with(char::is_numeric) || is_one_letter(word)) && !text[..text.len() - word.len()].ends_with('*')
}

fn last_word(text: &str) -> &str {
    text.rsplit(|c: char| !c.is_alphanumeric() || has_no_spaces(c)).next().unwrap_or_default()
}

fn is_one_letter(word: &str) -> bool {
    word.chars().nth(1).is_none() && word.contains(char::is_alphabetic)
}

/// True if what stands behind an opening bracket is the number of a line, which goes on behind it.
fn is_numbering(behind: &str) -> bool {
    let rest = behind.trim_start_matches(|c: char| c.is_alphanumeric() || matches!(c, '.' | ','));
    let Some(line) = rest.strip_prefix([')', ']']) else { return false };
    !line.split(['\n', '\r']).next().unwrap_or_default().trim().is_empty()
}

/// True for a sign beyond ASCII that carries meaning.
pub(super) fn is_meant(c: char) -> bool {
    use GeneralCategory as Category;
    match c {
        '©' | '®' | '℗' | '℠' | '™' | '¦' | '\u{FFFC}' | '\u{2500}'..='\u{257F}' => false,
        '†' | '‡' | '§' | '‱' | '′' | '″' | '‖' | '※' => true,
        // What turns the direction, and the letters of a flag.
        _ if is_override(c) || matches!(c, '\u{E0020}'..='\u{E007E}') => true,
        _ if is_invisible(c) => false,
        _ => match CodePointMapData::<Category>::new().get(c) {
            Category::OtherSymbol
            | Category::MathSymbol
            | Category::PrivateUse
            | Category::NonspacingMark
            | Category::EnclosingMark
            | Category::Unassigned => true,
            // Pictures of another category.
            _ => matches!(c, '\u{2600}'..='\u{27BF}' | '\u{1F000}'..='\u{1FAFF}'),
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

/// True if a text begins with a sum of money and the code of its currency: `EUR 300`.
fn is_code(text: &str) -> bool {
    text.len() > 3 && text.as_bytes()[..3].iter().all(u8::is_ascii_uppercase) && is_money(text)
}

/// True for a minus, also one that is written as a dash.
fn is_minus(sign: char) -> bool {
    sign == '-' || is_dash(sign)
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
