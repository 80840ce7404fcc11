//! Whether a PDF breaks off: its end is missing, and something with it.
//!
//! The library finds the objects of such a file by looking for them, and those that are gone count as empty: pages
//! would be missing from the text without a word.
//!
//! Cost: linear in the objects, where the end is missing.

use lopdf::{Document, Object};

/// Readers look for the mark of the end in so many last bytes.
const TAIL: usize = 1024;

/// Whether the mark of the end is there.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    bytes[bytes.len().saturating_sub(TAIL)..].windows(5).any(|mark| mark == b"%%EOF")
}

/// Whether an object names another that is not there.
pub(super) fn lacks_objects(document: &Document) -> bool {
    document.objects.values().any(|object| names_missing(document, object))
}

/// Objects stand in each other a hundred levels deep at most.
fn names_missing(document: &Document, object: &Object) -> bool {
    match object {
        Object::Reference(id) => !document.objects.contains_key(id),
        Object::Array(objects) => objects.iter().any(|object| names_missing(document, object)),
        Object::Dictionary(entries) => entries.iter().any(|(_, object)| names_missing(document, object)),
        Object::Stream(stream) => stream.dict.iter().any(|(_, object)| names_missing(document, object)),
        _ => false,
    }
}
