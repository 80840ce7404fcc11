//! Partition: simhashes grouped by the value of one block of bits.
//!
//! A counting sort in two levels. The first scatters by the block's upper bits, into few
//! enough streams for the processor's caches. The second sorts each stream by the lower
//! bits, in a scratch buffer that is small when the values are spread. Both are stable.
//!
//! Cost: O(n + 2^bits). Memory: 12 bytes per simhash, 4 per bucket, and 12 per simhash of
//! the commonest value of the upper bits.

use std::ops::Range;

use super::plan::Block;
use crate::sketch::scan::LANES;

/// Number of bits of the first level: 2^8 streams stay in the processor's caches.
const UPPER_BITS: u32 = 8;

/// Simhashes in buckets, and a number with each.
#[derive(Debug)]
pub(super) struct Partition {
    /// The simhashes bucket by bucket, then [`LANES`] of padding, so that the last
    /// bucket can also be read in whole chunks.
    simhashes: Vec<u64>,
    numbers: Vec<u32>,
    /// The end of each bucket; it starts at the end of the one before it.
    ends: Vec<u32>,
    scratch: (Vec<u64>, Vec<u32>),
}

impl Partition {
    /// Room for `count` simhashes.
    pub(super) fn new(count: usize) -> Self {
        Self {
            simhashes: vec![0; count + LANES],
            numbers: vec![0; count + LANES],
            ends: Vec::new(),
            scratch: (Vec::new(), Vec::new()),
        }
    }

    /// Replaces the content by these simhashes, as many as there is room for, in the buckets
    /// of a block; `number` gives the number of each place of the slice.
    pub(super) fn fill(&mut self, simhashes: &[u64], number: impl Fn(usize) -> u32, block: Block) {
        let upper_bits = block.bits.min(UPPER_BITS);
        let lower_bits = block.bits - upper_bits;
        let mut upper_ends = vec![0; 1 << upper_bits];
        for &simhash in simhashes {
            upper_ends[block.value(simhash) >> lower_bits] += 1;
        }
        starts(&mut upper_ends, 0);
        for (place, &simhash) in simhashes.iter().enumerate() {
            let end = &mut upper_ends[block.value(simhash) >> lower_bits];
            self.simhashes[*end as usize] = simhash;
            self.numbers[*end as usize] = number(place);
            *end += 1;
        }

        self.ends.clear();
        self.ends.resize(block.values(), 0);
        let mut start = 0;
        for (ends, &end) in self.ends.chunks_exact_mut(1 << lower_bits).zip(&upper_ends) {
            let range = start as usize..end as usize;
            sort(&mut self.simhashes[range.clone()], &mut self.numbers[range], ends, start, block, &mut self.scratch);
            start = end;
        }
    }

    /// Sorts each bucket by simhash and number.
    pub(super) fn sort_buckets(&mut self) {
        let mut entries = Vec::new();
        for value in 0..self.ends.len() {
            let bucket = self.bucket(value);
            let (simhashes, numbers) = (&mut self.simhashes[bucket.clone()], &mut self.numbers[bucket]);
            // Any number of copies in the order of their documents are sorted already.
            if !simhashes.iter().zip(&*numbers).is_sorted() {
                entries.clear();
                entries.extend(simhashes.iter().copied().zip(numbers.iter().copied()));
                entries.sort_unstable();
                for ((simhash, number), &entry) in simhashes.iter_mut().zip(numbers).zip(&entries) {
                    (*simhash, *number) = entry;
                }
            }
        }
    }

    /// The simhashes and their numbers.
    pub(super) fn into_parts(mut self) -> (Vec<u64>, Vec<u32>) {
        let count = self.simhashes.len() - LANES;
        self.simhashes.truncate(count);
        self.numbers.truncate(count);
        (self.simhashes, self.numbers)
    }

    /// The simhashes, bucket by bucket.
    #[inline]
    pub(super) fn simhashes(&self) -> &[u64] {
        &self.simhashes
    }

    /// The number that goes with each simhash.
    #[inline]
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The places of the simhashes whose block has this value.
    #[inline]
    pub(super) fn bucket(&self, value: usize) -> Range<usize> {
        let start = if value == 0 { 0 } else { self.ends[value - 1] as usize };
        start..self.ends[value] as usize
    }
}

/// Sorts simhashes with equal upper bits, which start at `start`, by the lower bits of the
/// block; leaves the ends of their buckets in `ends`.
fn sort(
    simhashes: &mut [u64],
    numbers: &mut [u32],
    ends: &mut [u32],
    start: u32,
    block: Block,
    scratch: &mut (Vec<u64>, Vec<u32>),
) {
    let mask = ends.len() - 1;
    for &simhash in &*simhashes {
        ends[block.value(simhash) & mask] += 1;
    }
    starts(ends, start);
    scratch.0.clear();
    scratch.0.extend_from_slice(simhashes);
    scratch.1.clear();
    scratch.1.extend_from_slice(numbers);
    for (&simhash, &number) in scratch.0.iter().zip(&scratch.1) {
        let end = &mut ends[block.value(simhash) & mask];
        let place = (*end - start) as usize;
        simhashes[place] = simhash;
        numbers[place] = number;
        *end += 1;
    }
}

/// Turns counts into starts, the first of which is `start`.
fn starts(counts: &mut [u32], mut start: u32) {
    for count in counts {
        start += std::mem::replace(count, start);
    }
}
