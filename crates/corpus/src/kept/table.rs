//! Rows of Parquet, written to one file or to shards with the same columns, in the form of the first.

use std::io::{self, Write};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use super::shard::{Shards, closed};
use crate::records::convert::NotConverted;
use crate::records::{Form, KeptRows};

/// Rows are added to a shard by this part of its greatest size, as the size of rows is known only once they are encoded.
const STEP: u64 = 8;

/// A file of rows.
pub(super) struct Table<W: Write + Send> {
    state: State<W>,
    /// Number of rows in this shard.
    rows: u64,
    shards: Option<Shards<W>>,
}

enum State<W: Write + Send> {
    /// The first rows will tell the columns.
    Begun(W),
    Open(Box<KeptRows<W>>, SchemaRef, Form),
    /// After an error.
    Failed,
}

impl<W: Write + Send> Table<W> {
    pub(super) fn new(out: W, shards: Option<Shards<W>>) -> Self {
        Self { state: State::Begun(out), rows: 0, shards }
    }

    /// Writes the rows for whose index `keep` is true, of a file of this form.
    pub(super) fn write(
        &mut self,
        table: &RecordBatch,
        form: &Form,
        keep: impl Fn(usize) -> bool,
    ) -> Result<(), NotConverted> {
        let (mut out, schema, form) = match std::mem::replace(&mut self.state, State::Failed) {
            State::Begun(out) => (Box::new(KeptRows::create(out, table.schema(), form)?), table.schema(), form.clone()),
            State::Open(out, schema, form) => (out, schema, form),
            State::Failed => return Err(closed().into()),
        };
        // Metadata may differ, such as that in which pandas notes the number of rows; that of the first file is kept.
        let same = table.schema_ref() == &schema;
        let table = if same { table.clone() } else { fitted(table, &schema)? };
        let rows = table.num_rows();
        let Some(shards) = &mut self.shards else {
            out.write(&table, keep)?;
            self.state = State::Open(out, schema, form);
            return Ok(());
        };
        let each = (table.get_array_memory_size() / rows.max(1)).max(1) as u64;
        let step = usize::try_from(shards.max_bytes / STEP / each).unwrap_or(usize::MAX).clamp(1, rows.max(1));
        for start in (0..rows).step_by(step) {
            let kept = (start..rows.min(start + step)).filter(|&row| keep(row)).count() as u64;
            // By the mean of the rows so far.
            let expected = kept * (out.size() / self.rows.max(1));
            if kept > 0 && shards.is_full(self.rows, out.size(), expected) {
                out = Box::new(KeptRows::create((shards.next)(out.finish()?)?, SchemaRef::clone(&schema), &form)?);
                self.rows = 0;
            }
            out.write(&table.slice(start, step.min(rows - start)), |row| keep(start + row))?;
            self.rows += kept;
        }
        self.state = State::Open(out, schema, form);
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<W> {
        match self.state {
            // A file of which no row could be read; that is reported by who reads it.
            State::Begun(out) => Ok(out),
            State::Open(rows, ..) => rows.finish(),
            State::Failed => Err(closed()),
        }
    }
}

/// The rows with the metadata of another schema; `Err` tells what else differs.
fn fitted(table: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch, NotConverted> {
    let [own, first] = [table.schema_ref().fields(), schema.fields()];
    for (field, expected) in own.iter().zip(first) {
        let in_words = |field: &arrow_schema::Field| {
            let nulls = if field.is_nullable() { "" } else { " without nulls" };
            format!("'{}' of the type {}{nulls}", field.name(), field.data_type())
        };
        let is_same = field.name() == expected.name()
            && field.data_type() == expected.data_type()
            && field.is_nullable() == expected.is_nullable();
        if !is_same {
            return Err(NotConverted::OtherColumns(format!(
                "it has the column {}, where the first file has {}",
                in_words(field),
                in_words(expected)
            )));
        }
    }
    if own.len() != first.len() {
        let count = format!("it has {} columns, and the first file has {}", own.len(), first.len());
        return Err(NotConverted::OtherColumns(count));
    }
    RecordBatch::try_new(SchemaRef::clone(schema), table.columns().to_vec())
        .map_err(|error| NotConverted::OtherColumns(error.to_string()))
}
