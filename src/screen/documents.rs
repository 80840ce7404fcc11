//! Screening of texts in memory.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use super::room::{AT_ONCE, TextRoom};
use super::skipped::Problems;
use super::{Preparer, Screening, Settings, Text, Translation, screen_texts};
use crate::align::Options;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::screen::exclude::Exclude;
use crate::text::Language;

/// How documents are screened.
#[derive(Debug, Clone)]
pub struct ScreenOptions {
    settings: Settings,
    ignored: Vec<String>,
}

impl Default for ScreenOptions {
    /// See [`ScreenOptions::new`].
    fn default() -> Self {
        let settings = Settings {
            language: None,
            options: Options::default(),
            exclude: Exclude::default(),
            translation: Translation::default(),
            with_each_other: false,
            strict: false,
            threads: available_parallelism().map_or(1, Into::into),
            max_memory: u64::MAX,
        };
        Self { settings, ignored: Vec::new() }
    }
}

impl ScreenOptions {
    /// No sources, so that documents are compared with each other. The types of an empty list would have to be named.
    pub const NO_SOURCES: [(&'static str, &'static str); 0] = [];

    /// The defaults of `dedup screen`: passages of at least 20 words, and whole texts of any length; each text in its
    /// detected language, all processors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the language of all documents, instead of detecting that of each.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.settings.language = Some(language);
        self
    }

    /// Sets whether the documents are compared with each other beside the sources; without sources they always are.
    #[must_use]
    pub fn with_each_other(mut self, with_each_other: bool) -> Self {
        self.settings.with_each_other = with_each_other;
        self
    }

    /// Sets the minimum length of a passage, in words, also of a whole text.
    #[must_use]
    pub fn min_words(mut self, words: usize) -> Self {
        self.settings.options.whole_texts = false;
        self.settings.options.min_words = words;
        self
    }

    /// Sets the minimum probability that a passage is a copy, from 0 to 1, among as many copies as unrelated texts on one
    /// subject. A run of [`Self::min_words`] equal words is a passage whatever its probability; no whole text below it is one then.
    #[must_use]
    pub fn min_probability(mut self, probability: f32) -> Self {
        self.settings.options.whole_texts = false;
        self.settings.options.min_probability = probability;
        self
    }

    /// Sets the number of threads; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.settings.threads = threads.max(1);
        self
    }

    /// Sets the bound on memory in bytes for texts and alignments. A text that finds no room is compared with nothing, and
    /// is a problem that the observer is told.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        // Alignments take half as much as the texts, which are in memory before they are admitted.
        self.settings.max_memory = bytes / 2;
        self
    }

    /// Leaves out the words of a text, such as the assignment, edited or not; may be repeated. They count for no passage, but may
    /// stand within the spans of one.
    #[must_use]
    pub fn ignore(mut self, text: impl Into<String>) -> Self {
        self.ignored.push(text.into());
        self
    }

    /// Sets the kinds of text whose words do not count.
    #[must_use]
    pub fn exclude(mut self, exclude: Exclude) -> Self {
        self.settings.exclude = exclude;
        self
    }

    /// Finds the passages; the observer follows the work and can stop it. Without sources, name [`Self::NO_SOURCES`].
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn screen<Id: Into<String>, Text: Into<String>, SourceId: Into<String>, SourceText: Into<String>>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text)>,
        sources: impl IntoIterator<Item = (SourceId, SourceText)>,
        observer: &dyn Observer,
    ) -> Result<Screened> {
        let (documents, sources) = (named(documents), named(sources));
        let count = documents.len();
        let screening = self.screening([documents, sources], observer)?;
        let passages = screening.shared_passages();
        let ids = screening.texts.into_iter().map(|text| text.id).collect();
        Ok(Screened { ids, documents: count, passages })
    }

    /// Screens documents, each an id and a text, with sources, or with each other if there are none or it is asked for.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn screening(
        &self,
        [documents, sources]: [Vec<(String, String)>; 2],
        observer: &dyn Observer,
    ) -> Result<Screening> {
        let suspicious = documents.len();
        let ignored = self.ignored.iter().map(|text| (String::new(), text.clone())).collect();
        let mut admitting = (TextRoom::new(&self.settings), Problems::new(observer));
        let templates = self.prepared(ignored, &mut admitting, observer)?;
        let texts = self.prepared(documents.into_iter().chain(sources).collect(), &mut admitting, observer)?;
        let (_, problems) = admitting;
        screen_texts(&self.settings, texts, suspicious, Vec::new(), &templates, problems)
    }

    /// The texts, divided into words by all threads. One that finds no room has no words.
    fn prepared(
        &self,
        texts: Vec<(String, String)>,
        (room, problems): &mut (TextRoom, Problems<'_>),
        observer: &dyn Observer,
    ) -> Result<Vec<Text>> {
        let settings = &self.settings;
        observer.begin("reading texts", Some(texts.len() as u64));
        let texts: Vec<Mutex<(String, String)>> = texts.into_iter().map(Mutex::new).collect();
        let (mut all, mut empty) = (Vec::with_capacity(texts.len()), Preparer::new(None));
        for some in texts.chunks(AT_ONCE) {
            let prepare = |preparer: &mut Preparer, number: usize| {
                go_on(observer)?;
                let (id, text) = std::mem::take(&mut *some[number].lock().unwrap_or_else(PoisonError::into_inner));
                observer.advance(1);
                Ok(preparer.prepare(id, None, text))
            };
            for text in parallel::each(some.len(), settings.threads, || settings.preparer(), prepare)? {
                all.push(match room.admit(&text) {
                    Ok(()) => text,
                    Err(problem) => {
                        problems.note(&problem);
                        empty.prepare(text.id, None, String::new())
                    }
                });
            }
        }
        Ok(all)
    }

    /// True if the whole of a text is a passage, however short and improbable.
    pub fn finds_whole_texts(&self) -> bool {
        self.settings.options.whole_texts
    }

    /// The minimum length of a passage in words, and the kinds of text whose words do not count.
    pub fn page_settings(&self) -> (usize, Exclude) {
        (self.settings.options.min_words, self.settings.exclude)
    }
}

fn named<Id: Into<String>, Text: Into<String>>(texts: impl IntoIterator<Item = (Id, Text)>) -> Vec<(String, String)> {
    texts.into_iter().map(|(id, text)| (id.into(), text.into())).collect()
}

/// Finds the passages that documents share with sources, or without sources ([`ScreenOptions::NO_SOURCES`]) with each
/// other. A document is an id and a text; ids need not be unique.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// let taken = "Glass begins as sand that is melted with soda and lime until it glows like honey. A gatherer turns the \
///     iron in the furnace and lifts out a drop, and the blower gives it his breath before it stiffens.";
/// let essay = format!("Our village had one ferry, and the ferryman was deaf. {taken} Snow came early that year.");
/// let screened = nearcopy::screen([("ferry", &*essay)], [("glass", taken)], &nearcopy::ScreenOptions::new())?;
/// let [passage] = screened.passages() else { panic!("one passage") };
/// assert_eq!((screened.id(passage.document), screened.source_id(passage)), ("ferry", "glass"));
/// assert!(essay[passage.document_span.clone()].contains("melted with soda and lime"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// None without an observer that stops the work.
pub fn screen<Id: Into<String>, Text: Into<String>, SourceId: Into<String>, SourceText: Into<String>>(
    documents: impl IntoIterator<Item = (Id, Text)>,
    sources: impl IntoIterator<Item = (SourceId, SourceText)>,
    options: &ScreenOptions,
) -> Result<Screened> {
    options.screen(documents, sources, &())
}

/// The passages that documents share with sources, or with each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Screened {
    /// Those of the documents, then those of the sources.
    ids: Vec<String>,
    documents: usize,
    passages: Vec<SharedPassage>,
}

impl Screened {
    /// All passages, by document, then by source.
    pub fn passages(&self) -> &[SharedPassage] {
        &self.passages
    }

    /// The id of a document.
    ///
    /// # Panics
    ///
    /// If there is no such document.
    pub fn id(&self, document: usize) -> &str {
        &self.ids[..self.documents][document]
    }

    /// The id of the source of a passage, or of the other document.
    ///
    /// # Panics
    ///
    /// If the passage is of another screening.
    pub fn source_id(&self, passage: &SharedPassage) -> &str {
        let first = if passage.is_between_documents { 0 } else { self.documents };
        &self.ids[first..][passage.source]
    }
}

/// A passage of a document that also stands in a source or in another document.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SharedPassage {
    /// The position of the document.
    pub document: usize,
    /// The position of the source among the sources, or of the other document among the documents.
    pub source: usize,
    /// True if it also stands in another document, not in a source.
    pub is_between_documents: bool,
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
    /// The passages of all matches.
    fn shared_passages(&self) -> Vec<SharedPassage> {
        let mut passages = Vec::new();
        for found in &self.matches {
            let [a, b] = [found.suspicious, found.source].map(|text| &self.texts[text as usize].words);
            let source = (found.source as usize).checked_sub(self.suspicious);
            for passage in &found.passages {
                passages.push(SharedPassage {
                    document: found.suspicious as usize,
                    source: source.unwrap_or(found.source as usize),
                    is_between_documents: source.is_none(),
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
        let numbered = |texts: &[&str]| -> Vec<(String, String)> {
            texts.iter().zip(0..).map(|(text, number)| (format!("{number}"), (*text).to_owned())).collect()
        };
        let screened = screen(numbered(documents), numbered(sources), &ScreenOptions::new().threads(2)).unwrap();
        for passage in screened.passages() {
            assert_eq!(screened.id(passage.document), passage.document.to_string());
            assert_eq!(screened.source_id(passage), passage.source.to_string());
        }
        screened.passages().iter().map(|passage| (passage.document, passage.source)).collect()
    }

    #[test]
    fn documents_are_compared_with_sources_or_with_each_other() {
        assert_eq!(pairs(&[GLASS, GLASS, FERRY], &[]), [(0, 1)]);
        assert_eq!(pairs(&[GLASS, GLASS, FERRY], &[FERRY, FERRY]), [(2, 0), (2, 1)]);
        assert_eq!(pairs(&[GLASS], &[""]), []);
    }

    #[test]
    fn documents_and_sources_have_types_of_their_own() {
        let sources = vec![(String::from("source"), String::from(GLASS))];
        let screened = screen([("essay", GLASS)], sources, &ScreenOptions::new()).unwrap();
        let [passage] = screened.passages() else { panic!("one passage") };
        assert_eq!((screened.id(passage.document), screened.source_id(passage)), ("essay", "source"));
    }

    #[test]
    fn two_documents_with_one_id_and_one_text_are_two() {
        let screened =
            screen([("essay", GLASS), ("essay", GLASS)], ScreenOptions::NO_SOURCES, &ScreenOptions::new()).unwrap();
        assert_eq!(screened.passages().len(), 1);
        // A source is the document itself.
        assert_eq!(screen([("essay", GLASS)], [("essay", GLASS)], &ScreenOptions::new()).unwrap().passages().len(), 0);
    }

    #[test]
    fn a_whole_text_is_short_unless_a_length_is_asked_for() {
        let both = ["a", "b"].map(|id| (id, "Yes, I agree with the statement above completely."));
        let found =
            |options: ScreenOptions| screen(both, ScreenOptions::NO_SOURCES, &options).unwrap().passages().len();
        assert_eq!(found(ScreenOptions::new()), 1);
        assert_eq!([20, 8].map(|words| found(ScreenOptions::new().min_words(words))), [0, 1]);
        assert_eq!(found(ScreenOptions::new().min_probability(0.2)), 0);
    }

    #[test]
    fn documents_are_compared_with_sources_and_with_each_other() {
        let documents = [("a", GLASS), ("b", FERRY), ("c", FERRY)];
        // The first source is one of the documents.
        let sources = [("a", GLASS), ("x", GLASS), ("y", FERRY)];
        let screened = screen(documents, sources, &ScreenOptions::new().with_each_other(true)).unwrap();
        let pair = |passage: &SharedPassage| [screened.id(passage.document), screened.source_id(passage)].concat();
        let mut found: Vec<String> = screened.passages().iter().map(pair).collect();
        found.sort_unstable();
        assert_eq!(found, ["ax", "bc", "by", "cy"]);
    }

    #[test]
    fn the_words_of_an_ignored_text_do_not_count() {
        let both = [("a", GLASS), ("b", GLASS)];
        assert_eq!(screen(both, ScreenOptions::NO_SOURCES, &ScreenOptions::new()).unwrap().passages().len(), 1);
        assert_eq!(
            screen(both, ScreenOptions::NO_SOURCES, &ScreenOptions::new().ignore(GLASS)).unwrap().passages(),
            []
        );
    }

    /// Answers between the questions of a sheet are their authors' words.
    #[test]
    fn what_stands_between_ignored_words_counts() {
        let questions = [
            "Describe in two or three sentences what a ferry is, and why it needs a crew.",
            "Explain how glass differs from stone, and give one example of each of them.",
            "Thank you for your work, and please hand in this sheet before November.",
        ];
        let sheet = questions.join("\n\n");
        let filled = |answers: [&str; 2]| {
            format!("{}\n\n{}\n\n{}\n\n{}\n\n{}", questions[0], answers[0], questions[1], answers[1], questions[2])
        };
        let own =
            "Nobody knows what to say of it, as nobody has ever been there, nor will anyone go before the spring.";
        let [copied, honest] = [filled([FERRY, GLASS]), filled([own, own])];
        let documents = [("a", &*copied), ("b", &copied), ("c", &honest)];
        let screened = screen(documents, ScreenOptions::NO_SOURCES, &ScreenOptions::new().ignore(&sheet));
        let screened = screened.unwrap();
        let pairs: Vec<[&str; 2]> = screened
            .passages()
            .iter()
            .map(|passage| [screened.id(passage.document), screened.source_id(passage)])
            .collect();
        assert!(!pairs.is_empty() && pairs.iter().all(|pair| pair.contains(&"a") && pair.contains(&"b")), "{pairs:?}");
    }
}
