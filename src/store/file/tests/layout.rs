//! The drawing, the constants and the bytes agree.

use super::super::format::{MAGIC, Section, header, row};
use super::*;
use crate::sketch::minhash::mix;

/// The drawing from the module's page.
fn drawing() -> String {
    let page = include_str!("../format.rs");
    let inside = page.split("```text\n").nth(1).and_then(|rest| rest.split("//! ```").next()).unwrap();
    inside.lines().map(|line| format!("{}\n", line.trim_start_matches("//!").trim_start_matches(' '))).collect()
}

#[test]
fn the_manual_has_the_same_drawing() {
    let manual = include_str!("../../../../docs/fingerprint-file.md");
    let inside = manual.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let manual: String = inside.lines().map(|line| format!("{}\n", line.trim_start_matches(' '))).collect();
    assert_eq!(manual, drawing());
}

/// The lines of one part of the drawing, split into words.
fn part<'a>(drawing: &'a str, title: &str) -> Vec<Vec<&'a str>> {
    let lines = drawing.lines().skip_while(|line| !line.ends_with(title)).skip(1);
    lines.take_while(|line| !line.is_empty()).map(|line| line.split_whitespace().collect()).collect()
}

#[test]
fn offsets_are_as_drawn() {
    let drawing = drawing();
    let drawn = |title: &str| -> Vec<usize> {
        let lines = part(&drawing, title);
        // There is no gap between two parts.
        for pair in lines.windows(2) {
            let [offset, size, next] = [pair[0][0], pair[0][1], pair[1][0]].map(|word| word.parse::<usize>().unwrap());
            assert_eq!(offset + size, next, "{title}");
        }
        lines.iter().map(|words| words[0].parse().unwrap()).collect()
    };
    let constants = [
        header::MAGIC,
        header::VERSION,
        header::SECTIONS,
        header::DOCUMENTS,
        header::FILES,
        header::RECIPE,
        header::LENGTH,
        header::CHECKSUM,
        header::TABLE,
    ];
    assert_eq!(drawn("header"), constants);
    assert_eq!(drawn("row of the section table"), [row::NAME, row::ELEMENT, row::OFFSET, row::LENGTH, row::CHECKSUM]);
    assert_eq!(row::SIZE, row::CHECKSUM + 16);
    let magic: Vec<u8> =
        part(&drawing, "header")[0][3..].iter().map(|hex| u8::from_str_radix(hex, 16).unwrap()).collect();
    assert_eq!(magic, MAGIC);
}

#[test]
fn sections_are_as_drawn() {
    let drawing = drawing();
    let lines = part(&drawing, "number  element");
    assert_eq!(lines.len(), Section::ALL.len());
    for (i, (words, section)) in lines.iter().zip(Section::ALL).enumerate() {
        let times = words.iter().position(|word| *word == "×").unwrap();
        assert_eq!(words[..times - 1].join(" "), section.name());
        assert_eq!(section as usize, i);
        let (n, m, k) = (1000, 10, 5);
        let element = words[times - 1];
        let size =
            element.strip_suffix('k').map_or_else(|| element.parse(), |word| word.parse().map(|word: u64| k * word));
        let size: u64 = size.unwrap();
        assert_eq!(section.element(k as usize), size, "{words:?}");
        let number = match &words[times + 1..] {
            ["any", ..] => 77,
            ["n", "+", "1", ..] => n + 1,
            ["m", "+", "1", ..] => m + 1,
            ["n", ..] => n,
            ["m", ..] => m,
            other => panic!("{other:?}"),
        };
        assert!(section.fits(number * size, k as usize, n, m), "{words:?}");
        assert!(size == 1 || !section.fits(number * size + 1, k as usize, n, m), "{words:?}");
        let any = words[times + 1] == "any";
        assert_eq!(section.fits((number + 1) * size, k as usize, n, m), any, "{words:?}");
    }
}

/// The file of `two()`, written with plain numbers instead of the constants.
fn by_hand() -> Vec<u8> {
    let text = serde_json::to_string(&recipe(2)).unwrap();
    let numbers = |numbers: &[u64]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let upper = |bytes: &[u8]| u64::from(u32::from_be_bytes(bytes[..4].try_into().unwrap())) << 32;
    let of_id = |id: &str| upper(blake3::hash(id.as_bytes()).as_bytes());
    let mut ids = [of_id("tides"), of_id("") | 1];
    ids.sort_unstable();
    let bands = [mix(7), mix(1 << 32 ^ 0xffff_fffe)].map(|band| band >> 32 << 32);
    let sections: [(&str, u64, Vec<u8>); 33] = [
        ("recipe", 1, text.clone().into_bytes()),
        ("simhashes", 8, numbers(&[0x0123_4567_89ab_cdef, 0])),
        ("sketches", 8, b"\x07\0\0\0\xfe\xff\xff\xff\0\0\0\0\0\0\0\0".to_vec()),
        ("digests", 16, b"sixteen bytes of\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        ("counts", 40, numbers(&[60, 12, 6, 4, 10, 0, 0, 0, 0, 0])),
        ("letters", 8, numbers(&[0x1122_3344_5566_7788, 0])),
        ("languages", 4, b"eng\0und\0".to_vec()),
        ("id offsets", 8, numbers(&[0, 5, 5])),
        ("ids", 1, b"tides".to_vec()),
        ("places", 12, b"\x01\0\0\0\x07\x06\x05\x04\x03\x02\x01\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec()),
        ("path offsets", 8, numbers(&[0, 15, 27, 27])),
        ("paths", 1, "news/2026.jsonlbräuche.txt".into()),
        (
            "files",
            48,
            [
                numbers(&[4096, 1_767_225_600_000_000_000, 2, 0, 0, 0, 0, u64::MAX, 7 << 8, 0]),
                b"sixteen bytes of".to_vec(),
                numbers(&[u64::MAX, 0x8000_0000_0000_0000, 255 | 1 << 16, 0, 0, 0]),
            ]
            .concat(),
        ),
        ("key offsets", 8, numbers(&[0, 10, 10])),
        ("keys", 1, b"2026-01-01".to_vec()),
        ("key field", 1, b"date".to_vec()),
        ("shingle offsets", 8, numbers(&[0, 2, 2])),
        ("shingles", 8, numbers(&[1, 0x8000_0000_0000_0000])),
        ("word offsets", 8, numbers(&[0, 12, 12])),
        ("words", 4, (1..=12u32).flat_map(u32::to_le_bytes).collect()),
        ("text offsets", 8, numbers(&[0, 24, 24])),
        ("texts", 1, b"The tide comes and goes.".to_vec()),
        ("author offsets", 8, numbers(&[0, 3, 3])),
        ("authors", 1, b"Ana".to_vec()),
        ("first blocks", 4, b"\0\0\0\0\x01\0\0\0\x02\0\0\0".to_vec()),
        ("heads", 8, numbers(&[0, 2])),
        ("text features", 8, numbers(&[0, 1 << 40 | 1])),
        ("lookup plan", 1, b"{\"max_distance\":3,\"rows\":1,\"of\":1,\"groups\":2}".to_vec()),
        ("key table heads", 8, numbers(&[0, 2, 2, 4, 4, 5, 5, 6])),
        (
            "key table",
            8,
            numbers(&[ids[0], ids[1], 1, upper(&0x1122_3344_5566_7788u64.to_le_bytes()), bands[0], bands[1]]),
        ),
        ("block heads", 8, numbers(&[0, 1, 1, 2, 2, 3, 3, 4])),
        ("block parts", 4, b"\x67\x45\x23\x01\xab\x89\x67\x45\xef\xcd\xab\x89\x23\x01\xef\xcd".to_vec()),
        ("block documents", 4, vec![0; 16]),
    ];
    let mut table = Vec::new();
    let mut content = Vec::new();
    for (name, element, bytes) in sections {
        content.resize(content.len().next_multiple_of(64), 0);
        table.extend_from_slice(name.as_bytes());
        table.resize(table.len().next_multiple_of(56) - 40, 0);
        // The header and 33 rows are 1912 bytes; 1920 is the next multiple of 64.
        table.extend(numbers(&[element, 1920 + content.len() as u64, bytes.len() as u64]));
        table.extend_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
        content.extend(bytes);
    }
    let mut header = b"\x89dfp\r\n\x1a\n\x01\0\0\0\x21\0\0\0".to_vec();
    header.extend(numbers(&[2, 3, recipe(2).id(), 1920 + content.len() as u64]));
    let checksum = blake3::hash(&[&header[..], &table].concat());
    [&header, &checksum.as_bytes()[..16], &table, &[0; 8], &content].concat()
}

#[test]
fn bytes_are_as_drawn() {
    assert_eq!(bytes(2, &two(), ALL), by_hand());
}
