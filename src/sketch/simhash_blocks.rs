//! Keys of a simhash: documents that share one are candidates for the Hamming rule.
//!
//! The 64 bits are cut into blocks. If two simhashes differ in at most D bits, at most D blocks differ and all
//! others are equal. Every choice of `blocks − D` blocks makes a key, so a pair within D always shares at least
//! one.
//!
//! More blocks give longer keys, which fewer unrelated documents share, but also more keys. Where no number of
//! blocks pays, every simhash is compared.
//!
//! Cost: C(blocks, D) keys a document.
//!
//! Source: G. S. Manku, A. Jain, A. Das Sarma, *Detecting near-duplicates for web crawling*, 2007, section 3.

use super::bands::{choose, combinations};
use crate::sketch::minhash::mix;

/// Maximum number of keys a document.
const MAX_KEYS: usize = 40;

/// Time to compare one simhash in a scan, as a share of the time to follow a key to another document: half a
/// nanosecond against a cache miss.
const SCAN_SHARE: f64 = 1.0 / 160.0;

/// The bits of a simhash that make each key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocks(Vec<u64>);

impl Blocks {
    /// The keys that find simhashes within `max_distance` fastest among this many documents; `None` if a scan
    /// of all is faster.
    pub fn choose(max_distance: u32, documents: usize) -> Option<Self> {
        let distance = max_distance as usize;
        let scan = documents as f64 * SCAN_SHARE;
        let (mut best, mut least) = (None, scan);
        for blocks in distance + 1..=(distance + 4).min(64) {
            let keys = choose(blocks, distance);
            let bits = 64.0 * (blocks - distance) as f64 / blocks as f64;
            let cost = keys as f64 * (1.0 + documents as f64 / bits.exp2());
            if keys <= MAX_KEYS && cost < least {
                (best, least) = (Some(blocks), cost);
            }
        }
        best.map(|blocks| Self::new(blocks, blocks - distance))
    }

    /// A key for every choice of `equal` out of `blocks` blocks.
    fn new(blocks: usize, equal: usize) -> Self {
        let start = |block: usize| 64 * block / blocks;
        let bits = |block: usize| (start(block)..start(block + 1)).fold(0u64, |mask, bit| mask | 1 << bit);
        let mut masks = Vec::new();
        combinations(blocks, equal, &mut |chosen| masks.push(chosen.iter().fold(0, |mask, &block| mask | bits(block))));
        Self(masks)
    }

    /// The number of keys of a document.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are no keys, which [`Blocks::choose`] never returns.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A hash of the bits of a key.
    pub fn key(&self, key: usize, simhash: u64) -> u64 {
        mix((simhash & self.0[key]).wrapping_add((key as u64).rotate_right(8)).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn more_documents_take_longer_keys() {
        let keys = |distance, documents| Blocks::choose(distance, documents).map(|blocks| blocks.len());
        assert_eq!(keys(0, 1_000_000), Some(1));
        assert_eq!(keys(3, 30_000), Some(4));
        assert_eq!(keys(3, 10_000_000), Some(10));
        assert_eq!(keys(3, 100), None);
        assert_eq!(keys(12, 1_000_000), None);
    }

    proptest! {
        #[test]
        fn near_simhashes_share_a_key(
            simhash: u64,
            bits in prop::collection::vec(0u32..64, 0..8),
            documents in 1_000usize..100_000_000,
        ) {
            let other = bits.iter().fold(simhash, |value, bit| value ^ 1 << bit);
            let distance = (simhash ^ other).count_ones();
            if let Some(blocks) = Blocks::choose(distance, documents) {
                prop_assert!((0..blocks.len()).any(|key| blocks.key(key, simhash) == blocks.key(key, other)));
            }
        }

        #[test]
        fn every_bit_is_in_a_block(blocks in 1usize..17) {
            let each = Blocks::new(blocks, 1);
            prop_assert_eq!(each.len(), blocks);
            prop_assert_eq!(each.0.iter().fold(0u64, |all, mask| { assert_eq!(all & mask, 0); all | mask }), u64::MAX);
        }
    }
}
