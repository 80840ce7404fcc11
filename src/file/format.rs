//! The fingerprint file: many fingerprints of one recipe, byte by byte.
//!
//! A header, a table, and sections that are plain arrays: a reader maps the file and
//! uses them where they lie. All numbers are little-endian; what lies between two
//! sections is zero; a checksum is the first 16 bytes of a BLAKE3 hash.
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
//! layouts             8 × n       u64: hash of a short text without its layout; 0 for other texts
//! languages           4 × n       ISO 639-3 code, then NUL
//! id offsets          8 × n + 1   u64: id i is bytes i to i + 1 of the next section
//! ids                 1 × any     UTF-8
//! places             12 × n       u32 input file from 0; u64 record from 1, or 0: the whole file
//! path offsets        8 × m + 1   u64: as for ids
//! paths               1 × any     UTF-8
//! files              24 × m       u64 size in bytes; i64 modified, ns since 1970; u8 kind; 7 × 0
//! key offsets         8 × n + 1   u64: as for ids (this and the next: only with keys)
//! keys                1 × any     UTF-8
//! key field           1 × any     UTF-8: the field that the keys are of (only with keys)
//! shingle offsets     8 × n + 1   u64: as for ids, in elements (this and the three after it: only with shingles)
//! shingles            8 × any     u64, ascending in each document
//! word offsets        8 × n + 1   u64: as for ids, in elements
//! words               4 × any     u32: the hash of each of the first 2^20 words, in the order of the text
//! text offsets        8 × n + 1   u64: as for ids (this and the six after it: only with passages)
//! texts               1 × any     UTF-8
//! author offsets      8 × n + 1   u64: as for ids
//! authors             1 × any     UTF-8; empty: unknown
//! first blocks        4 × n + 1   u32: block of 64 words that a text begins with, and the number of all
//! heads               8 × any     u64: where each value of the upper bits begins in the next section, and its end
//! text features       8 × any     u32 block, u32 hash: ascending, the hash first
//! lookup plan         1 × any     JSON in UTF-8 (this and the rest: only with search tables)
//! key table heads     8 × any     u64: where each value of the upper bits begins in the next section, and its end, a key each
//! key table           8 × any     u32 document, u32 hash: ascending, the hash first, a key after another
//! block heads         8 × any     u64: as for keys, a block of bits each
//! block parts         4 × any     u32: the bits after those of the head
//! block documents     4 × any     u32: whose they are
//! ```
//!
//! The magic begins with a byte that is no text and holds both kinds of line end, as
//! PNG's does, so that a copy in text mode is seen. Sections stand in this order.
//! The counts of a document are one record, not five columns: they are asked for
//! together, and one cache line holds them.
//!
//! Cost: 196 bytes a document with 25 sketches, of which a search reads 8 (simhashes) or
//! 100 (sketches); beyond them the id, 8 bytes and the key, 16 bytes with 8 a shingle and 4 a word, with
//! passages the text and about 28 bytes a word, and with search tables
//! ([`lookup`](super::lookup)) some 240.

mod section;

pub(super) use section::Section;

use crate::error::{Error, Result};

#[cfg(not(target_endian = "little"))]
compile_error!("fingerprint files are little-endian and are used where they lie: this processor is big-endian");

/// The first bytes of every fingerprint file.
pub const MAGIC: [u8; 8] = *b"\x89dfp\r\n\x1a\n";

/// The version of the format that is written, and the newest that is read.
pub const VERSION: u32 = 1;

/// Sections begin at multiples of so many bytes: a cache line, and any element's alignment.
pub(super) const ALIGNMENT: u64 = 64;

/// Where the parts of the header stand, in bytes.
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

/// Where the parts of a row of the section table stand, in bytes from its beginning.
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

/// The checksum of all that a hasher was given.
pub(super) fn checksum(hasher: &blake3::Hasher) -> Checksum {
    *hasher.finalize().as_bytes().first_chunk().expect("a BLAKE3 hash has 32 bytes")
}

/// The optional sections of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is kept or not")]
pub struct Sections {
    /// The shingles of every document, for exact figures without the texts.
    pub shingles: bool,
    /// A sort key of every document, for policies that keep the newest or the like.
    pub keys: bool,
    /// The texts, and an index of what they are made of, for passages.
    pub passages: bool,
    /// Search tables, for queries.
    pub lookup: bool,
}

/// Where a document came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The number of the input file, from 0.
    pub file: u32,
    /// The number of the record in it, from 1; 0: the file is one document.
    pub record: u64,
}

/// How much text a document has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// The bytes of the text, in UTF-8.
    pub bytes: u64,
    /// The words.
    pub tokens: u64,
    /// The terms.
    pub terms: u64,
    /// The n-grams of terms, repeated ones counted as often as they occur; 0: there is no simhash.
    pub ngrams: u64,
    /// The shingles, repeated ones counted as often as they occur; 0: an empty document.
    pub shingles: u64,
}

/// A file that documents came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputFile<'a> {
    /// Its name.
    pub path: &'a str,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last written, in nanoseconds since 1970 (UTC).
    pub modified: i64,
    /// What kind of input it is; the number means what its writer says.
    pub kind: u8,
}

/// An index of what the texts of a file are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PassageIndex<'a> {
    /// The block of words that each text begins with, and the number of all.
    pub first_blocks: &'a [u32],
    /// Where each value of the upper bits begins in `features`, and their end.
    pub heads: &'a [u64],
    /// A hash and a block each, ascending.
    pub features: &'a [u64],
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
    /// The length of the header and of a table of so many sections, in bytes.
    pub(super) fn size(sections: usize) -> usize {
        header::TABLE + sections * row::SIZE
    }

    /// The first bytes of the file.
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

    /// The checksum that the header of a file states; where it could be decoded, it is right.
    pub(super) fn stated_checksum(file: &[u8]) -> Checksum {
        *file[header::CHECKSUM..].first_chunk().expect("a header")
    }

    /// Reads the header of a file and checks all that can be checked without its
    /// recipe: every section lies where the one before it allows, the last one ends
    /// where the file does.
    pub(super) fn decode(path: &str, file: &[u8]) -> Result<Self> {
        let path = || path.to_owned();
        let damaged = |what| Error::DamagedHeader { path: path(), what };
        let cut = |expected| Error::FileLength { path: path(), expected, found: file.len() as u64 };

        // The first four bytes pass any copy that is not in text mode for ASCII only.
        if !file.starts_with(&MAGIC[..4.min(file.len())]) {
            return Err(Error::NotFingerprints { path: path() });
        }
        if !file.starts_with(&MAGIC[..8.min(file.len())]) {
            return Err(damaged("a copy in text mode has changed the line ends in it"));
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
            return Err(damaged("its version or number of sections cannot be"));
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
                return Err(damaged("a section does not lie where it must"));
            }
            end = entry.offset.checked_add(entry.length).ok_or_else(|| damaged("a section is too long"))?;
            table.push(entry);
        }
        if end != length {
            return Err(damaged("its sections do not end where the file does"));
        }
        let [documents, files, recipe] =
            [header::DOCUMENTS, header::FILES, header::RECIPE].map(|offset| u64_at(start, offset));
        Ok(Self { documents, files, recipe, length, table })
    }
}

fn put(bytes: &mut [u8], offset: usize, value: &[u8]) {
    bytes[offset..offset + value.len()].copy_from_slice(value);
}

/// The u32 at an offset, which must lie inside.
pub(super) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(*bytes[offset..].first_chunk().expect("inside"))
}

/// The u64 at an offset, which must lie inside.
pub(super) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(*bytes[offset..].first_chunk().expect("inside"))
}
