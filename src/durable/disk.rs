//! Writing that lasts: what is on the disk when a call returns, whatever happens next.
//!
//! A file is on the disk once it was synced, and its name once its folder was. All that must
//! survive a crash goes through here, so that the tests can take the power away at every step.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::durable::paths;
use crate::error::{Error, Result, shown};

#[cfg(test)]
use super::power;

/// Waits until the disk has a file's content; its name may still be lost.
pub(crate) fn sync(file: &File) -> io::Result<()> {
    before();
    file.sync_all()?;
    #[cfg(test)]
    power::synced(file);
    Ok(())
}

/// Gives a file another name, in the place of any that has it.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    before();
    fs::rename(from, to)
}

/// Puts a folder in the place of another, and returns where that one is then. On Linux at once, where the file system
/// can; else there is none for a moment, and the old one keeps its new name if the power fails then.
pub(crate) fn exchange(from: &Path, to: &Path) -> io::Result<PathBuf> {
    before();
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, from, CWD, to, RenameFlags::EXCHANGE).is_ok() {
            return Ok(from.to_owned());
        }
    }
    let old = paths::beside(from, "", ".old");
    fs::rename(to, &old)?;
    fs::rename(from, to).or_else(|error| fs::rename(&old, to).and(Err(error)))?;
    Ok(old)
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    before();
    fs::remove_file(path)
}

/// Waits until the disk has the names in a folder.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    before();
    #[cfg(test)]
    power::confirms()?;
    // Elsewhere a folder cannot be opened, and renaming is the system's matter.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    #[cfg(test)]
    power::synced_folder(folder);
    Ok(())
}

/// Waits until the disk has the name of a file that has just taken its place.
///
/// # Errors
///
/// [`Error::Unsynced`]: the file is there, but may be lost.
pub(crate) fn sync_names(path: &Path) -> Result<()> {
    sync_folder(paths::folder(path)).map_err(|source| Error::Unsynced { path: shown(path), source })
}

/// Waits until the disk has all files below a folder, and their names. Where it can, the whole file
/// system at once: a million small files would wait for the disk one by one.
pub(crate) fn sync_below(folder: &Path) -> io::Result<()> {
    before();
    #[cfg(target_os = "linux")]
    rustix::fs::syncfs(File::open(folder)?)?;
    #[cfg(not(target_os = "linux"))]
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync_below(&path)?;
        } else {
            // Some systems ask for the right to write.
            sync(&fs::OpenOptions::new().write(true).open(&path)?)?;
        }
    }
    sync_folder(folder)
}

/// A moment at which the power may fail.
fn before() {
    #[cfg(test)]
    power::may_fail();
}
