//! How much the fonts of a file may say.

/// What all fonts of a file say together, a width or a character of a code: so much for any file, so
/// much more for each of its bytes, and at most so much. A book with a hundred fonts of Chinese has two
/// millions.
const ANY_FILE: usize = 1 << 20;
const PER_BYTE: usize = 32;
const MAX_ENTRIES: usize = 4 << 20;

/// What a font says may still be so much.
pub(super) struct Entries(usize);

impl Entries {
    /// Those of a file of so many bytes.
    pub(super) fn of(bytes: usize) -> Self {
        Self(ANY_FILE.saturating_add(PER_BYTE.saturating_mul(bytes)).min(MAX_ENTRIES))
    }

    /// Takes one for each of some; those beyond the last are left out.
    pub(super) fn each<T>(&mut self, all: impl IntoIterator<Item = T>) -> impl Iterator<Item = T> {
        all.into_iter().take_while(|_| self.take(1))
    }

    /// Takes so many; `false`: there are none left.
    pub(super) fn take(&mut self, count: usize) -> bool {
        self.0 = self.0.saturating_sub(count);
        self.0 > 0
    }

    pub(super) fn are_used_up(&self) -> bool {
        self.0 == 0
    }
}
