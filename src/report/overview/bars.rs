//! Counts as bars in a table.
//!
//! Each row has its label and figures as text, and its bar as a small SVG. So the text
//! keeps its size on any screen and is read aloud and copied as a table, and the bars
//! are printed, unlike backgrounds. Bars are linear; one for a count above 0 is always
//! wide enough to be seen.

use std::io::{self, Write};

use crate::report::escape::Escaped;
use crate::report::figures::grouped;

/// A table of counts.
pub(super) struct Chart {
    /// The heading.
    pub(super) title: &'static str,
    /// A sentence or two on what the rows count.
    pub(super) about: String,
    /// The heads of the columns: label, count, remark.
    pub(super) heads: [&'static str; 3],
    /// Its rows.
    pub(super) rows: Vec<Row>,
    /// The sentence shown if all counts are 0.
    pub(super) if_empty: &'static str,
}

/// A count with its label.
pub(super) struct Row {
    pub(super) label: String,
    pub(super) count: u64,
    pub(super) remark: String,
}

impl Chart {
    /// Writes a section with a heading.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<section class=\"chart\">\n<h2>{}</h2>", Escaped(self.title))?;
        let greatest = self.rows.iter().map(|row| row.count).max().unwrap_or(0);
        if greatest == 0 {
            return writeln!(out, "<p class=\"about\">{}</p>\n</section>", Escaped(self.if_empty));
        }
        writeln!(out, "<p class=\"about\">{}</p>", Escaped(&self.about))?;
        let [label, count, remark] = self.heads.map(Escaped);
        writeln!(
            out,
            "<table class=\"bars\">\n<thead><tr><th scope=\"col\">{label}</th><th scope=\"col\" class=\"number\">{count}\
             </th><th scope=\"col\" class=\"number\">{remark}</th><td></td></tr></thead>\n<tbody>"
        )?;
        for row in &self.rows {
            let width = length(row.count, greatest);
            let (label, count) = (Escaped(&row.label), grouped(row.count));
            writeln!(
                out,
                "<tr><th scope=\"row\"><bdi>{label}</bdi></th><td class=\"number\">{count}</td>\
                 <td class=\"number\">{}</td><td class=\"bar\"><svg aria-hidden=\"true\"><title>{label}, {}: {count}\
                 </title><rect width=\"{width:.2}%\" height=\"100%\" rx=\"2\"/></svg></td></tr>",
                Escaped(&row.remark),
                Escaped(self.heads[1]),
            )?;
        }
        writeln!(out, "</tbody>\n</table>\n</section>")
    }
}

/// The length of a bar in percent: 0 for a count of 0, otherwise at least 0.5.
fn length(count: u64, greatest: u64) -> f64 {
    if count == 0 { 0.0 } else { (100.0 * count as f64 / greatest as f64).max(0.5) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_can_be_told_from_none() {
        let lengths = [(0, 9), (1, 1_000_000), (5, 10), (9, 9)].map(|(count, all)| length(count, all).to_string());
        assert_eq!(lengths, ["0", "0.5", "50", "100"]);
    }
}
