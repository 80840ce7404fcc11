//! Files that stay if a run fails: those of `--counts`, complete when the counting ends, and of `--checkpoint`.

use std::error::Error;
use std::path::Path;
use std::time::SystemTime;

use super::all_or_nothing;
use crate::error::{in_words, is_interruption};

/// Such a file, as it was before the run.
pub(super) struct Stays<'a> {
    /// What of the run is in it.
    what: &'static str,
    file: Option<(&'a Path, Option<SystemTime>)>,
}

impl<'a> Stays<'a> {
    pub(super) fn of(what: &'static str, path: Option<&'a Path>) -> Self {
        Self { what, file: path.map(|path| (path, changed(path))) }
    }

    /// The outcome of a command that writes all of its output or nothing, but for this file.
    pub(super) fn all_or_nothing<T>(&self, outcome: Result<T, Box<dyn Error>>) -> Result<T, Box<dyn Error>> {
        match self.file {
            Some((path, before)) if changed(path) != before => outcome.map_err(|error| {
                let (what, path) = (self.what, path.display());
                if is_interruption(&*error) {
                    format!("stopped; the {what} of this run are in {path}, and nothing else was written").into()
                } else {
                    format!("{}; the {what} of this run stay in {path}", in_words(&*error)).into()
                }
            }),
            _ => all_or_nothing(outcome),
        }
    }
}

/// The time of the last change; `None` if there is no such file.
fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}
