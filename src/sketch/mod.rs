//! Turns features into a fingerprint.
//!
//! [`rabin`] turns words and n-grams into 64-bit features, [`simhash`] sums them into one 64-bit simhash,
//! [`minhash`] keeps their smallest hashes as a sketch, and [`recipe`] records everything that decides the
//! result. This module knows nothing of texts: it sees only bytes and numbers.
//!
//! [`bands`] and [`simhash_blocks`] make the keys that near fingerprints share.

pub mod bands;
pub mod hashed;
pub mod minhash;
pub mod rabin;
pub mod recipe;
pub mod scan;
pub mod simhash;
pub mod simhash_blocks;
pub mod sorted;
