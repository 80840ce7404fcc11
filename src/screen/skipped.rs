//! Files, records and pairs that could not be read or compared, kept for the report.

use crate::error::Problem;
use crate::observer::Observer;

/// A file or record that could not be read, or a pair that could not be compared.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Skipped {
    /// The file as the user named it, with the place of the record.
    pub name: String,
    /// The reason as a short name ([`crate::error::Reason::kind`]).
    pub kind: &'static str,
    /// The reason, with the remedy where there is one; empty if names are left out, as a reason may contain one.
    pub reason: String,
}

impl Skipped {
    /// Maximum number that is kept: nobody reads a longer list, and `--problems` has all of them.
    pub const MOST: usize = 1000;
}

/// Reports problems to an observer, counts them, and keeps the first.
pub struct Problems<'a> {
    /// Receives each problem.
    pub observer: &'a dyn Observer,
    pub(super) count: u64,
    pub(super) unread: Vec<Skipped>,
}

impl<'a> Problems<'a> {
    /// No problem so far.
    pub fn new(observer: &'a dyn Observer) -> Self {
        Self { observer, count: 0, unread: Vec::new() }
    }

    /// Reports, counts and keeps a problem.
    pub fn note(&mut self, problem: &Problem) {
        self.observer.report(problem);
        self.count += 1;
        if self.unread.len() < Skipped::MOST {
            let Problem { file, place, reason, .. } = problem;
            self.unread.push(Skipped {
                name: format!("{file}{place}"),
                kind: reason.kind(),
                reason: reason.to_string(),
            });
        }
    }
}
