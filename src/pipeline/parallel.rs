//! Work on many documents, shared out among threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::error::Result;
use crate::observer::{Observer, go_on};

/// What `work` makes of each number below `count`, in order. Each thread has a `state` of its own, and
/// takes the next number as soon as it is done with one; each that is done advances the observer by one.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub(crate) fn each<S, T: Send>(
    count: usize,
    threads: usize,
    observer: &dyn Observer,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> T + Sync,
) -> Result<Vec<T>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, T>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(|| {
                let mut state = state();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count || observer.is_stopped() {
                        return;
                    }
                    let made = work(&mut state, number);
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert(number, made);
                    observer.advance(1);
                }
            });
        }
    });
    go_on(observer)?;
    Ok(done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_done_in_order_by_any_number_of_threads() {
        for threads in [0, 1, 3, 50] {
            for count in [0, 1, 20] {
                let made = each(count, threads, &(), || 7, |seven, number| number * *seven).unwrap();
                assert_eq!(made, (0..count).map(|number| number * 7).collect::<Vec<_>>());
            }
        }
    }
}
