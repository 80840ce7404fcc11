//! Bytes of a file, a pipe or standard input.
//!
//! Regular files of [`MAP_FROM`] bytes or more are memory-mapped: the system can drop their
//! pages and read them again, so a text may be larger than the memory. Smaller files, pipes and
//! standard input are read.
//!
//! A mapped file must not change while it is read: if another program truncates it, the
//! system ends this one with SIGBUS. Programs that write a new file and rename it over the
//! old one are safe.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::{Path, PathBuf};

use nearcopy::Result;
use nearcopy::memory::Map;

use crate::interruptible::Stop;
use crate::remote;

/// Minimum size in bytes of a regular file that is mapped, not read.
pub const MAP_FROM: u64 = 1 << 20;

/// The bytes of one document.
#[derive(Debug)]
pub struct Source(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    Mapped(Map),
}

/// A file's name as displayed and used in ids. Bytes that are not valid UTF-8, and control
/// characters, are written as `\xE9`, so different files have different names. A password in an address is left out.
pub fn name(path: &Path) -> String {
    remote::without_password(nearcopy::error::shown(path))
}

/// The path of the file with such a name.
pub fn path(name: &str) -> PathBuf {
    let bytes = nearcopy::error::unshown(name);
    #[cfg(unix)]
    return PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(bytes));
    // On other systems nearly all names are Unicode.
    #[cfg(not(unix))]
    return PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
}

/// True if a path names a folder, or a prefix elsewhere.
pub fn is_folder(path: &Path) -> bool {
    // An address that cannot be asked about is reported when it is read.
    if remote::is_address(path) { remote::is_folder(path).unwrap_or(false) } else { path.is_dir() }
}

/// True if a path names a regular file, or an object or an address elsewhere.
pub fn is_file(path: &Path) -> bool {
    if remote::is_address(path) { !is_folder(path) } else { path.is_file() }
}

impl Source {
    /// Opens a file by its name, or standard input by the name `-`.
    ///
    /// A large file must not change while its bytes are in use; see the module's
    /// documentation.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Folder`] or [`nearcopy::Error::Read`].
    pub fn open(path: &Path) -> Result<Self> {
        let name = || name(path);
        let error = |source| nearcopy::Error::Read { path: name(), source };
        if path == Path::new("-") {
            return read(io::stdin().lock()).map_err(error);
        }
        if remote::is_address(path) {
            return remote::open(path, Stop::default()).and_then(|opened| read(opened.from)).map_err(error);
        }
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.is_dir() {
            return Err(nearcopy::Error::Folder { path: name() });
        }
        if metadata.is_file() && metadata.len() >= MAP_FROM { map(&file) } else { read(file) }.map_err(error)
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Bytes::Read(bytes))
    }
}

fn read(mut from: impl Read) -> io::Result<Source> {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes)?;
    Ok(Source(Bytes::Read(bytes)))
}

fn map(file: &File) -> io::Result<Source> {
    #[expect(unsafe_code, reason = "a file's pages stand in for memory")]
    // SAFETY: the map is read-only and private to this process. One risk remains: if
    // another program writes to the file meanwhile, the bytes change under a reference,
    // which Rust forbids and nothing here can prevent.
    let map = unsafe { memmap2::Mmap::map(file)? };
    #[cfg(unix)]
    // Only advice: a kernel that ignores it reads a little slower.
    let _ = map.advise(memmap2::Advice::Sequential);
    Ok(Source(Bytes::Mapped(Map::new(map))))
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(map) => map,
        }
    }
}
