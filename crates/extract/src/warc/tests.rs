use proptest::prelude::*;

use super::*;

/// A record of this type, with further lines of its header.
fn record(kind: &str, lines: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!("WARC/1.1\r\nWARC-Type: {kind}\r\n{lines}Content-Length: {length}\r\n\r\n");
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(lines: &str, answer: &[u8]) -> Vec<u8> {
    record("response", &format!("Content-Type: application/http; msgtype=response\r\n{lines}"), answer)
}

fn parsed(bytes: &[u8]) -> Record<'_> {
    let header = Header::parse(bytes).unwrap();
    let end = header.end + header.length as usize;
    Record::new(header, &bytes[..end])
}

fn text(bytes: &[u8]) -> Result<String, String> {
    let document = parsed(bytes).document(Options::default(), 1000);
    document.map(|document| document.text.trim().to_owned()).map_err(|refusal| refusal.to_string())
}

#[test]
fn an_answer_is_a_document() {
    let lines = "WARC-Target-URI: <http://example.org/a>\r\nWARC-Date: 2024-05-01T12:30:00Z\r\n";
    let page = response(lines, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html><p>High <b>tide</b>.</p>");
    let record = parsed(&page);
    assert_eq!(record.holds(), Holds::Document);
    assert_eq!((record.uri(), record.field("warc-type")), (Some("http://example.org/a"), Some("response")));
    let document = record.document(Options::default(), 1000).unwrap();
    assert_eq!((document.text.trim(), document.format), ("High tide.", Format::Html));
    assert_eq!((&*document.id, document.date), ("http://example.org/a", Some(1_714_566_600)));
}

#[test]
fn characters_are_those_of_the_header_then_of_the_page() {
    let answer = |media: &str, body: &[u8]| {
        response("", &[format!("HTTP/1.1 200 OK\r\nContent-Type: {media}\r\n\r\n").as_bytes(), body].concat())
    };
    let cyrillic = b"\xd0\xd2\xc9\xcc\xc9\xd7";
    assert_eq!(text(&answer("text/plain; charset=koi8-r", cyrillic)).unwrap(), "прилив");
    let page = [b"<html><meta charset=koi8-r><p>", &cyrillic[..]].concat();
    assert_eq!(text(&answer("text/html", &page)).unwrap(), "прилив");
    assert_eq!(text(&answer("text/html; charset=windows-1251", &page)).unwrap(), "РТЙМЙЧ", "the header counts more");
    assert_eq!(
        text(&answer("text/plain; charset=latin1", b"\xef\xbb\xbfM\xc3\xa4r")).unwrap(),
        "Mär",
        "a mark counts most"
    );
    let named = Options { encoding: "koi8-r".parse().ok(), ..Options::default() };
    let bytes = answer("text/plain; charset=latin1", cyrillic);
    assert_eq!(parsed(&bytes).document(named, 1000).unwrap().text, "прилив");
    let picture = answer("text/html; charset=utf-8", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    assert!(text(&picture).unwrap_err().starts_with("is a picture, not a text"));
}

#[test]
fn other_records_are_no_documents() {
    let http = |status: &str, media: &str| response("", format!("HTTP/1.1 {status}\r\n{media}\r\nHigh.").as_bytes());
    let uri = |uri: &str| format!("WARC-Target-URI: {uri}\r\nContent-Type: text/plain\r\n");
    for (bytes, holds) in [
        (http("200 OK", "Content-Type: text/plain\r\n"), Holds::Document),
        (http("200 OK", ""), Holds::Document),
        (http("404 Not Found", "Content-Type: text/html\r\n"), Holds::Other),
        (http("301 Moved", "Content-Type: text/html\r\n"), Holds::Other),
        (http("200 OK", "Content-Type: image/png\r\n"), Holds::Other),
        (response("", b"HTTP/1.1 200 OK\r\n\r\n\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), Holds::Other),
        (record("response", "Content-Type: text/dns\r\n", b"1.2.3.4"), Holds::Nothing),
        (record("resource", &uri("http://example.org/a.txt"), b"High."), Holds::Document),
        (record("resource", &uri("<metadata://gnu.org/software/wget/warc/wget.log>"), b"High."), Holds::Nothing),
        (record("conversion", &uri("http://example.org/"), b"High."), Holds::Document),
        (record("warcinfo", "Content-Type: application/warc-fields\r\n", b"software: x"), Holds::Nothing),
        (
            record("request", "Content-Type: application/http; msgtype=request\r\n", b"GET / HTTP/1.1\r\n\r\n"),
            Holds::Nothing,
        ),
        (record("metadata", &uri("http://example.org/"), b"a: b"), Holds::Nothing),
        (
            record("revisit", "Content-Type: application/http; msgtype=response\r\n", b"HTTP/1.1 200 OK\r\n\r\n"),
            Holds::Nothing,
        ),
        // What is wrong with it is said when it is read.
        (response("", b"HTTP/1.1 200 OK\r\nContent-Type: text/html"), Holds::Document),
    ] {
        assert_eq!(parsed(&bytes).holds(), holds, "{}", String::from_utf8_lossy(&bytes));
    }
    assert_eq!(text(&record("conversion", &uri("http://example.org/"), b"<p>High & low.")).unwrap(), "<p>High & low.");
}

#[test]
fn broken_records_are_refused() {
    let told = |bytes: &[u8]| Header::parse(bytes).err().map(|refusal| refusal.to_string());
    for (bytes, expected) in [
        (&b"a text"[..], "it does not begin with the line"),
        (b"WARC/1.0\r\nContent-Length: 4\r\n", "its header does not end"),
        (b"WARC/1.0\r\nContent-Length: 4\r\nWARC/1.0\r\nContent-Length: 4\r\n\r\nHigh", "its header does not end"),
        (b"WARC/1.0\r\nWARC-Type: response\r\n\r\n", "its header has no Content-Length"),
        (b"WARC/1.0\r\nContent-Length: many\r\n\r\n", "its header has no Content-Length"),
    ] {
        assert!(told(bytes).unwrap().contains(expected), "{bytes:?}");
    }
    let endless = response("", b"HTTP/1.1 200 OK\r\nContent-Type: text/html");
    assert!(text(&endless).unwrap_err().contains("its answer has no header of HTTP"));
    let cut = response(
        "WARC-Truncated: length\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nHigh",
    );
    assert_eq!(text(&cut).unwrap(), "High");
}

proptest! {
    #[test]
    fn no_bytes_are_fatal(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..8),
        cut in 0usize..=100,
    ) {
        let mut bytes = response("WARC-Date: 2024-05-01T12:30:00Z\r\n", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n\
            Transfer-Encoding: chunked\r\n\r\n4\r\n<p>H\r\n3\r\nigh\r\n0\r\n\r\n");
        bytes.truncate(bytes.len() * cut / 100);
        for (place, value) in changes {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
        }
        if let Ok(header) = Header::parse(&bytes) {
            let record = Record::new(header, &bytes);
            let _ = (record.holds(), record.is_packed(), record.document(Options::default(), 100));
        }
    }
}
