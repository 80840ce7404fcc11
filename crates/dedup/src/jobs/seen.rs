//! The files of one reading of a corpus, which a later one must find again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use nearcopy::error::{Location, Problem, all_shown};
use nearcopy_corpus::records::{Batch, InputFile};

use crate::error::{Error, Result};

/// The files of a reading, to tell whether a later one has the same.
#[derive(Debug, Default)]
pub struct Seen {
    /// A hash of the name, size and time of change of each.
    pub(super) files: Vec<u64>,
    /// The numbers of those that could not be read whole.
    unread: BTreeSet<u32>,
}

impl Seen {
    pub(in crate::jobs) fn first(&mut self, number: u32, file: &InputFile) {
        if self.files.len() == number as usize {
            self.files.push(identity(file));
        }
    }

    /// Notes a problem of a file, which is reported elsewhere.
    pub(in crate::jobs) fn problem(&mut self, number: u32, problem: &Problem) {
        if problem.place == Location::File {
            self.unread.insert(number);
        }
    }

    /// Fails if a file was read whole before and now is not: its later columns may be damaged.
    pub(in crate::jobs) fn expect_readable(&self, batch: &Batch) -> Result<()> {
        let problem = batch.problem().filter(|problem| problem.place == Location::File);
        let new = problem.filter(|_| !self.unread.contains(&batch.file_number));
        new.map_or(Ok(()), |problem| Err(Error::not_copied(problem)))
    }

    /// Fails if a file is another than before.
    pub(in crate::jobs) fn again(&self, number: u32, file: &InputFile) -> Result<()> {
        match self.files.get(number as usize) {
            Some(&before) if before != identity(file) => Err(Error::Changed { path: file.name.clone() }),
            None if number != u32::MAX => Err(Error::Changed { path: file.name.clone() }),
            _ => Ok(()),
        }
    }

    /// Fails if a file was written to while it was read.
    pub(in crate::jobs) fn ended(file: &InputFile) -> Result<()> {
        if file.is_unchanged() { Ok(()) } else { Err(Error::Changed { path: file.name.clone() }) }
    }

    /// Fails if a later reading of these inputs had another number of files.
    pub(in crate::jobs) fn expect(&self, files: usize, inputs: &[PathBuf]) -> Result<()> {
        if files == self.files.len() { Ok(()) } else { Err(Error::Changed { path: all_shown(inputs) }) }
    }
}

fn identity(file: &InputFile) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(file.name.as_bytes()).update(&[0]);
    hasher.update(&file.size.to_le_bytes()).update(&file.modified.to_le_bytes());
    u64::from_le_bytes(*hasher.finalize().as_bytes().first_chunk().expect("32 bytes"))
}
