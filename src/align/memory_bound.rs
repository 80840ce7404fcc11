//! A bound on the memory of all alignments together, whatever the number of threads.
//!
//! Short texts need little and hardly ever wait; of the longest texts, one pair is aligned at a time.

use super::words::Words;
use crate::memory::{Reserved, Room};

/// Memory in bytes for each word of two texts.
const OF_A_WORD: u64 = 128;

/// Maximum number of words aligned at a time unless there is less memory: two of the longest texts, in 256 MB.
const MOST: usize = 2 * Words::MOST;

/// Factor by which the words of a pair are counted: texts no longer than a stretch take up to twice the memory
/// a word.
const MORE: usize = 2;

/// Maximum number of words of two texts of which two stretches are aligned at a time, each in 80 MB.
const MOST_OF_TWO: usize = MOST / 4;

/// The memory of all alignments that run at a time.
#[derive(Debug)]
pub struct AlignmentMemory(Room);

impl Default for AlignmentMemory {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl AlignmentMemory {
    /// Memory of so many bytes, and no more than two of the longest texts need.
    pub fn new(bytes: u64) -> Self {
        Self(Room::new(bytes.min(MOST as u64 * OF_A_WORD)))
    }

    /// Number of words of a text that can always be aligned with another as long.
    pub fn words(&self) -> usize {
        (self.0.all() / OF_A_WORD / 2) as usize
    }

    /// Number of threads for two texts with this many words together: one if there is no room for two stretches.
    pub(super) fn threads(&self, words: usize, threads: usize) -> usize {
        let is_whole = self.0.all() == MOST as u64 * OF_A_WORD;
        if is_whole || bytes(words, 2) <= self.0.all() { threads } else { 1 }
    }

    /// Waits until two texts with this many words together may be aligned, so many stretches at a time. The room is
    /// held until the result is dropped.
    pub(super) fn enter(&self, words: usize, at_once: usize) -> Reserved<'_> {
        self.0.enter(bytes(words, at_once))
    }
}

/// Number of stretches of two texts with this many words together that are aligned at a time, at least one.
pub(super) fn at_once(words: usize, stretches: usize, threads: usize) -> usize {
    if words <= MOST_OF_TWO { threads.min(stretches).clamp(1, 2) } else { 1 }
}

/// The memory for two texts with this many words together.
fn bytes(words: usize, at_once: usize) -> u64 {
    (words as u64).saturating_mul((at_once * MORE) as u64 * OF_A_WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_stretches_of_shorter_texts_are_aligned_at_a_time() {
        let of = |words, stretches, threads| at_once(words, stretches, threads);
        assert_eq!([of(MOST_OF_TWO, 3, 2), of(MOST_OF_TWO, 3, 8), of(MOST_OF_TWO + 1, 3, 2)], [2, 2, 1]);
        assert_eq!([of(100, 3, 1), of(100, 3, 0), of(100, 1, 8), of(0, 0, 8)], [1; 4]);
        const { assert!(2 * MORE * MOST_OF_TWO <= MOST) };
        let memory = AlignmentMemory::default();
        assert_eq!([memory.threads(MOST, 3), AlignmentMemory::new(bytes(100, 1)).threads(100, 3)], [3, 1]);
        assert_eq!([memory.words(), AlignmentMemory::new(256 * 77).words()], [Words::MOST, 77]);
    }
}
