use proptest::prelude::*;

use super::*;

/// A record of this type that was fetched from here.
fn record(kind: &str, uri: &str, media: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let header = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-05-01T12:30:00Z\r\n\
         Content-Type: {media}\r\nContent-Length: {length}\r\n\r\n"
    );
    [header.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A text that was fetched.
fn text(uri: &str, text: &str) -> Vec<u8> {
    record("conversion", uri, "text/plain", text.as_bytes())
}

/// Gives at most seven bytes at a time, and an error at the end if asked to.
struct Slow<'a>(&'a [u8], bool);

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let step = 7.min(to.len());
        match self.0.read(&mut to[..step]) {
            Ok(0) if self.1 => Err(io::ErrorKind::UnexpectedEof.into()),
            other => other,
        }
    }
}

/// What was cut: the number of each record, with its address or what is wrong with it; and the number of other records.
fn cut(bytes: &[u8], limit: u64, fails: bool) -> (Vec<(u64, String)>, u64, bool) {
    let (mut found, mut all_others) = (Vec::new(), 0);
    let mut archive = Archive::new(Slow(bytes, fails), limit);
    loop {
        match archive.next() {
            Ok(Some(Piece::Records { records, others })) => {
                all_others += others;
                found.extend(records.iter().map(|raw| {
                    let stored = Stored::new(Header::parse(&raw.bytes).unwrap(), &raw.bytes);
                    (raw.number, stored.uri().unwrap_or_default().to_owned())
                }));
            }
            Ok(Some(Piece::Lost { record, reason })) => found.push((record, reason.to_string())),
            Ok(None) => return (found, all_others, false),
            Err(_) => {
                assert!(archive.next().unwrap().is_none());
                return (found, all_others, true);
            }
        }
    }
}

/// The same of a whole stream, with what is expected: the beginnings of addresses and words of problems.
#[track_caller]
fn is_cut(bytes: &[u8], limit: u64, expected: &[(u64, &str)]) {
    let (found, ..) = cut(bytes, limit, false);
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for ((number, what), (expected, words)) in found.iter().zip(expected) {
        assert!(number == expected && what.contains(words), "{found:?}");
    }
}

const LIMIT: u64 = 1 << 20;

#[test]
fn records_are_numbered_in_their_file() {
    let archive = [
        record("warcinfo", "", "application/warc-fields", b"software: a\r\n"),
        text("a:", "High."),
        record("resource", "a:p", "image/png", b"PNG"),
        text("a:b", ""),
        // Without line breaks at the end.
        text("a:c", "Low.").strip_suffix(b"\r\n\r\n").unwrap().to_vec(),
    ]
    .concat();
    is_cut(&archive, LIMIT, &[(2, "a:"), (4, "a:b"), (5, "a:c")]);
    assert_eq!(cut(&archive, LIMIT, false).1, 1);
    is_cut(b"", LIMIT, &[]);
    is_cut(b"\r\n\r\n", LIMIT, &[]);
    let many: Vec<u8> = (0..3000).flat_map(|number| text(&format!("a:{number}"), &"tide ".repeat(90))).collect();
    let (found, ..) = cut(&many, LIMIT, false);
    assert!(
        found.len() == 3000
            && (1..).zip(&found).all(|(at, (number, uri))| at == *number && *uri == format!("a:{}", at - 1))
    );
}

#[test]
fn after_a_broken_record_the_next_is_read() {
    let lies = |length: &str| {
        let text = String::from_utf8(text("a:lie", "High tide.")).unwrap();
        text.replace("Content-Length: 10", &format!("Content-Length: {length}")).into_bytes()
    };
    let [a, b] = ["a:1", "a:2"].map(|uri| text(uri, "Low."));
    let wrong = "Content-Length is wrong";
    for (broken, words) in [
        (lies("9"), wrong),
        (lies("3"), wrong),
        (lies("18"), wrong),
        (lies("400"), "file ends before"),
        (lies("99999999999"), wrong),
        (lies("99999999999999999999"), "no Content-Length"),
        (lies("ten"), "no Content-Length"),
        (b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 5\r\n".to_vec(), "header does not end"),
        ([b"WARC/1.0\r\n", &b"x".repeat(200_000)[..], b"\r\n"].concat(), "header does not end"),
    ] {
        let archive = [&a[..], &broken, &b].concat();
        is_cut(&archive, LIMIT, &[(1, "a:1"), (2, words), (3, "a:2")]);
    }
    is_cut(&[b"A text.\n", &a[..]].concat(), LIMIT, &[(1, "does not begin with the line"), (2, "a:1")]);
    is_cut(&[&a[..], &b[..b.len() - 6]].concat(), LIMIT, &[(1, "a:1"), (2, "file ends before")]);
    is_cut(&[&a[..], &b[..30]].concat(), LIMIT, &[(1, "a:1"), (2, "header does not end")]);
}

#[test]
fn a_record_beyond_the_limit_is_passed_over() {
    let long = "tide ".repeat(100_000);
    let archive = [
        text("a:1", "High."),
        text("a:2", &long),
        record("resource", "a:3", "video/mp4", long.as_bytes()),
        record("request", "a:4", "application/http", long.as_bytes()),
        text("a:5", "Low."),
        text("a:6", &long),
    ]
    .concat();
    let (found, others, _) = cut(&archive, 1000, false);
    let too_long = Reason::TooLong(1000).to_string();
    let expected = [(1, "a:1".into()), (2, too_long.clone()), (5, "a:5".into()), (6, too_long)];
    assert_eq!((found, others), (expected.into(), 1));
}

#[test]
fn an_error_cuts_off_one_record() {
    let archive = [text("a:1", "High."), text("a:2", "Low.")].concat();
    let (found, _, failed) = cut(&archive[..archive.len() - 9], LIMIT, true);
    assert_eq!((found, failed), (vec![(1, "a:1".to_owned())], true));
    assert_eq!(cut(&archive, LIMIT, true).0.len(), 2);
}

/// Headers without end and lengths that lie, each a few bytes long: what is read for one must not be read for each.
#[test]
fn broken_records_do_not_cost_their_square() {
    for broken in ["WARC/1.0\n", "WARC/1.0\nContent-Length: 900000\n\n"] {
        let archive = broken.repeat(100_000);
        let start = std::time::Instant::now();
        let mut archive = Archive::new(archive.as_bytes(), LIMIT);
        let mut lost = 0;
        while let Some(piece) = archive.next().unwrap() {
            lost += u64::from(matches!(piece, Piece::Lost { .. }));
        }
        assert_eq!(lost, 100_000);
        assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    }
}

proptest! {
    /// The plain twin: a record begins at each line that begins one, if no text has such a line and no length is wrong.
    #[test]
    fn whole_records_are_those_between_lines_that_begin_one(texts in prop::collection::vec("[a-z\r\n]{0,40}", 0..6), limit in 150u64..400) {
        let archive: Vec<u8> =
            (0..).zip(&texts).flat_map(|(number, it)| text(&format!("a:{number}"), it)).collect();
        let (found, ..) = cut(&archive, limit, false);
        let plain = String::from_utf8(archive).unwrap();
        let plain: Vec<&str> = plain.split("WARC/1.0\r\n").skip(1).collect();
        prop_assert_eq!(plain.len(), texts.len());
        for (at, (number, what)) in found.iter().enumerate() {
            prop_assert_eq!(*number, at as u64 + 1);
            let fits = ("WARC/1.0\r\n\r\n".len() + plain[at].len() - 6) as u64 <= limit;
            let expected = if fits { format!("a:{at}") } else { Reason::TooLong(limit).to_string() };
            prop_assert_eq!(what, &expected);
        }
        prop_assert_eq!(found.len(), texts.len());
    }

    #[test]
    fn no_bytes_are_fatal(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..9),
        end in 0usize..=100,
        limit in 0u64..700,
    ) {
        let mut bytes = [text("a:1", "High."), record("response", "a:2", "application/http", b"HTTP/1.1 200 OK\r\n\r\nLow."), text("a:3", "Tide.")].concat();
        bytes.truncate(bytes.len() * end / 100);
        for (place, value) in changes {
            if !bytes.is_empty() {
                let place = place.index(bytes.len());
                bytes[place] = value;
            }
        }
        let (found, ..) = cut(&bytes, limit, false);
        prop_assert!(found.len() <= 40);
    }
}
