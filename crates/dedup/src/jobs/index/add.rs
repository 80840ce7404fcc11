//! Adding inputs to an index, all or none.
//!
//! ```text
//!  texts ──fingerprint──▶ DIR/unfinished ─┐
//!                                         ├─▶ ids known? ─▶ near to a document of the index,
//!  fingerprint files ─────────────────────┘                 or to one taken before? ─▶ a new segment
//! ```
//!
//! The index does not change before the last step. A run that is interrupted or killed before it leaves
//! fingerprints in `unfinished`, and the same command resumes from them.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::durable::place::Replace;
use nearcopy::error::{Location, Problem, Reason};
use nearcopy::observer::Observer;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use nearcopy::store::index::Editor;
use nearcopy::texts::index::{Added, Known, Rejected, Taken, Unique, options};
use nearcopy_corpus::records::Kind;

use super::outside;
use crate::error::{Error, Result};
use crate::jobs::authors::Authors;
use crate::jobs::clean::{Output, write_kept};
use crate::jobs::fingerprint::{self, Job, Tally};

/// Writes the list of rejected documents.
pub type WriteList = fn(&mut dyn Write, &mut dyn Iterator<Item = Rejected<'_>>) -> io::Result<()>;

/// The inputs to add, and the conditions.
#[derive(Debug, Clone)]
pub struct Adding {
    /// The inputs, which may include fingerprint files, and how they are read. The index decides how
    /// texts become fingerprints.
    pub job: Job,
    /// The source of the authors, if the index keeps texts.
    pub authors: Authors,
    /// The treatment of known ids.
    pub known: Known,
    /// The options of leaving out near-duplicates; `None` adds them too.
    pub unique: Option<Unique>,
    /// The destination of the texts that `unique` takes, if they are written too, and what writes the list of rejected
    /// documents beside them.
    pub output: Option<(Output, WriteList)>,
}

/// Adds documents, and calls `rejected` with each that is rejected, in order. When this returns, the added
/// documents are on disk. Returns also the counts of what was read, unless all inputs were fingerprint files.
///
/// # Errors
///
/// Those of [`Editor::open`] and [`fingerprint::to_file`]; [`nearcopy::Error::KnownId`];
/// [`nearcopy::Error::RecipesOf`], [`nearcopy::Error::NoShingles`] and [`nearcopy::Error::NoPassages`] of fingerprint
/// files; those of writing. The index is then unchanged.
pub fn add(
    folder: &Path,
    adding: &Adding,
    observer: &dyn Observer,
    rejected: &mut dyn FnMut(&Rejected<'_>),
) -> Result<(Added, Option<Tally>)> {
    let (added, tally, _) = add_to((folder, &mut Editor::open(folder)?), adding, None, observer, rejected)?;
    Ok((added, tally))
}

/// The same with an index that is open. Returns also the names of the files that were read. If `outdated` ids are given, only
/// their documents are replaced: others with the ids of new documents stay, and the new ones are problems.
pub(super) fn add_to(
    (folder, editor): (&Path, &mut Editor),
    adding: &Adding,
    outdated: Option<&HashSet<String>>,
    observer: &dyn Observer,
    rejected: &mut dyn FnMut(&Rejected<'_>),
) -> Result<(Added, Option<Tally>, HashSet<String>)> {
    let settings = editor.segments().settings();
    let mut job = outside(&adding.job, folder)?;
    job.shingles = settings.shingles;
    job.passages = settings.passages.then(|| adding.authors.clone());
    let output = adding.output.as_ref();
    let claimed = output.map(|(output, _)| output.claim()).transpose()?;
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    // Fingerprint files that do not match the index are refused before any is verified or any text is read.
    let mut collection = Collection::open(&files)?;
    collection.files().try_for_each(|(_, file)| editor.fits(file))?;
    verify_all("checking fingerprint files", collection.files().map(|(_, file)| file), observer)?;
    let mut tally = None;
    if !texts.is_empty() {
        job.options = options(editor.segments())?;
        job.inputs = texts;
        let unfinished = editor.unfinished();
        tally = Some(fingerprint::to_file(&job, &unfinished, Replace::Any, observer).map_err(Error::of_a_step)?);
        collection.push(FingerprintFile::open(&unfinished)?)?;
    }
    // What it replaces, by `--force`, it may replace again.
    let is_new = output.is_some_and(|(output, _)| !output.path.exists() || paths::is_empty_folder(&output.path));
    // A file that was just made from texts has no repeated id.
    let may_repeat = tally.is_none() || collection.files().count() > 1;
    let mut taken = Taken::new(&collection, editor.segments(), adding.known, may_repeat)?;
    if let Some(outdated) = outdated {
        for document in taken.leave_others(&collection, |id| outdated.contains(id)) {
            let problem = met_before(&collection, document);
            observer.report(&problem);
            let counts = &mut tally.get_or_insert_default().problems;
            *counts.entry(problem.reason.kind().to_owned()).or_default() += 1;
        }
    }
    if let Some(unique) = &adding.unique {
        taken.keep_unique(&collection, editor.segments(), unique, job.threads, observer, rejected)?;
        if let (Some((output, write)), Some(claimed)) = (output, claimed) {
            let stays = |document: u32| taken.takes(document);
            let mut list = |out: &mut dyn Write| {
                let all = 0..collection.len() as u32;
                let mut rejected = all.filter_map(|document| taken.rejected(document, &collection, editor.segments()));
                write(out, &mut rejected)
            };
            write_kept(&job, &collection, &stays, (output, claimed), observer, &mut list, None)?;
        }
    }
    let read = read_files(&collection);
    match taken.add(editor, &collection, adding.known, observer) {
        Ok(added) => Ok((added, tally, read)),
        // They were added.
        Err(error @ nearcopy::Error::Unsynced { .. }) => Err(error.into()),
        Err(error) => {
            if let Some((output, _)) = output.filter(|_| is_new) {
                withdraw(output);
            }
            Err(error.into())
        }
    }
}

/// The names of the files that were read, and of the archives around them.
fn read_files(collection: &Collection) -> HashSet<String> {
    let mut read = HashSet::new();
    let (mut unread, inputs) = (Vec::new(), collection.files().flat_map(|(_, file)| file.files()));
    for input in inputs {
        if input.is_unread {
            unread.push(input.path);
            continue;
        }
        let ends = input.path.match_indices('/').map(|(at, _)| at).chain([input.path.len()]);
        read.extend(ends.map(|end| input.path[..end].to_owned()));
    }
    for path in unread {
        read.remove(path);
    }
    read
}

/// The problem of a document that has the id of one in the index.
fn met_before(collection: &Collection, document: u32) -> Problem {
    let (input, place) = collection.place(document);
    let location = input.and_then(|input| Kind::of_code(input.kind)).map(|kind| kind.place(place.record));
    let file = input.map_or_else(String::new, |input| input.path.to_owned());
    let reason = Reason::DuplicateId(collection.id(document).to_owned());
    Problem { file, place: location.unwrap_or(Location::File), reason, can_copy: false }
}

/// Removes the output of documents that were not added after all, so that the same command can run again.
fn withdraw(output: &Output) {
    // The error that is reported is that of the index; what cannot be removed is named when the command runs again.
    for path in output.written() {
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}
