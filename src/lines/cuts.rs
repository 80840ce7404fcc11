//! Which documents lose a line: they are taken in the order in which they keep lines.

use std::ops::ControlFlow;
use std::path::Path;

use super::frequent::Frequent;
use super::{LONG, Settings};
use crate::cutting::{Fate, Limits, Place};
use crate::error::Result;
use crate::sorter::{Sorted, Sorter, apart, pair};

/// A span that is cut from a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// The number of the document.
    pub document: u32,
    /// Its beginning.
    pub start: Place,
    /// Its end, behind the line ending.
    pub end: Place,
    /// Number of its words.
    pub words: u32,
    /// The number of the line; `None` for what goes only because the whole document does.
    pub line: Option<u32>,
}

/// The line of a span that goes only because the whole document does.
const NONE: u32 = u32::MAX;

impl Cut {
    /// Why the line could be cut where it stood: `long`, or `edge` among the first or last of its document.
    pub fn why(&self) -> Option<&'static str> {
        self.line.map(|_| if self.words >= LONG { "long" } else { "edge" })
    }

    /// A row; those of a document are in order.
    fn row(&self) -> [u64; 4] {
        let Self { document, start, end, words, line } = *self;
        let line = line.unwrap_or(NONE);
        [pair(document, start.byte), pair(start.character, end.byte), pair(end.character, words), line.into()]
    }

    fn of([first, second, third, line]: [u64; 4]) -> Self {
        let [[document, from], [from_character, to], [to_character, words]] = [first, second, third].map(apart);
        let place = |byte, character| Place { byte, character };
        let line = Some(line as u32).filter(|&line| line != NONE);
        Self { document, start: place(from, from_character), end: place(to, to_character), words, line }
    }
}

/// A line of many documents that may be cut from one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occurrence {
    /// Its beginning.
    pub start: Place,
    /// Its end, behind the line ending.
    pub end: Place,
    /// Number of words before it in the document.
    pub(super) before: u32,
    /// Number of its words.
    pub words: u32,
    /// The number of the line among those of many documents.
    pub line: u32,
}

impl Occurrence {
    /// A row; those of a document, which has this number, are in order.
    pub fn row(&self, rank: u32) -> [u64; 4] {
        let Self { start, end, before, words, line } = *self;
        [pair(rank, start.byte), pair(start.character, end.byte), pair(end.character, before), pair(words, line)]
    }

    /// The number of the document, and the line, of a row.
    pub fn of(row: [u64; 4]) -> (u32, Self) {
        let [[rank, from], [from_character, to], [to_character, before], [words, line]] = row.map(apart);
        let place = |byte, character| Place { byte, character };
        (rank, Self { start: place(from, from_character), end: place(to, to_character), before, words, line })
    }
}

/// The cuts of all documents, in order.
#[derive(Debug)]
pub struct Cuts(Sorted<[u64; 4]>);

impl Cuts {
    /// Reads the cuts from the first; another reading must not have begun before this one ends.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`] if a temporary file cannot be read.
    pub fn read(&self) -> Result<impl Iterator<Item = Result<Cut>> + '_> {
        Ok(self.0.read()?.map(|row| row.map(Cut::of)))
    }

    /// Reads the cuts of each document, likewise.
    ///
    /// # Errors
    ///
    /// As [`Cuts::read`].
    pub fn by_document(&self) -> Result<impl Iterator<Item = Result<Vec<Cut>>> + '_> {
        let mut cuts = self.read()?.peekable();
        Ok(std::iter::from_fn(move || {
            let first = match cuts.next()? {
                Ok(cut) => cut,
                Err(error) => return Some(Err(error)),
            };
            let mut of = vec![first];
            let is_next = |next: &Result<Cut>| next.as_ref().is_ok_and(|next| next.document == first.document);
            while let Some(Ok(cut)) = cuts.next_if(is_next) {
                of.push(cut);
            }
            Some(Ok(of))
        }))
    }
}

/// The words and the end of a document, and whether it can be cut.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Number of its words.
    pub words: u32,
    /// The end of its text.
    pub end: Place,
    /// True if parts of it can be cut.
    pub can_cut: bool,
    /// The number of its site; 0 if none is known.
    pub site: u32,
}

/// The outcome for a document, and the lines that it loses.
#[derive(Debug)]
pub struct Decision<'l> {
    /// The outcome.
    pub fate: Fate,
    /// The lines that it loses unless it stays.
    pub lines: Vec<&'l Occurrence>,
    /// Number of their words.
    pub words: u32,
}

impl<'l> Decision<'l> {
    /// Decides about a document with these lines, of which it loses those for which `goes` is true.
    pub fn of(
        lines: &'l [Occurrence],
        about: &About,
        limits: Limits,
        mut goes: impl FnMut(&Occurrence) -> bool,
    ) -> Self {
        let lines: Vec<&Occurrence> = lines.iter().filter(|line| goes(line)).collect();
        let words = lines.iter().map(|line| line.words).sum();
        Self { fate: limits.fate(words, about.words, about.can_cut), lines, words }
    }

    /// The spans that are cut, in order: of a document that goes, all of it.
    pub fn cuts(&self, document: u32, about: &About) -> Vec<Cut> {
        if self.fate == Fate::Stays {
            return Vec::new();
        }
        let (mut at, mut before, mut cuts) = (Place::default(), 0, Vec::new());
        let rest = |start: Place, end: Place, words: u32, cuts: &mut Vec<Cut>| {
            if self.fate == Fate::Goes && start != end {
                cuts.push(Cut { document, start, end, words, line: None });
            }
        };
        for line in &self.lines {
            rest(at, line.start, line.before - before, &mut cuts);
            let Occurrence { start, end, words, line, before: at_line } = **line;
            cuts.push(Cut { document, start, end, words, line: Some(line) });
            (at, before) = (end, at_line + words);
        }
        rest(at, about.end, about.words - before, &mut cuts);
        cuts
    }
}

/// The number of what was cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Lines.
    pub lines: u64,
    /// Their words.
    pub words: u64,
    /// Documents that lost a line, or all.
    pub documents: u64,
    /// Words that went only because their documents did.
    pub other_words: u64,
}

/// The documents that keep lines, and what the others lose.
#[derive(Debug)]
pub(super) struct Decided<'a> {
    settings: &'a Settings,
    frequent: &'a Frequent,
    /// The first place of each line.
    pub(super) first: Vec<Option<(u32, Place)>>,
    cuts: Sorter<[u64; 4]>,
    /// The documents that go as a whole, and those that stay whole.
    pub(super) gone: Vec<u32>,
    pub(super) spared: Vec<u32>,
    pub(super) totals: Totals,
}

impl<'a> Decided<'a> {
    pub(super) fn new(frequent: &'a Frequent, settings: &'a Settings) -> Self {
        let (first, cuts) = (vec![None; frequent.len()], Sorter::new(settings.memory / 4, &settings.temp));
        Self { settings, frequent, first, cuts, gone: vec![], spared: vec![], totals: Totals::default() }
    }

    /// Takes the next document in the order in which they keep lines.
    pub(super) fn take(&mut self, document: u32, lines: &[Occurrence], about: About) -> Result<()> {
        let all_lose = |line: &Occurrence| self.settings.keeps_none || self.frequent.is_elsewhere(line.line);
        let goes = |line: &Occurrence| all_lose(line) || self.first[line.line as usize].is_some();
        let decision = Decision::of(lines, &about, self.settings.limits, goes);
        let fate = decision.fate;
        for line in lines.iter().filter(|line| fate != Fate::Goes || all_lose(line)) {
            self.first[line.line as usize].get_or_insert((document, line.start));
        }
        match fate {
            Fate::Stays => {
                if decision.words > 0 {
                    self.spared.push(document);
                }
                return Ok(());
            }
            Fate::Goes => self.gone.push(document),
            Fate::Cut => {}
        }
        self.totals.lines += decision.lines.len() as u64;
        self.totals.words += u64::from(decision.words);
        self.totals.documents += 1;
        let cuts = decision.cuts(document, &about);
        let others = cuts.iter().filter(|cut| cut.line.is_none());
        self.totals.other_words += others.map(|cut| u64::from(cut.words)).sum::<u64>();
        self.cuts.extend(&cuts.iter().map(Cut::row).collect::<Vec<_>>())
    }

    /// The cuts in the order of the documents.
    pub(super) fn sorted(self) -> Result<Cuts> {
        Ok(Cuts(self.cuts.sorted()?))
    }
}

/// The lines of documents that come in another order than that in which they keep lines.
#[derive(Debug)]
pub(super) struct Waiting(Sorter<[u64; 4]>);

impl Waiting {
    pub(super) fn new(memory: usize, temp: &Path) -> Self {
        Self(Sorter::new(memory, temp))
    }

    pub(super) fn extend(&mut self, rank: u32, lines: &[Occurrence]) -> Result<()> {
        self.0.extend(&lines.iter().map(|line| line.row(rank)).collect::<Vec<_>>())
    }

    /// Calls `take` with the lines of each document, by rank.
    pub(super) fn each_document(self, mut take: impl FnMut(u32, &[Occurrence]) -> Result<()>) -> Result<()> {
        let (mut of_rank, mut lines) = (0, Vec::new());
        self.0.finish(|row| {
            let (rank, line) = Occurrence::of(row);
            if rank != of_rank {
                take(of_rank, &lines)?;
                lines.clear();
                of_rank = rank;
            }
            lines.push(line);
            Ok::<_, crate::Error>(ControlFlow::Continue(()))
        })?;
        take(of_rank, &lines)
    }
}
