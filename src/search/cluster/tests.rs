//! Clusters of synthetic fingerprints, compared with the plain algorithm.

use proptest::prelude::*;

use super::*;
use crate::search::hot_keys::MOST;
use crate::search::keep::{Keep, KeyOrder, by_value};
use crate::similarity::{Rule, Rules};
use crate::sketch::minhash;
use crate::store::file::test_collections::{Made, SKETCHES, collection, made};

const EFFORT: Effort = Effort { threads: 2, max_memory: 1 << 30 };

fn clustered(collection: &Collection, rules: Rules, keep: &Policy, effort: Effort) -> Clusters {
    let plan = Plan::new(rules, SKETCHES, collection.len(), 0.999);
    cluster(collection, &plan, keep, effort, &()).unwrap()
}

/// The plain algorithm: each document is compared with all survivors so far.
fn plainly(collection: &Collection, rules: &Rules, keep: &Policy) -> Vec<u32> {
    let mut survivors: Vec<u32> = (0..collection.len() as u32).collect();
    let mut kept: Vec<u32> = Vec::new();
    for document in order(collection, keep, &|_| true) {
        // A copy belongs to the survivor of its text.
        let text = |&other: &u32| collection.digest(other) == collection.digest(document);
        if let Some(same) =
            (0..collection.len() as u32).find(|other| survivors[*other as usize] != *other && text(other))
        {
            survivors[document as usize] = survivors[same as usize];
            continue;
        }
        let near = kept.iter().find(|&&other| !collection.judge(document, other, rules).1.is_empty());
        match near {
            Some(&survivor) => survivors[document as usize] = survivor,
            None => kept.push(document),
        }
    }
    survivors
}

fn ids(collection: &Collection, clusters: &Clusters) -> Vec<String> {
    let name = |document: &u32| collection.id(*document).to_owned();
    clusters
        .clusters()
        .map(|cluster| {
            format!("{}: {}", name(&cluster.survivor), cluster.members.iter().map(name).collect::<Vec<_>>().join(" "))
        })
        .collect()
}

const JACCARD: Rules = Rules::of(None, Some(0.5));

#[test]
fn nothing_goes_by_transitivity() {
    // a and b share 70 of 100, b and c too, a and c 55 of 115.
    let chain = [made("a", 0..85, 90), made("b", 15..100, 85), made("c", 30..115, 80), made("d", 500..560, 70)];
    let (_folder, collection) = collection(&chain);
    let clusters = clustered(&collection, JACCARD, &Keep::Longest.into(), EFFORT);
    assert_eq!(ids(&collection, &clusters), ["a: b"]);
    assert_eq!((clusters.kept(), clusters.survivor(2)), (3, 2));
}

#[test]
fn every_policy_keeps_whom_it_says() {
    let same = [made("b", 0..60, 50), made("d", 0..61, 70), made("a", 0..62, 40), made("c", 0..63, 70)];
    let (_folder, collection) = collection(&same);
    let kept = |keep: Policy| ids(&collection, &clustered(&collection, JACCARD, &keep, EFFORT)).join("; ");
    assert_eq!(kept(Keep::First.into()), "b: d a c");
    assert_eq!(kept(Keep::Last.into()), "c: a d b");
    assert_eq!(kept(Keep::Longest.into()), "c: d b a");
    assert_eq!(kept(Keep::Shortest.into()), "a: b c d");
    assert_eq!(kept(Policy::Key(KeyOrder::Least)), "c: a d b");
    assert_eq!(kept(Policy::Key(KeyOrder::Greatest)), "b: d a c");
    assert_eq!(kept(Policy::Source(vec!["new".into()])), "c: d a b");
}

#[test]
fn keys_are_numbers_first() {
    let mut keys = ["10", "9", "b", " 2.5", "a", "-1", "1e3"];
    keys.sort_by(|a, b| by_value(a, b));
    assert_eq!(keys, ["-1", " 2.5", "9", "10", "1e3", "a", "b"]);
    // Rounded, the first two are equal.
    let mut times = ["9007199254740993", "9007199254740992.0", "9007199254740994", "9007199254740991"];
    times.sort_by(|a, b| by_value(b, a));
    assert_eq!(times, ["9007199254740994", "9007199254740993", "9007199254740992.0", "9007199254740991"]);
}

#[test]
fn empty_documents_equal_only_their_copies() {
    let (_folder, collection) = collection(&[made("a", 0..0, 1), made("b", 0..0, 1), made("c", 0..9, 1)]);
    let clusters = clustered(&collection, Rules::default(), &Keep::First.into(), EFFORT);
    assert_eq!(ids(&collection, &clusters), ["a: b"]);
}

/// The plain algorithm with crowded bands: of the survivors so far, a document is compared with those within the
/// distance and, for each band, with the first [`MOST`] that share it.
fn plainly_by_keys(collection: &Collection, plan: &Plan, keep: &Policy) -> Vec<u32> {
    let bands = plan.bands.as_ref().unwrap();
    let mut survivors: Vec<u32> = (0..collection.len() as u32).collect();
    let mut kept: Vec<u32> = Vec::new();
    for document in order(collection, keep, &|_| true) {
        let shares =
            |band: usize, other: u32| bands.is_shared(band, collection.sketch(document), collection.sketch(other));
        let by_band = |band| kept.iter().copied().filter(move |&other| shares(band, other)).take(MOST.into());
        let mut found: Vec<u32> = (0..bands.len()).flat_map(by_band).collect();
        let is_within = |other: &u32| collection.judge(document, *other, &plan.rules).1.contains(Rule::Hamming);
        found.extend(kept.iter().copied().filter(is_within));
        let place = |other: u32| kept.iter().position(|&kept| kept == other);
        match found.into_iter().filter(|&other| plan.is_near(collection, document, other)).min_by_key(|&it| place(it)) {
            Some(survivor) => survivors[document as usize] = survivor,
            None => kept.push(document),
        }
    }
    survivors
}

#[test]
fn neither_memory_nor_threads_show_in_a_crowd() {
    // A notice of 70 shingles and 30 of each document's own; then copies of some, more or less changed.
    let of = |i: u64| (0..70).chain(1000 * (i + 1)..1000 * (i + 1) + 30);
    let edited = |i: u64| of(i).take(85).chain(5_000_000 + 100 * i..5_000_000 + 100 * i + 10 + i % 30);
    let documents: Vec<Made> = (0..600)
        .map(|i| (format!("{i:03}"), of(i).collect(), 1))
        .chain((0..200).map(|i| (format!("x{i:03}"), edited(3 * i).collect(), 1)))
        .collect();
    let (_folder, collection) = collection(&documents);
    let plan = Plan::new(Rules::of(Some(3), Some(0.7)), SKETCHES, collection.len(), 0.9999);
    let expected = plainly_by_keys(&collection, &plan, &Keep::First.into());
    for (threads, max_memory) in [(1, 1 << 30), (3, 1 << 30), (2, 0)] {
        let clusters = cluster(&collection, &plan, &Keep::First.into(), Effort { threads, max_memory }, &()).unwrap();
        assert_eq!(clusters.survivors, expected);
        assert!(
            clusters.crowded.documents() > 20 && clusters.kept() < 750,
            "{:?} {}",
            clusters.crowded,
            clusters.kept()
        );
    }
}

#[test]
fn a_great_many_copies_cost_one_look_each() {
    let mut documents: Vec<Made> = (0..30_000).map(|i| made(&format!("{i:05}"), 0..80, 10)).collect();
    documents.extend((0..20_000u64).map(|i| (format!("n{i:05}"), (0..80).chain([1000 + i]).collect(), 9)));
    let (_folder, collection) = collection(&documents);
    let clusters = clustered(&collection, Rules::default(), &Keep::Longest.into(), EFFORT);
    assert_eq!(clusters.kept(), 1);
}

/// Documents around a few centres, so that many are near and chains arise.
fn documents() -> impl Strategy<Value = Vec<Made>> {
    let document = (0u64..4, 0u64..40, 20u64..60, 0u64..9);
    prop::collection::vec(document, 0..60).prop_map(|documents| {
        let made = |(i, (centre, start, length, bytes)): (usize, (u64, u64, u64, u64))| {
            made(&format!("{i:02}"), centre * 1000 + start..centre * 1000 + start + length, bytes)
        };
        documents.into_iter().enumerate().map(made).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn by_distance_the_result_is_the_plain_one(documents in documents(), distance in 0u32..13) {
        let (_folder, collection) = collection(&documents);
        let rules = Rules::of(Some(distance), None);
        for keep in [Keep::First, Keep::Longest].map(Policy::from) {
            let clusters = clustered(&collection, rules, &keep, EFFORT);
            prop_assert_eq!(&clusters.survivors, &plainly(&collection, &rules, &keep));
        }
    }

    #[test]
    fn whoever_goes_is_near_its_survivor(documents in documents()) {
        let (_folder, collection) = collection(&documents);
        let rules = Rules::default();
        let clusters = clustered(&collection, rules, &Keep::Longest.into(), EFFORT);
        for document in 0..documents.len() as u32 {
            let survivor = clusters.survivor(document);
            prop_assert_eq!(clusters.survivor(survivor), survivor);
            if survivor != document {
                prop_assert!(!collection.judge(document, survivor, &rules).1.is_empty());
            }
        }
    }

    #[test]
    fn order_and_threads_do_not_show(documents in documents(), seed: u64) {
        let (_folder, given) = collection(&documents);
        let mut shuffled = documents.clone();
        shuffled.sort_by_key(|(id, ..)| minhash::mix(seed ^ id.parse::<u64>().unwrap()));
        let (_other, other) = collection(&shuffled);
        let result = |collection: &Collection, threads| {
            let effort = Effort { threads, ..EFFORT };
            ids(collection, &clustered(collection, Rules::default(), &Keep::Longest.into(), effort))
        };
        prop_assert_eq!(result(&given, 1), result(&other, 3));
    }
}
