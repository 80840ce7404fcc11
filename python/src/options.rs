//! Options as Python gives them, and as the library takes them.

use std::thread::available_parallelism;

use nearcopy::search::keep;
use nearcopy::{Keep, Rules};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The policy that chooses a survivor, and its column if it has one. Rows have no files, whose names or times could
/// choose.
pub(crate) fn keep(name: &str) -> PyResult<(Keep, Option<String>)> {
    let wrong = |expected: &str| PyValueError::new_err(format!("keep '{name}': {expected}"));
    match keep::named(name) {
        Err(why) if name.starts_with("field:") => Err(wrong(&why)),
        Ok((Keep::Newest | Keep::Oldest | Keep::Source(_), _)) | Err(_) => {
            Err(wrong("expected first, last, longest, shortest or field:NAME"))
        }
        Ok(policy) => Ok(policy),
    }
}

/// The column of a policy.
#[pyfunction]
pub(crate) fn key(keep: &str) -> PyResult<Option<String>> {
    self::keep(keep).map(|(_, key)| key)
}

/// The rules by which two texts are near.
pub(crate) fn rules(similarity: Option<f64>, distance: Option<u32>, careful: bool) -> PyResult<Rules> {
    if let Some(similarity) = similarity.filter(|similarity| !(0.0..=1.0).contains(similarity)) {
        return Err(PyValueError::new_err(format!("similarity {similarity}: expected a number from 0 to 1, or None")));
    }
    if let Some(distance) = distance.filter(|&distance| distance > 64) {
        return Err(PyValueError::new_err(format!(
            "distance {distance}: expected a whole number from 0 to 64, or None"
        )));
    }
    Ok(Rules { max_distance: distance, min_similarity: similarity, careful })
}

pub(crate) fn recall(recall: f64) -> PyResult<f64> {
    if (0.0..1.0).contains(&recall) {
        return Ok(recall);
    }
    Err(PyValueError::new_err(format!("recall {recall}: expected a number from 0 to less than 1")))
}

/// The number of threads; by default that of the processors.
pub(crate) fn threads(threads: Option<usize>) -> PyResult<usize> {
    match threads {
        Some(0) => Err(PyValueError::new_err("threads 0: expected 1 or more, or None for all processors")),
        Some(threads) => Ok(threads),
        None => Ok(available_parallelism().map_or(1, Into::into)),
    }
}
