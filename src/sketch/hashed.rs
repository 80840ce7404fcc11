//! Sets and maps of numbers that are hashes themselves, which need no second hash.
//!
//! Reserve room before the numbers of one are put into another: they come in the order of their hashes, and would crowd
//! one end of a table that is still small.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A set of hashes.
pub type HashSetOfHashes = HashSet<u64, BuildHasherDefault<Same>>;

/// A map whose keys are hashes.
pub type HashMapOfHashes<T> = HashMap<u64, T, BuildHasherDefault<Same>>;

/// Returns a number as its own hash.
#[derive(Debug, Default, Clone, Copy)]
pub struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
