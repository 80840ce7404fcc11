//! Fingerprint files: writing documents, opening and reading, in documents and bytes per second.

mod support;

use std::path::Path;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::sketch::recipe::Recipe;
use nearcopy::store::file::format::{Counts, InputFile, Provenance, Sections};
use nearcopy::store::file::map::FingerprintFile;
use nearcopy::store::file::write::{Entry, Writer};

use support::Random;

fn main() {
    divan::main();
}

const SHINGLES: usize = 298;

static WORDS: [u32; SHINGLES + 2] = [7; _];
const DOCUMENTS: usize = 20_000;

fn recipe() -> Recipe {
    Fingerprinter::new(Options::default()).expect("25 sketches").recipe().clone()
}

fn push(writer: &mut Writer, place: Provenance, random: &mut Random, shingles: &[u64]) {
    let id = format!("article-{}", place.record);
    let sketch: [u32; 25] = std::array::from_fn(|_| random.next() as u32);
    let entry = Entry {
        id: &id,
        simhash: Some(random.next()),
        sketch: &sketch,
        digest: [place.record as u8; 16],
        letters: 0,
        language: "eng",
        counts: Counts { bytes: 2000, tokens: 300, terms: 150, ngrams: 148, shingles: 298 },
        place,
        key: None,
        shingles,
        words: &WORDS,
        hashes: &[],
        text: "",
        author: None,
    };
    writer.push(&entry).expect("space on the disk");
}

/// Writes `documents` documents and finishes the file.
fn write(mut writer: Writer, documents: usize, shingles: &[u64]) {
    let file = InputFile { path: "news.jsonl", size: 1 << 30, ..InputFile::default() };
    let file = writer.file(&file).expect("space on the disk");
    let mut random = Random(1);
    for record in 1..=documents as u64 {
        push(&mut writer, Provenance { file, record }, &mut random, shingles);
    }
    writer.finish().expect("space on the disk");
}

fn shingles() -> Vec<u64> {
    (1..=SHINGLES as u64).map(|i| i << 56 | i).collect()
}

/// A file of `documents` documents without shingles.
fn written(folder: &Path, documents: usize) -> FingerprintFile {
    let writer = Writer::scratch(folder, &recipe(), Sections::default()).expect("a folder");
    let output = writer.output().to_owned();
    write(writer, documents, &[]);
    FingerprintFile::open(&output).expect("just written")
}

#[divan::bench(args = ["durable", "scratch"], sample_count = 10)]
fn writing(bencher: Bencher, kind: &str) {
    let (recipe, shingles) = (recipe(), shingles());
    let sections = Sections { shingles: true, keys: false, passages: false, lookup: false };
    let per_document = 8 + 100 + 16 + 32 + 4 + 8 + 14 + 12 + 8 + 8 * SHINGLES;
    let folder = tempfile::tempdir().expect("a folder");
    bencher.counter(ItemsCount::new(DOCUMENTS)).counter(BytesCount::new(DOCUMENTS * per_document)).bench_local(|| {
        let writer = match kind {
            "durable" => Writer::create(&folder.path().join("out.fp"), &recipe, sections),
            _ => Writer::scratch(folder.path(), &recipe, sections),
        };
        write(writer.expect("a folder"), DOCUMENTS, &shingles);
    });
}

/// Writes one document and a checkpoint.
#[divan::bench(sample_count = 10)]
fn checkpoint(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    let sections = Sections { shingles: true, keys: true, passages: false, lookup: false };
    let mut writer = Writer::create(&folder.path().join("out.fp"), &recipe(), sections).expect("a folder");
    let file = InputFile { path: "news.jsonl", size: 1 << 30, ..InputFile::default() };
    let file = writer.file(&file).expect("space on the disk");
    let (mut random, shingles) = (Random(1), shingles());
    bencher.bench_local(|| {
        push(&mut writer, Provenance { file, record: 1 }, &mut random, &shingles);
        writer.checkpoint(&0.into()).expect("space on the disk");
    });
}

#[divan::bench(args = [1_000, 200_000])]
fn opening(bencher: Bencher, documents: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    written(folder.path(), documents);
    let path = folder.path().join("fingerprints");
    bencher.bench(|| FingerprintFile::open(black_box(&path)).expect("just written").len());
}

#[divan::bench]
fn reading_simhashes(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), 200_000);
    bencher
        .counter(BytesCount::new(8 * file.len()))
        .bench(|| black_box(&file).simhashes().iter().fold(0, |sum, simhash| sum ^ simhash));
}

#[divan::bench]
fn asking_for_every_simhash(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), 200_000);
    bencher
        .counter(ItemsCount::new(file.len()))
        .bench(|| (0..file.len()).fold(0, |sum, document| sum ^ black_box(&file).simhash(document).unwrap_or(0)));
}

#[divan::bench]
fn verifying(bencher: Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), 200_000);
    let bytes: u64 = file.sections().map(|(_, length)| length).sum();
    bencher.counter(BytesCount::new(bytes)).bench(|| black_box(&file).verify().is_ok());
}
