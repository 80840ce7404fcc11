//! Raised digits and letters of formatted texts, as characters of their own: `10²` is not `102`, and `2ⁿ` not `2n`.
//!
//! Lowered ones stay as they are: `H₂O` is written `H2O` as well. So do the ends of ordinals and raised words.
//!
//! Cost: linear.

use std::borrow::Cow;

/// Maximum length in bytes of a raised part of a web page with its tags: a longer one was not closed.
const LONGEST: usize = 256;

/// Half points above the line from which letters are raised; fewer adjust them to others.
pub(crate) const LEAST_RAISED: i32 = 5;

/// A part of a text, which `is_raised` or not.
pub(crate) fn shown(text: &str, is_raised: bool) -> Cow<'_, str> {
    if is_raised { raised(text) } else { Cow::Borrowed(text) }
}

/// Most letters of a raised part that has a meaning of its own; longer ones are words.
const MAX_LETTERS: usize = 3;

/// Ends of ordinals and abbreviations, which are written on the line as well: `1st`, `2e`, `Nr`.
const ORDINALS: [&str; 15] = ["st", "nd", "rd", "th", "er", "re", "e", "ème", "eme", "o", "a", "ª", "º", "TM", "SM"];

/// A raised part of a text. What has other characters than those with raised forms and signs stays as it is.
fn raised(text: &str) -> Cow<'_, str> {
    let is_shown = |c: char| form(c) != c || c.is_whitespace() || ",.()[]*".contains(c);
    let word = text.trim().trim_start_matches(|c: char| c.is_ascii_digit());
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let has_form = text.contains(|c: char| c.is_alphanumeric() && form(c) != c);
    if !has_form || letters > MAX_LETTERS || ORDINALS.contains(&word) || !text.chars().all(is_shown) {
        return Cow::Borrowed(text);
    }
    exponent(text)
}

/// An exponent of a formula: each character that has a raised form is raised.
pub(crate) fn exponent(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.chars().map(form).collect())
}

/// Characters and their raised forms.
const FORMS: [&str; 2] = [
    "0123456789+-\u{2212}abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWαβγδεθφχ",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵅᵝᵞᵟᵋᶿᵠᵡ",
];

/// The raised form of a character, which may be itself.
fn form(c: char) -> char {
    let [plain, raised] = FORMS.map(str::chars);
    plain.zip(raised).find(|(plain, _)| *plain == c).map_or(c, |(_, raised)| raised)
}

/// A web page whose numbers and letters are raised in `sup` elements, and in those with a style that raises them.
pub(crate) fn in_page(html: &str) -> Cow<'_, str> {
    let (mut page, mut done, mut at) = (String::new(), 0, 0);
    let has_styles = memchr::memmem::find(html.as_bytes(), RAISING).is_some();
    while let Some(tag) = memchr::memchr(b'<', &html.as_bytes()[at..]).map(|tag| at + tag) {
        at = tag + 1;
        let Some(part) = part(html, tag, has_styles) else { continue };
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

/// What stands in the element that begins at `tag` if it raises its text; by a style only if the page `has_styles` that do.
fn part(html: &str, tag: usize, has_styles: bool) -> Option<std::ops::Range<usize>> {
    let rest = &html.as_bytes()[tag..html.len().min(tag + LONGEST)];
    let name = rest[1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let name = rest.get(1..1 + name).filter(|name| !name.is_empty())?;
    let is_end_of_name = |byte: &u8| matches!(byte, b'>' | b' ' | b'\t' | b'\r' | b'\n');
    let is_sup = name.eq_ignore_ascii_case(b"sup");
    // Most tags of most pages end here.
    if !is_sup && !has_styles {
        return None;
    }
    let head = memchr::memchr(b'>', rest)? + 1;
    let is_raised = is_sup || has_raising_style(&rest[..head]);
    if !is_raised || !rest.get(1 + name.len()).is_some_and(is_end_of_name) {
        return None;
    }
    let is_end = |&end: &usize| {
        let closing = rest.get(end + 2..end + 2 + name.len());
        rest.get(end + 1) == Some(&b'/') && closing.is_some_and(|closing| closing.eq_ignore_ascii_case(name))
    };
    let end = memchr::memchr_iter(b'<', rest).skip_while(|&end| end < head).find(is_end)?;
    Some(tag + head..tag + end)
}

/// What a style that raises text has in it.
const RAISING: &[u8] = b"super";

/// True if a tag has a `style` that raises its text.
fn has_raising_style(tag: &[u8]) -> bool {
    if memchr::memmem::find(tag, RAISING).is_none() {
        return false;
    }
    let written =
        tag.iter().filter(|byte| !byte.is_ascii_whitespace()).copied().collect::<Vec<_>>().to_ascii_lowercase();
    memchr::memmem::find(&written, b"vertical-align:super").is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_letters_are_raised_but_not_ordinals_and_words() {
        for (text, expected) in [
            ("2", "²"),
            ("-3", "⁻³"),
            ("1, 12", "¹, ¹²"),
            ("[4]", "[⁴]"),
            ("th", "th"),
            ("2nd", "2nd"),
            ("n", "ⁿ"),
            ("n+1", "ⁿ⁺¹"),
            ("T", "ᵀ"),
            ("er", "er"),
            ("ème", "ème"),
            ("2e", "2e"),
            ("note", "note"),
            ("[a]", "[ᵃ]"),
            ("*", "*"),
            ("", ""),
        ] {
            assert_eq!(raised(text), expected);
        }
        assert_eq!(raised("0123456789"), "⁰¹²³⁴⁵⁶⁷⁸⁹");
        assert_eq!(exponent("ne ω"), "ⁿᵉ ω");
        assert_eq!(FORMS.map(|forms| forms.chars().count()), [65; 2]);
    }

    #[test]
    fn parts_of_pages_are_raised() {
        for (page, expected) in [
            ("10<sup>2</sup> m", "10<sup>²</sup> m"),
            ("a<SUP class='note'><a href='#1'>1</a></SUP>", "a<SUP class='note'><a href='#1'>¹</a></SUP>"),
            ("20<sup>th</sup> x<sub>1</sub>", "20<sup>th</sup> x<sub>1</sub>"),
            ("2<sup>n</sup>, x<sub>n</sub>", "2<sup>ⁿ</sup>, x<sub>n</sub>"),
            ("10<span style='vertical-align: super'>2</SPAN>", "10<span style='vertical-align: super'>²</SPAN>"),
            ("H<i style='vertical-align:sub'>2</i>", "H<i style='vertical-align:sub'>2</i>"),
            ("<support>2</support><sup", "<support>2</support><sup"),
            ("ü<sup>1</sup>é<sup>2", "ü<sup>¹</sup>é<sup>2"),
        ] {
            assert_eq!(in_page(page), expected);
        }
        let open = format!("<sup>1{}</sup>", " ".repeat(LONGEST));
        assert_eq!(in_page(&open), open);
    }
}
