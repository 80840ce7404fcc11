//! Shared by the tests of fingerprint files: documents, and files made of them.

mod hostile;
mod layout;
mod round_trip;
mod writing;

use std::fs;
use std::path::Path;

use memmap2::MmapMut;
use proptest::prelude::*;

use super::format::{Counts, InputFile, PassageIndex, Provenance, Sections};
use super::lookup::{LookupPlan, hash_of_band};
use super::map::FingerprintFile;
use super::write::{Entry, Writer};
use crate::error::Result;
use crate::memory::Map;
use crate::sketch::recipe::Recipe;

const ALL: Sections = Sections { shingles: true, keys: true, passages: true, lookup: true };
/// Shingles and keys: without the sections written after the last document.
const BOTH: Sections = Sections { shingles: true, keys: true, passages: false, lookup: false };
const NONE: Sections = Sections { shingles: false, keys: false, passages: false, lookup: false };

/// A recipe that no version of the pipeline will change.
fn recipe(sketches: usize) -> Recipe {
    Recipe {
        version: 1,
        language: "auto".into(),
        stop_words: "none".into(),
        stem: true,
        simhash: true,
        shingles: "words".into(),
        min_ngram: 3,
        max_ngram: 3,
        polynomial: "430e667e613046d7".into(),
        sketches,
        sketch_seed: "6d696e6861736831".into(),
        probe: "1234567890abcdef".into(),
    }
}

const NO_FILE: InputFile = InputFile {
    path: "",
    size: 0,
    modified: 0,
    kind: 0,
    format: 0,
    is_unread: false,
    carried: 0,
    stated: None,
    digest: None,
};

/// The input files of every test.
const FILES: [InputFile; 3] = [
    InputFile { path: "news/2026.jsonl", size: 4096, modified: 1_767_225_600_000_000_000, kind: 2, ..NO_FILE },
    InputFile { path: "bräuche.txt", size: 0, modified: -1, format: 7, digest: Some(*b"sixteen bytes of"), ..NO_FILE },
    InputFile { size: u64::MAX, modified: i64::MIN, kind: 255, is_unread: true, ..NO_FILE },
];

/// An [`Entry`] that owns its data.
#[derive(Debug, Clone, PartialEq)]
struct Document {
    id: String,
    simhash: Option<u64>,
    sketch: Vec<u32>,
    digest: [u8; 16],
    letters: u64,
    language: String,
    counts: Counts,
    place: Provenance,
    key: Option<String>,
    shingles: Vec<u64>,
    words: Vec<u32>,
    text: Option<String>,
    author: Option<String>,
}

impl Document {
    fn entry(&self) -> Entry<'_> {
        Entry {
            id: &self.id,
            simhash: self.simhash,
            sketch: &self.sketch,
            digest: self.digest,
            letters: self.letters,
            language: &self.language,
            counts: self.counts,
            place: self.place,
            key: self.key.as_deref(),
            shingles: &self.shingles,
            words: &self.words,
            hashes: &[],
            text: self.text.as_deref().unwrap_or_default(),
            author: self.author.as_deref(),
        }
    }

    /// A document as read from a file.
    fn of(file: &FingerprintFile, i: usize) -> Self {
        Self {
            id: file.id(i).to_owned(),
            simhash: file.simhash(i),
            sketch: file.sketch(i).to_vec(),
            digest: file.digest(i),
            letters: file.letters(i),
            language: file.language(i).to_owned(),
            counts: file.counts(i),
            place: file.place(i),
            key: file.key(i).map(str::to_owned),
            shingles: file.shingles(i).unwrap_or_default().to_vec(),
            words: file.words(i).unwrap_or_default().to_vec(),
            text: file.text(i).map(str::to_owned),
            author: file.author(i).map(str::to_owned),
        }
    }

    /// The same document without the sections that are not kept.
    fn kept(mut self, sections: Sections) -> Self {
        self.key = self.key.filter(|key| sections.keys && !key.is_empty());
        if !sections.shingles {
            self.shingles.clear();
            self.words.clear();
        }
        self.text = self.text.filter(|_| sections.passages);
        self.author = self.author.filter(|author| sections.passages && !author.is_empty());
        self
    }
}

/// Two documents: one with everything, one empty.
fn two() -> [Document; 2] {
    let full = Document {
        id: "tides".into(),
        simhash: Some(0x0123_4567_89ab_cdef),
        sketch: vec![7, 0xffff_fffe],
        digest: *b"sixteen bytes of",
        letters: 0x1122_3344_5566_7788,
        language: "eng".into(),
        counts: Counts { bytes: 60, tokens: 12, terms: 6, ngrams: 4, shingles: 10 },
        place: Provenance { file: 1, record: 0x0001_0203_0405_0607 },
        key: Some("2026-01-01".into()),
        shingles: vec![1, 0x8000_0000_0000_0000],
        words: (1..=12).collect(),
        text: Some("The tide comes and goes.".into()),
        author: Some("Ana".into()),
    };
    let empty = Document {
        id: String::new(),
        simhash: None,
        sketch: Vec::new(),
        digest: [0; 16],
        letters: 0,
        language: "und".into(),
        counts: Counts::default(),
        place: Provenance { file: 0, record: 0 },
        key: None,
        shingles: Vec::new(),
        words: Vec::new(),
        text: Some(String::new()),
        author: None,
    };
    [full, empty]
}

fn document(sketches: usize) -> impl Strategy<Value = Document> {
    let text = prop_oneof![4 => ".{0,12}".boxed(), 1 => "[a-zé]{300,400}".boxed()].boxed();
    let shingles = prop_oneof![
        1 => Just(Vec::new()).boxed(),
        3 => prop::collection::btree_set(any::<u64>(), 1..30).prop_map(|set| set.into_iter().collect()).boxed(),
    ];
    let sketch = prop::collection::vec(any::<u32>(), sketches);
    let figures = (
        any::<u64>(),
        sketch,
        any::<[u8; 16]>(),
        any::<[u64; 2]>(),
        prop::collection::vec(any::<u32>(), 0..20),
        shingles,
    );
    let words = (text.clone(), "[a-z]{3}", prop::option::of("[0-9é]{0,9}"), text, prop::option::of("[a-zé]{0,9}"));
    (words, figures, 0..FILES.len() as u32, any::<u64>()).prop_map(|(words, figures, file, record)| {
        let (id, language, key, text, author) = words;
        let (simhash, sketch, digest, [bytes, terms], hashes, shingles) = figures;
        let empty = shingles.is_empty();
        let ngrams = terms % 5;
        let all = if empty { 0 } else { shingles.len() as u64 + terms % 5 };
        Document {
            id,
            simhash: (ngrams > 0).then_some(simhash),
            sketch: if empty { Vec::new() } else { sketch },
            digest,
            letters: bytes ^ terms,
            language,
            counts: Counts { bytes, tokens: hashes.len() as u64, terms, ngrams, shingles: all },
            place: Provenance { file, record },
            key,
            shingles,
            words: hashes,
            text: Some(text),
            author,
        }
    })
}

fn sections() -> impl Strategy<Value = Sections> {
    any::<[bool; 4]>().prop_map(|[shingles, keys, passages, lookup]| Sections { shingles, keys, passages, lookup })
}

/// A number of sketches, and documents with as many.
fn documents() -> impl Strategy<Value = (usize, Vec<Document>)> {
    (1usize..30).prop_flat_map(|sketches| (Just(sketches), prop::collection::vec(document(sketches), 0..12)))
}

/// Names `date` as the field of the keys.
fn dated(mut writer: Writer) -> Writer {
    writer.key_field("date").unwrap();
    writer
}

/// Adds a passage index with one block and one feature per document.
fn with_index(writer: &mut Writer) -> Result<()> {
    let documents = writer.documents();
    let features: Vec<u64> = (0..documents).map(|i| i << 40 | i).collect();
    let first_blocks: Vec<u32> = (0..=documents as u32).collect();
    writer.passages(&PassageIndex {
        first_blocks: first_blocks.into(),
        heads: vec![0, documents].into(),
        features: features.into(),
    })
}

fn fill(mut writer: Writer, documents: &[Document]) -> Result<()> {
    for file in &FILES {
        writer.file(file)?;
    }
    for document in documents {
        writer.push(&document.entry())?;
    }
    with_index(&mut writer)?;
    tabulated(&mut writer)?;
    writer.finish()
}

/// Adds search tables.
fn tabulated(writer: &mut Writer) -> Result<()> {
    writer.lookup(LookupPlan::new(writer.sketches(), 3, 0.5, 0.99))
}

/// The bytes of a file of these documents.
fn bytes(sketches: usize, documents: &[Document], sections: Sections) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let writer = dated(Writer::scratch(folder.path(), &recipe(sketches), sections).unwrap());
    let output = writer.output().to_owned();
    fill(writer, documents).unwrap();
    fs::read(output).unwrap()
}

/// Opens bytes as a file.
fn open(bytes: &[u8]) -> Result<FingerprintFile> {
    let mut map = MmapMut::map_anon(bytes.len().max(1)).unwrap();
    map[..bytes.len()].copy_from_slice(bytes);
    FingerprintFile::of("test.fp".into(), Map::anonymous(map.make_read_only().unwrap()))
}

/// Opens a file and reads everything in it.
fn verified(path: &Path) -> Result<FingerprintFile> {
    let file = FingerprintFile::open(path)?;
    file.verify()?;
    Ok(file)
}

/// Calls every accessor of a file; returns a sum of the results, so that each is used.
fn ask_everything(file: &FingerprintFile) -> u64 {
    let mut sum = file.simhashes().iter().fold(0, |a: u64, b| a.wrapping_add(*b));
    sum = file.sketches().iter().fold(sum, |a, b| a.wrapping_add(u64::from(*b)));
    for i in (0..file.len()).chain([file.len(), usize::MAX - 1, usize::MAX]) {
        let document = Document::of(file, i);
        let strings = [document.text, document.author].into_iter().flatten().map(|text| text.len() as u64).sum::<u64>();
        sum = sum.wrapping_add(document.id.len() as u64 + document.simhash.unwrap_or(0) / 2 + strings);
        let path = file.file(document.place.file).map_or("", |file| file.path);
        sum = sum.wrapping_add(path.len() as u64 + document.counts.bytes / 2);
    }
    let files = file.files().map(|file| file.path.len() as u64 + file.size / 2).fold(0, u64::wrapping_add);
    let sections = file.sections().map(|(name, length)| name.len() as u64 + length).sum::<u64>();
    let passages = file.passages().map_or(0, |index| index.features.len() as u64 + index.heads.len() as u64);
    sum = sum.wrapping_add(passages);
    if let Some(lookup) = file.lookup() {
        let bands = lookup.plan.bands(file.recipe().sketches, 0.5, 0.99);
        let mut found = Vec::new();
        lookup.within(file.simhashes(), 7, 3, &mut found);
        for i in 0..file.len() {
            found.extend(lookup.with_id(file.id(i)).chain(lookup.with_equality_key(file.equality_key(i))));
            if !file.sketch(i).is_empty() {
                let hash = |band| hash_of_band(&bands, band, file.sketch(i));
                (0..bands.len()).for_each(|band| found.extend(lookup.with_band(band, hash(band))));
            }
        }
        sum = found.into_iter().fold(sum, |sum, document| sum.wrapping_add(document.into()));
    }
    sum.wrapping_add(files).wrapping_add(sections).wrapping_add(file.recipe().sketches as u64)
}
