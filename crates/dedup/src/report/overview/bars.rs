//! Counts as bars in a table.
//!
//! Each row has its label and figures as text, and its bar as a small SVG. So the text
//! keeps its size on any screen and is read aloud and copied as a table, and the bars
//! are printed, unlike backgrounds. Bars are linear; one for a count above 0 is always
//! wide enough to be seen.

use maud::{Markup, html};

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
    /// A section with a heading.
    pub(super) fn section(&self) -> Markup {
        let greatest = self.rows.iter().map(|row| row.count).max().unwrap_or(0);
        html! {
            section.chart {
                h2 { (self.title) }
                @if greatest == 0 {
                    p.about { (self.if_empty) }
                } @else {
                    p.about { (self.about) }
                    (self.table(greatest))
                }
            }
        }
    }

    fn table(&self, greatest: u64) -> Markup {
        let [label, count, remark] = self.heads;
        html! {
            table.bars {
                thead {
                    tr {
                        th scope="col" { (label) }
                        th.number scope="col" { (count) }
                        th.number scope="col" { (remark) }
                        td {}
                    }
                }
                tbody {
                    @for row in &self.rows {
                        tr {
                            th scope="row" { bdi { (row.label) } }
                            td.number { (grouped(row.count)) }
                            td.number { (row.remark) }
                            td.bar {
                                svg aria-hidden="true" {
                                    title { (row.label) ", " (count) ": " (grouped(row.count)) }
                                    rect width=(format!("{:.2}%", length(row.count, greatest))) height="100%" rx="2" {}
                                }
                            }
                        }
                    }
                }
            }
        }
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
