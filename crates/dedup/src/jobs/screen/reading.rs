//! Reading the documents of a screening.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use nearcopy::align::Word;
use nearcopy::error::{Location, Problem, Reason};
use nearcopy::observer::{Read, go_on};
use nearcopy::screen::{Hidden, Preparer, Problems, Text, TextRoom, is_archive};
use nearcopy::store::file::format::DateOrigin;
use nearcopy_corpus::records::{Batch, Reader, Record};

use super::naming::{self, Naming};
use super::{Given, Job, own_page};
use crate::error::Result;
use crate::jobs::authors::{is_receipt, submitted};
use crate::jobs::reading::{Make, Outcome, bounded, make_all};

/// Reads all documents of the inputs, in order; returns the names of files, too, that are none ([`own_page`], [`is_receipt`]).
pub(super) fn read(
    job: &Job,
    what: &str,
    Given { inputs, roots }: Given,
    mut naming: Naming<'_>,
    (room, unread): (&mut TextRoom, &mut Problems<'_>),
) -> Result<(Vec<Text>, Vec<String>)> {
    let observer = unread.observer;
    observer.begin(what, None);
    let reader = Reader::new(inputs, bounded(job.reading.clone()));
    let maker = || Maker { job, roots: &roots, preparer: job.settings.preparer(), author: None, is_own: false };
    let makers = (0..job.settings.threads.max(1)).map(|_| maker()).collect();
    let (mut texts, mut ids, mut aside) = (Vec::new(), HashSet::new(), Vec::new());
    make_all::<Maker<'_>>(reader, makers, |Outcome { file, bytes_read, documents, .. }| {
        go_on(observer)?;
        observer.advance_reading(Read {
            bytes_on_disk: bytes_read,
            documents: documents.len() as u64,
            text_bytes: documents.iter().flatten().flatten().map(|text: &Text| text.text.len() as u64).sum(),
        });
        let name = file.as_ref().and_then(|(file, ..)| naming.of(file));
        for text in documents {
            let Some(text) = text.transpose() else {
                aside.extend(file.as_ref().map(|(file, ..)| file.name.clone()));
                continue;
            };
            let text = text.and_then(|mut text| {
                if let (Some(name), Some((file, ..))) = (&name, &file) {
                    naming::rename(&mut text.id, &file.name, name);
                }
                room.admit(&text)?;
                if ids.insert(text.id.clone()) {
                    return Ok(text);
                }
                let reason = Reason::DuplicateId(text.id.clone());
                Err(Problem::of(text.id, Location::File, reason))
            });
            let is_of_archive = |problem: &Problem| {
                problem.place == Location::File && file.as_ref().is_some_and(|(file, ..)| is_archive(&file.path))
            };
            let told = text.as_ref().ok().and_then(Text::in_latin_letters);
            match told {
                Some(problem) if job.settings.strict => return Err(nearcopy::Error::Strict(problem.to_string()).into()),
                Some(problem) => unread.note(&problem),
                None => {}
            }
            match text {
                Ok(text) => texts.push(text),
                Err(problem) if is_of_archive(&problem) => aside.push(problem.file),
                Err(problem) if job.settings.strict => return Err(nearcopy::Error::Strict(problem.to_string()).into()),
                Err(problem) => unread.note(&problem),
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    go_on(observer)?;
    Ok((texts, aside))
}

/// Makes texts to be screened, on one thread.
struct Maker<'a> {
    job: &'a Job,
    roots: &'a [PathBuf],
    preparer: Preparer,
    /// The author of the current batch, if its path names one.
    author: Option<String>,
    /// True if the current batch is a page of this program.
    is_own: bool,
}

impl Make for Maker<'_> {
    type Made = Option<Text>;

    fn begin(&mut self, batch: &Batch) {
        self.author = self.job.authors.of_batch(batch, self.roots);
        self.is_own = batch.head().is_some_and(own_page::is_one);
    }

    fn make(
        &mut self,
        batch: &Batch,
        Record { id, text, origin, hidden, pictured, date, .. }: Record<'_>,
    ) -> Option<Text> {
        let file = batch.file.path.file_name().unwrap_or_default().to_string_lossy();
        if self.is_own || is_receipt(&file, &text) {
            return None;
        }
        let author = self.job.authors.of_record(self.author.as_deref(), origin.as_deref());
        let nearcopy_corpus::Hidden { white, tiny, outside, invisible } = hidden;
        let mut text = self.preparer.prepare(id, author, text.into_owned());
        text.pictured = pictured;
        text.hidden = Hidden { white, tiny, outside, invisible };
        text.read_by = self.job.reading.converter.as_ref().and_then(|converter| converter.program(&text.id));
        // A platform sets the time of a file in its export to that of the submission.
        let exported = submitted(&file).or(batch.file.packed_date).map(|date| (date, DateOrigin::Archive));
        text.date = exported.or_else(|| date.map(|date| (date, DateOrigin::Document)));
        Some(text)
    }

    fn renew(&mut self) {
        self.preparer = self.job.settings.preparer();
    }

    fn size(text: &Option<Text>) -> usize {
        let bytes = |text: &Text| text.text.len() + text.words.len() * size_of::<Word>();
        text.as_ref().map_or(0, bytes) + size_of::<Text>()
    }
}
