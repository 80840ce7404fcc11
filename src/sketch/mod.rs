//! Features become a fingerprint.
//!
//! [`rabin`] turns words and n-grams into 64-bit features, [`simhash`] sums
//! them into one 64-bit simhash, [`minhash`] keeps their smallest hashes as a
//! sketch, and [`recipe`] names all that decided the result. Nothing here knows
//! what a text is: it sees bytes and numbers only.
//!
//! [`bands`] and [`simhash_blocks`] are the keys under which near fingerprints meet.

pub mod bands;
pub mod minhash;
pub mod rabin;
pub mod recipe;
pub mod simhash;
pub mod simhash_blocks;
