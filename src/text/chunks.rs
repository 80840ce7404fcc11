//! Chunks: the parts of a text between ASCII white space that separates words.
//!
//! A soft line break (`breaks.rs`) separates none, so a chunk may contain some.
//!
//! White space, and letters and digits of ASCII, are found 64 bytes at a time, as the bits of numbers, and the chunks in
//! them are found by counting zeros: a word's end is then no mispredicted branch. A word of ASCII is told by the same count
//! if white space follows it, or plain signs and then white space or another word. Words of Chinese and Japanese are told
//! by their dictionary (`unspaced.rs`).
//!
//! Cost: about .2 ns a byte.

mod classes;
mod unspaced;

use std::ops::Range;

use super::breaks::is_soft;
use super::characters::is_space;
use classes::{BLOCK, Classes};
pub use unspaced::are_unspaced;
use unspaced::{Kind, Run};

/// Longest word in bytes that is told by counting.
pub const LONGEST_COUNTED: usize = 24;

/// The byte ranges of `text` between ASCII white space, in order; soft line breaks are part of them.
pub fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut chunks = Chunks::of(text);
    std::iter::from_fn(move || (chunks.next < text.len()).then(|| chunks.whole()))
}

/// A chunk, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its bytes; soft line breaks are part of it.
    pub span: Range<usize>,
    /// Its kind.
    pub told: Told,
}

/// The kind of a part: one known word, or text that is still to be tokenised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Text to be tokenised.
    Nothing,
    /// One word of at most [`LONGEST_COUNTED`] letters and digits of ASCII.
    Counted,
    /// One word of Han, Hiragana or Katakana, which is its own form.
    Unspaced,
}

/// The chunks of a text, in order, each with the words that begin it, as far as they are told by counting or by a
/// dictionary, parted from the rest: `read`, `only` and `don't` of `read-only/don't`. The words of the parts are those of
/// the chunk.
pub fn parts(text: &str) -> impl Iterator<Item = Part> + '_ {
    let mut chunks = Chunks::of(text);
    std::iter::from_fn(move || (chunks.next < text.len()).then(|| chunks.part()))
}

/// The chunks of a text.
struct Chunks<'a> {
    text: &'a str,
    window: Window<'a>,
    /// The start of the next chunk.
    next: usize,
    /// The run whose words are next; one that ends before `next` if there is none.
    run: Run,
}

impl<'a> Chunks<'a> {
    fn of(text: &'a str) -> Self {
        let mut window = Window::new(text.as_bytes());
        let next = window.find(0, Class::Other);
        Self { text, window, next, run: Run::default() }
    }

    /// The next part; there is one.
    #[inline]
    fn part(&mut self) -> Part {
        if self.next < self.run.end {
            return self.word_of_run();
        }
        let bytes = self.text.as_bytes();
        if is_sign(bytes[self.next]) {
            let word = self.behind_signs(self.next);
            if are_apart(bytes, word) {
                self.next = word;
            }
        }
        let start = self.next;
        let at = self.window.move_to(start);
        let letters = self.window.letters.from(at);
        let length = (!letters).trailing_zeros() as usize;
        if !(1..=LONGEST_COUNTED).contains(&length) {
            return self.unspaced();
        }
        let (word, mut end) = (start..start + length, start + length);
        if self.window.spaces.from(at) >> length & 1 == 0 {
            let signs = end..self.behind_signs(end);
            let parted = match signs.len() {
                0 => false,
                1 => is_separating(bytes[end]) && bytes.get(signs.end).is_some_and(u8::is_ascii_alphanumeric),
                _ => are_apart(bytes, signs.end),
            };
            if let Some(next) = parted.then_some(signs.end).or_else(|| unspaced::behind_letters(self.text, end)) {
                self.next = next;
                return Part { span: word, told: Told::Counted };
            }
            if bytes.get(signs.end).is_some_and(|&byte| !is_space(byte)) {
                return self.untold();
            }
            end = signs.end;
        }
        // More white space may follow beyond the 64 bits.
        let spaces = match end - start {
            seen @ 0..BLOCK => (!(self.window.spaces.from(at) >> seen)).trailing_zeros() as usize,
            _ => BLOCK,
        };
        let is_seen = end - start + spaces < BLOCK;
        self.next = if is_seen { end + spaces } else { self.window.find(end, Class::Other) };
        Part { span: word, told: Told::Counted }
    }

    /// The place behind the signs at a place.
    #[inline]
    fn behind_signs(&self, at: usize) -> usize {
        at + self.text.as_bytes()[at..].iter().take_while(|&&byte| is_sign(byte)).count()
    }

    /// The first word of the run that begins here, if one does that can be told, else the next chunk.
    #[inline(never)]
    fn unspaced(&mut self) -> Part {
        match Run::at(self.text, self.next) {
            Some(run) => {
                (self.next, self.run) = (run.start, run);
                self.word_of_run()
            }
            None => self.untold(),
        }
    }

    /// The next word of the run, or all of it.
    fn word_of_run(&mut self) -> Part {
        let (start, end) = (self.next, self.run.end_of_word(self.text, self.next));
        self.next = if end == self.run.end { self.run.behind } else { end };
        Part { span: start..end, told: if self.run.kind == Kind::Wrapped { Told::Nothing } else { Told::Unspaced } }
    }

    fn untold(&mut self) -> Part {
        Part { span: self.whole(), told: Told::Nothing }
    }

    /// The next chunk, or the rest of one; there is one.
    #[inline(never)]
    fn whole(&mut self) -> Range<usize> {
        let start = self.next;
        loop {
            let end = self.window.find(self.next, Class::Space);
            self.next = self.window.find(end, Class::Other);
            if !is_soft(self.text, end..self.next) {
                return start..end;
            }
        }
    }
}

/// True for a sign that parts two words if one stands directly before it and one behind it, and is no word itself.
fn is_separating(byte: u8) -> bool {
    matches!(byte, b'-' | b'/' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'*' | b'|' | b'~' | b'@' | b'\\')
}

/// True for a sign of ASCII that is no word and no part of one: before a word, behind one, or one of several between two.
#[inline]
fn is_sign(byte: u8) -> bool {
    const ARE_SIGNS: [bool; 256] = {
        let mut are_signs = [false; 256];
        let mut signs = b"!\"&()*,-./:;?@[\\]^`{|}~".as_slice();
        while let [sign, rest @ ..] = signs {
            are_signs[*sign as usize] = true;
            signs = rest;
        }
        are_signs
    };
    ARE_SIGNS[usize::from(byte)]
}

/// True if a letter or digit of ASCII follows these signs and the last of them does not belong to it, as a minus to its
/// number.
#[inline]
fn are_apart(bytes: &[u8], behind: usize) -> bool {
    bytes
        .get(behind)
        .is_some_and(|next| next.is_ascii_alphabetic() || next.is_ascii_digit() && bytes[behind - 1] != b'-')
}

/// The kind of byte to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Other,
}

/// The bits of two blocks.
#[derive(Debug, Clone, Copy)]
struct Bits {
    first: u64,
    second: u64,
}

impl Bits {
    /// The 64 bits from one of the first block on.
    #[inline]
    fn from(self, at: usize) -> u64 {
        self.first >> at | self.second << 1 << (BLOCK - 1 - at)
    }

    fn move_on(&mut self, next: u64) {
        *self = Self { first: self.second, second: next };
    }
}

/// The classes of 128 bytes of a text, one bit a byte; bytes beyond the end are white space.
struct Window<'a> {
    bytes: &'a [u8],
    /// The place of the first byte, a multiple of [`BLOCK`].
    start: usize,
    spaces: Bits,
    /// Letters and digits of ASCII.
    letters: Bits,
}

impl<'a> Window<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let [first, second] = [0, BLOCK].map(|start| Classes::from(bytes, start));
        let spaces = Bits { first: first.spaces, second: second.spaces };
        let letters = Bits { first: first.letters, second: second.letters };
        Self { bytes, start: 0, spaces, letters }
    }

    /// Moves on until a place, which is never before that of the last call, is in the first block; returns which of its
    /// bytes it is.
    #[inline]
    fn move_to(&mut self, place: usize) -> usize {
        while place - self.start >= BLOCK {
            self.move_on();
        }
        place - self.start
    }

    #[inline(never)]
    fn move_on(&mut self) {
        self.start += BLOCK;
        let next = Classes::from(self.bytes, self.start + BLOCK);
        self.spaces.move_on(next.spaces);
        self.letters.move_on(next.letters);
    }

    /// The first place of a class from `place` on, or the end of the text.
    #[inline]
    fn find(&mut self, mut place: usize, class: Class) -> usize {
        while place < self.bytes.len() {
            let at = self.move_to(place);
            let spaces = self.spaces.from(at);
            let wanted = if class == Class::Space { spaces } else { !spaces };
            if wanted != 0 {
                return (place + wanted.trailing_zeros() as usize).min(self.bytes.len());
            }
            place += BLOCK;
        }
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::breaks::space_around;
    use crate::text::words::{Word, WordReader};

    /// The specification of [`chunks`].
    fn plain(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let separates = |i: usize| is_space(bytes[i]) && !is_soft(text, space_around(text, i));
        let starts = (0..bytes.len()).filter(|&i| !separates(i) && (i == 0 || separates(i - 1)));
        let end = |start: usize| (start..bytes.len()).find(|&i| separates(i)).unwrap_or(bytes.len());
        starts.map(|start| start..end(start)).collect()
    }

    proptest! {
        #[test]
        fn blocks_change_nothing(text in "([a-dé海\u{80}.,]{0,80}[ \t\n\u{b}\r\u{1c}\u{a0}]{0,140}){0,5}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain(&text));
        }

        #[test]
        fn parts_have_the_words_of_their_chunks(
            text in "([a-zA-Z0-9]{0,26}[-.,:;!?/()\\[\\]{}|~@\"'*_+#=<>\\\\é海&^`%$]{0,4}[ \n]{0,2}|[我们研究海洋のデーター]{0,4}[，。：「」％\u{301}a3\n (),.:;/?&\"*@|~\\\\\\[\\]^`{}>+-]{0,3}){0,20}",
        ) {
            let reader = WordReader::default();
            let mut words: [Vec<Word>; 2] = Default::default();
            for chunk in chunks(&text) {
                reader.chunk(&text[chunk.clone()], |word| words[0].push(word.shifted(chunk.start)));
            }
            for Part { span, told } in parts(&text) {
                let before = words[1].len();
                reader.chunk(&text[span.clone()], |word| words[1].push(word.shifted(span.start)));
                if told != Told::Nothing {
                    prop_assert_eq!(&words[1][before..], &[Word { span: span.clone(), token: Some(span) }]);
                }
            }
            prop_assert_eq!(&words[0], &words[1], "{:?}", text);
        }

        #[test]
        fn soft_breaks_are_parts_of_chunks(text in "([a>海水ก้アー。]{0,4}(\r?\n|[ \t\n\r]{1,3})){0,30}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain(&text));
            // A chunk is the same on its own, so its words can be cached.
            for chunk in chunks(&text) {
                prop_assert!(chunks(&text[chunk.clone()]).eq(std::iter::once(0..chunk.len())));
            }
        }
    }
}
