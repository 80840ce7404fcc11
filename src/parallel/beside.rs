//! Threads beside the calling one.

#[cfg(any(test, feature = "faults"))]
thread_local! {
    static NO_THREAD: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Runs `work`, which can start no thread from this one: a fault on purpose, for tests.
#[cfg(any(test, feature = "faults"))]
pub fn alone<T>(work: impl FnOnce() -> T) -> T {
    NO_THREAD.set(true);
    let made = work();
    NO_THREAD.set(false);
    made
}

#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
fn may_start() -> bool {
    #[cfg(any(test, feature = "faults"))]
    return !NO_THREAD.get();
    #[cfg(not(any(test, feature = "faults")))]
    true
}

/// Calls `work` with the first of `states` on the calling thread, and with each other on a thread of its own. The state
/// of a thread that cannot be started is dropped, and so are those after it.
///
/// # Panics
///
/// If `work` does, after all threads have ended.
#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
pub(super) fn run<S: Send>(states: Vec<S>, work: impl Fn(S) + Sync) {
    let work = &work;
    let mut states = states.into_iter();
    let Some(own) = states.next() else { return };
    std::thread::scope(|scope| {
        let others: Vec<_> = states
            .take_while(|_| may_start())
            .map_while(|state| std::thread::Builder::new().spawn_scoped(scope, move || work(state)).ok())
            .collect();
        work(own);
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

/// The same in a browser, whose page makes the threads: those of rayon's pool.
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub(super) fn run<S: Send>(states: Vec<S>, work: impl Fn(S) + Sync) {
    let work = &work;
    let mut states = states.into_iter();
    let Some(own) = states.next() else { return };
    if states.len() == 0 {
        return work(own);
    }
    rayon_core::in_place_scope(|scope| {
        states.for_each(|state| scope.spawn(move |_| work(state)));
        work(own);
    });
}
