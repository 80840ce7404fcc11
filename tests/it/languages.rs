//! The texts of `data/texts`: detection, and variants nearer to their originals
//! than to anything else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use nearcopy::fingerprint::{Analysis, Fingerprinter, Options, compare};
use nearcopy::similarity::{Removal, Rules};
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

/// A text of `data/texts/cmn` in traditional characters, converted by `OpenCC`.
const TRADITIONAL: &str = "潮汐是海水每天有規律的漲落，主要由月球和太陽的引力引起。月球離地球較近，對海水的牽引最爲明顯，朝向月球的一面水位\
    升高，背向月球的一面也會隆起。由於地球不停地自轉，大多數海岸每天會出現兩次高潮和兩次低潮。太陽雖然巨大，但距離遙遠，它的作用還不到月球的\
    一半。每逢農曆初一和十五前後，太陽、月球和地球差不多排成一條直線，兩種力量疊加，便形成大潮；到了上弦月和下弦月的時候，潮差則比較小。許多\
    港口水不夠深，大船必須等到漲潮時才能安全進港。錢塘江口形狀像喇叭，每年中秋前後的湧潮十分壯觀，吸引大批遊客前來觀看。";

/// The Latin letters of a Serbian text.
pub(crate) fn in_latin(serbian: &str) -> String {
    const LETTERS: &str = "а a б b в v г g д d ђ đ е e ж ž з z и i ј j к k л l љ lj м m н n њ nj о o п p р r с s т t ћ ć у u \
        ф f х h ц c ч č џ dž ш š";
    let letters: Vec<&str> = LETTERS.split(' ').collect();
    let latin = |c: char| {
        let small = c.to_lowercase().to_string();
        let place = letters.iter().step_by(2).position(|letter| *letter == small);
        place.map_or_else(|| c.to_string(), |place| letters[2 * place + 1].to_owned())
    };
    serbian.chars().map(latin).collect()
}

/// A text in two scripts has the same terms and shingles in both, and no claim is made that one says what the other does.
#[test]
fn a_text_in_two_scripts_is_found_and_not_removed() {
    let texts = texts();
    let text = |language: &str, name: &str| texts[&(language.to_owned(), name.to_owned())].clone();
    let serbian = ["tides.txt", "bees.txt"].map(|name| text("srp", name));
    let pairs = [
        (serbian[0].clone(), in_latin(&serbian[0])),
        (serbian[1].clone(), in_latin(&serbian[1])),
        (text("cmn", "tides.txt"), TRADITIONAL.to_owned()),
    ];
    let mut fingerprinter = Fingerprinter::new(Options::default()).unwrap();
    for (a, b) in pairs {
        let [x, y] = [&a, &b].map(|text| fingerprinter.analyse(text));
        assert_eq!(x.fingerprint.language, y.fingerprint.language, "{b}");
        let figures = compare(&x, &y).unwrap().figures;
        assert_eq!((figures.jaccard, figures.distance), (Some(1.0), Some(0)), "{b}: {figures:?}");
        assert_ne!(x.fingerprint.letters, y.fingerprint.letters);
        for (removed, survivor) in [(&x, &y), (&y, &x)] {
            let claim = removed.view().claim(&survivor.view(), &Rules::removing());
            assert!(claim.is_none_or(|claim| claim == Removal::Edited), "{b}: {claim:?}");
        }
    }
}
