//! Passes: the same documents are read several times, on all threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use nearcopy::error::Problem;
use nearcopy::observer::{Observer, Read, go_on};
use nearcopy_corpus::inputs::{Inputs, Selection, total_bytes};
use nearcopy_corpus::records::{InputFile, Kind, Reader, Reading};

use super::reading::{Make, Outcome, bounded, make_all};
use crate::error::Result;

/// The numbers of what was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Words of their texts.
    pub words: u64,
    /// Files.
    pub files: u64,
    /// Documents and items that could not be read, by kind of problem.
    pub problems: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Number of documents and items that could not be read.
    pub fn skipped(&self) -> u64 {
        self.problems.values().sum()
    }

    /// The result, or `None` for a problem, which is counted and reported.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Strict`] if `strict`.
    pub(super) fn note<T>(
        &mut self,
        strict: bool,
        observer: &dyn Observer,
        made: std::result::Result<T, Problem>,
    ) -> Result<Option<T>> {
        match made {
            Ok(made) => Ok(Some(made)),
            Err(problem) if strict => {
                observer.report_last(&problem);
                Err(nearcopy::Error::Strict(problem.to_string()).into())
            }
            Err(problem) => {
                *self.problems.entry(problem.reason.kind()).or_default() += 1;
                observer.report(&problem);
                Ok(None)
            }
        }
    }
}

/// Documents to be read more than once.
pub(super) struct Passes<'a> {
    pub(super) inputs: &'a [PathBuf],
    pub(super) selection: &'a Selection,
    pub(super) reading: &'a Reading,
    pub(super) threads: usize,
    pub(super) observer: &'a dyn Observer,
}

/// Receives the results of one batch: the file, its number and what was made of its documents. The file without a number has
/// problems alone.
pub(super) type Receive<'a, T> =
    dyn FnMut(&InputFile, u32, Vec<std::result::Result<T, Problem>>) -> Result<()> + Send + 'a;

impl Passes<'_> {
    /// Reads the documents once.
    pub(super) fn read<M: Make>(
        &self,
        stage: &str,
        maker: &dyn Fn() -> M,
        receive: &mut Receive<'_, M::Made>,
    ) -> Result<()> {
        let Self { inputs, selection, observer, .. } = *self;
        let steps = if observer.wants_steps() { Some(total_bytes(inputs, selection)?) } else { None };
        observer.begin(stage, steps);
        let inputs = Inputs::new(inputs.to_vec(), selection.clone())?;
        let reader = Reader::new(inputs, bounded(self.reading.clone()));
        let makers = (0..self.threads.max(1)).map(|_| maker()).collect();
        let unopened = InputFile {
            path: PathBuf::new(),
            name: String::new(),
            size: 0,
            modified: 0,
            packed_hash: None,
            packed_date: None,
            compression: None,
            kind: Kind::Lines,
        };
        make_all::<M>(reader, makers, |Outcome { file, bytes_read, documents, .. }| {
            go_on(observer)?;
            observer.advance_reading(Read {
                bytes_on_disk: bytes_read,
                documents: documents.len() as u64,
                text_bytes: 0,
            });
            match &file {
                Some((file, number, _)) => receive(file, *number, documents)?,
                None => receive(&unopened, u32::MAX, documents)?,
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(go_on(observer)?)
    }
}
