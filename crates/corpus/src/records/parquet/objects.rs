//! Whole rows of a Parquet file: as JSON, lists and structures included, and without spans of their text.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch, StringArray, StringViewArray};
use arrow_schema::DataType;
use serde_json::{Map, Value};

use super::super::batch::Content;
use super::super::cut::{Edit, OTHER_TEXT, without};
use super::shown;
use super::values::Text;
use crate::records::Batch;

/// The fields of a row. Numbers and times are strings as [`shown`] has them; what it lacks is null.
pub fn row_fields(batch: &RecordBatch, row: usize) -> Map<String, Value> {
    let columns = batch.schema_ref().fields().iter().zip(batch.columns());
    columns.map(|(column, array)| (column.name().clone(), value(array, row))).collect()
}

fn value(array: &dyn Array, row: usize) -> Value {
    let list = |values: &dyn Array| (0..values.len()).map(|at| value(values, at)).collect();
    match array.data_type() {
        _ if array.is_null(row) => Value::Null,
        DataType::List(_) => list(&array.as_list::<i32>().value(row)),
        DataType::LargeList(_) => list(&array.as_list::<i64>().value(row)),
        DataType::FixedSizeList(..) => list(&array.as_fixed_size_list().value(row)),
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            columns.map(|(field, array)| (field.name().clone(), value(array, row))).collect()
        }
        _ => shown(array, row).map_or(Value::Null, Value::String),
    }
}

impl Batch {
    /// The rows with spans cut from the text of some; `None` if none is cut. `Err` is the reason why they cannot be.
    pub(crate) fn cut_rows(&self, edits: &[Edit]) -> Result<Option<RecordBatch>, String> {
        let Content::Table(rows) = &self.content else { return Ok(None) };
        if !edits.iter().any(|edit| matches!(edit, Edit::Cut(_))) {
            return Ok(None);
        }
        let name = &self.reading.fields.text;
        let (place, column) = rows
            .batch
            .schema_ref()
            .column_with_name(name)
            .ok_or_else(|| format!("the field '{name}' is inside another, so nothing can be cut from it"))?;
        let array = rows.batch.column(place);
        let text = |row: usize| match super::values::text(array, row) {
            Some(Text::Characters(text)) => Ok(Some(text)),
            Some(Text::Bytes(_)) => Err("its text is of bytes, which cannot be cut".to_owned()),
            None => Ok(None),
        };
        let cut = |(row, edit): (usize, &Edit)| match (text(row)?, edit) {
            (Some(text), Edit::Cut(spans)) => without(text, spans).ok_or_else(|| OTHER_TEXT.to_owned()).map(Some),
            (text, _) => Ok(text.map(str::to_owned)),
        };
        let texts: Vec<Option<String>> = edits.iter().enumerate().map(cut).collect::<Result<_, String>>()?;
        let cut: ArrayRef = match column.data_type() {
            DataType::Utf8 => Arc::new(StringArray::from(texts)),
            DataType::LargeUtf8 => Arc::new(LargeStringArray::from(texts)),
            DataType::Utf8View => Arc::new(StringViewArray::from_iter(texts)),
            other => return Err(format!("its text is of the type {other}, which cannot be cut")),
        };
        let mut columns = rows.batch.columns().to_vec();
        columns[place] = cut;
        RecordBatch::try_new(rows.batch.schema(), columns).map(Some).map_err(|error| error.to_string())
    }
}
