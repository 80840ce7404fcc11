//! `--convert`: other programs read old Word files and scans. The programs here are small scripts.

use std::process::Command;

use serde_json::json;

use crate::folder::{Answer, Folder, run};
use crate::texts::{BEES, HALL};

/// A Word document of the old format, for all that `dedup` knows of one.
fn doc(text: &str) -> Vec<u8> {
    let part = "WordDocument".encode_utf16().flat_map(u16::to_le_bytes);
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".iter().copied().chain([0; 600]).chain(part).chain(text.bytes()).collect()
}

fn picture(text: &str) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", text.as_bytes()].concat()
}

/// A folder with programs that are found on PATH; each notes that it was started.
fn folder(programs: &[(&str, &str)]) -> Folder {
    let mut folder =
        Folder::new().file("in/bees.txt", BEES).file("in/-o bees.doc", doc(BEES)).file("in/hall.png", picture(HALL));
    for (name, script) in programs {
        let script = format!("#!/bin/sh\nPATH=/usr/bin:/bin\necho {name} >> \"$HOME/started\"\n{script}\n");
        folder = folder.file(&format!("texts/{name}"), script);
        let (text, bin) = (folder.path().join("texts").join(name), folder.path().join("bin"));
        std::fs::create_dir_all(&bin).unwrap();
        // Another process makes it: a child that another test starts meanwhile would hold it open.
        assert!(Command::new("install").args(["-m", "755"]).args([text, bin.join(name)]).status().unwrap().success());
    }
    folder
}

fn dedup(folder: &Folder, line: &str) -> Answer {
    let mut command = folder.command(line);
    command.env("PATH", folder.path().join("bin")).env("HOME", folder.path()).env_remove("XDG_CACHE_HOME");
    run(&mut command, b"")
}

fn started(folder: &Folder) -> Vec<String> {
    let started = std::fs::read_to_string(folder.path().join("started")).unwrap_or_default();
    let mut started: Vec<String> = started.lines().map(str::to_owned).collect();
    started.sort();
    started
}

/// Gives the letters at the end of its input.
const READS: &str = "tr -cd '[:print:]\\n' < input | sed 's/^.*IHDR//; s/^.*d.o.c.u.m.e.n.t//I'";

#[test]
fn a_program_is_started_only_if_it_may_and_only_once() {
    let word = format!("cat > /dev/null; printf '%s' '{BEES}'");
    let folder = folder(&[("antiword", &word), ("tesseract", READS)]);
    let refused = dedup(&folder, "find --pairs in");
    assert_eq!((&*refused.stdout, refused.code), ("", 2));
    assert!(
        refused.stderr.contains(
            "with `libreoffice --headless --convert-to pdf`; or let antiword read it: give --convert; skipped"
        ),
        "{refused:?}"
    );
    assert!(
        refused.stderr.contains("in/hall.png: is a picture, not a text;")
            && refused.stderr.contains("or let tesseract read it")
    );
    assert_eq!(started(&folder), [""; 0], "no program without leave");

    let answer = dedup(&folder, "find --pairs --convert in");
    assert!(answer.stdout.starts_with("in/-o bees.doc  in/bees.txt   0 bits  Jaccard 100.00 %"), "{answer:?}");
    assert_eq!((answer.code, answer.stdout.lines().count()), (0, 1));
    assert!(
        answer.stderr.ends_with("dedup: in/-o bees.doc: read by antiword\ndedup: in/hall.png: read by tesseract\n")
    );
    assert_eq!(started(&folder), ["antiword", "tesseract"]);
    assert_eq!(folder.files(".cache/nearcopy/converted").len(), 2);

    let again = dedup(&folder, "audit --convert --format jsonl in");
    assert_eq!(started(&folder), ["antiword", "tesseract"], "kept");
    assert!(again.stderr.contains("in/-o bees.doc: read by antiword, kept from an earlier run\n"), "{again:?}");
    let rows = again.jsonl();
    let read_by: Vec<_> = rows.iter().map(|row| (row["file"].clone(), row["read_by"].clone())).collect();
    assert_eq!(
        read_by,
        [
            (json!("in/-o bees.doc"), json!("antiword")),
            (json!("in/bees.txt"), json!(null)),
            (json!("in/hall.png"), json!("tesseract"))
        ]
    );

    for line in
        ["screen --convert --min-words 20 in", "clean --convert in -o out", "compare --convert in/bees.txt in/hall.png"]
    {
        let answer = dedup(&folder, line);
        assert!(
            answer.code < 2 && answer.stderr.contains("in/hall.png: read by tesseract, kept"),
            "{line}: {answer:?}"
        );
    }
    assert_eq!(started(&folder), ["antiword", "tesseract"], "kept for every command");
    let german = dedup(&folder, "compare --convert --ocr-language deu in/bees.txt in/hall.png");
    assert!(german.stderr.ends_with("in/hall.png: read by tesseract\n"), "{german:?}");
    let option = dedup(&folder, "find --convert --ocr-language=-v in");
    assert!(option.code == 2 && option.stderr.contains("expected names such as deu"), "{option:?}");
}

#[test]
fn where_a_program_fails_the_next_one_reads() {
    let word = format!("printf '%s' '{BEES}'");
    let folder = folder(&[("antiword", "echo 'not this one' >&2; exit 1"), ("catdoc", &word), ("tesseract", "true")]);
    let answer = dedup(&folder, "find --pairs --convert in");
    assert!(answer.stderr.contains("in/-o bees.doc: read by catdoc\n"), "{answer:?}");
    assert!(answer.stderr.contains("in/hall.png: tesseract found no text in it; check that it shows text, and scan it again if it should; skipped"), "{answer:?}");
    dedup(&folder, "find --pairs --convert in");
    assert_eq!(started(&folder), ["antiword", "catdoc", "tesseract"], "no program in the second run");

    let folder = self::folder(&[("antiword", "echo 'not this one' >&2; exit 1"), ("catdoc", "exec sleep 100")]);
    let answer = dedup(&folder, "find --pairs --convert --convert-timeout 1 in");
    let told = "in/-o bees.doc: cannot be converted: antiword failed (exit status: 1: not this one), catdoc took longer than \
                1 s, which --convert-timeout raises; save it as DOCX or PDF first; skipped";
    assert!(answer.code == 2 && answer.stderr.contains(told), "{answer:?}");
}

/// The claims of a plan are about the words of a file, and a program may read them wrongly.
#[test]
fn a_plan_moves_no_file_that_another_program_read() {
    let word = format!("printf '%s' '{BEES}'");
    let folder = folder(&[("antiword", &word)]).file("in/copy.doc", doc(BEES)).file("in/z.txt", BEES);
    let answer = dedup(&folder, "audit --convert --plan plan.jsonl in");
    assert_eq!(answer.code, 0, "{answer:?}");
    let plan: Vec<serde_json::Value> =
        folder.read_text("plan.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let moved: Vec<_> = plan.iter().map(|step| (step["move"].clone(), step["why"].clone())).collect();
    let expected = ["in/copy.doc", "in/z.txt"].map(|file| (json!(file), json!("bytes")));
    assert_eq!(moved, expected, "{plan:?}");
}

/// A scan may show what no program reads.
#[test]
fn clean_removes_no_file_for_words_that_another_program_read() {
    let word = format!("printf '%s' '{BEES}'");
    let other = [doc(BEES), b"!".to_vec()].concat();
    let folder = folder(&[("antiword", &word), ("tesseract", READS)]);
    let folder = folder.file("in/copy.doc", doc(BEES)).file("in/other.doc", other);
    let removed = |options: &str| {
        let line = format!("clean --convert in -o out --force --unread leave -q{options}");
        let answer = dedup(&folder, &line);
        assert!(answer.code < 2, "{answer:?}");
        let list: Vec<serde_json::Value> =
            folder.read_text("out.removed.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        list.iter().filter_map(|line| line["id"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(removed(""), ["in/copy.doc"], "of equal bytes");
    assert_eq!(removed(" --across-formats").len(), 3);
    let found = dedup(&folder, "find --convert in --format jsonl");
    let members = found.jsonl()[0]["members"].as_array().cloned().unwrap_or_default();
    let removals: Vec<_> = members.iter().map(|member| (member["id"].clone(), member["removal"].clone())).collect();
    let expected = [("in/bees.txt", None), ("in/copy.doc", Some("same")), ("in/other.doc", None)];
    assert_eq!(removals, expected.map(|(id, removal)| (json!(id), json!(removal))));
}

/// Words that a program misread stand in a report as changed ones, so it says who read them.
#[test]
fn a_report_says_that_another_program_read_a_document() {
    let folder = folder(&[("tesseract", READS)]).file("in/hall.txt", HALL);
    let answer = dedup(&folder, "screen --convert --min-words 20 in --format json --list documents --html page.html");
    let documents: serde_json::Value = serde_json::from_str(&answer.stdout).unwrap();
    let of = |id: &str| documents.as_array().unwrap().iter().find(|document| document["id"] == id).unwrap().clone();
    let (picture, text) = (of("in/hall.png"), of("in/hall.txt"));
    assert_eq!((&picture["read_by"], text.get("read_by")), (&json!("tesseract"), None));
    assert_eq!((&text["sources"][0]["read_by"], picture["sources"][0].get("read_by")), (&json!("tesseract"), None));
    assert!(folder.read_text("page.html").contains(r#""read_by":"tesseract""#));
    let told = dedup(&folder, "screen --convert --min-words 20 in --list documents").stdout;
    assert!(told.contains("note: read by tesseract, which may have misread words\n"), "{told}");
    assert!(told.contains("in/hall.png (read by tesseract)"), "{told}");
}
