//! Spans of documents on pages, and lists of them as JSON Lines.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, html};
use serde::Serialize;

use super::escape::shown;
use super::json;
use super::overview::head;
use crate::jobs::excerpts::Excerpt;

pub(super) fn write_line(line: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    json::write(out, line)?;
    out.write_all(b"\n")
}

/// A span of a text, marked, with what stands beside it.
pub(super) fn excerpt(excerpt: &Excerpt) -> Markup {
    let [before, text, after] = &excerpt.text;
    html! { p dir="auto" { (before) mark { (text) @if excerpt.is_shortened { " […] " } } (after) } }
}

/// Writes the page of a run, UTF-8: its title and heading, the lines of the summary, the command line, and a section for each of
/// what it shows.
///
/// # Errors
///
/// Those of the writer.
pub(super) fn write_page(
    [title, heading]: [&str; 2],
    (summary, command_line): (&[String], &str),
    sections: impl Iterator<Item = Markup>,
    out: &mut impl Write,
) -> io::Result<()> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title))
            body {
                header { h1 { (heading) } }
                main {
                    section { ul { @for line in summary { li { (line) } } } p { code { (command_line) } } }
                    @for section in sections { (section) }
                }
            }
        }
    };
    out.write_all(shown(&page.into_string()).as_bytes())
}
