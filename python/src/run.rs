//! Long work beside Python: it runs on other threads without the GIL, and the calling thread waits for it. While it
//! waits, it draws progress and looks for signals, so that Ctrl-C stops the work cleanly.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use nearcopy::memory::Growth;
use nearcopy::{Observer, Problem};
use pyo3::exceptions::{PyMemoryError, PyRuntimeWarning};
use pyo3::prelude::*;

use crate::errors::raised;

/// Time between two looks for signals.
const PAUSE: Duration = Duration::from_millis(50);

/// Number of looks at the memory in that time.
const LOOKS: u32 = 10;

/// The work's side: counts what is done, and can be told to stop.
#[derive(Default)]
pub(crate) struct Watcher {
    is_stopped: AtomicBool,
    /// The stages that ended since they were last reported, and the present one.
    stages: Mutex<Vec<Stage>>,
    done: AtomicU64,
    failed: Mutex<Option<PyErr>>,
    problems: Mutex<Vec<String>>,
}

struct Stage {
    what: String,
    done: u64,
    steps: Option<u64>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observer for Watcher {
    fn begin(&self, what: &str, steps: Option<u64>) {
        let mut stages = lock(&self.stages);
        let done = self.done.swap(0, Ordering::Relaxed);
        if let Some(last) = stages.last_mut() {
            last.done = done;
        }
        stages.push(Stage { what: what.to_owned(), done: 0, steps });
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn report(&self, problem: &Problem) {
        lock(&self.problems).push(problem.to_string());
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl Watcher {
    /// Stops the work, which then raises this exception; of several, the first.
    pub(crate) fn fail(&self, error: PyErr) {
        lock(&self.failed).get_or_insert(error);
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Calls `progress` with each stage that ended since the last call, and with the present one.
    fn tell(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let Some(progress) = progress else { return Ok(()) };
        let mut stages = {
            let mut stages = lock(&self.stages);
            if let Some(present) = stages.last_mut() {
                present.done = self.done.load(Ordering::Relaxed);
            }
            let last = stages.len().saturating_sub(1);
            let mut told: Vec<Stage> = stages.drain(..last).collect();
            told.extend(stages.last().map(|Stage { what, done, steps }| Stage {
                what: what.clone(),
                done: *done,
                steps: *steps,
            }));
            told
        };
        stages.drain(..).try_for_each(|Stage { what, done, steps }| progress.call1(py, (what, done, steps)).map(drop))
    }
}

/// [`run_within`] without a bound on memory.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watcher) -> nearcopy::Result<T> + Send,
) -> PyResult<T> {
    run_within(py, progress, None, work)
}

/// Runs `work` without the GIL, while the process grows by at most `max_memory` bytes beside its tables. Calls `progress(stage, done, total)` from this thread some twenty times a second, and
/// once at the end.
pub(crate) fn run_within<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    max_memory: Option<usize>,
    work: impl FnOnce(&Watcher) -> nearcopy::Result<T> + Send,
) -> PyResult<T> {
    let bound = max_memory.map(|bytes| (bytes, Growth::of(bytes as u64)));
    let watcher = Watcher::default();
    // A thread that cannot be started takes its closure with it, so the work is taken out once it has started.
    let work = Mutex::new(Some(work));
    let take = &|| lock(&work).take().expect("the work is taken once");
    let outcome = py.detach(|| {
        thread::scope(|scope| {
            let (ended, has_ended) = channel::<()>();
            let watcher = &watcher;
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                // Dropped at the end, be it by a panic.
                let _ended = ended;
                take()(watcher)
            });
            // The system refuses another thread: the calling one works, and sees signals at the end.
            let Ok(worker) = worker else { return take()(watcher) };
            let mut looks = 0u32;
            while has_ended.recv_timeout(PAUSE / LOOKS) == Err(RecvTimeoutError::Timeout) {
                looks += 1;
                if let Some((bytes, _)) = bound.filter(|(_, growth)| growth.is_exceeded()) {
                    watcher.fail(PyMemoryError::new_err(format!(
                        "max_memory={bytes} is too little for this work, so it was stopped; raise it, or give fewer rows"
                    )));
                }
                if looks.is_multiple_of(LOOKS) && !watcher.is_stopped() {
                    let look = |py: Python<'_>| py.check_signals().and_then(|()| watcher.tell(py, progress));
                    Python::attach(look).unwrap_or_else(|error| watcher.fail(error));
                }
            }
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    });
    if let Some(error) = lock(&watcher.failed).take() {
        return Err(error);
    }
    let made = outcome.map_err(raised)?;
    py.check_signals()?;
    watcher.tell(py, progress)?;
    for problem in lock(&watcher.problems).iter() {
        let warning = std::ffi::CString::new(problem.replace('\0', "\u{FFFD}")).expect("no byte is zero");
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &warning, 2)?;
    }
    Ok(made)
}
