//! The runs or lines of which most words are cut, with the texts of some of their places.
//!
//! Cost: the documents are read once more.

use std::collections::HashMap;

use nearcopy::cutting::Place;
use nearcopy::observer::Observer;

use super::{Job, Known, place};
use crate::error::Result;
use crate::jobs::excerpts::{self, Excerpt, Span};

/// Maximum number of runs or lines.
pub(in crate::jobs) const MOST: usize = 100;

/// Maximum number of places of each, the one that keeps it among them.
pub(in crate::jobs) const PLACES: usize = 3;

/// A run or a line that is cut.
#[derive(Debug)]
pub struct Costly {
    /// Number of its words.
    pub words: u32,
    /// Number of places where it is cut.
    pub cut: u64,
    /// The place where it stands first, and some where it is cut: the number of the document, and the text there.
    pub places: Vec<(u32, Excerpt)>,
    /// True if the first place keeps it, false if that is not known; `None` if it is cut there too.
    pub first: Option<bool>,
}

impl Costly {
    /// Number of words that are cut.
    pub fn cost(&self) -> u64 {
        u64::from(self.words) * self.cut
    }
}

/// A run or a line to be shown.
pub(in crate::jobs) struct Wanted {
    pub(in crate::jobs) words: u32,
    /// Number of places where it is cut.
    pub(in crate::jobs) cut: u64,
    /// The document and the place where it stands first.
    pub(in crate::jobs) first: (u32, Place),
    /// True if a place keeps it.
    pub(in crate::jobs) is_kept: bool,
    /// Some documents and places where it is cut, each with its length in bytes.
    pub(in crate::jobs) cuts: Vec<(u32, Place, u32)>,
}

/// The texts of the first [`MOST`] of these, the costliest first; `keys` are those of all documents.
///
/// # Errors
///
/// [`crate::Error::Changed`]; those of reading; [`nearcopy::Error::Interrupted`].
pub(in crate::jobs) fn costly<S>(
    job: &Job<S>,
    known: &Known,
    keys: &[u64],
    all: impl Iterator<Item = Wanted>,
    observer: &dyn Observer,
) -> Result<Vec<Costly>> {
    let (mut costly, mut wanted, mut count): (Vec<Costly>, excerpts::Wanted, _) = (Vec::new(), HashMap::new(), 0);
    for Wanted { words, cut, first: (document, start), is_kept, cuts } in all.take(MOST) {
        // Where nothing is kept, the first place may be the first that is cut.
        let first = cuts.first().filter(|cut| (cut.0, cut.1) != (document, start));
        let spans = first.map(|&(_, _, length)| (document, start, length)).into_iter().chain(cuts.iter().copied());
        let mut places = Vec::new();
        for (document, start, length) in spans {
            wanted.entry(place(keys[document as usize])).or_default().push((count, Span { start, length }));
            places.push((document, Excerpt::default()));
            count += 1;
        }
        costly.push(Costly { words, cut, places, first: first.map(|_| is_kept) });
    }
    let excerpts = excerpts::read(&job.passes(observer), "reading what is cut", &known.seen, &wanted)?;
    for ((_, place), excerpt) in costly.iter_mut().flat_map(|costly| &mut costly.places).zip(excerpts) {
        *place = excerpt;
    }
    Ok(costly)
}
