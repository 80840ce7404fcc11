//! The same search in steps, for documents that are spread over machines: what joins tables does the rest.
//!
//! A round:
//!
//! 1. [`Reader::samples`]: the samples of what is left of each document. Those of which the corpus has two are wanted.
//! 2. [`Reader::windows`]: the windows that have a wanted sample. Equal ones are brought together, and those that stand once are
//!    left out, as are those of which any two overlap: their first words are less than [`Settings::words`] apart.
//! 3. [`Decider::take`]: what each document loses, one after the other in their order, given where its windows stand first.
//! 4. [`locate`]: where this stands in the text, and where the places that keep it do.
//!
//! It is the last one if no document loses anything.

use std::collections::HashMap;
use std::ops::Range;

use super::Settings;
use super::copies::{Judge, RepeatedWindows, Window, place, rank, word};
use super::groups::Counts;
use super::locate::without;
pub use super::locate::{Located, Span, locate};
use super::scanner::Scanner;
use crate::cutting::Fate;

/// Reads texts, on one thread.
#[derive(Debug)]
pub struct Reader(Scanner);

impl Reader {
    /// A reader by these settings.
    ///
    /// # Panics
    ///
    /// If `settings.words` is less than 2.
    pub fn new(settings: &Settings) -> Self {
        assert!(settings.words >= 2, "a run has at least two words");
        Self(Scanner::new(settings))
    }

    /// The samples of what is left of a text without the spans `done`, each place once; the numbers of its words and bytes.
    pub fn samples(&mut self, text: &str, done: &[Range<usize>]) -> (Vec<u64>, u32, u32) {
        let left = without(text, done);
        let mut samples = Vec::new();
        let words = self.0.samples(&left, |hash| samples.push(hash));
        (samples, words, left.len() as u32)
    }

    /// The first word and the hash of each window of what is left whose sample is wanted.
    pub fn windows(
        &mut self,
        text: &str,
        done: &[Range<usize>],
        is_wanted: impl Fn(u64) -> bool,
    ) -> Vec<(u32, [u64; 2])> {
        let mut windows = Vec::new();
        self.0.windows(&without(text, done), is_wanted, |some| windows.extend_from_slice(some));
        windows
    }
}

/// Windows in a row that stand first in a row, in one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch {
    /// The first word of the first window.
    pub at: u32,
    /// Number of windows.
    pub windows: u32,
    /// The document that has them first.
    pub document: u64,
    /// The first word there.
    pub first: u32,
    /// Number of places of each.
    pub count: u32,
}

impl Stretch {
    /// Adds a window to the stretches of a document, whose windows come in order.
    pub fn push(stretches: &mut Vec<Self>, at: u32, (document, first): (u64, u32), count: u32) {
        if let Some(last) = stretches.last_mut()
            && (last.document, last.count) == (document, count)
            && (last.at + last.windows, last.first + last.windows) == (at, first)
        {
            last.windows += 1;
            return;
        }
        stretches.push(Self { at, windows: 1, document, first, count });
    }

    /// The stretch as numbers, to be passed on.
    pub fn row(self) -> [u64; 3] {
        let both = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        [both(self.at, self.windows), self.document, both(self.first, self.count)]
    }

    /// The stretch of these numbers.
    pub fn of([own, document, first]: [u64; 3]) -> Self {
        let (at, windows) = ((own >> 32) as u32, own as u32);
        Self { at, windows, document, first: (first >> 32) as u32, count: first as u32 }
    }
}

/// A run that a document loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Its words in what is left of the document.
    pub words: Range<u32>,
    /// The document that keeps it.
    pub document: u64,
    /// The word of that document where it begins.
    pub first: u32,
    /// Number of places of its first window.
    pub count: u32,
}

/// Decides about the documents of a round, one after the other in their order.
///
/// Cost: 30 to 60 bytes for each document that has windows which stand twice, and some 40 bytes for each run.
#[derive(Debug)]
pub struct Decider {
    judge: Judge,
    counts: Counts,
    documents: Vec<u64>,
    ranks: HashMap<u64, u32>,
    windows: RepeatedWindows,
}

impl Decider {
    /// None has been decided about.
    pub fn new(settings: &Settings) -> Self {
        Self {
            judge: Judge::new(settings),
            counts: Counts::default(),
            documents: Vec::new(),
            ranks: HashMap::new(),
            windows: RepeatedWindows::default(),
        }
    }

    /// The fate of the next document and its runs that an earlier place keeps, given its number of words, and its windows that
    /// stand twice, in order.
    ///
    /// # Panics
    ///
    /// If a window stands first in a document that comes later, or there are more than 2^32 documents.
    pub fn take(&mut self, document: u64, words: u32, stretches: &[Stretch]) -> (Fate, Vec<Loss>) {
        let of_rank = u32::try_from(self.documents.len()).expect("at most 2^32 documents");
        self.documents.push(document);
        self.ranks.insert(document, of_rank);
        self.windows.clear();
        for stretch in stretches {
            let first = place(self.ranks[&stretch.document], stretch.first);
            let is_first = first == place(of_rank, stretch.at);
            for n in 0..stretch.windows {
                let name = first + u64::from(n);
                if is_first {
                    self.counts.push(name, stretch.count);
                }
                self.windows.push(Window { at: stretch.at + n, name });
            }
        }
        let (fate, runs) = self.judge.take(of_rank, &self.windows, words, true);
        let loss = |run: &super::copies::Run| Loss {
            words: run.start..run.end,
            document: self.documents[rank(run.first) as usize],
            first: word(run.first),
            count: self.counts.of(run.name),
        };
        (fate, runs.iter().map(loss).collect())
    }
}
