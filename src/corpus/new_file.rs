//! A file that appears when it is complete.
//!
//! It is written as `.dedup-NAME` in the same folder, sent to the disk, and renamed:
//! whoever looks sees the old file or the new one. The unfinished file is locked, so that
//! two runs never write one. It is removed if the work ends before; what a killed run has
//! left the next one takes over.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result, shown};
use crate::{disk, place};

/// A file in the making.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    // Stands before the file: it is removed while it is locked.
    unfinished: Unfinished,
    file: BufWriter<File>,
}

/// A file that is removed unless it was put in its place.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl NewFile {
    /// Begins a file that will stand at this path, in place of any that does now.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if no file can stand there, [`Error::Write`] if none can be made
    /// beside it, [`Error::Locked`] if another run is at it.
    pub fn create(path: &Path) -> Result<Self> {
        let target = place::target(path)?;
        let failed = |source| Error::Write { path: shown(path), source };
        let unfinished = Self::unfinished(&target);
        loop {
            let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
            let file = options.open(&unfinished).map_err(failed)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Err(Error::Locked { path: shown(path) }),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                // Another run has just finished it.
                Ok(()) if !place::is_at(&file, &unfinished) => {}
                Ok(()) => {
                    file.set_len(0).map_err(failed)?;
                    let file = BufWriter::with_capacity(1 << 17, file);
                    return Ok(Self { path: target, unfinished: Unfinished(unfinished), file });
                }
            }
        }
    }

    /// What stands beside a path while its file is in the making.
    pub fn unfinished(path: &Path) -> PathBuf {
        place::beside(path, ".dedup-", "")
    }

    /// The file itself, and what stands beside it while it is in the making: neither is
    /// to be read by the run that writes it.
    pub fn written(path: &Path) -> [PathBuf; 2] {
        // What cannot be written over is told when it is created.
        let target = place::target(path).unwrap_or_else(|_| path.to_owned());
        [path.to_owned(), Self::unfinished(&target)]
    }

    /// Waits until the disk has what was written, so that finishing takes no time.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn sync(&mut self) -> Result<()> {
        let sync = self.file.flush().and_then(|()| disk::sync(self.file.get_ref()));
        sync.map_err(|source| Error::Write { path: shown(&self.path), source })
    }

    /// Puts the complete file in its place.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; what stood there before still stands.
    pub fn finish(self) -> Result<()> {
        let Self { path, mut unfinished, file } = self;
        let finish = || -> io::Result<()> {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            disk::sync(&file)?;
            disk::rename(&unfinished.0, &path)?;
            // Another run may have begun its own.
            unfinished.0.clear();
            disk::sync_folder(place::folder(&path))
        };
        finish().map_err(|source| Error::Write { path: shown(&path), source })
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // What remains is written over by the next run.
            let _ = fs::remove_file(&self.0);
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut new = NewFile::create(&path).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        new.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::write(NewFile::unfinished(&path), "of a killed run").unwrap();
        let first = NewFile::create(&path).unwrap();
        assert!(NewFile::create(&path).unwrap_err().to_string().contains("another run is writing it"));
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(NewFile::create(folder.path()).unwrap_err().to_string().contains("is a folder"));
    }
    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let mut new = NewFile::create(&link).unwrap();
        new.write_all(b"new").unwrap();
        new.finish().unwrap();
        assert!(link.is_symlink() && fs::read(&file).unwrap() == b"new");
        let refused = NewFile::create(Path::new("/dev/null")).unwrap_err();
        assert!(refused.to_string().contains("is a device or a pipe"), "{refused}");
    }
}
