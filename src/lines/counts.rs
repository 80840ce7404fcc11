//! Counts: a file with the number of documents that have each line, of all corpora that were counted with it.
//!
//! The file is one of [`headed`](crate::durable::headed): its head names the corpora, in the order in which they were
//! counted, and its rows are lines, ascending: hash (16 bytes), number of documents (4), number of the corpus that had it first
//! (4). A corpus is known again by the sum of the hashes of its documents' lines, in any order of the documents, and is
//! not counted again: parts of a corpus are counted one after the other, then cut by the counts of all.
//!
//! Cost: the old file is read once while the new one is written beside it; memory for one line.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::units::Hash;
use crate::durable::disk;
use crate::durable::headed::{Kind, Out, Rows};
use crate::durable::known::{KnownCorpus, halves};
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::error::{Error, Result, shown};
use crate::sorter::{apart, pair};

/// The kind of file; the version is that of the folding of lines too.
const KIND: Kind = Kind {
    magic: *b"\x89dlc\r\n\x1a\n",
    version: 1,
    name: "file of counts",
    remedy: "remove it, and count the corpora again",
};
/// Length of a line.
const LINE: usize = 24;

/// True if a file begins as one of counts does.
pub fn is_counts(path: &Path) -> bool {
    disk::begins_with(path, KIND.magic)
}

/// The head of a file of counts: the kind of its lines, and its corpora.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// True if paragraphs were counted.
    by_paragraph: bool,
    corpora: Vec<KnownCorpus>,
}

/// A hash of a document, given those of its lines in order, by which its corpus is known again.
pub(super) fn of_document(lines: &[Hash]) -> Hash {
    let mut hasher = blake3::Hasher::new();
    for half in lines.iter().flatten() {
        hasher.update(&half.to_le_bytes());
    }
    halves(&hasher.finalize())
}

/// Sizes of a file of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    /// Number of corpora.
    pub corpora: usize,
    /// Number of their documents.
    pub documents: u64,
    /// Number of different lines.
    pub lines: u64,
    /// True if the corpus had been counted before.
    pub was_known: bool,
}

/// A line of a file of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Row {
    hash: Hash,
    /// Number of documents.
    documents: u32,
    /// The number of the first corpus that had it.
    first: u32,
}

impl Row {
    fn of(bytes: &[u8; LINE]) -> Self {
        let (eights, _) = bytes.as_chunks::<8>();
        let [a, b, numbers] = [0, 1, 2].map(|at| u64::from_le_bytes(eights[at]));
        let [first, documents] = apart(numbers);
        Self { hash: [a, b], documents, first }
    }

    fn bytes(self) -> [u8; LINE] {
        let (mut bytes, numbers) = ([0; LINE], [self.hash[0], self.hash[1], pair(self.first, self.documents)]);
        for (eight, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
            *eight = number.to_le_bytes();
        }
        bytes
    }
}

/// A file of counts, locked against other runs.
#[derive(Debug)]
pub(super) struct Counts {
    path: String,
    new: NewFile,
    old: Option<Old>,
    by_paragraph: bool,
}

/// The lines of the file that is there.
#[derive(Debug)]
struct Old {
    head: Head,
    rows: Rows,
    next: Option<Row>,
}

impl Counts {
    /// Opens a file of counts, or begins one where there is none.
    pub(super) fn open(path: &Path, by_paragraph: bool) -> Result<Self> {
        let new = NewFile::create(path, Replace::Found)?;
        let (old, path_shown) = (Old::open(path)?, shown(path));
        if old.as_ref().is_some_and(|old| old.head.by_paragraph != by_paragraph) {
            let (has, asked) = if by_paragraph { ("lines", "paragraphs") } else { ("paragraphs", "lines") };
            return Err(Error::Saved {
                path: path_shown,
                what: format!("has the counts of {has}, not of {asked}; name another file"),
            });
        }
        Ok(Self { path: path_shown, new, old, by_paragraph })
    }

    /// Adds the lines of a corpus, which are then to be [taken](Merge::take); those of a known one are only looked up.
    pub(super) fn merge(self, corpus: KnownCorpus) -> Result<Merge> {
        let Self { path, new, old, by_paragraph } = self;
        let mut head = old.as_ref().map_or(Head { by_paragraph, corpora: Vec::new() }, |old| old.head.clone());
        let known = head.corpora.iter().position(|known| *known == corpus);
        let number = known.unwrap_or(head.corpora.len()) as u32;
        if known.is_none() {
            head.corpora.push(corpus);
        }
        let new = known.is_none().then(|| Out::begin(KIND, &head, new, path)).transpose()?;
        Ok(Merge { new, old, head, number, lines: 0 })
    }
}

/// Counts into which those of a corpus are merged.
#[derive(Debug)]
pub(super) struct Merge {
    /// `None` if the corpus was counted before.
    new: Option<Out>,
    old: Option<Old>,
    head: Head,
    /// The number of the corpus.
    number: u32,
    /// Number of lines so far.
    lines: u64,
}

impl Merge {
    /// The number of documents that have a line, and true if an earlier corpus had it first, given the number in this
    /// corpus. Lines come in ascending order.
    pub(super) fn take(&mut self, hash: Hash, documents: u32) -> Result<(u32, bool)> {
        let mut row = Row { hash, documents: 0, first: self.number };
        while let Some(old) = self.next_until(hash)? {
            if old.hash == hash {
                row = old;
                break;
            }
            self.pass_on(old)?;
        }
        if self.new.is_some() {
            row.documents = row.documents.saturating_add(documents);
        }
        self.pass_on(row)?;
        Ok((row.documents, row.first != self.number))
    }

    /// Ends the file and gives it its name.
    pub(super) fn finish(mut self) -> Result<Total> {
        while let Some(old) = self.next_until([u64::MAX; 2])? {
            self.pass_on(old)?;
        }
        if let Some(old) = self.old.take() {
            old.rows.check()?;
        }
        let total = Total {
            corpora: self.head.corpora.len(),
            documents: self.head.corpora.iter().map(|corpus| corpus.documents).sum(),
            lines: self.lines,
            was_known: self.new.is_none(),
        };
        self.new.map_or(Ok(()), Out::finish)?;
        Ok(total)
    }

    /// The next old line, if it is not behind this one.
    fn next_until(&mut self, hash: Hash) -> Result<Option<Row>> {
        let Some(old) = &mut self.old else { return Ok(None) };
        let next = old.next.take_if(|next| next.hash <= hash);
        if next.is_some() {
            old.advance()?;
        }
        Ok(next)
    }

    fn pass_on(&mut self, row: Row) -> Result<()> {
        self.lines += 1;
        self.new.as_mut().map_or(Ok(()), |new| new.write(&row.bytes()))
    }
}

impl Old {
    /// Opens the file, if it is there.
    fn open(path: &Path) -> Result<Option<Self>> {
        let Some((head, rows)) = Rows::open(KIND, LINE, path)? else { return Ok(None) };
        let mut old = Self { head, rows, next: None };
        old.advance()?;
        Ok(Some(old))
    }

    fn advance(&mut self) -> Result<()> {
        self.next = self.rows.next_row()?.map(|row| Row::of(&row));
        Ok(())
    }
}
