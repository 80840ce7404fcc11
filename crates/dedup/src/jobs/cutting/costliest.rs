//! The runs or lines of which most words are cut, with the texts of some of their places.
//!
//! Cost: the documents are read once more.

use std::collections::HashMap;

use nearcopy::cutting::Place;
use nearcopy::observer::Observer;
use nearcopy_corpus::records::{Batch, Record};

use super::{Job, Known, key, number};
use crate::error::Result;
use crate::jobs::reading::Make;

/// Maximum number of runs or lines.
pub(in crate::jobs) const MOST: usize = 100;

/// Maximum number of places of each, the one that keeps it among them.
pub(in crate::jobs) const PLACES: usize = 3;

/// Maximum numbers of characters of a run, and on either side of it.
const SHOWN: usize = 600;
const BESIDE: usize = 80;

/// A run or a line that is cut.
#[derive(Debug)]
pub struct Costly {
    /// Number of its words.
    pub words: u32,
    /// Number of places where it is cut.
    pub cut: u64,
    /// The place where it stands first, and some where it is cut.
    pub places: Vec<Shown>,
    /// True if the first place keeps it.
    pub is_kept: bool,
}

impl Costly {
    /// Number of words that are cut.
    pub fn cost(&self) -> u64 {
        u64::from(self.words) * self.cut
    }
}

/// A place of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The number of the document.
    pub document: u32,
    /// The characters before it in the text.
    pub character: u32,
    /// What stands before it, the run or its beginning, and what stands behind.
    pub text: [String; 3],
    /// True if the run is longer than what is shown of it.
    pub is_shortened: bool,
}

/// A run or a line to be shown.
pub(in crate::jobs) struct Wanted {
    pub(in crate::jobs) words: u32,
    /// Number of places where it is cut.
    pub(in crate::jobs) cut: u64,
    /// The document and the place where it stands first.
    pub(in crate::jobs) first: (u32, Place),
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
    let (mut costly, mut wanted): (Vec<Costly>, Places) = (Vec::new(), HashMap::new());
    for (number, Wanted { words, cut, first: (document, place), cuts }) in all.take(MOST).enumerate() {
        // Where nothing is kept, the first place may be the first that is cut.
        let first = cuts.first().filter(|cut| (cut.0, cut.1) != (document, place));
        let is_kept = first.is_some();
        let places = first.map(|&(_, _, length)| (document, place, length)).into_iter().chain(cuts.iter().copied());
        let mut count = 0;
        for (document, start, length) in places {
            wanted.entry(document).or_default().push(((number, count), Span { start, length }));
            count += 1;
        }
        costly.push(Costly { words, cut, places: vec![Shown::default(); count], is_kept });
    }
    let maker = || Excerpts { keys, wanted: &wanted };
    job.passes(observer).read("reading what is cut", &maker, &mut |file, number, made| {
        known.seen.again(number, file)?;
        made.into_iter().flatten().flatten().for_each(|((of, place), excerpt)| costly[of].places[place] = excerpt);
        Ok(())
    })?;
    Ok(costly)
}

/// The spans to be shown of each document: the number of the run or line, and that of the place.
type Places = HashMap<u32, Vec<((usize, usize), Span)>>;

/// A span to be shown.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: Place,
    /// Bytes.
    length: u32,
}

impl Span {
    fn of(self, document: u32, text: &str) -> Shown {
        let Self { start: Place { byte, character }, length } = self;
        let at = |byte: usize| text.floor_char_boundary(byte);
        let (start, end) = (at(byte as usize), at(byte as usize + length as usize));
        let run = &text[start..end];
        let shown = run.char_indices().nth(SHOWN).map_or(run, |(end, _)| &run[..end]);
        let before = text[..start].char_indices().rev().take(BESIDE).last().map_or(start, |(at, _)| at);
        let after: String = text[end..].chars().take(BESIDE).collect();
        Shown {
            document,
            character,
            text: [text[before..start].to_owned(), shown.to_owned(), after],
            is_shortened: shown.len() < run.len(),
        }
    }
}

/// Takes the wanted spans out of documents.
struct Excerpts<'a> {
    keys: &'a [u64],
    wanted: &'a Places,
}

impl Make for Excerpts<'_> {
    type Made = Vec<((usize, usize), Shown)>;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Self::Made {
        let document = number(self.keys, key(batch.file_number, record.number));
        let wanted = document.and_then(|document| Some((document, self.wanted.get(&document)?)));
        let Some((document, spans)) = wanted else { return Vec::new() };
        spans.iter().map(|&(place, span)| (place, span.of(document, &record.text))).collect()
    }

    fn renew(&mut self) {}

    fn size(made: &Self::Made) -> usize {
        made.len() * (size_of::<Shown>() + 4 * (SHOWN + 2 * BESIDE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_shown_with_what_is_beside_it() {
        let text = format!("{}été {} end", "x".repeat(100), "ab".repeat(400));
        let start = Place { byte: 100, character: 100 };
        let shown = Span { start, length: 806 }.of(3, &text);
        assert_eq!(shown.text, ["x".repeat(80), format!("été {}", "ab".repeat(298)), " end".into()]);
        assert!(shown.is_shortened);
        let shown = Span { start: Place::default(), length: 2000 }.of(3, "all");
        assert_eq!((shown.text.join("|"), shown.is_shortened), ("|all|".to_owned(), false));
    }
}
