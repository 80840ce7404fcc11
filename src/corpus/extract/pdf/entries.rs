//! How much the fonts of a file may say.

/// What all fonts of a file say together, a width or a character of a code: a book with a
/// hundred fonts of Chinese has two millions.
const MAX_ENTRIES: usize = 4 << 20;

/// What a font says may still be so much.
pub(super) struct Entries(usize);

impl Default for Entries {
    fn default() -> Self {
        Self(MAX_ENTRIES)
    }
}

impl Entries {
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
