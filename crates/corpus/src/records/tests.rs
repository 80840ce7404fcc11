//! Stories of files split into documents.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use super::*;
use crate::inputs::{Inputs, Selection};

/// A folder with files, and the records read from them: `id|text` or `! problem`.
pub(super) struct Story {
    folder: tempfile::TempDir,
    reading: Reading,
}

impl Story {
    pub(super) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), reading: Reading::default() }
    }

    pub(super) fn file(self, name: &str, bytes: impl AsRef<[u8]>) -> Self {
        fs::write(self.folder.path().join(name), bytes).unwrap();
        self
    }

    pub(super) fn reading(mut self, change: impl FnOnce(&mut Reading)) -> Self {
        change(&mut self.reading);
        self
    }

    pub(super) fn batches(&self) -> Reader {
        let inputs = Inputs::new(vec![self.folder.path().to_owned()], Selection::default()).unwrap();
        Reader::new(inputs, self.reading.clone())
    }

    pub(super) fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        let folder = format!("{}/", self.folder.path().display());
        for batch in self.batches() {
            match batch {
                Err(problem) => told.push(format!("! {problem}")),
                Ok(batch) => batch.each(|record| {
                    told.push(match record {
                        Ok(record) if record.is_null => format!("{}|(null)", record.id),
                        Ok(record) => format!("{}|{}", record.id, record.text),
                        Err(problem) => format!("! {problem}"),
                    });
                }),
            }
        }
        told.iter().map(|line| line.replace(&folder, "")).collect()
    }
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = Compression::Gzip.encode(Vec::new()).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn every_kind_is_known_by_its_content() {
    let story = Story::new()
        .file("a.txt", "plain text")
        .file("b", "<html><body><p>a page")
        .file("c", "{\"text\":\"one\"}\n\n{\"text\":\"two\"}\n")
        .file("d.csv", "name,text\nx,\"row, one\"\r\ny,row two")
        .file("e.tsv", "text\tn\nrow\t1\n")
        .file("f.gz", gzip(b"{\"text\":\"packed\"}\n"))
        .file("g.csv.gz", gzip(b"text\npacked row\n"))
        .file("h.json", "{\n  \"text\": \"an object of several lines is a text\"\n}");
    let expected = [
        "a.txt|plain text",
        "b|a page\n",
        "c:1|one",
        "c:3|two",
        "d.csv:1|row, one",
        "d.csv:2|row two",
        "e.tsv:1|row",
        "f.gz:1|packed",
        "g.csv.gz:1|packed row",
        "h.json|{\n  \"text\": \"an object of several lines is a text\"\n}",
    ];
    assert_eq!(story.told(), expected);
}

#[test]
fn lines_begin_with_their_ids() {
    let story = Story::new()
        .file("a", "t1 the first\nt2\tthe second\nt3\n\n text without id\n")
        .reading(|reading| reading.kind = Some(Kind::Lines));
    let no_id = "! a, line 5: has no id: expected an id, a space or tab, and the text";
    assert_eq!(story.told(), ["t1|the first", "t2|the second", "t3|", no_id]);
}

#[test]
fn fields_are_chosen() {
    let change = |reading: &mut Reading| {
        reading.fields = Fields { text: "body".into(), id: Some("n".into()), key: Some("date".into()), origin: None };
    };
    let json = r#"{"n":"x1","body":"some words","date":20260102}"#;
    let story = Story::new().file("a.jsonl", json).file("b.csv", "date,n,body\n2026,x2,more words\n").reading(change);
    assert_eq!(story.told(), ["x1|some words", "x2|more words"]);
    let mut keys = Vec::new();
    for batch in story.batches() {
        batch.unwrap().each(|record| keys.push(record.unwrap().key));
    }
    assert_eq!(keys, [Some("20260102".to_owned()), Some("2026".to_owned())]);
}

#[test]
fn one_bad_record_costs_one_record() {
    let good = r#"{"text":"good"}"#;
    let lines: Vec<&str> = (1..=20).map(|line| if line == 17 { "{\"text\":" } else { good }).collect();
    let story = Story::new()
        .file("a.jsonl", lines.join("\n"))
        .file("b.csv", "text,n\ngood,1\nbad\n\"open,3\ngood,4\n")
        .file("c.csv", "name,n\nx,1\n")
        .file("c2.csv", "ID;Text\n1;the sea\n")
        .file("d.txt", b"\x7fELF\0\0\0\0")
        .file("e.jsonl", b"{\"text\":\"b\xffd\"}");
    let problems: Vec<String> = story.told().into_iter().filter(|line| line.starts_with('!')).collect();
    let expected = [
        "! a.jsonl, line 17: is not valid JSON: EOF while parsing a value at column 8",
        "! b.csv, row 2: is not valid CSV: 1 field where the heading has 2",
        "! b.csv, row 3: is not valid CSV: its quote is never closed; the line is given up",
        "! c.csv: has no field 'text'; it has name, n: name one with --text-field or --id-field",
        "! c2.csv: has no field 'text'; its first row is ID;Text: save a table with ; between fields with commas, or as .tsv with tabs",
        "! d.txt: is a program, not a text; extract its text first (or give --encoding to read it as text all the same)",
    ];
    assert_eq!(problems, expected);
    let told = story.told();
    assert_eq!(told.iter().filter(|line| line.ends_with("|good")).count(), 19 + 2);
    assert_eq!(told.last().unwrap(), "e.jsonl:1|b\u{fffd}d");
}

#[test]
fn a_packed_file_cut_short_gives_what_was_read() {
    let mut text = Vec::new();
    for i in 0..5000 {
        writeln!(text, "{{\"text\":\"number {}\"}}", i * 7919 % 5003).unwrap();
    }
    let mut packed = gzip(&text);
    packed.truncate(packed.len() / 2);
    let told = Story::new().file("a.jsonl.gz", packed).told();
    assert!(told.len() > 1000);
    assert!(told.last().unwrap().starts_with("! a.jsonl.gz: cannot be read to its end ("), "{:?}", told.last());
    assert!(told[told.len() - 2].starts_with("a.jsonl.gz:"));
}

#[test]
fn long_documents_are_named() {
    let long = "word ".repeat(200_000);
    let json = format!("{{\"text\":\"short\"}}\n{{\"text\":\"{long}\"}}\n{{\"text\":\"short\"}}\n");
    let story = Story::new()
        .file("a.jsonl", json)
        .file("b.txt", &long)
        .file("c.gz", gzip(long.as_bytes()))
        .reading(|reading| reading.max_document = 500_000);
    let too_long = "is longer than 500000 bytes; raise --max-document or --max-memory to read it";
    let expected = [
        "a.jsonl:1|short".to_owned(),
        format!("! a.jsonl, line 2: {too_long}"),
        "a.jsonl:3|short".to_owned(),
        format!("! b.txt: {too_long}"),
        format!("! c.gz: {too_long}"),
    ];
    assert_eq!(story.told(), expected);
}

#[test]
fn every_file_ends_with_its_last_batch() {
    let line = format!("{{\"text\":\"{}\"}}\n", "w ".repeat(500));
    let story = Story::new().file("a.jsonl", line.repeat(1000)).file("b.jsonl", "").file("c.csv", "").file("d", "x");
    let mut ends = Vec::new();
    let mut batches = 0;
    for batch in story.batches() {
        let batch = batch.unwrap();
        batches += 1;
        if batch.is_last {
            ends.push((batch.file_number, batch.file.name.rsplit('/').next().unwrap().to_owned()));
        }
    }
    assert!(batches > 5, "{batches}");
    let names = ends.iter().map(|(number, name)| (*number, name.as_str()));
    assert_eq!(names.collect::<Vec<_>>(), [(0, "a.jsonl"), (1, "b.jsonl"), (2, "c.csv"), (3, "d")]);
}

#[test]
fn raw_records_make_up_the_file() {
    for (name, bytes) in [
        ("a.jsonl", "{\"text\":\"a\"}\n\n{bad}\n{\"text\":\"b\"}"),
        ("b.csv", "text,n\r\n\"a\nb\",1\r\n\r\nc,2\r\nd,3"),
    ] {
        let story = Story::new().file(name, bytes);
        let mut raw = Vec::new();
        let mut numbers = Vec::new();
        for batch in story.batches() {
            let batch = batch.unwrap();
            if numbers.is_empty() {
                raw.extend_from_slice(batch.heading().unwrap_or_default());
            }
            batch.each_raw(|number, bytes| {
                numbers.push(number);
                raw.extend_from_slice(bytes);
            });
        }
        assert_eq!(String::from_utf8(raw).unwrap(), bytes, "{name}");
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    }
}

#[test]
fn known_files_are_passed_over() {
    let story = Story::new().file("a.txt", "one").file("b.txt", "two").file("c.txt", "three");
    let named = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut reader = story.batches();
    let mut passed = Vec::new();
    assert!(reader.skip_files(2, |path, size, _| passed.push((named(path), size))));
    assert_eq!(passed, [("a.txt".to_owned(), 3), ("b.txt".to_owned(), 3)]);
    let rest = reader.map(|batch| batch.unwrap());
    let rest: Vec<_> = rest.map(|batch| (batch.file_number, named(&batch.file.path))).collect();
    assert_eq!(rest, [(2, "c.txt".to_owned())]);
    assert!(!story.batches().skip_files(4, |_, _, _| {}));
}
