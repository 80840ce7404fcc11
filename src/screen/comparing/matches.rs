//! The match of two texts.

use std::cmp::Reverse;
use std::ops::Range;

use crate::align::{Among, Candidate, Counted, Key, Options, Passage, align_among};
use crate::screen::share::{self, Side};
use crate::screen::{Match, Text, fuzzy_pairs};

/// The match of two documents, each given with its number. The first met the second as a candidate.
pub(super) fn of_two(
    [(number, a, counted), (source, b, counted_b)]: [(usize, &Text, Counted<'_>); 2],
    met: &Candidate,
    are_documents: bool,
    options: Options,
    among: Among<'_>,
) -> Option<Match> {
    #[cfg(any(test, feature = "faults"))]
    crate::screen::panic_if_asked(&b.id, "while-aligning");
    if a.author.is_some() && a.author == b.author {
        return None;
    }
    let key = if a.language == b.language { Key::Stem } else { Key::Form };
    let counted = [counted, counted_b];
    let passages = align_among(counted, Some(met), key, options, among);
    of_passages([(number, a), (source, b)], passages, are_documents, options, |passage| {
        // Words of two languages that begin alike need not mean the same.
        if key == Key::Stem {
            fuzzy_pairs::add(a, b, passage);
        }
    })
}

/// The match of two documents, each given with its number, that share these passages; `complete` adds to those that count.
pub(super) fn of_passages(
    [(number, a), (source, b)]: [(usize, &Text); 2],
    mut passages: Vec<Passage>,
    are_documents: bool,
    options: Options,
    complete: impl FnMut(&mut Passage),
) -> Option<Match> {
    let counts = |text: &Text, words: &Range<usize>| {
        let counted = text.counted_in(words.clone());
        counted == words.len() || counted >= options.min_words
    };
    // What one of two documents quotes, the other may have copied.
    passages.retain(|passage| counts(a, &passage.a) || are_documents && counts(b, &passage.b));
    // What is only worth a look is told of pairs that have nothing else.
    let is_lead = !passages.iter().any(|passage| passage.counts(options));
    if !is_lead {
        passages.retain(|passage| passage.counts(options));
    }
    if passages.is_empty() {
        return None;
    }
    passages.iter_mut().for_each(complete);
    passages.sort_by_key(|passage| (Reverse(passage.a.len()), passage.a.start));
    let [share, source_share] = [Side::Suspicious, Side::Source].map(|side| share::of_two(a, b, &passages, side));
    Some(Match { suspicious: number as u32, source: source as u32, passages, share, source_share, is_lead })
}

impl Match {
    /// The same match, with the document that has the greater share in the other as the suspicious one.
    pub(super) fn by_share(self) -> Self {
        if self.share.compare(&self.source_share).is_lt() { self.turned() } else { self }
    }

    /// The same match, with suspicious document and source exchanged.
    #[must_use]
    pub fn turned(mut self) -> Self {
        for passage in &mut self.passages {
            std::mem::swap(&mut passage.a, &mut passage.b);
            for pair in &mut passage.matched {
                *pair = (pair.1, pair.0);
            }
            if passage.is_translated() {
                let mut pairs: Vec<_> =
                    passage.matched.iter().copied().zip(passage.correspondences.drain(..)).collect();
                pairs.sort_by_key(|(pair, _)| *pair);
                // Several words may have one counterpart.
                pairs.dedup_by_key(|(pair, _)| pair.0);
                (passage.matched, passage.correspondences) = pairs.into_iter().unzip();
            } else {
                passage.matched.sort_unstable();
            }
            // These are places of the text that is now the suspicious one.
            passage.elsewhere.clear();
        }
        self.passages.sort_by_key(|passage| (Reverse(passage.a.len()), passage.a.start));
        let (suspicious, source) = (self.source, self.suspicious);
        let (share, source_share) = (self.source_share, self.share);
        Self { suspicious, source, share, source_share, ..self }
    }
}
