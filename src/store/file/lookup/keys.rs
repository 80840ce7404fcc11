//! Sorted entries, found by their hash.

/// Ascending entries, each with a hash in its upper half, and the start of each value of the
/// hash's upper bits.
///
/// An invalid table, as in a damaged file, finds nothing.
#[derive(Debug, Clone, Copy)]
pub struct Table<'m> {
    /// The start of each value of the upper bits in `entries`, and the end of the last: a power of
    /// two, plus one.
    pub heads: &'m [u64],
    /// Each a hash of 32 bits in the upper half, and the item that has it in the lower.
    pub entries: &'m [u64],
}

impl<'m> Table<'m> {
    /// The entries of a hash.
    pub fn of(&self, hash: u32) -> &'m [u64] {
        let all = self.heads.len().saturating_sub(1);
        if !all.is_power_of_two() {
            return &[];
        }
        let head = head(hash, all);
        let range = self.heads[head] as usize..self.heads[head + 1] as usize;
        let entries = self.entries.get(range).unwrap_or_default();
        let entries = &entries[entries.partition_point(|&entry| (entry >> 32) < u64::from(hash))..];
        &entries[..entries.partition_point(|&entry| (entry >> 32) as u32 == hash)]
    }
}

/// The upper bits of a hash, with `heads` different values, a power of two.
pub(super) fn head(hash: u32, heads: usize) -> usize {
    (u64::from(hash) >> (32 - heads.ilog2())) as usize
}

/// The start of the entries of each value of the hash's upper bits, and the end.
pub(crate) fn heads(entries: &[u64], bits: u32) -> Vec<u64> {
    let all = 1 << bits;
    let mut heads = vec![0; all + 1];
    for &entry in entries {
        heads[head((entry >> 32) as u32, all) + 1] += 1;
    }
    for head in 1..heads.len() {
        heads[head] += heads[head - 1];
    }
    heads
}
