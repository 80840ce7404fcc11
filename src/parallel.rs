//! Work on several threads: the two loops that every stage uses.
//!
//! [`each`] and [`map`] work on numbers, [`in_order`] on the items of a stream. In both, a thread takes the next
//! piece as soon as it is done with one, and results come in the order of the pieces, so they are the same
//! for any number of threads. A panic of one thread is raised again in the caller; in
//! [`in_order`] it ends the other threads at once.
//!
//! The calling thread is one of them: one thread starts none, and where the system refuses another (a limit on
//! processes), the work goes on with those there are. In a browser others come from a pool (`beside.rs`).

mod beside;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

#[cfg(any(test, feature = "faults"))]
pub use beside::alone;

use crate::error::Result;

/// Batches by which a thread may be ahead of the slowest.
const AHEAD: u64 = 32;

/// Calls `work` with each number below `count`; returns the results in order. Each thread has a `state` of its own.
///
/// # Errors
///
/// An error of `work`: of several, the one of the least number. After one, no further number is begun.
pub fn each<S, T: Send>(
    count: usize,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let all = Mutex::new(Vec::new());
    let worker = |()| {
        let (mut state, mut done) = (state(), Vec::new());
        // A number that was taken is worked on, so that no error of a lesser one is missed.
        while !has_failed.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                break;
            }
            let made = work(&mut state, number);
            has_failed.fetch_or(made.is_err(), Ordering::Relaxed);
            done.push((number, made));
        }
        lock(&all).append(&mut done);
    };
    beside::run(vec![(); threads.clamp(1, count.max(1))], worker);
    let mut done = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, made)| made).collect()
}

/// The same without a state.
///
/// # Errors
///
/// The first error of `work`.
pub fn map<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    each(count, threads, || (), |(), number| work(number))
}

/// Takes the items of a stream apart on one thread for each of `states`, and calls `receive` with the results in the
/// order of the items, until there are no more or it breaks. Returns the stream.
///
/// Results that wait for an earlier one take `max_waiting` bytes at most, by `size`, and one result of each thread
/// beyond: a thread whose result has no room waits, unless its result is the next.
///
/// # Errors
///
/// The first of `receive`.
///
/// # Panics
///
/// If `work` or `receive` does.
pub fn in_order<I, S, T, E>(
    items: I,
    states: Vec<S>,
    max_waiting: usize,
    size: impl Fn(&T) -> usize + Sync,
    work: impl Fn(&mut S, I::Item) -> T + Sync,
    receive: impl FnMut(T) -> std::result::Result<ControlFlow<()>, E> + Send,
) -> std::result::Result<I, E>
where
    I: Iterator + Send,
    S: Send,
    T: Send,
    E: Send,
{
    let incoming = Mutex::new((items, 0));
    let outgoing = Outgoing {
        state: Mutex::new(Waiting {
            next: 0,
            results: BTreeMap::new(),
            bytes: 0,
            max_bytes: max_waiting,
            receive,
            ended: None,
        }),
        moved: Condvar::new(),
    };
    let worker = |mut state: S| {
        let _ends_all = EndsAll(&outgoing);
        loop {
            let (number, item) = {
                let mut incoming = lock(&incoming);
                let Some(item) = incoming.0.next() else { return };
                incoming.1 += 1;
                (incoming.1 - 1, item)
            };
            let made = work(&mut state, item);
            let bytes = size(&made);
            if outgoing.hand_over(number, made, bytes).is_break() {
                return;
            }
        }
    };
    beside::run(states, worker);
    let items = incoming.into_inner().unwrap_or_else(PoisonError::into_inner).0;
    match outgoing.state.into_inner().unwrap_or_else(PoisonError::into_inner).ended {
        Some(Err(error)) => Err(error),
        _ => Ok(items),
    }
}

/// Results on their way to the receiver.
struct Outgoing<T, F, E> {
    state: Mutex<Waiting<T, F, E>>,
    moved: Condvar,
}

struct Waiting<T, F, E> {
    /// The number of the result that is received next.
    next: u64,
    /// Results that wait for it, and their sizes in bytes.
    results: BTreeMap<u64, (T, usize)>,
    /// The sum of their sizes.
    bytes: usize,
    max_bytes: usize,
    receive: F,
    ended: Option<std::result::Result<(), E>>,
}

impl<T, F, E> Waiting<T, F, E> {
    /// True if a result may be added. The next one always may, or the work would stop.
    fn has_room(&self, number: u64, bytes: usize) -> bool {
        number == self.next || (number <= self.next + AHEAD && self.bytes + bytes <= self.max_bytes)
    }
}

impl<T, F: FnMut(T) -> std::result::Result<ControlFlow<()>, E>, E> Outgoing<T, F, E> {
    fn hand_over(&self, number: u64, made: T, bytes: usize) -> ControlFlow<()> {
        let mut state = lock(&self.state);
        while state.ended.is_none() && !state.has_room(number, bytes) {
            state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.bytes += bytes;
        state.results.insert(number, (made, bytes));
        while state.ended.is_none() {
            let next = state.next;
            let Some((made, bytes)) = state.results.remove(&next) else { break };
            state.bytes -= bytes;
            match (state.receive)(made) {
                Ok(ControlFlow::Continue(())) => state.next += 1,
                Ok(ControlFlow::Break(())) => state.ended = Some(Ok(())),
                Err(error) => state.ended = Some(Err(error)),
            }
        }
        self.moved.notify_all();
        if state.ended.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Ends the work of the other threads if this one panics: they would wait for its result.
struct EndsAll<'a, T, F, E>(&'a Outgoing<T, F, E>);

impl<T, F, E> Drop for EndsAll<'_, T, F, E> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.state).ended.get_or_insert(Ok(()));
            self.0.moved.notify_all();
        }
    }
}

/// A thread that panicked left nothing half-done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::error::Error;

    #[test]
    fn the_caller_works_alone_if_no_thread_can_be_started() {
        let caller = thread::current().id();
        let made = alone(|| map(20, 4, |number| Ok((number, thread::current().id())))).unwrap();
        assert_eq!(made, (0..20).map(|number| (number, caller)).collect::<Vec<_>>());
        let mut found = Vec::new();
        let work = |(): &mut (), number: u64| (number, thread::current().id());
        let receive = |made| {
            found.push(made);
            Ok::<_, Error>(ControlFlow::Continue(()))
        };
        alone(|| in_order(0..20, vec![(); 4], 64, |_| 8, work, receive)).unwrap();
        assert_eq!(found, (0..20).map(|number| (number, caller)).collect::<Vec<_>>());
    }

    #[test]
    fn one_thread_is_the_caller() {
        let caller = thread::current().id();
        assert_eq!(map(3, 1, |_| Ok(thread::current().id())).unwrap(), [caller; 3]);
        in_order(
            0..3,
            vec![()],
            64,
            |_| 8,
            |(), _| thread::current().id(),
            |id| {
                assert_eq!(id, caller);
                Ok::<_, Error>(ControlFlow::Continue(()))
            },
        )
        .unwrap();
    }

    #[test]
    fn numbers_are_worked_on_in_order_by_any_number_of_threads() {
        for threads in [0, 1, 3, 50] {
            for count in [0, 1, 20] {
                let made = each(count, threads, || 7, |seven, number| Ok(number * *seven)).unwrap();
                assert_eq!(made, (0..count).map(|number| number * 7).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        for threads in [1, 3] {
            let (begun, fails_from) = (AtomicUsize::new(0), 5);
            let made = each(
                1000,
                threads,
                || (),
                |(), number| {
                    begun.fetch_add(1, Ordering::Relaxed);
                    if number >= fails_from { Err(Error::Language(number.to_string())) } else { Ok(()) }
                },
            );
            assert!(made.unwrap_err().to_string().contains("'5'"));
            assert!(begun.into_inner() <= fails_from + threads + 1);
        }
    }

    #[test]
    fn a_panic_is_raised_in_the_caller() {
        let work = |(): &mut (), number: usize| -> Result<()> {
            assert!(number < 2, "number two");
            Ok(())
        };
        assert!(catch_unwind(|| each(10, 3, || (), work)).is_err());
    }

    fn squares(threads: usize, receive: impl FnMut(u64) -> Result<ControlFlow<()>> + Send) -> Result<()> {
        in_order(0..2000u64, vec![(); threads], 64, |_| 8, |(), number| number * number, receive).map(|_| ())
    }

    #[test]
    fn items_come_in_order_from_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut found = Vec::new();
            squares(threads, |square| {
                found.push(square);
                Ok::<_, Error>(ControlFlow::Continue(()))
            })
            .unwrap();
            assert_eq!(found, (0..2000).map(|number| number * number).collect::<Vec<u64>>());
        }
    }

    #[test]
    fn the_receiver_can_end_it() {
        let mut found = 0;
        let break_at_ten = |_| {
            found += 1;
            Ok(if found < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        squares(3, break_at_ten).unwrap();
        assert_eq!(found, 10);
        let failed = squares(2, |_| Err(Error::Language("x".into())));
        assert!(failed.err().unwrap().to_string().contains("'x' is unknown"));
    }

    #[test]
    fn a_receiver_that_panics_ends_it() {
        let mut found = 0;
        let ended = catch_unwind(AssertUnwindSafe(|| {
            squares(3, |_| {
                found += 1;
                assert!(found < 2, "the receiver's own");
                Ok::<_, Error>(ControlFlow::Continue(()))
            })
        }));
        assert!(ended.is_err());
        assert_eq!(found, 2);
    }

    #[test]
    fn waiting_results_are_bounded_in_number_and_in_bytes() {
        let waiting = |next, bytes| Waiting::<(), (), Error> {
            next,
            results: BTreeMap::new(),
            bytes,
            max_bytes: 100,
            receive: (),
            ended: None,
        };
        assert!(waiting(7, 0).has_room(7 + AHEAD, 100));
        assert!(!waiting(7, 0).has_room(8 + AHEAD, 0));
        assert!(!waiting(7, 1).has_room(8, 100));
        assert!(waiting(7, 200).has_room(7, 100), "the next one never waits");
    }
}
