//! The bridge to asynchronous libraries: a thread waits for a future, and looks now and then whether to give up.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use crate::interruptible::Stop;

/// Interval at which a waiting thread looks whether to give up.
const LOOK: Duration = Duration::from_millis(100);

/// The runtime, which has one thread of its own.
fn runtime() -> io::Result<&'static Runtime> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    static BEGINNING: Mutex<()> = Mutex::new(());
    let _one = BEGINNING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    // Fails if another library of the process has chosen one.
    _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("network").enable_all().build()?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Prepares for work: clients are made after this.
///
/// # Errors
///
/// If no thread can be started.
pub(super) fn prepare() -> io::Result<()> {
    runtime().map(drop)
}

/// Waits for a future.
///
/// # Errors
///
/// If the work is to stop, or no thread can be started.
pub(super) fn wait<T>(stop: Stop, work: impl Future<Output = T>) -> io::Result<T> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let mut work = pin!(work);
        loop {
            if stop.is_asked_for() {
                return Err(io::Error::other("stopped"));
            }
            if let Ok(done) = timeout(LOOK, &mut work).await {
                return Ok(done);
            }
        }
    })
}

/// Waits for some time, unless the work is to stop.
///
/// # Errors
///
/// As [`wait`].
pub(super) fn sleep(stop: Stop, time: Duration) -> io::Result<()> {
    // The timer is made where the runtime is known.
    wait(stop, async { tokio::time::sleep(time).await })
}
