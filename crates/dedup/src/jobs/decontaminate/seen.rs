//! What one reading of a corpus leaves to the next: the files, and the documents that are worth a second look.

use std::path::PathBuf;

use nearcopy::error::all_shown;
use nearcopy_corpus::records::InputFile;

use crate::error::{Error, Result};

/// Maximum number of documents noted to be searched; if more have n-grams of items, all are.
pub(super) const MOST_NOTED: usize = 1 << 22;

/// The documents that have an n-gram of an item, in order; all if they are too many.
#[derive(Debug, Default)]
pub(super) struct Noted {
    places: Vec<(u32, u64)>,
    are_all: bool,
}

impl Noted {
    pub(super) fn push(&mut self, place: (u32, u64)) {
        if self.places.len() == MOST_NOTED {
            (self.places, self.are_all) = (Vec::new(), true);
        } else if !self.are_all {
            self.places.push(place);
        }
    }

    pub(super) fn has(&self, place: (u32, u64)) -> bool {
        self.are_all || self.places.binary_search(&place).is_ok()
    }
}

/// The files of a reading, to tell whether a later one has the same.
#[derive(Debug, Default)]
pub struct Seen {
    /// A hash of the name, size and time of change of each.
    pub(super) files: Vec<u64>,
}

impl Seen {
    pub(in crate::jobs) fn first(&mut self, number: u32, file: &InputFile) {
        if self.files.len() == number as usize {
            self.files.push(identity(file));
        }
    }

    /// Fails if a file is another than before.
    pub(in crate::jobs) fn again(&self, number: u32, file: &InputFile) -> Result<()> {
        match self.files.get(number as usize) {
            Some(&before) if before != identity(file) => Err(Error::Changed { path: file.name.clone() }),
            None if number != u32::MAX => Err(Error::Changed { path: file.name.clone() }),
            _ => Ok(()),
        }
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
