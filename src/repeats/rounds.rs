//! One round of the search, in three steps.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::copies::{Judge, rank, word};
use super::cuts::{self, Cuts, Left};
use super::groups::Groups;
use super::samples::Twice;
use super::scanner::Scanner;
use super::{Repeats, Settings};
use crate::cutting::{self, Document, Documents, Fate};
use crate::error::Error;

/// The result of the work on one document.
#[derive(Debug, Default)]
pub(super) struct Made {
    words: u32,
    bytes: u32,
    found: cuts::Found,
    failed: Option<Error>,
}

impl cutting::Made for Made {
    fn size(&self) -> usize {
        size_of::<Self>() + self.found.size()
    }
}

/// The sizes of what is left of the documents.
#[derive(Debug, Default)]
struct Sizes {
    words: Vec<u32>,
    bytes: Vec<u32>,
}

impl Sizes {
    fn with_capacity(documents: usize) -> Self {
        Self { words: Vec::with_capacity(documents), bytes: Vec::with_capacity(documents) }
    }
}

/// A search, between two rounds.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// The key of each document.
    pub(super) keys: Vec<u64>,
    /// True for each document that can be cut.
    pub(super) can_cut: Vec<bool>,
    pub(super) cuts: Cuts,
    /// The sizes of what was left in the last round.
    sizes: Sizes,
    /// The samples of that round, if the table is small enough to stay and has room for those of the next.
    table: Option<Twice>,
    /// Number of words of all documents.
    pub(super) words: u64,
    /// Number of finished rounds.
    pub(super) rounds: u32,
}

impl Search {
    /// Adds a document.
    pub(super) fn add(&mut self, document: Document) {
        self.keys.push(document.key);
        self.can_cut.push(document.can_cut);
        assert!(self.keys.len() < 1 << 31, "at most 2^31 documents");
    }

    /// The number of a document.
    fn number(&self, key: u64) -> Option<usize> {
        self.keys.binary_search(&key).ok()
    }

    /// Searches what is left once: a round, whose cuts are pending. Returns the documents that are spared.
    ///
    /// `size` is the number of bytes of all texts, as far as known.
    pub(super) fn round<D: Documents>(
        &mut self,
        documents: &mut D,
        settings: &Settings,
        size: &mut u64,
    ) -> Result<Vec<u32>, D::Error> {
        self.rounds += 1;
        // `Groups` sorts in the last quarter while the table is there.
        let limit = settings.memory as u64 / 4 * 3;
        let bytes = (*size * 4 / u64::from(settings.words)).clamp(1 << 20, limit.max(1 << 20));
        let table = self.table.take().filter(|table| table.size() >= bytes / 16 * 16);
        let is_known = table.is_some();
        let twice = table.unwrap_or_else(|| Twice::new(bytes));
        self.sample(documents, settings, &twice, is_known)?;
        // Files may be compressed.
        *size = (*size).max(self.sizes.bytes.iter().map(|&bytes| u64::from(bytes)).sum());
        let order = documents.order(&self.sizes.bytes)?;
        let groups = self.group(documents, settings, &twice, &order)?;
        // Half of the memory is needed to bring windows together.
        self.table = (twice.size() <= settings.memory as u64 / 4).then_some(twice);
        Ok(self.judge(groups, settings, &order)?)
    }

    /// Notes the samples of what is left of each document, and the documents themselves in the first round. If those of the
    /// round before are known, only texts of which something was cut since are read.
    fn sample<D: Documents>(
        &mut self,
        documents: &mut D,
        settings: &Settings,
        twice: &Twice,
        is_known: bool,
    ) -> Result<(), D::Error> {
        let state = || Scanner::new(settings);
        let mut sizes = Sizes::with_capacity(self.keys.len());
        let mut found = self.cuts.begin();
        let sample = |scanner: &mut Scanner, key: u64, text: &str| {
            let number = self.number(key);
            let (Left { text: left, joints }, found) = self.cuts.locate(number, text);
            let words = match number.filter(|_| is_known) {
                None => scanner.samples(&left, |hash| twice.note(hash)),
                Some(number) if joints.is_empty() => self.sizes.words[number],
                Some(_) => scanner.samples_around(&left, &joints, |hash| twice.note(hash)),
            };
            Made { words, bytes: left.len() as u32, found, failed: None }
        };
        // From the second reading on they are known.
        let (is_first, mut new) = (self.keys.is_empty(), Vec::new());
        documents.each("sampling", &state, &sample, &mut |document, made| {
            if is_first {
                new.push(document);
            }
            sizes.words.push(made.words);
            sizes.bytes.push(made.bytes);
            found.extend(made.found);
            Ok(())
        })?;
        if self.rounds == 1 {
            self.words = sizes.words.iter().map(|&words| u64::from(words)).sum();
        }
        for document in new {
            self.add(document);
        }
        self.cuts.end(found);
        self.sizes = sizes;
        Ok(())
    }

    /// Brings together the windows whose samples were seen twice; documents are named by their ranks in the order.
    fn group<D: Documents>(
        &self,
        documents: &mut D,
        settings: &Settings,
        twice: &Twice,
        order: &[u32],
    ) -> Result<Groups, D::Error> {
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&document, rank)| ranks[document as usize] = rank);
        let longest = self.sizes.words.iter().copied().max().unwrap_or(0);
        let groups = Groups::new(settings.words, longest, settings.memory / 2, &settings.temp);
        // They sort what they are given, so the threads need no order.
        let groups = Mutex::new(groups);
        let group = |scanner: &mut Scanner, key: u64, text: &str| {
            let mut made = Made::default();
            let Some(number) = self.number(key) else { return made };
            let left = self.cuts.left(number as u32, text);
            let is_twice = |hash| twice.is_twice(hash);
            scanner.windows(&left, is_twice, |windows| {
                if made.failed.is_none() {
                    let mut groups = groups.lock().unwrap_or_else(PoisonError::into_inner);
                    made.failed = groups.extend(ranks[number], windows).err();
                }
            });
            made
        };
        let state = || Scanner::new(settings);
        documents.each("grouping", &state, &group, &mut |_, made| Ok(made.failed.map_or(Ok(()), Err)?))?;
        Ok(groups.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Decides document by document, in order, what is cut. Returns the documents that are spared.
    fn judge(&mut self, groups: Groups, settings: &Settings, order: &[u32]) -> Result<Vec<u32>, Error> {
        let mut judge = Judge::new(settings);
        let mut spared = Vec::new();
        groups.each_document(&settings.temp, |of_rank, windows, counts| {
            if windows.is_empty() {
                return Ok(());
            }
            let number = order[of_rank as usize];
            let words = self.sizes.words[number as usize];
            let (fate, runs) = judge.take(of_rank, windows, words, self.can_cut[number as usize]);
            match fate {
                Fate::Stays if !runs.is_empty() => spared.push(number),
                Fate::Stays => {}
                _ => self.cuts.push(
                    number,
                    fate,
                    runs.iter().map(|run| {
                        let first = (order[rank(run.first) as usize], word(run.first));
                        (run.start..run.end, first, counts.of(run.name))
                    }),
                ),
            }
            Ok(())
        })?;
        Ok(spared)
    }

    /// The result, if the last round cut nothing; it spared these documents.
    pub(super) fn end(self, mut spared: Vec<u32>) -> Repeats {
        let Self { keys, cuts, words, rounds, .. } = self;
        spared.sort_unstable();
        let (cuts, gone) = cuts.finish();
        // In an earlier round one may have lost what it could.
        let cut: HashSet<u32> = cuts.iter().map(|cut| cut.document).collect();
        spared.retain(|document| !cut.contains(document));
        Repeats { keys, cuts, gone, spared, words, rounds }
    }
}
