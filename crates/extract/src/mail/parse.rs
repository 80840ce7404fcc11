//! A mail, parsed, and what is damaged in it.
//!
//! A mail of several parts ends with a line of its own: its boundary between two pairs of hyphens. Without that line the parser
//! leaves the last part as it is written. So the line is added, and the mail is parsed again; what may be missing before it is
//! unknown.
//!
//! A part in Base64 with other characters, or whose last group has fewer than four of them, was changed or truncated: none of
//! its bytes are what was sent, or the last are missing.
//!
//! Cost: linear in the bytes, twice for a mail without its end.
//!
//! Source: RFC 2046 (5.1.1: boundaries), RFC 2045 (6.8: Base64), read by the crate `mail-parser`.

use mail_parser::{Encoding, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use memchr::memmem;

use crate::Refusal;

/// Reads a parsed mail; the second argument of `read` is true if its end is missing.
///
/// # Errors
///
/// [`Refusal::Damaged`] if it has no header.
pub(super) fn read<T>(bytes: &[u8], read: impl FnOnce(&Message<'_>, bool) -> T) -> Result<T, Refusal> {
    let mail = parsed(bytes)?;
    match with_end(&mail, bytes) {
        None => Ok(read(&mail, false)),
        Some(whole) => Ok(read(&parsed(&whole)?, true)),
    }
}

fn parsed(bytes: &[u8]) -> Result<Message<'_>, Refusal> {
    // Places in it are numbers of 32 bits.
    let is_small = u32::try_from(bytes.len()).is_ok();
    let parsed = is_small.then(|| MessageParser::default().parse(bytes)).flatten();
    parsed.ok_or_else(|| Refusal::Damaged { format: "mail", what: "it has no header".into() })
}

/// The mail with the last lines of its parts, the inner ones first; `None` if it has them.
fn with_end(mail: &Message<'_>, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut ends = Vec::new();
    each_end(mail, &mut |end| ends.push(end));
    ends.retain(|end| memmem::find(bytes, end.as_bytes()).is_none());
    if ends.is_empty() {
        return None;
    }
    let last_line = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
    let (before, last) = bytes.split_at(last_line);
    let is_begun = last.starts_with(b"--") && ends.iter().any(|end| end.as_bytes().starts_with(last));
    let mut whole = if is_begun { before } else { bytes }.to_vec();
    // The line break before a boundary belongs to it.
    if !whole.ends_with(b"\n") {
        whole.push(b'\n');
    }
    for end in ends.iter().rev() {
        whole.extend_from_slice(end.as_bytes());
        whole.push(b'\n');
    }
    Some(whole)
}

/// Calls `found` with the last line of each part that has parts itself, the outer ones first.
fn each_end(mail: &Message<'_>, found: &mut dyn FnMut(String)) {
    for part in &mail.parts {
        match &part.body {
            PartType::Multipart(_) => {
                let boundary = part.content_type().and_then(|content| content.attribute("boundary"));
                if let Some(boundary) = boundary {
                    found(format!("--{boundary}--"));
                }
            }
            // One that is encoded has lines of its own.
            PartType::Message(inner) if part.encoding == Encoding::None => each_end(inner, found),
            _ => {}
        }
    }
}

/// What is wrong with a part of a mail that is in Base64; `None` if nothing is.
pub(super) fn damage(mail: &Message<'_>, part: &MessagePart<'_>) -> Option<&'static str> {
    if !is_base64(part) {
        return None;
    }
    if is_undecoded(part) {
        return Some("its Base64 is malformed or truncated");
    }
    let body = mail.raw_message.get(part.offset_body as usize..part.offset_end as usize)?;
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    // Padding ends a group.
    let last = body.rsplit(|byte| *byte == b'=').next().unwrap_or_default();
    (last.iter().filter(|byte| is_digit(byte)).count() % 4 != 0).then_some("its Base64 is truncated")
}

fn is_base64(part: &MessagePart<'_>) -> bool {
    part.content_transfer_encoding().is_some_and(|encoding| encoding.eq_ignore_ascii_case("base64"))
}

/// True if a part in Base64 stands as it is written, because it cannot be decoded.
pub(super) fn is_undecoded(part: &MessagePart<'_>) -> bool {
    is_base64(part) && part.is_encoding_problem && part.encoding == Encoding::None
}

#[cfg(test)]
mod tests {
    use super::super::{attachments, text};

    const TIDES: &str = "The tide comes in twice a day. ";

    /// A mail with a text and two attachments, one of them in Base64, and its text without the line of the last.
    fn mail() -> (String, String) {
        let head = "From: a@example.org\nDate: Wed, 1 May 2024 12:30:00 +0000\nMIME-Version: 1.0\n\
            Content-Type: multipart/mixed; boundary=\"=_1\"\n\n--=_1\nContent-Type: multipart/alternative; boundary=in\n\n\
            --in\nContent-Type: text/plain\n\nSee the files.\n--in--\n\n";
        let part = |name: &str, encoding: &str, body: &str| {
            format!(
                "--=_1\nContent-Type: application/octet-stream\nContent-Disposition: attachment; filename={name}\n\
                 Content-Transfer-Encoding: {encoding}\n\n{body}\n"
            )
        };
        // "The tide comes in twice a day. " three times, in lines of 60 letters.
        let base64 = "VGhlIHRpZGUgY29tZXMgaW4gdHdpY2UgYSBkYXkuIFRoZSB0aWRlIGNvbWVz\nIGluIHR3aWNlIGEgZGF5LiBUaGUgdGlkZSBjb21lcyBpbiB0d2ljZSBhIGRh\neS4g";
        (format!("{head}{}", part("a.txt", "8bit", TIDES)), part("b.txt", "base64", base64))
    }

    fn names(mail: &str) -> Vec<(String, String, Option<&'static str>)> {
        let carried = attachments(mail.as_bytes()).unwrap().into_iter();
        carried.map(|it| (it.name, String::from_utf8_lossy(&it.bytes).into_owned(), it.damage)).collect()
    }

    #[test]
    fn a_part_without_its_end_is_decoded_all_the_same() {
        let (first, second) = mail();
        let whole = format!("{first}{second}--=_1--\n");
        let expected = [("a.txt", TIDES.to_owned()), ("b.txt", TIDES.repeat(3))];
        let expected = expected.map(|(name, text)| (name.to_owned(), text, None)).to_vec();
        assert_eq!(names(&whole), expected);
        let read = text(whole.as_bytes()).unwrap();
        assert_eq!(read.pictured, 0);
        for end in ["", "--", "--=_", "--=_1", "--=_1-"] {
            let cut = format!("{first}{second}{end}");
            assert_eq!(names(&cut), expected, "{end}");
            let cut = text(cut.as_bytes()).unwrap();
            assert_eq!((&cut.text, cut.pictured), (&read.text, 1), "{end}");
        }
        let crlf = format!("{first}{second}").replace('\n', "\r\n");
        assert_eq!(names(&crlf), expected);
    }

    #[test]
    fn base64_that_is_no_more_whole_is_named() {
        let (first, second) = mail();
        let whole = format!("{first}{second}--=_1--\n");
        let base64 = second.find("\n\n").unwrap() + 2;
        for length in base64 + 1..second.trim_end().len() {
            let digits = second[base64..length].bytes().filter(|byte| *byte != b'\n').count();
            let found = names(&format!("{first}{}", &second[..length]));
            let expected = (digits % 4 != 0).then_some("its Base64 is truncated");
            assert_eq!((found.len(), found[1].2), (2, expected), "{length}");
            assert!(found[1].2.is_some() || TIDES.repeat(3).starts_with(&found[1].1), "{found:?}");
        }
        let malformed = whole.replace("IGlu", "I\u{1}lu");
        assert_eq!(names(&malformed)[1].2, Some("its Base64 is malformed or truncated"));
        assert_eq!(text(malformed.as_bytes()).unwrap().pictured, 1);
        assert!(!text(malformed.as_bytes()).unwrap().text.contains("VGhl"));
        let body = "From: a@example.org\nDate: Wed, 1 May 2024 12:30:00 +0000\nMIME-Version: 1.0\n\
            Content-Transfer-Encoding: base64\n\n";
        let of = |base64: &str| text(format!("{body}{base64}\n").as_bytes()).map(|read| (read.text, read.pictured));
        assert!(of("SGVsbG8u").unwrap().0.ends_with("\nHello.\n"));
        assert_eq!(of("SGVsbG8uIGFn").unwrap().1, 0);
        assert_eq!(of("SGVsbG8uIGF").unwrap().1, 1, "what is missing is unknown");
        assert!(of("SGVs\u{1}bG8u").unwrap_err().to_string().contains("Base64"));
    }

    #[test]
    fn no_truncation_is_fatal() {
        let (first, second) = mail();
        let inner = "--=_1\nContent-Type: message/rfc822\n\nFrom: b@example.org\nContent-Type: multipart/mixed; boundary=x\n\n\
            --x\nContent-Transfer-Encoding: base64\n\nSGVsbG8u\n--x--\n";
        let whole = format!("{first}{inner}{second}--=_1--\n");
        for length in 0..whole.len() {
            let cut = &whole.as_bytes()[..length];
            let found = text(cut).map(|read| read.text).unwrap_or_default();
            assert!(!found.contains("VGhl") && !found.contains("SGVs"), "{found}");
            for carried in attachments(cut).unwrap_or_default() {
                let is_raw = String::from_utf8_lossy(&carried.bytes).contains("VGhl");
                assert!(carried.damage.is_some() || !is_raw, "{length}: {carried:?}");
            }
        }
    }
}
