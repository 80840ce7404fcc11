//! `dedup clean --repeats`: runs of words that stand twice.

#[cfg(target_os = "linux")]
use std::process::Command;

use serde_json::json;

use crate::documents::{
    Documents, NULL, all_is_kept_or_listed, in_each_format, in_units, lines_of, number, object_of_run,
};
use crate::folder::{Folder, jsonl as parsed};
#[cfg(target_os = "linux")]
use crate::moments::stopped_with;
use crate::texts::{BEES, CLOCK, HALL, HARBOUR, MILL, jsonl};

const RUN: &str = "clean -q --id-field id --repeats=20 --keep first";

fn corpus() -> Documents {
    vec![
        ("mill", format!("Étude: {MILL}")),
        ("both", format!("{HARBOUR}\n\n{}\n\n{HALL}", MILL.to_uppercase())),
        ("copy", format!("{MILL}  ")),
        ("long", format!("{CLOCK} {CLOCK} {CLOCK}")),
        ("none", String::new()),
        ("alone", "研究海洋的人每天都记录水面的高度。".into()),
    ]
}

fn workshop() -> Folder {
    Folder::new().file("corpus.jsonl", lines_of(&corpus()) + NULL)
}

#[test]
fn later_places_lose_a_run() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} corpus.jsonl -o out.jsonl --attributes spans.jsonl")).quietly(0);
    let kept = vec![
        ("mill", format!("Étude: {MILL}")),
        ("both", format!("{HARBOUR}\n\n{HALL}")),
        ("long", format!("{CLOCK} {CLOCK} {CLOCK}")),
        ("none", String::new()),
        ("alone", "研究海洋的人每天都记录水面的高度。".into()),
    ];
    assert_eq!(folder.read_text("out.jsonl"), lines_of(&kept) + NULL);
    let (mill, harbour) = (MILL.split_whitespace().count(), HARBOUR.len() + 2);
    let cut = folder.read_text("out.jsonl.cut.jsonl");
    assert_eq!(
        cut,
        format!(
            "{{\"id\":\"both\",\"start\":{0},\"end\":{1},\"start_bytes\":{0},\"end_bytes\":{1},\"words\":{mill},\
             \"first\":{{\"id\":\"mill\",\"start\":7,\"start_bytes\":8}},\"count\":3}}\n\
             {{\"id\":\"copy\",\"start\":0,\"end\":{2},\"start_bytes\":0,\"end_bytes\":{2},\"words\":{mill},\
             \"first\":{{\"id\":\"mill\",\"start\":7,\"start_bytes\":8}},\"count\":3}}\n",
            harbour,
            harbour + MILL.len() + 2,
            MILL.len() + 2,
        )
    );
    let spans = parsed(&folder.read_text("spans.jsonl"));
    assert_eq!(spans[0]["spans_bytes"], serde_json::json!([[harbour, harbour + MILL.len() + 2]]));
    assert_eq!((spans[0]["file"].as_str(), number(&spans[1]["record"])), (Some("corpus.jsonl"), 3));
    assert_eq!(folder.names(), ["corpus.jsonl", "out.jsonl", "out.jsonl.cut.jsonl", "spans.jsonl"]);
    // A second run cuts nothing, and copies every byte.
    folder.dedup(&format!("{RUN} out.jsonl -o again.jsonl")).quietly(0);
    assert_eq!(folder.read_text("again.jsonl.cut.jsonl"), "");
    assert_eq!(folder.read("again.jsonl"), folder.read("out.jsonl"));
}

#[test]
fn a_list_of_parts_removes_no_documents() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} corpus.jsonl -o out.jsonl --attributes spans.jsonl")).quietly(0);
    for list in ["out.jsonl.cut.jsonl", "spans.jsonl"] {
        folder
            .dedup(&format!("clean --id-field id corpus.jsonl --apply {list} -o left.jsonl"))
            .fails_saying(&format!("{list}, line 1: names a part of a document"));
    }
    folder.dedup("clean --id-field id --repeats none.jsonl -o left.jsonl").fails_saying("none.jsonl: no such file");
    assert!(!folder.names().contains(&"left.jsonl".to_owned()));
}

#[test]
fn the_summary_says_what_is_left_whole() {
    let folder = workshop();
    let answer = folder.dedup("clean --id-field id --repeats=20 --keep first corpus.jsonl --dry-run");
    let bytes: usize = corpus().iter().map(|(_, text)| text.len()).sum();
    let mill = MILL.split_whitespace().count();
    let head = format!(
        "dedup: read 7 documents ({} of text) in 1 file; 2 empty; 1 of them null\ndedup: 2 spans of runs of 20 words or more: {} words of ",
        in_units(bytes),
        2 * mill
    );
    assert!(answer.stderr.starts_with(&head), "{}", answer.stderr);
    let tail = "in 2 documents\n\
                dedup: left with too few words, so all of it goes: 1 document\n\
                dedup: left whole, as more than --max-cut is repeated or it cannot be cut (extracted, compressed, of another encoding, or with malformed bytes): 1 document\n\
                dedup: a dry run: no documents were written\n";
    assert!(answer.stderr.ends_with(tail), "{}", answer.stderr);
    assert_eq!((answer.code, folder.names()), (0, vec!["corpus.jsonl".to_owned()]));
}

#[test]
fn the_summary_is_an_object_for_programs() {
    let folder = workshop();
    let line = format!("{RUN} corpus.jsonl --dry-run --summary run.json");
    folder.dedup(&line).quietly(0);
    let run = object_of_run(&folder, &line);
    let bytes: usize = corpus().iter().map(|(_, text)| text.len()).sum();
    let mill = MILL.split_whitespace().count();
    assert_eq!((&run["inputs"], &run["rounds"], &run["spilled"]), (&json!(["corpus.jsonl"]), &json!(2), &json!(0)));
    let options = ["repeats", "verbatim", "keep", "min_left", "max_cut"].map(|option| &run["options"][option]);
    assert_eq!(json!(options), json!([20, false, "first", 1, 0.5]));
    let mut read = json!({"files": 1, "documents": 7, "bytes": bytes, "empty": 2, "nulls": 1, "problems": {}});
    for none in ["replaced", "renamed", "unnamed"] {
        read[none] = json!(0);
    }
    assert_eq!(run["read"], read);
    assert_eq!(run["cut"], json!({"spans": 2, "words": 2 * mill, "documents": 2}));
    assert_eq!((&run["gone"], &run["left_whole"]), (&json!({"documents": 1, "words": 0}), &json!(1)));
    assert_eq!(run["stages"].as_array().unwrap().len(), 4);
    // It is no input of a later run, and is not overwritten.
    folder.dedup(&line).fails_saying("run.json: already exists");
    let line = format!("{RUN} . --dry-run --summary run.json --force");
    folder.dedup(&line).quietly(0);
    assert_eq!(object_of_run(&folder, &line)["read"]["files"], 1);
}

#[test]
fn the_page_shows_the_costliest_runs() {
    let folder = workshop();
    folder.dedup(&format!("{RUN} corpus.jsonl --dry-run --report runs.html")).quietly(0);
    let page = folder.read_text("runs.html");
    let words = MILL.split_whitespace().count();
    assert!(page.contains(&format!("<h2>1. {} words: {words} at 2 places</h2>", 2 * words)), "{page}");
    let places: Vec<&str> = page.split("<h3>").skip(1).collect();
    assert_eq!(places.len(), 3);
    assert!(page.contains("<code>dedup clean ") && page.contains(" --report runs.html</code>"), "{page}");
    let expected =
        [("mill", 7, "stays", "Étude: "), ("both", HARBOUR.len() + 2, "cut", "in again.\n\n"), ("copy", 0, "cut", "")];
    for (place, (id, start, fate, before)) in places.iter().zip(expected) {
        let head = format!("<bdi>{id}</bdi>, character {start}: {fate}</h3><p dir=\"auto\">");
        assert!(place.starts_with(&head), "{place}");
        assert!(place.contains(&format!("{before}<mark>T")), "{place}");
    }
    assert_eq!(folder.names(), ["corpus.jsonl", "runs.html"]);
}

/// What is kept and what is listed are the text, in each format.
#[test]
fn kept_text_and_spans_are_the_text() {
    let corpus = corpus();
    let (folder, names) = in_each_format(Folder::new(), &corpus);
    for name in names {
        for more in
            ["", "--max-cut 1", "--keep none --max-cut 1", "--verbatim --min-left 60", "--keep longest --threads 1"]
        {
            let run = RUN.replace("--keep first", if more.contains("--keep") { "" } else { "--keep first" });
            folder.dedup(&format!("{run} {name} -o out.{name} --force {more}")).quietly(0);
            let cuts = all_is_kept_or_listed(&folder, name, &corpus, more);
            assert!(cuts > 0, "{name} {more}");
        }
    }
}

#[test]
fn a_folder_keeps_its_files() {
    let folder = Folder::new()
        .file("in/a.txt", format!("{HARBOUR}\n{MILL}\n"))
        .file("in/b/b.txt", format!("{BEES}\n{MILL}\n{CLOCK}\n"))
        .file("in/page.html", format!("<html><body><p>{MILL}</p><p>{BEES}</p><p>{CLOCK}</p></body></html>"))
        .file("in/picture.png", b"\x89PNG\r\n\x1a\n\0\0");
    let line = "clean -q --repeats=20 --max-cut 0.7 --keep first in -o out";
    folder.dedup(line).code_is(2);
    let files = folder.files("out");
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    // All of the page stands in the texts, so it goes.
    assert_eq!(names, ["a.txt", "b/b.txt", "picture.png"]);
    assert_eq!(String::from_utf8_lossy(&files["b/b.txt"]), format!("{BEES}\n{CLOCK}\n"));
    assert_eq!(files["a.txt"], folder.read("in/a.txt"));
    folder.dedup(&format!("{line}2 --threads 1")).code_is(2);
    assert_eq!(folder.files("out2"), files);
    assert_eq!(folder.read("out2.cut.jsonl"), folder.read("out.cut.jsonl"));
}

#[test]
fn the_policy_chooses_who_keeps_a_run() {
    let folder = Folder::new().file(
        "corpus.jsonl",
        jsonl(&[("b", &format!("{MILL} {BEES}")), ("a", &format!("{MILL} {CLOCK} {BEES}")), ("c", MILL)]),
    );
    let cut = |keep: &str| {
        folder
            .dedup(&format!(
                "clean -q --id-field id corpus.jsonl --repeats=20 --max-cut 1 --force -o out.jsonl --keep {keep}"
            ))
            .quietly(0);
        let cuts = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
        cuts.iter().map(|cut| cut["id"].as_str().unwrap().to_owned()).collect::<String>()
    };
    for (keep, expected) in [("first", "aac"), ("last", "ba"), ("longest", "bc"), ("none", "baac"), ("field:id", "bc")]
    {
        let found = cut(keep);
        let mut found: Vec<char> = found.chars().collect();
        found.dedup();
        let mut expected: Vec<char> = expected.chars().collect();
        expected.dedup();
        assert_eq!(found, expected, "{keep}");
    }
}

#[test]
fn what_does_nothing_is_refused() {
    let folder = workshop();
    let answer = folder.dedup("clean --repeats 100 corpus.jsonl -o out.jsonl");
    answer.fails_saying("100: no such file; the least length is given as --repeats=100");
    let refused = |more: &str, expected: &str| {
        let answer = folder.dedup(&format!("clean corpus.jsonl {more}"));
        assert_eq!(answer.code, 2, "{more}");
        assert!(answer.stderr.contains(expected), "{more}: {}", answer.stderr);
    };
    for option in ["--remove same", "--similarity 0.4", "--across-formats", "--recall 0.9", "--no-stem", "--list"] {
        let name = option.split(' ').next().unwrap();
        refused(&format!("-o out.jsonl --repeats {option}"), "the argument '--repeats[=<WORDS>]' cannot be used with");
        refused(&format!("-o out.jsonl --repeats {option}"), name);
    }
    refused("-o out.jsonl --verbatim", "--repeats");
    refused(
        "-o out.jsonl --keep none",
        "--keep none: only for `dedup clean --repeats` and `--lines`; name another policy",
    );
    refused("--repeats", "no output was named");
    refused("--repeats=4 -o out.jsonl", "4 is not in 5..=10000");
    refused(
        "--repeats -o out.jsonl --keep field:year",
        "no document has the field 'year' of --keep; the first record has id, text; check its name",
    );
    refused("--repeats -o corpus.jsonl", "corpus.jsonl: is an input and the output");
    refused("--repeats -o out.csv", "");
    assert_eq!(folder.names(), ["corpus.jsonl"]);
}

/// The list tells documents apart that share an id, and `--strict` refuses them.
#[test]
fn a_repeated_id_is_named_by_file_and_line() {
    let texts = lines_of(&vec![("same", MILL.to_owned()); 3]);
    for mode in ["--repeats=20", "--lines --max-documents 1"] {
        let folder = Folder::new().file("corpus.jsonl", &texts);
        let run = format!("clean --id-field id {mode} --keep first corpus.jsonl");
        let answer = folder.dedup(&format!("{run} -o out.jsonl"));
        let told = "2 with a repeated id, named by file and line";
        assert!(answer.code == 0 && answer.stderr.contains(told), "{answer:?}");
        let rows = parsed(&folder.read_text("out.jsonl.cut.jsonl"));
        let mut ids: Vec<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
        ids.dedup();
        assert_eq!(ids, ["corpus.jsonl:2", "corpus.jsonl:3"], "{mode}");
        assert_eq!(rows[0]["first"]["id"], "same");
        let strict = folder.dedup(&format!("{run} --strict -o strict.jsonl"));
        assert!(strict.code == 2 && strict.stderr.contains("corpus.jsonl, line 2: "), "{strict:?}");
    }
}

/// What was found in a table whose other columns cannot be copied is in none of its lists alone: nothing is written.
#[cfg(feature = "parquet")]
#[test]
fn a_damaged_column_ends_a_run() {
    let mut table =
        crate::texts::parquet(&[("id", &["1", "2"]), ("text", &[MILL, MILL]), ("more", &["NEEDLE", "NEEDLE"])]);
    // The length of the value.
    let at = table.windows(6).position(|bytes| bytes == b"NEEDLE").unwrap();
    table[at - 4..at].fill(0xff);
    let items = format!("{{\"q\":\"{}\"}}\n", MILL.replace('\n', " "));
    let folder = Folder::new()
        .file("in/bad.parquet", &table)
        .file("in/z.parquet", crate::texts::parquet(&[("id", &["3"]), ("text", &[MILL])]));
    let folder = folder.file("test.jsonl", items);
    let files = folder.files("");
    for job in
        ["clean --repeats=20", "clean --lines --max-documents 1", "decontaminate --against test.jsonl --field q --drop"]
    {
        for (from, to) in [("in/bad.parquet", "o.parquet"), ("in", "out"), ("in", "n/p-*.parquet")] {
            let answer = folder.dedup(&format!("{job} {from} --id-field id -o {to}"));
            let told = "its documents are to be kept, so nothing was written";
            assert!(answer.code == 2 && answer.stderr.contains(told), "{job} {to}: {answer:?}");
            assert_eq!(folder.files(""), files, "{job} {to}");
        }
    }
}

/// A stopped run goes on from its finished rounds, and nothing of them is left when all is written.
#[cfg(target_os = "linux")]
#[test]
fn a_stopped_run_goes_on_from_its_checkpoint() {
    let text = format!("{MILL}\n{BEES}\n{HARBOUR}\n{CLOCK}\n").repeat(4);
    let texts: Vec<String> = (0..4000).map(|n| format!("{n}\n{text}{HALL}")).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|text| ("x", &**text)).collect();
    let folder = Folder::new().file("large.jsonl", jsonl(&texts)).file("other.jsonl", jsonl(&texts[..9]));
    let line = "clean -q --threads 1 --repeats=20 --max-cut 1 large.jsonl --checkpoint rounds";
    let rounds = folder.path().join("rounds");
    let told = stopped_with("rounds", &folder, &format!("{line} -o out.jsonl"));
    let expected = "dedup: stopped; the finished rounds of this run are in rounds, and nothing else was written\n";
    assert!(told.ends_with(expected), "{told}");
    let noted = folder.read("rounds");
    folder.dedup("clean --repeats=20 other.jsonl --checkpoint rounds -o other").fails_saying(
        "rounds: is of other options, or of documents that have changed; remove it, or name another file",
    );
    folder.dedup("clean --repeats=20 other.jsonl --checkpoint other.jsonl -o other").fails_saying("other.jsonl");
    // A pipe is not waited for.
    assert!(Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap().success());
    folder.dedup("clean --repeats=20 other.jsonl --checkpoint pipe -o other").fails_saying("pipe");
    assert_eq!(folder.read("rounds"), noted);
    folder.dedup(&format!("{line} -o out.jsonl")).quietly(0);
    folder.dedup(&format!("{line} -o again.jsonl")).quietly(0);
    assert_eq!(folder.read("out.jsonl"), folder.read("again.jsonl"));
    assert_eq!(folder.read("out.jsonl.cut.jsonl"), folder.read("again.jsonl.cut.jsonl"));
    assert!(!rounds.exists());
}
