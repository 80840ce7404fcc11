//! The number of a document's words that also stand in other documents.
//!
//! Each word gets the strongest mark that any passage gives it: it lies in a passage, is part of a translation, has a
//! counterpart, or stands in a long verbatim run. In a weak passage it only lies. Words that are left out do not count. A
//! document's share is that of its words that were translated or have a counterpart: only a document all of whose words
//! stand elsewhere has the whole. A translation has no counterpart for many a word, so all of its words count.
//!
//! Cost: linear in the words and in the pairs of words of all passages.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::ops::Range;

use super::{Match, Screening, Text};
use crate::align::{Passage, VERBATIM};

/// The number of a document's words that also stand in other documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// All words except those left out: the denominator of the shares below.
    pub counted: usize,
    /// Words in passages, weak ones too.
    pub covered: usize,
    /// Words with a counterpart, by form, stem or beginning, and all words of translated passages, in passages that are not
    /// weak: the numerator of the share.
    pub matched: usize,
    /// Matched words that only translated passages have.
    pub translated: usize,
    /// Matched words in verbatim runs, of [`VERBATIM`] words or more.
    pub verbatim: usize,
}

impl Share {
    /// The order of two shares; of equal ones, that of the words in passages. Nothing is divided. A document all of whose words
    /// are left out has the least share, which is zero.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let [here, there] = [self, other].map(|share| share.counted.max(1) as u128);
        let ratio = |own: usize, others: usize| (own as u128 * there).cmp(&(others as u128 * here));
        ratio(self.matched, other.matched).then_with(|| ratio(self.covered, other.covered))
    }
}

/// The words of a passage, counted by how they were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faithfulness {
    /// Words in verbatim runs, of [`VERBATIM`] words or more.
    pub verbatim: usize,
    /// Words of the suspicious document whose counterpart has the same form.
    pub exact: usize,
    /// Words whose counterpart has only the same stem, or the same beginning (`fuzzy_pairs`).
    pub stemmed: usize,
    /// Words whose counterpart differs in its accents only.
    pub folded: usize,
    /// Words put for another: without a counterpart, one word in either text, between two that have theirs.
    pub replaced: usize,
    /// Other words without a counterpart; of a translated passage without stop words and words left out, which are not
    /// compared.
    pub missing: usize,
}

/// The mark of a word, the strongest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    Covered,
    Translated,
    Matched,
    Verbatim,
}

/// One of the two texts of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Suspicious,
    Source,
}

impl Screening {
    /// The authors of the suspicious documents, as far as they are known.
    pub fn authors(&self) -> BTreeSet<&str> {
        self.texts[..self.suspicious].iter().filter_map(|text| text.author.as_deref()).collect()
    }

    /// Counts how the words of a match's passage were kept.
    pub fn kept(&self, found: &Match, passage: &Passage) -> Faithfulness {
        if passage.is_translated() {
            // Words of two languages are compared by their correspondences.
            let text = &self.texts[found.suspicious as usize];
            let compared = passage.a.clone().filter(|&word| !text.tells_nothing(word)).count();
            let missing = compared.saturating_sub(passage.matched.len());
            return Faithfulness { verbatim: 0, exact: 0, stemmed: 0, folded: 0, replaced: 0, missing };
        }
        let [a, b] = [found.suspicious, found.source].map(|text| &self.texts[text as usize]);
        let (mut verbatim, mut exact) = (0, 0);
        for run in exact_runs(a, b, passage) {
            exact += run.len();
            verbatim += if run.len() < VERBATIM { 0 } else { run.len() };
        }
        let (matched, folded) = (passage.matched.len(), differ_in_accents(a, b, passage));
        let replaced = replaced(passage).count();
        let missing = passage.a.len().saturating_sub(matched + replaced);
        Faithfulness { verbatim, exact, stemmed: matched - exact - folded, folded, replaced, missing }
    }

    /// The matches of each text, as suspicious document or source, in their order.
    pub fn matches_by_text(&self) -> Vec<Vec<&Match>> {
        let mut matches: Vec<Vec<&Match>> = vec![Vec::new(); self.texts.len()];
        for found in &self.matches {
            matches[found.suspicious as usize].push(found);
            matches[found.source as usize].push(found);
        }
        matches
    }

    /// The share of each text that stands in any other.
    pub fn shares(&self) -> Vec<Share> {
        self.matches_by_text().iter().zip(0..).map(|(matches, text)| self.share(text, matches)).collect()
    }

    /// The share of a text that these matches cover together; it must be one of the two texts of each.
    pub fn share(&self, text: u32, matches: &[&Match]) -> Share {
        let mut marks = Marks::new(&self.texts[text as usize]);
        for found in matches {
            let [a, b] = [found.suspicious, found.source].map(|text| &self.texts[text as usize]);
            let side = if found.suspicious == text { Side::Suspicious } else { Side::Source };
            marks.add(a, b, &found.passages, side);
        }
        marks.count()
    }
}

/// The share of one of two texts that these passages cover.
pub(super) fn of_two(a: &Text, b: &Text, passages: &[Passage], side: Side) -> Share {
    let mut marks = Marks::new(if side == Side::Suspicious { a } else { b });
    marks.add(a, b, passages, side);
    marks.count()
}

/// The mark of each word of a text.
struct Marks<'t> {
    text: &'t Text,
    marks: Vec<Mark>,
}

impl<'t> Marks<'t> {
    fn new(text: &'t Text) -> Self {
        Self { text, marks: vec![Mark::None; text.words.len()] }
    }

    fn add(&mut self, a: &Text, b: &Text, passages: &[Passage], side: Side) {
        let place = |pair: &(u32, u32)| if side == Side::Suspicious { pair.0 } else { pair.1 } as usize;
        for passage in passages {
            let is_sure_translation = passage.is_translated() && !passage.is_weak;
            let mark = if is_sure_translation { Mark::Translated } else { Mark::Covered };
            self.raise(if side == Side::Suspicious { passage.a.clone() } else { passage.b.clone() }, mark);
            if passage.is_weak || is_sure_translation {
                continue;
            }
            for pair in &passage.matched {
                self.raise(place(pair)..place(pair) + 1, Mark::Matched);
            }
            for run in exact_runs(a, b, passage).filter(|run| run.len() >= VERBATIM) {
                self.raise(place(&run[0])..place(&run[0]) + run.len(), Mark::Verbatim);
            }
        }
    }

    fn raise(&mut self, words: Range<usize>, mark: Mark) {
        for known in &mut self.marks[words] {
            *known = mark.max(*known);
        }
    }

    fn count(&self) -> Share {
        let counted = self.marks.iter().enumerate().filter(|(word, _)| !self.text.is_left_out(*word));
        let mut share = Share { counted: self.text.counted(), ..Share::default() };
        for (_, &mark) in counted {
            share.covered += usize::from(mark >= Mark::Covered);
            share.matched += usize::from(mark >= Mark::Translated);
            share.translated += usize::from(mark == Mark::Translated);
            share.verbatim += usize::from(mark == Mark::Verbatim);
        }
        share
    }
}

/// Number of matched words of a passage that differ in their accents only.
fn differ_in_accents(a: &Text, b: &Text, passage: &Passage) -> usize {
    let (a, b) = (&a.words, &b.words);
    let differ = |&&(i, j): &&(u32, u32)| {
        let (i, j) = (i as usize, j as usize);
        a.as_slice()[i].form != b.as_slice()[j].form && a.folded_form(i) == b.folded_form(j)
    };
    passage.matched.iter().filter(differ).count()
}

/// The words of a passage that were put for another: the only ones between two matched words, in both texts.
pub fn replaced(passage: &Passage) -> impl Iterator<Item = (u32, u32)> {
    let between = |pairs: &[(u32, u32)]| match *pairs {
        [(i, j), (k, l)] => (k == i + 2 && l == j + 2).then_some((i + 1, j + 1)),
        _ => None,
    };
    let matched = if passage.is_translated() { &[][..] } else { &passage.matched };
    matched.windows(2).filter_map(between)
}

/// Runs of matched words with the same form that are consecutive in both texts.
fn exact_runs<'p>(a: &'p Text, b: &'p Text, passage: &'p Passage) -> impl Iterator<Item = &'p [(u32, u32)]> {
    let (a, b) = (a.words.as_slice(), b.words.as_slice());
    let is_exact = move |&(i, j): &(u32, u32)| a[i as usize].form == b[j as usize].form;
    let follow = move |x: &(u32, u32), y: &(u32, u32)| is_exact(x) && is_exact(y) && x.0 + 1 == y.0 && x.1 + 1 == y.1;
    passage.matched.chunk_by(follow).filter(move |run| is_exact(&run[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_no_words_is_the_least() {
        let of = |matched, counted| Share { counted, covered: matched, matched, ..Share::default() };
        let mut shares = [of(1, 2), of(0, 0), of(3, 4), of(0, 9)];
        shares.sort_by(Share::compare);
        assert_eq!(shares, [of(0, 0), of(0, 9), of(1, 2), of(3, 4)]);
    }
}
