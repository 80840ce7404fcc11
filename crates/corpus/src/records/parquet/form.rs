//! The form of a Parquet file: what its columns and metadata do not say.
//!
//! Cost: two headers of pages are read.

use std::fs::File;
use std::sync::Arc;

use ::parquet::arrow::ArrowSchemaConverter;
use ::parquet::basic::{Compression, ZstdLevel};
use ::parquet::column::page::PageReader;
use ::parquet::errors::ParquetError;
use ::parquet::file::metadata::ParquetMetaData;
use ::parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use ::parquet::file::serialized_reader::SerializedPageReader;
use arrow_schema::Schema;

/// Maximum size of a row group in bytes.
const ROW_GROUP: usize = 64 << 20;

/// Number of row groups that are kept, however small. The end of a file describes every group, so those of a program that writes as
/// it goes would fill the memory in a large output: from there on a group has at least this part of the rows before it.
const GROUPS: u64 = 1 << 12;

/// The codecs, the versions and the row groups of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// The codec of each column that has no columns in it; empty for that of new files.
    codecs: Vec<Compression>,
    /// The version of the format that the file states.
    version: i32,
    /// The version of its pages: files that state version 2 mostly have pages of version 1, which more readers know.
    pages: WriterVersion,
    /// Maximum number of rows in a row group, if there are several.
    rows: Option<usize>,
}

impl Default for Form {
    /// The form of a file that has no input in Parquet.
    fn default() -> Self {
        Self { codecs: Vec::new(), version: 1, pages: WriterVersion::PARQUET_1_0, rows: None }
    }
}

/// The codec of new files, and the level for those of others, which state none.
fn zstd() -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(3).unwrap_or_default())
}

impl Form {
    /// The form of a file. A damaged page counts as one of version 1, and is reported when it is read.
    pub(super) fn of(file: &File, metadata: &ParquetMetaData) -> Self {
        let version = metadata.file_metadata().version();
        let Some(first) = metadata.row_groups().first() else { return Self { version, ..Self::default() } };
        let codec = |codec| if matches!(codec, Compression::ZSTD(_)) { zstd() } else { codec };
        let rows = metadata.row_groups().iter().filter_map(|group| usize::try_from(group.num_rows()).ok()).max();
        let is_several = metadata.num_row_groups() > 1;
        Self {
            codecs: first.columns().iter().map(|column| codec(column.compression())).collect(),
            version,
            pages: pages(file, metadata).unwrap_or(WriterVersion::PARQUET_1_0),
            rows: rows.filter(|&rows| is_several && rows > 0),
        }
    }

    /// Maximum number of rows in the row group that follows so many rows.
    pub(super) fn rows_behind(&self, rows: u64) -> usize {
        self.rows.map_or(usize::MAX, |least| least.max(usize::try_from(rows / GROUPS).unwrap_or(usize::MAX)))
    }

    /// The version that a file of this form states, if the writer of its pages states another.
    pub(super) fn stated(&self) -> Option<u8> {
        let version = u8::try_from(self.version).ok().filter(|version| (1..=2).contains(version))?;
        (i32::from(version) != self.pages.as_num()).then_some(version)
    }

    /// The properties of a file of this form and these columns. Row groups end as [`Form::rows_behind`] says.
    ///
    /// # Errors
    ///
    /// A type that Parquet lacks.
    pub(super) fn properties(&self, schema: &Schema) -> Result<WriterPropertiesBuilder, ParquetError> {
        let mut properties = WriterProperties::builder()
            .set_compression(zstd())
            .set_writer_version(self.pages)
            .set_max_row_group_bytes(Some(ROW_GROUP));
        if self.rows.is_some() {
            properties = properties.set_max_row_group_row_count(None);
        }
        // By their order: columns in lists and maps may have other names in the file.
        let columns = ArrowSchemaConverter::new().convert(schema)?;
        for (column, &codec) in columns.columns().iter().zip(&self.codecs) {
            properties = properties.set_column_compression(column.path().clone(), codec);
        }
        Ok(properties)
    }
}

/// The version of the first page of data.
fn pages(file: &File, metadata: &ParquetMetaData) -> Option<WriterVersion> {
    let group = metadata.row_groups().iter().find(|group| group.num_rows() > 0)?;
    let rows = usize::try_from(group.num_rows()).ok()?;
    let file = Arc::new(file.try_clone().ok()?);
    let mut pages = SerializedPageReader::new(file, group.columns().first()?, rows, None).ok()?;
    let mut page = pages.peek_next_page().ok()??;
    if page.is_dict {
        pages.skip_next_page().ok()?;
        page = pages.peek_next_page().ok()??;
    }
    // Only headers of version 2 state the number of rows.
    Some(if page.num_rows.is_some() { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 })
}
