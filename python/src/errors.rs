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

/// The remedy of an error of the library, in arguments of Python.
fn remedy(error: &LibraryError) -> &'static str {
    match error {
        LibraryError::Exists { .. } => "; name another file",
        LibraryError::IndexNoShingles { .. } => ": give similarity=None, or make an index that keeps shingles",
        LibraryError::KnownId { .. } => ": skip those by known='skip', or replace them by known='replace'",
        _ => "",
    }
}

/// The exception for an error of the library: `ValueError` for an option, `OSError` for a file, else [`Error`].
pub(crate) fn raised(error: LibraryError) -> PyErr {
    let words = format!("{error}{}", remedy(&error));
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
        LibraryError::Exists { .. } => PyFileExistsError::new_err(words),
        _ => Error::new_err(words),
    }
}
