//! The fingerprint file: many fingerprints of one recipe, byte by byte.
//!
//! A header, a table, and sections that are plain arrays: a reader maps the file and
//! uses them in place. All numbers are little-endian; the bytes between two
//! sections are zero; a checksum is the first 16 bytes of a BLAKE3 hash.
//!
//! ```text
//! offset  size  header
//!      0     8  magic: 89 64 66 70 0D 0A 1A 0A
//!      8     4  version of the format: 1
//!     12     4  s, the number of sections
//!     16     8  n, the number of documents
//!     24     8  m, the number of input files
//!     32     8  recipe id
//!     40     8  length of the file
//!     48    16  checksum of bytes 0 to 47 and of the section table
//!     64  56·s  section table
//!
//! offset  size  row of the section table
//!      0    16  name, ASCII, then NUL
//!     16     8  size of an element
//!     24     8  offset of the section: the next multiple of 64
//!     32     8  length of the section
//!     40    16  checksum of the section
//!
//! section          size × number  element
//! recipe              1 × any     JSON in UTF-8; its checksum begins with the recipe id, highest byte first
//! simhashes           8 × n       u64; 0 for a document without n-grams
//! sketches           4k × n       k minima of u32, k as in the recipe; 0 for an empty document
//! digests            16 × n       the first 128 bits of the BLAKE3 hash of the text
//! counts             40 × n       u64 each: bytes, tokens, terms, n-grams, shingles; 0 shingles: an empty document
//! letters             8 × n       u64: hash of what the text says; 0 for a text without words
//! languages           4 × n       ISO 639-3 code, then NUL
//! id offsets          8 × n + 1   u64: entries i and i + 1 are the start and end of id i in the next section
//! ids                 1 × any     UTF-8
//! places             12 × n       u32 input file from 0; u64 record from 1, or 0: the whole file
//! path offsets        8 × m + 1   u64: as for ids
//! paths               1 × any     UTF-8
//! files              48 × m       u64 size in bytes; i64 modified, ns since 1970; u8 kind, format, unread; u40 carried; u16 origin of the date; i48 date; 16 digest
//! key offsets         8 × n + 1   u64: as for ids (this and the next: only with keys)
//! keys                1 × any     UTF-8
//! key field           1 × any     UTF-8: the name of the field of the keys (only with keys)
//! shingle offsets     8 × n + 1   u64: as for ids, in elements (this and the three after it: only with shingles)
//! shingles            8 × any     u64, ascending in each document
//! word offsets        8 × n + 1   u64: as for ids, in elements
//! words               4 × any     u32: hashes of the first 2^20 words, in order; lowest bit: a sentence or line ends behind
//! text offsets        8 × n + 1   u64: as for ids (this and the six after it: only with passages)
//! texts               1 × any     UTF-8
//! author offsets      8 × n + 1   u64: as for ids
//! authors             1 × any     UTF-8; empty: unknown
//! first blocks        4 × n + 1   u32: the first block of 64 words of each text, and the number of all blocks
//! heads               8 × any     u64: start of each value of the upper bits in the next section, and the end
//! text features       8 × any     u32 block, u32 hash: ascending by hash, then block
//! lookup plan         1 × any     JSON in UTF-8 (this and the rest: only with search tables)
//! key table heads     8 × any     u64: per key, start of each value of the upper bits in the next section, and the end
//! key table           8 × any     u32 document, u32 hash: key after key, ascending by hash, then document
//! block heads         8 × any     u64: as for keys, for each block of bits
//! block parts         4 × any     u32: the 32 bits after those of the head
//! block documents     4 × any     u32: the document of each part
//! ```
//!
//! Like PNG's, the magic begins with a byte that is not text and contains both kinds of line
//! end, so that a copy in text mode is detected. Sections come in this order. The date of a file is in seconds since
//! 1970, and its origin 1 (an archive) or 2 (the document); with origin 0, `modified` is the date. The counts of
//! a document are one record, not five columns: they are read together, mostly from one
//! cache line.
//!
//! Cost: 196 bytes per document with 25 sketches, of which a search reads 8 (simhashes) or
//! 100 (sketches), and the id. Keys add 8 bytes and the key; shingles 16 bytes, 8 per shingle
//! and 4 per word; passages the text and some 20 bytes per word; search tables
//! ([`lookup`](super::lookup)) about 240 bytes.

mod section;

pub use section::Section;

use std::borrow::Cow;

use crate::error::{Error, Result};

#[cfg(not(target_endian = "little"))]
compile_error!("fingerprint files are little-endian and are used in place: this processor is big-endian");

/// The first bytes of every fingerprint file.
pub const MAGIC: [u8; 8] = *b"\x89dfp\r\n\x1a\n";

/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// Alignment of sections in bytes: a cache line, which suits any element.
pub(super) const ALIGNMENT: u64 = 64;

/// Offsets of the parts of the header, in bytes.
pub(super) mod header {
    pub(crate) const MAGIC: usize = 0;
    pub(crate) const VERSION: usize = 8;
    pub(crate) const SECTIONS: usize = 12;
    pub(crate) const DOCUMENTS: usize = 16;
    pub(crate) const FILES: usize = 24;
    pub(crate) const RECIPE: usize = 32;
    pub(crate) const LENGTH: usize = 40;
    pub(crate) const CHECKSUM: usize = 48;
    pub(crate) const TABLE: usize = 64;
}

/// Offsets of the parts of a row of the section table, in bytes from its beginning.
pub(super) mod row {
    pub(crate) const NAME: usize = 0;
    pub(crate) const ELEMENT: usize = 16;
    pub(crate) const OFFSET: usize = 24;
    pub(crate) const LENGTH: usize = 32;
    pub(crate) const CHECKSUM: usize = 40;
    pub(crate) const SIZE: usize = 56;
}

/// The first 128 bits of a BLAKE3 hash.
pub(super) type Checksum = [u8; 16];

/// The checksum of everything fed to a hasher.
pub(super) fn checksum(hasher: &blake3::Hasher) -> Checksum {
    *hasher.finalize().as_bytes().first_chunk().expect("a BLAKE3 hash has 32 bytes")
}

/// The optional sections of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is kept or not")]
pub struct Sections {
    /// The shingles of every document, for exact figures without the texts.
    pub shingles: bool,
    /// A sort key for every document, for policies that keep the newest, for example.
    pub keys: bool,
    /// The texts and an index of their features, for passages.
    pub passages: bool,
    /// Search tables, for queries.
    pub lookup: bool,
}

/// The origin of a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The number of the input file, from 0.
    pub file: u32,
    /// The number of the record in it, from 1; 0: the file is one document.
    pub record: u64,
}

/// The size of a document's text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Number of bytes of the text, in UTF-8.
    pub bytes: u64,
    /// Number of words.
    pub tokens: u64,
    /// Number of terms.
    pub terms: u64,
    /// Number of n-grams of terms, repeats included; 0: there is no simhash.
    pub ngrams: u64,
    /// Number of shingles, repeats included; 0: an empty document.
    pub shingles: u64,
}

/// A file that documents came from; by default none, for documents from memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InputFile<'a> {
    /// Its name.
    pub path: &'a str,
    /// Its size in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970 (UTC); 0: unknown.
    pub modified: i64,
    /// The kind of input; the program that writes the file defines the numbers.
    pub kind: u8,
    /// The format that its texts were extracted from; the program that writes the file defines the numbers, but for
    /// [`UNSURE_FORMAT`](crate::similarity::UNSURE_FORMAT).
    pub format: u8,
    /// True if it could not be read as text.
    pub is_unread: bool,
    /// The lower 40 bits of a hash of the files that its document carries besides its text, as a mail does; 0: none.
    pub carried: u64,
    /// The first 128 bits of the BLAKE3 hash of its bytes; `None` if it is not one document, or is an unread file that is
    /// no member of an archive.
    pub digest: Option<[u8; 16]>,
    /// The date that the document in it states, or the archive that it is a member of.
    pub stated: Option<Stated>,
}

/// A date that is not the time of a file, in seconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stated {
    /// The time of a member of an archive.
    Archive(i64),
    /// The date within a document.
    Document(i64),
}

/// The origin of a document's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DateOrigin {
    /// The document itself.
    Document,
    /// The archive that its file is a member of.
    Archive,
    /// The file system.
    File,
}

impl Stated {
    /// The origin and the date as the fourth eight bytes of an input file's row: a date of six bytes reaches four million
    /// years.
    pub(super) fn encode(stated: Option<Self>) -> [u8; 8] {
        let (origin, seconds) = match stated {
            None => (0, 0),
            Some(Self::Archive(seconds)) => (1, seconds),
            Some(Self::Document(seconds)) => (2, seconds),
        };
        (seconds << 16 | origin).to_le_bytes()
    }

    /// The date in these bytes; an unknown origin gives none.
    pub(super) fn decode(row: u64) -> Option<Self> {
        let seconds = row.cast_signed() >> 16;
        match row & 0xffff {
            1 => Some(Self::Archive(seconds)),
            2 => Some(Self::Document(seconds)),
            _ => None,
        }
    }
}

/// True for the time of a file that tells a date. Within the first second of 1970 it only tells versions apart.
pub fn is_date(modified: i64) -> bool {
    !(0..1_000_000_000).contains(&modified)
}

impl InputFile<'_> {
    /// The date of a document that is the file, and of the records in it, in nanoseconds since 1970; `None` if neither the
    /// document nor a file has one.
    pub fn date(&self) -> Option<(i64, DateOrigin)> {
        let nanoseconds = |seconds: i64| seconds.saturating_mul(1_000_000_000);
        match self.stated {
            Some(Stated::Document(seconds)) => Some((nanoseconds(seconds), DateOrigin::Document)),
            Some(Stated::Archive(seconds)) => Some((nanoseconds(seconds), DateOrigin::Archive)),
            None if !is_date(self.modified) => None,
            None => Some((self.modified, DateOrigin::File)),
        }
    }
}

/// An index of the features of the texts of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassageIndex<'a> {
    /// The first block of words of each text, and the number of all blocks.
    pub first_blocks: Cow<'a, [u32]>,
    /// The start of each value of the upper bits in `features`, and the end.
    pub heads: Cow<'a, [u64]>,
    /// The features, ascending: each a hash and a block.
    pub features: Cow<'a, [u64]>,
}

/// A row of the section table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) section: Section,
    /// The size of an element in bytes.
    pub(super) element: u64,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: Checksum,
}

/// The header and the section table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) documents: u64,
    pub(super) files: u64,
    pub(super) recipe: u64,
    /// The length of the whole file in bytes.
    pub(super) length: u64,
    pub(super) table: Vec<Row>,
}

impl Header {
    /// Length in bytes of the header and a table of `sections` rows.
    pub(super) fn size(sections: usize) -> usize {
        header::TABLE + sections * row::SIZE
    }

    /// Encodes the header and the section table.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; Self::size(self.table.len())];
        put(&mut bytes, header::MAGIC, &MAGIC);
        put(&mut bytes, header::VERSION, &VERSION.to_le_bytes());
        put(&mut bytes, header::SECTIONS, &(self.table.len() as u32).to_le_bytes());
        put(&mut bytes, header::DOCUMENTS, &self.documents.to_le_bytes());
        put(&mut bytes, header::FILES, &self.files.to_le_bytes());
        put(&mut bytes, header::RECIPE, &self.recipe.to_le_bytes());
        put(&mut bytes, header::LENGTH, &self.length.to_le_bytes());
        for (bytes, entry) in bytes[header::TABLE..].chunks_exact_mut(row::SIZE).zip(&self.table) {
            put(bytes, row::NAME, &entry.section.label());
            put(bytes, row::ELEMENT, &entry.element.to_le_bytes());
            put(bytes, row::OFFSET, &entry.offset.to_le_bytes());
            put(bytes, row::LENGTH, &entry.length.to_le_bytes());
            put(bytes, row::CHECKSUM, &entry.checksum);
        }
        let checksum = Self::checksum(&bytes);
        put(&mut bytes, header::CHECKSUM, &checksum);
        bytes
    }

    /// The checksum of a header with its table: of all bytes but its own.
    pub(super) fn checksum(bytes: &[u8]) -> Checksum {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes[..header::CHECKSUM]);
        hasher.update(&bytes[header::TABLE..]);
        checksum(&hasher)
    }

    /// The checksum stated in the header of a file; correct if the header could be decoded.
    pub(super) fn stated_checksum(file: &[u8]) -> Checksum {
        *file[header::CHECKSUM..].first_chunk().expect("a header")
    }

    /// Reads the header of a file and checks everything that does not depend on its recipe:
    /// every section begins at the next multiple of [`ALIGNMENT`], and the last one ends
    /// with the file.
    pub(super) fn decode(path: &str, file: &[u8]) -> Result<Self> {
        let path = || path.to_owned();
        let damaged = |what| Error::DamagedHeader { path: path(), what };
        let cut = |expected| Error::FileLength { path: path(), expected, found: file.len() as u64 };

        // The first four bytes survive any copy in text mode, unless it is for ASCII only.
        if !file.starts_with(&MAGIC[..4.min(file.len())]) {
            return Err(Error::NotFingerprints { path: path() });
        }
        if !file.starts_with(&MAGIC[..8.min(file.len())]) {
            return Err(damaged("a copy in text mode has changed its line ends"));
        }
        let Some(start) = file.first_chunk::<{ header::TABLE }>() else {
            return Err(cut(header::TABLE as u64));
        };
        let version = u32_at(start, header::VERSION);
        if version > VERSION {
            return Err(Error::NewerFormat { path: path(), found: version, known: VERSION });
        }
        let sections = u32_at(start, header::SECTIONS) as usize;
        if version == 0 || sections > Section::ALL.len() {
            return Err(damaged("its version or number of sections is invalid"));
        }
        let length = u64_at(start, header::LENGTH);
        let Some(bytes) = file.get(..Self::size(sections)) else {
            return Err(cut(length.max(Self::size(sections) as u64)));
        };
        if Self::stated_checksum(bytes) != Self::checksum(bytes) {
            return Err(damaged("its checksum does not agree"));
        }
        if length != file.len() as u64 {
            return Err(cut(length));
        }
        let rows = bytes[header::TABLE..].chunks_exact(row::SIZE);
        let labels = rows.clone().map(|bytes| &bytes[row::NAME..row::ELEMENT]);
        let has = |section: Section| labels.clone().any(|label| label == section.label());
        let kept = Sections {
            shingles: has(Section::Shingles),
            keys: has(Section::Keys),
            passages: has(Section::TextFeatures),
            lookup: has(Section::LookupPlan),
        };
        let kept = Section::kept(kept);
        if !labels.clone().eq(kept.clone().map(Section::label)) {
            return Err(damaged("its sections are not those of a fingerprint file"));
        }
        let mut table = Vec::with_capacity(sections);
        let mut end = bytes.len() as u64;
        for (section, bytes) in kept.zip(rows) {
            let entry = Row {
                section,
                element: u64_at(bytes, row::ELEMENT),
                offset: u64_at(bytes, row::OFFSET),
                length: u64_at(bytes, row::LENGTH),
                checksum: *bytes[row::CHECKSUM..].first_chunk().expect("a row has 56 bytes"),
            };
            if end.checked_next_multiple_of(ALIGNMENT) != Some(entry.offset) {
                return Err(damaged("a section begins at the wrong offset"));
            }
            end = entry.offset.checked_add(entry.length).ok_or_else(|| damaged("a section is too long"))?;
            table.push(entry);
        }
        if end != length {
            return Err(damaged("its sections do not end with the file"));
        }
        let [documents, files, recipe] =
            [header::DOCUMENTS, header::FILES, header::RECIPE].map(|offset| u64_at(start, offset));
        Ok(Self { documents, files, recipe, length, table })
    }
}

fn put(bytes: &mut [u8], offset: usize, value: &[u8]) {
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

/// The u32 at an offset, which must lie within the bytes.
pub(super) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(*bytes[offset..].first_chunk().expect("inside"))
}

/// The u64 at an offset, which must lie within the bytes.
pub(super) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(*bytes[offset..].first_chunk().expect("inside"))
}
