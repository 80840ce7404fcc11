//! `dedup audit`, and `dedup apply` of its plan.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;

use serde_json::Value;

use crate::folder::{Answer, Folder, jsonl};
use crate::screen::hand_in::zip;
use crate::texts::{HALL, HARBOUR, MILL};

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and so on";

/// Files of each class. Each text has its survivor among the first names.
fn archive() -> Folder {
    let many = format!("{HARBOUR}\n\n{MILL}\n\n{HALL}");
    Folder::new()
        .file("in/all.txt", &many)
        .file("in/copy.txt", &many)
        .file("in/wrapped.txt", many.replace(". ", ".\n"))
        .file("in/part.txt", format!("{HARBOUR}\n\n{MILL}"))
        .file("in/version.txt", many.replacen("the", "a", 2))
        .file("in/other.txt", "A text on something else altogether, for once.")
        .file("in/a.png", PICTURE)
        .file("in/b.png", PICTURE)
        .file("in/scan.pdf", "%PDF-1.4 nothing")
}

fn rows(folder: &Folder, line: &str) -> Vec<(String, String, String)> {
    let answer = folder.dedup(&format!("audit in --format jsonl {line}"));
    answer.code_is(0);
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().trim_start_matches("in/").to_owned();
    answer.jsonl().iter().map(|row| (text(row, "file"), text(row, "class"), text(row, "of"))).collect()
}

/// Each file has a class, and is that of another or none; in the order of the names.
fn has_classes(folder: &Folder, expected: &[(&str, &str, &str)]) {
    let mut found = rows(folder, "");
    found.sort();
    let found: Vec<(&str, &str, &str)> = found.iter().map(|(a, b, c)| (a.as_str(), b.as_str(), c.as_str())).collect();
    assert_eq!(found, expected);
}

/// Two of them must not stand for each other, whichever name the longer text has.
#[test]
fn of_equal_files_that_are_versions_one_stands_for_the_others() {
    let text = include_str!("../../data/texts/eng/tides.txt");
    let edited = include_str!("../../data/texts/eng/tides.edited.txt");
    for [first, second, third] in [["a", "b", "c"], ["b", "c", "a"], ["a", "c", "b"]] {
        let folder = [(first, text), (second, text), (third, edited)]
            .iter()
            .fold(Folder::new(), |folder, (name, text)| folder.file(&format!("in/{name}.txt"), text))
            .file("in/d.txt", text);
        let found = rows(&folder, "");
        let of =
            |file: &str| found.iter().find(|row| row.0 == file).map(|row| (row.1.as_str(), row.2.as_str())).unwrap();
        let equal = [first, second, "d"].map(|name| format!("{name}.txt"));
        let standing: Vec<&String> = equal.iter().filter(|file| of(file).0 != "bytes").collect();
        let [standing] = standing[..] else { panic!("{standing:?} of {found:?}") };
        assert_eq!(of(standing), ("version", &*format!("{third}.txt")), "{found:?}");
        for file in equal.iter().filter(|file| *file != standing) {
            assert_eq!(of(file), ("bytes", standing.as_str()), "{found:?}");
        }
    }
}

/// A copy that goes is not what the file that stays for it is a version of.
#[test]
fn a_version_is_one_of_another_text() {
    let folder = Folder::new()
        .file("in/x.txt", HARBOUR)
        .file("in/x (1).txt", HARBOUR)
        .file("in/y.txt", HARBOUR.replacen("the", "the very", 1));
    has_classes(&folder, &[("x (1).txt", "bytes", "x.txt"), ("x.txt", "version", "y.txt"), ("y.txt", "kept", "")]);
}

#[test]
fn every_file_has_its_class() {
    let folder = archive();
    has_classes(
        &folder,
        &[
            ("a.png", "unread", ""),
            ("all.txt", "kept", ""),
            ("b.png", "bytes", "a.png"),
            ("copy.txt", "bytes", "all.txt"),
            ("other.txt", "unique", ""),
            ("part.txt", "contained", "all.txt"),
            ("scan.pdf", "unread", ""),
            ("version.txt", "version", "all.txt"),
            ("wrapped.txt", "same", "all.txt"),
        ],
    );
    let summary = folder.dedup("audit in --html page.html");
    assert!(summary.stdout.starts_with("9 files, ") && summary.stdout.contains("contained"), "{summary:?}");
    let page = folder.read_text("page.html");
    assert!(page.contains("is not a valid PDF"), "the reason is on the page");
    let csv = folder.dedup("audit in --format csv").stdout;
    assert_eq!(csv.lines().count(), 10);
    folder.dedup("audit in/other.txt").code_is(1);
    // Each is named once, in the list; --problems has those that could not be read too.
    let told = folder.dedup("audit in --problems problems.jsonl").stderr;
    assert!(!summary.stderr.contains("is not a valid PDF") && told.contains("is not a valid PDF"), "{told}");
    assert_eq!(folder.read_text("problems.jsonl").lines().count(), 3);
}

/// Sentences of twelve words of their own.
fn sentences(numbers: std::ops::Range<usize>) -> String {
    let word =
        |number, word: u8| format!("{}ord{number}{}", if word == 0 { 'W' } else { 'w' }, char::from(b'a' + word));
    let sentence = |number| (0..12).map(|place| word(number, place)).collect::<Vec<String>>().join(" ") + ". ";
    numbers.map(sentence).collect()
}

/// A first draft is near to the second alone, and a memo is a small part of a bundle.
#[test]
fn what_is_near_to_another_than_the_survivor_is_not_unique() {
    let folder = Folder::new()
        .file("in/v1.txt", sentences(0..20))
        .file("in/v2.txt", sentences(4..26))
        .file("in/v3.txt", sentences(8..32))
        .file("in/memo.txt", sentences(100..106))
        .file("in/bundle.txt", sentences(90..150))
        .file("in/own.txt", sentences(200..220));
    has_classes(
        &folder,
        &[
            ("bundle.txt", "kept", ""),
            ("memo.txt", "contained", "bundle.txt"),
            ("own.txt", "unique", ""),
            ("v1.txt", "version", "v2.txt"),
            ("v2.txt", "version", "v3.txt"),
            ("v3.txt", "kept", ""),
        ],
    );
    assert_eq!((plan(&folder, "same").len(), plan(&folder, "contained")), (0, vec!["memo.txt".to_owned()]));
    folder.dedup("audit nothing").fails_saying("nothing: no such file; check the name and the folder");
}

/// A memo is part of a bundle although it has a copy; a plan moves both.
#[test]
fn a_memo_with_a_copy_is_part_of_its_bundle() {
    let folder = Folder::new()
        .file("in/memo.txt", sentences(100..106))
        .file("in/memo (1).txt", sentences(100..106))
        .file("in/bundle.txt", sentences(90..150));
    has_classes(
        &folder,
        &[("bundle.txt", "kept", ""), ("memo (1).txt", "bytes", "memo.txt"), ("memo.txt", "contained", "bundle.txt")],
    );
    assert_eq!(plan(&folder, "contained"), ["memo (1).txt", "memo.txt"]);
    folder.dedup("apply plan.jsonl --move-to aside").code_is(0);
    assert_eq!(folder.files("in").into_keys().collect::<Vec<_>>(), ["bundle.txt"]);
}

/// The plan of a folder by a claim, and the names in it.
fn plan(folder: &Folder, claim: &str) -> Vec<String> {
    folder.dedup(&format!("audit in --plan plan.jsonl --force --remove {claim}")).code_is(0);
    let lines = folder.read_text("plan.jsonl");
    let name = |line: &str| serde_json::from_str::<Value>(line).unwrap()["move"].as_str().unwrap().to_owned();
    lines.lines().map(|line| name(line).trim_start_matches("in/").to_owned()).collect()
}

fn apply(folder: &Folder, line: &str) -> Answer {
    folder.dedup(&format!("apply {line}"))
}

/// An archive whose copies were moved to `aside`, and its files before.
fn moved() -> (Folder, BTreeMap<String, Vec<u8>>) {
    let folder = archive();
    let before = folder.files("in");
    plan(&folder, "same");
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    (folder, before)
}

#[test]
fn a_plan_is_applied_and_undone() {
    let folder = archive();
    let before = folder.files("in");
    assert_eq!(plan(&folder, "same"), ["copy.txt", "wrapped.txt", "b.png"]);
    assert_eq!(plan(&folder, "edited"), ["copy.txt", "part.txt", "version.txt", "wrapped.txt", "b.png"]);
    let names = apply(&folder, "plan.jsonl --print0").stdout;
    assert_eq!(names.split_terminator('\0').count(), 5, "{names:?}");
    let previewed = apply(&folder, "plan.jsonl --dry-run");
    assert!(previewed.code == 0 && previewed.stderr.contains("5 files would be moved ("), "{previewed:?}");
    let previewed = apply(&folder, "plan.jsonl --dry-run --link undo.jsonl");
    assert!(previewed.code == 2 && previewed.stderr.contains("in/part.txt: stays: has other bytes"), "{previewed:?}");
    assert_eq!(folder.files("in"), before);
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    assert_eq!(folder.files("in").len(), 4);
    assert_eq!(folder.read("aside/in/copy.txt"), before["copy.txt"]);
    // The folder of another run is not added to.
    apply(&folder, "plan.jsonl --move-to aside").fails_saying("aside/undo.jsonl");
    // The folder may have another name by then.
    fs::rename(folder.path().join("aside"), folder.path().join("attic")).unwrap();
    apply(&folder, "--undo attic/undo.jsonl").code_is(0);
    assert_eq!(folder.files("in"), before);
    // Nothing of the run is left.
    apply(&folder, "--undo attic/undo.jsonl").fails_saying("attic/undo.jsonl: no such file");
    assert!(!folder.path().join("attic").exists());
    // Another run works on the plan.
    let held = fs::File::open(folder.path().join("plan.jsonl")).unwrap();
    held.lock().unwrap();
    apply(&folder, "plan.jsonl --move-to aside").fails_saying("plan.jsonl: another run of `dedup apply` works on it");
    drop(held);
    // Only equal files are linked.
    let linked = apply(&folder, "plan.jsonl --link undo.jsonl");
    assert!(linked.code == 2 && linked.stderr.contains("in/part.txt: stays: has other bytes"), "{linked:?}");
    let inode = |name: &str| fs::metadata(folder.path().join("in").join(name)).unwrap().ino();
    assert_eq!((inode("copy.txt"), inode("b.png")), (inode("all.txt"), inode("a.png")));
    apply(&folder, "--undo undo.jsonl").code_is(0);
    assert_ne!(inode("copy.txt"), inode("all.txt"));
    assert_eq!(folder.files("in"), before);
    // A link would open a private file to those who read the other.
    let private = folder.path().join("in/copy.txt");
    fs::set_permissions(&private, fs::Permissions::from_mode(0o600)).unwrap();
    let linked = apply(&folder, "plan.jsonl --link undo.jsonl");
    assert!(linked.stderr.contains("in/copy.txt: stays: has another owner or other permissions"), "{linked:?}");
    assert_eq!(fs::metadata(&private).unwrap().permissions().mode() & 0o777, 0o600);
}

/// A file that cannot leave its folder keeps its one name, so that a later plan has it again.
#[test]
fn a_move_that_fails_leaves_nothing_behind() {
    let folder = archive();
    assert_eq!(plan(&folder, "same"), ["copy.txt", "wrapped.txt", "b.png"]);
    let set = |mode| fs::set_permissions(folder.path().join("in"), fs::Permissions::from_mode(mode)).unwrap();
    set(0o555);
    // The superuser may write all the same.
    let is_bound = fs::File::create(folder.path().join("in/new")).is_err();
    let stayed = apply(&folder, "plan.jsonl --move-to aside");
    set(0o755);
    if is_bound {
        assert!(stayed.code == 2 && stayed.stderr.contains("in/copy.txt: stays: "), "{stayed:?}");
        assert!(!folder.path().join("aside").exists());
        assert_eq!(plan(&folder, "same"), ["copy.txt", "wrapped.txt", "b.png"]);
    }
}

/// What was compared by its text alone is marked, as a reader may want to look at its pictures.
#[test]
fn lines_of_extracted_texts_are_marked() {
    let page = |picture: &str| format!("<html><body><p>{HARBOUR} {MILL}</p><img src=\"{picture}\"></body></html>");
    let folder = Folder::new().file("in/a.html", page("a.png")).file("in/b.html", page("b.png"));
    assert_eq!(plan(&folder, "same").len(), 1);
    let line: Value = serde_json::from_str(folder.read_text("plan.jsonl").trim()).unwrap();
    assert_eq!((&line["why"], &line["text_alone"]), (&"same".into(), &true.into()));
    let told = folder.dedup("audit in --plan plan.jsonl --html page.html --force").stderr;
    // Of a file: no other holds it, and it goes by its text alone.
    assert_eq!(folder.read_text("page.html").matches(",false,true,null]").count(), 1);
    assert!(told.contains("1 document in the plan by the text alone (\"text_alone\" in its line)"), "{told}");
}

#[test]
fn what_has_changed_or_is_shared_stays() {
    let folder = archive();
    plan(&folder, "edited");
    let path = |name: &str| folder.path().join("in").join(name);
    fs::write(path("copy.txt"), "A new essay.").unwrap();
    fs::hard_link(path("wrapped.txt"), path("second.txt")).unwrap();
    let open = fs::File::open(path("part.txt")).unwrap();
    let stayed = apply(&folder, "plan.jsonl --move-to aside");
    for told in [
        "in/copy.txt: stays: has changed since the plan was made",
        "in/wrapped.txt: stays: has several names",
        #[cfg(target_os = "linux")]
        "in/part.txt: stays: is open in another program",
    ] {
        assert!(stayed.stderr.contains(told), "{told}: {stayed:?}");
    }
    assert_eq!(folder.read_text("in/copy.txt"), "A new essay.");
    drop(open);
    // The survivor has changed: nothing goes for it.
    fs::write(path("all.txt"), "Something else.").unwrap();
    let stayed = apply(&folder, "plan.jsonl --move-to aside2");
    let told = "in/part.txt: stays: in/all.txt, which stays for it, has changed since the plan was made";
    assert!(stayed.stderr.contains(told), "{stayed:?}");
    fs::remove_file(path("all.txt")).unwrap();
    assert!(apply(&folder, "plan.jsonl --print0").stderr.contains("in/all.txt, which stays for it, is gone"));
}

/// A mail with an attachment is a file, and holds one.
#[test]
fn a_mail_with_an_attachment_is_counted_once() {
    let mail = format!(
        "From: a@x\nTo: b@x\nSubject: Letter\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n{MILL}\n--b\n\
         Content-Type: text/plain; name=note.txt\nContent-Disposition: attachment\n\n{HALL}\n--b--\n"
    );
    let folder = Folder::new().file("in/a.eml", &mail).file("in/b.eml", &mail);
    let answer = folder.dedup("audit in --plan plan.jsonl");
    assert!(answer.stderr.contains("2 files") && answer.stderr.contains("1 file that may go"), "{answer:?}");
    folder.dedup("apply -q plan.jsonl --move-to aside").quietly(0);
}

/// What stands whole in another is a part of it, and not a version of a garbled copy; it goes for the largest that stays.
#[test]
fn a_part_goes_for_the_last_whole() {
    let [one, two, three] = [0..12, 12..30, 30..60].map(sentences);
    let garbled = format!("{} {}", one.replacen(" e", " o", 3), sentences(60..63));
    let folder = Folder::new()
        .file("in/1.txt", &one)
        .file("in/12.txt", format!("{one} {two}"))
        .file("in/123.txt", format!("{one} {two} {three}"))
        .file("in/garbled.txt", garbled);
    has_classes(
        &folder,
        &[
            ("1.txt", "contained", "12.txt"),
            ("12.txt", "contained", "123.txt"),
            ("123.txt", "kept", ""),
            ("garbled.txt", "kept", ""),
        ],
    );
    assert_eq!(plan(&folder, "contained"), ["1.txt", "12.txt"]);
    assert_eq!(folder.read_text("plan.jsonl").matches("\"keep\":\"in/123.txt\"").count(), 2);
}

/// Each of two plans keeps what the other one moves.
#[test]
fn plans_that_contradict_each_other_leave_one_of_each_text() {
    let names: Vec<String> = (0..300).flat_map(|n| [format!("in/a/{n}.txt"), format!("in/b/{n}.txt")]).collect();
    let folder =
        (0..).zip(&names).fold(Folder::new(), |folder, (n, name)| folder.file(name, format!("Letter {}", n / 2)));
    for (plan, kept) in [("one", "/a/"), ("two", "/b/")] {
        folder.dedup(&format!("audit -q in --plan {plan}.jsonl --keep source:{kept}")).quietly(0);
    }
    let runs = ["one", "two"].map(|plan| {
        let line = format!("apply -q {plan}.jsonl --move-to aside-{plan}");
        folder.command(&line).stderr(Stdio::null()).spawn().unwrap()
    });
    for mut run in runs {
        run.wait().unwrap();
    }
    for pair in names.chunks(2) {
        assert!(pair.iter().any(|name| folder.path().join(name).is_file()), "{pair:?}");
    }
}

#[test]
fn a_line_that_stands_twice_counts_once() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/b.txt", HARBOUR).file("in/c.txt", HARBOUR);
    folder.dedup("audit -q in --plan plan.jsonl").quietly(0);
    let plan = folder.read_text("plan.jsonl");
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("both.jsonl", plan.repeat(2));
    let answer = folder.dedup("apply both.jsonl --dry-run");
    assert!(answer.code == 0 && answer.stderr.contains("2 files would be moved"), "{answer:?}");
    assert_eq!(folder.dedup("apply -q both.jsonl --print0").stdout.matches('\0').count(), 2);
    // Of two different lines about one file none is carried out, whatever the file is called.
    for name in ["in/c.txt", "in/../in/c.txt"] {
        let keep = plan.lines().next().unwrap().replace("in/b.txt", name).replace("in/a.txt", "in/d.txt");
        write("two.jsonl", format!("{plan}{keep}\n"));
        for line in ["two.jsonl --move-to aside", "two.jsonl --dry-run"] {
            let told =
                format!("two.jsonl:3: differs from line 2, which is about the same file, {name}: take one of them out");
            apply(&folder, line).fails_saying(&told);
        }
    }
    assert_eq!(folder.files("in").len(), 3);
    let answer = folder.dedup("apply both.jsonl --move-to aside");
    assert!(answer.code == 0 && answer.stderr.contains("2 files moved"), "{answer:?}");
    assert_eq!(folder.files("in").len(), 1);
}

/// Of thousands of files that stay, as after a second run, the first are named.
#[test]
fn of_many_files_that_stay_the_first_are_named() {
    let names: Vec<String> = (10..40).map(|number| format!("in/{number}.txt")).collect();
    let folder = names.iter().fold(Folder::new(), |folder, name| folder.file(name, HARBOUR));
    folder.dedup("audit -q in --plan plan.jsonl").quietly(0);
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    let again = apply(&folder, "plan.jsonl --move-to aside2");
    assert_eq!((again.code, again.stderr.matches(": stays: ").count()), (2, 20), "{again:?}");
    assert!(again.stderr.contains("dedup: 9 more files stay; --dry-run names every file"), "{again:?}");
    let dry = apply(&folder, "plan.jsonl --dry-run");
    assert_eq!(dry.stderr.matches(": stays: ").count(), 29, "{dry:?}");
}

/// A file of records of which some could be read holds them, as a broken archive does.
#[test]
fn records_read_in_part_are_a_container() {
    let line = |id: &str| serde_json::json!({"id": id, "text": MILL}).to_string();
    let text = format!("{}\n{}\n{{no\n", line("a"), line("b"));
    let folder = Folder::new().file("in/r.jsonl", text).file("in/none.jsonl", "{no\n{neither\n");
    for options in ["", "--id-field id"] {
        let rows = folder.dedup(&format!("audit -q in --format jsonl {options}")).jsonl();
        let of = |name: &str| rows.iter().find(|row| row["file"] == name).unwrap_or_else(|| panic!("{rows:?}"));
        let row = of("in/r.jsonl");
        assert_eq!((&row["class"], &row["problem"]), (&"container".into(), &"malformed JSON".into()), "{options}");
        assert!(row["reason"].as_str().unwrap().starts_with("line 3: is not valid JSON: "), "{row}");
        let row = of("in/none.jsonl");
        assert_eq!((&row["class"], &row["problem"]), (&"unread".into(), &"malformed JSON".into()), "{options}");
        assert!(row["reason"].as_str().unwrap().contains(": line 1 is not valid JSON: "), "{row}");
        let summary = folder.dedup(&format!("audit in {options}")).stdout;
        assert!(summary.contains("\nread in part: in/r.jsonl: line 3: is not valid JSON: "), "{summary}");
        assert!(summary.contains("\nnot read: in/none.jsonl: no line is a record"), "{summary}");
        assert!(folder.dedup(&format!("audit -q in --format csv {options}")).stdout.contains(",line 3: is not valid"));
    }
}

/// A folder without files is no file; standard input is one, which cannot be moved.
#[test]
fn what_is_no_file_is_not_counted_as_one() {
    let folder = Folder::new().file("in/a.txt", MILL).file("in/b.txt", MILL);
    fs::create_dir(folder.path().join("empty")).unwrap();
    for (line, said) in [("empty", "0 files, 0 bytes\n"), ("empty in", "2 files, ")] {
        let audit = folder.dedup(&format!("audit {line}"));
        assert!(audit.code == 2 && audit.stdout.starts_with(said), "{audit:?}");
        assert!(audit.stderr.contains("empty: holds no file to read") && !audit.stdout.contains("unread"), "{audit:?}");
    }
    let alone = folder.dedup_with_input("audit -", MILL.as_bytes());
    assert!(alone.code == 1 && alone.stdout.starts_with("1 file, "), "{alone:?}");
    assert!(!alone.stdout.contains("in archives"), "{alone:?}");
    let both = folder.dedup_with_input("audit - in --plan plan.jsonl", MILL.as_bytes());
    assert!(both.code == 0 && both.stdout.starts_with("3 files, "), "{both:?}");
    // Of the files on disk one stays, as standard input cannot be looked at again.
    assert_eq!(folder.read_text("plan.jsonl").lines().count(), 1);
    assert!(folder.read_text("plan.jsonl").contains("\"keep\":\"in/a.txt\""));
}

#[test]
fn what_links_lead_to_is_in_no_plan() {
    let folder = archive();
    std::os::unix::fs::symlink("copy.txt", folder.path().join("in/link")).unwrap();
    fs::hard_link(folder.path().join("in/b.png"), folder.path().join("elsewhere.png")).unwrap();
    assert_eq!(plan(&folder, "same"), ["wrapped.txt"]);
    let told = folder.dedup("audit in --plan plan.jsonl --force").stderr;
    assert!(told.contains("not in the plan: 2 files, to which links lead"), "{told}");
}

#[test]
fn a_plan_that_is_none_is_refused() {
    let folder = archive();
    apply(&folder, "nothing --print0").fails_saying("nothing: ");
    apply(&folder, "in/other.txt --print0").fails_saying("in/other.txt:1: is no line of a plan");
    apply(&folder, "--undo in/other.txt").fails_saying("in/other.txt:1: is no line of an undo file");
    plan(&folder, "same");
    apply(&folder, "plan.jsonl").fails_saying("say what to do with the files");
    apply(&folder, "in --move-to aside").fails_saying("in: is a folder; name the plan");
    apply(&folder, "plan.jsonl --move-to plan.jsonl").fails_saying("plan.jsonl: is a file; name a folder");
    // A plan in which two files stay for each other moves neither.
    let text = folder.read_text("plan.jsonl");
    let line = text.lines().next().unwrap();
    let turned = line.replace("in/all.txt", "X").replace("in/copy.txt", "in/all.txt").replace('X', "in/copy.txt");
    fs::write(folder.path().join("both.jsonl"), format!("{line}\n{turned}\n")).unwrap();
    let stayed = apply(&folder, "both.jsonl --move-to aside");
    assert!(stayed.code == 2 && stayed.stderr.contains("in/all.txt would go too"), "{stayed:?}");
    // Neither does one in which a file stays for itself under another name.
    fs::write(folder.path().join("self.jsonl"), format!("{}\n", line.replace("in/all.txt", "in/../in/copy.txt")))
        .unwrap();
    let stayed = apply(&folder, "self.jsonl --move-to aside2");
    assert!(stayed.code == 2 && stayed.stderr.contains("would go too"), "{stayed:?}");
    assert!(folder.path().join("in/all.txt").exists() && folder.path().join("in/copy.txt").exists());
}

/// A run that ends between two steps, or in the middle of one, leaves an undo file that leads back.
#[test]
fn an_unfinished_run_can_be_undone() {
    let (folder, before) = moved();
    // The second name of the last file was made, and the first not removed; the next line was cut.
    fs::hard_link(folder.path().join("aside/in/b.png"), folder.path().join("in/b.png")).unwrap();
    let undo = folder.path().join("aside/undo.jsonl");
    let text = fs::read_to_string(&undo).unwrap();
    let moves = text.trim_end_matches("{\"moves\":3}\n");
    fs::write(&undo, format!("{moves}{{\"from\":")).unwrap();
    apply(&folder, "--undo aside/undo.jsonl").code_is(0);
    assert_eq!(folder.files("in"), before);
    assert!(!folder.path().join("aside/in/b.png").exists());
    // A copy on another file system was whole, and the original not yet removed, or the copy was not whole.
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    fs::copy(folder.path().join("aside/in/b.png"), folder.path().join("in/b.png")).unwrap();
    let step: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let digest = step["digest"].as_str().unwrap();
    for unfinished in [format!("aside/in/.dedup-{digest}"), format!("in/.dedup-{digest}")] {
        fs::write(folder.path().join(unfinished), "half").unwrap();
    }
    apply(&folder, "--undo aside/undo.jsonl").code_is(0);
    let mut after = folder.files("in");
    // What is left in the archive is removed where it is in the way: on the next copy to that place.
    after.remove(&*format!(".dedup-{digest}"));
    assert_eq!((after, folder.path().join("aside").exists()), (before, false));
}

/// Records none of which was read are no archive whose members others may have.
#[test]
fn records_without_texts_are_not_read() {
    let folder = Folder::new().file("in/a.json", "{\"body\":\"one\"}").file("in/b.jsonl", "{\"text\":\"one\"}\n");
    let rows = folder.dedup("audit -q in --format jsonl").jsonl();
    let classes: Vec<_> = rows.iter().map(|row| [&row["file"], &row["class"], &row["problem"]]).collect();
    let of = |name: &str| *classes.iter().find(|row| *row[0] == *name).unwrap_or_else(|| panic!("{rows:?}"));
    assert_eq!(of("in/a.json")[1..], [&Value::from("unread"), &Value::from("missing field")]);
    assert_eq!(of("in/b.jsonl")[1..], [&Value::from("container"), &Value::Null]);
}

/// What an undo file does not tell is told, and stays.
#[test]
fn what_no_line_is_about_is_told() {
    let (folder, before) = moved();
    let text = folder.read_text("aside/undo.jsonl");
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(lines[3], "{\"moves\":3}\n");
    for (at, lost) in
        [[lines[0], lines[2], lines[3]].concat(), lines[..2].concat() + &lines[2][..20]].iter().enumerate()
    {
        fs::write(folder.path().join("aside/undo.jsonl"), lost).unwrap();
        let left = apply(&folder, "--undo aside/undo.jsonl");
        let name = ["wrapped.txt", "b.png"][at];
        let said = format!("aside/in/{name}: stays: no line of the undo file is about it");
        assert!(left.code == 2 && left.stderr.contains(&said), "{left:?}");
        assert_eq!(folder.files("in").len(), before.len() - 1);
        fs::write(folder.path().join("aside/undo.jsonl"), &text).unwrap();
        apply(&folder, "--undo aside/undo.jsonl").code_is(0);
        assert_eq!(folder.files("in"), before);
        apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    }
    // A link is no file that could be moved back, wherever it leads.
    let [moved, vault] = ["aside/in/copy.txt", "vault.txt"].map(|name| folder.path().join(name));
    fs::rename(&moved, &vault).unwrap();
    std::os::unix::fs::symlink(&vault, &moved).unwrap();
    let left = apply(&folder, "--undo aside/undo.jsonl");
    assert!(left.code == 2 && left.stderr.contains("aside/in/copy.txt is a link now"), "{left:?}");
    fs::rename(&vault, &moved).unwrap();
    apply(&folder, "--undo aside/undo.jsonl").code_is(0);
    assert_eq!(folder.files("in"), before);
}

/// Moved files are open to no one to whom they were not, and neither are those that come back.
#[test]
fn folders_keep_their_permissions() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("in/private/a (1).txt", HARBOUR);
    let path = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    fs::set_permissions(path("in/private"), fs::Permissions::from_mode(0o710)).unwrap();
    plan(&folder, "same");
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    assert_eq!(["aside", "aside/in", "aside/in/private"].map(mode), [0o700, mode("in"), 0o710]);
    let previewed = apply(&folder, "plan.jsonl --dry-run --move-to aside");
    assert!(previewed.stderr.contains("is gone, or is no file any more"), "{previewed:?}");
    fs::write(path("in/private/a (1).txt"), HARBOUR).unwrap();
    let previewed = apply(&folder, "plan.jsonl --dry-run --move-to aside");
    assert!(previewed.stderr.contains("is there already; apply the plan again"), "{previewed:?}");
    fs::remove_dir_all(path("in/private")).unwrap();
    apply(&folder, "--undo aside/undo.jsonl").code_is(0);
    assert_eq!((mode("in/private"), path("aside").exists()), (0o710, false));
}

/// The plan says in which words an edited copy differs, as the list for review of `clean` does.
#[test]
fn a_plan_shows_the_words_that_differ() {
    let text = |what: &str| format!("{HARBOUR} The gate is {what} at night. {MILL}");
    let folder = Folder::new().file("in/a.txt", text("always shut")).file("in/b.txt", text("open"));
    assert_eq!(plan(&folder, "edited"), ["b.txt"]);
    let line: Value = serde_json::from_str(&folder.read_text("plan.jsonl")).unwrap();
    folder.dedup("clean -q in -o out").code_is(0);
    let listed = jsonl(&folder.read_text("out.review.jsonl"));
    assert_eq!(line["changes"], listed[0]["changes"]);
    let change = &line["changes"][0];
    assert_eq!((&change["removed"], &change["survivor"]), (&"open".into(), &"always shut".into()), "{line}");
    assert_eq!((&line["why"], &line["folder"], &line["more_changes"]), (&"edited".into(), &"in".into(), &Value::Null));
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    // Other claims have no such words.
    let folder = archive();
    plan(&folder, "contained");
    assert!(!folder.read_text("plan.jsonl").contains("changes"));
}

#[test]
fn equal_bytes_are_told_beside_a_longer_file_with_the_same_text() {
    let folder =
        ["1.txt", "2.txt", "3.txt"].iter().fold(Folder::new(), |folder, name| folder.file(&format!("in/{name}"), MILL));
    let folder = folder.file("in/dos.txt", MILL.replace('.', ".\r\n"));
    has_classes(
        &folder,
        &[
            ("1.txt", "same", "dos.txt"),
            ("2.txt", "bytes", "1.txt"),
            ("3.txt", "bytes", "1.txt"),
            ("dos.txt", "kept", ""),
        ],
    );
}

#[test]
fn of_equal_files_the_one_named_as_a_copy_goes() {
    let folder = Folder::new()
        .file("in/Copy of minutes.txt", MILL)
        .file("in/letter (1).txt", sentences(0..32))
        .file("in/letter.txt", sentences(0..30))
        .file("in/minutes.txt", MILL)
        .file("in/old/report.txt", HARBOUR)
        .file("in/report (1).txt", HARBOUR)
        .file("in/scan (1).png", PICTURE)
        .file("in/scan.png", PICTURE)
        .dated("in/old/report.txt", 1)
        .dated("in/report (1).txt", 2);
    let copies = ["Copy of minutes.txt", "report (1).txt", "scan (1).png"];
    assert_eq!(plan(&folder, "same"), copies);
    // A difference of content goes before the name, and so does a policy.
    assert_eq!(plan(&folder, "contained"), [copies[0], "letter.txt", copies[1], copies[2]]);
    assert!(plan(&folder, "same --keep newest").contains(&"old/report.txt".to_owned()));
    assert!(plan(&folder, "same --keep first").contains(&"minutes.txt".to_owned()));
    // Unread files are copied, and told by the exit status.
    folder.dedup("clean -q in --remove same -o out").code_is(2);
    let stay: Vec<String> = folder.files("out").into_keys().collect();
    let expected = ["letter (1).txt", "letter.txt", "minutes.txt", "old/report.txt", "scan (1).png", "scan.png"];
    assert_eq!(stay, expected);
    // A record has no file's name.
    let records = "{\"id\":\"a (1).txt\",\"text\":\"one text\"}\n{\"id\":\"a.txt\",\"text\":\"one text\"}\n";
    let folder = folder.file("a.jsonl", records);
    assert!(folder.dedup("clean -q a.jsonl --id-field id --dry-run").stdout.starts_with("a (1).txt\n   a.txt "));
}

#[test]
fn a_plan_without_files_leaves_nothing_behind() {
    let folder = Folder::new().file("in/a.txt", MILL).file("in/b.txt", HALL);
    let told = folder.dedup("audit in --plan plan.jsonl").stderr;
    assert!(told.contains("the plan: plan.jsonl has no file that may go; a wider claim of --remove"), "{told}");
    for line in ["--move-to aside", "--link undo.jsonl"] {
        let answer = apply(&folder, &format!("plan.jsonl {line}"));
        assert!(answer.code == 1 && !answer.stderr.contains("undoes it"), "{answer:?}");
    }
    assert_eq!(folder.names(), ["in", "plan.jsonl"]);
}

/// Inputs that lie in each other, hidden files, and what cannot be read are each counted once.
#[test]
fn every_file_is_counted_once() {
    let folder = Folder::new()
        .file("in/s/a.txt", MILL)
        .file("in/b.txt", HALL)
        .file("in/.hidden.txt", MILL)
        .file("in/.gitignore", "*.log\n")
        .file("in/c.log", HALL)
        .file("in/scan.pdf", "%PDF-1.4 nothing");
    let audit = folder.dedup("audit in in/s ./in --plan plan.jsonl");
    assert!(audit.stdout.starts_with("3 files, "), "{audit:?}");
    assert_eq!(folder.read_text("plan.jsonl"), "");
    assert!(audit.stderr.contains("not listed: 3 files, hidden or left out by .gitignore"), "{audit:?}");
    let all = folder.dedup("audit in --hidden --no-ignore");
    assert!(all.stdout.starts_with("6 files, ") && !all.stderr.contains("not listed"), "{all:?}");
    for line in ["clean in --dry-run", "clean in --repeats --dry-run", "clean in --lines --attributes spans.jsonl"] {
        let dry = folder.dedup(line);
        assert!(dry.stderr.contains("not read: 3 files, hidden or left out by .gitignore"), "{line}: {dry:?}");
    }
    let clean = folder.dedup("clean in -o out");
    assert!(clean.stderr.contains("not copied: 3 files, hidden or left out by .gitignore"), "{clean:?}");
    let clean = folder.dedup("clean in -o all --hidden --no-ignore");
    assert!(!clean.stderr.contains("not copied"), "{clean:?}");
}

/// They are equal, but nothing is won by moving them.
#[test]
fn empty_files_are_equal_and_in_no_plan() {
    let folder = Folder::new().file("in/a.txt", "").file("in/b.txt", "").file("in/c.docx", "").file("in/d.docx", "");
    let expected =
        [("a.txt", "kept", ""), ("b.txt", "bytes", "a.txt"), ("c.docx", "unread", ""), ("d.docx", "bytes", "c.docx")];
    has_classes(&folder, &expected);
    assert!(plan(&folder, "edited").is_empty());
}

#[test]
fn files_are_not_moved_to_where_an_audit_finds_them() {
    let folder = archive();
    plan(&folder, "same");
    for aside in ["in", "in/aside", "in/new/aside", "./in/../in/aside"] {
        let answer = apply(&folder, &format!("plan.jsonl --move-to {aside}"));
        answer.fails_saying(
            "lies in in, where the next audit would find the moved files again; name a folder outside of it, or a \
             hidden one such as in/.aside",
        );
        assert!(!folder.path().join("in/aside").exists());
    }
    apply(&folder, "plan.jsonl --move-to in/.aside").code_is(0);
    assert!(plan(&folder, "same").is_empty(), "it does not find them in a hidden folder");
    apply(&folder, "--undo in/.aside/undo.jsonl").code_is(0);
    // Files that were named themselves lie in no folder that was audited.
    folder.dedup("audit in/a.png in/b.png --plan files.jsonl").code_is(0);
    apply(&folder, "files.jsonl --move-to in/aside").code_is(0);
}

/// Two inputs whose files would have one place in the folder: the second stays, with the remedy.
#[test]
fn a_plan_of_several_inputs_keeps_their_folders_apart() {
    let folder = Folder::new()
        .file("w/keep/1.txt", HALL)
        .file("w/keep/2.txt", MILL)
        .file("w/one/a.txt", HALL)
        .file("w/two/a.txt", MILL)
        .file("one/a.txt", MILL);
    let in_w = |line: &str| {
        let mut command = folder.command(line);
        crate::folder::run(command.current_dir(folder.path().join("w")), b"")
    };
    in_w("audit keep one two ../one --keep source:keep --plan p.jsonl").code_is(0);
    let moved = in_w("apply p.jsonl --move-to aside");
    assert_eq!(moved.code, 2, "{moved:?}");
    let told = "stays: aside/one/a.txt is there already; apply the plan again with another folder";
    assert!(moved.stderr.contains(told), "{moved:?}");
    assert!(folder.files("w/aside").contains_key("two/a.txt"));
    in_w("apply p.jsonl --move-to aside2");
    assert!(folder.files("w/aside2").contains_key("one/a.txt"));
    assert!(folder.files("one").is_empty() && folder.files("w/one").is_empty());
}

/// An archive is a file too: it equals another one, and is planned as such, while its members are not. A plain file is
/// checked before another goes, so it stays for others in place of a member.
#[test]
fn archives_have_a_row_of_their_own() {
    let zipped = zip(&[("minutes.txt", MILL.as_bytes()), ("scan.png", PICTURE)]);
    let letter = |text: &str| format!("From a@b.c Mon Jan  5 09:00:00 2026\nFrom: a@b.c\nSubject: s\n\n{text}\n\n");
    let folder = Folder::new()
        .file("in/a.zip", &zipped)
        .file("in/b.zip", &zipped)
        .file("in/mail.mbox", letter(HALL) + &letter(HARBOUR))
        .file("in/minutes (1).txt", MILL)
        .file("in/minutes.txt", MILL)
        .file("in/wrapped.txt", MILL.replace(". ", ".\n"));
    has_classes(
        &folder,
        &[
            ("a.zip", "container", ""),
            ("a.zip/minutes.txt", "kept", ""),
            ("a.zip/scan.png", "unread", ""),
            ("b.zip", "bytes", "a.zip"),
            ("b.zip/minutes.txt", "bytes", "a.zip/minutes.txt"),
            ("b.zip/scan.png", "bytes", "a.zip/scan.png"),
            ("mail.mbox", "container", ""),
            ("mail.mbox/1.eml", "unique", ""),
            ("mail.mbox/2.eml", "unique", ""),
            ("minutes (1).txt", "bytes", "a.zip/minutes.txt"),
            ("minutes.txt", "bytes", "a.zip/minutes.txt"),
            ("wrapped.txt", "same", "a.zip/minutes.txt"),
        ],
    );
    let mut planned = plan(&folder, "same");
    planned.sort();
    assert_eq!(planned, ["b.zip", "minutes (1).txt", "wrapped.txt"]);
    assert_eq!(folder.read_text("plan.jsonl").matches("\"keep\":\"in/minutes.txt\"").count(), 2);
    let audit = folder.dedup("audit in --plan plan.jsonl --force");
    assert!(audit.stderr.contains("not in the plan: 2 files, inside others, such as members of archives"), "{audit:?}");
    let members = "\nin/a.zip: of 2 files in it, also outside byte for byte: 1\n";
    assert!(audit.stdout.contains(members), "{audit:?}");
    assert!(audit.stdout.starts_with("6 files, 2.29 kB; 6 in archives, mailboxes and files of records\n"), "{audit:?}");
    apply(&folder, "plan.jsonl --move-to aside").code_is(0);
    // Nothing plain is left that equals another; the last one stays although a member has its text.
    assert!(plan(&folder, "same").is_empty());
}
