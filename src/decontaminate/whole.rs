//! Items as a whole: every word of a deciding piece in a row, and all these pieces near each other, whatever stands between them:
//! the labels of choices, or the marks of a form.
//!
//! Cost: comparing the words around an anchor; the window for each further piece.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;

use super::items::{ANCHOR, Items, OF_ANCHOR, grams};
use super::words::Word;

/// Number of words in which all pieces of an item must stand; of a long one, twice as many as it has.
const WINDOW: usize = 200;

impl Items {
    /// The rarest anchor of each item that is looked for as a whole and has one, and its place: of short items, and of those
    /// of several parts, between which labels may stand.
    pub(super) fn anchors(&self) -> HashMap<u32, (u64, u32)> {
        let is_whole = |item: u32| self.is_short(item) || self.deciding_pieces(item).nth(1).is_some();
        let whole = || (0..self.len()).filter(|&item| is_whole(item));
        let anchors = |item: u32, found: &mut dyn FnMut(u32, u64)| {
            for words in self.deciding_pieces(item) {
                let start = words.start;
                grams::<ANCHOR>(&self.words[words], OF_ANCHOR, |place, hash| found((start + place) as u32, hash));
            }
        };
        let mut counts: HashMap<u64, u32> = HashMap::new();
        for item in whole() {
            anchors(item, &mut |_, hash| *counts.entry(hash).or_default() += 1);
        }
        let rarest = |item: u32| {
            let mut rarest: Option<(u32, u32, u64)> = None;
            anchors(item, &mut |place, hash| {
                let found = (counts[&hash], place, hash);
                rarest = Some(rarest.map_or(found, |rarest| rarest.min(found)));
            });
            rarest.map(|(_, place, hash)| (item, (hash, place)))
        };
        whole().filter_map(rarest).collect()
    }
}

/// The runs of words that are an item in a document, in order, each with the end of its piece in the words of all items,
/// given a place at which the document has the item's anchor, which begins at the item's word `anchor`.
pub(super) fn at(
    items: &Items,
    item: u32,
    anchor: u32,
    document: &[Word],
    place: usize,
) -> Option<Vec<(Range<usize>, usize)>> {
    let anchor = anchor as usize;
    let anchored = items.deciding_pieces(item).find(|words| words.contains(&anchor))?;
    let start = place.checked_sub(anchor - anchored.start)?;
    let is_at = |piece: &Range<usize>, start: usize| {
        let run = document.get(start..start + piece.len());
        run.is_some_and(|run| run.iter().map(|word| word.hash).eq(items.words[piece.clone()].iter().copied()))
    };
    if !is_at(&anchored, start) {
        return None;
    }
    let mut runs = vec![(start..start + anchored.len(), anchored.end)];
    let most = WINDOW.max(2 * items.deciding(item));
    let window = (start + anchored.len()).saturating_sub(most)..start + most;
    // A longer piece comes first, as a shorter one may be a part of it, and stand elsewhere too.
    let mut others: Vec<Range<usize>> = items.deciding_pieces(item).filter(|piece| *piece != anchored).collect();
    others.sort_by_key(|piece| Reverse(piece.len()));
    for piece in others {
        // A word may serve one piece only: two answers `no` are two words.
        let is_free = |at: &usize| runs.iter().all(|(run, _)| *at >= run.end || at + piece.len() <= run.start);
        let places = (window.start..window.end.min(document.len())).filter(|at| at + piece.len() <= window.end);
        let nearest = places.filter(is_free).filter(|&at| is_at(&piece, at)).min_by_key(|at| at.abs_diff(start))?;
        runs.push((nearest..nearest + piece.len(), piece.end));
    }
    runs.sort_unstable_by_key(|(run, _)| run.start);
    let (first, last) = (runs.first()?.0.start, runs.last()?.0.end);
    (last - first <= most).then_some(runs)
}
