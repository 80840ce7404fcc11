use super::*;

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
}

#[test]
fn the_policy_decides_who_survives() {
    let kept = |keep| clean(TEXTS, &FindOptions::removing().keep(keep)).unwrap();
    // Of texts this short only equal ones are removed.
    assert_eq!(kept(Keep::First), [0, 2, 3, 4]);
    assert_eq!(kept(Keep::Last), [1, 2, 3, 4]);
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
fn nothing_is_left_behind() {
    let temp = tempfile::tempdir().unwrap();
    let options = FindOptions::new().temp(temp.path());
    let found = find(TEXTS, &options).unwrap();
    assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 1);
    drop(found);
    assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 0);
    assert!(find(Vec::<(String, String)>::new(), &options).unwrap().is_empty());
    let nowhere = FindOptions::new().temp("/nowhere/at/all");
    assert!(find(TEXTS, &nowhere).unwrap_err().to_string().contains("/nowhere/at/all"));
}
