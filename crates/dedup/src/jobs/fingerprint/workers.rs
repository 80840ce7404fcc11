//! Documents are fingerprinted on several threads, each of which takes whole batches.
//!
//! Cost: that of [`nearcopy::Fingerprinter`], divided by the threads; memory is that of the reading loop (`jobs::reading`).

use std::ops::ControlFlow;
use std::path::PathBuf;

use nearcopy::error::Location;
use nearcopy::fingerprint::{Analysis, Options, digest_of};
use nearcopy::texts::made::{Fingerprinted, Maker};
use nearcopy_corpus::Format;
use nearcopy_corpus::records::{Batch, Reader, Record};

use crate::error::Result;
use crate::jobs::authors::Authors;
use crate::jobs::reading::{self, Make, Outcome};

/// A fingerprinted document of a file.
#[derive(Debug)]
pub struct FromFile {
    /// What is stored of it.
    pub made: Fingerprinted,
    /// Its place in the file.
    pub place: Location,
    /// The date that it states, in seconds since 1970 (UTC).
    pub date: Option<i64>,
    /// Number of malformed byte sequences that became U+FFFD.
    pub replaced: usize,
    /// True if it has no id in the field that is asked for.
    pub is_unnamed: bool,
    /// True if its text is null.
    pub is_null: bool,
    /// The format that its text was extracted from.
    pub format: Format,
    /// True if it has pictures or other parts that may hold text.
    pub is_unsure: bool,
    /// The [hash](nearcopy_corpus::carried_by) of the files that it carries; 0: none.
    pub carried: u64,
    /// The first 128 bits of the BLAKE3 hash of its file; `None` if the file is not one document.
    pub file: Option<[u8; 16]>,
}

/// The options of making fingerprints.
#[derive(Debug, Clone, Copy)]
pub struct Making<'a> {
    /// The options by which documents become fingerprints.
    pub options: &'a Options,
    /// The source of the authors, if the data that passages need is kept.
    pub passages: Option<&'a Authors>,
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
    receive: impl FnMut(Outcome<FromFile>) -> Result<ControlFlow<()>> + Send,
) -> Result<Reader> {
    let makers = (0..threads.max(1)).map(|_| OfFiles::new(making)).collect::<Result<_>>()?;
    reading::make_all::<OfFiles<'_>>(reader, makers, receive)
}

/// Makes fingerprints of documents on one thread.
pub(crate) struct OfFiles<'a> {
    making: &'a Making<'a>,
    maker: Maker,
    /// The author of the current batch, if its path names one.
    author: Option<String>,
}

impl<'a> OfFiles<'a> {
    fn new(making: &'a Making<'a>) -> Result<Self> {
        Ok(Self { making, maker: Maker::new(making.options, making.passages.is_some())?, author: None })
    }
}

/// True if other documents may have the characters of this text: different malformed bytes become the same character, and
/// pictures give none.
pub(crate) fn is_ambiguous(analysis: &Analysis, format: Format, replaced: usize) -> bool {
    replaced > 0 || analysis.words.is_empty() && format != Format::Text
}

/// True if a document may say more than its text, as where parts that may hold text are not read, or says something else, as
/// where its glyphs are not all known.
pub(crate) fn is_unsure(format: Format, pictured: usize, replaced: usize) -> bool {
    pictured > 0 || replaced > 0 && format != Format::Text
}

impl Make for OfFiles<'_> {
    type Made = FromFile;

    fn begin(&mut self, batch: &Batch) {
        self.author = self.making.passages.and_then(|authors| authors.of_batch(batch, self.making.inputs));
    }

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> FromFile {
        let Record { id, is_unnamed, text, key, origin, number, replaced, is_null, date, format, is_exact, .. } =
            record;
        let pictured = record.pictured;
        let (place, bytes) = (batch.place(number), text.len() as u64);
        let author =
            self.making.passages.and_then(|authors| authors.of_record(self.author.as_deref(), origin.as_deref()));
        let carried = nearcopy_corpus::carried_by(format, &text);
        let (mut analysis, mut passages) = self.maker.make(text, author);
        // Most texts are their files, which need not be hashed again.
        let file = match number {
            0 if is_exact => Some(analysis.fingerprint.digest),
            0 => batch.file_hash().map(digest_of),
            _ => None,
        };
        // A null text is equal to no other.
        if is_null || is_ambiguous(&analysis, format, replaced) {
            analysis.set_identity(batch.identity(number));
        }
        if let Some(problem) = passages.as_mut().and_then(|kept| kept.cut_short.as_mut()) {
            (problem.file, problem.place) = (batch.file.name.clone(), place);
        }
        let made = Fingerprinted { id, number, key, bytes, analysis, passages };
        let is_unsure = is_unsure(format, pictured, replaced);
        FromFile { made, place, date, replaced, is_unnamed, is_null, format, is_unsure, carried, file }
    }

    fn renew(&mut self) {
        // The same options were valid before.
        if let Ok(new) = Self::new(self.making) {
            *self = Self { author: self.author.take(), ..new };
        }
    }

    fn size(document: &FromFile) -> usize {
        document.made.size()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::LazyLock;

    use nearcopy_corpus::inputs::{Inputs, Selection};
    use nearcopy_corpus::records::Reading;

    use super::*;

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
            numbers.extend(outcome.documents.into_iter().map(|document| document.unwrap().made.number));
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
                let kept = 8 * made.made.analysis.shingles.len() + 12 * made.made.analysis.words.len();
                assert!((kept..kept + 1000).contains(&OfFiles::size(made)));
            }
            Ok(ControlFlow::Continue(()))
        })
        .unwrap();
    }
}
