//! Raised digits of formatted texts, as characters of their own: `10²` is not `102`.
//!
//! Lowered ones stay as they are: `H₂O` is written `H2O` as well.
//!
//! Cost: linear.

use std::borrow::Cow;

/// Maximum length in bytes of a raised part of a web page with its tags: a longer one was not closed.
const LONGEST: usize = 256;

/// A part of a text, which `is_raised` or not.
pub(crate) fn shown(text: &str, is_raised: bool) -> Cow<'_, str> {
    if is_raised { raised(text) } else { Cow::Borrowed(text) }
}

/// A raised part of a text. Only numbers have raised forms, so what has other letters stays as it is (`20th`).
fn raised(text: &str) -> Cow<'_, str> {
    let is_number = |c: char| c.is_ascii_digit() || c.is_whitespace() || "+-\u{2212},.()[]*".contains(c);
    if !text.contains(|c: char| c.is_ascii_digit()) || !text.chars().all(is_number) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(form).collect())
}

fn form(c: char) -> char {
    match c {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => char::from_u32(u32::from(c) - u32::from('4') + u32::from('⁴')).unwrap_or(c),
        '+' => '⁺',
        '-' | '\u{2212}' => '⁻',
        c => c,
    }
}

/// A web page whose numbers in `sup` elements are raised.
pub(crate) fn in_page(html: &str) -> Cow<'_, str> {
    let (mut page, mut done, mut at) = (String::new(), 0, 0);
    while let Some(tag) = memchr::memchr(b'<', &html.as_bytes()[at..]).map(|tag| at + tag) {
        at = tag + 1;
        let Some(part) = part(html, tag) else { continue };
        let inner = &html[part.clone()];
        // Text stands before each tag, and behind the last.
        let pieces = inner.split_inclusive('>').map(|piece| {
            let (text, tag) = piece.split_at(piece.find('<').unwrap_or(piece.len()));
            [raised(text), Cow::Borrowed(tag)]
        });
        page.push_str(&html[done..part.start]);
        page.extend(pieces.flatten());
        (done, at) = (part.end, part.end);
    }
    if done == 0 {
        return Cow::Borrowed(html);
    }
    page.push_str(&html[done..]);
    Cow::Owned(page)
}

/// What stands in the `sup` element that begins at `tag`.
fn part(html: &str, tag: usize) -> Option<std::ops::Range<usize>> {
    let bytes = html.as_bytes();
    let name = bytes.get(tag + 1..tag + 4).filter(|name| name.eq_ignore_ascii_case(b"sup"))?;
    if !matches!(bytes.get(tag + 1 + name.len())?, b'>' | b' ' | b'\t' | b'\r' | b'\n') {
        return None;
    }
    let rest = &bytes[tag..bytes.len().min(tag + LONGEST)];
    let start = tag + memchr::memchr(b'>', rest)? + 1;
    let is_end = |&end: &usize| {
        let name = bytes.get(end + 1..end + 5);
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"/sup"))
    };
    let end = memchr::memchr_iter(b'<', rest).map(|end| tag + end).filter(|&end| end >= start).find(is_end)?;
    Some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_raised_and_letters_are_not() {
        for (text, expected) in [
            ("2", "²"),
            ("-3", "⁻³"),
            ("1, 12", "¹, ¹²"),
            ("[4]", "[⁴]"),
            ("th", "th"),
            ("2nd", "2nd"),
            ("n", "n"),
            ("", ""),
        ] {
            assert_eq!(raised(text), expected);
        }
        assert_eq!(raised("0123456789"), "⁰¹²³⁴⁵⁶⁷⁸⁹");
    }

    #[test]
    fn parts_of_pages_are_raised() {
        for (page, expected) in [
            ("10<sup>2</sup> m", "10<sup>²</sup> m"),
            ("a<SUP class='note'><a href='#1'>1</a></SUP>", "a<SUP class='note'><a href='#1'>¹</a></SUP>"),
            ("20<sup>th</sup> x<sub>1</sub>", "20<sup>th</sup> x<sub>1</sub>"),
            ("<support>2</support><sup", "<support>2</support><sup"),
            ("ü<sup>1</sup>é<sup>2", "ü<sup>¹</sup>é<sup>2"),
        ] {
            assert_eq!(in_page(page), expected);
        }
        let open = format!("<sup>1{}</sup>", " ".repeat(LONGEST));
        assert_eq!(in_page(&open), open);
    }
}
