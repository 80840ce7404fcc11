//! Searching an index for the near-duplicates of fingerprints.

use super::near_each;
use crate::observer::Observer;
use crate::store::file::collection::Collection;
use crate::store::index::Segments;
use crate::store::index::query::{Found, Plan};

/// Number of documents searched for at a time; it bounds the answers that wait to be reported.
pub(super) const AT_ONCE: u32 = 1 << 14;

/// Calls `found` with every document of an index that is near to one of a collection, at most `top` of each: document
/// by document, the most similar first. Returns the number of calls. Stops if `found` fails.
///
/// # Errors
///
/// [`crate::Error::Interrupted`], and the first of `found`.
pub fn query<E: From<crate::Error>>(
    collection: &Collection,
    (segments, plan): (&Segments, &Plan),
    top: usize,
    threads: usize,
    observer: &dyn Observer,
    mut found: impl FnMut(u32, &Found) -> std::result::Result<(), E>,
) -> std::result::Result<u64, E> {
    let all = collection.len() as u32;
    segments.expect_queries(all as usize);
    observer.begin("searching the index", Some(all.into()));
    let mut matches = 0;
    for start in (0..all).step_by(AT_ONCE as usize) {
        let documents = start..all.min(start + AT_ONCE);
        let answers = near_each((collection, documents.clone()), |_| true, (segments, plan), threads, observer)?;
        for (document, near) in documents.zip(answers) {
            for near in near.iter().take(top) {
                found(document, near)?;
                matches += 1;
            }
        }
    }
    Ok(matches)
}
