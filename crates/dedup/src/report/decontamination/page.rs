//! The worst items as one HTML page without scripts, network access or other files: each beside documents that have it.

use std::io::{self, Write};

use maud::{Markup, html};

use super::{counted, grouped};
use crate::jobs::decontaminate::Findings;
use crate::jobs::decontaminate::worst::{Part, Shown};
use crate::report::figures::percent;
use crate::report::spans::{self, excerpt};

/// Writes the page, UTF-8; `summary` has the lines of the summary.
///
/// # Errors
///
/// Those of the writer.
pub fn write_page(
    findings: &Findings,
    worst: &[Shown],
    command_line: &str,
    summary: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let sections = worst.iter().zip(1..).map(|(item, number)| section(findings, item, number));
    spans::write_page(["dedup decontaminate"; 2], (summary, command_line), sections, out)
}

/// An item beside the documents with most of it.
fn section(findings: &Findings, Shown { item, parts, documents }: &Shown, number: u32) -> Markup {
    let (benchmark, found) = (&findings.benchmark, &findings.items[*item as usize]);
    html! {
        section {
            h2 {
                (number) ". " bdi { (benchmark.id(*item)) } " of " bdi { (benchmark.set(*item)) } ": in "
                (counted(found.documents, "document")) ", " (counted(found.words.into(), "telling word"))
            }
            table.places {
                thead { tr { th { "Item" } th { "Document" } } }
                tbody {
                    @for (document, i) in documents.iter().zip(0..) {
                        tr {
                            @if i == 0 { td rowspan=(documents.len()) { @for part in parts { (self::part(part)) } } }
                            td {
                                h3 {
                                    bdi { (document.id) } ", character " (grouped(document.text.character.into())) ": "
                                    (percent(Some(document.coverage))) " of the telling words"
                                    @if let Some(probability) = document.probability {
                                        ", in other words; probability that it is a copy: " (percent(Some(probability)))
                                    }
                                }
                                (excerpt(&document.text))
                            }
                        }
                    }
                }
            }
        }
    }
}

fn part(Part { text, is_shortened, decides }: &Part) -> Markup {
    html! {
        p class=[(!decides).then_some("about")] dir="auto" title=[(!decides).then_some("counts for nothing")] {
            (text) @if *is_shortened { " […]" }
        }
    }
}
