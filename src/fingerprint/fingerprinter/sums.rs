//! Hashes of words and terms become simhash, minima, shingles and the input of the judge.

use super::{Shingles, Times};
use crate::clock;
use crate::fingerprint::grams::Grams;
use crate::fingerprint::memo::{Form, Sink};
use crate::similarity::{self, BREAK, KEPT_WORDS};
use crate::sketch::rabin::{MAX_BYTES, Rabin};
use crate::sketch::{minhash, simhash, sorted::Sorter};
use crate::text::ends::End;

/// The input of the judge.
pub(super) struct JudgeInput<'a> {
    pub(super) shingles: &'a mut similarity::Builder,
    pub(super) words: &'a mut Vec<u32>,
    /// The hashes that shingles are made of, as far as they are one block.
    pub(super) hashes: &'a mut Vec<u64>,
}

/// The letters of all words, as one polynomial: the same however they are divided into words, except that a space
/// between two digits counts (`1 23` is not `12 3`). Words are joined in blocks, which is faster than one by one.
pub(super) struct Letters {
    rabin: Rabin,
    space: u64,
    hash: u64,
    /// The hashes and lengths of words that are not yet joined.
    words: [u64; WORDS],
    bytes: [u8; WORDS],
    count: usize,
    ends_with_digit: bool,
}

/// Number of words joined at a time.
const WORDS: usize = 64;

impl Letters {
    pub(super) fn new(rabin: Rabin) -> Self {
        let space = rabin.word(b" ");
        Self { rabin, space, hash: 0, words: [0; WORDS], bytes: [0; WORDS], count: 0, ends_with_digit: false }
    }

    #[inline]
    fn push(&mut self, word: u64, form: Form) {
        if self.ends_with_digit && form.begins_with_digit {
            self.add(self.space, 1);
        }
        self.add(word, form.bytes);
        self.ends_with_digit = form.ends_with_digit;
    }

    #[inline]
    fn add(&mut self, word: u64, bytes: usize) {
        let mut left = bytes;
        while left > MAX_BYTES {
            self.add(0, MAX_BYTES);
            left -= MAX_BYTES;
        }
        if self.count == WORDS {
            self.join();
        }
        (self.words[self.count], self.bytes[self.count]) = (word, left as u8);
        self.count += 1;
    }

    #[inline(never)]
    fn join(&mut self) {
        self.hash = self.rabin.joined(self.hash, &self.words[..self.count], &self.bytes[..self.count]);
        self.count = 0;
    }

    /// Adds signs between words that carry meaning.
    fn sign(&mut self, signs: u64) {
        self.add(signs, 8);
        self.ends_with_digit = false;
    }

    /// The hash of all letters.
    pub(super) fn finish(mut self) -> u64 {
        self.join();
        self.hash
    }
}

/// Word and term hashes on their way to simhash, minima and shingles.
pub(super) struct Sums<'a> {
    pub(super) judged_by: Shingles,
    pub(super) terms: &'a mut Grams,
    pub(super) words: &'a mut Grams,
    pub(super) letters: Letters,
    /// Words that are read in another script, each with its number and its hash as written.
    pub(super) written: Vec<(usize, u64)>,
    /// The number of words before each break.
    pub(super) breaks: Vec<usize>,
    /// Signs that carry meaning, with the number of the word that they belong to.
    pub(super) signs: Vec<(usize, u64)>,
    /// The number of words before the last end of a sentence.
    pub(super) sentence: usize,
    /// `None` if no simhash is made.
    pub(super) simhash: Option<simhash::Accumulator>,
    pub(super) minima: &'a mut minhash::Accumulator,
    pub(super) kept: Option<JudgeInput<'a>>,
    pub(super) ngrams: usize,
    pub(super) shingles: usize,
    pub(super) sorter: &'a mut Sorter,
    pub(super) times: &'a mut Times,
}

impl Sink for Sums<'_> {
    #[inline]
    fn word(&mut self, hash: u64, form: Form) {
        self.letters.push(hash, form);
        if self.words.push(hash) {
            self.sum(Shingles::Words, Grams::full);
        }
    }

    fn converted(&mut self, hash: u64, written: u64, form: Form) {
        let before = self.words.len();
        if before < KEPT_WORDS && self.kept.is_some() {
            self.written.push((before, written));
        }
        self.letters.push(written, form);
        if self.words.push(hash) {
            self.sum(Shingles::Words, Grams::full);
        }
    }

    #[inline]
    fn term(&mut self, hash: u64) {
        if self.terms.push(hash) {
            self.sum(Shingles::Terms, Grams::full);
        }
    }

    #[inline]
    fn ends(&mut self, found: End) {
        let before = self.words.len();
        if found.signs != 0 {
            self.letters.sign(found.signs);
            if before < KEPT_WORDS && self.kept.is_some() {
                self.signs.extend(found.of_words(before));
            }
        }
        if found.sentence {
            self.sentence = before;
        }
        if (found.sentence || found.line) && (1..=KEPT_WORDS).contains(&before) && self.kept.is_some() {
            self.breaks.push(before);
        }
    }
}

impl Sums<'_> {
    pub(super) fn finish(&mut self) {
        // A text that ends without the end of a sentence may be cut off.
        let (all, is_cut_off) = (self.words.len(), self.sentence < self.words.len());
        self.sum(Shingles::Words, Grams::rest);
        if let Some(kept) = &mut self.kept {
            for (word, hash) in self.written.drain(..) {
                kept.words[word] = kept_word(hash);
            }
            // Signs that carry meaning make the word beside them another; behind the last word there is none.
            for (word, signs) in self.signs.drain(..).filter(|_| all > 0) {
                let word = &mut kept.words[word.min(all - 1)];
                *word = with_signs(*word, signs);
            }
            for end in self.breaks.drain(..).filter(|&end| end < all || !is_cut_off) {
                kept.words[end - 1] |= BREAK;
            }
        }
        if self.simhash.is_some() {
            self.sum(Shingles::Terms, Grams::rest);
        }
    }

    /// Passes a block of n-grams of words or of terms to the later stages.
    fn sum(&mut self, of: Shingles, take: for<'g> fn(&'g mut Grams) -> &'g [u64]) {
        let Self { judged_by, terms, words, simhash, minima, kept, ngrams, shingles, sorter, times, .. } = self;
        let start = clock::now();
        if let (Shingles::Words, Some(kept)) = (of, &mut *kept) {
            let left = KEPT_WORDS - kept.words.len();
            if kept.words.is_empty() {
                kept.hashes.extend(words.fresh());
            }
            kept.words.extend(words.fresh().iter().take(left).map(|&hash| kept_word(hash)));
        }
        let block = take(if of == Shingles::Words { words } else { terms });
        let combined = clock::now();
        times.ngrams += clock::between(start, combined);
        if of == Shingles::Terms {
            *ngrams += block.len();
            if let Some(simhash) = simhash {
                simhash.extend(block);
            }
            times.simhash += clock::since(combined);
        }
        if of == *judged_by {
            *shingles += block.len();
            let start = clock::now();
            minima.extend(block);
            let sketched = clock::now();
            times.minhash += clock::between(start, sketched);
            if let Some(kept) = kept {
                // Most texts have one block, whose set is then sorted already.
                kept.shingles.extend(if *shingles == block.len() { sorter.sort(block) } else { block });
                times.shingles += clock::since(sketched);
            }
        }
    }
}

/// Another word for one with signs beside it; in another order, or with some of them twice, it is another again.
fn with_signs(word: u32, signs: u64) -> u32 {
    (word ^ (signs >> 32) as u32).wrapping_mul(0x9E37_79B1) & !BREAK
}

/// The part of a word's hash that is kept.
fn kept_word(hash: u64) -> u32 {
    (hash >> 32) as u32 & !BREAK
}
