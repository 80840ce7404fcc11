//! Scan: the simhashes of a slice that are near a query, found by comparing each.
//!
//! No index pays at large distances: any filter would let nearly everything through.
//! Distances are counted a chunk at a time, all lanes at once and without a branch; only a
//! chunk with a near lane is examined again.
//!
//! Cost: 8 bytes of memory read per simhash, which is what bounds a long scan; AVX2 and
//! POPCNT where the processor has them, chosen at run time.

use std::ops::ControlFlow;

use super::simhash::distance;

/// Number of simhashes compared together: two AVX2 registers.
pub const LANES: usize = 8;

/// Calls `found(place, distance)` for each simhash of the slice at a Hamming distance
/// of at most `max_distance` bits from the query, in the order of the slice.
pub fn within(simhashes: &[u64], query: u64, max_distance: u32, mut found: impl FnMut(usize, u32)) {
    let found = |place, distance| {
        found(place, distance);
        ControlFlow::Continue(())
    };
    let _: ControlFlow<()> = scan(simhashes, query, max_distance, found);
}

/// As [`within`], one simhash after the other: the specification.
pub fn within_plain(simhashes: &[u64], query: u64, max_distance: u32, mut found: impl FnMut(usize, u32)) {
    for (place, &simhash) in simhashes.iter().enumerate() {
        let distance = distance(simhash, query);
        if distance <= max_distance {
            found(place, distance);
        }
    }
}

fn scan<F>(simhashes: &[u64], query: u64, max_distance: u32, found: F) -> ControlFlow<()>
where
    F: FnMut(usize, u32) -> ControlFlow<()>,
{
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[target_feature(enable = "avx2,popcnt")]
        fn scan_avx2<F>(simhashes: &[u64], query: u64, max_distance: u32, found: F) -> ControlFlow<()>
        where
            F: FnMut(usize, u32) -> ControlFlow<()>,
        {
            scan_lanes(simhashes, query, max_distance, found)
        }
        #[expect(unsafe_code, reason = "the same loop, compiled for AVX2 and POPCNT")]
        // SAFETY: the processor has both, as checked above.
        return unsafe { scan_avx2(simhashes, query, max_distance, found) };
    }
    scan_lanes(simhashes, query, max_distance, found)
}

/// The loop of every scan, here and in the buckets of the join.
#[inline(always)]
#[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
pub fn scan_lanes<F>(simhashes: &[u64], query: u64, max_distance: u32, mut found: F) -> ControlFlow<()>
where
    F: FnMut(usize, u32) -> ControlFlow<()>,
{
    let is_near = |simhash| distance(simhash, query) <= max_distance;
    let bound = u64::from(max_distance) + 1;
    let (chunks, rest) = simhashes.as_chunks::<LANES>();
    for (chunk, lanes) in chunks.iter().enumerate() {
        // A count below the bound leaves a negative difference: its upper bit is set.
        let near = lanes.iter().fold(0, |near, &lane| near | u64::from(distance(lane, query)).wrapping_sub(bound));
        if near >> 63 == 1 {
            // Where one is near, many may be, so the near lanes are found without a branch.
            let mut near = (0..LANES).fold(0, |mask, lane| mask | u32::from(is_near(lanes[lane])) << lane);
            while near != 0 {
                let lane = near.trailing_zeros() as usize;
                near &= near - 1;
                found(chunk * LANES + lane, distance(lanes[lane], query))?;
            }
        }
    }
    for (lane, &simhash) in rest.iter().enumerate() {
        if is_near(simhash) {
            found(chunks.len() * LANES + lane, distance(simhash, query))?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(scan: impl FnOnce(&mut dyn FnMut(usize, u32))) -> Vec<(usize, u32)> {
        let mut pairs = Vec::new();
        scan(&mut |place, distance| pairs.push((place, distance)));
        pairs
    }

    proptest! {
        #[test]
        fn lanes_equal_plain(
            flips in prop::collection::vec(prop_oneof![any::<u64>(), (0u32..64).prop_map(|bit| 1 << bit)], 0..100),
            query in any::<u64>(),
            max_distance in prop_oneof![0u32..=64, Just(u32::MAX)],
        ) {
            let simhashes: Vec<u64> = flips.iter().map(|flip| flip ^ query).collect();
            let expected = pairs(|found| within_plain(&simhashes, query, max_distance, found));
            prop_assert_eq!(&pairs(|found| within(&simhashes, query, max_distance, found)), &expected);
            let portable = pairs(|found| {
                let found = |place, distance| {
                    found(place, distance);
                    ControlFlow::Continue(())
                };
                let _: ControlFlow<()> = scan_lanes(&simhashes, query, max_distance, found);
            });
            prop_assert_eq!(&portable, &expected);
        }
    }
}
