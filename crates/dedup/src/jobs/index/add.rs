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

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use nearcopy::durable::paths;
use nearcopy::durable::place::Replace;
use nearcopy::observer::Observer;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use nearcopy::store::index::Editor;
use nearcopy::texts::index::{Added, Known, Rejected, Taken, Unique, options};

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
    add_to((folder, &mut Editor::open(folder)?), adding, observer, rejected)
}

/// The same with an index that is open.
pub(super) fn add_to(
    (folder, editor): (&Path, &mut Editor),
    adding: &Adding,
    observer: &dyn Observer,
    rejected: &mut dyn FnMut(&Rejected<'_>),
) -> Result<(Added, Option<Tally>)> {
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
    match taken.add(editor, &collection, adding.known, observer) {
        Ok(added) => Ok((added, tally)),
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

/// Removes the output of documents that were not added after all, so that the same command can run again.
fn withdraw(output: &Output) {
    // The error that is reported is that of the index; what cannot be removed is named when the command runs again.
    for path in output.written() {
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}
