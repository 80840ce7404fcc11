//! Chunks: the parts of a text between ASCII white space that separates words.
//!
//! A soft line break (`breaks.rs`) separates none, so a chunk may contain some.
//!
//! White space is found 64 bytes at a time, as the bits of a number, and the chunks in it are found by counting
//! zeros: a word's end is then no mispredicted branch.
//!
//! Cost: about .5 ns a byte.

use std::ops::Range;

use super::breaks::is_soft;

/// Number of bytes in a block: a bit each.
const BLOCK: usize = 64;

/// The byte ranges of `text` between ASCII white space, in order; soft line breaks are part of them.
pub fn chunks(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    let (mut block, mut spaces) = (0, spaces_from(bytes, 0));
    // The first place from `at` whose byte is white space, or the first whose byte is not.
    let mut find = move |at: usize, is_wanted: bool| {
        let mut from = at;
        while from < bytes.len() {
            if from / BLOCK != block {
                block = from / BLOCK;
                spaces = spaces_from(bytes, block * BLOCK);
            }
            let wanted = if is_wanted { spaces } else { !spaces } >> (from % BLOCK);
            if wanted != 0 {
                return from + wanted.trailing_zeros() as usize;
            }
            from = (block + 1) * BLOCK;
        }
        bytes.len()
    };
    let mut next = find(0, false);
    std::iter::from_fn(move || {
        let start = next;
        if start >= bytes.len() {
            return None;
        }
        loop {
            let end = find(next, true);
            next = find(end, false);
            if !is_soft(text, end..next) {
                return Some(start..end);
            }
        }
    })
}

/// Bits of the 64 bytes that begin at `start`, 1 for white space; bytes beyond the end are white space.
fn spaces_from(bytes: &[u8], start: usize) -> u64 {
    let rest = &bytes[start.min(bytes.len())..];
    if let Some(block) = rest.first_chunk::<BLOCK>() {
        return spaces(block);
    }
    let mut padded = [b' '; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    spaces(&padded)
}

/// The white space among 64 bytes: bit `i` is 1 if byte `i` is white space. Eight bytes are compared at a time, in the
/// bytes of one number.
fn spaces(block: &[u8; BLOCK]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const LOW: u64 = 0x7f * ONES;
    const HIGH: u64 = 0x80 * ONES;
    let (words, _) = block.as_chunks::<8>();
    words.iter().enumerate().fold(0, |mask, (i, &word)| {
        let word = u64::from_le_bytes(word);
        let low = word & LOW;
        // The highest bit of a byte becomes 1 from this value on.
        let is_from = |value: u64| low + (0x80 - value) * ONES;
        let is_control = is_from(u64::from(b'\t')) & !is_from(u64::from(b'\r') + 1);
        let is_blank = is_from(u64::from(b' ')) & !is_from(u64::from(b' ') + 1);
        let found = (is_control | is_blank) & !word & HIGH;
        // Gathers the highest bits of the eight bytes in one byte.
        mask | ((found >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::breaks::space_around;
    use crate::text::characters::is_space;

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
            for place in [0, 7, 8, 63] {
                let mut block = [b'x'; BLOCK];
                block[place] = byte;
                assert_eq!(spaces(&block), u64::from(is_space(byte)) << place, "{byte}");
            }
        }
    }

    proptest! {
        #[test]
        fn blocks_change_nothing(text in "([a-dé海\u{80}]{0,80}[ \t\n\u{b}\r\u{1c}\u{a0}]{0,70}){0,5}") {
            prop_assert_eq!(chunks(&text).collect::<Vec<_>>(), plain(&text));
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
