//! The judge: exact Jaccard and containment of two feature sets.
//!
//! Candidates come from fingerprints, verdicts from here. Sets are sorted lists,
//! so that their intersection is one merge.
//!
//! Cost: O(n log n) to make a set of n features, O(|A| + |B|) to compare two.
//!
//! Source: A. Z. Broder, *On the resemblance and containment of documents*, 1997.

use std::fmt;

/// The distinct features of one document, sorted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FeatureSet(Vec<u64>);

impl FeatureSet {
    /// The set of a list of features, which is sorted in place.
    pub fn new(mut features: Vec<u64>) -> Self {
        features.sort_unstable();
        features.dedup();
        Self(features)
    }

    /// A set to which features are added piece by piece.
    pub fn builder() -> Builder {
        Builder { features: Vec::new(), compact_at: COMPACT_FROM }
    }

    /// The number of distinct features.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no feature at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The features, ascending.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Compares two sets exactly.
    pub fn compare(&self, other: &Self) -> Overlap {
        Overlap::of(&self.0, &other.0)
    }
}

/// Lists of fewer features are not worth looking for repeats before their end.
const COMPACT_FROM: usize = 1 << 20;

/// Makes a set of features that come in pieces.
///
/// Repeats are dropped whenever the list has doubled, so that memory follows the
/// number of distinct features, not that of all.
#[derive(Debug)]
pub struct Builder {
    features: Vec<u64>,
    compact_at: usize,
}

impl Builder {
    /// Adds features, new ones and repeats.
    pub fn extend(&mut self, features: &[u64]) {
        self.features.extend_from_slice(features);
        if self.features.len() >= self.compact_at {
            self.features.sort_unstable();
            self.features.dedup();
            self.compact_at = COMPACT_FROM.max(2 * self.features.len());
        }
    }

    /// The set of all that was added.
    pub fn build(self) -> FeatureSet {
        FeatureSet::new(self.features)
    }
}

/// How many features two sorted lists without repeats have in common.
fn shared(mut a: &[u64], mut b: &[u64]) -> usize {
    let mut shared = 0;
    while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
        shared += usize::from(x == y);
        a = &a[usize::from(x <= y)..];
        b = &b[usize::from(y <= x)..];
    }
    shared
}

/// The sizes of two feature sets and of their intersection.
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
    /// Compares two sets that are ascending lists without repeats, such as those that
    /// lie in a mapped file.
    pub fn of(a: &[u64], b: &[u64]) -> Self {
        Self { a: a.len(), b: b.len(), shared: shared(a, b) }
    }

    /// The greatest Jaccard coefficient that sets of these sizes can have: the smaller
    /// inside the greater.
    pub fn greatest_jaccard(a: usize, b: usize) -> f64 {
        a.min(b) as f64 / a.max(b).max(1) as f64
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

    /// An empty document is like nothing, so it has no figure that a threshold
    /// could be held against.
    fn share(self, of: usize) -> Option<f64> {
        (self.a > 0 && self.b > 0).then(|| self.shared as f64 / of as f64)
    }
}

/// Why two documents are near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Their simhashes are close enough.
    Hamming,
    /// Their feature sets overlap enough.
    Jaccard,
    /// Their texts are byte for byte the same.
    Identical,
}

impl Rule {
    const ALL: [Self; 3] = [Self::Hamming, Self::Jaccard, Self::Identical];
}

/// The rules that hold for a pair; none: not near-duplicates.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Held([bool; Rule::ALL.len()]);

impl Held {
    /// Whether no rule holds.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Whether a rule holds.
    pub fn contains(self, rule: Rule) -> bool {
        self.0[rule as usize]
    }

    /// The same without one rule.
    #[must_use]
    pub fn without(mut self, rule: Rule) -> Self {
        self.0[rule as usize] = false;
        self
    }

    /// The rules that hold.
    pub fn iter(self) -> impl Iterator<Item = Rule> {
        Rule::ALL.into_iter().filter(move |rule| self.contains(*rule))
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<const N: usize> PartialEq<[Rule; N]> for Held {
    fn eq(&self, rules: &[Rule; N]) -> bool {
        self.iter().eq(rules.iter().copied())
    }
}

impl serde::Serialize for Held {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The thresholds by which a pair is judged; one that is `None` is not asked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// The greatest Hamming distance of near-duplicates, 0 to 64, included.
    pub max_distance: Option<u32>,
    /// The least Jaccard coefficient of near-duplicates, 0 to 1, included.
    pub min_similarity: Option<f64>,
}

impl Default for Rules {
    /// Hamming distance ≤ 3 or Jaccard ≥ 0.5.
    fn default() -> Self {
        Self { max_distance: Some(3), min_similarity: Some(0.5) }
    }
}

/// How alike two documents are; a figure is `None` where one of them is empty.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Figures {
    /// Hamming distance of the simhashes, 0 to 64 bits.
    pub distance: Option<u32>,
    /// The share of equal MinHash sketches, 0 to 1.
    pub jaccard_estimate: Option<f64>,
    /// |A ∩ B| / |A ∪ B| of the features, 0 to 1.
    pub jaccard: Option<f64>,
    /// |A ∩ B| / |A|, 0 to 1.
    pub containment_a: Option<f64>,
    /// |A ∩ B| / |B|, 0 to 1.
    pub containment_b: Option<f64>,
}

impl Rules {
    /// The rules that hold for a pair with these figures.
    pub fn judge(&self, figures: &Figures, identical: bool) -> Held {
        let hamming = figures.distance.zip(self.max_distance).is_some_and(|(d, max)| d <= max);
        let jaccard = figures.jaccard.zip(self.min_similarity).is_some_and(|(j, min)| j >= min);
        Held([hamming, jaccard, identical])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn set(features: &[u64]) -> FeatureSet {
        FeatureSet::new(features.to_vec())
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
    fn bounds_are_included_and_absent_rules_are_not_asked() {
        let figures = Figures {
            distance: Some(3),
            jaccard_estimate: None,
            jaccard: Some(0.5),
            containment_a: None,
            containment_b: None,
        };
        assert_eq!(Rules::default().judge(&figures, false), [Rule::Hamming, Rule::Jaccard]);
        let strict = Rules { max_distance: Some(2), min_similarity: Some(0.51) };
        assert_eq!(strict.judge(&figures, true), [Rule::Identical]);
        let none = Rules { max_distance: None, min_similarity: None };
        assert_eq!(none.judge(&figures, false), []);
    }

    #[test]
    fn repeats_take_no_memory() {
        let mut builder = FeatureSet::builder();
        let block: Vec<u64> = (0..4096).map(|i| i % 1000).collect();
        for _ in 0..2000 {
            builder.extend(&block);
        }
        assert!(builder.features.capacity() < 3 * COMPACT_FROM);
        assert_eq!(builder.build().as_slice(), (0..1000).collect::<Vec<u64>>());
    }

    proptest! {
        #[test]
        fn merging_equals_set_intersection(
            a in prop::collection::vec(0u64..50, 0..60),
            b in prop::collection::vec(0u64..50, 0..60),
        ) {
            let [x, y]: [BTreeSet<u64>; 2] = [a.iter().copied().collect(), b.iter().copied().collect()];
            let overlap = FeatureSet::new(a).compare(&FeatureSet::new(b));
            prop_assert_eq!(overlap, Overlap { a: x.len(), b: y.len(), shared: x.intersection(&y).count() });
        }
    }
}
