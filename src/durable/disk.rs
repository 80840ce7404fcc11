//! Durable file operations: the result of a call is on disk when the call returns.
//!
//! A file's content is on disk once the file was synced, and its name once its folder was synced.
//! Everything that must survive a crash goes through this module, so that tests can simulate a
//! power loss and a fault at every step. A file system that cannot sync is noted ([`lacks`]), and
//! the work goes on.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::lacks::{self, Ability, is_unsupported};
pub use super::step::Step;
#[cfg(any(test, feature = "faults"))]
use super::{faults, power};
use crate::durable::paths;
use crate::error::{Error, Result, shown};

/// A fault may happen here on purpose, or a simulated power failure.
#[cfg_attr(not(any(test, feature = "faults")), expect(clippy::unnecessary_wraps, reason = "in tests it may fail"))]
pub(super) fn before(step: Step) -> io::Result<()> {
    #[cfg(any(test, feature = "faults"))]
    {
        if !matches!(step, Step::Read | Step::Write | Step::Lock) {
            power::may_fail();
        }
        faults::may(step)?;
    }
    let _ = step;
    Ok(())
}

/// An open file whose reads and writes can fail on purpose in tests.
#[derive(Debug)]
pub struct Stored(pub File);

impl Write for Stored {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        before(Step::Write)?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Read for Stored {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        before(Step::Read)?;
        self.0.read(bytes)
    }
}

impl Seek for Stored {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Reads a file as a whole.
///
/// # Errors
///
/// Those of the system.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    before(Step::Read)?;
    fs::read(path)
}

/// Opens a file for reading.
///
/// # Errors
///
/// Those of the system.
pub fn open(path: &Path) -> io::Result<File> {
    before(Step::Read)?;
    File::open(path)
}

/// True if a path is a regular file that begins with these bytes.
pub fn begins_with<const N: usize>(path: &Path, magic: [u8; N]) -> bool {
    let mut head = [0; N];
    path.is_file() && open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok()) && head == magic
}

/// Waits until a file's content is on disk; its name may still be lost.
///
/// # Errors
///
/// Those of the system.
pub fn sync(file: &File, path: &Path) -> io::Result<()> {
    before(Step::Sync).and_then(|()| file.sync_all()).or_else(|error| unless_unsupported(error, path))?;
    #[cfg(any(test, feature = "faults"))]
    power::synced(file);
    Ok(())
}

/// Renames a file, replacing any file of the new name.
///
/// # Errors
///
/// Those of the system.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    before(Step::Rename)?;
    fs::rename(from, to)
}

/// Renames a file to a name that must be free.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`]: it is not.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renamed(Step::RenameNew, from, to) {
        Err(error) if is_unsupported(&error) => {}
        done => return done,
    }
    match before(Step::Link).and_then(|()| fs::hard_link(from, to)) {
        Ok(()) => return remove(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        // Without links nothing but a look is left.
        Err(_) if fs::symlink_metadata(to).is_ok() => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => {}
    }
    rename(from, to)
}

/// Renames a file over another, which is kept; returns the path of the replaced file.
///
/// # Errors
///
/// Those of the system.
pub fn rename_keeping(from: &Path, to: &Path) -> io::Result<PathBuf> {
    match renamed(Step::Exchange, from, to) {
        Ok(()) => return Ok(from.to_owned()),
        Err(error) if is_unsupported(&error) => {}
        Err(error) => return Err(error),
    }
    let old = paths::beside(from, "", ".old");
    if before(Step::Link).and_then(|()| fs::hard_link(to, &old)).is_err() {
        // Without links it is copied: it is a list or an empty file.
        fs::copy(to, &old)?;
        let modified = fs::metadata(to)?.modified()?;
        File::options().write(true).open(&old)?.set_modified(modified)?;
    }
    rename(from, to).map(|()| old)
}

/// Renames by `RENAME_NOREPLACE` or `RENAME_EXCHANGE`.
fn renamed(step: Step, from: &Path, to: &Path) -> io::Result<()> {
    before(step)?;
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let flags = if step == Step::Exchange { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        Ok(renameat_with(CWD, from, CWD, to, flags)?)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (from, to);
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Puts the folder `from` in place of the folder `to`, and returns the new path of the old folder. On Linux the exchange
/// is atomic where the file system supports it. Otherwise `to` is missing for a moment; a power loss at that moment
/// leaves the old folder under its new name.
///
/// # Errors
///
/// Those of the system.
pub fn exchange(from: &Path, to: &Path) -> io::Result<PathBuf> {
    match renamed(Step::Exchange, from, to) {
        Ok(()) => return Ok(from.to_owned()),
        Err(error) if is_unsupported(&error) => {}
        Err(error) => return Err(error),
    }
    let old = paths::beside(from, "", ".old");
    rename(to, &old)?;
    rename(from, to).or_else(|error| fs::rename(&old, to).and(Err(error)))?;
    Ok(old)
}

/// Removes a file.
///
/// # Errors
///
/// Those of the system.
pub fn remove(path: &Path) -> io::Result<()> {
    before(Step::Remove)?;
    fs::remove_file(path)
}

/// Waits until the names in a folder are on disk.
///
/// # Errors
///
/// Those of the system.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(any(test, feature = "faults"))]
    power::confirms()?;
    let sync = || {
        before(Step::SyncFolder)?;
        // Elsewhere a folder cannot be opened, so the durability of its names is left to the system.
        if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
    };
    sync().or_else(|error| unless_unsupported(error, folder))?;
    #[cfg(any(test, feature = "faults"))]
    power::synced_folder(folder);
    Ok(())
}

/// Notes a file system that does not sync; any other error remains one.
fn unless_unsupported(error: io::Error, path: &Path) -> io::Result<()> {
    if !is_unsupported(&error) {
        return Err(error);
    }
    lacks::note(Ability::Sync, path);
    Ok(())
}

/// Waits until the name of a file that was just renamed is on disk.
///
/// # Errors
///
/// [`Error::Unsynced`]: the file exists, but a power loss may undo the change.
pub fn sync_names(path: &Path) -> Result<()> {
    sync_folder(paths::folder(path)).map_err(|source| Error::Unsynced { path: shown(path), source })
}

/// Waits until all files below a folder, and their names, are on disk. On Linux it syncs the whole file
/// system in one call: syncing a million small files one by one would be slow.
///
/// # Errors
///
/// Those of the system.
pub fn sync_below(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        let sync = || {
            before(Step::Sync)?;
            Ok(rustix::fs::syncfs(File::open(folder)?)?)
        };
        sync().or_else(|error| unless_unsupported(error, folder))?;
    }
    #[cfg(not(target_os = "linux"))]
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sync_below(&path)?;
        } else {
            // Some systems sync only files that are open for writing.
            sync(&fs::OpenOptions::new().write(true).open(&path)?, &path)?;
        }
    }
    sync_folder(folder)
}
