//! The places of words in a text that is read again: kept words ([`crate::fingerprint`]) are hashes, and a reader is shown
//! what is written.
//!
//! Cost: that of reading the words once, or twice if some are invisible.

use std::ops::Range;

use super::one_script::OneScript;
use super::words::WordReader;

/// A text and the places of its words.
#[derive(Debug)]
pub struct Spanned<'a> {
    text: &'a str,
    spans: Vec<Range<usize>>,
}

impl<'a> Spanned<'a> {
    /// The spans of the words of a text of which `kept` are kept; none if they cannot be told.
    pub fn new(reader: &WordReader, text: &'a str, kept: usize) -> Self {
        let mut spans = Vec::with_capacity(kept);
        // Kept words are divided as in the script that the text is read in.
        let in_place = OneScript::of(text).and_then(|script| script.read_in_place(text));
        let read = in_place.as_deref().unwrap_or(text);
        reader.words(read, |word| spans.push(word.span));
        if spans.len() > kept {
            // Invisible words, which have no form, are not kept.
            spans.clear();
            reader.forms(read, |word, form| {
                if !form.is_empty() {
                    spans.push(word.span);
                }
            });
        }
        Self { text, spans }
    }

    /// Number of words whose places are known.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// True if no place is known.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The text of some words; empty if there are none.
    pub fn text(&self, words: &Range<usize>) -> &'a str {
        let Some(spans) = self.spans.get(words.clone()) else { return "" };
        let Some((first, last)) = spans.first().zip(spans.last()) else { return "" };
        self.text.get(first.start..last.end).unwrap_or_default()
    }

    /// The text of some words with the signs around them, up to the words before and behind; without white space around.
    pub fn text_and_signs(&self, words: &Range<usize>) -> &'a str {
        let start = words.start.checked_sub(1).and_then(|before| self.spans.get(before)).map_or(0, |before| before.end);
        let end = self.spans.get(words.end).map_or(self.text.len(), |behind| behind.start);
        self.text.get(start..end).unwrap_or_default().trim()
    }

    /// True if a word begins a sentence, where a capital tells nothing.
    pub fn begins_sentence(&self, word: usize) -> bool {
        let Some(span) = self.spans.get(word) else { return false };
        let end = word.checked_sub(1).map_or(0, |before| self.spans[before].end);
        let gap = self.text.get(end..span.start).unwrap_or_default();
        word == 0 || gap.contains(['.', '!', '?', ':', '\n'])
    }
}
