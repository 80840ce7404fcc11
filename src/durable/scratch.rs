//! Temporary folders that outlive no run: those of killed runs are removed by the next one.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::lock::{self, Attempt};
use super::paths;
use crate::error::{Error, Result, shown};

/// A temporary folder, removed when it is dropped. A locked file in it marks it as in use.
#[derive(Debug)]
pub struct Scratch {
    /// Its path.
    pub folder: PathBuf,
    /// The process that made it: a fork of it drops its copy while the folder is still in use.
    process: u32,
    _lock: File,
}

/// The folder of temporary files; none in a browser, which has no files.
pub fn parent() -> PathBuf {
    if crate::IN_BROWSER { PathBuf::new() } else { std::env::temp_dir() }
}

/// Prefix of the name of a scratch folder.
const SCRATCH: &str = "dedup-scratch-";

/// Prefix until the folder is locked: without a lock it looks like one that a killed run left.
const BEGUN: &str = "dedup-begun-";

/// Most names tried: random ones collide only if two runs begin at the same moment.
const MAX_TRIES: usize = 100;

impl Scratch {
    /// Makes a scratch folder, and removes those beside it that killed runs left.
    ///
    /// # Errors
    ///
    /// [`Error::Write`], with the folder's parent, or a path in it if that does not exist.
    pub fn new(parent: &Path) -> Result<Self> {
        let made = Self::make(parent).map_err(|source| match source.kind() {
            // It is the folder itself that is not there.
            io::ErrorKind::NotFound => {
                Error::Write { path: shown(&parent.join(SCRATCH.trim_end_matches('-'))), source }
            }
            _ => Error::Write { path: shown(parent), source },
        })?;
        made.sweep(parent);
        Ok(made)
    }

    fn make(parent: &Path) -> io::Result<Self> {
        use io::ErrorKind::{AlreadyExists, DirectoryNotEmpty};
        for _ in 1..MAX_TRIES {
            match Self::try_name(parent) {
                // Another run drew the same name. Its folder is no longer called "begun", so it was not met.
                Err(error) if matches!(error.kind(), AlreadyExists | DirectoryNotEmpty) => {}
                made => return made,
            }
        }
        Self::try_name(parent)
    }

    /// Makes a folder of a random name, which fails if another run has that name.
    fn try_name(parent: &Path) -> io::Result<Self> {
        let begun = paths::temporary(0o700).prefix(BEGUN).tempdir_in(parent)?;
        let lock = File::create(begun.path().join("lock"))?;
        // Without locks, the sweep of another run cannot lock it either, and leaves it alone.
        lock::attempt_unnoted(&lock)?;
        let name = begun.path().file_name().unwrap_or_default().to_string_lossy().replace(BEGUN, SCRATCH);
        let folder = parent.join(name);
        std::fs::rename(begun.path(), &folder)?;
        // The folder was renamed, so dropping `begun` must not remove it.
        let _ = begun.keep();
        Ok(Self { folder, process: std::process::id(), _lock: lock })
    }

    /// Removes the folders that killed runs of this user left: their locks are free.
    ///
    /// Other users may write to the temporary folder too, so a folder that merely has such a
    /// name is left alone. Opening a pipe named `lock` would block for ever.
    fn sweep(&self, parent: &Path) {
        let Ok(own) = self.folder.metadata() else { return };
        let is_own = |folder: &Metadata| paths::is_of_same_owner(folder, &own);
        let folders = std::fs::read_dir(parent).into_iter().flatten().flatten();
        for folder in folders.filter(|folder| folder.file_name().to_string_lossy().starts_with(SCRATCH)) {
            let path = folder.path().join("lock");
            let is_one = folder.metadata().is_ok_and(|folder| folder.is_dir() && is_own(&folder))
                && std::fs::symlink_metadata(&path).is_ok_and(|lock| lock.is_file());
            let is_free = |lock: File| matches!(lock::attempt_unnoted(&lock), Ok(Attempt::Locked));
            if is_one && File::open(path).is_ok_and(is_free) {
                // The next run retries what could not be removed.
                let _ = std::fs::remove_dir_all(folder.path());
            }
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.process == std::process::id() {
            // The next run removes what remains.
            let _ = std::fs::remove_dir_all(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a folder with this name and a free lock, as a killed run leaves one.
    fn left(parent: &Path, name: &str) -> PathBuf {
        let left = parent.join(name);
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join("lock"), "").unwrap();
        left
    }

    #[test]
    fn what_killed_runs_have_left_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let used = Scratch::new(parent.path()).unwrap();
        // A folder that is not locked yet belongs to a starting run, not to a killed one.
        let begun = left(parent.path(), "dedup-begun-x");
        #[cfg(unix)]
        assert_eq!(std::os::unix::fs::MetadataExt::mode(&used.folder.metadata().unwrap()) & 0o777, 0o700);
        let left = left(parent.path(), "dedup-scratch-left");
        let other = Scratch::new(parent.path()).unwrap();
        assert!(used.folder.exists() && other.folder.exists() && begun.exists() && !left.exists());
        drop((used, other));
        assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 1, "each removes its own");
    }

    /// Runs that begin at one moment draw the same names.
    #[test]
    fn a_name_that_another_run_has_is_not_taken_again() {
        let parent = tempfile::tempdir().unwrap();
        let begin = || {
            fastrand::seed(7);
            Scratch::new(parent.path()).unwrap()
        };
        let (one, other) = (begin(), begin());
        assert!(one.folder != other.folder && one.folder.exists() && other.folder.exists());
    }

    #[cfg(unix)]
    #[test]
    fn what_only_looks_like_it_is_left_alone() {
        let parent = tempfile::tempdir().unwrap();
        let mine = left(parent.path(), "mine");
        std::os::unix::fs::symlink(&mine, parent.path().join("dedup-scratch-link")).unwrap();
        let pipe = parent.path().join("dedup-scratch-pipe");
        std::fs::create_dir(&pipe).unwrap();
        let made = std::process::Command::new("mkfifo").arg(pipe.join("lock")).status().unwrap();
        assert!(made.success());
        let foreign = left(parent.path(), "dedup-scratch-foreign");
        // Only a user who may change owners can test this.
        let is_given = std::os::unix::fs::chown(&foreign, Some(65534), None).is_ok();
        drop(Scratch::new(parent.path()).unwrap());
        assert!(mine.exists() && pipe.exists() && (foreign.exists() || !is_given));
    }
}
