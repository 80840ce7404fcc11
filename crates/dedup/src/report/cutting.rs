//! Spans that were cut, of runs or lines: a line for each, the spans of each document, and a page.

mod page;
mod values;

use std::io::{self, Write};
use std::ops::Range;

use nearcopy::cutting::Place;
use serde::Serialize;

use super::attributes::{self, SpanList};
use super::figures::counted;
use super::spans::write_line;
use crate::jobs::cutting::Known;
pub use page::write_page;
pub(super) use values::{Counts, Cut, Gone, values};

/// A span that was cut, as programs see it.
#[derive(Serialize)]
struct Line<'a, M> {
    id: &'a str,
    start: u32,
    end: u32,
    start_bytes: u32,
    end_bytes: u32,
    words: u32,
    first: Option<First<'a>>,
    #[serde(flatten)]
    more: M,
}

/// The place that keeps what was cut.
#[derive(Serialize)]
struct First<'a> {
    id: &'a str,
    start: u32,
    start_bytes: u32,
}

/// A span of a document that was cut.
pub(super) struct Span {
    pub(super) document: u32,
    pub(super) ends: [Place; 2],
    pub(super) words: u32,
    /// The document and the place that keep it.
    pub(super) first: Option<(u32, Place)>,
}

/// Writes the line of a span, with more fields.
pub(super) fn write_cut(known: &Known, span: &Span, more: impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    let Span { document, ends: [start, end], words, first } = *span;
    let first = first.map(|(document, Place { byte, character })| First {
        id: known.id(document),
        start: character,
        start_bytes: byte,
    });
    let line = Line {
        id: known.id(document),
        start: start.character,
        end: end.character,
        start_bytes: start.byte,
        end_bytes: end.byte,
        words,
        first,
        more,
    };
    write_line(&line, out)
}

/// Writes the spans of a document, given its key, for a program that cuts; `spans` has them in a unit.
pub(super) fn write_document(
    known: &Known,
    (document, key): (u32, u64),
    spans: impl Fn(fn(Place) -> u32) -> Vec<Range<usize>>,
    list: &mut SpanList,
) -> nearcopy::Result<()> {
    let (file, record) = known.place(key);
    let both = [spans(|place| place.character), spans(|place| place.byte)];
    list.write(&attributes::Row::new((known.id(document), file, record), both)).map_err(attributes::failed)
}

/// The error of a list that cannot be written.
pub(super) fn failed(list: &'static str) -> impl Fn(io::Error) -> nearcopy::Error {
    move |source| nearcopy::Error::Write { path: list.into(), source }
}

/// The list of each span.
pub(super) const CUTS: &str = "the list of what was cut";

/// Of which documents no part can be cut.
pub(super) const UNCUT: &str = "extracted, compressed, of another encoding, or with malformed bytes";

/// The lines of a summary on documents that went whole and on those that stayed whole.
pub(super) fn whole(Counts { gone: Gone { documents, words }, left_whole, .. }: Counts, is: &str) -> Vec<String> {
    let mut lines = Vec::new();
    if documents > 0 {
        let also = if words > 0 { format!(", with {} besides", counted(words, "word")) } else { String::new() };
        let gone = counted(documents, "document");
        lines.push(format!("left with too few words, so all of it goes: {gone}{also}"));
    }
    if left_whole > 0 {
        let spared = counted(left_whole, "document");
        lines.push(format!("left whole, as more than --max-cut {is} or it cannot be cut ({UNCUT}): {spared}"));
    }
    lines
}
