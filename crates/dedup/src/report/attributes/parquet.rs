//! The list as a Parquet file.
//!
//! ```text
//!  id      string      spans        list of lists of 2 uint64
//!  file    string      spans_bytes  list of lists of 2 uint64
//!  record  uint64
//! ```
//!
//! Memory: a thousand rows, and one encoded row group of at most 100,000 rows or 64 MiB.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{LargeListBuilder, LargeStringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use nearcopy_corpus::error::of_parquet;
use parquet::arrow::ArrowWriter;

use super::Row;
use crate::report::columnar::{self, BATCH};

type Spans = LargeListBuilder<LargeListBuilder<UInt64Builder>>;

/// A file with the rows that were written so far.
pub(super) struct Table<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: SchemaRef,
    /// Ids and files.
    names: [LargeStringBuilder; 2],
    records: UInt64Builder,
    /// In characters and in bytes.
    spans: [Spans; 2],
    /// The number of collected rows.
    count: usize,
}

impl<W: Write + Send> Table<W> {
    pub(super) fn create(out: W) -> io::Result<Self> {
        let schema = Arc::new(schema());
        let writer = columnar::writer(out, &schema, columnar::properties()?)?;
        let (names, records) = (Default::default(), UInt64Builder::new());
        Ok(Self { writer, schema, names, records, spans: [spans(), spans()], count: 0 })
    }

    pub(super) fn write(&mut self, row: &Row) -> io::Result<()> {
        for (names, name) in self.names.iter_mut().zip([row.id, row.file]) {
            names.append_value(name);
        }
        self.records.append_value(row.record);
        for (lists, spans) in self.spans.iter_mut().zip([&row.spans, &row.spans_bytes]) {
            for span in spans {
                lists.values().values().append_slice(&span.map(|place| place as u64));
                lists.values().append(true);
            }
            lists.append(true);
        }
        self.count += 1;
        if self.count == BATCH { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let [ids, files] = self.names.each_mut().map(|names| Arc::new(names.finish()) as ArrayRef);
        let [spans, spans_bytes] = self.spans.each_mut().map(|lists| Arc::new(lists.finish()) as ArrayRef);
        let columns = vec![ids, files, Arc::new(self.records.finish()), spans, spans_bytes];
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(io::Error::other)?;
        self.count = 0;
        self.writer.write(&batch).map_err(of_parquet)
    }

    /// Writes the end of the file and returns the writer.
    pub(super) fn end(mut self) -> io::Result<W> {
        self.flush()?;
        self.writer.into_inner().map_err(of_parquet)
    }
}

fn spans() -> Spans {
    LargeListBuilder::new(LargeListBuilder::new(UInt64Builder::new()).with_field(place())).with_field(span())
}

fn place() -> Field {
    Field::new("element", DataType::UInt64, false)
}

fn span() -> Field {
    Field::new("element", DataType::LargeList(Arc::new(place())), false)
}

fn schema() -> Schema {
    let column = |name, of| Field::new(name, of, false);
    let spans = || DataType::LargeList(Arc::new(span()));
    Schema::new(vec![
        column("id", DataType::LargeUtf8),
        column("file", DataType::LargeUtf8),
        column("record", DataType::UInt64),
        column("spans", spans()),
        column("spans_bytes", spans()),
    ])
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::UInt64Type;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use proptest::prelude::*;

    use super::*;

    type Owned = (String, String, u64, [Vec<[usize; 2]>; 2]);

    fn read(file: File) -> Vec<Owned> {
        let batches = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
        batches
            .flat_map(|batch| {
                let batch = batch.unwrap();
                let text = |name: &str, row| batch[name].as_string::<i32>().value(row).to_owned();
                let spans = |name: &str, row| -> Vec<[usize; 2]> {
                    let spans = batch[name].as_list::<i32>().value(row);
                    let spans = spans.as_list::<i32>();
                    let ends = |span| spans.value(span).as_primitive::<UInt64Type>().values().to_vec();
                    (0..spans.len()).map(|span| [0, 1].map(|end| ends(span)[end] as usize)).collect()
                };
                let record = |row| batch["record"].as_primitive::<UInt64Type>().value(row);
                let rows = (0..batch.num_rows()).map(|row| {
                    (
                        text("id", row),
                        text("file", row),
                        record(row),
                        ["spans", "spans_bytes"].map(|name| spans(name, row)),
                    )
                });
                rows.collect::<Vec<_>>()
            })
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn what_is_written_is_read(
            rows in prop::collection::vec(any::<Owned>(), 0..20),
            copies in 1..120_usize,
        ) {
            let rows: Vec<Owned> = rows.iter().cycle().take(rows.len() * copies).cloned().collect();
            let mut table = Table::create(tempfile::tempfile().unwrap()).unwrap();
            for (id, file, record, [spans, spans_bytes]) in &rows {
                let (spans, spans_bytes) = (spans.clone(), spans_bytes.clone());
                table.write(&Row { id, file, record: *record, spans, spans_bytes }).unwrap();
            }
            prop_assert_eq!(read(table.end().unwrap()), rows);
        }
    }
}
