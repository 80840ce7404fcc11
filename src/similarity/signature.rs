//! Signatures: some bits of a document's shingles and words, by which most pairs are refused without reading either.
//!
//! A bit is set if a shingle, or a word, has it. What A has and B lacks is then at least as much as the bits that are set for A
//! and not for B, so |A ∩ B| is bounded from above, and no pair that a rule or a claim accepts is refused.
//!
//! A signature has two to four bits for each shingle, and half as many for words, in powers of two. The longer of two is
//! folded to the length of the shorter, which keeps the bound.
//!
//! Cost: linear to make, some 10 ns a pair; 32 to 400 bytes a document.

use std::cmp::Ordering as Order;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BREAK, FingerprintView, Rules};

/// Greatest number of 64 bits for shingles.
const MOST_BLOCKS: usize = 32;

/// Number of 64 bits for so many shingles.
fn blocks(shingles: usize) -> usize {
    (2 * shingles).next_power_of_two().div_ceil(64).clamp(2, MOST_BLOCKS)
}

/// The signatures of documents, each made when it is first asked for.
#[derive(Debug)]
pub(crate) struct Signatures {
    made: Vec<OnceLock<Box<[u64]>>>,
    /// Bytes for those that are not made yet.
    left: AtomicUsize,
}

impl Signatures {
    /// Memory in bytes for each document, without its signature.
    pub(crate) const OF_A_DOCUMENT: usize = size_of::<OnceLock<Box<[u64]>>>();

    /// None yet, of so many documents; they may take `bytes` in all.
    pub(crate) fn new(documents: usize, bytes: usize) -> Self {
        let made = std::iter::repeat_with(OnceLock::new).take(documents).collect();
        Self { made, left: AtomicUsize::new(bytes) }
    }

    /// The signature of a document; `None` if there is no memory for it.
    pub(crate) fn get<'v>(&self, document: u32, view: impl FnOnce() -> FingerprintView<'v>) -> Option<Signature<'_>> {
        let made = &self.made[document as usize];
        if made.get().is_none() {
            let view = view();
            // Two threads may make one at the same time, and count it twice.
            let bytes = size_of::<u64>() * Signature::size(&view);
            self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).ok()?;
            let _ = made.set(Signature::of(&view));
        }
        made.get().map(|signature| Signature(signature))
    }
}

/// The signature of a document: its length in words and its number of shingles, the bits of its words, then those of its
/// shingles, which are twice as many. Words come first, as most pairs are refused by the first of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signature<'a>(&'a [u64]);

impl<'a> Signature<'a> {
    /// Number of 64 bits of the signature of a document.
    fn size(view: &FingerprintView<'_>) -> usize {
        let blocks = blocks(view.shingles.len());
        1 + blocks + blocks / 2
    }

    fn of(view: &FingerprintView<'_>) -> Box<[u64]> {
        let blocks = blocks(view.shingles.len());
        let mut all = vec![0; Self::size(view)];
        all[0] = (view.length() << 32) | view.shingles.len() as u64;
        let (words, shingles) = all[1..].split_at_mut(blocks / 2);
        for &shingle in &*view.shingles {
            shingles[(shingle >> 6) as usize % blocks] |= 1 << (shingle & 63);
        }
        for &word in &*view.words {
            let word = word / (2 * BREAK);
            words[(word >> 6) as usize % (blocks / 2)] |= 1 << (word & 63);
        }
        all.into()
    }

    fn shingles(self) -> usize {
        self.0[0] as u32 as usize
    }

    fn length(self) -> u64 {
        self.0[0] >> 32
    }

    /// The bits of words, and of shingles.
    fn bits(self) -> (&'a [u64], &'a [u64]) {
        let bits = &self.0[1..];
        bits.split_at(bits.len() / 3)
    }

    /// False if the Jaccard coefficient of two documents is surely less than the rules need.
    pub(crate) fn may_be_similar(self, other: Self, rules: &Rules) -> bool {
        let Some(least) = rules.needed(self.length().min(other.length())) else { return false };
        let [a, b] = [self.shingles(), other.shingles()];
        let [only_a, only_b] = missing(self.bits().1, other.bits().1);
        let shared = (a - only_a.min(a)).min(b - only_b.min(b));
        shared > 0 && shared as f64 / (a + b - shared) as f64 >= least
    }

    /// False if a word of this document surely does not stand in the other.
    pub(crate) fn may_be_contained_in(self, other: Self) -> bool {
        has_all(other.bits().0, self.bits().0)
    }
}

/// True if every bit of B is set in A, the longer folded to the length of the shorter. Stops at the first that is not.
fn has_all(a: &[u64], b: &[u64]) -> bool {
    match a.len().cmp(&b.len()) {
        Order::Equal => a.iter().zip(b).all(|(a, b)| b & !a == 0),
        Order::Less => b.chunks(a.len()).all(|part| has_all(a, part)),
        Order::Greater => has_all(&folded(a, b.len())[..b.len()], b),
    }
}

/// The number of bits of A that B lacks, and of B that A lacks, both folded to the length of the shorter.
fn missing(a: &[u64], b: &[u64]) -> [usize; 2] {
    match a.len().cmp(&b.len()) {
        Order::Equal => missing_in_equal(a, b),
        Order::Less => missing_in_equal(a, &folded(b, a.len())),
        Order::Greater => missing_in_equal(&folded(a, b.len()), b),
    }
}

/// The same for as many bits; further ones are left out.
fn missing_in_equal(a: &[u64], b: &[u64]) -> [usize; 2] {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[target_feature(enable = "avx2,popcnt")]
        fn with_avx2(a: &[u64], b: &[u64]) -> [usize; 2] {
            missing_in_blocks(a, b)
        }
        #[expect(unsafe_code, reason = "the same loop, compiled for AVX2 and POPCNT")]
        // SAFETY: the processor has both, as checked above.
        return unsafe { with_avx2(a, b) };
    }
    missing_in_blocks(a, b)
}

/// The same, block by block; instructions that count bits make it faster.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for another processor too")]
fn missing_in_blocks(a: &[u64], b: &[u64]) -> [usize; 2] {
    let mut only = [0; 2];
    for (a, b) in a.iter().zip(b) {
        only[0] += (a & !b).count_ones();
        only[1] += (b & !a).count_ones();
    }
    only.map(|bits| bits as usize)
}

/// Bits folded to so many blocks.
fn folded(bits: &[u64], blocks: usize) -> [u64; MOST_BLOCKS] {
    let mut folded = [0; MOST_BLOCKS];
    for part in bits.chunks(blocks) {
        folded.iter_mut().zip(part).for_each(|(all, block)| *all |= block);
    }
    folded
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::similarity::{Overlap, is_contained};

    proptest! {
        #[test]
        fn no_pair_is_refused_that_is_accepted(
            words in [(0..2000usize), (0..300)].prop_flat_map(|lengths| lengths.map(|n| prop::collection::vec(0u32..2000, n))),
            shared in 0..2000usize,
            most in prop::sample::select(vec![20u32, 200, 2000]),
            similarity in 0.0..1.0f64,
            same_meaning in any::<bool>(),
        ) {
            // The second document has a part of the first in it.
            let mix = |x: u64| crate::sketch::minhash::mix(x);
            let [first, second] = words.map(|words| {
                let word = |word: u32| mix((word % most).into()) as u32 & !BREAK;
                words.into_iter().map(word).collect::<Vec<_>>()
            });
            let second = [&first[..shared.min(first.len())], &second].concat();
            let set = |words: &[u32]| {
                let mut set: Vec<u64> =
                    words.windows(3).map(|run| run.iter().fold(7, |hash, &word| mix(hash ^ u64::from(word)))).collect();
                set.sort_unstable();
                set.dedup();
                set
            };
            let sets = [&first, &second].map(|words| set(words));
            let [a, b] = [(&first, &sets[0]), (&second, &sets[1])]
                .map(|(words, shingles)| FingerprintView { words: words.into(), shingles: shingles.into(), ..FingerprintView::default() });
            let rules = Rules { max_distance: None, min_similarity: Some(similarity), same_meaning };
            let signatures = [&a, &b].map(Signature::of);
            let [x, y] = [0, 1].map(|side: usize| Signature(&signatures[side]));
            let least = rules.needed(a.length().min(b.length())).unwrap();
            prop_assert!(x.may_be_similar(y, &rules) || !Overlap::reaches(&a.shingles, &b.shingles, least));
            prop_assert_eq!(x.may_be_similar(y, &rules), y.may_be_similar(x, &rules));
            for (x, y, a, b) in [(x, y, &a, &b), (y, x, &b, &a)] {
                prop_assert!(x.may_be_contained_in(y) || !is_contained(&a.words, &b.words));
            }
        }
    }

    proptest! {
        /// The fast ways agree with the plain one: bits folded one by one, and counted.
        #[test]
        fn bits_are_missing_as_counted_one_by_one(
            [a, b] in prop::array::uniform2((0..6u32).prop_flat_map(|n| prop::collection::vec(any::<u64>(), 1 << n))),
            thin in 0..64u32,
            is_part in any::<bool>(),
        ) {
            // Few bits, so that all of one may be in the other.
            let thin = |bits: Vec<u64>| bits.into_iter().map(|block| block & block.rotate_left(thin)).collect::<Vec<_>>();
            let [mut a, b] = [a, b].map(thin);
            if is_part {
                a.iter_mut().zip(b.iter().cycle()).for_each(|(a, b)| *a &= b);
            }
            let bits = 64 * a.len().min(b.len());
            let set = |of: &[u64]| {
                let mut set = vec![false; bits];
                (0..64 * of.len()).filter(|&at| of[at / 64] >> (at % 64) & 1 == 1).for_each(|at| set[at % bits] = true);
                set
            };
            let [in_a, in_b] = [&a, &b].map(|bits| set(bits));
            let only = |a: &[bool], b: &[bool]| a.iter().zip(b).filter(|(a, b)| **a && !**b).count();
            let expected = [only(&in_a, &in_b), only(&in_b, &in_a)];
            prop_assert_eq!(missing(&a, &b), expected);
            prop_assert_eq!([has_all(&b, &a), has_all(&a, &b)], expected.map(|only| only == 0));
            let equal = a.len().min(b.len());
            prop_assert_eq!(missing_in_equal(&a[..equal], &b[..equal]), missing_in_blocks(&a[..equal], &b[..equal]));
        }
    }

    #[test]
    fn signatures_keep_to_their_memory() {
        let view =
            FingerprintView { shingles: vec![1, 2, 3].into(), words: vec![4].into(), ..FingerprintView::default() };
        let signatures = Signatures::new(3, 2 * 8 * 4);
        assert!([0, 1, 0, 1].into_iter().all(|document| signatures.get(document, || view.clone()).is_some()));
        assert!(signatures.get(2, || view).is_none());
    }

    #[test]
    fn strangers_are_refused() {
        let mix = |x: u64| crate::sketch::minhash::mix(x);
        for count in [40u64, 200, 500, 900] {
            let shingles = |of: u64| {
                let mut set: Vec<u64> = (0..count).map(|i| mix(if i < count / 4 { i } else { of << 32 | i })).collect();
                set.sort_unstable();
                set
            };
            let sets = [1, 2].map(shingles);
            let words = [3, 4].map(|of| {
                (0..count as u32).map(|i| (mix(of << 32 | u64::from(i)) as u32) & !BREAK).collect::<Vec<_>>()
            });
            let [a, b] = [0, 1].map(|i| FingerprintView {
                words: (&words[i]).into(),
                shingles: (&sets[i]).into(),
                ..FingerprintView::default()
            });
            let signatures = [&a, &b].map(Signature::of);
            let [x, y] = [0, 1].map(|side: usize| Signature(&signatures[side]));
            assert!(
                !x.may_be_similar(y, &Rules { max_distance: None, min_similarity: Some(0.5), same_meaning: false })
            );
            assert!(!x.may_be_contained_in(y));
            assert!(x.may_be_contained_in(x) && x.may_be_similar(x, &Rules::default()));
        }
    }
}
