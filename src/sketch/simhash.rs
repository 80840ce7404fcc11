//! SimHash: 64 signed sums over the features, one bit each.
//!
//! Each occurrence of a feature adds +1 to the sum of each of its one bits, and −1 to the sum of each zero bit.
//! A sum above 0 gives a 1, a sum of 0 or less a 0. With c ones among n features a sum is 2c − n, so counting
//! ones is enough. [`Accumulator`] counts all 64 columns at once in bit-sliced counters (plane i holds bit i of
//! every count), sixteen features a step through a tree of carry-save adders. It ends with a bit-sliced
//! "count > n / 2".
//!
//! Cost: about five operations a feature, memory constant.
//!
//! Source: M. S. Charikar, *Similarity Estimation Techniques from Rounding Algorithms*, STOC 2002; G. S. Manku,
//! A. Jain and A. Das Sarma, *Detecting Near-Duplicates for Web Crawling*, WWW 2007.

/// Number of bit planes: they count up to 2^48 features, more than any text has.
const PLANES: usize = 48;

/// The signed sum of every bit, most significant bit first: the specification.
pub fn sums(features: &[u64]) -> [i64; 64] {
    let mut sums = [0; 64];
    for &feature in features {
        add(&mut sums, feature);
    }
    sums
}

/// Adds one feature's +1s and −1s to the sums, most significant bit first.
pub fn add(sums: &mut [i64; 64], feature: u64) {
    for (i, sum) in sums.iter_mut().enumerate() {
        *sum += if feature >> (63 - i) & 1 == 1 { 1 } else { -1 };
    }
}

/// One bit a sum, the first the most significant; a sum of 0 or less gives 0.
pub fn from_sums(sums: &[i64; 64]) -> u64 {
    sums.iter().fold(0, |bits, &sum| bits << 1 | u64::from(sum > 0))
}

/// The number of bits in which two simhashes differ, 0 to 64.
pub fn distance(a: u64, b: u64) -> u32 {
    (a ^ b).count_ones()
}

/// Sums features into a simhash, in any number of pieces.
#[derive(Debug, Clone)]
pub struct Accumulator {
    planes: [u64; PLANES],
    count: u64,
}

impl Accumulator {
    /// An empty accumulator; its simhash is 0.
    pub fn new() -> Self {
        Self { planes: [0; PLANES], count: 0 }
    }

    /// Adds features, each occurrence once.
    pub fn extend(&mut self, features: &[u64]) {
        self.count += features.len() as u64;
        let (sixteens, rest) = features.as_chunks::<16>();
        for sixteen in sixteens {
            let carry = self.add_sixteen(sixteen);
            self.ripple(4, carry);
        }
        for &feature in rest {
            self.ripple(0, feature);
        }
    }

    /// The simhash of all that was added.
    pub fn simhash(&self) -> u64 {
        // Counts are compared with ⌊n/2⌋ from the highest bit down: `above` are
        // the columns already known to be greater, `equal` those still level.
        let half = self.count / 2;
        let (mut above, mut equal) = (0, u64::MAX);
        for (i, &plane) in self.planes.iter().enumerate().rev() {
            if half >> i & 1 == 1 {
                equal &= plane;
            } else {
                above |= equal & plane;
                equal &= !plane;
            }
        }
        above
    }

    /// Adds sixteen features to the four lowest planes; returns the columns that
    /// carry into the fifth.
    #[inline]
    fn add_sixteen(&mut self, f: &[u64; 16]) -> u64 {
        let [ones, twos, fours, eights, ..] = &mut self.planes;
        let mut sixteens = [0; 2];
        for (half, carry) in f.as_chunks::<8>().0.iter().zip(&mut sixteens) {
            let mut eight = [0; 2];
            for (quarter, carry) in half.as_chunks::<4>().0.iter().zip(&mut eight) {
                let first = carry_save(ones, quarter[0], quarter[1]);
                let second = carry_save(ones, quarter[2], quarter[3]);
                *carry = carry_save(twos, first, second);
            }
            *carry = carry_save(fours, eight[0], eight[1]);
        }
        carry_save(eights, sixteens[0], sixteens[1])
    }

    /// Adds a 1 of weight 2^plane to every column in `carry`.
    #[inline]
    fn ripple(&mut self, plane: usize, mut carry: u64) {
        for plane in &mut self.planes[plane..] {
            if carry == 0 {
                break;
            }
            let next = *plane & carry;
            *plane ^= carry;
            carry = next;
        }
    }
}

impl Default for Accumulator {
    fn default() -> Self {
        Self::new()
    }
}

/// A full adder in every column: `plane` keeps the sum bit, the carry returns.
#[inline]
fn carry_save(plane: &mut u64, a: u64, b: u64) -> u64 {
    let half = a ^ b;
    let carry = (a & b) | (half & *plane);
    *plane ^= half;
    carry
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fast(features: &[u64]) -> u64 {
        let mut accumulator = Accumulator::new();
        accumulator.extend(features);
        accumulator.simhash()
    }

    fn plain(features: &[u64]) -> u64 {
        from_sums(&sums(features))
    }

    #[test]
    fn a_tie_gives_zero_and_one_feature_gives_itself() {
        assert_eq!(fast(&[0b1100, 0b1010]), 0b1000);
        assert_eq!(fast(&[0xdead_beef]), 0xdead_beef);
        assert_eq!(fast(&[]), 0);
    }

    #[test]
    fn the_charikar_documents_rule_holds_bit_by_bit() {
        let sums = sums(&[0b11, 0b01, 0b01]);
        assert_eq!(sums[62..], [-1, 3]);
        assert_eq!(from_sums(&sums), 0b01);
    }

    #[test]
    fn equal_features_in_great_number_stay_equal() {
        // Long carries: every column's count passes many powers of two.
        for n in [15, 16, 17, 255, 256, 4095, 4096, 70_000] {
            assert_eq!(fast(&vec![0xf0f0_1234_5678_9abc; n]), 0xf0f0_1234_5678_9abc, "{n}");
        }
    }

    proptest! {
        #[test]
        fn bit_sliced_equals_plain(features in prop::collection::vec(any::<u64>(), 0..600)) {
            prop_assert_eq!(fast(&features), plain(&features));
        }

        /// Few distinct values: sums far from 0, ties, and long runs.
        #[test]
        fn bit_sliced_equals_plain_on_repeats(
            values in prop::collection::vec(any::<u64>(), 1..4),
            picks in prop::collection::vec(0usize..4, 0..3000),
        ) {
            let features: Vec<u64> = picks.iter().map(|&i| values[i % values.len()]).collect();
            prop_assert_eq!(fast(&features), plain(&features));
        }

        #[test]
        fn pieces_do_not_matter(features in prop::collection::vec(any::<u64>(), 0..200), cut in 0usize..200) {
            let cut = cut.min(features.len());
            let mut accumulator = Accumulator::new();
            accumulator.extend(&features[..cut]);
            accumulator.extend(&features[cut..]);
            prop_assert_eq!(accumulator.simhash(), plain(&features));
        }
    }
}
