use std::io::Write;

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::*;

const TIDE: &[u8] = b"The tide comes in twice a day.";

/// `TIDE` in brotli, as the one uncompressed part of a stream: 17 bits of header, then the bytes, then an empty last part.
fn brotli() -> Vec<u8> {
    // A window of 16 bits (0), not the last part (0), four nibbles of length (00), length − 1 = 29, uncompressed (1).
    let bits: u32 = 29 << 4 | 1 << 20;
    [&bits.to_le_bytes()[..3], TIDE, &[3]].concat()
}

fn body(fields: &str, body: &[u8], is_cut: bool) -> Result<Vec<u8>, String> {
    let bytes = [format!("HTTP/1.1 200 OK\r\n{fields}\r\n").as_bytes(), body].concat();
    let answer = Answer::parse(&bytes).unwrap();
    answer.uncoded(100, is_cut).map(Cow::into_owned).map_err(|refusal| refusal.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn codings_are_undone_in_order() {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(TIDE).unwrap();
    let mut raw = DeflateEncoder::new(Vec::new(), Compression::default());
    raw.write_all(TIDE).unwrap();
    let packed = gzip(TIDE);
    let chunks = [format!("{:x};x=y\r\n", packed.len()).as_bytes(), &packed, b"\r\n0\r\nA: b\r\n\r\n"].concat();
    for (fields, bytes) in [
        ("", TIDE.to_vec()),
        ("Content-Encoding: identity\r\n", TIDE.to_vec()),
        ("content-encoding: X-GZIP\r\n", gzip(TIDE)),
        ("Content-Encoding: deflate\r\n", zlib.finish().unwrap()),
        ("Content-Encoding: deflate\r\n", raw.finish().unwrap()),
        ("Content-Encoding: br\r\n", brotli()),
        ("Content-Encoding: gzip, gzip\r\n", gzip(&gzip(TIDE))),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunks.clone()),
        ("Transfer-Encoding: gzip, chunked\r\n", chunks),
        ("Transfer-Encoding: chunked\r\n", b"4\r\nThe \r\n1A\r\ntide comes in twice a day.\r\n0\r\n\r\n".to_vec()),
        // Without the last chunk.
        ("Transfer-Encoding: chunked\r\n", b"4\r\nThe \r\n1A\r\ntide comes in twice a day.\r\n".to_vec()),
        // Stored with its codings undone.
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", TIDE.to_vec()),
        ("Content-Encoding: br\r\n", TIDE.to_vec()),
        ("Content-Encoding: deflate\r\n", TIDE.to_vec()),
        ("Content-Encoding: zstd\r\n", TIDE.to_vec()),
    ] {
        assert_eq!(body(fields, &bytes, false).as_deref(), Ok(TIDE), "{fields}");
    }
    // `add` is a size too, but no chunk of it follows.
    assert_eq!(body("Transfer-Encoding: chunked\r\n", b"add\r\nthe tide", false).unwrap(), b"add\r\nthe tide");
}

#[test]
fn what_cannot_be_undone_is_refused() {
    let packed = gzip(&TIDE.repeat(3));
    let half = &packed[..packed.len() - 12];
    for (fields, bytes, expected) in [
        ("Content-Encoding: gzip\r\n", &gzip(&[b'x'; 101])[..], "unpacks to far more"),
        ("Content-Encoding: gzip\r\n", half, "its coding 'gzip' cannot be undone"),
        ("Content-Encoding: zstd\r\n", &packed, "its coding 'zstd' is not read"),
        ("Content-Encoding: gzip, gzip, gzip, gzip\r\n", &packed, "too many codings"),
        ("Transfer-Encoding: chunked\r\n", b"3\r\nThe\r\nsoon\r\n", "a chunk without a size"),
        ("Transfer-Encoding: chunked\r\n", b"3\r\nThe\r\n2\r\nsoon\r\n", "a chunk of another length than it says"),
        ("Transfer-Encoding: chunked\r\n", b"3\r\nThe\r\n9\r\nsoon", "a chunk of another length than it says"),
    ] {
        let refusal = body(fields, bytes, false).unwrap_err();
        assert!(refusal.contains(expected), "{fields}: {refusal}");
    }
    // Of what was cut short all that there is is read.
    let cut = body("Transfer-Encoding: chunked\r\n", b"3\r\nThe\r\n9\r\n tide", true);
    assert_eq!(cut.as_deref(), Ok(&b"The tide"[..]));
    assert!(TIDE.repeat(3).starts_with(&body("Content-Encoding: gzip\r\n", half, true).unwrap()));
}

#[test]
fn headers_are_read_leniently_and_within_bounds() {
    let bytes = b"HTTP/2  204\nContent-Type : Text/HTML ; Charset=\"latin1\"\nno field\nX: a\n  b\n\nrest";
    let answer = Answer::parse(bytes).unwrap();
    assert_eq!((answer.status, answer.body), (204, &b"rest"[..]));
    assert_eq!(answer.fields.media().name(), "text/html");
    assert_eq!(answer.fields.media().charset().map(Encoding::name), Some("windows-1252"));
    let many = format!("HTTP/1.1 200 OK\r\n{}\r\n", "a: b\r\n".repeat(FIELDS + 1));
    let long = format!("HTTP/1.1 200 OK\r\n{}\r\n\r\n", "a".repeat(HEADER));
    for bytes in ["", "HTTP/1.1 200 OK\r\nA: b\r\n", "<html>\n\n", "HTTP/1.1\r\n\r\n", &many, &long] {
        assert!(Answer::parse(bytes.as_bytes()).is_none(), "{bytes:.40}");
    }
    for (media, format) in [
        ("text/html;charset=utf-8", Some(Format::Html)),
        ("text/plain", Some(Format::Text)),
        ("application/pdf", Some(Format::Pdf)),
        ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", Some(Format::Docx)),
        ("text/css", None),
        ("image/png", None),
        ("", None),
    ] {
        assert_eq!(Media(media).format(), format, "{media}");
    }
    assert_eq!(Media("text/html; charset=nonsense").charset().map(Encoding::name), None);
}
