//! The words of a passage and their counterparts, as the page has them.

use nearcopy::align::{Correspondence, Passage};
use nearcopy::screen::{Match, Screening, replaced};

const EXACT: i64 = 1;
const CHANGED: i64 = 2;
const REPLACED: i64 = 3;
/// The first of the kinds of words of a translated passage, which follow the order of [`CLASSES`].
const TRANSLATED: i64 = 4;

/// What a word of a translated passage has in common with its counterpart.
pub(super) const CLASSES: [Correspondence; 4] =
    [Correspondence::Lexicon, Correspondence::Cognate, Correspondence::Number, Correspondence::Name];

/// The words of a passage that have counterparts or were replaced, as runs.
pub(super) fn runs(screening: &Screening, found: &Match, passage: &Passage) -> Vec<i64> {
    let [a, b] = [found.suspicious, found.source].map(|text| screening.texts[text as usize].words.as_slice());
    let mut runs: Vec<i64> = Vec::new();
    let (mut at, mut there) = (i64::from(passage.a.start as u32), i64::from(passage.b.start as u32));
    let kind = |&(i, j): &(u32, u32)| if a[i as usize].form == b[j as usize].form { EXACT } else { CHANGED };
    let mut words: Vec<(u32, u32, i64)> = passage.matched.iter().map(|pair| (pair.0, pair.1, kind(pair))).collect();
    for ((.., kind), class) in words.iter_mut().zip(&passage.correspondences) {
        *kind = (TRANSLATED..).zip(CLASSES).find(|(_, known)| known == class).expect("all classes are listed").0;
    }
    words.extend(replaced(passage).map(|(i, j)| (i, j, REPLACED)));
    words.sort_unstable();
    for (i, j, kind) in words {
        let (i, j) = (i64::from(i), i64::from(j));
        match runs.as_mut_slice() {
            [.., length, last] if *last == kind && (i, j) == (at, there) => *length += 1,
            _ => runs.extend([i - at, j - there, 1, kind]),
        }
        (at, there) = (i + 1, j + 1);
    }
    runs
}
