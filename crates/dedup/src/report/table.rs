//! Rows of CSV in which no text acts as a formula or controls a terminal.
//!
//! A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, even in quotes; some
//! also accept the full-width forms of these signs, a tab or a line break. The ids, authors and texts
//! here come from strangers. So a text that begins with such a sign gets an apostrophe before it, as
//! OWASP advises (*CSV Injection*). A text that has apostrophes before such a sign gets one more:
//! removing one apostrophe always restores the text.
//!
//! Characters that control a terminal or the direction of text are escaped as in JSON, `\u001B`; a
//! backslash that would look like the start of such an escape becomes `\u005C`. Tabs and line breaks
//! stay. Figures that this program computed are written unchanged.

use std::borrow::Cow;
use std::io;

use super::escape::visible;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Text from a document.
    Text(String),
    /// A number or name that this program computed.
    Figure(String),
}

impl Cell {
    /// A cell with text from a document.
    pub fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    /// A cell with a computed figure.
    #[expect(clippy::needless_pass_by_value, reason = "numbers are passed")]
    pub fn figure(figure: impl ToString) -> Self {
        Self::Figure(figure.to_string())
    }

    /// A cell with a computed figure, empty if it is missing.
    pub fn figure_if(figure: Option<impl ToString>) -> Self {
        Self::Figure(figure.map_or_else(String::new, |figure| figure.to_string()))
    }

    fn written(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => harmless(text),
            Self::Figure(text) => text.into(),
        }
    }
}

/// Declares a struct whose fields are the keys of JSON and the columns of CSV, each a `text` or a `figure` ([`Cell`]), or a
/// `text_if` it is known.
macro_rules! columns {
    ($(#[$about:meta])* pub struct $name:ident<$life:lifetime> { $($field:ident: $type:ty => $cell:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, serde::Serialize)]
        pub struct $name<$life> { $($field: $type),* }

        impl $name<'_> {
            const FIELDS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn cells(&self) -> Vec<Cell> {
                vec![$(columns!(@$cell self.$field)),*]
            }
        }
    };
    (@text $value:expr) => { Cell::text(&$value) };
    (@text_if $value:expr) => { Cell::text($value.unwrap_or_default()) };
    (@figure $value:expr) => { Cell::figure($value) };
}
pub(in crate::report) use columns;

/// A row with its line end.
///
/// # Errors
///
/// None is known.
pub fn row(cells: &[Cell]) -> io::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells.iter().map(|cell| cell.written().into_owned()))?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The heading of a table.
///
/// # Errors
///
/// As [`row`].
pub fn heading(names: &[&str]) -> io::Result<Vec<u8>> {
    row(&names.iter().map(Cell::figure).collect::<Vec<_>>())
}

/// The text, escaped where a spreadsheet would take it for a formula or a terminal for a command.
fn harmless(text: &str) -> Cow<'_, str> {
    let is_formula = is_formula(text);
    let is_escaped = |(at, c): (usize, char)| commands(c) || c == '\\' && seems_escape(&text[at + 1..]);
    if !is_formula && !text.char_indices().any(is_escaped) {
        return text.into();
    }
    let mut written = String::with_capacity(text.len() + 8);
    if is_formula {
        written.push('\'');
    }
    for (at, c) in text.char_indices() {
        if is_escaped((at, c)) { super::json::escape(c, &mut written) } else { written.push(c) }
    }
    written.into()
}

/// The text of a cell: [`Cell::text`] undone, as a reader of a table that is not raw must do.
pub fn text_of(cell: &str) -> Cow<'_, str> {
    let text = if cell.contains("\\u") { unescaped(cell).into() } else { Cow::Borrowed(cell) };
    if !text.starts_with('\'') || !is_formula(&text) {
        return text;
    }
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(&text[1..]),
        Cow::Owned(mut text) => {
            text.remove(0);
            Cow::Owned(text)
        }
    }
}

/// The text with its escapes `\u001B` replaced by the characters; two together may be one character.
fn unescaped(text: &str) -> String {
    let mut units: Vec<u16> = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        if c == '\\' && seems_escape(after) {
            units.extend(u16::from_str_radix(&after[1..5], 16));
            rest = &after[5..];
        } else {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            rest = after;
        }
    }
    String::from_utf16_lossy(&units)
}

/// True if a spreadsheet would take the text for a formula, apostrophes before it aside.
fn is_formula(text: &str) -> bool {
    let begins = |c| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠' | '\t' | '\r' | '\n');
    text.trim_start_matches('\'').starts_with(begins)
}

fn commands(c: char) -> bool {
    visible(c) != c && !matches!(c, '\t' | '\r' | '\n')
}

/// True if a backslash before this text would look like an escape.
fn seems_escape(after: &str) -> bool {
    let digits = after.strip_prefix('u').and_then(|digits| digits.as_bytes().first_chunk::<4>());
    digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(cell: Cell) -> String {
        String::from_utf8(row(&[cell, Cell::figure(1)]).unwrap()).unwrap()
    }

    #[test]
    fn texts_are_no_formulas_and_command_nothing() {
        for (text, expected) in [
            ("=1+1", "'=1+1,1\n"),
            ("+1", "'+1,1\n"),
            ("-", "'-,1\n"),
            ("@SUM(A1)", "'@SUM(A1),1\n"),
            ("＝1", "'＝1,1\n"),
            ("\t=1", "'\t=1,1\n"),
            ("\r=1", "\"'\r=1\",1\n"),
            ("=cmd,\"x\"", "\"'=cmd,\"\"x\"\"\",1\n"),
            ("'=1", "''=1,1\n"),
            ("'tis a-b=c", "'tis a-b=c,1\n"),
            ("\u{1b}[2J\u{9b}\u{202e}\u{2066}\u{7f}", "\\u001B[2J\\u009B\\u202E\\u2066\\u007F,1\n"),
            ("\\u001b \\u12 \\x", "\\u005Cu001b \\u12 \\x,1\n"),
            ("größe\u{200f} 潮", "größe\u{200f} 潮,1\n"),
        ] {
            assert_eq!(written(Cell::text(text)), expected, "{text:?}");
        }
        assert_eq!(written(Cell::figure(-1.5)), "-1.5,1\n", "figures stay");
    }

    proptest! {
        #[test]
        fn a_cell_gives_back_its_text(text in "['=\\-a\\\\u0\t\n\u{1b}\u{202e}\u{1ffff}é]{0,9}|\\PC{0,9}") {
            let written = harmless(&text);
            prop_assert_eq!(text_of(&written), text.as_str());
        }

        #[test]
        fn different_texts_stay_different(a in "['=a\\\\u0\u{1b}\u{202e}]{0,8}", b in "['=a\\\\u0\u{1b}]{0,8}") {
            prop_assert_eq!(harmless(&a) == harmless(&b), a == b);
        }
    }
}
