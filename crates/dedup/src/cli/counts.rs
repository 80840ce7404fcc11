//! The option `--counts`: its file is complete when the counting ends, and stays if the run fails later.

use std::error::Error;
use std::path::Path;
use std::time::SystemTime;

use super::all_or_nothing;
use crate::error::{in_words, is_interruption};

/// The file of counts of a run, as it was before.
pub(super) struct CountsBefore<'a>(Option<(&'a Path, Option<SystemTime>)>);

impl<'a> CountsBefore<'a> {
    pub(super) fn of(path: Option<&'a Path>) -> Self {
        Self(path.map(|path| (path, changed(path))))
    }

    /// The outcome of a command that writes all of its output or nothing, but for the counts.
    pub(super) fn all_or_nothing<T>(&self, outcome: Result<T, Box<dyn Error>>) -> Result<T, Box<dyn Error>> {
        match self.0 {
            Some((path, before)) if changed(path) != before => outcome.map_err(|error| {
                let path = path.display();
                if is_interruption(&*error) {
                    format!("stopped; the counts of this run are in {path}, and nothing else was written").into()
                } else {
                    format!("{}; the counts of this run stay in {path}", in_words(&*error)).into()
                }
            }),
            _ => all_or_nothing(outcome),
        }
    }
}

/// The time of the last change; `None` if there is no such file. Other runs cannot change a file of counts meanwhile.
fn changed(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|metadata| metadata.modified()).ok()
}
