//! Numbers sorted within a bound of memory.
//!
//! Numbers are gathered up to the bound, then sorted and written to an unnamed temporary file,
//! which disappears with the process. At the end the sorted runs are merged. Duplicates
//! are dropped.
//!
//! Cost: O(n log n); 8 bytes per number, in memory up to the bound and on disk beyond it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Sorts numbers as they arrive.
#[derive(Debug)]
pub struct Sorter {
    gathered: Vec<u64>,
    bound: usize,
    folder: PathBuf,
    runs: Vec<File>,
}

impl Sorter {
    /// A sorter that keeps up to `memory` bytes in memory and the rest in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        let bound = (memory / 8).max(1 << 10);
        Self { gathered: Vec::new(), bound, folder: folder.to_owned(), runs: Vec::new() }
    }

    /// Adds numbers.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if a temporary file cannot be written.
    pub fn extend(&mut self, numbers: &[u64]) -> Result<()> {
        self.gathered.extend_from_slice(numbers);
        if self.gathered.len() >= self.bound {
            self.settle();
            // If most were duplicates, there is room again.
            if self.gathered.len() >= self.bound / 2 {
                let run = spill(&self.gathered, &self.folder).map_err(failed(&self.folder))?;
                self.runs.push(run);
                self.gathered.clear();
            }
        }
        Ok(())
    }

    fn settle(&mut self) {
        self.gathered.sort_unstable();
        self.gathered.dedup();
    }

    /// Calls `found` with all numbers, ascending, each once, until it fails or breaks.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if a temporary file cannot be read again, and those of `found`.
    pub fn finish(mut self, mut found: impl FnMut(u64) -> Result<ControlFlow<()>>) -> Result<()> {
        self.settle();
        let failed = failed(&self.folder);
        let mut runs = self.runs.into_iter().map(Run::open).collect::<io::Result<Vec<_>>>().map_err(&failed)?;
        let mut gathered = self.gathered.into_iter();
        let mut heads = BinaryHeap::new();
        let last = runs.len();
        for (i, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next().map_err(&failed)?.map(|number| Reverse((number, i))));
        }
        heads.extend(gathered.next().map(|number| Reverse((number, last))));
        let mut previous = None;
        while let Some(Reverse((number, i))) = heads.pop() {
            if previous.replace(number) != Some(number) && found(number)?.is_break() {
                break;
            }
            let next = if i == last { gathered.next() } else { runs[i].next().map_err(&failed)? };
            heads.extend(next.map(|number| Reverse((number, i))));
        }
        Ok(())
    }
}

fn failed(folder: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: crate::error::shown(folder), source }
}

fn spill(numbers: &[u64], folder: &Path) -> io::Result<File> {
    let mut out = BufWriter::new(tempfile::tempfile_in(folder)?);
    for number in numbers {
        out.write_all(&number.to_le_bytes())?;
    }
    out.into_inner().map_err(io::IntoInnerError::into_error)
}

/// A sorted run on disk.
struct Run {
    from: BufReader<File>,
    left: u64,
}

impl Run {
    fn open(mut file: File) -> io::Result<Self> {
        let left = file.stream_position()? / 8;
        file.rewind()?;
        Ok(Self { from: BufReader::with_capacity(1 << 16, file), left })
    }

    fn next(&mut self) -> io::Result<Option<u64>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut bytes = [0; 8];
        self.from.read_exact(&mut bytes)?;
        Ok(Some(u64::from_le_bytes(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn spilled_or_not_all_come_once(numbers in prop::collection::vec(0u64..9000, 0..9000), piece in 1usize..700) {
            let mut sorter = Sorter::new(0, &std::env::temp_dir());
            for piece in numbers.chunks(piece) {
                sorter.extend(piece).unwrap();
            }
            let mut sorted = Vec::new();
            sorter.finish(|number| { sorted.push(number); Ok(ControlFlow::Continue(())) }).unwrap();
            let expected: BTreeSet<u64> = numbers.into_iter().collect();
            prop_assert_eq!(sorted, expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_does_not_fit_goes_to_the_folder_that_was_named() {
        let mut sorter = Sorter::new(0, Path::new("/nowhere/at/all"));
        let numbers: Vec<u64> = (0..2000).collect();
        let failed = sorter.extend(&numbers).unwrap_err().to_string();
        assert_eq!(failed, "/nowhere/at/all: its folder does not exist; make it first");
    }
}
