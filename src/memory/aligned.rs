//! Bytes in memory that stand for a mapped file.
//!
//! Addresses for as many bytes as may come are reserved at once, and the system provides pages as they are written, so
//! that growing moves nothing. Large pages were tried and took longer, as more memory was cleared.

use std::io;
use std::ops::Deref;

/// Bytes that begin where any number may, as those of a mapped file do.
#[derive(Debug)]
pub struct Aligned {
    #[cfg(unix)]
    reserved: memmap2::MmapMut,
    #[cfg(not(unix))]
    words: Vec<u64>,
    length: usize,
}

#[cfg(unix)]
impl Aligned {
    /// Reserves addresses for so many bytes.
    ///
    /// # Errors
    ///
    /// Those of the system, if the process may not have so many addresses.
    pub fn reserve(bytes: usize) -> io::Result<Self> {
        let reserved = memmap2::MmapOptions::new().len(bytes.max(1)).no_reserve_swap().map_anon()?;
        Ok(Self { reserved, length: 0 })
    }

    /// Appends bytes, of which there are no more than reserved.
    pub fn extend(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        self.reserved[self.length..end].copy_from_slice(bytes);
        self.length = end;
    }
}

#[cfg(not(unix))]
impl Aligned {
    /// No bytes yet; the memory grows with them.
    ///
    /// # Errors
    ///
    /// None.
    pub fn reserve(_: usize) -> io::Result<Self> {
        Ok(Self { words: Vec::new(), length: 0 })
    }

    /// Appends bytes.
    pub fn extend(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        self.words.resize(end.div_ceil(8), 0);
        bytemuck::cast_slice_mut::<u64, u8>(&mut self.words)[self.length..end].copy_from_slice(bytes);
        self.length = end;
    }
}

impl Deref for Aligned {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        #[cfg(unix)]
        return &self.reserved[..self.length];
        #[cfg(not(unix))]
        return &bytemuck::cast_slice(&self.words)[..self.length];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 3 << 20;

    #[test]
    fn bytes_are_appended_on_pages_of_any_size() {
        let mut held = Aligned::reserve(BYTES).unwrap();
        let mut expected = Vec::new();
        while expected.len() + 100_003 <= BYTES {
            let more: Vec<u8> = (0..100_003).map(|i| (i + expected.len()) as u8).collect();
            held.extend(&more);
            expected.extend(more);
        }
        assert!(held[..] == expected[..] && held.as_ptr().addr().is_multiple_of(8));
        assert!(Aligned::reserve(0).unwrap().is_empty());
    }

    #[test]
    fn more_addresses_than_there_are_is_an_error() {
        assert!(Aligned::reserve(usize::MAX / 2).is_err());
    }
}
