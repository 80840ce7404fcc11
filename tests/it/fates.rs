//! What cannot be read, and what becomes of it where a corpus is written; and what is refused before anything is read.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, jsonl as parsed};
#[cfg(target_os = "linux")]
use crate::moments::stopped_with;
use crate::texts::{BEES, CLOCK, HARBOUR, MILL, jsonl, packed};

/// The file, the record and the fate of each problem in a list.
fn fates(folder: &Folder, list: &str) -> Vec<Value> {
    let of = |problem: Value| json!([problem["file"], problem["record"], problem["fate"]]);
    parsed(&folder.read_text(list)).into_iter().map(of).collect()
}

/// A folder of files with records that cannot be read, of one that is no text, and of one whose end is missing.
fn corpus() -> Folder {
    let many: Vec<(String, String)> = (0..3000).map(|n| (n.to_string(), format!("{n} {HARBOUR}"))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(id, text)| (&**id, &**text)).collect();
    let cut_short = packed(".gz", jsonl(&many));
    Folder::new()
        .file("in/a.jsonl", jsonl(&[("a", MILL), ("b", BEES)]) + "{\"id\":\"x\",\"text\":\"cut\n")
        .file("in/b.csv", "id,text\n1,\"broken\" quote\n2,one,too many\n3,fine\n")
        .file("in/c.csv", "id,body\n1,no field of this name\n")
        .file("in/d.jsonl.gz", &cut_short[..cut_short.len() - 20])
        .file("in/e.png", [&b"\x89PNG\r\n\x1a\n"[..], &[0; 99]].concat())
        .file(
            "test.jsonl",
            "{\"text\":\"A question that no document of this corpus has in it, not even in other words.\"}\n[]\n",
        )
}

#[test]
fn copied_or_left_out() {
    let folder = corpus();
    let rows = |[a, b, c, d, e, f]: [&str; 6]| {
        vec![
            json!(["in/a.jsonl", 3, a]),
            json!(["in/b.csv", 1, b]),
            json!(["in/b.csv", 2, c]),
            json!(["in/c.csv", null, d]),
            json!(["in/d.jsonl.gz", null, e]),
            json!(["in/e.png", null, f]),
        ]
    };
    let as_they_are = rows(["stays", "goes", "stays", "stays", "goes", "stays"]);
    for line in ["clean --lines", "clean --repeats", "decontaminate --against test.jsonl --drop"] {
        let answer = folder.dedup(&format!("{line} in -o out --force --problems p.jsonl"));
        let mut found = fates(&folder, "p.jsonl");
        if line.starts_with("deco") {
            assert_eq!(found.remove(0), json!(["test.jsonl", 2, null]), "{answer:?}");
        }
        assert_eq!(found, as_they_are, "{answer:?}");
        assert!(answer.stderr.contains("dedup: what was skipped: 4 kept unchanged, 2 left out\n"), "{answer:?}");
        assert!(answer.stderr.contains("fields where the heading has 2; kept unchanged\n"), "{answer:?}");
        assert!(answer.stderr.contains("the line is given up; left out\n"), "{answer:?}");
        let told = "; the records before the error were read; what could not be read is left out\n";
        assert!(answer.stderr.contains(told), "{answer:?}");
        // The list says what is so.
        assert!(folder.read_text("out/a.jsonl").ends_with("{\"id\":\"x\",\"text\":\"cut\n"));
        assert_eq!(folder.read_text("out/b.csv"), "id,text\n2,one,too many\n3,fine\n");
        assert_eq!(folder.read("out/c.csv"), folder.read("in/c.csv"));
        assert_eq!(folder.read("out/e.png"), folder.read("in/e.png"));
    }
    let answer = folder.dedup("clean in -o unique --problems p.jsonl");
    assert_eq!(fates(&folder, "p.jsonl"), rows(["goes", "goes", "goes", "stays", "goes", "stays"]), "{answer:?}");
    assert!(answer.stderr.contains("dedup: what was skipped: 2 kept unchanged, 4 left out\n"), "{answer:?}");
    folder.dedup("clean in -o left --unread leave --problems p.jsonl").code_is(2);
    assert_eq!(fates(&folder, "p.jsonl"), rows(["goes"; 6]));
    assert_eq!(folder.files("unique").len() - folder.files("left").len(), 2);
    // The test set is a corpus of its own.
    let line = "decontaminate in --against test.jsonl -o lists --clean-benchmark test.clean.jsonl --problems p.jsonl";
    folder.dedup(line).code_is(2);
    let found = fates(&folder, "p.jsonl");
    assert_eq!((&found[0], &found[1]), (&json!(["test.jsonl", 2, "stays"]), &json!(["in/a.jsonl", 3, null])));
    assert!(folder.read_text("test.clean.jsonl").ends_with("\n[]\n"));
    // Other commands write no corpus.
    let answer = folder.dedup("find in --problems p.jsonl");
    assert!(fates(&folder, "p.jsonl").iter().all(|problem| problem[2].is_null()), "{answer:?}");
    assert!(answer.stderr.contains("has 2; skipped\n"), "{answer:?}");
}

#[test]
fn shards_have_no_place_for_a_file_that_cannot_be_read() {
    let folder = Folder::new().file("a.csv", "id,text\n1,fine\n2,one,too many\n").file("b.csv", "id,body\n1,x\n");
    folder.dedup("clean a.csv b.csv --lines -o out/part-*.csv --problems p.jsonl").code_is(2);
    assert_eq!(fates(&folder, "p.jsonl"), [json!(["a.csv", 2, "stays"]), json!(["b.csv", null, "goes"])]);
    assert_eq!(folder.read_text("out/part-00000.csv"), "id,text\n1,fine\n2,one,too many\n");
}

#[test]
fn a_mistyped_field_is_named_once() {
    let without = |records: usize| "{\"id\":\"x\",\"body\":\"y\"}\n".repeat(records);
    let folder = Folder::new()
        .file("all.jsonl", without(300))
        .file("some.jsonl", jsonl(&[("a", CLOCK)]) + &without(30) + "{\"id\":1}\n")
        .file("test.jsonl", jsonl(&[("q", MILL)]));
    for line in ["find", "clean --dry-run", "clean --lines --dry-run", "decontaminate --against test.jsonl --dry-run"] {
        let answer = folder.dedup(&format!("{line} all.jsonl"));
        let lines: Vec<&str> = answer.stderr.lines().collect();
        assert_eq!((answer.code, lines.len()), (2, 2), "{answer:?}");
        assert!(lines[0].starts_with("dedup: all.jsonl, line 1: has no field 'text'; it has id, body"), "{answer:?}");
        assert!(lines[1].ends_with("; none of the 100 records read so far has it"), "{answer:?}");
    }
    let answer = folder.dedup("fingerprint -q some.jsonl -o some.fp --problems p.jsonl");
    let lines: Vec<&str> = answer.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{answer:?}");
    assert!(lines[1].contains("line 32: has no field 'text'; it has id:"), "{answer:?}");
    assert_eq!(lines[2], "dedup: 29 more records in which a field is missing as in one named above");
    assert_eq!(parsed(&folder.read_text("p.jsonl")).len(), 31);
}

/// An output that cannot be written is refused before the documents are read, of which each has a problem that would be told.
#[test]
fn what_cannot_be_written_is_refused_before_the_reading() {
    let warc = format!(
        "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nWARC-Target-URI: http://a.example/\r\n\
         Content-Length: {}\r\n\r\n{MILL}\r\n\r\n",
        MILL.len()
    );
    let broken = jsonl(&[("a", MILL)]) + "{\n";
    let folder = Folder::new()
        .file("a.jsonl", &broken)
        .file("unnamed", &broken)
        .file("in/a.jsonl", &broken)
        .file("pages/a.jsonl", &broken)
        .file("pages/b.warc", &warc)
        .file("crawl", &warc)
        .file("test.jsonl", jsonl(&[("q", HARBOUR)]));
    let (no_format, no_folder) = ("nothing is converted here", "is the name of a file, but what is kept");
    let no_warc = "web archives (WARC) are not written";
    for (line, said) in [
        ("a.jsonl -o out.parquet", no_format),
        ("a.jsonl -o out.csv", no_format),
        ("unnamed -o out.csv", no_format),
        ("in a.jsonl -o 'out/part-*.csv'", no_format),
        ("in -o out.parquet", no_folder),
        ("crawl -o out.jsonl", no_warc),
        ("pages -o out", no_warc),
    ] {
        for command in ["clean --lines", "clean --repeats", "decontaminate --against test.jsonl --drop"] {
            let answer = folder.dedup(&format!("{command} {}", line.replace('\'', "")));
            answer.fails_saying(said);
            assert_eq!(answer.stderr.lines().count(), 1, "{answer:?}");
        }
    }
    let line = "decontaminate a.jsonl --against test.jsonl -o lists --clean-benchmark test.csv";
    assert_eq!(folder.dedup(line).stderr.lines().count(), 1);
    folder.dedup(line).fails_saying(no_format);
    // The same format is none to convert to, whatever the name.
    for output in ["out.jsonl.gz", "out"] {
        folder.dedup(&format!("clean --lines unnamed -o {output}")).code_is(2);
        assert!(!folder.read(output).is_empty());
    }
}

#[test]
fn a_source_that_no_file_has_is_named() {
    let folder = Folder::new().file("books/a.txt", MILL).file("web/a.txt", BEES);
    for line in ["find", "clean --dry-run", "clean --lines --dry-run", "clean --repeats --dry-run"] {
        let answer = folder.dedup(&format!("{line} books web --keep source:boks,web,zzz"));
        let told: Vec<&str> = answer.stderr.lines().filter(|line| line.contains("--keep source")).collect();
        let expected =
            |name| format!("dedup: --keep source:{name}: no document is in a file with '{name}' in its name");
        assert_eq!(told, [expected("boks"), expected("zzz")], "{answer:?}");
    }
}

/// `--attributes` without an output gives the spans that are cut with one, and writes nothing else.
#[test]
fn spans_may_be_listed_alone() {
    let footer = "Posted by the harbour office, all rights reserved.";
    let texts = [MILL, BEES, CLOCK, HARBOUR].map(|text| format!("{text}\n{MILL} {text}\n{footer}\n"));
    let texts: Vec<(&str, &str)> = texts.iter().map(|text| ("x", &**text)).collect();
    let folder = Folder::new().file("in.jsonl", jsonl(&texts)).file("test.jsonl", jsonl(&[("q", BEES)]));
    for line in
        ["clean --lines --max-documents 1", "clean --repeats=20 --max-cut 1", "decontaminate --against test.jsonl"]
    {
        let line = line.replacen(" --", " in.jsonl --", 1);
        let answer = folder.dedup(&format!("{line} --attributes spans.jsonl --force"));
        answer.code_is(0);
        assert!(answer.stderr.ends_with("no documents were written; the spans are in spans.jsonl\n"), "{answer:?}");
        assert_eq!(folder.names(), ["in.jsonl", "spans.jsonl", "test.jsonl"]);
        let alone = folder.read_text("spans.jsonl");
        assert!(!alone.is_empty(), "{answer:?}");
        let cut = if line.starts_with("clean") { "" } else { "--cut" };
        folder.dedup(&format!("{line} {cut} -q -o out.jsonl --attributes spans.jsonl --force")).quietly(0);
        assert_eq!(folder.read_text("spans.jsonl"), alone);
        for list in folder.names().into_iter().filter(|name| name.starts_with("out")) {
            fs::remove_file(folder.path().join(list)).unwrap();
        }
        folder.dedup(&format!("{line} --attributes spans.jsonl --dry-run")).code_is(2);
    }
    for more in ["--drop", "--cut", "--clean-benchmark left.jsonl"] {
        folder
            .dedup(&format!("decontaminate in.jsonl --against test.jsonl --attributes spans.jsonl {more}"))
            .fails_saying("no output was named");
    }
}

/// Counts that were saved stay, and that is said.
#[cfg(target_os = "linux")]
#[test]
fn counts_that_stay_are_named() {
    let text = format!("{MILL}\n{BEES}\n{HARBOUR}\n{CLOCK}\n").repeat(4);
    let texts: Vec<String> = (0..4000).map(|n| format!("{n}\n{text}")).collect();
    let texts: Vec<(&str, &str)> = texts.iter().map(|text| ("x", &**text)).collect();
    let folder = Folder::new().file("large.jsonl", jsonl(&texts)).file("test.jsonl", jsonl(&[("q", MILL)]));
    for line in ["clean --lines", "decontaminate --against test.jsonl"] {
        let _ = fs::remove_file(folder.path().join("c.counts"));
        let line = format!("{line} -q --threads 1 large.jsonl --counts c.counts -o out.jsonl");
        let told = stopped_with("c.counts", &folder, &line);
        let expected = "dedup: stopped; the counts of this run are in c.counts, and nothing else was written\n";
        assert!(told.ends_with(expected), "{line}: {told}");
        assert_eq!(folder.names(), ["c.counts", "large.jsonl", "test.jsonl"]);
    }
}
