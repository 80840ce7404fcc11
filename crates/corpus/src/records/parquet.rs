//! Rows of a Parquet file.
//!
//! The positions of the columns are stored at the file's end, so the file must be seekable. A
//! plain file is opened again; standard input, or a file that is compressed as a whole, is first
//! copied to an unnamed temporary file in the folder [`Reading::temp`].
//!
//! Only the wanted columns are read, with strings as views: a text stored once in a
//! dictionary is in memory once, however many rows have it.
//!
//! Cost: memory for a batch of rows, 4 MiB by the sizes that the file states, and for the
//! pages of the wanted columns that it touches. A copy takes the disk space of the
//! decompressed file.
//!
//! Source: the Apache Parquet format, <https://parquet.apache.org/docs/file-format/>.

mod columns;
mod form;
mod from_fields;
mod kept;
mod objects;
mod to_fields;
mod values;
mod writable;
mod zones;

use std::env;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use ::parquet::arrow::ProjectionMask;
use ::parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use ::parquet::file::metadata::ParquetMetaData;
use arrow_array::RecordBatch;
use arrow_schema::{Schema, SchemaRef};
use nearcopy_extract::Refusal;
use nearcopy_extract::catch_panic;

use super::{Batch, InputFile, Location, Problem, Purpose, Reading, Reason, Record, source};
use crate::copy::{self, CopyError};
use columns::{Column, Columns};
pub use form::Form;
pub(crate) use from_fields::ConvertedRows;
pub use kept::KeptRows;
pub use objects::row_fields;
pub(super) use to_fields::fields;
pub use values::shown;

/// Maximum number of rows in a batch.
const MAX_ROWS: u64 = 1000;
/// Target size of a batch in bytes of the wanted columns; a single row may be larger.
const BATCH: u64 = 4 << 20;

/// Maximum length in bytes of all texts of a file, if that is more than [`RATIO`] times the file's own size. A text that
/// is stored once in a dictionary may stand for any number of rows.
const MOST: u64 = 256 << 20;
/// Maximum number of rows of a file, if that is more than [`RATIO`] times its size in bytes.
const MOST_ROWS: u64 = 1 << 20;
/// Maximum ratio of the length of all texts, or of the number of rows, to the file's size in bytes. Real tables reach
/// some fifty.
const RATIO: u64 = 250;

/// A Parquet file that is being read.
pub(super) struct Table {
    rows: ParquetRecordBatchReader,
    source: Source,
    /// The damage that was met in a batch, which is read again row by row: rows before the damage are none of it.
    damage: Option<Reason>,
    /// The columns that are read, with the file's metadata.
    schema: SchemaRef,
    columns: Arc<Columns>,
    form: Arc<Form>,
    /// Number of rows that were given or are lost.
    given: u64,
    total: u64,
    /// Number of bytes of text that may still be read.
    left: u64,
    is_over: bool,
}

/// What rows are read from.
struct Source {
    file: File,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    /// Number of rows in a batch.
    in_batch: usize,
}

impl Source {
    /// The number of the first row behind each row group, counted from 0.
    fn ends(&self) -> impl Iterator<Item = u64> {
        let groups = self.metadata.metadata().row_groups().iter();
        groups.scan(0, |end, group| {
            *end += u64::try_from(group.num_rows()).unwrap_or(0);
            Some(*end)
        })
    }

    /// A reader of rows in batches.
    fn reader(&self, in_batch: usize) -> Result<ParquetRecordBatchReaderBuilder<File>, Reason> {
        let file = self.file.try_clone().map_err(damaged)?;
        let rows = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        Ok(rows.with_batch_size(in_batch).with_projection(self.mask.clone()))
    }

    /// The rows from number `first` on, counted from 0.
    fn rows(&self, first: u64, in_batch: usize) -> Result<ParquetRecordBatchReader, Reason> {
        let rows = self.reader(in_batch)?;
        if first == 0 {
            // With an offset, even of 0, rows beyond the number that the file states are no error.
            return rows.build().map_err(damaged);
        }
        // Row groups before it may be damaged.
        let (mut groups, mut before) = (Vec::new(), 0);
        for (group, end) in self.ends().enumerate() {
            if end > first {
                groups.push(group);
            } else {
                before = end;
            }
        }
        rows.with_row_groups(groups).with_offset((first - before) as usize).build().map_err(damaged)
    }

    /// The rows from the first row group on that begins at row `least` or later and whose first row can be read, and the number
    /// of this row.
    fn rows_behind(&self, least: u64) -> Option<(ParquetRecordBatchReader, u64)> {
        let first_row = |group| self.reader(1).ok()?.with_row_groups(vec![group]).build().ok()?.next()?.ok();
        let reads = |group| catch_panic(|| first_row(group)).is_ok_and(|row| row.is_some());
        let groups = self.ends().zip(1..self.metadata.metadata().num_row_groups());
        let (first, _) = groups.filter(|&(begin, _)| begin >= least).find(|&(_, group)| reads(group))?;
        Some((self.rows(first, self.in_batch).ok()?, first))
    }
}

/// The reason why rows are not read.
pub(super) struct Unread {
    pub(super) reason: Reason,
    /// The number of the first, from 1, if rows behind them are read; `None` if none are.
    pub(super) first: Option<u64>,
}

impl From<Reason> for Unread {
    fn from(reason: Reason) -> Self {
        Self { reason, first: None }
    }
}

/// Some rows of a Parquet file.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) batch: RecordBatch,
    /// The number of the first row, from 1.
    pub(super) first: u64,
    /// The form of the file; known if all columns are read.
    pub(super) form: Arc<Form>,
    columns: Arc<Columns>,
}

impl Table {
    /// Opens a seekable file by its path, or else copies it from `head` and the rest of the
    /// stream.
    ///
    /// # Errors
    ///
    /// The reason, if the file is damaged, lacks a wanted field or has one of a wrong type.
    pub(super) fn open(
        file: &InputFile,
        head: Vec<u8>,
        rest: Box<dyn Read + Send>,
        reading: &Reading,
    ) -> Result<Self, Reason> {
        let opened = seekable(file, head, rest, reading.temp.as_deref())?;
        let made = catch_panic(|| Self::of_file(opened, reading)).unwrap_or_else(|said| Err(Reason::Parquet(said)));
        made.map_err(|damage| with_remedy(damage, ""))
    }

    fn of_file(opened: File, reading: &Reading) -> Result<Self, Reason> {
        let mut metadata = ArrowReaderMetadata::load(&opened, ArrowReaderOptions::new()).map_err(damaged)?;
        if let Some(zoned) = zones::zoned(metadata.schema(), metadata.metadata()) {
            metadata = read_as(&metadata, zoned)?;
        }
        if let Some(writable) = writable::writable(metadata.schema(), metadata.metadata()) {
            metadata = read_as(&metadata, writable)?;
        }
        let whole = Arc::clone(metadata.schema());
        let total = rows_of(metadata.metadata())?;
        let wanted = Columns::new(whole.fields(), reading, total == 0)?;
        let mut form = Form::default();
        let mask = if reading.all_columns {
            form = Form::of(&opened, metadata.metadata());
            if let Some(plain) = wanted.text.plain(&whole).filter(|_| reading.purpose == Purpose::Cutting) {
                metadata = read_as(&metadata, plain)?;
            }
            ProjectionMask::all()
        } else {
            metadata = read_as(&metadata, columns::as_views(&whole))?;
            let leaves = wanted.leaves(metadata.parquet_schema());
            ProjectionMask::leaves(metadata.parquet_schema(), leaves)
        };
        let may_unpack = RATIO.saturating_mul(opened.metadata().map_err(damaged)?.len());
        if total > may_unpack.max(MOST_ROWS) {
            return Err(Reason::Refused(Refusal::TooLarge));
        }
        let in_batch = rows_a_batch(metadata.metadata(), &mask);
        let source = Source { file: opened, metadata, mask, in_batch };
        let rows = source.rows(0, in_batch)?;
        let read = arrow_array::RecordBatchReader::schema(&rows);
        let columns = Arc::new(Columns::new(read.fields(), reading, total == 0)?);
        let schema = Arc::new(read.as_ref().clone().with_metadata(whole.metadata().clone()));
        let (form, left) = (Arc::new(form), may_unpack.max(MOST));
        Ok(Self { rows, source, damage: None, schema, columns, form, given: 0, total, left, is_over: false })
    }

    /// The next rows; `None` after the last, or after an error without a row group behind it that can be read. A file without rows
    /// gives one empty batch with the file's schema.
    pub(super) fn next(&mut self) -> Option<Result<Rows, Unread>> {
        if self.is_over {
            return None;
        }
        let next = catch_panic(|| match self.rows.next() {
            Some(batch) => {
                batch.and_then(|batch| batch.with_schema(Arc::clone(&self.schema))).map(Some).map_err(damaged)
            }
            None if self.given == self.total => Ok(None),
            None => Err(damaged(format!("it ends after {} of {} rows", self.given, self.total))),
        });
        match next.unwrap_or_else(|said| Err(Reason::Parquet(said))) {
            Ok(Some(batch)) => {
                let rows = self.rows(batch);
                let Some(left) = self.left.checked_sub(rows.text_bytes()) else {
                    self.is_over = true;
                    return Some(Err(Reason::Refused(Refusal::TooLarge).into()));
                };
                self.left = left;
                self.given += rows.batch.num_rows() as u64;
                Some(Ok(rows))
            }
            Ok(None) => {
                self.is_over = true;
                if let Some(damage) = self.damage.take() {
                    return Some(Err(damage.into()));
                }
                (self.total == 0).then(|| Ok(self.rows(RecordBatch::new_empty(Arc::clone(&self.schema)))))
            }
            Err(reason) => {
                // A file of one row group of which nothing was read so far is kept as a whole.
                let is_new = self.damage.is_none() && (self.given > 0 || self.source.ends().count() > 1);
                let damage = self.damage.take().unwrap_or(reason);
                if is_new && let Ok(Ok(rows)) = catch_panic(|| self.source.rows(self.given, 1)) {
                    (self.rows, self.damage) = (rows, Some(damage));
                    return self.next();
                }
                Some(Err(self.lost(damage)))
            }
        }
    }

    /// The damage of the next row, behind which reading goes on in the next row group that can be read.
    fn lost(&mut self, damage: Reason) -> Unread {
        let lost = self.given + 1;
        let behind = self.source.rows_behind(lost);
        self.is_over = behind.is_none();
        let which = match behind {
            Some((rows, first)) => {
                (self.rows, self.given) = (rows, first);
                format!(" (rows {lost} to {first} are lost)")
            }
            None if lost > 1 => format!(" (from row {lost} on)"),
            None => String::new(),
        };
        Unread { reason: with_remedy(damage, &which), first: (!self.is_over).then_some(lost) }
    }

    fn rows(&self, batch: RecordBatch) -> Rows {
        Rows { batch, first: self.given + 1, form: Arc::clone(&self.form), columns: Arc::clone(&self.columns) }
    }

    /// The part of the file's size, in bytes, that corresponds to the rows returned so far.
    pub(super) fn share(&self, size: u64) -> u64 {
        let share = u128::from(size) * u128::from(self.given) / u128::from(self.total.max(1));
        if self.is_over { size } else { share as u64 }
    }
}

/// The file, or a temporary copy if it is compressed or not a regular file.
fn seekable(file: &InputFile, head: Vec<u8>, rest: Box<dyn Read + Send>, temp: Option<&Path>) -> Result<File, Reason> {
    let is_plain = file.compression.is_none() && file.path.as_os_str() != "-" && file.path.is_file();
    if is_plain {
        return File::open(&file.path).map_err(|error| Reason::of_io(&error));
    }
    let temp = temp.map_or_else(env::temp_dir, Path::to_owned);
    let unwritten = |error: io::Error| {
        Reason::Unreadable(format!(
            "its copy in {} cannot be written ({error}); choose another temporary folder, for example by TMPDIR",
            source::name(&temp)
        ))
    };
    let mut copy = tempfile::tempfile_in(&temp).map_err(unwritten)?;
    match copy::copy(&mut Cursor::new(head).chain(rest), &mut copy) {
        Ok(_) => Ok(copy),
        Err(CopyError::Read(error)) => Err(Reason::of_io(&error)),
        Err(CopyError::Write(error)) => Err(unwritten(error)),
    }
}

/// A file whose columns are read in the types of a schema.
fn read_as(file: &ArrowReaderMetadata, schema: Schema) -> Result<ArrowReaderMetadata, Reason> {
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    ArrowReaderMetadata::try_new(Arc::clone(file.metadata()), options).map_err(damaged)
}

fn damaged(error: impl Display) -> Reason {
    Reason::Parquet(error.to_string())
}

/// A reason with the rows that are lost, and the remedy, if it is damage.
fn with_remedy(reason: Reason, which: &str) -> Reason {
    match reason {
        Reason::Parquet(said) => Reason::Parquet(format!(
            "{said}{which}; copy or download it again, or write it anew with the program that made it"
        )),
        other => other,
    }
}

/// Number of rows. The library's reader trusts the declared number and would skip rows beyond
/// it.
fn rows_of(metadata: &ParquetMetaData) -> Result<u64, Reason> {
    let groups = metadata.row_groups().iter();
    let sum =
        groups.map(|group| u64::try_from(group.num_rows()).ok()).try_fold(0, |sum: u64, rows| sum.checked_add(rows?));
    let said = metadata.file_metadata().num_rows();
    sum.filter(|&sum| i64::try_from(sum) == Ok(said))
        .ok_or_else(|| damaged(format!("its metadata declares {said} rows, but its row groups declare another number")))
}

/// Number of rows in a batch: [`BATCH`] divided by the largest mean row size of any row group,
/// as far as the file states the lengths of its strings.
fn rows_a_batch(metadata: &ParquetMetaData, mask: &ProjectionMask) -> usize {
    let mean = metadata.row_groups().iter().map(|group| {
        let wanted = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
        let sizes = wanted.map(|(_, column)| {
            let strings = column.unencoded_byte_array_data_bytes().unwrap_or(0);
            u64::try_from(column.uncompressed_size().max(strings)).unwrap_or(0)
        });
        sizes.fold(0, u64::saturating_add) / u64::try_from(group.num_rows()).unwrap_or(0).max(1)
    });
    (BATCH / mean.max().unwrap_or(0).max(1)).clamp(1, MAX_ROWS) as usize
}

impl Rows {
    /// Length in bytes of all texts; one that is stored once for several rows counts for each.
    fn text_bytes(&self) -> u64 {
        let texts = self.columns.text.values(&self.batch);
        (0..self.batch.num_rows()).filter_map(|row| texts.text(row)).map(|text| text.len() as u64).sum()
    }

    /// Calls `found` with each row as a document.
    pub(super) fn each(&self, batch: &Batch, found: &mut impl FnMut(Result<Record<'_>, Problem>)) {
        let Columns { text, id, key, origin } = &*self.columns;
        let texts = text.values(&self.batch);
        let [ids, keys, origins] =
            [id, key, origin].map(|column| column.as_ref().map(|column| column.values(&self.batch)));
        let null = |column: &Column, wanted| Reason::WrongType { field: column.name.clone(), found: "null", wanted };
        let record = |row: usize, number: u64| {
            let id = match (&ids, id) {
                (Some(ids), Some(column)) => match ids.shown(row, batch) {
                    None if batch.reading.id_is_needed => return Err(null(column, columns::ID)),
                    id => id,
                },
                _ => None,
            };
            let (text, replaced, is_exact) = match texts.text(row) {
                Some(text) => {
                    batch.admit(text.len() as u64)?;
                    let (decoded, replaced) = text.decode(batch);
                    let is_exact = text.is(&decoded);
                    (Some(decoded), replaced, is_exact)
                }
                None => (None, 0, true),
            };
            let [key, origin] = [&keys, &origins].map(|values| values.as_ref()?.shown(row, batch));
            let record = batch.record(super::Values { id, key, origin }, text, number, replaced);
            Ok(Record { is_exact, ..record })
        };
        for (row, number) in (0..self.batch.num_rows()).zip(self.first..) {
            let fail = |reason: Reason| Problem::of(&*batch.file.name, Location::Row(number), reason);
            found(record(row, number).map_err(fail));
        }
    }
}

#[cfg(test)]
mod tests;
