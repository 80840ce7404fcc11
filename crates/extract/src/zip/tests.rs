use std::io::{Cursor, Write};

use zip::write::{SimpleFileOptions, ZipWriter};

use super::*;

/// An archive with these members, packed.
pub(crate) fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn the_time_of_unix_is_among_the_extra_fields() {
    let field = |flags: u8, time: i32| [&b"UX\x01\x00x\x55\x54\x05\x00"[..], &[flags], &time.to_le_bytes()].concat();
    assert_eq!(unix_time(&field(1, 1_714_566_600)), Some(1_714_566_600));
    assert_eq!(unix_time(&field(1, -86_400)), Some(-86_400));
    assert_eq!(unix_time(&field(2, 1_714_566_600)), None, "the time of another event");
    assert_eq!(unix_time(&field(1, 0)), None, "a time of 0 stands for none");
    for end in 0..field(1, 7).len() {
        assert_eq!(unix_time(&field(1, 7)[..end]), None);
    }
}

fn read(bytes: &[u8], name: &str) -> Result<Option<Vec<u8>>, Refusal> {
    Archive::open(bytes)?.read(name)
}

/// The place of the first member's entry in the directory.
fn entry(bytes: &[u8]) -> usize {
    bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap()
}

#[test]
fn members_are_found_by_name() {
    let bytes = archive(&[("a.txt", b"high"), ("b/c.txt", &b"tide ".repeat(1000))]);
    assert_eq!(read(&bytes, "a.txt").unwrap().unwrap(), b"high");
    assert_eq!(read(&bytes, "b/c.txt").unwrap().unwrap(), b"tide ".repeat(1000));
    assert_eq!(read(&bytes, "c.txt").unwrap(), None);
    // Bytes before the archive and a comment after it.
    let mut around = [b"#!/bin/sh\n", &bytes[..], b"the end"].concat();
    let length = around.len();
    around[length - 9] = 7;
    assert_eq!(read(&around, "a.txt").unwrap().unwrap(), b"high");
}

/// A backup of stored documents, cut in its last member: the end of the one before is the last in the file.
#[test]
fn an_inner_archive_does_not_stand_for_a_truncated_one() {
    let inner = archive(&[("word/document.xml", b"high tide")]);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for name in ["a.docx", "b.docx", "c.txt"] {
        writer.start_file(name, stored).unwrap();
        writer.write_all(&inner).unwrap();
    }
    let whole = writer.finish().unwrap().into_inner();
    assert_eq!(read(&whole, "b.docx").unwrap().unwrap(), inner);
    let cut = &whole[..2 * (30 + "a.docx".len() + inner.len()) + 75];
    for bytes in [cut.to_vec(), [&inner[..], &inner].concat(), [&inner[..], b"PK\x05\x06", &[0; 18]].concat()] {
        let refusal = Archive::open(&bytes).err().unwrap().to_string();
        assert!(refusal.contains("its end is missing, or it is joined to another"), "{refusal}");
    }
    assert!(read(&[b"MZ program ", &inner[..]].concat(), "word/document.xml").unwrap().is_some());
}

#[test]
fn wide_sizes_are_read() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("a.txt", SimpleFileOptions::default().large_file(true)).unwrap();
    writer.write_all(b"high").unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert_eq!(read(&bytes, "a.txt").unwrap().unwrap(), b"high");
    // The directory's own record, made wide by hand.
    let plain = archive(&[("a.txt", b"high")]);
    let end = plain.len() - 22;
    let (start, size) = (entry(&plain) as u64, (end - entry(&plain)) as u64);
    let mut record = b"PK\x06\x06".to_vec();
    record.extend(44u64.to_le_bytes());
    record.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    record.extend([1, 1, size, start].map(u64::to_le_bytes).concat());
    let locator = [b"PK\x06\x07\0\0\0\0", &(end as u64).to_le_bytes()[..], &[1, 0, 0, 0]].concat();
    let mut last = plain[end..].to_vec();
    last[8..20].fill(0xff);
    let wide = [&plain[..end], &record, &locator, &last].concat();
    assert_eq!(read(&wide, "a.txt").unwrap().unwrap(), b"high");
}

#[test]
fn bombs_are_refused_before_they_swell() {
    // 64 MB of one letter in 64 KB; then many members that are each small enough.
    let bomb = archive(&[("a.xml", &vec![b'a'; 64 << 20])]);
    assert_eq!(read(&bomb, "a.xml"), Err(Refusal::TooLarge));
    let bytes = archive(&[("a.xml", &vec![b'a'; SMALL as usize])]);
    let mut archive = Archive::open(&bytes).unwrap();
    for _ in 0..MAX_UNPACKED / SMALL {
        assert!(archive.read("a.xml").is_ok());
    }
    assert_eq!(archive.read("a.xml"), Err(Refusal::TooLarge));
}

#[test]
fn members_that_overlap_are_refused_at_once() {
    let good = archive(&[("a.txt", b"high tide"), ("b.txt", b"low tide"), ("c", b"")]);
    assert_eq!(read(&good, "b.txt").unwrap().unwrap(), b"low tide");
    // The directory places the second member at the first one's beginning, then inside it.
    let second = entry(&good) + 46 + "a.txt".len();
    for place in [0, 1, 38] {
        let mut bytes = good.clone();
        bytes[second + 42] = place;
        let refusal = read(&bytes, "c").unwrap_err().to_string();
        assert!(refusal.contains("its members overlap"), "{place}: {refusal}");
    }
}

#[test]
fn what_does_not_agree_is_refused() {
    let good = archive(&[("a.txt", &b"high tide ".repeat(50)), ("b.txt", b"low")]);
    let at = entry(&good);
    let damage = |place: usize, value: u8| {
        let mut bytes = good.clone();
        bytes[at + place] = value;
        read(&bytes, "a.txt")
    };
    for (place, value, expected) in [
        (24, 1, "does not match the directory"),
        (16, 1, "does not match the directory"),
        (10, 99, "unknown compression method 99"),
        (45, 1, "does not name the member that it begins with"),
        (0, b'x', "directory cannot be read"),
    ] {
        let refusal = damage(place, value).unwrap_err().to_string();
        assert!(refusal.contains(expected), "{place}: {refusal}");
    }
    assert_eq!(damage(8, 1), Err(Refusal::Encrypted));
    let second = at + 46 + "a.txt".len();
    let mut moved = good.clone();
    moved[second + 45] = 1;
    let refusal = read(&moved, "b.txt").unwrap_err().to_string();
    assert!(refusal.contains("is not where it should be"), "{refusal}");
    // A second member of the same name.
    let double: Vec<u8> = good.clone();
    let double = String::from_utf8_lossy(&double).contains("b.txt").then(|| {
        let mut bytes = good.clone();
        for place in 0..bytes.len() - 5 {
            if &bytes[place..place + 5] == b"b.txt" {
                bytes[place] = b'a';
            }
        }
        bytes
    });
    let refusal = read(&double.unwrap(), "a.txt").unwrap_err().to_string();
    assert!(refusal.contains("two members \"a.txt\""), "{refusal}");
    for length in [0, 10, 30, at, good.len() - 1] {
        assert!(Archive::open(&good[..length]).is_err(), "{length}");
    }
}
