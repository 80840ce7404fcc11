//! Durable file operations: the result of a call is on disk when the call returns.
//!
//! A file's content is on disk once the file was synced, and its name once its folder was synced.
//! Everything that must survive a crash goes through this module, so that tests can simulate a
//! power loss at every step.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::durable::paths;
use crate::error::{Error, Result, shown};

#[cfg(test)]
use super::power;

/// Waits until a file's content is on disk; its name may still be lost.
pub(crate) fn sync(file: &File) -> io::Result<()> {
    before();
    file.sync_all()?;
    #[cfg(test)]
    power::synced(file);
    Ok(())
}

/// Renames a file, replacing any file of the new name.
pub(crate) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    before();
    fs::rename(from, to)
}

/// Puts the folder `from` in place of the folder `to`, and returns the new path of the old folder. On Linux the exchange
/// is atomic where the file system supports it. Otherwise `to` is missing for a moment; a power loss at that moment
/// leaves the old folder under its new name.
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

/// Waits until the names in a folder are on disk.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    before();
    #[cfg(test)]
    power::confirms()?;
    // Elsewhere a folder cannot be opened, so the durability of its names is left to the system.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    #[cfg(test)]
    power::synced_folder(folder);
    Ok(())
}

/// Waits until the name of a file that was just renamed is on disk.
///
/// # Errors
///
/// [`Error::Unsynced`]: the file exists, but a power loss may undo the change.
pub(crate) fn sync_names(path: &Path) -> Result<()> {
    sync_folder(paths::folder(path)).map_err(|source| Error::Unsynced { path: shown(path), source })
}

/// Waits until all files below a folder, and their names, are on disk. On Linux it syncs the whole file
/// system in one call: syncing a million small files one by one would be slow.
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
            // Some systems sync only files that are open for writing.
            sync(&fs::OpenOptions::new().write(true).open(&path)?)?;
        }
    }
    sync_folder(folder)
}

/// A simulated power failure may happen here.
fn before() {
    #[cfg(test)]
    power::may_fail();
}
