//! The texts of a few documents, read again from their files.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use nearcopy::store::file::collection::Collection;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::{Reader, Reading};
use nearcopy_corpus::source;

/// Returns the first `characters` characters of these documents' texts. Documents whose files
/// are gone or hold other texts are left out.
pub fn texts(collection: &Collection, documents: &[u32], reading: &Reading, characters: usize) -> HashMap<u32, String> {
    let mut texts = HashMap::new();
    each_text(collection, documents, reading, &mut |document, text| {
        texts.insert(document, text.chars().take(characters).collect());
    });
    texts
}

/// Calls `each` with these documents and their texts, file by file. Documents whose files are gone or hold other texts
/// are left out. A file is read up to its last such document.
pub(super) fn each_text(
    collection: &Collection,
    documents: &[u32],
    reading: &Reading,
    each: &mut dyn FnMut(u32, &str),
) {
    let mut names: HashMap<&str, HashMap<u64, u32>> = HashMap::new();
    for &document in documents {
        if let (Some(file), place) = collection.place(document)
            && file.path != "-"
        {
            names.entry(file.path).or_default().insert(place.record, document);
        }
    }
    let mut files: BTreeMap<PathBuf, HashMap<&str, HashMap<u64, u32>>> = BTreeMap::new();
    for (name, records) in names {
        files.entry(on_disk(name)).or_default().insert(name, records);
    }
    for (path, mut wanted) in files {
        // A member of an archive may be one that is left out by default.
        let Ok(inputs) = Inputs::new(vec![path], Selection { hidden: true, ..Selection::default() }) else { continue };
        for batch in Reader::new(inputs, reading.clone()).flatten() {
            batch.each(|record| {
                let Ok(record) = record else { return };
                let of_file = wanted.get_mut(batch.file.name.as_str());
                let Some(document) = of_file.and_then(|of_file| of_file.remove(&record.number)) else { return };
                let is = |digest: [u8; 16]| digest == collection.digest(document);
                // The file is read again for its identity only if the characters do not give the digest.
                if is(nearcopy::fingerprint::digest(&record.text))
                    || is(nearcopy::fingerprint::digest_of(batch.identity(record.number)))
                {
                    each(document, &record.text);
                }
            });
            if wanted.values().all(HashMap::is_empty) {
                break;
            }
        }
    }
}

/// The file that a name stands for: itself, or the archive that it is a member of.
fn on_disk(name: &str) -> PathBuf {
    let path = source::path(name);
    let archive = path.ancestors().skip(1).find(|ancestor| ancestor.is_file()).map(Path::to_owned);
    if path.exists() { path } else { archive.unwrap_or(path) }
}
