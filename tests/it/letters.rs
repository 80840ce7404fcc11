//! The index used by the tests: a few texts, and texts near to them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::{Answer, Folder};
use crate::texts::{BEES, CLOCK, EDITED, HARBOUR, MILL, jsonl};

pub(crate) const THREE: [(&str, &str); 3] = [("harbour", HARBOUR), ("bees", BEES), ("clock", CLOCK)];

/// The answer to a query by the near text.
pub(crate) const FOUND: &str = "edited.txt  harbour  11 bits  Jaccard  78.94 %  by jaccard  removal: none\n";

/// The answers to a query and an addition of [`long_edited`]: 53 of the 59 shingles of both are shared.
pub(crate) const FOUND_LONG: &str = "long.txt  mill   9 bits  Jaccard  89.83 %  by jaccard  removal: edited\n";
pub(crate) const LONG_RESEMBLES: &str =
    "long.txt  resembles  mill   9 bits  Jaccard  89.83 %  by jaccard  removal: edited\n";

/// An index of three texts, made with these options, and a text that is near to one of them.
pub(crate) fn letters_with(options: &str) -> Folder {
    let folder = Folder::new().file("three.jsonl", jsonl(&THREE)).file("edited.txt", EDITED);
    folder.dedup(&format!("index create letters --language eng {options}")).quietly(0);
    folder.dedup("index add -q --id-field id letters three.jsonl").quietly(0);
    folder
}

pub(crate) fn letters() -> Folder {
    letters_with("")
}

/// A text of 58 words that differs from [`MILL`] in one.
pub(crate) fn long_edited() -> String {
    MILL.replace("brooks", "streams")
}

/// The same with a long text in the index, and a text that is near to it.
pub(crate) fn letters_and_mill() -> Folder {
    let folder = letters().file("mill.jsonl", jsonl(&[("mill", MILL)])).file("long.txt", long_edited());
    folder.dedup("index add -q --id-field id letters mill.jsonl").quietly(0);
    folder
}

/// The ids that an index lists.
pub(crate) fn ids(folder: &Folder, index: &str) -> Vec<String> {
    let rows = folder.dedup(&format!("index list --format jsonl {index}"));
    rows.code_is(0);
    rows.jsonl().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

/// Number of segment files in the folder of an index.
pub(crate) fn segment_files(folder: &Folder, index: &str) -> usize {
    let is_segment = |name: &&String| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "fp");
    folder.files(index).keys().filter(is_segment).count()
}

/// The matches of a query as a set.
pub(crate) fn matches(folder: &Folder, line: &str) -> BTreeSet<String> {
    let answer = folder.dedup(line);
    assert!(answer.code < 2 && answer.stderr.is_empty(), "{line}: {answer:?}");
    answer.stdout.lines().map(str::to_owned).collect()
}

/// Asserts a failure without panic whose message names the index and contains `expected`.
pub(crate) fn refused(answer: &Answer, name: &str, expected: &str) {
    answer.fails_saying(expected);
    assert!(answer.stderr.starts_with(&format!("dedup: {name}")), "{answer:?}");
}

pub(crate) fn info(folder: &Folder, field: &str) -> Value {
    folder.dedup("index info --format json letters").json()[field].clone()
}

pub(crate) fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}
