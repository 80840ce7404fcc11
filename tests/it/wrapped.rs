//! One text at several widths and in capitals: its words are the same.

use std::fs;

use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::text::words::WordReader;

use crate::folder::{Folder, project};

/// The languages of `data/texts` that put no spaces between words.
const WITHOUT_SPACES: [&str; 6] = ["cmn", "jpn", "khm", "lao", "mya", "tha"];

const WIDTHS: [usize; 3] = [20, 33, 40];

/// The texts of a language, by name.
fn texts(language: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(project().join("data/texts").join(language)).unwrap();
    let read = |file: fs::DirEntry| (file.file_name().into_string().unwrap(), fs::read_to_string(file.path()).unwrap());
    let mut texts: Vec<_> = files.map(|file| read(file.unwrap())).collect();
    texts.sort();
    texts
}

/// A text whose lines are cut after this number of characters; the rest begins a new line with `indentation`.
fn wrapped(text: &str, width: usize, indentation: &str) -> String {
    let lines = text.lines().map(|line| {
        let characters: Vec<char> = line.chars().collect();
        let cut: Vec<String> = characters.chunks(width).map(|piece| piece.iter().collect()).collect();
        cut.join(&format!("\n{indentation}"))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    WordReader::default().forms(text, |_, form| words.push(form.to_owned()));
    words
}

#[test]
fn wrapping_changes_no_word_in_scripts_without_spaces() {
    let mut fingerprinter = Fingerprinter::new(Options::default()).unwrap();
    let (mut checked, mut inside_words) = (0, 0);
    for language in WITHOUT_SPACES {
        for (name, text) in texts(language) {
            let expected = fingerprinter.fingerprint(&text);
            for width in WIDTHS {
                let narrow = wrapped(&text, width, "");
                assert_eq!(words(&narrow), words(&text), "{language}/{name} at {width}");
                let fingerprint = fingerprinter.fingerprint(&narrow);
                assert_eq!(
                    (fingerprint.simhash, fingerprint.sketch),
                    (expected.simhash, expected.sketch.clone()),
                    "{language}/{name} at {width}"
                );
                WordReader::default()
                    .words(&narrow, |word| inside_words += usize::from(narrow[word.span].contains('\n')));
                checked += 1;
            }
        }
    }
    assert!(checked >= 6 * 4 * 3 && inside_words > checked, "{checked} texts, {inside_words} words with a break");
}

#[test]
fn indentation_changes_no_word_of_chinese_and_japanese() {
    for language in ["cmn", "jpn"] {
        for (name, text) in texts(language) {
            for indentation in [" ", "    ", "\t"] {
                let indented = wrapped(&text, 33, indentation).replace('\n', "\r\n");
                assert_eq!(words(&indented), words(&text), "{language}/{name}");
            }
        }
    }
}

/// The texts on tides at two widths, and those on bees at one, as files of a folder.
fn corpus() -> Folder {
    let mut folder = Folder::new();
    for language in WITHOUT_SPACES {
        for (name, text) in texts(language) {
            let topic = name.strip_suffix(".txt").unwrap();
            if topic == "tides" {
                folder = folder
                    .file(&format!("all/{language}-a.txt"), wrapped(&text, 40, ""))
                    .file(&format!("all/{language}-b.txt"), wrapped(&text, 33, ""));
            } else if topic == "bees" {
                folder = folder.file(&format!("all/{language}-bees.txt"), wrapped(&text, 20, ""));
            }
        }
    }
    folder
}

#[test]
fn a_text_is_found_and_removed_at_another_width() {
    let folder = corpus();
    let found = folder.dedup("find -q --pairs --format jsonl all").quietly(0);
    let pairs = crate::folder::jsonl(&found);
    assert_eq!(pairs.len(), WITHOUT_SPACES.len(), "{found}");
    for (pair, language) in pairs.iter().zip(WITHOUT_SPACES) {
        let expected = [format!("all/{language}-a.txt"), format!("all/{language}-b.txt")];
        assert_eq!([&pair["a"], &pair["b"]], [expected[0].as_str(), expected[1].as_str()], "{pair}");
        assert_eq!((&pair["jaccard"], &pair["distance"]), (&1.0.into(), &0.into()), "{pair}");
    }
    folder.dedup("clean -q -o out all").quietly(0);
    // The longest text stays, which has the most line breaks.
    let mut expected: Vec<String> =
        WITHOUT_SPACES.iter().flat_map(|it| [format!("{it}-b.txt"), format!("{it}-bees.txt")]).collect();
    expected.sort();
    let mut left: Vec<String> =
        folder.files("out").into_keys().filter(|name| name.split('.').next_back() == Some("txt")).collect();
    left.sort();
    assert_eq!(left.iter().map(|name| name.rsplit('/').next().unwrap()).collect::<Vec<_>>(), expected);
}

#[test]
fn a_passage_is_found_at_another_width() {
    for language in WITHOUT_SPACES {
        let of = |topic: &str| texts(language).into_iter().find(|(name, _)| *name == format!("{topic}.txt")).unwrap().1;
        let (tides, bees) = (of("tides"), of("bees"));
        let essay = format!("{}\n\n{}", wrapped(&bees, 40, ""), wrapped(&tides, 20, "    "));
        let screened = |source: &str| {
            let folder = Folder::new().file("in/essay.txt", &essay).file("src/tides.txt", source);
            let found = folder.dedup("screen -q in --against src --format jsonl").jsonl();
            assert_eq!(found.len(), 1, "{language}: {found:?}");
            let documents = folder.dedup("screen -q in --against src --list documents --format json").json();
            let disguised = &documents[0]["disguises"]["words"];
            assert!(disguised.is_null() || *disguised == 0, "{language}: {documents}");
            (found[0]["words"].clone(), found[0]["exact"].clone())
        };
        let (count, exact) = screened(&wrapped(&tides, 33, ""));
        assert_eq!(count, exact, "{language}");
        assert_eq!(screened(&tides), (count, exact), "{language}");
    }
}

#[test]
fn a_text_in_capitals_has_the_same_words() {
    let mut languages = 0;
    for language in fs::read_dir(project().join("data/texts")).unwrap() {
        let language = language.unwrap().file_name().into_string().unwrap();
        for (name, text) in texts(&language) {
            let (small, capitals) = (words(&text), words(&text.to_uppercase()));
            assert_eq!(capitals, small, "{language}/{name}");
        }
        languages += 1;
    }
    assert!(languages >= 39);
}

/// Turkish has a capital of its own for either i.
#[test]
fn turkish_capitals_of_turkish_have_the_same_words() {
    for (name, text) in texts("tur") {
        let capitals = text.replace('i', "İ").to_uppercase();
        assert!(capitals.contains('İ') && words(&capitals) == words(&text), "{name}");
    }
}
