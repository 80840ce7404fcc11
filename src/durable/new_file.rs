//! Atomic replacement of an output file.
//!
//! The file is written as `.dedup-NAME.RANDOM` in the same folder, synced, and renamed: readers see
//! the old file or the complete new one. The temporary file is created exclusively, so no link
//! planted under its name is followed. It is locked while being written: a second run with the same
//! output refuses to start, and removes temporary files that a killed run has left unlocked.
//!
//! The new file takes the mode of the file that it replaces, or else the mode that the umask allows.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};

/// An output file that is not yet complete.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    // Declared before `file`: it is removed while still locked.
    unfinished: Unfinished,
    file: BufWriter<File>,
    /// True if only its owner may read it, whatever the mode of the replaced file.
    is_private: bool,
}

/// A temporary file, removed on drop unless it was renamed.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl NewFile {
    /// Begins a file that will replace any file at this path.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if the path is a folder, a device or a pipe; [`Error::Write`] if no file
    /// can be created beside it; [`Error::Locked`] if another run is writing it.
    pub fn create(path: &Path) -> Result<Self> {
        Self::new(path, false)
    }

    /// Like [`create`](Self::create), but only the owner may read the file.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn private(path: &Path) -> Result<Self> {
        Self::new(path, true)
    }

    fn new(path: &Path, is_private: bool) -> Result<Self> {
        let target = paths::target(path)?;
        let failed = |source| Error::Write { path: shown(path), source };
        // The old file may be private: the new one is private until it takes the old mode.
        let mode = if is_private || target.exists() { 0o600 } else { 0o666 };
        loop {
            let prefix = paths::prefix(&target);
            let new = paths::temporary(mode).prefix(&prefix).tempfile_in(paths::folder(&target)).map_err(failed)?;
            let (file, unfinished) = new.keep().map_err(|error| failed(error.error))?;
            let unfinished = Unfinished(unfinished);
            match file.try_lock() {
                // Another run is about to remove the file, or has removed it, as it was not locked yet.
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(failed(error)),
                Ok(()) if !paths::is_at(&file, &unfinished.0) => {}
                Ok(()) => {
                    let file = BufWriter::with_capacity(1 << 17, file);
                    let begun = Self { path: target, unfinished, file, is_private };
                    return if begun.is_alone().map_err(failed)? {
                        Ok(begun)
                    } else {
                        Err(Error::Locked { path: shown(path) })
                    };
                }
            }
        }
    }

    /// Removes temporary files that killed runs have left; false if another run is writing this output.
    fn is_alone(&self) -> io::Result<bool> {
        let own = self.file.get_ref().metadata()?;
        for entry in paths::temporaries(&self.path, &own) {
            // Files are compared by identity, not by name: one folder can have several paths.
            if paths::is_at(self.file.get_ref(), &entry.path()) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let Ok(other) = OpenOptions::new().read(true).open(entry.path()) else { continue };
            match other.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(false),
                Err(TryLockError::Error(_)) => {}
                // A file that cannot be removed is left to the next run.
                Ok(()) => drop(fs::remove_file(entry.path())),
            }
        }
        Ok(true)
    }

    /// Waits until everything written so far is on disk, so that finishing is fast.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn sync(&mut self) -> Result<()> {
        let sync = self.file.flush().and_then(|()| disk::sync(self.file.get_ref()));
        sync.map_err(|source| Error::Write { path: shown(&self.path), source })
    }

    /// Renames the complete file to its final path.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]: the old file is unchanged. [`Error::Unsynced`]: the new file is in place, but
    /// a power loss may undo that.
    pub fn finish(self) -> Result<()> {
        let Self { path, mut unfinished, file, is_private } = self;
        let finish = || -> io::Result<()> {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            if !is_private {
                paths::keep_mode(&file, &path)?;
            }
            disk::sync(&file)?;
            disk::rename(&unfinished.0, &path)?;
            unfinished.0.clear();
            Ok(())
        };
        finish().map_err(|source| Error::Write { path: shown(&path), source })?;
        disk::sync_names(&path)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.0.as_os_str().is_empty() {
            // A file that cannot be removed now is removed by the next run.
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
        fs::write(folder.path().join(".dedup-a.0123abcD"), "of a killed run").unwrap();
        let first = NewFile::create(&path).unwrap();
        assert!(NewFile::create(&path).unwrap_err().to_string().contains("another run is writing it"));
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(NewFile::create(folder.path()).unwrap_err().to_string().contains("is a folder"));
    }

    #[test]
    fn what_only_looks_like_a_temporary_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let others = [".dedup-a", ".dedup-a.", ".dedup-a.0123", ".dedup-b.0123abcD", ".dedup-a.b.0123abcD"];
        for name in others {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        fs::create_dir(folder.path().join(".dedup-a.foldeR12")).unwrap();
        NewFile::create(&folder.path().join("a")).unwrap().finish().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), others.len() + 2);
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_is_kept_and_a_key_is_private() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mode = || fs::metadata(&path).unwrap().mode() & 0o777;
        NewFile::create(&path).unwrap().finish().unwrap();
        fs::write(folder.path().join("usual"), "").unwrap();
        assert_eq!(mode(), fs::metadata(folder.path().join("usual")).unwrap().mode() & 0o777);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let new = NewFile::create(&path).unwrap();
        assert_eq!(fs::metadata(&new.unfinished.0).unwrap().mode() & 0o777, 0o600, "until it has its mode");
        new.finish().unwrap();
        assert_eq!(mode(), 0o640);
        NewFile::private(&path).unwrap().finish().unwrap();
        assert_eq!(mode(), 0o600);
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
