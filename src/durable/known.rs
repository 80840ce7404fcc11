//! Corpora that are known again in a file of counts, so that none is counted twice.

use serde::{Deserialize, Serialize};

/// A fingerprint of a corpus, whatever the order of its documents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownCorpus {
    /// Number of its documents.
    pub documents: u64,
    /// The sum of their hashes, in two halves.
    sum: [u64; 2],
}

impl KnownCorpus {
    /// Adds a document, given a hash of it.
    pub fn add(&mut self, hash: [u64; 2]) {
        for (sum, half) in self.sum.iter_mut().zip(hash) {
            *sum = sum.wrapping_add(half);
        }
        self.documents += 1;
    }
}

/// The first 128 bits of a hash.
pub fn halves(hash: &blake3::Hash) -> [u64; 2] {
    let (halves, _) = hash.as_bytes().as_chunks::<8>();
    [halves[0], halves[1]].map(u64::from_le_bytes)
}
