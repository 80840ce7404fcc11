//! The memory of this process: one limit of its resident set, maps of files included.
//!
//! ```text
//!  limit ──▶ the program itself │ reading, then searching │ maps of files
//!                                 parts, reserved ahead     given back when the limit is near
//! ```
//!
//! Each stage reserves its part of a [`Limit`] ahead: what does not fit waits (`Room`), is spilled, or is refused by its
//! name. Pages of mapped files can be read again at any time, so [`watch`] gives them back while the resident set is
//! near the limit.
//!
//! Source of the machine's memory: `proc(5)`, and *Control Group v2* of the Linux kernel.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// Memory of the program before it reads anything, with its tables of characters and words, in bytes.
const OWN: u64 = 40 << 20;

/// Least memory for everything else.
const LEAST: u64 = 16 << 20;

/// The limit where neither the machine nor its group tells one.
const UNKNOWN: u64 = 2 << 30;

/// Size in bytes of a page, in which Linux tells the resident set.
const PAGE: u64 = 4096;

/// Time between two looks at the resident set.
const PAUSE: Duration = Duration::from_millis(5);

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

    /// Number of bytes.
    pub fn bytes(self) -> u64 {
        self.0
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
pub(crate) struct Room {
    all: u64,
    taken: Mutex<u64>,
    left: Condvar,
}

/// Room held; freed on drop.
#[derive(Debug)]
pub(crate) struct Reserved<'r> {
    room: &'r Room,
    bytes: u64,
}

impl Room {
    pub(crate) const fn new(bytes: u64) -> Self {
        Self { all: bytes, taken: Mutex::new(0), left: Condvar::new() }
    }

    /// All of it, in bytes.
    pub(crate) fn all(&self) -> u64 {
        self.all
    }

    /// Waits until there is room for so many bytes; for more than all of it, until nothing else is held.
    pub(crate) fn enter(&self, bytes: u64) -> Reserved<'_> {
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

/// A mapped file whose pages can be given back.
#[derive(Debug, Clone)]
pub(crate) struct Map(Arc<memmap2::Mmap>);

/// All maps of this process.
static MAPS: Mutex<Vec<Weak<memmap2::Mmap>>> = Mutex::new(Vec::new());

impl Map {
    pub(crate) fn new(map: memmap2::Mmap) -> Self {
        let map = Arc::new(map);
        let mut maps = MAPS.lock().unwrap_or_else(PoisonError::into_inner);
        maps.retain(|map| map.strong_count() > 0);
        maps.push(Arc::downgrade(&map));
        Self(map)
    }
}

#[cfg(test)]
impl Map {
    /// Memory that stands for a file; its pages are never given back.
    pub(crate) fn anonymous(map: memmap2::Mmap) -> Self {
        Self(Arc::new(map))
    }
}

impl Deref for Map {
    type Target = memmap2::Mmap;

    fn deref(&self) -> &memmap2::Mmap {
        &self.0
    }
}

/// Gives back the pages of all maps.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a file's pages stand in for memory")]
fn give_back() {
    let maps = MAPS.lock().unwrap_or_else(PoisonError::into_inner);
    for map in maps.iter().filter_map(Weak::upgrade) {
        // SAFETY: the maps are shared and only read, so a page that is read again comes from the file.
        let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

#[cfg(not(unix))]
fn give_back() {}

/// The resident set of this process in bytes; `None` if the system does not tell it.
fn resident() -> Option<u64> {
    let mut told = [0; 64];
    let length = File::open("/proc/self/statm").ok()?.read(&mut told).ok()?;
    let pages = std::str::from_utf8(&told[..length]).ok()?.split(' ').nth(1)?;
    Some(pages.parse::<u64>().ok()? * PAGE)
}

/// Begins to give back the pages of mapped files while the resident set is near a limit, until the process ends. Without
/// a thread for it, or if the system does not tell the resident set, nothing is given back.
pub fn watch(limit: Limit) {
    let is_near = move || resident().is_some_and(|resident| resident > limit.bytes() / 8 * 7);
    if resident().is_none() {
        return;
    }
    let work = move || {
        loop {
            thread::sleep(PAUSE);
            if is_near() {
                give_back();
            }
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
    fn pages_given_back_are_read_again() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), vec![7; 1 << 16]).unwrap();
        #[expect(unsafe_code, reason = "the file is this test's own")]
        // SAFETY: nobody changes the file.
        let map = Map::new(unsafe { memmap2::Mmap::map(file.as_file()) }.unwrap());
        assert!(map.iter().all(|&byte| byte == 7));
        give_back();
        assert!(map.iter().all(|&byte| byte == 7));
    }
}
