//! A corpus without its near-duplicates.
//!
//! The inputs are read a second time, and the survivors are copied unchanged. Everything is
//! written under a temporary name beside the output, synced to disk and renamed at the end,
//! so the output is complete or absent. The inputs are never changed.
//!
//! All outputs are reserved from the beginning ([`Output::claim`]), so of several runs with one output only the first
//! does the work. The list of removed documents is renamed first, and the corpus next; if that fails, what was at the
//! list's path before is put back. A run that is killed between the two renames leaves a list without its corpus, but
//! never a corpus without its list. The same command makes both again.
//!
//! Cost: that of reading and writing; no document is kept in memory.

pub(in crate::jobs) mod copy;
mod decided;
pub(in crate::jobs) mod folder;
pub mod listed;
pub mod shards;
pub(in crate::jobs) mod sink;

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::durable::place::{Placed, Replace};
use nearcopy::error::shown;
use nearcopy::observer::Observer;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::InputFile;
use nearcopy_corpus::NewFile;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::Kind;

use crate::error::{Error, Result};
use crate::jobs::fingerprint::Job;
pub use decided::{Decided, decide};

use copy::{Copying, below, output_kind};
use folder::NewFolder;
use shards::Shards;
use sink::Sink;

/// The destination of a clean corpus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// The path of the corpus.
    pub path: PathBuf,
    /// The form in which it is written.
    pub kind: OutputKind,
    /// The ending of the list of removed documents, which goes to `PATH.removed.ENDING`, and of that to review.
    pub removed_ending: &'static str,
    /// True if an existing file is replaced, or a folder that is not empty, with all its contents.
    pub replaces: bool,
    /// True if files that cannot be read as text are kept too: in a folder copied, in a list named.
    pub keeps_unread: bool,
    /// Lists to review that an earlier run left beside the corpus; those that this run does not replace are deleted.
    pub outdated: Vec<PathBuf>,
}

/// The form in which a clean corpus is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputKind {
    /// A file of the records kept from the only input file, compressed as the ending of its name says.
    File,
    /// A folder of the kept files.
    Folder,
    /// A folder of the records kept from all input files, in numbered files.
    Shards(Shards),
    /// A list of the kept documents' ids, one per line.
    List,
}

impl OutputKind {
    /// True if a folder is written.
    pub fn is_folder(&self) -> bool {
        matches!(self, Self::Folder | Self::Shards(_))
    }

    /// Returns a file in the folder `path` that would be lost if what is written of these inputs replaced it: one without a
    /// counterpart among them.
    ///
    /// # Errors
    ///
    /// Those of [`Inputs::new`].
    pub fn foreign(&self, path: &Path, (inputs, selection): (&[PathBuf], &Selection)) -> Result<Option<PathBuf>> {
        if !self.is_folder() || !path.is_dir() || paths::is_empty_folder(path) {
            return Ok(None);
        }
        let everything = Selection { hidden: true, no_ignore: true, ..Selection::default() };
        let mut files = Inputs::new(vec![path.to_owned()], everything.clone())?.flatten();
        if let Self::Shards(shards) = self {
            let is_shard = |file: &Path| {
                file.parent() == Some(path) && file.file_name().is_some_and(|name| shards.has(&name.to_string_lossy()))
            };
            return Ok(files.find(|file| !is_shard(file)));
        }
        let known = Inputs::new(
            inputs.to_vec(),
            Selection { except: selection.except.clone(), follow: selection.follow, ..everything },
        )?;
        let places: HashSet<PathBuf> = known.flatten().map(|file| below(inputs, &file)).collect();
        Ok(files.find(|file| file.strip_prefix(path).is_ok_and(|place| !places.contains(place))))
    }
}

/// The endings that the lists beside a clean corpus may have.
pub const ENDINGS: [&str; 2] = ["jsonl", "csv"];

/// The outputs of a run that has begun. They are removed on drop, unless [`write_kept`] completes them.
#[derive(Debug)]
pub struct Claimed {
    removed: NewFile,
    review: NewFile,
    corpus: Unwritten,
}

#[derive(Debug)]
enum Unwritten {
    File(NewFile),
    Folder(NewFolder),
}

/// The path of the list of removed documents, beside a clean corpus.
pub fn removed_beside(output: &Path, ending: &str) -> PathBuf {
    paths::beside(output, "", &format!(".removed.{ending}"))
}

/// The path of the list of documents that a wider claim would remove, beside a clean corpus.
pub fn review_beside(output: &Path, ending: &str) -> PathBuf {
    paths::beside(output, "", &format!(".review.{ending}"))
}

impl Output {
    /// The path of the list of removed documents.
    pub fn removed(&self) -> PathBuf {
        removed_beside(&self.path, self.removed_ending)
    }

    /// The path of the list of documents that a wider claim would remove.
    pub fn review(&self) -> PathBuf {
        review_beside(&self.path, self.removed_ending)
    }

    /// The paths that the run writes or deletes, and therefore must not read.
    pub fn written(&self) -> Vec<PathBuf> {
        let mut written = vec![self.path.clone(), self.removed(), self.review()];
        written.extend(self.outdated.iter().cloned());
        written
    }

    /// Begins the outputs: checks that they can be written and that nothing would be lost except what may be replaced,
    /// and keeps other runs from writing them.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Output`], [`nearcopy::Error::NotEmpty`], [`nearcopy::Error::Exists`], [`nearcopy::Error::Locked`] or [`nearcopy::Error::Write`].
    pub fn claim(&self) -> Result<Claimed> {
        let path = &self.path;
        match &self.kind {
            OutputKind::File | OutputKind::List => drop(paths::target(path)?),
            _ if path.is_dir() && !self.replaces && !paths::is_empty_folder(path) => {
                return Err(nearcopy::Error::NotEmpty { path: shown(path) }.into());
            }
            _ if path.exists() && !path.is_dir() => {
                return Err(nearcopy::Error::Output { path: shown(path), kind: "not a folder" }.into());
            }
            _ => {}
        }
        let [lists, own] = if self.replaces { [Replace::Any; 2] } else { [Replace::Found, Replace::Nothing] };
        // The list comes first: its lock guards a folder too.
        let removed = NewFile::create(&self.removed(), lists)?;
        let corpus = if self.kind.is_folder() {
            Unwritten::Folder(NewFolder::new(path, self.replaces)?)
        } else {
            Unwritten::File(NewFile::create(path, own)?)
        };
        Ok(Claimed { removed, review: NewFile::create(&self.review(), lists)?, corpus })
    }

    /// Checks that no two input files map to one output path, and that the output can have the input's format.
    ///
    /// # Errors
    ///
    /// [`Error::SameName`], [`Error::OtherFormat`], or those of [`Inputs::new`].
    pub fn check_places(&self, job: &Job) -> Result<()> {
        if let OutputKind::Shards(shards) = &self.kind {
            let name = shown(&self.path.join(shards.pattern()));
            let known = |file: &PathBuf| job.reading.kind.or_else(|| Kind::of_name(&file.to_string_lossy()));
            let mut files = Inputs::new(job.inputs.clone(), job.selection.clone())?.flatten();
            return files.try_for_each(|file| known(&file).map_or(Ok(()), |kind| output_kind(&name, kind).map(drop)));
        }
        if let (OutputKind::File, [input]) = (&self.kind, &job.inputs[..]) {
            // Without a known ending, the format is detected when the file is read.
            let kind = job.reading.kind.or_else(|| Kind::of_name(&input.to_string_lossy()));
            return kind.map_or(Ok(()), |kind| output_kind(&shown(&self.path), kind).map(drop));
        }
        if self.kind != OutputKind::Folder {
            return Ok(());
        }
        // The files of one input keep their places, which are distinct.
        let may_meet = job.inputs.len() > 1;
        let (mut places, mut met) = (HashSet::new(), None);
        for file in Inputs::new(job.inputs.clone(), job.selection.clone())?.flatten() {
            let place = || below(&job.inputs, &file);
            if Kind::of_name(&file.to_string_lossy()) == Some(Kind::Warc) {
                return output_kind(&shown(&self.path.join(place())), Kind::Warc).map(drop);
            }
            if may_meet && met.is_none() && !places.insert(blake3::hash(place().as_os_str().as_encoded_bytes())) {
                met = Some(place());
            }
        }
        met.map_or(Ok(()), |place| Err(Error::SameName { path: shown(&self.path.join(place)) }))
    }

    /// Checks that a list of ids can hold the ids of all documents.
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

/// Writes the lists that go beside a clean corpus.
pub type WriteList<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// The files of a job that could not be read as text, given its fingerprints.
pub fn unread(collection: &Collection) -> impl Iterator<Item = InputFile<'_>> {
    collection.files().flat_map(|(_, file)| file.unread()).map(|(_, file)| file)
}

/// Writes the documents for which `stays` is true, in the order of the input, to the claimed outputs. `list` writes the list of removed
/// documents, `review` that of documents that a wider claim would remove, if there is one.
///
/// `collection` must hold the fingerprints of the job's documents and no others.
///
/// # Errors
///
/// Those of writing; [`Error::Changed`] or [`Error::NotCopied`] if an input has changed
/// since it was fingerprinted; [`Error::LineBreak`]; [`nearcopy::Error::Interrupted`].
/// The output is then unchanged.
pub fn write_kept(
    job: &Job,
    collection: &Collection,
    stays: &dyn Fn(u32) -> bool,
    (output, claimed): (&Output, Claimed),
    observer: &dyn Observer,
    list: &mut WriteList<'_>,
    review: Option<&mut WriteList<'_>>,
) -> Result<()> {
    output.check_ids(collection)?;
    let Claimed { mut removed, review: mut to_review, corpus } = claimed;
    list(&mut removed).map_err(|source| nearcopy::Error::Write { path: shown(&output.removed()), source })?;
    let (mut lists, has_review) = (Vec::new(), review.is_some());
    if let Some(review) = review {
        review(&mut to_review).map_err(|source| nearcopy::Error::Write { path: shown(&output.review()), source })?;
        lists.push(to_review);
    }
    lists.push(removed);
    let written = has_review.then(|| output.review());
    let keeps_unread = output.keeps_unread && output.kind == OutputKind::Folder;
    let copy = Copying { job, collection, stays, keeps_unread, observer };
    let shards = if let OutputKind::Shards(shards) = &output.kind { Some(shards) } else { None };
    // Everything slow is done before the first of the two renames.
    let path = &output.path;
    match corpus {
        Unwritten::Folder(new) => {
            match shards {
                Some(shards) => copy.shards(shards, [new.unfinished(), path])?,
                None => {
                    copy.files(&mut |file| {
                        let place = below(&job.inputs, &file.path);
                        Sink::of(&file.path, &new.unfinished().join(&place), &path.join(&place))
                    })?;
                }
            }
            new.sync()?;
            after_lists(lists, || new.finish())?;
        }
        Unwritten::File(new) if output.kind == OutputKind::File => {
            let mut new = Some(new);
            let kept = copy.files(&mut |_| {
                let new = new.take().ok_or_else(|| Error::SameName { path: shown(path) })?;
                Ok(Sink::alone(new, path))
            })?;
            // An input of which nothing could be read gives an empty file.
            let mut kept = kept.or_else(|| new.map(|new| Sink::alone(new, path)));
            kept.as_mut().map_or(Ok(()), Sink::sync)?;
            after_lists(lists, || kept.map_or(Ok(()), Sink::finish))?;
        }
        Unwritten::File(mut kept) => {
            let mut ids = (0..collection.len() as u32)
                .filter(|&document| stays(document))
                .map(|document| collection.id(document));
            let mut unread = unread(collection).filter(|_| output.keeps_unread);
            let written = ids
                .try_for_each(|id| writeln!(kept, "{id}"))
                .and_then(|()| unread.try_for_each(|file| writeln!(kept, "{}", file.path)));
            written.map_err(|source| nearcopy::Error::Write { path: shown(path), source })?;
            kept.sync()?;
            after_lists(lists, || kept.finish())?;
        }
    }
    // A list of an earlier run would say wrong things about the new corpus.
    let outdated = output.outdated.iter().filter(|&list| written.as_ref() != Some(list));
    outdated.filter(|list| list.exists()).try_for_each(|list| {
        std::fs::remove_file(list).map_err(|source| nearcopy::Error::Write { path: shown(list), source })
    })?;
    Ok(())
}

/// Puts the lists in their places, then the corpus; if that fails, the lists that were there before are put back.
pub(in crate::jobs) fn after_lists(
    lists: Vec<NewFile>,
    finish: impl FnOnce() -> nearcopy::Result<()>,
) -> nearcopy::Result<()> {
    let mut placed = Vec::new();
    let put = lists.into_iter().try_for_each(|list| list.place().map(|list| placed.push(list)));
    let finished = put.and_then(|()| finish());
    match finished {
        // The corpus is in its place then.
        Ok(()) | Err(nearcopy::Error::Unsynced { .. }) => placed.into_iter().for_each(Placed::keep),
        // The error that is reported is the first.
        Err(_) => placed.into_iter().for_each(|list| _ = list.undo()),
    }
    finished
}

#[cfg(test)]
mod tests;
