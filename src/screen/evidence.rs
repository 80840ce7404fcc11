//! Words that are no evidence of a copy: a passage is judged by its other words.
//!
//! | words | no evidence |
//! | --- | --- |
//! | the author's name and heading, templates, common text | wherever they stand |
//! | quotations, bibliography, code, if they are left out on request | against a source; of two documents, if both have left them out |
//!
//! A quotation in one of two documents may be a copy without quotation marks in the other. So words left out on request are
//! looked up, three at a time, among those left out of the other.

use std::borrow::Cow;
use std::ops::Range;

use super::Text;
use crate::align::{Words, hash_of_run};
use crate::runs::joined;

/// Number of words that are looked up together; a shorter run is looked up as a whole.
const TOGETHER: usize = 3;

/// Words of a text that do not count or are no evidence, as runs in order.
#[derive(Debug, Default)]
pub(super) struct Excluded {
    /// Those that do not count.
    pub(super) left_out: Vec<Range<usize>>,
    /// Those that are no evidence wherever they stand.
    no_evidence: Vec<Range<usize>>,
    /// The same against sources that alone have some of the common text, which is evidence of a copy from them.
    against: Vec<(u32, Vec<Range<usize>>)>,
    /// Each few in a row of those that are left out on request, by their hash.
    asked: Vec<(u64, Range<usize>)>,
}

impl Excluded {
    pub(super) fn new(
        words: &Words,
        left_out: Vec<Range<usize>>,
        no_evidence: Vec<Range<usize>>,
        against: Vec<(u32, Vec<Range<usize>>)>,
        asked: &[Range<usize>],
    ) -> Self {
        let hashed = |few: Range<usize>| (hash_of_run(words.as_slice()[few.clone()].iter().map(|word| word.form)), few);
        let mut asked: Vec<_> = asked.iter().flat_map(few).map(hashed).collect();
        asked.sort_unstable_by_key(|(hash, _)| *hash);
        Self { left_out, no_evidence, against, asked }
    }
}

/// Each few words in a row of a run.
fn few(run: &Range<usize>) -> impl Iterator<Item = Range<usize>> + use<> {
    let length = run.len().min(TOGETHER);
    let end = run.end;
    (run.start..=end - length).map(move |start| start..start + length)
}

impl Text {
    /// The words that are no evidence wherever they stand, as runs in order.
    pub(super) fn no_evidence(&self) -> &[Range<usize>] {
        &self.excluded.no_evidence
    }

    /// The same where it is compared with a text, given by its number, or is that text.
    fn no_evidence_against(&self, other: usize) -> &[Range<usize>] {
        let own = self.excluded.against.iter().find(|(number, _)| *number as usize == other);
        own.map_or(self.no_evidence(), |(_, runs)| runs)
    }

    /// The words of a document and of another, given by its number, that are no evidence that one copies the other.
    pub(super) fn no_evidence_of_two<'t>(&'t self, (number, other): (usize, &'t Self)) -> [Cow<'t, [Range<usize>]>; 2] {
        [self.with_asked(number, |few| other.leaves_out(few)), other.with_asked(number, |few| self.leaves_out(few))]
    }

    /// The words of a document and of a source, given by its number, that are no evidence that the document copies it.
    pub(super) fn no_evidence_of_source<'t>(
        &'t self,
        (number, source): (usize, &'t Self),
    ) -> [Cow<'t, [Range<usize>]>; 2] {
        [self.with_asked(number, |_| true), Cow::Borrowed(source.no_evidence_against(number))]
    }

    /// True if a few words in a row, given by their hash, are left out on request.
    fn leaves_out(&self, few: u64) -> bool {
        self.excluded.asked.binary_search_by_key(&few, |(hash, _)| *hash).is_ok()
    }

    /// The words that are no evidence against a text, with those that are left out on request and are none either.
    fn with_asked(&self, number: usize, is_none: impl Fn(u64) -> bool) -> Cow<'_, [Range<usize>]> {
        let always = self.no_evidence_against(number);
        let asked = self.excluded.asked.iter().filter(|(hash, _)| is_none(*hash));
        let mut runs: Vec<Range<usize>> = asked.map(|(_, few)| few.clone()).collect();
        if runs.is_empty() {
            return Cow::Borrowed(always);
        }
        runs.extend_from_slice(always);
        Cow::Owned(joined(runs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::Preparer;

    /// A text of these words, of which these are left out on request.
    fn text(words: &str, start: usize, end: usize) -> Text {
        let mut text = Preparer::new(None).prepare("a".into(), None, words.to_owned());
        let run = start..end;
        let asked = || vec![run.clone()];
        let excluded = Excluded::new(&text.words, asked(), vec![], vec![], &asked());
        text.exclude(excluded);
        text
    }

    /// The first and the last word of each run that is no evidence, of both texts.
    fn ends(runs: [Cow<'_, [Range<usize>]>; 2]) -> [Vec<[usize; 2]>; 2] {
        runs.map(|runs| runs.iter().map(|run| [run.start, run.end]).collect())
    }

    #[test]
    fn what_both_leave_out_is_no_evidence() {
        let one = text("before it so shines a good deed in a naughty world after it", 2, 11);
        let other = text("so shines a good deed in that naughty world and more of it", 0, 9);
        assert_eq!(ends(one.no_evidence_of_two((1, &other))), [[[2, 8]], [[0, 6]]]);
        let unquoted = text("so shines a good deed in a naughty world and more of it", 12, 13);
        assert!(one.no_evidence_of_two((1, &unquoted)).iter().all(|runs| runs.is_empty()), "the other may copy it");
        assert_eq!(ends(one.no_evidence_of_source((1, &unquoted))), [vec![[2, 11]], vec![]]);
        assert_eq!(ends(unquoted.no_evidence_of_source((1, &one))), [vec![[12, 13]], vec![]]);
    }
}
