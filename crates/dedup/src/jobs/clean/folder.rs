//! A folder that appears when it is complete.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use nearcopy::Result;
use nearcopy::durable::lacks::{self, Ability};
use nearcopy::durable::lock::{self, Attempt};
use nearcopy::durable::place::appeared;
use nearcopy::durable::{disk, paths};
use nearcopy::error::shown;

/// A folder that is being written, and is removed unless it is finished.
#[derive(Debug)]
pub(in crate::jobs) struct NewFolder {
    path: PathBuf,
    /// The temporary path; empty once the folder is in its place.
    unfinished: PathBuf,
    /// Hashes of the paths in the folder that it replaces; `None` if it replaces none.
    found: Option<HashSet<u64>>,
    /// The locked folder, which another run must not take for one that a killed run has left: the list beside it is in
    /// its place, and no longer locked, before the folder is.
    _lock: Option<fs::File>,
}

/// Locks a folder; `None` if it is locked, or the system has no such locks.
fn locked(folder: &Path) -> Option<fs::File> {
    let folder = fs::File::open(folder).ok()?;
    matches!(lock::attempt_unnoted(&folder), Ok(Attempt::Locked)).then_some(folder)
}

/// Hashes of all paths below a folder that is to be replaced: a file that has appeared there would be lost with it.
fn paths_below(folder: &Path) -> io::Result<HashSet<u64>> {
    let (mut found, mut folders) = (HashSet::new(), vec![folder.to_owned()]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let entry = entry?;
            let hash = blake3::hash(entry.path().as_os_str().as_encoded_bytes());
            found.insert(u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("32 bytes")));
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(found)
}

impl NewFolder {
    /// Begins a folder, and removes what killed runs left of it. If `replaces`, it
    /// replaces the files that are in its place now.
    pub(in crate::jobs) fn new(path: &Path, replaces: bool) -> Result<Self> {
        let replaces = replaces && path.is_dir() && !paths::is_empty_folder(path);
        let found = replaces.then(|| paths_below(path)).transpose();
        // Other users cannot enter it before it has the mode of the folder that it replaces.
        let mode = if path.exists() { 0o700 } else { 0o777 };
        let begin = || -> io::Result<Self> {
            let found = found?;
            let begun = paths::temporary(mode).prefix(&paths::prefix(path)).tempdir_in(paths::folder(path))?;
            let unfinished = begun.keep();
            let new = Self { path: path.to_owned(), found, _lock: locked(&unfinished), unfinished };
            // Without locks, another run may be writing it.
            if lacks::has_missed(Ability::Lock) {
                return Ok(new);
            }
            let own = fs::metadata(&new.unfinished)?;
            for entry in paths::temporaries(path, &own).filter(|left| left.path() != new.unfinished) {
                if entry.file_type()?.is_dir() && locked(&entry.path()).is_some() {
                    fs::remove_dir_all(entry.path())?;
                }
            }
            Ok(new)
        };
        begin().map_err(|source| nearcopy::Error::Write { path: shown(path), source })
    }

    /// The temporary path, to which its files are written.
    pub(in crate::jobs) fn unfinished(&self) -> &Path {
        &self.unfinished
    }

    /// Syncs every file in it to disk.
    pub(in crate::jobs) fn sync(&self) -> Result<()> {
        disk::sync_below(&self.unfinished).map_err(|source| nearcopy::Error::Write { path: shown(&self.path), source })
    }

    /// Renames the complete folder to its final path.
    pub(in crate::jobs) fn finish(mut self) -> Result<()> {
        let unfinished = std::mem::take(&mut self.unfinished);
        let finish = || {
            // Outside Unix a folder cannot be opened and has no mode.
            if cfg!(unix) {
                paths::keep_mode(&fs::File::open(&unfinished)?, &self.path)?;
            }
            // A rename replaces an empty folder, but no files.
            if let Some(known) = self.found.as_ref().filter(|_| self.path.is_dir()) {
                if !paths_below(&self.path)?.is_subset(known) {
                    return Err(ErrorKind::AlreadyExists.into());
                }
                disk::exchange(&unfinished, &self.path).map(Some)
            } else {
                disk::rename(&unfinished, &self.path).map(|()| None)
            }
        };
        let replaced = match finish() {
            Ok(replaced) => replaced,
            Err(error) => {
                self.unfinished = unfinished;
                let is_taken = [ErrorKind::AlreadyExists, ErrorKind::DirectoryNotEmpty, ErrorKind::NotADirectory];
                let name = shown(&self.path);
                return Err(if is_taken.contains(&error.kind()) {
                    appeared(&name)
                } else {
                    nearcopy::Error::Write { path: name, source: error }
                });
            }
        };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_being_written_is_no_remainder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let left = paths::temporary(0o700).prefix(&paths::prefix(&path)).tempdir_in(folder.path()).unwrap().keep();
        let first = NewFolder::new(&path, false).unwrap();
        assert!(!left.exists(), "a killed run left it");
        fs::write(first.unfinished().join("a"), "of the first").unwrap();
        let second = NewFolder::new(&path, false).unwrap();
        fs::write(second.unfinished().join("a"), "of the second").unwrap();
        first.finish().unwrap();
        assert!(second.finish().unwrap_err().to_string().contains("has appeared during the run"));
        assert_eq!(fs::read_to_string(path.join("a")).unwrap(), "of the first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
