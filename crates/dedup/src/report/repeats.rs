//! Runs of words that were cut: a line for each, the spans of each document, and a summary.

use std::io::{self, Write};

use nearcopy::repeats::Cut;
use serde::Serialize;

use super::cutting::{ATTRIBUTES, CUTS, Span, failed, whole, write_cut, write_document};
use super::decontamination::read;
use super::figures::{counted, grouped};
use crate::error::Result;
use crate::jobs::repeats::{Findings, spans};

/// What a line says besides its span.
#[derive(Serialize)]
struct More {
    count: u32,
}

/// Writes a line for each span, and the spans of each document for a program that cuts.
///
/// # Errors
///
/// Those of the writers.
pub fn write_lists(findings: &Findings, cuts: &mut dyn Write, attributes: Option<&mut dyn Write>) -> Result<()> {
    write_cuts(findings, cuts).map_err(failed(CUTS))?;
    let written = attributes.map_or(Ok(()), |list| write_attributes(findings, list));
    Ok(written.map_err(failed(ATTRIBUTES))?)
}

fn write_cuts(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    findings.repeats.cuts.iter().try_for_each(|cut| {
        let Cut { document, start, end, words, first, count } = *cut;
        write_cut(&findings.known, &Span { document, ends: [start, end], words, first }, More { count }, out)
    })
}

fn write_attributes(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    let cuts = &findings.repeats.cuts;
    cuts.chunk_by(|a, b| a.document == b.document).try_for_each(|cuts| {
        let document = cuts[0].document;
        let key = findings.repeats.keys[document as usize];
        write_document(&findings.known, (document, key), |unit| spans(cuts, unit), out)
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
        read(&findings.known.tally),
        format!(
            "{} of {words} words or more: {} of {} ({share:.1} %) in {}",
            counted(runs.len() as u64, "run"),
            counted(sum(&runs), "word"),
            grouped(repeats.words),
            counted(documents, "document"),
        ),
    ];
    lines.extend(whole((repeats.gone.len(), sum(&rest)), repeats.spared.len(), "is repeated"));
    lines
}
