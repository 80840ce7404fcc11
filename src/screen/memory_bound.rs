//! A bound on the memory of all alignments together, whatever the number of threads.
//!
//! Short texts need little and hardly ever wait; of the longest texts, one pair is aligned at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::words::Words;

/// Maximum number of words aligned at a time, over both texts of all pairs: two of the longest texts.
const MOST: usize = 2 * Words::MOST;

/// Factor by which the words of a pair are counted: texts no longer than a stretch take up to twice the memory
/// a word.
const MORE: usize = 2;

/// Maximum number of words of two texts of which two stretches are aligned at a time, each in 80 MB.
const MOST_OF_TWO: usize = MOST / 4;

/// Number of stretches of two texts with this many words together that are aligned at a time, at least one.
pub(super) fn at_once(words: usize, stretches: usize, threads: usize) -> usize {
    if words <= MOST_OF_TWO { threads.min(stretches).clamp(1, 2) } else { 1 }
}

/// The bound of this process.
static ROOM: Room = Room { taken: Mutex::new(0), left: Condvar::new() };

/// Waits until two texts with this many words together may be aligned, so many stretches at a time. The room is held
/// until the result is dropped.
pub(super) fn enter(words: usize, at_once: usize) -> Reserved<'static> {
    ROOM.enter(words.saturating_mul(at_once))
}

struct Room {
    /// Number of words being aligned, counted [`MORE`] times.
    taken: Mutex<usize>,
    left: Condvar,
}

/// Room held by one alignment; freed on drop.
pub(super) struct Reserved<'r> {
    room: &'r Room,
    words: usize,
}

impl Room {
    fn enter(&self, words: usize) -> Reserved<'_> {
        let words = words.saturating_mul(MORE).min(MOST);
        let mut taken = self.taken();
        while *taken + words > MOST {
            taken = self.left.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += words;
        Reserved { room: self, words }
    }

    /// A poisoned lock is usable: a thread that panicked left nothing half-done.
    fn taken(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        *self.room.taken() -= self.words;
        self.room.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn two_stretches_of_shorter_texts_are_aligned_at_a_time() {
        let of = |words, stretches, threads| at_once(words, stretches, threads);
        assert_eq!([of(MOST_OF_TWO, 3, 2), of(MOST_OF_TWO, 3, 8), of(MOST_OF_TWO + 1, 3, 2)], [2, 2, 1]);
        assert_eq!([of(100, 3, 1), of(100, 3, 0), of(100, 1, 8), of(0, 0, 8)], [1; 4]);
        const { assert!(2 * MORE * MOST_OF_TWO <= MOST) };
    }

    #[test]
    fn no_more_is_aligned_at_a_time_than_there_is_room_for() {
        let room = Room { taken: Mutex::new(0), left: Condvar::new() };
        let (inside, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let most = 3 * (MOST / MORE / 4);
        thread::scope(|scope| {
            for number in 0..16 {
                let (room, inside, done) = (&room, &inside, &done);
                scope.spawn(move || {
                    for words in [most, MOST / MORE / 5, usize::MAX, number] {
                        let held = room.enter(words);
                        let others = inside.fetch_add(held.words, Ordering::SeqCst);
                        assert!(others + held.words <= MOST);
                        inside.fetch_sub(held.words, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((done.into_inner(), *room.taken()), (64, 0));
    }
}
