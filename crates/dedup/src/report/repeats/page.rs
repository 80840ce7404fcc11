//! The costliest runs as one HTML page without scripts, network access or other files.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, html};

use crate::jobs::repeats::{Costly, Findings, Shown};
use crate::report::escape::shown;
use crate::report::figures::{counted, grouped};
use crate::report::overview::head;

/// Writes the page, UTF-8; `summary` has the lines of the summary.
///
/// # Errors
///
/// Those of the writer.
pub fn write_page(findings: &Findings, runs: &[Costly], summary: &[String], out: &mut impl Write) -> io::Result<()> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head("dedup clean: repeats"))
            body {
                header { h1 { "dedup clean --repeats" } }
                main {
                    section { ul { @for line in summary { li { (line) } } } }
                    @for (run, number) in runs.iter().zip(1..) { (section(findings, run, number)) }
                }
            }
        }
    };
    out.write_all(shown(&page.into_string()).as_bytes())
}

/// A run with its places.
fn section(findings: &Findings, run: &Costly, number: u32) -> Markup {
    let cut = counted(run.cut, "place");
    html! {
        section {
            h2 { (number) ". " (counted(run.cost(), "word")) ": " (grouped(u64::from(run.words))) " at " (cut) }
            @for place in &run.places { (excerpt(findings, place)) }
        }
    }
}

fn excerpt(findings: &Findings, place: &Shown) -> Markup {
    let [before, text, after] = &place.text;
    html! {
        h3 { bdi { (findings.id(place.document)) } ", character " (grouped(u64::from(place.character))) }
        p dir="auto" { (before) mark { (text) @if place.is_shortened { " […] " } } (after) }
    }
}
