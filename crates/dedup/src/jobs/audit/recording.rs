//! The problems of the files of an audit, which has them in its rows.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use nearcopy::error::{Location, Problem};
use nearcopy::observer::{Observer, Read};

/// Passes everything on to another observer, and keeps the problems of files.
pub struct Recording<'a> {
    inner: &'a dyn Observer,
    problems: Mutex<Problems>,
}

/// Why files could not be read: the kind of the first problem of each, and what it says.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub(super) of_files: HashMap<String, (&'static str, String)>,
    pub(super) of_records: HashMap<String, (&'static str, String)>,
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
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        let Problems { of_files, of_records } = &mut *problems;
        let all = if problem.place == Location::File { of_files } else { of_records };
        // Records of one file may have a million problems: only the first is put into words.
        all.entry(problem.file.clone()).or_insert_with(|| (problem.reason.kind(), problem.reason.to_string()));
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
