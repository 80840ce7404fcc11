//! `dedup index sync`: the index follows folders.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::folder::{Folder, run};
use crate::texts::{CLOCK, HALL, HARBOUR, MILL};

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    crate::screen::hand_in::zip(&members.iter().map(|(name, text)| (*name, text.as_bytes())).collect::<Vec<_>>())
}

fn ids(folder: &Folder) -> Vec<String> {
    let mut ids: Vec<String> = folder.dedup("index list letters").stdout.lines().map(str::to_owned).collect();
    ids.sort();
    ids
}

/// What a synchronisation says it did.
fn sync(folder: &Folder, options: &str) -> String {
    let answer = folder.dedup(&format!("index sync letters in {options}"));
    let line = answer.stderr.lines().find(|line| line.contains(" unchanged")).unwrap_or_else(|| panic!("{answer:?}"));
    line.trim_start_matches("dedup: letters: ").to_owned()
}

#[test]
fn the_index_follows_a_folder() {
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/b.txt", MILL)
        .file("in/c.zip", zip(&[("anna/x.txt", HALL), ("ben/y.txt", MILL)]))
        .file("in/scan.pdf", "%PDF-1.4")
        .file("other.txt", HALL);
    folder.dedup("index create letters").code_is(0);
    folder.dedup("index add letters other.txt").code_is(0);
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 4 documents, renamed 0, replaced 0, removed 0");
    let all = ["in/a.txt", "in/b.txt", "in/c.zip/anna/x.txt", "in/c.zip/ben/y.txt", "other.txt"];
    assert_eq!(ids(&folder), all);
    // What could not be read is tried again if that is asked for.
    let told = "4 files unchanged (1 file still unread); added 0 documents, renamed 0, replaced 0, removed 0";
    assert_eq!(sync(&folder, ""), told);
    folder.dedup("index sync letters in").code_is(0);
    assert_eq!(sync(&folder, "--retry"), "3 files unchanged; added 0 documents, renamed 0, replaced 0, removed 0");
    folder.dedup("index sync letters in --retry").code_is(2);
    fs::remove_file(folder.path().join("in/scan.pdf")).unwrap();
    folder.dedup("index sync letters in").code_is(0);
    let path = |name: &str| folder.path().join("in").join(name);
    fs::write(path("a.txt"), format!("{HARBOUR} And more.")).unwrap();
    fs::remove_file(path("b.txt")).unwrap();
    fs::write(path("c.zip"), zip(&[("anna/x.txt", HALL), ("cleo/z.txt", MILL)])).unwrap();
    // It has the bytes of the one that is gone.
    fs::write(path("new.txt"), MILL).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options().append(true).open(path("c.zip")).unwrap().set_modified(later).unwrap();
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 1 document, renamed 1, replaced 2, removed 1");
    assert_eq!(ids(&folder), ["in/a.txt", "in/c.zip/anna/x.txt", "in/c.zip/cleo/z.txt", "in/new.txt", "other.txt"]);
    let near = folder.dedup("index query letters in/a.txt --similarity 1 --distance none --format jsonl").jsonl();
    assert!(near.iter().any(|pair| pair["b"] == "in/a.txt" && pair["jaccard"] == 1.0), "{near:?}");
    // Documents from elsewhere stay.
    for gone in ["a.txt", "c.zip"] {
        fs::remove_file(path(gone)).unwrap();
    }
    assert_eq!(sync(&folder, ""), "1 file unchanged; added 0 documents, renamed 0, replaced 0, removed 3");
    assert_eq!(ids(&folder), ["in/new.txt", "other.txt"]);
}

/// A disk that is not mounted leaves an empty folder, or none.
#[test]
fn documents_of_a_folder_without_files_stay() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", MILL);
    folder.dedup("index create letters").code_is(0);
    sync(&folder, "");
    let inputs = folder.path().join("in");
    fs::remove_dir_all(&inputs).unwrap();
    for says in ["in: no such file", "in: holds no file to read", "in: no such file"] {
        let answer = folder.dedup("index sync letters in");
        assert!(answer.code == 2 && answer.stderr.contains(says) && answer.stderr.contains("removed 0"), "{answer:?}");
        assert_eq!(ids(&folder), ["in/a.txt", "in/b.txt"]);
        match says {
            "in: no such file" if !inputs.is_symlink() => fs::create_dir(&inputs).unwrap(),
            "in: holds no file to read" => {
                fs::remove_dir(&inputs).unwrap();
                std::os::unix::fs::symlink("nowhere", &inputs).unwrap();
            }
            _ => {}
        }
    }
}

#[test]
fn documents_that_are_not_selected_stay_while_their_files_are_there() {
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/b.txt", MILL)
        .file("in/c.txt", CLOCK)
        .file("in/d.zip", zip(&[("x.txt", HALL)]));
    folder.dedup("index create letters").code_is(0);
    sync(&folder, "");
    for gone in ["in/a.txt", "in/b.txt"] {
        fs::remove_file(folder.path().join(gone)).unwrap();
    }
    assert!(sync(&folder, "--glob c.txt").ends_with("removed 2"));
    assert_eq!(ids(&folder), ["in/c.txt", "in/d.zip/x.txt"]);
    assert!(sync(&folder, "--type html").ends_with("removed 0"));
}

/// What cannot be seen may be there, so its documents stay, and the run says so.
#[test]
fn what_cannot_be_listed_stays() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/shut/b.txt", MILL);
    run(&mut folder.command_of_nobody("index create letters"), b"").code_is(0);
    run(&mut folder.command_of_nobody("index sync letters in"), b"").code_is(0);
    let shut = folder.path().join("in/shut");
    for mode in [0o0, 0o644] {
        fs::set_permissions(&shut, fs::Permissions::from_mode(mode)).unwrap();
        let answer = run(&mut folder.command_of_nobody("index sync letters in"), b"");
        assert!(answer.code == 2 && answer.stderr.contains("in/shut"), "{mode:o} {answer:?}");
        assert!(
            answer.stderr.contains("no permission to read it") && answer.stderr.contains("removed 0"),
            "{answer:?}"
        );
        assert_eq!(ids(&folder), ["in/a.txt", "in/shut/b.txt"]);
    }
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    run(&mut folder.command_of_nobody("index sync letters in"), b"").code_is(0);
}

#[test]
fn bytes_are_compared_if_asked() {
    let folder = Folder::new().file("in/a.txt", HARBOUR);
    folder.dedup("index create letters").code_is(0);
    sync(&folder, "");
    let path = folder.path().join("in/a.txt");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, HARBOUR.replacen('e', "a", 1)).unwrap();
    fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
    assert!(sync(&folder, "").starts_with("1 file unchanged"));
    assert_eq!(sync(&folder, "--digest"), "0 files unchanged; added 0 documents, renamed 0, replaced 1, removed 0");
    assert!(sync(&folder, "--digest").starts_with("1 file unchanged"));
    folder.dedup("index sync letters -").fails_saying("standard input has no files to compare");
}

#[test]
fn a_renamed_file_is_not_read_again() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", MILL).file("in/c.txt", HALL);
    folder.dedup("index create letters --passages").code_is(0);
    sync(&folder, "");
    let path = |name: &str| folder.path().join("in").join(name);
    fs::create_dir(path("old")).unwrap();
    // Bytes tell them, whether renamed or copied.
    fs::rename(path("a.txt"), path("old/first.txt")).unwrap();
    fs::write(path("second.txt"), MILL).unwrap();
    fs::remove_file(path("b.txt")).unwrap();
    let answer = folder.dedup("index sync letters in");
    let told = "letters: 1 file unchanged; added 0 documents, renamed 2, replaced 0, removed 0\n";
    assert!(answer.stderr.ends_with(told) && !answer.stderr.contains("read "), "{answer:?}");
    assert_eq!(ids(&folder), ["in/c.txt", "in/old/first.txt", "in/second.txt"]);
    assert_eq!(sync(&folder, ""), "3 files unchanged; added 0 documents, renamed 0, replaced 0, removed 0");
    let near = folder.dedup("index query letters in/old/first.txt --format jsonl").jsonl();
    assert!(near.iter().any(|pair| pair["b"] == "in/old/first.txt" && pair["jaccard"] == 1.0), "{near:?}");
    let found = folder.screened("in/second.txt --against letters");
    assert_eq!(found.len(), 0, "its text and passages are there under its new name: {found:?}");
    folder.dedup("index verify letters").code_is(0);
    // A file of the same size and time with other bytes is another file.
    let time = fs::metadata(path("c.txt")).unwrap().modified().unwrap();
    fs::remove_file(path("c.txt")).unwrap();
    fs::write(path("d.txt"), HALL.replacen('e', "a", 1)).unwrap();
    fs::File::options().append(true).open(path("d.txt")).unwrap().set_modified(time).unwrap();
    assert_eq!(sync(&folder, ""), "2 files unchanged; added 1 document, renamed 0, replaced 0, removed 1");
    let near = folder.dedup("index query letters in/d.txt --format jsonl").jsonl();
    assert!(near.iter().any(|pair| pair["b"] == "in/d.txt" && pair["jaccard"] == 1.0), "{near:?}");
}

#[test]
fn files_of_one_size_and_time_are_told_by_their_bytes() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", HARBOUR.replace("harbour", "hallway"));
    folder.dedup("index create letters").code_is(0);
    let path = |name: &str| folder.path().join("in").join(name);
    let time = fs::metadata(path("a.txt")).unwrap().modified().unwrap();
    fs::File::options().append(true).open(path("b.txt")).unwrap().set_modified(time).unwrap();
    sync(&folder, "");
    fs::rename(path("a.txt"), path("y.txt")).unwrap();
    fs::rename(path("b.txt"), path("x.txt")).unwrap();
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 0 documents, renamed 2, replaced 0, removed 0");
    let near = folder.dedup("index query letters in/y.txt --format jsonl --top 1").jsonl();
    assert_eq!((&near[0]["b"], &near[0]["jaccard"]), (&"in/y.txt".into(), &1.0.into()), "{near:?}");
}

#[test]
fn unread_files_are_asked_for_by_their_bytes() {
    let scan = "%PDF-1.4 not a document";
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/scan.pdf", scan)
        .file("in/c.zip", zip(&[("anna/form.pdf", "%PDF-1.4 a form"), ("anna/x.txt", HALL)]))
        .file("copy.pdf", scan)
        .file("form.pdf", "%PDF-1.4 a form")
        .file("other.pdf", "%PDF-1.4 not a documenT");
    folder.dedup("index create letters").code_is(0);
    folder.dedup("index add -q letters in").code_is(2);
    let asked = |names: &str| {
        let answer = folder.dedup(&format!("index query letters {names} --format jsonl"));
        let pairs = answer.jsonl();
        let ids = |pair: &serde_json::Value| format!("{} {} {}", pair["a"], pair["b"], pair["rules"]).replace('"', "");
        pairs.iter().map(ids).collect::<Vec<_>>()
    };
    let expected = ["copy.pdf in/scan.pdf [bytes]", "form.pdf in/c.zip/anna/form.pdf [bytes]"];
    assert_eq!(asked("copy.pdf form.pdf other.pdf"), expected);
    // They are kept by merges, and known once, however often they are tried. What has not changed is no new failure.
    for number in 0..5 {
        fs::write(folder.path().join(format!("in/{number}.txt")), format!("{MILL} {number}")).unwrap();
        // Of a file that changes, the last state counts, whatever was merged.
        for name in ["in/changing.pdf", "changed.pdf"] {
            fs::write(folder.path().join(name), format!("%PDF-1.4 {}", "so often ".repeat(number + 1))).unwrap();
        }
        folder.dedup("index sync letters in --retry").code_is(2);
        assert_eq!(asked("changed.pdf"), ["changed.pdf in/changing.pdf [bytes]"], "{number}");
    }
    assert!(sync(&folder, "").starts_with("9 files unchanged (2 files still unread); "));
    fs::write(folder.path().join("in/new.pdf"), "%PDF-1.4 new").unwrap();
    folder.dedup("index sync letters in").code_is(2);
    folder.dedup("index sync letters in").code_is(0);
    fs::remove_file(folder.path().join("in/new.pdf")).unwrap();
    folder.dedup("index compact letters").code_is(0);
    assert_eq!(asked("copy.pdf form.pdf other.pdf"), expected);
    assert_eq!(asked("changed.pdf").len(), 1);
    // What is gone or has changed is no answer.
    fs::remove_file(folder.path().join("in/scan.pdf")).unwrap();
    assert_eq!(asked("copy.pdf"), [] as [&str; 0]);
    // An index of nothing else answers too.
    folder.dedup("index create scans").code_is(0);
    folder.dedup("index add -q scans copy.pdf").code_is(2);
    folder.dedup("index verify scans").code_is(0);
    fs::write(folder.path().join("again.pdf"), scan).unwrap();
    let answer = folder.dedup("index query scans again.pdf");
    assert!(answer.code == 2 && answer.stdout.starts_with("again.pdf  copy.pdf  "), "{answer:?}");
}

/// Two web archives have a page each with one address, and two files of records one id.
#[test]
fn a_document_with_the_id_of_another_file_stays_out() {
    let line = |text: &str| format!("{{\"id\": \"1\", \"text\": {}}}\n", serde_json::to_string(text).unwrap());
    let folder = Folder::new().file("in/2025.jsonl", line(MILL));
    folder.dedup("index create letters").code_is(0);
    let options = "--id-field id";
    sync(&folder, options);
    fs::write(folder.path().join("in/2026.jsonl"), line(HALL) + &line(CLOCK).replace("\"1\"", "\"2\"")).unwrap();
    let answer = folder.dedup(&format!("index sync letters in {options}"));
    let says = |what: &str| answer.stderr.contains(what);
    assert!(answer.code == 2 && says("2026.jsonl, line 1: the id '1' was used before"), "{answer:?}");
    assert!(says("added 1 document, renamed 0, replaced 0"), "{answer:?}");
    let near = folder.dedup("index query letters in/2025.jsonl --id-field id --format jsonl").jsonl();
    assert!(near.iter().any(|pair| pair["b"] == "1" && pair["jaccard"] == 1.0), "{near:?}");
    // What its own file had before is replaced.
    fs::write(folder.path().join("in/2025.jsonl"), line(HARBOUR)).unwrap();
    assert!(sync(&folder, options).contains("replaced 1"));
}

/// A file that is half copied, or that nobody may read, is not gone.
#[test]
fn documents_of_a_file_that_cannot_be_read_stay() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", MILL);
    run(&mut folder.command_of_nobody("index create letters"), b"").code_is(0);
    let sync = || run(&mut folder.command_of_nobody("index sync letters in"), b"");
    sync().code_is(0);
    let [a, b] = ["in/a.txt", "in/b.txt"].map(|name| folder.path().join(name));
    fs::write(&a, format!("{HARBOUR} And more.")).unwrap();
    fs::set_permissions(&a, fs::Permissions::from_mode(0o0)).unwrap();
    fs::write(&b, b"\0\x01\x02\xff\0\0\0\x03").unwrap();
    for _ in 0..2 {
        let answer = sync();
        assert!(answer.code == 2 && answer.stderr.contains("removed 0"), "{answer:?}");
        assert_eq!(ids(&folder), ["in/a.txt", "in/b.txt"]);
    }
    fs::set_permissions(&a, fs::Permissions::from_mode(0o644)).unwrap();
    fs::remove_file(&b).unwrap();
    let answer = sync();
    assert!(answer.code == 0 && answer.stderr.contains("replaced 1, removed 1"), "{answer:?}");
}

#[test]
fn a_new_ending_is_read_again() {
    let folder = Folder::new().file("in/t.txt", "id,text\n1,the old mill\n2,by the sea\n");
    folder.dedup("index create letters").code_is(0);
    sync(&folder, "");
    fs::rename(folder.path().join("in/t.txt"), folder.path().join("in/t.csv")).unwrap();
    assert_eq!(sync(&folder, ""), "0 files unchanged; added 2 documents, renamed 0, replaced 0, removed 1");
}
