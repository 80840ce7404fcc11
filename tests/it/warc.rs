//! Web archives: WARC and WET.

use std::io::Write as _;

use crate::folder::{Folder, jsonl, removals};

const MILL: &str = "The mill on the river ground rye for eleven villages until the dam broke in a night of rain. The miller's \
    daughter saw the water come, and ran up the hill with a lamp to wake the farms below.";
const HIVE: &str = "The hive was old, and the bees that lived in it were older still, or so the children said. Nobody had \
    opened it since the summer of the flood, when the wax came out in lumps.";

/// A record of this type that was fetched from here on this day of May.
fn record(kind: &str, uri: &str, day: u32, media: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: <{uri}>\r\nWARC-Date: 2024-05-{day:02}T12:30:00Z\r\n\
         Content-Type: {media}\r\nContent-Length: {length}\r\n\r\n"
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// An answer of HTTP that was fetched.
fn response(uri: &str, day: u32, head: &str, body: &[u8]) -> Vec<u8> {
    let answer = [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat();
    record("response", uri, day, "application/http; msgtype=response", &answer)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// An archive as crawlers write it: each record is packed alone.
fn archive() -> Vec<u8> {
    members().concat()
}

fn members() -> Vec<Vec<u8>> {
    let page =
        |text: &str| format!("<html><head><title>T</title></head><body><nav>Home</nav><p>{text}</p></body></html>");
    let plain = "200 OK\r\nContent-Type: text/plain; charset=latin1";
    let chunks = format!("{:x}\r\n{}\r\n0\r\n\r\n", page(MILL).len(), page(MILL));
    [
        record("warcinfo", "", 1, "application/warc-fields", b"software: none\r\n"),
        response(
            "http://a.org/mill",
            1,
            "200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked",
            chunks.as_bytes(),
        ),
        record("request", "http://a.org/hive", 1, "application/http; msgtype=request", b"GET /hive HTTP/1.1\r\n\r\n"),
        response(
            "http://a.org/hive",
            1,
            "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip",
            &gzip(page(HIVE).as_bytes()),
        ),
        response("http://a.org/gone", 2, "404 Not Found\r\nContent-Type: text/html", page(MILL).as_bytes()),
        response("http://a.org/mill.png", 2, "200 OK\r\nContent-Type: image/png", b"\x89PNG\r\n\x1a\n"),
        response("http://a.org/stra%C3%9Fe", 2, plain, b"Die Stra\xdfe am M\xfchlbach."),
        response("http://a.org/mill", 3, "200 OK\r\nContent-Type: text/html", page(MILL).as_bytes()),
    ]
    .iter()
    .map(|record| gzip(record))
    .collect()
}

#[test]
fn pages_of_an_archive_are_compared_with_texts_and_files() {
    let folder = Folder::new()
        .file("in/crawl.warc.gz", archive())
        .file("in/crawl.wet", record("conversion", "http://b.org/hive", 1, "text/plain", HIVE.as_bytes()))
        .file("in/mill.txt", MILL);
    let found = folder.dedup("find in --pairs --format csv --similarity 1 --distance none");
    let pairs: Vec<&str> = found.stdout.lines().skip(1).map(|line| line.split(",0,").next().unwrap()).collect();
    let expected = [
        "http://a.org/mill,in/crawl.warc.gz:8",
        "http://a.org/mill,in/mill.txt",
        "http://a.org/hive,http://b.org/hive",
    ];
    assert_eq!(pairs, expected, "{found:?}");
    let made = folder.dedup("fingerprint in/crawl.warc.gz -o crawl.fp");
    assert_eq!(
        made.stderr,
        "dedup: crawl.fp: read 4 documents (584 bytes of text) in 1 file; 1 with a repeated id, named by file and line; 2 \
         records of web archives left out (neither page nor text, or of a status other than 2xx)\n"
    );
    // A stream has no name by which it could be recognised.
    let piped = folder.dedup_with_input("find - --all -q --similarity 1", &archive());
    let survivors: String = piped.stdout.split_inclusive('\n').filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(survivors, "-:8\nhttp://a.org/hive\nhttp://a.org/stra%C3%9Fe\n");
}

#[test]
fn clean_writes_the_texts_of_an_archive() {
    let folder = Folder::new().file("crawl.warc.gz", archive());
    folder.dedup("clean -q crawl.warc.gz -o out.jsonl").quietly(0);
    let kept = jsonl(&folder.read_text("out.jsonl"));
    let row = |uri: &str, day: u32, text: &str| serde_json::json!({"id": uri, "date": format!("2024-05-{day:02}T12:30:00Z"), "text": text});
    let expected = [
        row("http://a.org/hive", 1, HIVE),
        row("http://a.org/stra%C3%9Fe", 2, "Die Straße am Mühlbach."),
        row("http://a.org/mill", 3, MILL),
    ];
    let trimmed = |mut row: serde_json::Value| {
        row["text"] = row["text"].as_str().unwrap().trim().into();
        row
    };
    assert_eq!(kept.into_iter().map(trimmed).collect::<Vec<_>>(), expected);
    let removed = removals(&folder.read_text("out.jsonl.removed.jsonl"));
    assert_eq!((&removed[0]["id"], &removed[0]["survivor"]), (&"http://a.org/mill".into(), &"crawl.warc.gz:8".into()));
    // The date of each record, and the field that names it.
    folder.dedup("clean -q crawl.warc.gz -o new.csv --keep field:WARC-Date:desc").quietly(0);
    assert!(
        folder.read_text("new.csv").starts_with("id,date,text\nhttp://a.org/hive,2024-05-01"),
        "the later copy stays"
    );
    assert!(folder.read_text("new.csv").contains("\nhttp://a.org/mill,2024-05-03"));
    for output in ["out.warc.gz", "out", "folder/"] {
        let refused = folder.dedup(&format!("clean crawl.warc.gz -o {output}"));
        assert!(
            refused.code == 2 && refused.stderr.contains("web archives (WARC) are read, but not written"),
            "{refused:?}"
        );
    }
    folder
        .dedup("clean --repeats crawl.warc.gz -o cut.jsonl")
        .fails_saying("web archives (WARC) are not written; convert the archive first");
}

#[test]
fn broken_records_are_named_and_the_rest_is_read() {
    let good = |uri: &str, text: &str| response(uri, 1, "200 OK\r\nContent-Type: text/plain", text.as_bytes());
    let lie =
        String::from_utf8(good("http://a.org/lie", MILL)).unwrap().replace("Content-Length: ", "Content-Length: 9");
    let packed = "200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip";
    let archive = [
        good("http://a.org/mill", MILL),
        lie.into_bytes(),
        b"WARC/1.0\r\nWARC-Type: response\r\n".to_vec(),
        response("http://a.org/bomb", 1, packed, &gzip("a".repeat(300_000).as_bytes())),
        response("http://a.org/half", 1, packed, &gzip(HIVE.as_bytes())[..90]),
        response(
            "http://a.org/chunks",
            1,
            "200 OK\r\nTransfer-Encoding: chunked",
            b"3\r\nThe\r\n3\r\nhive\r\n0\r\n\r\n",
        ),
        good("http://a.org/hive", HIVE),
        good("http://a.org/cut", HIVE)[..300].to_vec(),
    ]
    .concat();
    let folder = Folder::new().file("crawl.warc", archive);
    let found = folder.dedup("find crawl.warc --all -q --max-document 100K --problems problems.jsonl");
    assert_eq!((found.code, &*found.stdout), (2, "http://a.org/mill\nhttp://a.org/hive\n"), "{found:?}");
    let problems = jsonl(&folder.read_text("problems.jsonl"));
    let told: Vec<String> = problems
        .iter()
        .map(|it| format!("{} {} {}: {}", it["file"], it["record"], it["kind"], it["reason"]).replace('"', ""))
        .collect();
    let [warc, http] = ["WARC record", "answer of HTTP"].map(|format| move |record: u32, what: &str| {
        format!(
            "crawl.warc {record} damaged document: is not a valid {format}: {what}; copy it again, or save it anew with the \
             program that made it"
        )
    });
    let expected = [
        warc(2, "the file ends before its Content-Length does"),
        warc(3, "its header does not end"),
        "crawl.warc 4 too long: is longer than 102400 bytes; raise --max-document or --max-memory to read it".into(),
        http(5, "its coding 'gzip' cannot be undone (incomplete deflate stream)"),
        http(6, "a chunk of another length than it says"),
        warc(8, "the file ends before its Content-Length does"),
    ];
    assert_eq!(told, expected);
    let strict = folder.dedup("find crawl.warc --strict");
    assert!(
        strict.code == 2 && strict.stderr.contains("crawl.warc, record 2: is not a valid WARC record"),
        "{strict:?}"
    );
}

#[test]
fn a_damaged_member_is_named_and_the_rest_is_read() {
    let mut members = members();
    // The checksum of one, and half of the other.
    let at = members[1].len() - 8;
    members[1][at] ^= 1;
    let half = members[6].len() / 2;
    members[6].truncate(half);
    let folder = Folder::new().file("crawl.warc.gz", members.concat());
    let answer = folder.dedup("clean crawl.warc.gz -o out.jsonl --problems problems.jsonl");
    answer.code_is(2);
    let kept = jsonl(&folder.read_text("out.jsonl"));
    let kept: Vec<_> =
        kept.iter().map(|row| (row["id"].as_str().unwrap(), row["text"].as_str().unwrap().trim())).collect();
    assert_eq!(kept, [("http://a.org/hive", HIVE), ("http://a.org/mill", MILL)]);
    let problems = jsonl(&folder.read_text("problems.jsonl"));
    let named = |record: u32, why: &str| {
        serde_json::json!({
            "fate": "goes",
            "file": "crawl.warc.gz",
            "kind": "damaged document",
            "reason": format!(
                "is not a valid WARC record: its gzip member is damaged ({why}); copy it again, or save it anew with the program \
                 that made it"
            ),
            "record": record,
        })
    };
    let checksum = "corrupt gzip stream does not have a matching checksum";
    assert_eq!(problems, [named(2, checksum), named(7, checksum)]);
    assert!(answer.stderr.contains("crawl.warc.gz, record 2: is not a valid WARC record"), "{answer:?}");
    // Of what is truncated at its end, the rest is lost, and how much that is nobody knows.
    members.truncate(7);
    let folder = folder.file("crawl.warc.gz", members.concat());
    let answer = folder.dedup("find crawl.warc.gz --all -q --problems again.jsonl");
    assert_eq!((answer.code, &*answer.stdout), (2, "http://a.org/hive\n"));
    let told: Vec<_> = jsonl(&folder.read_text("again.jsonl")).into_iter().map(|it| it["record"].clone()).collect();
    assert_eq!(told, [2.into(), serde_json::Value::Null]);
}
