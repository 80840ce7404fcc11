//! Own words of a passage: those outside of text that many documents share.
//!
//! An assignment or a notice that many documents share is no evidence that one copies another. So a passage is judged by
//! its own words: it counts if it would count alone.

use std::borrow::Cow;

use super::Passage;
use super::chain::longest_run;
use super::pair::{NONE, Pair, common};
use super::words::in_runs;

impl Pair<'_> {
    /// True if a matched pair of words stands, in either text, in one that many documents share.
    pub(super) fn is_common(&self, (i, j): (u32, u32)) -> bool {
        in_runs(self.common[0], i as usize) || in_runs(self.common[1], j as usize)
    }

    /// Number of own words of a passage in each text.
    pub(super) fn own_words(&self, passage: &Passage) -> [usize; 2] {
        [(&passage.a, self.common[0]), (&passage.b, self.common[1])]
            .map(|(words, runs)| words.len() - runs.iter().map(|run| common(run, words)).sum::<usize>())
    }

    /// The own words of a passage that are matched.
    pub(super) fn own_matched<'p>(&self, passage: &'p Passage) -> Cow<'p, [(u32, u32)]> {
        if !self.has_common() {
            return Cow::Borrowed(&passage.matched);
        }
        passage.matched.iter().copied().filter(|&matched| !self.is_common(matched)).collect()
    }

    /// Length of the longest run of own words of a passage that are equal.
    pub(super) fn own_run(&self, passage: &Passage) -> usize {
        longest_run(&self.own_matched(passage))
    }

    /// True if one of the texts has words that many documents share.
    pub(super) fn has_common(&self) -> bool {
        self.common.iter().any(|runs| !runs.is_empty())
    }

    /// The shared words of each text, with [`NONE`] for those that many documents share.
    pub(super) fn own_shared(&self) -> [Cow<'_, [u32]>; 2] {
        [(&self.a, self.common[0]), (&self.b, self.common[1])].map(|(side, runs)| {
            let mut own = Cow::Borrowed(&*side.shared);
            for run in runs {
                own.to_mut()[run.clone()].fill(NONE);
            }
            own
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::tests::words;
    use super::super::{
        AlignmentMemory, Among, Background, Collocations, Counted, Key, Options, Passage, Words, align_among,
    };

    /// The passages of two texts that begin with 50 words of an assignment, which is noted or not.
    fn passages(a: &Words, b: &Words, is_noted: bool) -> Vec<Passage> {
        let assignment = [if is_noted { 0..50 } else { 0..0 }];
        let among = Among {
            background: &Background::default(),
            collocations: &Collocations::default(),
            language: 0,
            memory: &AlignmentMemory::default(),
        };
        let text = |words| Counted { words, is_counted: false, common: &assignment };
        align_among([text(a), text(b)], None, Key::Stem, Options::default(), among)
    }

    /// The words of an assignment, then those of both texts, then own ones.
    fn text(both: Range<u32>, own: u32) -> Words {
        words(&(0..50).chain(both).chain(own..own + 300).collect::<Vec<u32>>())
    }

    #[test]
    fn text_of_many_documents_alone_makes_no_passage() {
        let (a, b) = (text(0..0, 1000), text(0..0, 5000));
        assert_eq!([false, true].map(|is_noted| passages(&a, &b, is_noted).len()), [1, 0]);
    }

    /// An edited copy scores the same beside an assignment as alone.
    #[test]
    fn what_stands_beside_it_scores_as_it_would_alone() {
        let with = |assignment: u32| {
            let own = |of: u32| (0..90).map(move |at| if at % 6 == 5 { of + at } else { 100 + at });
            let all = |of: u32| (0..assignment).chain(own(of)).chain(of + 100..of + 400).collect::<Vec<u32>>();
            let found = passages(&words(&all(1000)), &words(&all(5000)), assignment > 0);
            assert_eq!(found.len(), 1);
            found[0].score
        };
        let (alone, beside) = (with(0), with(50));
        assert!((alone - beside).abs() < 0.1 * alone, "{alone} {beside}");
    }

    #[test]
    fn what_stands_beside_it_must_count_alone() {
        let beside = |count: u32| {
            let found = passages(&text(100..100 + count, 1000), &text(100..100 + count, 5000), true);
            found.into_iter().map(|passage| (passage.a, passage.own_run)).collect::<Vec<_>>()
        };
        assert_eq!(beside(15), []);
        // It begins with a sentence, as that costs nothing.
        assert_eq!(beside(40), [(45..90, 40)]);
    }
}
