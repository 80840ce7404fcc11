//! The kind of a passage, for readers: how much of it was rewritten, and whether it is quoted.
//!
//! Cost: one pass through the text around a quotation.

use std::ops::Range;

use super::citation::{CLOSING, OPENING, names_source};
use super::quotations::ends_of_paragraphs;
use super::share::Faithfulness;
use super::{Match, Screening, Text};
use crate::align::{Passage, shared_words};

/// How much of a passage was rewritten. By these borders 18 of 27 answers of Clough and Stevenson's corpus are what their
/// authors were asked to write (docs/screening.md).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// At least three in four words stand in verbatim runs, or all are the same but for accents, none left out or put in.
    Copied,
    /// At least two in five do, or nine in ten words of the shorter text of the passage are the same: words were left
    /// out or put in.
    Light,
    /// Fewer do.
    Heavy,
    /// It is in another language.
    Translated,
}

/// The quotation of a passage's words in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Quotation {
    /// Less than half of them stand between quotation marks.
    None,
    /// Half of them or more do, and nothing near looks like a source.
    Bare,
    /// Half of them or more do, and something near looks like a source.
    Cited,
}

impl Kind {
    /// The kind of a passage of so many words here, and so many in its source.
    fn new(words: usize, in_source: usize, kept: Faithfulness) -> Self {
        // A summary by deletion is no rewriting, whichever of the two texts is the summary.
        let shorter = words.min(in_source);
        // A copy without its accents is one.
        let same = kept.exact + kept.folded;
        match kept.verbatim {
            verbatim if 4 * verbatim >= 3 * words => Self::Copied,
            _ if same == words && words == in_source => Self::Copied,
            verbatim if 5 * verbatim >= 2 * words || 10 * same >= 9 * shorter => Self::Light,
            _ => Self::Heavy,
        }
    }

    /// Its name in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Copied => "copied",
            Self::Light => "light",
            Self::Heavy => "heavy",
            Self::Translated => "translated",
        }
    }
}

impl Quotation {
    /// Its name in every output.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bare => "bare",
            Self::Cited => "cited",
        }
    }
}

impl Screening {
    /// How much of a match's passage was rewritten.
    pub fn kind(&self, found: &Match, passage: &Passage) -> Kind {
        if passage.is_translated() {
            return Kind::Translated;
        }
        Kind::new(passage.a.len(), passage.b.len(), self.kept(found, passage))
    }
}

/// Distance in bytes at which something that looks like a source belongs to a quotation.
const NEAR: usize = 120;

/// Number of words at the end of a quotation in which its source may stand.
const LAST: usize = 3;

impl Text {
    /// The quotation of a run of its words.
    pub fn quotation(&self, words: &Range<usize>) -> Quotation {
        let within = |run: &Range<usize>| shared_words(run, words);
        let runs = || self.quoted().iter().filter(|run| within(run) > 0);
        if 2 * runs().map(within).sum::<usize>() < words.len() || runs().next().is_none() {
            return Quotation::None;
        }
        if runs().any(|run| self.has_source(run)) { Quotation::Cited } else { Quotation::Bare }
    }

    /// Of its quoted runs of words ([`Text::quoted`]) those that have something near that looks like a source.
    pub fn cited(&self) -> Vec<Range<usize>> {
        self.quoted().iter().filter(|run| self.has_source(run)).cloned().collect()
    }

    /// True if something that looks like a source stands before or behind a quoted run of words, or at its end, in the same
    /// paragraph; or in the one that announces it, which ends with a colon.
    fn has_source(&self, run: &Range<usize>) -> bool {
        let Range { start, end } = self.words.bytes(run.clone());
        let before = &self.text[self.floor(start.saturating_sub(NEAR))..start];
        let before = ends_of_paragraphs(before).last().map_or(before, |between| {
            let (above, below) = (&before[..between.start], &before[between.end..]);
            if above.trim_end().ends_with([':', '：']) { above } else { below }
        });
        let inside = &self.text[start..end];
        let last = self.words.bytes(run.end.saturating_sub(LAST).max(run.start)..run.end).start - start;
        let open = inside.rfind(OPENING).filter(|&open| !inside[open..].contains(CLOSING));
        let from = start + open.map_or(last, |open| open.min(last));
        let behind = &self.text[end..self.floor((end + NEAR).min(self.text.len()))];
        let behind = ends_of_paragraphs(behind).next().map_or(behind.len(), |between| between.start);
        names_source(before) || names_source(&self.text[from..end + behind])
    }

    /// The nearest start of a character at or before this byte.
    fn floor(&self, mut at: usize) -> usize {
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Preparer;

    #[test]
    fn sources_stand_near_quotations() {
        let said = "“the sea rises and then falls back again twice a day on most coasts”";
        for (text, expected) in [
            (format!("{said} (Lee 2004, 12)."), Quotation::Cited),
            (format!("As Lee (2004) says, {said}."), Quotation::Cited),
            (format!("As printf(3) says, {said}."), Quotation::Bare),
            (format!("As Lee says (3), {said}."), Quotation::Cited),
            (format!("{said} [3]"), Quotation::Cited),
            (format!("{said}, as he wrote.[3] The next thing"), Quotation::Cited),
            (format!("{} (Lee 2004).”", &said[..said.len() - 3]), Quotation::Cited),
            (format!("> {said} (Lee 2004)"), Quotation::Cited),
            (format!("It needs libc (>= 2.15) and (12) pounds.\n\nSo {said}"), Quotation::Bare),
            (format!("It was said before (Lee 2004).\n\n{said}\n\nIt was said again (Lee 2004)."), Quotation::Bare),
            (format!("As Lee writes (2004, 12):\n\n{said}"), Quotation::Cited),
            (format!("{} (gdm3) on most coasts” and so on", &said[..said.len() - 18]), Quotation::Bare),
            (format!("{}, S. 12” and so on", &said[..said.len() - 3]), Quotation::Cited),
            (format!("It is 10 m² and 3 km³; {said}"), Quotation::Bare),
            (format!("There are two: (1) first {said}, (2) others"), Quotation::Bare),
            (format!("{said}¹"), Quotation::Cited),
            (format!("{said}, ebd., S. 12"), Quotation::Cited),
            (format!("{said}, pp. 12–14"), Quotation::Cited),
            (format!("{said} https://example.org/tides"), Quotation::Cited),
            (format!("In 2004 we heard that {said} and did not ask (why)."), Quotation::Bare),
            (format!("{said} {} (Lee 2004)", "and we sailed ".repeat(20)), Quotation::Bare),
            ("the sea rises and then falls back again twice a day on most coasts (Lee 2004)".into(), Quotation::None),
        ] {
            let text = Preparer::new(None).prepare("a".into(), None, text);
            let words = text.quoted().first().cloned().unwrap_or(0..13);
            assert_eq!(text.quotation(&words), expected, "{}", text.text);
            assert_eq!(text.quotation(&(0..0)), Quotation::None);
        }
    }

    #[test]
    fn half_of_a_passage_must_be_quoted() {
        let text = "one two three four five six “seven eight nine ten” [1]";
        let text = Preparer::new(None).prepare("a".into(), None, text.into());
        for (words, expected) in [(0..10, Quotation::None), (2..10, Quotation::Cited), (0..6, Quotation::None)] {
            assert_eq!(text.quotation(&words), expected, "{words:?}");
        }
    }

    #[test]
    fn verbatim_words_tell_the_kind() {
        let kept =
            |verbatim| Faithfulness { verbatim, exact: verbatim, stemmed: 0, folded: 0, replaced: 0, missing: 0 };
        let kinds = [100, 75, 74, 40, 39, 0].map(|verbatim| Kind::new(100, 100, kept(verbatim)).name());
        assert_eq!(kinds, ["copied", "copied", "light", "light", "heavy", "heavy"]);
    }

    #[test]
    fn words_left_out_or_put_in_are_no_rewriting() {
        let kept = |exact| Faithfulness { verbatim: 0, exact, stemmed: 0, folded: 0, replaced: 0, missing: 0 };
        for (words, in_source, exact, expected) in [
            (60, 100, 60, Kind::Light),
            (100, 60, 60, Kind::Light),
            (100, 60, 54, Kind::Light),
            (100, 60, 53, Kind::Heavy),
            (60, 100, 53, Kind::Heavy),
        ] {
            assert_eq!(Kind::new(words, in_source, kept(exact)), expected, "{words} {in_source} {exact}");
        }
    }
}
