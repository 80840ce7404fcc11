//! The loop that reads documents: all threads parse batches of a reader, and the results come in order.
//!
//! ```text
//!  Reader ──batch 0, 1, 2 …──▶ thread ──▶ ┐
//!     (one lock)              thread ──▶ ├─▶ in the order of the batches ──▶ `receive`
//!                             thread ──▶ ┘
//! ```
//!
//! A panic never ends the run. A panic in a document makes that document a problem; in the reader, the rest of the
//! batch.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use nearcopy::error::{Location, Problem};
use nearcopy::memory::Room;
use nearcopy::observer::Observer;
use nearcopy::parallel;
use nearcopy::screen::or_problem;
use nearcopy::texts::fingerprint::MAX_WAITING;
use nearcopy_corpus::error::MISSING_FIELD;
use nearcopy_corpus::records::{Batch, InputFile, Reader, Reading, Record, WITHOUT_FIELD};

use crate::error::{Error, Result};

/// True for a record without the field that is asked for. A whole file without it may be no corpus, and ends no run.
pub(in crate::jobs) fn lacks_field(problem: &Problem) -> bool {
    problem.reason.kind() == MISSING_FIELD && problem.place != Location::File
}

/// Ends a run of which so many records lack the field that is asked for, and none has it.
///
/// # Errors
///
/// [`Error::FieldNowhere`], once `without` records had this problem and no document or item was read.
pub(in crate::jobs) fn expect_field(problem: &Problem, without: u64, read: u64, observer: &dyn Observer) -> Result<()> {
    if !lacks_field(problem) || (without, read) != (WITHOUT_FIELD, 0) {
        return Ok(());
    }
    observer.report_last(problem);
    Err(Error::FieldNowhere { problem: problem.to_string(), records: WITHOUT_FIELD })
}

/// Ends a run of which no record so far has an id in the field that is asked for.
///
/// # Errors
///
/// [`Error::IdNowhere`], once so many documents are `unnamed` and no other was read.
pub(in crate::jobs) fn expect_id(reading: &Reading, unnamed: u64, documents: u64) -> Result<()> {
    match &reading.fields.id {
        Some(field) if (unnamed, documents) == (WITHOUT_FIELD, WITHOUT_FIELD) => {
            Err(Error::IdNowhere { field: field.clone(), records: WITHOUT_FIELD })
        }
        _ => Ok(()),
    }
}

/// Limits documents to 4 GiB, as places in a text are 32-bit numbers.
pub(in crate::jobs) fn bounded(reading: Reading) -> Reading {
    Reading { max_document: reading.max_document.min(u64::from(u32::MAX)), ..reading }
}

/// Turns documents into results, on one thread.
pub(crate) trait Make: Send {
    type Made: Send;

    /// Called before the records of each batch.
    fn begin(&mut self, batch: &Batch);

    /// The result for one record.
    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Self::Made;

    /// Forgets everything remembered of earlier documents, which a panic may have left half-written.
    fn renew(&mut self);

    /// The size of a result in memory, in bytes.
    fn size(made: &Self::Made) -> usize;
}

/// The results of one batch, or of a file that could not be opened.
#[derive(Debug)]
pub(crate) struct Outcome<T> {
    /// The file, its number, and true for its last batch; `None` if the file could not be opened.
    pub(crate) file: Option<(Arc<InputFile>, u32, bool)>,
    /// Number of bytes of the file that were read for the batch.
    pub(crate) bytes_read: u64,
    /// Number of records of a web archive that were fetched and are no documents.
    pub(crate) others: u64,
    /// The results, in order; a problem for each record that could not be read.
    pub(crate) documents: Vec<std::result::Result<T, Problem>>,
}

/// Turns all documents of a reader into results, with a thread for each maker, and calls `receive` with the outcome
/// of every batch, in order, until it breaks. Returns the reader.
///
/// # Errors
///
/// The first of `receive`.
///
/// # Panics
///
/// If `receive` does.
pub(crate) fn make_all<M: Make>(
    reader: Reader,
    makers: Vec<M>,
    receive: impl FnMut(Outcome<M::Made>) -> Result<ControlFlow<()>> + Send,
) -> Result<Reader> {
    let (max_memory, room) = (reader.reading().max_memory, Room::new(reader.reading().max_memory));
    let max_waiting = MAX_WAITING.min(usize::try_from(max_memory / 4).unwrap_or(usize::MAX));
    let size = |outcome: &Outcome<M::Made>| outcome.documents.iter().flatten().map(M::size).sum();
    let work = |maker: &mut M, batch: std::result::Result<Batch, Problem>| match batch {
        Ok(batch) => {
            let _room = room.enter(batch.memory());
            of_batch(&batch, maker)
        }
        Err(problem) => Outcome { file: None, bytes_read: 0, others: 0, documents: vec![Err(problem)] },
    };
    parallel::in_order(reader, makers, max_waiting, size, work, receive)
}

fn of_batch<M: Make>(batch: &Batch, maker: &mut M) -> Outcome<M::Made> {
    let mut documents = Vec::new();
    maker.begin(batch);
    let whole = catch_unwind(AssertUnwindSafe(|| {
        batch.each(|record| {
            documents.push(record.and_then(|record| {
                let place = batch.place(record.number);
                or_problem(&batch.file.name, place, || maker.make(batch, record)).inspect_err(|_| maker.renew())
            }));
        });
    }));
    if whole.is_err() {
        documents.push(Err(Problem::internal(batch.file.name.clone(), Location::File)));
    }
    let file = Some((Arc::clone(&batch.file), batch.file_number, batch.is_last));
    Outcome { file, bytes_read: batch.bytes_read, others: batch.others(), documents }
}
