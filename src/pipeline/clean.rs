//! A corpus without its near-duplicates.
//!
//! The inputs are read a second time, and what is to stay is copied as it stands. All
//! is written under another name beside the output, sent to the disk, and renamed at the
//! end, so that the output is there as a whole or not at all; the inputs are never touched.
//!
//! The list of what was removed takes its place first. A run that is killed between the two
//! renames leaves a list of what is removed nowhere yet, and never a corpus that
//! nobody accounts for. The same command makes both anew.
//!
//! Cost: that of reading and writing; nothing is kept in memory.

mod copy;
mod folder;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::corpus::NewFile;
use crate::corpus::inputs::Inputs;
use crate::corpus::records::Kind;
use crate::error::{Error, Result, shown};
use crate::index::collection::Collection;
use crate::observer::Observer;
use crate::place;

use super::store::Job;
use copy::{Copying, Sink, below, check_format};
use folder::NewFolder;

/// Where a clean corpus goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// A file of the kept records of the one input file, compressed as its ending says; what was removed goes to
    /// `FILE.removed.jsonl`.
    File(PathBuf),
    /// A folder of the kept files; what was removed goes to `FOLDER.removed.jsonl`.
    Folder(PathBuf),
    /// A list of the kept documents' ids, one a line; what was removed goes to
    /// `FILE.removed.jsonl`.
    List(PathBuf),
}

impl Output {
    fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Folder(path) | Self::List(path) => path,
        }
    }

    /// Where the list of what was removed goes.
    pub fn removed(&self) -> PathBuf {
        place::beside(self.path(), "", ".removed.jsonl")
    }

    /// What the run writes, which it must not read.
    pub fn written(&self) -> Vec<PathBuf> {
        vec![self.path().to_owned(), self.removed()]
    }

    /// Checks that it can be written, and that nothing would be lost but a file of its name.
    ///
    /// # Errors
    ///
    /// [`Error::Output`], [`Error::NotEmpty`], [`Error::Locked`] or [`Error::Write`].
    pub fn check(&self) -> Result<()> {
        match self {
            Self::File(path) | Self::List(path) => drop(place::target(path)?),
            Self::Folder(folder) if folder.is_dir() => {
                if fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some()) {
                    return Err(Error::NotEmpty { path: shown(folder) });
                }
            }
            Self::Folder(folder) if folder.exists() => {
                return Err(Error::Output { path: shown(folder), kind: "no folder" });
            }
            Self::Folder(_) => {}
        }
        NewFile::create(&self.removed()).map(drop)
    }

    /// Checks that no two files of a job would stand in one place.
    ///
    /// # Errors
    ///
    /// [`Error::SameName`], [`Error::OtherFormat`], or those of [`Inputs::new`].
    pub fn check_places(&self, job: &Job) -> Result<()> {
        if let (Self::File(path), [input]) = (self, &job.inputs[..]) {
            // What has no such ending is known when it is read.
            let kind = job.reading.kind.or_else(|| Kind::of_name(&input.to_string_lossy()));
            return kind.map_or(Ok(()), |kind| check_format(&shown(path), kind));
        }
        // The files of one input stand as they stand there.
        let Self::Folder(folder) = self else { return Ok(()) };
        if job.inputs.len() < 2 {
            return Ok(());
        }
        let mut places = HashSet::new();
        for file in Inputs::new(job.inputs.clone(), job.selection.clone())?.flatten() {
            let place = below(&job.inputs, &file);
            if !places.insert(blake3::hash(place.as_os_str().as_encoded_bytes())) {
                return Err(Error::SameName { path: shown(&folder.join(place)) });
            }
        }
        Ok(())
    }

    /// Checks that the ids of all documents can be written.
    ///
    /// # Errors
    ///
    /// [`Error::LineBreak`].
    pub fn check_ids(&self, collection: &Collection) -> Result<()> {
        if !matches!(self, Self::List(_)) {
            return Ok(());
        }
        let mut ids = (0..collection.len() as u32).map(|document| collection.id(document));
        let broken = ids.find(|id| id.contains(['\n', '\r']));
        broken.map_or(Ok(()), |id| Err(Error::LineBreak { id: id.to_owned() }))
    }
}

/// Writes the documents of which `stays` is true, and by `removed` those that go, in the order of the
/// input.
///
/// `collection` holds the fingerprints of the job's documents, and no others.
///
/// # Errors
///
/// Those of writing; [`Error::Changed`] or [`Error::NotCopied`] if an input is no longer
/// what it was when it was fingerprinted; [`Error::LineBreak`]; [`Error::Interrupted`].
/// Then the output is as it was.
pub fn clean(
    job: &Job,
    collection: &Collection,
    stays: &dyn Fn(u32) -> bool,
    output: &Output,
    observer: &dyn Observer,
    removed: &mut dyn FnMut(&mut dyn Write, u32) -> io::Result<()>,
) -> Result<()> {
    output.check()?;
    output.check_ids(collection)?;
    // It comes first, as it is locked: no other run writes to this output.
    let mut list = NewFile::create(&output.removed())?;
    let all = 0..collection.len() as u32;
    let written =
        all.clone().filter(|&document| !stays(document)).try_for_each(|document| removed(&mut list, document));
    written.map_err(|source| Error::Write { path: shown(&output.removed()), source })?;
    let copy = Copying { job, collection, stays, observer };
    // All that takes long is done when the first of the two takes its place.
    match output {
        Output::Folder(path) => {
            let new = NewFolder::new(path)?;
            copy.run(&mut |file| {
                let place = below(&job.inputs, &file.path);
                Sink::among(&new.unfinished().join(&place), &path.join(&place))
            })?;
            new.sync()?;
            list.finish().map_err(Error::of_a_step)?;
            new.finish()
        }
        Output::File(path) => {
            let mut new = Some(NewFile::create(path)?);
            let kept = copy.run(&mut |_| {
                let new = new.take().ok_or_else(|| Error::SameName { path: shown(path) })?;
                Ok(Sink::alone(new, path))
            })?;
            // A file of which nothing could be read leaves an empty one.
            let mut kept = kept.or_else(|| new.map(|new| Sink::alone(new, path)));
            kept.as_mut().map_or(Ok(()), Sink::sync)?;
            list.finish().map_err(Error::of_a_step)?;
            kept.map_or(Ok(()), Sink::finish)
        }
        Output::List(path) => {
            let mut kept = NewFile::create(path)?;
            let mut ids = all.filter(|&document| stays(document)).map(|document| collection.id(document));
            let written = ids.try_for_each(|id| writeln!(kept, "{id}"));
            written.map_err(|source| Error::Write { path: shown(path), source })?;
            kept.sync()?;
            list.finish().map_err(Error::of_a_step)?;
            kept.finish()
        }
    }
}

#[cfg(test)]
mod tests;
