//! Detects truncated PDFs, whose end is missing and objects with it.
//!
//! The library searches such a file for its objects and treats missing ones as empty: pages
//! would be missing from the text without a warning.
//!
//! Cost: linear in the objects, only if the end is missing.

use lopdf::{Document, Object};

/// Length of the file's tail that is searched for the end mark, in bytes, as PDF readers do.
const TAIL: usize = 1024;

/// True if the end mark is there.
pub(super) fn has_end(bytes: &[u8]) -> bool {
    bytes[bytes.len().saturating_sub(TAIL)..].windows(5).any(|mark| mark == b"%%EOF")
}

/// True if any object refers to a missing one.
pub(super) fn lacks_objects(document: &Document) -> bool {
    document.objects.values().any(|object| names_missing(document, object))
}

/// True if an object refers to a missing one. Objects are nested at most a hundred levels deep.
fn names_missing(document: &Document, object: &Object) -> bool {
    match object {
        Object::Reference(id) => !document.objects.contains_key(id),
        Object::Array(objects) => objects.iter().any(|object| names_missing(document, object)),
        Object::Dictionary(entries) => entries.iter().any(|(_, object)| names_missing(document, object)),
        Object::Stream(stream) => stream.dict.iter().any(|(_, object)| names_missing(document, object)),
        _ => false,
    }
}
