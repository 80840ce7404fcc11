//! Near-duplicates among many documents.

pub mod gather;
