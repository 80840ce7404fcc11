//! Empty sources are an error: "nothing found" would be a wrong answer.

use std::fs;

use crate::folder::Folder;
use crate::texts::{BEES, EDITED, HALL, HARBOUR, MILL, jsonl};

/// The first bytes of a fingerprint file.
const MAGIC: &[u8] = b"\x89dfp\r\n\x1a\n";

const COMMANDS: [&str; 2] = ["screen -q new --against SOURCE", "find -q new --against SOURCE"];

/// Essays, sources to compare with, and an index and an archive of these.
fn folder() -> Folder {
    let folder = Folder::new().file("new/a.txt", MILL).file("old/b.txt", MILL).file("old/c.txt", HALL);
    folder.dedup("index create letters --passages").quietly(0);
    folder.dedup("index add -q letters old").quietly(0);
    folder.dedup("screen -q old --save old.dsi").quietly(0);
    folder.dedup("fingerprint -q old -o old.fp").quietly(0);
    folder
}

#[test]
fn an_index_without_its_manifest_is_named_by_every_command() {
    let folder = folder();
    for line in COMMANDS {
        assert!(folder.dedup(&line.replace("SOURCE", "old")).code == 0, "{line}: there is something to find");
    }
    let manifest = folder.path().join("letters/manifest");
    for is_folder in [false, true] {
        fs::remove_file(&manifest).unwrap();
        if is_folder {
            // Without its manifest and its lock it is an ordinary folder, not an index.
            fs::remove_file(folder.path().join("letters/lock")).unwrap();
            for line in COMMANDS {
                let answer = folder.dedup(&line.replace("SOURCE", "letters"));
                assert!(answer.code == 2 && answer.stdout.is_empty(), "{line}: {answer:?}");
                assert!(answer.stderr.starts_with("dedup: letters: holds no file to read; name another"), "{answer:?}");
            }
            return;
        }
        let before = folder.files("letters");
        for line in [
            "screen -q new --against letters",
            "screen -q letters",
            "screen -q letters --save x.dsi",
            "find -q new --against letters",
            "find -q old.fp letters",
            "fingerprint -q letters -o x.fp",
            "clean -q letters -o out",
            "index create letters",
            "index add -q letters new",
            "index query -q letters new",
            "index remove -q letters old/b.txt",
            "index list letters",
            "index info letters",
            "index verify letters",
            "index compact -q letters",
            "index compact -q --drop-damaged letters",
            "index clear -q letters",
        ] {
            folder.dedup(line).fails_saying(
                "letters/manifest: is missing; restore the folder of the index from a copy, or make it anew from its texts",
            );
        }
        assert_eq!(folder.files("letters"), before);
        assert_eq!(folder.names(), ["letters", "new", "old", "old.dsi", "old.fp"], "nothing is begun");
        fs::write(&manifest, "").unwrap();
    }
}

#[test]
fn a_stump_of_an_archive_is_no_empty_text() {
    let folder = folder();
    for (name, is_called_so) in [("cut.fp", true), ("cut.DSI", true), ("cut", false), ("cut.archive", false)] {
        for length in 0..=MAGIC.len() {
            fs::write(folder.path().join(name), &MAGIC[..length]).unwrap();
            let expected = match length {
                0 if !is_called_so => format!("{name}: no document with a word in it could be read there"),
                _ => format!("{name}: has {length} bytes instead of 64; copy it again"),
            };
            for line in COMMANDS {
                folder.dedup(&line.replace("SOURCE", name)).fails_saying(&expected);
                folder.dedup(&line.replace("SOURCE", &format!("{name} --threads 1"))).fails_saying(&expected);
            }
        }
    }
    // A text may have any name.
    let folder = folder.file("text.fp", MILL);
    for line in COMMANDS {
        folder.dedup(&line.replace("SOURCE", "text.fp")).code_is(0);
    }
}

#[test]
fn sources_without_documents_are_told() {
    let folder = folder().file("empty/deep/.hidden", MILL).file("none.jsonl", "").file("blank.txt", " \n");
    folder.dedup("index create bare --passages").quietly(0);
    for (source, lines) in [
        ("empty", 2),
        ("empty/deep", 2),
        ("old --glob !*.txt", 2),
        ("none.jsonl", 1),
        ("blank.txt", 1),
        ("none.jsonl empty", 2),
    ] {
        for line in COMMANDS {
            // An option that takes one value is repeated.
            let line = line.replace("SOURCE", &source.replace(" empty", " --against empty"));
            let answer = folder.dedup(&line);
            // The glob also excludes the documents to search.
            let lines = lines + usize::from(line.starts_with("find") && line.contains("--glob"));
            assert_eq!((answer.code, &*answer.stdout, answer.stderr.lines().count()), (2, "", lines), "{answer:?}");
            let last = answer.stderr.lines().last().unwrap();
            assert!(last.contains("so there is nothing to compare with; name other sources, or check"), "{answer:?}");
        }
    }
    // What was named and is not there ends a screening before it begins.
    for line in ["screen new --against old missing.txt --html page.html", "screen new --ignore missing.txt"] {
        folder.dedup(line).fails_saying("missing.txt: no such file; check the name and the folder");
    }
    folder
        .dedup("screen -q new --against bare")
        .fails_saying("bare: no document with a word in it could be read there");
    folder.dedup("screen -q new --against bare --html page.html").code_is(2);
    assert!(!folder.path().join("page.html").exists(), "no page says that nothing was found");
}

/// An empty source among several is reported like an unreadable file; the others are used.
#[test]
fn one_empty_source_of_several_is_reported() {
    let folder = folder().file("empty/.hidden", MILL);
    for line in COMMANDS {
        let answer = folder.dedup(&line.replace("SOURCE", "empty --against old"));
        assert_eq!((answer.code, answer.stdout.is_empty()), (2, false), "{answer:?}");
        let expected = "dedup: empty: holds no file to read; name another folder, or check what is left out by --glob, \
                        --type or an .ignore file; skipped\n";
        assert_eq!(answer.stderr, expected);
        folder
            .dedup(&line.replace("SOURCE", "empty --against old --strict"))
            .fails_saying("or an .ignore file (stopped, as --strict asks)");
    }
}

#[test]
fn what_is_found_nowhere_is_still_no_error() {
    let folder = Folder::new().file("a.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED)])).file("b.txt", BEES);
    folder.dedup("find -q a.jsonl --against b.txt").quietly(1);
    folder.dedup("screen -q a.jsonl --against b.txt").quietly(1);
}

#[test]
fn what_was_not_compared_is_told() {
    let french = "Le matin, la brume couvre encore les marais et les oiseaux se taisent. Le passeur attend les premiers \
                  voyageurs sur la rive, sa barque amarrée au vieux saule, et il regarde le ciel pour deviner le vent.";
    let folder = folder().file("new/b.txt", french).file("empty.txt", "").file("one/a.txt", MILL);
    let told = |line: &str| folder.dedup(line).stderr;
    let alone = "compared with no text in the same language: 1 document in French; --translated searches";
    assert!(
        told("screen new")
            .contains("compared with no text in the same language: 1 document in English, 1 document in French;")
    );
    let with_sources = told("screen new --against old");
    assert!(with_sources.contains(alone), "{with_sources}");
    assert!(!told("screen new --against old --translated").contains("no text in the same language"));
    assert!(!told("screen old").contains("no text in the same language"));
    let one = told("screen one");
    assert!(
        one.contains("one document alone has nothing to be compared with: name others") && !one.contains("no text in")
    );
    let empty = told("screen empty.txt one");
    assert!(empty.contains("one/a.txt was compared with nothing, as no other document has words: name"), "{empty}");
    assert!(!empty.contains("language"), "{empty}");
    folder.dedup("screen new --ignore empty.txt").fails_saying("empty.txt: has no words that could be left out");
}

#[test]
fn a_text_of_few_words_is_weak_evidence() {
    let folder = ["a", "b"].into_iter().fold(Folder::new(), |folder, name| {
        folder
            .file(&format!("in/{name}.txt"), "See attached file.")
            .file(&format!("in/{name}2.txt"), "Please find my essay in the attached file.")
    });
    let found = folder.dedup("screen -q in --list passages --format jsonl").jsonl();
    let of = |id: &str| found.iter().find(|it| it["suspicious"] == *id).unwrap();
    let (short, longer) = (of("in/a.txt"), of("in/a2.txt"));
    assert!(short["weak"] == true && short["kind"] == "copied" && longer["weak"] == false, "{found:?}");
    let told = folder.dedup("screen in").stdout;
    assert!(
        told.contains(
            "0.00 %  none of 3 words counts as copied; 3 in weak passages\n  0.00 %  1 passage, all weak, in in/"
        ),
        "{told}"
    );
}

#[test]
fn a_document_of_which_little_counts_is_named() {
    let quoted = format!("“{}”", MILL.replace(['“', '”', '"'], ""));
    let folder = Folder::new().file("in/a.txt", quoted).file("in/b.txt", HALL);
    let told = folder.dedup("screen in --no-quotations").stderr;
    assert!(told.contains("in/a.txt was hardly compared: ") && !told.contains("in/b.txt was hardly"), "{told}");
    assert!(!folder.dedup("screen in").stderr.contains("hardly"));
}

/// An option, a file or a field that would do nothing is an error.
#[test]
fn what_would_do_nothing_is_refused() {
    let folder = folder().file("in.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED), ("c", BEES)]));
    let is_refused = |line: &str| {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains("cannot be used with"), "{line}: {answer:?}");
    };
    for option in ["--similarity 0.9", "--distance 5", "--keep newest", "--recall 0.9"] {
        is_refused(&format!("find old --contained {option}"));
    }
    for option in ["--keep newest", "--recall 0.9"] {
        is_refused(&format!("find old --neighbours 2 {option}"));
    }
    folder
        .dedup("index add letters new --similarity 0.9")
        .fails_saying("--similarity is a rule of edited copies; give --unique=edited too");
    folder
        .dedup("screen old -o page.html")
        .fails_saying("--output is the file of --dossier; --html FILE writes the page");
    folder.dedup("screen old --title Essays").fails_saying("--title is the heading of a page; give --html FILE");
    assert!(folder.dedup("screen old --min-words 0").stderr.contains("expected a number of words from 1 on"));
    folder.dedup("find old.fp ./old.fp").fails_saying("./old.fp: is named twice; name it once");
    folder.dedup("find old.fp --against old.fp").code_is(0);
    let answer = folder.dedup("fingerprint in.jsonl -o x.fp --key-field nosuch");
    let said = "x.fp: no document has the field 'nosuch' of --key-field; check its name, and make the file again";
    assert!(answer.code == 2 && answer.stderr.contains(said), "{answer:?}");
    folder.dedup("fingerprint in.jsonl -o y.fp --key-field id").code_is(0);
}
