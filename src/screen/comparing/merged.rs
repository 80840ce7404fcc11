//! Translated passages beside copied ones of the same two texts.

use std::ops::Range;

use super::document::OfOne;
use super::matches::of_passages;
use crate::align::{Options, Passage, shared_words};
use crate::screen::{Match, Text};

impl OfOne {
    /// Adds translated passages to the match of two texts, or a match of these alone.
    pub(super) fn add_translated(
        &mut self,
        [(number, a), (other, b)]: [(usize, &Text); 2],
        mut passages: Vec<Passage>,
        are_documents: bool,
        options: Options,
    ) {
        let of_both = |found: &Match| {
            let numbers = [found.suspicious as usize, found.source as usize];
            numbers == [number, other] || numbers == [other, number]
        };
        let known = self.matches.iter().position(|found| !found.is_lead && of_both(found));
        let known = known.map(|place| self.matches.remove(place));
        if let Some(known) = known {
            let mut known = if known.suspicious as usize == number { known } else { known.turned() };
            passages.retain(|passage| passage.counts(options));
            // Words that two languages share may be part of a translation; if they are half of it, it is a copy, and a sure
            // copy counts before a weak translation.
            let overlaps = |x: &Passage, y: &Passage| shared_words(&x.a, &y.a) > 0;
            let is_copy = |passage: &Passage, copy: &Passage| {
                let equal = copy.matched.iter().filter(|(word, _)| passage.a.contains(&(*word as usize))).count();
                2 * equal >= passage.a.len() || passage.is_weak && !copy.is_weak && overlaps(copy, passage)
            };
            passages.retain(|passage| !known.passages.iter().any(|copy| is_copy(passage, copy)));
            // A translation shares names, numbers and code with its source, but no stop words.
            let is_verbatim = |copy: &Passage| {
                let common = copy.matched.iter().filter(|(_, word)| b.read(*word as usize).1.is_common).count();
                !copy.is_weak && 5 * common >= copy.a.len()
            };
            known.passages.retain(|copy| is_verbatim(copy) || !passages.iter().any(|passage| overlaps(copy, passage)));
            passages = known.passages.iter().fold(passages, |passages, copy| {
                passages.into_iter().flat_map(|passage| without(passage, &copy.a)).collect()
            });
            passages.append(&mut known.passages);
        }
        let found = of_passages([(number, a), (other, b)], passages, are_documents, options, |_| ());
        self.add(found, are_documents);
    }
}

/// The sides of a translated passage before and behind words that are copied. A side with few counterparts for its length is
/// dropped: the copied words led the passage there.
fn without(passage: Passage, words: &Range<usize>) -> Vec<Passage> {
    let Range { start, end } = passage.a;
    if shared_words(&passage.a, words) == 0 {
        return vec![passage];
    }
    let side = |a: Range<usize>| {
        let pairs = passage.matched.iter().zip(&passage.correspondences);
        let kept = pairs.filter(|((word, _), _)| a.contains(&(*word as usize)));
        let (matched, correspondences): (Vec<(u32, u32)>, Vec<_>) = kept.map(|(pair, class)| (*pair, *class)).unzip();
        let places = || matched.iter().map(|(_, word)| *word as usize);
        let b = places().min().map_or(0..0, |first| first..places().max().map_or(first, |last| last + 1));
        Passage { a, b, matched, correspondences, ..passage.clone() }
    };
    let sides = [start..words.start.max(start), words.end.min(end)..end].map(side);
    let density = |side: &Passage| side.matched.len() as f32 / side.a.len().max(1) as f32;
    let most = sides.iter().map(density).fold(0.0, f32::max);
    sides.into_iter().filter(|side| side.is_translated() && 2.0 * density(side) >= most).collect()
}
