//! PDF, DOCX, ODT, RTF and EPUB are read wherever a text is read.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use zip::write::{SimpleFileOptions, ZipWriter};

use crate::folder::Folder;

const TEXT: &str = "The tide comes in twice a day, and twice a day it goes out again. Boats lie on the mud until \
    the water returns, and the harbour master writes down the hour in a long green book.";

pub(crate) fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn docx(text: &str) -> Vec<u8> {
    archive(&[("word/document.xml", &format!("<w:document><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:document>"))])
}

fn odt(text: &str) -> Vec<u8> {
    let content = format!("<office:text><text:p>{text}</text:p></office:text>");
    archive(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", &content)])
}

fn epub(text: &str) -> Vec<u8> {
    archive(&[
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", "<container><rootfile full-path='b.opf'/></container>"),
        (
            "b.opf",
            "<package><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/><itemref idref='a'/></package>",
        ),
        ("a.xhtml", &format!("<html><head><title/></head><body><p>{text}</p></body></html>")),
    ])
}

fn rtf(text: &str) -> Vec<u8> {
    format!("{{\\rtf1\\ansi{{\\info{{\\title no}}}} {text}\\par}}").into_bytes()
}

/// A page of lines of up to eight words; its cross-reference table is wrong, as in many files.
fn pdf(text: &str) -> Vec<u8> {
    let words: Vec<&str> = text.split(' ').collect();
    let lines: String = words.chunks(8).map(|line| format!("({}) Tj 0 -14 Td ", line.join(" "))).collect();
    let content = format!("BT /F 11 Tf 70 750 Td {lines}ET");
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</Font <</F <</Type /Font /Subtype /Type1 \
         /BaseFont /Times-Roman>>>>>>>> endobj\n4 0 obj <</Length {}>> stream\n{content}\nendstream endobj\n\
         trailer <</Root 1 0 R>>\nstartxref\n0\n%%EOF\n",
        content.len()
    )
    .into_bytes()
}

fn all(text: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![("docx", docx(text)), ("odt", odt(text)), ("epub", epub(text)), ("rtf", rtf(text))];
    if cfg!(feature = "pdf") {
        all.push(("pdf", pdf(text)));
    }
    all
}

#[test]
fn every_format_reads_as_its_text() {
    for (format, bytes) in all(TEXT) {
        // Formats are detected from content, not from names.
        let folder = Folder::new().file("text", TEXT).file("other.csv", &bytes);
        let answer = folder.dedup("compare --format json text other.csv");
        assert_eq!((answer.code, &*answer.stderr), (0, ""), "{format}: {answer:?}");
        assert_eq!(answer.json()["jaccard"], 1.0, "{format}");
        assert_eq!(answer.json()["documents"][1]["format"], format);
        assert_eq!(folder.dedup("text other.csv").code, 0, "{format}");
        assert_eq!(folder.dedup(&format!("compare --input {format} other.csv other.csv")).code, 0);
        assert_eq!(folder.dedup_with_input("compare text -", &bytes).code, 0, "{format}");
        assert_eq!(folder.dedup("explain --format json other.csv").json()["format"], format);
        folder.dedup("explain --input text other.csv").fails_saying("not a text; extract its text first");
    }
}

#[test]
fn folders_of_all_formats_have_one_survivor() {
    let mut folder = Folder::new().file("in/0.txt", format!("{TEXT} It is read aloud every evening by the door."));
    for (format, bytes) in all(TEXT) {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&bytes).unwrap();
        folder =
            folder.file(&format!("in/a.{format}"), &bytes).file(&format!("in/b.{format}.gz"), packed.finish().unwrap());
    }
    let answer = folder.dedup("find --format json in");
    let count = 2 * all(TEXT).len();
    assert_eq!(answer.json()[0]["members"].as_array().map(Vec::len), Some(count), "{answer:?}");
    let fingerprinted = folder.dedup("fingerprint -q in -o in.fp");
    assert_eq!((fingerprinted.code, &*fingerprinted.stderr), (0, ""), "{fingerprinted:?}");
    let screened = folder.dedup("screen -q in/a.docx --against in/a.odt --format jsonl");
    assert_eq!((screened.code, screened.jsonl()[0]["suspicious_offset_bytes"].as_u64()), (0, Some(0)), "{screened:?}");
}

/// The last whole member of a truncated archive is not the archive.
#[test]
fn a_truncated_archive_does_not_stand_for_a_document_in_it() {
    let document = docx(TEXT);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a.docx", "b.docx", "c.docx"] {
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(name, stored).unwrap();
        writer.write_all(&document).unwrap();
    }
    let backup = writer.finish().unwrap().into_inner();
    let folder = Folder::new().file("in/backup.zip", &backup[..3 * document.len()]).file("in/tides.docx", &document);
    let found = folder.dedup("find in");
    let refusal = "in/backup.zip: is not a valid ZIP archive or office document: its end is missing, or";
    assert!(found.code == 2 && found.stderr.contains(refusal), "{found:?}");
    folder.dedup("audit -q in --plan plan.jsonl").code_is(1);
    assert_eq!(folder.read_text("plan.jsonl"), "");
    folder.dedup("clean -q in -o out").code_is(2);
    assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), ["backup.zip", "tides.docx"]);
}

/// A heading and a screenshot each: what they show is unknown, so neither goes for the other.
#[test]
fn pictures_that_may_hold_text_keep_a_document() {
    let report = |picture: &str| {
        let body = "<w:document><w:p><w:r><w:t>Report of the harbour office, spring</w:t></w:r></w:p></w:document>";
        archive(&[("word/document.xml", body), ("word/media/image1.png", picture)])
    };
    let pictures = ["one", "two", "one"];
    let names = ["a.docx", "b.docx", "c.docx"];
    let folder = names
        .iter()
        .zip(pictures)
        .fold(Folder::new(), |folder, (name, picture)| folder.file(&format!("in/{name}"), report(picture)));
    for (options, stay) in [("", vec!["a.docx", "b.docx"]), (" --across-formats", vec!["a.docx"])] {
        folder.dedup(&format!("clean in -o out --force --keep first -q{options}")).quietly(0);
        assert_eq!(folder.files("out").into_keys().collect::<Vec<_>>(), stay);
    }
    let told = folder.dedup("screen in").stderr;
    assert!(
        told.contains("in/a.docx may be compared in part: 1 picture or other part may hold text; run OCR"),
        "{told}"
    );
}

#[test]
fn what_stays_is_copied_byte_for_byte() {
    let mut folder = Folder::new();
    for (number, (format, _)) in all(TEXT).into_iter().enumerate() {
        let text = format!("{number} {}", TEXT.replace(' ', &format!(" w{number}")));
        let (_, bytes) = all(&text).swap_remove(number);
        folder = folder.file(&format!("in/a.{format}"), &bytes).file(&format!("in/b.{format}"), &bytes);
    }
    let answer = folder.dedup("clean -q in -o out");
    assert_eq!(answer.code, 0, "{answer:?}");
    let (before, after) = (folder.files("in"), folder.files("out"));
    assert_eq!(after.len(), all(TEXT).len(), "{:?}", after.keys());
    assert!(after.iter().all(|(name, bytes)| before[name] == *bytes));
}

#[test]
fn one_that_cannot_be_read_does_not_end_a_run() {
    let good = docx(TEXT);
    let secret = archive(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", "<manifest><encryption-data/></manifest>"),
        ("content.xml", "?"),
    ]);
    let bomb = docx(&"a".repeat(64 << 20));
    let folder = Folder::new()
        .file("in/a.docx", &good)
        .file("in/b.rtf", rtf(TEXT))
        .file("in/bomb.docx", &bomb)
        .file("in/cut.docx", &good[..good.len() / 2])
        .file("in/cut.pdf", &pdf(TEXT)[..pdf(TEXT).len() / 2])
        .file("in/deep.rtf", format!("{{\\rtf1 {}", "{".repeat(200_000)))
        .file("in/deep.odt", odt(&"<text:span>".repeat(100_000)))
        .file("in/empty.pdf", pdf(""))
        .file("in/nested.zip", archive(&[("a.zip", "PK\u{3}\u{4}")]))
        .file("in/old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 W\0o\0r\0d\0D\0o\0c\0u\0m\0e\0n\0t\0")
        .file("in/cut.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on")
        .file("in/secret.odt", &secret);
    let answer = folder.dedup("find --format json in --problems problems.jsonl");
    answer.code_is(2);
    assert_eq!(answer.json().as_array().map(Vec::len), Some(1), "{answer:?}");
    let problems = folder.read_text("problems.jsonl");
    let mut expected = vec![
        ("bomb.docx", "unpacks to far more than a document of its size should"),
        ("cut.docx", "is not a valid ZIP archive or office document: its end is missing; copy it again"),
        ("deep.rtf", "is not a valid RTF: more than 10000 groups are nested"),
        ("deep.odt", "is not a valid ODT: content.xml: "),
        ("nested.zip/a.zip", "is not a valid ZIP archive or office document: its end is missing"),
        ("old.doc", "is a Word document of the old format (.doc); save it as DOCX, PPTX or PDF first"),
        (
            "cut.msg",
            "is not a valid message of Outlook or old office document: it is truncated or damaged; copy it again",
        ),
        ("secret.odt", "is encrypted; save it without a password first"),
    ];
    expected.extend(if cfg!(feature = "pdf") {
        [
            ("cut.pdf", "is not a valid PDF: its end is missing; copy it again"),
            ("empty.pdf", "contains no text, perhaps only pictures; run OCR on it first"),
        ]
    } else {
        let unread = "is a PDF, which this build does not read; install it with --features pdf";
        [("cut.pdf", unread), ("empty.pdf", unread)]
    });
    assert_eq!(problems.lines().count(), expected.len(), "{problems}");
    for (name, reason) in expected {
        assert!(
            problems.lines().any(|line| line.contains(name) && line.contains(reason)),
            "{name}: {reason}\n{problems}"
        );
    }
    folder.dedup("compare in/a.docx in/secret.odt").fails_saying("in/secret.odt: is encrypted");
}

#[test]
fn what_is_unpacked_counts_as_long() {
    let folder = Folder::new().file("long.odt", odt(&TEXT.repeat(2000))).file("short.odt", odt(TEXT));
    let answer = folder.dedup("find --max-document 100K --format json long.odt short.odt");
    answer.code_is(2);
    assert!(answer.stderr.contains("long.odt: is longer than 102400 bytes; raise --max-document"), "{answer:?}");
}
