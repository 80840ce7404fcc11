//! The probability that a passage is a copy.
//!
//! The score of a passage says how much likelier its words are in a copy than by chance. But two authors on one subject
//! do not choose their words by chance, so what tells a copy from an independent text is learned: a logistic model of
//! the [`FEATURES`] below, fitted to passages of labelled copies and to passages of texts on one title or one question,
//! none of which copies the other. `scripts/eval-screen fit` fits it, tests it on sets and languages that the fit did
//! not see, and prints the table of coefficients.
//!
//! The probability is that among as many copies as unrelated texts on one subject. Where copies are rare, as in most
//! folders, fewer of the passages with a probability of .9 are copies than nine in ten.
//!
//! Five features are few. With more of them (longest run, share of words in runs, rarer words in one order, lengths of the
//! texts, scores of other pieces) the fit is better on what it saw, and worse on languages that it did not see.
//!
//! Cost: that of the affinity of two texts, linear in their words.

use libm::{expf, log1pf, logf};

use super::chain::PIECE;
use super::pair::Pair;
use super::{Passage, topic};

/// Number of features.
pub const FEATURES: usize = 5;

/// The names of the features, in the order of the coefficients.
pub const NAMES: [&str; FEATURES] = [
    "logarithm of the score",
    "logarithm of the strongest piece's score",
    "logarithm of the affinity of the texts outside of passages",
    "logarithm of the length in words",
    "share of words kept",
];

/// The constant of the model, and the coefficient of each feature.
const MODEL: (f32, [f32; FEATURES]) = (-16.83, [1.39, 1.46, -2.66, 1.54, 2.40]);

/// Of so many pairs of unrelated texts on one subject, one has a passage of this probability or more: 819 pairs, judged by
/// fits that had seen neither their kind nor their language.
const UNRELATED: [(f32, u32); 5] = [(0.05, 15), (0.2, 30), (0.5, 90), (0.75, 270), (0.9, 800)];

/// Of how many pairs of unrelated texts on one subject one has a passage of this probability or more; `None` if it is too
/// low to be worth a look.
pub fn one_of_unrelated(probability: f32) -> Option<u32> {
    UNRELATED.iter().rfind(|(least, _)| probability >= *least).map(|&(_, pairs)| pairs)
}

/// The evidence that a passage is a copy: the values of the features.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Evidence(pub [f32; FEATURES]);

impl Evidence {
    /// Its probability: the logistic function of the weighted sum.
    fn probability(&self) -> f32 {
        self.logistic(MODEL)
    }

    /// The logistic function of the sum weighted by a model: its constant, and the coefficient of each feature.
    pub(crate) fn logistic(&self, (constant, coefficients): (f32, [f32; FEATURES])) -> f32 {
        let sum: f32 = self.0.iter().zip(coefficients).map(|(feature, coefficient)| feature * coefficient).sum();
        1.0 / (1.0 + expf(-constant - sum))
    }
}

/// Sets the evidence and the probability of the passages of a pair that have none yet.
pub(super) fn judge(pair: &Pair<'_>, passages: &mut [Passage]) {
    let is_new = |passage: &Passage| passage.evidence == Evidence::default();
    if !passages.iter().any(is_new) {
        return;
    }
    let affinity = topic::affinity(pair, passages.iter());
    // The model was fitted with scores counted in pieces.
    let nats = |score: f32| log1pf(score.max(0.0) / PIECE);
    for passage in passages.iter_mut().filter(|passage| is_new(passage)) {
        let [own_a, own_b] = pair.own_words(passage).map(|words| words as f32);
        passage.evidence = Evidence([
            nats(passage.score),
            nats(passage.best.min(passage.score)),
            logf(affinity.max(f32::MIN_POSITIVE)),
            log1pf(own_a.min(own_b)),
            pair.own_matched(passage).len() as f32 / own_a.max(own_b).max(1.0),
        ]);
        passage.probability = passage.evidence.probability();
    }
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::super::tests::words;
    use super::*;

    /// The probability of a passage of 60 words with this score, in texts of so many words of one subject each.
    fn of(score: f32, subject: u32) -> f32 {
        let text = |own: u32| -> Vec<u32> {
            let rest = (0..600).map(|word| if word % 20 < subject { word % 20 } else { own + word });
            (1_000_000..1_000_060).chain(rest).collect()
        };
        let (a, b) = (words(&text(1_000)), words(&text(9_000)));
        let matched = (0..60).step_by(2).map(|word| (word, word)).collect();
        let passage = Passage { a: 0..60, b: 0..60, score, best: score, matched, ..Passage::default() };
        let mut passages = vec![passage];
        judge(&Pair::new(&a, &b, Key::Stem), &mut passages);
        passages[0].probability
    }

    #[test]
    fn a_copy_scores_much_for_what_the_texts_share_anyway() {
        assert!(of(60.0, 2) > 0.9 && of(10.0, 2) < 0.3, "{} {}", of(60.0, 2), of(10.0, 2));
        assert!(of(40.0, 2) > of(40.0, 8) + 0.2, "{} {}", of(40.0, 2), of(40.0, 8));
    }

    #[test]
    fn a_more_probable_copy_is_rarer_among_unrelated_texts() {
        let of = [0.01, 0.05, 0.3, 0.5, 0.89, 1.0].map(one_of_unrelated);
        assert_eq!(of, [None, Some(15), Some(30), Some(90), Some(270), Some(800)]);
    }

    #[test]
    fn what_is_known_of_a_passage_stays() {
        let text = words(&(0..100).collect::<Vec<u32>>());
        let known = Passage { a: 0..50, b: 0..50, evidence: Evidence([1.0; FEATURES]), ..Passage::default() };
        let mut passages = vec![known.clone()];
        judge(&Pair::new(&text, &text, Key::Stem), &mut passages);
        assert_eq!(passages, [known]);
    }
}
