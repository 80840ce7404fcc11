//! Passages that a document translates from a text in another language, or the other way round.
//!
//! All texts whose language is compared with another one are indexed, also those that no document is compared with: they
//! tell how rare words are. Texts of archives are read for that once, and kept only if they become candidates.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::corpus::Corpus;
use super::{Preparer, Text};
use crate::align::{Options, Passage};
use crate::error::{Location, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::or_problem;
use crate::text::Language;
use crate::translate::{Asked, Counterparts, Index, Lexicon, Reader, Seed, Side, Vocabulary, translated};

/// Number of texts that are read at a time.
const AT_ONCE: usize = 1 << 8;

/// Which pairs of languages are compared, and by what.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    /// The lexicons; texts in the two languages of any are compared.
    pub lexicons: Arc<Vec<Lexicon>>,
    /// True to compare texts in any two languages: by cognates, numbers and names where there is no lexicon.
    pub in_any_languages: bool,
}

/// How translations between two languages are searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranslationSearch {
    /// By a lexicon of the two languages.
    ByLexicon,
    /// By cognates, numbers and names alone.
    ByLetters,
    /// Not at all.
    None,
}

impl Translation {
    /// True if there are pairs of languages to compare.
    pub fn is_wanted(&self) -> bool {
        self.in_any_languages || !self.lexicons.is_empty()
    }

    /// How translations between two different languages are searched for.
    pub fn search(&self, a: Language, b: Language) -> TranslationSearch {
        let is_between = |lexicon: &Lexicon| lexicon.languages() == [a, b] || lexicon.languages() == [b, a];
        if self.lexicons.iter().any(is_between) {
            TranslationSearch::ByLexicon
        } else if self.in_any_languages {
            TranslationSearch::ByLetters
        } else {
            TranslationSearch::None
        }
    }

    /// True if texts in these two languages are compared.
    pub fn is_between(&self, a: Language, b: Language) -> bool {
        let are_two = a != b && [a, b].into_iter().all(Language::is_determined);
        are_two && self.search(a, b) != TranslationSearch::None
    }
}

/// The texts of a corpus, indexed.
pub(super) struct Translations<'a> {
    translation: &'a Translation,
    corpus: &'a Corpus<'a>,
    index: Index,
    counterparts: Counterparts,
    /// The words of the texts that were read; `None` for one that could not be divided.
    vocabularies: Vec<Option<Vocabulary>>,
}

impl<'a> Translations<'a> {
    /// Indexes the texts; `None` if no pair of languages is compared.
    pub(super) fn new(
        translation: &'a Translation,
        corpus: &'a Corpus<'a>,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Option<Self>> {
        if !translation.is_wanted() {
            return Ok(None);
        }
        let mut places: Vec<(Option<usize>, usize)> = (0..corpus.texts.len()).map(|number| (None, number)).collect();
        for (number, archive) in corpus.archives.iter().enumerate() {
            places.extend((0..archive.len()).map(|text| (Some(number), text)));
        }
        observer.begin("indexing translations", Some(places.len() as u64));
        let (mut index, mut vocabularies) = (Index::default(), Vec::with_capacity(corpus.texts.len()));
        let read = |(preparer, reader): &mut (Preparer, Reader<'_>), at: usize| {
            go_on(observer)?;
            let (archive, number) = places[at];
            let read = or_problem("", Location::File, || match archive {
                None => Some((corpus.texts[number].language, vocabulary(&corpus.texts[number], reader))),
                Some(archive) => {
                    let mut text = corpus.archives[archive].prepare(number, preparer)?;
                    text.leave_out(corpus.exclusions.out(&text));
                    Some((text.language, vocabulary(&text, reader)))
                }
            });
            observer.advance(1);
            Ok(read.ok().flatten())
        };
        for start in (0..places.len()).step_by(AT_ONCE) {
            let count = AT_ONCE.min(places.len() - start);
            let state = || (Preparer::new(None), Reader::new(&translation.lexicons));
            let some = parallel::each(count, threads, state, |state, at| read(state, start + at))?;
            for (text, number) in some.into_iter().zip(start as u32..) {
                if let Some((language, vocabulary)) = &text {
                    index.add(number, *language, vocabulary);
                }
                if (number as usize) < corpus.texts.len() {
                    vocabularies.push(text.map(|(_, vocabulary)| vocabulary));
                }
            }
        }
        index.complete();
        Ok(Some(Self { translation, corpus, index, counterparts: Counterparts::default(), vocabularies }))
    }

    /// The translated passages of a document, by the number of the other text; archived texts follow those that were read.
    pub(super) fn of(
        &self,
        number: usize,
        options: Options,
        is_compared: impl Fn(usize) -> bool,
        preparer: &mut Preparer,
    ) -> Vec<(usize, Vec<Passage>)> {
        let text = &self.corpus.texts[number];
        let Some(words) = &self.vocabularies[number] else { return Vec::new() };
        let (mut found, mut reader) = (Vec::new(), Reader::new(&self.translation.lexicons));
        for language in self.index.languages() {
            if !self.translation.is_between(text.language, language) {
                continue;
            }
            let asked = self.asked(words, text.language, language);
            let is_wanted = |other: u32| is_compared(other as usize);
            let mut seeds: BTreeMap<u32, Vec<Seed>> = BTreeMap::new();
            for seed in self.index.seeds(words, &asked, language, is_wanted) {
                seeds.entry(seed.text).or_default().push(seed);
            }
            for (other, seeds) in seeds {
                let Some(source) = self.text(other as usize, preparer) else { continue };
                let read;
                let there = match self.vocabularies.get(other as usize) {
                    Some(Some(there)) => there,
                    Some(None) => continue,
                    None => {
                        read = vocabulary(source, &mut reader);
                        &read
                    }
                };
                let passages = self.of_two((text, words, &asked), (source, there), &seeds, options);
                if !passages.is_empty() {
                    found.push((other as usize, passages));
                }
            }
        }
        found.sort_by_key(|(other, _)| *other);
        found
    }

    fn of_two(
        &self,
        (text, words, asked): (&Text, &Vocabulary, &Asked),
        (source, there): (&Text, &Vocabulary),
        seeds: &[Seed],
        options: Options,
    ) -> Vec<Passage> {
        let back = self.asked(there, source.language, text.language);
        let a = Side { words: &text.words, vocabulary: words, asked };
        let b = Side { words: &source.words, vocabulary: there, asked: &back };
        translated(a, b, seeds, options)
    }

    /// The counterparts that the words of a text may have in another language.
    fn asked(&self, words: &Vocabulary, from: Language, to: Language) -> Asked {
        self.counterparts.of(words, [from, to], &self.translation.lexicons, self.index.postings(to))
    }

    /// A text by its number.
    pub(super) fn text(&self, number: usize, preparer: &mut Preparer) -> Option<&'a Text> {
        if let Some(text) = self.corpus.texts.get(number) {
            return Some(text);
        }
        let (archive, number) = self.corpus.archived(number)?;
        self.corpus.archives[archive].text(number, preparer, self.corpus.exclusions)
    }
}

/// The words of a text that count.
fn vocabulary(text: &Text, reader: &mut Reader<'_>) -> Vocabulary {
    reader.read(&text.text, &text.words, text.language, |word| text.tells_nothing(word))
}
