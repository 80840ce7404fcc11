//! Near-duplicates among documents: their fingerprints are gathered, and searched.

mod answers;
mod gather;
mod opaque;

pub use answers::{Clustered, Judged};
pub use gather::{Gathered, gather, gather_held};
pub(in crate::jobs) use opaque::equal_files;
pub use opaque::{EqualFiles, Opaque};
