//! The translated passage around a window of one text and one of another that may translate it.
//!
//! Some hundred words around the windows are aligned ([`around`]). One straight line fits only a few hundred words, so a
//! passage that reaches their end is continued part by part, in both directions.
//!
//! Cost: the words around a seed, [`AROUND`] on each side, those of the passage, and the places of their counterparts.

mod around;

use std::ops::Range;
use std::slice;

use self::around::{Around, Piece};
use super::counterparts::Asked;
use super::evidence::{evidence, probability};
use super::index::Seed;
use super::vocabulary::Vocabulary;
use crate::align::{LEAD, Options, Passage, SURE, Words, shared_words};

/// Number of words on each side of a seed that are aligned.
const AROUND: usize = 192;

/// Maximum number of words, in either text, between the pieces of one passage.
const BETWEEN: usize = 40;

/// Number of words, in either text, before the end of what was aligned, within which a passage may go on beyond it.
const EDGE: usize = 32;

/// One of the two texts.
#[derive(Clone, Copy)]
pub struct Side<'t> {
    /// Its words.
    pub words: &'t Words,
    /// Their vocabulary.
    pub vocabulary: &'t Vocabulary,
    /// The counterparts that they may have in the language of the other text.
    pub asked: &'t Asked,
}

/// The translated passages around seeds of one pair of texts, which come the best first; in the order of the first text.
pub fn translated(a: Side<'_>, b: Side<'_>, seeds: &[Seed], options: Options) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let overlaps = |x: &Range<usize>, y: &Range<usize>| shared_words(x, y) > 0;
    let counts = |passage: &Passage| {
        let is_likely = passage.counts(options) || options.leads && passage.probability >= LEAD;
        is_likely && passage.a.len().min(passage.b.len()) >= options.min_words
    };
    for seed in seeds {
        if found.iter().any(|passage| overlaps(&passage.a, &seed.a) && overlaps(&passage.b, &seed.b)) {
            continue;
        }
        let Some((first, part)) = first_piece(a, b, seed) else { continue };
        // Pieces that match by chance make no passage together.
        let is_likely = |piece: &Piece| counts(&passage(slice::from_ref(piece)));
        if !is_likely(&first) {
            continue;
        }
        let passage = passage(&pieces_of([a, b], first, &part, is_likely));
        keep_better(&mut found, passage);
    }
    found.sort_by_key(|passage| passage.a.start);
    found
}

/// Adds a passage of two texts. Of those that overlap in the first text the better one counts.
pub fn keep_better(found: &mut Vec<Passage>, passage: Passage) {
    let overlaps = |other: &Passage| shared_words(&other.a, &passage.a) > 0;
    if found.iter().all(|other| !overlaps(other) || other.score < passage.score) {
        found.retain(|other| !overlaps(other));
        found.push(passage);
    }
}

/// The piece around a seed, and the words that were aligned.
fn first_piece(a: Side<'_>, b: Side<'_>, seed: &Seed) -> Option<(Piece, [Range<usize>; 2])> {
    let near = |words: &Range<usize>, text: Side<'_>| {
        words.start.saturating_sub(AROUND)..(words.end + AROUND).min(text.words.len())
    };
    let part = [near(&seed.a, a), near(&seed.b, b)];
    let within = [a, b].map(|text| 0..text.words.len());
    Some((Around::new([a, b], part.clone()).piece([a, b], seed.offset, &within)?, part))
}

/// The pieces of the passage that has this one, in their order.
fn pieces_of(
    texts: [Side<'_>; 2],
    piece: Piece,
    part: &[Range<usize>; 2],
    is_likely: impl Fn(&Piece) -> bool,
) -> Vec<Piece> {
    let behind = followed(texts, &piece, part, true, &is_likely);
    let mut pieces = followed(texts, &piece, part, false, &is_likely);
    pieces.reverse();
    pieces.push(piece);
    pieces.extend(behind);
    pieces
}

/// The pieces behind the first one, or before it, while the last one ends near the end of its part and the next begins near
/// that.
fn followed(
    texts: [Side<'_>; 2],
    first: &Piece,
    part: &[Range<usize>; 2],
    is_behind: bool,
    is_likely: impl Fn(&Piece) -> bool,
) -> Vec<Piece> {
    let border = |words: &Range<usize>, is_last: bool| if is_last { words.end } else { words.start };
    let (mut words, mut part) = (first.words.clone(), part.clone());
    let mut found = Vec::new();
    while words.iter().zip(&part).any(|(words, part)| border(words, is_behind).abs_diff(border(part, is_behind)) < EDGE)
    {
        let ends = words.each_ref().map(|words| border(words, is_behind));
        let left = [0, 1].map(|side| if is_behind { ends[side]..texts[side].words.len() } else { 0..ends[side] });
        part = left.clone().map(|Range { start, end }| {
            if is_behind { start..end.min(start + 2 * AROUND) } else { start.max(end.saturating_sub(2 * AROUND))..end }
        });
        let offset = ends[1] as f32 - ends[0] as f32;
        let Some(piece) = Around::new(texts, part.clone()).piece(texts, offset, &left) else { break };
        let between = |side: usize| border(&piece.words[side], !is_behind).abs_diff(ends[side]);
        if between(0).max(between(1)) > BETWEEN || !is_likely(&piece) {
            break;
        }
        words.clone_from(&piece.words);
        found.push(piece);
    }
    found
}

/// The passage of pieces that follow each other.
fn passage(pieces: &[Piece]) -> Passage {
    let [a, b] = [0, 1].map(|side| {
        let words = |piece: &Piece| piece.words[side].clone();
        let (first, last) = (pieces.first().map(words), pieces.last().map(words));
        first.map_or(0, |words| words.start)..last.map_or(0, |words| words.end)
    });
    let total = |of: &dyn Fn(&Piece) -> f32| pieces.iter().map(of).sum::<f32>();
    let sums = [0, 1].map(|side| total(&|piece| piece.sums[side]));
    let share = total(&|piece| piece.count as f32) / total(&|piece| piece.told as f32).max(1.0);
    let evidence = evidence(sums, total(&|piece| piece.different), a.len().min(b.len()), share);
    let probability = probability(evidence);
    let score = sums[0].min(sums[1]);
    let matched = || pieces.iter().flat_map(|piece| &piece.matched);
    Passage {
        a,
        b,
        score,
        best: score,
        probability,
        evidence,
        own_run: 0,
        is_weak: probability < SURE,
        correspondences: matched().map(|&(_, _, class, _)| class).collect(),
        matched: matched().map(|&(i, j, ..)| (i, j)).collect(),
        elsewhere: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
