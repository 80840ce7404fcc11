//! The evidence of a word, and the probability that a passage is a translation.
//!
//! Of the words of translated passages a share has a counterpart near the place where the translation would have it, by
//! what is known of them: [`share_of`]. By chance a word has one as often as the keys of its counterparts occur there. The
//! logarithm of the ratio is the evidence of a word.
//!
//! Two texts on one subject have more counterparts than chance would give, so the probability is a logistic model of the
//! [`FEATURES`] below, as that of copies is, but among four times as many other passages: most places that are aligned
//! match by chance. `scripts/eval-screen fit-translated` fits it; `docs/translated.md` shows its calibration.

use libm::{expf, logf};

use crate::align::{Evidence, FEATURES};

/// The names of the features, in the order of the coefficients.
pub const NAMES: [&str; FEATURES] = [
    "logarithm of the lesser of the two texts' scores",
    "logarithm of the greater",
    "logarithm of the score of different words",
    "logarithm of the length in words",
    "share of words with a counterpart",
];

/// The constant of the model, and the coefficient of each feature.
const MODEL: (f32, [f32; FEATURES]) = (-25.21, [3.19, 2.10, 0.78, 0.78, 1.99]);

/// Score, in nats, that is added before a logarithm is taken.
const NATS: f32 = 8.0;

/// Maximum evidence of a word, in nats.
const MOST: f32 = 5.0;

/// The knowledge of a word's counterparts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    /// A lexicon has its stem.
    Known,
    /// It is a number.
    Number,
    /// Neither: only its letters tell.
    Unknown,
}

/// The share of the words of a translation that have a counterpart near the expected place.
pub(super) fn share_of(class: Asks) -> f32 {
    match class {
        Asks::Known => 0.55,
        Asks::Number => 0.7,
        Asks::Unknown => 0.25,
    }
}

/// The evidence of a word with a counterpart, if this many are expected by chance.
pub(super) fn log_odds(share: f32, expected: f32) -> f32 {
    logf(share / chance(expected)).clamp(0.0, MOST)
}

/// The evidence of a word without a counterpart.
pub(super) fn log_odds_of_none(share: f32, expected: f32) -> f32 {
    logf((1.0 - share) / (1.0 - chance(expected)).max(0.01)).min(0.0)
}

/// The chance of at least one, if this many are expected.
fn chance(expected: f32) -> f32 {
    1.0 - expf(-expected)
}

/// The features of a passage.
pub(super) fn evidence([a, b]: [f32; 2], different: f32, words: usize, matched: f32) -> Evidence {
    let ln = |score: f32| logf(score.max(0.0) + NATS);
    Evidence([ln(a.min(b)), ln(a.max(b)), ln(different), logf(words as f32), matched])
}

/// The probability of a passage with this evidence.
pub(super) fn probability(evidence: Evidence) -> f32 {
    evidence.logistic(MODEL)
}
