//! Documents are fingerprinted on several threads, each of which takes whole batches.
//!
//! Cost: that of [`Fingerprinter`], divided by the threads; memory is that of the reading loop (`pipeline::reading`).

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::corpus::Format;
use crate::corpus::records::{Batch, Reader, Record};
use crate::error::{Location, Problem, Result};
use crate::fingerprint::digest_of;
use crate::fingerprint::{Analysis, Fingerprinter, Options};
use crate::pipeline::authors::Authors;
use crate::pipeline::reading::{self, Make, Outcome};
use crate::pipeline::screen::Preparer;
use crate::screen::PassageKeys;

/// A fingerprinted document.
#[derive(Debug)]
pub struct Fingerprinted {
    /// Its id.
    pub id: String,
    /// Its number in the file, from 1; 0 if the file is the document.
    pub number: u64,
    /// Its place in the file.
    pub place: Location,
    /// The value of the key field.
    pub key: Option<String>,
    /// The date that it states, in seconds since 1970 (UTC).
    pub date: Option<i64>,
    /// The length of its text in bytes.
    pub bytes: u64,
    /// Number of malformed byte sequences that became U+FFFD.
    pub replaced: usize,
    /// True if its text is null.
    pub is_null: bool,
    /// The format that its text was extracted from.
    pub format: Format,
    /// The first 128 bits of the BLAKE3 hash of its file; `None` if the file is not one document.
    pub file: Option<[u8; 16]>,
    /// Its fingerprint and its shingles.
    pub analysis: Analysis,
    /// The data that passages need, if they are asked for.
    pub passages: Option<Passages>,
}

impl Fingerprinted {
    /// A document from memory, whose text has this many bytes.
    pub(crate) fn from_memory(id: String, bytes: usize, analysis: Analysis, passages: Option<Passages>) -> Self {
        let (number, place, key, date, replaced) = (0, Location::File, None, None, 0);
        let (bytes, is_null, format, file) = (bytes as u64, false, Format::Text, None);
        Self { id, number, place, key, date, bytes, replaced, is_null, format, file, analysis, passages }
    }

    /// Its approximate size in memory, in bytes.
    pub(crate) fn size(&self) -> usize {
        let Analysis { shingles, words, fingerprint, .. } = &self.analysis;
        let kept = self.passages.as_ref().map_or(0, |kept| kept.text.len() + 8 * kept.features.len());
        let kept = kept + 8 * shingles.len() + 4 * words.len() + 4 * fingerprint.sketch.len();
        kept + self.id.len() + size_of::<Self>()
    }
}

/// The parts of a document that are kept for passages.
#[derive(Debug)]
pub struct Passages {
    /// Its text.
    pub text: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// The passage keys of the text.
    pub features: PassageKeys,
    /// The problem of a text that has more words than are searched for passages.
    pub cut_short: Option<Problem>,
}

/// The options of making fingerprints.
#[derive(Debug, Clone, Copy)]
pub struct Making<'a> {
    /// The options by which documents become fingerprints.
    pub options: &'a Options,
    /// The source of the authors, if the data that passages need is kept.
    pub passages: Option<Authors>,
    /// The inputs of the job.
    pub inputs: &'a [PathBuf],
}

/// Fingerprints all documents of a reader and calls `receive` with the outcome of every batch, in order, until it
/// breaks.
///
/// # Errors
///
/// Those of the options, and the first of `receive`.
pub(crate) fn fingerprint_all(
    reader: Reader,
    making: &Making<'_>,
    threads: usize,
    receive: impl FnMut(Outcome<Fingerprinted>) -> Result<ControlFlow<()>> + Send,
) -> Result<Reader> {
    let makers = (0..threads.max(1)).map(|_| Maker::new(making)).collect::<Result<_>>()?;
    reading::make_all::<Maker<'_>>(reader, makers, receive)
}

/// Makes fingerprints on one thread.
pub(crate) struct Maker<'a> {
    making: &'a Making<'a>,
    fingerprinter: Fingerprinter,
    preparer: Preparer,
    /// The author of the current batch, if its path names one.
    author: Option<String>,
}

impl<'a> Maker<'a> {
    pub(crate) fn new(making: &'a Making<'a>) -> Result<Self> {
        let fingerprinter = Fingerprinter::new(making.options.clone())?;
        Ok(Self { making, fingerprinter, preparer: Preparer::new(None), author: None })
    }

    /// The analysis of a text, and the data that passages need.
    pub(crate) fn make_of_text(&mut self, text: Cow<'_, str>, author: Option<String>) -> (Analysis, Option<Passages>) {
        let analysis = self.fingerprinter.analyse(&text);
        let passages = self.making.passages.map(|_| {
            let language = analysis.fingerprint.language;
            let prepared = self.preparer.prepare_in(language, String::new(), author, text.into_owned());
            let (features, cut_short) = (PassageKeys::of(&prepared.words), prepared.cut_short());
            Passages { features, cut_short, text: prepared.text, author: prepared.author }
        });
        (analysis, passages)
    }
}

impl Make for Maker<'_> {
    type Made = Fingerprinted;

    fn begin(&mut self, batch: &Batch) {
        self.author = self.making.passages.and_then(|authors| authors.of_batch(batch, self.making.inputs));
    }

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Fingerprinted {
        let Record { id, text, key, author, number, replaced, is_null, date, format, is_file, .. } = record;
        let (place, bytes) = (batch.place(number), text.len() as u64);
        let author =
            self.making.passages.and_then(|authors| authors.of_record(self.author.as_deref(), author.as_deref()));
        let (mut analysis, mut passages) = self.make_of_text(text, author);
        // Different malformed bytes become the same character, pictures give no characters, and a null text is equal
        // to no other.
        let is_of_pictures = analysis.words.is_empty() && number == 0 && format != Format::Text;
        // Most texts are their files, which need not be hashed again.
        let file = match number {
            0 if is_file => Some(analysis.fingerprint.digest),
            0 => batch.file_hash().map(digest_of),
            _ => None,
        };
        if replaced > 0 || is_of_pictures || is_null {
            analysis.fingerprint.set_identity(batch.identity(number));
        }
        if let Some(problem) = passages.as_mut().and_then(|kept| kept.cut_short.as_mut()) {
            (problem.file, problem.place) = (batch.file.name.clone(), place);
        }
        Fingerprinted { id, number, place, key, date, bytes, replaced, is_null, format, file, analysis, passages }
    }

    fn renew(&mut self) {
        // The same options were valid before.
        if let Ok(new) = Self::new(self.making) {
            *self = Self { author: self.author.take(), ..new };
        }
    }

    fn size(made: &Fingerprinted) -> usize {
        made.size()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::LazyLock;

    use super::*;
    use crate::corpus::inputs::{Inputs, Selection};
    use crate::corpus::records::Reading;

    fn making() -> Making<'static> {
        static OPTIONS: LazyLock<Options> = LazyLock::new(Options::default);
        Making { options: &OPTIONS, passages: None, inputs: &[] }
    }

    fn reader(lines: usize) -> (tempfile::TempDir, Reader) {
        let folder = tempfile::tempdir().unwrap();
        let line = |i: usize| format!("{{\"text\":\"{} {i}\"}}\n", "the tide comes and goes ".repeat(40));
        fs::write(folder.path().join("a.jsonl"), (0..lines).map(line).collect::<String>()).unwrap();
        fs::write(folder.path().join("b.txt"), "one more").unwrap();
        let inputs = Inputs::new(vec![folder.path().to_owned()], Selection::default()).unwrap();
        (folder, Reader::new(inputs, Reading::default()))
    }

    fn numbers(threads: usize, stop_after: usize) -> Vec<u64> {
        let (_folder, reader) = reader(3000);
        let mut numbers = Vec::new();
        fingerprint_all(reader, &making(), threads, |outcome| {
            numbers.extend(outcome.documents.into_iter().map(|document| document.unwrap().number));
            Ok(if numbers.len() >= stop_after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .unwrap();
        numbers
    }

    #[test]
    fn documents_come_in_order_from_any_number_of_threads() {
        let expected: Vec<u64> = (1..=3000).chain([0]).collect();
        for threads in [1, 2, 5] {
            assert_eq!(numbers(threads, usize::MAX), expected, "{threads} threads");
        }
    }

    #[test]
    fn the_size_of_a_result_is_that_of_its_hashes() {
        let (_folder, reader) = reader(1000);
        fingerprint_all(reader, &making(), 1, |outcome| {
            for made in outcome.documents.iter().flatten() {
                let kept = 8 * made.analysis.shingles.len() + 4 * made.analysis.words.len();
                assert!((kept..kept + 1000).contains(&Maker::size(made)));
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    }
}
