//! Where the bytes of a bundle are: in a file, or in memory as a member of another bundle.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use crate::compression::Compression;
use crate::counted::Counted;

/// The bytes of a bundle, which can be read from the beginning several times.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    File(PathBuf),
    Held(Arc<[u8]>),
}

impl Origin {
    pub(super) fn of(path: &Path) -> Self {
        Self::File(path.to_owned())
    }

    /// Its size in bytes; 0 if unknown.
    pub(super) fn size(&self) -> u64 {
        match self {
            Self::File(path) => path.metadata().map_or(0, |metadata| metadata.len()),
            Self::Held(bytes) => bytes.len() as u64,
        }
    }

    /// A stream of its bytes, unpacked; bytes that are read of a file are counted in `read`.
    pub(super) fn stream(
        &self,
        compression: Option<Compression>,
        read: &Arc<AtomicU64>,
    ) -> io::Result<Box<dyn Read + Send>> {
        let from: Box<dyn Read + Send> = match self {
            Self::File(path) => Box::new(Counted(File::open(path)?, Arc::clone(read))),
            Self::Held(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        };
        match compression {
            Some(compression) => compression.decode(from),
            None => Ok(Box::new(BufReader::new(from))),
        }
    }
}
