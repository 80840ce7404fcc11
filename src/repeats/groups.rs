//! Equal windows, brought together by sorting.
//!
//! Windows are sorted by 93 bits of their hashes, and those that stand twice are sorted back by their places. Windows of
//! which any two overlap stand once.
//!
//! Cost: some 18 bytes of disk a window that may stand twice, and some 3 for one that does: names in a row differ by 1.

use std::ops::ControlFlow;
use std::path::Path;

use super::copies::{Place, RepeatedWindows, Window, place, rank, word};
use crate::error::Result;
use crate::sorter::Sorter;

/// The mark of a row with the number of places of a window, at the first of them.
const COUNT: u64 = 1 << 63;

/// Numbers of places of windows, by their names in order: stretches of windows with the same number.
#[derive(Debug, Default)]
pub(super) struct Counts(Vec<(Place, u32, u32)>);

impl Counts {
    pub(super) fn push(&mut self, name: Place, count: u32) {
        match self.0.last_mut() {
            Some((first, windows, of_each)) if *first + u64::from(*windows) == name && *of_each == count => {
                *windows += 1;
            }
            _ => self.0.push((name, 1, count)),
        }
    }

    pub(super) fn of(&self, name: Place) -> u32 {
        let behind = self.0.partition_point(|&(first, ..)| first <= name);
        behind.checked_sub(1).map_or(0, |at| self.0[at].2)
    }
}

/// Windows that may stand twice.
#[derive(Debug)]
pub(super) struct Groups {
    /// Rows of the two parts of a hash and the place.
    by_hash: Sorter<[u64; 3]>,
    length: u32,
    /// Bits of a place on disk for the number of a word.
    word_bits: u32,
    memory: usize,
}

impl Groups {
    /// No windows yet, of documents with at most `longest` words.
    pub(super) fn new(length: u32, longest: u32, memory: usize, temp: &Path) -> Self {
        Self { by_hash: Sorter::new(memory / 2, temp), length, word_bits: u32::BITS - longest.leading_zeros(), memory }
    }

    /// The bits of a place on disk that have the number of a word.
    fn word_mask(&self) -> u64 {
        (1 << self.word_bits) - 1
    }

    /// Adds some windows of a document.
    pub(super) fn extend(&mut self, of_rank: u32, windows: &[(u32, [u64; 2])]) -> Result<()> {
        // A text that has grown since its words were counted must not change the rank.
        let (word_bits, word_mask) = (self.word_bits, self.word_mask());
        let row = |&(at, [a, b]): &(u32, [u64; 2])| {
            [a, b & u64::from(u32::MAX), u64::from(of_rank) << word_bits | u64::from(at) & word_mask]
        };
        self.by_hash.extend(&windows.iter().map(row).collect::<Vec<_>>())
    }

    /// Calls `take` with the windows of each document that stand twice, by rank, and then with the counts so far.
    pub(super) fn each_document(
        self,
        temp: &Path,
        mut take: impl FnMut(u32, &RepeatedWindows, &Counts) -> Result<()>,
    ) -> Result<()> {
        let mut by_place: Sorter<[u64; 2]> = Sorter::new(self.memory / 2, temp);
        let mut group = Group { hash: [0; 2], first: 0, last: 0, count: 0, others: Vec::new() };
        let word_mask = self.word_mask();
        self.by_hash.finish(|[a, b, packed]| {
            let place = place((packed >> self.word_bits) as u32, (packed & word_mask) as u32);
            if group.count == 0 || group.hash != [a, b] {
                group.finish(self.length, &mut by_place)?;
                group = Group {
                    hash: [a, b],
                    first: place,
                    last: place,
                    count: 1,
                    others: std::mem::take(&mut group.others),
                };
            } else {
                group.push(place, self.length, &mut by_place)?;
            }
            Ok::<_, crate::Error>(ControlFlow::Continue(()))
        })?;
        group.finish(self.length, &mut by_place)?;
        let (mut counts, mut windows, mut of_rank) = (Counts::default(), RepeatedWindows::default(), 0);
        by_place.finish(|[place, name]| {
            if rank(place) != of_rank {
                take(of_rank, &windows, &counts)?;
                windows.clear();
                of_rank = rank(place);
            }
            let is_first = name & COUNT != 0;
            if is_first {
                counts.push(place, name as u32);
            }
            windows.push(Window { at: word(place), name: if is_first { place } else { name } });
            Ok::<_, crate::Error>(ControlFlow::Continue(()))
        })?;
        take(of_rank, &windows, &counts)
    }
}

/// Equal windows.
struct Group {
    hash: [u64; 2],
    first: Place,
    last: Place,
    count: u32,
    /// The places behind the first that overlap it, until one does not.
    others: Vec<Place>,
}

impl Group {
    fn stands_twice(&self, length: u32) -> bool {
        rank(self.first) != rank(self.last) || word(self.last) - word(self.first) >= length
    }

    /// Adds a place; they come in order.
    fn push(&mut self, place: Place, length: u32, out: &mut Sorter<[u64; 2]>) -> Result<()> {
        self.last = place;
        self.count = self.count.saturating_add(1);
        self.others.push(place);
        if self.stands_twice(length) { self.spill(out) } else { Ok(()) }
    }

    fn spill(&mut self, out: &mut Sorter<[u64; 2]>) -> Result<()> {
        let first = self.first;
        self.others.drain(..).try_for_each(|place| out.extend(&[[place, first]]))
    }

    fn finish(&mut self, length: u32, out: &mut Sorter<[u64; 2]>) -> Result<()> {
        if self.count > 1 && self.stands_twice(length) {
            out.extend(&[[self.first, COUNT | u64::from(self.count)]])?;
            self.spill(out)?;
        }
        self.others.clear();
        Ok(())
    }
}
