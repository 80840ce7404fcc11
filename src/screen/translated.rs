//! Passages that a document translates from a text in another language, or the other way round.
//!
//! All texts whose language is compared with another one are indexed, also those that no document is compared with: they
//! tell how rare words are. Texts of archives are read for that once, and kept only if they become candidates.

use std::collections::BTreeMap;

use super::corpus::Corpus;
use super::room::AT_ONCE;
use super::translation::Translation;
use super::{Preparer, Text};
use crate::align::{Options, Passage};
use crate::error::{Location, Problem, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::or_problem;
use crate::text::Language;
use crate::translate::{Asked, Counterparts, Index, Reader, Seed, Side, Vocabulary, keep_better, translated};

/// The texts of a corpus, indexed.
pub(super) struct Translations<'a> {
    translation: &'a Translation,
    corpus: &'a Corpus<'a>,
    index: Index,
    counterparts: Counterparts,
    /// The words of the texts that were read, in each of their languages.
    vocabularies: Vec<Vec<(Language, Vocabulary)>>,
}

impl<'a> Translations<'a> {
    /// Indexes the texts; `None` if no pair of languages is compared. Texts whose indexing panics are not searched, and are
    /// problems.
    pub(super) fn new(
        translation: &'a Translation,
        corpus: &'a Corpus<'a>,
        threads: usize,
        problems: &mut Vec<Problem>,
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
        let state = || (Preparer::new(None).across(translation), Reader::new(&translation.lexicons));
        let read = |of_thread: &mut (Preparer, Reader<'a>), at: usize| {
            go_on(observer)?;
            let (archive, number) = places[at];
            let archive = archive.map(|archive| &corpus.archives[archive]);
            let id = archive.map_or_else(|| &*corpus.texts[number].id, |archive| archive.id(number));
            let (preparer, reader) = &mut *of_thread;
            let read = or_problem(id, Location::File, || match archive {
                None => vocabularies_of(&corpus.texts[number], reader),
                Some(archive) => archive.prepare(number, preparer).map_or_else(Vec::new, |mut text| {
                    corpus.exclusions.mark(&mut text);
                    vocabularies_of(&text, reader)
                }),
            });
            if read.is_err() {
                // The caches of the analysers may be half-written.
                *of_thread = state();
            }
            observer.advance(1);
            Ok(read)
        };
        for start in (0..places.len()).step_by(AT_ONCE) {
            let count = AT_ONCE.min(places.len() - start);
            let some = parallel::each(count, threads, state, |state, at| read(state, start + at))?;
            for (read, number) in some.into_iter().zip(start as u32..) {
                let of_text = read.unwrap_or_else(|problem| {
                    problems.push(problem);
                    Vec::new()
                });
                for (language, vocabulary) in &of_text {
                    index.add(number, *language, vocabulary);
                }
                if (number as usize) < corpus.texts.len() {
                    vocabularies.push(of_text);
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
        let (mut found, mut reader) = (BTreeMap::<_, Vec<_>>::new(), Reader::new(&self.translation.lexicons));
        for (from, words) in &self.vocabularies[number] {
            for to in self.index.languages().filter(|&to| self.translation.is_between(*from, to)) {
                let asked = self.asked(words, *from, to);
                let mut seeds: BTreeMap<u32, Vec<Seed>> = BTreeMap::new();
                for seed in self.index.seeds(words, &asked, to, |other| is_compared(other as usize)) {
                    seeds.entry(seed.text).or_default().push(seed);
                }
                let a = Side { words: &text.words, vocabulary: words, asked: &asked };
                for (other, seeds) in seeds {
                    let Some(source) = self.text(other as usize, preparer) else { continue };
                    let read;
                    let known = self.vocabularies.get(other as usize);
                    let there = match known.map(|of| of.iter().find(|(language, _)| *language == to)) {
                        Some(Some((_, there))) => there,
                        Some(None) => continue,
                        None => {
                            read = vocabulary(source, to, &mut reader);
                            &read
                        }
                    };
                    let back = self.asked(there, to, *from);
                    let b = Side { words: &source.words, vocabulary: there, asked: &back };
                    for passage in translated(a, b, &seeds, options) {
                        keep_better(found.entry(other as usize).or_default(), passage);
                    }
                }
            }
        }
        found.into_iter().collect()
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

/// The words of a text, in each of its languages.
fn vocabularies_of(text: &Text, reader: &mut Reader<'_>) -> Vec<(Language, Vocabulary)> {
    text.languages().into_iter().map(|language| (language, vocabulary(text, language, reader))).collect()
}

/// The words of a text in one of its languages.
fn vocabulary(text: &Text, language: Language, reader: &mut Reader<'_>) -> Vocabulary {
    reader.read(&text.text, language, text.telling(language))
}
