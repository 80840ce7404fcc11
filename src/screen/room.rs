//! Room for aligning: what is aligned at a time takes no more memory together, however many threads there are.
//!
//! Short texts need little and hardly ever wait; of the longest, one pair is aligned at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::words::Words;

/// So many words, of both texts of all pairs, are aligned at a time: two of the longest texts.
const MOST: usize = 2 * Words::MOST;

/// A word of texts that are no longer than a stretch may take so much more.
const MORE: usize = 2;

/// The room of the process.
static ROOM: Room = Room { taken: Mutex::new(0), left: Condvar::new() };

/// Waits until there is room to align two texts of so many words together; it is held until this is dropped.
pub(super) fn enter(words: usize) -> Reserved<'static> {
    ROOM.enter(words)
}

struct Room {
    /// How many words are being aligned.
    taken: Mutex<usize>,
    left: Condvar,
}

/// Room that is taken.
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

    /// A thread that panicked has left nothing half-done behind this lock.
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
