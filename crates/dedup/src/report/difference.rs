//! The words in which two texts differ.
//!
//! Words are those of the shingles ([`WordReader`]), compared in their common form: a capital or a comma is no
//! difference, a sign that carries meaning is. Long texts are truncated; words at a truncated end that lack a
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
        let read = InOneScript::of(text);
        self.reader.forms(read.as_ref().map_or(text, |read| &read.text), |word, form| {
            let span = read.as_ref().map_or(word.span.clone(), |read| read.original(word.span));
            // One character may be several words; its span is kept once.
            if words.spans.last().is_none_or(|last| last.end <= span.start) {
                words.spans.push(span);
                words.forms.push(form.to_owned());
            }
        });
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
mod tests {
    use proptest::prelude::*;

    use super::Piece::{Missing, New, Same};
    use super::*;

    fn whole(text: &str) -> Opening<'_> {
        Opening { text, is_cut: false }
    }

    fn cut(text: &str) -> Opening<'_> {
        Opening { text, is_cut: true }
    }

    /// The pieces of the second text, with the words of the first that it lacks.
    fn marked<'a>(a: &'a str, b: &'a str) -> Vec<Piece<'a>> {
        let differ = Differ::new();
        let [a, b] = [a, b].map(|text| differ.whole(text));
        pieces(&capture_diff_slices(Algorithm::RawMyers, &a.forms, &b.forms), &a, &b, 0..b.text.len())
    }

    #[test]
    fn words_that_differ_are_marked() {
        assert_eq!(
            marked("The harbour closes at low water.", "the HARBOUR, opens at high water!"),
            [
                Same("the HARBOUR, "),
                Missing("closes"),
                New("opens"),
                Same(" at "),
                Missing("low"),
                New("high"),
                Same(" water!")
            ]
        );
        assert_eq!(
            marked("on Sunday the harbour closes", "the harbour, says he, closes early"),
            [Missing("on Sunday"), Same("the harbour, "), New("says he"), Same(", closes "), New("early")]
        );
        assert_eq!(marked("海水上升", "海水下降。"), [Same("海水"), Missing("上升"), New("下降"), Same("。")]);
        assert_eq!(marked("?!", "…"), [Same("…")]);
        assert_eq!(marked("gone", ""), [Missing("gone")]);
        assert_eq!(marked("", ""), []);
    }

    #[test]
    fn the_places_of_two_whole_texts() {
        let differ = Differ::new();
        let (a, b) = ("The C++ compiler of the year, one of them.", "The C compiler of the year, two of them!");
        let (changes, groups) = differ.changes(a, b).unwrap();
        assert_eq!(changes, [Change { a: 4..7, b: 4..5 }, Change { a: 30..33, b: 28..31 }]);
        let expected = [
            Same("The "),
            Missing("C++"),
            New("C"),
            Same(" compiler of the year, "),
            Missing("one"),
            New("two"),
            Same(" of them"),
        ];
        assert_eq!(groups, [expected]);
        assert_eq!(differ.changes(a, "the C++ compiler of the year: ONE of them"), Some((Vec::new(), Vec::new())));
        // Words deleted at the end come after the last word.
        let (changes, groups) = differ.changes("one two three", "one two").unwrap();
        assert_eq!(
            (changes, groups),
            (vec![Change { a: 8..13, b: 7..7 }], vec![vec![Same("one two"), Missing("three")]])
        );
        assert_eq!(differ.changes(&"word ".repeat(MAX_WHOLE + 1), ""), None);
        // Places far apart have separate context.
        let long = format!("first {}last", "same ".repeat(30));
        let other = long.replace("first", "FIRST one").replace("last", "end");
        let (_, groups) = differ.changes(&long, &other).unwrap();
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
    }

    /// The first places, one side after the other, with the words that differ in brackets.
    fn first(a: Opening<'_>, b: Opening<'_>) -> Vec<[String; 2]> {
        let in_words = |excerpt: &Excerpt<'_>| {
            let marked = excerpt.pieces.iter().map(|piece| match piece {
                Same(text) => (*text).to_owned(),
                New(text) | Missing(text) => format!("[{text}]"),
            });
            marked.collect::<String>()
        };
        Differ::new().first_places(a, b, 3).first.iter().map(|both| both.each_ref().map(in_words)).collect()
    }

    #[test]
    fn the_first_places_have_two_sides() {
        assert_eq!(
            first(whole("The harbour, he said, closes at low water."), whole("The harbour opens at LOW water!")),
            [["The harbour, [he said, closes] at low water", "The harbour [opens] at LOW water"]]
        );
        assert_eq!(first(whole("same"), whole("Same!")), [[""; 2]; 0]);
        assert_eq!(first(whole("海水上升"), whole("海水下降。")), [["海水[上升]", "海水[下降]"]]);
        assert_eq!(first(whole("one two"), whole("one two three")), [["one two", "one two [three]"]]);
        // Places are found after an equal beginning of any length.
        let long = "word ".repeat(30_000);
        let [a, b] = ["the end of a day", "the end of a night"].map(|end| format!("{long}{end}, and no more"));
        let places = Differ::new().first_places(whole(&a), whole(&b), 3);
        assert_eq!((places.same_before, places.has_more), (30_004, false));
        assert_eq!(
            first(whole(&a), whole(&b)),
            [["word word the end of a [day], and no more", "word word the end of a [night], and no more"]]
        );
        // Only the first words of a long place are shown.
        let places = Differ::new().first_places(whole("a b"), whole(&long), 3);
        assert_eq!(places.first[0].each_ref().map(|side| side.more_words), [0, WINDOW - MAX_SHOWN]);
        assert!(places.has_more);
        let far = format!("X {0} Y {0} Z", "same ".repeat(30));
        let other = far.replace(['X', 'Y', 'Z'], "w");
        let places = Differ::new().first_places(whole(&far), whole(&other), 2);
        assert_eq!((places.first.len(), places.has_more), (2, true));
    }

    #[test]
    fn what_was_cut_off_is_no_difference() {
        let (long, short) = ("one two three four", "zero one two");
        assert_eq!(first(cut(long), cut(short)), [["one two", "[zero] one two"]]);
        assert_eq!(first(cut(short), cut(long)), [["[zero] one two", "one two"]]);
        // Against a complete text, the rest of a truncated one is a difference.
        assert_eq!(first(cut("one two three"), whole("one two")), [["one two [three]", "one two"]]);
        assert_eq!(first(whole("one two"), cut("one two three")), [["one two", "one two [three]"]]);
        assert_eq!(first(cut("one two three"), cut("one two")), [[""; 2]; 0]);
    }

    #[test]
    fn a_beginning_has_whole_words() {
        let (differ, text) = (Differ::new(), "One, two; three.");
        assert_eq!(differ.shorten(whole(text), 2).text, "One, two;");
        assert!(differ.shorten(whole(text), 2).is_cut);
        assert_eq!(differ.shorten(whole(text), 3).text, text);
    }

    /// The length of the longest common subsequence, by the textbook's table.
    fn longest_common(a: &[&str], b: &[&str]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let mut corner = 0;
            for (at, y) in b.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if x == y { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[b.len()]
    }

    proptest! {
        #[test]
        fn as_little_as_possible_is_marked(
            a in prop::collection::vec("[a-d]", 0..40),
            b in prop::collection::vec("[a-d]", 0..40),
        ) {
            let (x, y) = (a.join(" "), b.join(" "));
            let pieces = marked(&x, &y);
            let count = |text: &str| text.split_whitespace().count();
            let new: usize = pieces.iter().map(|piece| if let New(text) = piece { count(text) } else { 0 }).sum();
            let missing: usize = pieces.iter().map(|piece| if let Missing(text) = piece { count(text) } else { 0 }).sum();
            let [a, b] = [&a, &b].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
            let common = longest_common(&a, &b);
            prop_assert_eq!((new, missing), (b.len() - common, a.len() - common));
        }

        #[test]
        fn the_pieces_are_the_text(a in "(.|[一二在日海ก-๎]){0,60}", b in "(.|[一二在日海ก-๎]){0,60}", is_cut: bool) {
            let shown = |pieces: &[Piece<'_>]| {
                let own = pieces.iter().map(|piece| match piece { Same(text) | New(text) => *text, Missing(_) => "" });
                own.collect::<String>()
            };
            prop_assert_eq!(shown(&marked(&a, &b)), b.clone());
            let places = Differ::new().first_places(Opening { text: &a, is_cut }, Opening { text: &b, is_cut }, 9);
            for [x, y] in &places.first {
                prop_assert!(a.contains(&shown(&x.pieces)) && b.contains(&shown(&y.pieces)));
            }
        }
    }
}
