//! The frequency of words in other documents: the background of a pair of texts.
//!
//! The words of a short text alone say little about what is rare: the words of its subject look common in it. So the
//! frequency of a word in two texts, of which the first is short, is smoothed by its frequency in other documents of
//! their language (`log_odds`).
//!
//! ```text
//!  entries, ascending:  hash of language and stem, 32 bits │ number of places, 32 bits
//!      ▲
//!      └─ heads: where each value of the hash's upper bits begins
//! ```
//!
//! Each language has one more entry, the number of its words, and so have all together. The words of the pair itself are
//! taken out of the counts, as they are counted in the pair: two texts alone have no background.
//!
//! Cost: sorting the distinct stems of each text; 9 bytes for each distinct stem of all. A pair of texts looks up each
//! shared word, if its first text is short.
//!
//! Source: Dirichlet smoothing with a collection model (Zhai and Lafferty, *A Study of Smoothing Methods for Language
//! Models Applied to Information Retrieval*, TOIS 2004).

use std::ops::Range;

use super::Words;
use super::log_odds::SHORT;
use super::passage_keys::mix;
use super::words::hash_of_run;
use crate::store::file::lookup::{Table, head_bits, heads};

/// Number of words of other documents at which these have half their weight: fifty documents of four pages, or five
/// hundred short answers. Fewer are often on one subject, such as an assignment, and say little about other texts.
const ENOUGH: f32 = 100_000.0;

/// The counts of stems in some documents, by language.
#[derive(Debug, Clone)]
pub struct Background {
    entries: Vec<u64>,
    heads: Vec<u64>,
}

impl Default for Background {
    /// No documents.
    fn default() -> Self {
        Self::new(std::iter::empty())
    }
}

/// A text of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Counted<'t> {
    /// Its words.
    pub words: &'t Words,
    /// True if it is one of the documents of the background.
    pub is_counted: bool,
    /// Its words that many documents share, as runs in order; they are no evidence.
    pub common: &'t [Range<usize>],
}

impl Background {
    /// The background of documents, given the counts of each ([`Self::counts`]).
    pub fn new(counts: impl IntoIterator<Item = Vec<u64>>) -> Self {
        let mut entries: Vec<u64> = counts.into_iter().flatten().collect();
        entries.sort_unstable();
        entries.dedup_by(|next, sum| {
            let is_same = *next >> 32 == *sum >> 32;
            if is_same {
                *sum = entry((*sum >> 32) as u32, u64::from(*sum as u32) + u64::from(*next as u32));
            }
            is_same
        });
        entries.shrink_to_fit();
        Self { heads: heads(&entries, head_bits(entries.len())), entries }
    }

    /// The counts of a document, given the number of its language.
    pub fn counts(text: &Words, language: u32) -> Vec<u64> {
        let counts = text.by_stem().keys().map(|(stem, places)| entry(key_of_stem(language, stem), places as u64));
        let words = text.len() as u64;
        counts.chain([entry(key_of_all(language), words), entry(KEY_OF_ALL, words)]).collect()
    }

    /// True if the background matters for a first text.
    pub fn is_for(first: &Words) -> bool {
        first.len() <= SHORT
    }

    /// The share of a stem of a language in all words of all languages.
    pub(super) fn share(&self, stem: u32, language: u32) -> f32 {
        self.count(key_of_stem(language, stem)) as f32 / self.count(KEY_OF_ALL).max(1) as f32
    }

    fn count(&self, key: u32) -> u32 {
        Table { heads: &self.heads, entries: &self.entries }.of(key).first().map_or(0, |&entry| entry as u32)
    }

    /// The background of two texts of one language.
    pub(super) fn of_pair(&self, texts: [Counted<'_>; 2], language: u32) -> Others<'_> {
        if !Self::is_for(texts[0].words) {
            return Others::default();
        }
        let own: usize = texts.iter().filter(|text| text.is_counted).map(|text| text.words.len()).sum();
        let words = (self.count(key_of_all(language)) as usize).saturating_sub(own);
        let of = Some((self, language)).filter(|_| words > 0);
        Others { of, words: words as f32, are_own: texts.map(|text| text.is_counted) }
    }
}

/// The documents beside a pair of texts; by default none.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Others<'b> {
    of: Option<(&'b Background, u32)>,
    /// Number of their words.
    words: f32,
    /// True for each text of the pair that is counted in the background.
    are_own: [bool; 2],
}

impl Others<'_> {
    /// Their weight, from 0 (there are none) to 1.
    pub(super) fn weight(self) -> f32 {
        self.words / (self.words + ENOUGH)
    }

    /// Frequency of a stem in them, given its number of places in each text of the pair.
    pub(super) fn frequency(self, stem: u32, places: [usize; 2]) -> f32 {
        let Some((background, language)) = self.of else { return 0.0 };
        let own: usize =
            places.into_iter().zip(self.are_own).map(|(places, is_own)| places * usize::from(is_own)).sum();
        let all = background.count(key_of_stem(language, stem)) as usize;
        (all.saturating_sub(own) as f32 / self.words).min(1.0)
    }
}

fn entry(key: u32, places: u64) -> u64 {
    u64::from(key) << 32 | places.min(u64::from(u32::MAX))
}

fn key_of_stem(language: u32, stem: u32) -> u32 {
    mix(hash_of_run([language, stem]))
}

/// The key of the number of all words.
const KEY_OF_ALL: u32 = 0;

/// The key of the number of all words of a language.
fn key_of_all(language: u32) -> u32 {
    mix(hash_of_run([language]))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::super::tests::words;
    use super::super::{AlignmentMemory, Among, Collocations, Key, Options, align, align_among};
    use super::*;

    fn of(texts: &[Vec<u32>]) -> Background {
        Background::new(texts.iter().map(|text| Background::counts(&words(text), 1)))
    }

    fn counted(words: &Words) -> Counted<'_> {
        Counted { words, is_counted: true, common: &[] }
    }

    fn among<'b>(background: &'b Background, collocations: &'b Collocations, memory: &'b AlignmentMemory) -> Among<'b> {
        Among { background, collocations, language: 1, memory }
    }

    proptest! {
        /// The specification: the places in all texts but the two, divided by the words of these.
        #[test]
        fn frequencies_are_those_of_the_plain_way(
            texts in prop::collection::vec(prop::collection::vec(0u32..40, 1..60), 2..9),
            is_counted: [bool; 2],
        ) {
            let mut plain: HashMap<u32, usize> = HashMap::new();
            let own = |at: usize| at < 2 && is_counted[at];
            let others = (0..texts.len()).filter(|&at| at >= 2).map(|at| &texts[at]);
            let all = others.clone().map(Vec::len).sum::<usize>() as f32;
            others.flatten().for_each(|&stem| *plain.entry(stem).or_default() += 1);
            let counts = (0..texts.len()).rev().filter(|&at| at >= 2 || own(at));
            let background = Background::new(counts.map(|at| Background::counts(&words(&texts[at]), 1)));
            let pair = [words(&texts[0]), words(&texts[1])];
            let places = |stem| [0, 1].map(|at: usize| texts[at].iter().filter(|&&other| other == stem).count());
            let pair = [0, 1].map(|at: usize| Counted { words: &pair[at], is_counted: is_counted[at], common: &[] });
            let found = background.of_pair(pair, 1);
            for stem in 0..40 {
                let expected = if all > 0.0 { plain.get(&stem).copied().unwrap_or(0) as f32 / all } else { 0.0 };
                prop_assert!((found.frequency(stem, places(stem)) - expected).abs() < 1e-9, "{stem}");
            }
            prop_assert!(background.of_pair(pair, 2).weight() <= 0.0, "another language");
        }

        /// The order of the documents does not matter.
        #[test]
        fn order_does_not_matter(texts in prop::collection::vec(prop::collection::vec(0u32..40, 1..60), 0..9)) {
            let turned: Vec<Vec<u32>> = texts.iter().rev().cloned().collect();
            prop_assert_eq!(of(&texts).entries, of(&turned).entries);
        }
    }

    /// A short text of rare words, every third of which stands in a longer one, and the words of their subject.
    fn pair() -> [Vec<u32>; 2] {
        let subject = |at: u32| at % 24;
        let a: Vec<u32> = (0..300).map(|at| if at % 3 == 0 { 1_000 + at } else { subject(at * 7) }).collect();
        let copy = (100..160).map(|at| if at % 2 == 0 { a[at as usize] } else { 5_000 + at });
        let b = (0..400).map(|at| if at % 3 == 0 { 9_000 + at } else { subject(at * 11) });
        let b: Vec<u32> = b.clone().take(200).chain(copy).chain(b.skip(200)).collect();
        [a, b]
    }

    #[test]
    fn two_texts_alone_have_no_background() {
        let texts = pair();
        let [a, b] = [words(&texts[0]), words(&texts[1])];
        let none = Collocations::default();
        let alone = align_among(
            [counted(&a), counted(&b)],
            None,
            Key::Stem,
            Options::default(),
            among(&of(&texts), &none, &AlignmentMemory::default()),
        );
        assert_eq!(alone, align(&a, &b, Key::Stem, Options::default()));
    }

    #[test]
    fn words_tell_more_if_others_do_not_use_them() {
        let texts = pair();
        let [a, b] = [words(&texts[0]), words(&texts[1])];
        let none = Collocations::default();
        let options = Options { min_probability: 0.0, ..Options::default() };
        let score = |others: &dyn Fn(u32) -> u32| {
            let other: Vec<u32> = (0..200_000).map(others).collect();
            let all = Background::new(texts.iter().chain([&other]).map(|text| Background::counts(&words(text), 1)));
            let found = align_among(
                [counted(&a), counted(&b)],
                None,
                Key::Stem,
                options,
                among(&all, &none, &AlignmentMemory::default()),
            );
            found.iter().map(|passage| passage.score).sum::<f32>()
        };
        let (rare, common) = (score(&|at| 100_000 + at % 5_000), score(&|at| texts[0][at as usize % texts[0].len()]));
        let alone: f32 = align(&a, &b, Key::Stem, options).iter().map(|passage| passage.score).sum();
        assert!(rare > alone && rare > common, "{rare} {alone} {common}");
    }

    #[test]
    fn a_long_first_text_speaks_for_itself() {
        let long = words(&(0..=SHORT as u32).collect::<Vec<u32>>());
        let other = words(&[1, 2, 3]);
        let background = of(&[vec![7; 500]]);
        let weight = |a| {
            background.of_pair([a, &other].map(|words| Counted { words, is_counted: false, common: &[] }), 1).weight()
        };
        assert!(weight(&long) <= 0.0 && weight(&other) > 0.0);
    }
}
