//! Lines that stand in many documents of a corpus are cut ([`mod@nearcopy::lines`]).
//!
//! The documents are read twice, and once more to be written.
//!
//! Cost: memory of the search and of [`cutting`].

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use nearcopy::cutting::Place;
use nearcopy::lines::{self, Cut, Lines, Settings};
use nearcopy::observer::Observer;
use nearcopy_corpus::records::cut::Edit;

use super::cutting::{self, Corpus, Costly, Known, MOST, PLACES, Wanted, costly};
use super::kept::{Copied, Unwritten};
use crate::error::Result;

/// The inputs and options of a search for lines.
pub type Job = cutting::Job<Settings>;

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// The lines that are cut.
    pub lines: Lines,
    /// What was read.
    pub known: Known,
}

impl Findings {
    /// Copies what is left of the documents.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Changed`]; those of reading and writing; [`nearcopy::Error::Interrupted`].
    pub fn copy(&self, job: &Job, output: Unwritten, observer: &dyn Observer) -> Result<Copied> {
        // The documents come in the order of the cuts.
        let cuts = RefCell::new(self.lines.cuts.by_document()?.peekable());
        let failed = RefCell::new(None);
        let edit = |key: u64| {
            let Some(document) = cutting::number(&self.lines.keys, key) else { return Edit::Keep };
            let mut cuts = cuts.borrow_mut();
            while cuts.next_if(|cuts| cuts.as_ref().is_ok_and(|cuts| cuts[0].document < document)).is_some() {}
            let is_of =
                |cuts: &nearcopy::Result<Vec<Cut>>| cuts.as_ref().map_or(true, |cuts| cuts[0].document == document);
            match cuts.next_if(is_of) {
                None => Edit::Keep,
                Some(Ok(_)) if self.lines.gone.binary_search(&document).is_ok() => Edit::Drop,
                Some(Ok(cuts)) => Edit::Cut(spans(&cuts, |place| place.byte)),
                Some(Err(error)) => {
                    failed.borrow_mut().get_or_insert(error);
                    Edit::Keep
                }
            }
        };
        let copied = self.known.copy(job, &edit, output, observer)?;
        failed.into_inner().map_or(Ok(copied), |error| Err(error.into()))
    }

    /// The costliest lines, the costliest first.
    ///
    /// # Errors
    ///
    /// As [`find`].
    pub fn costliest(&self, job: &Job, observer: &dyn Observer) -> Result<Vec<Costly>> {
        let mut costs = vec![(0, 0); self.lines.lines.len()];
        for cut in self.lines.cuts.read()? {
            let Cut { words, line: Some(line), .. } = cut? else { continue };
            let (of, count) = &mut costs[line as usize];
            (*of, *count) = (words, *count + 1);
        }
        let mut order: Vec<usize> = (0..costs.len()).filter(|&line| costs[line].1 > 0).collect();
        order.sort_by_key(|&line| (Reverse(u64::from(costs[line].0) * costs[line].1), self.lines.lines[line].first));
        order.truncate(MOST);
        let mut places: HashMap<usize, Vec<(u32, Place, u32)>> = order.iter().map(|&line| (line, Vec::new())).collect();
        for cut in self.lines.cuts.read()? {
            let Cut { document, start, end, line: Some(line), .. } = cut? else { continue };
            if let Some(places) = places.get_mut(&(line as usize)).filter(|places| places.len() < PLACES - 1) {
                places.push((document, start, end.byte - start.byte));
            }
        }
        // A line may be kept by a document that was counted before.
        let is_kept = !job.settings.keeps_none && job.settings.counts.is_none();
        let wanted = order.into_iter().filter_map(|line| {
            let ((words, cut), first) = (costs[line], self.lines.lines[line].first?);
            Some(Wanted { words, cut, first, is_kept, cuts: places.remove(&line)? })
        });
        costly(job, &self.known, &self.lines.keys, wanted.collect::<Vec<_>>().into_iter(), observer)
    }
}

/// The spans that are cut from a document, joined where they touch; in bytes or characters.
pub fn spans(cuts: &[Cut], unit: impl Fn(Place) -> u32) -> Vec<Range<usize>> {
    cutting::spans(cuts.iter().map(|cut| [cut.start, cut.end]), unit)
}

/// Finds the lines to be cut.
///
/// # Errors
///
/// As [`super::repeats::find`].
pub fn find(job: &Job, observer: &dyn Observer) -> Result<Findings> {
    let mut corpus = Corpus::new(job, observer);
    let lines = lines::find(&mut corpus, &job.settings)?;
    Ok(Findings { lines, known: corpus.known() })
}
