//! Rows of a Parquet file as JSON, lists and structures included.

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use serde_json::{Map, Value};

use super::shown;

/// The fields of a row. Numbers and times are strings as [`shown`] has them; what it lacks is null.
pub(in crate::records) fn object(batch: &RecordBatch, row: usize) -> Map<String, Value> {
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
