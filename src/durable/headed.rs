//! Files of one run that a later one reads: a head in JSON, then rows, behind a magic and before a checksum.
//!
//! ```text
//! offset  size
//!      0     8  magic
//!      8     4  version
//!     12     4  h, the length of the head
//!     16     h  head: JSON in UTF-8
//!   16+h        rows of one length
//!            16  checksum: the first 16 bytes of the BLAKE3 hash of all bytes before it
//! ```
//!
//! Numbers are little-endian. Rows are read and written one after the other; the checksum is compared at the end.

use std::fs::File;
use std::io::{BufReader, ErrorKind, Read, Write};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::durable::disk;
use crate::durable::new_file::NewFile;
use crate::error::{Error, Result, shown};

/// Length of what stands before the head.
const BEFORE_HEAD: usize = 16;
/// Maximum length of the head in bytes.
const MAX_HEAD: u64 = 1 << 24;
const CHECKSUM: usize = 16;

/// A kind of such files.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// Its first bytes.
    pub magic: [u8; 8],
    /// The version of the format, and of what its rows mean.
    pub version: u32,
    /// The noun for such a file, such as "file of counts".
    pub name: &'static str,
    /// The remedy for a damaged file.
    pub remedy: &'static str,
}

impl Kind {
    fn foreign(self, path: &str) -> Error {
        Error::Saved { path: path.to_owned(), what: format!("is no {}; name another file", self.name) }
    }

    fn damaged(self, path: &str, what: &str) -> Error {
        Error::Saved { path: path.to_owned(), what: format!("{what}; {}", self.remedy) }
    }
}

/// Writes such a file.
#[derive(Debug)]
pub struct Out {
    path: String,
    file: NewFile,
    hasher: blake3::Hasher,
}

impl Out {
    /// Begins a file, whose path is shown as `path`.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn begin(kind: Kind, head: &impl Serialize, file: NewFile, path: String) -> Result<Self> {
        let mut out = Self { path, file, hasher: blake3::Hasher::new() };
        let json = serde_json::to_vec(head).map_err(|error| out.failed(error.into()))?;
        out.write(&[&kind.magic[..], &kind.version.to_le_bytes(), &(json.len() as u32).to_le_bytes(), &json].concat())?;
        Ok(out)
    }

    /// Writes rows.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map_err(|source| self.failed(source))
    }

    /// Ends the file and gives it its name.
    ///
    /// # Errors
    ///
    /// Those of [`NewFile::finish`].
    pub fn finish(mut self) -> Result<()> {
        let hash = self.hasher.finalize();
        self.file.write_all(&hash.as_bytes()[..CHECKSUM]).map_err(|source| self.failed(source))?;
        self.file.finish()
    }

    fn failed(&self, source: std::io::Error) -> Error {
        Error::Write { path: self.path.clone(), source }
    }
}

/// Reads such a file.
#[derive(Debug)]
pub struct Rows {
    path: String,
    kind: Kind,
    file: BufReader<File>,
    hasher: blake3::Hasher,
    /// Bytes of rows that are not read yet.
    left: u64,
}

impl Rows {
    /// Opens a file with rows of `row` bytes and reads its head; `None` if there is no file.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] for a file of another kind or version, or a damaged one; [`Error::Read`].
    pub fn open<H: DeserializeOwned>(kind: Kind, row: usize, path: &Path) -> Result<Option<(H, Self)>> {
        let (found, path) = (disk::open(path), &*shown(path));
        let read = |source| Error::Read { path: path.to_owned(), source };
        let file = match found {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found => found.map_err(read)?,
        };
        let length = file.metadata().map_err(read)?.len();
        let mut file = BufReader::with_capacity(1 << 17, file);
        let mut before = [0; BEFORE_HEAD];
        if length < BEFORE_HEAD as u64 {
            return Err(kind.foreign(path));
        }
        file.read_exact(&mut before).map_err(read)?;
        if !before.starts_with(&kind.magic) {
            return Err(kind.foreign(path));
        }
        let (fours, _) = before.as_chunks::<4>();
        let [found, head] = [2, 3].map(|at| u32::from_le_bytes(fours[at]));
        if found != kind.version {
            let Kind { name, version, .. } = kind;
            let what = format!(
                "is a {name} of version {found}, and this program reads version {version}; use the program that wrote \
                 it, or name another file"
            );
            return Err(Error::Saved { path: path.to_owned(), what });
        }
        let rows = length.checked_sub(BEFORE_HEAD as u64 + u64::from(head) + CHECKSUM as u64);
        let rows = rows.filter(|bytes| u64::from(head) <= MAX_HEAD && bytes.is_multiple_of(row as u64));
        let Some(left) = rows else { return Err(kind.damaged(path, "is truncated")) };
        let mut json = vec![0; head as usize];
        file.read_exact(&mut json).map_err(read)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(&before).update(&json);
        let head = serde_json::from_slice(&json).map_err(|_| kind.damaged(path, "is damaged"))?;
        Ok(Some((head, Self { path: path.to_owned(), kind, file, hasher, left })))
    }

    /// Checks that there are so many bytes of rows.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if there are more or fewer.
    pub fn expect(&self, bytes: u64) -> Result<()> {
        if self.left == bytes {
            Ok(())
        } else {
            Err(self.kind.damaged(&self.path, "is damaged: its lengths do not match"))
        }
    }

    /// The next row of `N` bytes; `None` behind the last.
    ///
    /// # Errors
    ///
    /// [`Error::Read`].
    pub fn next_row<const N: usize>(&mut self) -> Result<Option<[u8; N]>> {
        let Some(left) = self.left.checked_sub(N as u64) else { return Ok(None) };
        let mut row = [0; N];
        self.file.read_exact(&mut row).map_err(|source| Error::Read { path: self.path.clone(), source })?;
        self.hasher.update(&row);
        self.left = left;
        Ok(Some(row))
    }

    /// Checks the sum of all bytes, once all rows have been read.
    ///
    /// # Errors
    ///
    /// [`Error::Saved`] if it is another; [`Error::Read`].
    pub fn check(mut self) -> Result<()> {
        let mut stated = [0; CHECKSUM];
        self.file.read_exact(&mut stated).map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if self.left > 0 || self.hasher.finalize().as_bytes()[..CHECKSUM] != stated {
            return Err(self.kind.damaged(&self.path, "is damaged: its checksum does not match"));
        }
        Ok(())
    }
}
