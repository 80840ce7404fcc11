//! Removals of made documents, compared with the plain algorithm.

use proptest::prelude::*;

use super::*;
use crate::search::keep::Keep;
use crate::similarity::{BREAK, FingerprintView};
use crate::store::file::test_collections::{SKETCHES, collection_of_words};

pub(super) const EFFORT: Effort = Effort { threads: 2, max_memory: 1 << 30 };

/// Least recall: all candidates are found.
fn plan(collection: &Collection) -> Plan {
    Plan::new(plan_rules(), SKETCHES, collection.len(), 0.9999)
}

pub(super) fn found(collection: &Collection, effort: Effort) -> Removals {
    removals(collection, &|_| true, &plan(collection), &Keep::First.into(), effort, &()).unwrap()
}

/// Some sentences of twelve words, by number; two numbers of one ten differ in a word.
pub(super) fn text(sentences: &[u32]) -> Vec<u32> {
    let words = |&number: &u32| {
        (0..12).map(move |at| {
            let word = if at == 5 { 1000 + number } else { 100 * (number / 10) + at };
            (2 * word) | if at == 11 { BREAK } else { 0 }
        })
    };
    sentences.iter().flat_map(words).collect()
}

fn claims(texts: &[Vec<u32>]) -> Vec<Option<(Removal, u32)>> {
    let (_folder, collection) = collection_of_words(texts);
    let removals = found(&collection, EFFORT);
    (0..texts.len() as u32).map(|document| removals.of(document)).collect()
}

#[test]
fn each_claim_has_its_survivors() {
    let whole = [10, 20, 30, 40, 50, 60];
    let texts = [&whole[..], &whole, &whole[..5], &[10, 20, 31, 40, 50, 60], &[70, 80, 90, 100, 110, 120]].map(text);
    let expected = [None, Some((Removal::Same, 0)), Some((Removal::Contained, 0)), Some((Removal::Edited, 0)), None];
    assert_eq!(claims(&texts), expected);
}

#[test]
fn a_plain_text_of_several_documents_stays_beside_a_longer_one() {
    let plain = [10, 20, 30, 40, 50, 60];
    let [shorter, longer] = [&plain[..5], &[10, 20, 30, 40, 50, 60, 70]];
    let both = [10, 20, 30, 40, 50, 60, 110, 120, 130, 140, 150];
    let of = |texts: &[&[u32]]| {
        let texts: Vec<Vec<u32>> = texts.iter().map(|sentences| text(sentences)).collect();
        let (_folder, collection) = collection_of_words(&texts);
        let clusters = found(&collection, EFFORT).clusters(Removal::Contained);
        (0..texts.len() as u32).map(|document| clusters.survivor(document)).collect::<Vec<_>>()
    };
    // Alone it goes.
    assert_eq!(of(&[&both, &plain]), [0, 0]);
    assert_eq!(of(&[&both, &plain, &plain]), [0, 1, 1]);
    assert_eq!(of(&[&both, &plain, shorter]), [0, 1, 1]);
    // A sentence more is no text of its own.
    assert_eq!(of(&[longer, &plain, &plain]), [0, 0, 0]);
}

#[test]
fn what_an_edited_copy_contains_goes_for_it_or_for_its_survivor() {
    let edited = [10, 20, 30, 40, 51, 61];
    let texts = [&[10, 20, 30, 40, 50, 60][..], &edited, &edited[..5]].map(text);
    let (_folder, collection) = collection_of_words(&texts);
    let removals = found(&collection, EFFORT);
    assert_eq!(removals.of(2), Some((Removal::Contained, 1)));
    // With the wider claim its survivor goes, and it was compared with that one's.
    assert_eq!(removals.clusters(Removal::Edited).survivor(2), 0);
    let (edited, contained) = ((Removal::Edited, [1, 0]), (Removal::Contained, [2, 1]));
    assert_eq!(removals.to_review(Removal::Contained, None), [edited]);
    assert_eq!(removals.to_review(Removal::Same, None), [edited, contained]);
    assert_eq!(removals.between([0, 1]), Some(Removal::Edited));
    assert_eq!(removals.between([0, 2]), Some(Removal::Edited));
}

#[test]
fn a_copy_goes_only_where_it_was_found() {
    // The second has the words of the third in other lines, so that it does not stand in the first.
    let first = text(&[10, 20, 30, 40, 50, 60]);
    let third = text(&[10, 20, 30, 50, 60]);
    let second: Vec<u32> = third.iter().map(|word| word & !BREAK).collect();
    for (texts, goes) in [([first.clone(), third.clone(), second.clone()], 1), ([first, second, third], 2)] {
        let (_folder, collection) = collection_of_words(&texts);
        let clusters = found(&collection, EFFORT).clusters(Removal::Contained);
        let stays: Vec<u32> = (0..3).filter(|&document| clusters.survivor(document) == document).collect();
        assert!(stays == [0, 2] && goes == 1 || stays == [0, 1] && goes == 2, "{stays:?}");
    }
}

/// The plain algorithm: for each claim and document the survivor, by comparing all with all.
fn plainly(collection: &Collection, rules: &Rules) -> [Vec<u32>; 3] {
    let all = collection.len() as u32;
    let view = |document| collection.view(document);
    let claim = |a: FingerprintView<'_>, b| a.claim(&b, rules);
    let is_same = |a: u32, b: u32| claim(view(a), view(b)) == Some(Removal::Same);
    let same: Vec<u32> =
        (0..all).map(|document| (0..document).find(|&other| is_same(document, other)).unwrap_or(document)).collect();
    let texts: Vec<u32> = (0..all).filter(|&document| same[document as usize] == document).collect();
    let (mut contained, mut edited): (Vec<u32>, Vec<u32>) = ((0..all).collect(), (0..all).collect());
    for &document in &texts {
        let stay: Vec<u32> =
            texts.iter().copied().filter(|&other| other < document && contained[other as usize] == other).collect();
        let contains =
            |other: &&u32| claim(view(document), view(**other)).is_some_and(|found| found <= Removal::Contained);
        let is_near =
            |other: &&u32| edited[**other as usize] == **other && claim(view(document), view(**other)).is_some();
        let (gone, near) = (stay.iter().find(contains).copied(), stay.iter().find(is_near).copied());
        contained[document as usize] = gone.unwrap_or(document);
        edited[document as usize] = near.unwrap_or(document);
    }
    let edited = texts.iter().fold((0..all).collect::<Vec<u32>>(), |mut survivors, &document| {
        let both = [contained[document as usize], edited[document as usize]];
        let stays = |other: &u32| *other != document && survivors[*other as usize] == *other;
        survivors[document as usize] = both.into_iter().find(stays).unwrap_or(document);
        survivors
    });
    [same, contained, edited]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn the_result_is_the_plain_one(
        documents in prop::collection::vec((0u32..3, prop::collection::vec(0u32..3, 6..9), 0usize..3), 1..40),
        memory in prop::sample::select(vec![0usize, 1 << 30]),
    ) {
        // Rules without families, which have tests of their own.
        let rules = Rules { same_meaning: false, ..plan_rules() };
        let texts: Vec<Vec<u32>> = documents.iter().map(|(centre, sentences, left_out)| {
            let numbers: Vec<u32> = (0u32..).zip(sentences).map(|(at, other)| 100 * centre + 10 * at + other / 2).collect();
            text(&numbers[..numbers.len() - left_out])
        }).collect();
        let (_folder, collection) = collection_of_words(&texts);
        let plan = Plan::new(rules, SKETCHES, collection.len(), 0.9999);
        let effort = Effort { threads: 2, max_memory: memory };
        let found = removals(&collection, &|_| true, &plan, &Keep::First.into(), effort, &()).unwrap();
        let plain = plainly(&collection, &rules);
        for document in (0..texts.len()).filter(|&document| plain[0][document] == document as u32) {
            for claim in Removal::ALL {
                let survivor = found.survivors[claim as usize][document];
                prop_assert_eq!(survivor, plain[claim as usize][document], "{} {:?}", document, claim);
            }
        }
        for claim in Removal::ALL {
            let clusters = found.clusters(claim);
            for [document, survivor] in clusters.gone() {
                prop_assert_eq!(clusters.survivor(survivor), survivor);
                let holds = collection.view(document).claim(&collection.view(survivor), &rules);
                prop_assert!(holds.is_some_and(|holds| holds <= claim));
            }
        }
    }
}

fn plan_rules() -> Rules {
    Rules { min_similarity: Some(0.4), ..Rules::removing() }
}
