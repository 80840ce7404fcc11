//! The plan of a join: the blocks of bits to partition by, and their thresholds.
//!
//! The generalised pigeonhole: take m blocks of bits with thresholds tᵢ whose sum is
//! D − m + 1. A pair that differed in more than tᵢ bits of every block would differ in
//! Σ(tᵢ + 1) = D + 1 bits or more. So a pair at a distance of at most D differs in at
//! most tᵢ bits of some block i, and lies in one bucket of that block or in two
//! whose values differ in at most tᵢ bits.
//!
//! Few wide blocks with great thresholds compare few pairs but visit many buckets; a
//! search over all ways to spend the 64 bits and the D + 1 finds the cheapest for a
//! number of simhashes, by the costs below. The costs affect the time, never the pairs.
//!
//! Cost: about 10^5 steps.
//!
//! Source: J. Qin et al., *GPH: Similarity Search in Hamming Space*, ICDE 2018.

/// The widest block: its directory of buckets takes 4 bytes × 2^24.
const MAX_BITS: usize = 24;

/// The greatest threshold of a block.
const MAX_THRESHOLD: usize = 3;

/// Cost of a step in nanoseconds, measured on one core: putting a simhash into
/// its bucket, a bucket of the directory, a visit of one bucket by another, and a
/// comparison of two simhashes.
const PLACE: f64 = 16.0;
const BUCKET: f64 = 4.0;
const VISIT: f64 = 12.0;
const COMPARE: f64 = 0.3;

/// Adjacent bits of a simhash. The block finds the pairs that differ in at most `threshold`
/// of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// The place of the lowest bit.
    pub(super) shift: u32,
    /// The number of bits, 0 to 24.
    pub(super) bits: u32,
    /// The greatest number of bits that may differ.
    pub(super) threshold: u32,
}

impl Block {
    /// A block of no bits, in which no pair differs: all are compared with all.
    const NOTHING: Self = Self { shift: 0, bits: 0, threshold: 0 };

    /// The number of values of these bits.
    pub(super) fn values(self) -> usize {
        1 << self.bits
    }

    /// The value of these bits, below [`Block::values`].
    #[inline]
    pub(super) fn value(self, simhash: u64) -> usize {
        (simhash >> self.shift) as usize & (self.values() - 1)
    }

    /// True if this block finds a pair with this exclusive or.
    #[inline]
    pub(super) fn finds(self, difference: u64) -> bool {
        self.value(difference).count_ones() <= self.threshold
    }
}

/// The cheapest blocks that find each pair of `count` simhashes at a distance of at
/// most `max_distance`, from the uppermost bits down.
pub(super) fn plan(count: usize, max_distance: u32) -> Vec<Block> {
    let parts = max_distance as usize + 1;
    // best[s][b]: the cheapest blocks of b bits whose thresholds, each plus one, add up to s.
    let mut best = vec![[(f64::INFINITY, 0, 0); 65]; parts + 1];
    best[0] = [(0.0, 0, 0); 65];
    let costs: Vec<Vec<f64>> = (0..=MAX_THRESHOLD)
        .map(|threshold| (0..=MAX_BITS).map(|bits| cost(count, bits, threshold)).collect())
        .collect();
    for s in 1..=parts {
        for b in 1..=64 {
            for (threshold, costs) in costs.iter().enumerate().take(s) {
                for (bits, cost) in costs.iter().enumerate().take(b + 1).skip(1) {
                    let total = best[s - threshold - 1][b - bits].0 + cost;
                    if total < best[s][b].0 {
                        best[s][b] = (total, bits, threshold);
                    }
                }
            }
        }
    }
    if cost(count, 0, 0) <= best[parts][64].0 {
        return vec![Block::NOTHING];
    }
    let (mut s, mut b) = (parts, 64);
    let mut blocks = Vec::new();
    while s > 0 {
        let (_, bits, threshold) = best[s][b];
        b -= bits;
        s -= threshold + 1;
        blocks.push(Block { shift: b as u32, bits: bits as u32, threshold: threshold as u32 });
    }
    blocks
}

/// The nanoseconds that a block takes over `count` evenly spread simhashes.
fn cost(count: usize, bits: usize, threshold: usize) -> f64 {
    let count = count as f64;
    let buckets = (1u64 << bits) as f64;
    let ball = ball(bits, threshold);
    count * PLACE
        + buckets * BUCKET
        + count.min(buckets) * (ball - 1.0) / 2.0 * VISIT
        + count * count / 2.0 * ball / buckets * COMPARE
}

/// The number of values that differ from one in at most `threshold` of `bits` bits.
fn ball(bits: usize, threshold: usize) -> f64 {
    let (mut ball, mut sphere) = (1.0, 1.0);
    for i in 0..threshold.min(bits) {
        sphere *= (bits - i) as f64 / (i + 1) as f64;
        ball += sphere;
    }
    ball
}
