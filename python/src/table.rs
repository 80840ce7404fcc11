//! Results: tables and their columns, as Arrow data.

use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{Array as _, ArrayRef, BooleanArray, Float64Array, Int32Array, Int64Array, RecordBatch, StructArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, FieldRef, Schema};
use nearcopy::{Figures, Removal, RuleSet};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyIterator, PyList};

use crate::arrow::{self, import, unusable};

/// A column of a result. Its type is that of Arrow; it has the Arrow interface.
#[pyclass(frozen, module = "nearcopy")]
pub(crate) struct Array {
    field: FieldRef,
    array: ArrayRef,
}

impl Array {
    /// A column of this name.
    pub(crate) fn of(name: &str, array: ArrayRef) -> Self {
        Self { field: Field::new(name, array.data_type().clone(), true).into(), array }
    }
}

#[pymethods]
impl Array {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The interface lets a producer that cannot convert its data ignore the request.
        drop(requested_schema);
        arrow::array(py, &self.field, &self.array)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &self.field)
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let length = self.array.len();
        let place = if index < 0 { index + length as isize } else { index };
        let row = usize::try_from(place).ok().filter(|&row| row < length);
        let row = row.ok_or_else(|| PyIndexError::new_err(format!("row {index} of {length}")))?;
        value(py, &self.array, row)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        values(py, &self.array)?.try_iter()
    }

    /// The values as Python objects.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        values(py, &self.array)
    }

    /// A column for numpy. Without `dtype` a null is NaN among numbers, and else None.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("copy=False: numpy has a column of a result only as a copy"));
        }
        let has_nulls = self.array.null_count() > 0;
        let own = match self.array.data_type() {
            // Numpy makes a number out of NaN, and none out of None.
            _ if has_nulls && dtype.is_some() => "object".to_owned(),
            DataType::Boolean if !has_nulls => "bool".to_owned(),
            // A float does not hold the 64 bits of a simhash.
            DataType::UInt64 if has_nulls => "object".to_owned(),
            of if of.is_integer() && has_nulls => "float64".to_owned(),
            of if of.is_numeric() => of.to_string().to_lowercase(),
            _ => "object".to_owned(),
        };
        let made = py.import("numpy")?.call_method1("fromiter", (values(py, &self.array)?, own))?;
        dtype.map_or(Ok(made.clone()), |dtype| made.call_method1("astype", (dtype,)))
    }

    fn __repr__(&self) -> String {
        format!("<nearcopy.Array of {} {}>", self.array.len(), self.field.data_type())
    }
}

/// A table of results. It has the Arrow interface: `pyarrow.table(t)`, `polars.DataFrame(t)`,
/// `pandas.DataFrame.from_arrow(t)`.
#[pyclass(frozen, module = "nearcopy")]
pub(crate) struct Table(pub(crate) RecordBatch);

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        arrow::stream(py, &self.0)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        arrow::schema(py, &Field::new_struct("", self.0.schema_ref().fields().clone(), false))
    }

    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    fn __getitem__(&self, name: &str) -> PyResult<Array> {
        let schema = self.0.schema();
        let place = schema.index_of(name).map_err(|_| {
            let names = self.column_names().join(", ");
            PyKeyError::new_err(format!("no column '{name}'; the columns are {names}"))
        })?;
        Ok(Array { field: schema.fields()[place].clone(), array: self.0.column(place).clone() })
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.0.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The rows as dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let columns = self.0.columns().iter().map(|column| values(py, column)).collect::<PyResult<Vec<_>>>()?;
        let names = self.column_names();
        let rows = PyList::empty(py);
        for row in 0..self.0.num_rows() {
            let values = PyDict::new(py);
            for (name, column) in names.iter().zip(&columns) {
                values.set_item(name, column.get_item(row)?)?;
            }
            rows.append(values)?;
        }
        Ok(rows)
    }

    /// The table with other values in a column.
    fn _with(&self, name: &str, values: &Bound<'_, Array>) -> PyResult<Self> {
        let Array { array, .. } = values.get();
        let columns = self.0.schema_ref().fields().iter().zip(self.0.columns());
        let columns = columns.map(|(field, column)| {
            let column = if field.name() == name { array } else { column };
            (Field::clone(field).with_data_type(column.data_type().clone()), column.clone())
        });
        let (fields, columns): (Vec<Field>, Vec<ArrayRef>) = columns.unzip();
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).map(Self).map_err(unusable)
    }

    /// Pickled as a stream of Arrow.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let mut writer = StreamWriter::try_new(Vec::new(), self.0.schema_ref()).map_err(unusable)?;
        writer.write(&self.0).map_err(unusable)?;
        let bytes = writer.into_inner().map_err(unusable)?;
        Ok((py.get_type::<Self>().getattr("_of_bytes")?, (PyBytes::new(py, &bytes),)))
    }

    #[staticmethod]
    fn _of_bytes(bytes: &[u8]) -> PyResult<Self> {
        let reader = StreamReader::try_new(bytes, None).map_err(unusable)?;
        let schema = reader.schema();
        let batches = reader.collect::<Result<Vec<_>, _>>().map_err(unusable)?;
        arrow_select::concat::concat_batches(&schema, &batches).map(Self).map_err(unusable)
    }

    fn __repr__(&self) -> String {
        let fields = self.0.schema_ref().fields().iter();
        let columns: Vec<String> = fields.map(|field| format!("{} {}", field.name(), field.data_type())).collect();
        format!("<nearcopy.Table of {} rows: {}>", self.0.num_rows(), columns.join(", "))
    }
}

fn values<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    (0..array.len()).try_for_each(|row| list.append(value(py, array, row)?))?;
    Ok(list)
}

fn value<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if array.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into_bound_py_any(py),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into_bound_py_any(py),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into_bound_py_any(py),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into_bound_py_any(py),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into_bound_py_any(py),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).into_bound_py_any(py),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into_bound_py_any(py),
        DataType::Utf8 => array.as_string::<i32>().value(row).into_bound_py_any(py),
        DataType::LargeUtf8 => array.as_string::<i64>().value(row).into_bound_py_any(py),
        DataType::Utf8View => array.as_string_view().value(row).into_bound_py_any(py),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().value(row).into_bound_py_any(py),
        DataType::Struct(fields) => {
            let of = PyDict::new(py);
            for (field, column) in fields.iter().zip(array.as_struct().columns()) {
                of.set_item(field.name(), value(py, column, row)?)?;
            }
            Ok(of.into_any())
        }
        DataType::List(_) => values(py, &array.as_list::<i32>().value(row))?.into_bound_py_any(py),
        other => Err(PyTypeError::new_err(format!("values of type {other}: read them by pyarrow.table(…)"))),
    }
}

/// A table of these columns.
pub(crate) fn table(columns: Vec<(&str, ArrayRef)>) -> Table {
    let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    Table(RecordBatch::try_new(schema, arrays).expect("columns of one length"))
}

/// The columns of pairs: figures and rules, each `None` where there is no pair, and the claim of a removal.
#[derive(Default)]
pub(crate) struct Likeness {
    figures: Vec<Figures>,
    rules: ListBuilder<StringBuilder>,
    removals: StringBuilder,
}

impl Likeness {
    pub(crate) fn push(&mut self, pair: Option<(Figures, RuleSet)>, removal: Option<Removal>) {
        self.figures.push(pair.map_or_else(Figures::default, |(figures, _)| figures));
        for rule in pair.iter().flat_map(|(_, rules)| rules.iter()) {
            self.rules.values().append_value(rule.name());
        }
        self.rules.append(pair.is_some());
        self.removals.append_option(removal.map(Removal::name));
    }

    /// All columns.
    pub(crate) fn columns(mut self) -> Vec<(&'static str, ArrayRef)> {
        let removals: ArrayRef = Arc::new(self.removals.finish());
        let mut columns = self.figures();
        columns.push(("removal", removals));
        columns
    }

    /// The columns without the claims.
    pub(crate) fn figures(mut self) -> Vec<(&'static str, ArrayRef)> {
        let distances: Int32Array =
            self.figures.iter().map(|figures| figures.distance.map(|distance| distance as i32)).collect();
        let mut columns: Vec<(&str, ArrayRef)> = vec![("distance", Arc::new(distances))];
        let shares = |share| self.figures.iter().map(share).collect::<Float64Array>();
        columns.extend(Figures::SHARES.map(|(name, share)| (name, Arc::new(shares(share)) as ArrayRef)));
        columns.push(("rules", Arc::new(self.rules.finish())));
        columns
    }
}

/// A column of row numbers.
pub(crate) fn rows(rows: impl IntoIterator<Item = Option<usize>>) -> ArrayRef {
    Arc::new(rows.into_iter().map(|row| row.map(|row| row as i64)).collect::<Int64Array>())
}

/// The rows of an Arrow table whose place in `keep` is true, as a table.
#[pyfunction]
pub(crate) fn filter(table: &Bound<'_, PyAny>, keep: &Bound<'_, Array>) -> PyResult<Table> {
    let py = table.py();
    let imported = import(table)?.ok_or_else(|| PyTypeError::new_err("expected a table with the Arrow interface"))?;
    let DataType::Struct(fields) = imported.field.data_type().clone() else {
        return Err(PyTypeError::new_err("expected a table, found an array; filter it by the column `keep`"));
    };
    let keep: BooleanArray = keep.get().array.as_boolean().clone();
    let schema = Arc::new(Schema::new(fields));
    let found = py.detach(|| {
        let (mut batches, mut first) = (Vec::new(), 0);
        for array in imported.arrays {
            let array = array.map_err(unusable)?;
            let table: &StructArray = array.as_struct();
            if first + table.len() > keep.len() {
                return Err(other_table(keep.len()));
            }
            let batch = RecordBatch::try_new(schema.clone(), table.columns().to_vec()).map_err(unusable)?;
            batches.push(
                arrow_select::filter::filter_record_batch(&batch, &keep.slice(first, table.len())).map_err(unusable)?,
            );
            first += table.len();
        }
        if first != keep.len() {
            return Err(other_table(keep.len()));
        }
        arrow_select::concat::concat_batches(&schema, &batches).map_err(unusable)
    })?;
    Ok(Table(found))
}

/// The error of a row whose text is not the one of a result.
pub(crate) fn other_text(row: usize) -> PyErr {
    PyValueError::new_err(format!("row {row}: has another text than the one that was searched"))
}

/// The error of a table that is not the one of a result.
pub(crate) fn other_table(rows: usize) -> PyErr {
    PyValueError::new_err(format!(
        "the result has {rows} rows and this table has not; give the table that was searched, or what it was read from: a \
         stream or an iterator has no rows left once it was read"
    ))
}
