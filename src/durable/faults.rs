//! Faults on purpose, for tests: any step on the disk can be made to fail.
//!
//! What fails is decided for each step of the thread that runs the test; other threads are not affected.

use std::cell::RefCell;
use std::io;

use super::step::Step;

/// Decides whether a step fails, and by which error.
type Decide<'a> = Box<dyn FnMut(Step) -> Option<io::Error> + 'a>;

thread_local! {
    static DECIDE: RefCell<Option<Decide<'static>>> = const { RefCell::new(None) };
}

/// Runs `work`, in which each step fails for which `decide` returns an error.
pub fn failing<T>(decide: impl FnMut(Step) -> Option<io::Error> + 'static, work: impl FnOnce() -> T) -> T {
    /// Ends the faults however the work ends.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            DECIDE.set(None);
        }
    }
    DECIDE.set(Some(Box::new(decide)));
    let _end = End;
    work()
}

/// The error of a file system that lacks an operation.
pub fn unsupported() -> io::Error {
    rustix::io::Errno::NOSYS.into()
}

pub(super) fn may(step: Step) -> io::Result<()> {
    // Nothing fails while it is decided, which may itself use the disk.
    let Some(mut decide) = DECIDE.take() else { return Ok(()) };
    let failed = decide(step);
    DECIDE.set(Some(decide));
    failed.map_or(Ok(()), Err)
}
