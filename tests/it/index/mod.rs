//! `dedup index`: documents are added, found and removed.

#[cfg(unix)]
mod crash;
mod damage;
mod fingerprints;
mod forged;
mod sync;
mod texts;
mod unique;
mod writers;

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::folder::{Folder, run};
use crate::letters::{FOUND, ids, info, letters, letters_with, matches, refused, segment_files};
use crate::texts::{BEES, CLOCK, EDITED, HARBOUR, MILL, Numbers, jsonl, lines_of};

#[test]
fn the_life_of_an_index() {
    let folder = Folder::new()
        .file("in/harbour.txt", HARBOUR)
        .file("in/bees.txt", BEES)
        .file("in/old/clock.txt", CLOCK)
        .file("edited.txt", EDITED);
    assert_eq!(folder.dedup("index create letters --language eng").quietly(0), "");
    assert_eq!(folder.dedup("index list letters").quietly(0), "");
    folder.dedup("index query -q letters edited.txt").quietly(1);
    let added = folder.dedup("index add letters in");
    added.code_is(0);
    assert!(
        added.stderr.contains("letters: added 3 documents; 3 documents are in the index, on the disk"),
        "{added:?}"
    );
    let all = "in/bees.txt\nin/harbour.txt\nin/old/clock.txt\n";
    assert_eq!(folder.dedup("index list letters").quietly(0), all);
    let found = &FOUND.replacen("harbour", "in/harbour.txt", 1);
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), *found);
    assert_eq!(folder.dedup("index verify letters").quietly(0), "letters: 3 documents, 1 segment, all is well\n");
    let removed = folder.dedup("index remove letters in/harbour.txt");
    removed.code_is(0);
    assert!(removed.stderr.contains("letters: removed 1 document; 2 are left"), "{removed:?}");
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(1), "");
    assert_eq!(folder.dedup("index list letters").quietly(0), "in/bees.txt\nin/old/clock.txt\n");
    assert_eq!((info(&folder, "documents"), info(&folder, "removed")), (2.into(), 1.into()));
    let compacted = folder.dedup("index compact letters");
    assert!(compacted.stderr.contains("letters: 2 documents; dropped 1 that had been removed"), "{compacted:?}");
    assert_eq!((info(&folder, "documents"), info(&folder, "removed")), (2.into(), 0.into()));
    folder.dedup("index verify letters").code_is(0);
    let again = folder.dedup("index compact letters");
    assert!(
        again.stderr.contains("letters: 2 documents; there was nothing to do, and nothing was checked"),
        "{again:?}"
    );
    folder.dedup("index clear -q letters").quietly(0);
    assert_eq!(folder.dedup("index list letters").quietly(0), "");
    assert_eq!(info(&folder, "segments"), Value::Array(Vec::new()));
    folder.dedup("index add -q letters in").quietly(0);
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), *found);
}

#[test]
fn matches_in_every_form() {
    let folder = letters().file("twice.jsonl", jsonl(&[("b", EDITED), ("c", ""), ("d", HARBOUR)]));
    let found = |form: &str| {
        folder.dedup(&format!("index query -q --format {form} --id-field id letters twice.jsonl")).quietly(0)
    };
    let text = "\
b  harbour  11 bits  Jaccard  78.94 %  by jaccard  removal: none
d  harbour   0 bits  Jaccard 100.00 %  by hamming, jaccard, text  removal: same
";
    assert_eq!(found("text"), text);
    let rows = crate::folder::jsonl(&found("jsonl"));
    assert_eq!(serde_json::from_str::<Vec<Value>>(&found("json")).unwrap(), rows);
    assert_eq!((rows.len(), &rows[0]["a"], &rows[1]["b"]), (2, &"b".into(), &"harbour".into()));
    assert_eq!(rows[0]["rules"], serde_json::json!(["jaccard"]));
    assert_eq!(
        found("csv"),
        "\
a,b,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules,removal
b,harbour,11,0.8,0.7894736842105263,0.8823529411764706,0.8823529411764706,jaccard,
d,harbour,0,1,1,1,1,hamming jaccard text,same
"
    );
    for (form, nothing) in [("text", ""), ("json", "[]\n"), ("jsonl", "")] {
        let none =
            folder.dedup_with_input(&format!("index query -q --format {form} letters -"), b"Nothing of the kind.");
        assert_eq!(none.quietly(1), nothing);
    }
}

#[test]
fn the_most_similar_come_first() {
    let folder = letters().file("more.jsonl", jsonl(&[("edited", EDITED), ("again", HARBOUR)]));
    folder.dedup("index add -q --id-field id letters more.jsonl").quietly(0);
    let all = folder.dedup("index query -q --format jsonl letters edited.txt");
    let order: Vec<_> = all.jsonl().iter().map(|row| row["b"].clone()).collect();
    assert_eq!(order, ["edited", "again", "harbour"], "equal ones by their ids");
    folder.dedup("index query --top 0 letters edited.txt").code_is(2);
    for top in 1..4 {
        let some = folder.dedup(&format!("index query -q --format jsonl --top {top} letters edited.txt"));
        assert_eq!(some.jsonl(), all.jsonl()[..top], "{top}");
        some.code_is(0);
    }
}

#[test]
fn a_query_that_could_not_read_all_says_so() {
    let folder = letters().file("half.jsonl", format!("{{]\n{}", jsonl(&[("b", EDITED)])));
    let answer = folder.dedup("index query --id-field id letters half.jsonl");
    answer.code_is(2);
    assert!(answer.stdout.starts_with("b  harbour"), "what can be answered is: {answer:?}");
    assert!(answer.stderr.contains("half.jsonl, line 1: is not valid JSON"), "{answer:?}");
    refused(&folder.dedup("index query -q letters nothing.txt"), "nothing.txt", "no such file");
}

#[test]
fn lists_for_programs() {
    let folder = letters();
    let rows = folder.dedup("index list --format jsonl letters").jsonl();
    folder.dedup("fingerprint -q --language eng --id-field id three.jsonl -o three.fp").quietly(0);
    assert_eq!(rows, folder.dedup("cat three.fp").jsonl(), "as of a fingerprint file");
    assert_eq!(folder.dedup("index list --format json letters").json().as_array().unwrap()[..], rows);
    let table = folder.dedup("index list --format csv letters").quietly(0);
    assert!(table.starts_with("id,simhash,digest,language,") && table.lines().count() == 4, "{table}");
}

#[test]
fn info_for_people_and_programs() {
    let folder = letters_with("--min 1 --max 2 --sketches 40 --stop-words none --no-stem");
    folder.dedup("index remove -q letters bees").quietly(0);
    let text = folder.dedup("index info letters").quietly(0);
    for part in [
        "letters\n   documents     2\n",
        "removed       1, still stored until segments are merged or compacted",
        "n-grams       min 1, max 2; shingles of words\n   terms         stop words none, no stems\n",
        "language      eng",
        "sketches      40",
        "keeps         shingles: Jaccard is exact",
        "changes       2",
        "00000001.fp: 2 documents, 1 removed, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.dedup("index info --format json letters").json();
    assert_eq!((&json["index"], &json["documents"], &json["removed"]), (&"letters".into(), &2.into(), &1.into()));
    assert_eq!((&json["shingles"], &json["passages"]), (&true.into(), &false.into()));
    assert_eq!((&json["recipe"]["sketches"], &json["generation"]), (&40.into(), &2.into()));
    assert_eq!(json["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn documents_can_be_removed_by_a_list() {
    let folder = letters().file("gone.txt", "\r\nbees\r\nnobody\n\nharbour");
    let removed = folder.dedup("index remove letters --from gone.txt clock clock");
    removed.code_is(2);
    assert!(removed.stderr.contains("letters: no document has the id 'nobody'"), "{removed:?}");
    assert!(removed.stderr.contains("removed 3 documents; 1 was not found; 0 are left"), "{removed:?}");
    assert_eq!(ids(&folder, "letters"), [""; 0]);
    refused(&folder.dedup("index remove -q letters --from nothing"), "nothing", "no such file");
    folder.dedup("index remove letters").code_is(2);
}

#[test]
fn a_list_can_be_removed() {
    let folder = letters();
    let listed = folder.dedup("index list letters").quietly(0);
    folder.dedup_with_input("index remove -q letters --from -", listed.as_bytes()).quietly(0);
    assert_eq!(info(&folder, "documents"), 0);
    folder.dedup("index add -q --id-field id letters three.jsonl").quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 3, "who is gone may come again");
}

/// Ids with line breaks and other characters that a list of one id per line cannot hold.
#[test]
fn a_list_for_programs_can_be_removed() {
    let odd = ["two\nlines", "end\r", "tab\tbed", "{\"id\":\"x\"}", "", " ", "\u{0}\u{1b}[31m", "\u{2028}"];
    let documents: Vec<(&str, &str)> = odd.iter().map(|id| (*id, HARBOUR)).collect();
    let folder = letters().file("odd.jsonl", jsonl(&documents));
    folder.dedup("index add -q --id-field id letters odd.jsonl").quietly(0);
    let listed = folder.dedup("index list --format jsonl letters").quietly(0);
    assert_eq!(listed.lines().count(), 3 + odd.len());
    let listed = format!("{}\r\n\n", listed.replace('\n', "\r\n"));
    folder.dedup_with_input("index remove -q letters --from -", listed.as_bytes()).quietly(0);
    assert_eq!(info(&folder, "documents"), 0);
    // A line without an id is an error, and nothing is removed.
    folder.dedup("index add -q --id-field id letters three.jsonl").quietly(0);
    let folder = folder.file("gone.jsonl", "{\"id\":\"bees\"}\n\n{\"name\":\"clock\"}\n");
    refused(
        &folder.dedup("index remove -q letters --from gone.jsonl"),
        "gone.jsonl, line 3",
        "is not a JSON object with an id",
    );
    assert_eq!(info(&folder, "documents"), 3);
}

/// A file that is not a list is refused before it fills the memory; a list that repeats itself is accepted.
#[cfg(target_os = "linux")]
#[test]
fn a_list_without_an_end_is_refused() {
    let folder = letters().file("latin", b"bees\n\xe9\n").file("many.txt", "bees\n".repeat(3_000_000));
    let limited = |line: &str| {
        let script = format!("ulimit -v 400000; exec {} {line}", crate::folder::DEDUP);
        run(Command::new("sh").args(["-c", &script]).current_dir(folder.path()), b"")
    };
    refused(
        &limited("index remove -q letters --from /dev/zero"),
        "/dev/zero, line 1",
        "is longer than 16 MiB, the most that is allowed; name a list of one id a line; nothing was removed",
    );
    refused(&limited("index remove -q letters --from latin"), "latin, line 2", "is not UTF-8, as ids must be");
    assert_eq!(info(&folder, "documents"), 3);
    limited("index remove -q letters --from many.txt").quietly(0);
    assert_eq!(info(&folder, "documents"), 2);
}

#[test]
fn missing_ids_change_nothing() {
    let folder = letters();
    let before = folder.files("letters");
    let answer = folder.dedup("index remove -q letters a b");
    assert_eq!((answer.code, answer.stderr.lines().count()), (2, 2), "{answer:?}");
    assert!(folder.files("letters") == before);
}

#[test]
fn an_index_is_not_created_in_a_used_folder() {
    let folder = letters().file("in/a.txt", HARBOUR);
    fs::create_dir(folder.path().join("empty")).unwrap();
    folder.dedup("index create empty").quietly(0);
    refused(&folder.dedup("index create in"), "in", "is not empty; name a folder that is not there yet");
    refused(&folder.dedup("index create letters"), "letters", "is not empty; name a folder that is not there yet");
    refused(&folder.dedup("index create edited.txt"), "edited.txt", "is not a folder");
    refused(&folder.dedup("index create a/b"), "a/b", "its folder does not exist; make it first");
    assert_eq!(ids(&folder, "letters").len(), 3);
}

#[test]
fn every_command_refuses_what_is_not_an_index() {
    let folder = letters().file("in/a.txt", HARBOUR);
    for name in ["in", "nowhere", "edited.txt"] {
        for line in [
            "add -q DIR edited.txt",
            "query -q DIR edited.txt",
            "remove -q DIR a",
            "list DIR",
            "info DIR",
            "verify DIR",
            "compact -q DIR",
            "clear -q DIR",
        ] {
            let answer = folder.dedup(&format!("index {}", line.replace("DIR", name)));
            refused(&answer, name, "is not an index; make one with `dedup index create`");
        }
    }
    assert_eq!(folder.files("in").len(), 1, "nothing is left there");
    assert!(!folder.path().join("nowhere").exists());
}

/// Two corpora with much in common and without copies, as `dedup find` represents copies by the
/// first.
fn corpora() -> Folder {
    let mut numbers = Numbers(7);
    let old: Vec<(String, String)> = (0..90).map(|i| (format!("old{i}"), numbers.text(40))).collect();
    let mut new = Vec::new();
    for (i, (_, text)) in old.iter().take(60).enumerate() {
        let changes = numbers.below(24);
        let text = if i % 4 == 3 { numbers.text(40) } else { numbers.edited(text, changes) };
        new.push((format!("new{i}"), text));
    }
    let small = |documents: &[(String, String)], folder: Folder, name: &str| {
        documents
            .chunks(7)
            .enumerate()
            .fold(folder, |folder, (i, part)| folder.file(&format!("{name}/{i:02}.jsonl"), lines_of(part)))
    };
    small(&new, small(&old, Folder::new(), "old"), "new")
}

/// Asserts that a query of an index answers as a search of its documents does.
fn answers_as(folder: &Folder, index: &str, documents: &str) {
    for rules in ["", "--distance 8", "--similarity 0.2", "--distance none --similarity 0.8", "--similarity none"] {
        let line = format!("-q --format jsonl --id-field id --recall 0.9999 {rules}");
        let expected = matches(folder, &format!("find --pairs --language und {line} new --against {documents}"));
        let found = matches(folder, &format!("index query {line} {index} new"));
        assert_eq!(found, expected, "{index} {rules}");
        assert!(!found.is_empty(), "{rules}");
    }
}

#[test]
fn a_query_answers_as_find_does() {
    let folder = corpora();
    folder.dedup("index create letters --language und").quietly(0);
    folder.dedup("index add -q --id-field id letters old").quietly(0);
    answers_as(&folder, "letters", "old");
    // At similarity 0 every document matches, and expected recall has no meaning.
    let told = folder.dedup("index query --id-field id letters new --similarity 0");
    assert!(told.stderr.contains("documents that have nothing in common are not"), "{told:?}");
    assert!(!told.stderr.contains(" 0.00 %"), "{told:?}");
    // A note says that the tables were made for other rules.
    let told = folder.dedup("index query --id-field id letters new --distance 8 --similarity 0.2");
    assert!(told.stderr.contains("tables for a distance of 3 only, so every simhash is scanned"), "{told:?}");
    assert!(
        told.stderr.contains("no tables for this --similarity and --recall, so every sketch is scanned"),
        "{told:?}"
    );
}

/// A text that stands whole in the query goes for it, as `find` says.
#[test]
fn an_answer_has_the_claim_of_either_text() {
    let folder = Folder::new().file("part.txt", MILL).file("whole.txt", format!("{MILL}\n\n{HARBOUR}"));
    folder.dedup("index create letters").quietly(0);
    folder.dedup("index add -q letters part.txt").quietly(0);
    let answer = folder.dedup("index query -q --format jsonl --similarity 0.1 letters whole.txt").quietly(0);
    assert!(answer.contains("\"removal\":\"contained\""), "{answer}");
}

#[test]
fn small_additions_and_removals_answer_the_same() {
    let folder = corpora();
    folder.dedup("index create letters --language und --distance 7 --similarity 0.2").quietly(0);
    let told = folder.dedup("index query --id-field id letters new --distance 7 --similarity 0.2");
    assert!(!told.stderr.contains("is scanned"), "{told:?}");
    let parts: Vec<String> = folder.files("old").into_keys().collect();
    let mut strangers = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        folder.dedup(&format!("index add -q --id-field id letters old/{part}")).quietly(0);
        // Other documents are added and removed in between.
        let stranger = format!("new/{i:02}.jsonl");
        if folder.path().join(&stranger).exists() {
            folder.dedup(&format!("index add -q --id-field id letters {stranger}")).quietly(0);
            strangers.extend(crate::folder::jsonl(&folder.read_text(&stranger)));
        }
    }
    let gone: String = strangers.iter().map(|row| format!("{}\n", row["id"].as_str().unwrap())).collect();
    assert!(info(&folder, "segments").as_array().unwrap().len() > 1);
    let folder = folder.file("gone.txt", gone);
    folder.dedup("index remove -q letters --from gone.txt").quietly(0);
    answers_as(&folder, "letters", "old");
    folder.dedup("index compact -q letters").quietly(0);
    assert_eq!(info(&folder, "segments").as_array().unwrap().len(), 1);
    answers_as(&folder, "letters", "old");
    assert_eq!(ids(&folder, "letters").len(), 90);
}

#[test]
fn many_small_additions_make_few_segments() {
    let folder = Folder::new();
    folder.dedup("index create letters --language und").quietly(0);
    let all: Vec<String> = (0..40).map(|i| format!("d{i}")).collect();
    for id in &all {
        let line = jsonl(&[(id, &format!("{HARBOUR} {id}"))]);
        let line = run(&mut folder.command("index add -q --input jsonl --id-field id letters -"), line.as_bytes());
        line.quietly(0);
    }
    let mut listed = ids(&folder, "letters");
    listed.sort_by_key(|id| id[1..].parse::<u32>().unwrap());
    assert_eq!(listed, all);
    let segments = info(&folder, "segments").as_array().unwrap().len();
    assert!((1..=9).contains(&segments), "{segments}");
    assert_eq!(segment_files(&folder, "letters"), segments, "and no other is left");
}
