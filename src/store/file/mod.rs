//! The fingerprint file: many fingerprints of one recipe on disk, read in place.
//!
//! [`mod@format`] draws the file, [`write`](mod@write) makes one from documents that arrive one
//! by one, [`map`] reads it in place, and [`collection`] presents several files as one.
//! [`lookup`] finds documents by search tables inside the file, for queries from a cold start.

pub mod collection;
pub mod format;
pub mod lookup;
pub mod map;
mod packed;
pub mod write;

/// True if each number is greater than the one before. All are looked at, which is faster than to stop at the first.
fn ascend(numbers: &[u64]) -> bool {
    numbers.windows(2).filter(|pair| pair[0] >= pair[1]).count() == 0
}

#[cfg(test)]
pub(crate) mod test_collections;
#[cfg(test)]
mod tests;
