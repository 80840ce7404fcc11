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

use super::query::AT_ONCE;
use super::{near_each, options, outside};
use crate::durable::paths;
use crate::durable::place::Replace;
use crate::error::{Error, Result, shown};
use crate::file::collection::Collection;
use crate::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use crate::index::query::{Found, Plan};
use crate::index::{Address, Editor, Part, Segments};
use crate::observer::Observer;
use crate::pipeline::authors::Authors;
use crate::pipeline::clean::{self, Output, clean};
use crate::pipeline::fingerprint::{self, Job, Tally};
use crate::search::candidates;
use crate::search::crowds::Crowded;
use crate::search::effort::Effort;
use crate::search::keep::Keep;
use crate::search::removals::removals;
use crate::similarity::{Figures, Removal, RuleSet, Rules};

/// The treatment of a document whose id the index already has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing is added, and the run fails.
    Refuse,
    /// The document is skipped; the old one stays.
    Skip,
    /// The document replaces the old one.
    Replace,
}

/// The options of adding only documents without a near-duplicate.
#[derive(Debug, Clone)]
pub struct Unique {
    /// The widest claim by which a document is rejected.
    pub claim: Removal,
    /// The rules by which a document is an edited copy.
    pub rules: Rules,
    /// Probability that a pair that just reaches the Jaccard rule is found.
    pub recall: f64,
    /// Threads and memory.
    pub effort: Effort,
    /// The destination of the added documents' texts, if they are written too.
    pub output: Option<clean::Output>,
    /// Writes the list of rejected documents, which goes beside that output.
    pub list: fn(&mut dyn Write, &mut dyn Iterator<Item = Rejected<'_>>) -> io::Result<()>,
}

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
}

/// The outcome of adding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    /// The counts of what was read; `None` if all inputs were fingerprint files.
    pub tally: Option<Tally>,
    /// True for each document that was added, in the order of the input, fingerprint files first.
    pub takes: Vec<bool>,
    /// Number of documents added to the index.
    pub added: usize,
    /// Number of these that replaced another.
    pub replaced: usize,
    /// Number of documents skipped because the index has their id.
    pub known: usize,
    /// Number of documents skipped because an earlier input document has their id.
    pub repeated: usize,
    /// Number of documents rejected because they are near to another.
    pub rejected: usize,
    /// The added documents that a crowded band does not find.
    pub crowded: Crowded,
    /// Number of documents in the index afterwards.
    pub all: usize,
    /// The error of merging small segments, if that failed; the documents are added nevertheless.
    pub unmerged: Option<String>,
}

/// A document that was not added because it is near to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rejected<'a> {
    /// Its position in the input, from 0; fingerprint files come first.
    pub document: u32,
    /// Its id.
    pub id: &'a str,
    /// The id of the other document, which is in the index or added by the same run.
    pub resembles: &'a str,
    /// The figures of the pair; A is the rejected document.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which it is rejected.
    pub removal: Option<Removal>,
    /// The digests of both texts.
    pub digests: [[u8; 16]; 2],
}

/// Adds documents, and calls `rejected` with each that is rejected, in order. When this returns, the added
/// documents are on disk.
///
/// # Errors
///
/// Those of [`Editor::open`] and [`fingerprint::to_file`]; [`Error::KnownId`]; [`Error::RecipesOf`],
/// [`Error::NoShingles`] and [`Error::NoPassages`] of fingerprint files; those of writing.
/// The index is then unchanged.
pub fn add(
    folder: &Path,
    adding: &Adding,
    observer: &dyn Observer,
    rejected: &mut dyn FnMut(&Rejected<'_>),
) -> Result<Added> {
    let mut editor = Editor::open(folder)?;
    let settings = editor.segments().settings();
    let mut job = outside(&adding.job, folder)?;
    job.shingles = settings.shingles;
    job.passages = settings.passages.then_some(adding.authors);
    let output = adding.unique.as_ref().and_then(|unique| unique.output.as_ref());
    let claimed = output.map(Output::claim).transpose()?;
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    // Fingerprint files that do not match the index are refused before any is verified or any text is read.
    let mut collection = Collection::open(&files)?;
    collection.files().try_for_each(|(_, file)| editor.fits(file))?;
    verify_all("checking fingerprint files", collection.files().map(|(_, file)| file), observer)?;
    let mut added = Added::default();
    if !texts.is_empty() {
        job.options = options(editor.segments())?;
        job.inputs = texts;
        let unfinished = editor.unfinished();
        added.tally = Some(fingerprint::to_file(&job, &unfinished, Replace::Any, observer).map_err(Error::of_a_step)?);
        collection.push(FingerprintFile::open(&unfinished)?)?;
    }
    let output = adding.unique.as_ref().and_then(|unique| unique.output.as_ref());
    // What it replaces, by `--force`, it may replace again.
    let is_new = output.is_some_and(|output| !output.path.exists() || paths::is_empty_folder(&output.path));
    let mut taken = Taken::new(&collection, editor.segments(), adding.known, &mut added)?;
    if let Some(unique) = &adding.unique {
        added.crowded =
            taken.keep_unique(&collection, editor.segments(), unique, job.threads, observer, &mut |document| {
                added.rejected += 1;
                rejected(document);
            })?;
        if let (Some(output), Some(claimed)) = (&unique.output, claimed) {
            let stays = |document: u32| taken.takes[document as usize];
            let mut list = |out: &mut dyn Write| {
                let all = 0..collection.len() as u32;
                let mut rejected = all.filter_map(|document| taken.rejected(document, &collection, editor.segments()));
                (unique.list)(out, &mut rejected)
            };
            clean(&job, &collection, &stays, (output, claimed), observer, &mut list, None)?;
        }
    }
    added.added = taken.takes.iter().filter(|&&takes| takes).count();
    let remove: Vec<Address> = if adding.known == Known::Replace {
        taken.known.iter().filter(|(document, _)| taken.takes[*document as usize]).map(|&(_, place)| place).collect()
    } else {
        Vec::new()
    };
    added.replaced = remove.len();
    let is_taken = &taken.takes;
    let in_file: Vec<_> =
        collection.files().map(|(first, _)| move |document: u32| is_taken[(first + document) as usize]).collect();
    let parts: Vec<Part<'_>> =
        collection.files().zip(&in_file).map(|((_, file), takes)| Part { file, takes }).collect();
    if let Err(error) = editor.change(&parts, &remove, observer) {
        if let Some(output) = output.filter(|_| is_new) {
            withdraw(output);
        }
        return Err(error);
    }
    added.unmerged = editor.unmerged().map(ToString::to_string);
    added.all = editor.segments().len();
    added.takes = taken.takes;
    Ok(added)
}

/// Removes the output of documents that were not added after all, so that the same command can run again.
fn withdraw(output: &Output) {
    // The error that is reported is that of the index; what cannot be removed is named when the command runs again.
    for path in output.written() {
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
}

/// The documents that are taken.
struct Taken {
    takes: Vec<bool>,
    /// The documents whose id the index has, with its address there.
    known: Vec<(u32, Address)>,
    /// The near document of each rejected document.
    near: Vec<Option<Near>>,
}

/// The document that a rejected one is near to.
enum Near {
    /// A document of the index.
    There(Found),
    /// A document that was taken before.
    Taken(u32, Figures, RuleSet, Removal),
}

impl Taken {
    /// The documents whose ids are new, or are known and do not prevent adding.
    fn new(collection: &Collection, segments: &Segments, known: Known, added: &mut Added) -> Result<Self> {
        let mut taken = Self { takes: vec![true; collection.len()], known: Vec::new(), near: Vec::new() };
        let mut ids = HashSet::new();
        // A file that was just made from texts has no repeated id.
        let may_repeat = added.tally.is_none() || collection.files().count() > 1;
        for document in 0..collection.len() as u32 {
            let id = collection.id(document);
            if may_repeat && !ids.insert(blake3::hash(id.as_bytes())) {
                added.repeated += 1;
                taken.takes[document as usize] = false;
                continue;
            }
            if let Some(place) = segments.find(id) {
                taken.known.push((document, place));
            }
        }
        match (known, &taken.known[..]) {
            (Known::Refuse, [(first, _), others @ ..]) => Err(Error::KnownId {
                path: shown(segments.folder()),
                id: collection.id(*first).to_owned(),
                others: others.len(),
            }),
            (Known::Skip, known) => {
                added.known = known.len();
                for (document, _) in known {
                    taken.takes[*document as usize] = false;
                }
                Ok(taken)
            }
            _ => Ok(taken),
        }
    }

    /// Leaves out documents that are near to a document of the index, or to one that is taken before them.
    /// Returns the taken documents that a crowded band does not find.
    fn keep_unique(
        &mut self,
        collection: &Collection,
        segments: &Segments,
        unique: &Unique,
        threads: usize,
        observer: &dyn Observer,
        rejected: &mut dyn FnMut(&Rejected<'_>),
    ) -> Result<Crowded> {
        let plan = Plan::new(segments, unique.rules, unique.recall)?.removing(unique.claim);
        segments.expect_queries(collection.len());
        observer.begin("searching the index", Some(collection.len() as u64));
        let takes = &self.takes;
        for start in (0..collection.len() as u32).step_by(AT_ONCE as usize) {
            let documents = start..(start + AT_ONCE).min(collection.len() as u32);
            let asked = |document: u32| takes[document as usize];
            for found in near_each((collection, documents), asked, (segments, &plan), threads, observer)? {
                self.near.push(found.into_iter().next().map(Near::There));
            }
        }
        for (takes, near) in self.takes.iter_mut().zip(&self.near) {
            *takes &= near.is_none();
        }
        let among = candidates::Plan::new(unique.rules, collection.recipe().sketches, collection.len(), unique.recall);
        let takes = |document: u32| self.takes[document as usize];
        let removals = removals(collection, &takes, &among, &Keep::First.into(), unique.effort, observer)?;
        let clusters = removals.clusters(unique.claim);
        for document in 0..collection.len() as u32 {
            let survivor = clusters.survivor(document);
            if self.takes[document as usize] && survivor != document {
                let (figures, held) = collection.judge(document, survivor, &unique.rules);
                let removal = removals.between([document, survivor]).unwrap_or(unique.claim);
                self.near[document as usize] = Some(Near::Taken(survivor, figures, held, removal));
                self.takes[document as usize] = false;
            }
            if let Some(document) = self.rejected(document, collection, segments) {
                rejected(&document);
            }
        }
        Ok(clusters.crowded)
    }

    fn rejected<'a>(&self, document: u32, collection: &'a Collection, segments: &'a Segments) -> Option<Rejected<'a>> {
        let (resembles, digest, figures, rules, removal) = match self.near.get(document as usize)?.as_ref()? {
            Near::There(found) => {
                (segments.id(found.place), segments.digest(found.place), found.figures, found.rules, found.removal)
            }
            Near::Taken(other, figures, held, removal) => {
                (collection.id(*other), collection.digest(*other), *figures, *held, Some(*removal))
            }
        };
        let digests = [collection.digest(document), digest];
        Some(Rejected { document, id: collection.id(document), resembles, figures, rules, removal, digests })
    }
}
