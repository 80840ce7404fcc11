//! Test collections made of shingles.

use tempfile::TempDir;

use super::collection::Collection;
use super::format::{Counts, InputFile, Provenance, Sections};
use super::lookup::LookupPlan;
use super::map::FingerprintFile;
use super::write::{Entry, Writer};
use crate::similarity::{BREAK, ShingleSet};
use crate::sketch::recipe::Recipe;
use crate::sketch::{minhash, simhash};

pub(crate) const SKETCHES: usize = 25;

/// A test document: its id, its shingles, and the length of its text in bytes.
pub(crate) type Made = (String, Vec<u64>, u64);

pub(crate) fn recipe() -> Recipe {
    Recipe {
        version: 1,
        language: "und".into(),
        stop_words: "none".into(),
        stem: false,
        simhash: true,
        shingles: "words".into(),
        min_ngram: 1,
        max_ngram: 1,
        polynomial: String::new(),
        sketches: SKETCHES,
        sketch_seed: String::new(),
        probe: String::new(),
    }
}

/// A collection of documents with these shingles; those of equal shingles are copies.
pub(crate) fn collection(documents: &[Made]) -> (TempDir, Collection) {
    collection_of(&documents.iter().map(|document| (document.clone(), None)).collect::<Vec<_>>())
}

/// As [`collection`]; a given simhash replaces that of the shingles.
pub(crate) fn collection_of(documents: &[(Made, Option<u64>)]) -> (TempDir, Collection) {
    let text = |made: &Made| format!("{:?}", made.1).into_bytes();
    written(documents.iter().map(|(made, simhash)| (text(made), made, *simhash)))
}

/// As [`collection`], for documents with these texts.
pub(crate) fn collection_of_texts(documents: &[(Vec<u8>, Made)]) -> (TempDir, Collection) {
    written(documents.iter().map(|(text, made)| (text.clone(), made, None)))
}

/// A file of such documents, with search tables if there is a plan.
pub(crate) fn collection_with(
    documents: &[(Made, Option<u64>)],
    sections: Sections,
    lookup: Option<LookupPlan>,
) -> (TempDir, FingerprintFile) {
    let text = |made: &Made| format!("{:?}", made.1).into_bytes();
    let folder = tempfile::tempdir().unwrap();
    let sections = Sections { lookup: lookup.is_some(), ..sections };
    let mut writer = Writer::scratch(folder.path(), &recipe(), sections).unwrap();
    let output = writer.output().to_owned();
    write(&mut writer, [0; 2], documents.iter().map(|(made, simhash)| (text(made), made, *simhash)));
    lookup.map_or(Ok(()), |plan| writer.lookup(plan)).unwrap();
    writer.finish().unwrap();
    let file = FingerprintFile::open(&output).unwrap();
    (folder, file)
}

/// A collection of texts given as kept words, whose shingles are runs of three words.
pub(crate) fn collection_of_words(texts: &[Vec<u32>]) -> (TempDir, Collection) {
    let folder = tempfile::tempdir().unwrap();
    let sections = Sections { shingles: true, keys: true, ..Sections::default() };
    let mut writer = Writer::scratch(folder.path(), &recipe(), sections).unwrap();
    let output = writer.output().to_owned();
    for (i, words) in (0u64..).zip(texts) {
        let hash = |words: &[u32]| words.iter().fold(1, |hash, word| minhash::mix(hash ^ u64::from(word & !BREAK)));
        let set = ShingleSet::new(words.windows(3).map(hash).collect());
        let mut minima = minhash::Accumulator::new(SKETCHES);
        minima.extend(set.as_slice());
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(bytemuck::cast_slice(words)).as_bytes()[..16]);
        let count = words.len() as u64;
        let entry = Entry {
            id: &format!("{i:04}"),
            simhash: None,
            sketch: &minima.sketch(),
            digest,
            letters: hash(words),
            language: "und",
            counts: Counts { bytes: count, tokens: count, terms: 0, ngrams: 0, shingles: set.len() as u64 },
            place: Provenance { file: 0, record: i + 1 },
            key: None,
            shingles: set.as_slice(),
            words,
            hashes: &[],
            text: "",
            author: None,
        };
        if i == 0 {
            writer.file(&InputFile { path: "made.jsonl", size: 1, ..InputFile::default() }).unwrap();
        }
        writer.push(&entry).unwrap();
    }
    writer.finish().unwrap();
    let collection = Collection::open(&[output]).unwrap();
    (folder, collection)
}

/// A collection whose documents come in turn from two files, changed at these times or at an unknown one.
pub(crate) fn collection_of_dates(documents: &[Made], dates: [Option<i64>; 2]) -> (TempDir, Collection) {
    let text = |made: &Made| format!("{:?}", made.1).into_bytes();
    written_at(dates.map(Option::unwrap_or_default), documents.iter().map(|made| (text(made), made, None)))
}

fn written<'a>(documents: impl Iterator<Item = (Vec<u8>, &'a Made, Option<u64>)>) -> (TempDir, Collection) {
    written_at([0; 2], documents)
}

fn written_at<'a>(
    modified: [i64; 2],
    documents: impl Iterator<Item = (Vec<u8>, &'a Made, Option<u64>)>,
) -> (TempDir, Collection) {
    let folder = tempfile::tempdir().unwrap();
    let sections = Sections { shingles: true, keys: true, ..Sections::default() };
    let mut writer = Writer::scratch(folder.path(), &recipe(), sections).unwrap();
    let output = writer.output().to_owned();
    write(&mut writer, modified, documents);
    writer.finish().unwrap();
    let collection = Collection::open(&[output]).unwrap();
    (folder, collection)
}

fn write<'a>(
    writer: &mut Writer,
    modified: [i64; 2],
    documents: impl Iterator<Item = (Vec<u8>, &'a Made, Option<u64>)>,
) {
    for (path, modified) in ["old.jsonl", "new.jsonl"].into_iter().zip(modified) {
        writer.file(&InputFile { path, size: 1, modified, ..InputFile::default() }).unwrap();
    }
    for (i, (text, (id, shingles, bytes), given)) in (0u64..).zip(documents) {
        let set = ShingleSet::new(shingles.iter().copied().map(minhash::mix).collect());
        let mut sums = simhash::Accumulator::new();
        sums.extend(set.as_slice());
        let mut minima = minhash::Accumulator::new(SKETCHES);
        minima.extend(set.as_slice());
        let is_empty = set.is_empty();
        let sketch = if is_empty { Vec::new() } else { minima.sketch() };
        let mut digest = [0; 16];
        digest.copy_from_slice(&blake3::hash(&text).as_bytes()[..16]);
        let count = set.len() as u64;
        let words: Vec<u32> = set.as_slice().iter().map(|shingle| (shingle >> 32) as u32).collect();
        let entry = Entry {
            id,
            simhash: (!is_empty).then(|| given.unwrap_or_else(|| sums.simhash())),
            sketch: &sketch,
            digest,
            letters: 0,
            language: "und",
            counts: Counts { bytes: *bytes, tokens: count, terms: count, ngrams: count, shingles: count },
            place: Provenance { file: u32::from(i % 2 == 1), record: i + 1 },
            key: Some(&format!("{}", 1_000_000 - i)),
            shingles: set.as_slice(),
            words: &words,
            hashes: &[],
            text: "",
            author: None,
        };
        writer.push(&entry).unwrap();
    }
}

pub(crate) fn made(id: &str, shingles: std::ops::Range<u64>, bytes: u64) -> Made {
    (id.into(), shingles.collect(), bytes)
}
