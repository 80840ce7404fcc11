//! Search for near documents among the fingerprints of a collection.
//!
//! [`hamming`] joins all simhashes with all; [`tables`] finds documents by the band and block keys
//! of [`crate::sketch`], which [`plan`] chooses and of which [`shared_keys`] tells those that another document has;
//! [`candidates`] combines keys, tables and a [`scan`](crate::sketch::scan) of every simhash
//! into one search. [`leaders`] passes documents through it, in the order of a policy of [`keep`]. Five modules give
//! the results: [`pairs`] lists every near pair, sorted by [`crate::sorter`] within bounded memory; [`neighbours`] finds the
//! nearest documents of a few; [`contained`] finds small texts in large ones; [`cluster`] lists survivors and the documents near to each; and [`removals`] decides
//! which documents may be removed, and by which claim.

pub mod candidates;
pub mod cluster;
pub mod contained;
pub mod effort;
pub mod families;
pub mod hamming;
pub mod hot_keys;
pub mod keep;
pub mod leaders;
pub mod neighbours;
pub mod pairs;
pub mod plan;
pub mod removals;
pub mod shared_keys;
pub mod tables;
