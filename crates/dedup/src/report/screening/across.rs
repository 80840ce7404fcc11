//! Which languages of the texts were searched for translations, in words and for the page.

use nearcopy::screen::{LanguagePair, ScreenedLanguages, Screening, Translation, TranslationSearch};
use nearcopy::text::Language;
use nearcopy::translate::Lexicon;
use serde::Serialize;

use crate::report::figures::counted;

/// Maximum number of pairs of languages that a line of the summary names.
const NAMED: usize = 6;

/// The pairs that are searched in one way, in words.
fn pairs_in_words(languages: &ScreenedLanguages, search: TranslationSearch) -> Option<String> {
    let pairs: Vec<String> = languages.pairs.iter().filter(|pair| pair.search == search).map(pair_in_words).collect();
    let more = pairs.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(", and {}", counted(more as u64, "more pair")) } else { String::new() };
    (!pairs.is_empty()).then(|| format!("{}{more}", pairs[..pairs.len().min(NAMED)].join(", ")))
}

/// The pairs that were searched for translations without a lexicon, in a line for a person; none unless it was asked for.
pub(super) fn searched(screening: &Screening) -> Option<String> {
    let pairs = pairs_in_words(screening.languages.as_ref()?, TranslationSearch::ByLetters)?;
    Some(format!(
        "searched for translations without a lexicon, by words that begin alike, numbers and names, which finds less: {pairs}"
    ))
}

/// What was not searched for translations, in lines for a person; none unless it was asked for. All texts are in `language` if
/// one was given.
pub fn not_searched(screening: &Screening, translation: &Translation, language: Option<Language>) -> Vec<String> {
    let Some(languages) = &screening.languages else { return Vec::new() };
    let mut lines = Vec::new();
    lines.extend(pairs_in_words(languages, TranslationSearch::None).map(|pairs| {
        format!(
            "not searched for translations: {pairs}: no lexicon of these languages was given; --translated compares them \
             by words that begin alike, numbers and names"
        )
    }));
    for of in unused(languages, translation) {
        let [a, b] = of.map(Language::name);
        let missing: Vec<&str> = of
            .iter()
            .filter(|language| !languages.present.contains(language))
            .map(|language| language.name())
            .collect();
        let why = match missing[..] {
            [] => "no document in one of them was compared with a text in the other".into(),
            _ if let Some(language) = language => as_given(language),
            _ => format!("no text was recognised as {}", missing.join(" or ")),
        };
        lines.push(format!("the lexicon of {a} and {b} was not used: {why}"));
    }
    if languages.pairs.is_empty() && translation.lexicons.is_empty() {
        lines.push(match language {
            Some(language) => format!("no translation was searched for: {}", as_given(language)),
            None => "no two texts that were compared were recognised as being in different languages, so no translation was \
                     searched for"
                .into(),
        });
    }
    if languages.undetermined > 0 {
        let (was, its) = if languages.undetermined == 1 { ("was", "its") } else { ("were", "their") };
        lines.push(format!(
            "{} {was} not searched for translations: {its} language was not detected",
            counted(languages.undetermined as u64, "text")
        ));
    }
    lines
}

/// Why no two texts are in different languages if all are in one.
fn as_given(language: Language) -> String {
    format!("--language sets the language of all texts to {}; without it, that of each is detected", language.name())
}

/// `English with German (4 documents with 5 sources)`.
fn pair_in_words(pair: &LanguagePair) -> String {
    let [language, other] = pair.languages.map(Language::name);
    let documents = counted(pair.documents as u64, "document");
    let others = counted(pair.others as u64, if pair.are_sources { "source" } else { "document" });
    format!("{language} with {other} ({documents} with {others})")
}

/// The languages of lexicons that no compared texts have.
fn unused(languages: &ScreenedLanguages, translation: &Translation) -> Vec<[Language; 2]> {
    let mut unused: Vec<[Language; 2]> = translation.lexicons.iter().map(Lexicon::languages).collect();
    unused.retain(|[a, b]| !languages.pairs.iter().any(|pair| [[*a, *b], [*b, *a]].contains(&pair.languages)));
    unused.sort_unstable();
    unused.dedup();
    unused
}

/// Languages of documents without a text to be compared with, for the page: of the only document that it is about, if there is
/// one. None if translations were searched for.
pub(super) fn alone(screening: &Screening, only: Option<u32>) -> Vec<([&'static str; 2], usize)> {
    let of = only.map(|number| screening.texts[number as usize].languages());
    let is_told = |language| of.as_ref().is_none_or(|of| of.first() == Some(language));
    let told = screening.alone.iter().filter(|alone| is_told(&alone.language));
    told.map(|alone| (named(alone.language), if only.is_some() { 1 } else { alone.documents })).collect()
}

/// The same for the page.
#[derive(Debug, Serialize)]
pub(super) struct Across {
    /// Pairs that were not searched, those that were without a lexicon, and those that were by one.
    none: Vec<PairAcross>,
    letters: Vec<PairAcross>,
    lexicon: Vec<PairAcross>,
    /// The languages of lexicons that no compared texts have.
    unused: Vec<[[&'static str; 2]; 2]>,
    /// Number of texts whose language was not detected.
    undetermined: usize,
}

/// A pair of languages, each by its code and its English name, and the numbers of documents and of other texts.
#[derive(Debug, Serialize)]
struct PairAcross {
    languages: [[&'static str; 2]; 2],
    texts: [usize; 2],
}

impl Across {
    /// That of all documents, or of the only one that the page is about; `None` unless translations were asked for.
    pub(super) fn new(screening: &Screening, translation: &Translation, only: Option<u32>) -> Option<Self> {
        let languages = screening.languages.as_ref()?;
        let only = only.map(|number| screening.texts[number as usize].languages());
        let pairs = |search: TranslationSearch| {
            let of_search = languages.pairs.iter().filter(|pair| pair.search == search);
            PairAcross::merged(of_search.filter_map(|pair| PairAcross::of(pair, only.as_deref())))
        };
        Some(Self {
            none: pairs(TranslationSearch::None),
            letters: pairs(TranslationSearch::ByLetters),
            lexicon: pairs(TranslationSearch::ByLexicon),
            unused: unused(languages, translation).into_iter().map(|of| of.map(named)).collect(),
            // Other documents are none of a dossier's business.
            undetermined: only.as_ref().map_or(languages.undetermined, |languages| usize::from(languages.is_empty())),
        })
    }
}

/// A language by its code and its English name.
fn named(language: Language) -> [&'static str; 2] {
    let short = language.short_code();
    [if short.is_empty() { language.code() } else { short }, language.name()]
}

impl PairAcross {
    /// A pair as the page has it; `None` if the only document of the page is in another language.
    fn of(pair: &LanguagePair, only: Option<&[Language]>) -> Option<Self> {
        let [language, other] = pair.languages;
        let (languages, texts) = match only {
            None => (pair.languages, [pair.documents, pair.others]),
            Some(only) if only.contains(&language) => (pair.languages, [1, pair.others]),
            Some(only) if only.contains(&other) && !pair.are_sources => ([other, language], [1, pair.documents]),
            Some(_) => return None,
        };
        Some(Self { languages: languages.map(named), texts })
    }

    /// Pairs of which each stands once, with the sources and the documents that its documents were compared with counted
    /// together; the one with most pairs of texts first.
    fn merged(pairs: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut merged: Vec<Self> = Vec::new();
        for pair in pairs {
            match merged.iter_mut().find(|earlier| earlier.languages == pair.languages) {
                Some(earlier) => earlier.texts[1] += pair.texts[1],
                None => merged.push(pair),
            }
        }
        merged.sort_by_key(|pair| std::cmp::Reverse(pair.texts[0] * pair.texts[1]));
        merged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_of_languages_stands_once() {
        let [english, polish, german] = ["eng", "pol", "deu"].map(|code| code.parse().unwrap());
        let pair = |languages, others, are_sources| {
            let search = TranslationSearch::ByLetters;
            LanguagePair { languages, documents: 31, others, are_sources, search }
        };
        let pairs = [
            pair([english, german], 2, true),
            pair([english, polish], 1, true),
            pair([english, polish], 4, false),
            pair([polish, english], 1, true),
        ];
        let told = |only: Option<&[Language]>| {
            let merged = PairAcross::merged(pairs.iter().filter_map(|pair| PairAcross::of(pair, only)));
            merged.iter().map(|it| (it.languages.map(|[code, _]| code), it.texts)).collect::<Vec<_>>()
        };
        assert_eq!(told(None), [(["en", "pl"], [31, 5]), (["en", "de"], [31, 2]), (["pl", "en"], [31, 1])]);
        assert_eq!(told(Some(&[polish])), [(["pl", "en"], [1, 32])]);
    }
}
