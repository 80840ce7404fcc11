//! Damaged files give an error, never a panic.

use std::sync::LazyLock;

use super::super::format::{Header, Section, header, row, u32_at, u64_at};
use super::*;
use crate::error::Error;

fn small() -> Vec<u8> {
    static SMALL: LazyLock<Vec<u8>> = LazyLock::new(|| bytes(2, &two(), ALL));
    SMALL.clone()
}

fn error(bytes: &[u8]) -> Error {
    open(bytes).and_then(|file| file.verify()).expect_err("not as it was written")
}

/// Recomputes all checksums, so that a change reaches the checks behind them.
fn seal(bytes: &mut [u8]) {
    let sections = u32_at(bytes, header::SECTIONS) as usize;
    if sections > Section::ALL.len() || bytes.len() < Header::size(sections) {
        return;
    }
    for i in 0..sections {
        let at = header::TABLE + i * row::SIZE;
        let [start, length] = [row::OFFSET, row::LENGTH].map(|part| u64_at(bytes, at + part) as usize);
        let Some(section) = start.checked_add(length).and_then(|end| bytes.get(start..end)) else { continue };
        let checksum = blake3::hash(section);
        bytes[at + row::CHECKSUM..][..16].copy_from_slice(&checksum.as_bytes()[..16]);
        if i == 0 {
            let id = u64::from_be_bytes(*checksum.as_bytes().first_chunk().unwrap());
            bytes[header::RECIPE..][..8].copy_from_slice(&id.to_le_bytes());
        }
    }
    let checksum = Header::checksum(&bytes[..Header::size(sections)]);
    bytes[header::CHECKSUM..][..16].copy_from_slice(&checksum);
}

/// The offset of a section of the small file.
fn start(bytes: &[u8], section: &str) -> usize {
    let rows = bytes[header::TABLE..].chunks_exact(row::SIZE);
    let name = |row: &&[u8]| row[..16].split(|&byte| byte == 0).next() == Some(section.as_bytes());
    let row = rows.take(Section::ALL.len()).find(name).unwrap();
    u64_at(row, row::OFFSET) as usize
}

#[test]
fn every_changed_byte_is_seen() {
    let whole = small();
    for i in 0..whole.len() {
        for change in [0xff, 1, 0x80, 0x20] {
            let mut bytes = whole.clone();
            bytes[i] ^= change;
            if let Ok(file) = open(&bytes) {
                ask_everything(&file);
                file.verify().expect_err(&format!("byte {i} is changed by {change:x}"));
            }
        }
    }
}

#[test]
fn every_cut_is_seen() {
    let whole = small();
    for length in 1..whole.len() {
        let Err(error) = open(&whole[..length]) else { panic!("{length} bytes") };
        let expected = match length {
            0..64 => 64,
            _ => whole.len(),
        };
        let expected =
            format!("test.fp: has {length} bytes instead of {expected}; copy it again, or make it anew from its texts");
        assert_eq!(error.to_string(), expected);
    }
    let longer = [&whole[..], b"\0"].concat();
    assert!(matches!(error(&longer), Error::FileLength { .. }));
}

#[test]
fn foreign_files_are_told_from_damaged_ones() {
    let not = "test.fp: is not a fingerprint file; name one that `dedup fingerprint` wrote";
    for foreign in [&b"\x89PNG\r\n\x1a\n and so on"[..], b"text", b"\0"] {
        assert_eq!(error(foreign).to_string(), not);
    }
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    fs::write(&empty, "").unwrap();
    assert!(matches!(FingerprintFile::open(&empty), Err(Error::FileLength { expected: 64, found: 0, .. })));
    assert!(matches!(FingerprintFile::open(folder.path()), Err(Error::Folder { .. })));
    assert!(matches!(FingerprintFile::open(&folder.path().join("none")), Err(Error::Read { .. })));

    let text_mode: Vec<u8> = small().into_iter().filter(|&byte| byte != b'\r').collect();
    assert_eq!(
        error(&text_mode).to_string(),
        "test.fp: the header is damaged: a copy in text mode has changed its line ends; copy the file again, or \
         make it anew from its texts"
    );
    let mut newer = small();
    newer[header::VERSION] = 3;
    assert_eq!(
        error(&newer).to_string(),
        "test.fp: is a fingerprint file of format 3, but this version reads formats up to 1; use a newer `dedup`"
    );
}

/// The error of a file whose checksums agree but whose section is forged.
fn forged(section: &str, offset: usize, value: &[u8]) -> String {
    let mut bytes = small();
    let at = start(&bytes, section) + offset;
    bytes[at..at + value.len()].copy_from_slice(value);
    seal(&mut bytes);
    let file = open(&bytes).unwrap();
    ask_everything(&file);
    file.verify().expect_err(section).to_string()
}

#[test]
fn contents_are_checked_where_checksums_agree() {
    let far = &[0xff; 8];
    let cases: [(&str, usize, &[u8], &str); 27] = [
        (
            "simhashes",
            8,
            b"\x01",
            "'simhashes' is damaged at record 2: it is not zero, although the document has no n-grams",
        ),
        ("sketches", 12, b"\x01", "'sketches' is damaged at record 2: it is not zero, although the document is empty"),
        ("languages", 4, b"\xff", "'languages' is damaged at record 2: it is not a three-letter code"),
        ("languages", 3, b"x", "'languages' is damaged at record 1: it is not a three-letter code"),
        ("places", 0, b"\x03", "'places' is damaged at record 1: there is no such input file"),
        ("files", 66, b"\x02", "'files' is damaged at record 2: its mark of an unread file is neither 0 nor 1"),
        ("files", 31, b"\x01", "'files' is damaged at record 1: the origin of its date is unknown"),
        ("files", 24, b"\x03", "'files' is damaged at record 1: the origin of its date is unknown"),
        ("id offsets", 8, far, "'id offsets' is damaged at record 2: it does not ascend"),
        ("id offsets", 0, b"\x01", "'id offsets' is damaged: it does not cover the section that it points into"),
        ("key offsets", 16, far, "'key offsets' is damaged: it does not cover the section that it points into"),
        ("ids", 4, b"\xff", "'ids' is damaged at record 1: it is not UTF-8"),
        ("shingles", 0, far, "'shingles' is damaged at record 1: they do not ascend"),
        ("counts", 32, b"\x01", "'shingles' is damaged at record 1: their number contradicts the document's counts"),
        ("paths", 17, b"x", "'paths' is damaged at record 2: it is not UTF-8"),
        ("texts", 4, b"\xff", "'texts' is damaged at record 1: it is not UTF-8"),
        ("authors", 0, b"\xff", "'authors' is damaged at record 1: it is not UTF-8"),
        ("first blocks", 0, b"\x01", "'first blocks' is damaged: they do not ascend from 0"),
        ("first blocks", 4, b"\x03", "'first blocks' is damaged: they do not ascend from 0"),
        ("heads", 8, far, "'heads' is damaged: they do not cover the section that they point into"),
        ("text features", 0, far, "'text features' is damaged at record 1: it does not ascend"),
        ("text features", 8, b"\x07", "'text features' is damaged at record 2: there is no such block"),
        ("key table heads", 8, far, "'key table heads' is damaged: they do not cover the section that they point into"),
        ("key table", 0, b"\x02", "'key table' is damaged at record 1: there is no such document"),
        ("key table", 7, b"\xff", "'key table' is damaged at record 1: it is under the wrong head or out of order"),
        ("block heads", 0, b"\x01", "'block heads' is damaged: they do not cover the sections that they point into"),
        ("block documents", 4, b"\x02", "'block documents' is damaged at record 2: there is no such document"),
    ];
    for (section, offset, value, what) in cases {
        let message = forged(section, offset, value);
        let expected = format!("test.fp: section {what}; copy the file again, or make it anew from its texts");
        assert_eq!(message, expected);
    }
}

#[test]
fn damaged_records_give_empty_values() {
    let mut bytes = small();
    for section in ["id offsets", "shingle offsets", "path offsets"] {
        let at = start(&bytes, section);
        bytes[at..at + 8].copy_from_slice(&[0xff; 8]);
    }
    let at = start(&bytes, "keys");
    bytes[at] = 0xff;
    let file = open(&bytes).unwrap();
    assert_eq!((file.id(0), file.key(0), file.shingles(0)), ("", None, None));
    assert_eq!(file.file(0).unwrap().path, "");
    assert_eq!(file.simhash(0), two()[0].simhash, "what is whole is read");
}

proptest! {
    #[test]
    fn random_bytes_after_a_good_header(noise in prop::collection::vec(any::<u8>(), 4000), sealed: bool) {
        let mut bytes = small();
        let header = Header::size(17);
        let length = bytes.len();
        // The recipe stays intact, or nothing after it would be reached.
        let from = if sealed { start(&bytes, "simhashes") } else { header };
        bytes[from..].copy_from_slice(&noise[..length - from]);
        if sealed {
            seal(&mut bytes);
        }
        if let Ok(file) = open(&bytes) {
            ask_everything(&file);
            prop_assert!(file.verify().is_err());
        }
    }
}

proptest! {
    // Each case reads twenty files.
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn nothing_in_a_file_makes_it_panic(
        (sketches, documents) in documents(),
        sections in sections(),
        tries in prop::collection::vec(
            (prop::collection::vec((any::<prop::sample::Index>(), 0usize..4, any::<u64>()), 1..6), any::<bool>()),
            20,
        ),
    ) {
        let whole = bytes(sketches, &documents, sections);
        for (changes, sealed) in tries {
            let mut bytes = whole.clone();
            for (place, kind, random) in changes {
                let at = place.index(bytes.len() - 8);
                match kind {
                    0 => bytes[at] = random as u8,
                    1 => bytes[at & !7..][..8].copy_from_slice(&random.to_le_bytes()),
                    2 => bytes[at & !7..][..8].copy_from_slice(&(random % 64).to_le_bytes()),
                    // The header and the table; sealing makes their checksum agree.
                    _ => bytes[at % Header::size(12)..][..8].copy_from_slice(&(random >> (random % 64)).to_le_bytes()),
                }
            }
            if sealed {
                seal(&mut bytes);
            }
            if let Ok(file) = open(&bytes) {
                ask_everything(&file);
                let verified = file.verify();
                prop_assert!(sealed || verified.is_err() || bytes == whole);
            }
        }
    }
}
