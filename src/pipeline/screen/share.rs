//! How many words of a document stand elsewhere.
//!
//! Each word is marked with the most that any passage says of it: it lies in a passage, has a counterpart
//! there, or stands in a long run of words as they are. Words that are left out do not count.
//!
//! Cost: linear in the words and in the pairs of words of all passages.

use std::ops::Range;

use super::{Match, Screening, Text};
use crate::screen::Passage;

/// Words that follow each other in both texts as they are, so many or more, are verbatim: shorter runs are
/// often phrases that every text on a subject has.
pub const VERBATIM: usize = 7;

/// How many words of a document stand elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// All words but those left out, of which the others are shares.
    pub counted: usize,
    /// Words in passages.
    pub covered: usize,
    /// Those of them that have a counterpart, by form or stem.
    pub matched: usize,
    /// Those of them in runs of [`VERBATIM`] or more.
    pub verbatim: usize,
}

/// How a passage's words were kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Faithfulness {
    /// Words in runs of [`VERBATIM`] or more that stand in the source as they are.
    pub verbatim: usize,
    /// Words of the suspicious document that stand in the source as they are.
    pub exact: usize,
    /// Those with the same stem, or under a disguise.
    pub stemmed: usize,
    /// Those that have no counterpart.
    pub missing: usize,
}

/// What is known of a word, the most last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    None,
    Covered,
    Matched,
    Verbatim,
}

/// Which of two texts is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Suspicious,
    Source,
}

impl Screening {
    /// How the words of a match's passage were kept.
    pub fn kept(&self, found: &Match, passage: &Passage) -> Faithfulness {
        let [a, b] = [found.suspicious, found.source].map(|text| &self.texts[text as usize]);
        let (mut verbatim, mut exact) = (0, 0);
        for run in exact_runs(a, b, passage) {
            exact += run.len();
            verbatim += if run.len() < VERBATIM { 0 } else { run.len() };
        }
        let matched = passage.matched.len();
        Faithfulness { verbatim, exact, stemmed: matched - exact, missing: passage.a.len().saturating_sub(matched) }
    }

    /// For each text the matches in which it is one of the two, in their order.
    pub fn matches_by_text(&self) -> Vec<Vec<&Match>> {
        let mut matches: Vec<Vec<&Match>> = vec![Vec::new(); self.texts.len()];
        for found in &self.matches {
            matches[found.suspicious as usize].push(found);
            matches[found.source as usize].push(found);
        }
        matches
    }

    /// How much of each text stands in any other.
    pub fn shares(&self) -> Vec<Share> {
        self.matches_by_text().iter().zip(0..).map(|(matches, text)| self.share(text, matches)).collect()
    }

    /// How much of a text these matches, in each of which it is one of the two, cover together.
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

/// How much of one of two texts these passages cover.
pub(super) fn of_two(a: &Text, b: &Text, passages: &[Passage], side: Side) -> Share {
    let mut marks = Marks::new(if side == Side::Suspicious { a } else { b });
    marks.add(a, b, passages, side);
    marks.count()
}

/// What is known of each word of a text.
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
            self.raise(if side == Side::Suspicious { passage.a.clone() } else { passage.b.clone() }, Mark::Covered);
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
            share.matched += usize::from(mark >= Mark::Matched);
            share.verbatim += usize::from(mark == Mark::Verbatim);
        }
        share
    }
}

/// Runs of pairs of words that are the same and follow each other in both texts.
fn exact_runs<'p>(a: &'p Text, b: &'p Text, passage: &'p Passage) -> impl Iterator<Item = &'p [(u32, u32)]> {
    let (a, b) = (a.words.as_slice(), b.words.as_slice());
    let is_exact = move |&(i, j): &(u32, u32)| a[i as usize].form == b[j as usize].form;
    let follow = move |x: &(u32, u32), y: &(u32, u32)| is_exact(x) && is_exact(y) && x.0 + 1 == y.0 && x.1 + 1 == y.1;
    passage.matched.chunk_by(follow).filter(move |run| is_exact(&run[0]))
}
