//! What to cut of each document, listed for a program that cuts: as JSON Lines or, for a name that ends in `.parquet`, as
//! Parquet.
//!
//! Both have the same fields; see `docs/output.md`.

#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use nearcopy_corpus::NewFile;
use nearcopy_corpus::records::Kind;
use serde::Serialize;

use super::json;

/// A document with its spans, joined where they overlap, each with its first place and the one behind it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Row<'a> {
    pub(super) id: &'a str,
    pub(super) file: &'a str,
    pub(super) record: u64,
    /// In characters.
    pub(super) spans: Vec<[usize; 2]>,
    pub(super) spans_bytes: Vec<[usize; 2]>,
}

impl<'a> Row<'a> {
    /// The row of a document, given its id, file and number in it, and its spans in characters and in bytes.
    pub(super) fn new((id, file, record): (&'a str, &'a str, u64), spans: [Vec<Range<usize>>; 2]) -> Self {
        let [spans, spans_bytes] = spans.map(pairs);
        Self { id, file, record, spans, spans_bytes }
    }
}

fn pairs(spans: Vec<Range<usize>>) -> Vec<[usize; 2]> {
    spans.into_iter().map(|span| [span.start, span.end]).collect()
}

/// A list that is being written.
pub struct SpanList(Form);

enum Form {
    Lines(NewFile),
    #[cfg(feature = "parquet")]
    Table(Box<parquet::Table<NewFile>>),
}

impl SpanList {
    /// Begins a list in `new`, which has this path.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`], also for Parquet in a build that writes none.
    pub fn begin(new: NewFile, path: &Path) -> nearcopy::Result<Self> {
        if Kind::of_name(&path.to_string_lossy()) != Some(Kind::Parquet) {
            return Ok(Self(Form::Lines(new)));
        }
        table(new).map_err(|source| nearcopy::Error::Write { path: nearcopy::error::shown(path), source })
    }

    pub(super) fn write(&mut self, row: &Row) -> io::Result<()> {
        match &mut self.0 {
            Form::Lines(out) => {
                json::write(out, row)?;
                out.write_all(b"\n")
            }
            #[cfg(feature = "parquet")]
            Form::Table(table) => table.write(row),
        }
    }

    /// Writes the end of the list; the file appears when [`NewFile::finish`] is called.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    pub fn end(self) -> nearcopy::Result<NewFile> {
        match self.0 {
            Form::Lines(new) => Ok(new),
            #[cfg(feature = "parquet")]
            Form::Table(table) => table.end().map_err(failed),
        }
    }
}

/// The error of a list that cannot be written.
pub(super) fn failed(source: io::Error) -> nearcopy::Error {
    nearcopy::Error::Write { path: "the list of --attributes".into(), source }
}

#[cfg(feature = "parquet")]
fn table(new: NewFile) -> io::Result<SpanList> {
    Ok(SpanList(Form::Table(Box::new(parquet::Table::create(new)?))))
}

#[cfg(not(feature = "parquet"))]
fn table(_: NewFile) -> io::Result<SpanList> {
    Err(super::no_parquet())
}
