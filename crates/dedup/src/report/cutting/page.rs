//! The costliest runs or lines as one HTML page without scripts, network access or other files.

use std::io::{self, Write};

use maud::{Markup, html};

use crate::jobs::cutting::{Costly, Known};
use crate::jobs::excerpts::Excerpt;
use crate::report::figures::{counted, grouped};
use crate::report::spans::{self, excerpt};

/// Writes the page, UTF-8; `option` is what was asked for in `command_line`, and `summary` has the lines of the summary.
///
/// # Errors
///
/// Those of the writer.
pub fn write_page(
    known: &Known,
    (option, command_line): (&str, &str),
    costly: &[Costly],
    summary: &[String],
    out: &mut impl Write,
) -> io::Result<()> {
    let names = [&format!("dedup clean: {}", &option[2..]), &*format!("dedup clean {option}")];
    let sections = costly.iter().zip(1..).map(|(cut, number)| section(known, cut, number));
    spans::write_page(names, (summary, command_line), sections, out)
}

/// What is cut, with its places.
fn section(known: &Known, cut: &Costly, number: u32) -> Markup {
    let at = counted(cut.cut, "place");
    html! {
        section {
            h2 { (number) ". " (counted(cut.cost(), "word")) ": " (grouped(u64::from(cut.words))) " at " (at) }
            @for (at, i) in cut.places.iter().zip(0..) {
                (place(known, at, match cut.first.filter(|_| i == 0) {
                    Some(true) => Some("stays"),
                    Some(false) => None,
                    None => Some("cut"),
                }))
            }
        }
    }
}

fn place(known: &Known, (document, text): &(u32, Excerpt), fate: Option<&str>) -> Markup {
    html! {
        h3 {
            bdi { (known.id(*document)) } ", character " (grouped(u64::from(text.character)))
            @if let Some(fate) = fate { ": " (fate) }
        }
        (excerpt(text))
    }
}
