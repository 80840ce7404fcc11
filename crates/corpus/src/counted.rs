//! A reader whose bytes are counted as they are read.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader, and the number of bytes read from it, which others may see.
pub(super) struct Counted<R>(pub(super) R, pub(super) Arc<AtomicU64>);

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(to)?;
        self.1.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
