//! Builds search tables.
//!
//! Entries are first counted by their head. Then one part of the table at a time is filled and
//! sorted under each head, so that memory is bounded for any number of documents. Each part takes
//! one more pass over all documents.

use super::blocks::head_and_part;
use super::plan::{LookupPlan, head_bits, heads_of_key};
use super::{BANDS, EQUALITY, ID, hash_of_band, hash_of_equality, hash_of_id, head};
use crate::error::Result;
use crate::similarity::equality_key;

/// Number of entries in memory at a time; small in tests, which then need fewer documents.
const AT_ONCE: u64 = if cfg!(test) { 64 } else { 16 << 20 };

/// The sections of a file from which tables are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Made<'a> {
    /// One for each document.
    pub(crate) simhashes: &'a [u64],
    pub(crate) sketches: &'a [u32],
    /// The number of rows of a sketch.
    pub(crate) rows: usize,
    pub(crate) digests: &'a [[u8; 16]],
    pub(crate) letters: &'a [u64],
    /// Bytes, tokens, terms, n-grams, shingles.
    pub(crate) counts: &'a [[u64; 5]],
    pub(crate) id_offsets: &'a [u64],
    pub(crate) ids: &'a [u8],
}

/// A piece of a section, to be appended to it.
#[derive(Debug)]
pub(crate) enum Piece<'a> {
    KeyHeads(&'a [u64]),
    Keys(&'a [u64]),
    BlockHeads(&'a [u64]),
    Parts(&'a [u32]),
    Documents(&'a [u32]),
}

impl Made<'_> {
    fn id(&self, document: usize) -> &str {
        let [start, end] = [self.id_offsets[document], self.id_offsets[document + 1]].map(|offset| offset as usize);
        std::str::from_utf8(&self.ids[start..end]).unwrap_or_default()
    }

    /// The documents with a simhash: those with n-grams.
    fn with_simhash(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.simhashes.len()).filter(|&document| self.counts[document][3] > 0)
    }

    fn equality_key(&self, document: usize) -> [u8; 16] {
        equality_key(self.letters[document], self.digests[document])
    }

    /// The documents with a sketch: those with shingles.
    fn with_sketch(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.simhashes.len()).filter(|&document| self.counts[document][4] > 0)
    }
}

/// Makes the tables of documents, and passes them to `write` piece by piece, each section in its order.
pub(crate) fn make(plan: LookupPlan, made: &Made<'_>, write: &mut dyn FnMut(Piece<'_>) -> Result<()>) -> Result<()> {
    let all = made.simhashes.len();
    let bands = plan.bands(made.rows, 1.0, 0.0);
    let heads = heads_of_key(all) - 1;
    let mut start = 0;
    for key in 0..plan.keys(made.rows) {
        let each = |entry: &mut dyn FnMut(usize, u64)| {
            let mut put = |hash: u32, document: usize| {
                entry(head(hash, heads), u64::from(hash) << 32 | document as u64);
            };
            match key {
                ID => (0..all).for_each(|document| put(hash_of_id(made.id(document)), document)),
                EQUALITY => (0..all).for_each(|document| put(hash_of_equality(made.equality_key(document)), document)),
                _ => made.with_sketch().for_each(|document| {
                    let sketch = &made.sketches[document * made.rows..(document + 1) * made.rows];
                    put(hash_of_band(&bands, key - BANDS, sketch), document);
                }),
            }
        };
        let ends = counted(head_bits(all), start, &each);
        write(Piece::KeyHeads(&ends))?;
        sorted(&ends, &each, |part| write(Piece::Keys(part)))?;
        start = ends[heads];
    }
    let mut start = 0;
    for block in 0..plan.blocks() {
        let bits = plan.block(block, all);
        let each = |entry: &mut dyn FnMut(usize, u64)| {
            for document in made.with_simhash() {
                let (head, part) = head_and_part(made.simhashes[document], bits);
                entry(head as usize, u64::from(part) << 32 | document as u64);
            }
        };
        let ends = counted(bits.1, start, &each);
        write(Piece::BlockHeads(&ends))?;
        sorted(&ends, &each, |entries| {
            let upper: Vec<u32> = entries.iter().map(|entry| (entry >> 32) as u32).collect();
            write(Piece::Parts(&upper))?;
            let lower: Vec<u32> = entries.iter().map(|&entry| entry as u32).collect();
            write(Piece::Documents(&lower))
        })?;
        start = ends[ends.len() - 1];
    }
    Ok(())
}

/// Calls a function with the head of every entry, and the entry.
type Each<'a> = &'a dyn Fn(&mut dyn FnMut(usize, u64));

/// The start of the entries of each head, and the end.
fn counted(bits: u32, start: u64, each: Each<'_>) -> Vec<u64> {
    let mut heads = vec![0; (1 << bits) + 1];
    each(&mut |head, _| heads[head + 1] += 1);
    heads[0] = start;
    for head in 1..heads.len() {
        heads[head] += heads[head - 1];
    }
    heads
}

/// Passes all entries in order to `write`, a part at a time.
fn sorted(heads: &[u64], each: Each<'_>, mut write: impl FnMut(&[u64]) -> Result<()>) -> Result<()> {
    let last = heads.len() - 1;
    let mut from = 0;
    let mut entries = Vec::new();
    while from < last {
        let start = heads[from];
        // At least one head, even if its entries exceed the bound.
        let to = (heads.partition_point(|&head| head <= start + AT_ONCE) - 1).clamp(from + 1, last);
        entries.clear();
        entries.resize((heads[to] - start) as usize, 0);
        let mut next: Vec<usize> = heads[from..to].iter().map(|head| (head - start) as usize).collect();
        each(&mut |head, entry| {
            if (from..to).contains(&head) {
                let place = &mut next[head - from];
                entries[*place] = entry;
                *place += 1;
            }
        });
        let mut begin = 0;
        for end in next {
            entries[begin..end].sort_unstable();
            begin = end;
        }
        write(&entries)?;
        from = to;
    }
    Ok(())
}
