//! The texts of `data/texts`: detection, and variants nearer to their originals
//! than to anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use nearcopy::fingerprint::{Analysis, Fingerprinter, Options, compare};
use nearcopy::text::detect;

use crate::folder::project;

/// Every text by language and name.
fn texts() -> BTreeMap<(String, String), String> {
    let mut texts = BTreeMap::new();
    for language in fs::read_dir(project().join("data/texts")).unwrap() {
        let language = language.unwrap();
        for file in fs::read_dir(language.path()).unwrap() {
            let file = file.unwrap();
            let names = (language.file_name().into_string().unwrap(), file.file_name().into_string().unwrap());
            texts.insert(names, fs::read_to_string(file.path()).unwrap());
        }
    }
    texts
}

#[test]
fn at_least_95_percent_of_the_languages_are_detected() {
    let texts = texts();
    let wrong: Vec<String> = texts
        .iter()
        .map(|((language, name), text)| (language, name, detect::detect(text)))
        .filter(|(language, _, detection)| detection.language.code() != language.as_str())
        .map(|(language, name, detection)| format!("{language}/{name}: {detection:?}"))
        .collect();
    let languages: BTreeSet<&String> = texts.keys().map(|(language, _)| language).collect();
    assert!(languages.len() >= 35 && texts.len() >= 150, "{} texts in {} languages", texts.len(), languages.len());
    assert!(wrong.len() * 20 <= texts.len(), "{} of {}: {wrong:#?}", wrong.len(), texts.len());
}

/// Of all 150 texts, the original is the nearest to each variant, by the Jaccard
/// coefficient and by the Hamming distance.
#[test]
fn every_variant_is_nearest_to_its_original() {
    let mut fingerprinter = Fingerprinter::new(Options::default()).unwrap();
    let analyses: BTreeMap<_, Analysis> =
        texts().into_iter().map(|(names, text)| (names, fingerprinter.analyse(&text))).collect();
    let mut variants = 0;
    for ((language, name), analysis) in &analyses {
        let Some(topic) = name.strip_suffix(".edited.txt") else { continue };
        variants += 1;
        let original = (language.clone(), format!("{topic}.txt"));
        let near = compare(analysis, &analyses[&original]).unwrap().figures;
        assert!(near.jaccard >= Some(0.5), "{language}/{name}: {near:?}");
        for (names, other) in &analyses {
            if *names == original || (&names.0, &names.1) == (language, name) {
                continue;
            }
            let far = compare(analysis, other).unwrap().figures;
            assert!(
                near.jaccard > far.jaccard && near.distance < far.distance,
                "{language}/{name} {names:?}: {near:?} {far:?}"
            );
        }
    }
    assert!(variants >= 75, "{variants}");
}
