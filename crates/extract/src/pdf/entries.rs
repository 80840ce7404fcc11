//! Limits the number of entries in the fonts of a file.

/// Maximum number of entries in all fonts of a file together: [`ANY_FILE`] plus [`PER_BYTE`] for each
/// byte of the file, but at most [`MAX_ENTRIES`]. An entry is the width or the character of a code. A
/// book with a hundred Chinese fonts has two million.
const ANY_FILE: usize = 1 << 20;
const PER_BYTE: usize = 32;
const MAX_ENTRIES: usize = 4 << 20;

/// The number of entries still allowed.
pub(super) struct Entries(usize);

impl Entries {
    /// The limit for a file of this many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self(ANY_FILE.saturating_add(PER_BYTE.saturating_mul(bytes)).min(MAX_ENTRIES))
    }

    /// Takes one entry for each item, and leaves out the items beyond the limit.
    pub(super) fn each<T>(&mut self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        all.into_iter().take_while(|_| self.take(1))
    }

    /// Takes `count` entries; returns false once none are left.
    pub(super) fn take(&mut self, count: usize) -> bool {
        self.0 = self.0.saturating_sub(count);
        self.0 > 0
    }

    pub(super) fn are_used_up(&self) -> bool {
        self.0 == 0
    }
}
