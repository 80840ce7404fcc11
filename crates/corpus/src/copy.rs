//! Copying of bytes with errors that name the failed side.

use std::io::{self, Read, Write};

/// Block size in bytes.
const BLOCK: usize = 128 << 10;

/// The failed side of a copy, with its error.
#[derive(Debug)]
pub enum CopyError {
    /// Reading failed.
    Read(io::Error),
    /// Writing failed.
    Write(io::Error),
}

/// Copies all bytes and returns their number.
///
/// # Errors
///
/// The first error of either side.
pub fn copy(from: &mut dyn Read, to: &mut dyn Write) -> Result<u64, CopyError> {
    let mut block = vec![0; BLOCK];
    let mut copied = 0;
    loop {
        match from.read(&mut block) {
            Ok(0) => return Ok(copied),
            Ok(read) => {
                to.write_all(&block[..read]).map_err(CopyError::Write)?;
                copied += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CopyError::Read(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Read for Full {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    #[test]
    fn the_side_that_fails_is_known() {
        let mut to = Vec::new();
        let long = vec![7; 3 * BLOCK + 1];
        assert_eq!(copy(&mut &long[..], &mut to).unwrap(), long.len() as u64);
        assert_eq!(to, long);
        assert!(matches!(copy(&mut &long[..], &mut Full), Err(CopyError::Write(_))));
        assert!(matches!(copy(&mut Full, &mut to), Err(CopyError::Read(_))));
    }
}
