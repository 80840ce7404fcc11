//! Runs of words that stand twice in a corpus are cut ([`mod@nearcopy::repeats`]).
//!
//! The documents are read twice for each round of the search, and once more to be written.
//!
//! Cost: two rounds if anything is cut, and a further one for runs that come together only where others were cut.
//! Memory: that of the search and of [`cutting`].

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use nearcopy::cutting::Place;
use nearcopy::observer::Observer;
use nearcopy::repeats::{self, Cut, Repeats, Settings};
use nearcopy_corpus::records::cut::Edit;

use super::cutting::{self, Corpus, Costly, Known, PLACES, Wanted, costly};
use super::kept::{Copied, Unwritten};
use crate::error::Result;

/// The inputs and options of a search for runs.
pub type Job = cutting::Job<Settings>;

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// The runs that are cut.
    pub repeats: Repeats,
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
        let edit = |key: u64| {
            let Some(document) = cutting::number(&self.repeats.keys, key) else { return Edit::Keep };
            let spans = spans(self.repeats.of(document), |place| place.byte);
            match (self.repeats.gone.binary_search(&document), spans.is_empty()) {
                (Ok(_), _) => Edit::Drop,
                (_, true) => Edit::Keep,
                _ => Edit::Cut(spans),
            }
        };
        self.known.copy(job, &edit, output, observer)
    }

    /// The costliest runs, the costliest first.
    ///
    /// # Errors
    ///
    /// As [`find`].
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
        let wanted = runs.into_iter().map(|((document, place, words), (cut, cuts))| Wanted {
            words,
            cut,
            first: (document, place),
            is_kept: !job.settings.keeps_none,
            cuts: cuts.into_iter().map(|cut| (cut.document, cut.start, cut.end.byte - cut.start.byte)).collect(),
        });
        costly(job, &self.known, &self.repeats.keys, wanted, observer)
    }
}

/// The spans that are cut from a document, joined where they touch; in bytes or characters.
pub fn spans(cuts: &[Cut], unit: impl Fn(Place) -> u32) -> Vec<Range<usize>> {
    cutting::spans(cuts.iter().map(|cut| [cut.start, cut.end]), unit)
}

/// Finds the runs to be cut.
///
/// # Errors
///
/// [`crate::Error::Changed`] if a file changes meanwhile; [`nearcopy::Error::Strict`] at the first problem, if the job is strict;
/// [`crate::Error::NoKeyField`] if no document has the field of the policy; [`nearcopy::Error::Interrupted`]; those of writing temporary files.
pub fn find(job: &Job, observer: &dyn Observer) -> Result<Findings> {
    let mut corpus = Corpus::new(job, observer);
    let repeats = repeats::find(&mut corpus, &job.settings)?;
    Ok(Findings { repeats, known: corpus.known() })
}
