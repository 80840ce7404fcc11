//! What is said of an item of a test set.

use std::ops::Range;

use nearcopy::decontaminate::{Found, Items, Telling, Undecidable};

/// The verdict on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// A document has enough of it.
    Contaminated,
    /// No document has.
    Clean,
    /// It can neither be found nor called absent.
    Undecidable,
}

impl Verdict {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contaminated => "contaminated",
            Self::Clean => "clean",
            Self::Undecidable => "undecidable",
        }
    }
}

/// What is said of an item; documents are named by `D`.
#[derive(Debug, Clone, Default)]
pub struct ItemFound<D = String> {
    /// Number of documents that it contaminates.
    pub documents: u64,
    /// Number of those that have it in other words only.
    pub rewritten: u64,
    /// The greatest share of its telling words in a document.
    pub coverage: f64,
    /// The document with that share.
    pub document: Option<D>,
    /// Why nothing can be said of it, if so.
    pub undecidable: Option<Undecidable>,
    /// Number of its telling words.
    pub words: u32,
}

impl<D: Clone + Default> ItemFound<D> {
    /// All items before the search.
    pub fn all(telling: &Telling, items: &Items) -> Vec<Self> {
        let of = |item| Self { undecidable: telling.undecidable(item), words: telling.words(item), ..Self::default() };
        (0..items.len()).map(of).collect()
    }

    /// Adds what was found in a document of this name to all items. Leaves in `found`, and in the same spans in
    /// characters, what contaminates the document.
    pub fn note(items: &mut [Self], name: &D, found: &mut Vec<Found>, characters: &mut Vec<Vec<Range<usize>>>) {
        for of_item in found.chunk_by(|a, b| a.item == b.item) {
            let item = &mut items[of_item[0].item as usize];
            let (has, most) = in_document(of_item);
            item.documents += u64::from(has);
            item.rewritten += u64::from(is_rewritten(of_item));
            if most > item.coverage {
                (item.coverage, item.document) = (most, Some(name.clone()));
            }
        }
        characters.retain(|spans| !spans.is_empty());
        found.retain(|found| !found.spans.is_empty());
    }

    /// The verdict, once the search has ended.
    pub fn verdict(&self) -> Verdict {
        match (self.undecidable, self.documents) {
            (Some(_), _) => Verdict::Undecidable,
            (None, 0) => Verdict::Clean,
            (None, _) => Verdict::Contaminated,
        }
    }
}

/// Whether an item contaminates a document, and the greatest share of its telling words in one place, given all that the document
/// has of it.
pub fn in_document(of_item: &[Found]) -> (bool, f64) {
    let has = of_item.iter().any(|found| !found.spans.is_empty());
    (has, of_item.iter().map(|found| found.coverage).fold(0.0, f64::max))
}

/// True if a document has an item in other words only, given all that it has of it.
pub fn is_rewritten(of_item: &[Found]) -> bool {
    let mut places = of_item.iter().filter(|found| !found.spans.is_empty()).peekable();
    places.peek().is_some() && places.all(|found| found.probability.is_some())
}
