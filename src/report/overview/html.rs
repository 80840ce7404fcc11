//! The overview as one HTML page without scripts, network access or other files.
//!
//! Every string from outside passes [`Escaped`]; a Content-Security-Policy blocks
//! whatever might slip through. Texts have their own language and direction.

use std::io::{self, Write};

use super::bars::{Chart, Row};
use super::{Headline, Overview};
use crate::report::escape::Escaped;
use crate::report::figures::{grouped, language, share};
use crate::report::figures::{percent, threshold};
use crate::report::hex;

const STYLE: &str = include_str!("overview.css");

/// Maximum number of items shown of each list.
const INPUTS: usize = 8;
const LANGUAGES: usize = 12;
const NOTES: usize = 100;

impl Overview {
    /// Writes the page, UTF-8.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_html(&self, out: &mut impl Write) -> io::Result<()> {
        let command = Escaped(&self.command);
        writeln!(
            out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
             base-uri 'none'; form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>dedup {command}: {} documents</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>dedup {command}</h1>",
            grouped(self.documents)
        )?;
        self.write_inputs(out)?;
        self.write_settings(out)?;
        writeln!(out, "</header>\n<main>")?;
        self.write_tiles(out)?;
        writeln!(out, "<div class=\"charts\">")?;
        self.similarities_chart().write(out)?;
        self.sizes_chart().write(out)?;
        // Without a simhash there are no terms, and no language is detected.
        if self.recipe.simhash {
            self.languages_chart().write(out)?;
        }
        if self.tally.is_some() {
            self.problems_chart().write(out)?;
        }
        writeln!(out, "</div>")?;
        self.write_notes_list(out)?;
        self.write_clusters(out)?;
        self.write_search(out)?;
        writeln!(out, "</main>\n<footer>dedup {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"))
    }

    fn write_inputs(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<ul class=\"inputs\" aria-label=\"inputs\">")?;
        for input in self.inputs.iter().take(INPUTS) {
            writeln!(out, "<li><bdi class=\"id\">{}</bdi></li>", Escaped(input))?;
        }
        if let Some(more) = self.inputs.len().checked_sub(INPUTS).filter(|&more| more > 0) {
            writeln!(out, "<li>and {} more</li>", grouped(more as u64))?;
        }
        writeln!(out, "</ul>")
    }

    /// Writes the time and the settings of the run.
    fn write_settings(&self, out: &mut impl Write) -> io::Result<()> {
        let made = humantime::format_rfc3339_seconds(self.made).to_string();
        let mut settings = vec![("made", made.replace('T', " ").replace('Z', " UTC"))];
        if !self.command_line.is_empty() {
            settings.push(("command line", self.command_line.clone()));
        }
        settings.push(("near-duplicate by", self.rules()));
        settings.push(("kept of each cluster", self.kept_in_words()));
        settings.push(("n-grams", self.ngrams_in_words()));
        write_list(out, &settings)
    }

    /// `of 3 words as written for Jaccard, of terms for the simhash`.
    fn ngrams_in_words(&self) -> String {
        let (min, max) = (self.recipe.min_ngram, self.recipe.max_ngram);
        let size = if min == max { max.to_string() } else { format!("{min} to {max}") };
        let shingles = if self.recipe.shingles == "terms" { "terms" } else { "words as written" };
        let simhash = if self.recipe.simhash { ", of terms for the simhash" } else { "" };
        format!("of {size} {shingles} for Jaccard{simhash}")
    }

    /// Writes the headlines, and a bar of the documents kept and not kept.
    fn write_tiles(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<dl class=\"tiles\">")?;
        for Headline { name, count, unit, share, remark } in self.headlines() {
            let share = share.map_or(String::new(), |share| format!(" <small>{}</small>", Escaped(&share)));
            writeln!(
                out,
                "<div class=\"{}\"><dt>{name}</dt><dd><b>{}</b> {unit}{share}</dd><dd class=\"about\">{}</dd></div>",
                class(name),
                grouped(count),
                Escaped(&remark)
            )?;
        }
        writeln!(out, "</dl>")?;
        if self.documents == 0 {
            return Ok(());
        }
        let parts = [("kept", self.kept()), ("near-duplicates", self.near), ("exact duplicates", self.exact)];
        let described: Vec<String> =
            parts.iter().map(|&(name, count)| format!("{name} {}", share(count, self.documents))).collect();
        writeln!(
            out,
            "<svg class=\"whole\" role=\"img\" aria-labelledby=\"whole-title whole-desc\">\n\
             <title id=\"whole-title\">All documents by result</title>\n<desc id=\"whole-desc\">{}</desc>",
            Escaped(&described.join(", "))
        )?;
        let mut at = 0.0;
        for (name, count) in parts {
            let width = 100.0 * count as f64 / self.documents as f64;
            writeln!(out, "<rect class=\"{}\" x=\"{at:.3}%\" width=\"{width:.3}%\" height=\"100%\"/>", class(name))?;
            at += width;
        }
        writeln!(out, "</svg>")
    }

    fn similarities_chart(&self) -> Chart {
        let total = self.similarities.total();
        let rows = self.similarities.steps().skip_while(|&(_, _, count)| count == 0);
        Chart {
            title: "Similarity to the survivor",
            about: "Near-duplicates by their exact Jaccard coefficient with the survivor, each lower bound included."
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

    fn write_notes_list(&self, out: &mut impl Write) -> io::Result<()> {
        let notes = self.notes();
        if notes.is_empty() {
            return Ok(());
        }
        writeln!(out, "<section class=\"notes\">\n<h2>Notes</h2>\n<ul>")?;
        for note in notes.iter().take(NOTES) {
            writeln!(out, "<li><bdi>{}</bdi></li>", Escaped(note))?;
        }
        if let Some(more) = notes.len().checked_sub(NOTES).filter(|&more| more > 0) {
            writeln!(out, "<li>and {} more</li>", grouped(more as u64))?;
        }
        writeln!(out, "</ul>\n</section>")
    }

    /// Writes the plan of the search and the recipe of the fingerprints.
    fn write_search(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<details>\n<summary><h2>How the search was done</h2></summary>")?;
        write_list(out, &[("candidates", self.candidates())])?;
        let recall = self.recall();
        if !recall.is_empty() {
            let all = if self.plan.rules.max_distance.is_some() {
                " Pairs within the Hamming distance are always found."
            } else {
                ""
            };
            writeln!(
                out,
                "<p class=\"about\">Expected recall: at least this share of pairs is found.{all}</p>\n<table>\n\
                 <thead><tr><th scope=\"col\" class=\"number\">Jaccard</th><th scope=\"col\" class=\"number\">found\
                 </th></tr></thead>\n<tbody>"
            )?;
            for (jaccard, recall) in recall {
                writeln!(
                    out,
                    "<tr><th scope=\"row\" class=\"number\">{} %</th><td class=\"number\">{}</td></tr>",
                    threshold(jaccard),
                    percent(Some(recall))
                )?;
            }
            writeln!(out, "</tbody>\n</table>")?;
        }
        let recipe = &self.recipe;
        writeln!(out, "<h3>Recipe</h3>")?;
        write_list(
            out,
            &[
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
            ],
        )?;
        writeln!(out, "</details>")
    }
}

fn write_list(out: &mut impl Write, list: &[(&str, String)]) -> io::Result<()> {
    writeln!(out, "<dl class=\"facts\">")?;
    for (name, value) in list {
        writeln!(out, "<div><dt>{name}</dt><dd><bdi>{}</bdi></dd></div>", Escaped(value))?;
    }
    writeln!(out, "</dl>")
}

/// The CSS class of a headline: `exact-duplicates`.
fn class(name: &str) -> String {
    name.replace(' ', "-")
}
