//! Texts in an index: texts kept for `dedup screen`, odd texts, odd places and standard input.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::folder::{DEDUP, Folder, removals, run};
use crate::letters::{FOUND, ids, info, letters, letters_and_mill, long_edited, refused};
use crate::texts::{BEES, CLOCK, EDITED, HALL, HARBOUR, MILL, jsonl};

/// Two years of essays, and an index of the first year.
fn essays(options: &str) -> Folder {
    let folder = Folder::new()
        .file("old/ana/mill.txt", format!("{MILL} My own opinion of mills follows here, in a few words."))
        .file("old/ben/hall.txt", HALL)
        .file("old/ben/none.txt", "")
        .file("new/cleo/essay.txt", format!("Something about our hall, by way of a beginning.\n\n{HALL}"))
        .file("new/ana/essay.txt", MILL);
    folder.dedup("index create essays --passages").quietly(0);
    folder.dedup(&format!("index add -q {options} essays old")).quietly(0);
    folder
}

#[test]
fn an_index_is_screened_against_as_its_texts_are() {
    let folder = essays("");
    let expected = folder.screened("new --against old");
    assert_eq!(expected.len(), 2);
    assert_eq!(folder.screened("new --against essays"), expected);
    // The texts are in several segments, one of them with removed documents.
    let folder = folder.file("more/a.txt", MILL).file("more/b.txt", "A word or two of no weight.");
    for name in ["a", "b"] {
        folder.dedup(&format!("index add -q essays more/{name}.txt")).quietly(0);
    }
    assert_eq!(folder.screened("new --against essays").len(), 3);
    assert_eq!(folder.screened("new --against essays"), folder.screened("new --against old more"));
    folder.dedup("index remove -q essays more/a.txt").quietly(0);
    assert_eq!(folder.screened("new --against essays"), expected);
    folder.dedup("index compact -q essays").quietly(0);
    assert_eq!(folder.screened("new --against essays"), expected);
    folder.dedup("index remove -q essays old/ben/hall.txt").quietly(0);
    assert_eq!(folder.screened("new --against essays"), expected[..1]);
    assert_eq!(folder.screened("new --against essays")[0]["source"], "old/ana/mill.txt");
    fs::remove_dir_all(folder.path().join("old")).unwrap();
    assert_eq!(folder.screened("new --against essays"), expected[..1], "the texts are in it");
}

#[test]
fn an_index_knows_authors() {
    let folder = essays("--authors");
    let found = folder.screened("new --authors --against essays");
    assert_eq!(found, folder.screened("new --authors --against old"));
    assert_eq!((found.len(), &found[0]["source"]), (1, &"old/ben/hall.txt".into()), "Ana may use her own words");
    folder.dedup("index compact -q essays").quietly(0);
    folder.dedup("index remove -q essays old/ben/none.txt").quietly(0);
    folder.dedup("index compact -q essays").quietly(0);
    assert_eq!(folder.screened("new --authors --against essays"), found, "merged, too");
    let record = |who: &str| serde_json::json!({ "id": who, "who": who, "text": HALL }).to_string() + "\n";
    let folder = folder.file("three.jsonl", record("dan")).file("late.jsonl", record("dan"));
    folder.dedup("index clear -q essays").quietly(0);
    folder.dedup("index add -q essays three.jsonl --author-field who --id-field id").quietly(0);
    assert_eq!(folder.screened("late.jsonl --author-field who --against essays").len(), 0);
}

#[test]
fn an_index_without_texts_cannot_be_screened_against() {
    let folder = letters();
    let answer = folder.dedup("screen -q edited.txt --against letters");
    refused(&answer, "letters", "create an index with passages");
    refused(&folder.dedup("screen -q letters --against edited.txt"), "letters", "name it after --against");
    // An index that keeps texts accepts archives, and refuses fingerprints without texts.
    folder.dedup("index create essays --passages").quietly(0);
    folder.dedup("fingerprint -q edited.txt -o edited.fp").quietly(0);
    refused(&folder.dedup("index add -q essays edited.fp"), "edited.fp", "has no texts");
    folder.dedup("screen -q edited.txt --save edited.dsi").quietly(0);
    folder.dedup("index add -q essays edited.dsi").quietly(0);
    assert_eq!(ids(&folder, "essays"), ["edited.txt"]);
}

#[test]
fn odd_texts_are_added_and_found() {
    let folder = letters_and_mill()
        .file("odd/empty.txt", "")
        .file("odd/also-empty.txt", "")
        .file("odd/signs.txt", "?! ... -- 12 ;")
        .file("odd/word.txt", "word")
        .file("odd/copy.txt", MILL)
        .file("odd/other-copy.txt", MILL)
        .file("odd/bytes.txt", [long_edited().as_bytes(), b" \xff\xfe\xc3 "].concat());
    folder.dedup("index add -q letters odd").quietly(0);
    assert_eq!(info(&folder, "documents"), 11);
    let near = |name: &str| -> Vec<Value> {
        let found = folder.dedup(&format!("index query -q --format jsonl letters odd/{name}.txt")).jsonl();
        found.iter().map(|row| row["b"].clone()).collect()
    };
    assert_eq!(near("empty"), ["odd/also-empty.txt", "odd/empty.txt"]);
    assert!(near("signs").contains(&"odd/signs.txt".into()));
    assert_eq!(near("word"), ["odd/word.txt"]);
    assert_eq!(near("copy"), ["mill", "odd/copy.txt", "odd/other-copy.txt", "odd/bytes.txt"]);
    // With `--unique`, copies are rejected.
    folder.dedup("index clear -q letters").quietly(0);
    let listed = removals(&folder.dedup("index add -q --unique letters odd --format jsonl").stdout);
    let names: Vec<&str> = listed.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["odd/empty.txt", "odd/other-copy.txt"]);
}

#[test]
fn an_empty_folder_adds_nothing() {
    let folder = letters().file("empty/deep/.keep", "");
    fs::create_dir(folder.path().join("bare")).unwrap();
    for name in ["empty", "bare"] {
        let added = folder.dedup(&format!("index add letters {name}"));
        added.code_is(0);
        assert!(added.stderr.contains("added 0 documents; 3 documents are in the index"), "{added:?}");
        folder.dedup(&format!("index query -q letters {name}")).quietly(1);
    }
    assert_eq!(ids(&folder, "letters").len(), 3);
}

#[test]
fn any_id_can_be_added_and_removed() {
    let odd = ["it's \"quoted\"", "two\nlines", "red \u{1b}[31m", "tab\tbed", "-q", "", " ", "größe 潮", "\u{0}"];
    let documents: Vec<(&str, &str)> = odd.iter().map(|id| (*id, HARBOUR)).collect();
    let folder = letters().file("odd.jsonl", jsonl(&documents));
    let added = folder.dedup("index add -q --id-field id letters odd.jsonl");
    let listed = ids(&folder, "letters");
    let kept: Vec<&str> = odd.into_iter().filter(|id| listed.iter().any(|other| other == id)).collect();
    assert!(kept.len() == odd.len() && added.code == 0, "{added:?} {kept:?}");
    let text = folder.dedup("index list letters").quietly(0);
    assert!(!text.contains('\u{1b}') && text.lines().count() == listed.len(), "{text:?}");
    let found = folder.dedup("index query -q letters edited.txt").quietly(0);
    assert!(!found.contains('\u{1b}') && found.lines().count() == 1 + odd.len(), "{found:?}");
    let mut command = Command::new(DEDUP);
    command.args(["index", "remove", "-q", "letters", "--"]).args(odd.iter().filter(|id| **id != "\u{0}"));
    run(command.current_dir(folder.path()), b"").quietly(0);
    assert_eq!(ids(&folder, "letters"), ["harbour", "bees", "clock", "\u{0}"]);
    // An id cannot change the direction of the text around it either.
    let turned = jsonl(&[("\u{202e}txt.\u{2066}", BEES)]);
    folder.dedup_with_input("index add -q --input jsonl --id-field id letters -", turned.as_bytes()).quietly(0);
    let text = folder.dedup("index list letters").quietly(0);
    assert!(text.ends_with("\n\u{fffd}txt.\u{fffd}\n"), "{text:?}");
    // An id in an error cannot control the terminal.
    let answer =
        run(Command::new(DEDUP).args(["index", "remove", "letters", "\u{1b}[2J\n"]).current_dir(folder.path()), b"");
    assert!(answer.code == 2 && !answer.stderr.contains('\u{1b}'), "{answer:?}");
    let known = folder.dedup("index add -q --id-field id letters odd.jsonl");
    assert!(known.code == 2 && known.stderr.lines().count() == 1, "{known:?}");
}

/// A list of the ids of files can be read again, whatever their names.
#[test]
fn files_of_any_name_are_listed_so_that_they_can_be_removed() {
    let names = ["rtl\u{202e}txt", "\u{2066}a\u{2069}", "two\nlines", "esc\u{1b}[31m", "sep\u{2028}", "plain"];
    let folder = names.iter().fold(letters(), |folder, name| folder.file(&format!("odd/{name}.txt"), BEES));
    folder.dedup("index add -q letters odd").quietly(0);
    let listed = folder.dedup("index list letters").quietly(0);
    assert!(listed.contains("odd/rtl\\xE2\\x80\\xAEtxt.txt\n") && !listed.contains('\u{fffd}'), "{listed:?}");
    let odd: String = listed.lines().filter(|id| id.starts_with("odd/")).map(|id| format!("{id}\n")).collect();
    assert_eq!(odd.lines().count(), names.len());
    folder.dedup_with_input("index remove -q letters --from -", odd.as_bytes()).quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 3);
    assert_eq!(folder.dedup("index sync letters odd").code, 0);
    folder.dedup("index remove -q letters odd/rtl\\xE2\\x80\\xAEtxt.txt").quietly(0);
}

#[test]
fn an_index_in_a_folder_that_is_added_is_not_read() {
    let folder = Folder::new().file("in/harbour.txt", HARBOUR).file("in/edited.txt", EDITED);
    folder.dedup("index create in/index --language eng --passages").quietly(0);
    for (index, input) in [("in/index", "in"), ("./in/../in/index", "./in")] {
        let added = folder.dedup(&format!("index add --skip {index} {input}"));
        added.code_is(0);
        assert!(added.stderr.contains("read 2 documents"), "{added:?}");
        let found = folder.dedup(&format!("index query {index} {input}"));
        assert!(found.code == 0 && found.stderr.contains("looked for 2 documents"), "{found:?}");
    }
    let absolute = folder.path().join("in/index");
    let answer = run(
        Command::new(DEDUP)
            .args(["index", "add", "--skip"])
            .arg(absolute)
            .arg(".")
            .current_dir(folder.path().join("in")),
        b"",
    );
    assert!(answer.code == 0 && answer.stderr.contains("read 2 documents"), "{answer:?}");
}

/// Files in the folder of the index would otherwise be skipped without a warning.
#[test]
fn an_input_in_the_index_is_refused() {
    let folder = letters().file("letters/more/a.txt", EDITED).file("letters/b.txt", EDITED);
    for input in ["letters", "letters/more", "./letters/more/a.txt", "letters/b.txt", "edited.txt letters/more"] {
        for command in ["add -q --skip", "query -q"] {
            let answer = folder.dedup(&format!("index {command} letters {input}"));
            answer.fails_saying("lies inside the index letters, which is never read as input");
        }
    }
    // Neither is another index read as a text.
    folder.dedup("index create others --language eng").quietly(0);
    for command in ["add", "query"] {
        let answer = folder.dedup(&format!("index {command} -q letters others"));
        refused(
            &answer,
            "others",
            "is an index; name the texts that it was made of, or its fingerprint files (others/*.fp)",
        );
    }
    // Its segments can be used like any fingerprint file.
    let found = folder.dedup("index query -q letters letters/00000001.fp").quietly(0);
    assert_eq!(found.lines().count(), 3, "each finds itself: {found}");
}

#[test]
fn texts_from_standard_input_can_be_named() {
    let folder = letters();
    let add = |options: &str, text: &str| {
        folder.dedup_with_input(&format!("index add -q letters - {options}"), text.as_bytes())
    };
    add("", "A first text of no importance.").quietly(0);
    add("", "A second one of even less.").fails_saying("has a document '-' already");
    add("--id second", "A second one of even less.").quietly(0);
    add("--id many.csv --input jsonl", &jsonl(&[("x", CLOCK), ("y", BEES)])).quietly(0);
    add("--id table.csv", "a,b").quietly(0);
    let expected = ["harbour", "bees", "clock", "-", "second", "many.csv:1", "many.csv:2", "table.csv"];
    assert_eq!(ids(&folder, "letters").into_iter().collect::<BTreeSet<_>>(), expected.map(str::to_owned).into());
    let found = folder.dedup_with_input("index query -q letters - --id mine --top 1", EDITED.as_bytes());
    assert_eq!(found.quietly(0), FOUND.replacen("edited.txt", "mine", 1));
    folder
        .dedup("index add -q letters edited.txt --id mine")
        .fails_saying("--id mine: is for a text from standard input, and `-` is no input");
}
