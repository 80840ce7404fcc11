//! Spans of documents with what stands beside them, to be shown.
//!
//! Cost: the documents are read once more.

use std::collections::HashMap;

use nearcopy::cutting::Place;
use nearcopy_corpus::records::{Batch, Record};

use super::passes::Passes;
use super::reading::Make;
use super::seen::Seen;
use crate::error::Result;

/// Maximum numbers of characters of a span, and on either side of it.
const SHOWN: usize = 600;
const BESIDE: usize = 80;

/// A span of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The characters before it in the text.
    pub character: u32,
    /// What stands before it, the span or its beginning, and what stands behind.
    pub text: [String; 3],
    /// True if the span is longer than what is shown of it.
    pub is_shortened: bool,
}

/// A span to be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: Place,
    /// Bytes.
    pub(super) length: u32,
}

/// The wanted spans of documents, by the number of the file and the record: each with a number of its own.
pub(super) type Wanted = HashMap<(u32, u64), Vec<(usize, Span)>>;

/// The excerpts of all wanted spans, in the order of their numbers.
///
/// # Errors
///
/// [`crate::Error::Changed`]; those of reading; [`nearcopy::Error::Interrupted`].
pub(super) fn read(passes: &Passes<'_>, stage: &str, seen: &Seen, wanted: &Wanted) -> Result<Vec<Excerpt>> {
    let mut excerpts = vec![Excerpt::default(); wanted.values().map(Vec::len).sum()];
    passes.read(stage, &|| Excerpts { wanted }, &mut |file, number, made| {
        seen.again(number, file)?;
        made.into_iter().flatten().flatten().for_each(|(number, excerpt)| excerpts[number] = excerpt);
        Ok(())
    })?;
    Ok(excerpts)
}

/// A text that may be too long to be shown: its beginning, and true if there is more.
pub(super) fn beginning(text: &str) -> (&str, bool) {
    let shown = text.char_indices().nth(SHOWN).map_or(text, |(end, _)| &text[..end]);
    (shown, shown.len() < text.len())
}

impl Span {
    fn of(self, text: &str) -> Excerpt {
        let Self { start: Place { byte, character }, length } = self;
        let at = |byte: usize| text.floor_char_boundary(byte);
        let (start, end) = (at(byte as usize), at(byte as usize + length as usize));
        let (shown, is_shortened) = beginning(&text[start..end]);
        let before = text[..start].char_indices().rev().take(BESIDE).last().map_or(start, |(at, _)| at);
        let after: String = text[end..].chars().take(BESIDE).collect();
        Excerpt { character, text: [text[before..start].to_owned(), shown.to_owned(), after], is_shortened }
    }
}

/// Takes the wanted spans out of documents.
struct Excerpts<'a> {
    wanted: &'a Wanted,
}

impl Make for Excerpts<'_> {
    type Made = Vec<(usize, Excerpt)>;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Self::Made {
        let Some(spans) = self.wanted.get(&(batch.file_number, record.number)) else { return Vec::new() };
        spans.iter().map(|&(number, span)| (number, span.of(&record.text))).collect()
    }

    fn renew(&mut self) {}

    fn size(made: &Self::Made) -> usize {
        made.len() * (size_of::<Excerpt>() + 4 * (SHOWN + 2 * BESIDE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_shown_with_what_is_beside_it() {
        let text = format!("{}été {} end", "x".repeat(100), "ab".repeat(400));
        let start = Place { byte: 100, character: 100 };
        let shown = Span { start, length: 806 }.of(&text);
        assert_eq!(shown.text, ["x".repeat(80), format!("été {}", "ab".repeat(298)), " end".into()]);
        assert!(shown.is_shortened);
        let shown = Span { start: Place::default(), length: 2000 }.of("all");
        assert_eq!((shown.text.join("|"), shown.is_shortened), ("|all|".to_owned(), false));
    }
}
