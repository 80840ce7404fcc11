//! The fingerprints to be searched: from fingerprint files, and from texts, which are fingerprinted first.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use nearcopy::durable::scratch::Scratch;
use nearcopy::error::{all_shown, shown};
use nearcopy::fingerprint::Fingerprinter;
use nearcopy::observer::Observer;
use nearcopy::similarity::Rules;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use nearcopy::store::index::expect_no_index;
use nearcopy::texts::loaded::LoadedCorpus;
use nearcopy_corpus::inputs::{HeldFile, Inputs};

use super::opaque::Opaque;
use crate::error::{Error, Result};
use crate::jobs::fingerprint::{self, Job, Tally};
use crate::jobs::texts::Originals;

/// Fingerprints that can be searched, and how they came about.
#[derive(Debug)]
pub struct Gathered {
    /// The fingerprints.
    pub corpus: LoadedCorpus,
    /// The counts of what was read; `None` if all inputs were fingerprint files.
    pub tally: Option<Tally>,
    /// The files among the texts that could not be read as text, in order.
    pub unread: Vec<Opaque>,
    /// Where texts can be read again.
    pub originals: Originals,
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
/// As [`fingerprint::to_scratch`] and [`Collection::open`]; [`nearcopy::Error::RecipesOf`] if the files
/// and the job's options have different recipes; [`nearcopy::Error::NoShingles`] and [`Error::NoKeys`];
/// [`nearcopy::Error::DamagedSection`]; [`Error::NoSources`]; [`Error::NamedTwice`].
pub fn gather(job: &Job, against: &[PathBuf], temp: &Path, rules: &Rules, observer: &dyn Observer) -> Result<Gathered> {
    check(job, against, rules, observer)?;
    let scratch = Scratch::new(temp)?;
    let mut job = job.clone();
    // The scratch folder may lie in an input folder.
    job.selection.except.push(scratch.folder.clone());
    let (mut unread, originals) = (Vec::new(), Originals::on_disk(job.reading.clone()));
    let mut sides = |job: &Job, name: &str| {
        let (files, tally) = one_side(job, &scratch.folder.join(name), observer)?;
        // Only texts of this run have a tally, and their file is the last.
        let of_texts = files.last().filter(|_| tally.is_some());
        unread.extend(of_texts.iter().flat_map(|file| file.unread()).map(|(_, file)| Opaque::new(&file, name == "b")));
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
    Ok(Gathered {
        corpus: LoadedCorpus::new(collection, second, temp.to_owned(), Some(scratch)),
        tally,
        unread,
        originals,
    })
}

/// Fingerprints files in memory, in the order of their names, by the options of a job that names none.
///
/// # Errors
///
/// As [`fingerprint::to_scratch`], and [`nearcopy::Error::Interrupted`].
pub fn gather_held(job: &Job, mut files: Vec<HeldFile>, observer: &dyn Observer) -> Result<Gathered> {
    files.sort_by(|a, b| a.name.cmp(&b.name));
    let held: Arc<[HeldFile]> = files.into();
    let originals = Originals::held(Arc::clone(&held), job.reading.clone());
    let inputs = Inputs::held((0..held.len()).map(move |file| held[file].clone()), job.selection.clone())?;
    // Fingerprints that find no room in memory would go there.
    let temp = job.reading.temp.clone().unwrap_or_default();
    let (file, tally) = fingerprint::to_scratch(job, inputs, &temp, observer)?;
    let unread = file.unread().map(|(_, file)| Opaque::new(&file, false)).collect();
    let corpus = LoadedCorpus::new(Collection::of(vec![file])?, None, temp, None);
    Ok(Gathered { corpus, tally: Some(tally), unread, originals })
}

/// Checks the fingerprint files among the inputs; the quick checks of all come first.
fn check(job: &Job, against: &[PathBuf], rules: &Rules, observer: &dyn Observer) -> Result<()> {
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().chain(against).cloned().partition(|input| is_fingerprint_file(input));
    texts.iter().try_for_each(|input| expect_no_index(input))?;
    [&*job.inputs, against].into_iter().try_for_each(expect_once)?;
    if files.is_empty() {
        return Ok(());
    }
    let collection = Collection::open(&files)?;
    let (_, first) = collection.files().next().expect("one file at least");
    if !texts.is_empty() {
        let fingerprinter = Fingerprinter::new(job.options.clone())?;
        let (recipe, id) = (fingerprinter.recipe(), fingerprinter.recipe().id());
        if first.recipe_id() != id {
            return Err(first.is_unlike("the texts", recipe, id).into());
        }
    }
    for (_, file) in collection.files() {
        let path = || file.path().to_owned();
        if rules.min_similarity.is_some() && !file.has_shingles() {
            return Err(nearcopy::Error::NoShingles { path: path() }.into());
        }
        if job.reading.fields.key.is_some() && !file.has_keys() {
            return Err(Error::NoKeys { path: path() });
        }
    }
    Ok(verify_all("checking fingerprint files", collection.files().map(|(_, file)| file), observer)?)
}

/// Refuses a fingerprint file that is named twice: each of its documents would be near to itself.
fn expect_once(inputs: &[PathBuf]) -> Result<()> {
    let mut seen = HashSet::new();
    let mut is_first = |path: &PathBuf| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone()));
    match inputs.iter().find(|input| is_fingerprint_file(input) && !is_first(input)) {
        Some(path) => Err(Error::NamedTwice { path: shown(path) }),
        None => Ok(()),
    }
}

/// The fingerprints of one corpus.
fn one_side(job: &Job, folder: &Path, observer: &dyn Observer) -> Result<(Vec<FingerprintFile>, Option<Tally>)> {
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    let mut files = files.iter().map(|path| FingerprintFile::open(path)).collect::<nearcopy::Result<Vec<_>>>()?;
    if texts.is_empty() {
        return Ok((files, None));
    }
    std::fs::create_dir(folder).map_err(|source| nearcopy::Error::Write { path: shown(folder), source })?;
    let job = Job { inputs: texts, ..job.clone() };
    let inputs = Inputs::new(job.inputs.clone(), job.selection.clone())?;
    let (file, tally) = fingerprint::to_scratch(&job, inputs, folder, observer)?;
    files.push(file);
    Ok((files, Some(tally)))
}
