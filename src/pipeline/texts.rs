//! The texts of a few documents, read again from their files.

use std::collections::{BTreeMap, HashMap};

use crate::corpus::inputs::{Inputs, Selection};
use crate::corpus::records::{Reader, Reading};
use crate::corpus::source;
use crate::file::collection::Collection;

/// Returns the first `characters` characters of these documents' texts. Documents whose files
/// are gone or hold other texts are left out. A file is read up to its last such document.
pub fn texts(collection: &Collection, documents: &[u32], reading: &Reading, characters: usize) -> HashMap<u32, String> {
    let mut files: BTreeMap<&str, HashMap<u64, u32>> = BTreeMap::new();
    for &document in documents {
        if let (Some(file), place) = collection.place(document) {
            files.entry(file.path).or_default().insert(place.record, document);
        }
    }
    let mut texts = HashMap::new();
    for (path, mut wanted) in files.into_iter().filter(|(path, _)| *path != "-") {
        let Ok(inputs) = Inputs::new(vec![source::path(path)], Selection::default()) else { continue };
        for batch in Reader::new(inputs, reading.clone()).flatten() {
            batch.each(|record| {
                let Ok(record) = record else { return };
                let Some(document) = wanted.remove(&record.number) else { return };
                let is = |digest: [u8; 16]| digest == collection.digest(document);
                // The file is read again for its identity only if the characters do not give the digest.
                if is(super::fingerprinter::digest(&record.text))
                    || is(super::fingerprinter::digest_of(batch.identity(record.number)))
                {
                    texts.insert(document, record.text.chars().take(characters).collect());
                }
            });
            if wanted.is_empty() {
                break;
            }
        }
    }
    texts
}
