use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::fingerprint::grams::BLOCK;
use crate::fingerprint::{Comparison, compare, explain};
use crate::similarity::{Rule, RuleSet, Rules};

fn fingerprinter(min: usize, max: usize) -> Fingerprinter {
    let ngrams = NgramRange::new(min, max).unwrap();
    Fingerprinter::new(Options { ngrams, ..Options::default() }).unwrap()
}

fn compared(language: Option<&str>, a: &str, b: &str) -> Comparison {
    let mut options = Options::default();
    options.text.language = language.map(|code| code.parse().unwrap());
    let mut fingerprinter = Fingerprinter::new(options).unwrap();
    let [a, b] = fingerprinter.analyse_pair(a, b);
    compare(&a, &b).unwrap()
}

fn rules(a: &str, b: &str) -> RuleSet {
    let comparison = compared(Some("und"), a, b);
    Rules::default().judge(&comparison.figures)
}

#[test]
fn short_texts_are_near_only_if_they_are_the_same() {
    assert_eq!(rules("two words", "other text"), []);
    assert_eq!(rules("two words", "two words more"), []);
    assert_eq!(rules("word", "words"), []);
    assert_eq!(rules("Two words!", "two words"), [Rule::Hamming, Rule::Jaccard]);
}

#[test]
fn an_empty_text_is_nobodys() {
    assert_eq!(rules("", "…!"), []);
    assert_eq!(rules("", "words of a text"), []);
    assert_eq!(rules("…", "…"), [Rule::Text]);
    let analysis = fingerprinter(3, 3).analyse(" \n");
    assert_eq!((analysis.fingerprint.simhash, analysis.fingerprint.sketch.len()), (None, 0));
}

/// A changed character changes only the words around it, and an unrelated text stays
/// farther away.
#[test]
fn one_changed_character_of_a_short_chinese_text_makes_no_stranger() {
    let text =
        "海水每天涨落两次，这种现象叫做潮汐。月球的引力把海水拉向自己，地球转动时，各地的海岸先后经过高潮和低潮。";
    let other = "蜜蜂住在蜂巢里，工蜂每天飞出去采集花蜜和花粉，回来后用舞蹈告诉同伴花在哪里。蜂王只负责产卵。";
    let count = text.chars().count();
    let mut shares = Vec::new();
    for place in (0..count).filter(|&place| !"，。".contains(text.chars().nth(place).unwrap())) {
        let changed: String = text.chars().enumerate().map(|(i, c)| if i == place { '某' } else { c }).collect();
        let comparison = compared(None, text, &changed);
        let jaccard = comparison.figures.jaccard.unwrap();
        assert!(jaccard >= 0.4, "{changed}: {jaccard}");
        assert!(comparison.figures.distance.unwrap() < compared(None, text, other).figures.distance.unwrap());
        shares.push(jaccard);
    }
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean >= 0.6, "mean Jaccard {mean}");
    assert_eq!(compared(None, text, other).figures.jaccard, Some(0.0));
}

/// A text of undetermined language is read in the language of the other; two different languages give none.
#[test]
fn two_texts_are_read_in_one_language() {
    let sure = "The harbour master of the old town said that the boats were waiting for the tide to rise.";
    let mut fingerprinter = fingerprinter(3, 3);
    for (a, b, expected) in [
        (sure, "Qqq zzz", "eng"),
        ("Qqq zzz", sure, "eng"),
        (sure, "Die Gezeiten heben und senken das Meer an jeder Küste zweimal am Tag, und das seit jeher.", "und"),
        (sure, sure, "eng"),
        ("Qqq zzz", "", "und"),
    ] {
        let languages = fingerprinter.analyse_pair(a, b).map(|analysis| analysis.fingerprint.language.code());
        assert_eq!(languages, [expected; 2], "{a} / {b}");
    }
}

#[test]
fn recipes_must_match() {
    let [a, b] = [3, 4].map(|max| fingerprinter(3, max).analyse("A text of some words, the same for both."));
    let error = compare(&a, &b).unwrap_err().to_string();
    let [x, y] = [&a, &b].map(|analysis| format!("{:016x}", analysis.fingerprint.recipe));
    assert!(error.contains(&x) && error.contains(&y) && x != y, "{error}");
}

#[test]
fn too_many_sketches_are_an_error() {
    for sketches in [0, 1025] {
        let error = Fingerprinter::new(Options { sketches, ..Options::default() }).unwrap_err();
        assert_eq!(error.to_string(), format!("{sketches} sketches: expected 1 to 1024"));
    }
}

#[test]
fn times_are_taken() {
    let mut fingerprinter = fingerprinter(3, 3);
    fingerprinter.analyse(&"some words of a text that is long enough ".repeat(5000));
    let times = fingerprinter.times();
    for time in [times.language, times.words, times.ngrams, times.simhash, times.minhash, times.shingles] {
        assert!(time > Duration::ZERO, "{times:?}");
    }
}

/// Compares the fast path with the plain one.
fn agrees(fingerprinter: &mut Fingerprinter, text: &str) -> std::result::Result<(), TestCaseError> {
    let analysis = fingerprinter.analyse(text);
    // Making terms does not change words.
    let words = Fingerprinter::new(Options { simhash: false, ..fingerprinter.options.clone() }).unwrap().analyse(text);
    if fingerprinter.options.shingles == Shingles::Words {
        prop_assert_eq!(
            (&words.shingles, &words.fingerprint.sketch),
            (&analysis.shingles, &analysis.fingerprint.sketch)
        );
    }
    prop_assert_eq!(words.fingerprint.letters, analysis.fingerprint.letters);
    let plain = explain(text, &fingerprinter.options);
    let fingerprint = &analysis.fingerprint;
    prop_assert_eq!(fingerprint.simhash, plain.simhash);
    let minima: Vec<u32> = plain.minima.iter().map(|minimum| minimum.minimum).collect();
    prop_assert_eq!(&fingerprint.sketch, &minima);
    prop_assert_eq!(fingerprint.tokens, plain.words.len());
    prop_assert_eq!(fingerprint.terms, plain.terms().len());
    prop_assert_eq!(fingerprint.ngrams, plain.ngrams.len());
    prop_assert_eq!(analysis.detection, plain.detection);
    prop_assert_eq!(fingerprint.shingles, plain.shingles.len());
    let shingles: BTreeSet<u64> = plain.shingles.iter().map(|ngram| ngram.fingerprint).collect();
    prop_assert!(shingles.iter().eq(analysis.shingles.as_slice()));
    Ok(())
}

proptest! {
    #[test]
    fn fast_equals_plain(
        texts in prop::collection::vec("([a-dA-D]{1,3}[ .,\n]){0,40}|([а-г]{1,3} ){0,20}|[一-三 。]{0,30}|\\PC{0,50}", 1..5),
        (min, max) in (1usize..6).prop_flat_map(|min| (Just(min), min..8)),
    ) {
        let mut fingerprinter = fingerprinter(min, max);
        for text in texts {
            agrees(&mut fingerprinter, &text)?;
        }
    }

    /// Texts of several blocks, with n-grams that cross from one block into the next.
    #[test]
    fn blocks_join_without_a_seam(
        terms in prop_oneof![(BLOCK - 3)..(BLOCK + 3), (2 * BLOCK - 8)..(2 * BLOCK + 3)],
        (min, max) in (1usize..5).prop_flat_map(|min| (Just(min), min..7)),
    ) {
        let text: String = (0..terms).map(|i| format!("w{} ", i * i % 1009)).collect();
        agrees(&mut fingerprinter(min, max), &text)?;
    }
}
