//! `dedup index`: documents come, are found and go, for years.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::folder::{Answer, DEDUP, Folder, run};
use crate::texts::{BEES, CLOCK, EDITED, HALL, HARBOUR, MILL, Numbers, jsonl, lines_of};

const THREE: [(&str, &str); 3] = [("harbour", HARBOUR), ("bees", BEES), ("clock", CLOCK)];

/// What a query by the near one finds.
const FOUND: &str = "edited.txt  harbour  11 bits  Jaccard  88.88 %  by jaccard\n";

/// An index of three texts, made with these options, and a text that is near to one of them.
fn letters_with(options: &str) -> Folder {
    let folder = Folder::new().file("three.jsonl", jsonl(&THREE)).file("edited.txt", EDITED);
    folder.dedup(&format!("index create letters --language eng {options}")).quietly(0);
    folder.dedup("index add -q --id-field id letters three.jsonl").quietly(0);
    folder
}

fn letters() -> Folder {
    letters_with("")
}

/// The ids that an index lists.
fn ids(folder: &Folder, index: &str) -> Vec<String> {
    let rows = folder.dedup(&format!("index list --format jsonl {index}"));
    rows.code_is(0);
    rows.jsonl().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// How many segments stand in the folder of an index.
pub(crate) fn segment_files(folder: &Folder, index: &str) -> usize {
    let is_segment = |name: &&String| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "fp");
    folder.files(index).keys().filter(is_segment).count()
}

/// The matches of a query, whatever their order.
fn matches(folder: &Folder, line: &str) -> BTreeSet<String> {
    let answer = folder.dedup(line);
    assert!(answer.code < 2 && answer.stderr.is_empty(), "{line}: {answer:?}");
    answer.stdout.lines().map(str::to_owned).collect()
}

/// Asserts a failure without panic that names the index and says so much.
fn refused(answer: &Answer, name: &str, expected: &str) {
    answer.fails_saying(expected);
    assert!(answer.stderr.starts_with(&format!("dedup: {name}")), "{answer:?}");
}

fn info(folder: &Folder, field: &str) -> Value {
    folder.dedup("index info --format json letters").json()[field].clone()
}

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
    assert!(added.stderr.contains("letters: added 3 documents; 3 documents are there, on the disk"), "{added:?}");
    let all = "in/bees.txt\nin/harbour.txt\nin/old/clock.txt\n";
    assert_eq!(folder.dedup("index list letters").quietly(0), all);
    let found = "edited.txt  in/harbour.txt  11 bits  Jaccard  88.88 %  by jaccard\n";
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), found);
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
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), found);
}

#[test]
fn matches_in_every_form() {
    let folder = letters().file("twice.jsonl", jsonl(&[("b", EDITED), ("c", ""), ("d", HARBOUR)]));
    let found = |form: &str| {
        folder.dedup(&format!("index query -q --format {form} --id-field id letters twice.jsonl")).quietly(0)
    };
    let text = "\
b  harbour  11 bits  Jaccard  88.88 %  by jaccard
d  harbour   0 bits  Jaccard 100.00 %  by hamming, jaccard, identical
";
    assert_eq!(found("text"), text);
    let rows = crate::folder::jsonl(&found("jsonl"));
    assert_eq!(serde_json::from_str::<Vec<Value>>(&found("json")).unwrap(), rows);
    assert_eq!((rows.len(), &rows[0]["a"], &rows[1]["b"]), (2, &"b".into(), &"harbour".into()));
    assert_eq!(rows[0]["rules"], serde_json::json!(["jaccard"]));
    assert_eq!(
        found("csv"),
        "\
a,b,distance,jaccard_estimate,jaccard,containment_a,containment_b,rules
b,harbour,11,0.88,0.8888888888888888,0.8888888888888888,1,jaccard
d,harbour,0,1,1,1,1,hamming jaccard identical
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
        "removed       1, in the files until these are merged or compacted",
        "n-grams       1 to 2 terms; stop words none, no stems",
        "language      eng",
        "sketches      40",
        "keeps         features: Jaccard is exact",
        "changes       2",
        "00000001.fp: 2 documents, 1 removed, ",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let json = folder.dedup("index info --format json letters").json();
    assert_eq!((&json["index"], &json["documents"], &json["removed"]), (&"letters".into(), &2.into(), &1.into()));
    assert_eq!((&json["features"], &json["passages"]), (&true.into(), &false.into()));
    assert_eq!((&json["recipe"]["sketches"], &json["generation"]), (&40.into(), &2.into()));
    assert_eq!(json["segments"].as_array().unwrap().len(), 1);
}

#[test]
fn removing_by_a_list() {
    let folder = letters().file("gone.txt", "\r\nbees\r\nnobody\n\nharbour");
    let removed = folder.dedup("index remove letters --from gone.txt clock clock");
    removed.code_is(2);
    assert!(removed.stderr.contains("letters: no document has the id 'nobody'"), "{removed:?}");
    assert!(removed.stderr.contains("removed 3 documents; 1 was not there; 0 are left"), "{removed:?}");
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

/// Line breaks and other signs that a list of one id a line cannot hold.
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
    // One line that says no id is told, and nothing is removed by halves.
    folder.dedup("index add -q --id-field id letters three.jsonl").quietly(0);
    let folder = folder.file("gone.jsonl", "{\"id\":\"bees\"}\n\n{\"name\":\"clock\"}\n");
    refused(
        &folder.dedup("index remove -q letters --from gone.jsonl"),
        "gone.jsonl, line 3",
        "is no JSON object with an id",
    );
    assert_eq!(info(&folder, "documents"), 3);
}

/// What is no list is told before it fills the memory, and what repeats itself is one.
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
        "is longer than 16 MiB, as no id is; name a list of one id a line; nothing was removed",
    );
    refused(&limited("index remove -q letters --from latin"), "latin, line 2", "is not UTF-8, as ids are");
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
fn a_folder_that_is_taken_is_no_new_index() {
    let folder = letters().file("in/a.txt", HARBOUR);
    fs::create_dir(folder.path().join("empty")).unwrap();
    folder.dedup("index create empty").quietly(0);
    refused(&folder.dedup("index create in"), "in", "is not empty; name a folder that is not there yet");
    refused(&folder.dedup("index create letters"), "letters", "is not empty; name a folder that is not there yet");
    refused(&folder.dedup("index create edited.txt"), "edited.txt", "is no folder");
    refused(&folder.dedup("index create a/b"), "a/b", "its folder does not exist; make it first");
    assert_eq!(ids(&folder, "letters").len(), 3);
}

#[test]
fn what_is_no_index_is_told_by_every_command() {
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
    assert!(added.stderr.contains("added 1 document, 1 left out, as their id is known; 4 documents"), "{added:?}");
    let found = matches(&folder, "index query -q letters edited.txt");
    assert!(found.iter().all(|line| !line.contains("  bees  ")), "the old one stays: {found:?}");
    assert_eq!(ids(&folder, "letters"), ["harbour", "bees", "clock", "new"]);
}

#[test]
fn known_ids_can_be_replaced() {
    let folder = letters().file("more.jsonl", jsonl(&[("new", CLOCK), ("harbour", BEES)]));
    let added = folder.dedup("index add --replace --id-field id letters more.jsonl");
    added.code_is(0);
    assert!(added.stderr.contains("added 2 documents, 1 of them in the place of others; 4 documents"), "{added:?}");
    assert_eq!(matches(&folder, "index query -q letters edited.txt"), BTreeSet::new(), "the old text is not found");
    let folder = folder.file("bees.txt", BEES);
    let found = matches(&folder, "index query -q letters bees.txt");
    assert!(found.iter().any(|line| line.contains("bees.txt  harbour")), "the new one is: {found:?}");
    assert_eq!(ids(&folder, "letters").len(), 4);
    folder.dedup("index add -q --replace --skip letters three.jsonl").code_is(2);
}

#[test]
fn an_id_of_two_inputs_is_told() {
    let folder = letters().file("a.jsonl", jsonl(&[("same", EDITED), ("a", ""), ("same", BEES)]));
    let folder = folder.file("b.jsonl", jsonl(&[("same", BEES), ("b", "")]));
    let added = folder.dedup("index add --id-field id letters a.jsonl b.jsonl");
    added.code_is(2);
    assert!(added.stderr.contains("same"), "{added:?}");
    assert!(added.stderr.contains("added 3 documents"), "{added:?}");
    assert!(folder.dedup("index query -q letters edited.txt").quietly(0).contains("  same   0 bits"));
    // Of two fingerprint files, too.
    for name in ["a", "b"] {
        let line = format!("fingerprint -q --language eng --id-field id {name}.jsonl -o {name}.fp");
        assert!(folder.dedup(&line).code != 1);
    }
    folder.dedup("index create two --language eng").quietly(0);
    let added = folder.dedup("index add two b.fp a.fp");
    added.code_is(2);
    assert!(added.stderr.contains("added 3 documents, 1 left out, as an input before has their id"), "{added:?}");
    assert_eq!(ids(&folder, "two"), ["same", "b", "a"]);
}

/// A file of three: near to the index, new, near to the new one.
fn news() -> String {
    [
        "{\"id\": \"near\",  \"text\": \"EDITED\", \"more\": [1, 2.50]}\n",
        "{\"more\":null,\"id\":\"new\",\"text\":\"COAL in the cellar lasts until March, if the winter is mild and nobody keeps hens.\"}\n",
        "{\"id\":\"nearly\",\"text\":\"COAL in the cellar lasts until March, if the winter is mild, and nobody keeps hens!\"}\n",
        "{\"id\":\"other\",\"text\":\"CLOTH\"}\n",
    ]
    .concat()
    .replace("EDITED", EDITED)
}

#[test]
fn only_what_is_new_is_added() {
    let folder = letters().file("news.jsonl", news());
    let line = "index add --unique --id-field id letters news.jsonl -o new.jsonl --format jsonl";
    let added = folder.dedup(line);
    added.code_is(0);
    assert!(added.stderr.contains("letters: added 2 documents, 2 left out, as they resemble others"), "{added:?}");
    let listed: Vec<_> = added.jsonl().iter().map(|row| (row["id"].clone(), row["survivor"].clone())).collect();
    assert_eq!(listed, [("near".into(), "harbour".into()), ("nearly".into(), "new".into())]);
    assert_eq!(folder.read_text("new.jsonl.removed.jsonl"), added.stdout);
    let news = news();
    let lines: Vec<&str> = news.split_inclusive('\n').collect();
    assert_eq!(folder.read_text("new.jsonl"), [lines[1], lines[3]].concat(), "byte for byte");
    assert_eq!(ids(&folder, "letters"), ["harbour", "bees", "clock", "new", "other"]);
    // Once more: nothing.
    refused(&folder.dedup(&line.replace("add", "add -q")), "letters", "has a document 'new' already");
    assert_eq!(folder.read_text("new.jsonl"), [lines[1], lines[3]].concat(), "as it was");
    let again = folder.dedup(&line.replace("add", "add --skip"));
    again.code_is(0);
    assert!(again.stderr.contains("added 0 documents, 2 left out, as their id is known, 2 left out"), "{again:?}");
    assert_eq!((&*folder.read_text("new.jsonl"), again.jsonl().len()), ("", 2));
    assert_eq!(ids(&folder, "letters").len(), 5);
}

#[test]
fn only_what_is_new_of_a_folder() {
    let folder = letters()
        .file("in/a/edited.txt", EDITED)
        .file("in/b.txt", "A text of its own, which is like none of the others at all.")
        .file(
            "in/c/two.jsonl",
            jsonl(&[("bees", BEES), ("own", "Another text of its own, about hedgehogs in autumn.")]),
        );
    let listed = folder.dedup("index add -q --unique --id-field id letters in -o new --skip").quietly(0);
    assert_eq!(listed, FOUND.replacen("edited.txt", "in/a/edited.txt  resembles", 1));
    let files = folder.files("new");
    assert_eq!(files.keys().collect::<Vec<_>>(), ["b.txt", "c/two.jsonl"]);
    assert_eq!(files["b.txt"], folder.read("in/b.txt"));
    assert!(files["c/two.jsonl"].starts_with(b"{\"id\":\"own\""));
    assert_eq!(folder.read_text("new.removed.jsonl").lines().count(), 1);
    assert_eq!(info(&folder, "documents"), 5);
    // The folder is there now, which is told before anything is added.
    let folder = folder.file("in/d.txt", "A last text, on the price of stamps and of the envelopes that go with them.");
    refused(&folder.dedup("index add -q --unique --id-field id letters in -o new --skip"), "new", "is not empty");
    assert_eq!(info(&folder, "documents"), 5);
}

#[test]
fn what_would_stand_in_one_place_is_told_before() {
    let folder = letters().file("a/x.txt", HARBOUR).file("b/x.txt", BEES);
    folder.dedup("index create other").quietly(0);
    let answer = folder.dedup("index add -q --unique other a/x.txt b/x.txt -o new");
    answer.fails_saying("two input files would stand there");
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
fn what_is_near_is_asked_of_the_rules() {
    let folder = letters();
    let line = "index add -q --unique letters edited.txt --similarity 0.9 --distance 3";
    assert_eq!(folder.dedup(line).quietly(0), "");
    assert_eq!(info(&folder, "documents"), 4);
}

#[test]
fn fingerprint_files_are_added_as_they_are() {
    let folder = letters();
    folder.dedup("fingerprint -q --language eng --id-field id three.jsonl -o three.fp").quietly(0);
    folder.dedup("fingerprint -q --language eng edited.txt -o edited.fp").quietly(0);
    folder.dedup("index create other --language eng").quietly(0);
    let added = folder.dedup("index add other three.fp");
    assert_eq!((added.code, added.stderr.contains("other: added 3 documents; 3 documents are there")), (0, true));
    for query in ["edited.txt", "edited.fp", "edited.fp three.jsonl --id-field id"] {
        let expected = folder.dedup(&format!("index query -q letters {query}")).quietly(0);
        assert!(expected.contains(FOUND), "{expected}");
        assert_eq!(folder.dedup(&format!("index query -q other {query}")).quietly(0), expected);
    }
    assert_eq!(folder.dedup("index list --format jsonl other"), folder.dedup("index list --format jsonl letters"));
    // Texts and fingerprint files together; what is unique among them.
    let listed = folder.dedup("index add -q --unique other edited.fp edited.txt --skip");
    listed.code_is(2);
    assert_eq!(ids(&folder, "other").len(), 3);
    assert_eq!(listed.stdout, FOUND.replacen("txt", "txt  resembles", 1));
}

/// An archive has texts, of which an index keeps none unless it is to.
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
        // Where texts are read too, it is them that the file is unlike.
        let other = if line.starts_with("add") || !line.contains(".txt") { "the index letters" } else { "the texts" };
        for part in [other, ".fp", own.as_str().unwrap()] {
            assert!(answer.stderr.contains(part), "{line}: {part}: {answer:?}");
        }
        assert!(!answer.stderr.contains("unfinished"), "told before anything is read: {answer:?}");
    }
    assert_eq!((info(&folder, "documents"), info(&folder, "generation")), (3.into(), 1.into()));
}

#[test]
fn fingerprints_without_features_are_refused() {
    let folder = letters();
    folder.dedup("fingerprint -q --no-features --language eng edited.txt -o edited.fp").quietly(0);
    for line in ["add -q letters edited.fp", "add -q --unique letters edited.fp", "query -q letters edited.fp"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "edited.fp", "make the file without --no-features");
    }
    folder.dedup("index query -q letters edited.fp --similarity none --distance 11").quietly(0);
    assert_eq!(info(&folder, "documents"), 3);
}

#[test]
fn an_index_without_features_answers_the_hamming_rule() {
    let folder = letters_with("--no-features --distance 7");
    assert!(folder.dedup("index info letters").stdout.contains("no features: the Hamming rule alone can be asked"));
    let found = folder.dedup("index query -q letters edited.txt --similarity none --distance 11").quietly(0);
    assert!(found.starts_with("edited.txt  harbour  11 bits  Jaccard about 88.00 %  by hamming"), "{found}");
    folder.dedup("index query -q letters edited.txt --similarity none").quietly(1);
    for line in ["query -q letters edited.txt", "add -q --unique letters edited.txt"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "letters", "the index keeps no features");
        refused(&answer, "letters", "give --similarity none, or make an index without --no-features");
    }
    let line = "index add -q --unique letters edited.txt --similarity none --distance 11";
    assert!(folder.dedup(line).quietly(0).contains("edited.txt  resembles  harbour"));
    // Fingerprints are taken with their features or without.
    folder.dedup("fingerprint -q --language eng edited.txt -o edited.fp").quietly(0);
    folder.dedup("index add -q letters edited.fp").quietly(0);
    assert_eq!(info(&folder, "documents"), 4);
}

#[test]
fn how_texts_become_fingerprints_is_settled_once() {
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
fn options_that_make_no_index_are_told_before() {
    let folder = Folder::new();
    for (options, expected) in [
        ("--language nobody", "language 'nobody' is unknown"),
        ("--min 4 --max 2", "n-gram"),
        ("--stop-words nothing.txt", "nothing.txt: no such file"),
        ("--sketches 0", "sketches"),
        ("--distance 8", "Hamming distance 8"),
        ("--distance none --similarity none", "give --distance or --similarity"),
    ] {
        folder.dedup(&format!("index create letters {options}")).fails_saying(expected);
        assert_eq!(folder.names(), [""; 0]);
    }
    for options in ["--distance 65", "--similarity 2", "--recall 1"] {
        folder.dedup(&format!("index create letters {options}")).code_is(2);
        assert_eq!(folder.names(), [""; 0]);
    }
}

/// Two corpora with much in common, without copies, as `dedup find` lets the first of copies stand
/// for all.
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

/// Asserts that an index answers as its documents do.
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
    // Where anything is similar enough, a chance would say nothing.
    let told = folder.dedup("index query --id-field id letters new --similarity 0");
    assert!(told.stderr.contains("documents that have nothing in common are not"), "{told:?}");
    assert!(!told.stderr.contains(" 0.00 %"), "{told:?}");
    // The tables are of other rules, which is told.
    let told = folder.dedup("index query --id-field id letters new --distance 8 --similarity 0.2");
    assert!(told.stderr.contains("tables for a distance of 3: every simhash is looked at"), "{told:?}");
    assert!(
        told.stderr.contains("no tables that find so much (--similarity, --recall): every sketch is looked at"),
        "{told:?}"
    );
}

#[test]
fn small_additions_and_removals_answer_the_same() {
    let folder = corpora();
    folder.dedup("index create letters --language und --distance 7 --similarity 0.2").quietly(0);
    let told = folder.dedup("index query --id-field id letters new --distance 7 --similarity 0.2");
    assert!(!told.stderr.contains("is looked at"), "{told:?}");
    let parts: Vec<String> = folder.files("old").into_keys().collect();
    let mut strangers = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        folder.dedup(&format!("index add -q --id-field id letters old/{part}")).quietly(0);
        // Others come and go between them.
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
fn many_small_additions_are_few_segments() {
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

/// Two years of essays, and an index of the first.
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
    // In several segments, and in one of them without what was removed.
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
    refused(&answer, "letters", "make one with `dedup index create --passages`");
    refused(&folder.dedup("screen -q letters --against edited.txt"), "letters", "name it after --against");
    // An index that keeps texts takes archives, and no fingerprints without texts.
    folder.dedup("index create essays --passages").quietly(0);
    folder.dedup("fingerprint -q edited.txt -o edited.fp").quietly(0);
    refused(&folder.dedup("index add -q essays edited.fp"), "edited.fp", "has no texts");
    folder.dedup("screen -q edited.txt --save edited.dsi").quietly(0);
    folder.dedup("index add -q essays edited.dsi").quietly(0);
    assert_eq!(ids(&folder, "essays"), ["edited.txt"]);
}

#[test]
fn odd_texts() {
    let folder = letters()
        .file("odd/empty.txt", "")
        .file("odd/also-empty.txt", "")
        .file("odd/signs.txt", "?! ... -- 12 ;")
        .file("odd/word.txt", "word")
        .file("odd/copy.txt", HARBOUR)
        .file("odd/other-copy.txt", HARBOUR)
        .file("odd/bytes.txt", [EDITED.as_bytes(), b" \xff\xfe\xc3 "].concat());
    folder.dedup("index add -q letters odd").quietly(0);
    assert_eq!(info(&folder, "documents"), 10);
    let near = |name: &str| -> Vec<Value> {
        let found = folder.dedup(&format!("index query -q --format jsonl letters odd/{name}.txt")).jsonl();
        found.iter().map(|row| row["b"].clone()).collect()
    };
    assert_eq!(near("empty"), ["odd/also-empty.txt", "odd/empty.txt"]);
    assert!(near("signs").contains(&"odd/signs.txt".into()));
    assert_eq!(near("word"), ["odd/word.txt"]);
    assert_eq!(near("copy"), ["harbour", "odd/copy.txt", "odd/other-copy.txt", "odd/bytes.txt"]);
    // None of them is new.
    folder.dedup("index clear -q letters").quietly(0);
    let listed = folder.dedup("index add -q --unique letters odd --format jsonl").jsonl();
    let names: Vec<&str> = listed.iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(names, ["odd/copy.txt", "odd/empty.txt", "odd/other-copy.txt"]);
}

#[test]
fn an_empty_folder_adds_nothing() {
    let folder = letters().file("empty/deep/.keep", "");
    fs::create_dir(folder.path().join("bare")).unwrap();
    for name in ["empty", "bare"] {
        let added = folder.dedup(&format!("index add letters {name}"));
        added.code_is(0);
        assert!(added.stderr.contains("added 0 documents; 3 documents are there"), "{added:?}");
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
    // Nor does an id turn the text around it.
    let turned = jsonl(&[("\u{202e}txt.\u{2066}", BEES)]);
    folder.dedup_with_input("index add -q --input jsonl --id-field id letters -", turned.as_bytes()).quietly(0);
    let text = folder.dedup("index list letters").quietly(0);
    assert!(text.ends_with("\n\u{fffd}txt.\u{fffd}\n"), "{text:?}");
    // What is told of an id cannot command the terminal.
    let answer =
        run(Command::new(DEDUP).args(["index", "remove", "letters", "\u{1b}[2J\n"]).current_dir(folder.path()), b"");
    assert!(answer.code == 2 && !answer.stderr.contains('\u{1b}'), "{answer:?}");
    let known = folder.dedup("index add -q --id-field id letters odd.jsonl");
    assert!(known.code == 2 && known.stderr.lines().count() == 1, "{known:?}");
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

/// What lies in the index would be passed over without a word.
#[test]
fn an_input_in_the_index_is_refused() {
    let folder = letters().file("letters/more/a.txt", EDITED).file("letters/b.txt", EDITED);
    for input in ["letters", "letters/more", "./letters/more/a.txt", "letters/b.txt", "edited.txt letters/more"] {
        for command in ["add -q --skip", "query -q"] {
            let answer = folder.dedup(&format!("index {command} letters {input}"));
            answer.fails_saying("stands in the index letters, from which no texts are read");
        }
    }
    // Its segments are fingerprint files as any.
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

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// An index with every kind of file: segments, and a list of removed documents.
fn whole() -> Folder {
    let folder = letters_with("--passages").file("more.txt", "A word or two of no weight.");
    folder.dedup("index add -q letters edited.txt more.txt").quietly(0);
    folder.dedup("index remove -q letters bees").quietly(0);
    let names: Vec<_> = folder.files("letters").into_keys().collect();
    assert_eq!(names, [".ignore", "00000001.3.removed", "00000001.fp", "00000002.fp", "lock", "manifest"]);
    folder
}

const COMMANDS: [&str; 5] = [
    "list letters",
    "info letters",
    "query -q letters edited.txt",
    "add -q --skip letters edited.txt",
    "verify letters",
];

#[test]
fn every_flipped_byte_is_seen() {
    let folder = whole();
    let mut numbers = Numbers(5);
    for (name, bytes) in folder.files("letters").into_iter().filter(|(name, _)| name != ".ignore") {
        let path = folder.path().join("letters").join(&name);
        let mut places: Vec<usize> = (0..60).map(|_| numbers.below(bytes.len().max(1))).collect();
        places.extend([0, 8, 16, 24, 31, 32, bytes.len().saturating_sub(1)]);
        for at in places.into_iter().filter(|at| *at < bytes.len()) {
            flip(&path, at);
            let answer = folder.dedup("index verify letters");
            assert_eq!((answer.code, &*answer.stdout), (2, ""), "{name} {at}: {answer:?}");
            assert!(answer.stderr.contains(&name) && !answer.stderr.contains("panicked"), "{name} {at}: {answer:?}");
            flip(&path, at);
        }
        folder.dedup("index verify letters").code_is(0);
    }
}

#[test]
fn no_command_panics_at_damage() {
    let folder = whole();
    let mut numbers = Numbers(6);
    for (name, bytes) in folder.files("letters") {
        let path = folder.path().join("letters").join(&name);
        for _ in 0..if bytes.is_empty() { 0 } else { 12 } {
            let at = numbers.below(bytes.len());
            for command in COMMANDS {
                flip(&path, at);
                let answer = folder.dedup(&format!("index {command}"));
                assert!((0..=2).contains(&answer.code), "{command} {name} {at}: {answer:?}");
                assert!(!answer.stderr.contains("panicked"), "{command} {name} {at}: {answer:?}");
                fs::write(&path, &bytes).unwrap();
            }
        }
    }
}

/// A list would be wrong without a word.
#[test]
fn nothing_is_listed_of_a_damaged_index() {
    let folder = whole();
    let path = folder.path().join("letters/00000002.fp");
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(10).position(|part| part == b"edited.txt").unwrap();
    flip(&path, at);
    for line in ["index list letters", "index list --format jsonl letters"] {
        refused(&folder.dedup(line), "letters/00000002.fp", "is damaged: its checksum does not agree");
    }
}

/// Damage is never merged into something that looks sound.
#[test]
fn a_damaged_segment_is_not_merged() {
    let folder = whole();
    let path = folder.path().join("letters/00000001.fp");
    let bytes = fs::read(&path).unwrap();
    let at = bytes.windows(11).position(|part| part == b"The harbour").unwrap();
    flip(&path, at);
    let before = folder.files("letters");
    let answer = folder.dedup("index compact -q letters");
    refused(&answer, "letters/00000001.fp", "section 'texts' is damaged");
    assert!(folder.files("letters") == before);
}

/// What is sound of a damaged index can be kept; a damaged list brings back nothing that was removed.
#[test]
fn what_is_sound_can_be_kept() {
    for (name, left, kept) in [
        ("00000001.fp", "2 documents", &["edited.txt", "more.txt"][..]),
        ("00000001.3.removed", "2 documents", &["edited.txt", "more.txt"]),
        ("00000002.fp", "2 documents", &["harbour", "clock"]),
    ] {
        for is_there in [true, false] {
            let folder = whole();
            let path = folder.path().join("letters").join(name);
            if is_there {
                flip(&path, folder.read(&format!("letters/{name}")).len() - 1);
            } else {
                fs::remove_file(&path).unwrap();
            }
            let before = folder.files("letters");
            let told = folder.dedup("index verify letters");
            let remedy = "letters: 1 damaged segment; restore the folder from a copy, or drop what is damaged by `dedup \
                          index compact letters --drop-damaged`, which keeps ";
            assert!(told.code == 2 && told.stderr.contains(&format!("{remedy}{left}\n")), "{told:?}");
            assert!(folder.files("letters") == before, "looking changes nothing");
            let dropped = folder.dedup("index compact letters --drop-damaged");
            dropped.code_is(0);
            let expected = format!("dedup: dropped with all that was in it: letters/{name}: ");
            assert!(dropped.stderr.starts_with(&expected), "{dropped:?}");
            assert_eq!(ids(&folder, "letters"), kept, "{name}");
            folder.dedup("index verify letters").code_is(0);
            folder.dedup("index add -q --skip --id-field id letters three.jsonl").quietly(0);
            assert!(folder.dedup("index query -q letters edited.txt").quietly(0).contains("harbour"));
        }
    }
    // A sound one is compacted as ever.
    let folder = whole();
    folder.dedup("index compact -q letters --drop-damaged").quietly(0);
    assert_eq!((ids(&folder, "letters").len(), segment_files(&folder, "letters")), (4, 1));
}

#[test]
fn missing_and_short_files_are_named() {
    for name in ["00000001.fp", "00000002.fp", "00000001.3.removed", "manifest"] {
        let folder = whole();
        let path = folder.path().join("letters").join(name);
        let bytes = fs::read(&path).unwrap();
        let mut lengths = vec![None, Some(0), Some(bytes.len() / 2), Some(bytes.len() - 1)];
        lengths.extend([Some(40), Some(65)]);
        for length in lengths {
            match length {
                None => fs::remove_file(&path).unwrap(),
                Some(length) => fs::write(&path, &bytes[..length.min(bytes.len() - 1)]).unwrap(),
            }
            for command in COMMANDS {
                let answer = folder.dedup(&format!("index {command}"));
                // What is left is told by who has looked at all.
                let told = answer.stderr.lines().count();
                let is_left = command == "verify letters" && name != "manifest";
                assert_eq!((answer.code, &*answer.stdout, told), (2, "", 1 + usize::from(is_left)), "{answer:?}");
                assert!(answer.stderr.contains(name) && !answer.stderr.contains("panicked"), "{answer:?}");
                if length.is_none() {
                    let remedy = "is missing; restore the folder of the index from a copy";
                    assert!(answer.stderr.contains(remedy), "{answer:?}");
                }
            }
            fs::write(&path, &bytes).unwrap();
        }
        folder.dedup("index verify letters").code_is(0);
    }
}

#[test]
fn a_segment_of_another_index_is_told() {
    let folder = whole();
    let other = letters_with("--passages --max 4");
    fs::write(folder.path().join("letters/00000001.fp"), other.read("letters/00000001.fp")).unwrap();
    refused(&folder.dedup("index list letters"), "letters/00000001.fp", "is not the file that the index was made of");
}

#[test]
fn an_index_of_a_later_version_is_told() {
    let folder = letters();
    let manifest = folder.read_text("letters/manifest");
    let json = manifest.split_once('\n').unwrap().1.replacen("\"version\":1", "\"version\":2", 1);
    let path = folder.path().join("letters/manifest");
    fs::write(path, format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex())).unwrap();
    refused(&folder.dedup("index list letters"), "letters", "use a newer `dedup`");
}

#[cfg(unix)]
#[test]
fn who_may_only_read_an_index_can_query_it() {
    use std::os::unix::fs::PermissionsExt;
    let folder = letters();
    let index = folder.path().join("letters");
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for name in folder.files("letters").keys() {
        mode(&index.join(name), 0o444);
    }
    mode(&index, 0o555);
    let before = folder.files("letters");
    let nobody = |line: &str| run(&mut folder.command_of_nobody(&format!("index {line}")), b"");
    assert_eq!(nobody("query -q letters edited.txt").quietly(0), FOUND);
    assert_eq!(nobody("list letters").quietly(0).lines().count(), 3);
    nobody("verify letters").code_is(0);
    nobody("info letters").quietly(0);
    for line in ["add -q letters edited.txt", "remove -q letters bees", "compact -q letters", "clear -q letters"] {
        refused(&nobody(line), "letters/lock", "no permission to write it");
    }
    assert!(folder.files("letters") == before);
    mode(&index, 0o755);
}

#[test]
fn writers_take_turns_and_readers_do_not_wait() {
    let folder = letters();
    let lock = File::options().write(true).open(folder.path().join("letters/lock")).unwrap();
    lock.lock().unwrap();
    for line in ["add -q letters edited.txt", "remove -q letters bees", "compact -q letters", "clear -q letters"] {
        let answer = folder.dedup(&format!("index {line}"));
        refused(&answer, "letters", "another run is changing the index; wait for it to end");
    }
    assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), FOUND);
    folder.dedup("index verify letters").code_is(0);
    // Closing the file is not enough: a child that another story starts meanwhile would hold it open.
    lock.unlock().unwrap();
    folder.dedup("index add -q letters edited.txt").quietly(0);
}

/// Readers while another process changes the index all the time.
#[cfg(unix)]
#[test]
fn a_reader_never_meets_a_change() {
    let folder = letters().file("go", "");
    let script = "i=0
    while [ -e go ]; do
        i=$((i+1))
        printf '{\"id\":\"n%s\",\"text\":\"Nothing of interest here, number %s of a few\"}\\n' $i $i > next.jsonl
        \"$0\" index add -q --id-field id letters next.jsonl || exit 1
        \"$0\" index remove -q letters n$i || exit 1
        \"$0\" index compact -q letters || exit 1
    done";
    let mut writer = Command::new("sh");
    writer.args(["-c", script, DEDUP]).current_dir(folder.path()).stdin(Stdio::null());
    let mut writer = writer.spawn().unwrap();
    // The writer goes on until both have had many turns.
    let (mut queries, mut changes) = (0, 0);
    while queries < 12 || changes < 36 {
        assert_eq!(folder.dedup("index query -q letters edited.txt").quietly(0), FOUND);
        let listed = ids(&folder, "letters");
        assert!((3..=4).contains(&listed.len()), "{listed:?}");
        queries += 1;
        changes = info(&folder, "generation").as_u64().unwrap();
        assert_eq!(writer.try_wait().unwrap(), None, "it writes until it is told to end");
    }
    fs::remove_file(folder.path().join("go")).unwrap();
    assert!(writer.wait().unwrap().success());
}

/// A command of which no file may grow beyond so many blocks of 512 bytes, as on a full disk.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: usize, line: &str) -> Answer {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {line}");
    run(Command::new("sh").args(["-c", &script, DEDUP]).current_dir(folder.path()), b"")
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_index_as_it_was() {
    let mut numbers = Numbers(3);
    let folder = letters().file("many.jsonl", lines_of(&numbers.documents(400, 60)));
    let before = ids(&folder, "letters");
    for blocks in [0, 1, 8, 64, 200] {
        let answer = limited(&folder, blocks, "index add -q --id-field id letters many.jsonl");
        answer.fails_saying("cannot be written");
        assert_eq!(ids(&folder, "letters"), before, "{blocks}");
        folder.dedup("index verify letters").code_is(0);
    }
    let before = folder.files("letters");
    for line in ["index remove -q letters bees", "index clear -q letters"] {
        limited(&folder, 0, line).fails_saying("cannot be written");
        let mut after = folder.files("letters");
        after.remove("manifest.new");
        after.retain(|name, _| before.contains_key(name));
        assert_eq!(after["manifest"], before["manifest"]);
        assert_eq!(ids(&folder, "letters").len(), 3);
    }
    folder.dedup("index add -q --id-field id letters many.jsonl").quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 403);
    limited(&folder, 64, "index compact -q letters").code_is(2);
    assert_eq!(ids(&folder, "letters").len(), 403);
    folder.dedup("index compact -q letters").quietly(0);
    folder.dedup("index verify letters").code_is(0);
    let left: Vec<String> = folder.files("letters").into_keys().filter(|name| name.contains("partial")).collect();
    assert_eq!(left, [""; 0]);
}

/// What fails after the documents are there is not the addition.
#[cfg(unix)]
#[test]
fn an_addition_that_cannot_be_merged_is_told_as_added_or_not() {
    let mut numbers = Numbers(4);
    let mut folder = Folder::new();
    folder.dedup("index create letters --language und").quietly(0);
    for part in 0..4 {
        let mut documents = numbers.documents(20, 60);
        for (id, _) in &mut documents {
            *id = format!("{part}-{id}");
        }
        folder = folder.file(&format!("{part}.jsonl"), lines_of(&documents));
    }
    for part in 0..3 {
        folder.dedup(&format!("index add -q --id-field id letters {part}.jsonl")).quietly(0);
    }
    let size = folder.files("letters").into_values().map(|bytes| bytes.len()).max().unwrap();
    let answer = limited(&folder, size * 2 / 512, "index add -q --id-field id letters 3.jsonl");
    let documents = ids(&folder, "letters").len();
    assert_eq!(documents, if answer.code == 0 { 80 } else { 60 }, "{answer:?}");
    // The next change merges them.
    folder.dedup("index remove -q letters 0-d00000").quietly(0);
    folder.dedup("index verify letters").code_is(0);
    assert_eq!(
        (info(&folder, "segments").as_array().unwrap().len(), ids(&folder, "letters").len()),
        (1, documents - 1)
    );
}

#[cfg(unix)]
#[test]
fn a_cleared_index_has_nothing_of_its_texts() {
    let folder =
        letters_with("--passages").file("secret.txt", format!("The secret of the mill. {HARBOUR}").repeat(400));
    limited(&folder, 64, "index add -q letters secret.txt").fails_saying("cannot be written");
    folder.dedup("index clear -q letters").quietly(0);
    for (name, bytes) in folder.files("letters") {
        assert!(!bytes.windows(10).any(|part| part == b"The secret" || part == b"The harbou"), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_stopped_addition_leaves_the_index_as_it_was() {
    let folder = letters();
    let mut run = folder.command("index add -q --input lines letters -");
    let mut run = run.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !folder.path().join("letters/unfinished.partial").exists() {
        assert_eq!(run.try_wait().unwrap(), None, "it waits for its input");
    }
    // Whoever else would change it meanwhile is told.
    refused(&folder.dedup("index remove -q letters bees"), "letters", "another run is changing the index");
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    let mut stderr = BufReader::new(run.stderr.take().unwrap());
    let mut told = String::new();
    stderr.read_line(&mut told).unwrap();
    assert_eq!(told, "dedup: stopping; once more to stop at once\n");
    // Its input does not end before the run, which would else be the end that it has come to.
    let stdin = run.stdin.take();
    told.clear();
    stderr.read_to_string(&mut told).unwrap();
    assert!(told.starts_with("dedup: stopped; letters is as it was") && told.lines().count() == 1, "{told}");
    assert_eq!(run.wait().unwrap().code(), Some(2));
    drop(stdin);
    assert_eq!(ids(&folder, "letters").len(), 3);
    folder.dedup("index add -q letters edited.txt").quietly(0);
    assert_eq!(ids(&folder, "letters").len(), 4);
}

/// Fingerprints that are not as they were written are not asked for.
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
