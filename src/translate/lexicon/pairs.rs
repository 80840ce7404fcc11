//! The weighted pairs of stems of a lexicon, and its file.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use super::{CHECKSUM, HEAD, Head, MAGIC, MAX_HEAD, VERSION};
use crate::durable::new_file::NewFile;
use crate::error::{Error, Result, shown};

/// Number of pairs of a stem that are kept for it, those of the greatest weight: many entries of one stem list as many
/// words.
const KEPT: usize = 16;

/// The pairs of stems that translate each other, with their weights.
#[derive(Debug)]
pub struct Pairs {
    head: Head,
    /// A stem of the first language, one of the second, their weight; ascending, each pair once.
    weighted: Vec<(u32, u32, u64)>,
}

impl Pairs {
    /// Adds up the weights of equal pairs.
    pub(super) fn new(head: Head, mut weighted: Vec<(u32, u32, u64)>) -> Self {
        weighted.sort_unstable();
        weighted.dedup_by(|next, kept| {
            let is_same = (next.0, next.1) == (kept.0, kept.1);
            if is_same {
                kept.2 += next.2;
            }
            is_same
        });
        Self { head, weighted }
    }

    /// The origin of the lexicon.
    pub fn head(&self) -> &Head {
        &self.head
    }

    #[cfg(test)]
    pub(super) fn weighted(&self) -> &[(u32, u32, u64)] {
        &self.weighted
    }

    /// The pairs of stems, and the same turned, both ascending: those among the [`KEPT`] of the greatest weight of either stem.
    fn best(&self) -> [Vec<u64>; 2] {
        let packed = |x: u32, y: u32| u64::from(x) << 32 | u64::from(y);
        let mut kept = BTreeSet::new();
        for side in [0, 1] {
            let stem = |&(x, y, _): &(u32, u32, u64)| if side == 0 { x } else { y };
            let mut pairs = self.weighted.clone();
            pairs.sort_unstable_by_key(|pair| (stem(pair), Reverse(pair.2), pair.0, pair.1));
            for of_stem in pairs.chunk_by(|x, y| stem(x) == stem(y)) {
                kept.extend(of_stem.iter().take(KEPT).map(|&(x, y, _)| (x, y)));
            }
        }
        let mut turned: Vec<u64> = kept.iter().map(|&(x, y)| packed(y, x)).collect();
        turned.sort_unstable();
        [kept.into_iter().map(|(x, y)| packed(x, y)).collect(), turned]
    }

    /// The bytes of the lexicon, and the number of its pairs.
    fn bytes(&self) -> (Vec<u8>, usize) {
        let mut json = serde_json::to_vec(&self.head).expect("a head is valid JSON");
        if json.len() > MAX_HEAD {
            let (name, licence) = (String::new(), String::new());
            json = serde_json::to_vec(&Head { name, licence, ..self.head.clone() }).expect("a head is valid JSON");
        }
        let tables = self.best();
        let count = tables[0].len();
        let mut bytes = Vec::with_capacity(HEAD + json.len() + 8 + 16 * count);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend((count as u64).to_le_bytes());
        bytes.extend([0; HEAD - CHECKSUM]);
        bytes.extend(&json);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        tables.iter().flatten().for_each(|pair| bytes.extend(pair.to_le_bytes()));
        let mut hasher = blake3::Hasher::new();
        hasher.update(&bytes[..CHECKSUM]).update(&bytes[HEAD..]);
        bytes[CHECKSUM..HEAD].copy_from_slice(&hasher.finalize().as_bytes()[..HEAD - CHECKSUM]);
        (bytes, count)
    }

    /// Writes the lexicon to a new file that was begun at this path; returns the number of pairs.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyLexicon`] if there are no pairs; [`Error::Write`] and those of finishing a file.
    pub fn write(&self, path: &Path, mut file: NewFile) -> Result<usize> {
        let (bytes, count) = self.bytes();
        if count == 0 {
            return Err(Error::EmptyLexicon { entries: self.head.entries });
        }
        file.write_all(&bytes).map_err(|source| Error::Write { path: shown(path), source })?;
        file.finish()?;
        Ok(count)
    }
}
