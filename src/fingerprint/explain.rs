//! One text through the pipeline, with every intermediate result kept.
//!
//! This is the plain path: each stage follows its specification, without caching, blocks or
//! vector code. The tests compare the fast path with it.

use std::ops::Range;

use super::fingerprinter::detect;
use super::{Options, Shingles};
use crate::sketch::rabin::Rabin;
use crate::sketch::{minhash, simhash};
use crate::text::one_script::InOneScript;
use crate::text::words::WordReader;
use crate::text::{Analyser, Detection, Token};

/// Every stage's result for one text.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The language and how it was found.
    pub detection: Detection,
    /// The words as written.
    pub words: Vec<Word>,
    /// The tokens of the language, each with its term.
    pub tokens: Vec<Token>,
    /// The parts that shingles are n-grams of: words or terms.
    pub shingles_of: Shingles,
    /// The shingles, by size, then in the order of the text.
    pub shingles: Vec<Ngram>,
    /// The n-grams of terms with their features, in the same order.
    pub ngrams: Vec<Ngram>,
    /// The signed sums of the features, most significant bit first.
    pub sums: [i64; 64],
    /// The simhash; `None` if there are no terms.
    pub simhash: Option<u64>,
    /// The minima of the sketch; empty if there are no shingles.
    pub minima: Vec<Minimum>,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The byte range of the word in the text as read.
    pub span: Range<usize>,
    /// The word in NFKC and lower case, in the script that the text is read in.
    pub form: String,
}

/// A run of consecutive words or terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ngram {
    /// The numbers of the words or terms, from 0.
    pub of: Range<usize>,
    /// Its 64-bit Rabin fingerprint.
    pub fingerprint: u64,
}

/// One minimum of the sketch and the shingle that gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Minimum {
    /// The least of the shingles' hashes.
    pub minimum: u32,
    /// The first shingle that has it, counted from 0.
    pub shingle: usize,
}

impl Explanation {
    /// The forms of the words, in order.
    pub fn forms(&self) -> Vec<&str> {
        self.words.iter().map(|word| word.form.as_str()).collect()
    }

    /// The terms, in order.
    pub fn terms(&self) -> Vec<&str> {
        self.tokens.iter().filter_map(|token| token.term.as_deref()).collect()
    }

    /// The words or terms that the shingles are n-grams of, in order.
    pub fn parts_of_shingles(&self) -> Vec<&str> {
        match self.shingles_of {
            Shingles::Words => self.forms(),
            Shingles::Terms => self.terms(),
        }
    }
}

/// Takes a text through every stage by the plain path, and keeps every result.
pub fn explain(text: &str, options: &Options) -> Explanation {
    let detection = detect(text, options);
    let (words, tokens) = words_and_tokens(text, &Analyser::new(detection.language, &options.text));
    let terms = tokens.iter().filter_map(|token| token.term.as_deref());
    let ngrams = ngrams(terms, options);
    let shingles = match options.shingles {
        Shingles::Words => self::ngrams(words.iter().map(|word| word.form.as_str()), options),
        Shingles::Terms => ngrams.clone(),
    };
    let features: Vec<u64> = ngrams.iter().map(|ngram| ngram.fingerprint).collect();
    let sums = simhash::sums(&features);
    Explanation {
        detection,
        words,
        tokens,
        shingles_of: options.shingles,
        minima: minima(&shingles, options.sketches),
        shingles,
        simhash: (!features.is_empty()).then(|| simhash::from_sums(&sums)),
        ngrams,
        sums,
    }
}

/// The words and the tokens of a text as it is read, with their spans in the original.
fn words_and_tokens(text: &str, analyser: &Analyser) -> (Vec<Word>, Vec<Token>) {
    let Some(read) = InOneScript::of(text) else { return (words(text), analyser.tokens(text)) };
    let (mut words, mut tokens) = (words(&read.text), analyser.tokens(&read.text));
    for span in words.iter_mut().map(|word| &mut word.span).chain(tokens.iter_mut().map(|token| &mut token.span)) {
        *span = read.original(span.clone());
    }
    (words, tokens)
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    WordReader::default().forms(text, |word, form| {
        if !form.is_empty() {
            words.push(Word { span: word.span, form: form.to_owned() });
        }
    });
    words
}

fn ngrams<'a>(parts: impl Iterator<Item = &'a str>, options: &Options) -> Vec<Ngram> {
    let rabin = Rabin::portable();
    let hashes: Vec<u64> = parts.map(|part| rabin.word(part.as_bytes())).collect();
    let ngram = |of: Range<usize>| {
        let mut fingerprint = Vec::new();
        rabin.ngrams(&hashes[of.clone()], of.len(), &mut fingerprint);
        Ngram { of, fingerprint: fingerprint[0] }
    };
    options.ngrams.windows(hashes.len()).map(ngram).collect()
}

fn minima(shingles: &[Ngram], sketches: usize) -> Vec<Minimum> {
    // The sketch of a single shingle is its hashes; each minimum is the least of a column.
    let mut minima: Vec<Minimum> = Vec::new();
    for (shingle, ngram) in shingles.iter().enumerate() {
        let hashes = minhash::plain(&[ngram.fingerprint], sketches);
        if minima.is_empty() {
            minima = hashes.into_iter().map(|minimum| Minimum { minimum, shingle }).collect();
            continue;
        }
        for (least, minimum) in minima.iter_mut().zip(hashes) {
            if minimum < least.minimum {
                *least = Minimum { minimum, shingle };
            }
        }
    }
    minima
}
