//! `dedup index add`: documents with a known id, and documents that resemble others.

use std::collections::BTreeSet;

use crate::folder::removals;
use crate::letters::{
    LONG_RESEMBLES, THREE, ids, info, letters, letters_and_mill, long_edited, matches, refused, segment_files,
};
use crate::texts::{BEES, CLOCK, EDITED, HARBOUR, jsonl};

#[test]
fn a_known_id_is_an_error_that_adds_nothing() {
    let folder = letters().file("more.jsonl", jsonl(&[("new", EDITED), ("bees", CLOCK), ("clock", BEES)]));
    let before = ids(&folder, "letters");
    refused(
        &folder.dedup("index add -q --id-field id letters more.jsonl"),
        "letters",
        "has a document 'bees' already, and of 1 more id; nothing was added: skip those by --skip, or replace them by \
         --replace",
    );
    assert_eq!(ids(&folder, "letters"), before);
    assert_eq!(info(&folder, "generation"), 1);
}

#[test]
fn known_ids_can_be_skipped() {
    let folder = letters().file("more.jsonl", jsonl(&[("new", EDITED), ("bees", EDITED)]));
    let added = folder.dedup("index add --skip --id-field id letters more.jsonl");
    added.code_is(0);
    assert!(
        added.stderr.contains("added 1 document, 1 left out, as their id was already there; 4 documents"),
        "{added:?}"
    );
    let found = matches(&folder, "index query -q letters edited.txt");
    assert!(found.iter().all(|line| !line.contains("  bees  ")), "the old one stays: {found:?}");
    assert_eq!(ids(&folder, "letters"), ["harbour", "bees", "clock", "new"]);
}

#[test]
fn known_ids_can_be_replaced() {
    let folder = letters().file("more.jsonl", jsonl(&[("new", CLOCK), ("harbour", BEES)]));
    let added = folder.dedup("index add --replace --id-field id letters more.jsonl");
    added.code_is(0);
    assert!(added.stderr.contains("added 2 documents, 1 of them replacing others; 4 documents"), "{added:?}");
    assert_eq!(matches(&folder, "index query -q letters edited.txt"), BTreeSet::new(), "the old text is not found");
    let folder = folder.file("bees.txt", BEES);
    let found = matches(&folder, "index query -q letters bees.txt");
    assert!(found.iter().any(|line| line.contains("bees.txt  harbour")), "the new one is: {found:?}");
    assert_eq!(ids(&folder, "letters").len(), 4);
    folder.dedup("index add -q --replace --skip letters three.jsonl").code_is(2);
}

#[test]
fn an_id_in_two_inputs_is_an_error() {
    let folder = letters().file("a.jsonl", jsonl(&[("same", EDITED), ("a", ""), ("same", BEES)]));
    let folder = folder.file("b.jsonl", jsonl(&[("same", BEES), ("b", "")]));
    let added = folder.dedup("index add --id-field id letters a.jsonl b.jsonl");
    added.code_is(2);
    assert!(added.stderr.contains("same"), "{added:?}");
    assert!(added.stderr.contains("added 3 documents"), "{added:?}");
    assert!(folder.dedup("index query -q letters edited.txt").quietly(0).contains("  same   0 bits"));
    // The same holds for two fingerprint files.
    for name in ["a", "b"] {
        let line = format!("fingerprint -q --language eng --id-field id {name}.jsonl -o {name}.fp");
        assert!(folder.dedup(&line).code != 1);
    }
    folder.dedup("index create two --language eng").quietly(0);
    let added = folder.dedup("index add two b.fp a.fp");
    added.code_is(2);
    assert!(added.stderr.contains("added 4 documents, 1 left out, as an earlier input has their id"), "{added:?}");
    // A fingerprint file keeps both documents with one id, under different names.
    assert_eq!(ids(&folder, "two"), ["same", "b", "a", "a.jsonl:3"]);
}

/// Five documents: near to the index, short and near, new, the new one with another ending, new.
fn news() -> String {
    [
        "{\"id\": \"near\",  \"text\": \"LONG\", \"more\": [1, 2.50]}\n",
        "{\"id\": \"short\",  \"text\": \"EDITED\"}\n",
        "{\"more\":null,\"id\":\"new\",\"text\":\"COAL in the cellar lasts until March, if the winter is mild and nobody keeps hens.\"}\n",
        "{\"id\":\"nearly\",\"text\":\"Coal in the  cellar lasts until March, if the winter is mild and nobody keeps hens!\"}\n",
        "{\"id\":\"other\",\"text\":\"CLOTH\"}\n",
    ]
    .concat()
    .replace("EDITED", EDITED)
    .replace("LONG", &long_edited())
}

#[test]
fn only_what_is_new_is_added() {
    let folder = letters_and_mill().file("news.jsonl", news());
    let line = "index add --unique=edited --id-field id letters news.jsonl --force -o new.jsonl --format jsonl";
    let added = folder.dedup(line);
    added.code_is(0);
    assert!(added.stderr.contains("letters: added 3 documents, 2 left out, as they resemble others"), "{added:?}");
    let removed = removals(&added.stdout);
    let listed: Vec<_> = removed.iter().map(|row| (row["id"].clone(), row["survivor"].clone())).collect();
    assert_eq!(listed, [("near".into(), "mill".into()), ("nearly".into(), "new".into())]);
    // Texts of 50 words and more need Jaccard .7, texts of up to 20 words must be equal; the simhash is not used.
    let near = &removed[0];
    assert_eq!(near["jaccard"], 53.0 / 59.0);
    assert_eq!((&near["removal"], &near["rules"]), (&"edited".into(), &serde_json::json!(["jaccard"])));
    assert_eq!(removed[1]["removal"], "same");
    assert_eq!(folder.read_text("new.jsonl.removed.jsonl"), added.stdout);
    let news = news();
    let lines: Vec<&str> = news.split_inclusive('\n').collect();
    let new = [lines[1], lines[2], lines[4]].concat();
    assert_eq!(folder.read_text("new.jsonl"), new, "byte for byte");
    assert_eq!(ids(&folder, "letters"), ["harbour", "bees", "clock", "mill", "short", "new", "other"]);
    // Run again, it adds nothing.
    refused(&folder.dedup(&line.replace("add", "add -q")), "letters", "has a document 'short' already");
    assert_eq!(folder.read_text("new.jsonl"), new, "as it was");
    let again = folder.dedup(&line.replace("add", "add --skip"));
    again.code_is(0);
    assert!(
        again.stderr.contains("added 0 documents, 3 left out, as their id was already there, 2 left out"),
        "{again:?}"
    );
    assert_eq!((&*folder.read_text("new.jsonl"), removals(&again.stdout).len()), ("", 2));
    assert_eq!(ids(&folder, "letters").len(), 7);
}

#[test]
fn only_what_is_new_of_a_folder() {
    let folder = letters_and_mill()
        .file("in/a/long.txt", long_edited())
        .file("in/b.txt", "A text of its own, which is like none of the others at all.")
        .file(
            "in/c/two.jsonl",
            jsonl(&[("bees", BEES), ("own", "Another text of its own, about hedgehogs in autumn.")]),
        );
    let listed = folder.dedup("index add -q --unique=edited --id-field id letters in -o new --skip").quietly(0);
    assert_eq!(listed, LONG_RESEMBLES.replacen("long.txt", "in/a/long.txt", 1));
    let files = folder.files("new");
    assert_eq!(files.keys().collect::<Vec<_>>(), ["b.txt", "c/two.jsonl"]);
    assert_eq!(files["b.txt"], folder.read("in/b.txt"));
    assert!(files["c/two.jsonl"].starts_with(b"{\"id\":\"own\""));
    assert_eq!(removals(&folder.read_text("new.removed.jsonl")).len(), 1);
    assert_eq!(info(&folder, "documents"), 6);
    // The output folder now exists, which is an error before anything is added.
    let folder = folder.file("in/d.txt", "A last text, on the price of stamps and of the envelopes that go with them.");
    refused(
        &folder.dedup("index add -q --unique=edited --id-field id letters in -o new --skip"),
        "new",
        "already exists; --force replaces it",
    );
    assert_eq!(info(&folder, "documents"), 6);
}

#[test]
fn inputs_that_map_to_one_output_are_refused_first() {
    let folder = letters().file("a/x.txt", HARBOUR).file("b/x.txt", BEES);
    folder.dedup("index create other").quietly(0);
    let answer = folder.dedup("index add -q --unique other a/x.txt b/x.txt -o new");
    answer.fails_saying("two inputs map to this output path");
    assert_eq!(segment_files(&folder, "other"), 0);
    assert!(!folder.path().join("new").exists());
}

#[test]
fn an_output_is_for_what_is_unique() {
    let folder = letters();
    folder.dedup("index add -q letters edited.txt -o new").code_is(2);
    folder.dedup("index add -q --unique letters three.jsonl -o three.jsonl").fails_saying("three.jsonl: is an input");
    folder
        .dedup_with_input("index add -q --unique letters - -o new", b"x")
        .fails_saying("standard input cannot be read");
    folder.dedup("fingerprint -q edited.txt -o edited.fp").quietly(0);
    folder.dedup("index add -q --unique letters edited.fp -o new").fails_saying("edited.fp: holds fingerprints");
    assert_eq!((folder.read_text("three.jsonl"), info(&folder, "documents")), (jsonl(&THREE), 3.into()));
}

#[test]
fn the_rules_decide_which_documents_are_near() {
    for (text, options, rule) in [
        ("long.txt", "", Some("jaccard")),
        ("long.txt", "--similarity 0.89", Some("jaccard")),
        ("long.txt", "--similarity 0.9", None),
        ("long.txt", "--similarity 0.9 --distance 3", None),
        ("long.txt", "--similarity 0.9 --distance 9", Some("hamming")),
        ("edited.txt", "", None),
        ("edited.txt", "--threshold-alone", Some("jaccard")),
        ("edited.txt", "--threshold-alone --similarity 0.79", None),
        ("edited.txt", "--distance 11", Some("hamming")),
    ] {
        let folder = letters_and_mill();
        let listed = folder.dedup(&format!("index add -q --unique=edited letters {text} {options}")).quietly(0);
        let by = listed
            .strip_suffix('\n')
            .and_then(|line| line.strip_suffix("  removal: edited")?.rsplit_once("  by "))
            .map(|(_, rules)| rules);
        assert_eq!(by, rule, "{text} {options}: {listed}");
        assert_eq!(info(&folder, "documents"), if rule.is_some() { 4 } else { 5 }, "{text} {options}");
    }
}
