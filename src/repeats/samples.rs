//! Hashes of runs of words, and the samples that every long run has.
//!
//! The hash of a run is a polynomial of its words modulo 2^61 − 1 (Karp and Rabin), taken from those of the text's
//! beginnings, so that a run of any length costs two multiplications.
//!
//! A text is read in pieces, which overlap by the words of a window less one: equal runs have equal hashes in all of them.
//!
//! A sample is the n-gram whose hash is the least of all in a window of words (the last of equal ones). Equal windows have
//! equal samples, so texts that share a window share a sample (winnowing: Schleimer, Wilkerson and Aiken 2003). An n-gram
//! has half the words of a window, so that 1 in 13 n-grams of a text is a sample if a window has 50 words.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::text::plain_words::Word;
use crate::text::word_hash::mixed;

/// 2^61 − 1, a prime.
const MODULUS: u64 = (1 << 61) - 1;

/// Two numbers without a pattern.
const BASES: [u64; 2] = [0x1A3B_97F1_55C2_D08D, 0x0C94_6E3A_2B71_F5A7];

fn multiply(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    reduce((product as u64 & MODULUS) + (product >> 61) as u64)
}

fn reduce(sum: u64) -> u64 {
    let sum = (sum & MODULUS) + (sum >> 61);
    if sum >= MODULUS { sum - MODULUS } else { sum }
}

/// The hashes of all runs of some words of one base.
#[derive(Debug)]
struct Prefixes {
    base: u64,
    sums: Vec<u64>,
}

impl Prefixes {
    fn read(&mut self, words: &[Word]) {
        self.sums.clear();
        self.sums.push(0);
        let mut sum = 0;
        self.sums.extend(words.iter().map(|word| {
            sum = reduce(multiply(sum, self.base) + reduce(word.hash));
            sum
        }));
    }

    /// The hash of the `n` words at a place, given the base to the power of `n`.
    fn hash(&self, at: usize, n: usize, power: u64) -> u64 {
        reduce(self.sums[at + n] + MODULUS - multiply(self.sums[at], power))
    }
}

/// Finds the samples and windows of texts, on one thread.
#[derive(Debug)]
pub(super) struct Sampler {
    /// Number of words of a window.
    window: usize,
    prefixes: [Prefixes; 2],
    /// Each base to the power of the window's words.
    powers: [u64; 2],
    /// The first base to the power of an n-gram's words.
    power: u64,
    grams: Vec<u64>,
    /// The n-grams of a window that may be the least of a later one: each less than all behind it.
    least: Vec<u32>,
}

impl Sampler {
    pub(super) fn new(window: usize) -> Self {
        let power = |base: u64, n: usize| (0..n).fold(1, |power, _| multiply(power, base));
        Self {
            window,
            prefixes: BASES.map(|base| Prefixes { base, sums: Vec::new() }),
            powers: BASES.map(|base| power(base, window)),
            power: power(BASES[0], window / 2),
            grams: Vec::new(),
            least: Vec::new(),
        }
    }

    /// Number of words of a window.
    pub(super) fn window(&self) -> usize {
        self.window
    }

    /// Calls `each` with the place and the hash of the sample of every window.
    pub(super) fn samples(&mut self, words: &[Word], mut each: impl FnMut(u32, u64)) {
        self.prefixes[0].read(words);
        self.each_window(words.len(), |_, sample, hash| each(sample, hash));
    }

    /// Calls `each` with the place and the hash of every window whose sample `is_wanted`.
    pub(super) fn windows(
        &mut self,
        words: &[Word],
        is_wanted: impl Fn(u64) -> bool,
        mut each: impl FnMut(u32, [u64; 2]),
    ) {
        self.prefixes[0].read(words);
        let mut last = (u32::MAX, false);
        let mut wanted: Vec<u32> = Vec::new();
        self.each_window(words.len(), |at, sample, hash| {
            if last.0 != sample {
                last = (sample, is_wanted(hash));
            }
            if last.1 {
                wanted.push(at);
            }
        });
        if wanted.is_empty() {
            return;
        }
        self.prefixes[1].read(words);
        for at in wanted {
            let hash = |i: usize| self.prefixes[i].hash(at as usize, self.window, self.powers[i]);
            each(at, [hash(0), hash(1)]);
        }
    }

    /// Calls `each` with the place of every window, and the place and the hash of its sample.
    fn each_window(&mut self, words: usize, mut each: impl FnMut(u32, u32, u64)) {
        let n = self.window / 2;
        if words < self.window {
            return;
        }
        let hash = |at| self.prefixes[0].hash(at, n, self.power);
        self.grams.clear();
        self.grams.extend((0..=words - n).map(hash));
        self.least.clear();
        let (mut head, grams_of_window) = (0, self.window - n + 1);
        for (at, &gram) in self.grams.iter().enumerate() {
            while self.least.len() > head && self.least.last().is_some_and(|&last| self.grams[last as usize] >= gram) {
                self.least.pop();
            }
            self.least.push(at as u32);
            let Some(window) = (at + 1).checked_sub(grams_of_window) else { continue };
            if (self.least[head] as usize) < window {
                head += 1;
            }
            let sample = self.least[head];
            each(window as u32, sample, self.grams[sample as usize]);
        }
    }
}

/// Tells which hashes have been seen twice, and a few others besides: a Bloom filter of the hashes that were seen, and in
/// the same bits one of those that were seen again.
///
/// A hash has its bits of the first filter in one number, so that one operation sets and tests them: of two threads that
/// note it at once, one finds it seen. Its bits of the second are in the number beside, which is in the same cache line.
///
/// Cost: memory for some bits a hash. Of hashes seen once, where one in seven is seen twice, it tells 17 % at 4 bits a
/// hash, 4 % at 8, 1.8 % at 12, 1.1 % at 16 and .2 % at 54. Two counts of two bits a hash tell 40, 15, 8, 5 and .5 %.
///
/// Source: Bloom 1970, Space/time trade-offs in hash coding with allowable errors; Putze, Sanders and Singler 2009,
/// Cache-, hash- and space-efficient Bloom filters, which keep the bits of a hash together.
#[derive(Debug)]
pub(super) struct Twice {
    numbers: Box<[AtomicU64]>,
}

/// Bits of a hash in the filter of those seen; with three, more hashes are told below 8 bits a hash, and fewer above.
const SEEN: u32 = 2;

/// Bits of a hash in the filter of those seen again. They are few hashes, so that many bits each fill little.
const AGAIN: u32 = 5;

impl Twice {
    /// A table of `bytes` bytes, rounded down to pairs of numbers.
    pub(super) fn new(bytes: u64) -> Self {
        let pairs = (bytes / 16).max(1 << 6);
        Self { numbers: (0..2 * pairs).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Its size in bytes.
    pub(super) fn size(&self) -> u64 {
        self.numbers.len() as u64 * 8
    }

    /// The number that has the bits of a hash as seen, and these; the number with those as seen again, and these.
    fn places(&self, hash: u64) -> [(&AtomicU64, u64); 2] {
        let number = ((u128::from(mixed(hash, 1)) * self.numbers.len() as u128) >> 64) as usize;
        let bits = mixed(hash, 2);
        let mask = |from: u32, count: u32| (from..from + count).fold(0, |mask, at| mask | 1 << (bits >> (6 * at) & 63));
        [(&self.numbers[number], mask(0, SEEN)), (&self.numbers[number ^ 1], mask(SEEN, AGAIN))]
    }

    pub(super) fn note(&self, hash: u64) {
        let [(seen, mask), (again, other)] = self.places(hash);
        if seen.fetch_or(mask, Ordering::Relaxed) & mask == mask {
            again.fetch_or(other, Ordering::Relaxed);
        }
    }

    pub(super) fn is_twice(&self, hash: u64) -> bool {
        let [_, (again, mask)] = self.places(hash);
        again.load(Ordering::Relaxed) & mask == mask
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(hashes: &[u64]) -> Vec<Word> {
        hashes.iter().map(|&hash| Word { hash: mixed(hash, 7), start: 0 }).collect()
    }

    proptest! {
        /// The samples of windows are those of the plain rule, and equal windows have equal hashes.
        #[test]
        fn windows_have_the_least_ngram(hashes in prop::collection::vec(0u64..3, 0..60), window in 4usize..12) {
            let (n, words) = (window / 2, words(&hashes));
            let mut sampler = Sampler::new(window);
            let mut found = Vec::new();
            sampler.windows(&words, |_| true, |at, hash| found.push((at as usize, hash)));
            prop_assert_eq!(found.len(), (words.len() + 1).saturating_sub(window));
            for (a, x) in &found {
                for (b, y) in &found {
                    prop_assert_eq!(hashes[*a..a + window] == hashes[*b..b + window], x == y);
                }
            }
            let mut samples = Vec::new();
            sampler.samples(&words, |at, hash| samples.push((at as usize, hash)));
            let expected: Vec<(usize, u64)> = (0..found.len())
                .map(|at| {
                    let grams = (at..=at + window - n).map(|gram| (sampler.grams[gram], usize::MAX - gram));
                    let (hash, gram) = grams.min().unwrap();
                    (usize::MAX - gram, hash)
                })
                .collect();
            prop_assert_eq!(samples, expected);
        }

        /// None that was seen twice is missing; few others are told.
        #[test]
        fn what_was_seen_twice_is_told(hashes in prop::collection::vec(0u64..400, 0..300)) {
            let twice = Twice::new(1 << 16);
            for &hash in &hashes {
                twice.note(mixed(hash, 3));
            }
            let is_twice = |hash: u64| hashes.iter().filter(|&&other| other == hash).count() > 1;
            let told: Vec<u64> = (0..400).filter(|&hash| twice.is_twice(mixed(hash, 3))).collect();
            prop_assert!((0..400).filter(|&hash| is_twice(hash)).all(|hash| told.contains(&hash)));
            prop_assert!(told.iter().filter(|&&hash| !is_twice(hash)).count() < 10);
        }
    }

    #[test]
    fn a_full_table_tells_few_others() {
        // The share of hashes seen once that are told, in per mille, by the bits of the table for each hash.
        for (bits, most) in [(4, 180), (8, 42), (16, 12), (54, 3)] {
            let (once, all) = (100_000, 117_000);
            let twice = Twice::new(all * bits / 8);
            (0..all).chain(once..all).for_each(|hash| twice.note(mixed(hash, 3)));
            let told = (0..once).filter(|&hash| twice.is_twice(mixed(hash, 3))).count() as u64;
            assert!(told * 1000 < once * most, "{told} at {bits} bits");
        }
    }

    #[test]
    fn threads_that_note_a_hash_at_once_find_it() {
        for _ in 0..if cfg!(miri) { 2 } else { 500 } {
            let (twice, begin) = (Twice::new(1 << 14), std::sync::Barrier::new(2));
            let note = || {
                begin.wait();
                (0..100).for_each(|hash| twice.note(mixed(hash, 3)));
            };
            std::thread::scope(|scope| {
                scope.spawn(note);
                scope.spawn(note);
            });
            assert!((0..100).all(|hash| twice.is_twice(mixed(hash, 3))));
        }
    }
}
