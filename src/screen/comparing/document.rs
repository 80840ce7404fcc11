//! One suspicious document beside its candidates.

use std::cell::RefCell;
use std::collections::HashMap;

use super::matches::of_two;
use super::{Searched, is_itself};
use crate::align::{Candidate, Counted, Options, Search};
use crate::error::{Location, Problem};
use crate::observer::Observer;
use crate::screen::archive::Archive;
use crate::screen::{Match, Preparer, Text, or_problem};

/// The result for one document.
#[derive(Debug, Default)]
pub(super) struct OfOne {
    pub(super) matches: Vec<Match>,
    /// True if it stands among its own sources.
    pub(super) own: bool,
    /// Pairs whose comparison panicked.
    pub(super) problems: Vec<Problem>,
}

/// A suspicious document that is being compared.
struct Document<'a> {
    searched: &'a Searched<'a>,
    number: usize,
    text: &'a Text,
    counted: Counted<'a>,
    options: Options,
    result: OfOne,
}

impl Searched<'_> {
    /// Compares a suspicious document with its candidates.
    pub(super) fn compare(
        &self,
        number: usize,
        options: Options,
        preparer: &mut Preparer,
        search: &mut Search<'_>,
        observer: &dyn Observer,
    ) -> OfOne {
        let text = &self.corpus.texts[number];
        let counted = self.sample.of_read(number, text);
        let mut document = Document { searched: self, number, text, counted, options, result: OfOne::default() };
        // It compares whole texts, and each block of words of a long one asks again.
        let judged: RefCell<HashMap<(usize, u32), bool>> = RefCell::default();
        let is_compared = |index: usize, other: u32| {
            *judged.borrow_mut().entry((index, other)).or_insert_with(|| self.is_candidate(number, index, other))
        };
        let mut candidates = search.of(&text.words, is_compared).into_iter();
        document.add_read(&candidates.next().unwrap_or_default(), observer);
        let mut first = self.corpus.texts.len();
        for (archive, candidates) in self.corpus.archives.iter().zip(candidates) {
            document.add_archived((archive, first), &candidates, preparer, observer);
            first += archive.len();
        }
        document.add_translations(is_compared, preparer);
        document.result
    }
}

impl Document<'_> {
    /// Compares it with texts that were read: those that were found, and those that are as a whole much like it.
    fn add_read(&mut self, found: &[Candidate], observer: &dyn Observer) {
        let Self { searched, number, .. } = *self;
        let Searched { corpus, wholes, first, .. } = searched;
        let found = found.iter().filter(|it| !wholes.are_two(number as u32, it.text() + *first as u32));
        let whole = wholes.of(number as u32).filter_map(|other| other.checked_sub(*first as u32));
        for candidate in found.cloned().chain(whole.map(Candidate::with_whole)) {
            if observer.is_stopped() {
                break;
            }
            let other = candidate.text() as usize + first;
            let source = &corpus.texts[other];
            if searched.is_compared(number, other) {
                self.add(&candidate, other, source, searched.sample.of_read(other, source));
            }
        }
    }

    /// Compares it with texts of an archive, given with the number of its first text.
    fn add_archived(
        &mut self,
        (archive, first): (&Archive, usize),
        candidates: &[Candidate],
        preparer: &mut Preparer,
        observer: &dyn Observer,
    ) {
        let Searched { corpus, sample, .. } = self.searched;
        for candidate in candidates {
            if observer.is_stopped() {
                break;
            }
            let source = candidate.text() as usize;
            if let Some(text) = archive.text(source, preparer, corpus.exclusions) {
                self.add(candidate, first + source, text, sample.of_archived(archive, source, text));
            }
        }
    }

    /// Compares it with a text, given with its number.
    fn add(&mut self, candidate: &Candidate, other: usize, source: &Text, counted_source: Counted<'_>) {
        let Self { searched, text, number, .. } = *self;
        let are_documents = searched.is_document(other);
        if !are_documents && is_itself(text, &source.id, &source.text) {
            self.result.own = true;
            return;
        }
        if !are_documents && searched.is_known(&source.id, &source.text) {
            return;
        }
        let [common, common_source] = if are_documents {
            text.no_evidence_of_two((other, source))
        } else {
            text.no_evidence_of_source((other, source))
        };
        let counted = Counted { common: &common, ..self.counted };
        let counted_source = Counted { common: &common_source, ..counted_source };
        let sides = [(number, text, counted), (other, source, counted_source)];
        let aligned = || of_two(sides, candidate, are_documents, self.options, searched.among(text));
        match or_problem(&text.id, Location::File, aligned) {
            Ok(found) => self.result.add(found, are_documents),
            Err(problem) => {
                let file = format!("{} compared with {}", text.id, source.id);
                self.result.problems.push(Problem { file, ..problem });
            }
        }
    }

    /// Adds passages that are translated; whether a text is compared is asked by its index and its number there.
    fn add_translations(&mut self, is_compared: impl Fn(usize, u32) -> bool, preparer: &mut Preparer) {
        let Self { searched, text, number, options, .. } = *self;
        let Some(translations) = &searched.translations else { return };
        let is_compared = |other: usize| match searched.corpus.archived(other) {
            None => other >= searched.first && is_compared(0, (other - searched.first) as u32),
            Some((archive, number)) => is_compared(archive + 1, number as u32),
        };
        for (other, passages) in translations.of(number, options, is_compared, preparer) {
            if let Some(source) = translations.text(other, preparer) {
                let sides = [(number, text), (other, source)];
                self.result.add_translated(sides, passages, searched.is_document(other), options);
            }
        }
    }
}

impl OfOne {
    /// Adds the match of two texts. Of two documents the one with the greater share in the other is the suspicious one.
    pub(super) fn add(&mut self, found: Option<Match>, are_documents: bool) {
        self.matches.extend(found.map(|found| if are_documents { found.by_share() } else { found }));
    }
}
