//! A folder that appears when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};

/// A folder that is being written, and is removed unless it is finished.
pub(super) struct NewFolder {
    path: PathBuf,
    /// The temporary path; empty once the folder is in its place.
    unfinished: PathBuf,
}

impl NewFolder {
    /// Begins a folder, and removes what killed runs left of it. No other run may be writing it.
    pub(super) fn new(path: &Path) -> Result<Self> {
        // Other users cannot enter it before it has the mode of the folder that it replaces.
        let mode = if path.exists() { 0o700 } else { 0o777 };
        let begin = || -> io::Result<Self> {
            let begun = paths::temporary(mode).prefix(&paths::prefix(path)).tempdir_in(paths::folder(path))?;
            let new = Self { path: path.to_owned(), unfinished: begun.keep() };
            let own = fs::metadata(&new.unfinished)?;
            for entry in paths::temporaries(path, &own).filter(|left| left.path() != new.unfinished) {
                if entry.file_type()?.is_dir() {
                    fs::remove_dir_all(entry.path())?;
                }
            }
            Ok(new)
        };
        begin().map_err(|source| Error::Write { path: shown(path), source })
    }

    /// The temporary path, to which its files are written.
    pub(super) fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Syncs every file in it to disk.
    pub(super) fn sync(&self) -> Result<()> {
        disk::sync_below(&self.unfinished).map_err(|source| Error::Write { path: shown(&self.path), source })
    }

    /// Renames the complete folder to its final path.
    pub(super) fn finish(mut self) -> Result<()> {
        let unfinished = std::mem::take(&mut self.unfinished);
        let finish = || {
            // Outside Unix a folder cannot be opened and has no mode.
            if cfg!(unix) {
                paths::keep_mode(&fs::File::open(&unfinished)?, &self.path)?;
            }
            // A rename replaces an empty folder.
            if self.path.is_dir() && !paths::is_empty_folder(&self.path) {
                disk::exchange(&unfinished, &self.path).map(Some)
            } else {
                disk::rename(&unfinished, &self.path).map(|()| None)
            }
        };
        let replaced = finish().map_err(|source| Error::Write { path: shown(&self.path), source })?;
        disk::sync_names(&self.path)?;
        if let Some(old) = replaced {
            // The next run removes what remains.
            let _ = fs::remove_dir_all(old);
        }
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.unfinished.as_os_str().is_empty() {
            // The next run removes what remains.
            let _ = fs::remove_dir_all(&self.unfinished);
        }
    }
}
