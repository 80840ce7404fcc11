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
