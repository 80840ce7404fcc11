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
//!
//! [`segments`] is a folder of fingerprint files that grows and shrinks; [`lookup`] finds
//! documents in one of them by tables that lie in the file, for queries from a cold start.

pub mod bands;
pub mod blocks;
pub mod candidates;
pub mod collection;
pub mod format;
pub mod hamming;
pub mod lookup;
pub mod map;
pub mod neighbours;
mod noted;
pub mod pairs;
pub mod print;
pub mod scan;
pub mod segments;
pub mod sorter;
pub mod tables;
pub mod write;

#[cfg(test)]
pub(crate) mod made;
#[cfg(test)]
mod tests;
