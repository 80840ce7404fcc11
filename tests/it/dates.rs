//! `--keep newest` and `oldest`: dates of documents, of members of archives and of files.

use std::fs;
use std::io::{Cursor, Write};
use std::time::{Duration, SystemTime};

use serde_json::json;
use zip::DateTime;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::folder::{Folder, jsonl};
use crate::office::archive;

const TEXT: &str = "The tide comes in twice a day, and twice a day it goes out again. Boats lie on the mud until \
    the water returns, and the harbour master writes down the hour in a long green book.";

/// The same with a sentence more.
const LONGER: &str = "The tide comes in twice a day, and twice a day it goes out again. Boats lie on the mud until \
    the water returns, and the harbour master writes down the hour in a long green book. Nobody reads it.";

const CLEAN: &str = "clean --remove edited --similarity 0.5 --threshold-alone";

fn docx(core: &str) -> Vec<u8> {
    let body = format!("<w:document><w:p><w:r><w:t>{TEXT}</w:t></w:r></w:p></w:document>");
    archive(&[("word/document.xml", &body), ("docProps/core.xml", core)])
}

fn pptx(core: &str) -> Vec<u8> {
    archive(&[
        ("ppt/presentation.xml", "<p:presentation><p:sldId id='256' r:id='a'/></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", "<r><Relationship Id='a' Type='x/slide' Target='slide.xml'/></r>"),
        ("ppt/slide.xml", &format!("<p:sld><p:sp><a:p><a:r><a:t>{TEXT}</a:t></a:r></a:p></p:sp></p:sld>")),
        ("docProps/core.xml", core),
    ])
}

fn odt(meta: &str) -> Vec<u8> {
    let content = format!("<office:text><text:p>{TEXT}</text:p></office:text>");
    archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("content.xml", &content),
        ("meta.xml", &format!("<office:meta>{meta}</office:meta>")),
    ])
}

fn epub(meta: &str) -> Vec<u8> {
    let spine = "<item id='a' href='a.xhtml' media-type='application/xhtml+xml'/><itemref idref='a'/>";
    archive(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfile full-path='b.opf'/></container>"),
        ("b.opf", &format!("<package>{meta}{spine}</package>")),
        ("a.xhtml", &format!("<html><head><title/></head><body><p>{TEXT}</p></body></html>")),
    ])
}

pub(crate) fn pdf(information: &str) -> Vec<u8> {
    let words: Vec<&str> = TEXT.split(' ').collect();
    let lines: String = words.chunks(8).map(|line| format!("({}) Tj 0 -14 Td ", line.join(" "))).collect();
    let content = format!("BT /F 11 Tf 70 750 Td {lines}ET");
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F <</Type /Font /Subtype /Type1 \
         /BaseFont /Times-Roman>>>>>>>> endobj\n4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n\
         5 0 obj <<{information}>> endobj\ntrailer <</Root 1 0 R /Info 5 0 R>>\nstartxref\n0\n%%EOF\n",
        content.len()
    )
    .into_bytes()
}

/// A name, and a document with the date 2024-05-01T12:30:00Z, an earlier one of its creation where the format has that,
/// and the same without a date.
fn dated() -> Vec<(&'static str, Vec<u8>, Vec<u8>)> {
    let core = "<c><dcterms:created>2001-01-01T00:00:00Z</dcterms:created>\
        <dcterms:modified>2024-05-01T12:30:00Z</dcterms:modified></c>";
    let page = |meta: &str| format!("<html><head>{meta}</head><body><p>{TEXT}</p></body></html>").into_bytes();
    let mail = |sender: &str| {
        format!("{sender}: Ann <ann@example.org>\nDate: Wed, 1 May 2024 14:30:00 +0200\n\n{TEXT}\n").into_bytes()
    };
    let rtf = |times: &str| format!("{{\\rtf1\\ansi{{\\info{{\\title no}}{times}}} {TEXT}\\par}}").into_bytes();
    let mut all = vec![
        ("docx", docx(core), docx("<c/>")),
        ("pptx", pptx(core), pptx("<c/>")),
        ("odt", odt("<dc:date>2024-05-01T12:30:00.123</dc:date>"), odt("")),
        ("epub", epub("<meta property='dcterms:modified'>2024-05-01T12:30:00Z</meta>"), epub("")),
        (
            "rtf",
            rtf("{\\creatim\\yr2001\\mo1\\dy1}{\\revtim\\yr2024\\mo5\\dy1\\hr12\\min30}"),
            rtf("{\\revtim\\yr2024\\mo13\\dy1}"),
        ),
        ("html", page("<meta property='article:modified_time' content='2024-05-01T14:30:00+02:00'>"), page("")),
        ("eml", mail("From"), mail("To")),
    ];
    if cfg!(feature = "pdf") {
        let information = "/CreationDate (D:20010101) /ModDate (D:20240501143000+02'00')";
        all.push(("pdf", pdf(information), pdf("/ModDate (soon)")));
    }
    all
}

#[test]
fn the_date_in_a_document_counts_before_that_of_its_file() {
    for (format, with, without) in dated() {
        let [old, new] = [format!("in/a.{format}"), format!("in/b.{format}")];
        let folder = Folder::new().file(&old, with).file(&new, without).dated(&old, 0).dated(&new, 1);
        let answer = folder.dedup(&format!("{CLEAN} --keep newest in -o out"));
        answer.code_is(0);
        let counts = "--keep newest: 1 date from documents, 1 date from files\n";
        assert!(answer.stderr.contains(counts), "{format}: {answer:?}");
        let list = jsonl(&folder.read_text("out.removed.jsonl"));
        assert_eq!((&list[0]["id"], &list[0]["survivor"]), (&json!(new), &json!(old)), "{format}: {list:?}");
        assert_eq!((&list[0]["date"], &list[0]["date_from"]), (&json!("2001-02-04T04:05:06Z"), &json!("file")));
        assert_eq!(list[0]["survivor_date"], "2024-05-01T12:30:00Z", "{format}");
        assert_eq!(list[0]["survivor_date_from"], "document");
        folder.dedup(&format!("{CLEAN} -q --list --keep oldest in -o kept")).quietly(0);
        assert_eq!(folder.read_text("kept"), format!("{new}\n"), "{format}");
        // A fingerprint file has the dates of its documents.
        folder.dedup("fingerprint -q in -o in.fp").quietly(0);
        let found = folder.dedup("find --keep newest --format json in.fp");
        assert_eq!(found.json()[0]["survivor"], json!(old), "{format}");
        assert!(found.stderr.contains(counts), "{format}: {found:?}");
    }
}

#[test]
fn of_equal_dates_the_longer_text_stays() {
    let folder = Folder::new()
        .file("in/v1.txt", TEXT)
        .file("in/v2 final.txt", LONGER)
        .file("in/v2 copy.txt", LONGER)
        .dated("in/v1.txt", 0)
        .dated("in/v2 final.txt", 0)
        .dated("in/v2 copy.txt", 0);
    for policy in ["newest", "oldest"] {
        let answer = folder.dedup(&format!("{CLEAN} --list --keep {policy} in -o {policy}"));
        // By its name the other is a copy.
        assert_eq!(folder.read_text(policy), "in/v2 final.txt\n", "{answer:?}");
        let said = format!(
            "--keep {policy}: 3 dates from files, 1 tie decided by length of the text, 1 tie decided by name\n"
        );
        assert!(answer.stderr.contains(&said), "{answer:?}");
    }
    // Other policies choose by no dates, and say nothing of them.
    let answer = folder.dedup(&format!("{CLEAN} --list --keep longest in -o longest.csv"));
    assert!(!answer.stderr.contains("--keep"), "{answer:?}");
    let table = folder.read_text("longest.csv.removed.csv");
    assert!(table.lines().next().is_some_and(|names| {
        names.ends_with(",date,date_from,survivor_date,survivor_date_from,digest,survivor_digest,check")
    }));
    assert!(
        table.lines().skip(1).all(|row| row.contains(",2001-02-03T04:05:06Z,,,,,") || row.starts_with("end_of_list")),
        "{table}"
    );
    folder.dedup(&format!("{CLEAN} -q --list --keep newest in -o newest.csv")).quietly(0);
    let table = folder.read_text("newest.csv.removed.csv");
    let dates = ",2001-02-03T04:05:06Z,2001-02-03T04:05:06Z,file,2001-02-03T04:05:06Z,file";
    assert!(table.lines().skip(1).all(|row| row.contains(dates) || row.starts_with("end_of_list")), "{table}");
}

#[test]
fn members_of_an_archive_have_times_of_their_own() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, year) in [("a.txt", 2020), ("b.txt", 2024), ("c.txt", 2010)] {
        let time = DateTime::from_date_and_time(year, 5, 1, 12, 30, 0).unwrap();
        writer.start_file(name, SimpleFileOptions::default().last_modified_time(time)).unwrap();
        writer.write_all(TEXT.as_bytes()).unwrap();
    }
    let folder = Folder::new().file("in.zip", writer.finish().unwrap().into_inner());
    for (policy, kept) in [("newest", "in.zip/b.txt"), ("oldest", "in.zip/c.txt")] {
        let answer = folder.dedup(&format!("find --format json --keep {policy} in.zip"));
        assert_eq!(answer.json()[0]["survivor"], kept, "{answer:?}");
        assert!(answer.stderr.contains(&format!("--keep {policy}: 3 dates from archives\n")), "{answer:?}");
    }
}

#[test]
fn a_time_before_1970_is_the_oldest_and_one_without_a_date_the_last() {
    let folder = Folder::new().file("in/a.txt", TEXT).file("in/b.txt", TEXT).dated("in/a.txt", 0);
    let file = fs::File::options().write(true).open(folder.path().join("in/b.txt")).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH - Duration::from_millis(86_400_500)).unwrap();
    folder.dedup(&format!("{CLEAN} -q --keep newest in -o out")).quietly(0);
    let list = jsonl(&folder.read_text("out.removed.jsonl"));
    assert_eq!(list[0]["id"], "in/b.txt", "{list:?}");
    assert_eq!(list[0]["file_modified"], "1969-12-30T23:59:59Z");
    assert_eq!(list[0]["date"], "1969-12-30T23:59:59.500Z");
    for policy in ["newest", "oldest"] {
        let answer =
            folder.dedup_with_input(&format!("find --format json --keep {policy} - in/b.txt"), TEXT.as_bytes());
        assert_eq!(answer.json()[0]["survivor"], "in/b.txt", "{policy}: {answer:?}");
        assert!(answer.stderr.contains("1 date from files, 1 document without a date\n"), "{answer:?}");
    }
}

#[test]
fn a_time_after_2262_is_the_newest() {
    let folder = Folder::new().file("in/a.txt", TEXT).file("in/b.txt", TEXT).dated("in/a.txt", 0);
    let file = fs::File::options().write(true).open(folder.path().join("in/b.txt")).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_hours(330 * 365 * 24)).unwrap();
    for (policy, kept) in [("newest", "in/b.txt"), ("oldest", "in/a.txt")] {
        let answer = folder.dedup(&format!("find -q --format json --keep {policy} in"));
        assert_eq!(answer.json()[0]["survivor"], kept, "{answer:?}");
    }
}

#[test]
fn properties_that_cannot_be_read_cost_no_text() {
    for core in
        ["", "<", "<c><modified>", "<c><modified>2024-05-01</c>", "<c><modified>9999-12-31</modified></c>", "\u{0}"]
    {
        let folder = Folder::new()
            .file("in/a.docx", docx(core))
            .file("in/b.docx", docx("<c/>"))
            .dated("in/a.docx", 0)
            .dated("in/b.docx", 1);
        let answer = folder.dedup(&format!("{CLEAN} --keep newest in -o out"));
        answer.code_is(0);
        assert!(answer.stderr.contains("--keep newest: 2 dates from files\n"), "{core}: {answer:?}");
        assert_eq!(jsonl(&folder.read_text("out.removed.jsonl"))[0]["id"], "in/a.docx", "{core}");
    }
}
