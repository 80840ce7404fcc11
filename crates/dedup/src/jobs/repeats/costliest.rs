//! The runs of which most words are cut, with the texts of some of their places.
//!
//! Cost: the documents are read once more.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use nearcopy::observer::Observer;
use nearcopy::repeats::{Cut, Place};
use nearcopy_corpus::records::{Batch, Record};

use super::{Findings, Job, key};
use crate::error::Result;
use crate::jobs::reading::Make;

/// Maximum number of runs.
const RUNS: usize = 100;

/// Maximum number of places of a run, the one that keeps it among them.
const PLACES: usize = 3;

/// Maximum numbers of characters of a run, and on either side of it.
const SHOWN: usize = 600;
const BESIDE: usize = 80;

/// A run that is cut.
#[derive(Debug)]
pub struct Costly {
    /// Number of its words.
    pub words: u32,
    /// Number of places where it is cut.
    pub cut: u64,
    /// The place where it stands first, and some where it is cut.
    pub places: Vec<Shown>,
}

impl Costly {
    /// Number of words that are cut.
    pub fn cost(&self) -> u64 {
        u64::from(self.words) * self.cut
    }
}

/// A place of a run.
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

impl Findings {
    /// The costliest runs, the costliest first.
    ///
    /// # Errors
    ///
    /// As [`super::find`].
    pub fn costliest(&self, job: &Job, observer: &dyn Observer) -> Result<Vec<Costly>> {
        let mut runs: BTreeMap<(u32, Place, u32), (u64, Vec<&Cut>)> = BTreeMap::new();
        for cut in &self.repeats.cuts {
            let Some((document, place)) = cut.first else { continue };
            let (count, cuts) = runs.entry((document, place, cut.words)).or_default();
            *count += 1;
            if cuts.len() < PLACES - 1 {
                cuts.push(cut);
            }
        }
        let mut runs: Vec<_> = runs.into_iter().collect();
        runs.sort_by_key(|((_, _, words), (count, _))| Reverse(u64::from(*words) * count));
        runs.truncate(RUNS);
        let mut wanted: HashMap<u32, Vec<(usize, Span)>> = HashMap::new();
        for (number, ((document, place, _), (_, cuts))) in runs.iter().enumerate() {
            let mut want = |place, document: u32, start: Place, length| {
                wanted.entry(document).or_default().push((number * PLACES + place, Span { start, length }));
            };
            let length = |cut: &Cut| cut.end.byte - cut.start.byte;
            // Where nothing is kept, the first place may be the first that is cut.
            want(0, *document, *place, cuts.first().map_or(0, |cut| length(cut)));
            cuts.iter().zip(1..).for_each(|(cut, place)| want(place, cut.document, cut.start, length(cut)));
        }
        let mut shown = vec![Shown::default(); runs.len() * PLACES];
        let maker = || Excerpts { findings: self, wanted: &wanted };
        job.passes(observer).read("reading runs", &maker, &mut |file, number, made| {
            self.seen.again(number, file)?;
            made.into_iter().flatten().flatten().for_each(|(place, excerpt)| shown[place] = excerpt);
            Ok(())
        })?;
        let costly = runs.into_iter().zip(shown.chunks(PLACES)).map(|(((first, start, words), (cut, cuts)), shown)| {
            let mut places = shown[..=cuts.len()].to_vec();
            if cuts[0].document == first && cuts[0].start == start {
                places.remove(1);
            }
            Costly { words, cut, places }
        });
        Ok(costly.collect())
    }
}

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
    findings: &'a Findings,
    wanted: &'a HashMap<u32, Vec<(usize, Span)>>,
}

impl Make for Excerpts<'_> {
    type Made = Vec<(usize, Shown)>;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Self::Made {
        let document = self.findings.repeats.number(key(batch.file_number, record.number));
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
