//! Kept records of a file, copied unchanged.
//!
//! [`SurvivorWriter`] receives a file's batches a second time, in order, and copies the kept records:
//! lines and rows byte for byte, with the same heading; rows of Parquet with all their columns.
//! Records for a file of another format are converted.
//!
//! The records of several files are written to [`Shards`], one after the other: each shard has the heading or the columns
//! of the first file. Rows of a CSV file whose columns are in another order are put in the order of the first file.

#[cfg(feature = "parquet")]
mod converted;
mod lines;
mod shard;
#[cfg(feature = "parquet")]
mod table;

use std::io::Write;

use super::compression::Compression;
use super::records::convert::{Converter, NotConverted, Row};
use super::records::cut::Edit;
use super::records::{Batch, Kind};
#[cfg(feature = "parquet")]
use super::records::{Columns, ConvertedRows};
use crate::error::{Error, Result};
use lines::Lines;
pub use shard::{Next, Shards};

/// The reason why no web archive is written.
pub const NO_WARC: &str = "web archives (WARC) are read, but not written; name one archive at a time and end the name of the \
                           output with .jsonl, .csv, .tsv or .parquet, or write a list of ids with --list";

/// An output file of kept records, or several that are numbered.
#[expect(missing_debug_implementations, reason = "the encoders have none")]
pub struct SurvivorWriter<W: Write + Send> {
    name: String,
    kind: Kind,
    /// For records of another format, or of other columns.
    converter: Converter,
    content: Content<W>,
}

enum Content<W: Write + Send> {
    Lines(Lines<W>),
    #[cfg(feature = "parquet")]
    Table(table::Table<W>),
    /// A Parquet file of records of another format.
    #[cfg(feature = "parquet")]
    Converted(converted::Converted<W>),
}

impl<W: Write + Send> SurvivorWriter<W> {
    /// Begins an output file of this kind and compression, or the first of several; records of another kind are
    /// converted. `name` is the output's name in errors.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    pub fn new(
        out: W,
        name: String,
        compression: Option<Compression>,
        kind: Kind,
        shards: Option<Shards<W>>,
    ) -> Result<Self> {
        let failed = |source| nearcopy::Error::Write { path: name.clone(), source };
        if kind == Kind::Warc {
            return Err(failed(std::io::Error::other(NO_WARC)).into());
        }
        let content = match kind {
            #[cfg(feature = "parquet")]
            Kind::Parquet => Content::Table(table::Table::new(out, shards)),
            _ => Content::Lines(Lines::new(out, compression, shards).map_err(failed)?),
        };
        Ok(Self { converter: Converter::new(kind), name, kind, content })
    }

    /// Begins a Parquet file with these columns for records of another format, or the first of several.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    #[cfg(feature = "parquet")]
    pub fn in_columns(out: W, name: String, columns: Columns, shards: Option<Shards<W>>) -> Result<Self> {
        let rows = ConvertedRows::create(out, columns)
            .map_err(|source| nearcopy::Error::Write { path: name.clone(), source })?;
        let content = Content::Converted(converted::Converted::new(rows, shards));
        Ok(Self { converter: Converter::new(Kind::Parquet), name, kind: Kind::Parquet, content })
    }

    /// The kind of records that it writes.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Copies the records of a batch for whose numbers `stays` is true.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`]; [`Error::NotConverted`].
    pub fn write(&mut self, batch: &Batch, mut stays: impl FnMut(u64) -> bool) -> Result<()> {
        self.write_edited(batch, |number| if stays(number) { Edit::Keep } else { Edit::Drop })
    }

    /// Copies the records of a batch as `edit` says of their numbers.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`]; [`Error::NotConverted`]; [`Error::NotCut`].
    pub fn write_edited(&mut self, batch: &Batch, mut edit: impl FnMut(u64) -> Edit) -> Result<()> {
        let mut at = 0;
        let mut edit = |number| {
            at = number;
            edit(number)
        };
        let written = match &mut self.content {
            Content::Lines(lines) => write_lines(batch, lines, (&mut self.converter, self.kind), &mut edit),
            #[cfg(feature = "parquet")]
            Content::Table(table) => write_table(batch, table, &mut edit),
            #[cfg(feature = "parquet")]
            Content::Converted(rows) => uncut(batch, &mut edit, &mut |fields| rows.push(fields)),
        };
        // On failure, the last number passed to `edit` is the failed record.
        written.map_err(|error| of_record(error, batch, at, &self.name))
    }

    /// Completes the file and returns the writer; of shards, the last.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Write`].
    pub fn finish(self) -> Result<W> {
        let finished = match self.content {
            Content::Lines(lines) => lines.finish(),
            #[cfg(feature = "parquet")]
            Content::Table(table) => table.finish(),
            #[cfg(feature = "parquet")]
            Content::Converted(rows) => rows.finish(),
        };
        Ok(finished.map_err(|source| nearcopy::Error::Write { path: self.name, source })?)
    }
}

type Written = std::result::Result<(), NotConverted>;

/// Copies lines or rows as `edit` says, converted to `kind` where they must be.
fn write_lines<W: Write>(
    batch: &Batch,
    lines: &mut Lines<W>,
    (converter, kind): (&mut Converter, Kind),
    edit: &mut dyn FnMut(u64) -> Edit,
) -> Written {
    // Only a file may begin with a byte-order mark, not a line inside of it.
    let unmarked = |lines: &Lines<W>, number: u64, bytes: &[u8]| {
        let mark = "\u{feff}".as_bytes();
        if lines.has_shards() && number == 1 && bytes.starts_with(mark) { mark.len() } else { 0 }
    };
    if let Some((bytes, begins)) = batch.part() {
        if let Some(number) = begins {
            // Its length is not known: it begins a shard.
            lines.next_record(u64::MAX)?;
            return Ok(lines.write(&bytes[unmarked(lines, number, bytes)..])?);
        }
        return Ok(lines.write(bytes)?);
    }
    let is_first = lines.heading().is_none();
    if let (true, true, Some(heading)) = (batch.file.kind == kind, is_first, batch.heading()) {
        converter.note(batch.columns().unwrap_or_default());
        lines.begin(heading, batch.returns())?;
    }
    let is_alike = |lines: &Lines<W>| {
        batch.heading().is_none()
            || lines.returns() == batch.returns() && converter.columns() == batch.columns().as_deref()
    };
    let is_copied = batch.file.kind == kind && (!lines.has_shards() || is_alike(lines));
    if !is_copied && let Some(names) = batch.columns() {
        begin(lines, converter, names.iter())?;
    }
    let mut row = Vec::new();
    let mut convert = |lines: &mut Lines<W>, fields: &Row| {
        begin(lines, converter, fields.iter().map(|(name, _)| name))?;
        row.clear();
        converter.record(fields, &mut row)?;
        Ok(lines.record(&row)?)
    };
    if matches!(batch.file.kind, Kind::Warc | Kind::Parquet) {
        return uncut(batch, edit, &mut |fields| convert(lines, fields));
    }
    let mut written = Ok(());
    batch.each_raw(|number, bytes| {
        if written.is_err() {
            return;
        }
        let bytes = if batch.heading().is_none() { &bytes[unmarked(lines, number, bytes)..] } else { bytes };
        let mut write = |bytes: &[u8]| {
            if is_copied {
                return Ok(lines.record(bytes)?);
            }
            convert(lines, &batch.fields(bytes).map_err(NotConverted::Lossy)?)
        };
        written = match edit(number) {
            Edit::Keep => write(bytes),
            Edit::Drop => Ok(()),
            Edit::Cut(spans) => batch.cut(bytes, &spans).and_then(|kept| write(&kept)),
        };
    });
    written
}

/// Writes the heading of a converted table, once.
fn begin<'a, W: Write>(
    lines: &mut Lines<W>,
    converter: &mut Converter,
    names: impl Iterator<Item = &'a String> + Clone,
) -> Written {
    let mut heading = Vec::new();
    converter.heading(names, &mut heading)?;
    Ok(if heading.is_empty() { Ok(()) } else { lines.begin(&heading, false) }?)
}

/// Passes on the fields of the records that are kept; none can be cut.
fn uncut(
    batch: &Batch,
    edit: &mut dyn FnMut(u64) -> Edit,
    found: &mut dyn FnMut(&Row) -> std::result::Result<(), NotConverted>,
) -> Written {
    let mut is_cut = false;
    let mut stays = |number| {
        let edit = edit(number);
        is_cut |= matches!(edit, Edit::Cut(_));
        edit != Edit::Drop
    };
    batch.each_kept(&mut stays, found)?;
    if is_cut { Err(NotConverted::Uncut("its format would change".into())) } else { Ok(()) }
}

/// Copies rows of Parquet as `edit` says.
#[cfg(feature = "parquet")]
fn write_table<W: Write + Send>(
    batch: &Batch,
    out: &mut table::Table<W>,
    edit: &mut dyn FnMut(u64) -> Edit,
) -> Written {
    let (Some((rows, first)), Some(form)) = (batch.table(), batch.form()) else {
        if batch.file.kind == Kind::Parquet || batch.problem().is_some() {
            return Ok(());
        }
        let kind = batch.file.kind.in_words();
        let other = format!("it is {kind}, and the first file is Parquet, whose columns may not hold it");
        return Err(NotConverted::OtherColumns(other));
    };
    let edits: Vec<Edit> = (first..).take(rows.num_rows()).map(&mut *edit).collect();
    let cut = batch.cut_rows(&edits).map_err(|(row, reason)| {
        // The last one that is asked for is the one that failed.
        edit(first + row as u64);
        NotConverted::Uncut(reason)
    })?;
    out.write(cut.as_ref().unwrap_or(rows), form, |row| edits[row] != Edit::Drop)
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
    let record = || format!("{}{}", batch.file.name, batch.place(number));
    match error {
        NotConverted::Write(source) => nearcopy::Error::Write { path: output.to_owned(), source }.into(),
        NotConverted::Lossy(reason) => Error::NotConverted { record: record(), reason },
        NotConverted::Uncut(reason) => Error::NotCut { record: record(), reason },
        #[cfg(feature = "parquet")]
        NotConverted::OtherColumns(reason) => Error::OtherColumns { file: batch.file.name.clone(), reason },
    }
}
