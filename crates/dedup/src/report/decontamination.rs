//! Items of test sets in a corpus: a line for each item, for each document, and a summary.

mod page;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use nearcopy::decontaminate::Undecidable;
use nearcopy::decontaminate::items::MOST_ITEMS;
use nearcopy::decontaminate::rewritten::MIN_WORDS;
use nearcopy::decontaminate::saved::Total;
use serde::Serialize;

use super::attributes::{self, SpanList};
use super::cutting::UNCUT;
use super::figures::{counted, grouped};
use super::reading;
use super::spans::write_line;
use crate::jobs::decontaminate::benchmark::Benchmark;
use crate::jobs::decontaminate::{Contaminated, Findings, Job, Verdict, rounded};
use nearcopy::runs::joined;
pub use page::write_page;

/// An item as programs see it.
#[derive(Serialize)]
struct Item<'a> {
    set: &'a str,
    id: &'a str,
    verdict: &'static str,
    reason: Option<&'static str>,
    /// Number of telling words; of a short item, of all that decide.
    words: u32,
    /// Number of documents that it contaminates.
    documents: u64,
    /// Number of those that have it in other words only.
    rewritten: u64,
    coverage: f64,
    document: Option<&'a str>,
}

/// Writes a line for each item.
///
/// # Errors
///
/// Those of the writer.
pub fn write_items(findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    for (number, item) in (0..).zip(&findings.items) {
        let line = Item {
            set: findings.benchmark.set(number),
            id: findings.benchmark.id(number),
            verdict: item.verdict().name(),
            reason: item.undecidable.map(Undecidable::name),
            words: item.words,
            documents: item.documents,
            rewritten: item.rewritten,
            coverage: rounded(item.coverage),
            document: item.document.as_deref(),
        };
        write_line(&line, out)?;
    }
    Ok(())
}

/// A document as programs see it.
#[derive(Serialize)]
struct Document<'a> {
    id: &'a str,
    file: &'a str,
    record: u64,
    fate: &'static str,
    items: Vec<InDocument<'a>>,
}

#[derive(Serialize)]
struct InDocument<'a> {
    set: &'a str,
    item: &'a str,
    words: u32,
    coverage: f64,
    /// Probability that the passage is a copy; `None` if the item is in its own words.
    probability: Option<f64>,
    spans: Vec<Span>,
}

/// A span in characters and bytes of the text.
#[derive(Serialize)]
struct Span {
    offset: usize,
    length: usize,
    offset_bytes: usize,
    length_bytes: usize,
}

/// Writes the line of a document, given what becomes of it.
///
/// # Errors
///
/// Those of the writer.
pub fn write_document(
    benchmark: &Benchmark,
    document: &Contaminated,
    fate: &'static str,
    out: &mut dyn Write,
) -> io::Result<()> {
    let items = document.found.iter().zip(&document.characters).map(|(found, characters)| InDocument {
        set: benchmark.set(found.item),
        item: benchmark.id(found.item),
        words: found.words,
        coverage: rounded(found.coverage),
        probability: found.probability.map(rounded),
        spans: found.spans.iter().zip(characters).map(|(bytes, characters)| span(bytes, characters)).collect(),
    });
    let Contaminated { id, file, record, .. } = document;
    write_line(&Document { id, file, record: *record, fate, items: items.collect() }, out)
}

fn span(bytes: &Range<usize>, characters: &Range<usize>) -> Span {
    Span { offset: characters.start, length: characters.len(), offset_bytes: bytes.start, length_bytes: bytes.len() }
}

/// Writes the line of a document for a program that cuts.
///
/// # Errors
///
/// [`nearcopy::Error::Write`].
pub fn write_attributes(document: &Contaminated, list: &mut SpanList) -> nearcopy::Result<()> {
    let spans = joined(document.characters.iter().flatten().cloned().collect());
    let spans_bytes = joined(document.found.iter().flat_map(|found| found.spans.clone()).collect());
    let row = attributes::Row::new((&document.id, &document.file, document.record), [spans, spans_bytes]);
    list.write(&row).map_err(attributes::failed)
}

/// The summary, line by line: what was found, what was not counted, and what the file of counts has.
pub fn summary(findings: &Findings, counts: Option<&Path>) -> Vec<String> {
    let Findings { items, contaminated, tally, benchmark, .. } = findings;
    let of = Items::of(findings);
    let mut lines = vec![
        reading::cut(tally),
        format!(
            "{} of {}: {} contaminated, {} clean, {} undecidable; {}",
            counted(of.all, "item"),
            counted(benchmark.sets.len() as u64, "test set"),
            grouped(of.contaminated),
            grouped(of.clean),
            grouped(of.undecidable.values().sum()),
            counted(contaminated.len() as u64, "contaminated document"),
        ),
    ];
    for reason in [Undecidable::Short, Undecidable::Template, Undecidable::Common] {
        if let Some(&count) = of.undecidable.get(reason.name()) {
            lines.push(format!("undecidable: {} {}", counted(count, "item"), in_words(reason)));
        }
    }
    if let Some(searched) = findings.rewritten {
        lines.push(format!(
            "found only in other words: {} of {} searched for so ({MIN_WORDS} telling words or more, not undecidable)",
            grouped(of.rewritten),
            counted(searched, "item"),
        ));
        lines.push(format!("with items in other words only: {}", counted(findings.only_rewritten, "document")));
    }
    let long = || (0..).zip(items).filter(|(number, _)| !benchmark.items.is_short(*number));
    let words: u64 = long().map(|(number, _)| benchmark.items.deciding(number) as u64).sum();
    let telling: u64 = long().map(|(_, item)| u64::from(item.words)).sum();
    if telling < words {
        lines.push(format!(
            "not counted: {} of the items' {}, which stand in many items of a set or in many documents",
            counted(words - telling, "word"),
            counted(words, "word")
        ));
    }
    if let (Some(total), Some(path)) = (findings.counted, counts) {
        let known = if total.was_known { "; these documents were counted before" } else { "" };
        lines.push(format!("{} has the counts of {}{known}", path.display(), counted(total.documents, "document")));
    }
    if findings.uncut() > 0 {
        lines.push(format!("dropped, as they cannot be cut ({UNCUT}): {}", counted(findings.uncut(), "document")));
    }
    lines
}

/// A run as programs see it.
#[derive(Serialize)]
struct Values<'a> {
    command: &'static str,
    inputs: Vec<String>,
    read: reading::Read<'a>,
    words: u64,
    items: Items,
    contaminated_documents: u64,
    /// Number of those that have items in other words only.
    rewritten_documents: u64,
    /// Number of contaminated documents by what becomes of them.
    fates: Fates,
    /// Of the file of counts.
    counts: Option<CountsFile>,
}

/// The file of counts as programs see it.
#[derive(Serialize)]
struct CountsFile {
    documents: u64,
    was_known: bool,
}

/// Numbers of contaminated documents by what becomes of them.
#[derive(Default, Serialize)]
struct Fates {
    stays: u64,
    cut: u64,
    goes: u64,
}

impl Fates {
    fn of(job: &Job, findings: &Findings, drops: bool) -> Self {
        let (all, uncut) = (findings.contaminated.len() as u64, findings.uncut());
        match (drops, job.cut) {
            (true, _) => Self { goes: all, ..Self::default() },
            (false, true) => Self { cut: all - uncut, goes: uncut, ..Self::default() },
            (false, false) => Self { stays: all, ..Self::default() },
        }
    }
}

#[derive(Serialize)]
struct Items {
    all: u64,
    contaminated: u64,
    /// Contaminated items that no document has in their own words.
    rewritten: u64,
    /// Number of items that were searched for in other words.
    searched_rewritten: Option<u64>,
    clean: u64,
    /// By reason.
    undecidable: BTreeMap<&'static str, u64>,
}

impl Items {
    fn of(findings: &Findings) -> Self {
        let mut of = Self {
            all: findings.items.len() as u64,
            contaminated: 0,
            rewritten: 0,
            searched_rewritten: findings.rewritten,
            clean: 0,
            undecidable: BTreeMap::new(),
        };
        for item in &findings.items {
            match (item.undecidable, item.verdict()) {
                (Some(reason), _) => *of.undecidable.entry(reason.name()).or_default() += 1,
                (None, Verdict::Contaminated) => {
                    of.contaminated += 1;
                    of.rewritten += u64::from(item.rewritten == item.documents);
                }
                (None, Verdict::Clean | Verdict::Undecidable) => of.clean += 1,
            }
        }
        of
    }
}

/// The object of a run: its options, what was read, and the counts. `drops` is true if contaminated documents are left out.
pub fn values<'a>(job: &'a Job, findings: &'a Findings, drops: bool) -> impl Serialize + 'a {
    let named = |paths: &[PathBuf]| paths.iter().map(|path| path.display().to_string()).collect();
    Values {
        command: "decontaminate",
        inputs: named(&job.corpus),
        read: reading::Read::of(&findings.tally),
        words: findings.tally.words,
        items: Items::of(findings),
        contaminated_documents: findings.contaminated.len() as u64,
        rewritten_documents: findings.only_rewritten,
        fates: Fates::of(job, findings, drops),
        counts: findings.counted.map(|Total { documents, was_known, .. }| CountsFile { documents, was_known }),
    }
}

/// Why items are undecidable, for a person.
fn in_words(reason: Undecidable) -> String {
    match reason {
        Undecidable::Short => "too short: a corpus of this size has such phrases by chance".into(),
        Undecidable::Template => format!("of a template: more than {MOST_ITEMS} items of the set have the words"),
        Undecidable::Common => "with common words: many documents have them".into(),
    }
}
