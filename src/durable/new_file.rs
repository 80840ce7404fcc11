//! Atomic replacement of an output file.
//!
//! The file is written as `.dedup-NAME.RANDOM` in the same folder, synced, and given its name ([`Place`]): readers
//! see the old file or the complete new one. The temporary file is created exclusively, so no link
//! planted under its name is followed. It is locked while being written: a second run with the same
//! output refuses to start, and removes temporary files that a killed run has left unlocked. Of several runs that begin
//! at one moment, the one whose random name is least goes on. A file system without locks lets all of them write; the
//! output is then refused to all but the first that is complete, unless it may replace any file.
//!
//! The new file takes the mode of the file that it replaces, or else the mode that the umask allows.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use crate::durable::disk::Stored;
use crate::durable::lock::{self, Attempt};
use crate::durable::place::{Place, Placed, Replace};
use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};

/// Number of times that the run with the least name looks whether the others have given up, and the time between.
const LOOKS: u32 = 40;
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// An output file that is not yet complete.
#[derive(Debug)]
pub struct NewFile {
    place: Place,
    // Declared before `file`: it is removed while still locked.
    unfinished: Unfinished,
    file: BufWriter<Stored>,
    /// True if only its owner may read it, whatever the mode of the replaced file.
    is_private: bool,
}

/// A temporary file, removed on drop unless it was renamed.
#[derive(Debug)]
struct Unfinished(PathBuf);

/// The other runs that are writing an output.
#[derive(Debug, PartialEq, Eq)]
enum Others {
    None,
    /// All of them have a greater name.
    Greater,
    /// One of them has a lesser name.
    Lesser,
}

impl NewFile {
    /// Begins a file that replaces what is at this path, if it may.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if the path is a folder, a device or a pipe; [`Error::Exists`] if a file is there that may not
    /// be replaced; [`Error::Write`] if no file can be created beside it; [`Error::Locked`] if another run is writing it.
    pub fn create(path: &Path, replace: Replace) -> Result<Self> {
        Self::new(path, replace, false)
    }

    /// Like [`create`](Self::create), but only the owner may read the file.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn private(path: &Path, replace: Replace) -> Result<Self> {
        Self::new(path, replace, true)
    }

    fn new(path: &Path, replace: Replace, is_private: bool) -> Result<Self> {
        let target = paths::target(path)?;
        let failed = |source| Error::Write { path: shown(path), source };
        // The old file may be private: the new one is private until it takes the old mode.
        let mode = if is_private || target.exists() { 0o600 } else { 0o666 };
        loop {
            let prefix = paths::prefix(&target);
            let new = paths::temporary(mode).prefix(&prefix).tempfile_in(paths::folder(&target)).map_err(failed)?;
            let (file, unfinished) = new.keep().map_err(|error| failed(error.error))?;
            let unfinished = Unfinished(unfinished);
            let attempt = lock::attempt(&file, path).map_err(failed)?;
            // Another run is about to remove the file, or has removed it, as it was not locked yet.
            if attempt == Attempt::Busy || !paths::is_at(&file, &unfinished.0) {
                continue;
            }
            // What is there is noted under the lock: a run that held it before has put its output there.
            let wait = |looks: &u32| -> Result<Others> {
                if *looks > 0 {
                    sleep(BETWEEN_LOOKS);
                }
                others(&target, &file, &unfinished.0).map_err(failed)
            };
            let mut looks = (0..LOOKS).map(|looks| wait(&looks));
            let seen = looks.find(|others| !matches!(others, Ok(Others::Greater)));
            if !matches!(seen.transpose()?, Some(Others::None)) {
                return Err(Error::Locked { path: shown(path), by: None });
            }
            drop(looks);
            let place = Place::new(path, replace)?;
            let file = BufWriter::with_capacity(1 << 17, Stored(file));
            return Ok(Self { place, unfinished, file, is_private });
        }
    }

    /// Waits until everything written so far is on disk, so that finishing is fast.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn sync(&mut self) -> Result<()> {
        let sync = self.file.flush().and_then(|()| disk::sync(&self.file.get_ref().0, self.place.path()));
        sync.map_err(|source| Error::Write { path: self.place.name().to_owned(), source })
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    ///
    /// [`Error::Write`], or [`Error::Exists`] if a file has appeared that may not be replaced: what is there is
    /// unchanged. [`Error::Unsynced`]: the new file is in place, but a power loss may undo that.
    pub fn finish(mut self) -> Result<()> {
        self.complete()?;
        self.place.put(&self.unfinished.0)?;
        self.unfinished.0.clear();
        disk::sync_names(self.place.path())
    }

    /// As [`finish`](Self::finish), but it can still be undone.
    ///
    /// # Errors
    ///
    /// As [`finish`](Self::finish); what is there is unchanged then.
    pub fn place(mut self) -> Result<Placed> {
        self.complete()?;
        let placed = self.place.place(&self.unfinished.0)?;
        self.unfinished.0.clear();
        match disk::sync_names(self.place.path()) {
            Ok(()) => Ok(placed),
            Err(error) => {
                // The error that is reported is the first.
                let _ = placed.undo();
                Err(error.of_a_step())
            }
        }
    }

    /// Syncs the file to disk, with its final mode.
    fn complete(&mut self) -> Result<()> {
        let mut complete = || -> io::Result<()> {
            self.file.flush()?;
            let file = &self.file.get_ref().0;
            if !self.is_private {
                paths::keep_mode(file, self.place.path())?;
            }
            disk::sync(file, self.place.path())
        };
        complete().map_err(|source| Error::Write { path: self.place.name().to_owned(), source })
    }
}

/// Looks for other runs that write this output, and removes temporary files that killed runs have left.
fn others(target: &Path, own: &fs::File, own_path: &Path) -> io::Result<Others> {
    let mut others = Others::None;
    for entry in paths::temporaries(target, &own.metadata()?) {
        // Files are compared by identity, not by name: one folder can have several paths.
        if paths::is_at(own, &entry.path()) || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(other) = OpenOptions::new().read(true).open(entry.path()) else { continue };
        match lock::attempt(&other, target) {
            Ok(Attempt::Busy) if Some(&*entry.file_name()) < own_path.file_name() => return Ok(Others::Lesser),
            Ok(Attempt::Busy) => others = Others::Greater,
            // A file that cannot be removed is left to the next run.
            Ok(Attempt::Locked) => drop(fs::remove_file(entry.path())),
            Ok(Attempt::Unsupported) | Err(_) => {}
        }
    }
    Ok(others)
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
        let mut new = NewFile::create(&path, Replace::Any).unwrap();
        new.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        new.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        fs::write(folder.path().join(".dedup-a.0123abcD"), "of a killed run").unwrap();
        let first = NewFile::create(&path, Replace::Any).unwrap();
        assert!(NewFile::create(&path, Replace::Any).unwrap_err().to_string().contains("another run is writing it"));
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(NewFile::create(folder.path(), Replace::Any).unwrap_err().to_string().contains("is a folder"));
    }

    #[test]
    fn what_only_looks_like_a_temporary_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let others = [".dedup-a", ".dedup-a.", ".dedup-a.0123", ".dedup-b.0123abcD", ".dedup-a.b.0123abcD"];
        for name in others {
            fs::write(folder.path().join(name), "mine").unwrap();
        }
        fs::create_dir(folder.path().join(".dedup-a.foldeR12")).unwrap();
        NewFile::create(&folder.path().join("a"), Replace::Any).unwrap().finish().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), others.len() + 2);
    }

    #[cfg(unix)]
    #[test]
    fn the_mode_is_kept_and_a_key_is_private() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mode = || fs::metadata(&path).unwrap().mode() & 0o777;
        NewFile::create(&path, Replace::Any).unwrap().finish().unwrap();
        fs::write(folder.path().join("usual"), "").unwrap();
        assert_eq!(mode(), fs::metadata(folder.path().join("usual")).unwrap().mode() & 0o777);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let new = NewFile::create(&path, Replace::Any).unwrap();
        assert_eq!(fs::metadata(&new.unfinished.0).unwrap().mode() & 0o777, 0o600, "until it has its mode");
        new.finish().unwrap();
        assert_eq!(mode(), 0o640);
        NewFile::private(&path, Replace::Any).unwrap().finish().unwrap();
        assert_eq!(mode(), 0o600);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link] = ["file", "link"].map(|name| folder.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        let mut new = NewFile::create(&link, Replace::Any).unwrap();
        new.write_all(b"new").unwrap();
        new.finish().unwrap();
        assert!(link.is_symlink() && fs::read(&file).unwrap() == b"new");
        let refused = NewFile::create(Path::new("/dev/null"), Replace::Any).unwrap_err();
        assert!(refused.to_string().contains("is a device or a pipe"), "{refused}");
    }
}
