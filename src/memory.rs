//! The memory of this process: one limit of its resident set, maps of files included.
//!
//! ```text
//!  limit ──▶ the program itself │ reading, then searching │ maps of files
//!                                 parts, reserved ahead     given back when the limit is near
//! ```
//!
//! Each stage reserves its part of a [`Limit`] ahead: what does not fit waits (`Room`), is spilled, or is refused by its
//! name. Pages of mapped files can be read again at any time, so they are given back while the resident set is near the
//! limit: by the thread of [`watch`], and by every thread that reads a map, as the system maps pages faster than another
//! thread is woken. What exceeds the limit nevertheless is an [`Excess`], which ends the run.
//!
//! Source of the machine's memory: `proc(5)`, and *Control Group v2* of the Linux kernel.

mod aligned;
mod maps;

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

pub use aligned::Aligned;
pub use maps::{Map, before_reading};
use maps::{give_back, look_at_maps};

/// Memory of the program before it reads anything, with its tables of characters and words, in bytes.
const OWN: u64 = 40 << 20;

/// Least memory for everything else.
const LEAST: u64 = 16 << 20;

/// The limit where neither the machine nor its group tells one.
const UNKNOWN: u64 = 2 << 30;

/// Least and greatest time between two looks at the resident set, in milliseconds.
const PAUSES: [u64; 2] = [1, 100];

/// Number of bytes by which the resident set grows in a millisecond at most.
const FASTEST: u64 = 4 << 20;

/// Least distance in bytes from the limit at which pages of maps are given back: what threads may bring between two
/// looks.
const BETWEEN_LOOKS: u64 = 12 << 20;

/// Number of looks by which an excess is told from pages of maps.
const LOOKS: u32 = 8;

/// A limit of the resident set, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(u64);

impl Limit {
    /// A limit of this many bytes.
    pub fn new(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Half of what the machine or the control group of this process allows.
    pub fn of_machine() -> Self {
        Self(allowed().map_or(UNKNOWN, |bytes| bytes / 2))
    }

    /// The least limit that leaves room for any work.
    pub fn least() -> Self {
        Self(OWN + LEAST)
    }

    /// The least limit whose [`stage`](Self::stage) has so many bytes.
    pub fn for_stage(bytes: u64) -> Self {
        Self(OWN.saturating_add(bytes.saturating_mul(2)))
    }

    /// Number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
    }

    /// The resident set from which on the pages of maps are given back.
    fn near(self) -> u64 {
        self.0 - (self.0 / 8).max(BETWEEN_LOOKS).min(self.0 / 2)
    }

    /// The part of one stage, such as reading or searching: half of what the program itself leaves, so that mapped
    /// files have the other half.
    pub fn stage(self) -> u64 {
        self.0.saturating_sub(OWN).max(LEAST) / 2
    }
}

/// The memory that the machine or the control group of this process allows, in bytes.
fn allowed() -> Option<u64> {
    let number = |path: &Path| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let machine = std::fs::read_to_string("/proc/meminfo").ok().and_then(|told| {
        let total = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
    });
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_groups = groups.lines().flat_map(|line| {
        let group = line.rsplit(':').next().unwrap_or_default().trim_start_matches('/');
        // A group has no more than those around it.
        let unified = Path::new("/sys/fs/cgroup").join(group);
        let first = Path::new("/sys/fs/cgroup/memory").join(group);
        let of = |folder: &Path, file: &str| -> Vec<u64> {
            let around = folder.ancestors().take_while(|folder| folder.starts_with("/sys/fs/cgroup"));
            around.filter_map(|folder| number(&folder.join(file))).collect()
        };
        [of(&unified, "memory.max"), of(&first, "memory.limit_in_bytes")].concat()
    });
    machine.into_iter().chain(of_groups).min()
}

/// Room for so many bytes, which several threads share: who finds too little waits.
#[derive(Debug)]
pub struct Room {
    all: u64,
    taken: Mutex<u64>,
    left: Condvar,
}

/// Room held; freed on drop.
#[derive(Debug)]
pub struct Reserved<'r> {
    room: &'r Room,
    bytes: u64,
}

impl Room {
    /// A room of so many bytes.
    pub const fn new(bytes: u64) -> Self {
        Self { all: bytes, taken: Mutex::new(0), left: Condvar::new() }
    }

    /// All of it, in bytes.
    pub fn all(&self) -> u64 {
        self.all
    }

    /// Waits until there is room for so many bytes; for more than all of it, until nothing else is held.
    pub fn enter(&self, bytes: u64) -> Reserved<'_> {
        let bytes = bytes.min(self.all);
        let mut taken = self.taken();
        while *taken + bytes > self.all {
            taken = self.left.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken += bytes;
        Reserved { room: self, bytes }
    }

    /// A poisoned lock is usable: a thread that panicked left nothing half-done.
    fn taken(&self) -> MutexGuard<'_, u64> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        *self.room.taken() -= self.bytes;
        self.room.left.notify_all();
    }
}

/// The resident set of this process in bytes; `None` if the system does not tell it.
fn resident() -> Option<u64> {
    let mut told = [0; 64];
    let length = File::open("/proc/self/statm").ok()?.read(&mut told).ok()?;
    let pages = std::str::from_utf8(&told[..length]).ok()?.split(' ').nth(1)?;
    Some(pages.parse::<u64>().ok()? * page_size())
}

/// Size in bytes of a page, in which Linux tells the resident set.
fn page_size() -> u64 {
    #[cfg(unix)]
    return rustix::param::page_size() as u64;
    #[cfg(not(unix))]
    return 4096;
}

/// Number of bytes that this process has written to temporary files.
static SPILLED: AtomicU64 = AtomicU64::new(0);

/// Number of bytes that this process has written to temporary files so far because they did not fit in memory, each as often
/// as it was written.
pub fn spilled() -> u64 {
    SPILLED.load(Ordering::Relaxed)
}

/// Counts bytes that did not fit in memory.
pub(crate) fn note_spilled(bytes: usize) {
    SPILLED.fetch_add(bytes as u64, Ordering::Relaxed);
}

/// The greatest resident set of this process so far, in bytes; `None` if the system does not tell it.
pub fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// A resident set that exceeds the limit, or is about to, without pages of maps to give back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// The work must end, and may remove what it made.
    Near,
    /// The process must end.
    Beyond,
}

impl Excess {
    /// The excess of a resident set, in bytes, over a limit. What remains free below the limit is what the work may take
    /// until it has ended.
    fn of(resident: u64, limit: Limit) -> Option<Self> {
        match limit.bytes() {
            limit if resident > limit => Some(Self::Beyond),
            limit if resident > limit - limit / 32 => Some(Self::Near),
            _ => None,
        }
    }
}

/// A bound of what work may add to the resident set of a process that has memory of its own.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// The greatest resident set, in bytes.
    most: u64,
}

impl Growth {
    /// A bound of so many bytes from now on, beside the tables that any work needs.
    pub fn of(bytes: u64) -> Self {
        Self { most: resident().unwrap_or(0).saturating_add(bytes.max(LEAST)).saturating_add(OWN) }
    }

    /// True if the bound is exceeded although the pages of mapped files were given back. Where the system does not tell
    /// the resident set, it never is.
    pub fn is_exceeded(self) -> bool {
        let is_beyond = |most: u64| resident().is_some_and(|resident| resident > most);
        if is_beyond(self.most - self.most / 8) {
            give_back();
        }
        is_beyond(self.most)
    }
}

/// Begins to give back the pages of mapped files while the resident set is near a limit, until the process ends, and calls
/// `exceeded` where that is not enough. Without a thread for it, or if the system does not tell the resident set,
/// nothing is watched.
pub fn watch(limit: Limit, exceeded: impl Fn(Excess) + Send + 'static) {
    if resident().is_none() {
        return;
    }
    let work = move || {
        loop {
            let now = resident().unwrap_or(0);
            look_at_maps(limit.near(), now > limit.bytes() / 2);
            if now > limit.near() {
                // Other threads bring pages of maps meanwhile, so the least of several looks counts.
                let left = |_| {
                    give_back();
                    resident().unwrap_or(0)
                };
                if let Some(excess) = (0..LOOKS).map(left).min().and_then(|least| Excess::of(least, limit)) {
                    exceeded(excess);
                }
            }
            // A look costs as much as reading a page of text, so there is none before half of the limit can be reached.
            let [least, greatest] = PAUSES;
            let pause = (limit.bytes() / 2).saturating_sub(now) / FASTEST;
            thread::sleep(Duration::from_millis(pause.clamp(least, greatest)));
        }
    };
    let _ = thread::Builder::new().name("memory".into()).spawn(work);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[test]
    fn a_machine_tells_its_memory() {
        assert!(!cfg!(target_os = "linux") || allowed().is_some_and(|bytes| bytes > 1 << 20));
        assert!(!cfg!(target_os = "linux") || resident().is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(Limit::new(1 << 20).stage(), LEAST / 2);
    }

    #[test]
    fn no_more_is_held_at_a_time_than_there_is_room_for() {
        let room = Room::new(1000);
        let (inside, done) = (AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for number in 0..16 {
                let (room, inside, done) = (&room, &inside, &done);
                scope.spawn(move || {
                    for bytes in [500, 200, u64::MAX, number] {
                        let held = room.enter(bytes);
                        let others = inside.fetch_add(held.bytes, Ordering::SeqCst);
                        assert!(others + held.bytes <= 1000);
                        inside.fetch_sub(held.bytes, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((done.into_inner(), *room.taken()), (64, 0));
    }

    #[test]
    fn a_stage_of_the_least_limit_for_it_has_its_bytes() {
        for bytes in [LEAST, 1 << 30] {
            assert_eq!(Limit::for_stage(bytes).stage(), bytes);
        }
        assert_eq!(Limit::least().stage(), LEAST / 2);
    }

    #[test]
    fn an_excess_is_told_before_the_limit_and_beyond() {
        let of = |resident| Excess::of(resident, Limit::new(3200));
        assert_eq!(
            [of(3100), of(3101), of(3200), of(3201)],
            [None, Some(Excess::Near), Some(Excess::Near), Some(Excess::Beyond)]
        );
    }

    #[test]
    fn a_growth_is_exceeded_by_what_is_written() {
        let growth = Growth::of(0);
        assert!(!growth.is_exceeded());
        let written = vec![1u8; (LEAST + OWN + (64 << 20)) as usize];
        assert!(!cfg!(target_os = "linux") || growth.is_exceeded());
        assert_eq!(written.last(), Some(&1));
    }
}
