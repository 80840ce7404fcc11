//! The words in which two texts differ, for people and for programs.

use std::io::{self, Write};
use std::ops::Range;

use serde_json::{Value, json};

use super::difference::{Change, Differ, MAX_WHOLE, Piece};
use super::escape::visible;
use super::figures::{counted, grouped};

/// The marks of deleted and inserted words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// As in `wdiff`: `[-deleted-] {+inserted+}`.
    Signs,
    /// Colours of a terminal: deleted words are red and struck out, inserted ones green.
    Colours,
}

/// The differences of two texts as a JSON list; null if one is too long to be compared word by word.
pub(super) fn json(a: &str, b: &str) -> Value {
    let place = |text: &str, at: Range<usize>| json!({"start": at.start, "end": at.end, "text": text[at]});
    let change = |change: Change| json!({"a": place(a, change.a), "b": place(b, change.b)});
    Differ::new().changes(a, b).map_or(Value::Null, |(changes, _)| changes.into_iter().map(change).collect())
}

/// Writes the differences of two texts, each with some words of context; differences close together share a line. Texts that
/// are not the `same` may differ in signs alone.
///
/// # Errors
///
/// Those of the writer.
pub(super) fn write(out: &mut impl Write, [a, b]: [&str; 2], same: bool, marks: Marks) -> io::Result<()> {
    writeln!(out)?;
    let Some((changes, groups)) = Differ::new().changes(a, b) else {
        let most = grouped(MAX_WHOLE as u64);
        return writeln!(out, "differences          not computed: a text has more than {most} words");
    };
    if changes.is_empty() {
        let where_else = if same { "or" } else { "but" };
        return writeln!(out, "differences          none in words {where_else} in signs that carry meaning");
    }
    writeln!(out, "differences          in {}", counted(changes.len() as u64, "place"))?;
    for group in groups {
        let pieces: Vec<String> = group.iter().map(|piece| marked(piece, marks)).collect();
        writeln!(out, "   … {} …", pieces.concat().split_whitespace().collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

fn marked(piece: &Piece<'_>, marks: Marks) -> String {
    let tame = |text: &str| text.chars().map(|c| if c.is_whitespace() { ' ' } else { visible(c) }).collect::<String>();
    match (piece, marks) {
        (Piece::Same(text), _) => tame(text),
        (Piece::Missing(text), Marks::Signs) => format!("[-{}-]", tame(text)),
        (Piece::New(text), Marks::Signs) => format!("{{+{}+}}", tame(text)),
        (Piece::Missing(text), Marks::Colours) => format!("\x1b[31;9m{}\x1b[0m", tame(text)),
        (Piece::New(text), Marks::Colours) => format!("\x1b[32m{}\x1b[0m", tame(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(a: &str, b: &str, marks: Marks) -> String {
        let mut out = Vec::new();
        write(&mut out, [a, b], false, marks).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn words_that_differ_stand_among_others() {
        let (a, b) =
            ("The library opens its\nreading room on Monday.", "The library opens its reading room on Friday.");
        assert_eq!(
            written(a, b, Marks::Signs),
            "\ndifferences          in 1 place\n   … library opens its reading room on [-Monday-]{+Friday+} …\n"
        );
        assert!(written(a, b, Marks::Colours).contains("\x1b[31;9mMonday\x1b[0m\x1b[32mFriday\x1b[0m"));
        assert!(written(a, &a.to_uppercase(), Marks::Signs).contains("none in words but in signs"));
        assert!(written(&"word ".repeat(MAX_WHOLE + 1), a, Marks::Signs).contains("more than 20,000 words"));
        // Control characters of a text do not reach the terminal.
        assert!(!written("one", "one \x1b[2J", Marks::Signs).contains('\x1b'));
        assert_eq!(super::json(a, b)[0]["a"], json!({"start": 38, "end": 44, "text": "Monday"}));
    }
}
