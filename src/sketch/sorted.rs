//! Fingerprints in ascending order, by their uniform distribution.
//!
//! The highest bits of a fingerprint tell nearly where it stands, so fingerprints are dealt into more ranges than there
//! are fingerprints, and few then stand beside their place. Where they crowd into few ranges, as no
//! fingerprints of real texts do, they are sorted by comparisons.
//!
//! Cost: 3 ns a fingerprint; a sort by comparisons takes three times as long for a page of text.

/// Number of fingerprints below which a sort by comparisons takes no longer.
const FEW: usize = 24;

/// Maximum number of fingerprints that are dealt: the ranges of more would not fit the cache.
const MANY: usize = 1 << 13;

/// Maximum number of fingerprints in a range. Each may have to pass all others of its range, and a sort by comparisons
/// is then faster; of a page of uniform fingerprints, no range has as many.
const CROWD: u32 = 24;

/// Sorts one list of fingerprints after another.
#[derive(Debug, Default)]
pub struct Sorter {
    /// The end of each range in the sorted list.
    ends: Vec<u32>,
    sorted: Vec<u64>,
}

impl Sorter {
    /// The fingerprints in ascending order, repeated ones as often as they occur.
    pub fn sort(&mut self, fingerprints: &[u64]) -> &[u64] {
        if (FEW..=MANY).contains(&fingerprints.len()) && self.deal(fingerprints) {
            insert_each(&mut self.sorted);
        } else {
            self.sorted.clear();
            self.sorted.extend_from_slice(fingerprints);
            self.sorted.sort_unstable();
        }
        &self.sorted
    }

    /// Brings each fingerprint into its range; false if one of the ranges is crowded.
    fn deal(&mut self, fingerprints: &[u64]) -> bool {
        let bits = fingerprints.len().ilog2() + 1;
        let range = |fingerprint: u64| (fingerprint >> (u64::BITS - bits)) as usize;
        self.ends.clear();
        self.ends.resize(1 << bits, 0);
        for &fingerprint in fingerprints {
            self.ends[range(fingerprint)] += 1;
        }
        let (mut end, mut most) = (0, 0);
        for count in &mut self.ends {
            most = most.max(*count);
            end += *count;
            *count = end;
        }
        if most > CROWD {
            return false;
        }
        self.sorted.resize(fingerprints.len(), 0);
        for &fingerprint in fingerprints {
            let end = &mut self.ends[range(fingerprint)];
            *end -= 1;
            self.sorted[*end as usize] = fingerprint;
        }
        true
    }
}

/// Sorts a list in which each element is near its place.
fn insert_each(list: &mut [u64]) {
    for i in 1..list.len() {
        let element = list[i];
        let mut place = i;
        while place > 0 && list[place - 1] > element {
            list[place] = list[place - 1];
            place -= 1;
        }
        list[place] = element;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sketch::minhash::mix;

    proptest! {
        #[test]
        fn fingerprints_are_sorted(
            lists in prop::collection::vec(
                (prop::collection::vec(any::<u64>(), 0..300), 0usize..100, 0u32..64), 1..4),
        ) {
            let mut sorter = Sorter::default();
            for (mut list, repeats, shift) in lists {
                // Some are repeated, and some lists crowd at the lower end.
                list.extend_from_within(..repeats.min(list.len()));
                for fingerprint in &mut list {
                    *fingerprint >>= shift;
                }
                let mut expected = list.clone();
                expected.sort_unstable();
                prop_assert_eq!(sorter.sort(&list), expected);
            }
        }
    }

    #[test]
    fn crowds_and_long_lists_are_sorted() {
        let mut sorter = Sorter::default();
        for count in [0, 1, FEW - 1, FEW, 1000, MANY, MANY + 1] {
            for range in [1, 7, 300, u64::MAX] {
                let list: Vec<u64> = (0..count as u64).map(|i| mix(i) % range).collect();
                let mut expected = list.clone();
                expected.sort_unstable();
                assert_eq!(sorter.sort(&list), expected, "{count} below {range}");
            }
        }
    }
}
