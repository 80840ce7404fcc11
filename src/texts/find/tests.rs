use super::*;
use crate::similarity::{Removal, Rule};

const TEXTS: [(&str, &str); 5] = [
    ("b", "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers."),
    ("a", "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers."),
    ("c", "Nobody wound the clock in the hall after the aunts had left, but it struck all the same at night."),
    ("d", "The mill stood where two brooks met, and its wheel had not turned since the war of the two sisters."),
    ("e", ""),
];

#[test]
fn clusters_pairs_and_neighbours_of_texts() {
    for threads in [1, 3] {
        let found = find(TEXTS, &FindOptions::new().threads(threads)).unwrap();
        assert_eq!((found.len(), found.id(2)), (5, "c"));
        let clusters = found.clusters().unwrap();
        let [cluster] = &clusters[..] else { panic!("{clusters:?}") };
        let members: Vec<usize> = cluster.members.iter().map(|member| member.document).collect();
        assert_eq!((cluster.survivor, members), (1, vec![0, 3]), "of equal length the lesser id survives");
        let pairs: Vec<_> = found.pairs().unwrap().iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(pairs, [(0, 1), (0, 3)]);
        assert_eq!(found.survivors(&()).unwrap(), [1, 2, 4]);
        assert_eq!(found.neighbours(3, 1).unwrap()[0].0, 1);
    }
}

#[test]
fn pairs_with_a_second_corpus() {
    let found = FindOptions::new().find_against(TEXTS[..2].to_vec(), TEXTS[2..].to_vec(), &()).unwrap();
    let pairs: Vec<_> = found.pairs().unwrap().iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!(pairs, [(0, 3), (1, 3)], "not the pair of equal texts of the first");
    // Each corpus has its own types.
    let owned = TEXTS[2..].iter().map(|(id, text)| ((*id).to_owned(), Box::<str>::from(*text)));
    let found = FindOptions::new().find_against(TEXTS[..2].to_vec(), owned.collect::<Vec<_>>(), &()).unwrap();
    let pairs: Vec<_> = found.pairs().unwrap().iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!((pairs, found.id(3)), (vec![(0, 3), (1, 3)], "d"));
}

#[test]
fn the_policy_decides_who_survives() {
    let kept = |keep| clean(TEXTS, &CleanOptions::new().keep(keep)).unwrap().survivors();
    // Of texts this short only equal ones are removed.
    assert_eq!(kept(Keep::First), [0, 2, 3, 4]);
    assert_eq!(kept(Keep::Last), [1, 2, 3, 4]);
}

/// Fifty words and more, so that a text may stand in another.
const MILL: &str = "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers. \
    They had quarrelled over the water, which neither of them owned, and each had sworn to see the other's race run dry \
    before he would grind another sack. Nobody in the village could say any more who had begun it.";

/// Of [`MILL`], in this order: the text, one that says the same, one that has it, an edited copy; and another text.
fn claims() -> [(String, String); 5] {
    let edited = MILL.replace("Nobody in the village", "Nobody in the whole village");
    let longer = format!("A guide says this. {MILL} So it stands.");
    let texts = [MILL.to_owned(), MILL.to_uppercase(), longer, edited, TEXTS[2].1.to_owned()];
    ["mill", "upper", "longer", "edited", "clock"]
        .map(String::from)
        .into_iter()
        .zip(texts)
        .collect::<Vec<_>>()
        .try_into()
        .unwrap()
}

#[test]
fn each_claim_removes_more_and_the_rest_is_for_review() {
    use Removal::{Contained, Edited, Same};
    let pairs = |removable: Vec<Removable>| -> Vec<_> {
        removable.iter().map(|one| (one.document, one.survivor, one.removal)).collect()
    };
    for threads in [1, 3] {
        let cleaned = |remove| clean(claims(), &CleanOptions::new().remove(remove).threads(threads)).unwrap();
        let same = cleaned(Same);
        assert_eq!(same.survivors(), [0, 2, 3, 4]);
        assert_eq!(pairs(same.removed()), [(1, 0, Same)]);
        assert_eq!(pairs(same.to_review()), [(0, 2, Contained), (3, 2, Edited)]);
        let contained = cleaned(Contained);
        assert_eq!(contained.survivors(), [2, 3, 4]);
        assert_eq!(pairs(contained.removed()), [(0, 2, Contained), (1, 2, Contained)]);
        assert_eq!(pairs(contained.to_review()), [(3, 2, Edited)]);
        let figures = contained.removed()[0].figures;
        assert_eq!((figures.containment_a, figures.distance), (Some(1.0), None), "no simhash was asked for");
        let edited = cleaned(Edited);
        assert_eq!(edited.survivors(), [2, 4]);
        assert_eq!(edited.to_review(), []);
        assert_eq!((edited.len(), edited.id(3)), (5, "edited"));
    }
    assert_eq!(clean(claims(), &CleanOptions::new()).unwrap().survivors(), [2, 3, 4], "contained is the default");
}

/// Which of two words is misspelt is not known: each may be the one that is meant.
#[test]
fn a_text_with_another_word_is_not_contained() {
    for [one, other] in [["marital", "martial"], ["document", "documnet"], ["casual", "causal"]] {
        let text = |word: &str| format!("{MILL} The {word} of them was kept in the church.");
        let further = [1, 2, 3].map(|number| format!("Page {number} says where the {one} of year {number} is."));
        let texts = [text(other), text(one)].into_iter().chain(further).map(|text| (String::new(), text));
        let cleaned = clean(texts, &CleanOptions::new()).unwrap();
        assert_eq!((cleaned.survivors().len(), cleaned.to_review().len()), (5, 1), "{one}");
    }
}

#[test]
fn rules_are_those_of_edited_copies() {
    let strict = CleanOptions::edited(Rules { min_similarity: Some(0.85), ..Rules::removing() });
    assert_eq!(clean(claims(), &strict).unwrap().survivors(), [2, 3, 4]);
    let by_distance = CleanOptions::edited(Rules { max_distance: Some(64), ..Rules::removing() });
    let cleaned = clean(claims(), &by_distance).unwrap();
    assert_eq!(cleaned.survivors(), [2]);
    assert!(cleaned.removed().iter().all(|one| one.figures.distance.is_some() && one.rules.contains(Rule::Hamming)));
    let reset = CleanOptions::edited(Rules { min_similarity: Some(0.85), ..Rules::removing() }).remove(Removal::Edited);
    assert_eq!(clean(claims(), &reset).unwrap().survivors(), [2, 4]);
}

#[test]
fn what_is_found_says_what_may_go() {
    let found = find(claims(), &FindOptions::new()).unwrap();
    let clusters = found.clusters().unwrap();
    let [cluster] = &clusters[..] else { panic!("{clusters:?}") };
    let mut members: Vec<_> = cluster.members.iter().map(|member| (member.document, member.removal)).collect();
    members.sort_unstable();
    let claims_of = [(0, Some(Removal::Contained)), (1, Some(Removal::Same)), (3, Some(Removal::Edited))];
    assert_eq!((cluster.survivor, &members[..]), (2, &claims_of[..]));
    let removal = |of: &[Pair], a, b| of.iter().find(|pair| (pair.a, pair.b) == (a, b)).map(|pair| pair.removal);
    let pairs = found.pairs().unwrap();
    assert_eq!(removal(&pairs, 0, 1), Some(Some(Removal::Same)));
    assert_eq!(removal(&pairs, 2, 3), Some(Some(Removal::Edited)));
    assert_eq!(removal(&pairs, 0, 3), Some(None), "neither goes for the other");
    // Of two corpora neither is cleaned, so the two texts decide.
    let [mill, upper, longer, edited, _] = claims();
    let found = FindOptions::new().find_against([mill, upper], [longer, edited], &()).unwrap();
    let pairs = found.pairs().unwrap();
    assert_eq!(removal(&pairs, 0, 2), Some(Some(Removal::Contained)));
    assert_eq!(removal(&pairs, 0, 3), Some(Some(Removal::Edited)));
}

#[test]
fn the_key_decides_who_survives_a_removal() {
    let keys = [Some("2020"), Some("2026"), None, Some("2024"), None];
    let documents: Vec<_> =
        claims().into_iter().zip(keys).map(|((id, text), key)| (id, text, key.map(String::from))).collect();
    let kept = |order| CleanOptions::new().remove(Removal::Same).clean_by_keys(documents.clone(), order, &()).unwrap();
    assert_eq!(kept(KeyOrder::Greatest).survivors(), [1, 2, 3, 4]);
    assert_eq!(kept(KeyOrder::Least).survivors(), [0, 2, 3, 4]);
}

#[test]
fn the_key_decides_who_survives() {
    let kept = |order, keys: [Option<&str>; 5]| {
        let documents = TEXTS.into_iter().zip(keys);
        let documents: Vec<_> = documents.map(|((id, text), key)| (id, text, key.map(String::from))).collect();
        FindOptions::new().find_by_keys(documents, order, &()).unwrap().survivors(&()).unwrap()
    };
    let keys = [Some("9"), Some("10"), None, None, Some("x")];
    assert_eq!(kept(KeyOrder::Least, keys), [0, 2, 4]);
    assert_eq!(kept(KeyOrder::Greatest, keys), [1, 2, 4]);
    assert_eq!(kept(KeyOrder::Least, [None; 5]), [1, 2, 4], "of equal keys the lesser id survives");
}

#[test]
fn files_are_written_only_beyond_the_bound_and_none_is_left_behind() {
    let temp = tempfile::tempdir().unwrap();
    let files = || std::fs::read_dir(temp.path()).unwrap().count();
    let options = FindOptions::new().temp(temp.path());
    let found = find(TEXTS, &options).unwrap();
    assert_eq!((files(), found.pairs().unwrap().len()), (0, 2));
    let little = options.clone().max_memory(1000);
    let spilled = find(TEXTS, &little).unwrap();
    assert_eq!((files(), spilled.pairs().unwrap().len()), (1, 2));
    drop((found, spilled));
    assert_eq!(files(), 0);
    assert!(find(Vec::<(String, String)>::new(), &options).unwrap().is_empty());
    let nowhere = little.temp("/nowhere/at/all");
    assert!(find(TEXTS, &nowhere).unwrap_err().to_string().contains("/nowhere/at/all"));
}

#[test]
fn what_was_read_before_makes_no_difference() {
    let table = "(℃)\nThe values were measured on the third day of the month by two people who stood in the rain.";
    let texts = [("a", table), ("b", "It was 20 ℃ in the rain."), ("c", table)];
    assert_eq!(clean(texts, &CleanOptions::new().threads(1)).unwrap().survivors(), [0, 1]);
}

#[test]
#[should_panic(expected = "no document at position 5 of 5")]
fn a_position_beyond_the_last_is_refused() {
    let found = find(TEXTS, &FindOptions::new().threads(1)).unwrap();
    found.id(5);
}

#[test]
#[should_panic(expected = "is from 0 to less than 1")]
fn a_recall_is_a_probability() {
    let _ = FindOptions::new().recall(f64::NAN);
}
