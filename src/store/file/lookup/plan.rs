//! The plan of search tables: the rows and bits that they are built on.

use serde::{Deserialize, Serialize};

use super::BANDS;
use crate::sketch::bands::Bands;
use crate::sketch::minhash::MAX_SKETCHES;

/// Maximum distance of search tables, in bits. At this distance one document in 32 is compared;
/// at a greater one so many that a scan of all is as fast.
pub const MAX_DISTANCE: u32 = 7;

/// Average number of entries under one head.
const ENTRIES_A_HEAD: usize = 8;

/// The rows of sketches and the bits of simhashes that are in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookupPlan {
    /// Simhashes within this distance, in bits, are always found.
    pub max_distance: u32,
    /// Number of rows in a band.
    pub rows: usize,
    /// Number of rows in a group; every choice of `rows` of them is a band.
    pub of: usize,
    /// Number of groups.
    pub groups: usize,
}

impl LookupPlan {
    /// Tables that find all simhashes within a distance, and pairs with this Jaccard coefficient
    /// with probability `recall`. A distance beyond [`MAX_DISTANCE`] is reduced to it.
    pub fn new(sketches: usize, max_distance: u32, similarity: f64, recall: f64) -> Self {
        let (rows, of, groups) = Bands::choose(sketches, similarity, recall).shape();
        Self { max_distance: max_distance.min(MAX_DISTANCE), rows, of, groups }
    }

    /// The bands, for a query with this Jaccard threshold and recall.
    pub fn bands(&self, sketches: usize, similarity: f64, recall: f64) -> Bands {
        Bands::of_shape(sketches, (self.rows, self.of, self.groups), similarity, recall)
    }

    /// True if such tables are possible.
    pub(crate) fn is_sound(&self, sketches: usize) -> bool {
        let Self { max_distance, rows, of, groups } = *self;
        max_distance <= MAX_DISTANCE
            && (1..=of).contains(&rows)
            && of <= MAX_SKETCHES.min(sketches)
            && (1..=sketches).contains(&groups)
            && of.saturating_mul(groups) <= sketches
            && Bands::are_few(rows, of, groups)
    }

    /// The number of keys of a document.
    pub(crate) fn keys(&self, sketches: usize) -> usize {
        BANDS + self.bands(sketches, 1.0, 0.0).len()
    }

    /// The number of blocks of a simhash.
    pub(crate) fn blocks(&self) -> usize {
        self.max_distance as usize + 1
    }

    /// The start of a block, in bits from the uppermost, and the number of its bits that select a
    /// head in tables of `documents` documents.
    pub(super) fn block(&self, block: usize, documents: usize) -> (u32, u32) {
        let start = |block: usize| (64 * block / self.blocks()) as u32;
        (start(block), (start(block + 1) - start(block)).min(head_bits(documents)))
    }

    /// The number of heads of the blocks before this one, including the end of each.
    pub(super) fn heads_before(&self, block: usize, documents: usize) -> usize {
        (0..block).map(|block| (1 << self.block(block, documents).1) + 1).sum()
    }

    /// True if sections of these lengths fit `documents` documents.
    pub(crate) fn fits(&self, sketches: usize, documents: usize, lengths: &Lengths) -> bool {
        lengths.key_heads == self.keys(sketches) * heads_of_key(documents)
            && lengths.block_heads == self.heads_before(self.blocks(), documents)
            && lengths.parts == lengths.documents
    }
}

/// The number of elements of each section.
#[derive(Debug)]
pub(crate) struct Lengths {
    pub(crate) key_heads: usize,
    pub(crate) block_heads: usize,
    pub(crate) parts: usize,
    pub(crate) documents: usize,
}

/// Number of upper bits of a hash that select a head in a table of `entries` entries.
pub(crate) fn head_bits(entries: usize) -> u32 {
    (entries / ENTRIES_A_HEAD).max(1).ilog2().min(28)
}

/// The number of heads of a key, including the end.
pub(super) fn heads_of_key(documents: usize) -> usize {
    (1 << head_bits(documents)) + 1
}
