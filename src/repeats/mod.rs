//! Runs of words that stand twice in a corpus, and where they are cut.
//!
//! A run has at least as many words as a window, and stands at two places that do not overlap. The first place, in an order of the
//! documents, keeps it, and all others lose it; or all lose it.
//!
//! 1. **Sample** (`samples`): each window has a sample, which equal windows share. A table tells the samples that were seen
//!    twice, and a few others.
//! 2. **Group** (`groups`): the windows of these samples are sorted, which brings equal ones together.
//! 3. **Keep** (`copies`): document by document, a window goes if an equal one is kept before it.
//!
//! Where a run is cut, the sides join, and may be a run themselves. So all is done again with what is left, until nothing
//! is cut: then nothing is left that a second call would cut. A [checkpoint](Checkpoint) notes each round, so that a later
//! call need not repeat it.
//!
//! Cost: two readings a round, each linear in the words; a group of c places costs c. From the second round on the first
//! reading takes samples around the cuts alone, if the table fits into a quarter of the memory. Memory: [`OF_A_DOCUMENT`]
//! bytes a document, 48 a run that is cut, some 40 a run that stands twice, and what the settings allow for
//! the table and for sorting.
//!
//! Source: Lee et al. 2022, Deduplicating Training Data Makes Language Models Better, which finds runs by a suffix array.

mod checkpoint;
mod copies;
mod cuts;
mod groups;
mod locate;
mod rounds;
mod samples;
mod scanner;
pub mod steps;

use std::path::PathBuf;

use crate::cutting::{Documents, Limits};
use checkpoint::Opened;
pub use checkpoint::{Checkpoint, is_checkpoint};
pub use cuts::{Cut, remaining};

/// Bytes of memory for a document.
pub const OF_A_DOCUMENT: u64 = 32;

/// Options of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Least number of words of a run, at least 2.
    pub words: u32,
    /// True if a run's bytes must be equal, and not its words alone.
    pub is_verbatim: bool,
    /// True if all places lose a run.
    pub keeps_none: bool,
    /// The limits within which a document is cut.
    pub limits: Limits,
    /// Bytes for the table of samples and for sorting.
    pub memory: usize,
    /// Bytes of all texts, as far as known: they decide the size of the table.
    pub bytes: u64,
    /// The folder for what does not fit.
    pub temp: PathBuf,
    /// The file in which finished rounds are noted, and from which the search goes on if it is there.
    pub checkpoint: Option<Checkpoint>,
}

/// The runs that are cut from documents.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The key of each document.
    pub keys: Vec<u64>,
    /// The spans that are cut, in the order of the documents, none of which overlap.
    pub cuts: Vec<Cut>,
    /// Numbers of the documents that go whole, in order.
    pub gone: Vec<u32>,
    /// Numbers of the documents that stay whole, as too much would be cut, in order.
    pub spared: Vec<u32>,
    /// Number of words of all documents.
    pub words: u64,
    /// Number of rounds, the last of which cut nothing.
    pub rounds: u32,
}

impl Repeats {
    /// The number of a document.
    pub fn number(&self, key: u64) -> Option<u32> {
        self.keys.binary_search(&key).ok().map(|number| number as u32)
    }

    /// The cuts of a document, in order.
    pub fn of(&self, document: u32) -> &[Cut] {
        cuts::of(&self.cuts, document)
    }
}

/// Finds the runs to be cut.
///
/// # Errors
///
/// Those of the documents; [`crate::Error::Write`] for temporary files and the checkpoint; [`crate::Error::Saved`] for a checkpoint
/// that is damaged, or of other documents or settings; [`crate::Error::Locked`] if another run has it.
///
/// # Panics
///
/// If `settings.words` is less than 2, or there are more than 2^31 documents.
pub fn find<D: Documents>(documents: &mut D, settings: &Settings) -> Result<Repeats, D::Error> {
    assert!(settings.words >= 2, "a run has at least two words");
    let begin = |checkpoint| Opened::begin(checkpoint, documents, settings);
    let (mut checkpoint, search) = settings.checkpoint.as_ref().map(begin).transpose()?.unzip();
    let mut search = search.unwrap_or_default();
    let mut size = settings.bytes;
    loop {
        let spared = search.round(documents, settings, &mut size)?;
        if search.cuts.is_settled() {
            return Ok(search.end(spared));
        }
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.save(&search)?;
        }
    }
}

#[cfg(test)]
mod tests;
