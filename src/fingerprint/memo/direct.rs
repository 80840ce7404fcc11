//! Words that are hashed where they stand, without the table.
//!
//! A chunk of simple letters and digits that take one or two bytes each is one word, and its form has as many bytes: nine
//! of ten chunks of European prose, new ones included. Its bytes are loaded, tested and brought into lower case eight at a
//! time.
//!
//! Cost: some 3 ns a word of ASCII, 1 ns a byte of others; the hashes are made of many words at once
//! ([`Rabin::short_words`](crate::sketch::rabin::Rabin::short_words)).

use std::ops::Range;

use super::{Form, LONGEST_COUNTED};
use crate::sketch::rabin::{MAX_SHORT, ShortWord};
use crate::text::two_byte_forms;

// What is counted can be hashed.
const _: () = assert!(LONGEST_COUNTED <= MAX_SHORT);

/// The form of the word of a chunk that is not empty, if it can be read directly; its letters are written to `letters`.
///
/// They are written one by one, as the processor would wait for a value that is copied right after it was written in
/// parts.
#[inline]
pub(super) fn read(text: &str, chunk: &Range<usize>, letters: &mut ShortWord) -> Option<Form> {
    let word = &text.as_bytes()[chunk.clone()];
    if word.len() > MAX_SHORT {
        return None;
    }
    let mut lower = [0; MAX_SHORT];
    forms(word, lower.split_at_mut(MAX_SHORT - word.len()).1)?;
    let (eights, _) = lower.as_chunks::<8>();
    for (letters, eight) in letters.iter_mut().zip(eights) {
        *letters = u64::from_be_bytes(*eight);
    }
    Some(form(word))
}

/// The same for a word of letters and digits of ASCII of at most [`MAX_SHORT`] bytes.
#[inline]
pub(super) fn counted(text: &str, word: &Range<usize>, letters: &mut ShortWord) -> Form {
    load(text.as_bytes(), word, 0x20 * u64::from_ne_bytes([1; 8]), letters);
    form(&text.as_bytes()[word.clone()])
}

/// The same for a word that is its own form.
#[inline]
pub(super) fn copied(text: &str, word: &Range<usize>, letters: &mut ShortWord) -> Option<Form> {
    if word.len() > MAX_SHORT {
        return None;
    }
    load(text.as_bytes(), word, 0, letters);
    Some(form(&text.as_bytes()[word.clone()]))
}

/// Loads a word of at most [`MAX_SHORT`] bytes, in all of which these bits are set.
#[inline]
fn load(bytes: &[u8], word: &Range<usize>, set: u64, letters: &mut ShortWord) {
    let length = word.len();
    let mut padded = [0; MAX_SHORT];
    let window: &[u8; MAX_SHORT] = if let Some(start) = word.end.checked_sub(MAX_SHORT) {
        // Reading bytes before the word and masking them is faster than copying it.
        bytes[start..word.end].first_chunk().expect("as many bytes")
    } else {
        padded[MAX_SHORT - length..].copy_from_slice(&bytes[word.clone()]);
        &padded
    };
    let (eights, _) = window.as_chunks::<8>();
    let masked = |i: usize| {
        let bytes = length.saturating_sub(8 * (2 - i)).min(8);
        let mask = u64::MAX.checked_shr(64 - 8 * bytes as u32).unwrap_or(0);
        (u64::from_be_bytes(eights[i]) | set) & mask
    };
    let (first, second) = if length > 8 { (masked(0), masked(1)) } else { (0, 0) };
    // One by one, as in `read`.
    letters[0] = first;
    letters[1] = second;
    letters[2] = masked(2);
}

fn form(word: &[u8]) -> Form {
    Form {
        bytes: word.len(),
        begins_with_digit: word.first().is_some_and(u8::is_ascii_digit),
        ends_with_digit: word.last().is_some_and(u8::is_ascii_digit),
    }
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
