//! Quotations between straight single marks, `'so it goes'`, as they are typed in Britain.
//!
//! The mark is that of an apostrophe, too, and nothing tells `the ships' keels` from a quotation that ends there. So only marks
//! that are no apostrophe count. One that opens a quotation has a blank, a bracket or a dash before it and a letter or a sign
//! behind it; a later one takes its place. One that ends it stands behind a sign that ends a sentence or a part of one, before
//! such a sign, a bracket or a dash, or at the end of the paragraph. Any other mark behind a word ends the quotation unseen,
//! as it may be its end; but behind `s` it is read as a genitive, after which only a sign before the mark or a source behind
//! it shows the end.
//!
//! These quotations are read apart from others, so that a mark mistaken for one hides none between other marks
//! (`docs/measured/screening-rules.md`).
//!
//! Cost: linear.

use std::ops::Range;

use super::{LONGEST_QUOTATION, ends_paragraph, is_before_quotation};
use crate::screen::citation::names_source;

/// Words that begin with an apostrophe: of English, then of Dutch and German, and of Italian.
const ELIDED: &str = "tis twas twere twill em til till cause bout round n t s ne nen sto sta";

const BLANKS: [char; 4] = [' ', '\u{a0}', '\t', '\r'];

/// Number of characters behind a quotation in which its source begins.
const SOURCE: usize = 60;

/// A quotation that is open.
struct Open {
    start: usize,
    /// True if a mark in it was read as a genitive, and may have been its end.
    has_genitive: bool,
}

/// Calls `span` with the spans, in bytes, of text between straight single marks.
pub(super) fn between_straight_marks(text: &str, span: &mut impl FnMut(Range<usize>)) {
    let mut open: Option<Open> = None;
    let (mut before, mut in_line) = (' ', 0);
    for (at, c) in text.char_indices() {
        let behind = &text[at + c.len_utf8()..];
        if ends_paragraph(c, behind, in_line) || open.as_ref().is_some_and(|open| at - open.start > LONGEST_QUOTATION) {
            open = None;
        }
        in_line = if c == '\n' { 0 } else { in_line + 1 };
        // Two of them are a mark of another kind.
        if c == '\'' && before != c && !behind.starts_with(c) {
            let is_apart = behind.is_empty() || behind.starts_with(char::is_whitespace);
            if is_before_quotation(before) {
                let may_open = !is_apart && !behind.starts_with(char::is_numeric) && !is_elided(behind);
                open = may_open.then_some(Open { start: at + 1, has_genitive: false }).or(open);
            } else if !behind.starts_with(char::is_alphanumeric) {
                open = open.and_then(|mut open| {
                    let next = next_in_paragraph(behind, in_line);
                    let is_inside = matches!(before, '.' | ',' | '!' | '?' | ';' | ':' | '…');
                    let is_end = is_inside
                        || if open.has_genitive { has_source(next) } else { !next.starts_with(char::is_alphanumeric) };
                    if is_end {
                        span(open.start..at);
                        return None;
                    }
                    open.has_genitive = true;
                    (before == 's' && next.starts_with(char::is_lowercase)).then_some(open)
                });
            }
        }
        before = c;
    }
}

/// The text behind a mark, so many characters from the beginning of its line, without blanks before it; empty at the end of the
/// paragraph.
fn next_in_paragraph(behind: &str, in_line: usize) -> &str {
    let in_its_line = behind.trim_start_matches(BLANKS);
    match in_its_line.strip_prefix('\n') {
        Some(rest) if ends_paragraph('\n', rest, in_line) => "",
        Some(rest) => rest.trim_start_matches(BLANKS),
        None => in_its_line,
    }
}

/// True if the text behind a mark begins with a word that is written with an apostrophe.
fn is_elided(behind: &str) -> bool {
    let word = behind.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    ELIDED.split(' ').any(|elided| word.eq_ignore_ascii_case(elided))
}

/// True if a source in brackets begins a text.
fn has_source(behind: &str) -> bool {
    let end = behind.char_indices().nth(SOURCE).map_or(behind.len(), |(at, _)| at);
    behind.starts_with(['(', '[']) && names_source(&behind[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        let mut quoted = Vec::new();
        between_straight_marks(text, &mut |span| quoted.push(&text[span]));
        quoted
    }

    #[test]
    fn quotations_between_straight_single_marks() {
        for (text, expected) in [
            ("As Lee says, 'the sea rises and falls' (2004, 12).", "the sea rises and falls"),
            ("Lee (2004) says that 'the sea rises'. It does.", "the sea rises"),
            ("'The sea rises,' Lee writes (2004), 'and it doesn't stop.' So", "The sea rises,|and it doesn't stop."),
            ("He wrote:\n'The sea rises.\nIt falls'\n\nSo it is.", "The sea rises.\nIt falls"),
            ("('the sea rises'), a 'tide' – and 'ebb' [3]", "the sea rises|tide|ebb"),
            ("Lee says 'the students' work has gone' (2004, 12).", "the students' work has gone"),
            ("'Their fathers' time is over,' he said.", "Their fathers' time is over,"),
            ("'We saw '68 and the '90s go,' he said.", "We saw '68 and the '90s go,"),
            ("'Get 'em out!' he cried", "Get 'em out!"),
        ] {
            assert_eq!(quoted(text).join("|"), expected, "{text}");
        }
    }

    #[test]
    fn apostrophes_are_no_quotation_marks() {
        for text in [
            "'Tis the students' own: rock 'n' roll, goin' home, and the boys'.",
            "'Twas in the '90s: the boys' boats, 5' 6'' long, were Tom's, he said.'",
            "The teachers' rooms, the boys', the girls' and James' own.",
            "The 'tide tables' of them and of us were copied here, said the sailors'.",
            "He calls it 'ebb and flow' as others do, and many words of a copy follow, goin' on.",
            "Of 'ships' they spoke and many words of a copy follow to the boats' (both), he says.",
            "a ''word'' and `code' and it's, l'eau, un po', d'accord.",
            "Open 'here.\n\nClosed here.'",
            "",
        ] {
            assert!(quoted(text).is_empty(), "{text}: {:?}", quoted(text));
        }
        assert!(quoted(&format!("'Open {} closed.'", "word ".repeat(1000))).is_empty());
    }
}
