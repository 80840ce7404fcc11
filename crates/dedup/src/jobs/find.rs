//! Near-duplicates among documents: their fingerprints are gathered, and searched.

mod gather;
mod unread;

pub use gather::{Gathered, gather, gather_held};
pub(in crate::jobs) use unread::equal_files;
pub use unread::{EqualFiles, Unread};
