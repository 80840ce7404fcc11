//! The languages of the texts of a screening, and which pairs of them were searched for translations.
//!
//! Texts in two languages share no words, so a screening that found nothing between them says little unless they were
//! searched for translations. These figures tell which were.
//!
//! Cost: linear in the number of texts. Those of archives are not read, as their languages are stored.

use std::collections::{BTreeMap, BTreeSet};

use super::corpus::Corpus;
use super::translation::{Translation, TranslationSearch};
use super::{Archive, Text};
use crate::text::Language;

/// The languages of the documents and of the texts that they were compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenedLanguages {
    /// Pairs of different languages, the one with most pairs of texts first.
    pub pairs: Vec<LanguagePair>,
    /// All languages.
    pub present: BTreeSet<Language>,
    /// Number of texts with words whose language was not detected; they are not searched for translations.
    pub undetermined: usize,
}

/// Documents in one language that were compared with texts in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LanguagePair {
    /// The language of the documents, and that of the other texts.
    pub languages: [Language; 2],
    /// Number of documents.
    pub documents: usize,
    /// Number of other texts.
    pub others: usize,
    /// True if the other texts are sources, false if they are documents, too.
    pub are_sources: bool,
    /// How translations were searched for.
    pub search: TranslationSearch,
}

/// Documents in a language in which they were compared with nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alone {
    /// The language.
    pub language: Language,
    /// Number of documents.
    pub documents: usize,
}

impl Alone {
    /// The languages of documents for which there is no source, and no other document if these are compared with each other.
    pub(super) fn of(corpus: &Corpus<'_>, with_each_other: bool) -> Vec<Self> {
        let (documents, sources) = corpus.texts.split_at(corpus.suspicious);
        let of_sources: BTreeSet<Language> = sources
            .iter()
            .flat_map(Text::languages)
            .chain(corpus.archives.iter().flat_map(Archive::languages))
            .collect();
        let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
        documents.iter().flat_map(Text::languages).for_each(|language| *counts.entry(language).or_default() += 1);
        let has_other = |language: &Language| of_sources.contains(language) || with_each_other && counts[language] > 1;
        let mut alone: BTreeMap<Language, usize> = BTreeMap::new();
        for languages in documents.iter().map(Text::languages) {
            if let (Some(&language), false) = (languages.first(), languages.iter().any(has_other)) {
                *alone.entry(language).or_default() += 1;
            }
        }
        alone.into_iter().map(|(language, documents)| Self { language, documents }).collect()
    }
}

impl ScreenedLanguages {
    /// Counts the languages of a corpus.
    pub(super) fn of(corpus: &Corpus<'_>, translation: &Translation, with_each_other: bool) -> Self {
        let (documents, sources) = corpus.texts.split_at(corpus.suspicious);
        let read = |text: &Text| match text.languages() {
            none if none.is_empty() && !text.words.is_empty() => vec![Language::UNDETERMINED],
            languages => languages,
        };
        let archived = corpus.archives.iter().flat_map(Archive::languages);
        let mut undetermined = 0;
        let mut counted = |languages: &mut dyn Iterator<Item = Language>| {
            let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
            languages.for_each(|language| *counts.entry(language).or_default() += 1);
            undetermined += counts.remove(&Language::UNDETERMINED).unwrap_or_default();
            counts
        };
        let documents = counted(&mut documents.iter().flat_map(read));
        let sources = counted(&mut sources.iter().flat_map(read).chain(archived));
        let mut pairs = Vec::new();
        let mut add = |others: &BTreeMap<Language, usize>, are_sources: bool| {
            for (&language, &documents) in &documents {
                for (&other, &others) in others {
                    // Two documents are compared once.
                    if language < other || language > other && are_sources {
                        let (languages, search) = ([language, other], translation.search(language, other));
                        pairs.push(LanguagePair { languages, documents, others, are_sources, search });
                    }
                }
            }
        };
        add(&sources, true);
        if with_each_other {
            add(&documents, false);
        }
        pairs.sort_by_key(|pair| (std::cmp::Reverse(pair.documents * pair.others), pair.languages));
        let present = documents.into_keys().chain(sources.into_keys()).collect();
        Self { pairs, present, undetermined }
    }
}
