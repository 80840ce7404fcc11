//! Outputs in folders that other users may write to, and leftovers of killed runs.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use crate::folder::{Answer, DEDUP, Folder, run};
use crate::texts::{BEES, EDITED, HARBOUR, jsonl};

fn folder() -> Folder {
    Folder::new()
        .file("in.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED), ("c", BEES)]))
        .file("in/a.txt", HARBOUR)
        .file("in/b.txt", EDITED)
}

/// Every kind of output, its command, and the temporary names that an earlier version would have used.
const OUTPUTS: [(&str, &str, &[&str]); 7] = [
    ("out.html", "screen -q in --html out.html", &[".dedup-out.html"]),
    ("key.csv", "screen -q in --anonymise --names key.csv", &[".dedup-key.csv"]),
    ("out.html", "find -q in --report out.html", &[".dedup-out.html"]),
    ("problems", "find -q in --problems problems", &[".dedup-problems"]),
    ("out.jsonl", "clean -q in.jsonl -o out.jsonl", &[".dedup-out.jsonl", ".dedup-out.jsonl.removed.jsonl"]),
    ("out", "clean -q in -o out", &[".dedup-out", ".dedup-out.removed.jsonl"]),
    ("index", "index create index", &["index/manifest.new", "index/.ignore"]),
];

#[test]
fn a_planted_link_is_not_followed() {
    for (output, line, planted) in OUTPUTS {
        let folder = folder().file("victim", "mine");
        for name in planted {
            let link = folder.path().join(name);
            fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(folder.path().join("victim"), link).unwrap();
        }
        let answer = folder.dedup(line);
        assert!(answer.code < 2, "{line}: {answer:?}");
        assert!(folder.path().join(output).exists() && folder.read("victim") == b"mine", "{line}");
    }
    // A fingerprint run can resume, so the names of its parts are fixed.
    let folder = folder();
    fs::create_dir(folder.path().join("victim")).unwrap();
    symlink("victim", folder.path().join("out.fp.partial")).unwrap();
    folder.dedup("fingerprint -q in -o out.fp").fails_saying(
        "out.fp.partial: is a link, and the unfinished output must be kept there; remove it, or name another output",
    );
    assert_eq!(folder.files("victim").len(), 0);
    // A planted link in place of the lock of an index is not followed either.
    let folder = folder.file("mine", "mine");
    folder.dedup("index create index").code_is(0);
    fs::remove_file(folder.path().join("index/lock")).unwrap();
    symlink("../mine", folder.path().join("index/lock")).unwrap();
    folder
        .dedup("index add -q index in")
        .fails_saying("index/lock: cannot be written: it is a link, which is not followed");
}

fn mode(folder: &Folder, name: &str) -> u32 {
    fs::metadata(folder.path().join(name)).unwrap().mode() & 0o777
}

/// Runs a command under a umask.
fn under(folder: &Folder, umask: &str, line: &str) -> Answer {
    let script = format!("umask {umask} && exec {DEDUP} {line}");
    run(Command::new("sh").args(["-c", &script]).current_dir(folder.path()), b"")
}

#[test]
fn outputs_have_the_usual_mode_and_keep_their_own() {
    let lines =
        OUTPUTS.iter().map(|(output, line, _)| (*output, *line)).chain([("out.fp", "fingerprint -q in -o out.fp")]);
    for (output, line) in lines {
        let folder = folder();
        under(&folder, "027", line);
        let is_folder = folder.path().join(output).is_dir();
        let usual = match output {
            // The key of numbers to names is private to its owner.
            "key.csv" => 0o600,
            _ if is_folder => 0o750,
            _ => 0o640,
        };
        assert_eq!(mode(&folder, output), usual, "{line}");
        if is_folder {
            continue;
        }
        let other = if output == "key.csv" { usual } else { 0o604 };
        fs::set_permissions(folder.path().join(output), fs::Permissions::from_mode(0o604)).unwrap();
        under(&folder, "022", &format!("{line} --force"));
        assert_eq!(mode(&folder, output), other, "{line}");
    }
    let folder = folder();
    fs::create_dir(folder.path().join("out")).unwrap();
    fs::set_permissions(folder.path().join("out"), fs::Permissions::from_mode(0o711)).unwrap();
    folder.dedup("clean -q in -o out").quietly(0);
    assert_eq!(mode(&folder, "out"), 0o711);
}

#[test]
fn leftovers_of_killed_runs_are_removed_by_the_next() {
    let folder = folder().file(".dedup-out.0123abcD/a.txt", "half").file(".dedup-other.0123abcD", "of another output");
    for name in ["out.html", "out.removed.jsonl"] {
        fs::write(folder.path().join(format!(".dedup-{name}.0123abcD")), "half").unwrap();
    }
    folder.dedup("find -q in --report out.html").code_is(0);
    folder.dedup("clean -q in -o out").code_is(0);
    let left: Vec<_> = folder.names().into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [".dedup-other.0123abcD"]);
}

/// A run does not read its own outputs, even with `--hidden`.
#[test]
fn temporary_files_are_not_documents() {
    let folder = folder().file("in/.dedup-out.html.0123abcD", BEES);
    let page = folder.dedup("find --hidden in --report in/out.html");
    let searched = "\nsearched                         2 documents            (2 files, ";
    assert!(page.stderr.contains(searched), "{page:?}");
}

#[test]
fn a_limit_on_file_sizes_is_reported() {
    let folder = folder().file("many.jsonl", jsonl(&vec![("a", HARBOUR); 3000]));
    let limited = |line: &str| {
        let script = format!("ulimit -f 8 && exec {DEDUP} {line}");
        run(Command::new("sh").args(["-c", &script]).current_dir(folder.path()), b"")
    };
    let said = "exceeds the file size limit; raise the limit (`ulimit -f`), or write to another disk";
    limited("fingerprint -q many.jsonl -o out.fp").fails_saying(said);
    limited("find -q in --report out.html").stderr.contains(said).then_some(()).expect("the page is too long");
    assert!(!folder.path().join("out.html").exists() && !folder.path().join("out.fp").exists());
}
