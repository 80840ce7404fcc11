//! Columns of the batches that steps receive, and lists in them. Errors name the column.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, Int64Array, ListArray, RecordBatch, StringArray, StructArray};
use arrow_schema::DataType;
use nearcopy::runs::joined;
use nearcopy_corpus::records::cut::without;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::arrow::{import, unusable};
use crate::table::{Table, table};

pub(crate) fn batches(object: &Bound<'_, PyAny>) -> PyResult<Vec<RecordBatch>> {
    streamed(object)?.collect()
}

/// The batches of an object, one by one.
pub(crate) fn streamed(object: &Bound<'_, PyAny>) -> PyResult<impl Iterator<Item = PyResult<RecordBatch>>> {
    let imported = import(object)?.ok_or_else(|| PyTypeError::new_err("expected a table with the Arrow interface"))?;
    let batch = |array: Result<ArrayRef, _>| {
        let array = array.map_err(unusable)?;
        let table: &StructArray =
            array.as_struct_opt().ok_or_else(|| PyTypeError::new_err("expected a table, found an array"))?;
        Ok(RecordBatch::from(table))
    };
    Ok(imported.arrays.map(batch))
}

/// The only batch of an object.
pub(crate) fn batch(object: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let [batch] = <[RecordBatch; 1]>::try_from(batches(object)?)
        .map_err(|found| PyValueError::new_err(format!("{} batches: expected one", found.len())))?;
    Ok(batch)
}

pub(crate) fn column<'a>(batch: &'a RecordBatch, name: &str, of: &DataType) -> PyResult<&'a ArrayRef> {
    let array = batch.column_by_name(name).ok_or_else(|| PyKeyError::new_err(format!("no column '{name}'")))?;
    if array.data_type() == of {
        return Ok(array);
    }
    Err(PyTypeError::new_err(format!("column '{name}': is of type {}; expected {of}", array.data_type())))
}

/// A column of whole numbers, none of them null.
pub(crate) fn numbers(batch: &RecordBatch, name: &str) -> PyResult<impl Iterator<Item = i64>> {
    Ok(number_column(batch, name)?.values().to_vec().into_iter())
}

/// A column of numbers.
pub(crate) fn number_column<'a>(batch: &'a RecordBatch, name: &str) -> PyResult<&'a Int64Array> {
    Ok(column(batch, name, &DataType::Int64)?.as_primitive())
}

/// The column of texts.
pub(crate) fn texts_of(batch: &RecordBatch) -> PyResult<&StringArray> {
    Ok(column(batch, "text", &DataType::Utf8)?.as_string())
}

/// A column of lists.
pub(crate) fn list<'a>(batch: &'a RecordBatch, name: &str) -> PyResult<&'a ListArray> {
    let array = batch.column_by_name(name).ok_or_else(|| PyKeyError::new_err(format!("no column '{name}'")))?;
    array.as_list_opt().ok_or_else(|| PyTypeError::new_err(format!("column '{name}': expected lists")))
}

/// Two columns of lists, as ranges; none for a row without a list.
pub(crate) struct Ranges<'a> {
    starts: &'a ListArray,
    ends: &'a ListArray,
}

impl<'a> Ranges<'a> {
    pub(crate) fn of(batch: &'a RecordBatch, starts: &str, ends: &str) -> PyResult<Self> {
        Ok(Self { starts: list(batch, starts)?, ends: list(batch, ends)? })
    }

    /// The ranges of a row, as they come.
    pub(crate) fn row(&self, row: usize) -> PyResult<Vec<Range<usize>>> {
        Ok(whole(self.starts, row)?.into_iter().zip(whole(self.ends, row)?).map(|(start, end)| start..end).collect())
    }
}

/// The list of whole numbers at a row; empty if there is none.
pub(crate) fn whole(lists: &ListArray, row: usize) -> PyResult<Vec<usize>> {
    let whole = |number: i64| {
        usize::try_from(number).map_err(|_| PyValueError::new_err(format!("{number}: expected a whole number")))
    };
    signed(lists, row)?.into_iter().map(whole).collect()
}

/// A builder of lists of numbers.
pub(crate) fn lists() -> ListBuilder<Int64Builder> {
    ListBuilder::new(Int64Builder::new())
}

/// Columns of these names and lists.
pub(crate) fn named<const N: usize>(
    names: [&'static str; N],
    lists: [ListBuilder<Int64Builder>; N],
) -> impl Iterator<Item = (&'static str, ArrayRef)> {
    names.into_iter().zip(lists).map(|(name, mut list)| (name, Arc::new(list.finish()) as ArrayRef))
}

/// Rows of numbers that were passed on as bytes.
pub(crate) fn rows_of<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u64; N]> {
    let numbers: Vec<u64> = bytes.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect();
    let rows: Vec<[u64; N]> = numbers.as_chunks().0.to_vec();
    rows.into_iter()
}

/// The list of numbers at a row; empty if there is none.
pub(crate) fn signed(lists: &ListArray, row: usize) -> PyResult<Vec<i64>> {
    if lists.is_null(row) {
        return Ok(Vec::new());
    }
    let array = lists.value(row);
    let numbers =
        array.as_primitive_opt::<Int64Type>().ok_or_else(|| PyTypeError::new_err("expected lists of numbers"))?;
    Ok(numbers.values().to_vec())
}

/// Each row's `text` without its spans, which the lists `start_bytes` and `end_bytes` have.
#[pyfunction]
pub(crate) fn left(texts: &Bound<'_, PyAny>) -> PyResult<Table> {
    let batch = batch(texts)?;
    let (texts, spans) = (texts_of(&batch)?, Ranges::of(&batch, "start_bytes", "end_bytes")?);
    let mut left = StringBuilder::new();
    for row in 0..batch.num_rows() {
        let text = without(texts.value(row), &joined(spans.row(row)?));
        left.append_value(
            text.ok_or_else(|| PyValueError::new_err("the rows changed while they were read; store them first"))?,
        );
    }
    Ok(table(vec![("text", Arc::new(left.finish()))]))
}
