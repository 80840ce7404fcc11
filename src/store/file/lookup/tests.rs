//! Tables find exactly the documents that a scan of all finds.

use proptest::prelude::*;

use super::*;
use crate::sketch::simhash;
use crate::store::file::format::Sections;
use crate::store::file::map::FingerprintFile;
use crate::store::file::test_collections::collection_with;
use crate::store::file::test_collections::{Made, SKETCHES, made};

fn plan() -> LookupPlan {
    LookupPlan::new(SKETCHES, 3, 0.5, 0.995)
}

/// A file of documents, each near to the one before by its shingles or its simhash; one in nine is
/// empty.
fn file(documents: usize, plan: LookupPlan) -> (tempfile::TempDir, FingerprintFile) {
    let one = |i: usize| -> (Made, Option<u64>) {
        let i = i as u64;
        let shingles = if i % 9 == 8 { 0..0 } else { 10 * (i / 2)..10 * (i / 2) + 40 + i % 3 };
        let centre = 0x0123_4567_89ab_cdef_u64.wrapping_mul(i / 5 + 1);
        (made(&format!("id {i}"), shingles, 1), (i % 9 != 8).then_some(centre ^ 1 << (7 * i % 64) ^ 1 << (11 * i % 64)))
    };
    let documents: Vec<_> = (0..documents).map(one).collect();
    collection_with(&documents, Sections { shingles: true, ..Sections::default() }, Some(plan))
}

#[test]
fn every_document_is_found_by_its_id_and_its_text() {
    for count in [0, 1, 7, 8, 63, 500] {
        let (_folder, file) = file(count, plan());
        let lookup = file.lookup().unwrap();
        file.verify().unwrap();
        for document in 0..count {
            assert!(lookup.with_id(file.id(document)).any(|found| found as usize == document), "{document}");
            assert!(lookup.with_equality_key(file.equality_key(document)).any(|found| found as usize == document));
        }
        assert_eq!(lookup.with_id("no such id").count(), 0);
    }
}

#[test]
fn bands_find_whom_they_share() {
    let (_folder, file) = file(500, plan());
    let lookup = file.lookup().unwrap();
    let bands = plan().bands(SKETCHES, 0.5, 0.995);
    for a in (0..500).filter(|&a| file.simhash(a).is_some()) {
        for band in 0..bands.len() {
            let shares =
                |b: &usize| file.simhash(*b).is_some() && bands.is_shared(band, file.sketch(a), file.sketch(*b));
            let expected: Vec<u32> = (0..500).filter(shares).map(|b| b as u32).collect();
            let found: Vec<u32> = lookup.with_band(band, hash_of_band(&bands, band, file.sketch(a))).collect();
            assert_eq!(found, expected, "{a} {band}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn simhashes_within_are_all_found(
        count in 0usize..400,
        max in 0u32..8,
        query in 0usize..400,
        flips in prop::collection::vec(0u32..64, 0..4),
        distance in 0u32..9,
    ) {
        let (_folder, file) = file(count, LookupPlan::new(SKETCHES, max, 0.5, 0.9));
        let near = file.simhashes().get(query).copied().unwrap_or(1);
        let query = flips.iter().fold(near, |query, flip| query ^ 1 << flip);
        let mut found = Vec::new();
        prop_assert_eq!(file.lookup().unwrap().within(file.simhashes(), query, distance, &mut found), distance <= max);
        found.sort_unstable();
        found.dedup();
        let near = (0..).zip(file.simhashes()).filter(|(_, simhash)| simhash::distance(**simhash, query) <= distance);
        let mut expected: Vec<u32> = near.map(|(document, _)| document).collect();
        expected.retain(|&document| distance <= max && file.simhash(document as usize).is_some());
        prop_assert_eq!(found, expected);
    }
}

#[test]
fn plans_that_cannot_be_are_told() {
    let sound = plan();
    assert!(sound.is_sound(SKETCHES));
    let change = |change: fn(&mut LookupPlan)| {
        let mut other = sound;
        change(&mut other);
        other.is_sound(SKETCHES)
    };
    assert!(!change(|plan| plan.rows = 0));
    assert!(!change(|plan| plan.of = 0));
    assert!(!change(|plan| plan.groups = 0));
    assert!(!change(|plan| plan.groups = 9));
    assert!(!change(|plan| plan.rows = 4));
    assert!(!change(|plan| plan.max_distance = 8));
    assert!(!change(|plan| (plan.rows, plan.of, plan.groups) = (12, 25, 1)));
    assert!(!change(|plan| plan.groups = usize::MAX));
}
