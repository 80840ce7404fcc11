//! First words of runs that their first two or three characters decide, as the dictionary has given them before.
//!
//! Each step into the dictionary waits for memory, and few pairs of characters begin most words. An answer is one
//! number together with its characters, so threads read and write the table without a lock. Its size is fixed, and a
//! new answer replaces an older one.
//!
//! Cost: 3 ns an answer; 256 KiB for the whole program.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of answers. Twice as many find 3 % more words of Chinese prose, but leave the text less room in the cache.
const COUNT: usize = 1 << 15;

/// The answers known so far.
static KNOWN: Answers<COUNT> = Answers::new();

/// The answers known so far.
pub(super) fn known() -> &'static Answers<COUNT> {
    &KNOWN
}

/// A table of `N` answers, a power of two greater than 1.
#[derive(Debug)]
pub(super) struct Answers<const N: usize>([AtomicU64; N]);

/// The first two or three characters of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start(u64);

/// The answer to the first characters of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answer {
    /// The length of the first word in bytes.
    Word(usize),
    /// The characters do not decide the word.
    Open,
}

/// The code of [`Answer::Open`], as no word of three characters is so long.
const OPEN: u64 = 0xffff;

impl Start {
    /// Two characters below U+10000, as those of all runs are.
    #[inline]
    pub(super) fn of_two(a: char, b: char) -> Self {
        Self(u64::from(a) << 48 | u64::from(b) << 32)
    }

    /// The same characters and the third of the run.
    #[inline]
    pub(super) fn and(self, c: char) -> Self {
        Self(self.0 | u64::from(c) << 16)
    }
}

impl<const N: usize> Answers<N> {
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; N])
    }

    /// The place of an answer: the upper bits of a product.
    #[inline]
    fn entry(&self, start: Start) -> &AtomicU64 {
        &self.0[(start.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - N.ilog2())) as usize]
    }

    /// The answer to these characters, if it is known.
    #[inline]
    pub(super) fn get(&self, start: Start) -> Option<Answer> {
        // The characters of an empty entry are 0, which no run has.
        let code = self.entry(start).load(Ordering::Relaxed) ^ start.0;
        match code {
            OPEN => Some(Answer::Open),
            0..OPEN => Some(Answer::Word(code as usize)),
            _ => None,
        }
    }

    pub(super) fn add(&self, start: Start, answer: Answer) {
        let code = match answer {
            Answer::Word(length) => length as u64,
            Answer::Open => OPEN,
        };
        self.entry(start).store(start.0 | code, Ordering::Relaxed);
    }
}
