//! Where the words of what is left of a text stand in the text, given the spans that were cut.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::cutting::Place;
use crate::text::plain_words::starts;

/// A span of a text that is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Its beginning.
    pub start: Place,
    /// Its end.
    pub end: Place,
    /// Number of its words.
    pub words: u32,
    /// The number of the run that it is a part of; `None` for what goes only because the whole text does.
    pub run: Option<usize>,
}

/// The result for one text.
#[derive(Debug, Default)]
pub struct Located {
    /// The spans that are cut.
    pub spans: Vec<Span>,
    /// The places that were asked for.
    pub asked: Vec<Place>,
}

/// The spans of a text without those that are cut, which come in order.
fn kept(length: usize, cuts: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut at = 0;
    let before = cuts.iter().map(|cut| std::mem::replace(&mut at, cut.end)..cut.start);
    let mut kept: Vec<Range<usize>> = before.collect();
    kept.push(at..length);
    kept.retain(|span| !span.is_empty());
    kept
}

/// A text without these spans, which come in order.
pub(super) fn without<'a>(text: &'a str, cuts: &[Range<usize>]) -> Cow<'a, str> {
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    Cow::Owned(kept(text.len(), cuts).into_iter().map(|span| &text[span]).collect())
}

/// The bytes in what is left before which each of these spans was cut.
pub(super) fn joints(cuts: &[Range<usize>]) -> impl Iterator<Item = usize> {
    let mut before = 0;
    cuts.iter().map(move |cut| {
        let joint = cut.start - before;
        before += cut.len();
        joint
    })
}

/// Locates runs of words and single words of what is left of a text without the spans `done`. All that is left is cut if the
/// text `goes`.
pub fn locate(text: &str, done: &[Range<usize>], runs: &[Range<u32>], goes: bool, asked: &[u32]) -> Located {
    let left = without(text, done);
    let pieces = Pieces::of(&left, kept(text.len(), done));
    let mut spans: Vec<(Range<usize>, Option<usize>)> = Vec::new();
    let mut at = 0;
    for (number, run) in runs.iter().enumerate() {
        let run = pieces.place(run.start)..pieces.place(run.end);
        if goes {
            spans.extend(pieces.originals(at..run.start).map(|span| (span, None)));
        }
        at = run.end;
        spans.extend(pieces.originals(run).map(|span| (span, Some(number))));
    }
    if goes {
        spans.extend(pieces.originals(at..left.len()).map(|span| (span, None)));
    }
    let asked: Vec<usize> = asked.iter().map(|&asked| pieces.original(pieces.place(asked))).collect();
    let ends = spans.iter().flat_map(|(span, _)| [span.start, span.end]);
    let places = places(text, ends.chain(asked.iter().copied()));
    let span = |(span, run): &(Range<usize>, _)| Span {
        start: places[&span.start],
        end: places[&span.end],
        words: pieces.words_in(span),
        run: *run,
    };
    Located { spans: spans.iter().map(span).collect(), asked: asked.iter().map(|at| places[at]).collect() }
}

/// A text without its cuts: its words and the spans that it is made of.
struct Pieces {
    /// The places of its words.
    starts: Vec<u32>,
    length: usize,
    /// The spans of the text that are left, each with its place in what is left.
    spans: Vec<(usize, Range<usize>)>,
}

impl Pieces {
    fn of(left: &str, kept: Vec<Range<usize>>) -> Self {
        let mut words = Vec::new();
        starts(left, &mut words);
        let mut at = 0;
        let after = |span: Range<usize>| {
            let start = at;
            at += span.len();
            (start, span)
        };
        let spans = kept.into_iter().map(after).collect();
        Self { starts: words, length: left.len(), spans }
    }

    /// The place of a word in what is left, or its end.
    fn place(&self, word: u32) -> usize {
        self.starts.get(word as usize).map_or(self.length, |&start| start as usize)
    }

    /// The place in the text of what stands at one in what is left.
    fn original(&self, at: usize) -> usize {
        let behind = self.spans.partition_point(|(start, _)| *start <= at);
        behind.checked_sub(1).map_or(at, |piece| self.spans[piece].1.start + at - self.spans[piece].0)
    }

    /// The spans in the text of one in what is left.
    fn originals(&self, left: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let first = self.spans.partition_point(|(start, span)| start + span.len() <= left.start);
        let spans = self.spans[first..].iter().take_while(move |(start, _)| *start < left.end);
        spans.filter_map(move |(start, span)| {
            let of = |at: usize| span.start + at.clamp(*start, start + span.len()) - start;
            let part = of(left.start)..of(left.end);
            (!part.is_empty()).then_some(part)
        })
    }

    /// Number of words that begin in a span of the text.
    fn words_in(&self, span: &Range<usize>) -> u32 {
        let before = |at: usize| self.starts.partition_point(|&start| self.original(start as usize) < at);
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
