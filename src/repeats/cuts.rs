//! Cuts of each document, over several rounds: runs of the words that were left become spans of the original text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::cutting::{Fate, Place};
use crate::text::plain_words::{Reader, Word};

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

/// The cuts of one document.
pub(super) fn of(cuts: &[Cut], document: u32) -> &[Cut] {
    let start = cuts.partition_point(|cut| cut.document < document);
    &cuts[start..start + cuts[start..].partition_point(|cut| cut.document == document)]
}

/// The spans of a text without those that are cut.
fn kept(length: usize, cuts: &[Cut]) -> Vec<Range<usize>> {
    let mut at = 0;
    let before = cuts.iter().map(|cut| std::mem::replace(&mut at, cut.end.byte as usize)..cut.start.byte as usize);
    let mut kept: Vec<Range<usize>> = before.collect();
    kept.push(at..length);
    kept.retain(|span| !span.is_empty());
    kept
}

/// A text without its cuts.
pub fn remaining<'a>(text: &'a str, cuts: &[Cut]) -> Cow<'a, str> {
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(kept(text.len(), cuts).into_iter().map(|span| &text[span]).collect())
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
    pub(super) fn locate<'a>(
        &self,
        document: Option<usize>,
        text: &'a str,
        reader: &mut Reader,
    ) -> (Cow<'a, str>, Found) {
        let mut found = Found::default();
        let Some(document) = document.map(|document| document as u32) else { return (Cow::Borrowed(text), found) };
        let left = self.left(document, text);
        let first = self.asked.partition_point(|asked| asked.0 < document);
        let asked = &self.asked[first..];
        let asked = &asked[..asked.partition_point(|asked| asked.0 == document)];
        let pending = &self.pending[self.pending.partition_point(|cut| cut.document < document)..];
        let pending = &pending[..pending.partition_point(|cut| cut.document == document)];
        if asked.is_empty() && pending.is_empty() {
            return (left, found);
        }
        let done = of(&self.done, document);
        let pieces = Pieces::of(&left, kept(text.len(), done), reader);
        let goes = self.going.binary_search(&document).is_ok();
        let mut spans: Vec<(Range<usize>, Option<&Pending>)> = Vec::new();
        let mut at = 0;
        for cut in pending {
            let run = pieces.place(cut.start)..pieces.place(cut.end);
            if goes {
                spans.extend(pieces.originals(at..run.start).map(|span| (span, None)));
            }
            at = run.end;
            spans.extend(pieces.originals(run).map(|span| (span, Some(cut))));
        }
        if goes {
            spans.extend(pieces.originals(at..left.len()).map(|span| (span, None)));
        }
        let asked: Vec<usize> = asked.iter().map(|asked| pieces.original(pieces.place(asked.1))).collect();
        let ends = spans.iter().flat_map(|(span, _)| [span.start, span.end]);
        let places = places(text, ends.chain(asked.iter().copied()));
        found.places = (first as u32..).zip(asked.iter().map(|at| places[at])).collect();
        found.cuts.extend(spans.iter().map(|(span, cut)| {
            let words = pieces.words_in(span);
            let count = cut.map_or(0, |cut| cut.count);
            let of = Cut { document, start: places[&span.start], end: places[&span.end], words, first: None, count };
            (of, cut.map(|cut| cut.first))
        }));
        let mut all: Vec<Cut> = done.iter().copied().chain(found.cuts.iter().map(|(cut, _)| *cut)).collect();
        all.sort_unstable();
        (remaining(text, &all), found)
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

    /// The cuts, and the documents that are gone.
    pub(super) fn finish(self) -> (Vec<Cut>, Vec<u32>) {
        (self.done, self.gone)
    }
}

/// A text without its cuts: its words and the spans that it is made of.
struct Pieces {
    words: Vec<Word>,
    length: usize,
    /// The spans of the text that are left, each with its place in what is left.
    spans: Vec<(usize, Range<usize>)>,
    /// The places of the words in the text.
    originals: Vec<usize>,
}

impl Pieces {
    fn of(left: &str, kept: Vec<Range<usize>>, reader: &mut Reader) -> Self {
        let mut words = Vec::new();
        reader.read(left, &mut words);
        let mut at = 0;
        let after = |span: Range<usize>| {
            let start = at;
            at += span.len();
            (start, span)
        };
        let spans = kept.into_iter().map(after).collect();
        let mut pieces = Self { words, length: left.len(), spans, originals: Vec::new() };
        pieces.originals = pieces.words.iter().map(|word| pieces.original(word.start as usize)).collect();
        pieces
    }

    /// The place of a word in what is left, or its end.
    fn place(&self, word: u32) -> usize {
        self.words.get(word as usize).map_or(self.length, |word| word.start as usize)
    }

    /// The place in the text of what stands at one in what is left.
    fn original(&self, at: usize) -> usize {
        let behind = self.spans.partition_point(|(start, _)| *start <= at);
        behind.checked_sub(1).map_or(at, |piece| self.spans[piece].1.start + at - self.spans[piece].0)
    }

    /// The spans in the text of one in what is left.
    fn originals(&self, left: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        self.spans.iter().filter_map(move |(start, span)| {
            let of = |at: usize| span.start + at.clamp(*start, start + span.len()) - start;
            let part = of(left.start)..of(left.end);
            (!part.is_empty()).then_some(part)
        })
    }

    /// Number of words that begin in a span of the text.
    fn words_in(&self, span: &Range<usize>) -> u32 {
        let before = |at: usize| self.originals.partition_point(|&start| start < at);
        (before(span.end) - before(span.start)) as u32
    }
}

/// Byte offsets as places.
fn places(text: &str, offsets: impl Iterator<Item = usize>) -> BTreeMap<usize, Place> {
    let mut places: BTreeMap<usize, Place> = offsets.map(|at| (at, Place::default())).collect();
    let (mut at, mut characters) = (0, 0);
    for (&byte, place) in &mut places {
        characters += text[at..byte].chars().count() as u32;
        at = byte;
        *place = Place { byte: byte as u32, character: characters };
    }
    places
}
