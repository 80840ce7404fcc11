//! The log-likelihood ratio (nats) of "copied" against "by chance", word by word.
//!
//! In a copy a word is kept with probability `kept`; otherwise it is present by chance, like any other. By
//! chance, a word with the frequency f in both texts stands among n others with probability q = 1 − e^(−f·n). A
//! word with a counterpart scores the logarithm of the ratio (`hit`). One without a counterpart has a negative
//! score unless it is common (`absent`, `miss`). A word that stands everywhere scores next to nothing, a rare
//! one much.

use libm::{expf, logf};

/// Prior weight of the frequency estimate, in words: in short texts every word looks common. A first text of as many
/// words or less says too little about its subject and how common its words are.
pub(super) const SHORT: usize = 500;

/// The same where other documents have full weight, and words of these are added: the value that suited most
/// collections of Zhai and Lafferty.
const KNOWN: f32 = 2000.0;

/// Maximum factor by which other documents make a word more common than the two texts say. Where hundreds copy one text,
/// its words are frequent because of that, and the next copy must be found too.
const MOST_RAISED: f32 = 2.0;

/// The frequency of a word in other documents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Known {
    pub(super) frequency: f32,
    /// Weight of these documents, from 0 (there are none) to 1.
    pub(super) weight: f32,
}

impl Known {
    /// The number of words that are added to those of the texts, and the number of their places.
    fn prior(self) -> (f32, f32) {
        let prior = SHORT as f32;
        let words = prior + (KNOWN - prior) * self.weight;
        (words, words * self.frequency * self.weight)
    }
}

/// Share of words that a copy is assumed to keep, before it has been estimated.
pub(super) const KEPT: f32 = 0.5;

/// Frequency of a word that stands at `places` of two texts. One place is subtracted, as it may be the copy
/// itself. Words of other documents are added (Dirichlet smoothing).
pub(super) fn frequency(places: usize, words: usize, known: Known) -> f32 {
    let with = |(more, of_these): (f32, f32)| (places as f32 - 1.0 + of_these) / (words as f32 + more);
    with(known.prior()).min(MOST_RAISED * with(Known::default().prior()))
}

/// Minimum and maximum of the estimated share of words that a copy has kept.
pub(super) const KEPT_WITHIN: (f32, f32) = (0.4, 0.98);

/// Fewest places of a word in one text that [`frequency_apart`] assumes: a word that the rest of the text does not
/// contain is not impossible there.
const FEWEST: f32 = 0.1;

/// Frequency of a word in two texts on different subjects: the geometric mean of its frequencies in each. A word of
/// one text's subject is common there, but by chance would not stand in the other. One place of each text is
/// subtracted, as both may belong to the copy.
pub(super) fn frequency_apart(places: [usize; 2], words: [usize; 2], known: Known) -> f32 {
    let with = |(more, of_these): (f32, f32)| {
        let [a, b] =
            [0, 1].map(|text| ((places[text] as f32 - 1.0).max(FEWEST) + of_these) / (words[text] as f32 + more));
        (a * b).sqrt()
    };
    with(known.prior()).min(MOST_RAISED * with(Known::default().prior()))
}

/// Probability that a word stands by chance somewhere among `words` others.
pub(super) fn chance(frequency: f32, words: f32) -> f32 {
    (1.0 - expf(-frequency * words)).clamp(1e-4, 0.9999)
}

/// Score of a word with a counterpart, in nats.
pub(super) fn hit(kept: f32, chance: f32) -> f32 {
    logf((kept + (1.0 - kept) * chance) / chance)
}

/// Score of a word that the other text does not contain (negative), in nats.
pub(super) fn absent(kept: f32) -> f32 {
    logf(1.0 - kept)
}

/// Score of a word without a counterpart that the other text does contain elsewhere: [`absent`], raised by
/// −ln(1 − chance) but by at most 1 nat, as a missing common word is evidence against a copy too.
pub(super) fn miss(kept: f32, chance: f32) -> f32 {
    absent(kept) + (-logf(1.0 - chance)).min(1.0)
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
    fn a_word_of_one_text_only_is_rare_if_the_subjects_differ() {
        let words = [2000, 700];
        let (here, both) =
            (frequency_apart([1, 20], words, Known::default()), frequency_apart([20, 20], words, Known::default()));
        assert!(
            here < frequency(21, 2700, Known::default()) / 5.0 && both > frequency(40, 2700, Known::default()) / 1.5,
            "{here} {both}"
        );
        assert!(frequency_apart([1, 1], words, Known::default()) > 0.0);
    }

    #[test]
    fn what_was_to_be_kept_is_missed_the_more() {
        assert!(absent(0.98) < absent(0.5) && absent(0.5) < absent(0.1));
        assert!(hit(0.98, 0.01) > hit(0.5, 0.01));
    }
}
