//! Passes: the same documents are read several times, on all threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;

use nearcopy::error::Problem;
use nearcopy::observer::{Observer, Read, go_on};
use nearcopy_corpus::inputs::{Inputs, Selection, total_bytes};
use nearcopy_corpus::records::{Fields, InputFile, Kind, Purpose, Reader, Reading, Record};

use super::reading::{Make, Outcome, bounded, expect_field, lacks_field, make_all};
use super::seen::Seen;
use crate::error::Result;

/// Maximum number of fields that a message names.
const MOST_FIELDS: usize = 8;

/// The numbers of what was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub bytes: u64,
    /// Documents whose text is null, or nothing but white space.
    pub empty: u64,
    /// Documents whose text is null.
    pub nulls: u64,
    /// Documents with malformed bytes, which were read as U+FFFD.
    pub replaced: u64,
    /// Documents whose id was repeated, and is replaced by file and line; `None` if ids were not compared.
    pub renamed: Option<u64>,
    /// Documents without an id in the field that is asked for, named by file and line.
    pub unnamed: u64,
    /// Words of their texts.
    pub words: u64,
    /// Files.
    pub files: u64,
    /// Documents and items that could not be read, by kind of problem.
    pub problems: BTreeMap<&'static str, u64>,
    /// Documents without the field of texts.
    without_field: u64,
}

impl Tally {
    /// Number of documents and items that could not be read.
    pub fn skipped(&self) -> u64 {
        self.problems.values().sum()
    }

    /// Counts a document.
    pub(super) fn add(&mut self, text: Text) {
        self.documents += 1;
        self.bytes += text.bytes;
        self.empty += u64::from(text.is_empty);
        self.nulls += u64::from(text.is_null);
        self.replaced += u64::from(text.is_malformed);
        self.unnamed += u64::from(text.is_unnamed);
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

    /// The same for a document.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Strict`] if `strict`; [`crate::Error::FieldNowhere`] if no document has the field of texts.
    pub(super) fn note_document<T>(
        &mut self,
        strict: bool,
        observer: &dyn Observer,
        made: std::result::Result<T, Problem>,
    ) -> Result<Option<T>> {
        if let (Err(problem), false) = (&made, strict) {
            self.without_field += u64::from(lacks_field(problem));
            expect_field(problem, self.without_field, self.documents, observer)?;
        }
        self.note(strict, observer, made)
    }
}

/// What is counted of a document.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is counted on its own")]
pub(super) struct Text {
    bytes: u64,
    is_empty: bool,
    is_null: bool,
    is_malformed: bool,
    is_unnamed: bool,
}

impl Text {
    pub(super) fn of(record: &Record<'_>) -> Self {
        let Record { text, is_null, is_unnamed, replaced, .. } = record;
        let (is_empty, is_malformed) = (text.trim().is_empty(), *replaced > 0);
        let (is_null, is_unnamed) = (*is_null, *is_unnamed);
        Self { bytes: text.len() as u64, is_empty, is_null, is_malformed, is_unnamed }
    }
}

/// Documents to be read more than once.
pub(super) struct Passes<'a> {
    pub(super) inputs: &'a [PathBuf],
    pub(super) selection: &'a Selection,
    pub(super) reading: &'a Reading,
    /// True if a document without an id in the field that is asked for is a problem.
    pub(super) strict: bool,
    pub(super) threads: usize,
    pub(super) observer: &'a dyn Observer,
}

/// Receives the results of one batch: the file, its number and what was made of its documents. The file without a number has
/// problems alone.
pub(super) type Receive<'a, T> =
    dyn FnMut(&InputFile, u32, Vec<std::result::Result<T, Problem>>) -> Result<()> + Send + 'a;

impl Passes<'_> {
    /// The fields of the first record that can be read, in words: `; the first record has text, link`. Empty if there is none.
    pub(super) fn fields_of_one(&self) -> Result<String> {
        let Self { inputs, selection, .. } = *self;
        let fields = Fields { id: None, key: None, origin: None, ..self.reading.fields.clone() };
        let reading = Reading { fields, all_columns: true, purpose: Purpose::Objects, ..self.reading.clone() };
        let mut has = String::new();
        for batch in Reader::new(Inputs::new(inputs.to_vec(), selection.clone())?, reading).flatten() {
            if batch.file.kind.is_one_document() {
                continue;
            }
            batch.each_object(|object| {
                if let (true, Ok((_, fields))) = (has.is_empty(), object) {
                    let names: Vec<&str> = fields.keys().take(MOST_FIELDS).map(String::as_str).collect();
                    has = format!("; the first record has {}", names.join(", "));
                }
            });
            if !has.is_empty() {
                break;
            }
        }
        Ok(has)
    }

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
        let reader = Reader::new(inputs, bounded(Reading { id_is_needed: self.strict, ..self.reading.clone() }));
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
                Some((file, number, is_last)) => {
                    receive(file, *number, documents)?;
                    if *is_last {
                        Seen::ended(file)?;
                    }
                }
                None => receive(&unopened, u32::MAX, documents)?,
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(go_on(observer)?)
    }
}
