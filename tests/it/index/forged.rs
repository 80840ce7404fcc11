//! Manifests with a valid checksum and impossible contents.

use std::fs;

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::texts::{BEES, CLOCK, EDITED, HARBOUR, jsonl};

/// An index of two segments, with a document removed from one, and the JSON of its manifest.
fn letters() -> (Folder, Value) {
    let folder = Folder::new()
        .file("two.jsonl", jsonl(&[("a", HARBOUR), ("b", BEES)]))
        .file("clock.txt", CLOCK)
        .file("edited.txt", EDITED);
    folder.dedup("index create letters").quietly(0);
    folder.dedup("index add -q letters two.jsonl --id-field id").quietly(0);
    folder.dedup("index add -q letters clock.txt").quietly(0);
    folder.dedup("index remove -q letters b").quietly(0);
    let manifest = folder.read_text("letters/manifest");
    let manifest = serde_json::from_str(manifest.split_once('\n').unwrap().1).unwrap();
    (folder, manifest)
}

/// Writes a manifest after its hash.
fn seal(folder: &Folder, manifest: &Value) {
    let json = manifest.to_string();
    let sealed = format!("{}\n{json}", blake3::hash(json.as_bytes()).to_hex());
    fs::write(folder.path().join("letters/manifest"), sealed).unwrap();
}

/// The places of the numbers in a value, as JSON pointers.
fn numbers(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| numbers(value, &format!("{at}/{name}"), found)),
        Value::Array(items) => (0..).zip(items).for_each(|(i, value)| numbers(value, &format!("{at}/{i}"), found)),
        Value::Number(_) => found.push(at.to_owned()),
        _ => {}
    }
}

#[test]
fn whatever_a_manifest_says_no_command_panics() {
    let (folder, manifest) = letters();
    let mut places = Vec::new();
    numbers(&manifest, "", &mut places);
    assert!(places.len() > 12, "{places:?}");
    for place in places {
        for value in [0, 1, u64::MAX] {
            let mut forged = manifest.clone();
            *forged.pointer_mut(&place).unwrap() = json!(value);
            seal(&folder, &forged);
            let answers = ["info letters", "list letters", "verify letters", "query -q letters edited.txt"]
                .map(|line| folder.dedup(&format!("index {line}")));
            let codes = answers.each_ref().map(|answer| answer.code);
            assert!(codes == [0; 4] || codes == [2; 4], "{place} {value}: {answers:?}");
            assert!(answers.iter().all(|answer| !answer.stderr.contains("panicked")), "{place} {value}: {answers:?}");
        }
    }
}

#[test]
fn every_command_refuses_an_impossible_plan() {
    let (folder, mut forged) = letters();
    forged["settings"]["lookup"]["groups"] = json!(0);
    seal(&folder, &forged);
    let before = folder.files("letters");
    for line in [
        "add -q letters edited.txt",
        "query -q letters edited.txt",
        "remove -q letters a",
        "list letters",
        "info letters",
        "verify letters",
        "compact -q letters",
        "compact -q letters --drop-damaged",
        "clear -q letters",
    ] {
        folder.dedup(&format!("index {line}")).fails_saying(
            "letters/manifest: has an invalid plan of search tables; restore the folder of the index from a copy",
        );
    }
    assert!(folder.files("letters") == before);
}
