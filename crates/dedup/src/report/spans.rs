//! Spans of documents: in lists for programs that cut, and on pages.

use std::io::{self, Write};
use std::ops::Range;

use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

use super::escape::shown;
use super::json;
use super::overview::head;
use crate::jobs::excerpts::Excerpt;

/// What to cut of a document: its spans, joined where they overlap, each with its first place and the one behind it.
#[derive(Serialize)]
struct Attributes<'a> {
    id: &'a str,
    file: &'a str,
    record: u64,
    spans: Vec<[usize; 2]>,
    spans_bytes: Vec<[usize; 2]>,
}

/// Writes the spans to cut of a document, given its id, file and number in it: in characters and in bytes.
pub(super) fn write_spans(
    (id, file, record): (&str, &str, u64),
    spans: [Vec<Range<usize>>; 2],
    out: &mut dyn Write,
) -> io::Result<()> {
    let [spans, spans_bytes] = spans.map(pairs);
    write_line(&Attributes { id, file, record, spans, spans_bytes }, out)
}

fn pairs(spans: Vec<Range<usize>>) -> Vec<[usize; 2]> {
    spans.into_iter().map(|span| [span.start, span.end]).collect()
}

pub(super) fn write_line(line: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    json::write(out, line)?;
    out.write_all(b"\n")
}

/// A span of a text, marked, with what stands beside it.
pub(super) fn excerpt(excerpt: &Excerpt) -> Markup {
    let [before, text, after] = &excerpt.text;
    html! { p dir="auto" { (before) mark { (text) @if excerpt.is_shortened { " […] " } } (after) } }
}

/// Writes the page of a run, UTF-8: its title and heading, the lines of the summary, the command line, and a section for each of
/// what it shows.
///
/// # Errors
///
/// Those of the writer.
pub(super) fn write_page(
    [title, heading]: [&str; 2],
    (summary, command_line): (&[String], &str),
    sections: impl Iterator<Item = Markup>,
    out: &mut impl Write,
) -> io::Result<()> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                header { h1 { (heading) } }
                main {
                    section { ul { @for line in summary { li { (line) } } } p { code { (command_line) } } }
                    @for section in sections { (section) }
                }
            }
        }
    };
    out.write_all(shown(&page.into_string()).as_bytes())
}
