//! The Hamming self-join: every pair of simhashes at a distance of at most D bits.
//!
//! Equal simhashes are collapsed to [`Groups`] first. Two simhashes that differ in few
//! bits differ in very few bits of some block (`plan`). So for each block in turn the
//! groups are partitioned by the value of its bits (`partition`). Only groups whose values
//! differ in no more bits than the block's threshold are compared, by their
//! distance over all 64 bits. Several blocks may find a pair, but only the first
//! reports it, so that no set of results is needed.
//!
//! Cost for n groups, evenly spread: about n²/2 · Σ ballᵢ / 2^bitsᵢ comparisons, where
//! ballᵢ values are within a block's threshold of a value; linear in n until the
//! buckets fill. Groups crowded around few centres share buckets, and a crowd of m
//! costs up to m² / 2 comparisons a block. Memory beside the groups: 12 bytes a group, up
//! to 24 if all crowd together, and a directory of at most 64 MB.
//!
//! Source: G. S. Manku, A. Jain and A. Das Sarma, *Detecting Near-Duplicates for Web
//! Crawling*, WWW 2007; J. Qin et al., *GPH: Similarity Search in Hamming Space*,
//! ICDE 2018.

mod buckets;
mod groups;
mod partition;
mod plan;

use std::ops::ControlFlow;

pub use groups::Groups;

use crate::sketch::simhash::distance;
use buckets::Pass;
use partition::Partition;
use plan::plan;

/// The greatest distance of a join, in bits. Each further bit takes about half as long
/// again, and at 12 a million random simhashes have 114,146 pairs by chance alone.
pub const MAX_DISTANCE: u32 = 12;

/// The error of a join beyond [`MAX_DISTANCE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Hamming distance {found}: expected 0 to {MAX_DISTANCE} bits; for a greater one, scan for each simhash")]
pub struct TooFar {
    /// The distance asked for, in bits.
    pub found: u32,
}

/// Calls `found(a, b, distance)` once for each two groups, `a < b`, whose simhashes are
/// at a Hamming distance of at most `max_distance` bits. Stops and returns `Break`
/// when `found` breaks.
///
/// The order of the calls follows from the simhashes and `max_distance` alone, but is
/// not sorted. Members of one group do not form pairs here. To join two collections,
/// group them together and let `found` skip pairs within one collection: they have been
/// compared already, and an earlier check would cost more.
///
/// # Errors
///
/// [`TooFar`] if the distance is greater than [`MAX_DISTANCE`].
pub fn join<F>(groups: &Groups, max_distance: u32, mut found: F) -> Result<ControlFlow<()>, TooFar>
where
    F: FnMut(u32, u32, u32) -> ControlFlow<()>,
{
    if max_distance > MAX_DISTANCE {
        return Err(TooFar { found: max_distance });
    }
    // Groups are distinct: no two are at distance 0.
    if max_distance == 0 {
        return Ok(ControlFlow::Continue(()));
    }
    let blocks = plan(groups.len(), max_distance);
    let mut partition = Partition::new(groups.len());
    for (i, &block) in blocks.iter().enumerate() {
        partition.fill(groups.simhashes(), |place| place as u32, block);
        let pass = Pass { partition: &partition, block, earlier: &blocks[..i], max_distance, found: &mut found };
        if pass.run().is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// As [`join`], for any distance, by comparing all with all: the specification.
pub fn join_plain<F>(groups: &Groups, max_distance: u32, mut found: F) -> ControlFlow<()>
where
    F: FnMut(u32, u32, u32) -> ControlFlow<()>,
{
    let count = groups.len() as u32;
    for a in 0..count {
        for b in a + 1..count {
            let distance = distance(groups.simhash(a), groups.simhash(b));
            if distance <= max_distance {
                found(a, b, distance)?;
            }
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests;
