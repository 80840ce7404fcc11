//! Stores of fingerprints: the fingerprint file, in memory or on disk, and the index, a folder of such files.

pub mod file;
pub mod index;
