//! Fingerprint files in an index, and the recipe, which is fixed when the index is made.

use std::fs;

use crate::folder::Folder;
use crate::letters::{FOUND, FOUND_LONG, LONG_RESEMBLES, flip, ids, info, letters, letters_with, long_edited, refused};
use crate::texts::{HALL, MILL, jsonl};

#[test]
fn fingerprint_files_are_added_unchanged() {
    let folder = letters();
    folder.dedup("fingerprint -q --language eng --id-field id three.jsonl -o three.fp").quietly(0);
    folder.dedup("fingerprint -q --language eng edited.txt -o edited.fp").quietly(0);
    folder.dedup("index create other --language eng").quietly(0);
    let added = folder.dedup("index add other three.fp");
    assert_eq!(
        (added.code, added.stderr.contains("other: added 3 documents; 3 documents are in the index")),
        (0, true)
    );
    for query in ["edited.txt", "edited.fp", "edited.fp three.jsonl --id-field id"] {
        let expected = folder.dedup(&format!("index query -q letters {query}")).quietly(0);
        assert!(expected.contains(FOUND), "{expected}");
        assert_eq!(folder.dedup(&format!("index query -q other {query}")).quietly(0), expected);
    }
    assert_eq!(folder.dedup("index list --format jsonl other"), folder.dedup("index list --format jsonl letters"));
    // Texts and fingerprint files can be added together, with `--unique` too.
    let folder = folder.file("mill.jsonl", jsonl(&[("mill", MILL)])).file("long.txt", long_edited());
    folder.dedup("index add -q --id-field id other mill.jsonl").quietly(0);
    folder.dedup("fingerprint -q --language eng long.txt -o long.fp").quietly(0);
    assert_eq!(folder.dedup("index query -q other long.fp").quietly(0), FOUND_LONG);
    let listed = folder.dedup("index add -q --unique=edited other long.fp long.txt --skip");
    listed.code_is(2);
    assert_eq!(ids(&folder, "other").len(), 4);
    assert_eq!(listed.stdout, LONG_RESEMBLES);
}

/// An archive has texts, which an index keeps only with `--passages`.
#[test]
fn archives_are_added_beside_other_fingerprints() {
    let folder = letters().file("a.txt", MILL).file("b.txt", HALL);
    folder.dedup("screen -q a.txt --save a.dsi").quietly(0);
    folder.dedup("fingerprint -q b.txt -o b.fp").quietly(0);
    folder.dedup("index create all").quietly(0);
    folder.dedup("index add -q all a.dsi b.fp edited.txt").quietly(0);
    assert_eq!(ids(&folder, "all"), ["a.txt", "b.txt", "edited.txt"]);
    folder.dedup("index verify all").code_is(0);
}

#[test]
fn fingerprints_of_another_recipe_are_refused() {
    let folder = letters();
    folder.dedup("fingerprint -q --language eng --max 4 --id-field id three.jsonl -o three.fp").quietly(0);
    folder.dedup("fingerprint -q --language eng --sketches 9 edited.txt -o edited.fp").quietly(0);
    let own = info(&folder, "recipe_id");
    for line in [
        "add -q letters three.fp",
        "add -q --unique letters three.fp",
        "add -q --unique letters edited.fp",
        "add -q --replace letters three.fp edited.txt",
        "query -q letters three.fp",
        "query -q letters edited.fp",
        "query -q letters edited.fp edited.txt",
    ] {
        let answer = folder.dedup(&format!("index {line}"));
        answer.fails_saying("fingerprints of different recipes");
        // If texts are read too, the message compares the file's recipe with theirs.
        let other = if line.starts_with("add") || !line.contains(".txt") { "the index letters" } else { "the texts" };
        for part in [other, ".fp", own.as_str().unwrap()] {
            assert!(answer.stderr.contains(part), "{line}: {part}: {answer:?}");
        }
        assert!(!answer.stderr.contains("unfinished"), "told before anything is read: {answer:?}");
    }
    assert_eq!((info(&folder, "documents"), info(&folder, "generation")), (3.into(), 1.into()));
}

#[test]
fn fingerprints_without_shingles_are_refused() {
    let folder = letters();
    folder.dedup("fingerprint -q --no-shingles --language eng edited.txt -o edited.fp").quietly(0);
    for line in ["add -q letters edited.fp", "add -q --unique letters edited.fp", "query -q letters edited.fp"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "edited.fp", "make the file without --no-shingles");
    }
    folder.dedup("index query -q letters edited.fp --similarity none --distance 11").quietly(0);
    assert_eq!(info(&folder, "documents"), 3);
}

#[test]
fn an_index_without_shingles_answers_the_hamming_rule() {
    let folder = letters_with("--no-shingles --distance 7");
    assert!(folder.dedup("index info letters").stdout.contains("no shingles: only the Hamming rule applies"));
    let found = folder.dedup("index query -q letters edited.txt --similarity none --distance 11").quietly(0);
    assert!(found.starts_with("edited.txt  harbour  11 bits  Jaccard about 80.00 %  by hamming\n"), "{found}");
    folder.dedup("index query -q letters edited.txt --similarity none").quietly(1);
    for line in ["query -q letters edited.txt", "add -q --unique letters edited.txt"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "letters", "the index keeps no shingles");
        refused(&answer, "letters", "give --similarity none, or make an index without --no-shingles");
    }
    let line = "index add -q --unique=edited letters edited.txt --similarity none --distance 11";
    assert!(folder.dedup(line).quietly(0).contains("edited.txt  resembles  harbour"));
    // Fingerprints are accepted with or without shingles.
    folder.dedup("fingerprint -q --language eng edited.txt -o edited.fp").quietly(0);
    folder.dedup("index add -q letters edited.fp").quietly(0);
    assert_eq!(info(&folder, "documents"), 4);
}

#[test]
fn the_recipe_is_fixed_when_the_index_is_made() {
    let options = "--min 1 --max 2 --language deu --sketches 30 --no-stem --stop-words stop.txt";
    let folder = Folder::new()
        .file("stop.txt", "# ours\nund der\ndie Uhr")
        .file("in/a.txt", "Die Uhr am Turm geht nach, und keiner im Dorf weiß, wer sie aufzieht.")
        .file("in/b.txt", "Im Winter halten die Bienen einander warm und zittern dabei.")
        .file("c.txt", "Die Uhren am Turm gehen nach, und keiner im Dorf weiß, wer der Uhr hilft.");
    folder.dedup(&format!("index create letters {options}")).quietly(0);
    let rows = folder.dedup(&format!("fingerprint -q {options} in -o in.fp"));
    rows.code_is(0);
    let expected = folder.dedup(&format!("find -q --pairs {options} c.txt --against in --similarity 0.2"));
    expected.code_is(0);
    fs::remove_file(folder.path().join("stop.txt")).unwrap();
    folder.dedup("index add -q letters in").quietly(0);
    assert_eq!(folder.dedup("index list --format jsonl letters").jsonl(), folder.dedup("cat in.fp").jsonl());
    assert_eq!(folder.dedup("index query -q letters c.txt --similarity 0.2"), expected);
    folder.dedup("index query -q letters in.fp").quietly(0);
}

#[test]
fn invalid_options_are_refused_before_an_index_is_made() {
    let folder = Folder::new();
    for (options, expected) in [
        ("--language nobody", "language 'nobody' is unknown"),
        ("--min 4 --max 2", "n-gram"),
        ("--stop-words nothing.txt", "nothing.txt: no such file"),
        ("--sketches 0", "sketches"),
        ("--distance 8", "Hamming distance 8"),
        ("--distance none --similarity none", "neither a Hamming distance nor a similarity is set"),
    ] {
        folder.dedup(&format!("index create letters {options}")).fails_saying(expected);
        assert_eq!(folder.names(), [""; 0]);
    }
    for options in ["--distance 65", "--similarity 2", "--recall 1"] {
        folder.dedup(&format!("index create letters {options}")).code_is(2);
        assert_eq!(folder.names(), [""; 0]);
    }
}

/// Fingerprints that changed since they were written are refused.
#[test]
fn a_damaged_fingerprint_file_is_not_added() {
    let folder = letters();
    folder.dedup("fingerprint -q --language eng edited.txt -o edited.fp").quietly(0);
    let length = folder.read("edited.fp").len();
    let path = folder.path().join("edited.fp");
    for at in (300..length).step_by(97) {
        flip(&path, at);
        for line in ["add -q --unique letters edited.fp", "add -q letters edited.fp", "query -q letters edited.fp"] {
            refused(&folder.dedup(&format!("index {line}")), "edited.fp", " is damaged");
        }
        flip(&path, at);
    }
    assert_eq!(info(&folder, "generation"), 1);
}
