//! Screening of texts in memory.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use super::skipped::Problems;
use super::{Preparer, Screening, Settings, screen_texts};
use crate::align::Options;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::exclude::Exclude;
use crate::text::Language;

/// How documents are screened.
#[derive(Debug, Clone)]
pub struct ScreenOptions(Settings);

impl Default for ScreenOptions {
    /// See [`ScreenOptions::new`].
    fn default() -> Self {
        Self(Settings {
            language: None,
            options: Options::default(),
            exclude: Exclude::default(),
            strict: false,
            threads: available_parallelism().map_or(1, Into::into),
            max_memory: u64::MAX,
        })
    }
}

impl ScreenOptions {
    /// The defaults of `dedup screen`: passages of at least 20 words and 25 nats, each text in its detected language, all processors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the language of all documents, instead of detecting that of each.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.0.language = Some(language);
        self
    }

    /// Sets the minimum length of a passage, in words.
    #[must_use]
    pub fn min_words(mut self, words: usize) -> Self {
        self.0.options.min_words = words;
        self
    }

    /// Sets the minimum probability that a passage is a copy, from 0 to 1, among as many copies as unrelated texts on one
    /// subject.
    #[must_use]
    pub fn min_probability(mut self, probability: f32) -> Self {
        self.0.options.min_probability = probability;
        self
    }

    /// Sets the number of threads; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.0.threads = threads.max(1);
        self
    }

    /// Sets the kinds of text whose words do not count.
    #[must_use]
    pub fn exclude(mut self, exclude: Exclude) -> Self {
        self.0.exclude = exclude;
        self
    }

    /// Finds the passages; the observer follows the work and can stop it.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn screen<Text: AsRef<str> + Sync>(
        &self,
        documents: &[Text],
        sources: &[Text],
        observer: &dyn Observer,
    ) -> Result<Vec<SharedPassage>> {
        let named = |texts: &[Text]| -> Vec<(String, String)> {
            texts.iter().zip(0..).map(|(text, number)| (number.to_string(), text.as_ref().to_owned())).collect()
        };
        let screening = self.screening([named(documents), named(sources), Vec::new()], observer)?;
        Ok(screening.shared_passages(documents.len()))
    }

    /// Screens documents, each an id and a text, with sources, or with each other if there are none. The words of the
    /// third list, the templates, do not count.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn screening(
        &self,
        [documents, sources, templates]: [Vec<(String, String)>; 3],
        observer: &dyn Observer,
    ) -> Result<Screening> {
        let Self(settings) = self;
        let suspicious = documents.len();
        let templates = self.prepared(templates, observer)?;
        let texts = self.prepared(documents.into_iter().chain(sources).collect(), observer)?;
        screen_texts(settings, texts, suspicious, Vec::new(), &templates, Problems::new(observer))
    }

    /// The texts, divided into words by all threads.
    fn prepared(&self, texts: Vec<(String, String)>, observer: &dyn Observer) -> Result<Vec<super::Text>> {
        let Self(settings) = self;
        observer.begin("reading texts", Some(texts.len() as u64));
        let texts: Vec<Mutex<(String, String)>> = texts.into_iter().map(Mutex::new).collect();
        parallel::each(
            texts.len(),
            settings.threads,
            || Preparer::new(settings.language),
            |preparer, number| {
                go_on(observer)?;
                let (id, text) = std::mem::take(&mut *texts[number].lock().unwrap_or_else(PoisonError::into_inner));
                observer.advance(1);
                Ok(preparer.prepare(id, None, text))
            },
        )
    }

    /// The minimum length of a passage in words, and the kinds of text whose words do not count.
    pub fn page_settings(&self) -> (usize, Exclude) {
        (self.0.options.min_words, self.0.exclude)
    }
}

/// Finds the passages that documents share with sources, or without sources with each other.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// let taken = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns the \
///     iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";
/// let essay = format!("Our village had one ferry, and the ferryman was deaf. {taken} Snow came early that year.");
/// let passages = nearcopy::screen(&[essay.as_str()], &[taken], &nearcopy::ScreenOptions::new())?;
/// assert_eq!(passages.len(), 1);
/// assert!(essay[passages[0].document_span.clone()].contains("melted with soda and lime"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// None without an observer that stops the work.
pub fn screen<Text: AsRef<str> + Sync>(
    documents: &[Text],
    sources: &[Text],
    options: &ScreenOptions,
) -> Result<Vec<SharedPassage>> {
    options.screen(documents, sources, &())
}

/// A passage of a document that also stands in a source.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SharedPassage {
    /// The position of the document.
    pub document: usize,
    /// The position of the source, among the sources or, without these, among the documents.
    pub source: usize,
    /// The passage in the document, in bytes of its text.
    pub document_span: Range<usize>,
    /// The passage in the source, in bytes of its text.
    pub source_span: Range<usize>,
    /// The log-likelihood ratio of "copied" against "by chance", in nats.
    pub score: f32,
    /// The probability that it is a copy, among as many copies as unrelated texts on one subject.
    pub probability: f32,
}

impl Screening {
    /// The passages of all matches; texts from `sources` on are sources.
    fn shared_passages(&self, sources: usize) -> Vec<SharedPassage> {
        let mut passages = Vec::new();
        for found in &self.matches {
            let [a, b] = [found.suspicious, found.source].map(|text| &self.texts[text as usize].words);
            let source = found.source as usize;
            for passage in &found.passages {
                passages.push(SharedPassage {
                    document: found.suspicious as usize,
                    source: if source < sources { source } else { source - sources },
                    document_span: a.bytes(passage.a.clone()),
                    source_span: b.bytes(passage.b.clone()),
                    score: passage.score,
                    probability: passage.probability,
                });
            }
        }
        passages
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLASS: &str = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer \
        turns the iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";
    const FERRY: &str = "Our village had one ferry, and the ferryman was deaf in the ear that faced the wind. You rang \
        a bell on the far bank and waited, and my grandmother said that he heard it with his feet.";

    fn pairs(documents: &[&str], sources: &[&str]) -> Vec<(usize, usize)> {
        let passages = screen(documents, sources, &ScreenOptions::new().threads(2)).unwrap();
        passages.iter().map(|passage| (passage.document, passage.source)).collect()
    }

    #[test]
    fn documents_are_compared_with_sources_or_with_each_other() {
        assert_eq!(pairs(&[GLASS, GLASS, FERRY], &[]), [(0, 1)]);
        assert_eq!(pairs(&[GLASS, GLASS, FERRY], &[FERRY, FERRY]), [(2, 0), (2, 1)]);
        assert_eq!(pairs(&[GLASS], &[""]), []);
    }
}
