//! The same arithmetic by carry-less multiplication (x86-64 `PCLMULQDQ`).
//!
//! A 128-bit product is reduced after Barrett: with μ = ⌊x^128 / P⌋ the quotient ⌊hi·x^64 / P⌋ is
//! exactly ⌊hi·μ / x^64⌋, because adding polynomials never carries.
#![expect(unsafe_code, reason = "processor instructions behind a run-time check")]

use std::arch::x86_64::{_mm_clmulepi64_si128, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_unpackhi_epi64};

use super::{BYTES, POLYNOMIAL, POWERS, ShortWord};

/// The low 64 coefficients of μ = ⌊x^128 / P⌋; its x^64 is 1.
const MU: u64 = {
    // Long division: the quotient's next bit is the remainder's top bit.
    let mut quotient = 0;
    let mut remainder = POLYNOMIAL;
    let mut i = 0;
    while i < 64 {
        let bit = remainder >> 63;
        quotient = quotient << 1 | bit;
        remainder = (remainder << 1) ^ (POLYNOMIAL & bit.wrapping_neg());
        i += 1;
    }
    quotient
};

/// Proof that the processor has carry-less multiplication: only [`Proof::detect`] makes one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Proof(());

impl Proof {
    pub(super) fn detect() -> Option<Self> {
        is_x86_feature_detected!("pclmulqdq").then_some(Self(()))
    }
}

#[inline]
pub(super) fn word(_: Proof, word: &[u8]) -> u64 {
    // SAFETY: a Proof exists only where the processor has PCLMULQDQ.
    unsafe { word_clmul(word) }
}

pub(super) fn short_words(_: Proof, words: &[ShortWord], out: &mut [u64]) {
    // SAFETY: as above.
    unsafe { short_words_clmul(words, out) }
}

pub(super) fn joined(_: Proof, first: u64, words: &[u64], bytes: &[u8]) -> u64 {
    // SAFETY: as above.
    unsafe { joined_clmul(first, words, bytes) }
}

pub(super) fn ngrams(_: Proof, words: &[u64], n: usize, out: &mut Vec<u64>) {
    // SAFETY: as above.
    unsafe {
        match n {
            1 => out.extend_from_slice(words),
            2 => ngrams_of::<2>(words, out),
            3 => ngrams_of::<3>(words, out),
            4 => ngrams_of::<4>(words, out),
            5 => ngrams_of::<5>(words, out),
            _ => ngrams_clmul(words, n, out),
        }
    }
}

/// The 128-bit product of two polynomials, (high, low).
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn multiply(a: u64, b: u64) -> (u64, u64) {
    let product = _mm_clmulepi64_si128::<0>(_mm_cvtsi64_si128(a.cast_signed()), _mm_cvtsi64_si128(b.cast_signed()));
    let high = _mm_unpackhi_epi64(product, product);
    (_mm_cvtsi128_si64(high).cast_unsigned(), _mm_cvtsi128_si64(product).cast_unsigned())
}

/// (high·x^64 + low) mod P.
#[target_feature(enable = "pclmulqdq")]
#[inline]
fn reduce(high: u64, low: u64) -> u64 {
    let quotient = high ^ multiply(high, MU).0;
    low ^ multiply(quotient, POLYNOMIAL).1
}

#[target_feature(enable = "pclmulqdq")]
fn word_clmul(word: &[u8]) -> u64 {
    let (first, rest) = super::digits(word);
    let mut state = first;
    for digit in rest {
        state = reduce(state, digit);
    }
    reduce(state, 0)
}

/// The products of all digits are added before one reduction, so that no step waits for the one before it.
#[target_feature(enable = "pclmulqdq")]
fn short_words_clmul(words: &[ShortWord], out: &mut [u64]) {
    for (&[first, second, third], out) in words.iter().zip(out) {
        // Most words have at most eight bytes, whose product with x^64 needs no multiplication.
        let (mut high, mut low) = (third, 0);
        if first | second != 0 {
            let (a, b) = (multiply(first, BYTES[24]), multiply(second, BYTES[16]));
            (high, low) = (high ^ a.0 ^ b.0, low ^ a.1 ^ b.1);
        }
        *out = reduce(high, low);
    }
}

/// Eight words are joined with what stands before them by one reduction: a reduction waits for the one before it.
#[target_feature(enable = "pclmulqdq")]
fn joined_clmul(first: u64, words: &[u64], bytes: &[u8]) -> u64 {
    let (eights, last) = words.as_chunks::<8>();
    let (lengths, last_lengths) = bytes.as_chunks::<8>();
    let mut hash = first;
    for (words, lengths) in eights.iter().zip(lengths) {
        let (mut high, mut low, mut behind) = (0, words[7], 0);
        for i in (0..8).rev() {
            behind += usize::from(lengths[i]);
            let product = multiply(if i == 0 { hash } else { words[i - 1] }, BYTES[behind]);
            (high, low) = (high ^ product.0, low ^ product.1);
        }
        hash = reduce(high, low);
    }
    for (word, &bytes) in last.iter().zip(last_lengths) {
        let (high, low) = multiply(hash, BYTES[usize::from(bytes)]);
        hash = reduce(high, low ^ word);
    }
    hash
}

#[target_feature(enable = "pclmulqdq")]
#[inline]
fn combine(gram: &[u64]) -> u64 {
    let last = gram.len() - 1;
    let (mut high, mut low) = (0, gram[last]);
    for (i, &word) in gram[..last].iter().enumerate() {
        let product = multiply(word, POWERS[last - i]);
        high ^= product.0;
        low ^= product.1;
    }
    reduce(high, low)
}

/// Unrolled for the usual sizes: `N` is known at compile time.
#[target_feature(enable = "pclmulqdq")]
fn ngrams_of<const N: usize>(words: &[u64], out: &mut Vec<u64>) {
    for gram in words.array_windows::<N>() {
        out.push(combine(gram));
    }
}

#[target_feature(enable = "pclmulqdq")]
fn ngrams_clmul(words: &[u64], n: usize, out: &mut Vec<u64>) {
    for gram in words.windows(n) {
        out.push(combine(gram));
    }
}
