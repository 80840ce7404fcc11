//! What search tables are made for.

use serde::{Deserialize, Serialize};

use super::BANDS;
use crate::sketch::bands::Bands;
use crate::sketch::minhash::MAX_SKETCHES;

/// Tables of this distance leave one document of 32 to be looked at, and of a greater one so
/// many more that a look at all is as fast.
pub const MAX_DISTANCE: u32 = 7;

/// So many entries of a table have one head, on average.
const ENTRIES_A_HEAD: usize = 8;

/// Which rows of sketches and which bits of simhashes are in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookupPlan {
    /// Simhashes within this distance, in bits, are always found.
    pub max_distance: u32,
    /// A band: so many rows,
    pub rows: usize,
    /// of each choice of so many,
    pub of: usize,
    /// in so many groups.
    pub groups: usize,
}

impl LookupPlan {
    /// Tables that find simhashes within a distance, and of pairs with this Jaccard coefficient
    /// the share `recall`. A distance beyond 7 bits has none.
    pub fn new(sketches: usize, max_distance: u32, similarity: f64, recall: f64) -> Self {
        let (rows, of, groups) = Bands::choose(sketches, similarity, recall).shape();
        Self { max_distance: max_distance.min(MAX_DISTANCE), rows, of, groups }
    }

    /// The bands, for a query by this Jaccard coefficient with this chance.
    pub fn bands(&self, sketches: usize, similarity: f64, recall: f64) -> Bands {
        Bands::of_shape(sketches, (self.rows, self.of, self.groups), similarity, recall)
    }

    /// Whether there can be such tables.
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

    /// Where a block begins, in bits from the uppermost, and how many of its bits have a head in
    /// tables of so many documents.
    pub(super) fn block(&self, block: usize, documents: usize) -> (u32, u32) {
        let start = |block: usize| (64 * block / self.blocks()) as u32;
        (start(block), (start(block + 1) - start(block)).min(head_bits(documents)))
    }

    /// The number of heads of the blocks before this one, each with its end.
    pub(super) fn heads_before(&self, block: usize, documents: usize) -> usize {
        (0..block).map(|block| (1 << self.block(block, documents).1) + 1).sum()
    }

    /// Whether sections of so many elements are the tables of so many documents.
    pub(crate) fn fits(&self, sketches: usize, documents: usize, lengths: &Lengths) -> bool {
        lengths.key_heads == self.keys(sketches) * heads_of_key(documents)
            && lengths.block_heads == self.heads_before(self.blocks(), documents)
            && lengths.parts == lengths.documents
    }
}

/// The number of elements of the sections.
#[derive(Debug)]
pub(crate) struct Lengths {
    pub(crate) key_heads: usize,
    pub(crate) block_heads: usize,
    pub(crate) parts: usize,
    pub(crate) documents: usize,
}

/// How many of the upper bits of a hash have a head in a table of so many entries.
pub(crate) fn head_bits(entries: usize) -> u32 {
    (entries / ENTRIES_A_HEAD).max(1).ilog2().min(28)
}

/// The number of heads of a key, with the end.
pub(super) fn heads_of_key(documents: usize) -> usize {
    (1 << head_bits(documents)) + 1
}
