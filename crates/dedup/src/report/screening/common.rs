//! Text that many documents share, for people and for programs.

use std::collections::HashMap;
use std::io::{self, Write};

use nearcopy::screen::{CommonText, Screening, Text};
use serde::Serialize;

use super::{EXCERPT, cut, one_line};
use crate::report::figures::{counted, grouped};
use crate::report::listing::Item;
use crate::report::page::legibly;
use crate::report::table::{Cell, columns};

columns! {
    /// A text that many documents share, as programs see it.
    pub struct SharedText<'a> {
        words: usize => figure,
        documents: usize => figure,
        documents_read: usize => figure,
        id: &'a str => text,
        offset: usize => figure,
        length: usize => figure,
        offset_bytes: usize => figure,
        length_bytes: usize => figure,
        text: String => text,
    }
}

impl<'a> SharedText<'a> {
    /// All common texts that are listed, the greatest product of words and documents first.
    pub fn all(screening: &'a Screening) -> Vec<Self> {
        screening.common.iter().map(|common| Self::new(screening, common)).collect()
    }

    /// A text of a screening that many documents share, with its place and its first words.
    pub(super) fn new(screening: &'a Screening, CommonText { documents, text, words }: &CommonText) -> Self {
        let text = &screening.texts[*text as usize];
        let place = text.place(words.clone());
        Self {
            words: words.len(),
            documents: *documents,
            documents_read: screening.read,
            id: &text.id,
            offset: place.offset,
            length: place.length,
            offset_bytes: place.bytes.start,
            length_bytes: place.bytes.len(),
            text: cut(&text.text[place.bytes], EXCERPT),
        }
    }

    /// Its length, its documents and its first words, in a line.
    pub(super) fn in_words(&self) -> String {
        let words = counted(self.words as u64, "word");
        let [some, all] = [self.documents, self.documents_read].map(|count| grouped(count as u64));
        format!("{words}, all or most of them in {some} of {all} documents and sources: “{}”", one_line(&self.text))
    }
}

impl Item for SharedText<'_> {
    const COLUMNS: &'static [&'static str] = Self::FIELDS;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.in_words())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        vec![self.cells()]
    }
}

/// Minimum number of documents that may all have been given one text: two that share one may have copied it from each other.
const LEAST: usize = 3;

/// Number of documents that share passages, not only weak ones, with at least half of the documents by others, if most documents
/// do and at least [`LEAST`]: they may have been given one text that is too much of each, or that too few have, to be common.
pub(super) fn sharing_with_half(screening: &Screening) -> Option<usize> {
    let documents = &screening.texts[..screening.suspicious];
    let mut partners = vec![0; documents.len()];
    for found in screening.matches.iter().filter(|found| found.passages.iter().any(|passage| !passage.is_weak)) {
        let pair = [found.suspicious as usize, found.source as usize];
        if pair.iter().all(|&document| document < documents.len()) {
            for document in pair {
                partners[document] += 1;
            }
        }
    }
    let mut by_author: HashMap<&str, usize> = HashMap::new();
    for author in documents.iter().filter_map(|text| text.author.as_deref()) {
        *by_author.entry(author).or_default() += 1;
    }
    let own = |text: &Text| text.author.as_deref().and_then(|author| by_author.get(author)).copied().unwrap_or(1);
    let shares_with_half =
        |&(text, partners): &(&Text, &usize)| *partners > 0 && 2 * partners >= documents.len() - own(text);
    let count = documents.iter().zip(&partners).filter(shares_with_half).count();
    (count >= LEAST && 2 * count > documents.len()).then_some(count)
}

/// A text that many documents share, by its first words, for the page.
#[derive(Debug, Serialize)]
pub(super) struct CommonData {
    words: usize,
    /// Number of its words that are left out, as those of a template, in the text that has it.
    left_out: usize,
    documents: usize,
    beginning: String,
}

impl CommonData {
    pub(super) fn new(screening: &Screening, CommonText { documents, text, words }: &CommonText) -> Self {
        let text = &screening.texts[*text as usize];
        let beginning = legibly(&one_line(&text.text[text.words.bytes(words.clone())]));
        let is_out = |word: &usize| text.left_out().iter().any(|run| run.contains(word));
        let left_out = words.clone().filter(is_out).count();
        Self { words: words.len(), left_out, documents: *documents, beginning }
    }
}
