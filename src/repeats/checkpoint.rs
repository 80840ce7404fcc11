//! A checkpoint: what the finished rounds of a search have cut, from which a later run goes on.
//!
//! The file is one of [`headed`](crate::durable::headed). Its head has the settings, the corpus and the lengths of four lists; its
//! rows are the numbers in these lists. A corpus is known again by its texts and their order.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Settings;
use super::cuts::Cuts;
use super::rounds::Search;
use crate::cutting::{Documents, Made};
use crate::durable::disk;
use crate::durable::headed::{Kind, Out, Rows};
use crate::durable::known::{KnownCorpus, halves};
use crate::durable::new_file::NewFile;
use crate::durable::place::Replace;
use crate::error::{Error, Result, shown};

/// The kind of file; the version is that of reading words too.
const KIND: Kind = Kind {
    magic: *b"\x89dck\r\n\x1a\n",
    version: 1,
    name: "checkpoint",
    remedy: "remove it, and the search starts from the beginning",
};

/// True if a file begins as a checkpoint does.
pub fn is_checkpoint(path: &Path) -> bool {
    disk::begins_with(path, KIND.magic)
}

/// The file in which a search notes its finished rounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// Its path.
    pub path: PathBuf,
    /// The rule by which documents are ordered, in words.
    pub order: String,
}

/// The head of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Head {
    of: Identity,
    rounds: u32,
    /// Number of words of all documents.
    words: u64,
    /// Lengths of the lists of [`Cuts`].
    lists: [u64; 4],
}

/// The options and the documents of a search; only one with the same goes on from the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Identity {
    words: u32,
    is_verbatim: bool,
    keeps_none: bool,
    min_left: u32,
    max_cut: f64,
    order: String,
    corpus: KnownCorpus,
    /// The hash of the documents' numbers in their order.
    ranks: [u64; 2],
}

/// The hash of a text and its key, and its length.
struct Known([u64; 2], u32);

impl Made for Known {
    fn size(&self) -> usize {
        size_of::<Self>()
    }
}

/// A checkpoint of a corpus that has been read, locked against other runs.
#[derive(Debug)]
pub(super) struct Opened<'a> {
    path: &'a Path,
    of: Identity,
    /// The file that the next round will be noted in.
    next: Option<NewFile>,
}

impl<'a> Opened<'a> {
    /// Reads the documents, and takes up the search of the file, if it is there.
    pub(super) fn begin<D: Documents>(
        Checkpoint { path, order }: &'a Checkpoint,
        documents: &mut D,
        settings: &Settings,
    ) -> std::result::Result<(Self, Search), D::Error> {
        let next = Some(NewFile::create(path, Replace::Found)?);
        let (mut search, mut bytes, mut corpus) = (Search::default(), Vec::new(), KnownCorpus::default());
        let work = |(): &mut (), key: u64, text: &str| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(&key.to_le_bytes()).update(text.as_bytes());
            Known(halves(&hasher.finalize()), text.len() as u32)
        };
        documents.each("comparing with the checkpoint", &|| (), &work, &mut |document, Known(hash, length)| {
            search.add(document);
            bytes.push(length);
            corpus.add(hash);
            Ok(())
        })?;
        let mut ranks = blake3::Hasher::new();
        documents.order(&bytes)?.iter().for_each(|document| _ = ranks.update(&document.to_le_bytes()));
        let &Settings { words, is_verbatim, keeps_none, limits, .. } = settings;
        let of = Identity {
            words,
            is_verbatim,
            keeps_none,
            min_left: limits.min_left,
            max_cut: limits.max_cut,
            order: order.clone(),
            corpus,
            ranks: halves(&ranks.finalize()),
        };
        let opened = Self { path, of, next };
        opened.read(&mut search)?;
        Ok((opened, search))
    }

    /// Takes up the search of the file.
    fn read(&self, search: &mut Search) -> Result<()> {
        let opened = Rows::open::<Head>(KIND, size_of::<u32>(), self.path)?;
        let Some((head, mut rows)) = opened else { return Ok(()) };
        if head.of != self.of {
            let what = "is of other options, or of documents that have changed; remove it, or name another file".into();
            return Err(Error::Saved { path: shown(self.path), what });
        }
        rows.expect(Cuts::numbers(head.lists).saturating_mul(size_of::<u32>() as u64))?;
        let mut next = || Ok::<_, Error>(rows.next_row()?.map_or(0, u32::from_le_bytes));
        search.cuts = Cuts::read(head.lists, &mut next)?;
        (search.rounds, search.words) = (head.rounds, head.words);
        rows.check()
    }

    /// Notes the rounds that are finished.
    pub(super) fn save(&mut self, search: &Search) -> Result<()> {
        let Search { cuts, rounds, words, .. } = search;
        let head = Head { of: self.of.clone(), rounds: *rounds, words: *words, lists: cuts.lengths() };
        let create = || NewFile::create(self.path, Replace::Found);
        let file = self.next.take().map_or_else(create, Ok)?;
        let mut out = Out::begin(KIND, &head, file, shown(self.path))?;
        cuts.write(&mut |number| out.write(&number.to_le_bytes()))?;
        out.finish()?;
        self.next = Some(create()?);
        Ok(())
    }
}
