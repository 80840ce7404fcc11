//! Near-duplicates among texts in memory, and an index of texts on disk.
//!
//! - [`find`] searches texts for near-duplicates and decides which of them may go; [`loaded`] is the search itself.
//! - [`fingerprint`] makes fingerprints of many texts, [`made`] is what is stored of each.
//! - [`index`] keeps fingerprints in a folder, to which documents can be added and from which they can be removed.

pub mod find;
pub mod fingerprint;
pub mod index;
pub mod loaded;
pub mod made;
