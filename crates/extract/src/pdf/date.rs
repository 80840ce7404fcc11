//! The date that a PDF states: of its last change, else of its creation.
//!
//! Source: ISO 32000-1 (14.3.3: document information dictionary).

use lopdf::{Document, Object};

use super::{dictionary, entry};
use crate::date;

/// The date in the information dictionary.
pub(super) fn date(document: &Document) -> Option<i64> {
    let information = dictionary(document, &document.trailer, b"Info")?;
    [&b"ModDate"[..], b"CreationDate"].into_iter().find_map(|key| match entry(document, information, key)? {
        Object::String(bytes, _) => date::pdf(bytes),
        _ => None,
    })
}
