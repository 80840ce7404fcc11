//! What was cut as one object for programs.

use serde::Serialize;

use crate::jobs::cutting::{Job, Known};
use crate::report::reading::Read;

/// Numbers of what was cut.
#[derive(Clone, Copy, Serialize)]
pub(in crate::report) struct Counts {
    /// Words of all documents.
    pub(in crate::report) words: u64,
    pub(in crate::report) cut: Cut,
    pub(in crate::report) gone: Gone,
    /// Documents that stayed whole though something in them was found.
    pub(in crate::report) left_whole: u64,
}

/// Runs or lines that were cut.
#[derive(Clone, Copy, Serialize)]
pub(in crate::report) struct Cut {
    pub(in crate::report) spans: u64,
    pub(in crate::report) words: u64,
    pub(in crate::report) documents: u64,
}

/// Documents of which all went.
#[derive(Clone, Copy, Serialize)]
pub(in crate::report) struct Gone {
    pub(in crate::report) documents: u64,
    /// Their words that were in no run or line.
    pub(in crate::report) words: u64,
}

#[derive(Serialize)]
struct Values<'a, M> {
    command: &'static str,
    inputs: Vec<String>,
    read: Read<'a>,
    #[serde(flatten)]
    counts: Counts,
    #[serde(flatten)]
    more: M,
}

/// The object of a run: what was read, and the counts, with `more` of its own.
pub(in crate::report) fn values<'a, S>(
    job: &Job<S>,
    known: &'a Known,
    counts: Counts,
    more: impl Serialize + 'a,
) -> impl Serialize + 'a {
    Values {
        command: "clean",
        inputs: job.inputs.iter().map(|input| input.display().to_string()).collect(),
        read: Read::of(&known.tally),
        counts,
        more,
    }
}
