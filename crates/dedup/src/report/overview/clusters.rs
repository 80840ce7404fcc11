//! The largest clusters on the page: where the first members differ from the survivor, side by side.

use maud::{Markup, html};
use nearcopy::similarity::{Figures, Rule, RuleSet};

use super::super::difference::{Differ, Excerpt, Opening, Piece, Places};
use super::{Overview, Shown, ShownDocument};
use crate::report::figures::percent;
use crate::report::figures::{bytes, counted, grouped, language, share, tag};

/// Number of words shown of the beginning of a survivor.
const BEGINNING: usize = 50;

/// Maximum number of places shown at which a member differs.
const PLACES: usize = 3;

/// An element for the words that differ.
type Element = fn(&str) -> Markup;

/// The elements of the survivor and of the member.
const ELEMENTS: [Element; 2] = [|words| html! { del { (words) } }, |words| html! { mark { (words) } }];

impl Overview {
    /// The section of clusters.
    pub(super) fn clusters_section(&self) -> Markup {
        let differ = Differ::new();
        html! {
            section {
                h2 { "Largest clusters" }
                @if self.largest.is_empty() {
                    @let none = if self.claims.is_some() { "No document goes for another." } else { "No two documents are near to each other." };
                    p.about { (none) }
                } @else {
                    p.about {
                        "The beginning of each survivor, the document that stays, and the first places where members of its cluster differ from \
                         it: " del { "struck" } " words are in the survivor only, " mark { "marked" } " words in the \
                         member only. Case and punctuation are ignored; signs such as + and # count."
                    }
                    @for cluster in &self.largest { (self.article(&differ, cluster)) }
                }
            }
        }
    }

    fn article(&self, differ: &Differ, cluster: &Shown) -> Markup {
        let Shown { size, survivor, members } = cluster;
        let more = size.saturating_sub(1 + members.len() as u64);
        html! {
            article {
                h3 { (counted(*size, "document")) " " small { (share(*size, self.documents)) " of all" } }
                section.survivor {
                    (head("survivor", survivor))
                    @match part(survivor).map(|part| differ.shorten(part, BEGINNING)) {
                        Some(Opening { text, is_cut }) => {
                            blockquote lang=(tag(&survivor.language)) dir="auto" { (text) @if is_cut { " […]" } }
                        }
                        None => (missing()),
                    }
                }
                @for member in members { section.member { (compared(differ, survivor, member)) } }
                @if more > 0 { p.about { "and " (counted(more, "more member")) } }
            }
        }
    }
}

/// A member beside its survivor.
fn compared(differ: &Differ, survivor: &ShownDocument, member: &ShownDocument) -> Markup {
    let holds = |rule| member.figures.is_some_and(|(_, held)| held.contains(rule));
    html! {
        (head("member", member))
        @if let Some((figures, held)) = &member.figures { (figures_list(figures, *held)) }
        @match part(survivor).zip(part(member)) {
            _ if holds(Rule::Bytes) => p.about { "The same file, byte for byte." },
            _ if holds(Rule::Text) => p.about { "The same text." },
            Some((kept, text)) => (places([survivor, member], &differ.first_places(kept, text, PLACES))),
            None => (missing()),
        }
    }
}

/// The text of a document, if it is available.
fn part(document: &ShownDocument) -> Option<Opening<'_>> {
    let text = document.text.as_deref()?;
    Some(Opening { text, is_cut: (text.len() as u64) < document.bytes })
}

/// The places where a member differs from the survivor, a row each.
fn places(documents: [&ShownDocument; 2], places: &Places<'_>) -> Markup {
    let Places { same_before, first, has_more } = places;
    if first.is_empty() {
        let compared = if *has_more { "The compared parts have the same words." } else { "The words are the same." };
        return html! { p.about { (compared) } };
    }
    let same = match same_before {
        0 => "No word is".into(),
        1 => "1 word is".into(),
        _ => format!("{} words are", grouped(*same_before as u64)),
    };
    html! {
        p.about { (same) " the same before the first difference." }
        table.places {
            thead { tr { th scope="col" { "survivor" } th scope="col" { "member" } } }
            tbody {
                @for both in first {
                    tr {
                        @for ((document, excerpt), element) in documents.into_iter().zip(both).zip(ELEMENTS) {
                            td lang=(tag(&document.language)) dir="auto" { (marked(excerpt, element)) }
                        }
                    }
                }
            }
        }
        @if *has_more { p.about { "They differ, or may differ, later on." } }
    }
}

fn marked(excerpt: &Excerpt<'_>, element: Element) -> Markup {
    html! {
        @for piece in &excerpt.pieces {
            @match piece {
                Piece::Same(text) => (text),
                Piece::New(text) | Piece::Missing(text) => (element(text)),
            }
        }
        @match excerpt.more_words {
            0 if excerpt.pieces.is_empty() => small { "nothing" },
            0 => {},
            more => { " " small { "[and " (counted(more as u64, "more word")) "]" } }
        }
    }
}

fn head(role: &str, document: &ShownDocument) -> Markup {
    html! {
        h4 { (role) " " bdi.id { (document.id) } }
        p.about {
            @if document.language != "und" { (language(&document.language)) ", " }
            (bytes(document.bytes))
        }
    }
}

fn figures_list(figures: &Figures, held: RuleSet) -> Markup {
    let distance = figures.distance.map_or("not computed".into(), |distance| format!("{distance} of 64 bits"));
    let rules: Vec<&str> = held
        .iter()
        .map(|rule| match rule {
            Rule::Hamming => "Hamming",
            Rule::Jaccard => "Jaccard",
            Rule::Text => "equal texts",
            Rule::Bytes => "equal files",
        })
        .collect();
    let list = [
        ("Hamming distance", distance),
        ("Jaccard, exact", percent(figures.jaccard)),
        ("Jaccard, estimated", percent(figures.jaccard_estimate)),
        ("containment in the survivor", percent(figures.containment_a)),
        ("containment of the survivor", percent(figures.containment_b)),
        ("near-duplicate by", if rules.is_empty() { "no rule".into() } else { rules.join(", ") }),
    ];
    html! {
        dl.figures { @for (name, value) in list { div { dt { (name) } dd { (value) } } } }
    }
}

fn missing() -> Markup {
    html! { p.about { "The text is not available: only its fingerprint was searched." } }
}
