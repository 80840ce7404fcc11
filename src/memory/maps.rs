//! Maps of files, whose pages are given back while the resident set is near the limit.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::{Aligned, resident};

/// Least and greatest number of accesses to maps, of one thread, between two looks at the resident set.
const ACCESSES: [u64; 2] = [16, 256];

/// Number of bytes that an access may bring: the system maps so many around the page that was read.
const AROUND: u64 = 64 << 10;

/// Number of free bytes for each access: sixteen threads may share what is free.
const PER_ACCESS: u64 = 16 * AROUND;

/// A mapped file whose pages can be given back, or bytes in memory that stand for one.
#[derive(Debug, Clone)]
pub struct Map(Pages);

#[derive(Debug, Clone)]
enum Pages {
    File(Arc<memmap2::Mmap>),
    Owned(Arc<Aligned>),
}

/// All maps of this process.
static MAPS: Mutex<Vec<Weak<memmap2::Mmap>>> = Mutex::new(Vec::new());

impl Map {
    /// A map whose pages are given back while the resident set is near the limit.
    pub fn new(map: memmap2::Mmap) -> Self {
        let map = Arc::new(map);
        let mut maps = MAPS.lock().unwrap_or_else(PoisonError::into_inner);
        maps.retain(|map| map.strong_count() > 0);
        maps.push(Arc::downgrade(&map));
        drop(maps);
        if are_large(NEAR_LIMIT.load(Ordering::Relaxed)) {
            NEAR.store(NEAR_LIMIT.load(Ordering::Relaxed), Ordering::Relaxed);
        }
        Self(Pages::File(map))
    }

    /// Bytes in memory.
    pub fn owned(bytes: Arc<Aligned>) -> Self {
        Self(Pages::Owned(bytes))
    }

    /// The map of a file; `None` for bytes in memory.
    pub fn file(&self) -> Option<&memmap2::Mmap> {
        match &self.0 {
            Pages::File(map) => Some(map),
            Pages::Owned(_) => None,
        }
    }
}

#[cfg(test)]
impl Map {
    /// Memory that stands for a file; its pages are never given back.
    pub fn anonymous(map: memmap2::Mmap) -> Self {
        Self(Pages::File(Arc::new(map)))
    }
}

impl Deref for Map {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.0 {
            Pages::Owned(bytes) => bytes,
            Pages::File(map) => {
                let near = NEAR.load(Ordering::Relaxed);
                if near < u64::MAX {
                    at_access(near, 0);
                }
                map
            }
        }
    }
}

/// The resident set from which on a thread that reads a map gives pages back; `u64::MAX` while it is far from the limit, and
/// the maps are too small to bring it there before [`watch`] looks again.
static NEAR: AtomicU64 = AtomicU64::new(u64::MAX);

/// The same, however far it is; `u64::MAX` without a limit.
static NEAR_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// Notes the resident set from which on pages are given back, and if it may soon be reached.
pub(super) fn look_at_maps(near: u64, may_be_near: bool) {
    NEAR_LIMIT.store(near, Ordering::Relaxed);
    let is_near = may_be_near || are_large(near);
    NEAR.store(if is_near { near } else { u64::MAX }, Ordering::Relaxed);
}

/// True if all maps together have more than half as many bytes.
fn are_large(near: u64) -> bool {
    let maps = MAPS.lock().unwrap_or_else(PoisonError::into_inner);
    maps.iter().filter_map(Weak::upgrade).map(|map| map.len() as u64).sum::<u64>() > near / 2
}

thread_local! {
    /// Number of accesses of this thread until it looks at the resident set.
    static LEFT: Cell<u64> = const { Cell::new(ACCESSES[0]) };
}

/// Says that so many bytes of a map are about to be read in a row: as many accesses as they have parts of 64 KB.
pub fn before_reading(bytes: usize) {
    let near = NEAR.load(Ordering::Relaxed);
    if near < u64::MAX && bytes as u64 >= AROUND {
        at_access(near, bytes as u64);
    }
}

/// Gives pages back at some accesses, if the resident set with so many more bytes is too large. A look takes as long as many
/// accesses, so there are fewer the more is free.
#[cold]
fn at_access(near: u64, bytes: u64) {
    let left = LEFT.get().saturating_sub(1 + bytes / AROUND);
    LEFT.set(left);
    if left > 0 {
        return;
    }
    let resident = resident().unwrap_or(0) + bytes;
    if resident > near {
        give_back();
    }
    LEFT.set(accesses_in(near.saturating_sub(resident)));
}

/// Number of accesses of a thread after which threads that share so many free bytes have not filled them.
fn accesses_in(free: u64) -> u64 {
    (free / PER_ACCESS).clamp(ACCESSES[0], ACCESSES[1])
}

/// Gives back the pages of all maps.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a file's pages stand in for memory")]
pub(super) fn give_back() {
    let maps = MAPS.lock().unwrap_or_else(PoisonError::into_inner);
    for map in maps.iter().filter_map(Weak::upgrade) {
        // SAFETY: the maps are shared and only read, so a page that is read again comes from the file.
        let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
    }
}

#[cfg(not(unix))]
pub(super) fn give_back() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_look_before_they_have_filled_what_is_free() {
        assert_eq!([0, 1 << 20, 16 << 20].map(accesses_in), [ACCESSES[0]; 3]);
        assert_eq!([17 << 20, 256 << 20, 1 << 40].map(accesses_in), [17, 256, 256]);
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
