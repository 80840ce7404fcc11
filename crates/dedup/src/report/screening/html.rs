//! The report of a screening as one page that needs nothing but a browser ([`Parts`]).
//!
//! Memory: the JSON, about three times the text that is shown.

use std::io::{self, Write};

use nearcopy::screen::Screening;

use super::data::Data;
use super::page::Page;
#[cfg(test)]
use crate::report::page::BAR;
use crate::report::page::{Parts, REASONS, json, legibly};

/// The tables of texts in the languages of readers.
const TEXTS: [&str; 3] = [include_str!("texts/overview.js"), include_str!("texts/document.js"), REASONS];

/// The same with those that all pages have.
#[cfg(test)]
pub(super) const ALL_TEXTS: [&str; 4] = [BAR, TEXTS[0], TEXTS[1], TEXTS[2]];

/// The parts of the script, in the order in which names are needed.
const SCRIPT: [&str; 17] = [
    include_str!("figures.js"),
    include_str!("address.js"),
    include_str!("elements.js"),
    include_str!("decisions.js"),
    include_str!("table.js"),
    include_str!("kinds.js"),
    include_str!("graph.js"),
    include_str!("picture.js"),
    include_str!("overview.js"),
    include_str!("timeline.js"),
    include_str!("disguised.js"),
    include_str!("document.js"),
    include_str!("passages.js"),
    include_str!("together.js"),
    include_str!("pair.js"),
    include_str!("dossier.js"),
    include_str!("main.js"),
];

impl Page {
    /// Writes the page, UTF-8. The same screening gives the same page.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, screening: &Screening, out: &mut impl Write) -> io::Result<()> {
        let (style, body) = (include_str!("page.css"), include_str!("page.html"));
        let title = if self.title.is_empty() { "dedup screen: shared passages".into() } else { legibly(&self.title) };
        let title = maud::html! { (title) }.into_string();
        let parts = Parts { title: &title, style, body, texts: &TEXTS, script: &SCRIPT };
        parts.write(&self.json(screening)?, out)
    }

    /// The page's data as JSON without markup.
    pub(super) fn json(&self, screening: &Screening) -> io::Result<String> {
        json(&Data::new(screening, self))
    }
}
