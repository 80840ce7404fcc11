//! How results are written to Parquet files.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_schema::SchemaRef;
use nearcopy_corpus::error::of_parquet;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};

/// Number of rows gathered before they are encoded.
pub(super) const BATCH: usize = 1000;
const ROW_GROUP_ROWS: usize = 100_000;
const ROW_GROUP_BYTES: usize = 64 << 20;

/// Compressed with zstd, in row groups of at most 100,000 rows or 64 MiB.
pub(super) fn properties() -> io::Result<WriterPropertiesBuilder> {
    Ok(WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).map_err(of_parquet)?))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_max_row_group_bytes(Some(ROW_GROUP_BYTES)))
}

/// Begins a file.
pub(super) fn writer<W: Write + Send>(
    out: W,
    schema: &SchemaRef,
    properties: WriterPropertiesBuilder,
) -> io::Result<ArrowWriter<W>> {
    // Parquet's own types say everything. Without Arrow's types beside them, each
    // reader uses its native ones.
    let options = ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(true);
    ArrowWriter::try_new_with_options(out, Arc::clone(schema), options).map_err(of_parquet)
}
