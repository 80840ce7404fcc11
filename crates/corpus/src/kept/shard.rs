//! Output files that end at a greatest size, after which the next one begins.

use std::io::{self, Write};

/// Ends a complete shard and begins the next.
pub type Next<W> = Box<dyn FnMut(W) -> io::Result<W> + Send>;

/// Shards of a greatest size.
#[expect(missing_debug_implementations, reason = "a function has none")]
pub struct Shards<W> {
    /// The greatest size of a shard in bytes as written. One record may be larger.
    pub max_bytes: u64,
    /// Ends a shard and begins the next.
    pub next: Next<W>,
}

impl<W> Shards<W> {
    /// True if a shard that has `records` in `written` bytes has no room for `more` bytes.
    pub(super) fn is_full(&self, records: u64, written: u64, more: u64) -> bool {
        records > 0 && written.saturating_add(more) > self.max_bytes
    }
}

/// The error of a file that an earlier error has closed.
pub(super) fn closed() -> io::Error {
    io::Error::other("writing has failed before")
}

/// A writer whose bytes are counted.
pub(super) struct Counted<W> {
    pub(super) out: W,
    pub(super) written: u64,
}

impl<W> Counted<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, written: 0 }
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.written += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
