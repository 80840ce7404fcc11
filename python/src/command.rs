//! The command `dedup` that the package installs.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Runs the command line, the program's name first; returns the exit code.
#[pyfunction]
#[pyo3(text_signature = "(args)")]
pub(crate) fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| nearcopy_dedup::cli::main(args))
}
