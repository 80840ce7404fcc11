//! Simhashes near to a query, among those that are equal to it in a block of bits.

use super::Lookup;
use crate::sketch::simhash::distance;

/// Number of parts compared together: two AVX2 registers.
const LANES: usize = 16;

/// The head of a simhash in a block's table, and the part beside it.
pub(super) fn head_and_part(simhash: u64, (start, bits): (u32, u32)) -> (u32, u32) {
    let turned = simhash.rotate_left(start);
    let head = if bits == 0 { 0 } else { turned >> (64 - bits) };
    (head as u32, (turned << bits >> 32) as u32)
}

impl Lookup<'_> {
    /// Adds the documents whose simhash is at most `max_distance` bits from a query; one may be
    /// added several times. Returns false if `max_distance` exceeds that of the tables,
    /// [`LookupPlan::max_distance`](super::LookupPlan::max_distance).
    pub fn within(&self, simhashes: &[u64], query: u64, max_distance: u32, found: &mut Vec<u32>) -> bool {
        if max_distance > self.plan.max_distance {
            return false;
        }
        for block in 0..self.plan.blocks() {
            self.within_block(block, simhashes, query, max_distance, found);
        }
        true
    }

    /// As [`within`](Self::within), for documents that are equal to the query in one block.
    pub(crate) fn within_block(
        &self,
        block: usize,
        simhashes: &[u64],
        query: u64,
        max_distance: u32,
        found: &mut Vec<u32>,
    ) {
        let (head, part) = head_and_part(query, self.plan.block(block, self.all));
        let head = self.plan.heads_before(block, self.all) + head as usize;
        let Some(&[start, end]) = self.block_heads.get(head..head + 2) else { return };
        let bucket = start as usize..end as usize;
        let parts_and_documents = self.parts.get(bucket.clone()).zip(self.documents.get(bucket));
        let Some((parts, documents)) = parts_and_documents else { return };
        near_parts(parts, part, max_distance, |place| {
            let document = documents[place];
            if simhashes.get(document as usize).is_some_and(|&simhash| distance(simhash, query) <= max_distance) {
                found.push(document);
            }
        });
    }

    /// The sort key of queries on one block: adjacent queries read the same pages.
    pub(crate) fn place_of(&self, block: usize, simhash: u64) -> u64 {
        simhash.rotate_left(self.plan.block(block, self.all).0)
    }
}

/// Calls `found` with the place of each part that is near to the query.
fn near_parts(parts: &[u32], query: u32, max_distance: u32, found: impl FnMut(usize)) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[target_feature(enable = "avx2,popcnt")]
        fn near_avx2(parts: &[u32], query: u32, max_distance: u32, found: impl FnMut(usize)) {
            near_lanes(parts, query, max_distance, found);
        }
        #[expect(unsafe_code, reason = "the same loop, compiled for AVX2 and POPCNT")]
        // SAFETY: the processor has both, as checked above.
        return unsafe { near_avx2(parts, query, max_distance, found) };
    }
    near_lanes(parts, query, max_distance, found);
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
fn near_lanes(parts: &[u32], query: u32, max_distance: u32, mut found: impl FnMut(usize)) {
    let is_near = |part: u32| (part ^ query).count_ones() <= max_distance;
    let (chunks, rest) = parts.as_chunks::<LANES>();
    for (chunk, lanes) in chunks.iter().enumerate() {
        // No branch per lane: most chunks have no near part.
        if lanes.iter().fold(false, |near, &lane| near | is_near(lane)) {
            (0..LANES).filter(|&lane| is_near(lanes[lane])).for_each(|lane| found(chunk * LANES + lane));
        }
    }
    let first = chunks.len() * LANES;
    (0..rest.len()).filter(|&lane| is_near(rest[lane])).for_each(|lane| found(first + lane));
}
