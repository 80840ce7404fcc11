//! Alignments of one item with one document.
//!
//! 1. Telling n-grams that the document shares with the item, on one diagonal and without a word between them, are a
//!    segment.
//! 2. Segments that follow each other in both are chained, with at most [`MAX_GAP`] words between two of them in the
//!    document, beside those of the item there that tell nothing. The chain with the most telling words of a window wins.
//! 3. It is extended between two segments and before and behind all: by words on the diagonal of a segment, as long as a
//!    word that differs is outweighed by two that do not, and by runs of [`AGAIN`] words near its end.
//!
//! Cost: [`LOOK_BACK`] steps a segment, and the words of the item.

use std::ops::Range;

use super::Telling;
use super::items::N;
use super::words::Word;

/// Maximum number of words between two matches in a document.
const MAX_GAP: usize = 30;

/// Number of earlier segments that a segment may follow. Of one item in one place there are few; only periodic texts have
/// more.
const LOOK_BACK: usize = 32;

/// Points that an extension loses by a word that differs; an equal one is worth 1.
const PENALTY: i64 = 2;

/// Points below the best at which an extension ends: three words in a row that differ.
const GIVE_UP: i64 = 3 * PENALTY;

/// Number of equal words in a row with which an extension goes on beside its diagonal.
const AGAIN: usize = 4;

/// Maximum number of words that it leaves out for that, in the item and in the document.
const JUMP: usize = 12;

/// A telling n-gram of an item in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) item: u32,
    /// The first word in the document.
    pub(super) place: u32,
    /// The first word among those of all items.
    pub(super) word: u32,
}

/// Equal words in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    /// The first word in the document.
    place: usize,
    /// The first word of the item, among those of all items.
    word: usize,
    length: usize,
}

impl Segment {
    fn end(&self) -> usize {
        self.place + self.length
    }

    fn word_end(&self) -> usize {
        self.word + self.length
    }

    /// Without its first words.
    fn without(self, words: usize) -> Self {
        Self { place: self.place + words, word: self.word + words, length: self.length - words }
    }

    /// Number of its first words that a segment before it has already, in the document or the item; `None` if it cannot
    /// follow it.
    fn overlap(&self, before: &Self) -> Option<usize> {
        let overlap = before.end().saturating_sub(self.place).max(before.word_end().saturating_sub(self.word));
        let follows = self.place > before.place && self.word > before.word;
        (follows && overlap < self.length).then_some(overlap)
    }
}

/// Numbers of words of an item in an alignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Matched {
    /// Those that tell it.
    pub(super) telling: u32,
    /// All that are equal.
    pub(super) words: u32,
}

/// Calls `take` with the numbers of matched words, the words in the document and the end among those of all items of each
/// alignment of an item, whose hits are sorted by place, until it is taken or no other is left of a window.
pub(super) fn each(
    telling: &Telling,
    hits: &[Hit],
    document: &[Word],
    mut take: impl FnMut(Matched, Range<usize>, usize) -> bool,
) {
    each_among(telling, &telling.items.span(hits[0].item), &segments(hits), document, &mut take);
}

fn each_among(
    telling: &Telling,
    item: &Range<usize>,
    segments: &[Segment],
    document: &[Word],
    take: &mut dyn FnMut(Matched, Range<usize>, usize) -> bool,
) {
    // An alignment is at most half as long, so that it is whole in one of two windows.
    let half = 2 * item.len() + 2 * MAX_GAP;
    let mut first = 0;
    while let Some(start) = segments.get(first).map(|segment| segment.place) {
        let end = first + segments[first..].partition_point(|segment| segment.place < start + 2 * half);
        let chain = chain(telling, &segments[first..end]);
        let (matched, place, word_end) = extended(telling, item, &chain, document);
        let next = if take(matched, place.clone(), word_end) {
            // The best of a window may stand behind others.
            let before = segments[first..end].iter().filter(|segment| segment.end() <= place.start).copied();
            each_among(telling, item, &before.collect::<Vec<_>>(), document, take);
            place.end
        } else {
            start + half
        };
        first += segments[first..].partition_point(|segment| segment.place < next).max(1);
    }
}

/// The segments of an item's hits, in the order of the document.
fn segments(hits: &[Hit]) -> Vec<Segment> {
    let mut hits = hits.to_vec();
    let diagonal = |hit: &Hit| i64::from(hit.place) - i64::from(hit.word);
    hits.sort_unstable_by_key(|hit| (diagonal(hit), hit.place));
    let mut segments: Vec<Segment> = Vec::new();
    for hits in hits.chunk_by(|a, b| diagonal(a) == diagonal(b) && b.place as usize <= a.place as usize + N) {
        let (first, last) = (hits[0], hits[hits.len() - 1]);
        let length = (last.place - first.place) as usize + N;
        segments.push(Segment { place: first.place as usize, word: first.word as usize, length });
    }
    segments.sort_unstable_by_key(|segment| (segment.place, segment.word));
    segments
}

/// The chain of segments with the most telling words, of such chains that with the most words, none of which overlap.
fn chain(telling: &Telling, segments: &[Segment]) -> Vec<Segment> {
    // Words of parts that do not decide tell nothing, but widen what is found.
    let words = |segment: &Segment| (telling.telling_words(segment.word..segment.word_end()), segment.length);
    // The words of the best chain that ends with each segment, and the segment before it.
    let mut best: Vec<((u32, usize), Option<usize>)> = Vec::with_capacity(segments.len());
    for (i, segment) in segments.iter().enumerate() {
        let mut most = (words(segment), None);
        for j in (i.saturating_sub(LOOK_BACK)..i).rev() {
            let before = &segments[j];
            let Some(overlap) = segment.overlap(before) else { continue };
            let next = segment.without(overlap);
            let between = before.word_end()..next.word.max(before.word_end());
            let untold = between.len() - telling.telling_words(between) as usize;
            if next.place - before.end() > MAX_GAP + untold {
                continue;
            }
            let ((told, all), (next_told, next_all)) = (best[j].0, words(&next));
            let sum = (told + next_told, all + next_all);
            if sum > most.0 {
                most = (sum, Some(j));
            }
        }
        best.push(most);
    }
    let last = (0..best.len()).reduce(|a, b| if best[b].0 > best[a].0 { b } else { a });
    let mut chain = Vec::new();
    let mut at = last;
    while let Some(i) = at {
        let before = best[i].1;
        let overlap = before.and_then(|before| segments[i].overlap(&segments[before])).unwrap_or(0);
        chain.push(segments[i].without(overlap));
        at = before;
    }
    chain.reverse();
    chain
}

/// The telling words of a chain with its extensions, its words in the document, and its end in the item.
fn extended(
    telling: &Telling,
    item: &Range<usize>,
    chain: &[Segment],
    document: &[Word],
) -> (Matched, Range<usize>, usize) {
    let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else {
        return (Matched { telling: 0, words: 0 }, 0..0, item.start);
    };
    let is_equal = |word: usize, place: usize| telling.items.words[word] == document[place].hash;
    let ahead = |from: Segment, rooms| {
        let runs = walk(&|word, place| is_equal(from.word_end() + word, from.end() + place), rooms);
        runs.into_iter().map(move |Segment { place, word, length }| Segment {
            place: from.end() + place,
            word: from.word_end() + word,
            length,
        })
    };
    let behind = |to: Segment, rooms| {
        let runs = walk(&|word, place| is_equal(to.word - word - 1, to.place - place - 1), rooms);
        runs.into_iter().map(move |Segment { place, word, length }| Segment {
            place: to.place - place - length,
            word: to.word - word - length,
            length,
        })
    };
    let mut all: Vec<Segment> = behind(first, [first.word - item.start, first.place]).collect();
    all.reverse();
    for pair in chain.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        all.push(a);
        let rooms = [b.word - a.word_end(), b.place - a.end()];
        if rooms[0] == rooms[1] {
            all.push(Segment { place: a.end(), word: a.word_end(), length: rooms[0] });
            continue;
        }
        all.extend(ahead(a, rooms));
        let reached = all[all.len() - 1];
        all.extend(behind(b, [b.word - reached.word_end(), b.place - reached.end()]));
    }
    all.push(last);
    all.extend(ahead(last, [item.end - last.word_end(), document.len() - last.end()]));
    let mut matched = Matched { telling: 0, words: 0 };
    for run in &all {
        for i in (0..run.length).filter(|&i| is_equal(run.word + i, run.place + i)) {
            matched.words += 1;
            matched.telling += telling.telling_words(run.word + i..run.word + i + 1);
        }
    }
    let last = all[all.len() - 1];
    (matched, all[0].place..last.end(), last.word_end())
}

/// Runs of equal words from the beginning of two sequences on, whose numbers of words are `rooms`. A run that ends goes on
/// where the nearest [`AGAIN`] words in a row are equal, if that is near.
fn walk(is_equal: &dyn Fn(usize, usize) -> bool, [words, places]: [usize; 2]) -> Vec<Segment> {
    let (mut runs, mut word, mut place) = (Vec::new(), 0, 0);
    loop {
        let length = reach((0..(words - word).min(places - place)).map(|i| is_equal(word + i, place + i)));
        if length > 0 {
            runs.push(Segment { place, word, length });
            (word, place) = (word + length, place + length);
        }
        let is_run = |&(x, y): &(usize, usize)| {
            word + x + AGAIN <= words
                && place + y + AGAIN <= places
                && (0..AGAIN).all(|i| is_equal(word + x + i, place + y + i))
        };
        let jumps =
            (1..=2 * JUMP).flat_map(|sum| (sum.saturating_sub(JUMP)..=sum.min(JUMP)).map(move |x| (x, sum - x)));
        let Some((x, y)) = jumps.into_iter().find(is_run) else { return runs };
        (word, place) = (word + x, place + y);
    }
}

/// The length of the extension with the most points, given whether its words are equal.
fn reach(equal: impl Iterator<Item = bool>) -> usize {
    let (mut points, mut most, mut length) = (0, 0, 0);
    for (i, is_equal) in equal.enumerate() {
        points += if is_equal { 1 } else { -PENALTY };
        if points > most {
            (most, length) = (points, i + 1);
        } else if points < most - GIVE_UP {
            break;
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::decontaminate::{Counts, Items, Piece};

    /// The telling words of the best chain that begins behind a segment: the specification of [`chain`].
    fn best(telling: &Telling, before: Option<Segment>, segments: &[Segment]) -> u32 {
        let Some((first, rest)) = segments.split_first() else { return 0 };
        let without = best(telling, before, rest);
        let overlap = before.map_or(Some(0), |before| first.overlap(&before));
        let next = overlap.map(|overlap| first.without(overlap)).filter(|next| {
            before.is_none_or(|before| {
                let between = before.word_end()..next.word;
                let untold = between.len() - telling.telling_words(between) as usize;
                next.place - before.end() <= MAX_GAP + untold
            })
        });
        let with = next.map_or(0, |next| {
            // What follows is compared with the segment as it was before its overlap was taken.
            telling.telling_words(next.word..next.word_end()) + best(telling, Some(*first), rest)
        });
        with.max(without)
    }

    proptest! {
        #[test]
        fn the_best_chain_is_found(places in prop::collection::vec((0_usize..150, 0_usize..60, 8_usize..30), 0..9)) {
            let mut items = Items::default();
            let text: String = (0..90).map(|word| format!("w{word} ")).collect();
            items.push(0, &[Piece { text: &text, decides: true }]);
            let items = Arc::new(items.ready());
            let telling = Telling::new(Arc::clone(&items), &Counts::new(&items), 0.0);
            let mut segments: Vec<Segment> =
                places.into_iter().map(|(place, word, length)| Segment { place, word, length }).collect();
            segments.sort_unstable_by_key(|segment| (segment.place, segment.word));
            let chain = chain(&telling, &segments);
            let words: u32 = chain.iter().map(|segment| segment.length as u32).sum();
            prop_assert_eq!(words, best(&telling, None, &segments));
            for pair in chain.windows(2) {
                prop_assert!(pair[0].end() <= pair[1].place && pair[0].word_end() <= pair[1].word);
            }
        }
    }

    #[test]
    fn an_extension_goes_on_beside_its_diagonal() {
        let walked = |item: &str, document: &str| {
            let [item, document] = [item.as_bytes(), document.as_bytes()];
            let runs = walk(&|word, place| item[word] == document[place], [item.len(), document.len()]);
            runs.iter()
                .map(|run| String::from_utf8_lossy(&document[run.place..run.end()]).into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(walked("abcdefghijk", "abcd..efghijk"), ["abcd", "efghijk"]);
        assert_eq!(walked("abcd...efgh", "abcd.efgh"), ["abcd.", "efgh"]);
        assert_eq!(walked("..abcd", "abcd"), ["abcd"]);
        assert_eq!(walked("abcdefg", "abcd..efg"), ["abcd"], "three words may be equal by chance");
        assert_eq!(walked("abcdefgh", &format!("abcd{}efgh", ".".repeat(13))), ["abcd"]);
        assert_eq!(walked("", "abc"), [""; 0]);
    }

    #[test]
    fn an_extension_ends_where_too_much_differs() {
        let reach = |equal: &str| super::reach(equal.bytes().map(|byte| byte == b'='));
        for (equal, expected) in [("", 0), ("===", 3), ("==x===", 6), ("==x==", 2), ("==xxxx=======", 2), ("x===", 4)] {
            assert_eq!(reach(equal), expected, "{equal}");
        }
    }
}
