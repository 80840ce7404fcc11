//! Lines of many documents that were cut: a line for each span, the spans of each document, and a summary.

use std::io::Write;

use nearcopy::lines::Cut;
use serde::Serialize;

use super::cutting::{ATTRIBUTES, CUTS, Span, failed, whole, write_cut, write_document};
use super::decontamination::read;
use super::figures::{counted, grouped};
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
pub fn write_lists(findings: &Findings, cuts: &mut dyn Write, attributes: Option<&mut dyn Write>) -> Result<()> {
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
            write_document(&findings.known, place, |unit| spans(&of, unit), attributes).map_err(failed(ATTRIBUTES))?;
        }
    }
    Ok(())
}

/// The summary, line by line.
pub fn summary(findings: &Findings, job: &Job) -> Vec<String> {
    let (lines, totals, sites) = (&findings.lines, findings.lines.totals, &findings.known.sites);
    let share = 100.0 * totals.words as f64 / lines.words.max(1) as f64;
    let noun = if job.settings.by_paragraph { "paragraph" } else { "line" };
    let mut summary = vec![
        read(&findings.known.tally),
        format!(
            "{} of more than {}{}: {} of {} ({share:.1} %) in {}",
            counted(totals.lines, noun),
            counted(job.settings.max_documents.into(), "document"),
            job.settings.per_site.map_or_else(String::new, |share| {
                format!(", or of more than {} % of the pages of {}", 100.0 * share, counted(sites.len() as u64, "site"))
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
    summary.extend(whole((lines.gone.len(), totals.other_words), lines.spared.len(), "would be cut"));
    summary
}
