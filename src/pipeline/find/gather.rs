//! The fingerprints to be searched: from fingerprint files, and from texts, which are fingerprinted first.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::unread::Unread;
use crate::corpus::records::Reading;
use crate::durable::lock::{self, Attempt};
use crate::durable::paths;
use crate::error::{Error, Result, all_shown, shown};
use crate::file::collection::Collection;
use crate::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use crate::fingerprint::Fingerprinter;
use crate::index::expect_no_index;
use crate::observer::Observer;
use crate::pipeline::fingerprint::{self, Job, Tally};
use crate::similarity::Rules;

/// Fingerprints that can be searched.
#[derive(Debug)]
pub struct Searched {
    /// All fingerprints.
    pub collection: Collection,
    /// The number of the first document of the second corpus.
    pub second: Option<u32>,
    /// The counts of what was read; `None` if all inputs were fingerprint files.
    pub tally: Option<Tally>,
    /// The files among the texts that could not be read as text, in order.
    pub unread: Vec<Unread>,
    /// How texts are read again; `None` if they are not in files.
    pub(super) reading: Option<Reading>,
    /// The temporary files of this search.
    scratch: Scratch,
}

/// Opens the fingerprint files among a job's inputs and fingerprints the other inputs into a
/// temporary file; then does the same for a second corpus.
///
/// Within a corpus the documents of fingerprint files are numbered first, then those of texts.
///
/// The fingerprint files are checked before any text is read. All must have one recipe, and
/// the data that the rules and the policy need. Then every byte is verified, because a changed
/// byte would silently give a wrong answer. This takes about a second per GB, or as long as
/// the disk needs.
///
/// # Errors
///
/// As [`fingerprint::to_scratch`] and [`Collection::open`]; [`Error::RecipesOf`] if the files
/// and the job's options have different recipes; [`Error::NoShingles`] and [`Error::NoKeys`];
/// [`Error::DamagedSection`]; [`Error::NoSources`].
pub fn gather(
    job: &Job,
    against: &[PathBuf],
    scratch: &Path,
    rules: &Rules,
    observer: &dyn Observer,
) -> Result<Searched> {
    check(job, against, rules, observer)?;
    let scratch = Scratch::new(scratch)?;
    let mut job = job.clone();
    // The scratch folder may lie in an input folder.
    job.selection.except.push(scratch.folder.clone());
    let (mut unread, reading) = (Vec::new(), job.reading.clone());
    let mut sides = |job: &Job, name: &str| {
        let (files, tally) = one_side(job, &scratch.folder.join(name), observer)?;
        // Only texts of this run have a tally, and their file is the last.
        let of_texts = files.last().filter(|_| tally.is_some());
        unread.extend(of_texts.iter().flat_map(|file| file.unread()).map(|(_, file)| Unread::new(&file, name == "b")));
        Ok::<_, Error>((files, tally))
    };
    let (files, mut tally) = sides(&job, "a")?;
    let mut collection = Collection::of(files)?;
    let second = if against.is_empty() {
        None
    } else {
        let first = collection.len() as u32;
        job.selection.expect_files = true;
        let job = Job { inputs: against.to_vec(), ..job };
        let (more, other) = sides(&job, "b")?;
        more.into_iter().try_for_each(|file| collection.push(file))?;
        tally = match (tally, other) {
            (Some(a), Some(b)) => Some(a.plus(&b)),
            (a, b) => a.or(b),
        };
        Some(first)
    };
    let is_empty = |first: u32| (first..collection.len() as u32).all(|document| collection.sketch(document).is_empty());
    // Files that are no texts are compared by their bytes.
    if second.is_some_and(is_empty) && !unread.iter().any(|file| file.is_second) {
        return Err(Error::NoSources { path: all_shown(against) });
    }
    Ok(Searched { collection, second, tally, unread, reading: Some(reading), scratch })
}

/// Checks the fingerprint files among the inputs; the quick checks of all come first.
fn check(job: &Job, against: &[PathBuf], rules: &Rules, observer: &dyn Observer) -> Result<()> {
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().chain(against).cloned().partition(|input| is_fingerprint_file(input));
    texts.iter().try_for_each(|input| expect_no_index(input))?;
    if files.is_empty() {
        return Ok(());
    }
    let collection = Collection::open(&files)?;
    let (_, first) = collection.files().next().expect("one file at least");
    if !texts.is_empty() {
        let fingerprinter = Fingerprinter::new(job.options.clone())?;
        let (recipe, id) = (fingerprinter.recipe(), fingerprinter.recipe().id());
        if first.recipe_id() != id {
            return Err(first.is_unlike("the texts", recipe, id));
        }
    }
    for (_, file) in collection.files() {
        let path = || file.path().to_owned();
        if rules.min_similarity.is_some() && !file.has_shingles() {
            return Err(Error::NoShingles { path: path() });
        }
        if job.reading.fields.key.is_some() && !file.has_keys() {
            return Err(Error::NoKeys { path: path() });
        }
    }
    verify_all("checking fingerprint files", collection.files().map(|(_, file)| file), observer)
}

impl Searched {
    /// The fingerprints in a scratch folder.
    pub(crate) fn in_scratch(collection: Collection, scratch: Scratch) -> Self {
        Self { collection, second: None, tally: None, unread: Vec::new(), reading: None, scratch }
    }

    /// The folder of the temporary files of this search. They must be left out when the inputs
    /// are read again.
    pub fn scratch(&self) -> &Path {
        &self.scratch.folder
    }
}

/// A temporary folder, removed when it is dropped. A locked file in it marks it as in use.
#[derive(Debug)]
pub(crate) struct Scratch {
    pub(crate) folder: PathBuf,
    /// The process that made it: a fork of it drops its copy while the folder is still in use.
    process: u32,
    _lock: File,
}

/// Prefix of the name of a scratch folder.
const SCRATCH: &str = "dedup-scratch-";

/// Prefix until the folder is locked: without a lock it looks like one that a killed run left.
const BEGUN: &str = "dedup-begun-";

impl Scratch {
    /// Makes a scratch folder, and removes those beside it that killed runs left.
    ///
    /// # Errors
    ///
    /// [`Error::Write`], with the folder's parent.
    pub(crate) fn new(parent: &Path) -> Result<Self> {
        let made = Self::make(parent).map_err(|source| Error::Write { path: shown(parent), source })?;
        made.sweep(parent);
        Ok(made)
    }

    fn make(parent: &Path) -> io::Result<Self> {
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

/// The fingerprints of one corpus.
fn one_side(job: &Job, folder: &Path, observer: &dyn Observer) -> Result<(Vec<FingerprintFile>, Option<Tally>)> {
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    let mut files = files.iter().map(|path| FingerprintFile::open(path)).collect::<Result<Vec<_>>>()?;
    if texts.is_empty() {
        return Ok((files, None));
    }
    std::fs::create_dir(folder).map_err(|source| Error::Write { path: shown(folder), source })?;
    let job = Job { inputs: texts, ..job.clone() };
    let (file, tally) = fingerprint::to_scratch(&job, folder, observer)?;
    files.push(file);
    Ok((files, Some(tally)))
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
