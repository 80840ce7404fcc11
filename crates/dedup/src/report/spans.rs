//! Spans of documents: in lists for programs that cut, and on pages.

use std::io::{self, Write};
use std::ops::Range;

use maud::{Markup, html};
use serde::Serialize;

use super::json;
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
