//! Groups: the distinct simhashes of many documents, and the documents that have each.
//!
//! Copies have one simhash, and a join of groups meets each simhash once, so a million
//! copies of one document give no pairs at all.
//!
//! Cost: O(n) for simhashes that are spread, O(n log n) at worst; 12 bytes per document
//! and 4 per group; while they are made, 24 bytes per document and a directory.

use super::partition::Partition;
use super::plan::Block;

/// Distinct simhashes, ascending, and the documents that have each.
///
/// A group is named by its number, 0 to `len() - 1`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    simhashes: Vec<u64>,
    /// The start of each group in `members`.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Groups {
    /// Groups documents by their simhash, each document once and fewer than 2^32 in
    /// all. An empty document has no simhash: leave it out.
    pub fn new(simhashes: impl IntoIterator<Item = (u32, u64)>) -> Self {
        let (documents, simhashes): (Vec<u32>, Vec<u64>) = simhashes.into_iter().unzip();
        let mut partition = Partition::new(simhashes.len());
        // Buckets of some four simhashes by their uppermost bits, sorted one by one.
        let bits = (simhashes.len() / 4).checked_ilog2().unwrap_or(0).min(22);
        let block = Block { shift: 64 - bits.max(1), bits, threshold: 0 };
        partition.fill(&simhashes, |place| documents[place], block);
        drop((documents, simhashes));
        partition.sort_buckets();
        let (mut simhashes, members) = partition.into_parts();

        let firsts = simhashes.chunk_by(|a, b| a == b).scan(0, |start, same| {
            let first = *start;
            *start += same.len() as u32;
            Some(first)
        });
        let starts: Vec<u32> = firsts.collect();
        simhashes.dedup();
        simhashes.shrink_to_fit();
        Self { simhashes, starts, members }
    }

    /// The number of groups.
    pub fn len(&self) -> usize {
        self.simhashes.len()
    }

    /// True if there is no group.
    pub fn is_empty(&self) -> bool {
        self.simhashes.is_empty()
    }

    /// The simhashes of all groups, ascending.
    pub fn simhashes(&self) -> &[u64] {
        &self.simhashes
    }

    /// The simhash that the members of a group have in common.
    pub fn simhash(&self, group: u32) -> u64 {
        self.simhashes[group as usize]
    }

    /// The documents of a group, ascending; at least one.
    pub fn members(&self, group: u32) -> &[u32] {
        let group = group as usize;
        let end = self.starts.get(group + 1).map_or(self.members.len(), |&end| end as usize);
        &self.members[self.starts[group] as usize..end]
    }
}
