//! Runs of words that were cut: a line for each, the spans of each document, and a summary.

mod page;

use std::io::{self, Write};

pub use page::write_page;

use nearcopy::repeats::{Cut, Place};
use serde::Serialize;

use super::decontamination::{read, write_line, write_spans};
use super::figures::{counted, grouped};
use crate::jobs::repeats::{Findings, spans};

/// A span that was cut, as programs see it.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    start: u32,
    end: u32,
    start_bytes: u32,
    end_bytes: u32,
    words: u32,
    first: Option<First<'a>>,
    count: u32,
}

/// The place that keeps a run.
#[derive(Serialize)]
struct First<'a> {
    id: &'a str,
    start: u32,
    start_bytes: u32,
}

/// Writes a line for each span.
///
/// # Errors
///
/// Those of the writer.
pub fn write_cuts(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    findings.repeats.cuts.iter().try_for_each(|cut| {
        let Cut { document, start, end, words, first, count } = *cut;
        let first = first.map(|(document, Place { byte, character })| First {
            id: findings.id(document),
            start: character,
            start_bytes: byte,
        });
        let line = Line {
            id: findings.id(document),
            start: start.character,
            end: end.character,
            start_bytes: start.byte,
            end_bytes: end.byte,
            words,
            first,
            count,
        };
        write_line(&line, out)
    })
}

/// Writes the spans of each document for a program that cuts.
///
/// # Errors
///
/// Those of the writer.
pub fn write_attributes(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let cuts = &findings.repeats.cuts;
    cuts.chunk_by(|a, b| a.document == b.document).try_for_each(|cuts| {
        let document = cuts[0].document;
        let (file, record) = findings.place(document);
        let spans_of = |unit: fn(Place) -> u32| spans(&findings.repeats, document, unit);
        let both = [spans_of(|place| place.character), spans_of(|place| place.byte)];
        write_spans((findings.id(document), file, record), both, out)
    })
}

/// The summary, line by line; `words` is the least length of a run.
pub fn summary(findings: &Findings, words: u32) -> Vec<String> {
    let repeats = &findings.repeats;
    let (runs, rest): (Vec<&Cut>, Vec<&Cut>) = repeats.cuts.iter().partition(|cut| cut.first.is_some());
    let sum = |cuts: &[&Cut]| cuts.iter().map(|cut| u64::from(cut.words)).sum::<u64>();
    let documents = repeats.cuts.chunk_by(|a, b| a.document == b.document).count() as u64;
    let share = 100.0 * sum(&runs) as f64 / repeats.words.max(1) as f64;
    let mut lines = vec![
        read(&findings.tally),
        format!(
            "{} of {words} words or more: {} of {} ({share:.1} %) in {}",
            counted(runs.len() as u64, "run"),
            counted(sum(&runs), "word"),
            grouped(repeats.words),
            counted(documents, "document"),
        ),
    ];
    if !repeats.gone.is_empty() {
        let also =
            if sum(&rest) > 0 { format!(", with {} besides", counted(sum(&rest), "word")) } else { String::new() };
        lines.push(format!(
            "left with too few words, so all of it goes: {}{also}",
            counted(repeats.gone.len() as u64, "document")
        ));
    }
    if !repeats.spared.is_empty() {
        lines.push(format!(
            "left whole, as more than --max-cut is repeated or its text is extracted: {}",
            counted(repeats.spared.len() as u64, "document")
        ));
    }
    lines
}
