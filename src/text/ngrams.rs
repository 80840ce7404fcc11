//! n-grams: runs of `min..=max` consecutive terms.
//!
//! A text with fewer terms than `min` has one n-gram, all its terms; a text with
//! no terms has none.

use std::ops::{Range, RangeInclusive};

use crate::error::{Error, Result};

/// Longest n-gram, in terms. Longer ones would not improve the comparison, and a range of n-grams costs
/// (max − min + 1) features a term.
pub const MAX_SIZE: usize = 100;

/// The empty range of sizes.
#[expect(clippy::reversed_empty_ranges, reason = "that is how an empty inclusive range is written")]
const NONE: RangeInclusive<usize> = 1..=0;

/// The sizes of n-grams in terms, 1 ≤ min ≤ max ≤ [`MAX_SIZE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NgramRange {
    min: usize,
    max: usize,
}

impl NgramRange {
    /// n-grams of `min` to `max` terms, both included.
    ///
    /// # Errors
    ///
    /// [`Error::NgramRange`] unless 1 ≤ min ≤ max ≤ [`MAX_SIZE`].
    pub fn new(min: usize, max: usize) -> Result<Self> {
        if 1 <= min && min <= max && max <= MAX_SIZE {
            Ok(Self { min, max })
        } else {
            Err(Error::NgramRange { min, max, limit: MAX_SIZE })
        }
    }

    /// The smallest size, in terms.
    pub fn min(self) -> usize {
        self.min
    }

    /// The greatest size, in terms.
    pub fn max(self) -> usize {
        self.max
    }

    /// The sizes of the n-grams of a text of `terms` terms.
    pub fn sizes(self, terms: usize) -> RangeInclusive<usize> {
        match terms {
            0 => NONE,
            _ if terms < self.min => terms..=terms,
            _ => self.min..=self.max.min(terms),
        }
    }

    /// Every n-gram of a text of `terms` terms, as a range of terms: size by size, each from front to back.
    pub fn windows(self, terms: usize) -> impl Iterator<Item = Range<usize>> {
        self.sizes(terms).flat_map(move |n| (0..=terms - n).map(move |start| start..start + n))
    }
}

impl Default for NgramRange {
    /// 3-grams.
    fn default() -> Self {
        Self { min: 3, max: 3 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(min: usize, max: usize, terms: usize) -> Vec<Range<usize>> {
        NgramRange::new(min, max).unwrap().windows(terms).collect()
    }

    #[test]
    fn a_range_of_sizes() {
        assert_eq!(windows(2, 3, 4), [0..2, 1..3, 2..4, 0..3, 1..4]);
        assert_eq!(windows(1, 100, 2), [0..1, 1..2, 0..2]);
    }

    #[test]
    fn short_texts_have_one_ngram_and_empty_ones_none() {
        assert_eq!(windows(3, 3, 2), vec![0..2]);
        assert_eq!(windows(3, 5, 1), vec![0..1]);
        assert!(windows(3, 3, 0).is_empty());
    }

    #[test]
    fn senseless_ranges_are_errors() {
        for (min, max) in [(0, 3), (4, 3), (1, 101), (0, 0)] {
            let message = NgramRange::new(min, max).unwrap_err().to_string();
            assert_eq!(
                message,
                format!("n-gram sizes {min} to {max}: expected 1 ≤ min ≤ max ≤ 100; both default to 3")
            );
        }
    }
}
