//! Observers of a long run: they receive progress and problems, and may stop it.
//!
//! The library reports to this trait only. A terminal may draw the progress; a user of the
//! library may pass `()` to ignore it.

use crate::error::Problem;
use crate::error::{Error, Result};

/// Watches a long run, from any thread.
pub trait Observer: Sync {
    /// A stage of the work begins: its description, and its number of steps if known.
    fn begin(&self, what: &str, steps: Option<u64>) {
        let _ = (what, steps);
    }

    /// `steps` further steps are done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Documents were read; a step is a byte on disk.
    fn advance_reading(&self, read: Read) {
        self.advance(read.bytes_on_disk);
    }

    /// A file or record could not be read; the run continues.
    fn report(&self, problem: &Problem) {
        let _ = problem;
    }

    /// A file or record could not be read, which ends the run.
    fn report_last(&self, problem: &Problem) {
        let _ = problem;
    }

    /// True if the reported problems go into a list, which must be complete. An interrupted run
    /// that has reported problems is then not resumed.
    fn wants_all_problems(&self) -> bool {
        false
    }

    /// True if counting the steps beforehand is worth the time.
    fn wants_steps(&self) -> bool {
        false
    }

    /// True if the run is to be interrupted.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// The amounts read since the last report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Read {
    /// Bytes on disk, before decompression.
    pub bytes_on_disk: u64,
    /// Number of documents.
    pub documents: u64,
    /// Length of their texts in bytes.
    pub text_bytes: u64,
}

impl Observer for () {}

/// Returns an error if the observer has stopped the run.
///
/// # Errors
///
/// [`Error::Interrupted`].
pub fn go_on(observer: &dyn Observer) -> Result<()> {
    if observer.is_stopped() { Err(Error::Interrupted) } else { Ok(()) }
}
