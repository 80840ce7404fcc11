//! Multiplication by x^64 modulo P with tables: runs on any processor.

use super::shift_bits;

/// `TABLES[i][b]` is b·x^(8·i)·x^64 mod P: what byte i of a hash becomes.
static TABLES: [[u64; 256]; 8] = {
    let mut tables = [[0; 256]; 8];
    let mut i = 0;
    while i < 8 {
        let mut byte = 0;
        while byte < 256 {
            tables[i][byte] = shift_bits((byte as u64) << (8 * i), 64);
            byte += 1;
        }
        i += 1;
    }
    tables
};

/// h·x^64 mod P.
#[inline]
fn shift(h: u64) -> u64 {
    let bytes = h.to_le_bytes();
    let mut product = 0;
    for (table, byte) in TABLES.iter().zip(bytes) {
        product ^= table[usize::from(byte)];
    }
    product
}

#[inline]
pub(super) fn word(word: &[u8]) -> u64 {
    let (first, rest) = super::digits(word);
    shift(rest.fold(first, |state, digit| shift(state) ^ digit))
}

pub(super) fn ngrams(words: &[u64], n: usize, out: &mut Vec<u64>) {
    out.extend(words.windows(n).map(|gram| gram.iter().fold(0, |state, word| shift(state) ^ word)));
}
