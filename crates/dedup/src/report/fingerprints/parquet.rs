//! Fingerprints as a Parquet file, for query engines.
//!
//! Each row is a document. The file's metadata has the recipe, as JSON, under the key
//! `dedup.recipe`.
//!
//! ```text
//!  id        string                  tokens    uint64
//!  simhash   uint64, may be null     terms     uint64
//!  sketch    list of uint32          ngrams    uint64
//!  digest    16 bytes                shingles  uint64
//!  language  string                  file      string
//!  bytes     uint64                  record    uint64
//! ```
//!
//! Memory: 1,000 plain rows and one encoded row group of at most 100,000 rows or
//! 64 MiB.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, LargeListBuilder, UInt32Builder};
use arrow_array::{ArrayRef, LargeStringArray, RecordBatch, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use nearcopy::sketch::recipe::Recipe;
use nearcopy_corpus::error::of_parquet;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterPropertiesBuilder;
use parquet::schema::types::ColumnPath;

use super::Row;
use crate::report::columnar::{self, BATCH};

/// The metadata key of the recipe.
pub(super) const RECIPE: &str = "dedup.recipe";

/// Writes fingerprints of one recipe and returns the writer.
///
/// # Errors
///
/// Those of the writer.
pub(super) fn write<'a, W: Write + Send>(
    mut out: W,
    recipe: &Recipe,
    rows: impl IntoIterator<Item = Row<'a>>,
) -> io::Result<W> {
    let schema = Arc::new(schema());
    let mut writer = columnar::writer(&mut out, &schema, properties(recipe)?)?;
    let mut rows = rows.into_iter();
    let mut gathered: Vec<Row<'a>> = Vec::with_capacity(BATCH);
    loop {
        gathered.clear();
        gathered.extend(rows.by_ref().take(BATCH));
        if gathered.is_empty() {
            writer.close().map_err(of_parquet)?;
            return Ok(out);
        }
        let batch = batch(&gathered, &schema).map_err(io::Error::other)?;
        writer.write(&batch).map_err(of_parquet)?;
    }
}

fn minimum() -> Field {
    Field::new("element", DataType::UInt32, false)
}

fn schema() -> Schema {
    let column = |name, of| Field::new(name, of, false);
    Schema::new(vec![
        column("id", DataType::LargeUtf8),
        column("simhash", DataType::UInt64).with_nullable(true),
        column("sketch", DataType::LargeList(Arc::new(minimum()))),
        column("digest", DataType::FixedSizeBinary(16)),
        column("language", DataType::LargeUtf8),
        column("bytes", DataType::UInt64),
        column("tokens", DataType::UInt64),
        column("terms", DataType::UInt64),
        column("ngrams", DataType::UInt64),
        column("shingles", DataType::UInt64),
        column("file", DataType::LargeUtf8),
        column("record", DataType::UInt64),
    ])
}

fn properties(recipe: &Recipe) -> io::Result<WriterPropertiesBuilder> {
    let recipe = KeyValue::new(RECIPE.to_owned(), serde_json::to_string(recipe)?);
    let mut properties = columnar::properties()?.set_key_value_metadata(Some(vec![recipe]));
    // Hashes hardly ever repeat: a dictionary of them would be built and then abandoned.
    for path in [vec!["id"], vec!["simhash"], vec!["sketch", "list", "element"], vec!["digest"]] {
        let path = ColumnPath::new(path.into_iter().map(str::to_owned).collect());
        properties = properties.set_column_dictionary_enabled(path, false);
    }
    Ok(properties)
}

fn batch(rows: &[Row], schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
    fn texts<'a>(rows: &[Row<'a>], of: impl Fn(&Row<'a>) -> &'a str) -> ArrayRef {
        Arc::new(LargeStringArray::from_iter_values(rows.iter().map(of)))
    }
    let counts = |of: fn(&Row) -> u64| -> ArrayRef { Arc::new(UInt64Array::from_iter_values(rows.iter().map(of))) };
    let simhashes: UInt64Array = rows.iter().map(|row| row.simhash).collect();
    let mut sketches = LargeListBuilder::new(UInt32Builder::new()).with_field(minimum());
    let mut digests = FixedSizeBinaryBuilder::with_capacity(rows.len(), 16);
    for row in rows {
        sketches.values().append_slice(row.sketch);
        sketches.append(true);
        digests.append_value(row.digest)?;
    }
    let columns: Vec<ArrayRef> = vec![
        texts(rows, |row| row.id),
        Arc::new(simhashes),
        Arc::new(sketches.finish()),
        Arc::new(digests.finish()),
        texts(rows, |row| row.language),
        counts(|row| row.bytes),
        counts(|row| row.tokens),
        counts(|row| row.terms),
        counts(|row| row.ngrams),
        counts(|row| row.shingles),
        texts(rows, |row| row.file),
        counts(|row| row.record),
    ];
    RecordBatch::try_new(Arc::clone(schema), columns)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{UInt32Type, UInt64Type};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::metadata::RowGroupMetaData;
    use proptest::prelude::*;

    use super::*;

    /// The recipe of the default options.
    fn recipe() -> Recipe {
        let options = nearcopy::fingerprint::Options::default();
        nearcopy::fingerprint::Fingerprinter::new(options).unwrap().recipe().clone()
    }

    /// A row that owns its values.
    #[derive(Debug, Clone, PartialEq)]
    struct Owned {
        names: [String; 3],
        simhash: Option<u64>,
        sketch: Vec<u32>,
        digest: [u8; 16],
        counts: [u64; 6],
    }

    impl Owned {
        fn row(&self) -> Row<'_> {
            let [id, language, file] = self.names.each_ref().map(String::as_str);
            let [bytes, tokens, terms, ngrams, shingles, record] = self.counts;
            let Self { simhash, sketch, digest, .. } = self;
            let (simhash, digest) = (*simhash, *digest);
            Row { id, simhash, sketch, digest, language, bytes, tokens, terms, ngrams, shingles, file, record }
        }
    }

    fn written(rows: &[Owned]) -> Vec<u8> {
        let out = write(Cursor::new(Vec::new()), &recipe(), rows.iter().map(Owned::row)).unwrap();
        out.into_inner()
    }

    fn opened(bytes: &[u8]) -> ParquetRecordBatchReaderBuilder<std::fs::File> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        ParquetRecordBatchReaderBuilder::try_new(file).unwrap()
    }

    fn read(bytes: &[u8]) -> Vec<Owned> {
        let rows = opened(bytes).build().unwrap();
        rows.flat_map(|batch| {
            let batch = batch.unwrap();
            let text = |name: &str, row| batch[name].as_string::<i32>().value(row).to_owned();
            let count = |name: &str, row| batch[name].as_primitive::<UInt64Type>().value(row);
            let rows = (0..batch.num_rows()).map(|row| Owned {
                names: ["id", "language", "file"].map(|name| text(name, row)),
                simhash: batch["simhash"].is_valid(row).then(|| count("simhash", row)),
                sketch: batch["sketch"].as_list::<i32>().value(row).as_primitive::<UInt32Type>().values().to_vec(),
                digest: batch["digest"].as_fixed_size_binary().value(row).try_into().unwrap(),
                counts: ["bytes", "tokens", "terms", "ngrams", "shingles", "record"].map(|name| count(name, row)),
            });
            rows.collect::<Vec<_>>()
        })
        .collect()
    }

    fn owned() -> impl Strategy<Value = Owned> {
        let names = any::<[String; 3]>();
        let sketch = prop::collection::vec(any::<u32>(), 0..30);
        (names, any::<Option<u64>>(), sketch, any::<[u8; 16]>(), any::<[u64; 6]>())
            .prop_map(|(names, simhash, sketch, digest, counts)| Owned { names, simhash, sketch, digest, counts })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_is_written_is_read(rows in prop::collection::vec(owned(), 0..20), copies in 1..80_usize) {
            let rows: Vec<Owned> = rows.iter().cycle().take(rows.len() * copies).cloned().collect();
            prop_assert_eq!(read(&written(&rows)), rows);
        }
    }

    #[test]
    fn the_recipe_stands_in_the_file() {
        let file = opened(&written(&[]));
        let said = file.metadata().file_metadata().key_value_metadata().unwrap();
        let expected = serde_json::to_string(&recipe()).unwrap();
        assert_eq!(said, &[KeyValue::new("dedup.recipe".to_owned(), expected)]);
        assert_eq!(file.metadata().file_metadata().num_rows(), 0);
    }

    #[test]
    fn row_groups_have_a_hundred_thousand_rows() {
        let row = Row {
            id: "a",
            simhash: Some(1),
            sketch: &[],
            digest: [0; 16],
            language: "eng",
            bytes: 0,
            tokens: 0,
            terms: 0,
            ngrams: 0,
            shingles: 0,
            file: "b",
            record: 0,
        };
        let out = write(Cursor::new(Vec::new()), &recipe(), std::iter::repeat_n(row, 250_001)).unwrap();
        let file = opened(out.get_ref());
        let rows = file.metadata().row_groups().iter().map(RowGroupMetaData::num_rows);
        assert_eq!(rows.collect::<Vec<_>>(), [100_000, 100_000, 50_001]);
    }

    #[test]
    fn an_error_of_the_writer_keeps_its_kind() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let error = write(Closed, &recipe(), []).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}
