//! The removed documents of a segment, and their file.
//!
//! ```text
//! offset  size  file
//!      0     8  magic: 89 64 72 6D 0D 0A 1A 0A
//!      8     8  n, the number of documents of the segment
//!     16    16  checksum of n and the bits
//!     32 ⌈n/8⌉  one bit per document, the lowest first; 1: removed; the rest 0
//! ```

use std::io::Write;
use std::path::Path;

use bitvec::prelude::{BitVec, Lsb0};

use super::damaged;
use crate::durable::disk::Stored;
use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};

/// The first bytes of every such file.
const MAGIC: [u8; 8] = *b"\x89drm\r\n\x1a\n";

/// Offset of the bits, in bytes.
const BITS: usize = 32;

/// One bit per document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Removed {
    bits: BitVec<u8, Lsb0>,
    count: usize,
}

impl Removed {
    /// None of `documents` documents is removed.
    pub(super) fn none(documents: usize) -> Self {
        Self { bits: BitVec::repeat(false, documents), count: 0 }
    }

    /// True if a document was removed.
    pub(super) fn has(&self, document: u32) -> bool {
        self.count > 0 && self.bits.get(document as usize).is_some_and(|bit| *bit)
    }

    /// The number of documents that were removed.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Removes documents; removing one again has no effect.
    pub(super) fn add(&mut self, documents: impl IntoIterator<Item = u32>) {
        for document in documents {
            self.count += usize::from(!self.bits.replace(document as usize, true));
        }
    }

    /// The checksum of the number of documents and the bits.
    pub(super) fn checksum(&self) -> [u8; 16] {
        checksum(self.bits.len() as u64, self.bits.as_raw_slice())
    }

    /// Reads a file, in which `count` of `documents` documents must be removed. `is_listed` is true for the checksum of
    /// the list that the manifest names.
    pub(super) fn read(
        path: &Path,
        documents: usize,
        count: u64,
        is_listed: impl FnOnce([u8; 16]) -> bool,
    ) -> Result<Self> {
        let damaged = |what| damaged(path, what);
        if paths::is_special(path) {
            return Err(damaged("is a pipe, a socket or a device"));
        }
        let bytes = disk::read(path).map_err(|source| Error::Read { path: shown(path), source })?;
        let Some((header, bits)) = bytes.split_first_chunk::<BITS>().filter(|(header, _)| header.starts_with(&MAGIC))
        else {
            return Err(damaged("is not a list of removed documents"));
        };
        let n = documents as u64;
        if header[8..16] != n.to_le_bytes() || bits.len() != documents.div_ceil(8) {
            return Err(damaged("does not have as many documents as its segment"));
        }
        if header[16..] != checksum(n, bits) {
            return Err(damaged("is not as it was written: its checksum does not agree"));
        }
        let mut bits: BitVec<u8, Lsb0> = BitVec::from_slice(bits);
        let is_clean = bits[documents..].not_any();
        bits.truncate(documents);
        let removed = Self { count: bits.count_ones(), bits };
        if is_clean && removed.count as u64 == count && is_listed(removed.checksum()) {
            Ok(removed)
        } else {
            Err(damaged("is not the list that the manifest names"))
        }
    }

    /// Writes a new file and syncs it to disk; its name is safe once its folder is synced.
    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let n = self.bits.len() as u64;
        let bits = self.bits.as_raw_slice();
        let write = || {
            let mut file = Stored(paths::create(path)?);
            file.write_all(&[&MAGIC[..], &n.to_le_bytes(), &checksum(n, bits), bits].concat())?;
            disk::sync(&file.0, path)
        };
        write().map_err(|source| Error::Write { path: shown(path), source })
    }
}

fn checksum(n: u64, bits: &[u8]) -> [u8; 16] {
    let hash = blake3::Hasher::new().update(&n.to_le_bytes()).update(bits).finalize();
    *hash.as_bytes().first_chunk().expect("32 bytes")
}
