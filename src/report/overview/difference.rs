//! Which words of a text's beginning differ from another's.
//!
//! Words are those of [`Tokeniser`], compared by their common form ([`Normaliser`]), as
//! the pipeline takes them: a capital or a comma is no difference. Beginnings are cut
//! somewhere; what then has no partner at their ends is not called a difference.
//!
//! Cost: O(n · d) for n words of which d differ, at most 200 words a side.
//!
//! Source: E. W. Myers, *An O(ND) Difference Algorithm and Its Variations*, 1986, as in
//! the crate `similar`: it depends on no other crate, and moves marks to where readers
//! expect them; `dissimilar` compares characters, `imara-diff` is made for lines of
//! long files.

use std::ops::Range;

use similar::{Algorithm, DiffTag, capture_diff_slices};

use crate::text::Language;
use crate::text::normalise::Normaliser;
use crate::text::tokenise::Tokeniser;

/// So many words of a beginning are looked at; any further text is not shown.
const MAX_WORDS: usize = 200;

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
    tokeniser: Tokeniser,
    normaliser: Normaliser,
}

/// A text's words: where they stand, and their common forms.
struct Words<'a> {
    text: &'a str,
    is_cut: bool,
    spans: Vec<Range<usize>>,
    forms: Vec<String>,
}

impl Words<'_> {
    /// The text from one word to another.
    fn between(&self, words: Range<usize>) -> Range<usize> {
        self.spans[words.start].start..self.spans[words.end - 1].end
    }
}

impl Differ {
    pub(super) fn new() -> Self {
        Self { tokeniser: Tokeniser::default(), normaliser: Normaliser::new(Language::UNDETERMINED) }
    }

    /// A beginning of no more words than are compared.
    pub(super) fn shorten<'a>(&self, beginning: Beginning<'a>) -> Beginning<'a> {
        let words = self.words(beginning);
        Beginning { text: words.text, is_cut: words.is_cut }
    }

    /// The pieces of `text`, and what it lacks of `other`, in order.
    pub(super) fn pieces<'a>(&self, other: Beginning<'a>, text: Beginning<'a>) -> Vec<Piece<'a>> {
        let (other, words) = (self.words(other), self.words(text));
        let mut pieces = Vec::new();
        let mut at = 0;
        for operation in capture_diff_slices(Algorithm::RawMyers, &other.forms, &words.forms) {
            let (tag, old, new) = operation.as_tag_tuple();
            let is_last = old.end == other.forms.len() && new.end == words.forms.len();
            if tag == DiffTag::Equal || (tag == DiffTag::Insert && is_last && other.is_cut) {
                continue;
            }
            let start = words.spans.get(new.start).map_or(words.text.len(), |span| span.start);
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
        pieces.push(Piece::Same(&words.text[at..]));
        pieces.retain(|piece| *piece != Piece::Same(""));
        pieces
    }

    fn words<'a>(&self, beginning: Beginning<'a>) -> Words<'a> {
        let Beginning { mut text, mut is_cut } = beginning;
        let mut spans = Vec::new();
        self.tokeniser.words(text, |span| spans.push(span));
        if let Some(next) = spans.get(MAX_WORDS) {
            text = text[..next.start].trim_end();
            is_cut = true;
            spans.truncate(MAX_WORDS);
        }
        let form = |span: &Range<usize>| {
            let mut form = String::new();
            self.normaliser.normalise(&text[span.clone()], &mut form);
            form
        };
        let forms = spans.iter().map(form).collect();
        Words { text, is_cut, spans, forms }
    }
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
