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
//! is cut: then nothing is left that a second call would cut.
//!
//! Cost: two readings a round, each linear in the words; a group of c places costs c. Memory: [`OF_A_DOCUMENT`]
//! bytes a document, 48 a run that is cut, some 40 a run that stands twice, and what the settings allow for
//! the table and for sorting.
//!
//! Source: Lee et al. 2022, Deduplicating Training Data Makes Language Models Better, which finds runs by a suffix array.

mod copies;
mod cuts;
mod groups;
mod locate;
mod samples;
pub mod steps;

use std::collections::HashSet;
use std::path::PathBuf;

use crate::cutting::{self, Documents, Fate, Limits};
use crate::text::plain_words::{Reader, Word};
use copies::{Judge, rank, word};
use cuts::Cuts;
pub use cuts::{Cut, remaining};
use groups::Groups;
use samples::{Sampler, Twice};

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
}

/// Reads texts, on one thread.
#[derive(Debug)]
pub struct Scanner {
    reader: Reader,
    sampler: Sampler,
    words: Vec<Word>,
}

impl Scanner {
    /// A scanner by these settings.
    pub fn new(settings: &Settings) -> Self {
        Self {
            reader: Reader::new(settings.is_verbatim),
            sampler: Sampler::new(settings.words as usize),
            words: Vec::new(),
        }
    }

    /// Calls `each` with the samples of what is left of a text, each place once; returns the number of its words.
    fn samples(&mut self, left: &str, each: impl FnMut(u64)) -> u32 {
        self.reader.read(left, &mut self.words);
        self.sampler.samples(&self.words, each);
        self.words.len() as u32
    }

    /// The first word and the hash of each window of what is left of a text whose sample is wanted.
    fn windows(&mut self, left: &str, is_wanted: impl Fn(u64) -> bool) -> Vec<(u32, [u64; 2])> {
        self.reader.read(left, &mut self.words);
        let mut windows = Vec::new();
        self.sampler.windows(&self.words, is_wanted, |at, hash| windows.push((at, hash)));
        windows
    }
}

/// The result of the work on one document.
#[derive(Debug, Default)]
pub struct Made {
    words: u32,
    bytes: u32,
    windows: Vec<(u32, [u64; 2])>,
    found: cuts::Found,
}

impl cutting::Made for Made {
    fn size(&self) -> usize {
        size_of::<Self>() + self.windows.len() * 24 + self.found.size()
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

/// Finds the runs to be cut.
///
/// # Errors
///
/// Those of the documents; [`crate::Error::Write`] for temporary files.
///
/// # Panics
///
/// If `settings.words` is less than 2, or there are more than 2^31 documents.
pub fn find<D: Documents>(documents: &mut D, settings: &Settings) -> Result<Repeats, D::Error> {
    assert!(settings.words >= 2, "a run has at least two words");
    let (mut keys, mut can_cut) = (Vec::new(), Vec::new());
    let state = || Scanner::new(settings);
    let (mut cuts, mut all_words, mut rounds, mut size) = (Cuts::default(), 0, 0, settings.bytes);
    loop {
        rounds += 1;
        // `Groups` sorts in the last quarter while the table is there.
        let limit = settings.memory as u64 / 4 * 3;
        let twice = Twice::new((size * 4 / u64::from(settings.words)).clamp(1 << 20, limit.max(1 << 20)));
        let (mut words, mut bytes) = (Vec::with_capacity(keys.len()), Vec::with_capacity(keys.len()));
        let mut found = cuts.begin();
        let is_first = rounds == 1;
        let sample = |scanner: &mut Scanner, key: u64, text: &str| {
            let number = if is_first { None } else { keys.binary_search(&key).ok() };
            let (left, found) = cuts.locate(number, text, &mut scanner.reader);
            let words = scanner.samples(&left, |hash| twice.note(hash));
            Made { words, bytes: left.len() as u32, windows: Vec::new(), found }
        };
        let mut new = Vec::new();
        documents.each("sampling", &state, &sample, &mut |document, made| {
            if is_first {
                new.push(document);
            }
            words.push(made.words);
            bytes.push(made.bytes);
            found.extend(made.found);
            Ok(())
        })?;
        if is_first {
            assert!(new.len() < 1 << 31, "at most 2^31 documents");
            (keys, can_cut) = new.into_iter().map(|document| (document.key, document.can_cut)).unzip();
            all_words = words.iter().map(|&words| u64::from(words)).sum();
            // Files may be compressed.
            size = size.max(bytes.iter().map(|&bytes| u64::from(bytes)).sum());
        }
        cuts.end(found);
        let order = documents.order(&bytes)?;
        let mut ranks = vec![0; order.len()];
        order.iter().zip(0..).for_each(|(&document, rank)| ranks[document as usize] = rank);
        let mut groups =
            Groups::new(settings.words, words.iter().copied().max().unwrap_or(0), settings.memory / 2, &settings.temp);
        let windows = |scanner: &mut Scanner, key: u64, text: &str| {
            let number = keys.binary_search(&key).ok();
            let of = |number| scanner.windows(&cuts.left(number as u32, text), |hash| twice.is_twice(hash));
            Made { windows: number.map(of).unwrap_or_default(), ..Made::default() }
        };
        documents.each("grouping", &state, &windows, &mut |document, made| {
            if let Ok(number) = keys.binary_search(&document.key) {
                groups.extend(ranks[number], &made.windows)?;
            }
            Ok(())
        })?;
        drop(twice);
        let mut judge = Judge::new(settings);
        let mut spared = Vec::new();
        groups.each_document(&settings.temp, |of_rank, windows, counts| {
            if windows.is_empty() {
                return Ok(());
            }
            let number = order[of_rank as usize];
            let (fate, runs) = judge.take(of_rank, windows, words[number as usize], can_cut[number as usize]);
            match fate {
                Fate::Stays if !runs.is_empty() => spared.push(number),
                Fate::Stays => {}
                _ => cuts.push(
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
        if cuts.is_settled() {
            spared.sort_unstable();
            let (cuts, gone) = cuts.finish();
            // In an earlier round one may have lost what it could.
            let cut: HashSet<u32> = cuts.iter().map(|cut| cut.document).collect();
            spared.retain(|document| !cut.contains(document));
            return Ok(Repeats { keys, cuts, gone, spared, words: all_words, rounds });
        }
    }
}

#[cfg(test)]
mod tests;
