//! Runs of words that were cut: a line for each, the spans of each document, and a summary.

use std::io::{self, Write};

use nearcopy::repeats::Cut;
use serde::Serialize;

use super::attributes::SpanList;
use super::cutting::{self, CUTS, Counts, Gone, Span, failed, whole, write_cut, write_document};
use super::figures::{counted, grouped};
use super::reading;
use crate::error::Result;
use crate::jobs::repeats::{Findings, Job, spans};

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
pub fn write_lists(findings: &Findings, cuts: &mut dyn Write, attributes: Option<&mut SpanList>) -> Result<()> {
    write_cuts(findings, cuts).map_err(failed(CUTS))?;
    Ok(attributes.map_or(Ok(()), |list| write_attributes(findings, list))?)
}

fn write_cuts(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    findings.repeats.cuts.iter().try_for_each(|cut| {
        let Cut { document, start, end, words, first, count } = *cut;
        write_cut(&findings.known, &Span { document, ends: [start, end], words, first }, More { count }, out)
    })
}

fn write_attributes(findings: &Findings, list: &mut SpanList) -> nearcopy::Result<()> {
    let cuts = &findings.repeats.cuts;
    cuts.chunk_by(|a, b| a.document == b.document).try_for_each(|cuts| {
        let document = cuts[0].document;
        let key = findings.repeats.keys[document as usize];
        write_document(&findings.known, (document, key), |unit| spans(cuts, unit), list)
    })
}

/// What a summary has besides the counts.
#[derive(Serialize)]
struct Besides {
    rounds: u32,
}

fn counts(findings: &Findings) -> Counts {
    let repeats = &findings.repeats;
    let (runs, rest): (Vec<&Cut>, Vec<&Cut>) = repeats.cuts.iter().partition(|cut| cut.first.is_some());
    let sum = |cuts: &[&Cut]| cuts.iter().map(|cut| u64::from(cut.words)).sum::<u64>();
    let documents = repeats.cuts.chunk_by(|a, b| a.document == b.document).count() as u64;
    Counts {
        words: repeats.words,
        cut: cutting::Cut { spans: runs.len() as u64, words: sum(&runs), documents },
        gone: Gone { documents: repeats.gone.len() as u64, words: sum(&rest) },
        left_whole: repeats.spared.len() as u64,
    }
}

/// The summary as an object for programs.
pub fn values<'a>(findings: &'a Findings, job: &Job) -> impl Serialize + 'a {
    cutting::values(job, &findings.known, counts(findings), Besides { rounds: findings.repeats.rounds })
}

/// The summary, line by line; `words` is the least length of a run.
pub fn summary(findings: &Findings, words: u32) -> Vec<String> {
    let counts = counts(findings);
    let cutting::Cut { spans, words: cut, documents } = counts.cut;
    let share = 100.0 * cut as f64 / counts.words.max(1) as f64;
    let mut lines = vec![
        reading::cut(&findings.known.tally),
        format!(
            "{} of runs of {words} words or more: {} of {} ({share:.1} %) in {}",
            counted(spans, "span"),
            counted(cut, "word"),
            grouped(counts.words),
            counted(documents, "document"),
        ),
    ];
    lines.extend(whole(counts, "is repeated"));
    lines
}
