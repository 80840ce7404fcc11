//! Words that are hashed where they stand, without the table.
//!
//! A chunk of simple letters and digits that take one or two bytes each is one word, and its form has as many bytes: nine
//! of ten chunks of European prose, new ones included. Its bytes are loaded, tested and brought into lower case eight at a
//! time.
//!
//! Cost: some 3 ns a word of ASCII, 1 ns a byte of others; the hashes are made of many words at once
//! ([`Rabin::short_words`](crate::sketch::rabin::Rabin::short_words)).

use std::ops::Range;

use super::Form;
use crate::sketch::rabin::{MAX_SHORT, ShortWord};
use crate::text::two_byte_forms;

const ONES: u64 = u64::from_ne_bytes([1; 8]);
const HIGH: u64 = 0x80 * ONES;

/// The form of the word of a chunk that is not empty, if it can be read directly; its letters are written to `letters`.
///
/// They are written one by one, as the processor would wait for a value that is copied right after it was written in
/// parts.
#[inline]
pub(super) fn read(text: &str, chunk: &Range<usize>, letters: &mut ShortWord) -> Option<Form> {
    let length = chunk.len();
    if length > MAX_SHORT {
        return None;
    }
    let bytes = text.as_bytes();
    let mut padded = [0; MAX_SHORT];
    let window = if let Some(start) = chunk.end.checked_sub(MAX_SHORT) {
        // Reading bytes before the word and masking them is faster than copying it.
        bytes[start..chunk.end].first_chunk().expect("as many bytes")
    } else {
        padded[MAX_SHORT - length..].copy_from_slice(&bytes[chunk.clone()]);
        &padded
    };
    if !(ascii(window, length, letters) || two_bytes(&bytes[chunk.clone()], letters)) {
        return None;
    }
    Some(Form {
        bytes: length,
        begins_with_digit: bytes[chunk.start].is_ascii_digit(),
        ends_with_digit: bytes[chunk.end - 1].is_ascii_digit(),
    })
}

/// Writes the lower case of the last `length` bytes; false if one is no letter or digit of ASCII.
#[inline]
fn ascii(window: &[u8; MAX_SHORT], length: usize, letters: &mut ShortWord) -> bool {
    let (eights, _) = window.as_chunks::<8>();
    let digit = |i: usize| {
        let bytes = length.saturating_sub(8 * (2 - i)).min(8);
        let mask = u64::MAX.checked_shr(64 - 8 * bytes as u32).unwrap_or(0);
        let eight = u64::from_be_bytes(eights[i]);
        ((eight | (0x20 * ONES)) & mask, !is_alphanumeric(eight) & HIGH & mask)
    };
    let (last, mut others) = digit(2);
    let (mut first, mut second) = (0, 0);
    if length > 8 {
        let found = [digit(0), digit(1)];
        (first, second) = (found[0].0, found[1].0);
        others |= found[0].1 | found[1].1;
    }
    letters[0] = first;
    letters[1] = second;
    letters[2] = last;
    others == 0
}

/// Eight bytes of which the highest bit of each is 1 if it was a letter or a digit of ASCII.
#[inline]
fn is_alphanumeric(eight: u64) -> u64 {
    let plain = eight & !HIGH;
    let lower = plain | (0x20 * ONES);
    // The highest bit of a byte becomes 1 from this value on.
    let is_from = |bytes: u64, value: u8| bytes + u64::from(0x80 - value) * ONES;
    let is_letter = is_from(lower, b'a') & !is_from(lower, b'z' + 1);
    let is_digit = is_from(plain, b'0') & !is_from(plain, b'9' + 1);
    (is_letter | is_digit) & !eight
}

/// Writes the form of a word; false if it has other characters than simple letters and digits of one or two bytes.
fn two_bytes(word: &[u8], letters: &mut ShortWord) -> bool {
    let mut form = [0; MAX_SHORT];
    let (_, out) = form.split_at_mut(MAX_SHORT - word.len());
    let is_read = forms(word, out).is_some();
    let (eights, _) = form.as_chunks::<8>();
    for (letters, eight) in letters.iter_mut().zip(eights) {
        *letters = u64::from_be_bytes(*eight);
    }
    is_read
}

/// Writes the form of a word to as many bytes.
fn forms(word: &[u8], out: &mut [u8]) -> Option<()> {
    let forms = two_byte_forms();
    let mut at = 0;
    while at < word.len() {
        let byte = word[at];
        if byte.is_ascii_alphanumeric() {
            out[at] = byte.to_ascii_lowercase();
            at += 1;
            continue;
        }
        // The first of two bytes has five bits of the character behind `110`, the second six behind `10`.
        let character = (usize::from(byte) & 0x1f) << 6 | usize::from(*word.get(at + 1)?) & 0x3f;
        let letter = forms.get(character.checked_sub(0x80)?).filter(|letter| byte >> 5 == 0b110 && letter[0] != 0)?;
        out[at..at + 2].copy_from_slice(letter);
        at += 2;
    }
    Some(())
}
