//! Kept rows, written to a Parquet file.
//!
//! Cost: memory for one encoded row group, 64 MiB.

use std::io::{self, Write};

use ::parquet::arrow::ArrowWriter;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::KeyValue;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::form::Form;
use crate::error::of_parquet;

/// Writes rows unchanged.
///
/// The columns, their order, their types and the key-value metadata are kept, and of the [`Form`] the codec of each
/// column, the versions of the format and the largest number of rows in a row group. Statistics are new.
#[expect(missing_debug_implementations, reason = "the writer beneath has none")]
pub struct KeptRows<W: Write + Send> {
    rows: ArrowWriter<Ending<W>>,
    form: Form,
    /// Number of rows in finished row groups.
    before: u64,
}

impl<W: Write + Send> KeptRows<W> {
    /// Begins a file of this form with the schema of its rows.
    ///
    /// # Errors
    ///
    /// Those of the writer, or a type that Parquet lacks.
    pub fn create(out: W, schema: SchemaRef, form: &Form) -> io::Result<Self> {
        let said = schema.metadata().iter();
        let said = said.map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        let properties = form.properties(&schema).map_err(of_parquet)?.set_key_value_metadata(Some(said)).build();
        let rows = ArrowWriter::try_new(Ending { out, held: None }, schema, Some(properties)).map_err(of_parquet)?;
        Ok(Self { rows, form: form.clone(), before: 0 })
    }

    /// Writes the rows of a batch for whose index, from 0, `keep` is true.
    ///
    /// # Errors
    ///
    /// Those of the writer, or a batch with another schema.
    pub fn write(&mut self, batch: &RecordBatch, keep: impl Fn(usize) -> bool) -> io::Result<()> {
        // Adjacent rows are written in one call: each call has a cost per column.
        let mut row = 0;
        while row < batch.num_rows() {
            let kept = (row..batch.num_rows()).take_while(|&row| keep(row)).count();
            self.write_all(batch.slice(row, kept)).map_err(of_parquet)?;
            row += kept + 1;
        }
        Ok(())
    }

    fn write_all(&mut self, mut batch: RecordBatch) -> Result<(), ParquetError> {
        while batch.num_rows() > 0 {
            let most = self.form.rows_behind(self.before);
            let now = most.saturating_sub(self.rows.in_progress_rows()).clamp(1, batch.num_rows());
            self.rows.write(&batch.slice(0, now))?;
            batch = batch.slice(now, batch.num_rows() - now);
            let rows = self.rows.in_progress_rows();
            if rows >= most {
                self.rows.flush()?;
                self.before += rows as u64;
            }
        }
        Ok(())
    }

    /// The size in bytes of what was written, and of what is still to be encoded as far as it can be estimated.
    pub fn size(&self) -> u64 {
        (self.rows.bytes_written() + self.rows.in_progress_size()) as u64
    }

    /// Writes the end of the file and returns the writer.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        // Flushed here first: the last step reports a failed writer without its reason.
        self.rows.flush().and_then(|()| Ok(self.rows.sync()?)).map_err(of_parquet)?;
        let Some(version) = self.form.stated() else { return Ok(self.rows.into_inner().map_err(of_parquet)?.out) };
        self.rows.inner_mut().held = Some(Vec::new());
        let Ending { mut out, held } = self.rows.into_inner().map_err(of_parquet)?;
        let mut end = held.unwrap_or_default();
        state(version, &mut end)?;
        out.write_all(&end)?;
        Ok(out)
    }
}

/// Lets the end of a file, its metadata, state this version: the writer has one option for that and for the pages.
fn state(version: u8, end: &mut [u8]) -> io::Result<()> {
    // The metadata begins with the version as a 32-bit integer of Thrift's compact protocol: field 1, and the number in
    // zigzag. Its length and the magic stand behind it.
    const BEHIND: usize = 8;
    let first = end.len().checked_sub(BEHIND).and_then(|behind| {
        let length = u32::from_le_bytes(*end[behind..].first_chunk()?);
        behind.checked_sub(length as usize)
    });
    match first.and_then(|first| end.get_mut(first..first + 2)) {
        Some([0x15, number]) => *number = 2 * version,
        _ => return Err(io::Error::other("the metadata of the Parquet file does not begin with its version")),
    }
    Ok(())
}

/// A writer that can hold the end of a file back.
struct Ending<W> {
    out: W,
    /// The end, from when it is held back.
    held: Option<Vec<u8>>,
}

impl<W: Write> Write for Ending<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) => held.write(bytes),
            None => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
