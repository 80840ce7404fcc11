//! Multiplication by a constant modulo P with tables: runs on any processor.

use super::{PLACE, ShortWord, multiply, shift_bits};

/// `table[i][b]` is b·x^(8·i) times the constant: the contribution of byte i of a hash.
type Table = [[u64; 256]; 8];

const fn table(constant: u64) -> Table {
    let mut table = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut byte = 0;
        while byte < 256 {
            table[i][byte] = multiply(constant, (byte as u64) << (8 * i));
            byte += 1;
        }
        i += 1;
    }
    table
}

/// Times x^64: from one eight bytes of a word to the next.
static DIGIT: Table = table(shift_bits(1, 64));

/// Times B: from one word of an n-gram to the next.
static WORD: Table = table(PLACE);

#[inline]
fn times(table: &Table, h: u64) -> u64 {
    let bytes = h.to_le_bytes();
    let mut product = 0;
    for (table, byte) in table.iter().zip(bytes) {
        product ^= table[usize::from(byte)];
    }
    product
}

#[inline]
pub(super) fn word(word: &[u8]) -> u64 {
    let (first, rest) = super::digits(word);
    times(&DIGIT, rest.fold(first, |state, digit| times(&DIGIT, state) ^ digit))
}

pub(super) fn short_words(words: &[ShortWord], out: &mut [u64]) {
    for (word, out) in words.iter().zip(out) {
        *out = times(&DIGIT, word.iter().fold(0, |state, digit| times(&DIGIT, state) ^ digit));
    }
}

pub(super) fn joined(first: u64, words: &[u64], bytes: &[u8]) -> u64 {
    words.iter().zip(bytes).fold(first, |hash, (word, &bytes)| {
        (0..bytes).fold(hash, |hash, _| hash << 8 ^ DIGIT[0][(hash >> 56) as usize]) ^ word
    })
}

pub(super) fn ngrams(words: &[u64], n: usize, out: &mut Vec<u64>) {
    out.extend(words.windows(n).map(|gram| gram.iter().fold(0, |state, word| times(&WORD, state) ^ word)));
}
