//! The largest clusters on the page: the survivor beside the first of its members.

use std::io::{self, Write};

use super::super::difference::{Beginning, Differ, Piece};
use super::escape::Escaped;
use super::figures::{bytes, counted, language, share, tag};
use super::{Overview, Shown, ShownDocument};
use crate::report::comparison::percent;
use crate::similarity::{Figures, Held, Rule};

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
            "<p class=\"about\">The beginnings of their texts. In a member, <mark>marked</mark> words are not in the \
             survivor, <del>struck</del> ones are in the survivor only; case and punctuation do not count.</p>"
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
            "<article>\n<h3>{} <small>{} of all</small></h3>\n<div class=\"cluster\">\n<section class=\"survivor\">",
            counted(*size, "document"),
            Escaped(&share(*size, self.documents))
        )?;
        write_head(out, "survivor", survivor)?;
        let kept = beginning(survivor).map(|beginning| differ.shorten(beginning));
        match kept {
            Some(kept) => write_beginning(out, survivor, kept, &[Piece::Same(kept.text)])?,
            None => write_missing(out)?,
        }
        writeln!(out, "</section>\n<div class=\"members\">")?;
        for member in members {
            writeln!(out, "<section>")?;
            write_head(out, "member", member)?;
            let is_identical = member.figures.is_some_and(|(_, held)| held.contains(Rule::Identical));
            match beginning(member).map(|beginning| differ.shorten(beginning)) {
                _ if is_identical => writeln!(out, "<p class=\"about\">The same text, byte for byte.</p>")?,
                Some(text) => {
                    let pieces = kept.map_or(vec![Piece::Same(text.text)], |kept| differ.pieces(kept, text));
                    write_beginning(out, member, text, &pieces)?;
                }
                None => write_missing(out)?,
            }
            if let Some((figures, held)) = &member.figures {
                write_figures(out, figures, *held)?;
            }
            writeln!(out, "</section>")?;
        }
        let more = size.saturating_sub(1 + members.len() as u64);
        if more > 0 {
            writeln!(out, "<p class=\"about\">and {}</p>", counted(more, "more member"))?;
        }
        writeln!(out, "</div>\n</div>\n</article>")
    }
}

fn beginning(document: &ShownDocument) -> Option<Beginning<'_>> {
    let text = document.beginning.as_deref()?;
    Some(Beginning { text, is_cut: (text.len() as u64) < document.bytes })
}

fn write_head(out: &mut impl Write, role: &str, document: &ShownDocument) -> io::Result<()> {
    writeln!(
        out,
        "<h4>{role} <bdi class=\"id\">{}</bdi></h4>\n<p class=\"about\">{}, {}</p>",
        Escaped(&document.id),
        Escaped(&language(&document.language)),
        bytes(document.bytes)
    )
}

fn write_figures(out: &mut impl Write, figures: &Figures, held: Held) -> io::Result<()> {
    let distance = figures.distance.map_or("none".into(), |distance| format!("{distance} of 64 bits"));
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
        ("of it in the survivor", percent(figures.containment_a)),
        ("of the survivor in it", percent(figures.containment_b)),
        ("near by", if rules.is_empty() { "no rule".into() } else { rules.join(", ") }),
    ] {
        writeln!(out, "<div><dt>{name}</dt><dd>{value}</dd></div>")?;
    }
    writeln!(out, "</dl>")
}

fn write_beginning(
    out: &mut impl Write,
    document: &ShownDocument,
    beginning: Beginning<'_>,
    pieces: &[Piece<'_>],
) -> io::Result<()> {
    write!(out, "<blockquote lang=\"{}\" dir=\"auto\">", tag(&document.language))?;
    for piece in pieces {
        match piece {
            Piece::Same(text) => write!(out, "{}", Escaped(text))?,
            Piece::New(text) => write!(out, "<mark>{}</mark>", Escaped(text))?,
            Piece::Missing(text) => write!(out, "<del>{}</del> ", Escaped(text))?,
        }
    }
    writeln!(out, "{}</blockquote>", if beginning.is_cut { " […]" } else { "" })
}

fn write_missing(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<p class=\"about\">The text is not at hand: only its fingerprint was searched.</p>")
}
