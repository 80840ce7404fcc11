//! Records of another format, written to a Parquet file.
//!
//! Cost: memory for a batch of rows, 4 MiB, or the longest record; and for one encoded row group.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, NullArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::{Form, KeptRows};
use crate::records::convert::{Columns, NotConverted, Row, Type, Value, two_fields};

/// The size in bytes at which collected rows are written.
const BATCH: usize = 4 << 20;
/// The size in bytes that a value is counted with beside its characters: a number, or where a string begins.
const OVERHEAD: usize = 8;
/// The maximum length of a record in bytes: a column's strings have offsets of 31 bits.
const MAX_RECORD: usize = 1 << 30;

/// Writes records with known columns.
pub(crate) struct ConvertedRows<W: Write + Send> {
    rows: KeptRows<W>,
    columns: Columns,
    schema: SchemaRef,
    values: Vec<Values>,
    /// The size of the collected rows in bytes.
    size: usize,
    /// The number of collected rows.
    count: usize,
}

/// The collected values of a column.
enum Values {
    Null,
    Text(StringBuilder),
    Bool(BooleanBuilder),
    Whole(Int64Builder),
    Float(Float64Builder),
}

impl<W: Write + Send> ConvertedRows<W> {
    /// Begins a file with these columns.
    pub(crate) fn create(out: W, columns: Columns) -> io::Result<Self> {
        let (fields, values): (Vec<_>, Vec<_>) = columns
            .types()
            .map(|(name, holds)| {
                let (kept_as, values) = Values::new(holds);
                (Field::new(name, kept_as, true), values)
            })
            .unzip();
        let schema = Arc::new(Schema::new(fields));
        let rows = KeptRows::create(out, Arc::clone(&schema), &Form::default())?;
        Ok(Self { rows, columns, schema, values, size: 0, count: 0 })
    }

    /// Adds a record; a field that it lacks becomes null.
    pub(crate) fn push(&mut self, fields: &Row) -> Result<(), NotConverted> {
        let size = fields.iter().map(|(_, value)| value.len()).fold(0, usize::saturating_add);
        if size > MAX_RECORD {
            return Err(NotConverted::Lossy(format!(
                "it has {size} bytes, more than 1 GiB, which Parquet cannot hold"
            )));
        }
        // The columns were made for these records, so another value means that the file is another.
        let changed = || NotConverted::Lossy("it changed while being read".into());
        let mut row: Vec<Option<&Value>> = vec![None; self.values.len()];
        for (name, value) in fields {
            let place = self.columns.place_of(name).ok_or_else(changed)?;
            if row[place].replace(value).is_some() {
                return Err(NotConverted::Lossy(two_fields(name)));
            }
        }
        for (values, value) in self.values.iter_mut().zip(&row) {
            values.push(value.unwrap_or(&Value::Null)).ok_or_else(changed)?;
        }
        self.size += size + self.values.len() * OVERHEAD;
        self.count += 1;
        if self.size >= BATCH {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes the collected rows.
    fn flush(&mut self) -> io::Result<()> {
        if self.count > 0 {
            let arrays = self.values.iter_mut().map(|values| values.finish(self.count)).collect();
            let batch = RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(io::Error::other)?;
            self.rows.write(&batch, |_| true)?;
            (self.size, self.count) = (0, 0);
        }
        Ok(())
    }

    /// The size in bytes of what was written and of what is collected.
    pub(crate) fn size(&self) -> u64 {
        self.rows.size() + self.size as u64
    }

    /// Completes the file, and begins another with the same columns in the writer that `next` returns for it.
    pub(crate) fn next(mut self, next: &mut dyn FnMut(W) -> io::Result<W>) -> io::Result<Self> {
        self.flush()?;
        Self::create(next(self.rows.finish()?)?, self.columns)
    }

    /// Writes the end of the file and returns the writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.flush()?;
        self.rows.finish()
    }
}

impl Values {
    fn new(holds: Type) -> (DataType, Self) {
        match holds {
            Type::Null => (DataType::Null, Self::Null),
            Type::Text => (DataType::Utf8, Self::Text(StringBuilder::new())),
            Type::Bool => (DataType::Boolean, Self::Bool(BooleanBuilder::new())),
            Type::Whole => (DataType::Int64, Self::Whole(Int64Builder::new())),
            Type::Float => (DataType::Float64, Self::Float(Float64Builder::new())),
        }
    }

    /// Adds a value; `None` if it is of another type.
    fn push(&mut self, value: &Value) -> Option<()> {
        match (self, value) {
            (Self::Null, Value::Null) => {}
            (Self::Text(values), Value::Null) => values.append_null(),
            (Self::Bool(values), Value::Null) => values.append_null(),
            (Self::Whole(values), Value::Null) => values.append_null(),
            (Self::Float(values), Value::Null) => values.append_null(),
            (Self::Text(values), Value::Text(text)) => values.append_value(text),
            (Self::Bool(values), Value::Plain(plain)) => values.append_value(plain.parse().ok()?),
            (Self::Whole(values), Value::Plain(plain)) => values.append_value(plain.parse().ok()?),
            (Self::Float(values), Value::Plain(plain)) => values.append_value(plain.parse().ok()?),
            _ => return None,
        }
        Some(())
    }

    /// Takes the collected values of `count` rows.
    fn finish(&mut self, count: usize) -> ArrayRef {
        match self {
            Self::Null => Arc::new(NullArray::new(count)),
            Self::Text(values) => Arc::new(values.finish()),
            Self::Bool(values) => Arc::new(values.finish()),
            Self::Whole(values) => Arc::new(values.finish()),
            Self::Float(values) => Arc::new(values.finish()),
        }
    }
}

#[cfg(test)]
mod tests {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;

    use super::*;

    fn record(number: i64) -> Row {
        vec![("n".to_owned(), Value::Plain(number.to_string()))]
    }

    fn begun() -> ConvertedRows<std::fs::File> {
        let mut columns = Columns::default();
        columns.add(&record(1)).unwrap();
        ConvertedRows::create(tempfile::tempfile().unwrap(), columns).unwrap()
    }

    #[test]
    fn rows_of_several_batches_are_all_written() {
        let mut rows = begun();
        let count = (BATCH / OVERHEAD + 5).cast_signed() as i64;
        (0..count).for_each(|number| rows.push(&record(number)).unwrap());
        let file = ParquetRecordBatchReaderBuilder::try_new(rows.finish().unwrap()).unwrap().build().unwrap();
        let read = file.flat_map(|batch| batch.unwrap().column(0).as_primitive::<Int64Type>().values().to_vec());
        assert!(read.eq(0..count));
    }

    #[test]
    fn a_record_that_the_columns_do_not_hold_is_refused() {
        let other = |name: &str, value| vec![("n".to_owned(), Value::Plain("1".into())), (name.to_owned(), value)];
        for (fields, expected) in [
            (vec![("n".to_owned(), Value::Text("x".into()))], "it changed while being read"),
            (other("m", Value::Null), "it changed while being read"),
            (other("n", Value::Null), "it has two fields 'n'"),
        ] {
            match begun().push(&fields) {
                Err(NotConverted::Lossy(what)) => assert_eq!(what, expected),
                other => panic!("{other:?}"),
            }
        }
    }
}
