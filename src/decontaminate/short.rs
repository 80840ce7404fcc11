//! Short items as a whole: every word of a deciding piece in a row, and all these pieces near each other.
//!
//! Cost: comparing the words around an anchor; [`WINDOW`] words for each further piece.

use std::cmp::Reverse;
use std::ops::Range;

use super::items::Items;
use super::words::Word;

/// Number of words in which all pieces of a short item must stand.
const WINDOW: usize = 200;

/// The runs of words that are a short item in a document, in order, each with the end of its piece in the words of all items,
/// given a place at which the document has the item's anchor, which begins at the item's word `anchor`.
pub(super) fn at(
    items: &Items,
    item: u32,
    anchor: u32,
    document: &[Word],
    place: usize,
) -> Option<Vec<(Range<usize>, usize)>> {
    let anchor = anchor as usize;
    let deciding = || items.pieces(item).filter(|(_, decides)| *decides).map(|(words, _)| words);
    let anchored = deciding().find(|words| words.contains(&anchor))?;
    let start = place.checked_sub(anchor - anchored.start)?;
    let is_at = |piece: &Range<usize>, start: usize| {
        let run = document.get(start..start + piece.len());
        run.is_some_and(|run| run.iter().map(|word| word.hash).eq(items.words[piece.clone()].iter().copied()))
    };
    if !is_at(&anchored, start) {
        return None;
    }
    let mut runs = vec![(start..start + anchored.len(), anchored.end)];
    let window = (start + anchored.len()).saturating_sub(WINDOW)..start + WINDOW;
    // A longer piece comes first, as a shorter one may be a part of it, and stand elsewhere too.
    let mut others: Vec<Range<usize>> = deciding().filter(|piece| *piece != anchored).collect();
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
    (last - first <= WINDOW).then_some(runs)
}
