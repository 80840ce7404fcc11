//! A folder that appears when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::corpus::NewFile;
use crate::error::{Error, Result, shown};
use crate::{disk, place};

/// A folder in the making, which is removed unless it is finished.
pub(super) struct NewFolder {
    path: PathBuf,
    /// Empty: it is in its place.
    unfinished: PathBuf,
}

impl NewFolder {
    /// Begins anew, whatever a killed run has left.
    pub(super) fn new(path: &Path) -> Result<Self> {
        let unfinished = NewFile::unfinished(path);
        let begin = || {
            match fs::remove_dir_all(&unfinished) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
            fs::create_dir_all(&unfinished)
        };
        begin().map_err(|source| Error::Write { path: shown(&unfinished), source })?;
        Ok(Self { path: path.to_owned(), unfinished })
    }

    /// Where its files go for now.
    pub(super) fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Waits until the disk has every file in it.
    pub(super) fn sync(&self) -> Result<()> {
        disk::sync_below(&self.unfinished).map_err(|source| Error::Write { path: shown(&self.path), source })
    }

    /// Puts the complete folder in its place.
    pub(super) fn finish(mut self) -> Result<()> {
        let unfinished = std::mem::take(&mut self.unfinished);
        let finish = || {
            // An empty folder gives way.
            disk::rename(&unfinished, &self.path)?;
            disk::sync_folder(place::folder(&self.path))
        };
        finish().map_err(|source| Error::Write { path: shown(&self.path), source })
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if !self.unfinished.as_os_str().is_empty() {
            // What remains is thrown away by the next run.
            let _ = fs::remove_dir_all(&self.unfinished);
        }
    }
}
