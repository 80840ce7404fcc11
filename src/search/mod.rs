//! Search for near documents among the fingerprints of a collection.
//!
//! [`hamming`] joins all simhashes with all; [`tables`] finds documents by the band and block keys
//! of [`crate::sketch`]; [`candidates`] combines keys, tables and a [`scan`] of every simhash
//! into one search. Three modules give the results: [`pairs`] lists every near pair, sorted by
//! [`sorter`] within bounded memory; [`neighbours`] finds the nearest documents of a few; and
//! [`cluster`] decides which documents survive, by a policy of [`keep`].

pub mod candidates;
pub mod cluster;
pub mod crowds;
pub mod families;
pub mod hamming;
pub mod keep;
pub mod neighbours;
pub mod pairs;
pub mod scan;
pub mod sorter;
pub mod tables;
