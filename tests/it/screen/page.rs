//! `dedup screen --html`: one page, and a summary of it on the terminal.

use crate::folder::{Answer, Folder, run};
use crate::texts::{BEES, EDITED, HARBOUR};

fn essays() -> Folder {
    Folder::new().file("in/essay.txt", EDITED).file("in/own.txt", BEES).file("src/harbour.txt", HARBOUR)
}

/// Runs a command at a fixed time.
fn at_noon(folder: &Folder, line: &str) -> Answer {
    run(folder.command(line).env("SOURCE_DATE_EPOCH", "1767268800"), b"")
}

#[test]
fn the_page_does_not_change_the_answer() {
    let folder = essays();
    let plain = folder.dedup("screen in --against src --min-words 10 --format jsonl");
    let answer = at_noon(&folder, "screen in --against src --min-words 10 --format jsonl --html report.html");
    assert_eq!((answer.code, &answer.stdout), (plain.code, &plain.stdout), "the answer is the same");
    assert_eq!((answer.code, folder.names()), (0, ["in", "report.html", "src"].map(str::to_owned).into()));
    let page = folder.read_text("report.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("\"min_words\":10") && page.contains("\"id\":\"src/harbour.txt\""));
    assert!(page.contains("\"made\":\"2026-01-01T12:00:00Z\""));
    assert!(page.contains(
        "\"command_line\":\"dedup screen in --against src --min-words 10 --format jsonl --html report.html\""
    ));
    at_noon(&folder, "screen in --against src --min-words 10 --format jsonl --html report.html --force --threads 1");
    let again = folder.read_text("report.html");
    assert_ne!(again, page, "the command line differs");
    at_noon(&folder, "screen in --against src --min-words 10 --format jsonl --html report.html --force --threads 1");
    assert_eq!(folder.read_text("report.html"), again, "the same input and time give the same page");
}

#[test]
fn the_terminal_gets_a_summary_unless_passages_are_asked_for() {
    let mut folder = essays();
    for number in 0..30 {
        folder = folder.file(&format!("in/copy{number}.txt"), EDITED);
    }
    let answer = folder.dedup("screen in --against src --min-words 10 --html report.html --title Harbours");
    answer.code_is(0);
    let lines: Vec<&str> = answer.stdout.lines().chain(answer.stderr.lines()).collect();
    assert!(lines.len() < 24, "{lines:#?}");
    assert!(
        answer.stdout.contains(" %  in/copy0.txt  (") && answer.stdout.contains(" % in src/harbour.txt)"),
        "{answer:?}"
    );
    assert!(answer.stdout.ends_with("and 19 more documents with passages\n"), "{answer:?}");
    assert!(answer.stderr.ends_with("dedup: the report: report.html\n"), "{answer:?}");
    assert!(folder.read_text("report.html").contains("\"title\":\"Harbours\""));
    for asked in ["--list passages", "--format text"] {
        let answer =
            folder.dedup(&format!("screen in --against src --min-words 10 --html report.html --force {asked}"));
        assert_eq!(answer.stdout, folder.dedup("screen in --against src --min-words 10").stdout, "{asked}");
    }
}

#[test]
fn what_was_not_read_is_on_the_page() {
    let folder = essays().file("in/old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0");
    folder.dedup("screen in --against src --html report.html").code_is(2);
    let page = folder.read_text("report.html");
    assert!(page.contains("\"unread\":[{\"name\":\"in/old.doc\",\"kind\":\"another format\",\"reason\":\"is a Word document of the old format (.doc)"), "{page}");
    // A reason may repeat a name.
    let answer = folder.dedup("screen in --against src --html report.html --force --anonymise --names key.csv");
    assert!(answer.code == 2 && answer.stderr.starts_with("dedup: unread-1: another format; skipped\n"), "{answer:?}");
    assert!(!answer.stderr.contains("old.doc"), "{answer:?}");
    let page = folder.read_text("report.html");
    assert!(page.contains("{\"name\":\"unread-1\",\"kind\":\"another format\",\"reason\":\"\"}"), "{page}");
    assert!(!page.contains("old.doc") && folder.read_text("key.csv").contains("unread-1,in/old.doc"));
    assert!(page.contains("\"command_line\":\"\""));
}

#[test]
fn a_dossier_is_about_one_document() {
    let folder = Folder::new()
        .file("in/anna/essay.txt", EDITED)
        .file("in/ben/essay.txt", BEES)
        .file("in/cleo/essay.txt", BEES)
        .file("src/harbour.txt", HARBOUR);
    let line = "screen in --authors --against src --min-words 10";
    for (name, file) in [("anna", "a.html"), ("anna/essay.txt", "b.html"), ("in/anna/essay.txt", "c.html")] {
        let answer = folder.dedup(&format!("{line} --dossier {name} -o {file} --title Harbours"));
        assert_eq!(answer.code, 0, "{answer:?}");
        assert!(answer.stderr.ends_with(&format!("dedup: the dossier: {file}\n")), "{answer:?}");
        let page = folder.read_text(file);
        assert!(page.contains("\"dossier\":0") && page.contains("\"id\":\"in/anna/essay.txt\""), "{name}");
        assert!(!page.contains("ben/essay.txt") && !page.contains("cleo/essay.txt"), "others are not named");
    }
    let answer = folder.dedup(&format!("{line} --dossier essay.txt -o d.html"));
    let told =
        "3 documents are called 'essay.txt' (in/anna/essay.txt, in/ben/essay.txt, in/cleo/essay.txt); give a whole id";
    assert!(answer.code == 2 && answer.stderr.contains(told), "{answer:?}");
    let answer = folder.dedup(&format!("{line} --dossier dora -o d.html"));
    assert!(answer.code == 2 && answer.stderr.contains("no document is called 'dora'; --list"), "{answer:?}");
    let answer = folder.dedup("screen in src --authors --dossier src/harbour.txt -o e.html");
    assert_eq!(answer.code, 0, "{answer:?}");
    let answer = folder.dedup(&format!("{line} --dossier harbour.txt -o d.html"));
    assert!(answer.stderr.contains("'harbour.txt' is a source; a dossier is of a document"), "{answer:?}");
    let answer = folder.dedup(&format!("{line} --dossier Ana -o d.html"));
    assert!(
        answer.code == 2 && answer.stderr.contains("no document is called 'Ana'; did you mean 'anna'?"),
        "{answer:?}"
    );
    folder.dedup(&format!("{line} --dossier anna")).code_is(2);
    // A number of an anonymous list is a name.
    let list = folder.dedup(&format!("{line} --anonymise --list documents --format json -q")).json();
    let of_anna = list.as_array().unwrap().iter().find(|it| !it["sources"].as_array().unwrap().is_empty()).unwrap();
    let (id, author) = (of_anna["id"].as_str().unwrap(), of_anna["author"].as_str().unwrap());
    for (name, file) in [(id, "n.html"), (author, "m.html")] {
        let answer = folder.dedup(&format!("{line} --anonymise --dossier {name} -o {file}"));
        assert!(answer.code == 0 && folder.read_text(file).contains(&format!("\"id\":\"{id}\"")), "{answer:?}");
    }
    folder.dedup(&format!("{line} --anonymise --dossier author-9 -o x.html")).code_is(2);
    // Nor does an error name anybody.
    for (name, told) in [
        ("Ana", "no document is called 'Ana'; --list documents without --anonymise lists their ids and authors\n"),
        ("essay.txt", "3 documents are called 'essay.txt'; give a whole id (--anonymise names none here)\n"),
    ] {
        let answer = folder.dedup(&format!("{line} --anonymise --dossier {name} -o x.html"));
        assert!(answer.code == 2 && answer.stderr.ends_with(told), "{answer:?}");
        assert!(!["anna", "ben", "cleo"].iter().any(|name| answer.stderr.contains(name)), "{answer:?}");
    }
    folder.dedup(&format!("{line} --dossier anna -o in/anna/essay.txt")).code_is(2);
}

#[test]
fn a_page_that_cannot_be_written_ends_the_run_at_once() {
    let folder = essays();
    let answer = folder.dedup("screen in --against src --html nowhere/report.html");
    assert_eq!((answer.code, answer.stdout.as_str()), (2, ""));
    assert!(answer.stderr.contains("nowhere/report.html"), "{}", answer.stderr);
}
