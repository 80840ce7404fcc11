//! The digest of a file's bytes: the first 128 bits of their BLAKE3 hash.

use std::fs::File;
use std::io;
use std::path::Path;

use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::Source;

/// Number of bytes hashed between two checks for interruption.
const PIECE: usize = 16 << 20;

/// The digest of a file; `None` if it cannot be read.
pub(crate) fn of(path: &Path, observer: &dyn Observer) -> nearcopy::Result<Option<[u8; 16]>> {
    let Ok(bytes) = Source::open(path) else { return Ok(None) };
    let mut hasher = blake3::Hasher::new();
    for piece in bytes.chunks(PIECE) {
        go_on(observer)?;
        hasher.update(piece);
    }
    go_on(observer)?;
    Ok(hasher.finalize().as_bytes().first_chunk().copied())
}

/// The same in hexadecimal digits, of a file that is about to be moved.
///
/// # Errors
///
/// Those of reading.
pub(crate) fn in_hex(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}
