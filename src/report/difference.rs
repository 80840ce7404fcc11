//! Which words of a text differ from another's.
//!
//! Words are those that shingles are made of ([`WordReader`]), compared by their common form: a capital or a
//! comma is no difference, a sign that carries meaning is. Beginnings are cut
//! somewhere; what then has no partner at their ends is not called a difference.
//!
//! Cost: O(n · d) for n words of which d differ, at most 200 words a side of a beginning and 20,000 of a whole text.
//!
//! Source: E. W. Myers, *An O(ND) Difference Algorithm and Its Variations*, 1986, as in
//! the crate `similar`: it depends on no other crate, and moves marks to where readers
//! expect them; `dissimilar` compares characters, `imara-diff` is made for lines of
//! long files.

use std::ops::Range;

use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

use crate::text::words::WordReader;

/// So many words of a beginning are looked at; any further text is not shown.
const MAX_WORDS: usize = 200;

/// Texts of more words are not compared as a whole: that of two strangers would take minutes.
pub(super) const MAX_WHOLE: usize = 20_000;

/// Words shown before and after a place where two texts differ.
const CONTEXT: usize = 6;

/// The beginning of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'a> {
    pub(super) text: &'a str,
    /// Whether the text goes on.
    pub(super) is_cut: bool,
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

/// Finds differences; worth keeping, as it holds tables of Unicode.
#[derive(Debug)]
pub(super) struct Differ {
    reader: WordReader,
}

/// A place where two texts differ.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// What stands there in the first text, in bytes; empty: nothing.
    pub(super) a: Range<usize>,
    /// What stands there in the second.
    pub(super) b: Range<usize>,
}

/// A text's words: where they stand, and their common forms.
struct Words<'a> {
    text: &'a str,
    is_cut: bool,
    spans: Vec<Range<usize>>,
    forms: Vec<String>,
}

impl Words<'_> {
    /// The text from one word to another; nothing, where the next word begins, if there is none.
    fn between(&self, words: Range<usize>) -> Range<usize> {
        let start = self.start(words.start);
        start..if words.is_empty() { start } else { self.spans[words.end - 1].end }
    }

    /// Where a word begins; the text's end, if it has no more.
    fn start(&self, word: usize) -> usize {
        self.spans.get(word).map_or(self.text.len(), |span| span.start)
    }
}

impl Differ {
    pub(super) fn new() -> Self {
        Self { reader: WordReader::default() }
    }

    /// A beginning of no more words than are compared.
    pub(super) fn shorten<'a>(&self, beginning: Beginning<'a>) -> Beginning<'a> {
        let words = self.words(beginning);
        Beginning { text: words.text, is_cut: words.is_cut }
    }

    /// The places where two texts differ, and the pieces of the second text around them, those near to each other
    /// together; `None`: a text has more than [`MAX_WHOLE`] words.
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

    /// The pieces of `text`, and what it lacks of `other`, in order.
    pub(super) fn pieces<'a>(&self, other: Beginning<'a>, text: Beginning<'a>) -> Vec<Piece<'a>> {
        let (other, words) = (self.words(other), self.words(text));
        let operations = capture_diff_slices(Algorithm::RawMyers, &other.forms, &words.forms);
        pieces(&operations, &other, &words, 0..words.text.len())
    }

    fn words<'a>(&self, beginning: Beginning<'a>) -> Words<'a> {
        let mut words = self.whole(beginning.text);
        words.is_cut = beginning.is_cut;
        if let Some(next) = words.spans.get(MAX_WORDS) {
            words.text = words.text[..next.start].trim_end();
            words.is_cut = true;
            words.spans.truncate(MAX_WORDS);
            words.forms.truncate(MAX_WORDS);
        }
        words
    }

    fn whole<'a>(&self, text: &'a str) -> Words<'a> {
        let mut words = Words { text, is_cut: false, spans: Vec::new(), forms: Vec::new() };
        self.reader.words(text, |word| {
            let mut form = String::new();
            self.reader.form(&text[word.span.clone()], &mut form);
            // One character may be several words, and stands there once.
            if words.spans.last().is_none_or(|last| last.end <= word.span.start) {
                words.spans.push(word.span);
                words.forms.push(form);
            }
        });
        words
    }
}

/// The pieces of a part of a text, and what it lacks of another, by the operations that make it of that one.
fn pieces<'a>(operations: &[DiffOp], other: &Words<'a>, words: &Words<'a>, part: Range<usize>) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    let mut at = part.start;
    for operation in operations {
        let (tag, old, new) = operation.as_tag_tuple();
        let is_last = old.end == other.forms.len() && new.end == words.forms.len();
        if tag == DiffTag::Equal || (tag == DiffTag::Insert && is_last && other.is_cut) {
            continue;
        }
        let start = words.start(new.start).clamp(at, part.end.max(at));
        pieces.push(Piece::Same(&words.text[at..start]));
        at = start;
        if !(old.is_empty() || is_last && words.is_cut) {
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

    fn whole(text: &str) -> Beginning<'_> {
        Beginning { text, is_cut: false }
    }

    fn cut(text: &str) -> Beginning<'_> {
        Beginning { text, is_cut: true }
    }

    #[test]
    fn words_that_differ_are_marked() {
        let differ = Differ::new();
        assert_eq!(
            differ.pieces(whole("The harbour closes at low water."), whole("the HARBOUR, opens at high water!")),
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
            differ.pieces(whole("on Sunday the harbour closes"), whole("the harbour, says he, closes early")),
            [Missing("on Sunday"), Same("the harbour, "), New("says he"), Same(", closes "), New("early")]
        );
        assert_eq!(
            differ.pieces(whole("海水上升"), whole("海水下降。")),
            [Same("海水"), Missing("上升"), New("下降"), Same("。")]
        );
        assert_eq!(differ.pieces(whole("?!"), whole("…")), [Same("…")]);
        assert_eq!(differ.pieces(whole("gone"), whole("")), [Missing("gone")]);
        assert_eq!(differ.pieces(whole(""), whole("")), []);
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
        // What is taken away at the end stands behind the last word.
        let (changes, groups) = differ.changes("one two three", "one two").unwrap();
        assert_eq!(
            (changes, groups),
            (vec![Change { a: 8..13, b: 7..7 }], vec![vec![Same("one two"), Missing("three")]])
        );
        assert_eq!(differ.changes(&"word ".repeat(MAX_WHOLE + 1), ""), None);
        // Far from each other, each has its own words around it.
        let long = format!("first {}last", "same ".repeat(30));
        let other = long.replace("first", "FIRST one").replace("last", "end");
        let (_, groups) = differ.changes(&long, &other).unwrap();
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3]);
    }

    #[test]
    fn what_was_cut_off_is_no_difference() {
        let differ = Differ::new();
        let (long, short) = ("one two three four", "zero one two");
        assert_eq!(differ.pieces(cut(long), cut(short)), [New("zero"), Same(" one two")]);
        assert_eq!(differ.pieces(cut(short), cut(long)), [Missing("zero"), Same("one two three four")]);
        // A text that ends does lack the rest, and one that goes on has more.
        assert_eq!(differ.pieces(cut("one two three"), whole("one two")), [Same("one two"), Missing("three")]);
        assert_eq!(differ.pieces(whole("one two"), cut("one two three")), [Same("one two "), New("three")]);
    }

    #[test]
    fn only_so_many_words_are_looked_at() {
        let long = "word ".repeat(10_000);
        let short = Differ::new().shorten(whole(&long));
        assert!(short.is_cut && short.text.len() == 5 * MAX_WORDS - 1);
        assert_eq!(Differ::new().pieces(short, whole(&long)), [Same(short.text)]);
    }

    /// The length of the longest common subsequence, by the table of the textbook.
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
            let pieces = Differ::new().pieces(whole(&x), whole(&y));
            let count = |text: &str| text.split_whitespace().count();
            let new: usize = pieces.iter().map(|piece| if let New(text) = piece { count(text) } else { 0 }).sum();
            let missing: usize = pieces.iter().map(|piece| if let Missing(text) = piece { count(text) } else { 0 }).sum();
            let [a, b] = [&a, &b].map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
            let common = longest_common(&a, &b);
            prop_assert_eq!((new, missing), (b.len() - common, a.len() - common));
        }

        #[test]
        fn the_pieces_are_the_text(a in "(.|[一二在日海ก-๎]){0,60}", b in "(.|[一二在日海ก-๎]){0,60}", is_cut: bool) {
            let pieces = Differ::new().pieces(Beginning { text: &a, is_cut }, Beginning { text: &b, is_cut });
            let shown: String =
                pieces.iter().map(|piece| match piece { Same(text) | New(text) => *text, Missing(_) => "" }).collect();
            prop_assert_eq!(shown, b);
        }
    }
}
