//! Kept rows, written to a Parquet file.
//!
//! Cost: memory for one encoded row group, 64 MiB.

use std::io::{self, Write};

use ::parquet::arrow::ArrowWriter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::file::metadata::KeyValue;
use ::parquet::file::properties::WriterProperties;
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use crate::error::of_parquet;

/// Maximum size of a row group in bytes.
const ROW_GROUP: usize = 64 << 20;

/// Writes rows unchanged, compressed with Zstandard.
///
/// The columns, their order, their types and the key-value metadata are kept; row groups,
/// statistics and compression are new.
#[expect(missing_debug_implementations, reason = "the writer beneath has none")]
pub struct KeptRows<W: Write + Send>(ArrowWriter<W>);

impl<W: Write + Send> KeptRows<W> {
    /// Begins a file with the schema of its rows.
    ///
    /// # Errors
    ///
    /// Those of the writer, or a type that Parquet lacks.
    pub fn create(out: W, schema: SchemaRef) -> io::Result<Self> {
        let said = schema.metadata().iter();
        let said = said.map(|(key, value)| KeyValue::new(key.clone(), value.clone())).collect();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).map_err(of_parquet)?))
            .set_max_row_group_bytes(Some(ROW_GROUP))
            .set_key_value_metadata(Some(said))
            .build();
        ArrowWriter::try_new(out, schema, Some(properties)).map(Self).map_err(of_parquet)
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
            self.0.write(&batch.slice(row, kept)).map_err(of_parquet)?;
            row += kept + 1;
        }
        Ok(())
    }

    /// The size in bytes of what was written, and of what is still to be encoded as far as it can be estimated.
    pub fn size(&self) -> u64 {
        (self.0.bytes_written() + self.0.in_progress_size()) as u64
    }

    /// Writes the end of the file and returns the writer.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        // Flushed here first: the last step reports a failed writer without its reason.
        self.0.flush().and_then(|()| Ok(self.0.sync()?)).map_err(of_parquet)?;
        self.0.into_inner().map_err(of_parquet)
    }
}
