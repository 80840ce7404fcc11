//! Merges documents of several files into one new file. The old ones are not touched: after a failure, as of a full
//! disk, the unfinished file is removed and the index is what it was.

use std::collections::{HashMap, HashSet};

use crate::error::{Error, Result};
use crate::observer::{Observer, go_on};
use crate::store::file::collection::MAX_DOCUMENTS;
use crate::store::file::format::{InputFile, PassageIndex, Provenance};
use crate::store::file::lookup::{LookupPlan, head_bits, heads};
use crate::store::file::map::FingerprintFile;
use crate::store::file::write::{Entry, Writer};

/// A file, and a selection of its documents.
#[derive(Clone, Copy)]
pub struct Part<'a> {
    /// A fingerprint file of the index's recipe, with the sections that its segments have.
    pub file: &'a FingerprintFile,
    /// True for the documents that are taken.
    pub takes: &'a dyn Fn(u32) -> bool,
    /// The documents that get the name of a renamed file, each of which is its file.
    pub renamed: Option<&'a HashMap<u32, Renamed>>,
}

/// The new name of a file that is a document, and the time of its last change in nanoseconds since 1970 (UTC).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// The name, and the document's id.
    pub path: String,
    /// The time.
    pub modified: i64,
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Part").field("file", &self.file.path()).finish_non_exhaustive()
    }
}

impl Part<'_> {
    fn documents(&self) -> impl Iterator<Item = u32> {
        (0..self.file.len() as u32).filter(|&document| (self.takes)(document))
    }
}

/// Writes the documents of all parts, in order, with search tables, and finishes the file. The files that could not be read
/// are kept in each state that was met: which is the last one, the order of the parts does not tell.
///
/// The caller has checked the files: a merge must not give damage a correct checksum.
pub(super) fn merge(mut writer: Writer, parts: &[Part<'_>], plan: LookupPlan, observer: &dyn Observer) -> Result<()> {
    let found = parts.iter().map(|part| part.documents().count()).sum();
    if found > MAX_DOCUMENTS {
        return Err(Error::TooMany { found, limit: MAX_DOCUMENTS });
    }
    observer.begin("writing a segment", Some(found as u64));
    for part in parts {
        let file = part.file;
        let mut inputs = HashMap::new();
        for document in part.documents() {
            let i = document as usize;
            if i.is_multiple_of(1 << 12) {
                go_on(observer)?;
            }
            let place = file.place(i);
            let renamed = part.renamed.and_then(|renamed| renamed.get(&document));
            let input = if let Some(&input) = inputs.get(&place.file) {
                input
            } else {
                let named = |input| match renamed {
                    Some(Renamed { path, modified }) => InputFile { path, modified: *modified, ..input },
                    None => input,
                };
                let input = file.file(place.file).map(named).map_or(Ok(0), |input| writer.file(&input))?;
                *inputs.entry(place.file).or_insert(input)
            };
            let print = file.view(i);
            writer.push(&Entry {
                id: renamed.map_or(file.id(i), |renamed| &renamed.path),
                simhash: print.simhash,
                sketch: print.sketch,
                digest: print.digest,
                letters: print.letters,
                language: file.language(i),
                counts: file.counts(i),
                place: Provenance { file: input, record: place.record },
                key: None,
                shingles: &print.shingles,
                words: &print.words,
                hashes: &[],
                text: file.text(i).unwrap_or_default(),
                author: file.author(i),
            })?;
            observer.advance(1);
        }
    }
    let mut unread = HashSet::new();
    for (_, input) in parts.iter().flat_map(|part| part.file.unread()) {
        if unread.insert((input.path, input.size, input.modified)) {
            writer.file(&input)?;
        }
    }
    // A part may have sections that the index does not keep.
    if writer.keeps_passages() {
        passages(&mut writer, parts)?;
    }
    observer.begin("making search tables", None);
    writer.lookup(plan)?;
    writer.finish()
}

/// Writes the passage index of the texts: the entries of each part for the documents that are taken,
/// with their blocks renumbered.
///
/// Memory: 9 bytes per entry; a word has about 3.3 entries.
fn passages(writer: &mut Writer, parts: &[Part<'_>]) -> Result<()> {
    let (mut starts, mut entries, mut blocks) = (Vec::new(), Vec::new(), 0u32);
    for part in parts {
        let Some(index) = part.file.passages() else { continue };
        let mut new = vec![None; part.file.len()];
        for document in part.documents() {
            let [first, end] = [document as usize, document as usize + 1].map(|i| index.first_blocks[i]);
            new[document as usize] = Some(blocks);
            starts.push(blocks);
            blocks = blocks
                .checked_add(end - first)
                .ok_or(Error::TooMany { found: u32::MAX as usize, limit: u32::MAX as usize })?;
        }
        entries.extend(index.features.iter().filter_map(|&entry| {
            let block = entry as u32;
            // A document without words has no block: its first block is that of the next document.
            let document = index.first_blocks.partition_point(|&first| first <= block).checked_sub(1)?;
            let start = (*new.get(document)?)?;
            Some(entry >> 32 << 32 | u64::from(start + (block - index.first_blocks[document])))
        }));
    }
    starts.push(blocks);
    entries.sort_unstable();
    let heads = heads(&entries, head_bits(entries.len()));
    writer.passages(&PassageIndex { first_blocks: starts.into(), heads: heads.into(), features: entries.into() })
}
