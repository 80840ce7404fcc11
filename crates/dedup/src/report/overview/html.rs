//! The overview as one HTML page without scripts, network access or other files.
//!
//! The templates escape every string, and [`shown`] makes control characters visible; a
//! Content-Security-Policy blocks whatever might slip through. Texts have their own language and
//! direction.

use std::io::{self, Write};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::bars::{Chart, Row};
use super::{Headline, Overview};
use crate::report::escape::shown;
use crate::report::figures::{grouped, language, share};
use crate::report::figures::{percent, threshold};
use crate::report::hex;
use crate::report::plan::NO_RECALL_OF_PARTS;

/// The style of pages without scripts.
const STYLE: &str = include_str!("overview.css");

/// Their Content-Security-Policy.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Maximum number of items shown of each list.
const INPUTS: usize = 8;
const LANGUAGES: usize = 12;
const NOTES: usize = 100;

/// The head of a page without scripts.
pub(in crate::report) fn head(title: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    }
}

impl Overview {
    /// Writes the page, UTF-8.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (head(&format!("dedup {}: {} documents", self.command, grouped(self.documents))))
                body {
                    header {
                        h1 { "dedup " (self.command) }
                        ul.inputs aria-label="inputs" { (items(&self.inputs, INPUTS, Some("id"))) }
                        (self.settings())
                    }
                    main {
                        (self.tiles())
                        @if let Some(review) = &self.review { (review.section()) }
                        div.charts {
                            (self.similarities_chart().section())
                            (self.sizes_chart().section())
                            // Without a simhash there are no terms, and no language is detected.
                            @if self.recipe.simhash { (self.languages_chart().section()) }
                            @if self.tally.is_some() { (self.problems_chart().section()) }
                        }
                        (self.notes_list())
                        (self.clusters_section())
                        (self.search())
                    }
                    footer { "dedup " (env!("CARGO_PKG_VERSION")) }
                }
            }
        };
        writeln!(out, "{}", shown(&page.into_string()))
    }

    /// The time and the settings of the run.
    fn settings(&self) -> Markup {
        let made = humantime::format_rfc3339_seconds(self.made).to_string();
        let mut settings = vec![("made", made.replace('T', " ").replace('Z', " UTC"))];
        if !self.command_line.is_empty() {
            settings.push(("command line", self.command_line.clone()));
        }
        settings.push(("near-duplicate by", self.rules()));
        settings.push(("kept of each cluster", self.kept_in_words()));
        settings.push(("n-grams", self.ngrams_in_words()));
        list(&settings)
    }

    /// `of 3 words as written for Jaccard, of terms for the simhash`.
    fn ngrams_in_words(&self) -> String {
        let (min, max) = (self.recipe.min_ngram, self.recipe.max_ngram);
        let size = if min == max { max.to_string() } else { format!("{min} to {max}") };
        let shingles = if self.recipe.shingles == "terms" { "terms" } else { "words as written" };
        let simhash = if self.recipe.simhash { ", of terms for the simhash" } else { "" };
        format!("of {size} {shingles} for Jaccard{simhash}")
    }

    /// The headlines, and a bar of the documents kept and not kept.
    fn tiles(&self) -> Markup {
        html! {
            dl.tiles {
                @for Headline { name, count, unit, share, remark } in self.headlines() {
                    div class=(class(name)) {
                        dt { (name) }
                        dd { b { (grouped(count)) } " " (unit) @if let Some(share) = share { " " small { (share) } } }
                        dd.about { (remark) }
                    }
                }
            }
            @if self.documents > 0 { (self.whole()) }
        }
    }

    fn whole(&self) -> Markup {
        let parts = [("kept", self.kept()), ("near-duplicates", self.near), ("exact duplicates", self.exact)];
        let described: Vec<String> =
            parts.iter().map(|&(name, count)| format!("{name} {}", share(count, self.documents))).collect();
        let mut end = 0.0;
        let bars = parts.map(|(name, count)| {
            let (start, width) = (end, 100.0 * count as f64 / self.documents as f64);
            end += width;
            (class(name), format!("{start:.3}%"), format!("{width:.3}%"))
        });
        html! {
            svg.whole role="img" aria-labelledby="whole-title whole-desc" {
                title #whole-title { "All documents by result" }
                desc #whole-desc { (described.join(", ")) }
                @for (class, start, width) in bars {
                    rect class=(class) x=(start) width=(width) height="100%" {}
                }
            }
        }
    }

    fn similarities_chart(&self) -> Chart {
        let total = self.similarities.total();
        let rows = self.similarities.steps().skip_while(|&(_, _, count)| count == 0);
        Chart {
            title: "Similarity to the document that stays",
            about: "Near-duplicates by their exact Jaccard coefficient with the document that stays (the survivor), each lower bound included."
                .into(),
            heads: ["Jaccard", "documents", "share"],
            rows: rows
                .map(|(from, to, count)| Row { label: format!("{from}–{to} %"), count, remark: share(count, total) })
                .collect(),
            if_empty: "No member has a known coefficient.",
        }
    }

    fn sizes_chart(&self) -> Chart {
        let label = |least: u64, most: u64| match most {
            u64::MAX => format!("{} and more", grouped(least)),
            _ if least == most => grouped(least),
            _ => format!("{}–{}", grouped(least), grouped(most)),
        };
        Chart {
            title: "Cluster sizes",
            about: "Clusters by their number of documents, including the survivor.".into(),
            heads: ["size", "clusters", "documents"],
            rows: self
                .size_groups()
                .into_iter()
                .map(|group| Row {
                    label: label(group.least, group.most),
                    count: group.clusters,
                    remark: grouped(group.documents),
                })
                .collect(),
            if_empty: "There are no clusters.",
        }
    }

    fn languages_chart(&self) -> Chart {
        let total = self.languages.values().sum();
        let row = |label: String, count| Row { label, count, remark: share(count, total) };
        let languages = self.languages();
        let (shown, others) = languages.split_at(languages.len().min(LANGUAGES));
        let others =
            (!others.is_empty()).then(|| row(format!("{} others", others.len()), others.iter().map(|(_, n)| n).sum()));
        Chart {
            title: "Languages",
            about: "The language that each document was read in.".into(),
            heads: ["language", "documents", "share"],
            rows: shown.iter().map(|&(code, count)| row(language(code), count)).chain(others).collect(),
            if_empty: "There are no documents.",
        }
    }

    fn problems_chart(&self) -> Chart {
        let problems = self.problems();
        let total = problems.iter().map(|(_, count)| count).sum();
        let row = |(kind, count): (&str, u64)| Row { label: kind.to_owned(), count, remark: share(count, total) };
        Chart {
            title: "Skipped, and why",
            about: "Files and records that could not be read: they were not searched.".into(),
            heads: ["reason", "skipped", "share"],
            rows: problems.into_iter().map(row).collect(),
            if_empty: "Nothing was skipped: everything could be read.",
        }
    }

    fn notes_list(&self) -> Markup {
        let notes = self.notes();
        html! {
            @if !notes.is_empty() {
                section.notes { h2 { "Notes" } ul { (items(&notes, NOTES, None)) } }
            }
        }
    }

    /// The plan of the search and the recipe of the fingerprints.
    fn search(&self) -> Markup {
        let (recall, recipe) = (self.recall(), &self.recipe);
        html! {
            details {
                summary { h2 { "How the search was done" } }
                (list(&[("candidates", self.candidates())]))
                @if !recall.is_empty() {
                    p.about {
                        "Expected recall: at least this share of pairs is found, by the Jaccard coefficient of the whole texts."
                        @if self.plan.rules.max_distance.is_some() {
                            " Pairs within the Hamming distance are always found."
                        }
                        @if self.claims.is_some() { " For removals, " (NO_RECALL_OF_PARTS) "." }
                    }
                    table {
                        thead { tr { th.number scope="col" { "Jaccard" } th.number scope="col" { "found" } } }
                        tbody {
                            @for (jaccard, recall) in recall {
                                tr {
                                    th.number scope="row" { (threshold(jaccard)) " %" }
                                    td.number { (percent(Some(recall))) }
                                }
                            }
                        }
                    }
                }
                h3 { "Recipe" }
                (list(&[
                    ("id", hex(recipe.id())),
                    ("version", recipe.version.to_string()),
                    ("language", recipe.language.clone()),
                    ("stop words", recipe.stop_words.clone()),
                    ("stems", if recipe.stem { "yes" } else { "no" }.into()),
                    ("n-grams", self.ngrams_in_words()),
                    ("Rabin polynomial", recipe.polynomial.clone()),
                    ("MinHash sketches", recipe.sketches.to_string()),
                    ("seed of the sketches", recipe.sketch_seed.clone()),
                    ("probe", recipe.probe.clone()),
                ]))
            }
        }
    }
}

fn list(list: &[(&str, String)]) -> Markup {
    html! {
        dl.facts { @for (name, value) in list { div { dt { (name) } dd { bdi { (value) } } } } }
    }
}

/// The first items of a list of strings from outside, and the number of the others.
fn items(all: &[String], most: usize, class: Option<&str>) -> Markup {
    html! {
        @for item in all.iter().take(most) { li { bdi class=[class] { (item) } } }
        @if all.len() > most { li { "and " (grouped((all.len() - most) as u64)) " more" } }
    }
}

/// The CSS class of a headline: `exact-duplicates`.
fn class(name: &str) -> String {
    name.replace(' ', "-")
}
