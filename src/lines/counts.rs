//! Counts: a file with the number of documents that have each line, of all corpora that were counted with it.
//!
//! ```text
//! offset  size
//!      0     8  magic: 89 64 6C 63 0D 0A 1A 0A
//!      8     4  version of the format and of the folding of lines: 1
//!     12     4  h, the length of the head
//!     16     h  head: JSON in UTF-8; the corpora, in the order in which they were counted
//!    16+h  24·n  lines, ascending: hash (16), number of documents (4), number of the corpus that had it first (4)
//!            16  checksum: the first 16 bytes of the BLAKE3 hash of all bytes before it
//! ```
//!
//! Numbers are little-endian. A corpus is known again by the sum of the hashes of its documents' lines, in any order of the
//! documents, and is not counted again: parts of a corpus are counted one after the other, then cut by the counts of all.
//!
//! Cost: the old file is read once while the new one is written beside it; memory for one line.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::units::Hash;
use crate::durable::disk;
use crate::durable::known::{KnownCorpus, halves};
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::error::{Error, Result, shown};
use crate::sorter::{apart, pair};

const MAGIC: [u8; 8] = *b"\x89dlc\r\n\x1a\n";
const VERSION: u32 = 1;
/// Length of what stands before the head.
const BEFORE_HEAD: usize = 16;
/// Maximum length of the head in bytes.
const MAX_HEAD: u64 = 1 << 24;
/// Length of a line.
const LINE: usize = 24;
const CHECKSUM: usize = 16;

/// True if a file begins as one of counts does.
pub fn is_counts(path: &Path) -> bool {
    disk::begins_with(path, MAGIC)
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
    file: BufReader<File>,
    hasher: blake3::Hasher,
    head: Head,
    /// Number of lines that are not read yet.
    left: u64,
    next: Option<Row>,
}

impl Counts {
    /// Opens a file of counts, or begins one where there is none.
    pub(super) fn open(path: &Path, by_paragraph: bool) -> Result<Self> {
        let new = NewFile::create(path, Replace::Found)?;
        let path_shown = shown(path);
        let file = match disk::open(path) {
            Ok(file) => Some(file),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(source) => return Err(Error::Read { path: path_shown, source }),
        };
        let old = file.map(|file| Old::open(file, &path_shown)).transpose()?;
        if old.as_ref().is_some_and(|old| old.head.by_paragraph != by_paragraph) {
            let (has, asked) = if by_paragraph { ("lines", "paragraphs") } else { ("paragraphs", "lines") };
            return Err(Error::Counts {
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
        let new = known.is_none().then(|| Out { file: new, hasher: blake3::Hasher::new() });
        let mut merge = Merge { path, new, old, head, number, lines: 0 };
        let json = serde_json::to_vec(&merge.head).expect("a head is JSON");
        merge.write(&[&MAGIC[..], &VERSION.to_le_bytes(), &(json.len() as u32).to_le_bytes(), &json].concat())?;
        Ok(merge)
    }
}

/// Counts into which those of a corpus are merged.
#[derive(Debug)]
pub(super) struct Merge {
    path: String,
    /// `None` if the corpus was counted before.
    new: Option<Out>,
    old: Option<Old>,
    head: Head,
    /// The number of the corpus.
    number: u32,
    /// Number of lines so far.
    lines: u64,
}

/// The file that is written, and the hash of its bytes so far.
#[derive(Debug)]
struct Out {
    file: NewFile,
    hasher: blake3::Hasher,
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
            old.check(&self.path)?;
        }
        let total = Total {
            corpora: self.head.corpora.len(),
            documents: self.head.corpora.iter().map(|corpus| corpus.documents).sum(),
            lines: self.lines,
            was_known: self.new.is_none(),
        };
        if let Some(Out { mut file, hasher }) = self.new {
            let hash = hasher.finalize();
            file.write_all(&hash.as_bytes()[..CHECKSUM]).map_err(|source| Error::Write { path: self.path, source })?;
            file.finish()?;
        }
        Ok(total)
    }

    /// The next old line, if it is not behind this one.
    fn next_until(&mut self, hash: Hash) -> Result<Option<Row>> {
        let Some(old) = &mut self.old else { return Ok(None) };
        let next = old.next.take_if(|next| next.hash <= hash);
        if next.is_some() {
            old.advance(&self.path)?;
        }
        Ok(next)
    }

    fn pass_on(&mut self, row: Row) -> Result<()> {
        self.lines += 1;
        self.write(&row.bytes())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(Out { file, hasher }) = &mut self.new else { return Ok(()) };
        hasher.update(bytes);
        file.write_all(bytes).map_err(|source| Error::Write { path: self.path.clone(), source })
    }
}

impl Old {
    fn open(file: File, path: &str) -> Result<Self> {
        let read = |source| Error::Read { path: path.to_owned(), source };
        let length = file.metadata().map_err(read)?.len();
        let mut file = BufReader::with_capacity(1 << 17, file);
        let mut before = [0; BEFORE_HEAD];
        if length < BEFORE_HEAD as u64 {
            return Err(no_counts(path));
        }
        file.read_exact(&mut before).map_err(read)?;
        if !before.starts_with(&MAGIC) {
            return Err(no_counts(path));
        }
        let (fours, _) = before.as_chunks::<4>();
        let [found, head] = [2, 3].map(|at| u32::from_le_bytes(fours[at]));
        if found != VERSION {
            let what = format!(
                "has counts of version {found}, and this program reads version {VERSION}; use the program that wrote them, or name another file"
            );
            return Err(Error::Counts { path: path.to_owned(), what });
        }
        let lines = length.checked_sub(BEFORE_HEAD as u64 + u64::from(head) + CHECKSUM as u64);
        let lines = lines.filter(|bytes| u64::from(head) <= MAX_HEAD && bytes.is_multiple_of(LINE as u64));
        let Some(bytes) = lines else { return Err(damaged(path, "is truncated")) };
        let mut json = vec![0; head as usize];
        file.read_exact(&mut json).map_err(read)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&before).update(&json);
        let head = serde_json::from_slice(&json).map_err(|_| damaged(path, "is damaged"))?;
        let mut old = Self { file, hasher, head, left: bytes / LINE as u64, next: None };
        old.advance(path)?;
        Ok(old)
    }

    fn advance(&mut self, path: &str) -> Result<()> {
        self.next = match self.left.checked_sub(1) {
            None => None,
            Some(left) => {
                let mut bytes = [0; LINE];
                self.file.read_exact(&mut bytes).map_err(|source| Error::Read { path: path.to_owned(), source })?;
                self.hasher.update(&bytes);
                self.left = left;
                Some(Row::of(&bytes))
            }
        };
        Ok(())
    }

    /// Checks the sum of all bytes, which have been read.
    fn check(mut self, path: &str) -> Result<()> {
        let mut stated = [0; CHECKSUM];
        self.file.read_exact(&mut stated).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        if self.hasher.finalize().as_bytes()[..CHECKSUM] != stated {
            return Err(damaged(path, "is damaged: its checksum does not match"));
        }
        Ok(())
    }
}

fn no_counts(path: &str) -> Error {
    Error::Counts { path: path.to_owned(), what: "is no file of counts; name another file".into() }
}

fn damaged(path: &str, what: &str) -> Error {
    Error::Counts { path: path.to_owned(), what: format!("{what}; remove it, and count the corpora again") }
}
