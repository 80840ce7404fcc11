use std::collections::BTreeMap;
use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::sketch::minhash::mix;

fn groups(simhashes: &[u64]) -> Groups {
    Groups::new((0..).zip(simhashes.iter().copied()))
}

/// The pairs that a join reports, in its order.
fn pairs(
    join: impl FnOnce(&mut dyn FnMut(u32, u32, u32) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Vec<(u32, u32, u32)> {
    let mut pairs = Vec::new();
    let flow = join(&mut |a, b, distance| {
        pairs.push((a, b, distance));
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    pairs
}

fn fast(groups: &Groups, max_distance: u32) -> Vec<(u32, u32, u32)> {
    pairs(|found| join(groups, max_distance, found).unwrap())
}

fn plain(groups: &Groups, max_distance: u32) -> Vec<(u32, u32, u32)> {
    pairs(|found| join_plain(groups, max_distance, found))
}

/// The pairs that the plan for `count` simhashes finds, with the portable loops.
fn portable(groups: &Groups, count: usize, max_distance: u32) -> Vec<(u32, u32, u32)> {
    let blocks = plan(count, max_distance);
    let mut partition = Partition::new(groups.len());
    pairs(|mut found| {
        for (i, &block) in blocks.iter().enumerate() {
            partition.fill(groups.simhashes(), |place| place as u32, block);
            let earlier = &blocks[..i];
            Pass { partition: &partition, block, earlier, max_distance, found: &mut found }.run_buckets()?;
        }
        ControlFlow::Continue(())
    })
}

fn sorted(mut pairs: Vec<(u32, u32, u32)>) -> Vec<(u32, u32, u32)> {
    pairs.sort_unstable();
    pairs
}

/// Every way to join finds what comparing all with all finds, and nothing twice.
///
/// The plan for so few simhashes compares all with all; `count` selects the plan for more.
fn joins_agree(simhashes: &[u64], count: usize, max_distance: u32) -> Result<(), TestCaseError> {
    let groups = groups(simhashes);
    let expected = plain(&groups, max_distance);
    prop_assert_eq!(&sorted(fast(&groups, max_distance)), &expected);
    if max_distance > 0 {
        prop_assert_eq!(&sorted(portable(&groups, count, max_distance)), &expected);
    }
    Ok(())
}

/// Simhashes with 0 to 14 bits flipped from one of a few centres.
fn around_centres() -> impl Strategy<Value = Vec<u64>> {
    let flips = prop::collection::vec(0u32..64, 0..=14);
    let members = prop::collection::vec((any::<prop::sample::Index>(), flips), 0..80);
    (prop::collection::vec(any::<u64>(), 1..4), members).prop_map(|(centres, members)| {
        let member = |(centre, flips): (prop::sample::Index, Vec<u32>)| {
            flips.iter().fold(*centre.get(&centres), |simhash, flip| simhash ^ 1 << flip)
        };
        members.into_iter().map(member).collect()
    })
}

/// Simhashes whose bytes are few values, so that whole blocks are equal.
fn of_few_bytes() -> impl Strategy<Value = Vec<u64>> {
    let bytes = prop::array::uniform8(prop::sample::select(vec![0u8, 1, 0x80, 0xff]));
    prop::collection::vec(bytes.prop_map(u64::from_le_bytes), 0..80)
}

/// Numbers of simhashes whose plans differ and whose directories are small.
fn counts() -> impl Strategy<Value = usize> {
    prop::sample::select(vec![2_000, 30_000, 200_000])
}

proptest! {
    #[test]
    fn joins_of_random_simhashes_agree(
        simhashes in prop::collection::vec(any::<u64>(), 0..80),
        count in counts(),
        max_distance in 0..=MAX_DISTANCE,
    ) {
        joins_agree(&simhashes, count, max_distance)?;
    }

    #[test]
    fn joins_around_centres_agree(simhashes in around_centres(), count in counts(), max_distance in 0..=MAX_DISTANCE) {
        joins_agree(&simhashes, count, max_distance)?;
    }

    #[test]
    fn joins_of_equal_blocks_agree(simhashes in of_few_bytes(), count in counts(), max_distance in 0..=MAX_DISTANCE) {
        joins_agree(&simhashes, count, max_distance)?;
    }

    #[test]
    fn groups_are_what_a_map_of_lists_is(
        entries in prop::collection::btree_map(any::<u32>(), prop_oneof![0u64..5, any::<u64>()], 0..200),
        rotation in any::<prop::sample::Index>(),
    ) {
        let mut expected: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
        for (&document, &simhash) in &entries {
            expected.entry(simhash).or_default().push(document);
        }
        let mut entries: Vec<(u32, u64)> = entries.into_iter().collect();
        let middle = rotation.index(entries.len() + 1);
        entries.rotate_left(middle);
        let groups = Groups::new(entries);
        let found: Vec<_> = (0..groups.len() as u32).map(|i| (groups.simhash(i), groups.members(i).to_vec())).collect();
        prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    }
}

/// Many simhashes of all kinds: random ones, equal ones, and crowds of up to 500
/// around a centre.
fn mixture() -> Vec<u64> {
    let near = |i: u64, flips: u64| (0..flips).fold(mix(i % 8), |simhash, flip| simhash ^ 1 << (mix(i + flip) % 64));
    (0..6000).map(|i| if i % 3 == 0 { mix(i) } else { near(i, mix(i) % 15) }).collect()
}

#[test]
fn joins_of_many_agree() {
    let groups = groups(&mixture());
    for max_distance in 0..=MAX_DISTANCE {
        let found = fast(&groups, max_distance);
        if max_distance > 0 {
            // The order is the same on any processor.
            assert_eq!(found, portable(&groups, groups.len(), max_distance), "{max_distance}");
        }
        assert_eq!(sorted(found), plain(&groups, max_distance), "{max_distance}");
    }
}

#[test]
fn the_order_does_not_depend_on_that_of_the_documents() {
    let mut simhashes = mixture();
    let found = fast(&groups(&simhashes), 3);
    simhashes.reverse();
    assert_eq!(fast(&groups(&simhashes), 3), found);
}

#[test]
fn a_join_stops_when_it_is_told_to() {
    let groups = groups(&mixture());
    let all = fast(&groups, 6);
    assert!(all.len() > 1000);
    for wanted in [1, 2, 500, all.len()] {
        let mut found = Vec::new();
        let flow = join(&groups, 6, |a, b, distance| {
            found.push((a, b, distance));
            if found.len() == wanted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(flow, Ok(ControlFlow::Break(())));
        assert_eq!(found, all[..wanted]);
    }
}

#[test]
fn none_one_and_two() {
    for max_distance in 0..=MAX_DISTANCE {
        assert_eq!(fast(&groups(&[]), max_distance), []);
        assert_eq!(fast(&groups(&[7]), max_distance), []);
        assert_eq!(fast(&groups(&[7, 7]), max_distance), []);
        let expected = if max_distance >= 2 { vec![(0, 1, 2)] } else { vec![] };
        assert_eq!(fast(&groups(&[1 << 63 | 1, 0]), max_distance), expected);
    }
}

#[test]
fn a_greater_distance_is_refused() {
    let refused = join(&groups(&[0, 1]), 13, |_, _, _| ControlFlow::Continue(()));
    assert_eq!(refused, Err(TooFar { found: 13 }));
    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with("Hamming distance 13: expected 0 to 12 bits"), "{message}");
}

#[test]
fn every_plan_leaves_no_pair_out() {
    for count in [0, 1, 2, 100, 5_000, 70_000, 1_000_000, 10_000_000, 100_000_000] {
        for max_distance in 1..=MAX_DISTANCE {
            let blocks = plan(count, max_distance);
            let mut free = 64;
            for block in &blocks {
                assert!(block.shift + block.bits <= free, "{blocks:?} overlap");
                free = block.shift;
            }
            // A pair that no block finds differs in more bits than the distance.
            let missed: u32 = blocks.iter().map(|block| block.threshold + 1).sum();
            assert!(missed > max_distance || blocks.iter().any(|block| block.bits == 0), "{blocks:?}");
        }
    }
}
