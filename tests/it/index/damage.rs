//! Damage to an index is detected by every command and never merged, and the sound parts can be kept.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::letters::{flip, ids, letters, letters_with, refused, segment_files};
use crate::texts::Numbers;

/// An index with every kind of file: segments, and a list of removed documents.
fn whole() -> Folder {
    let folder = letters_with("--passages").file("more.txt", "A word or two of no weight.");
    folder.dedup("index add -q letters edited.txt more.txt").quietly(0);
    folder.dedup("index remove -q letters bees").quietly(0);
    let names: Vec<_> = folder.files("letters").into_keys().collect();
    assert_eq!(names, [".ignore", "00000001.3.removed", "00000001.fp", "00000002.fp", "lock", "manifest"]);
    folder
}

const COMMANDS: [&str; 5] = [
    "list letters",
    "info letters",
    "query -q letters edited.txt",
    "add -q --skip letters edited.txt",
    "verify letters",
];

#[test]
fn every_flipped_byte_is_detected() {
    let folder = whole();
    let mut numbers = Numbers(5);
    for (name, bytes) in folder.files("letters").into_iter().filter(|(name, _)| name != ".ignore") {
        let path = folder.path().join("letters").join(&name);
        let mut places: Vec<usize> = (0..60).map(|_| numbers.below(bytes.len().max(1))).collect();
        places.extend([0, 8, 16, 24, 31, 32, bytes.len().saturating_sub(1)]);
        for at in places.into_iter().filter(|at| *at < bytes.len()) {
            flip(&path, at);
            let answer = folder.dedup("index verify letters");
            assert_eq!((answer.code, &*answer.stdout), (2, ""), "{name} {at}: {answer:?}");
            assert!(answer.stderr.contains(&name) && !answer.stderr.contains("panicked"), "{name} {at}: {answer:?}");
            flip(&path, at);
        }
        folder.dedup("index verify letters").code_is(0);
    }
}

#[test]
fn no_command_panics_at_damage() {
    let folder = whole();
    let mut numbers = Numbers(6);
    for (name, bytes) in folder.files("letters") {
        let path = folder.path().join("letters").join(&name);
        for _ in 0..if bytes.is_empty() { 0 } else { 12 } {
            let at = numbers.below(bytes.len());
            for command in COMMANDS {
                flip(&path, at);
                let answer = folder.dedup(&format!("index {command}"));
                assert!((0..=2).contains(&answer.code), "{command} {name} {at}: {answer:?}");
                assert!(!answer.stderr.contains("panicked"), "{command} {name} {at}: {answer:?}");
                fs::write(&path, &bytes).unwrap();
            }
        }
    }
}

/// Flips a bit at the first occurrence of these bytes in a file.
fn flip_first(path: &Path, part: &[u8]) {
    let at = fs::read(path).unwrap().windows(part.len()).position(|bytes| bytes == part).unwrap();
    flip(path, at);
}

/// A list from a damaged index would be wrong without a warning.
#[test]
fn nothing_is_listed_of_a_damaged_index() {
    let folder = whole();
    flip_first(&folder.path().join("letters/00000002.fp"), b"edited.txt");
    for line in ["index list letters", "index list --format jsonl letters"] {
        refused(&folder.dedup(line), "letters/00000002.fp", "is damaged: its checksum does not agree");
    }
}

/// Damage is never merged into something that looks sound.
#[test]
fn a_damaged_segment_is_not_merged() {
    let folder = whole();
    flip_first(&folder.path().join("letters/00000001.fp"), b"The harbour");
    let before = folder.files("letters");
    let answer = folder.dedup("index compact -q letters");
    refused(&answer, "letters/00000001.fp", "section 'texts' is damaged");
    assert!(folder.files("letters") == before);
}

/// The sound parts of a damaged index can be kept; a damaged list of removals brings no document back.
#[test]
fn the_sound_parts_can_be_kept() {
    for (name, left, kept) in [
        ("00000001.fp", "2 documents", &["edited.txt", "more.txt"][..]),
        ("00000001.3.removed", "2 documents", &["edited.txt", "more.txt"]),
        ("00000002.fp", "2 documents", &["harbour", "clock"]),
    ] {
        for is_there in [true, false] {
            let folder = whole();
            let path = folder.path().join("letters").join(name);
            if is_there {
                flip(&path, folder.read(&format!("letters/{name}")).len() - 1);
            } else {
                fs::remove_file(&path).unwrap();
            }
            let before = folder.files("letters");
            let told = folder.dedup("index verify letters");
            let remedy = "letters: 1 damaged segment; restore the folder from a copy, or run `dedup index compact \
                          letters --drop-damaged`, which drops the damage and keeps ";
            assert!(told.code == 2 && told.stderr.contains(&format!("{remedy}{left}\n")), "{told:?}");
            assert!(folder.files("letters") == before, "looking changes nothing");
            let dropped = folder.dedup("index compact letters --drop-damaged");
            dropped.code_is(0);
            let expected = format!("dedup: dropped a segment with all its documents: letters/{name}: ");
            assert!(dropped.stderr.starts_with(&expected), "{dropped:?}");
            assert_eq!(ids(&folder, "letters"), kept, "{name}");
            folder.dedup("index verify letters").code_is(0);
            folder.dedup("index add -q --skip --id-field id letters three.jsonl").quietly(0);
            assert!(folder.dedup("index query -q letters edited.txt").quietly(0).contains("harbour"));
        }
    }
    // A sound index is compacted as usual.
    let folder = whole();
    folder.dedup("index compact -q letters --drop-damaged").quietly(0);
    assert_eq!((ids(&folder, "letters").len(), segment_files(&folder, "letters")), (4, 1));
}

#[test]
fn missing_and_short_files_are_named() {
    for name in ["00000001.fp", "00000002.fp", "00000001.3.removed", "manifest"] {
        let folder = whole();
        let path = folder.path().join("letters").join(name);
        let bytes = fs::read(&path).unwrap();
        let mut lengths = vec![None, Some(0), Some(bytes.len() / 2), Some(bytes.len() - 1)];
        lengths.extend([Some(40), Some(65)]);
        for length in lengths {
            match length {
                None => fs::remove_file(&path).unwrap(),
                Some(length) => fs::write(&path, &bytes[..length.min(bytes.len() - 1)]).unwrap(),
            }
            for command in COMMANDS {
                let answer = folder.dedup(&format!("index {command}"));
                // `verify`, which reads everything, also reports what is left.
                let told = answer.stderr.lines().count();
                let is_left = command == "verify letters" && name != "manifest";
                assert_eq!((answer.code, &*answer.stdout, told), (2, "", 1 + usize::from(is_left)), "{answer:?}");
                assert!(answer.stderr.contains(name) && !answer.stderr.contains("panicked"), "{answer:?}");
                if length.is_none() {
                    let remedy = "is missing; restore the folder of the index from a copy";
                    assert!(answer.stderr.contains(remedy), "{answer:?}");
                }
            }
            fs::write(&path, &bytes).unwrap();
        }
        folder.dedup("index verify letters").code_is(0);
    }
}

#[test]
fn a_segment_of_another_index_is_an_error() {
    let folder = whole();
    let other = letters_with("--passages --max 4");
    fs::write(folder.path().join("letters/00000001.fp"), other.read("letters/00000001.fp")).unwrap();
    refused(&folder.dedup("index list letters"), "letters/00000001.fp", "is not the file that the manifest lists");
}

#[test]
fn an_index_of_a_later_version_is_an_error() {
    let folder = letters();
    let manifest = folder.read_text("letters/manifest");
    let json = manifest.split_once('\n').unwrap().1.replacen("\"version\":2", "\"version\":3", 1);
    let path = folder.path().join("letters/manifest");
    fs::write(path, format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex())).unwrap();
    refused(&folder.dedup("index list letters"), "letters", "use a newer `dedup`");
}
