//! A fingerprint file, mapped and read in place.
//!
//! [`FingerprintFile::open`] checks what can be checked in constant time: the header and
//! its checksum, the offset of every section, its length against the number of documents,
//! the zeros between sections, and the recipe. The content of sections is neither read nor
//! trusted: an invalid record gives an empty value, never a panic.
//! [`FingerprintFile::verify`] reads everything and names the first fault.
//!
//! A mapped file must not change while it is read: if another program truncates it, the
//! system ends this one with SIGBUS. [`Writer`](super::write::Writer) is safe: it writes a
//! new file and renames it over the old one, which stays mapped.
//!
//! Cost: opening reads the header and the recipe. An accessor costs a few comparisons; an id
//! is also checked for UTF-8, and shingles for ascending order unless the file was verified. `verify` reads the whole file
//! once or twice, at the speed of BLAKE3.

mod open;
mod verify;

pub use verify::verify_all;

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::ascend;
use super::format::{
    Checksum, Counts, Header, InputFile, MAGIC, PassageIndex, Provenance, Section, Stated, checksum, u32_at, u64_at,
};
use super::lookup::{Lookup, LookupPlan};
use super::packed::{Dictionary, Packed};
use crate::durable::scratch::Scratch;
use crate::error::Error;
use crate::memory::{Map, before_reading};
use crate::similarity::{FingerprintView, equality_key};
use crate::sketch::recipe::Recipe;

/// File endings of fingerprint files and archives in the examples of `dedup`.
const ENDINGS: [&str; 2] = ["fp", "dsi"];

/// True if a file begins with the magic or is a truncated fingerprint file: a part of the magic, or an empty file
/// with the ending of one. Read as a text, such a remainder would give no document.
pub fn is_fingerprint_file(path: &Path) -> bool {
    let mut head = Vec::with_capacity(MAGIC.len());
    let file = Some(path).filter(|path| path.is_file()).and_then(|path| File::open(path).ok());
    let read = file.and_then(|file| file.take(MAGIC.len() as u64).read_to_end(&mut head).ok());
    let is_called_so =
        || path.extension().is_some_and(|ending| ENDINGS.iter().any(|own| ending.eq_ignore_ascii_case(own)));
    read.is_some() && MAGIC.starts_with(&head) && (!head.is_empty() || is_called_so())
}

/// Many fingerprints of one recipe, on disk.
///
/// Documents are numbered from 0; a number that is too great gives empty values.
#[derive(Debug)]
pub struct FingerprintFile {
    path: String,
    /// One map of a whole file, or one of each section's spool.
    maps: Vec<Map>,
    header: Header,
    checksum: Checksum,
    recipe: Recipe,
    /// True if every byte was verified since the file was opened; it does not change after that.
    is_checked: AtomicBool,
    lookup: Option<LookupPlan>,
    /// The number of the map of each of [`Section::ALL`], and its range in bytes there; empty for one that is not kept.
    sections: [(usize, Range<usize>); Section::ALL.len()],
    /// The words of packed lists; `None` if no list is packed.
    dictionary: Option<Dictionary>,
    /// The folder of the spools, which is removed after the maps.
    _scratch: Option<Scratch>,
}

impl FingerprintFile {
    /// Tells the system how the file will be read from now on: at random places, or in large parts.
    pub(crate) fn will_be_looked_into(&self, here_and_there: bool) {
        self.maps.iter().for_each(|map| advise(map, here_and_there));
    }

    /// The search tables; `None`: there are none.
    pub fn lookup(&self) -> Option<Lookup<'_>> {
        Some(Lookup {
            plan: self.lookup?,
            all: self.len(),
            key_heads: self.elements(Section::KeyTableHeads),
            keys: self.elements(Section::KeyTable),
            block_heads: self.elements(Section::BlockHeads),
            parts: self.elements(Section::BlockParts),
            documents: self.elements(Section::BlockDocuments),
        })
    }

    /// A document's fingerprint.
    pub fn view(&self, document: usize) -> FingerprintView<'_> {
        let (shingles, words) = if let Some(packed) = self.packed(document) {
            let (shingles, words) = packed.lists();
            (shingles.into(), words.into())
        } else {
            let (shingles, words) = (self.stored_shingles(document), self.stored_words(document));
            (shingles.unwrap_or_default().into(), words.unwrap_or_default().into())
        };
        FingerprintView {
            simhash: self.simhash(document),
            sketch: self.sketch(document),
            digest: self.digest(document),
            letters: self.letters(document),
            words,
            shingles,
            format: self.format(document),
            carried: self.row_of(document).map_or(0, carried),
            file: self.digest_of_file(document),
        }
    }

    /// The checksum of the header and the section table, which holds the checksums of all sections.
    pub fn checksum(&self) -> [u8; 16] {
        self.checksum
    }

    /// The file as the user named it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The error of comparing this file with fingerprints of another recipe.
    pub fn is_unlike(&self, other: &str, recipe: &Recipe, recipe_id: u64) -> Error {
        unlike((&self.path, &self.recipe, self.recipe_id()), (other, recipe, recipe_id))
    }

    /// The recipe of all fingerprints in it.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The id of that recipe when the file was written.
    pub fn recipe_id(&self) -> u64 {
        self.header.recipe
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.header.documents as usize
    }

    /// True if there is no document in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every section with its length in bytes, in the order of the file.
    pub fn sections(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.header.table.iter().map(|row| (row.section.name(), row.length))
    }

    /// The simhash of every document; 0 for one that has none.
    pub fn simhashes(&self) -> &[u64] {
        self.elements(Section::Simhashes)
    }

    /// The simhash of a document; `None`: it has none.
    pub fn simhash(&self, document: usize) -> Option<u64> {
        let simhash = *self.simhashes().get(document)?;
        (self.counts(document).ngrams > 0).then_some(simhash)
    }

    /// The sketches of every document, one after another; 0 for an empty one.
    pub fn sketches(&self) -> &[u32] {
        self.elements(Section::Sketches)
    }

    /// The sketch of a document; empty for an empty document.
    pub fn sketch(&self, document: usize) -> &[u32] {
        let size = self.recipe.sketches;
        let range = document.checked_mul(size).and_then(|start| Some(start..start.checked_add(size)?));
        if self.is_empty_document(document) {
            return &[];
        }
        range.and_then(|range| self.sketches().get(range)).unwrap_or_default()
    }

    /// The first 128 bits of the BLAKE3 hash of a document's text.
    pub fn digest(&self, document: usize) -> [u8; 16] {
        self.elements(Section::Digests).get(document).copied().unwrap_or_default()
    }

    /// True if a document has no shingles, so that no other is near to it.
    pub fn is_empty_document(&self, document: usize) -> bool {
        self.counts(document).shingles == 0
    }

    /// A key that is equal for texts of equal words.
    pub fn equality_key(&self, document: usize) -> [u8; 16] {
        equality_key(self.letters(document), self.digest(document))
    }

    /// The hash of what the text says; 0 for a text without words.
    pub fn letters(&self, document: usize) -> u64 {
        self.elements(Section::Letters).get(document).copied().unwrap_or_default()
    }

    /// The size of a document's text.
    pub fn counts(&self, document: usize) -> Counts {
        let counts: &[[u64; 5]] = self.elements(Section::Counts);
        let [bytes, tokens, terms, ngrams, shingles] = counts.get(document).copied().unwrap_or_default();
        Counts { bytes, tokens, terms, ngrams, shingles }
    }

    /// The ISO 639-3 code of the language that a document was read in.
    pub fn language(&self, document: usize) -> &str {
        let codes: &[[u8; 4]] = self.elements(Section::Languages);
        match codes.get(document) {
            Some([code @ .., 0]) if code.iter().all(u8::is_ascii_lowercase) => {
                std::str::from_utf8(code).unwrap_or_default()
            }
            _ => "",
        }
    }

    /// A document's id.
    pub fn id(&self, document: usize) -> &str {
        self.string(Section::IdOffsets, Section::Ids, document).unwrap_or_default()
    }

    /// The origin of a document.
    pub fn place(&self, document: usize) -> Provenance {
        let places: &[[u8; 12]] = self.elements(Section::Places);
        places
            .get(document)
            .map_or_else(Provenance::default, |bytes| Provenance { file: u32_at(bytes, 0), record: u64_at(bytes, 4) })
    }

    /// The input files, in order.
    pub fn files(&self) -> impl ExactSizeIterator<Item = InputFile<'_>> {
        let rows: &[FileRow] = self.elements(Section::Files);
        rows.iter().enumerate().map(|(file, row)| self.input(file, row))
    }

    /// The input files that could not be read as text, each with its number.
    pub fn unread(&self) -> impl Iterator<Item = (u32, InputFile<'_>)> {
        (0..).zip(self.files()).filter(|(_, file)| file.is_unread)
    }

    /// An input file by its number, as in [`Provenance::file`].
    pub fn file(&self, file: u32) -> Option<InputFile<'_>> {
        self.row(file).map(|row| self.input(file as usize, row))
    }

    fn row(&self, file: u32) -> Option<&FileRow> {
        self.elements(Section::Files).get(file as usize)
    }

    fn input(&self, file: usize, row: &FileRow) -> InputFile<'_> {
        let [kind, format, unread, ..] = row[2].to_le_bytes();
        InputFile {
            path: self.string(Section::PathOffsets, Section::Paths, file).unwrap_or_default(),
            size: row[0],
            modified: row[1].cast_signed(),
            kind,
            format,
            is_unread: unread != 0,
            carried: carried(row),
            stated: Stated::decode(row[3]),
            digest: digest_of_file(row),
        }
    }

    /// The number of the format that a document's text was extracted from.
    pub fn format(&self, document: usize) -> u8 {
        let [_, format, ..] = self.row_of(document).map_or(0, |row| row[2]).to_le_bytes();
        format
    }

    /// The first 128 bits of the BLAKE3 hash of the file that a document is; `None` if the file is not one document.
    pub fn digest_of_file(&self, document: usize) -> Option<[u8; 16]> {
        self.row_of(document).and_then(digest_of_file)
    }

    fn row_of(&self, document: usize) -> Option<&FileRow> {
        self.row(self.place(document).file)
    }

    /// The sort key of a document; `None`: it has none, or none are kept.
    pub fn key(&self, document: usize) -> Option<&str> {
        self.string(Section::KeyOffsets, Section::Keys, document).filter(|key| !key.is_empty())
    }

    /// The distinct shingles of a document, ascending; `None`: they are not kept, or
    /// are damaged.
    pub fn shingles(&self, document: usize) -> Option<Cow<'_, [u64]>> {
        match self.packed(document) {
            Some(packed) => Some(packed.shingles().into()),
            None => self.stored_shingles(document).map(Cow::Borrowed),
        }
    }

    /// The hashes of the first words of a document, in its order; `None`: they are not kept.
    pub fn words(&self, document: usize) -> Option<Cow<'_, [u32]>> {
        match self.packed(document) {
            Some(packed) => Some(packed.words().into()),
            None => self.stored_words(document).map(Cow::Borrowed),
        }
    }

    /// The number of kept words of a document.
    pub fn kept_words(&self, document: usize) -> usize {
        let stored = || self.span(Section::WordOffsets, document).map_or(0, |range| range.len());
        self.packed(document).map_or_else(stored, |packed| packed.count)
    }

    fn stored_shingles(&self, document: usize) -> Option<&[u64]> {
        let range = self.span(Section::ShingleOffsets, document)?;
        let shingles: &[u64] = self.elements::<u64>(Section::Shingles).get(range)?;
        before_reading(size_of_val(shingles));
        (self.is_checked.load(Ordering::Relaxed) || ascend(shingles)).then_some(shingles)
    }

    fn stored_words(&self, document: usize) -> Option<&[u32]> {
        let range = self.span(Section::WordOffsets, document)?;
        let words = self.elements::<u32>(Section::Words).get(range)?;
        before_reading(size_of_val(words));
        Some(words)
    }

    /// The packed words of a document: it has shingles, and none are stored.
    fn packed(&self, document: usize) -> Option<Packed<'_>> {
        let dictionary = self.dictionary.as_ref()?;
        let stored = self.span(Section::ShingleOffsets, document)?;
        if !stored.is_empty() || self.is_empty_document(document) {
            return None;
        }
        let count = self.counts(document).tokens as usize;
        self.stored_words(document).map(|bytes| Packed { dictionary, bytes, count })
    }

    /// The text of a document; `None`: texts are not kept, or it is damaged.
    pub fn text(&self, document: usize) -> Option<&str> {
        self.string(Section::TextOffsets, Section::Texts, document)
    }

    /// The author of a document; `None`: unknown, or texts are not kept.
    pub fn author(&self, document: usize) -> Option<&str> {
        self.string(Section::AuthorOffsets, Section::Authors, document).filter(|author| !author.is_empty())
    }

    /// The passage index of the texts; `None`: it is not kept.
    pub fn passages(&self) -> Option<PassageIndex<'_>> {
        let index = PassageIndex {
            first_blocks: self.elements(Section::FirstBlocks).into(),
            heads: self.elements(Section::Heads).into(),
            features: self.elements(Section::TextFeatures).into(),
        };
        (!index.first_blocks.is_empty()).then_some(index)
    }

    /// True if sort keys are kept.
    pub fn has_keys(&self) -> bool {
        !self.bytes(Section::KeyOffsets).is_empty()
    }

    /// The field of the sort keys; `None`: unknown, or none are kept.
    pub fn key_field(&self) -> Option<&str> {
        std::str::from_utf8(self.bytes(Section::KeyField)).ok().filter(|name| !name.is_empty())
    }

    /// True if shingles are kept.
    pub fn has_shingles(&self) -> bool {
        !self.bytes(Section::ShingleOffsets).is_empty()
    }

    /// The bytes of a section; none if it is not kept.
    fn bytes(&self, section: Section) -> &[u8] {
        let (map, range) = &self.sections[section as usize];
        self.maps.get(*map).and_then(|map| map.get(range.clone())).unwrap_or_default()
    }

    /// The elements of a section. The cast cannot fail for an opened file: pages and sections
    /// are aligned, and lengths are whole elements.
    fn elements<T: bytemuck::AnyBitPattern>(&self, section: Section) -> &[T] {
        bytemuck::try_cast_slice(self.bytes(section)).unwrap_or_default()
    }

    /// The range given by entry `i` of a section of offsets; it may be out of bounds.
    fn span(&self, offsets: Section, i: usize) -> Option<Range<usize>> {
        let offsets: &[u64] = self.elements(offsets);
        let [start, end] = [offsets.get(i)?, offsets.get(i.checked_add(1)?)?];
        Some(usize::try_from(*start).ok()?..usize::try_from(*end).ok()?)
    }

    fn string(&self, offsets: Section, strings: Section, i: usize) -> Option<&str> {
        let bytes = self.bytes(strings).get(self.span(offsets, i)?)?;
        before_reading(bytes.len());
        std::str::from_utf8(bytes).ok()
    }
}

/// A row of the section of input files, in words of eight bytes.
type FileRow = [u64; 6];

/// The digest of a file that is one document.
fn digest_of_file(row: &FileRow) -> Option<[u8; 16]> {
    let digest: [u8; 16] = bytemuck::cast([row[4], row[5]]);
    Some(digest).filter(|digest| *digest != [0; 16])
}

/// The hash of the files that a file's document carries.
fn carried(row: &FileRow) -> u64 {
    row[2] >> 24
}

/// The error of comparing fingerprints of two recipes, each with its name and id.
pub(crate) fn unlike(a: (&str, &Recipe, u64), b: (&str, &Recipe, u64)) -> Error {
    // A recipe written by an older program may have had fewer entries.
    let difference = a.1.difference(b.1).unwrap_or_else(|| "their stored forms differ".into());
    Error::RecipesOf { a: a.0.into(), b: b.0.into(), recipe_a: a.2, recipe_b: b.2, difference }
}

/// Advises the system to read ahead or not; no effect where it takes no advice.
fn advise(map: &Map, here_and_there: bool) {
    #[cfg(unix)]
    if let Some(map) = map.file() {
        let advice = if here_and_there { memmap2::Advice::Random } else { memmap2::Advice::Normal };
        let _ = map.advise(advice);
    }
    #[cfg(not(unix))]
    let _ = (map, here_and_there);
}
