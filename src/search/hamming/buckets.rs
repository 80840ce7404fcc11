//! Buckets: all pairs within a block's threshold, compared.
//!
//! A bucket is compared with itself and with those buckets whose value is greater and
//! within the threshold. These are often many and small; they are gathered into one
//! list first, so that the loop of comparisons is long and works in whole chunks.
//!
//! Cost: as `plan` estimates it; memory for as many small buckets as are within the
//! threshold of one.

use std::iter::once;
use std::ops::{ControlFlow, Range};

use super::partition::Partition;
use super::plan::Block;
use crate::sketch::scan::{LANES, scan_lanes};

/// One block's part of a join.
pub(super) struct Pass<'a, F> {
    pub(super) partition: &'a Partition,
    pub(super) block: Block,
    /// The blocks whose pairs have been reported already.
    pub(super) earlier: &'a [Block],
    pub(super) max_distance: u32,
    pub(super) found: &'a mut F,
}

impl<F: FnMut(u32, u32, u32) -> ControlFlow<()>> Pass<'_, F> {
    /// Reports the pairs that this block finds and no earlier one does.
    pub(super) fn run(self) -> ControlFlow<()> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            #[target_feature(enable = "avx2,popcnt")]
            fn run_avx2<F: FnMut(u32, u32, u32) -> ControlFlow<()>>(pass: Pass<F>) -> ControlFlow<()> {
                pass.run_buckets()
            }
            #[expect(unsafe_code, reason = "the same loop, compiled for AVX2 and POPCNT")]
            // SAFETY: the processor has both, as checked above.
            return unsafe { run_avx2(self) };
        }
        self.run_buckets()
    }

    /// Compares each bucket with itself and with those after it within the threshold.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
    pub(super) fn run_buckets(mut self) -> ControlFlow<()> {
        let flips = Flips::new(self.block);
        let (simhashes, numbers) = (self.partition.simhashes(), self.partition.numbers());
        let (mut small, mut great) = (Gathered::new(1 + flips.greatest_number()), Vec::new());
        for value in 0..self.block.values() {
            let bucket = self.partition.bucket(value);
            if bucket.is_empty() {
                continue;
            }
            small.len = 0;
            great.clear();
            let others = flips.upward(value).map(|flip| self.partition.bucket(value ^ flip));
            for other in once(bucket.clone()).chain(others) {
                if other.len() <= SMALL {
                    small.push(simhashes, numbers, other);
                } else {
                    great.push(other);
                }
            }
            // Within its own bucket a simhash is compared only with those after it.
            let own = usize::from(bucket.len() <= SMALL);
            for (i, place) in bucket.enumerate() {
                let from = own * (i + 1);
                self.compare(place, &small.simhashes[from..], &small.numbers[from..], small.len - from)?;
                for other in &great {
                    let from = other.start.max(place + 1);
                    self.compare(place, &simhashes[from..], &numbers[from..], other.end - from)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Compares the simhash at a place with the first `len` of others, whose slices are
    /// [`LANES`] longer at least.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
    fn compare(&mut self, place: usize, simhashes: &[u64], numbers: &[u32], len: usize) -> ControlFlow<()> {
        let Self { partition, earlier, max_distance, found, .. } = self;
        let simhash = partition.simhashes()[place];
        let chunks = &simhashes[..len.next_multiple_of(LANES)];
        let number = partition.numbers()[place];
        scan_lanes(chunks, simhash, *max_distance, |other, distance| {
            let difference = simhash ^ simhashes[other];
            if other >= len || earlier.iter().any(|block| block.finds(difference)) {
                return ControlFlow::Continue(());
            }
            let other = numbers[other];
            found(number.min(other), number.max(other), distance)
        })
    }
}

/// Maximum number of simhashes in a small bucket; larger buckets are compared in place.
const SMALL: usize = 8 * LANES;

/// The simhashes of many small buckets one after the other, to be compared in whole
/// chunks.
struct Gathered {
    simhashes: Vec<u64>,
    numbers: Vec<u32>,
    len: usize,
}

impl Gathered {
    /// Room for `buckets` small buckets.
    fn new(buckets: usize) -> Self {
        let room = buckets * SMALL + LANES;
        Self { simhashes: vec![0; room], numbers: vec![0; room], len: 0 }
    }

    /// Adds a small bucket, in whole chunks: the next one overwrites the excess.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
    fn push(&mut self, simhashes: &[u64], numbers: &[u32], bucket: Range<usize>) {
        for (from, to) in bucket.clone().step_by(LANES).zip((self.len..).step_by(LANES)) {
            self.simhashes[to..to + LANES].copy_from_slice(&simhashes[from..from + LANES]);
            self.numbers[to..to + LANES].copy_from_slice(&numbers[from..from + LANES]);
        }
        self.len += bucket.len();
    }
}

/// The ways to change a block's value within its threshold.
struct Flips {
    /// The bits to change, by the uppermost of them.
    by_top: Vec<Vec<usize>>,
    mask: usize,
}

impl Flips {
    fn new(block: Block) -> Self {
        let bits = if block.threshold == 0 { 0 } else { block.bits as usize };
        let lower = |top: usize| (0..1usize << top).filter(|lower| lower.count_ones() < block.threshold);
        let by_top = (0..bits).map(|top| lower(top).map(|lower| 1 << top | lower).collect()).collect();
        Self { by_top, mask: (1 << bits) - 1 }
    }

    /// Maximum number of flips that make one value greater.
    fn greatest_number(&self) -> usize {
        self.by_top.iter().map(Vec::len).sum()
    }

    /// The flips that make the value greater, so that two buckets meet once: the uppermost
    /// bit that changes is a 0.
    #[inline]
    fn upward(&self, value: usize) -> impl Iterator<Item = usize> {
        let mut zeros = !value & self.mask;
        let next_zero = move || {
            let top = zeros.checked_ilog2()? as usize;
            zeros ^= 1 << top;
            Some(top)
        };
        std::iter::from_fn(next_zero).flat_map(|top| &self.by_top[top]).copied()
    }
}
