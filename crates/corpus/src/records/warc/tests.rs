use std::io::Write as _;

use proptest::prelude::*;

use super::*;
use crate::compression::Compression;

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
    cut_of(Slow(bytes, fails), limit)
}

fn cut_of(from: impl Read, limit: u64) -> (Vec<(u64, String)>, u64, bool) {
    let (mut found, mut all_others) = (Vec::new(), 0);
    let mut archive = Archive::new(from, limit);
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

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = Compression::Gzip.encode(Vec::new()).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The same of a packed archive.
fn cut_packed(members: &[Vec<u8>], limit: u64) -> (Vec<(u64, String)>, u64, bool) {
    cut_of(Compression::Gzip.decode(&members.concat()[..]).unwrap(), limit)
}

/// Words without a pattern, so that all of a member matters.
fn words(seed: u64) -> String {
    let mut state = seed * 2 + 1;
    let mut letter = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from(b'a' + (state >> 60) as u8)
    };
    (0..300).map(|_| letter()).collect()
}

const DAMAGED: &str = "its gzip member is damaged";

/// Whichever bit of a member is another, and whatever is missing of it, no other record is lost, and none that differs is read.
#[test]
fn a_damaged_member_is_one_record() {
    let texts: Vec<Vec<u8>> = (0..4).map(|number| text(&format!("a:{number}"), &words(number))).collect();
    let whole: Vec<Vec<u8>> = texts.iter().map(|text| gzip(text)).collect();
    let (found, ..) = cut_packed(&whole, LIMIT);
    assert_eq!(found, [0, 1, 2, 3].map(|number| (number + 1, format!("a:{number}"))));
    let mut lost = 0;
    for damaged in 0..3 {
        let length = whole[damaged].len();
        let flips = (0..length).flat_map(|at| {
            let mut flipped = whole[damaged].clone();
            flipped[at] ^= 1 << (at % 8);
            [flipped, [&whole[damaged][..at], &whole[damaged][length.min(at + 1 + at % 40)..]].concat()]
        });
        for member in flips {
            let mut members = whole.clone();
            members[damaged] = member;
            for limit in [LIMIT, 300] {
                let (found, others, failed) = cut_packed(&members, limit);
                assert!(!failed && others == 0 && found.len() == 4, "{found:?}");
                for (at, (number, what)) in found.iter().enumerate() {
                    assert_eq!(*number, at as u64 + 1);
                    let expected = if limit == LIMIT { format!("a:{at}") } else { Reason::TooLong(limit).to_string() };
                    // Its time and its system may be others.
                    let is_lost = at == damaged && *what != expected;
                    assert!(*what == expected || is_lost && what.contains(DAMAGED), "{found:?}");
                    assert!(!what.contains("as may be"), "{found:?}");
                    lost += u32::from(is_lost);
                }
            }
        }
    }
    assert!(lost > 3000, "{lost}");
}

#[test]
fn the_last_member_may_be_damaged() {
    let members = ["a:0", "a:1"].map(|uri| gzip(&text(uri, "High.")));
    let end = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut members = members.to_vec();
        change(&mut members[1]);
        cut_packed(&members, LIMIT)
    };
    let first = (1, "a:0".to_owned());
    // All of it was read, so nothing is lost behind it.
    let (found, _, failed) = end(&|last| {
        let at = last.len() - 8;
        last[at] ^= 1;
    });
    assert!(!failed && found.len() == 2 && found[0] == first && found[1].0 == 2 && found[1].1.contains(DAMAGED));
    for cut in [1, 8, 9, 40] {
        assert_eq!(end(&|last| last.truncate(last.len() - cut)), (vec![first.clone()], 0, true), "{cut}");
    }
}

#[test]
fn several_damaged_members_are_named_each() {
    let mut members: Vec<Vec<u8>> = (0..6).map(|number| gzip(&text(&format!("a:{number}"), &words(number)))).collect();
    for damaged in [1, 2, 4] {
        let at = members[damaged].len() / 2;
        members[damaged][at] ^= 4;
    }
    let (found, _, failed) = cut_packed(&members, LIMIT);
    let damaged: Vec<u64> = found.iter().filter(|(_, what)| what.contains(DAMAGED)).map(|it| it.0).collect();
    assert_eq!((damaged, found.len(), failed), (vec![2, 3, 5], 6, false), "{found:?}");
}

/// Records of one member before the damage were read; that they may be damaged is said.
#[test]
fn a_member_may_have_several_records() {
    let records: Vec<Vec<u8>> = (0..3).map(|number| text(&format!("a:{number}"), &words(number))).collect();
    let mut member = gzip(&records.concat());
    let at = member.len() - 8;
    member[at] ^= 1;
    let (found, ..) = cut_packed(&[member.clone(), gzip(&text("a:b", "Low."))], LIMIT);
    let [(1, _), (2, _), (3, what), (4, last)] = &found[..] else { panic!("{found:?}") };
    assert!(what.contains(DAMAGED) && what.contains("as may be the records of it that were read") && last == "a:b");
    let (found, _, failed) = cut_packed(&[member], LIMIT);
    assert_eq!((found.len(), failed), (2, true));
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
