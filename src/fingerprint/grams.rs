//! N-grams of a stream of hashes, made in blocks.
//!
//! The later stages take [`BLOCK`] hashes at a time, so memory does not depend on the length of
//! the text. The last `max − 1` hashes of a block are carried over to the next block, into which
//! their n-grams reach.

use std::ops::RangeInclusive;

use crate::sketch::rabin::{MAX_NGRAM, Rabin};
use crate::text::{NgramRange, ngrams};

/// Number of hashes in a block.
pub(super) const BLOCK: usize = if cfg!(test) { 512 } else { 4096 };

// Two modules state the limit; they must agree.
const _: () = assert!(ngrams::MAX_SIZE == MAX_NGRAM);
const _: () = assert!(ngrams::MAX_SIZE < BLOCK);

/// The hashes of one text's words or terms, and their n-grams.
#[derive(Debug)]
pub(super) struct Grams {
    range: NgramRange,
    rabin: Rabin,
    /// The hashes carried over, then those of this block.
    hashes: Vec<u64>,
    carried: usize,
    /// The number of hashes before this block.
    before: usize,
    block: Vec<u64>,
}

impl Grams {
    pub(super) fn new(range: NgramRange, rabin: Rabin) -> Self {
        Self { range, rabin, hashes: Vec::with_capacity(BLOCK), carried: 0, before: 0, block: Vec::new() }
    }

    /// Begins another text.
    pub(super) fn clear(&mut self) {
        self.hashes.clear();
        (self.carried, self.before) = (0, 0);
    }

    /// Adds a hash; true if the block is full and must be [`taken`](Self::full).
    #[inline]
    pub(super) fn push(&mut self, hash: u64) -> bool {
        self.hashes.push(hash);
        self.hashes.len() == BLOCK
    }

    /// The number of hashes of the text so far.
    pub(super) fn len(&self) -> usize {
        self.before + self.hashes.len() - self.carried
    }

    /// The hashes of this block, without those carried over.
    pub(super) fn fresh(&self) -> &[u64] {
        &self.hashes[self.carried..]
    }

    /// The n-grams that end in a full block.
    pub(super) fn full(&mut self) -> &[u64] {
        self.take(self.range.min()..=self.range.max())
    }

    /// The n-grams that end in the last block of the text.
    pub(super) fn rest(&mut self) -> &[u64] {
        self.take(self.range.sizes(self.len()))
    }

    fn take(&mut self, sizes: RangeInclusive<usize>) -> &[u64] {
        self.block.clear();
        for n in sizes {
            let first = (self.carried + 1).saturating_sub(n);
            self.rabin.ngrams(&self.hashes[first..], n, &mut self.block);
        }
        self.before = self.len();
        self.carried = self.hashes.len().min(self.range.max() - 1);
        self.hashes.drain(..self.hashes.len() - self.carried);
        &self.block
    }
}
