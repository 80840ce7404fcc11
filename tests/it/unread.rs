//! Equal texts, equal files, and files that are not texts.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{Folder, jsonl};
use crate::texts::{BEES, CLOCK, HALL};

/// Bytes that are no text.
fn picture(seed: u32) -> Vec<u8> {
    let noise = (0..4000u32).map(|i| (i.wrapping_add(seed).wrapping_mul(2_654_435_761) >> 24) as u8);
    b"\x89PNG\r\n\x1a\n".iter().copied().chain(noise).collect()
}

/// A Rich Text document.
fn rtf(text: &str) -> String {
    format!("{{\\rtf1\\ansi {text}\\par}}")
}

/// A text of more than fifty words, so that it is not judged as a short one.
fn long() -> String {
    format!("{BEES} {CLOCK} {HALL}")
}

/// The pairs of a search: two ids and the rules.
fn pairs(folder: &Folder, line: &str) -> Vec<(String, String, Value)> {
    let answer = folder.dedup(&format!("find --format jsonl {line}"));
    let of = |pair: &Value, side: &str| pair[side].as_str().unwrap().to_owned();
    answer.jsonl().iter().map(|pair| (of(pair, "a"), of(pair, "b"), pair["rules"].clone())).collect()
}

#[test]
fn equal_texts_are_not_always_equal_files() {
    let text = long();
    let folder = Folder::new()
        .file("in/a.txt", &text)
        .file("in/b.txt", &text)
        .file("in/c.txt", format!("\u{feff}{text}"))
        .file("in/d.html", format!("<html><body><p>{text}</p></body></html>"))
        .file("in/e.html", format!("<html><body><p>{text}</p></body></html>"))
        .file("two.jsonl", crate::texts::jsonl(&[("x", &text), ("y", &text)]));
    let all = ["hamming", "jaccard", "text", "bytes"];
    let found = pairs(&folder, "--pairs in");
    let rules = |b: &str| found.iter().find(|pair| pair.1 == format!("in/{b}")).map(|pair| pair.2.clone());
    assert_eq!(rules("b.txt"), Some(json!(all)));
    assert_eq!(rules("c.txt"), Some(json!(all[..3])), "a byte-order mark is no part of the text");
    // The rules survive in a fingerprint file.
    folder.dedup("fingerprint -q in -o in.fp").quietly(0);
    assert_eq!(pairs(&folder, "--pairs in.fp"), found);
    // Pages of one text: the copies of a page are equal files.
    assert_eq!(pairs(&folder, "--pairs in/d.html in/e.html")[0].2, json!(all));
    assert_eq!(pairs(&folder, "--pairs --id-field id two.jsonl")[0].2, json!(all[..3]), "records are not files");
    let compared = |b: &str| folder.dedup(&format!("compare --format json in/a.txt in/{b}")).json()["rules"].clone();
    assert_eq!((compared("b.txt"), compared("c.txt")), (json!(all), json!(all[..3])));
}

#[test]
fn files_that_are_not_texts_are_compared_by_their_bytes() {
    let folder = Folder::new()
        .file("in/a.png", picture(1))
        .file("in/b/a.png", picture(1))
        .file("in/c.png", picture(2))
        .file("in/text.txt", long())
        .file("in/x.docx", "")
        .file("in/y.pdf", "");
    let answer = folder.dedup("find in");
    assert_eq!(
        answer.stdout,
        "in/a.png\n   in/b/a.png  no text  by bytes  removal: none\n\
         in/x.docx\n   in/y.pdf  no text  by bytes  removal: none\n"
    );
    assert_eq!(answer.code, 2, "no text of them was compared");
    let told = "compared 5 files by bytes, because their text could not be read: 2 groups of equal files (4 files)";
    assert!(answer.stderr.contains(told), "{answer:?}");
    assert!(answer.stderr.contains("in/x.docx: is an empty file of 0 bytes, not a document"), "{answer:?}");
    let lines = folder.dedup("find -q --format jsonl in").jsonl();
    let figures = ["distance", "jaccard_estimate", "jaccard", "containment_a", "containment_b", "removal"];
    let member = &lines[0]["members"][0];
    assert!(figures.iter().all(|figure| member[figure].is_null()), "{member}");
    assert_eq!(
        (&lines[1]["group"], &member["rules"], &member["removal"]),
        (&json!(2), &json!(["bytes"]), &json!(null))
    );
    assert_eq!(member["file_bytes"], 4008);
    let only_bytes = |a: &str, b: &str| (a.to_owned(), b.to_owned(), json!(["bytes"]));
    let expected = [only_bytes("in/a.png", "in/b/a.png"), only_bytes("in/x.docx", "in/y.pdf")];
    assert_eq!(pairs(&folder, "--pairs in"), expected);
    assert_eq!(pairs(&folder, "in/b --against in/a.png --against in/text.txt"), [only_bytes("in/b/a.png", "in/a.png")]);
    // Fingerprint files hold no such bytes.
    folder.dedup("fingerprint -q in -o in.fp").code_is(2);
    assert_eq!(folder.dedup("find -q in.fp").quietly(1), "");
}

#[cfg(unix)]
#[test]
fn the_names_of_one_file_count_once() {
    let folder = Folder::new().file("in/a.txt", long()).file("in/c.png", picture(2)).file("in/other.txt", CLOCK);
    for name in ["a.txt", "c.png"] {
        fs::hard_link(folder.path().join("in").join(name), folder.path().join("in/link-").with_extension(name))
            .unwrap();
    }
    let answer = folder.dedup("find in");
    assert_eq!(answer.stdout, "", "{answer:?}");
    assert!(answer.stderr.contains("note: skipped 2 further names of files already read"), "{answer:?}");
    assert!(answer.stderr.contains("compared 1 file by bytes"), "{answer:?}");
    let answer = folder.dedup("find --pairs in");
    assert!(answer.stderr.contains("; 2 further names of files already read"), "{answer:?}");
    std::os::unix::fs::symlink(".", folder.path().join("in/round")).unwrap();
    std::os::unix::fs::symlink("other.txt", folder.path().join("in/link.txt")).unwrap();
    assert_eq!(folder.dedup("find -q in --follow").stdout, "");
    // Between two corpora each has its own names.
    assert_eq!(pairs(&folder, "in/a.txt --against in/link-.a.txt").len(), 1);
    // No name is lost.
    folder.dedup("clean -q in -o out --remove same").code_is(2);
    let removed = jsonl(&folder.read_text("out.removed.jsonl"));
    assert_eq!(removed[0]["id"], "in/link-.a.txt");
    assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["a.txt", "c.png", "link-.c.png", "other.txt"]);
}

#[test]
fn members_of_archives_and_other_corpora_are_compared_by_their_bytes_too() {
    use std::io::Write;
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in [("a.png", picture(1)), ("b.png", picture(2)), ("c.png", picture(1))] {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    let folder = Folder::new()
        .file("in/hand-ins.zip", zip.finish().unwrap().into_inner())
        .file("in/z.png", picture(1))
        .file("other/q.png", picture(2));
    let answer = folder.dedup("find in");
    assert_eq!(
        answer.stdout,
        "in/hand-ins.zip/a.png\n   in/hand-ins.zip/c.png  no text  by bytes  removal: none\n\
         \x20  in/z.png               no text  by bytes  removal: none\n"
    );
    // No text is in either corpus.
    let only_bytes = |a: &str, b: &str| (a.to_owned(), b.to_owned(), json!(["bytes"]));
    assert_eq!(pairs(&folder, "in --against other"), [only_bytes("in/hand-ins.zip/b.png", "other/q.png")]);
    folder.dedup("find in --against nowhere").code_is(2);
}

#[test]
fn clean_copies_a_folder_without_any_text() {
    let folder = Folder::new().file("in/a.png", picture(1)).file("in/b/c.png", picture(1)).file("one.png", picture(3));
    let answer = folder.dedup("clean in -o out");
    answer.code_is(2);
    assert!(answer.stderr.contains("2 files not read as text: copied unchanged"), "{answer:?}");
    assert_eq!(folder.files("out"), folder.files("in"));
    folder.dedup("clean in -o kept.txt --list").code_is(2);
    assert_eq!(folder.read_text("kept.txt"), "in/a.png\nin/b/c.png\n");
    for line in ["clean in -o left --unread leave", "clean one.png -o two.png"] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains("so nothing is written"), "{answer:?}");
    }
}

#[test]
fn clean_keeps_what_it_cannot_read() {
    let folder = Folder::new()
        .file("in/a.png", picture(1))
        .file("in/b.png", picture(1))
        .file("in/a.txt", long())
        .file("in/b.txt", long())
        .file("in/c/letter.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 an old letter")
        .file("in/bad.csv", "id,body\n1,no field of this name\n");
    let answer = folder.dedup("clean in -o out --problems problems.jsonl");
    answer.code_is(2);
    assert!(answer.stderr.contains("4 files not read as text: copied unchanged (--unread leave leaves"), "{answer:?}");
    let mut expected = folder.files("in");
    expected.remove("b.txt");
    assert_eq!(folder.files("out"), expected);
    let listed = jsonl(&folder.read_text("problems.jsonl"));
    assert_eq!(listed.iter().filter(|problem| problem["file"] != "in/bad.csv").count(), 3);
    folder.dedup("clean in -o left --unread leave").code_is(2);
    assert_eq!(folder.files("left").into_keys().collect::<Vec<_>>(), ["a.txt"]);
    folder.dedup("clean in -o kept.txt --list").code_is(2);
    let kept = "in/a.txt\nin/a.png\nin/b.png\nin/bad.csv\nin/c/letter.doc\n";
    assert_eq!(folder.read_text("kept.txt"), kept);
    let dry = folder.dedup("clean --dry-run in");
    assert!(dry.stderr.contains("4 files not read as text: would be copied unchanged"), "{dry:?}");
}

#[test]
fn a_document_goes_for_one_of_its_own_format_only() {
    let text = long();
    let folder = Folder::new()
        .file("in/a.rtf", rtf(&text))
        .file("in/b.txt", &text)
        .file("in/c.txt", format!("{text} one more"))
        .file("in/d.rtf", rtf(&text))
        .file("in/e.jsonl", crate::texts::jsonl(&[("e", &text)]));
    folder.dedup("clean -q in -o out --keep first").quietly(0);
    let mut kept = folder.files("out");
    assert_eq!(kept.remove("e.jsonl").unwrap(), b"", "a record is plain text");
    // A text with some words more is not contained in one that has them not.
    assert_eq!(kept.into_keys().collect::<Vec<_>>(), ["a.rtf", "b.txt", "c.txt"]);
    let review = folder.read_text("out.review.jsonl");
    assert!(review.contains(r#""id":"in/b.txt","survivor":"in/a.rtf""#), "{review}");
    assert!(review.contains(r#""removal":"same""#), "{review}");
    folder.dedup("clean -q in -o across --keep first --across-formats").quietly(0);
    let mut kept = folder.files("across");
    kept.remove("e.jsonl");
    assert_eq!(kept.into_keys().collect::<Vec<_>>(), ["a.rtf", "c.txt"]);
    let listed = folder.dedup("find --pairs in/a.rtf in/b.txt");
    assert!(listed.stdout.ends_with("  removal: none\n"), "{listed:?}");
    assert!(folder.dedup("find --pairs --format json in/a.rtf in/b.txt").json()[0]["removal"].is_null());
}

#[test]
fn likely_mistakes_name_the_remedy() {
    let folder = Folder::new().file("letters/a.txt", long()).file("b.txt", long());
    for line in ["letters", "letters b.txt", "b.txt letters"] {
        folder.dedup(line).fails_saying("letters: is a folder; `dedup find letters` lists the near-duplicates in it");
    }
    for line in ["find letters --html x.html", "clean letters --html=x.html --dry-run"] {
        let answer = folder.dedup(line);
        assert!(answer.code == 2 && answer.stderr.contains("'--report'"), "{answer:?}");
        assert!(!answer.stderr.contains("-- --html"), "{answer:?}");
    }
    folder.dedup("index create -q index").quietly(0);
}
