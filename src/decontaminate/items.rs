//! The items of test sets, and the n-grams by which they are looked for.
//!
//! An n-gram that more than [`MOST_ITEMS`] items of a set have is a phrase of the set, such as the wording of its
//! prompts: it tells no item, and those items have no place in the table. Items with equal words count once.
//!
//! Cost: sorting the n-grams. Memory: some 35 bytes a word of the items, 45 while they are sorted; for kept texts
//! see [`super::rewritten::size`].

use std::ops::Range;

use super::plain::Plain;
use super::table::Table;
use super::words::{Word, Words};

/// Number of words of an n-gram.
pub const N: usize = 8;

/// Number of words below which an item is short: so few n-grams cover it that a share of them says little, and one
/// other word makes it another question.
pub const SHORT: usize = 13;

/// Maximum number of items of a set that an n-gram tells.
pub const MOST_ITEMS: usize = 3;

/// Number of words by which an item is looked for as a whole.
pub const ANCHOR: usize = 4;

/// Maximum number of places of an n-gram in one item: what an item repeats more often says little about places.
const MOST_PLACES: usize = 4;

/// Distinguishes the hash of an anchor from that of an n-gram.
pub(super) const OF_ANCHOR: u64 = 0x5851_F42D_4C95_7F2D;

const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// A part of an item: a field, or one element of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'t> {
    /// The text.
    pub text: &'t str,
    /// True if its words decide; those of other parts only widen what is found.
    pub decides: bool,
}

/// An item as a text, without markup.
#[derive(Debug, Default)]
pub(super) struct ItemText {
    /// Its pieces, one paragraph each: a line alone parts no words in scripts without spaces.
    pub(super) text: String,
    /// The span in bytes of each of its words.
    pub(super) words: Vec<Range<usize>>,
}

/// Maximum length in bytes of the signs that end a piece: two of any script, such as a question mark and a quotation mark.
const CLOSING: usize = 7;

/// Where a piece ends in the words of all items, whether it decides, and the signs behind its last word.
#[derive(Debug, Clone, Copy)]
struct Boundary {
    end: u32,
    decides: bool,
    /// UTF-8, filled up with zeros.
    closing: [u8; CLOSING],
}

/// The first signs of what stands behind a last word, up to white space; French puts some behind a blank.
fn closing(rest: &str) -> [u8; CLOSING] {
    let mut signs = [0; CLOSING];
    let blank = rest.chars().next().filter(|c| matches!(c, ' ' | '\u{A0}' | '\u{202F}')).map_or(0, char::len_utf8);
    let blank = if rest[blank..].starts_with(['?', '!', ';', ':', '»']) { blank } else { 0 };
    let signs_end = rest[blank..].find(|c: char| c.is_whitespace() || c.is_control());
    let signs_end = signs_end.map_or(rest.len(), |end| blank + end);
    let end = rest.floor_char_boundary(signs_end.min(CLOSING));
    signs[..end].copy_from_slice(&rest.as_bytes()[..end]);
    signs
}

/// The items of test sets.
#[derive(Debug, Default)]
pub struct Items {
    /// The set of each item.
    sets: Vec<u32>,
    /// The pieces of all items, in order.
    pieces: Vec<Boundary>,
    /// The first piece of each item, and the number of pieces.
    firsts: Vec<u32>,
    /// Hashes of the words of all items, in order.
    pub(super) words: Vec<u64>,
    /// A hash of the words of each item.
    contents: Vec<u64>,
    reader: Words,
    buffer: Vec<Word>,
    pub(super) table: Table,
    /// Each item as a text, if texts are kept.
    pub(super) texts: Option<Vec<ItemText>>,
}

impl Items {
    /// Items whose texts are kept, for [`Rewritten`](super::Rewritten).
    pub fn with_texts() -> Self {
        Self { texts: Some(Vec::new()), ..Self::default() }
    }

    /// Adds an item of a set; sets ascend. Returns its number.
    ///
    /// # Panics
    ///
    /// If all items together have four thousand million words or more, each item taken as one more.
    pub fn push(&mut self, set: u32, pieces: &[Piece<'_>]) -> u32 {
        let number = self.sets.len() as u32;
        self.sets.push(set);
        self.firsts.push(self.pieces.len() as u32);
        let mut content = u64::from(set);
        let mut whole = ItemText::default();
        for piece in pieces {
            let plain = Plain::of(piece.text);
            let text = plain.as_ref().map_or(piece.text, |plain| &plain.text);
            self.reader.read_plain(text, &mut self.buffer);
            if self.buffer.is_empty() || self.repeats(number, piece.decides) {
                continue;
            }
            for word in &self.buffer {
                self.words.push(word.hash);
                content = content.wrapping_mul(FACTOR).wrapping_add(word.hash);
            }
            let last = self.buffer.last().map_or(0, |word| word.end as usize);
            let (end, closing) = (self.words.len() as u32, closing(&text[last..]));
            self.pieces.push(Boundary { end, decides: piece.decides, closing });
            if self.texts.is_some() {
                let start = whole.text.len();
                let place = |word: &Word| start + word.start as usize..start + word.end as usize;
                whole.words.extend(self.buffer.iter().map(place));
                whole.text.extend([text, "\n\n"]);
            }
        }
        if let Some(texts) = &mut self.texts {
            texts.push(whole);
        }
        self.contents.push(content);
        // Words, n-grams and items have numbers of 32 bits.
        assert!(u32::try_from(self.words.len() + self.sets.len()).is_ok(), "fewer words than 2^32");
        number
    }

    /// True if the words that were just read are those of a piece of this item, as where two fields have one question: a
    /// document has them once. Short pieces, such as two answers `no`, are pieces of their own.
    fn repeats(&mut self, item: u32, decides: bool) -> bool {
        let first = self.firsts[item as usize] as usize;
        let mut start = first.checked_sub(1).map_or(0, |before| self.pieces[before].end as usize);
        let read = || self.buffer.iter().map(|word| word.hash);
        for piece in &mut self.pieces[first..] {
            let words = &self.words[start..piece.end as usize];
            start = piece.end as usize;
            if words.len() >= ANCHOR && read().eq(words.iter().copied()) {
                piece.decides |= decides;
                return true;
            }
        }
        false
    }

    /// Makes the table, once all items are added.
    #[must_use]
    pub fn ready(mut self) -> Self {
        let anchors = self.anchors();
        let mut found: Vec<(u64, u32)> = Vec::with_capacity(self.words.len());
        for item in 0..self.len() {
            let words = self.span(item);
            found.extend(anchors.get(&item).copied());
            if !self.is_short(item) {
                grams::<N>(&self.words[words.clone()], 0, |place, hash| {
                    found.push((hash, (words.start + place) as u32));
                });
            }
        }
        found.sort_unstable();
        let is_anchor =
            |(hash, place): (u64, u32)| anchors.get(&self.item_of(place)).is_some_and(|&(anchor, _)| anchor == hash);
        self.table = Table::new(found, is_anchor, |group| self.telling(group));
        self.buffer = Vec::new();
        self
    }

    /// A hash of all items.
    pub(super) fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let ends = self.pieces.iter().map(|piece| u64::from(piece.end) << 1 | u64::from(piece.decides));
        let [sets, firsts] = [&self.sets, &self.firsts].map(|numbers| numbers.iter().map(|&number| u64::from(number)));
        let lengths = [self.sets.len() as u64, self.pieces.len() as u64];
        for number in lengths.into_iter().chain(sets).chain(firsts).chain(ends).chain(self.words.iter().copied()) {
            hasher.update(&number.to_le_bytes());
        }
        hasher.finalize()
    }

    /// Number of items.
    pub fn len(&self) -> u32 {
        self.sets.len() as u32
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// Number of words of all items.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    /// Number of distinct n-grams that are looked for.
    pub fn ngrams(&self) -> usize {
        self.table.len()
    }

    /// The words of an item, as a part of those of all.
    pub(super) fn span(&self, item: u32) -> Range<usize> {
        let pieces = self.pieces_of(item);
        let start = pieces.start.checked_sub(1).map_or(0, |before| self.pieces[before].end);
        let end = pieces.end.checked_sub(1).map_or(0, |last| self.pieces[last].end);
        start as usize..end as usize
    }

    /// The words of each piece of an item, and whether it decides.
    pub(super) fn pieces(&self, item: u32) -> impl Iterator<Item = (Range<usize>, bool)> {
        let mut start = self.span(item).start;
        self.pieces[self.pieces_of(item)].iter().map(move |piece| {
            let words = start..piece.end as usize;
            start = words.end;
            (words, piece.decides)
        })
    }

    fn pieces_of(&self, item: u32) -> Range<usize> {
        let start = |item: u32| self.firsts.get(item as usize).map_or(self.pieces.len(), |&first| first as usize);
        start(item)..start(item + 1)
    }

    /// The bytes from the first to the last of some words of a text, and the signs behind it that end the piece whose words end
    /// there, before the word `end` of all items.
    pub(super) fn bytes(&self, text: &str, words: &[Word], some: Range<usize>, end: usize) -> Range<usize> {
        let [start, last] = [words[some.start].start, words[some.end - 1].end].map(|at| at as usize);
        start..last + self.closing(end, &text[last..])
    }

    /// The length in bytes of the signs that a text begins with, and that end the piece whose words end before this one.
    fn closing(&self, end: usize, rest: &str) -> usize {
        let piece = self.pieces.partition_point(|piece| (piece.end as usize) < end);
        let signs = self.pieces.get(piece).filter(|piece| piece.end as usize == end).map(|piece| piece.closing);
        let signs = signs.unwrap_or_default();
        let signs = signs.utf8_chunks().next().map_or("", |signs| signs.valid()).trim_end_matches('\0');
        let is_equal = |sign: char, c: char| sign == c || sign.is_whitespace() && c.is_whitespace();
        let equal = signs.chars().zip(rest.chars()).take_while(|&(sign, c)| is_equal(sign, c));
        let length = equal.map(|(_, c)| c.len_utf8()).sum();
        if rest[..length].trim().is_empty() { 0 } else { length }
    }

    /// The item of a word.
    pub(super) fn item_of(&self, word: u32) -> u32 {
        let piece = self.pieces.partition_point(|piece| piece.end <= word) as u32;
        self.firsts.partition_point(|&first| first <= piece) as u32 - 1
    }

    /// Number of words of an item that decide.
    pub fn deciding(&self, item: u32) -> usize {
        self.pieces(item).filter(|(_, decides)| *decides).map(|(words, _)| words.len()).sum()
    }

    /// True if an item has too few words for n-grams.
    pub fn is_short(&self, item: u32) -> bool {
        self.deciding(item) < SHORT
    }

    /// The words of each piece that decides.
    pub(super) fn deciding_pieces(&self, item: u32) -> impl Iterator<Item = Range<usize>> {
        self.pieces(item).filter(|(_, decides)| *decides).map(|(words, _)| words)
    }

    /// The places of one n-gram, in order, in the items that it tells.
    fn telling(&self, group: &[(u64, u32)]) -> Vec<u32> {
        let mut kept = Vec::new();
        for of_set in group.chunk_by(|a, b| self.set_of(a.1) == self.set_of(b.1)) {
            let mut items: Vec<u64> = Vec::new();
            for (_, place) in of_set {
                let content = self.contents[self.item_of(*place) as usize];
                if items.len() <= MOST_ITEMS && !items.contains(&content) {
                    items.push(content);
                }
            }
            if items.len() <= MOST_ITEMS {
                for of_item in of_set.chunk_by(|a, b| self.item_of(a.1) == self.item_of(b.1)) {
                    kept.extend(of_item.iter().take(MOST_PLACES).map(|(_, place)| *place));
                }
            }
        }
        kept
    }

    fn set_of(&self, word: u32) -> u32 {
        self.sets[self.item_of(word) as usize]
    }

    /// The set of an item.
    pub fn set(&self, item: u32) -> u32 {
        self.sets[item as usize]
    }

    /// Calls `found` with the place of every n-gram and anchor of a text that the table has, its key, and whether it is an
    /// anchor.
    pub(super) fn look_up(&self, words: &[Word], mut found: impl FnMut(usize, usize, bool)) {
        let hash = |word: &Word| word.hash;
        grams_of::<N, _>(words, 0, hash, |place, hash| {
            if let Some(key) = self.table.find(hash) {
                found(place, key, false);
            }
        });
        if self.table.has_anchors() {
            grams_of::<ANCHOR, _>(words, OF_ANCHOR, hash, |place, hash| {
                if let Some(key) = self.table.find(hash) {
                    found(place, key, true);
                }
            });
        }
    }
}

/// Calls `found` with the place and the hash of every run of `K` words.
pub(super) fn grams<const K: usize>(words: &[u64], salt: u64, found: impl FnMut(usize, u64)) {
    grams_of::<K, _>(words, salt, |&word| word, found);
}

/// The same of words of any type: a polynomial, of which each step drops a word and takes one.
fn grams_of<const K: usize, W>(words: &[W], salt: u64, hash: impl Fn(&W) -> u64, mut found: impl FnMut(usize, u64)) {
    let Some(first) = words.first_chunk::<K>() else { return };
    let dropped = (0..K).fold(1_u64, |power, _| power.wrapping_mul(FACTOR));
    let mut sum = first.iter().fold(0_u64, |sum, word| sum.wrapping_mul(FACTOR).wrapping_add(hash(word)));
    found(0, finished(sum, salt));
    for (place, word) in words[K..].iter().enumerate() {
        let old = hash(&words[place]).wrapping_mul(dropped);
        sum = sum.wrapping_mul(FACTOR).wrapping_add(hash(word)).wrapping_sub(old);
        found(place + 1, finished(sum, salt));
    }
}

/// Spreads a sum over all bits.
fn finished(sum: u64, salt: u64) -> u64 {
    let sum = (sum ^ salt ^ sum >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    sum ^ sum >> 32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_step_of_the_sum_is_the_sum_of_the_run(words in prop::collection::vec(any::<u64>(), 0..30)) {
            let mut found = Vec::new();
            grams::<N>(&words, 7, |place, hash| found.push((place, hash)));
            let expected: Vec<(usize, u64)> = words.windows(N).enumerate().map(|(place, run)| {
                let mut hash = 0;
                grams::<N>(run, 7, |_, of_run| hash = of_run);
                (place, hash)
            }).collect();
            prop_assert_eq!(found, expected);
        }

        /// The table finds what comparing all runs of words finds.
        #[test]
        fn every_run_is_found_and_no_other(
            texts in prop::collection::vec("([abc] ){0,30}", 1..6), document in "([abc] ){0,60}",
        ) {
            let mut items = Items::default();
            for text in &texts {
                items.push(0, &[Piece { text, decides: true }]);
            }
            let items = items.ready();
            let words = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
            let texts: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
            let holders = |run: &[String]| -> BTreeSet<Vec<String>> {
                let long = texts.iter().filter(|text| text.len() >= SHORT);
                long.filter(|text| text.windows(N).any(|other| other == run)).cloned().collect()
            };
            let tells = |run: &&[String]| (1..=MOST_ITEMS).contains(&holders(run).len());
            let document_words = words(&document);
            let expected = document_words.windows(N).enumerate().filter(|(_, run)| tells(run));
            let expected: Vec<usize> = expected.map(|(place, _)| place).collect();
            let (mut read, mut found) = (Vec::new(), Vec::new());
            Words::default().read(&document, &mut read);
            items.look_up(&read, |place, _, is_anchor| {
                if !is_anchor {
                    found.push(place);
                }
            });
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_signs_behind_a_question_end_it() {
        let mut items = Items::default();
        items.push(0, &[Piece { text: "sur la côte bretonne ?", decides: true }]);
        for (rest, length) in [(" ? Après", 2), ("\u{202F}? Après", 4), (" Après", 0), ("? Après", 0), ("", 0)] {
            assert_eq!(items.closing(4, rest), length, "{rest:?}");
        }
    }

    #[test]
    fn words_belong_to_items_and_pieces() {
        let mut items = Items::default();
        for pieces in [&["", "a b"][..], &[], &["c", "d e f", "..."], &["g"]] {
            let pieces: Vec<Piece<'_>> = pieces.iter().map(|text| Piece { text, decides: text.len() > 1 }).collect();
            items.push(0, &pieces);
        }
        let spans: Vec<Range<usize>> = (0..4).map(|item| items.span(item)).collect();
        assert_eq!(spans, [0..2, 2..2, 2..6, 6..7]);
        assert_eq!((0..7).map(|word| items.item_of(word)).collect::<Vec<_>>(), [0, 0, 2, 2, 2, 2, 3]);
        assert_eq!(items.pieces(2).collect::<Vec<_>>(), [(2..3, false), (3..6, true)]);
        assert_eq!((0..4).map(|item| items.deciding(item)).collect::<Vec<_>>(), [2, 0, 3, 0]);
    }
}
