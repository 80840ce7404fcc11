//! An index of texts: adding inputs, following folders, and searching it for inputs.

mod add;
mod query;
mod sync;

use std::path::{Path, PathBuf};

use nearcopy::error::shown;
use nearcopy::store::file::map::is_fingerprint_file;
use nearcopy_corpus::inputs::resolved;

pub use add::{Adding, WriteList, add};
pub use query::Queries;
pub use sync::{Comparing, Synced, sync};

use crate::error::{Error, Result};
use crate::jobs::fingerprint::Job;

/// The job, with the index folder excluded from its input folders. The index's segments may still be named as
/// inputs, like any fingerprint file.
fn outside(job: &Job, index: &Path) -> Result<Job> {
    let place = resolved(index);
    let is_inside = |input: &&PathBuf| {
        input.as_os_str() != "-" && resolved(input).starts_with(&place) && !is_fingerprint_file(input)
    };
    if let Some(input) = job.inputs.iter().find(is_inside) {
        return Err(Error::InIndex { path: shown(input), index: shown(index) });
    }
    let mut job = job.clone();
    job.selection.except.push(index.to_owned());
    Ok(job)
}
