//! Rows of a Parquet file as records for another format.
//!
//! Strings, whole numbers, finite floats, booleans and null are converted, whatever their width, also from
//! dictionaries. All other types are refused: JSON and tables have none of them.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float16Type, Float32Type, Float64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;

use super::values::{Text, in_dictionary, text, whole};
use crate::records::convert::{Row, Value};

/// The fields of a row; `Err` is the reason why they cannot be converted.
pub(in crate::records) fn fields(batch: &RecordBatch, row: usize) -> Result<Row, String> {
    let columns = batch.schema_ref().fields().iter().zip(batch.columns());
    let converted = columns.map(|(column, array)| Ok((column.name().clone(), value(column.name(), array, row)?)));
    converted.collect()
}

fn value(name: &str, array: &dyn Array, row: usize) -> Result<Value, String> {
    if array.is_null(row) {
        return Ok(Value::Null);
    }
    match array.data_type() {
        DataType::Null => return Ok(Value::Null),
        DataType::Boolean => return Ok(Value::Plain(array.as_boolean().value(row).to_string())),
        DataType::Dictionary(..) => {
            let Some((values, row)) = in_dictionary(array, row) else {
                return Err(format!("its field '{name}' is outside its dictionary"));
            };
            return value(name, values, row);
        }
        // A float of 64 bits has the exact value of any shorter one.
        DataType::Float16 => return float(name, array.as_primitive::<Float16Type>().value(row).to_f64()),
        DataType::Float32 => return float(name, array.as_primitive::<Float32Type>().value(row).into()),
        DataType::Float64 => return float(name, array.as_primitive::<Float64Type>().value(row)),
        _ => {}
    }
    match (text(array, row), whole(array, row)) {
        (Some(Text::Characters(text)), _) => Ok(Value::Text(text.to_owned())),
        (_, Some(whole)) => Ok(Value::Plain(whole.to_string())),
        _ => Err(format!("its field '{name}' is of the type {}, which the output's format lacks", array.data_type())),
    }
}

/// A float in its shortest spelling.
fn float(name: &str, float: f64) -> Result<Value, String> {
    if float.is_finite() {
        Ok(Value::Plain(format!("{float:?}")))
    } else {
        Err(format!("its field '{name}' is {float}, which is no number in JSON"))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::types::Int8Type;
    use arrow_array::*;

    use super::*;

    /// The last value of a column, as JSON.
    fn converted(array: impl Array + 'static) -> Result<String, String> {
        let array: ArrayRef = Arc::new(array);
        let batch = RecordBatch::try_from_iter_with_nullable([("a", array, true)]).unwrap();
        let [(_, value)] = &fields(&batch, batch.num_rows() - 1)?[..] else { panic!() };
        Ok(format!("{value:?}"))
    }

    #[test]
    fn simple_values_are_kept_exactly() {
        for (found, expected) in [
            (converted(UInt64Array::from(vec![u64::MAX])), "Plain(\"18446744073709551615\")"),
            (converted(Int8Array::from(vec![-5])), "Plain(\"-5\")"),
            (converted(Float32Array::from(vec![0.1])), "Plain(\"0.10000000149011612\")"),
            (converted(Float64Array::from(vec![-0.0])), "Plain(\"-0.0\")"),
            (converted(BooleanArray::from(vec![false])), "Plain(\"false\")"),
            (converted(LargeStringArray::from(vec!["x"])), "Text(\"x\")"),
            (converted(StringViewArray::from(vec!["x", "1"])), "Text(\"1\")"),
            (converted(DictionaryArray::<Int8Type>::from_iter(["x", "y", "x"])), "Text(\"x\")"),
            (converted(DictionaryArray::<Int8Type>::from_iter([Some("x"), None])), "Null"),
            (converted(Int64Array::from(vec![Some(1), None])), "Null"),
            (converted(NullArray::new(1)), "Null"),
        ] {
            assert_eq!(found.as_deref(), Ok(expected));
        }
    }

    #[test]
    fn what_json_lacks_is_refused() {
        let list = ListArray::from_iter_primitive::<Int8Type, _, _>([Some([Some(1)])]);
        for (found, expected) in [
            (converted(Float64Array::from(vec![f64::NAN])), "its field 'a' is NaN, which is no number in JSON"),
            (converted(Float32Array::from(vec![f32::INFINITY])), "its field 'a' is inf, which"),
            (converted(BinaryArray::from(vec![&b"x"[..]])), "its field 'a' is of the type Binary, which"),
            (converted(Date32Array::from(vec![7])), "its field 'a' is of the type Date32, which"),
            (converted(Decimal128Array::from(vec![7])), "its field 'a' is of the type Decimal128(38, 10), which"),
            (converted(list), "its field 'a' is of the type List("),
        ] {
            let reason = found.unwrap_err();
            assert!(reason.starts_with(expected), "{reason}");
        }
    }
}
