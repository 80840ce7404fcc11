//! The conductor: a text becomes a fingerprint, two fingerprints a comparison.
//!
//! [`Fingerprinter::analyse`] takes one text through the stages:
//!
//! 1. **Language** ([`crate::text::detect`]): a sample decides, or the user.
//! 2. **Words** ([`crate::text::tokenise`], [`crate::text::normalise`], [`crate::text::stopwords`],
//!    [`crate::text::stem`]): each word becomes a term or is dropped.
//! 3. **Rabin** ([`crate::sketch::rabin`]): each term is hashed once; runs of term
//!    hashes ([`crate::text::ngrams`]) become features.
//! 4. **SimHash** ([`crate::sketch::simhash`]) and 5. **MinHash** ([`crate::sketch::minhash`]):
//!    features become a fingerprint.
//! 6. **Features** ([`crate::similarity`]): their set, for the judge.
//!
//! A fingerprinter is for one thread; make one a thread. It remembers what became
//! of each word that it saw (`memo`), so that a word costs a look-up, not a stage.
//! Terms pass in blocks of 4096: memory is constant but for the features,
//! 8 to 16 bytes a distinct n-gram.

pub mod authors;
pub mod beginnings;
pub mod bulk;
pub mod clean;
mod compare;
mod explain;
pub mod index;
mod memo;
mod recipe;
pub mod screen;
pub mod search;
pub mod store;

use std::collections::HashMap;
use std::time::{Duration, Instant};

pub use compare::{Comparison, compare};
pub use explain::{Explanation, Minimum, Ngram, explain};

use crate::error::{Error, Result};
use crate::similarity::{self, FeatureSet};
use crate::sketch::recipe::Recipe;
use crate::sketch::{minhash, rabin::Rabin, simhash};
use crate::text::{self, Analyser, Detection, Language, NgramRange};
use memo::Vocabulary;

/// The number of terms that pass the later stages together.
const BLOCK: usize = 4096;

// Each room states its own limit; they are one.
const _: () = assert!(text::ngrams::MAX_SIZE == crate::sketch::rabin::MAX_NGRAM);
const _: () = assert!(text::ngrams::MAX_SIZE < BLOCK);

/// What decides a fingerprint.
#[derive(Debug, Clone)]
pub struct Options {
    /// How texts become terms.
    pub text: text::Options,
    /// The sizes of n-grams.
    pub ngrams: NgramRange,
    /// The number of MinHash sketches, 1 to [`minhash::MAX_SKETCHES`].
    pub sketches: usize,
}

impl Default for Options {
    /// Each text in its own language, stop words dropped, stems, 3-grams, 25
    /// sketches.
    fn default() -> Self {
        Self { text: text::Options::default(), ngrams: NgramRange::default(), sketches: 25 }
    }
}

/// What is kept of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint {
    /// The id of the recipe that it was made by.
    pub recipe: u64,
    /// The simhash; `None` if the text has no terms: such a document is like none.
    pub simhash: Option<u64>,
    /// The MinHash minima; empty if the text has no terms.
    pub sketch: Vec<u32>,
    /// The first 128 bits of the text's BLAKE3 hash: equal for identical texts.
    pub digest: [u8; 16],
    /// The language that the text was read in.
    pub language: Language,
    /// The number of words.
    pub tokens: usize,
    /// The number of words that are not stop words.
    pub terms: usize,
    /// The number of n-grams, repeated ones counted as often as they occur.
    pub ngrams: usize,
}

/// A fingerprint with what is needed to judge exactly, and to explain.
#[derive(Debug, Clone)]
pub struct Analysis {
    /// What is kept.
    pub fingerprint: Fingerprint,
    /// The distinct n-grams.
    pub features: FeatureSet,
    /// How the language was found.
    pub detection: Detection,
}

/// The time that each stage has taken since the fingerprinter was made.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    /// Detecting the language.
    pub language: Duration,
    /// Finding words, dropping stop words, stemming and hashing.
    pub words: Duration,
    /// Combining term hashes to Rabin fingerprints of n-grams.
    pub ngrams: Duration,
    /// Summing the simhash.
    pub simhash: Duration,
    /// Keeping the minima of the sketches.
    pub minhash: Duration,
    /// Sorting the features into a set.
    pub features: Duration,
}

/// Makes fingerprints of one recipe.
#[derive(Debug)]
pub struct Fingerprinter {
    options: Options,
    recipe: Recipe,
    recipe_id: u64,
    rabin: Rabin,
    vocabularies: HashMap<Language, Vocabulary>,
    minima: minhash::Accumulator,
    hashes: Vec<u64>,
    block: Vec<u64>,
    times: Times,
}

impl Fingerprinter {
    /// A fingerprinter with these options.
    ///
    /// # Errors
    ///
    /// [`Error::Sketches`] if the number of sketches is 0 or too great.
    pub fn new(options: Options) -> Result<Self> {
        if !(1..=minhash::MAX_SKETCHES).contains(&options.sketches) {
            return Err(Error::Sketches { found: options.sketches, limit: minhash::MAX_SKETCHES });
        }
        let recipe = recipe::of(&options);
        Ok(Self {
            recipe_id: recipe.id(),
            recipe,
            rabin: Rabin::new(),
            vocabularies: HashMap::new(),
            minima: minhash::Accumulator::new(options.sketches),
            hashes: Vec::with_capacity(BLOCK),
            block: Vec::new(),
            times: Times::default(),
            options,
        })
    }

    /// The recipe of all fingerprints made here.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The time that each stage has taken so far.
    pub fn times(&self) -> Times {
        self.times
    }

    /// The fingerprint of a text.
    pub fn fingerprint(&mut self, text: &str) -> Fingerprint {
        let detection = self.detect(text);
        self.run(text, detection.language, None)
    }

    /// The fingerprint of a text with its feature set.
    pub fn analyse(&mut self, text: &str) -> Analysis {
        let detection = self.detect(text);
        self.analyse_as(text, detection, detection.language)
    }

    /// Two texts to be compared, read in one language.
    ///
    /// Two versions of one text can be taken for different languages, and the
    /// stems of one language have little in common with the bare words of another. So
    /// where the detected languages differ, both texts are read in the one that is
    /// known; if both are, in none (`und`).
    pub fn analyse_pair(&mut self, a: &str, b: &str) -> [Analysis; 2] {
        let detections = [a, b].map(|text| self.detect(text));
        let [x, y] = detections.map(|detection| detection.language);
        let language = match (x.is_determined(), y.is_determined()) {
            _ if x == y => x,
            (true, false) => x,
            (false, true) => y,
            _ => Language::UNDETERMINED,
        };
        let [x, y] = detections;
        [self.analyse_as(a, x, language), self.analyse_as(b, y, language)]
    }

    fn detect(&mut self, text: &str) -> Detection {
        let start = Instant::now();
        let detection = detect(text, self.options.text.language);
        self.times.language += start.elapsed();
        detection
    }

    fn analyse_as(&mut self, text: &str, detection: Detection, language: Language) -> Analysis {
        let mut features = FeatureSet::builder();
        let fingerprint = self.run(text, language, Some(&mut features));
        let start = Instant::now();
        let features = features.build();
        self.times.features += start.elapsed();
        Analysis { fingerprint, features, detection }
    }

    fn run(&mut self, text: &str, language: Language, features: Option<&mut similarity::Builder>) -> Fingerprint {
        let Self { options, recipe_id, rabin, vocabularies, minima, hashes, block, times, .. } = self;
        hashes.clear();
        let vocabulary = vocabularies
            .entry(language)
            .or_insert_with(|| Vocabulary::new(Analyser::new(language, &options.text), *rabin));
        minima.clear();
        let mut sums = Sums {
            ngrams: options.ngrams,
            rabin: *rabin,
            hashes,
            carried: 0,
            terms: 0,
            block,
            simhash: simhash::Accumulator::new(),
            minima,
            features,
            count: 0,
            times,
        };
        let start = Instant::now();
        let (later, tokens) = (sums.times.later(), vocabulary.terms(text, |hash| sums.push(hash)));
        sums.finish();
        let Sums { terms, count, simhash, minima, times, .. } = sums;
        // What the later stages took of the time since the start is theirs.
        times.words += start.elapsed().saturating_sub(times.later().saturating_sub(later));

        Fingerprint {
            recipe: *recipe_id,
            simhash: (count > 0).then(|| simhash.simhash()),
            sketch: if count > 0 { minima.sketch() } else { Vec::new() },
            digest: digest(text),
            language,
            tokens,
            terms,
            ngrams: count,
        }
    }
}

impl Times {
    /// The stages that come after words.
    fn later(&self) -> Duration {
        self.ngrams + self.simhash + self.minhash + self.features
    }
}

/// The language of a text, unless the user has named it.
fn detect(text: &str, named: Option<Language>) -> Detection {
    named.map_or_else(|| text::detect::detect(text), Detection::forced)
}

fn digest(text: &str) -> [u8; 16] {
    let hash = blake3::hash(text.as_bytes());
    *hash.as_bytes().first_chunk().expect("a BLAKE3 hash has 32 bytes")
}

/// Term hashes on their way to simhash, minima and features.
struct Sums<'a> {
    ngrams: NgramRange,
    rabin: Rabin,
    /// Term hashes: those carried over, whose n-grams reach into this block, and
    /// those of this block.
    hashes: &'a mut Vec<u64>,
    carried: usize,
    terms: usize,
    block: &'a mut Vec<u64>,
    simhash: simhash::Accumulator,
    minima: &'a mut minhash::Accumulator,
    features: Option<&'a mut similarity::Builder>,
    count: usize,
    times: &'a mut Times,
}

impl Sums<'_> {
    #[inline]
    fn push(&mut self, hash: u64) {
        self.hashes.push(hash);
        if self.hashes.len() == BLOCK {
            self.flush(self.ngrams.min()..=self.ngrams.max());
        }
    }

    fn finish(&mut self) {
        let terms = self.terms + self.hashes.len() - self.carried;
        self.flush(self.ngrams.sizes(terms));
    }

    /// Sums the n-grams of these sizes that end in this block.
    fn flush(&mut self, sizes: std::ops::RangeInclusive<usize>) {
        let start = Instant::now();
        self.block.clear();
        for n in sizes {
            let first = (self.carried + 1).saturating_sub(n);
            self.rabin.ngrams(&self.hashes[first..], n, self.block);
        }
        let combined = Instant::now();
        self.simhash.extend(self.block);
        let summed = Instant::now();
        self.minima.extend(self.block);
        self.times.ngrams += combined - start;
        self.times.simhash += summed - combined;
        self.times.minhash += summed.elapsed();

        self.count += self.block.len();
        if let Some(features) = &mut self.features {
            let start = Instant::now();
            features.extend(self.block);
            self.times.features += start.elapsed();
        }
        self.terms += self.hashes.len() - self.carried;
        self.carried = self.hashes.len().min(self.ngrams.max() - 1);
        self.hashes.drain(..self.hashes.len() - self.carried);
    }
}

#[cfg(test)]
mod tests;
