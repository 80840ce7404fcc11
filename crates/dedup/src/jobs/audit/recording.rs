//! The problems of the files of an audit, which has them in its rows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use nearcopy::error::{Location, Problem};
use nearcopy::observer::{Observer, Read};
use nearcopy_corpus::error::EMPTY_FOLDER;

/// Passes everything on to another observer, and keeps the problems of files.
pub struct Recording<'a> {
    inner: &'a dyn Observer,
    problems: Mutex<Problems>,
}

/// Why files could not be read: the kind of the first problem of each, and what it says.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) of_files: HashMap<String, (&'static str, String)>,
    /// Of files of records, with the place of the record.
    pub(super) of_records: HashMap<String, (&'static str, String)>,
}

/// What the first problem of a file says, with the place in the file.
fn in_words(problem: &Problem) -> String {
    let place = problem.place.to_string();
    match place.strip_prefix(", ") {
        Some(place) => format!("{place}: {}", problem.reason),
        None => problem.reason.to_string(),
    }
}

impl<'a> Recording<'a> {
    /// With an observer that is told everything.
    pub fn new(inner: &'a dyn Observer) -> Self {
        Self { inner, problems: Mutex::default() }
    }

    pub(super) fn problems(self) -> Problems {
        self.problems.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Recording<'_> {
    fn begin(&self, what: &str, steps: Option<u64>) {
        self.inner.begin(what, steps);
    }

    fn advance(&self, steps: u64) {
        self.inner.advance(steps);
    }

    fn advance_reading(&self, read: Read) {
        self.inner.advance_reading(read);
    }

    fn report(&self, problem: &Problem) {
        // A folder without files has no row, as it is no file.
        if problem.reason.kind() == EMPTY_FOLDER {
            self.inner.report(problem);
            return;
        }
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        let Problems { of_files, of_records } = &mut *problems;
        let all = if problem.place == Location::File { of_files } else { of_records };
        // Records of one file may have a million problems: only the first is put into words.
        all.entry(problem.file.clone()).or_insert_with(|| (problem.reason.kind(), in_words(problem)));
        drop(problems);
        // The audit names every file that could not be read, so they are not named before it.
        if self.wants_all_problems() || problem.place != Location::File {
            self.inner.report(problem);
        }
    }

    fn report_last(&self, problem: &Problem) {
        self.inner.report_last(problem);
    }

    fn wants_all_problems(&self) -> bool {
        self.inner.wants_all_problems()
    }

    fn wants_steps(&self) -> bool {
        self.inner.wants_steps()
    }

    fn is_stopped(&self) -> bool {
        self.inner.is_stopped()
    }
}
