//! Words of Chinese and Japanese by ICU4X's dictionary, in one walk instead of three.
//!
//! ICU4X divides a run of Han and Hiragana by its dictionary: at each place the longest entry is the word. It
//! walks the run three times (word rules, grapheme clusters, dictionary), and each first step into the
//! dictionary searches 20,000 characters. This module walks the same dictionary once, and caches for the whole
//! program the first step of each character and the words that few characters decide ([`answers`]). The tests compare
//! the words with those of ICU4X, for every character and for random texts. ICU4X itself decides where the results
//! could differ (a mark on the last character).
//!
//! Cost: 60 to 80 MB/s without the cache of words; ICU4X reaches 12 to 22.

mod answers;

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use icu_collections::char16trie::{Char16Trie, Char16TrieCursor};
use icu_properties::props::{Script, WordBreak};
use icu_properties::{CodePointMapData, CodePointMapDataBorrowed};
use icu_provider::prelude::*;
use icu_segmenter::provider::{Baked, DictionaryBreakData, SegmenterDictionaryAutoV2};

use answers::{Answer, Answers, Start};

/// The characters whose first step is cached: Hiragana and the common Han.
const REMEMBERED: Range<u32> = 0x3000..0xA000;

/// A place in the dictionary.
#[derive(Clone)]
struct Step {
    cursor: Char16TrieCursor<'static>,
    is_word: bool,
    is_end: bool,
}

impl Step {
    fn first(dictionary: &'static Char16Trie<'static>, c: char) -> Self {
        Self { cursor: dictionary.cursor(), is_word: false, is_end: false }.next(c)
    }

    #[inline]
    fn next(mut self, c: char) -> Self {
        self.cursor.step32(c.into());
        Self { is_word: self.cursor.value().is_some(), is_end: self.cursor.is_empty(), cursor: self.cursor }
    }
}

/// ICU4X's dictionary of Chinese and Japanese; `None` if its format is not the one known here.
static DICTIONARY: LazyLock<Option<&'static Char16Trie<'static>>> = LazyLock::new(|| {
    let id = DataIdentifierBorrowed::for_marker_attributes(DataMarkerAttributes::from_str_or_panic("cjdict"));
    let request = DataRequest { id, ..DataRequest::default() };
    let response: DataResponse<SegmenterDictionaryAutoV2> = Baked.load(request).ok()?;
    match response.payload.get_static()? {
        DictionaryBreakData::Char16Trie(trie) => Some(trie),
        DictionaryBreakData::ZeroTrie { .. } => None,
    }
});

static FIRST_STEPS: [OnceLock<Step>; REMEMBERED.end as usize - REMEMBERED.start as usize] =
    [const { OnceLock::new() }; REMEMBERED.end as usize - REMEMBERED.start as usize];

/// Divides runs of Han and Hiragana.
#[derive(Debug, Clone, Copy)]
pub(super) struct Han {
    word_break: CodePointMapDataBorrowed<'static, WordBreak>,
    script: CodePointMapDataBorrowed<'static, Script>,
}

impl Han {
    pub(super) fn new() -> Self {
        Self { word_break: CodePointMapData::new(), script: CodePointMapData::new() }
    }

    /// Calls `word` for every word of the run at the beginning of `text`; returns the run's length in bytes, or
    /// `None` if ICU4X must divide it.
    pub(super) fn run(self, text: &str, mut word: impl FnMut(Range<usize>)) -> Option<usize> {
        let dictionary = (*DICTIONARY)?;
        let length = text.find(|c| !is_run(c)).unwrap_or(text.len());
        if text[length..].chars().next().is_some_and(|c| self.joins(c) || self.continues(c)) {
            return None;
        }
        let mut start = 0;
        while start < length {
            let end = start + first_word_of(dictionary, &text[start..length], answers::known());
            word(start..end);
            start = end;
        }
        Some(length)
    }

    /// True for a character outside runs that continues one for ICU4X: rare and compatibility Han, iteration
    /// marks and the like.
    pub(super) fn continues(self, c: char) -> bool {
        !c.is_ascii() && !is_run(c) && matches!(self.script.get(c), Script::Han | Script::Hiragana)
    }

    /// True for a character that extends the one before it.
    fn joins(self, c: char) -> bool {
        !c.is_ascii() && matches!(self.word_break.get(c), WordBreak::Extend | WordBreak::Format | WordBreak::ZWJ)
    }
}

/// True for a character that the dictionary divides and that stands alone.
#[inline]
pub(in crate::text) fn is_run(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3041}'..='\u{3096}')
}

/// True if [`first_word`] can divide runs.
pub(in crate::text) fn is_known() -> bool {
    DICTIONARY.is_some()
}

/// The length in bytes of the first word of a run, or of all of it if the dictionary is not known.
#[inline]
pub(in crate::text) fn first_word(run: &str) -> usize {
    DICTIONARY.map_or(run.len(), |dictionary| first_word_of(dictionary, run, answers::known()))
}

/// The same: [`walk`] with a cache, which is added to.
#[inline]
fn first_word_of<const N: usize>(dictionary: &'static Char16Trie<'static>, run: &str, known: &Answers<N>) -> usize {
    let mut characters = run.chars();
    let (Some(a), Some(b)) = (characters.next(), characters.next()) else { return run.len() };
    let start = Start::of_two(a, b);
    let longer = characters.next().map(|c| start.and(c));
    let answer = match known.get(start) {
        Some(Answer::Open) => longer.and_then(|longer| known.get(longer)),
        answer => answer,
    };
    if let Some(Answer::Word(length)) = answer {
        return length;
    }
    let (length, examined) = walk(dictionary, run);
    let word = Answer::Word(length);
    if examined.is_some_and(|examined| examined <= a.len_utf8() + b.len_utf8()) {
        known.add(start, word);
    } else {
        known.add(start, Answer::Open);
        // All characters of runs have the same length.
        if let (Some(longer), Some(true)) = (longer, examined.map(|examined| examined == 3 * a.len_utf8())) {
            known.add(longer, word);
        }
    }
    length
}

/// The length in bytes of the first word of a run, and the number of bytes that decide it; `None` if the run ends inside
/// an entry of the dictionary.
fn walk(dictionary: &'static Char16Trie<'static>, run: &str) -> (usize, Option<usize>) {
    let mut rest = run.chars();
    let Some(c) = rest.next() else { return (0, None) };
    let place = (u32::from(c) - REMEMBERED.start) as usize;
    let mut step = FIRST_STEPS[place].get_or_init(|| Step::first(dictionary, c)).clone();
    let mut at = c.len_utf8();
    let mut longest = if step.is_word { at } else { 0 };
    while !step.is_end {
        let Some(c) = rest.next() else {
            // The run ends inside an entry: the word is the longest entry so far, else the whole run.
            return (if longest > 0 { longest } else { run.len() }, None);
        };
        step = step.next(c);
        at += c.len_utf8();
        if step.is_word {
            longest = at;
        }
    }
    // Where no entry fits, ICU4X takes all characters that it examined.
    (if longest > 0 { longest } else { at }, Some(at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn known_words_are_those_of_the_dictionary(
            runs in prop::collection::vec("([一-龥]|[的一是不了人我在有他这中大来上个国海水洋研究])([一-龥]|[的一是不了人我在有他这中大来上个国海水洋研究]){0,6}|[ぁ-ゖ]{1,6}", 1..30)
        ) {
            let dictionary = DICTIONARY.unwrap();
            let few = Answers::<4>::new();
            // Each is asked twice, so that answers are found and replaced.
            for run in runs.iter().chain(&runs) {
                for (start, _) in run.char_indices() {
                    let (length, _) = walk(dictionary, &run[start..]);
                    prop_assert_eq!(first_word_of(dictionary, &run[start..], &few), length);
                    prop_assert_eq!(first_word_of(dictionary, &run[start..], answers::known()), length);
                }
            }
        }
    }
}
