//! The objects of a Python iterator, as rows.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyBool, PyIterator, PyString, PyTuple};

/// Number of objects that are taken from a Python iterator at a time.
const AT_ONCE: usize = 1 << 10;

/// A row as it comes from an iterator.
pub(crate) struct Taken {
    pub(crate) id: Option<String>,
    pub(crate) text: Option<PyBackedStr>,
    pub(crate) key: Option<String>,
    pub(crate) url: Option<String>,
}

/// The next rows of an iterator, the first of which has this number; `None` at its end.
pub(crate) fn taken(iterator: &Bound<'_, PyIterator>, has_more: bool, first: usize) -> PyResult<Option<Vec<Taken>>> {
    let mut rows = Vec::new();
    for (row, object) in (first..).zip(iterator.clone().take(AT_ONCE)) {
        let object = object?;
        rows.push(match object.cast::<PyTuple>() {
            Ok(parts) if parts.len() == 2 || has_more && parts.len() == 4 => {
                let part = |place: usize, name: &str| -> PyResult<Option<String>> {
                    let part = parts.get_item(place)?;
                    if part.is_none() { Ok(None) } else { Ok(Some(utf8(part.str()?, row, name)?.to_string())) }
                };
                let [key, url] = if parts.len() == 4 { [part(2, "key")?, part(3, "url")?] } else { [None, None] };
                Taken { id: id(&parts.get_item(0)?, row)?, text: text(&parts.get_item(1)?, row)?, key, url }
            }
            _ => Taken { id: None, text: text(&object, row)?, key: None, url: None },
        });
    }
    Ok(if rows.is_empty() { None } else { Some(rows) })
}

/// An id: a string, a number, or what else names one thing, such as a UUID.
fn id(object: &Bound<'_, PyAny>, row: usize) -> PyResult<Option<String>> {
    if object.is_none() {
        return Ok(None);
    }
    let is_container = || object.hasattr(intern!(object.py(), "__len__"));
    if object.is_instance_of::<PyBool>() || !object.is_instance_of::<PyString>() && is_container()? {
        let found = type_of(object);
        return Err(PyTypeError::new_err(format!("row {row}: the id is of type {found}; expected str or int")));
    }
    Ok(Some(utf8(object.str()?, row, "id")?.to_string()))
}

fn type_of(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "object".to_owned(), |name| name.to_string())
}

fn text(object: &Bound<'_, PyAny>, row: usize) -> PyResult<Option<PyBackedStr>> {
    if object.is_none() {
        return Ok(None);
    }
    let text = object.cast::<PyString>().map_err(|_| {
        let found = type_of(object);
        PyTypeError::new_err(format!("row {row}: is of type {found}; expected str or None"))
    })?;
    Ok(Some(utf8(text.clone(), row, "text")?))
}

/// A string as UTF-8, which has no half of a surrogate pair; `name` is what it is to the row.
fn utf8(string: Bound<'_, PyString>, row: usize, name: &str) -> PyResult<PyBackedStr> {
    string.try_into().map_err(|error: PyErr| {
        // Two ids must not become one.
        let how = if name == "text" { "replace" } else { "backslashreplace" };
        let remedy = format!("replace it, as by {name}.encode('utf-8', '{how}').decode()");
        PyValueError::new_err(format!("row {row}: has half of a surrogate pair ({error}); {remedy}"))
    })
}
