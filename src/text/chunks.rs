//! Chunks: the parts of a text between ASCII white space that separates words.
//!
//! A soft line break (`breaks.rs`) separates none, so a chunk may contain some.
//!
//! White space, and letters and digits of ASCII, are found 64 bytes at a time, as the bits of numbers, and the chunks in
//! them are found by counting zeros: a word's end is then no mispredicted branch. A word of ASCII with white space, a
//! closing sign, or a hyphen and another word behind it is told by the same count. Words of Chinese and Japanese are told by
//! their dictionary (`unspaced.rs`).
//!
//! Cost: about .2 ns a byte.

mod unspaced;

use std::ops::Range;

use super::breaks::is_soft;
pub use unspaced::are_unspaced;
use unspaced::{Kind, Run};

/// Number of bytes in a block: a bit each.
const BLOCK: usize = 64;

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
    /// What is known of its words.
    pub told: Told,
}

/// What is known of the words of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// Nothing: it must be read.
    Nothing,
    /// Its only word are its first bytes, of this number: letters and digits of ASCII, at most [`LONGEST_COUNTED`], with
    /// at most one sign of punctuation behind them.
    Counted(usize),
    /// It is one word of Han, Hiragana or Katakana, and its own form.
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
        let start = self.next;
        if start < self.run.end {
            return self.word_of_run();
        }
        let at = self.window.move_to(start);
        let letters = self.window.letters.from(at);
        let length = (!letters).trailing_zeros() as usize;
        if !(1..=LONGEST_COUNTED).contains(&length) {
            return self.unspaced();
        }
        let behind = self.window.spaces.from(at) >> length;
        let mut end = start + length;
        if behind & 1 == 0 {
            // Behind the text there is white space, so a sign stands in it.
            let sign = self.text.as_bytes()[end];
            if letters >> length & 0b10 != 0 && is_separating(sign) {
                self.next = end + 1;
                return Part { span: start..end, told: Told::Counted(length) };
            }
            if let Some(next) = unspaced::behind_letters(self.text, end) {
                self.next = next;
                return Part { span: start..end, told: Told::Counted(length) };
            }
            end += 1;
            if behind & 0b10 == 0 || !is_closing(sign) {
                return self.untold();
            }
        }
        let behind = self.window.spaces.from(at) >> (end - start);
        let spaces = (!behind).trailing_zeros() as usize;
        // More white space may follow beyond the 64 bits.
        let is_seen = end - start + spaces < BLOCK;
        self.next = if is_seen { end + spaces } else { self.window.find(end, Class::Other) };
        Part { span: start..end, told: Told::Counted(length) }
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

/// True for punctuation that is no part of the word before it.
fn is_closing(byte: u8) -> bool {
    matches!(byte, b'.' | b',' | b':' | b';' | b'!' | b'?' | b')' | b'"')
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

/// The classes of 64 bytes: bit `i` is that of byte `i`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Classes {
    spaces: u64,
    letters: u64,
}

impl Classes {
    /// Those of the bytes that begin at `start`; bytes beyond the end are white space.
    fn from(bytes: &[u8], start: usize) -> Self {
        let rest = &bytes[start.min(bytes.len())..];
        if let Some(block) = rest.first_chunk::<BLOCK>() {
            return Self::of(block);
        }
        let mut padded = [b' '; BLOCK];
        padded[..rest.len()].copy_from_slice(rest);
        Self::of(&padded)
    }

    fn of(block: &[u8; BLOCK]) -> Self {
        // Each range is one comparison, so that the compiler compares many bytes at a time.
        let is_in = |byte: u8, first: u8, last: u8| byte.wrapping_sub(first) <= last - first;
        let spaces = bits(block, |byte| is_in(byte, b'\t', b'\r') || byte == b' ');
        Self { spaces, letters: bits(block, |byte| is_in(byte | 0x20, b'a', b'z') || is_in(byte, b'0', b'9')) }
    }
}

/// The bytes of a kind: bit `i` is 1 if byte `i` is of it.
#[inline]
fn bits(block: &[u8; BLOCK], is: impl Fn(u8) -> bool) -> u64 {
    let mut found = [0; BLOCK];
    for (found, &byte) in found.iter_mut().zip(block) {
        *found = u8::from(is(byte));
    }
    let (eights, _) = found.as_chunks::<8>();
    eights.iter().enumerate().fold(0, |bits, (i, &eight)| {
        // Gathers the lowest bits of the eight bytes in one byte.
        bits | (u64::from_le_bytes(eight).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::breaks::space_around;
    use crate::text::characters::is_space;
    use crate::text::words::{Word, WordReader};

    /// The specification of [`chunks`].
    fn plain(text: &str) -> Vec<Range<usize>> {
        let bytes = text.as_bytes();
        let separates = |i: usize| is_space(bytes[i]) && !is_soft(text, space_around(text, i));
        let starts = (0..bytes.len()).filter(|&i| !separates(i) && (i == 0 || separates(i - 1)));
        let end = |start: usize| (start..bytes.len()).find(|&i| separates(i)).unwrap_or(bytes.len());
        starts.map(|start| start..end(start)).collect()
    }

    #[test]
    fn every_byte_is_classified() {
        for byte in 0..=u8::MAX {
            for place in [0, 7, 8, 15, 16, 63] {
                let mut block = [b'!'; BLOCK];
                block[place] = byte;
                let bit = |is: bool| u64::from(is) << place;
                let expected = Classes { spaces: bit(is_space(byte)), letters: bit(byte.is_ascii_alphanumeric()) };
                assert_eq!(Classes::of(&block), expected, "{byte} at {place}");
            }
        }
    }

    proptest! {
        #[test]
        fn blocks_change_nothing(text in "([a-dé海\u{80}.,]{0,80}[ \t\n\u{b}\r\u{1c}\u{a0}]{0,140}){0,5}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain(&text));
        }

        #[test]
        fn parts_have_the_words_of_their_chunks(
            text in "([a-zA-Z0-9]{0,26}[-.,:;!?/()\\[\\]{}|~@\"'*_+#=<>\\\\é海]{0,2}[ \n]{0,2}|[我们研究海洋のデーター]{0,4}[，。：「」％\u{301}a3\n (),.:>+-]{0,3}){0,20}",
        ) {
            let reader = WordReader::default();
            let mut words: [Vec<Word>; 2] = Default::default();
            for chunk in chunks(&text) {
                reader.chunk(&text[chunk.clone()], |word| words[0].push(word.shifted(chunk.start)));
            }
            for Part { span, told } in parts(&text) {
                let before = words[1].len();
                reader.chunk(&text[span.clone()], |word| words[1].push(word.shifted(span.start)));
                let token = match told {
                    Told::Nothing => continue,
                    Told::Counted(length) => span.start..span.start + length,
                    Told::Unspaced => span,
                };
                prop_assert_eq!(&words[1][before..], &[Word { span: token.clone(), token: Some(token) }]);
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
