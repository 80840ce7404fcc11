//! Search tables: the documents of a file by id, text, sketch and simhash.
//!
//! The tables are sections of a fingerprint file and are used in place, so that a query
//! reads a few pages of a file of any size:
//!
//! ```text
//!  keys, for each key in turn:     hash, 32 bits │ document, 32 bits     ascending
//!      ▲
//!  key heads: where each value of the hash's upper bits begins, and the end
//!
//!  blocks, for each block in turn:  part: the 32 bits after the head │ document
//!      ▲
//!  block heads: where each value of the block's upper bits begins, and the end
//! ```
//!
//! The first two keys are the id and the equality key ([`crate::similarity::equality_key`]), which every document has;
//! then come the bands of the sketch ([`Bands`]). Two simhashes that differ in at most D bits are equal in one of
//! D + 1 blocks of bits, and differ in at most D bits of the part beside it: only such documents
//! are compared in full. Empty documents have these two only.
//!
//! Cost: about 9 bytes per key and document, and 8 per block and document: about 240 per document
//! with 21 bands and 4 blocks. Memory while they are made: 128 MB, and 9 bytes for each head.
//!
//! Source: G. S. Manku, A. Jain, A. Das Sarma, *Detecting near-duplicates for web crawling*,
//! 2007, section 3.

mod blocks;
mod build;
mod keys;
mod plan;

pub(super) use build::{Made, Piece, make};
pub use keys::Table;
use keys::head;
pub(crate) use keys::heads;
pub(super) use plan::Lengths;
pub(crate) use plan::head_bits;
pub use plan::{LookupPlan, MAX_DISTANCE};

use crate::sketch::bands::Bands;

/// Numbers of the keys: a document's id, its equality key, and the first band.
const ID: usize = 0;
const EQUALITY: usize = 1;
const BANDS: usize = 2;

/// The search tables of a file.
#[derive(Debug, Clone, Copy)]
pub struct Lookup<'m> {
    /// The plan of the tables.
    pub plan: LookupPlan,
    /// The number of all documents of the file.
    pub(super) all: usize,
    pub(super) key_heads: &'m [u64],
    pub(super) keys: &'m [u64],
    pub(super) block_heads: &'m [u64],
    pub(super) parts: &'m [u32],
    pub(super) documents: &'m [u32],
}

/// A hash of a document's id.
fn hash_of_id(id: &str) -> u32 {
    upper(blake3::hash(id.as_bytes()).as_bytes())
}

/// A hash of an equality key: its first 32 bits, as it is a hash itself.
fn hash_of_equality(key: [u8; 16]) -> u32 {
    upper(&key)
}

fn upper(hash: &[u8]) -> u32 {
    u32::from_be_bytes(*hash.first_chunk().expect("16 bytes at least"))
}

/// A hash of a band of a sketch.
pub fn hash_of_band(bands: &Bands, band: usize, sketch: &[u32]) -> u32 {
    (bands.key(band, sketch) >> 32) as u32
}

impl<'m> Lookup<'m> {
    /// The table of a key.
    fn key(&self, key: usize) -> Table<'m> {
        let length = plan::heads_of_key(self.all);
        Table { heads: self.key_heads.get(key * length..(key + 1) * length).unwrap_or_default(), entries: self.keys }
    }

    /// The first entry of a key that is under the wrong head or out of order.
    pub(super) fn misplaced(&self) -> Option<usize> {
        let length = plan::heads_of_key(self.all);
        self.key_heads.chunks_exact(length).find_map(|heads| {
            let bounds = heads.windows(2).enumerate();
            bounds.into_iter().find_map(|(value, bound)| {
                let range = bound[0] as usize..bound[1] as usize;
                let start = range.start;
                let entries = self.keys.get(range)?;
                let is_here = |&entry: &u64| head((entry >> 32) as u32, length - 1) == value;
                let misplaced = entries.iter().position(|entry| !is_here(entry));
                misplaced.or_else(|| entries.windows(2).position(|pair| pair[0] >= pair[1])).map(|i| start + i)
            })
        })
    }

    /// The documents whose id may be this one: the hashes are equal.
    pub fn with_id(&self, id: &str) -> impl Iterator<Item = u32> + use<'m> {
        documents(self.key(ID).of(hash_of_id(id)))
    }

    /// The documents whose words may be equal: the hashes of the equality keys are.
    pub fn with_equality_key(&self, key: [u8; 16]) -> impl Iterator<Item = u32> + use<'m> {
        documents(self.key(EQUALITY).of(hash_of_equality(key)))
    }

    /// The documents whose sketches may have this band: its hash, by [`hash_of_band`], is equal.
    pub fn with_band(&self, band: usize, hash: u32) -> impl ExactSizeIterator<Item = u32> + Clone + use<'m> {
        documents(self.key(BANDS + band).of(hash))
    }
}

fn documents(entries: &[u64]) -> impl ExactSizeIterator<Item = u32> + Clone {
    entries.iter().map(|&entry| entry as u32)
}

#[cfg(test)]
mod tests;
