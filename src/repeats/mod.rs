//! Runs of words that stand twice in a corpus, and where they are cut.
//!
//! A run has at least as many words as a window, and stands at two places that do not overlap. The first place, in an order of the
//! documents, keeps it, and all others lose it; or all lose it.
//!
//! 1. **Sample** (`samples`): each window has a sample, which equal windows share. A table tells the samples that were seen
//!    twice, and a few others.
//! 2. **Group** (`groups`): the windows of these samples are sorted, which brings equal ones together.
//! 3. **Keep** (`copies`): document by document, a window goes if an equal one is kept before it.
//!
//! Where a run is cut, the sides join, and may be a run themselves. So all is done again with what is left, until nothing
//! is cut: then nothing is left that a second call would cut. A [checkpoint](Checkpoint) notes each round, so that a later
//! call need not repeat it.
//!
//! Cost: two readings a round, each linear in the words; a group of c places costs c. Memory: [`OF_A_DOCUMENT`]
//! bytes a document, 48 a run that is cut, some 40 a run that stands twice, and what the settings allow for
//! the table and for sorting.
//!
//! Source: Lee et al. 2022, Deduplicating Training Data Makes Language Models Better, which finds runs by a suffix array.

mod checkpoint;
mod copies;
mod cuts;
mod groups;
mod locate;
mod samples;
pub mod steps;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::cutting::{self, Document, Documents, Fate, Limits};
use crate::error::Error;
use crate::text::plain_words::{Reader, Word};
use checkpoint::Opened;
pub use checkpoint::{Checkpoint, is_checkpoint};
use copies::{Judge, rank, word};
use cuts::Cuts;
pub use cuts::{Cut, remaining};
use groups::Groups;
use samples::{Sampler, Twice};

/// Number of windows that begin in a piece of a text, at least.
const PIECE: usize = 1 << 12;

/// Bytes of memory for a document.
pub const OF_A_DOCUMENT: u64 = 32;

/// Options of the search.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Least number of words of a run, at least 2.
    pub words: u32,
    /// True if a run's bytes must be equal, and not its words alone.
    pub is_verbatim: bool,
    /// True if all places lose a run.
    pub keeps_none: bool,
    /// The limits within which a document is cut.
    pub limits: Limits,
    /// Bytes for the table of samples and for sorting.
    pub memory: usize,
    /// Bytes of all texts, as far as known: they decide the size of the table.
    pub bytes: u64,
    /// The folder for what does not fit.
    pub temp: PathBuf,
    /// The file in which finished rounds are noted, and from which the search goes on if it is there.
    pub checkpoint: Option<Checkpoint>,
}

/// Reads texts, on one thread.
#[derive(Debug)]
pub struct Scanner {
    reader: Reader,
    sampler: Sampler,
    /// The words of a piece.
    words: Vec<Word>,
    /// Number of windows that begin in a piece.
    piece: usize,
}

impl Scanner {
    /// A scanner by these settings.
    pub fn new(settings: &Settings) -> Self {
        let window = settings.words as usize;
        Self {
            reader: Reader::new(settings.is_verbatim),
            sampler: Sampler::new(window),
            words: Vec::new(),
            // The words that two pieces share are few.
            piece: PIECE.max(window * 4),
        }
    }

    /// Calls `each` with the words of each piece of a text and the number of the first; returns the number of all words.
    fn each_piece(&mut self, text: &str, mut each: impl FnMut(&mut Sampler, &[Word], u32)) -> u32 {
        let Self { reader, sampler, words, piece } = self;
        words.clear();
        let mut first = 0;
        reader.read(text, |word| {
            words.push(word);
            if words.len() == *piece + sampler.window() - 1 {
                each(sampler, words, first);
                words.drain(..*piece);
                first += *piece as u32;
            }
        });
        each(sampler, words, first);
        first + words.len() as u32
    }

    /// Calls `each` with the samples of what is left of a text, each place once; returns the number of its words.
    fn samples(&mut self, left: &str, mut each: impl FnMut(u64)) -> u32 {
        let mut last = None;
        self.each_piece(left, |sampler, words, first| {
            sampler.samples(words, |at, hash| {
                if last.replace(first + at) != Some(first + at) {
                    each(hash);
                }
            });
        })
    }

    /// Calls `each`, at most once a piece, with the first word and the hash of the windows of what is left of a text whose sample
    /// is wanted.
    fn windows(&mut self, left: &str, is_wanted: impl Fn(u64) -> bool, mut each: impl FnMut(&[(u32, [u64; 2])])) {
        let mut windows = Vec::new();
        self.each_piece(left, |sampler, words, first| {
            sampler.windows(words, &is_wanted, |at, hash| windows.push((first + at, hash)));
            if !windows.is_empty() {
                each(&windows);
                windows.clear();
            }
        });
    }
}

/// The result of the work on one document.
#[derive(Debug, Default)]
pub struct Made {
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

/// The runs that are cut from documents.
#[derive(Debug, Default)]
pub struct Repeats {
    /// The key of each document.
    pub keys: Vec<u64>,
    /// The spans that are cut, in the order of the documents, none of which overlap.
    pub cuts: Vec<Cut>,
    /// Numbers of the documents that go whole, in order.
    pub gone: Vec<u32>,
    /// Numbers of the documents that stay whole, as too much would be cut, in order.
    pub spared: Vec<u32>,
    /// Number of words of all documents.
    pub words: u64,
    /// Number of rounds, the last of which cut nothing.
    pub rounds: u32,
}

impl Repeats {
    /// The number of a document.
    pub fn number(&self, key: u64) -> Option<u32> {
        self.keys.binary_search(&key).ok().map(|number| number as u32)
    }

    /// The cuts of a document, in order.
    pub fn of(&self, document: u32) -> &[Cut] {
        cuts::of(&self.cuts, document)
    }
}

/// A search, between two rounds.
#[derive(Debug, Default)]
struct Search {
    /// The key of each document.
    keys: Vec<u64>,
    /// True for each document that can be cut.
    can_cut: Vec<bool>,
    cuts: Cuts,
    /// Number of words of all documents.
    words: u64,
    /// Number of finished rounds.
    rounds: u32,
}

impl Search {
    /// Adds a document.
    fn add(&mut self, document: Document) {
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
    fn round<D: Documents>(
        &mut self,
        documents: &mut D,
        settings: &Settings,
        size: &mut u64,
    ) -> Result<Vec<u32>, D::Error> {
        self.rounds += 1;
        let state = || Scanner::new(settings);
        // `Groups` sorts in the last quarter while the table is there.
        let limit = settings.memory as u64 / 4 * 3;
        let twice = Twice::new((*size * 4 / u64::from(settings.words)).clamp(1 << 20, limit.max(1 << 20)));
        let (mut words, mut bytes) = (Vec::with_capacity(self.keys.len()), Vec::with_capacity(self.keys.len()));
        let mut found = self.cuts.begin();
        let sample = |scanner: &mut Scanner, key: u64, text: &str| {
            let (left, found) = self.cuts.locate(self.number(key), text);
            let words = scanner.samples(&left, |hash| twice.note(hash));
            Made { words, bytes: left.len() as u32, found, failed: None }
        };
        // From the second reading on they are known.
        let (is_first, mut new) = (self.keys.is_empty(), Vec::new());
        documents.each("sampling", &state, &sample, &mut |document, made| {
            if is_first {
                new.push(document);
            }
            words.push(made.words);
            bytes.push(made.bytes);
            found.extend(made.found);
            Ok(())
        })?;
        if self.rounds == 1 {
            self.words = words.iter().map(|&words| u64::from(words)).sum();
        }
        for document in new {
            self.add(document);
        }
        // Files may be compressed.
        *size = (*size).max(bytes.iter().map(|&bytes| u64::from(bytes)).sum());
        self.cuts.end(found);
        let order = documents.order(&bytes)?;
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&document, rank)| ranks[document as usize] = rank);
        let groups =
            Groups::new(settings.words, words.iter().copied().max().unwrap_or(0), settings.memory / 2, &settings.temp);
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
        documents.each("grouping", &state, &group, &mut |_, made| Ok(made.failed.map_or(Ok(()), Err)?))?;
        drop(twice);
        let groups = groups.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut judge = Judge::new(settings);
        let mut spared = Vec::new();
        groups.each_document(&settings.temp, |of_rank, windows, counts| {
            if windows.is_empty() {
                return Ok(());
            }
            let number = order[of_rank as usize];
            let (fate, runs) = judge.take(of_rank, windows, words[number as usize], self.can_cut[number as usize]);
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
    fn end(self, mut spared: Vec<u32>) -> Repeats {
        let Self { keys, cuts, words, rounds, .. } = self;
        spared.sort_unstable();
        let (cuts, gone) = cuts.finish();
        // In an earlier round one may have lost what it could.
        let cut: HashSet<u32> = cuts.iter().map(|cut| cut.document).collect();
        spared.retain(|document| !cut.contains(document));
        Repeats { keys, cuts, gone, spared, words, rounds }
    }
}

/// Finds the runs to be cut.
///
/// # Errors
///
/// Those of the documents; [`crate::Error::Write`] for temporary files and the checkpoint; [`crate::Error::Saved`] for a checkpoint
/// that is damaged, or of other documents or settings; [`crate::Error::Locked`] if another run has it.
///
/// # Panics
///
/// If `settings.words` is less than 2, or there are more than 2^31 documents.
pub fn find<D: Documents>(documents: &mut D, settings: &Settings) -> Result<Repeats, D::Error> {
    assert!(settings.words >= 2, "a run has at least two words");
    let begin = |checkpoint| Opened::begin(checkpoint, documents, settings);
    let (mut checkpoint, search) = settings.checkpoint.as_ref().map(begin).transpose()?.unzip();
    let mut search = search.unwrap_or_default();
    let mut size = settings.bytes;
    loop {
        let spared = search.round(documents, settings, &mut size)?;
        if search.cuts.is_settled() {
            return Ok(search.end(spared));
        }
        if let Some(checkpoint) = &mut checkpoint {
            checkpoint.save(&search)?;
        }
    }
}

#[cfg(test)]
mod tests;
