//! How much likelier a word is in a copy than by chance.
//!
//! In a copy a word is kept with a chance `kept`, else it is there by chance like any
//! other. By chance a word that makes up a share f of the texts stands among n others
//! with q = 1 − e^(−f·n). The natural logarithm of how the two compare is what a word
//! that has a counterpart speaks for a copy (`hit`), or one that has none against it
//! (`miss`). A word that is everywhere speaks for nothing; a rare one loudly.

/// How much a text tells about how common a word is, in words: in short texts every word
/// looks common.
const PRIOR: f32 = 500.0;

/// The share of words that a copy worth finding has kept.
pub(super) const KEPT: f32 = 0.5;

/// The share that a word makes up of two texts in which it stands so often; once it may
/// be there as a copy.
pub(super) fn frequency(places: usize, words: usize) -> f32 {
    (places as f32 - 1.0) / (words as f32 + PRIOR)
}

/// The chance that a word stands somewhere among `words` others.
pub(super) fn chance(frequency: f32, words: f32) -> f32 {
    (1.0 - (-frequency * words).exp()).clamp(1e-4, 0.9999)
}

/// What a word with a counterpart speaks for a copy, in nats.
pub(super) fn hit(kept: f32, chance: f32) -> f32 {
    ((kept + (1.0 - kept) * chance) / chance).ln()
}

/// What a word without one speaks against it (negative), when none could stand there by chance.
pub(super) fn absent(kept: f32) -> f32 {
    (1.0 - kept).ln()
}

/// The same when one could: less, up to nothing. That a common word has no
/// counterpart is a sign against a copy as well, so it is never more than a nat less.
pub(super) fn miss(kept: f32, chance: f32) -> f32 {
    absent(kept) + (-(1.0 - chance).ln()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_speaks_loudly_and_a_common_one_not() {
        let (rare, common) = (chance(0.0005, 48.0), chance(0.05, 48.0));
        assert!(hit(0.5, rare) > 2.5 && hit(0.5, common) < 0.1, "{} {}", hit(0.5, rare), hit(0.5, common));
        assert!(absent(0.5) < miss(0.5, rare) && miss(0.5, rare) < -0.6);
    }

    #[test]
    fn what_was_to_be_kept_is_missed_the_more() {
        assert!(absent(0.98) < absent(0.5) && absent(0.5) < absent(0.1));
        assert!(hit(0.98, 0.01) > hit(0.5, 0.01));
    }
}
