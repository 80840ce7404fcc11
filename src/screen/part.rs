//! The parts of a text that are in another language than the text as a whole, such as long quotations.
//!
//! A text is read in the language of most of it, which is enough to compare it with others in its language. A translation
//! has counterparts only for words that are read in their own language, so each part is searched for translations in its
//! own. Sentences are told by their language in groups of [`GROUP`] words, in which few are read wrongly; a part has at
//! least [`LEAST`] words, so that names, titles and short quotations make none.
//!
//! Cost: a detection for each group, some 10 µs.

use std::ops::Range;

use super::Text;
use crate::align::{Word, shared_words};
use crate::text::read_words::WordReader;
use crate::text::{Language, detect};
use crate::translate::Telling;

/// Number of words after which the next sentence begins another group; a group without a sentence's start has twice as many.
const GROUP: usize = 24;

/// Minimum number of words of a part.
const LEAST: usize = 40;

/// A run of a text's words in another language.
#[derive(Debug)]
pub(super) struct Part {
    language: Language,
    /// The number of its first word.
    first: usize,
    /// Its words, read in its language.
    words: Vec<Word>,
}

impl Part {
    /// A run of a text's words, read in its language.
    pub(super) fn new(text: &Text, run: Range<usize>, language: Language, reader: &mut WordReader) -> Self {
        let WordReader { analyser, memo } = reader;
        let in_language = |word: &Word| {
            let read = memo.read(analyser, &text.text[word.start as usize..word.end as usize]);
            read.map_or(*word, |read| Word { form: read.form, stem: read.stem, is_common: read.is_common, ..*word })
        };
        Self { language, first: run.start, words: text.words.as_slice()[run].iter().map(in_language).collect() }
    }

    fn range(&self) -> Range<usize> {
        self.first..self.first + self.words.len()
    }
}

/// The runs of a text's words that are in another language than the text, of those that are searched.
pub(super) fn runs_in_others(text: &Text, is_searched: impl Fn(Language) -> bool) -> Vec<(Range<usize>, Language)> {
    let language = |group: Range<usize>| {
        let detected = detect::of_whole(&text.text[text.words.bytes(group)]);
        // What is in a language that is not searched belongs to the text around it.
        let language = if is_searched(detected.language) { detected.language } else { text.language };
        detected.reliable.then_some(language)
    };
    let groups = groups(text.words.len(), |word| text.words.begins_sentence(word));
    runs(groups.into_iter().map(|group| (group.clone(), language(group))).collect(), text.language)
}

/// The words of a text in groups, each from one sentence's start to another's if it is not too long.
fn groups(words: usize, begins_sentence: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let (mut groups, mut start) = (Vec::new(), 0);
    for word in 0..words {
        let length = word - start;
        if length >= GROUP && begins_sentence(word) || length == 2 * GROUP {
            groups.push(start..word);
            start = word;
        }
    }
    groups.extend((start < words).then_some(start..words));
    groups
}

/// Runs of groups in another language than that of the text, each with its language. A group whose language is not known has
/// that of the one before it, the first ones that of the first that is known.
fn runs(groups: Vec<(Range<usize>, Option<Language>)>, of_text: Language) -> Vec<(Range<usize>, Language)> {
    let mut runs: Vec<(Range<usize>, Language)> = Vec::new();
    let mut language = groups.iter().find_map(|(_, language)| *language).unwrap_or(of_text);
    for (group, known) in groups {
        language = known.unwrap_or(language);
        match runs.last_mut() {
            Some((words, last)) if *last == language => words.end = group.end,
            _ => runs.push((group, language)),
        }
    }
    runs.retain(|(words, language)| *language != of_text && words.len() >= LEAST);
    runs
}

impl Text {
    /// Memory in bytes for its parts, and for the vocabularies of their languages.
    pub(super) fn size_of_parts(&self) -> usize {
        self.words_in_parts() * size_of::<Word>() + self.parts.len() * self.words.len() * size_of::<u32>()
    }

    /// Number of words in other languages.
    fn words_in_parts(&self) -> usize {
        self.parts.iter().map(|part| part.words.len()).sum()
    }

    /// The languages that its parts were recognised as, the one of the whole text first.
    pub fn languages(&self) -> Vec<Language> {
        let of_text =
            (self.language.is_determined() && self.words_in_parts() < self.words.len()).then_some(self.language);
        let mut languages: Vec<Language> = of_text.into_iter().collect();
        for part in &self.parts {
            if !languages.contains(&part.language) {
                languages.push(part.language);
            }
        }
        languages
    }

    /// The language of most words of a run.
    pub fn language_of(&self, words: &Range<usize>) -> Language {
        let within = |part: &Part| shared_words(&part.range(), words);
        let of_language = |language: Language| -> usize {
            self.parts.iter().filter(|part| part.language == language).map(within).sum()
        };
        let most =
            self.parts.iter().map(|part| part.language).find(|&language| 2 * of_language(language) > words.len());
        most.unwrap_or(self.language)
    }

    /// A word as it is read in the language of its part, and that language.
    pub(super) fn read(&self, number: usize) -> (Language, &Word) {
        let part = self.parts.get(self.parts.partition_point(|part| part.range().end <= number));
        match part.filter(|part| part.first <= number) {
            Some(part) => (part.language, &part.words[number - part.first]),
            None => (self.language, &self.words.as_slice()[number]),
        }
    }

    /// The clue of each word to translations from this language.
    pub(super) fn telling(&self, language: Language) -> impl Iterator<Item = Telling<'_>> {
        (0..self.words.len()).map(move |number| {
            let (of_word, word) = self.read(number);
            match (self.tells_nothing(number), of_word == language) {
                (true, _) => Telling::Nothing,
                (_, true) => Telling::Word(word),
                _ => Telling::Foreign,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn groups_hold_every_word_once_and_are_of_like_length(
            words in 0usize..400,
            starts in prop::collection::btree_set(0usize..400, 0..60),
        ) {
            let groups = groups(words, |word| starts.contains(&word));
            prop_assert_eq!(groups.iter().cloned().flatten().collect::<Vec<_>>(), (0..words).collect::<Vec<_>>());
            for group in groups.iter().rev().skip(1) {
                let is_whole = group.len() >= GROUP && starts.contains(&group.end) || group.len() == 2 * GROUP;
                prop_assert!(is_whole, "{:?}", group);
                prop_assert!(!(group.start + GROUP..group.end).any(|word| starts.contains(&word)), "{:?}", group);
            }
        }
    }

    #[test]
    fn a_part_is_long_enough_and_a_group_of_no_known_language_belongs_to_the_one_before() {
        let [english, german] = ["eng", "deu"].map(|code| code.parse::<Language>().unwrap());
        let of = |groups: &[(usize, Option<Language>)]| {
            let mut end = 0;
            let groups = groups.iter().map(|&(words, language)| {
                end += words;
                (end - words..end, language)
            });
            runs(groups.collect(), english)
        };
        assert_eq!(of(&[(30, Some(english)), (30, Some(german)), (30, Some(english))]), []);
        assert_eq!(of(&[(30, Some(english)), (30, Some(german)), (30, None), (30, Some(english))]), [(30..90, german)]);
        assert_eq!(of(&[(30, None), (30, Some(german))]), [(0..60, german)]);
        assert_eq!(of(&[(80, None)]), []);
    }
}
