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
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::corpus::NewFile;
use crate::corpus::inputs::{Inputs, Selection};
use crate::corpus::records::Kind;
use crate::durable::paths;
use crate::error::{Error, Result, shown};
use crate::file::collection::Collection;
use crate::observer::Observer;

use crate::pipeline::fingerprint::Job;
use copy::{Copying, Sink, below, output_kind};
use folder::NewFolder;

/// Where a clean corpus goes, and what becomes of what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Where it goes.
    pub path: PathBuf,
    /// What is written there.
    pub kind: OutputKind,
    /// What the name of the list of what was removed ends in: it goes to `PATH.removed.ENDING`.
    pub removed_ending: &'static str,
    /// Whether a folder is replaced that has something in it, with all that it has; a file always is.
    pub replaces: bool,
}

/// What a clean corpus is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputKind {
    /// A file of the kept records of the one input file, compressed as its ending says.
    File,
    /// A folder of the kept files.
    Folder,
    /// A list of the kept documents' ids, one a line.
    List,
}

/// Where the list of removed documents stands, beside a clean corpus.
pub fn removed_beside(output: &Path, ending: &str) -> PathBuf {
    paths::beside(output, "", &format!(".removed.{ending}"))
}

impl Output {
    /// Where the list of removed documents goes.
    pub fn removed(&self) -> PathBuf {
        removed_beside(&self.path, self.removed_ending)
    }

    /// What the run writes, which it must not read.
    pub fn written(&self) -> Vec<PathBuf> {
        vec![self.path.clone(), self.removed()]
    }

    /// Checks that it can be written, and that nothing would be lost but what may be replaced.
    ///
    /// # Errors
    ///
    /// [`Error::Output`], [`Error::NotEmpty`], [`Error::Locked`] or [`Error::Write`].
    pub fn check(&self) -> Result<()> {
        let path = &self.path;
        match self.kind {
            OutputKind::File | OutputKind::List => drop(paths::target(path)?),
            OutputKind::Folder if path.is_dir() => {
                if !self.replaces && !paths::is_empty_folder(path) {
                    return Err(Error::NotEmpty { path: shown(path) });
                }
            }
            OutputKind::Folder if path.exists() => {
                return Err(Error::Output { path: shown(path), kind: "no folder" });
            }
            OutputKind::Folder => {}
        }
        NewFile::create(&self.removed()).map(drop)
    }

    /// Checks that no two files of a job would stand in one place.
    ///
    /// # Errors
    ///
    /// [`Error::SameName`], [`Error::OtherFormat`], or those of [`Inputs::new`].
    pub fn check_places(&self, job: &Job) -> Result<()> {
        if let (OutputKind::File, [input]) = (self.kind, &job.inputs[..]) {
            // What has no such ending is known when it is read.
            let kind = job.reading.kind.or_else(|| Kind::of_name(&input.to_string_lossy()));
            return kind.map_or(Ok(()), |kind| output_kind(&shown(&self.path), kind).map(drop));
        }
        // The files of one input stand as they stand there.
        if self.kind != OutputKind::Folder || job.inputs.len() < 2 {
            return Ok(());
        }
        let mut places = HashSet::new();
        for file in Inputs::new(job.inputs.clone(), job.selection.clone())?.flatten() {
            let place = below(&job.inputs, &file);
            if !places.insert(blake3::hash(place.as_os_str().as_encoded_bytes())) {
                return Err(Error::SameName { path: shown(&self.path.join(place)) });
            }
        }
        Ok(())
    }

    /// A file of the folder that is to be replaced which no input has: nothing writes it anew.
    ///
    /// # Errors
    ///
    /// Those of [`Inputs::new`].
    pub fn foreign(&self, job: &Job) -> Result<Option<PathBuf>> {
        if self.kind != OutputKind::Folder
            || !self.replaces
            || !self.path.is_dir()
            || paths::is_empty_folder(&self.path)
        {
            return Ok(None);
        }
        let everything = Selection { hidden: true, no_ignore: true, ..Selection::default() };
        let inputs =
            Inputs::new(job.inputs.clone(), Selection { except: job.selection.except.clone(), ..everything.clone() })?;
        let places: HashSet<PathBuf> = inputs.flatten().map(|file| below(&job.inputs, &file)).collect();
        let is_foreign = |file: &PathBuf| file.strip_prefix(&self.path).is_ok_and(|place| !places.contains(place));
        Ok(Inputs::new(vec![self.path.clone()], everything)?.flatten().find(is_foreign))
    }

    /// Checks that the ids of all documents can be written.
    ///
    /// # Errors
    ///
    /// [`Error::LineBreak`].
    pub fn check_ids(&self, collection: &Collection) -> Result<()> {
        if self.kind != OutputKind::List {
            return Ok(());
        }
        let mut ids = (0..collection.len() as u32).map(|document| collection.id(document));
        let broken = ids.find(|id| id.contains(['\n', '\r']));
        broken.map_or(Ok(()), |id| Err(Error::LineBreak { id: id.to_owned() }))
    }
}

/// Writes the documents of which `stays` is true, in the order of the input, and the list of those that go, which
/// `list` writes.
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
    list: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    output.check()?;
    output.check_ids(collection)?;
    // It comes first, as it is locked: no other run writes to this output.
    let mut removed = NewFile::create(&output.removed())?;
    list(&mut removed).map_err(|source| Error::Write { path: shown(&output.removed()), source })?;
    let copy = Copying { job, collection, stays, observer };
    // All that takes long is done when the first of the two takes its place.
    let path = &output.path;
    match output.kind {
        OutputKind::Folder => {
            let new = NewFolder::new(path)?;
            copy.run(&mut |file| {
                let place = below(&job.inputs, &file.path);
                Sink::among(&new.unfinished().join(&place), &path.join(&place))
            })?;
            new.sync()?;
            removed.finish().map_err(Error::of_a_step)?;
            new.finish()
        }
        OutputKind::File => {
            let mut new = Some(NewFile::create(path)?);
            let kept = copy.run(&mut |_| {
                let new = new.take().ok_or_else(|| Error::SameName { path: shown(path) })?;
                Ok(Sink::alone(new, path))
            })?;
            // A file of which nothing could be read leaves an empty one.
            let mut kept = kept.or_else(|| new.map(|new| Sink::alone(new, path)));
            kept.as_mut().map_or(Ok(()), Sink::sync)?;
            removed.finish().map_err(Error::of_a_step)?;
            kept.map_or(Ok(()), Sink::finish)
        }
        OutputKind::List => {
            let mut kept = NewFile::create(path)?;
            let mut ids = (0..collection.len() as u32)
                .filter(|&document| stays(document))
                .map(|document| collection.id(document));
            let written = ids.try_for_each(|id| writeln!(kept, "{id}"));
            written.map_err(|source| Error::Write { path: shown(path), source })?;
            kept.sync()?;
            removed.finish().map_err(Error::of_a_step)?;
            kept.finish()
        }
    }
}

#[cfg(test)]
mod tests;
