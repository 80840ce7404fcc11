//! Whole rows of a Parquet file: as JSON, lists and structures included, and without spans of their text.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, LargeStringArray, RecordBatch, StringArray,
};
use arrow_schema::{ArrowError, DataType};
use serde_json::{Map, Value};

use super::super::batch::Content;
use super::super::cut::{Edit, NOT_UTF_8, OTHER_TEXT, without};
use super::shown;
use super::values::Text;
use crate::records::Batch;

/// The fields of a row. Numbers and times are strings as [`shown`] has them; what it lacks is null, and so is NaN, which JSON
/// lacks. A map is an object.
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
        DataType::ListView(_) => list(&array.as_list_view::<i32>().value(row)),
        DataType::LargeListView(_) => list(&array.as_list_view::<i64>().value(row)),
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0), entries.column(1));
            (0..entries.len()).filter_map(|at| Some((shown(keys, at)?, value(values, at)))).collect()
        }
        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            columns.map(|(field, array)| (field.name().clone(), value(array, row))).collect()
        }
        _ if is_nan(array, row) => Value::Null,
        _ => shown(array, row).map_or(Value::Null, Value::String),
    }
}

/// True for a number that is none, which pandas has where a value is missing, and for an infinite one.
fn is_nan(array: &dyn Array, row: usize) -> bool {
    match array.data_type() {
        DataType::Float32 => !array.as_primitive::<Float32Type>().value(row).is_finite(),
        DataType::Float64 => !array.as_primitive::<Float64Type>().value(row).is_finite(),
        _ => false,
    }
}

impl Batch {
    /// The rows with spans cut from the text of some; `None` if none is cut. `Err` has the row that cannot be cut, and the reason.
    pub(crate) fn cut_rows(&self, edits: &[Edit]) -> Result<Option<RecordBatch>, (usize, String)> {
        let Content::Table(rows) = &self.content else { return Ok(None) };
        if !edits.iter().any(|edit| matches!(edit, Edit::Cut(_))) {
            return Ok(None);
        }
        let texts = rows.columns.text.values(&rows.batch);
        let cut = |(row, edit): (usize, &Edit)| {
            let Some(text) = texts.text(row) else { return Ok(None) };
            let (bytes, text) = match text {
                Text::Characters(text) => (text.as_bytes(), Some(text)),
                // Spans are of what was decoded.
                Text::Bytes(bytes) => (bytes, str::from_utf8(bytes).ok().filter(|text| *text == self.decode(bytes).0)),
            };
            let Edit::Cut(spans) = edit else { return Ok(Some(Cow::Borrowed(bytes))) };
            let left = text.ok_or(NOT_UTF_8).and_then(|text| without(text, spans).ok_or(OTHER_TEXT));
            left.map(|left| Some(Cow::Owned(left.into_bytes()))).map_err(|reason| (row, reason.to_owned()))
        };
        let left: Vec<Option<Cow<'_, [u8]>>> = edits.iter().enumerate().map(cut).collect::<Result<_, _>>()?;
        let cut = of_type(texts.array.data_type(), left).and_then(|cut| rows.columns.text.with(&rows.batch, cut));
        cut.map(Some).map_err(|error| (0, error.to_string()))
    }
}

/// Texts or bytes as a column of this type.
fn of_type(of: &DataType, values: Vec<Option<Cow<'_, [u8]>>>) -> Result<ArrayRef, ArrowError> {
    Ok(match of {
        DataType::Utf8 => Arc::new(StringArray::try_from_binary(BinaryArray::from_iter(values))?),
        DataType::LargeUtf8 => Arc::new(LargeStringArray::try_from_binary(LargeBinaryArray::from_iter(values))?),
        DataType::Utf8View => Arc::new(BinaryViewArray::from_iter(values).to_string_view()?),
        DataType::Binary => Arc::new(BinaryArray::from_iter(values)),
        DataType::LargeBinary => Arc::new(LargeBinaryArray::from_iter(values)),
        DataType::BinaryView => Arc::new(BinaryViewArray::from_iter(values)),
        other => return Err(ArrowError::NotYetImplemented(format!("a text of the type {other}"))),
    })
}
