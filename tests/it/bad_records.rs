//! Bad files and bad records of every format are named and counted, and the rest is read.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;

use crate::folder::{Folder, jsonl as parse, run};
use crate::texts::{BEES, CLOCK, HARBOUR, jsonl, packed};

/// Runs `dedup fingerprint` and asserts which inputs are skipped, by the lines on standard
/// error, and the ids of the documents read.
fn fingerprinted(folder: &Folder, line: &str, skipped: &[&str], read: &[&str]) {
    let answer = folder.dedup(&format!("fingerprint -q {line} --force -o .out.fp --problems .problems"));
    let told: Vec<&str> = answer.stderr.lines().collect();
    let expected: Vec<String> = skipped.iter().map(|problem| format!("dedup: {problem}; skipped")).collect();
    assert_eq!(told, expected, "{line}");
    assert_eq!((answer.code, &*answer.stdout), (if skipped.is_empty() { 0 } else { 2 }, ""), "{line}");
    assert_eq!(ids(folder), read, "{line}");
    assert_eq!(parse(&folder.read_text(".problems")).len(), skipped.len(), "{line}");
}

fn ids(folder: &Folder) -> Vec<String> {
    folder.dedup("cat .out.fp").jsonl().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// Bytes that are neither text nor the beginning of any format.
fn noise() -> Vec<u8> {
    (0..9000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect()
}

#[test]
fn empty_files() {
    for (name, kind, read) in [
        ("a.txt", "auto", vec!["a.txt"]),
        ("a.txt", "text", vec!["a.txt"]),
        ("a.html", "html", vec!["a.html"]),
        ("a.lines", "lines", vec![]),
        ("a.jsonl", "auto", vec![]),
        ("a.csv", "auto", vec![]),
        ("a.tsv", "auto", vec![]),
        ("a.csv", "jsonl", vec![]),
    ] {
        let folder = Folder::new().file(name, "");
        fingerprinted(&folder, &format!("--input {kind} {name}"), &[], &read);
    }
    // A header line alone is a table without rows.
    fingerprinted(&Folder::new().file("a.csv", "id,text"), "a.csv", &[], &[]);
    fingerprinted(&Folder::new().file("a.jsonl", "\n\r\n \n"), "a.jsonl", &[], &[]);
}

#[test]
fn binaries() {
    const NO_TEXT: &str = "not a text; extract its text first (or give --encoding to read it as text all the same)";
    let no_pdf = if cfg!(feature = "pdf") {
        "is not a valid PDF: its end is missing; copy it again, or save it anew with the program that made it"
    } else {
        "is a PDF, which this build does not read; install it with --features pdf"
    };
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/essay.gdoc", r#"{"doc_id":"1x","email":"a@example.org"}"#)
        .file("in/noise", noise())
        .file("in/noise.gz", packed(".gz", noise()))
        .file("in/old.fp", [b"\x89dfp\r\n\x1a\n".as_slice(), &[1; 5000]].concat())
        .file("in/paper.pdf", "%PDF-1.7\n1 0 obj")
        .file("in/zeros.html", [0; 5000]);
    fingerprinted(
        &folder,
        "in",
        &[
            "in/essay.gdoc: is a link to a document in Google Drive; download the document itself, as DOCX or PDF",
            &format!("in/noise: is a binary file, {NO_TEXT}"),
            &format!("in/noise.gz: is a binary file, {NO_TEXT}"),
            "in/old.fp: is a fingerprint file or an index of dedup; keep it in another folder, or leave it out with --glob",
            &format!("in/paper.pdf: {no_pdf}"),
            &format!("in/zeros.html: is a binary file, {NO_TEXT}"),
        ],
        &["in/a.txt"],
    );
    // Read as records, binaries are refused too.
    let folder = Folder::new().file("noise", noise());
    for kind in ["jsonl", "csv", "tsv", "lines"] {
        let answer = folder.dedup(&format!("fingerprint -q --input {kind} noise --force -o .out.fp"));
        assert!(kind == "lines" || answer.code == 2 && ids(&folder).is_empty(), "{kind}: {answer:?}");
        assert!(!answer.stderr.contains(|c: char| c.is_control() && c != '\n'), "{answer:?}");
        assert!(answer.stderr.lines().all(|line| line.len() < 1000), "{answer:?}");
    }
}

#[test]
fn inputs_without_permission_are_skipped() {
    let folder = Folder::new()
        .file("in/a.txt", HARBOUR)
        .file("in/secret.jsonl", jsonl(&[("s", CLOCK)]))
        .file("in/shut/b.txt", HARBOUR)
        .file("in/z.txt", BEES);
    fs::set_permissions(folder.path().join("in/secret.jsonl"), Permissions::from_mode(0o0)).unwrap();
    fs::set_permissions(folder.path().join("in/shut"), Permissions::from_mode(0o0)).unwrap();
    let answer = run(&mut folder.command_of_nobody("fingerprint -q in --force -o .out.fp"), b"");
    let reason = "no permission to read it; change its mode or run as its owner; skipped";
    assert_eq!(answer.stderr, format!("dedup: in/secret.jsonl: {reason}\ndedup: in/shut: {reason}\n"));
    assert_eq!((answer.code, ids(&folder)), (2, vec!["in/a.txt".to_owned(), "in/z.txt".to_owned()]));
    // Outputs without permission are refused too.
    fs::create_dir(folder.path().join("locked")).unwrap();
    fs::set_permissions(folder.path().join("locked"), Permissions::from_mode(0o555)).unwrap();
    for line in
        ["fingerprint in/a.txt -o locked/x.fp", "clean -q in/a.txt -o locked/out", "find -q in/a.txt --report locked/x"]
    {
        run(&mut folder.command_of_nobody(line), b"").fails_saying("no permission to write it");
    }
    fs::set_permissions(folder.path().join("in/shut"), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn cyclic_and_dangling_links_are_skipped() {
    let folder = Folder::new().file("in/a.txt", HARBOUR).file("other/b.txt", BEES);
    for (to, from) in [(".", "in/round"), ("../other", "in/there"), ("nowhere", "in/dead"), ("self", "self")] {
        symlink(to, folder.path().join(from)).unwrap();
    }
    fingerprinted(&folder, "in", &[], &["in/a.txt"]);
    assert!(folder.dedup("fingerprint in --force -o .out.fp").stderr.contains("3 symbolic links"));
    let answer = folder.dedup("fingerprint -q --follow in --force -o .out.fp");
    let lines: Vec<&str> = answer.stderr.lines().collect();
    assert_eq!(lines.len(), 2, "{answer:?}");
    assert_eq!(lines[0], "dedup: in/dead: no such file; check the name and the folder; skipped");
    assert!(
        lines[1].starts_with("dedup: in/round: is a symbolic link to the folder in, which contains it"),
        "{answer:?}"
    );
    assert_eq!(ids(&folder), ["in/a.txt", "in/there/b.txt"]);
    // A link that is named on the command line is followed.
    fingerprinted(&folder, "in/there", &[], &["in/there/b.txt"]);
    let answer = folder.dedup("fingerprint -q self in/a.txt --force -o .out.fp");
    assert!(answer.code == 2 && answer.stderr.starts_with("dedup: self: cannot be read: "), "{answer:?}");
}

#[test]
fn a_pipe_in_a_folder_is_skipped() {
    let folder = Folder::new().file("in/a.txt", HARBOUR);
    assert!(std::process::Command::new("mkfifo").arg(folder.path().join("in/pipe")).status().unwrap().success());
    let expected = "in/pipe: is a pipe, a socket or a device; only regular files are read from a folder";
    fingerprinted(&folder, "in", &[expected], &["in/a.txt"]);
}

#[test]
fn lines_of_json() {
    let good = |id: &str| jsonl(&[(id, HARBOUR)]);
    let many: String = (1..17).map(|i| good(&i.to_string())).collect();
    let folder = Folder::new().file("a.jsonl", many + "{\"id\":\"x\",\"text\":\"cut\n" + &good("18")).file(
        "b.jsonl",
        "\u{feff}{\"id\":1,\"text\":\"the first of all\"}\n\
             {\"id\":2,\"text\":5}\n\
             {\"id\":3,\"body\":\"no text\"}\n\
             {\"text\":\"no id\"}\n\
             {\"id\":null,\"text\":\"x\"}\n\
             [1,2]\n\
             \"text\"\n\
             \n\
             {\"id\":1,\"text\":\"again\"}\n\
             {\"id\":10,\"text\":\"a lone surrogate \\ud800\"}\n\
             {\"id\":11,\"text\":null}\n\
             {\"id\":12,\"text\":\"good\"} trailing\n\
             {}\n\
             {\"id\":14,\"text\":\"a bad byte \\u00e4\"}\n",
    );
    let read: Vec<String> = (1..17).chain([18]).map(|i| i.to_string()).collect();
    let read: Vec<&str> = read.iter().map(String::as_str).collect();
    fingerprinted(
        &folder,
        "--id-field id a.jsonl",
        &["a.jsonl, line 17: is not valid JSON: EOF while parsing a string at column 21"],
        &read,
    );
    let answer = folder.dedup("fingerprint -q --id-field id b.jsonl --force -o .out.fp --problems .problems");
    assert_eq!(answer.code, 2);
    assert_eq!(ids(&folder), ["1", "b.jsonl:4", "b.jsonl:5", "b.jsonl:9", "11", "14"]);
    let problems: Vec<_> = parse(&folder.read_text(".problems"))
        .into_iter()
        .map(|row| format!("{} {} {}", row["file"].as_str().unwrap(), row["record"], row["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(
        problems,
        [
            "b.jsonl 2 field of a wrong type",
            "b.jsonl 3 missing field",
            "b.jsonl 6 not a JSON object",
            "b.jsonl 7 not a JSON object",
            "b.jsonl 10 malformed JSON",
            "b.jsonl 12 malformed JSON",
            "b.jsonl 13 missing field",
        ]
    );
    for (number, expected) in [
        (2, "the field 'text' is a number, not a string"),
        (3, "has no field 'text'; it has id, body: name one with --text-field or --id-field"),
        (6, "is a list, not a JSON object"),
        (13, "has no field 'text' (it has no fields)"),
    ] {
        let line = format!("dedup: b.jsonl, line {number}: {expected}; skipped");
        assert!(answer.stderr.lines().any(|told| told == line), "{line}\n{answer:?}");
    }
}

#[test]
fn a_text_inside_other_fields() {
    let nested = "{\"id\":\"n\",\"doc\":{\"title\":\"t\",\"body\":{\"text\":\"deep in here it stands\"}}}\n\
                  {\"id\":\"m\",\"doc.body.text\":\"or under a name with dots in it\"}\n\
                  {\"id\":\"o\",\"doc\":{\"body\":[\"a list\"]}}\n";
    let folder = Folder::new().file("a.jsonl", nested);
    let line = "--id-field id --text-field doc.body.text a.jsonl";
    let missing =
        "a.jsonl, line 3: has no field 'doc.body.text'; it has id, doc: name one with --text-field or --id-field";
    fingerprinted(&folder, line, &[missing], &["n", "m"]);
    let line = "--id-field id --text-field doc.body a.jsonl";
    let answer = folder.dedup(&format!("fingerprint -q {line} --force -o .out.fp"));
    assert!(answer.stderr.contains("line 1: the field 'doc.body' is an object, not a string"), "{answer:?}");
    assert!(answer.stderr.contains("line 3: the field 'doc.body' is a list, not a string"), "{answer:?}");
}

#[test]
fn ids_across_files() {
    let folder = Folder::new()
        .file("a.jsonl", jsonl(&[("x", HARBOUR), ("y", BEES)]))
        .file("b.jsonl", jsonl(&[("y", BEES), ("z", CLOCK)]));
    fingerprinted(&folder, "--id-field id a.jsonl b.jsonl", &[], &["x", "y", "b.jsonl:1", "z"]);
    // A file that is named twice is read twice; its records are skipped the second time, as their ids repeat.
    fingerprinted(
        &folder,
        "a.jsonl a.jsonl",
        &[1, 2]
            .map(|i| format!("a.jsonl, line {i}: the id 'a.jsonl:{i}' was used before; ids must be unique"))
            .each_ref()
            .map(String::as_str),
        &["a.jsonl:1", "a.jsonl:2"],
    );
}

#[test]
fn lines_with_ids() {
    let folder =
        Folder::new().file("a.lines", "one the text of one\n no id\n\ntwo\tthe text of two\nthree\ntwo again\n");
    fingerprinted(
        &folder,
        "--input lines a.lines",
        &["a.lines, line 2: has no id: expected an id, a space or tab, and the text"],
        &["one", "two", "three", "a.lines:6"],
    );
}

#[test]
fn broken_tables() {
    let folder = Folder::new()
        .file(
            "a.csv",
            "id,text\n1,good one here\n2,\"broken\" quote\n3,fine text\n4\n5,one,too many\n6,\"open\n7,more\n",
        )
        .file("b.csv", "id,body\n1,good\n")
        .file("c.tsv", "id\ttext\n1\tgood text\n2 no tab\n");
    fingerprinted(
        &folder,
        "--id-field id a.csv c.tsv b.csv",
        &[
            "a.csv, row 2: is not valid CSV: a quote is closed in the middle of a field; the line is given up",
            "a.csv, row 4: is not valid CSV: 1 field where the heading has 2",
            "a.csv, row 5: is not valid CSV: 3 fields where the heading has 2",
            "a.csv, row 6: is not valid CSV: its quote is never closed; the line is given up",
            "c.tsv, row 2: is not valid CSV: 1 field where the heading has 2",
            "b.csv: has no field 'text'; it has id, body: name one with --text-field or --id-field",
        ],
        &["1", "3", "7", "c.tsv:1"],
    );
}

/// A carriage return alone is part of its field: it starts no row and shifts no row number.
#[test]
fn tables_with_returns_in_them() {
    let before = format!("id,text\n{}", "0,filler of a block\n".repeat(20_000));
    let fillers: Vec<String> = (1..=20_000).map(|i| format!("a.csv:{i}")).collect();
    let folder = Folder::new()
        .file("a.csv", before + "1,first\rand second line\r\n2,plain\n3,last one\r")
        .file("mac.csv", "id,text\r1,of an old program\r2,\"and\ranother\"\r");
    let read: Vec<&str> =
        fillers.iter().map(String::as_str).chain(["a.csv:20001", "a.csv:20002", "a.csv:20003"]).collect();
    fingerprinted(&folder, "a.csv", &[], &read);
    fingerprinted(&folder, "mac.csv", &[], &["mac.csv:1", "mac.csv:2"]);
    // Each row is copied unchanged.
    folder.dedup("clean -q --remove edited --distance 0 --similarity none a.csv -o b.csv").quietly(0);
    let kept = folder.read_text("b.csv");
    assert!(kept.ends_with("\n1,first\rand second line\r\n2,plain\n3,last one\r"), "{}", kept.len());
}

#[test]
fn a_broken_row_across_two_blocks_makes_no_document() {
    let rows = (256 << 10) / 8 - 2;
    let table = format!("id,text\n{}x,\"bro\"ken, across the edge of a block\ny,fine\n", "f,12345\n".repeat(rows));
    let folder = Folder::new().file("a.csv", table);
    let answer = folder.dedup("fingerprint -q a.csv --force -o .out.fp");
    let expected = "is not valid CSV: a quote is closed in the middle of a field; the line is given up; skipped";
    assert_eq!(answer.stderr, format!("dedup: a.csv, row {}: {expected}\n", rows + 1));
    assert_eq!((answer.code, ids(&folder).len()), (2, rows + 1));
}

/// Each line opens a quoted field that the next line closes.
#[test]
fn a_table_of_open_quotes_is_abandoned() {
    let folder = Folder::new().file("a.csv", format!("text,b\n{}", "x\",\"y\n".repeat(200_000))).file("b.txt", HARBOUR);
    let answer = folder.dedup("fingerprint -q a.csv b.txt --force -o .out.fp --problems problems.jsonl");
    assert_eq!((answer.code, ids(&folder)), (2, vec!["b.txt".to_owned()]));
    let last = parse(&folder.read_text("problems.jsonl")).pop().unwrap();
    assert!(last["reason"].as_str().unwrap().contains("the rest of the table is given up"), "{last}");
}

#[test]
fn records_in_other_encodings() {
    let folder = Folder::new()
        .file("latin.csv", b"n\xfamero,texto espa\xf1ol\n1,ma\xf1ana sube la marea\n")
        .file("wide.csv", [&b"\xff\xfe"[..], &wide("id,text\n1,\u{a0a}\n")].concat())
        .file("wide.jsonl", wide(&jsonl(&[("a", HARBOUR)])))
        .file("japanese.csv", b"id,text\n1,\x1b$B\x22\x2c\x1b(B\n");
    folder
        .command("fingerprint -q --encoding latin1 --id-field")
        .args(["n\u{fa}mero", "--text-field", "texto espa\u{f1}ol", "latin.csv", "-o", ".out.fp"])
        .status()
        .unwrap();
    assert_eq!(ids(&folder), ["1"]);
    for (line, name, encoding) in [
        ("wide.csv", "wide.csv", "UTF-16LE"),
        ("--encoding utf-16le wide.csv", "wide.csv", "UTF-16LE"),
        ("wide.jsonl", "wide.jsonl", "UTF-16LE"),
        ("--encoding utf-16le --input lines wide.jsonl", "wide.jsonl", "UTF-16LE"),
        ("--encoding iso-2022-jp japanese.csv", "japanese.csv", "ISO-2022-JP"),
    ] {
        let expected = format!(
            "{name}: is in {encoding}, in which records cannot be split safely; convert it first, for example with \
             `iconv -f {encoding} -t UTF-8`"
        );
        fingerprinted(&folder, line, &[&expected], &[]);
    }
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// Names that differ only in bytes that are not valid UTF-8.
#[test]
fn names_that_are_not_utf8_stay_different() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("in")).unwrap();
    for (name, text) in [(&b"caf\xe8.txt"[..], HARBOUR), (b"caf\xe9.txt", BEES), (b"new\nline.txt", HARBOUR)] {
        fs::write(folder.path().join("in").join(OsStr::from_bytes(name)), text).unwrap();
    }
    let names = ["in/caf\\xE8.txt", "in/caf\\xE9.txt", "in/new\\x0Aline.txt"];
    fingerprinted(&folder, "in", &[], &names);
    folder.dedup("clean -q in -o out").quietly(0);
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 2);
    assert_eq!(fs::read(folder.path().join("out").join(OsStr::from_bytes(b"caf\xe9.txt"))).unwrap(), BEES.as_bytes());
    folder.dedup("clean -q --list in -o kept").quietly(0);
    assert_eq!(folder.read_text("kept"), "in/caf\\xE8.txt\nin/caf\\xE9.txt\n");
    // Their texts can be read again.
    folder.dedup("find -q in --report page.html").quietly(0);
    assert!(folder.read_text("page.html").contains("ferry waits outside"));
}

#[test]
fn records_whose_checksum_fails_are_doubtful() {
    let documents: Vec<(String, String)> = crate::texts::Numbers(5).documents(20, 40);
    let mut bytes = packed(".gz", crate::texts::lines_of(&documents));
    // The checksum stands before the length of 4 bytes at the end.
    let checksum = bytes.len() - 6;
    bytes[checksum] ^= 1;
    let folder = Folder::new().file("all.jsonl.gz", bytes);
    let answer = folder.dedup("fingerprint -q --id-field id all.jsonl.gz -o .out.fp");
    let said = "; the records before the error were read, and any of them may be damaged; skipped\n";
    assert!(answer.code == 2 && answer.stderr.ends_with(said), "{answer:?}");
    assert_eq!(ids(&folder).len(), 20);
}

#[test]
fn records_before_a_truncation_are_read() {
    let documents: Vec<(String, String)> = crate::texts::Numbers(5).documents(6000, 40);
    let whole = crate::texts::lines_of(&documents);
    for ending in [".gz", ".zst", ".xz", ".bz2"] {
        let bytes = packed(ending, &whole);
        let name = format!("cut.jsonl{ending}");
        let folder = Folder::new().file(&name, &bytes[..bytes.len() * 2 / 3]).file("z.txt", HARBOUR);
        let answer = folder.dedup(&format!("fingerprint -q --id-field id {name} z.txt --force -o .out.fp"));
        assert_eq!((answer.code, answer.stderr.lines().count()), (2, 1), "{answer:?}");
        assert!(answer.stderr.starts_with(&format!("dedup: {name}: cannot be read to its end (")), "{answer:?}");
        assert!(answer.stderr.ends_with("; the records before the error were read; skipped\n"), "{answer:?}");
        let read = ids(&folder);
        assert_eq!(read.last().unwrap(), "z.txt", "the next file is read");
        assert!(read.len() > 100, "{ending}: {} records", read.len());
        let expected = documents.iter().map(|(id, _)| id);
        assert!(read[..read.len() - 1].iter().eq(expected.take(read.len() - 1)));
        // A single truncated text is skipped as a whole.
        let name = format!("cut.txt{ending}");
        let folder = folder.file(&name, &packed(ending, HARBOUR)[..40]);
        let answer = folder.dedup(&format!("fingerprint -q {name} z.txt --force -o .out.fp"));
        assert_eq!((answer.code, ids(&folder)), (2, vec!["z.txt".to_owned()]), "{answer:?}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn broken_parquet_files_are_skipped() {
    let whole = crate::texts::parquet(&[("id", &["1", "2"]), ("body", &[HARBOUR, BEES])]);
    let folder = Folder::new()
        .file("whole.parquet", &whole)
        .file("cut.parquet", &whole[..whole.len() / 2])
        .file("empty.parquet", "")
        .file("head.parquet", "PAR1");
    fingerprinted(
        &folder,
        "--id-field id whole.parquet",
        &["whole.parquet: has no field 'text'; it has id, body: name one with --text-field or --id-field"],
        &[],
    );
    for name in ["cut", "head"] {
        let answer =
            folder.dedup(&format!("fingerprint -q --text-field body {name}.parquet whole.parquet --force -o .out.fp"));
        assert_eq!((answer.code, ids(&folder).len()), (2, 2), "{answer:?}");
        assert!(answer.stderr.starts_with(&format!("dedup: {name}.parquet: is not valid Parquet: ")), "{answer:?}");
        assert_eq!(answer.stderr.lines().count(), 1, "{answer:?}");
    }
    let answer = folder.dedup("fingerprint -q --input parquet empty.parquet --force -o .out.fp");
    assert!(answer.code == 2 && answer.stderr.contains("empty.parquet: is not valid Parquet"), "{answer:?}");
}

#[test]
fn documents_that_are_too_long_are_skipped() {
    let long = "tide ".repeat(300);
    let folder = Folder::new()
        .file("a.jsonl", jsonl(&[("a", "short"), ("b", &long), ("c", "short too")]))
        .file("b.csv", format!("id,text\nd,{long}\ne,short\n"))
        .file("c.txt", &long)
        .file("d.txt.gz", packed(".gz", &long))
        .file("e.lines", format!("f {long}\ng short\n"));
    let reason = "is longer than 1024 bytes; raise --max-document or --max-memory to read it";
    fingerprinted(
        &folder,
        "--max-document 1K --id-field id a.jsonl b.csv c.txt d.txt.gz",
        &[
            &format!("a.jsonl, line 2: {reason}"),
            &format!("b.csv, row 1: {reason}"),
            &format!("c.txt: {reason}"),
            &format!("d.txt.gz: {reason}"),
        ],
        &["a", "c", "e"],
    );
    fingerprinted(&folder, "--max-document 1K --input lines e.lines", &[&format!("e.lines, line 1: {reason}")], &["g"]);
    assert_eq!(folder.dedup("fingerprint -q --max-document 0 a.jsonl --force -o .out.fp").code, 2);
}

/// A line of fifty megabytes is skipped without being kept in memory.
#[test]
fn a_line_without_end_costs_no_memory() {
    let folder = Folder::new();
    let highest = |megabytes: usize| {
        let line = "fingerprint -q --max-document 1M --id-field id - --force -o .out.fp";
        let mut child = folder.command(line).stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(b"{\"id\":\"a\",\"text\":\"before\"}\n{\"id\":\"b\",\"text\":\"").unwrap();
        let block = vec![b'x'; 1 << 20];
        (0..megabytes).for_each(|_| input.write_all(&block).unwrap());
        input.write_all(b"\"}\n{\"id\":\"c\",\"text\":\"after it\"}\n").unwrap();
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        drop(input);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            "dedup: -, line 2: is longer than 1048576 bytes; raise --max-document or --max-memory to read it; skipped\n"
        );
        assert_eq!((output.status.code(), ids(&folder)), (Some(2), vec!["a".to_owned(), "c".to_owned()]));
        let line = status.lines().find(|line| line.starts_with("VmHWM:"));
        line.map(|line| line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap())
    };
    // Peak memory in kilobytes, where the system reports it.
    if let (Some(short), Some(long)) = (highest(2), highest(50)) {
        assert!(long < short + 8 * 1024, "{short} KB for 2 MB, {long} KB for 50 MB");
    }
}

#[test]
fn every_problem_is_listed_and_twenty_of_a_kind_are_printed() {
    let bad = "{]\n".repeat(30);
    let folder = Folder::new().file("a.jsonl", bad + &jsonl(&[("a", HARBOUR)])).file("b.jsonl", "{\"body\":1}\n");
    let answer = folder.dedup("fingerprint a.jsonl b.jsonl --force -o .out.fp --problems problems.jsonl");
    assert_eq!(answer.code, 2);
    let told = answer.stderr.lines().filter(|line| line.ends_with("; skipped")).count();
    assert_eq!(told, 21, "{answer:?}");
    assert!(answer.stderr.contains("more problems of this kind (malformed JSON) are only counted"), "{answer:?}");
    assert!(answer.stderr.contains("skipped 31: 30 malformed JSON, 1 missing field"), "{answer:?}");
    let listed = parse(&folder.read_text("problems.jsonl"));
    assert_eq!(listed.len(), 31);
    assert_eq!(
        listed[30],
        serde_json::json!({
            "file": "b.jsonl",
            "record": null,
            "kind": "missing field",
            "reason": "has no field 'text'; it has body: name one with --text-field or --id-field",
            "fate": null,
        })
    );
}

#[test]
fn strict_runs_stop_at_the_first_problem() {
    let folder = Folder::new()
        .file("a.jsonl", jsonl(&[("a", HARBOUR)]) + "{\"id\":\"b\"}\n{]\n" + &jsonl(&[("c", HARBOUR)]))
        .file("x.fp", "old");
    let expected = "a.jsonl, line 2: has no field 'text'; it has id: name one with --text-field or --id-field (stopped, as --strict asks)";
    for line in
        ["fingerprint a.jsonl -o x.fp --force", "find a.jsonl", "clean a.jsonl -o out.jsonl", "clean --dry-run a.jsonl"]
    {
        folder.dedup(&format!("{line} --strict")).fails_saying(expected);
    }
    assert_eq!(folder.read("x.fp"), b"old");
    folder.dedup("fingerprint --strict nothing -o x.fp --force").fails_saying("nothing: no such file");
}

#[test]
fn names_and_fields_cannot_control_the_terminal() {
    let folder = Folder::new()
        .file("in/\u{1b}[2J.jsonl", "{\"\u{7f}\\u001b[31m\":1}\n")
        .file("in/b.jsonl", "{\"text\":\"x\",\"id\":\"\\u001b[1m\"}\n".repeat(2));
    folder.dedup("index create .index").code_is(0);
    let answer = folder.dedup("index add -q --id-field id .index in");
    assert_eq!(
        answer.stderr,
        "dedup: in/\\x1B[2J.jsonl: has no field 'text'; it has \u{fffd}\u{fffd}[31m: name one with \
         --text-field or --id-field; skipped\n\
         dedup: in/b.jsonl, line 2: the id '\u{fffd}[1m' was used before; ids must be unique; skipped\n"
    );
}

#[test]
fn invalid_options_are_refused() {
    let folder = Folder::new().file("a.txt", HARBOUR);
    folder.dedup("find --type nothing a.txt").fails_saying("cannot select files: ");
    folder.dedup("find --encoding utf-9 a.txt").fails_saying("encoding 'utf-9' is unknown");
    folder
        .dedup("find --temp nowhere a.txt")
        .fails_saying("nowhere/dedup-scratch: its folder does not exist; make it first");
    folder.dedup("find --min 4 a.txt").fails_saying("n-gram sizes 4 to 3");
    for line in ["--threads 0", "--max-memory much", "--recall 2", "--input word", "--keep"] {
        assert_eq!(folder.dedup(&format!("find a.txt {line}")).code, 2, "{line}");
    }
}

/// A mistyped field name is reported before a million records are read.
#[test]
fn a_field_that_no_record_has_ends_the_run() {
    let lines =
        |count: usize| (0..count).map(|i| format!("{{\"id\":\"{i}\",\"body\":\"x y z\"}}\n")).collect::<String>();
    let folder = Folder::new().file("many.jsonl", lines(100_000)).file("few.jsonl", lines(99));
    for line in [
        "find many.jsonl",
        "clean many.jsonl -o out",
        "clean --lines many.jsonl -o out",
        "clean --repeats few.jsonl many.jsonl -o out",
        "decontaminate many.jsonl --against many.jsonl --field body --dry-run",
        "fingerprint few.jsonl many.jsonl -o out",
    ] {
        let answer = folder.dedup(line);
        let last = answer.stderr.lines().last().unwrap();
        let expected = "name one with --text-field or --id-field; none of the 100 records read so far has it";
        assert!(answer.code == 2 && last.contains(expected), "{line}: {last}");
        assert!(!folder.path().join("out").exists());
    }
    let answer = folder.dedup("find few.jsonl");
    assert!(answer.code == 2 && !answer.stderr.contains("none of the 100 records"), "{answer:?}");
}

#[test]
fn a_record_whose_text_is_null_stays() {
    let lines =
        "{\"id\":1,\"text\":null}\n{\"id\":2,\"text\":\"\"}\n{\"id\":3,\"text\":null}\n{\"id\":4,\"text\":\"\"}\n";
    let folder = Folder::new().file("in.jsonl", lines);
    let answer = folder.dedup("clean --id-field id in.jsonl -o out.jsonl");
    answer.code_is(0);
    assert!(
        answer.stderr.contains("note: 2 documents have null as text: compared with nothing, and kept"),
        "{answer:?}"
    );
    let kept: String = lines.split_inclusive('\n').take(3).collect();
    assert_eq!(folder.read_text("out.jsonl"), kept);
    folder.dedup("clean -q --id-field id --list in.jsonl -o ids").quietly(0);
    assert_eq!(folder.read_text("ids"), "1\n2\n3\n");
    let answer = folder.dedup("fingerprint --id-field id in.jsonl -o in.fp");
    assert!(answer.stderr.contains("4 empty; 2 of them null, compared with nothing"), "{answer:?}");
    for line in ["clean --lines", "clean --repeats", "decontaminate --field text --against in.jsonl"] {
        let answer = folder.dedup(&format!("{line} --dry-run --id-field id in.jsonl"));
        assert!(answer.stderr.contains("in 1 file; 4 empty; 2 of them null\n"), "{answer:?}");
    }
    // Where the field itself is missing, the record cannot be read.
    let folder = folder.file("missing.jsonl", "{\"id\":1,\"text\":\"x\"}\n{\"id\":2}\n");
    let answer = folder.dedup("clean -q --id-field id missing.jsonl -o out2.jsonl");
    assert!(answer.code == 2 && answer.stderr.contains("has no field 'text'"), "{answer:?}");
}
