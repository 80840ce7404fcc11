//! Kept records of a file, copied unchanged.
//!
//! [`SurvivorWriter`] receives a file's batches a second time, in order, and copies the kept records:
//! lines and rows byte for byte, with the same heading; rows of Parquet with all their columns.
//! Records for a file of another format are converted.

use std::io::Write;

use super::compression::{Compression, Encoder};
use super::records::convert::{Converter, NotConverted};
use super::records::cut::Edit;
use super::records::{Batch, Kind};
#[cfg(feature = "parquet")]
use super::records::{Columns, ConvertedRows, KeptRows};
use crate::error::{Error, Result};

/// The reason why no web archive is written.
pub const NO_WARC: &str = "web archives (WARC) are read, but not written; name one archive at a time and end the name of the \
                           output with .jsonl, .csv, .tsv or .parquet, or write a list of ids with --list";

/// An output file of kept records.
#[expect(missing_debug_implementations, reason = "the encoders have none")]
pub struct SurvivorWriter<W: Write + Send> {
    name: String,
    has_heading: bool,
    /// Present if the records are written in another format.
    converter: Option<Converter>,
    content: Content<W>,
}

enum Content<W: Write + Send> {
    Plain(W),
    Packed(Box<Encoder<W>>),
    #[cfg(feature = "parquet")]
    Table {
        out: Option<W>,
        rows: Option<Box<KeptRows<W>>>,
    },
    /// A Parquet file of records of another format.
    #[cfg(feature = "parquet")]
    Converted(Box<ConvertedRows<W>>),
}

impl<W: Write + Send> SurvivorWriter<W> {
    /// Begins an output file with this compression for records of kind `from`, converted to kind `to` if that differs;
    /// `name` is the output's name in errors.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    pub fn new(out: W, name: String, compression: Option<Compression>, [from, to]: [Kind; 2]) -> Result<Self> {
        if to == Kind::Warc {
            let source = std::io::Error::other(NO_WARC);
            return Err(nearcopy::Error::Write { path: name, source }.into());
        }
        let content = match (to, compression) {
            #[cfg(feature = "parquet")]
            (Kind::Parquet, _) => Content::Table { out: Some(out), rows: None },
            (_, None) => Content::Plain(out),
            (_, Some(compression)) => {
                let encoder = compression.encode(out);
                Content::Packed(Box::new(
                    encoder.map_err(|source| nearcopy::Error::Write { path: name.clone(), source })?,
                ))
            }
        };
        let converter = (from != to).then(|| Converter::new(to));
        Ok(Self { name, has_heading: false, converter, content })
    }

    /// Begins a Parquet file with these columns for records of another format.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    #[cfg(feature = "parquet")]
    pub fn in_columns(out: W, name: String, columns: Columns) -> Result<Self> {
        let rows = ConvertedRows::create(out, columns)
            .map_err(|source| nearcopy::Error::Write { path: name.clone(), source })?;
        Ok(Self { name, has_heading: false, converter: None, content: Content::Converted(Box::new(rows)) })
    }

    /// Copies the records of a batch for whose numbers `stays` is true.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`]; [`Error::NotConverted`].
    pub fn write(&mut self, batch: &Batch, mut stays: impl FnMut(u64) -> bool) -> Result<()> {
        let mut at = 0;
        self.copy(batch, &mut |number| {
            at = number;
            stays(number)
        })
        .map_err(|error| of_record(error, batch, at, &self.name))
    }

    /// Copies the records; on failure, the last number passed to `stays` is the failed record.
    fn copy(&mut self, batch: &Batch, stays: &mut dyn FnMut(u64) -> bool) -> std::result::Result<(), NotConverted> {
        let out: &mut dyn Write = match &mut self.content {
            Content::Plain(out) => out,
            Content::Packed(encoder) => encoder,
            #[cfg(feature = "parquet")]
            Content::Table { out, rows, .. } => {
                let Some((table, first)) = batch.table() else { return Ok(()) };
                if let Some(out) = out.take() {
                    *rows = Some(Box::new(KeptRows::create(out, table.schema())?));
                }
                let stay: Vec<bool> = (first..).take(table.num_rows()).map(stays).collect();
                return Ok(rows.as_mut().map_or(Ok(()), |rows| rows.write(table, |row| stay[row]))?);
            }
            #[cfg(feature = "parquet")]
            Content::Converted(rows) => return batch.each_kept(stays, &mut |fields| rows.push(fields)),
        };
        if let Some(converter) = &mut self.converter {
            if let Some(names) = batch.columns() {
                converter.heading(names.iter(), out)?;
            }
            return batch.each_kept(stays, &mut |fields| converter.record(fields, out));
        }
        if let Some(heading) = batch.heading().filter(|_| !self.has_heading) {
            out.write_all(heading)?;
            self.has_heading = true;
        }
        let mut written = Ok(());
        batch.each_raw(|number, bytes| {
            if written.is_ok() && stays(number) {
                written = out.write_all(bytes).map_err(NotConverted::Write);
            }
        });
        written
    }

    /// Copies the records of a batch as `edit` says of their numbers. The records keep their format.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`]; [`Error::NotConverted`] for a record that cannot be cut.
    pub fn write_edited(&mut self, batch: &Batch, mut edit: impl FnMut(u64) -> Edit) -> Result<()> {
        let mut at = 0;
        let mut edit = |number| {
            at = number;
            edit(number)
        };
        let edited = match &mut self.content {
            Content::Plain(out) => lines(batch, out, &mut self.has_heading, &mut edit),
            Content::Packed(encoder) => lines(batch, encoder, &mut self.has_heading, &mut edit),
            #[cfg(feature = "parquet")]
            Content::Table { out, rows } => table(batch, out, rows, &mut edit),
            #[cfg(feature = "parquet")]
            Content::Converted(_) => Err(NotConverted::Lossy("its format would change".into())),
        };
        edited.map_err(|error| of_record(error, batch, at, &self.name))
    }

    /// Completes the file and returns the writer.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    pub fn finish(self) -> Result<W> {
        let finish = || match self.content {
            Content::Plain(mut out) => out.flush().map(|()| out),
            Content::Packed(encoder) => encoder.finish(),
            #[cfg(feature = "parquet")]
            Content::Table { rows: Some(rows), .. } => rows.finish(),
            #[cfg(feature = "parquet")]
            Content::Converted(rows) => rows.finish(),
            #[cfg(feature = "parquet")]
            Content::Table { out, .. } => out.ok_or_else(|| std::io::Error::other("a table without a heading")),
        };
        Ok(finish().map_err(|source| nearcopy::Error::Write { path: self.name, source })?)
    }
}

/// Copies lines or rows as `edit` says.
fn lines(
    batch: &Batch,
    out: &mut dyn Write,
    has_heading: &mut bool,
    edit: &mut dyn FnMut(u64) -> Edit,
) -> std::result::Result<(), NotConverted> {
    if let Some(heading) = batch.heading().filter(|_| !*has_heading) {
        out.write_all(heading)?;
        *has_heading = true;
    }
    let mut written = Ok(());
    batch.each_raw(|number, bytes| {
        if written.is_ok() {
            written = match edit(number) {
                Edit::Keep => out.write_all(bytes).map_err(NotConverted::Write),
                Edit::Drop => Ok(()),
                Edit::Cut(spans) => batch.cut(bytes, &spans).and_then(|kept| Ok(out.write_all(&kept)?)),
            };
        }
    });
    written
}

/// Copies rows of Parquet as `edit` says.
#[cfg(feature = "parquet")]
fn table<W: Write + Send>(
    batch: &Batch,
    out: &mut Option<W>,
    rows: &mut Option<Box<KeptRows<W>>>,
    edit: &mut dyn FnMut(u64) -> Edit,
) -> std::result::Result<(), NotConverted> {
    let Some((table, first)) = batch.table() else { return Ok(()) };
    if let Some(out) = out.take() {
        *rows = Some(Box::new(KeptRows::create(out, table.schema())?));
    }
    let edits: Vec<Edit> = (first..).take(table.num_rows()).map(edit).collect();
    let cut = batch.cut_rows(&edits).map_err(NotConverted::Lossy)?;
    let table = cut.as_ref().unwrap_or(table);
    Ok(rows.as_mut().map_or(Ok(()), |rows| rows.write(table, |row| edits[row] != Edit::Drop))?)
}

/// The columns of a table with a heading, which holds nothing but strings; `None` for other records.
///
/// # Errors
///
/// [`Error::NotConverted`] if they are too many.
#[cfg(feature = "parquet")]
pub fn heading(batch: &Batch) -> Result<Option<Columns>> {
    let columns = batch.columns().map(|names| Columns::of_strings(&names)).transpose();
    columns.map_err(|reason| Error::NotConverted { record: format!("{}, heading", batch.file.name), reason })
}

/// String columns of these names, for a file without records.
#[cfg(feature = "parquet")]
pub fn without_records<'a>(names: impl IntoIterator<Item = &'a String>) -> Columns {
    Columns::of_strings(names).unwrap_or_default()
}

/// Widens columns so that they hold the records of a batch for whose numbers `stays` is true.
///
/// # Errors
///
/// [`Error::NotConverted`].
#[cfg(feature = "parquet")]
pub fn survey(columns: &mut Columns, batch: &Batch, mut stays: impl FnMut(u64) -> bool) -> Result<()> {
    let mut at = 0;
    let mut stays = |number| {
        at = number;
        stays(number)
    };
    let surveyed = batch.each_kept(&mut stays, &mut |fields| columns.add(fields).map_err(NotConverted::Lossy));
    surveyed.map_err(|error| of_record(error, batch, at, &batch.file.name))
}

/// The error of a record that was not converted.
fn of_record(error: NotConverted, batch: &Batch, number: u64, output: &str) -> Error {
    match error {
        NotConverted::Write(source) => nearcopy::Error::Write { path: output.to_owned(), source }.into(),
        NotConverted::Lossy(reason) => {
            Error::NotConverted { record: format!("{}{}", batch.file.name, batch.place(number)), reason }
        }
    }
}
