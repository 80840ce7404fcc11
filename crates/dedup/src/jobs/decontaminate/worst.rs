//! The items that contaminate most documents, beside the documents that have most of them.
//!
//! Cost: `PLACES` places for each item that contaminates a document; the corpus and the test sets are read once more.

use std::collections::HashMap;

use nearcopy::cutting::Place;
use nearcopy::decontaminate::Found as Contaminating;
use nearcopy::observer::Observer;

use super::{Contaminated, Findings, Job, Verdict, benchmark};
use crate::error::Result;
use crate::jobs::excerpts::{self, Excerpt, Span};

/// Maximum number of items.
const MOST: usize = 100;

/// Maximum number of documents of each.
const PLACES: usize = 3;

/// The documents that have most of each item.
#[derive(Debug, Default)]
pub struct Worst {
    places: HashMap<u32, Vec<Found>>,
    /// Number of documents so far.
    documents: usize,
}

/// An item in a document.
#[derive(Debug)]
struct Found {
    /// The number of the document among the contaminated ones.
    document: usize,
    id: String,
    coverage: f64,
    probability: Option<f64>,
    span: Span,
}

/// An item, and some documents that have it.
#[derive(Debug)]
pub struct Shown {
    /// The number of the item.
    pub item: u32,
    /// The texts of its parts.
    pub parts: Vec<Part>,
    /// The documents with most of it, and the text there.
    pub documents: Vec<InDocument>,
}

/// A part of an item.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// Its text, or the beginning.
    pub text: String,
    /// True if there is more of it.
    pub is_shortened: bool,
    /// True if its words decide.
    pub decides: bool,
}

/// A document that has an item.
#[derive(Debug)]
pub struct InDocument {
    /// Its id.
    pub id: String,
    /// The share of the item's telling words there.
    pub coverage: f64,
    /// Of an item in other words, the probability that it is a copy.
    pub probability: Option<f64>,
    /// The text there.
    pub text: Excerpt,
}

impl Worst {
    /// Adds the next contaminated document.
    pub fn push(&mut self, document: &Contaminated) {
        for (found, characters) in document.found.iter().zip(&document.characters) {
            let (Some(first), Some(last), Some(character)) =
                (found.spans.first(), found.spans.last(), characters.first())
            else {
                continue;
            };
            let places = self.places.entry(found.item).or_default();
            // Of several places in one document, the first with most of it.
            if let Some(own) = places.iter().position(|place| place.document == self.documents) {
                if places[own].coverage >= found.coverage {
                    continue;
                }
                places.remove(own);
            }
            let at = places.partition_point(|place| place.coverage >= found.coverage);
            let start = Place { byte: first.start as u32, character: character.start as u32 };
            let span = Span { start, length: (last.end - first.start) as u32 };
            let id = document.id.clone();
            let Contaminating { coverage, probability, .. } = *found;
            places.insert(at, Found { document: self.documents, id, coverage, probability, span });
            places.truncate(PLACES);
        }
        self.documents += 1;
    }

    /// The worst items first: those in most documents, and of these those with the greatest coverage.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Changed`]; those of reading; [`nearcopy::Error::Interrupted`].
    pub fn shown(mut self, job: &Job, findings: &Findings, observer: &dyn Observer) -> Result<Vec<Shown>> {
        let mut items: Vec<u32> = (0..findings.items.len() as u32).collect();
        items.retain(|&item| findings.items[item as usize].verdict() == Verdict::Contaminated);
        items.sort_by(|&a, &b| {
            let [a, b] = [a, b].map(|item| &findings.items[item as usize]);
            b.documents.cmp(&a.documents).then(b.coverage.total_cmp(&a.coverage))
        });
        items.truncate(MOST);
        let (mut wanted, mut count): (excerpts::Wanted, _) = (HashMap::new(), 0);
        let found: Vec<Vec<Found>> = items.iter().map(|item| self.places.remove(item).unwrap_or_default()).collect();
        for place in found.iter().flatten() {
            wanted.entry(findings.contaminated[place.document]).or_default().push((count, place.span));
            count += 1;
        }
        let passes = job.passes(observer);
        let mut excerpts = excerpts::read(&passes, "reading what is shown", &findings.seen, &wanted)?.into_iter();
        let mut parts = benchmark::texts(job, &findings.benchmark, &items, observer)?;
        Ok(items
            .into_iter()
            .zip(found)
            .map(|(item, found)| Shown {
                item,
                parts: parts.remove(&item).unwrap_or_default().into_iter().map(Part::of).collect(),
                documents: found
                    .into_iter()
                    .zip(&mut excerpts)
                    .map(|(Found { id, coverage, probability, .. }, text)| InDocument {
                        id,
                        coverage,
                        probability,
                        text,
                    })
                    .collect(),
            })
            .collect())
    }
}

impl Part {
    fn of((text, decides): (String, bool)) -> Self {
        let (shown, is_shortened) = excerpts::beginning(&text);
        Self { text: shown.to_owned(), is_shortened, decides }
    }
}
