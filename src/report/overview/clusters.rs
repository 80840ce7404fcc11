//! The largest clusters on the page: where the first members differ from the survivor, side by side.

use std::io::{self, Write};

use super::super::difference::{Differ, Excerpt, Opening, Piece, Places};
use super::{Overview, Shown, ShownDocument};
use crate::report::escape::Escaped;
use crate::report::figures::percent;
use crate::report::figures::{bytes, counted, grouped, language, share, tag};
use crate::similarity::{Figures, Rule, RuleSet};

/// Number of words shown of the beginning of a survivor.
const BEGINNING: usize = 50;

/// Maximum number of places shown at which a member differs.
const PLACES: usize = 3;

impl Overview {
    /// Writes the section of clusters.
    pub(super) fn write_clusters(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "<section>\n<h2>Largest clusters</h2>")?;
        if self.largest.is_empty() {
            writeln!(out, "<p class=\"about\">No two documents are near to each other.</p>\n</section>")?;
            return Ok(());
        }
        writeln!(
            out,
            "<p class=\"about\">The beginning of each survivor, and the first places where members of its cluster \
             differ from it: <del>struck</del> words are in the survivor only, <mark>marked</mark> words in the member \
             only. Case and punctuation are ignored; signs such as + and # count.</p>"
        )?;
        let differ = Differ::new();
        for cluster in &self.largest {
            self.write_cluster(out, &differ, cluster)?;
        }
        writeln!(out, "</section>")
    }

    fn write_cluster(&self, out: &mut impl Write, differ: &Differ, cluster: &Shown) -> io::Result<()> {
        let Shown { size, survivor, members } = cluster;
        writeln!(
            out,
            "<article>\n<h3>{} <small>{} of all</small></h3>\n<section class=\"survivor\">",
            counted(*size, "document"),
            Escaped(&share(*size, self.documents))
        )?;
        write_head(out, "survivor", survivor)?;
        match part(survivor).map(|part| differ.shorten(part, BEGINNING)) {
            Some(Opening { text, is_cut }) => writeln!(
                out,
                "<blockquote{}>{}{}</blockquote>",
                language_of(survivor),
                Escaped(text),
                if is_cut { " […]" } else { "" }
            )?,
            None => write_missing(out)?,
        }
        writeln!(out, "</section>")?;
        for member in members {
            writeln!(out, "<section class=\"member\">")?;
            write_head(out, "member", member)?;
            if let Some((figures, held)) = &member.figures {
                write_figures(out, figures, *held)?;
            }
            let is_identical = member.figures.is_some_and(|(_, held)| held.contains(Rule::Identical));
            match part(survivor).zip(part(member)) {
                _ if is_identical => writeln!(out, "<p class=\"about\">The same text, byte for byte.</p>")?,
                Some((kept, text)) => {
                    let places = differ.first_places(kept, text, PLACES);
                    write_places(out, [survivor, member], &places)?;
                }
                None => write_missing(out)?,
            }
            writeln!(out, "</section>")?;
        }
        let more = size.saturating_sub(1 + members.len() as u64);
        if more > 0 {
            writeln!(out, "<p class=\"about\">and {}</p>", counted(more, "more member"))?;
        }
        writeln!(out, "</article>")
    }
}

/// The text of a document, if it is available.
fn part(document: &ShownDocument) -> Option<Opening<'_>> {
    let text = document.text.as_deref()?;
    Some(Opening { text, is_cut: (text.len() as u64) < document.bytes })
}

/// The attributes of an element that holds text of a document.
fn language_of(document: &ShownDocument) -> String {
    format!(" lang=\"{}\" dir=\"auto\"", tag(&document.language))
}

/// Writes the places where a member differs from the survivor, a row each.
fn write_places(out: &mut impl Write, documents: [&ShownDocument; 2], places: &Places<'_>) -> io::Result<()> {
    let Places { same_before, first, has_more } = places;
    if first.is_empty() {
        let compared = if *has_more { "The compared parts have the same words." } else { "The words are the same." };
        return writeln!(out, "<p class=\"about\">{compared}</p>");
    }
    writeln!(
        out,
        "<p class=\"about\">{} the same before the first difference.</p>\n<table class=\"places\">\n<thead><tr><th \
         scope=\"col\">survivor</th><th scope=\"col\">member</th></tr></thead>\n<tbody>",
        match same_before {
            0 => "No word is".into(),
            1 => "1 word is".into(),
            _ => format!("{} words are", grouped(*same_before as u64)),
        },
    )?;
    for both in first {
        writeln!(out, "<tr>")?;
        for ((document, excerpt), element) in documents.into_iter().zip(both).zip(["del", "mark"]) {
            write!(out, "<td{}>", language_of(document))?;
            write_excerpt(out, excerpt, element)?;
            writeln!(out, "</td>")?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>")?;
    if *has_more { writeln!(out, "<p class=\"about\">They differ, or may differ, later on.</p>") } else { Ok(()) }
}

fn write_excerpt(out: &mut impl Write, excerpt: &Excerpt<'_>, element: &str) -> io::Result<()> {
    for piece in &excerpt.pieces {
        match piece {
            Piece::Same(text) => write!(out, "{}", Escaped(text))?,
            Piece::New(text) | Piece::Missing(text) => write!(out, "<{element}>{}</{element}>", Escaped(text))?,
        }
    }
    match excerpt.more_words {
        0 if excerpt.pieces.is_empty() => write!(out, "<small>nothing</small>"),
        0 => Ok(()),
        more => write!(out, " <small>[and {}]</small>", counted(more as u64, "more word")),
    }
}

fn write_head(out: &mut impl Write, role: &str, document: &ShownDocument) -> io::Result<()> {
    let (id, bytes) = (Escaped(&document.id), bytes(document.bytes));
    write!(out, "<h4>{role} <bdi class=\"id\">{id}</bdi></h4>\n<p class=\"about\">")?;
    if document.language != "und" {
        write!(out, "{}, ", Escaped(&language(&document.language)))?;
    }
    writeln!(out, "{bytes}</p>")
}

fn write_figures(out: &mut impl Write, figures: &Figures, held: RuleSet) -> io::Result<()> {
    let distance = figures.distance.map_or("not computed".into(), |distance| format!("{distance} of 64 bits"));
    let rules: Vec<&str> = held
        .iter()
        .map(|rule| match rule {
            Rule::Hamming => "Hamming",
            Rule::Jaccard => "Jaccard",
            Rule::Identical => "identity",
        })
        .collect();
    writeln!(out, "<dl class=\"figures\">")?;
    for (name, value) in [
        ("Hamming distance", distance),
        ("Jaccard, exact", percent(figures.jaccard)),
        ("Jaccard, estimated", percent(figures.jaccard_estimate)),
        ("containment in the survivor", percent(figures.containment_a)),
        ("containment of the survivor", percent(figures.containment_b)),
        ("near-duplicate by", if rules.is_empty() { "no rule".into() } else { rules.join(", ") }),
    ] {
        writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>")?;
    }
    writeln!(out, "</dl>")
}

fn write_missing(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<p class=\"about\">The text is not available: only its fingerprint was searched.</p>")
}
