//! Rabin fingerprints: 64-bit residues of words and n-grams as polynomials.
//!
//! A word of m bytes is a polynomial W(x) over GF(2), its first bit the highest
//! coefficient. Its hash is W(x)·x^64 mod P, with P = x^64 + [`POLYNOMIAL`]
//! irreducible. An n-gram w₁…wₙ is the polynomial Σ Wᵢ(x)·B^(n−i) with
//! B = x^(2^40): each word has a place of 2^40 bits, which none outgrows, so that
//! different n-grams are different polynomials and no separator is needed. Its
//! feature, again times x^64,
//!
//! ```text
//! F = (h₁·B^(n−1) ⊕ … ⊕ hₙ₋₁·B ⊕ hₙ) mod P      hᵢ = Wᵢ·x^64 mod P
//! ```
//!
//! needs each word's hash only once. (With places of 64 bits a word of nine bytes
//! would reach into its neighbour's: `ex inhibition` and `in exhibition` would be one
//! feature.)
//!
//! Both the dense P and the factor x^64 are needed. With the sparse
//! x^64+x^4+x^3+x+1 or without the factor, short words reach only some of the
//! bits, and a simhash over them is biased: the tests show it.
//!
//! Cost: n + 1 carry-less multiplications an n-gram (`clmul.rs`, chosen at run
//! time where the processor has them), else 8 table look-ups a word (`portable.rs`).
//!
//! Source: M. O. Rabin, *Fingerprinting by Random Polynomials*, TR-15-81,
//! Harvard 1981; A. Z. Broder, *Some applications of Rabin's fingerprinting
//! method*, 1993.

#[cfg(target_arch = "x86_64")]
mod clmul;
mod portable;

/// The low 64 coefficients of P; P = x^64 + this is irreducible and dense.
pub const POLYNOMIAL: u64 = 0x430e_667e_6130_46d7;

/// The longest n-gram that [`Rabin::ngrams`] takes, in words.
pub const MAX_NGRAM: usize = 100;

/// The greatest length in bytes of a word that [`Rabin::joined`] takes: the lengths of eight words add up to less than 512.
pub const MAX_BYTES: usize = 63;

/// The greatest length in bytes of a word that [`Rabin::short_words`] takes.
pub const MAX_SHORT: usize = 24;

/// A word of at most [`MAX_SHORT`] bytes as a number of three digits of eight bytes, the highest first.
pub type ShortWord = [u64; 3];

/// h·x^bits mod P, bit by bit: the table below is made of it.
const fn shift_bits(mut h: u64, bits: u32) -> u64 {
    let mut i = 0;
    while i < bits {
        h = (h << 1) ^ (POLYNOMIAL & (h >> 63).wrapping_neg());
        i += 1;
    }
    h
}

/// a·b mod P, bit by bit.
const fn multiply(a: u64, b: u64) -> u64 {
    let mut product = 0;
    let mut i = 64;
    while i > 0 {
        i -= 1;
        product = shift_bits(product, 1) ^ (a & (b >> i & 1).wrapping_neg());
    }
    product
}

/// B = x^(2^40) mod P: x squared forty times.
const PLACE: u64 = {
    let mut power = 2;
    let mut i = 0;
    while i < 40 {
        power = multiply(power, power);
        i += 1;
    }
    power
};

/// `BYTES[i]` is x^(8·i) mod P: the factor that makes room for `i` bytes.
#[cfg(target_arch = "x86_64")]
static BYTES: [u64; 1 << 9] = {
    let mut bytes = [1; 1 << 9];
    let mut i = 1;
    while i < bytes.len() {
        bytes[i] = shift_bits(bytes[i - 1], 8);
        i += 1;
    }
    bytes
};

/// `POWERS[i]` is B^i mod P.
#[cfg(target_arch = "x86_64")]
static POWERS: [u64; MAX_NGRAM] = {
    let mut powers = [1; MAX_NGRAM];
    let mut i = 1;
    while i < MAX_NGRAM {
        powers[i] = multiply(powers[i - 1], PLACE);
        i += 1;
    }
    powers
};

/// Computes Rabin fingerprints with the best code that this processor has.
#[derive(Debug, Clone, Copy)]
pub struct Rabin {
    kernel: Kernel,
}

#[derive(Debug, Clone, Copy)]
enum Kernel {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Clmul(clmul::Proof),
}

impl Rabin {
    /// Carry-less multiplication if the processor has it, else tables.
    pub fn new() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(proof) = clmul::Proof::detect() {
            return Self { kernel: Kernel::Clmul(proof) };
        }
        Self::portable()
    }

    /// Tables only; gives the same values as [`Rabin::new`] on any processor.
    pub fn portable() -> Self {
        Self { kernel: Kernel::Portable }
    }

    /// The name of the code in use: `portable` or `clmul`.
    pub fn kernel(&self) -> &'static str {
        match self.kernel {
            Kernel::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(_) => "clmul",
        }
    }

    /// The hash of one word: its bytes as a polynomial, times x^64, modulo P.
    ///
    /// NUL bytes at a word's beginning do not count; the tokeniser makes no such
    /// words.
    #[inline]
    pub fn word(&self, word: &[u8]) -> u64 {
        match self.kernel {
            Kernel::Portable => portable::word(word),
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(proof) => clmul::word(proof, word),
        }
    }

    /// Writes the hashes of short words, each that of [`Rabin::word`], to `out`: many at once take a third of the time.
    ///
    /// # Panics
    ///
    /// If `out` has another length than `words`.
    pub fn short_words(&self, words: &[ShortWord], out: &mut [u64]) {
        assert_eq!(words.len(), out.len(), "a hash for each word");
        match self.kernel {
            Kernel::Portable => portable::short_words(words, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(proof) => clmul::short_words(proof, words, out),
        }
    }

    /// The hash of words written as one, given the hash of what stands before them, and of each the hash and the length
    /// in bytes, at most [`MAX_BYTES`]: it does not depend on where the letters are divided.
    ///
    /// Room for more bytes is made in steps, each of a word of hash 0.
    pub fn joined(&self, first: u64, words: &[u64], bytes: &[u8]) -> u64 {
        match self.kernel {
            Kernel::Portable => portable::joined(first, words, bytes),
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(proof) => clmul::joined(proof, first, words, bytes),
        }
    }

    /// Appends the feature of every run of `n` consecutive word hashes to `out`.
    ///
    /// Appends `words.len() − n + 1` features, or none if there are fewer than
    /// `n` words.
    ///
    /// # Panics
    ///
    /// If `n` is 0 or greater than [`MAX_NGRAM`].
    pub fn ngrams(&self, words: &[u64], n: usize, out: &mut Vec<u64>) {
        assert!((1..=MAX_NGRAM).contains(&n), "n-gram of {n} words");
        match self.kernel {
            Kernel::Portable => portable::ngrams(words, n, out),
            #[cfg(target_arch = "x86_64")]
            Kernel::Clmul(proof) => clmul::ngrams(proof, words, n, out),
        }
    }
}

impl Default for Rabin {
    fn default() -> Self {
        Self::new()
    }
}

/// A word's bytes as 64-bit big-endian digits: first the odd bytes at its
/// front, then whole eights.
#[inline]
fn digits(word: &[u8]) -> (u64, impl Iterator<Item = u64> + '_) {
    let (head, tail) = word.split_at(word.len() % 8);
    let first = head.iter().fold(0, |digit, &byte| digit << 8 | u64::from(byte));
    let (eights, _) = tail.as_chunks::<8>();
    (first, eights.iter().map(|eight| u64::from_be_bytes(*eight)))
}

#[cfg(test)]
mod tests;
