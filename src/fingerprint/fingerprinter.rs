//! The fingerprint of a text.
//!
//! [`Fingerprinter::analyse`] takes one text through the stages:
//!
//! 1. **Language** ([`crate::text::detect`]): detected from a sample, or named by the user; skipped if no terms
//!    are needed ([`Options::simhash`]).
//! 2. **One script** ([`crate::text::one_script`]): traditional Chinese and Serbian Cyrillic are read in simplified
//!    characters and in Latin letters.
//! 3. **Words** ([`crate::text::words`]): tokens as written, each hashed once ([`crate::sketch::rabin`]).
//! 4. **Terms** ([`crate::text::normalise`], [`crate::text::stopwords`], [`crate::text::stem`]): each
//!    token becomes a term or is dropped; terms are hashed once, too.
//! 5. **n-grams**: runs of term hashes ([`crate::text::ngrams`]) become features, runs of word hashes shingles.
//! 6. **SimHash** ([`crate::sketch::simhash`]) of the features, and 7. **MinHash** ([`crate::sketch::minhash`]) of the shingles.
//! 8. **Shingles** ([`crate::similarity`]): their set, for the judge.
//!
//! A fingerprinter serves one thread; make one per thread. It remembers the hashes of the
//! words that it has seen (`memo`), so a known word costs one look-up. The stages take hashes in
//! blocks of 4096 (`grams`), so memory is constant except for the input of the judge: 8 to
//! 16 bytes per distinct shingle, and 4 bytes per word, up to 4 MiB of words.

mod sums;

use std::collections::HashMap;
use std::time::Duration;

use super::grams::Grams;
use super::memo::{Text, Vocabulary};
use super::recipe;
use crate::clock;
use crate::error::{Error, Result};
use crate::similarity::{BREAK, FingerprintView, SHORT_TEXT, ShingleSet};
use crate::sketch::recipe::Recipe;
use crate::sketch::{minhash, rabin::Rabin, simhash, sorted::Sorter};
use crate::text::code::is_mostly_code;
use crate::text::one_script::OneScript;
use crate::text::without_layout::{without_layout, without_line_ends};
use crate::text::{self, Analyser, Detection, Language, NgramRange, StopWords};
use sums::{JudgeInput, Letters, Sums};

/// The options that decide a fingerprint.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// The options by which texts become terms.
    pub text: text::Options,
    /// The sizes of n-grams.
    pub ngrams: NgramRange,
    /// The number of MinHash sketches, 1 to [`minhash::MAX_SKETCHES`].
    pub sketches: usize,
    /// True to make simhashes; shingles of terms imply it. Without terms no language is detected.
    pub simhash: bool,
    /// The parts that shingles are n-grams of.
    pub shingles: Shingles,
}

/// The parts whose n-grams the judge compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shingles {
    /// Words as written: what a text says.
    #[default]
    Words,
    /// Terms, without stop words and endings: also finds copies whose words are inflected differently.
    Terms,
}

impl std::str::FromStr for Shingles {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let all = [Self::Words, Self::Terms];
        all.into_iter().find(|of| of.name() == name).ok_or_else(|| Error::Shingles(name.to_owned()))
    }
}

impl Shingles {
    /// Its name, as in the recipe.
    pub fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Terms => "terms",
        }
    }
}

impl Default for Options {
    /// Each text in its own language; a simhash of 3-grams of terms, 25 sketches of 3-grams of words.
    fn default() -> Self {
        Self {
            text: text::Options::default(),
            ngrams: NgramRange::default(),
            sketches: 25,
            simhash: true,
            shingles: Shingles::Words,
        }
    }
}

impl Options {
    /// Sets the language of every text, instead of detecting it.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.text.language = Some(language);
        self
    }

    /// Sets the stop words, which are dropped before n-grams of terms are made.
    #[must_use]
    pub fn stop_words(mut self, stop_words: StopWords) -> Self {
        self.text.stop_words = stop_words;
        self
    }

    /// Sets the sizes of n-grams.
    #[must_use]
    pub fn ngrams(mut self, ngrams: NgramRange) -> Self {
        self.ngrams = ngrams;
        self
    }

    /// Sets the number of MinHash sketches, 1 to [`minhash::MAX_SKETCHES`].
    #[must_use]
    pub fn sketches(mut self, sketches: usize) -> Self {
        self.sketches = sketches;
        self
    }

    /// Sets the parts that shingles are n-grams of.
    #[must_use]
    pub fn shingles(mut self, shingles: Shingles) -> Self {
        self.shingles = shingles;
        self
    }

    /// True if terms are needed, and so the language of each text. A simhash is then made.
    pub fn has_terms(&self) -> bool {
        self.simhash || self.shingles == Shingles::Terms
    }
}

/// The fingerprint of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fingerprint {
    /// The id of the recipe that it was made by.
    pub recipe: u64,
    /// The simhash; `None` if the text has no terms or the options need no simhash.
    pub simhash: Option<u64>,
    /// The MinHash minima; empty if the text has no shingles: then only identical texts match it.
    pub sketch: Vec<u32>,
    /// The first 128 bits of the text's BLAKE3 hash: equal for identical texts.
    pub digest: [u8; 16],
    /// A hash of what the text says: equal for texts with equal words in equal order, however they are laid out, capitalised,
    /// hyphenated and divided by spaces. Up to [`SHORT_TEXT`] words, signs must also be equal, but at the end; of code, lines,
    /// but for white space at their ends. 0 for a text without words.
    pub letters: u64,
    /// The language that the text was read in; undetermined if no terms were needed.
    pub language: Language,
    /// The number of words as written.
    pub tokens: usize,
    /// The number of terms.
    pub terms: usize,
    /// The number of n-grams of terms, repeated ones counted as often as they occur.
    pub ngrams: usize,
    /// The number of shingles, repeated ones counted as often as they occur.
    pub shingles: usize,
}

/// A fingerprint with the data for an exact judgement and for explanations.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Analysis {
    /// The fingerprint.
    pub fingerprint: Fingerprint,
    /// The distinct shingles.
    pub shingles: ShingleSet,
    /// The hashes of the first [`KEPT_WORDS`](crate::similarity::KEPT_WORDS) words, in the order of the text, each with a
    /// [`BREAK`] if a sentence or a line ends behind it.
    pub words: Vec<u32>,
    /// The hash of each word, if all shingles were made of these and they are no more than a block; none otherwise.
    pub(crate) hashes: Vec<u64>,
    /// The language and how it was found.
    pub detection: Detection,
}

impl Analysis {
    /// The view by which it is compared.
    pub fn view(&self) -> FingerprintView<'_> {
        let Fingerprint { simhash, ref sketch, digest, letters, .. } = self.fingerprint;
        let (words, shingles) = ((&*self.words).into(), self.shingles.as_slice().into());
        FingerprintView { simhash, sketch, digest, letters, words, shingles, format: 0, carried: 0, file: None }
    }

    /// Sets the digest to an identity, for a text whose characters do not distinguish it from others.
    pub fn set_identity(&mut self, identity: blake3::Hash) {
        let print = &mut self.fingerprint;
        print.digest = digest_of(identity);
        if print.letters != 0 {
            print.letters = u64::from_le_bytes(std::array::from_fn(|i| print.digest[i])).max(1);
        }
        // What its characters do not tell may stand in no other text, so it is contained in none.
        if let Some(first) = self.words.first_mut() {
            let [a, b, c, d, ..] = print.digest;
            *first = u32::from_le_bytes([a, b, c, d]) & !BREAK | *first & BREAK;
        }
    }
}

/// The time that each stage has taken since the fingerprinter was made.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Times {
    /// Detecting the language.
    pub language: Duration,
    /// Finding words, dropping stop words, stemming and hashing.
    pub words: Duration,
    /// Combining hashes of words and terms into Rabin fingerprints of n-grams.
    pub ngrams: Duration,
    /// Summing the simhash.
    pub simhash: Duration,
    /// Finding the minima of the sketch.
    pub minhash: Duration,
    /// Sorting the shingles into a set.
    pub shingles: Duration,
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
    terms: Grams,
    words: Grams,
    sorter: Sorter,
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
        let (recipe, rabin) = (recipe::of(&options), Rabin::new());
        Ok(Self {
            recipe_id: recipe.id(),
            recipe,
            vocabularies: HashMap::new(),
            minima: minhash::Accumulator::new(options.sketches),
            terms: Grams::new(options.ngrams, rabin),
            words: Grams::new(options.ngrams, rabin),
            rabin,
            sorter: Sorter::default(),
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

    /// The fingerprint of a text with its shingle set.
    pub fn analyse(&mut self, text: &str) -> Analysis {
        let detection = self.detect(text);
        self.analyse_as(text, detection, detection.language)
    }

    /// Analyses two texts in one language, to be compared.
    ///
    /// Two versions of one text may be detected as different languages, and the stems of one
    /// language have little in common with the unstemmed words of another. So where the detected
    /// languages differ, both texts are read in the one that is determined; if both are
    /// determined, in none (`und`).
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
        let start = clock::now();
        let detection = detect(text, &self.options);
        self.times.language += clock::since(start);
        detection
    }

    fn analyse_as(&mut self, text: &str, detection: Detection, language: Language) -> Analysis {
        let (mut shingles, mut words, mut hashes) = (ShingleSet::builder(), Vec::new(), Vec::new());
        let kept = JudgeInput { shingles: &mut shingles, words: &mut words, hashes: &mut hashes };
        let fingerprint = self.run(text, language, Some(kept));
        if self.options.shingles != Shingles::Words || hashes.len() != fingerprint.tokens {
            hashes = Vec::new();
        }
        let start = clock::now();
        let shingles = shingles.build();
        self.times.shingles += clock::since(start);
        Analysis { fingerprint, shingles, words, hashes, detection }
    }

    /// The fingerprint of a text, in one script if it is written in another. What a removal claims is about the words as
    /// written, so these are read too.
    fn run(&mut self, text: &str, language: Language, kept: Option<JudgeInput<'_>>) -> Fingerprint {
        let Some(script) = OneScript::of(text) else { return self.read(text.into(), language, kept) };
        match script.read_in_place(text) {
            Some(read) => self.read(Text { read: &read, written: Some(text) }, language, kept),
            None => self.read_twice(text, &script.read(text), language, kept),
        }
    }

    /// The fingerprint of a text whose words have other places as read than as written.
    fn read_twice(
        &mut self,
        written: &str,
        read: &str,
        language: Language,
        kept: Option<JudgeInput<'_>>,
    ) -> Fingerprint {
        // The words that are kept are not those that shingles are made of.
        let (mut others, mut no_words, mut no_hashes) =
            (ShingleSet::builder(), Vec::new(), [(); 2].map(|()| Vec::new()));
        let [first, second] = &mut no_hashes;
        let (as_written, in_one_script) = match kept {
            Some(JudgeInput { shingles, words, .. }) => (
                Some(JudgeInput { shingles: &mut others, words, hashes: first }),
                Some(JudgeInput { shingles, words: &mut no_words, hashes: second }),
            ),
            None => (None, None),
        };
        let Fingerprint { digest, letters, tokens, .. } = self.read(written.into(), language, as_written);
        Fingerprint { digest, letters, tokens, ..self.read(read.into(), language, in_one_script) }
    }

    fn read(&mut self, text: Text<'_>, language: Language, kept: Option<JudgeInput<'_>>) -> Fingerprint {
        let Self { options, recipe_id, rabin, vocabularies, minima, terms, words, sorter, times, .. } = self;
        terms.clear();
        words.clear();
        minima.clear();
        let vocabulary = vocabularies.entry(language).or_insert_with(|| {
            Vocabulary::new(options.has_terms().then(|| Analyser::new(language, &options.text)), *rabin)
        });
        let simhash = options.has_terms().then(simhash::Accumulator::new);
        let judged_by = options.shingles;
        let letters = Letters::new(*rabin);
        let (written, breaks, signs, sentence) = (Vec::new(), Vec::new(), Vec::new(), 0);
        let (ngrams, shingles) = (0, 0);
        let mut sums = Sums {
            judged_by,
            terms,
            words,
            letters,
            written,
            breaks,
            signs,
            sentence,
            simhash,
            minima,
            kept,
            ngrams,
            shingles,
            sorter,
            times,
        };
        let (start, later) = (clock::now(), sums.times.later());
        vocabulary.read(text, &mut sums);
        sums.finish();
        let Sums { ngrams, shingles, simhash, minima, letters, times, .. } = sums;
        // The time of the later stages is counted there, and is subtracted here.
        times.words += clock::since(start).saturating_sub(times.later().saturating_sub(later));
        let written = text.written.unwrap_or(text.read);
        Fingerprint {
            recipe: *recipe_id,
            simhash: simhash.filter(|_| ngrams > 0).map(|sums| sums.simhash()),
            sketch: if shingles > 0 { minima.sketch() } else { Vec::new() },
            digest: digest(written),
            letters: match words.len() {
                0 => 0,
                1..=SHORT_TEXT => hashed(&without_layout(written)),
                _ if is_mostly_code(written) => hashed(&without_line_ends(written)),
                _ => letters.finish().max(1),
            },
            language,
            tokens: words.len(),
            terms: terms.len(),
            ngrams,
            shingles,
        }
    }
}

impl Times {
    /// The sum of the stages after words.
    fn later(&self) -> Duration {
        self.ngrams + self.simhash + self.minhash + self.shingles
    }
}

/// The language of a text: undetermined if no terms are needed, else named by the user, else detected.
pub(super) fn detect(text: &str, options: &Options) -> Detection {
    match options.text.language {
        _ if !options.has_terms() => Detection::forced(Language::UNDETERMINED),
        Some(named) => Detection::forced(named),
        None => text::detect::detect(text),
    }
}

/// The first 128 bits of the BLAKE3 hash of a text.
pub fn digest(text: &str) -> [u8; 16] {
    digest_of(blake3::hash(text.as_bytes()))
}

/// The first 128 bits of a BLAKE3 hash.
pub fn digest_of(hash: blake3::Hash) -> [u8; 16] {
    std::array::from_fn(|i| hash.as_bytes()[i])
}

/// The hash of what a text is compared by; never 0.
fn hashed(text: &str) -> u64 {
    let digest = digest(text);
    u64::from_le_bytes(std::array::from_fn(|i| digest[i])).max(1)
}

#[cfg(test)]
mod tests;
