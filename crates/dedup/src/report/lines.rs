//! Lines of many documents that were cut: a line for each span, the spans of each document, and a summary.

use std::io::Write;

use nearcopy::lines::{Cut, Total};
use serde::Serialize;

use super::attributes::SpanList;
use super::cutting::{self, CUTS, Counts, Gone, Span, failed, whole, write_cut, write_document};
use super::figures::{counted, grouped, threshold};
use super::reading;
use crate::error::Result;
use crate::jobs::lines::{Findings, Job, spans};

/// What a line says besides its span.
#[derive(Serialize)]
struct More {
    /// Number of documents that have the line.
    documents: u32,
    why: Option<&'static str>,
}

/// Writes a line for each span, and the spans of each document for a program that cuts.
///
/// # Errors
///
/// Those of the writers; [`nearcopy::Error::Write`] if a temporary file cannot be read.
pub fn write_lists(findings: &Findings, cuts: &mut dyn Write, attributes: Option<&mut SpanList>) -> Result<()> {
    let mut attributes = attributes;
    let lines = &findings.lines;
    for of in lines.cuts.by_document()? {
        let of = of?;
        for cut in &of {
            let Cut { document, start, end, words, line } = *cut;
            let line = line.map(|line| lines.lines[line as usize]);
            let more = More { documents: line.map_or(0, |line| line.documents), why: cut.why() };
            let span = Span { document, ends: [start, end], words, first: line.and_then(|line| line.first) };
            write_cut(&findings.known, &span, more, cuts).map_err(failed(CUTS))?;
        }
        if let Some(attributes) = &mut attributes {
            let place = (of[0].document, lines.keys[of[0].document as usize]);
            write_document(&findings.known, place, |unit| spans(&of, unit), attributes)?;
        }
    }
    Ok(())
}

/// What a summary has besides the counts.
#[derive(Serialize)]
struct Besides {
    /// With `--per-site`.
    sites: Option<Pages>,
    /// With `--counts`.
    counts: Option<Counted>,
}

#[derive(Serialize)]
struct Pages {
    sites: usize,
    /// Documents without an address.
    without: u64,
}

/// The file of counts after the run.
#[derive(Serialize)]
struct Counted {
    lines: u64,
    documents: u64,
    was_known: bool,
}

fn counts(findings: &Findings) -> Counts {
    let (lines, totals) = (&findings.lines, findings.lines.totals);
    Counts {
        words: lines.words,
        cut: cutting::Cut { spans: totals.lines, words: totals.words, documents: totals.documents },
        gone: Gone { documents: lines.gone.len() as u64, words: totals.other_words },
        left_whole: lines.spared.len() as u64,
    }
}

/// The summary as an object for programs.
pub fn values<'a>(findings: &'a Findings, job: &Job) -> impl Serialize + 'a {
    let sites = &findings.known.sites;
    let counted = findings.lines.counted;
    let more = Besides {
        sites: job.settings.per_site.map(|_| Pages { sites: sites.len(), without: sites.without() }),
        counts: counted.map(|Total { lines, documents, was_known, .. }| Counted { lines, documents, was_known }),
    };
    cutting::values(job, &findings.known, counts(findings), more)
}

/// The summary, line by line.
pub fn summary(findings: &Findings, job: &Job) -> Vec<String> {
    let (lines, totals, sites) = (&findings.lines, findings.lines.totals, &findings.known.sites);
    let share = 100.0 * totals.words as f64 / lines.words.max(1) as f64;
    let noun = if job.settings.by_paragraph { "paragraph" } else { "line" };
    let mut summary = vec![
        reading::cut(&findings.known.tally),
        format!(
            "{} of more than {}{}: {} of {} ({share:.1} %) in {}",
            counted(totals.lines, noun),
            counted(job.settings.max_documents.into(), "document"),
            job.settings.per_site.map_or_else(String::new, |share| {
                format!(
                    ", or of more than {} % of the pages of {}",
                    threshold(share),
                    counted(sites.len() as u64, "site")
                )
            }),
            counted(totals.words, "word"),
            grouped(lines.words),
            counted(totals.documents, "document"),
        ),
    ];
    if sites.without() > 0 {
        summary.push(format!("{} without an address", counted(sites.without(), "document")));
    }
    if let (Some(total), Some(path)) = (lines.counted, &job.settings.counts) {
        let known = if total.was_known { "; these documents were counted before" } else { "" };
        summary.push(format!(
            "{} has {} of {}{known}",
            path.display(),
            counted(total.lines, &format!("different {noun}")),
            counted(total.documents, "document"),
        ));
    }
    summary.extend(whole(counts(findings), "would be cut"));
    summary
}
