//! Lexicons, written and opened.

use std::fs;

use super::*;
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::text::read_words::WordReader;

fn language(name: &str) -> Language {
    name.parse().unwrap()
}

fn stem(of: &str, word: &str) -> u32 {
    let mut reader = WordReader::new(language(of));
    reader.memo.read(&reader.analyser, word).unwrap().stem
}

fn dictionary() -> Dictionary {
    let mut dictionary = Dictionary::new([language("deu"), language("eng")]);
    dictionary.note_origin("Small words", "CC0");
    dictionary.note_source("small.tsv".into(), b"content");
    dictionary.add("Häuser", ["houses", "the dwelling"], false);
    dictionary.add("mill", ["Mühle"], true);
    dictionary.add("Fabrik", ["large waste plant", "waste water", "waste"], false);
    dictionary.add("der", ["the"], false);
    dictionary.add("lang", ["a very long winded explanation nobody would ever write into running text"], false);
    dictionary.add("viel", (0..20).map(|number| ["a", "b", "c"][number % 3]), false);
    dictionary
}

fn written(folder: &Path, dictionary: &Dictionary) -> std::path::PathBuf {
    let path = folder.join("small.lex");
    dictionary.write(&path, NewFile::create(&path, Replace::Any).unwrap()).unwrap();
    path
}

#[test]
fn words_are_found_in_both_directions() {
    let folder = tempfile::tempdir().unwrap();
    let lexicon = Lexicon::open(&written(folder.path(), &dictionary())).unwrap();
    let of = |from: &str, word: &str, to: &str| -> Vec<u32> {
        let translations = lexicon.translations(language(from), language(to)).unwrap();
        translations(stem(from, word)).collect()
    };
    let mut expected = vec![stem("eng", "house"), stem("eng", "dwelling")];
    expected.sort_unstable();
    assert_eq!(of("deu", "Haus", "eng"), expected);
    assert_eq!(of("eng", "dwellings", "deu"), [stem("deu", "Haus")]);
    assert_eq!(of("eng", "mills", "deu"), [stem("deu", "Mühlen")]);
    assert!(of("deu", "lang", "eng").is_empty(), "an explanation is no translation");
    assert!(of("deu", "der", "eng").is_empty(), "a stop word tells nothing");
    assert!(lexicon.translations(language("deu"), language("fra")).is_none());
    assert_eq!((lexicon.head().name.as_str(), lexicon.head().licence.as_str()), ("Small words", "CC0"));
    assert!(is_lexicon(&folder.path().join("small.lex")));
    lexicon.for_this_version(&folder.path().join("small.lex")).unwrap();
}

#[test]
fn a_gloss_of_several_words_is_its_rarest() {
    let folder = tempfile::tempdir().unwrap();
    let lexicon = Lexicon::open(&written(folder.path(), &dictionary())).unwrap();
    let translations = lexicon.translations(language("deu"), language("eng")).unwrap();
    let found: Vec<u32> = translations(stem("deu", "Fabrik")).collect();
    // `waste` is in three glosses, so `large waste plant` counts as `large`, and `waste water` as `water`.
    let mut expected = ["large", "water", "waste"].map(|word| stem("eng", word));
    expected.sort_unstable();
    assert_eq!(found, expected);
}

#[test]
fn every_changed_byte_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = written(folder.path(), &dictionary());
    let bytes = fs::read(&path).unwrap();
    let step = (bytes.len() / 97).max(1);
    for at in (0..bytes.len()).step_by(step) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&path, &changed).unwrap();
        assert!(Lexicon::open(&path).is_err(), "byte {at}");
    }
    for length in (0..bytes.len()).step_by(step) {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(Lexicon::open(&path).is_err(), "{length} bytes");
    }
}

#[test]
fn the_layout_is_as_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = fs::read(written(folder.path(), &dictionary())).unwrap();
    assert_eq!(&bytes[..8], b"\x89dlx\r\n\x1a\n");
    assert_eq!(bytes[8..12], [1, 0, 0, 0]);
    let head = u32::from_le_bytes(*bytes[12..].first_chunk().unwrap()) as usize;
    let count = u64_at(&bytes, 16) as usize;
    let json: Head = serde_json::from_slice(&bytes[40..40 + head]).unwrap();
    assert_eq!(json.languages, ["deu", "eng"]);
    let pairs = (40 + head).next_multiple_of(8);
    assert_eq!(bytes.len(), pairs + 16 * count);
    let of =
        |side: usize| (0..count).map(|number| u64_at(&bytes, pairs + 8 * (side * count + number))).collect::<Vec<_>>();
    let mut turned: Vec<u64> = of(0).iter().map(|pair| pair.rotate_left(32)).collect();
    turned.sort_unstable();
    assert_eq!(turned, of(1));
    let docs = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/translated.md")).unwrap();
    let drawing = |text: &str, mark: &str| {
        let lines =
            text.lines().map(|line| line.trim_start_matches(mark)).skip_while(|line| !line.starts_with("offset"));
        lines.take_while(|line| !line.starts_with("```")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(drawing(&docs, ""), drawing(include_str!("../lexicon.rs"), "//! "));
}

#[test]
fn an_empty_dictionary_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut dictionary = Dictionary::new([language("deu"), language("eng")]);
    dictionary.add("der", ["the"], false);
    let path = folder.path().join("empty.lex");
    let error = dictionary.write(&path, NewFile::create(&path, Replace::Nothing).unwrap()).unwrap_err();
    assert!(error.to_string().contains("no pair of words in 1 entries"), "{error}");
    assert!(!path.exists());
}

#[test]
fn two_lexicons_that_share_a_language_make_a_third() {
    let folder = tempfile::tempdir().unwrap();
    let lexicon = |name: &str, dictionary: &Dictionary| {
        let path = folder.path().join(name);
        dictionary.write(&path, NewFile::create(&path, Replace::Nothing).unwrap()).unwrap();
        Lexicon::open(&path).unwrap()
    };
    let first = lexicon("de-en", &dictionary());
    let mut second = Dictionary::new([language("fra"), language("eng")]);
    second.note_origin("Petits mots", "CC0");
    second.add("maison", ["house"], false);
    second.add("moulin", ["mill"], false);
    second.add("eau", ["water"], false);
    second.add("toit", ["roof"], false);
    let second = lexicon("fr-en", &second);
    for (first, second, [from, to]) in [(&first, &second, ["deu", "fra"]), (&second, &first, ["fra", "deu"])] {
        let chained = chain(first, second).unwrap();
        assert_eq!(chained.head().languages, [from, to]);
        let path = folder.path().join(from);
        assert_eq!(chained.write(&path, NewFile::create(&path, Replace::Nothing).unwrap()).unwrap(), 3);
        let chained = Lexicon::open(&path).unwrap();
        let translations = chained.translations(language("deu"), language("fra")).unwrap();
        for (german, french) in [("Haus", "maison"), ("Mühle", "moulin"), ("Fabrik", "eau")] {
            assert_eq!(translations(stem("deu", german)).collect::<Vec<_>>(), [stem("fra", french)], "{german}");
        }
        for part in ["Small words", "Petits mots", "by way of English"] {
            assert!(chained.head().name.contains(part), "{:?}", chained.head());
        }
        assert_eq!(chained.head().sources.len(), 1);
    }
    assert!(chain(&first, &first).is_none(), "both languages are shared");
}

#[test]
fn of_a_chain_the_words_that_most_agree_on_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    // `Bank` by way of two words is `banque`; each of them has many other translations.
    let mut first = Dictionary::new([language("deu"), language("eng")]);
    first.add("Bank", ["bank", "treasury"], false);
    let mut second = Dictionary::new([language("eng"), language("fra")]);
    for english in ["bank", "treasury"] {
        second.add(english, ["banque"], false);
        for number in 0..30 {
            second.add(english, [format!("mot{english}{number}").as_str()], false);
        }
    }
    let lexicon = |name: &str, dictionary: &Dictionary| {
        let path = folder.path().join(name);
        dictionary.write(&path, NewFile::create(&path, Replace::Nothing).unwrap()).unwrap();
        Lexicon::open(&path).unwrap()
    };
    let pairs = chain(&lexicon("a", &first), &lexicon("b", &second)).unwrap();
    let best = pairs.weighted().iter().max_by_key(|(_, _, weight)| *weight).unwrap();
    assert_eq!((best.0, best.1), (stem("deu", "Bank"), stem("fra", "banque")));
}
