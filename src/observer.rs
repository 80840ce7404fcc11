//! Whoever watches a long run: told how far it is, asked whether to go on.
//!
//! The work speaks to this trait only; a terminal may draw what it hears, a library's
//! user may pass `()` and hear nothing.

use crate::error::Problem;
use crate::error::{Error, Result};

/// Watches a long run, from any thread.
pub trait Observer: Sync {
    /// A part of the work begins: what it does, and how many steps it has, if that is
    /// known.
    fn begin(&self, what: &str, steps: Option<u64>) {
        let _ = (what, steps);
    }

    /// So many steps were done.
    fn advance(&self, steps: u64) {
        let _ = steps;
    }

    /// Documents were read; a step is a byte of a file, as it is on disk.
    fn advance_reading(&self, read: Read) {
        self.advance(read.bytes_on_disk);
    }

    /// Something could not be read.
    fn report(&self, problem: &Problem) {
        let _ = problem;
    }

    /// Something could not be read, and ends the work for that.
    fn report_last(&self, problem: &Problem) {
        let _ = problem;
    }

    /// Whether a list is made of what is reported, which must be whole: then a run does not
    /// go on where an earlier one was that has reported something.
    fn wants_all_problems(&self) -> bool {
        false
    }

    /// Whether the number of steps is worth the time to find it out.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Whether the work is to end before it is done.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// What was read since it was told last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Read {
    /// Bytes of files, as they are on disk: compressed, perhaps.
    pub bytes_on_disk: u64,
    /// Documents.
    pub documents: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
}

impl Observer for () {}

/// Ends the work if the observer says so.
///
/// # Errors
///
/// [`Error::Interrupted`].
pub fn go_on(observer: &dyn Observer) -> Result<()> {
    if observer.is_stopped() { Err(Error::Interrupted) } else { Ok(()) }
}
