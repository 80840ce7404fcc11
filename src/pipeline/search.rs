//! What is to be searched: fingerprint files, and texts that become one.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::store::{self, Job, Tally};
use crate::error::{Error, Result};
use crate::index::collection::Collection;
use crate::index::format::MAGIC;
use crate::observer::Observer;

/// Fingerprints that can be searched.
#[derive(Debug)]
pub struct Searched {
    /// All fingerprints.
    pub collection: Collection,
    /// The number of the first document of the second corpus.
    pub second: Option<u32>,
    /// What was read; `None` if there were fingerprint files only.
    pub tally: Option<Tally>,
    /// Holds the files that were made for this search.
    _scratch: Scratch,
}

/// Whether a file says that it holds fingerprints.
pub fn is_fingerprint_file(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    path.is_file() && File::open(path).and_then(|mut file| file.read_exact(&mut magic)).is_ok() && magic == MAGIC
}

/// Opens the fingerprint files among a job's inputs, and fingerprints the others into a
/// file that goes with the process; then those of a second corpus.
///
/// Documents are numbered so: fingerprint files first, then texts.
///
/// # Errors
///
/// As [`store::to_scratch`] and [`Collection::open`]; [`Error::Recipes`] if the files
/// were made by another recipe than the job's options make texts by.
pub fn gather(job: &Job, against: &[PathBuf], scratch: &Path, observer: &dyn Observer) -> Result<Searched> {
    let failed = |source| Error::Write { path: crate::error::shown(scratch), source };
    sweep(scratch);
    let scratch = Scratch::new(scratch).map_err(failed)?;
    let (mut paths, mut tally) = one_side(job, &scratch.folder.path().join("a"), observer)?;
    let second = if against.is_empty() {
        None
    } else {
        let first = Collection::open(&paths)?.len() as u32;
        let job = Job { inputs: against.to_vec(), ..job.clone() };
        let (more, other) = one_side(&job, &scratch.folder.path().join("b"), observer)?;
        paths.extend(more);
        tally = match (tally, other) {
            (Some(a), Some(b)) => Some(a.plus(&b)),
            (a, b) => a.or(b),
        };
        Some(first)
    };
    Ok(Searched { collection: Collection::open(&paths)?, second, tally, _scratch: scratch })
}

/// A folder that goes with the process, and whose lock tells that it is in use.
#[derive(Debug)]
struct Scratch {
    folder: TempDir,
    _lock: File,
}

/// The beginning of the names of such folders.
const SCRATCH: &str = "dedup-scratch-";

impl Scratch {
    fn new(parent: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(SCRATCH).tempdir_in(parent)?;
        let lock = File::create(folder.path().join("lock"))?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }
}

/// Removes what killed runs have left: nobody holds its lock.
fn sweep(parent: &Path) {
    let folders = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for folder in folders.filter(|folder| folder.file_name().to_string_lossy().starts_with(SCRATCH)) {
        let lock = File::open(folder.path().join("lock"));
        if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
            // What cannot be removed is another user's.
            let _ = std::fs::remove_dir_all(folder.path());
        }
    }
}

fn one_side(job: &Job, folder: &Path, observer: &dyn Observer) -> Result<(Vec<PathBuf>, Option<Tally>)> {
    let (mut paths, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    if texts.is_empty() {
        return Ok((paths, None));
    }
    std::fs::create_dir(folder).map_err(|source| Error::Write { path: crate::error::shown(folder), source })?;
    let job = Job { inputs: texts, ..job.clone() };
    let (path, tally) = store::to_scratch(&job, folder, observer)?;
    paths.push(path);
    Ok((paths, Some(tally)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_killed_runs_have_left_is_swept() {
        let parent = tempfile::tempdir().unwrap();
        let used = Scratch::new(parent.path()).unwrap();
        let left = parent.path().join("dedup-scratch-left");
        std::fs::create_dir(&left).unwrap();
        std::fs::write(left.join("lock"), "").unwrap();
        sweep(parent.path());
        assert!(used.folder.path().exists() && !left.exists());
    }
}
