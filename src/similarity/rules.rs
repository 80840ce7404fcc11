//! The rules by which two documents are near-duplicates.
//!
//! Listing uses a Hamming distance and a Jaccard coefficient. Removal uses Jaccard alone, and depends on the
//! length of the texts, because in a short text one word can be the meaning:
//!
//! - up to [`SHORT_TEXT`] words, two texts must be equal but for layout, case and closing punctuation;
//! - from [`LONG_TEXT`] words on, the Jaccard coefficient must reach the threshold;
//! - between the two, the required coefficient falls linearly ([`needed`]).
//!
//! The length of a text that repeats itself is limited by its number of distinct shingles. Two texts both stay
//! if one has a word throughout where the other has another, however alike they are (`substitution.rs`).
//! `docs/measured/removals.md` has the measurements.

use std::fmt;

/// Greatest length, in words, of a text that is removed only if an equal one stays.
pub const SHORT_TEXT: usize = 20;

/// Length, in words, from which a removal needs no more than the threshold of the Jaccard coefficient.
pub const LONG_TEXT: usize = 50;

/// Maximum number of words kept of a text, from its beginning: the length of a long book. Later words are not
/// tested for substitution.
pub const KEPT_WORDS: usize = 1 << 20;

/// The Jaccard coefficient that a removal needs, given a threshold and the words of the shorter text: 1 up to
/// [`SHORT_TEXT`] words, the threshold from [`LONG_TEXT`] on, and a straight line between.
pub fn needed(threshold: f64, words: u64) -> f64 {
    let (short, long) = (SHORT_TEXT as f64, LONG_TEXT as f64);
    let excess = ((long - words as f64) / (long - short)).clamp(0.0, 1.0);
    // The figure is shown, so rounding errors of the arithmetic are removed.
    ((threshold + (1.0 - threshold) * excess) * 1e9).round() / 1e9
}

/// The claim that the removal of a document makes, the narrowest first. Each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Removal {
    /// The removed text says nothing else than its survivor: equal words in equal order ([`Equality::Same`]).
    Same,
    /// Everything that it says is still there: it stands whole in its survivor (`contained.rs`).
    Contained,
    /// Most of it is still there: it is an edited copy by the [`Rules`].
    Edited,
}

impl Removal {
    /// All claims, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Same, Self::Contained, Self::Edited];

    /// The name of the claim, as in lists.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Contained => "contained",
            Self::Edited => "edited",
        }
    }
}

/// The reason why two documents are near-duplicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Their simhashes are close enough.
    Hamming,
    /// Their shingle sets overlap enough.
    Jaccard,
    /// Their texts are equal.
    Text,
    /// Their files are equal byte for byte.
    Bytes,
}

impl Rule {
    const ALL: [Self; 4] = [Self::Hamming, Self::Jaccard, Self::Text, Self::Bytes];

    /// The name of the rule, as in lists.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hamming => "hamming",
            Self::Jaccard => "jaccard",
            Self::Text => "text",
            Self::Bytes => "bytes",
        }
    }
}

/// The rules that hold for a pair; empty if the documents are not near-duplicates.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleSet([bool; Rule::ALL.len()]);

impl RuleSet {
    /// The only rule that can hold for files that are not texts.
    pub const BYTES: Self = Self([false, false, false, true]);

    /// True if no rule holds.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// True if a rule holds.
    pub fn contains(self, rule: Rule) -> bool {
        self.0[rule as usize]
    }

    /// These rules without `rule`.
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

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<const N: usize> PartialEq<[Rule; N]> for RuleSet {
    fn eq(&self, rules: &[Rule; N]) -> bool {
        self.iter().eq(rules.iter().copied())
    }
}

impl serde::Serialize for RuleSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// The thresholds by which a pair is judged; a rule whose threshold is `None` never holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rules {
    /// Greatest Hamming distance of near-duplicates, 0 to 64, included.
    pub max_distance: Option<u32>,
    /// Least Jaccard coefficient of near-duplicates, 0 to 1, included.
    pub min_similarity: Option<f64>,
    /// True if the Jaccard rule demands more than its threshold: short texts must be more alike ([`needed`]), and no word may
    /// replace another throughout. The Hamming rule demands its distance alone.
    pub same_meaning: bool,
}

impl Default for Rules {
    /// The default of listing: Hamming distance ≤ 3 or Jaccard ≥ 0.5.
    fn default() -> Self {
        Self { max_distance: Some(3), min_similarity: Some(0.5), same_meaning: false }
    }
}

/// The equality of two texts as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Equality {
    /// They differ, or their equality is unknown.
    #[default]
    None,
    /// They have the same words in the same order, aside from layout, case, hyphens and the spaces that divide words;
    /// short ones have the same signs too, except at their end.
    Same,
    /// They are equal; their files may differ, as those of a DOCX and its PDF do.
    Text,
    /// They are equal, and so are the bytes of their files, each of which is one document.
    Bytes,
}

/// The similarity of two documents; a figure is `None` if one document is empty or the data for it was not
/// made.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
pub struct Figures {
    /// Hamming distance of the simhashes, 0 to 64 bits.
    pub distance: Option<u32>,
    /// The share of equal MinHash sketches, 0 to 1.
    pub jaccard_estimate: Option<f64>,
    /// |A ∩ B| / |A ∪ B| of the shingles, 0 to 1.
    pub jaccard: Option<f64>,
    /// |A ∩ B| / |A|, 0 to 1.
    pub containment_a: Option<f64>,
    /// |A ∩ B| / |B|, 0 to 1.
    pub containment_b: Option<f64>,
    /// The equality of the texts as a whole.
    #[serde(skip)]
    pub equality: Equality,
    /// Length of the shorter text in words; repetition does not count.
    #[serde(skip)]
    pub words: u64,
    /// True if one text has a word throughout where the other has another, or one document carries other files.
    #[serde(skip)]
    pub substituted: bool,
    /// True if the texts were extracted from files of different formats, or may not be all that their files say.
    #[serde(skip)]
    pub other_format: bool,
}

/// Reads a share of [`Figures`].
pub type Share = fn(&Figures) -> Option<f64>;

impl Figures {
    /// The figures from 0 to 1, by their names in lists.
    pub const SHARES: [(&'static str, Share); 4] = [
        ("jaccard_estimate", |figures| figures.jaccard_estimate),
        ("jaccard", |figures| figures.jaccard),
        ("containment_a", |figures| figures.containment_a),
        ("containment_b", |figures| figures.containment_b),
    ];
}

impl Rules {
    /// Rules with these thresholds and no further demands.
    pub const fn of(max_distance: Option<u32>, min_similarity: Option<f64>) -> Self {
        Self { max_distance, min_similarity, same_meaning: false }
    }

    /// The rules of removal: Jaccard ≥ 0.7, more for short texts, and no word replaced by another throughout.
    pub fn removing() -> Self {
        Self { max_distance: None, min_similarity: Some(0.7), same_meaning: true }
    }

    /// The rules that hold for a pair with these figures.
    pub fn judge(&self, figures: &Figures) -> RuleSet {
        let hamming = figures.distance.zip(self.max_distance).is_some_and(|(d, max)| d <= max);
        let is_equal = || figures.equality >= Equality::Same;
        let reached = figures.jaccard.zip(self.needed(figures.words)).is_some_and(|(jaccard, least)| jaccard >= least);
        let jaccard = reached && self.says_the_same(figures.words, is_equal, || figures.substituted);
        RuleSet([hamming, jaccard, figures.equality >= Equality::Text, figures.equality == Equality::Bytes])
    }

    /// The Jaccard coefficient that two texts need if the shorter has `words` words; `None` if the Jaccard rule
    /// is off.
    pub fn needed(&self, words: u64) -> Option<f64> {
        self.min_similarity.map(|least| if self.same_meaning { needed(least, words) } else { least })
    }

    /// True if two texts whose Jaccard coefficient suffices fulfil the further demands. `is_equal` returns true if the
    /// texts are [the same](Equality::Same), `is_substituted` if one has a word throughout where the other has another;
    /// each is called only where it decides.
    pub fn says_the_same(
        &self,
        words: u64,
        is_equal: impl FnOnce() -> bool,
        is_substituted: impl FnOnce() -> bool,
    ) -> bool {
        !self.same_meaning || is_equal() || words > SHORT_TEXT as u64 && !is_substituted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIGURES: Figures = Figures {
        distance: Some(3),
        jaccard_estimate: None,
        jaccard: Some(0.5),
        containment_a: None,
        containment_b: None,
        equality: Equality::None,
        words: 100,
        substituted: false,
        other_format: false,
    };

    #[test]
    fn bounds_are_included_and_absent_rules_are_not_asked() {
        assert_eq!(Rules::default().judge(&FIGURES), [Rule::Hamming, Rule::Jaccard]);
        let strict = Rules::of(Some(2), Some(0.51));
        let equal = |equality| Figures { equality, ..FIGURES };
        assert_eq!(strict.judge(&equal(Equality::Text)), [Rule::Text]);
        assert_eq!(strict.judge(&equal(Equality::Bytes)), [Rule::Text, Rule::Bytes]);
        assert_eq!(RuleSet::BYTES, [Rule::Bytes]);
        let none = Rules { max_distance: None, min_similarity: None, same_meaning: true };
        assert_eq!(none.judge(&FIGURES), []);
    }

    #[test]
    fn a_removal_needs_more_of_short_texts() {
        for (words, expected) in [(1, 1.0), (20, 1.0), (35, 0.85), (50, 0.7), (10_000, 0.7)] {
            assert!((needed(0.7, words) - expected).abs() < 1e-12, "{words}");
        }
        let holds = |jaccard, words, equality| {
            let figures = Figures { jaccard: Some(jaccard), words, equality, ..FIGURES };
            Rules::removing().judge(&figures) == [Rule::Jaccard]
        };
        assert!(holds(0.7, 50, Equality::None) && !holds(0.69, 50, Equality::None));
        assert!(holds(0.86, 35, Equality::None) && !holds(0.84, 35, Equality::None));
        // Equal shingles are not enough: signs may differ.
        assert!(holds(1.0, 20, Equality::Same) && !holds(1.0, 20, Equality::None));
        let other = Figures { jaccard: Some(0.9), substituted: true, ..FIGURES };
        assert_eq!(Rules::removing().judge(&other), []);
        assert_eq!(Rules::removing().judge(&Figures { equality: Equality::Same, ..other }), [Rule::Jaccard]);
        assert_eq!(Rules::of(None, Some(0.7)).judge(&other), [Rule::Jaccard]);
    }
}
