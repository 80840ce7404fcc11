//! Near-duplicates among documents: their fingerprints are gathered, and searched.

mod gather;
mod unread;

pub use gather::{Gathered, gather, gather_held};
pub use unread::{EqualFiles, Unread};
