//! Cuts of each document, over several rounds: runs of the words that were left become spans of the original text.

use std::borrow::Cow;
use std::ops::Range;

use super::locate::{joints, locate, without};
use crate::cutting::{Fate, Place};

/// Number of `u32` in a checkpoint for a cut, and for a pending one.
const CUT: usize = 10;
const PENDING: usize = 6;

/// A span that is cut from a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cut {
    /// The number of the document.
    pub document: u32,
    /// Its beginning.
    pub start: Place,
    /// Its end.
    pub end: Place,
    /// Number of its words.
    pub words: u32,
    /// The document and the place where the run stands first; `None` for what goes only because the whole document does.
    pub first: Option<(u32, Place)>,
    /// Number of places of the run's first window.
    pub count: u32,
}

impl Cut {
    /// Its numbers, for a checkpoint; no document has the number `u32::MAX`.
    fn numbers(&self) -> [u32; CUT] {
        let Self { document, start, end, words, first, count } = *self;
        let (of, place) = first.unwrap_or((u32::MAX, Place::default()));
        [document, start.byte, start.character, end.byte, end.character, words, of, place.byte, place.character, count]
    }

    fn of_numbers(numbers: [u32; CUT]) -> Self {
        let [document, start, start_character, end, end_character, words, of, first, first_character, count] = numbers;
        let place = |byte, character| Place { byte, character };
        let first = (of != u32::MAX).then(|| (of, place(first, first_character)));
        Self { document, start: place(start, start_character), end: place(end, end_character), words, first, count }
    }

    /// Its bytes in the text.
    fn bytes(&self) -> Range<usize> {
        self.start.byte as usize..self.end.byte as usize
    }
}

/// Words to be cut from what is left of a document.
#[derive(Debug)]
struct Pending {
    document: u32,
    start: u32,
    end: u32,
    /// The document and the word of the place that keeps it.
    first: (u32, u32),
    count: u32,
}

impl Pending {
    /// Its numbers, for a checkpoint.
    fn numbers(&self) -> [u32; PENDING] {
        let Self { document, start, end, first, count } = *self;
        [document, start, end, first.0, first.1, count]
    }

    fn of_numbers([document, start, end, of, word, count]: [u32; PENDING]) -> Self {
        Self { document, start, end, first: (of, word), count }
    }
}

/// The next numbers.
fn array<const N: usize, E>(next: &mut impl FnMut() -> Result<u32, E>) -> Result<[u32; N], E> {
    let mut numbers = [0; N];
    numbers.iter_mut().try_for_each(|number| next().map(|next| *number = next))?;
    Ok(numbers)
}

/// The cuts of all rounds.
#[derive(Debug, Default)]
pub(super) struct Cuts {
    /// In order.
    done: Vec<Cut>,
    /// Documents that are gone, in order.
    gone: Vec<u32>,
    /// The cuts of the last round, in order.
    pending: Vec<Pending>,
    /// Documents that go in the last round, in order.
    going: Vec<u32>,
    /// The places that keep pending runs, in order.
    asked: Vec<(u32, u32)>,
}

/// Cuts and answers found in one document, on any thread.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Its cuts, each with the place that keeps it.
    cuts: Vec<(Cut, Option<(u32, u32)>)>,
    /// The places that were asked for: the number of the question, and the answer.
    places: Vec<(u32, Place)>,
}

impl Found {
    pub(super) fn size(&self) -> usize {
        self.cuts.len() * size_of::<(Cut, Option<(u32, u32)>)>() + self.places.len() * size_of::<(u32, Place)>()
    }

    pub(super) fn extend(&mut self, mut other: Self) {
        self.cuts.append(&mut other.cuts);
        self.places.append(&mut other.places);
    }
}

/// The text of a document without its cuts, and where the last round cut it.
#[derive(Debug)]
pub(super) struct Left<'a> {
    pub(super) text: Cow<'a, str>,
    /// The bytes before which the last round cut something, in order.
    pub(super) joints: Vec<usize>,
}

/// The cuts of one document.
pub(super) fn of(cuts: &[Cut], document: u32) -> &[Cut] {
    let start = cuts.partition_point(|cut| cut.document < document);
    &cuts[start..start + cuts[start..].partition_point(|cut| cut.document == document)]
}

/// A text without its cuts.
pub fn remaining<'a>(text: &'a str, cuts: &[Cut]) -> Cow<'a, str> {
    without(text, &cuts.iter().map(Cut::bytes).collect::<Vec<_>>())
}

impl Cuts {
    /// The text of a document without its cuts; empty if the document goes.
    pub(super) fn left<'a>(&self, document: u32, text: &'a str) -> Cow<'a, str> {
        if self.gone.binary_search(&document).is_ok() {
            return Cow::Borrowed("");
        }
        remaining(text, of(&self.done, document))
    }

    /// Begins to locate the pending cuts.
    pub(super) fn begin(&mut self) -> Found {
        self.pending.sort_unstable_by_key(|cut| (cut.document, cut.start));
        self.going.sort_unstable();
        self.asked = self.pending.iter().map(|cut| cut.first).collect();
        self.asked.sort_unstable();
        self.asked.dedup();
        Found::default()
    }

    /// Locates the pending cuts of a document, and the places in it that keep runs. Returns what is left of its text.
    pub(super) fn locate<'a>(&self, document: Option<usize>, text: &'a str) -> (Left<'a>, Found) {
        let mut found = Found::default();
        let Some(document) = document.map(|document| document as u32) else {
            return (Left { text: Cow::Borrowed(text), joints: Vec::new() }, found);
        };
        let first = self.asked.partition_point(|asked| asked.0 < document);
        let asked = &self.asked[first..];
        let asked = &asked[..asked.partition_point(|asked| asked.0 == document)];
        let pending = &self.pending[self.pending.partition_point(|cut| cut.document < document)..];
        let pending = &pending[..pending.partition_point(|cut| cut.document == document)];
        if asked.is_empty() && pending.is_empty() {
            return (Left { text: self.left(document, text), joints: Vec::new() }, found);
        }
        let mut done: Vec<Range<usize>> = of(&self.done, document).iter().map(Cut::bytes).collect();
        let runs: Vec<Range<u32>> = pending.iter().map(|cut| cut.start..cut.end).collect();
        let asked: Vec<u32> = asked.iter().map(|asked| asked.1).collect();
        let goes = self.going.binary_search(&document).is_ok();
        let located = locate(text, &done, &runs, goes, &asked);
        found.places = (first as u32..).zip(located.asked).collect();
        found.cuts.extend(located.spans.iter().map(|span| {
            let cut = span.run.map(|run| &pending[run]);
            let count = cut.map_or(0, |cut| cut.count);
            let of = Cut { document, start: span.start, end: span.end, words: span.words, first: None, count };
            (of, cut.map(|cut| cut.first))
        }));
        done.extend(found.cuts.iter().map(|(cut, _)| cut.bytes()));
        done.sort_unstable_by_key(|span| span.start);
        let is_new = |start| found.cuts.binary_search_by_key(&start, |(cut, _)| cut.start.byte as usize).is_ok();
        let joints = joints(&done).zip(&done).filter(|(_, span)| is_new(span.start)).map(|(joint, _)| joint).collect();
        (Left { text: without(text, &done), joints }, found)
    }

    /// Ends the search for pending cuts.
    pub(super) fn end(&mut self, found: Found) {
        let mut places = vec![Place::default(); self.asked.len()];
        found.places.into_iter().for_each(|(number, place)| places[number as usize] = place);
        self.done.extend(found.cuts.into_iter().map(|(cut, first)| {
            let first = first.and_then(|first| Some((first.0, places[self.asked.binary_search(&first).ok()?])));
            Cut { first, ..cut }
        }));
        self.done.sort_unstable();
        self.gone.append(&mut self.going);
        self.gone.sort_unstable();
        self.pending.clear();
        self.asked.clear();
    }

    /// Adds the runs of a document: words, the place that keeps them, and a count.
    pub(super) fn push(
        &mut self,
        document: u32,
        fate: Fate,
        runs: impl Iterator<Item = (Range<u32>, (u32, u32), u32)>,
    ) {
        if fate == Fate::Goes {
            self.going.push(document);
        }
        let pending = |(words, first, count): (Range<u32>, _, _)| Pending {
            document,
            start: words.start,
            end: words.end,
            first,
            count,
        };
        self.pending.extend(runs.map(pending));
    }

    /// True if the last round cut nothing.
    pub(super) fn is_settled(&self) -> bool {
        self.pending.is_empty()
    }

    /// Lengths of the lists that a checkpoint notes: cuts, documents that are gone, pending cuts, documents that go.
    pub(super) fn lengths(&self) -> [u64; 4] {
        [self.done.len(), self.gone.len(), self.pending.len(), self.going.len()].map(|length| length as u64)
    }

    /// Number of `u32` in a checkpoint with lists of these lengths.
    pub(super) fn numbers(lengths: [u64; 4]) -> u64 {
        let of_each = [CUT as u64, 1, PENDING as u64, 1];
        lengths.iter().zip(of_each).fold(0, |all, (length, of)| all.saturating_add(length.saturating_mul(of)))
    }

    /// Calls `write` with the numbers of all lists.
    pub(super) fn write<E>(&self, write: &mut impl FnMut(u32) -> Result<(), E>) -> Result<(), E> {
        let done = self.done.iter().flat_map(Cut::numbers);
        let pending = self.pending.iter().flat_map(Pending::numbers);
        let mut all = done.chain(self.gone.iter().copied()).chain(pending).chain(self.going.iter().copied());
        all.try_for_each(write)
    }

    /// The lists of these lengths, given the next number again and again.
    pub(super) fn read<E>(lengths: [u64; 4], next: &mut impl FnMut() -> Result<u32, E>) -> Result<Self, E> {
        let [done, gone, pending, going] = lengths;
        Ok(Self {
            done: (0..done).map(|_| array(next).map(Cut::of_numbers)).collect::<Result<_, E>>()?,
            gone: (0..gone).map(|_| next()).collect::<Result<_, E>>()?,
            pending: (0..pending).map(|_| array(next).map(Pending::of_numbers)).collect::<Result<_, E>>()?,
            going: (0..going).map(|_| next()).collect::<Result<_, E>>()?,
            asked: Vec::new(),
        })
    }

    /// The cuts, and the documents that are gone.
    pub(super) fn finish(self) -> (Vec<Cut>, Vec<u32>) {
        (self.done, self.gone)
    }
}
