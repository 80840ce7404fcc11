//! Text as a reader sees it where it was embedded in HTML or JSON, with the places in the original.
//!
//! Tags are dropped, character references and JSON's escapes are read as the characters that they stand for. A run of
//! backslashes before `n`, `r` or `t` is white space however long it is: the same text then has the same words whether it
//! was escaped once, twice or not at all, and so has a formula of LaTeX. All texts are read so, items and documents.
//!
//! Cost: one pass, which a text without `<`, `&` and `\` leaves at once.

use std::ops::Range;

/// Longest tag in bytes; what is longer is text.
const LONGEST_TAG: usize = 2048;

/// The tags of HTML's text and tables. Others are more often generic types, placeholders or headers of a program.
const BLOCKS: [&str; 30] = [
    "article",
    "blockquote",
    "body",
    "br",
    "center",
    "dd",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "hr",
    "html",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "tbody",
    "td",
    "th",
    "tr",
    "ul",
];

/// Tags that part no words.
const INLINE: [&str; 20] = [
    "a", "abbr", "b", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd", "mark", "q", "small", "span",
    "strong", "sub", "sup", "u",
];

/// Named character references of HTML in running text.
const NAMED: [(&str, char); 14] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("shy", '\u{ad}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("hellip", '…'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
];

/// A text without markup.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) text: String,
    /// The pieces of it in order: where each begins, and the bytes of the original that it stands for.
    pieces: Vec<(usize, Range<usize>)>,
}

impl Plain {
    /// A text without markup; `None` if it has none.
    pub(super) fn of(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut plain = Self { text: String::new(), pieces: Vec::new() };
        let (mut at, mut copied) = (0, 0);
        while let Some(found) = memchr::memchr3(b'<', b'&', b'\\', &bytes[at..]) {
            let start = at + found;
            let read = match bytes[start] {
                b'<' => tag(&text[start..]),
                b'&' => reference(&text[start..]),
                _ => escape(&text[start..]),
            };
            let Some((length, shown)) = read else {
                // A run of backslashes that is no escape from its first one on is none from any other.
                at = start + backslashes(&text[start..]).max(1);
                continue;
            };
            plain.copy(text, copied..start);
            plain.pieces.push((plain.text.len(), start..start + length));
            plain.text.extend(shown);
            at = start + length;
            copied = at;
        }
        if plain.pieces.is_empty() {
            return None;
        }
        plain.copy(text, copied..text.len());
        Some(plain)
    }

    fn copy(&mut self, text: &str, part: Range<usize>) {
        if !part.is_empty() {
            self.pieces.push((self.text.len(), part.clone()));
            self.text.push_str(&text[part]);
        }
    }

    /// The bytes of the original that a word stands for; it is not empty.
    pub(super) fn original(&self, word: Range<usize>) -> Range<usize> {
        let [first, last] = [word.start, word.end - 1].map(|place| {
            // Of several pieces that begin here, all but the last are empty.
            let piece = self.pieces.partition_point(|(start, _)| *start <= place) - 1;
            let end = self.pieces.get(piece + 1).map_or(self.text.len(), |(start, _)| *start);
            let (start, original) = &self.pieces[piece];
            let is_copied = end - start == original.len();
            (place - start, is_copied, original.clone())
        });
        let start = if first.1 { first.2.start + first.0 } else { first.2.start };
        let end = if last.1 { last.2.start + last.0 + 1 } else { last.2.end };
        start..end
    }
}

/// Length of the tag that a text begins with, and what it shows.
fn tag(text: &str) -> Option<(usize, Option<char>)> {
    let rest = text[1..].strip_prefix('/').unwrap_or(&text[1..]);
    let name = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let (name, rest) = rest.split_at(name);
    if name.len() > 10 || !rest.starts_with(|c: char| c == '>' || c == '/' || c.is_ascii_whitespace()) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    let shown = if INLINE.contains(&&*name) {
        None
    } else if BLOCKS.contains(&&*name) {
        Some(' ')
    } else {
        return None;
    };
    let longest = rest.len().min(LONGEST_TAG);
    let end = memchr::memchr2(b'>', b'<', &rest.as_bytes()[..longest]).filter(|&end| rest.as_bytes()[end] == b'>')?;
    // What follows a name is attributes, or it is no tag: `a < b and c > d`.
    let attributes = rest[..end].trim_end_matches('/').trim();
    (attributes.is_empty() || attributes.contains('=')).then(|| (text.len() - rest.len() + end + 1, shown))
}

/// Length of the character reference that a text begins with, and its character.
fn reference(text: &str) -> Option<(usize, Option<char>)> {
    let end = memchr::memchr(b';', &text.as_bytes()[..text.len().min(10)])?;
    let name = &text[1..end];
    let shown = match name.strip_prefix('#') {
        Some(number) => char::from_u32(match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok()?,
            None => number.parse().ok()?,
        })?,
        None => NAMED.iter().find(|(known, _)| *known == name)?.1,
    };
    Some((end + 1, Some(shown)))
}

/// Number of backslashes that a text begins with.
fn backslashes(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'\\').count()
}

/// Length of the escape that a text begins with, and its character.
fn escape(text: &str) -> Option<(usize, Option<char>)> {
    let run = backslashes(text);
    let unit = |at: usize| {
        let digits = text.get(at..at + 4).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    match text.as_bytes().get(run)? {
        b'n' | b'r' | b't' => Some((run + 1, Some(' '))),
        b'u' => {
            let first = unit(run + 1)?;
            if let Some(c) = char::from_u32(u32::from(first)) {
                return Some((run + 5, Some(c)));
            }
            let next = run + 5;
            let again = backslashes(&text[next..]);
            let second = text[next + again..].starts_with('u').then(|| unit(next + again + 1)).flatten()?;
            let c = char::decode_utf16([first, second]).next()?.ok()?;
            Some((next + again + 5, Some(c)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plain(text: &str) -> String {
        Plain::of(text).map_or_else(|| text.to_owned(), |plain| plain.text)
    }

    #[test]
    fn markup_is_seen_through() {
        for (text, expected) in [
            ("<div class=\"q\"><p>one <b>t</b>wo</p>\n<p>three</p></div>", "  one two \n three  "),
            ("don&#x27;t &lt;b&gt; &#8217;s &amp; R&D;", "don't <b> ’s & R&D;"),
            ("{\"q\": \"one\\ntwo \\u00e9 \\ud83d\\ude00\"}", "{\"q\": \"one two é 😀\"}"),
            ("one\\\\ntwo and \\\\u00e9", "one two and é"),
            ("a <b and c> d, vector<int>, #include <string>, <nobody@example.org>", ""),
            ("C:\\windows \\d+ \\ud800 \\u12", ""),
        ] {
            assert_eq!(plain(text), if expected.is_empty() { text } else { expected }, "{text}");
        }
    }

    #[test]
    fn a_word_has_its_place_in_the_original() {
        let text = "<p>caf&#xe9; <b>th</b>e</p>";
        let plain = Plain::of(text).unwrap();
        let place = |word: &str| {
            let start = plain.text.find(word).unwrap();
            &text[plain.original(start..start + word.len())]
        };
        assert_eq!((place("café"), place("the")), ("caf&#xe9;", "th</b>e"));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "([<>&;/\\\\a-pn-u =\"#x0-9é]|<b>|</p>|&amp;|\\\\u00e9|\\\\n){0,40}") {
            let Some(plain) = Plain::of(&text) else { return Ok(()) };
            let mut last = 0;
            for (start, c) in plain.text.char_indices() {
                let span = plain.original(start..start + c.len_utf8());
                prop_assert!(span.start >= last && text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
                prop_assert!(span.start < span.end);
                last = span.start;
            }
        }
    }
}
