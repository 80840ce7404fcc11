//! Fingerprints on disk, and how their neighbours are found.
//!
//! [`mod@format`] draws the fingerprint file, [`write`](mod@write) makes one out of
//! documents that come one by one, [`map`] reads it in place, and [`collection`] takes
//! several as one.
//!
//! [`bands`] and [`blocks`] make keys of sketches and simhashes, [`tables`] finds
//! documents again by them, [`candidates`] puts the three together. [`hamming`] joins
//! all simhashes with all, [`scan`] looks at one after the other, and [`pairs`] lists
//! every pair that is near, sorted by [`sorter`] within a bound of memory, and
//! [`neighbours`] finds the nearest documents of a few.

pub mod bands;
pub mod blocks;
pub mod candidates;
pub mod collection;
pub mod format;
pub mod hamming;
pub mod map;
pub mod neighbours;
pub mod pairs;
pub mod scan;
pub mod sorter;
pub mod tables;
pub mod write;

#[cfg(test)]
pub(crate) mod made;
#[cfg(test)]
mod tests;
