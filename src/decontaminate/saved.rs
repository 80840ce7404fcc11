//! A file of counts: in how many documents each n-gram of items occurs, of all corpora that were counted with it.
//!
//! JSON behind its checksum ([`checked_json`]). It is of the very items that were counted: of others the numbers mean
//! nothing. A corpus is known again by the hashes of its texts, and is not counted again.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Counts, Items};
use crate::durable::known::{KnownCorpus, halves};
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::durable::{checked_json, disk};
use crate::error::{Error, Result, shown};

/// The version of the file, of reading words, and of the numbers of n-grams.
const VERSION: u32 = 2;

/// Length of the checksum before the JSON: a hash of 32 bytes in hexadecimal, and a line break.
const CHECKSUM: usize = 65;

/// First bytes of the JSON, by which the file is recognised.
const BEGIN: &str = "{\"counts_of_items\":";

/// True if a file begins as one of counts does.
pub fn is_counts(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = |file: File| file.take((CHECKSUM + BEGIN.len()) as u64).read_to_end(&mut head);
    path.is_file() && disk::open(path).and_then(read).is_ok() && head.get(CHECKSUM..) == Some(BEGIN.as_bytes())
}

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    counts_of_items: u32,
    /// The hash of all items, in hexadecimal.
    items: String,
    corpora: Vec<KnownCorpus>,
    /// Number of words of all their documents.
    words: u64,
    /// The number of documents that have each n-gram, by the numbers of [`super::Lookup::counted`], without those that none has.
    documents: Vec<(u32, u32)>,
}

/// The hash by which a text is known again.
pub fn hash(text: &str) -> [u64; 2] {
    halves(&blake3::hash(text.as_bytes()))
}

/// Sizes of a file of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Number of the documents of all corpora.
    pub documents: u64,
    /// True if the corpus had been counted before.
    pub was_known: bool,
}

/// A file of counts, locked against other runs.
#[derive(Debug)]
pub struct SavedCounts {
    path: String,
    new: NewFile,
    content: Content,
}

impl SavedCounts {
    /// Opens a file of counts of these items, or begins one where there is none.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if it is damaged, of another version or of other items; [`Error::Read`], [`Error::Locked`].
    pub fn open(path: &Path, items: &Items) -> Result<Self> {
        let new = NewFile::create(path, Replace::Found)?;
        let of_items = items.hash().to_hex().to_string();
        let path_shown = shown(path);
        let fail = |what: &str| Error::Saved { path: path_shown.clone(), what: what.to_owned() };
        let content = match disk::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Content {
                counts_of_items: VERSION,
                items: of_items,
                corpora: Vec::new(),
                words: 0,
                documents: Vec::new(),
            },
            Err(source) => return Err(Error::Read { path: path_shown, source }),
            Ok(bytes) => {
                if bytes.get(CHECKSUM..).is_none_or(|json| !json.starts_with(BEGIN.as_bytes())) {
                    return Err(fail("is no file of the counts of items; name another file"));
                }
                let again = |what: &str| fail(&format!("{what}; remove it, and count the corpora again"));
                let text = str::from_utf8(&bytes).map_err(|_| again("is damaged"))?;
                let json = checked_json::json(text).map_err(again)?;
                let content: Option<Content> = serde_json::from_str(json).ok();
                let content = content.filter(|content| content.counts_of_items == VERSION).ok_or_else(|| {
                    fail("has counts of another version; use the program that wrote them, or name another file")
                })?;
                if content.items != of_items {
                    return Err(fail(
                        "has the counts of other items; name the same test sets and fields in the same order, or \
                         another file",
                    ));
                }
                content
            }
        };
        Ok(Self { path: path_shown, new, content })
    }

    /// Adds the counts of a corpus, unless it is known; the counts of all are then in the file.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn add(self, items: &Items, corpus: KnownCorpus, counts: Counts) -> Result<(Counts, Total)> {
        let Self { path, mut new, mut content } = self;
        let was_known = content.corpora.contains(&corpus);
        let counts = if was_known {
            Counts::of(items, content.documents.iter().copied(), content.words)
        } else {
            let all = counts.plus(std::mem::take(&mut content.documents), content.words);
            content.corpora.push(corpus);
            content.words = all.words();
            content.documents = all.numbers().filter(|&(_, documents)| documents > 0).collect();
            let failed = |source| Error::Write { path: path.clone(), source };
            let json = serde_json::to_string(&content).map_err(|error| failed(error.into()))?;
            new.write_all(checked_json::checksum(&json).as_bytes()).map_err(failed)?;
            new.write_all(json.as_bytes()).map_err(failed)?;
            new.finish()?;
            all
        };
        let of_corpora = content.corpora.iter().map(|corpus| corpus.documents);
        Ok((counts, Total { documents: of_corpora.fold(0, u64::saturating_add), was_known }))
    }
}
