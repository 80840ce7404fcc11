//! Neither inputs nor other outputs are overwritten.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use crate::folder::Folder;
use crate::moments::wait_until;
use crate::texts::{BEES, EDITED, HARBOUR, jsonl};

fn folder() -> Folder {
    Folder::new()
        .file("a.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED)]))
        .file("b.jsonl", jsonl(&[("c", BEES)]))
        .file("in/a.txt", HARBOUR)
        .file("in/deep/b.txt", EDITED)
        .file("words.txt", "the and")
}

/// Asserts that each command line fails with its message and changes nothing.
fn refused(folder: &Folder, lines: &[(&str, &str)]) {
    let before = folder.files("");
    for (line, expected) in lines {
        folder.dedup(line).fails_saying(expected);
        assert_eq!(folder.files(""), before, "{line}");
    }
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = folder();
    let output = "a.jsonl: is an input and the output; name another output";
    let page = "a.jsonl: is an input and the page of --report; name another output";
    let problems = "a.jsonl: is an input and the list of --problems; name another output";
    refused(
        &folder,
        &[
            ("fingerprint a.jsonl -o a.jsonl", output),
            ("fingerprint b.jsonl in/../a.jsonl -o ./a.jsonl", "./a.jsonl: is an input and the output"),
            ("fingerprint a.jsonl -o b.fp --problems a.jsonl", problems),
            ("find a.jsonl --report a.jsonl", page),
            ("find a.jsonl --problems a.jsonl", problems),
            ("find b.jsonl --against a.jsonl --problems a.jsonl", problems),
            ("find a.jsonl --stop-words words.txt --report words.txt", "words.txt: is an input and the page"),
            ("clean a.jsonl -o a.jsonl", output),
            ("clean a.jsonl -o out --report a.jsonl", page),
            ("clean a.jsonl --dry-run --report a.jsonl", page),
            ("clean in -o in", "in: is an input and the output"),
            (
                "clean in -o in/sub",
                "in/sub: would be inside the input in, where the next run would read it; name a path outside",
            ),
            (
                "clean a.jsonl in/deep/.. -o in/sub/deeper/still",
                "in/sub/deeper/still: would be inside the input in/deep/..",
            ),
            ("clean in --glob *.txt -o ./in/deep/../new.d", "./in/deep/../new.d: would be inside the input in"),
        ],
    );
    folder.dedup("fingerprint -q a.jsonl -o x.fp").quietly(0);
    let folder = folder.file("x.removed.jsonl", jsonl(&[("a", HARBOUR)]));
    refused(
        &folder,
        &[
            ("clean x.removed.jsonl -o x", "x.removed.jsonl: is an input and the list of what was removed"),
            ("find x.fp --report x.fp", "x.fp: is an input and the page of --report"),
            #[cfg(feature = "parquet")]
            ("cat x.fp -o ./x.fp", "./x.fp: -o writes Parquet; name a file that ends in .parquet"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn an_input_is_not_overwritten_through_a_link() {
    let folder = folder();
    std::os::unix::fs::symlink("a.jsonl", folder.path().join("link.jsonl")).unwrap();
    std::os::unix::fs::symlink("in/deep/b.txt", folder.path().join("link.txt")).unwrap();
    std::fs::hard_link(folder.path().join("a.jsonl"), folder.path().join("hard.jsonl")).unwrap();
    std::os::unix::fs::symlink("../words.txt", folder.path().join("in/out.txt")).unwrap();
    refused(
        &folder,
        &[
            ("fingerprint a.jsonl -o link.jsonl", "link.jsonl: is an input and the output"),
            ("fingerprint link.jsonl -o a.jsonl", "a.jsonl: is an input and the output"),
            ("fingerprint a.jsonl -o hard.jsonl", "hard.jsonl: is an input and the output"),
            ("fingerprint in -o link.txt", "link.txt: is read as an input and would be the output"),
            ("fingerprint in --follow -o words.txt", "words.txt: is read as an input and would be the output"),
        ],
    );
    // The target of a link in a folder is read only with `--follow`, so it may be overwritten.
    folder.dedup("fingerprint -q in --force -o words.txt").quietly(0);
}

#[test]
fn no_output_folder_is_made_in_an_input_folder() {
    let folder = folder();
    folder.dedup("index create letters").quietly(0);
    refused(
        &folder,
        &[(
            "index add --unique letters in -o in/new",
            "in/new: would be inside the input in, where the next run would read it",
        )],
    );
    // An output may lie beside the input folder, or in the folder of a single input file.
    folder.dedup("index add -q --unique letters in -o in.new").code_is(0);
    let folder = folder.file("in/one.jsonl", jsonl(&[("a", HARBOUR), ("b", EDITED)]));
    folder.dedup("clean -q in/one.jsonl -o in/one.clean.jsonl").quietly(0);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path().join("dead")).unwrap();
        refused(&folder, &[("clean in -o dead", "dead: is a broken link; remove it, or name another folder")]);
    }
}

#[test]
fn a_file_in_an_input_folder_is_not_overwritten() {
    let folder = folder();
    let remedy = "name another output, or leave it out with --glob '!a.txt'";
    refused(
        &folder,
        &[
            ("fingerprint in -o in/a.txt", "in/a.txt: is read as an input and would be the output"),
            ("fingerprint in -o in/a.txt", remedy),
            ("clean in --list -o in/deep/b.txt", "in/deep/b.txt: is read as an input and would be the output"),
            ("find in --report in/a.txt", "in/a.txt: is read as an input and would be the page of --report"),
            ("clean in --dry-run --problems in/a.txt", "would be the list of --problems"),
        ],
    );
    // A file that is not read may be overwritten, and so may the output of an earlier run.
    folder.dedup("fingerprint -q in --glob !a.txt --force -o in/a.txt").quietly(0);
    for line in [
        "fingerprint -q in -o in/a.txt",
        "find -q in --glob !a.txt --report in/page.html --problems in/problems.jsonl",
        "clean -q in/deep --list -o in/deep/kept.txt",
    ] {
        for _ in 0..2 {
            let answer = folder.dedup(&format!("{line} --force"));
            assert!(answer.code < 2, "{line}: {answer:?}");
        }
    }
}

#[test]
fn a_name_that_promises_another_format_is_refused() {
    let own = "is one file that only this program reads; give it a name that promises no other format";
    let text = "is plain text; end its name with .jsonl, .json or .txt";
    refused(
        &folder(),
        &[
            ("fingerprint a.jsonl -o out.parquet", &format!("out.parquet: the output {own}")),
            ("fingerprint a.jsonl -o part-*.fp", &format!("part-*.fp: the output {own}")),
            ("screen in --save out.zip", &format!("out.zip: the output {own}")),
            ("find a.jsonl --summary s.csv", &format!("s.csv: the object of --summary {text}")),
            ("find a.jsonl --problems p.tsv", &format!("p.tsv: the list of --problems {text}")),
            (
                "clean a.jsonl --repeats --attributes x.csv",
                "x.csv: the list of --attributes is plain text; end its name with .jsonl, or .parquet for a table",
            ),
        ],
    );
}

#[test]
fn two_outputs_must_be_two_files() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    refused(
        &folder,
        &[
            ("clean a.jsonl -o out --report out", "out: would be the output and the page of --report; name two"),
            (
                "clean a.jsonl -o out --problems out.removed.jsonl",
                "out.removed.jsonl: would be the list of what was removed and the list of --problems; name two",
            ),
            ("find a.jsonl --report x --problems in/../x", "in/../x: would be the page of --report and the list of"),
            ("fingerprint a.jsonl -o x --problems ./x", "./x: would be the output and the list of --problems"),
            (
                "clean in -o empty --problems empty/p.jsonl",
                "empty/p.jsonl: the list of --problems would be inside the output folder; name a path outside",
            ),
        ],
    );
}

/// Files behind a link to a folder are files of the input, too, if links are followed.
#[cfg(unix)]
#[test]
fn a_folder_with_files_behind_links_is_replaced_again() {
    let folder = Folder::new().file("in/a.txt", "one two").file("elsewhere/e.txt", "five six");
    std::os::unix::fs::symlink("../elsewhere", folder.path().join("in/linked")).unwrap();
    folder.dedup("clean -q in --follow -o out").quietly(0);
    folder.dedup("clean -q in --follow -o out --force").quietly(0);
    assert_eq!(folder.read_text("out/linked/e.txt"), "five six");
}

/// Existing files and folders are replaced only with `--force`.
#[test]
fn existing_outputs_are_replaced_only_with_force() {
    let folder = folder();
    let lines = [
        ("fingerprint -q in", "-o", "x.fp"),
        ("clean -q a.jsonl", "-o", "x.jsonl"),
        ("clean -q in --list", "-o", "x.txt"),
        ("clean -q in", "-o", "x"),
        ("clean -q in --dry-run", "--report", "x.html"),
        ("find -q in", "--report", "y.html"),
        ("screen -q in", "--html", "z.html"),
        ("screen -q in", "--save", "sources.fp"),
        #[cfg(feature = "parquet")]
        ("cat a.fp", "-o", "a.parquet"),
    ];
    folder.dedup("fingerprint -q a.jsonl -o a.fp").quietly(0);
    for (line, option, output) in lines {
        let run = |more: &str| folder.dedup(&format!("{line} {option} {output} {more}"));
        let first = run("");
        assert!(first.code < 2 && first.stderr.is_empty(), "{line}: {first:?}");
        let before = folder.files("");
        run("").fails_saying(&format!("{output}: already exists; --force replaces it"));
        assert_eq!(folder.files(""), before, "{line}");
        assert_eq!(run("--force").code, first.code, "{line}");
        let names = |files: &std::collections::BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&folder.files("")), names(&before), "{line}");
    }
    // A folder is replaced as a whole, and only if an earlier run wrote it.
    std::fs::write(folder.path().join("x/late.txt"), "put in since").unwrap();
    let late = "x/late.txt: no input has a file of this name, so --force would lose it; move it away first";
    refused(&folder, &[("clean -q in -o x --force", late)]);
    std::fs::remove_file(folder.path().join("x/late.txt")).unwrap();
    folder.dedup("clean -q in -o x --force").quietly(0);
    let folder = folder.file("mine/notes.txt", "of nobody else").file("empty.jsonl", "").file("dir/keep", "");
    std::fs::remove_file(folder.path().join("dir/keep")).unwrap();
    refused(
        &folder,
        &[("clean in -o mine --force", "mine: holds files that no earlier run wrote; name another folder")],
    );
    // Nor does a list of that name make a folder one of an earlier run.
    let folder =
        folder.file("set.jsonl", "{\"question\": \"What is nowhere in these texts?\"}\n").file("mine.cut.jsonl", "");
    let test = "decontaminate -q in --against set.jsonl --field question";
    folder.dedup(&format!("{test} -o mine")).quietly(0);
    let mine = "mine/notes.txt: no input has a file of this name, so --force would lose it; move it away first";
    let cuts = [format!("{test} --cut -o mine --force"), format!("{test} --drop -o mine --force")];
    let cuts = cuts.iter().map(String::as_str);
    for line in cuts.chain(["clean in --lines -o mine --force", "clean in --repeats -o mine --force"]) {
        refused(&folder, &[(line, mine)]);
    }
    folder.dedup("clean -q in --lines -o cut").quietly(0);
    std::fs::write(folder.path().join("cut/late.txt"), "put in since").unwrap();
    let late = "cut/late.txt: no input has a file of this name, so --force would lose it; move it away first";
    refused(&folder, &[("clean -q in --lines -o cut --force", late)]);
    std::fs::remove_file(folder.path().join("cut/late.txt")).unwrap();
    folder.dedup("clean -q in --lines -o cut --force").quietly(0);
    // An empty file or folder is replaced without `--force`.
    folder.dedup("clean -q a.jsonl -o empty.jsonl").quietly(0);
    folder.dedup("clean -q in -o dir").quietly(0);
    // So is the list of an earlier run of the same command that failed after writing it.
    let folder = folder.file("bad.jsonl", "{]\n");
    for _ in 0..2 {
        folder.dedup("clean -q bad.jsonl --problems bad.problems -o none.jsonl").code_is(2);
    }
}

/// What another program writes to the path of an output, while a run waits for standard input, stays.
#[test]
fn an_output_that_appears_during_the_run_is_not_replaced() {
    let folder = folder();
    for (line, output) in [
        ("fingerprint -q --input lines - -o x.fp", "x.fp"),
        ("find -q --input lines - --report y.html", "y.html"),
        ("screen -q - --against in --html z.html", "z.html"),
        ("screen -q - --save s.fp", "s.fp"),
    ] {
        let mut command = folder.command(line);
        let mut run = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let has_begun = || {
            // The lock of a fingerprint file is taken before its place is looked at, its spools are written after.
            let unfinished = |name: &String| name.starts_with(".dedup-") && !name.contains("scratch");
            folder.names().iter().any(unfinished) || folder.path().join(format!("{output}.partial/ids")).exists()
        };
        wait_until(&mut run, "an unfinished output", |_| has_begun());
        std::thread::sleep(std::time::Duration::from_millis(100));
        fs::write(folder.path().join(output), "another's").unwrap();
        run.stdin.take().unwrap().write_all(HARBOUR.as_bytes()).unwrap();
        let ended = run.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{line}: {said}");
        let expected = format!("{output}: has appeared during the run, and was not replaced; --force replaces it");
        assert!(said.contains(&expected), "{line}: {said}");
        assert_eq!(folder.read_text(output), "another's");
    }
    let names = folder.names();
    assert!(!names.iter().any(|name| name.starts_with(".dedup-")), "{names:?}");
}

/// One of several runs with one output does the work; the others say why they do not.
#[test]
fn of_simultaneous_runs_one_succeeds() {
    let folder = folder();
    for line in ["clean -q a.jsonl -o o.jsonl", "clean -q in -o o", "fingerprint -q in -o o.fp"] {
        let spawn = |_| {
            let mut command = folder.command(line);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let runs: Vec<_> = (0..3).map(spawn).collect();
        let ended: Vec<_> = runs.into_iter().map(|run| run.wait_with_output().unwrap()).collect();
        let mut codes: Vec<_> = ended.iter().map(|ended| ended.status.code()).collect();
        codes.sort_unstable();
        assert_eq!(codes, [Some(0), Some(2), Some(2)], "{line}: {ended:?}");
        for ended in ended.iter().filter(|ended| ended.status.code() == Some(2)) {
            let said = String::from_utf8_lossy(&ended.stderr);
            assert!(said.contains("another run is writing it") || said.contains("--force replaces it"), "{said}");
        }
    }
}
