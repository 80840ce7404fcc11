//! One text through the pipeline with every intermediate result kept.
//!
//! This is the plain path: each stage by its specification, none remembered,
//! sliced or vectorised. The tests hold the fast path against it.

use std::ops::Range;

use crate::sketch::rabin::Rabin;
use crate::sketch::{minhash, simhash};
use crate::text::{Analyser, Detection, Token};

use super::{Options, detect};

/// Every stage's result for one text.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// How the language was found.
    pub detection: Detection,
    /// The words and what became of each.
    pub tokens: Vec<Token>,
    /// The n-grams with their features, size by size, each from front to back.
    pub ngrams: Vec<Ngram>,
    /// The signed sums, most significant bit first.
    pub sums: [i64; 64],
    /// The simhash; `None` if there are no terms.
    pub simhash: Option<u64>,
    /// The minima of the sketch; empty if there are no terms.
    pub minima: Vec<Minimum>,
}

/// A run of consecutive terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ngram {
    /// Which terms, counted from 0.
    pub terms: Range<usize>,
    /// Its 64-bit Rabin fingerprint.
    pub feature: u64,
}

/// One sketch and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Minimum {
    /// The least hash.
    pub minimum: u32,
    /// The first n-gram that has it, counted from 0.
    pub ngram: usize,
}

impl Explanation {
    /// The terms, in order.
    pub fn terms(&self) -> Vec<&str> {
        self.tokens.iter().filter_map(|token| token.term.as_deref()).collect()
    }
}

/// Takes a text through every stage, slowly and in full.
pub fn explain(text: &str, options: &Options) -> Explanation {
    let detection = detect(text, options.text.language);
    let tokens = Analyser::new(detection.language, &options.text).tokens(text);
    let rabin = Rabin::portable();
    let hashes: Vec<u64> =
        tokens.iter().filter_map(|token| token.term.as_ref()).map(|term| rabin.word(term.as_bytes())).collect();
    let ngrams: Vec<Ngram> = options
        .ngrams
        .windows(hashes.len())
        .map(|terms| {
            let mut feature = Vec::new();
            rabin.ngrams(&hashes[terms.clone()], terms.len(), &mut feature);
            Ngram { terms, feature: feature[0] }
        })
        .collect();
    let features: Vec<u64> = ngrams.iter().map(|ngram| ngram.feature).collect();
    let sums = simhash::sums(&features);
    Explanation {
        detection,
        simhash: (!features.is_empty()).then(|| simhash::from_sums(&sums)),
        minima: minima(&features, options.sketches),
        sums,
        tokens,
        ngrams,
    }
}

fn minima(features: &[u64], sketches: usize) -> Vec<Minimum> {
    // Each feature's own sketch is its hashes; the least of a column is the minimum.
    let mut minima: Vec<Minimum> = Vec::new();
    for (ngram, &feature) in features.iter().enumerate() {
        let hashes = minhash::plain(&[feature], sketches);
        if minima.is_empty() {
            minima = hashes.into_iter().map(|minimum| Minimum { minimum, ngram }).collect();
            continue;
        }
        for (least, minimum) in minima.iter_mut().zip(hashes) {
            if minimum < least.minimum {
                *least = Minimum { minimum, ngram };
            }
        }
    }
    minima
}
