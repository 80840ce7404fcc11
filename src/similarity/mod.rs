//! The judge: exact Jaccard and containment of two shingle sets, and the rules of near-duplicates.
//!
//! Fingerprints propose candidates; this module decides. Sets are sorted lists, so that their intersection is
//! one merge.
//!
//! Cost: O(n log n) to make a set of n shingles, O(|A| + |B|) to compare two.
//!
//! Source: A. Z. Broder, *On the resemblance and containment of documents*, 1997.

mod contained;
mod diff;
mod fingerprint_view;
mod merge;
mod rules;
mod signature;
mod substitution;

use merge::shared_within;

pub use contained::BREAK;
pub(crate) use contained::is_contained;
pub use diff::{Difference, differences};
pub use fingerprint_view::{FingerprintView, UNSURE_FORMAT, equality_key, formats_agree};
pub use rules::{Equality, Figures, KEPT_WORDS, LONG_TEXT, Removal, Rule, RuleSet, Rules, SHORT_TEXT, Share, needed};
pub(crate) use signature::{Signature, Signatures};
pub(crate) use substitution::is_substituted;

/// The distinct shingles of one document, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShingleSet(Vec<u64>);

impl ShingleSet {
    /// The set of a list of shingles, which is sorted in place.
    pub fn new(mut shingles: Vec<u64>) -> Self {
        shingles.sort_unstable();
        shingles.dedup();
        Self(shingles)
    }

    /// A set to which shingles are added piece by piece.
    pub fn builder() -> Builder {
        Builder { shingles: Vec::new(), compact_at: COMPACT_FROM }
    }

    /// The number of distinct shingles.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if the set has no shingles.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The shingles, ascending.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Compares two sets exactly.
    pub fn compare(&self, other: &Self) -> Overlap {
        Overlap::of(&self.0, &other.0)
    }
}

/// Number of shingles below which repeats are dropped only at the end.
const COMPACT_FROM: usize = 1 << 20;

/// Builds a set of shingles that are added piece by piece.
///
/// Repeats are dropped whenever the list has doubled, so that memory follows the number of distinct shingles,
/// not the number of all.
#[derive(Debug)]
pub struct Builder {
    shingles: Vec<u64>,
    compact_at: usize,
}

impl Builder {
    /// Adds shingles, repeats included.
    pub fn extend(&mut self, shingles: &[u64]) {
        self.shingles.extend_from_slice(shingles);
        if self.shingles.len() >= self.compact_at {
            self.shingles.sort_unstable();
            self.shingles.dedup();
            self.compact_at = COMPACT_FROM.max(2 * self.shingles.len());
        }
    }

    /// The set of all that was added.
    pub fn build(self) -> ShingleSet {
        ShingleSet::new(self.shingles)
    }
}

/// The least number of common elements by which two sets of `all` elements together reach a Jaccard coefficient.
fn least_shared(all: usize, least: f64) -> usize {
    let reaches = |shared: usize| shared as f64 / (all - shared) as f64 >= least;
    // No more than half of them can be common; the coefficient itself decides, so that rounding changes nothing.
    let (mut low, mut high) = (0, all / 2 + 1);
    while low < high {
        let middle = low.midpoint(high);
        if reaches(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// The sizes of two shingle sets and of their intersection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// |A|
    pub a: usize,
    /// |B|
    pub b: usize,
    /// |A ∩ B|
    pub shared: usize,
}

impl Overlap {
    /// Compares two sets given as ascending lists without repeats, such as those of a mapped file.
    pub fn of(a: &[u64], b: &[u64]) -> Self {
        let shared = shared_within(a, b, [usize::MAX; 2]).unwrap_or_default();
        Self { a: a.len(), b: b.len(), shared }
    }

    /// True if the Jaccard coefficient of two such lists reaches `least`. The comparison ends as soon as too many elements
    /// of one list are missing in the other, which sizes alone may tell.
    ///
    /// Cost: O(|A| + |B|); of lists far below the threshold, the part of them that tells.
    pub fn reaches(a: &[u64], b: &[u64], least: f64) -> bool {
        if a.is_empty() || b.is_empty() {
            return false;
        }
        let needed = least_shared(a.len() + b.len(), least);
        let (Some(spare_a), Some(spare_b)) = (a.len().checked_sub(needed), b.len().checked_sub(needed)) else {
            return false;
        };
        // No more than these are missing if so many are in common, and the other way round.
        shared_within(a, b, [spare_a, spare_b]).is_some()
    }

    /// |A ∩ B| / |A ∪ B|, 0 to 1; `None` if a set is empty.
    pub fn jaccard(self) -> Option<f64> {
        self.share(self.a + self.b - self.shared)
    }

    /// |A ∩ B| / |A|: the share of A that is in B too; `None` if a set is empty.
    pub fn containment_a(self) -> Option<f64> {
        self.share(self.a)
    }

    /// |A ∩ B| / |B|: the share of B that is in A too; `None` if a set is empty.
    pub fn containment_b(self) -> Option<f64> {
        self.share(self.b)
    }

    /// `None` if a set is empty: an empty document has no figure, so that it meets no threshold.
    fn share(self, of: usize) -> Option<f64> {
        (self.a > 0 && self.b > 0).then(|| self.shared as f64 / of as f64)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(shingles: &[u64]) -> ShingleSet {
        ShingleSet::new(shingles.to_vec())
    }

    #[test]
    fn figures_of_a_small_pair() {
        let overlap = set(&[1, 2, 3, 3]).compare(&set(&[2, 3, 4, 5, 6]));
        assert_eq!(overlap, Overlap { a: 3, b: 5, shared: 2 });
        assert_eq!(overlap.jaccard(), Some(2.0 / 6.0));
        assert_eq!(overlap.containment_a(), Some(2.0 / 3.0));
        assert_eq!(overlap.containment_b(), Some(2.0 / 5.0));
    }

    #[test]
    fn an_empty_set_is_like_nothing_not_even_itself() {
        for overlap in [set(&[]).compare(&set(&[])), set(&[]).compare(&set(&[1]))] {
            assert_eq!((overlap.jaccard(), overlap.containment_a(), overlap.containment_b()), (None, None, None));
        }
    }

    #[test]
    fn repeats_take_no_memory() {
        let mut builder = ShingleSet::builder();
        let block: Vec<u64> = (0..4096).map(|i| i % 1000).collect();
        for _ in 0..2000 {
            builder.extend(&block);
        }
        assert!(builder.shingles.capacity() < 3 * COMPACT_FROM);
        assert_eq!(builder.build().as_slice(), (0..1000).collect::<Vec<u64>>());
    }

    proptest! {
        #[test]
        fn merging_equals_set_intersection(
            a in prop::collection::vec(0u64..50, 0..60),
            b in prop::collection::vec(0u64..50, 0..60),
        ) {
            let [x, y]: [BTreeSet<u64>; 2] = [a.iter().copied().collect(), b.iter().copied().collect()];
            let overlap = ShingleSet::new(a).compare(&ShingleSet::new(b));
            prop_assert_eq!(overlap, Overlap { a: x.len(), b: y.len(), shared: x.intersection(&y).count() });
        }

        #[test]
        fn a_comparison_that_ends_early_has_the_same_answer(
            a in prop::collection::vec(0u64..400, 0..300),
            own in prop::collection::vec(0u64..400, 0..60),
            cut in 0usize..100,
            least in prop_oneof![Just(0.0), Just(0.5), Just(0.7), Just(1.0), 0.0..=1.0],
        ) {
            let b = [&own[..], &a[..a.len().saturating_sub(cut)]].concat();
            let [a, b] = [a, b].map(ShingleSet::new);
            let plain = a.compare(&b).jaccard();
            let [a, b] = [a.as_slice(), b.as_slice()];
            prop_assert_eq!(Overlap::reaches(a, b, least), plain.is_some_and(|jaccard| jaccard >= least));
            // A coefficient that is just reached.
            if let Some(jaccard) = plain {
                prop_assert!(Overlap::reaches(a, b, jaccard));
                prop_assert!(!Overlap::reaches(a, b, jaccard.next_up()));
            }
        }
    }
}
