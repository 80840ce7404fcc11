//! The place of an output: what is there when the run begins, and what it may replace when it ends.
//!
//! Every output gets its final name here. A file that appears at its path during the run is not overwritten, unless
//! the user has allowed to replace anything: Linux renames without replacing (`RENAME_NOREPLACE`), and exchanges a file
//! that may be replaced, so that the replaced one can be examined and put back. Where a file system has neither, a hard
//! link takes the name, and where it has no links, the path is checked just before the rename.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};

/// The files that an output may replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// Any file that is there when the output is complete.
    Any,
    /// An empty file that is there when the output is begun.
    Nothing,
    /// The file that is there when the output is begun.
    Found,
}

/// The path of an output.
#[derive(Debug)]
pub struct Place {
    /// The path as the user named it.
    name: String,
    /// The path after following a link.
    path: PathBuf,
    replace: Replace,
    /// The file that was there at the beginning.
    found: Option<Identity>,
}

/// An output in its place, which can still be undone.
#[derive(Debug)]
#[must_use = "it is undone or kept"]
pub struct Placed {
    path: PathBuf,
    new: Option<Identity>,
    /// The replaced file.
    old: Option<PathBuf>,
}

/// A file and its state: another file, or a change of this one, has another identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    file: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let file = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let file = (0, 0);
        Self { file, length: metadata.len(), modified: metadata.modified().ok() }
    }

    /// The identity of what is at a path; `None`: nothing is there.
    fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::symlink_metadata(path) {
            Ok(metadata) => Ok(Some(Self::of(&metadata))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Place {
    /// Notes what is at the path of an output.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if the path is a folder, a device or a pipe; [`Error::Exists`] if a file is there that may
    /// not be replaced.
    pub fn new(output: &Path, replace: Replace) -> Result<Self> {
        let (name, path) = (shown(output), paths::target(output)?);
        // A path that cannot be examined is reported when a file is created beside it.
        let found = Identity::at(&path).unwrap_or_default();
        if replace == Replace::Nothing && found.is_some_and(|found| found.length > 0) {
            return Err(Error::Exists { path: name, what: "already exists" });
        }
        Ok(Self { name, path, replace, found })
    }

    /// The output as the user named it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path after following a link.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames a complete file to this place; see [`disk::sync_names`] for the name to last.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] if a file appeared there that may not be replaced; [`Error::Write`]. The place is then
    /// unchanged.
    pub fn put(&self, from: &Path) -> Result<()> {
        if self.replace == Replace::Any {
            self.outcome(disk::rename(from, &self.path))
        } else {
            self.place(from)?.keep();
            Ok(())
        }
    }

    /// As [`put`](Self::put); the result can be undone.
    ///
    /// # Errors
    ///
    /// As [`put`](Self::put).
    pub fn place(&self, from: &Path) -> Result<Placed> {
        let place = || -> io::Result<Placed> {
            let new = Identity::at(from)?;
            let now = Identity::at(&self.path)?;
            let placed = |old| Placed { path: self.path.clone(), new, old };
            match now {
                None => disk::rename_new(from, &self.path).map(|()| placed(None)),
                Some(_) if self.replace != Replace::Any && now != self.found => Err(ErrorKind::AlreadyExists.into()),
                Some(_) => {
                    let placed = placed(Some(disk::rename_keeping(from, &self.path)?));
                    // It may have been replaced between the look at it and the exchange.
                    if self.replace != Replace::Any && !placed.has_replaced(self.found)? {
                        placed.undo()?;
                        return Err(ErrorKind::AlreadyExists.into());
                    }
                    Ok(placed)
                }
            }
        };
        self.outcome(place())
    }

    fn outcome<T>(&self, outcome: io::Result<T>) -> Result<T> {
        outcome.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => appeared(&self.name),
            _ => Error::Write { path: self.name.clone(), source },
        })
    }
}

/// Gives complete files their names, all of them in one folder, and waits until the disk has the names.
///
/// # Errors
///
/// As [`NewFile::finish`](super::new_file::NewFile::finish); the files before that of the error are in their places.
pub fn put_all<'f>(folder: &Path, files: impl IntoIterator<Item = (PathBuf, &'f Place)>) -> Result<()> {
    files.into_iter().try_for_each(|(from, place)| place.put(&from))?;
    disk::sync_folder(folder).map_err(|source| Error::Unsynced { path: shown(folder), source })
}

/// The error of an output whose path has been taken during the run.
pub fn appeared(name: &str) -> Error {
    Error::Exists { path: name.to_owned(), what: "has appeared during the run, and was not replaced" }
}

impl Placed {
    /// True if the replaced file is the one that was found; a copy of it is another file of its length and time.
    fn has_replaced(&self, found: Option<Identity>) -> io::Result<bool> {
        let state = |identity: Identity| (identity.length, identity.modified);
        Ok(self.old.as_deref().map_or(Ok(None), Identity::at)?.map(state) == found.map(state))
    }

    /// Removes the replaced file.
    pub fn keep(self) {
        // A file that cannot be removed is left to the next run.
        self.old.map_or(Ok(()), fs::remove_file).ok();
    }

    /// Puts the replaced file back, or removes the new one if there was none. A file that has taken its place since is
    /// left alone.
    ///
    /// # Errors
    ///
    /// Those of the system.
    pub fn undo(self) -> io::Result<()> {
        if Identity::at(&self.path)? != self.new {
            return Ok(());
        }
        match &self.old {
            Some(old) => disk::rename(old, &self.path),
            None => disk::remove(&self.path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durable::disk::Step;
    use crate::durable::faults::{self, unsupported};

    /// A folder with a finished file `new` whose place is `out`, with this content at the beginning.
    fn begun(found: Option<&str>, replace: Replace) -> (tempfile::TempDir, PathBuf, Place) {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        if let Some(found) = found {
            fs::write(&out, found).unwrap();
        }
        fs::write(folder.path().join("new"), "new").unwrap();
        let place = Place::new(&out, replace).unwrap();
        (folder, out, place)
    }

    /// Runs a test on file systems with all operations, without renames that replace nothing, and without links too.
    fn on_each(test: impl Fn()) {
        test();
        for lacking in [&[Step::RenameNew, Step::Exchange][..], &[Step::RenameNew, Step::Exchange, Step::Link]] {
            faults::failing(move |step| lacking.contains(&step).then(unsupported), &test);
        }
    }

    #[test]
    fn what_appears_is_not_replaced() {
        on_each(|| {
            for (found, replace) in
                [(None, Replace::Nothing), (Some(""), Replace::Nothing), (Some("old"), Replace::Found)]
            {
                let (folder, out, place) = begun(found, replace);
                fs::write(&out, "someone else's").unwrap();
                let error = place.put(&folder.path().join("new")).unwrap_err().to_string();
                assert!(error.contains("has appeared during the run"), "{error}");
                assert_eq!(fs::read_to_string(&out).unwrap(), "someone else's");
                let (folder, out, place) = begun(found, replace);
                place.put(&folder.path().join("new")).unwrap();
                assert_eq!(fs::read_to_string(&out).unwrap(), "new");
                assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
            }
            let (folder, out, place) = begun(None, Replace::Any);
            fs::write(&out, "someone else's").unwrap();
            place.put(&folder.path().join("new")).unwrap();
            assert_eq!(fs::read_to_string(&out).unwrap(), "new");
        });
        let (_folder, out, _) = begun(Some("old"), Replace::Found);
        assert!(Place::new(&out, Replace::Nothing).unwrap_err().to_string().contains("already exists"));
    }

    #[test]
    fn a_placed_file_is_undone() {
        on_each(|| {
            for found in [None, Some("old")] {
                let (folder, out, place) = begun(found, Replace::Found);
                let placed = place.place(&folder.path().join("new")).unwrap();
                assert_eq!(fs::read_to_string(&out).unwrap(), "new");
                placed.undo().unwrap();
                assert_eq!(fs::read_to_string(&out).ok().as_deref(), found);
                let (folder, out, place) = begun(found, Replace::Found);
                let placed = place.place(&folder.path().join("new")).unwrap();
                fs::write(&out, "someone else's").unwrap();
                placed.undo().unwrap();
                assert_eq!(fs::read_to_string(&out).unwrap(), "someone else's");
            }
        });
    }
}
