//! Arrow data in and out by the PyCapsule interface: `__arrow_c_stream__`, `__arrow_c_array__`, `__arrow_c_schema__`.
//!
//! No data is copied: both sides own the same buffers.

#![expect(unsafe_code, reason = "a capsule holds a plain pointer")]

use std::ffi::CStr;
use std::iter;

use arrow_array::ffi::{FFI_ArrowArray, from_ffi, to_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{ArrayReader, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, Field, FieldRef};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyCapsuleMethods};

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// Arrays that arrive one by one, and their type.
pub(crate) struct Imported {
    pub(crate) field: FieldRef,
    pub(crate) arrays: Box<dyn Iterator<Item = Result<ArrayRef, ArrowError>> + Send>,
}

/// The arrays of an object that has the interface; `None` if it has not.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Option<Imported>> {
    let py = object.py();
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_stream__"))? {
        let capsule = export.call0()?;
        let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?;
        // SAFETY: a capsule of this name holds such a stream; it is moved out, which leaves a released one behind.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.cast().as_ptr()) };
        let reader = ArrayStreamReader::try_new(stream).map_err(unusable)?;
        return Ok(Some(Imported { field: reader.field().clone(), arrays: Box::new(reader) }));
    }
    if let Some(export) = object.getattr_opt(intern!(py, "__arrow_c_array__"))? {
        let (schema, array): (Bound<'_, PyCapsule>, Bound<'_, PyCapsule>) = export.call0()?.extract()?;
        let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
        let array = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
        // SAFETY: capsules of these names hold these; the array is moved out, and agrees with its schema.
        let (field, data) = unsafe {
            let schema = schema.as_ref();
            (Field::try_from(schema).map_err(unusable)?, from_ffi(FFI_ArrowArray::from_raw(array.as_ptr()), schema))
        };
        let array = make_array(data.map_err(unusable)?);
        return Ok(Some(Imported { field: field.into(), arrays: Box::new(iter::once(Ok(array))) }));
    }
    Ok(None)
}

/// A stream of one batch.
pub(crate) fn stream<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// The schema of an array, and the array.
pub(crate) fn array<'py>(
    py: Python<'py>,
    field: &Field,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, _) = to_ffi(&array.to_data()).map_err(unusable)?;
    Ok((schema(py, field)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// The schema of a column.
pub(crate) fn schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(unusable)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The exception for Arrow data that cannot be read.
pub(crate) fn unusable(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
