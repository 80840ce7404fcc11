//! The words in which two texts differ.
//!
//! Words are those of the shingles ([`WordReader`]), compared in their common form: a capital or a comma is no
//! difference, a sign that carries meaning is: it is a part of the word beside it. Long texts are truncated; words at a truncated end that lack a
//! counterpart are not reported as differences.
//!
//! Cost: O(n · d) for n words of which d differ. The first places take at most 2,000 words a side, from where the
//! texts begin to differ; all places take at most 20,000.
//!
//! Source: E. W. Myers, *An O(ND) Difference Algorithm and Its Variations*, 1986, as in
//! the crate `similar`: it depends on no other crate, and moves marks to where readers
//! expect them; `dissimilar` compares characters, `imara-diff` is made for lines of
//! long files.

use std::ops::Range;

use nearcopy::text::ambiguity::ambiguity;
use nearcopy::text::ends::Ends;
use nearcopy::text::one_script::InOneScript;
use nearcopy::text::words::WordReader;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Number of words a side compared for the first places, from a little before the first one.
const WINDOW: usize = 2_000;

/// Maximum number of words of a text shown of one place.
const MAX_SHOWN: usize = 60;

/// Maximum number of words of a text that is compared as a whole: two longer unrelated texts would take minutes.
pub(super) const MAX_WHOLE: usize = 20_000;

/// Number of words shown before and after a place where two texts differ.
const CONTEXT: usize = 6;

/// A text, or the first part of one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening<'a> {
    pub(super) text: &'a str,
    /// True if the text continues.
    pub(super) is_cut: bool,
}

/// The first places where two texts differ.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Places<'a> {
    /// Number of equal words before the first place.
    pub(super) same_before: usize,
    /// The excerpts of both texts at these places, with some words of context; places close together share one.
    pub(super) first: Vec<[Excerpt<'a>; 2]>,
    /// True if the texts differ, or may differ, elsewhere too.
    pub(super) has_more: bool,
}

/// Some words of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    /// Number of further words at the same place.
    pub(super) more_words: usize,
}

/// A piece of a text beside another one.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// In both texts, or no words.
    Same(&'a str),
    /// In this text only.
    New(&'a str),
    /// In the other text only.
    Missing(&'a str),
}

/// Finds differences. Reuse it: it holds tables of Unicode.
#[derive(Debug)]
pub(super) struct Differ {
    reader: WordReader,
}

/// A place where two texts differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// Byte range in the first text; empty if it has nothing here.
    pub(super) a: Range<usize>,
    /// Byte range in the second text.
    pub(super) b: Range<usize>,
}

/// The words of a text: their spans and their common forms.
struct Words<'a> {
    text: &'a str,
    is_cut: bool,
    spans: Vec<Range<usize>>,
    forms: Vec<String>,
}

impl<'a> Words<'a> {
    /// Makes the signs that carry meaning parts of the words that they belong to, given the text that the words stand in.
    fn take_in_signs(&mut self, text: &str) {
        let ends = Ends::default();
        let (count, mut end) = (self.spans.len(), 0);
        for next in (0..=count).filter(|_| count > 0) {
            let gap = end..self.spans.get(next).map_or(text.len(), |span| span.start);
            end = self.spans.get(next).map_or(text.len(), |span| span.end);
            let signs = &text[gap.clone()];
            // What belongs to the word behind begins its line, or stands right before it.
            let line = signs.rfind('\n').map(|at| at + 1);
            let border = line.unwrap_or_else(|| signs.trim_end_matches(|c: char| !c.is_whitespace()).len());
            let found: Vec<(usize, u64)> = ends.between(text, gap.clone()).of_words(next).collect();
            let are_two = found.len() == 2;
            for (word, number) in found {
                // Before the first word and behind the last one there is one word only.
                let word = word.min(count - 1);
                self.forms[word] = format!("{}^{number:x}", self.forms[word]);
                if word < next {
                    let part = if are_two && next < count { &signs[..border] } else { signs };
                    self.spans[word].end = gap.start + part.trim_end().len();
                } else {
                    let part = if are_two && next > 0 { &signs[border..] } else { signs };
                    self.spans[word].start = gap.end - part.trim_start().len();
                }
            }
        }
    }

    /// Drops all words outside this range.
    fn keep(&mut self, words: Range<usize>) {
        self.is_cut |= words.end < self.spans.len();
        for gone in [words.end.min(self.spans.len())..self.spans.len(), 0..words.start.min(self.spans.len())] {
            self.spans.drain(gone.clone());
            self.forms.drain(gone);
        }
    }

    /// The words of this text that some operations cover; `of` gives this text's range of an operation.
    fn excerpt(&self, operations: &[DiffOp], of: fn(&DiffOp) -> Range<usize>) -> Excerpt<'a> {
        let (mut pieces, mut at, mut left, mut more_words) = (Vec::new(), None, MAX_SHOWN, 0);
        for operation in operations {
            let words = of(operation);
            let shown = words.start..words.end.min(words.start + left);
            left -= shown.len();
            more_words += words.len() - shown.len();
            if shown.is_empty() {
                continue;
            }
            let span = self.between(shown);
            if operation.tag() == DiffTag::Equal {
                pieces.push(Piece::Same(&self.text[at.unwrap_or(span.start)..span.end]));
            } else {
                pieces.push(Piece::Same(&self.text[at.unwrap_or(span.start)..span.start]));
                pieces.push(Piece::New(&self.text[span.clone()]));
            }
            at = Some(span.end);
        }
        pieces.retain(|piece| *piece != Piece::Same(""));
        Excerpt { pieces, more_words }
    }

    /// Byte range of some words; if there are none, an empty range where the next word begins.
    fn between(&self, words: Range<usize>) -> Range<usize> {
        let start = self.start(words.start);
        start..if words.is_empty() { start } else { self.spans[words.end - 1].end }
    }

    /// Byte offset of a word; the end of the text if it has no such word.
    fn start(&self, word: usize) -> usize {
        self.spans.get(word).map_or(self.text.len(), |span| span.start)
    }
}

impl Differ {
    pub(super) fn new() -> Self {
        Self { reader: WordReader::default() }
    }

    /// Truncates a text to this number of words.
    pub(super) fn shorten<'a>(&self, beginning: Opening<'a>, words: usize) -> Opening<'a> {
        let all = self.whole(beginning.text);
        match all.spans.get(words) {
            Some(next) => Opening { text: all.text[..next.start].trim_end(), is_cut: true },
            None => beginning,
        }
    }

    /// The first places where two texts differ, at most `most`.
    pub(super) fn first_places<'a>(&self, a: Opening<'a>, b: Opening<'a>, most: usize) -> Places<'a> {
        let [mut a, mut b] = [a, b].map(|part| Words { is_cut: part.is_cut, ..self.whole(part.text) });
        let same_before = a.forms.iter().zip(&b.forms).take_while(|(a, b)| a == b).count();
        let start = same_before.saturating_sub(CONTEXT);
        for words in [&mut a, &mut b] {
            words.keep(start..start + WINDOW);
        }
        let mut operations = capture_diff_slices(Algorithm::RawMyers, &a.forms, &b.forms);
        let is_difference = |operation: &DiffOp| operation.tag() != DiffTag::Equal;
        let others = operations.iter().rev().skip(1).any(is_difference);
        let is_of_the_cut = |last: &DiffOp| match last.tag() {
            DiffTag::Equal => false,
            DiffTag::Insert => a.is_cut,
            DiffTag::Delete => b.is_cut,
            DiffTag::Replace => others && (a.is_cut || b.is_cut),
        };
        operations.pop_if(|last| is_of_the_cut(last));
        let mut groups = group_diff_ops(operations, CONTEXT);
        let has_more = groups.len() > most || a.is_cut || b.is_cut;
        groups.truncate(most);
        let both = |group: Vec<DiffOp>| [a.excerpt(&group, DiffOp::old_range), b.excerpt(&group, DiffOp::new_range)];
        Places { same_before, first: groups.into_iter().map(both).collect(), has_more }
    }

    /// The places where two texts differ, and the pieces of the second text around them, in groups of places close
    /// together; `None` if a text has more than [`MAX_WHOLE`] words.
    pub(super) fn changes<'a>(&self, a: &'a str, b: &'a str) -> Option<(Vec<Change>, Vec<Vec<Piece<'a>>>)> {
        let [a, b] = [a, b].map(|text| self.whole(text));
        if a.spans.len().max(b.spans.len()) > MAX_WHOLE {
            return None;
        }
        let operations = capture_diff_slices(Algorithm::RawMyers, &a.forms, &b.forms);
        let changes = operations.iter().filter(|operation| operation.tag() != DiffTag::Equal);
        let change =
            |operation: &DiffOp| Change { a: a.between(operation.old_range()), b: b.between(operation.new_range()) };
        let changes = changes.map(change).collect();
        let around = |group: Vec<DiffOp>| {
            let last = group.last().map_or(0, |operation| operation.new_range().end);
            let start = b.start(group.first().map_or(0, |operation| operation.new_range().start));
            let end = last.checked_sub(1).map_or(start, |last| b.spans[last].end).max(start);
            pieces(&group, &a, &b, start..end)
        };
        Some((changes, group_diff_ops(operations, CONTEXT).into_iter().map(around).collect()))
    }

    fn whole<'a>(&self, text: &'a str) -> Words<'a> {
        let mut words = Words { text, is_cut: false, spans: Vec::new(), forms: Vec::new() };
        let in_one_script = InOneScript::of(text);
        let read = in_one_script.as_ref().map_or(text, |read| &read.text);
        self.reader.forms(read, |word, form| {
            // One character may be several words; its span is kept once.
            if words.spans.last().is_none_or(|last| last.end <= word.span.start) {
                let form = match ambiguity(&read[word.span.clone()]) {
                    0 => form.to_owned(),
                    ambiguity => format!("{form}^{ambiguity:x}"),
                };
                words.spans.push(word.span);
                words.forms.push(form);
            }
        });
        words.take_in_signs(read);
        if let Some(read) = &in_one_script {
            for span in &mut words.spans {
                *span = read.original(span.clone());
            }
        }
        words
    }
}

/// The pieces of a part of a text, with the words of another text that it lacks. The operations turn that other text
/// into this one.
fn pieces<'a>(operations: &[DiffOp], other: &Words<'a>, words: &Words<'a>, part: Range<usize>) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut at = part.start;
    for operation in operations {
        let (tag, old, new) = operation.as_tag_tuple();
        if tag == DiffTag::Equal {
            continue;
        }
        let start = words.start(new.start).clamp(at, part.end.max(at));
        pieces.push(Piece::Same(&words.text[at..start]));
        at = start;
        if !old.is_empty() {
            pieces.push(Piece::Missing(&other.text[other.between(old)]));
        }
        if !new.is_empty() {
            let span = words.between(new);
            at = span.end;
            pieces.push(Piece::New(&words.text[span]));
        }
    }
    pieces.push(Piece::Same(&words.text[at..part.end.max(at)]));
    pieces.retain(|piece| *piece != Piece::Same(""));
    pieces
}

#[cfg(test)]
mod tests;
