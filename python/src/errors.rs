//! Errors of the library as Python exceptions, in the same words.

use std::io;

use nearcopy::Error as LibraryError;
use pyo3::create_exception;
use pyo3::exceptions::{
    PyException, PyFileExistsError, PyFileNotFoundError, PyKeyboardInterrupt, PyOSError, PyPermissionError,
    PyValueError,
};
use pyo3::prelude::*;

create_exception!(nearcopy, Error, PyException, "An error of nearcopy: what is wrong, and the remedy.");

/// The exception for an error of the library: `ValueError` for an option, `OSError` for a file, else [`Error`].
pub(crate) fn raised(error: LibraryError) -> PyErr {
    let words = error.to_string();
    match error {
        LibraryError::Interrupted => PyKeyboardInterrupt::new_err(()),
        LibraryError::NgramRange { .. }
        | LibraryError::Sketches { .. }
        | LibraryError::Language(_)
        | LibraryError::Distance { .. }
        | LibraryError::TableDistance { .. }
        | LibraryError::NoRule => PyValueError::new_err(words),
        LibraryError::Read { source, .. }
        | LibraryError::Write { source, .. }
        | LibraryError::Unsynced { source, .. } => match source.kind() {
            io::ErrorKind::NotFound => PyFileNotFoundError::new_err(words),
            io::ErrorKind::PermissionDenied => PyPermissionError::new_err(words),
            _ => PyOSError::new_err(words),
        },
        LibraryError::Exists { path, what } => PyFileExistsError::new_err(format!("{path}: {what}; name another file")),
        _ => Error::new_err(words),
    }
}
