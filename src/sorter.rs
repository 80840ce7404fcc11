//! Numbers, or rows of numbers, sorted within a bound of memory.
//!
//! They are gathered up to the bound, then sorted and written to an unnamed temporary file,
//! which disappears with the process. At the end the sorted runs are merged, and before it as many as 128 of a size,
//! as each is an open file. Duplicates are dropped.
//!
//! On disk each number is its difference from that of the row before, in groups of 7 bits (LEB128): rows in order differ
//! little.
//!
//! Cost: O(n log n); the bytes of each row, in memory up to the bound and at most 10 bytes a number on disk beyond it; 64
//! KiB a run while they are merged.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::memory;

/// What can be sorted: a number, or a row of numbers.
pub trait Row: Copy + Ord {
    /// Its numbers.
    fn numbers(&self) -> &[u64];

    /// The same, to be read from a file.
    fn numbers_mut(&mut self) -> &mut [u64];

    /// A row of zeros.
    fn zero() -> Self;
}

impl Row for u64 {
    fn numbers(&self) -> &[u64] {
        std::slice::from_ref(self)
    }

    fn numbers_mut(&mut self) -> &mut [u64] {
        std::slice::from_mut(self)
    }

    fn zero() -> Self {
        0
    }
}

impl<const N: usize> Row for [u64; N] {
    fn numbers(&self) -> &[u64] {
        self
    }

    fn numbers_mut(&mut self) -> &mut [u64] {
        self
    }

    fn zero() -> Self {
        [0; N]
    }
}

/// Two numbers as one, which sorts by the first.
pub(crate) fn pair(a: u32, b: u32) -> u64 {
    u64::from(a) << 32 | u64::from(b)
}

/// The two numbers of a [`pair`].
pub(crate) fn apart(pair: u64) -> [u32; 2] {
    [(pair >> 32) as u32, pair as u32]
}

/// Number of runs of a size that are merged into one.
const FAN: usize = 128;

/// Sorts rows as they arrive.
#[derive(Debug)]
pub struct Sorter<T: Row = u64> {
    gathered: Vec<T>,
    bound: usize,
    folder: PathBuf,
    /// Runs, each with the number of times that its rows were merged; the most often merged come first.
    runs: Vec<(u32, File)>,
}

impl<T: Row> Sorter<T> {
    /// A sorter that keeps up to `memory` bytes in memory and the rest in `folder`.
    pub fn new(memory: usize, folder: &Path) -> Self {
        let bound = (memory / size_of::<T>()).max(1 << 10);
        Self { gathered: Vec::new(), bound, folder: folder.to_owned(), runs: Vec::new() }
    }

    /// Adds rows.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if a temporary file cannot be written.
    pub fn extend(&mut self, rows: &[T]) -> Result<()> {
        self.gathered.extend_from_slice(rows);
        if self.gathered.len() >= self.bound {
            self.settle();
            // If most were duplicates, there is room again.
            if self.gathered.len() >= self.bound / 2 {
                let run = spill(&self.gathered, &self.folder).map_err(failed(&self.folder))?;
                self.gathered.clear();
                self.push(run)?;
            }
        }
        Ok(())
    }

    /// Adds a run, and merges those of a size if they are many.
    fn push(&mut self, mut run: File) -> Result<()> {
        let mut times = 0;
        loop {
            self.runs.push((times, run));
            let first = self.runs.partition_point(|(other, _)| *other > times);
            if self.runs.len() - first < FAN {
                return Ok(());
            }
            let of_a_size = self.runs.drain(first..).map(|(_, run)| run).collect();
            run = merged(of_a_size, Vec::<T>::new(), &self.folder)?;
            times += 1;
        }
    }

    fn settle(&mut self) {
        self.gathered.sort_unstable();
        self.gathered.dedup();
    }

    /// Calls `found` with all rows, ascending, each once, until it fails or breaks.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if a temporary file cannot be read again, and those of `found`.
    pub fn finish<E: From<Error>>(
        mut self,
        found: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E>,
    ) -> std::result::Result<(), E> {
        self.settle();
        merge(self.runs.into_iter().map(|(_, run)| run).collect(), self.gathered, &self.folder, found)
    }

    /// All rows, ascending, each once.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if a temporary file cannot be written or read again.
    pub fn sorted(mut self) -> Result<Sorted<T>> {
        self.settle();
        let Self { gathered, runs, folder, .. } = self;
        if runs.is_empty() {
            return Ok(Sorted { rows: gathered, file: None, folder });
        }
        let file = merged(runs.into_iter().map(|(_, run)| run).collect(), gathered, &folder)?;
        Ok(Sorted { rows: Vec::new(), file: Some(file), folder })
    }
}

/// Calls `found` with the rows of sorted runs and of a list in order, ascending, each once, until it fails or breaks.
fn merge<T: Row, E: From<Error>>(
    runs: Vec<File>,
    rows: Vec<T>,
    folder: &Path,
    mut found: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E>,
) -> std::result::Result<(), E> {
    let failed = failed(folder);
    let mut runs = runs.into_iter().map(Run::<T>::open).collect::<io::Result<Vec<_>>>().map_err(&failed)?;
    let mut rows = rows.into_iter();
    let mut heads = BinaryHeap::new();
    let last = runs.len();
    for (i, run) in runs.iter_mut().enumerate() {
        heads.extend(run.next().map_err(&failed)?.map(|row| Reverse((row, i))));
    }
    heads.extend(rows.next().map(|row| Reverse((row, last))));
    let mut previous = None;
    // The next row of a run takes the place of the one before: the heap is put in order once a row.
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((row, i)) = *head;
        if previous.replace(row) != Some(row) && found(row)?.is_break() {
            break;
        }
        let next = if i == last { rows.next() } else { runs[i].next().map_err(&failed)? };
        match next {
            Some(row) => *head = Reverse((row, i)),
            None => _ = PeekMut::pop(head),
        }
    }
    Ok(())
}

/// Sorted runs and a list in order as one run.
fn merged<T: Row>(runs: Vec<File>, rows: Vec<T>, folder: &Path) -> Result<File> {
    let mut out = Writer::new(folder).map_err(failed(folder))?;
    merge(runs, rows, folder, |row| {
        out.write(row).map_err(failed(folder))?;
        Ok::<_, Error>(ControlFlow::Continue(()))
    })?;
    out.finish().map_err(failed(folder))
}

/// Rows in order, to be read as often as needed.
#[derive(Debug)]
pub struct Sorted<T: Row> {
    rows: Vec<T>,
    /// The file that has them, if they did not fit.
    file: Option<File>,
    folder: PathBuf,
}

impl<T: Row> Sorted<T> {
    /// Reads the rows from the first; another reading must not have begun before this one ends.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the temporary file cannot be read.
    pub fn read(&self) -> Result<impl Iterator<Item = Result<T>> + '_> {
        let open = |file: &File| {
            let mut file = file.try_clone()?;
            file.seek(SeekFrom::End(0))?;
            Run::<T>::open(file)
        };
        let mut run = self.file.as_ref().map(open).transpose().map_err(failed(&self.folder))?;
        let from_file = std::iter::from_fn(move || run.as_mut()?.next().map_err(failed(&self.folder)).transpose());
        Ok(self.rows.iter().copied().map(Ok).chain(from_file))
    }
}

fn failed(folder: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: crate::error::shown(folder), source }
}

fn spill<T: Row>(rows: &[T], folder: &Path) -> io::Result<File> {
    let mut out = Writer::new(folder)?;
    rows.iter().try_for_each(|&row| out.write(row))?;
    out.finish()
}

/// Number of bytes that are written or read at a time.
const BLOCK: usize = 64 << 10;

/// Maximum number of bytes of a number on disk.
const LONGEST: usize = 10;

/// A sorted run that is written.
struct Writer<T> {
    file: File,
    buffer: Vec<u8>,
    previous: T,
}

impl<T: Row> Writer<T> {
    fn new(folder: &Path) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        Ok(Self { file, buffer: Vec::with_capacity(BLOCK), previous: T::zero() })
    }

    fn write(&mut self, row: T) -> io::Result<()> {
        if self.buffer.len() + LONGEST * row.numbers().len() > BLOCK {
            self.flush()?;
        }
        let previous = std::mem::replace(&mut self.previous, row);
        for (&number, &before) in row.numbers().iter().zip(previous.numbers()) {
            let mut rest = zigzag(number.wrapping_sub(before));
            while rest >= 1 << 7 {
                self.buffer.push(rest as u8 | 1 << 7);
                rest >>= 7;
            }
            self.buffer.push(rest as u8);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.write_all(&self.buffer)?;
        memory::note_spilled(self.buffer.len());
        self.buffer.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<File> {
        self.flush()?;
        Ok(self.file)
    }
}

/// A difference, which may be negative, as a number that is small if the difference is.
fn zigzag(difference: u64) -> u64 {
    (difference << 1) ^ (difference.cast_signed() >> 63).cast_unsigned()
}

/// The difference of a [`zigzag`].
fn unzigzag(number: u64) -> u64 {
    (number >> 1) ^ (number & 1).wrapping_neg()
}

/// A sorted run on disk.
struct Run<T> {
    file: File,
    /// Number of bytes that are not yet read.
    left: u64,
    buffer: Vec<u8>,
    /// The place in the buffer of the next row.
    at: usize,
    previous: T,
}

impl<T: Row> Run<T> {
    fn open(mut file: File) -> io::Result<Self> {
        let left = file.stream_position()?;
        file.rewind()?;
        Ok(Self { file, left, buffer: Vec::new(), at: 0, previous: T::zero() })
    }

    fn next(&mut self) -> io::Result<Option<T>> {
        let columns = self.previous.numbers().len();
        if self.buffer.len() - self.at < LONGEST * columns && self.left > 0 {
            self.fill()?;
        }
        if self.at == self.buffer.len() {
            return Ok(None);
        }
        for number in self.previous.numbers_mut() {
            let mut difference = 0;
            for group in 0..LONGEST {
                let byte = *self.buffer.get(self.at).ok_or(io::ErrorKind::UnexpectedEof)?;
                self.at += 1;
                difference |= u64::from(byte & 0x7F) << (7 * group);
                if byte < 1 << 7 {
                    break;
                }
            }
            *number = number.wrapping_add(unzigzag(difference));
        }
        Ok(Some(self.previous))
    }

    fn fill(&mut self) -> io::Result<()> {
        self.buffer.drain(..self.at);
        self.at = 0;
        let more = self.left.min(BLOCK as u64);
        self.left -= more;
        let start = self.buffer.len();
        self.buffer.resize(start + more as usize, 0);
        self.file.read_exact(&mut self.buffer[start..])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn sorted<T: Row + std::fmt::Debug>(rows: &[T], piece: usize) -> Vec<T> {
        let mut sorter = Sorter::new(0, &std::env::temp_dir());
        rows.chunks(piece).for_each(|piece| sorter.extend(piece).unwrap());
        let mut again = Sorter::new(0, &std::env::temp_dir());
        rows.chunks(piece).for_each(|piece| again.extend(piece).unwrap());
        let again = again.sorted().unwrap();
        let mut all = Vec::new();
        let take = |row| {
            all.push(row);
            Ok::<_, Error>(ControlFlow::Continue(()))
        };
        sorter.finish(take).unwrap();
        for _ in 0..2 {
            assert!(again.read().unwrap().map(Result::unwrap).eq(all.iter().copied()));
        }
        all
    }

    proptest! {
        #[test]
        fn spilled_or_not_all_come_once(numbers in prop::collection::vec(0u64..9000, 0..9000), piece in 1usize..700) {
            let expected: BTreeSet<u64> = numbers.iter().copied().collect();
            prop_assert_eq!(sorted(&numbers, piece), expected.into_iter().collect::<Vec<_>>());
            let rows: Vec<[u64; 2]> = numbers.iter().map(|number| [number / 100, number % 100]).collect();
            let expected: BTreeSet<[u64; 2]> = rows.iter().copied().collect();
            prop_assert_eq!(sorted(&rows, piece), expected.into_iter().collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn rows_of_any_numbers_are_read_as_they_were_written(rows in prop::collection::vec(any::<[u64; 3]>(), 0..30)) {
            let mut rows: Vec<[u64; 3]> = rows.into_iter().flat_map(|[a, b, c]| [[a, b, c], [a, u64::MAX, !c], [0, a, 1]]).collect();
            let ends = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1];
            rows.extend(ends.iter().flat_map(|&a| ends.map(|b| [a, b, !b])));
            let mut run = Run::<[u64; 3]>::open(spill(&rows, &std::env::temp_dir()).unwrap()).unwrap();
            for row in rows {
                prop_assert_eq!(run.next().unwrap(), Some(row));
            }
            prop_assert_eq!(run.next().unwrap(), None);
        }
    }

    #[test]
    fn many_runs_are_few_files() {
        let mut sorter = Sorter::new(0, &std::env::temp_dir());
        let runs = 3 * FAN + 5;
        let rows = (0..runs as u64 * 1024).map(|number| number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        for row in rows.clone() {
            sorter.extend(&[row]).unwrap();
            assert!(sorter.runs.len() < FAN + 3);
        }
        assert_eq!(sorter.runs.len(), 3 + 5);
        let (mut all, mut expected): (Vec<u64>, Vec<u64>) = (Vec::new(), rows.collect());
        expected.sort_unstable();
        let take = |row| {
            all.push(row);
            Ok::<_, Error>(ControlFlow::Continue(()))
        };
        sorter.finish(take).unwrap();
        assert!(all == expected);
    }

    #[test]
    fn what_is_spilled_is_counted() {
        let spilled = memory::spilled;
        let before = spilled();
        let rows: Vec<u64> = (0..3000).collect();
        assert_eq!(sorted(&rows, 700), rows);
        // Both sorters wrote their rows; other tests may write at the same time.
        assert!(spilled() - before >= 2 * 2000, "{}", spilled() - before);
    }

    #[test]
    fn what_does_not_fit_goes_to_the_folder_that_was_named() {
        let mut sorter = Sorter::new(0, Path::new("/nowhere/at/all"));
        let numbers: Vec<u64> = (0..2000).collect();
        let failed = sorter.extend(&numbers).unwrap_err().to_string();
        assert_eq!(failed, "/nowhere/at/all: its folder does not exist; make it first");
    }
}
