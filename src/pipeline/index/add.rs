//! Inputs are added to an index, all or nothing.
//!
//! ```text
//!  texts ──fingerprint──▶ DIR/unfinished ─┐
//!                                         ├─▶ ids known? ─▶ near to one there, or to one
//!  fingerprint files ─────────────────────┘                 taken before? ─▶ a new segment
//! ```
//!
//! Nothing of the index changes before the last step. A run that is stopped or killed before has
//! left fingerprints in `unfinished`, and the same command goes on with them.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::query::AT_ONCE;
use super::{near_each, options, outside};
use crate::error::{Error, Result, shown};
use crate::file::collection::Collection;
use crate::file::map::{FingerprintFile, is_fingerprint_file, verify_all};
use crate::index::query::{Answer, Found, Plan};
use crate::index::{Address, Editor, Part, Segments};
use crate::observer::Observer;
use crate::pipeline::authors::Authors;
use crate::pipeline::clean::{self, clean};
use crate::pipeline::fingerprint::{self, Job, Tally};
use crate::search::candidates;
use crate::search::cluster::{Effort, Keep, cluster_among};
use crate::similarity::{Figures, RuleSet, Rules};

/// What is done with a document whose id the index has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Nothing is added at all.
    Refuse,
    /// The old one stays.
    Skip,
    /// The new one takes its place.
    Replace,
}

/// Documents are added only if nothing near them is there.
#[derive(Debug, Clone)]
pub struct Unique {
    /// What is near.
    pub rules: Rules,
    /// The chance to find what is just near.
    pub recall: f64,
    /// How the work is done.
    pub effort: Effort,
    /// Where the texts of those that are added go.
    pub output: Option<clean::Output>,
    /// Writes the list of what was rejected, which goes beside them.
    pub list: fn(&mut dyn Write, &mut dyn Iterator<Item = Rejected<'_>>, &Rules) -> io::Result<()>,
}

/// What is to be added, and when.
#[derive(Debug, Clone)]
pub struct Adding {
    /// The inputs, fingerprint files among them, and how they are read. How texts become
    /// fingerprints is the index's matter.
    pub job: Job,
    /// Who wrote what, if the index keeps texts.
    pub authors: Authors,
    /// What is done with known ids.
    pub known: Known,
    /// Whether near-duplicates are left out.
    pub unique: Option<Unique>,
}

/// What was added.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
    /// What was read; `None`: fingerprint files only.
    pub tally: Option<Tally>,
    /// The number of documents that are in the index now, and were not.
    pub added: usize,
    /// Of these, those that took the place of another.
    pub replaced: usize,
    /// Those whose id was known, and which were left out.
    pub known: usize,
    /// Those whose id an input before them had.
    pub repeated: usize,
    /// Those that were near to another.
    pub rejected: usize,
    /// How many queries shared a band with more documents than were looked at.
    pub crowded: u64,
    /// The number of documents of the index now.
    pub all: usize,
    /// Why small segments could not be merged, if so: what was added is there all the same.
    pub unmerged: Option<String>,
}

/// A document that was not added, as it is near to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rejected<'a> {
    /// Its id.
    pub id: &'a str,
    /// The id of that other, of the index or added by the same run.
    pub resembles: &'a str,
    /// How alike they are, the rejected one being A.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
}

/// Adds documents; tells those that are rejected, in order. When this returns, what was added is on
/// the disk.
///
/// # Errors
///
/// Those of [`Editor::open`] and [`fingerprint::to_file`]; [`Error::KnownId`]; [`Error::RecipesOf`],
/// [`Error::NoShingles`] and [`Error::NoPassages`] of fingerprint files; those of writing.
/// The index is then as it was.
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
    if let Some(output) = adding.unique.as_ref().and_then(|unique| unique.output.as_ref()) {
        output.check()?;
    }
    let (files, texts): (Vec<PathBuf>, Vec<PathBuf>) =
        job.inputs.iter().cloned().partition(|input| is_fingerprint_file(input));
    // What is known to be of no use is told before texts are read, and before it is asked for.
    let mut collection = Collection::open(&files)?;
    collection.files().try_for_each(|(_, file)| editor.fits(file))?;
    verify_all("checking fingerprint files", collection.files().map(|(_, file)| file), observer)?;
    let mut added = Added::default();
    if !texts.is_empty() {
        job.options = options(editor.segments())?;
        job.inputs = texts;
        let unfinished = editor.unfinished();
        added.tally = Some(fingerprint::to_file(&job, &unfinished, observer).map_err(Error::of_a_step)?);
        collection.push(FingerprintFile::open(&unfinished)?)?;
    }
    let mut taken = Taken::new(&collection, editor.segments(), adding.known, &mut added)?;
    if let Some(unique) = &adding.unique {
        added.crowded =
            taken.keep_unique(&collection, editor.segments(), unique, job.threads, observer, &mut |document| {
                added.rejected += 1;
                rejected(document);
            })?;
        if let Some(output) = &unique.output {
            let stays = |document: u32| taken.takes[document as usize];
            let mut list = |out: &mut dyn Write| {
                let all = 0..collection.len() as u32;
                let mut rejected = all.filter_map(|document| taken.rejected(document, &collection, editor.segments()));
                (unique.list)(out, &mut rejected, &unique.rules)
            };
            clean(&job, &collection, &stays, output, observer, &mut list)?;
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
    editor.change(&parts, &remove, observer)?;
    added.unmerged = editor.unmerged().map(ToString::to_string);
    added.all = editor.segments().len();
    Ok(added)
}

/// Which documents are taken.
struct Taken {
    takes: Vec<bool>,
    /// Those whose id the index has, and where.
    known: Vec<(u32, Address)>,
    /// What those are near to that were rejected.
    near: Vec<Option<Near>>,
}

/// What a rejected document is near to.
enum Near {
    /// A document of the index.
    There(Found),
    /// One that was taken before.
    Taken(u32, Figures, RuleSet),
}

impl Taken {
    /// Those whose ids are new, or may be known.
    fn new(collection: &Collection, segments: &Segments, known: Known, added: &mut Added) -> Result<Self> {
        let mut taken = Self { takes: vec![true; collection.len()], known: Vec::new(), near: Vec::new() };
        let mut ids = HashSet::new();
        // What was just made of texts has no id twice.
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

    /// Leaves out those that are near to a document of the index, or to one that is taken before them.
    /// Returns how many shared a band with more documents than were looked at.
    fn keep_unique(
        &mut self,
        collection: &Collection,
        segments: &Segments,
        unique: &Unique,
        threads: usize,
        observer: &dyn Observer,
        rejected: &mut dyn FnMut(&Rejected<'_>),
    ) -> Result<u64> {
        let plan = Plan::new(segments, unique.rules, unique.recall)?;
        segments.expect_queries(collection.len());
        observer.begin("looking for what is there", Some(collection.len() as u64));
        let takes = &self.takes;
        let mut crowded = 0;
        for start in (0..collection.len() as u32).step_by(AT_ONCE as usize) {
            let documents = start..(start + AT_ONCE).min(collection.len() as u32);
            let asked = |document: u32| takes[document as usize];
            for Answer { found, is_crowded } in
                near_each((collection, documents), asked, (segments, &plan), threads, observer)?
            {
                crowded += u64::from(is_crowded);
                self.near.push(found.into_iter().next().map(Near::There));
            }
        }
        for (takes, near) in self.takes.iter_mut().zip(&self.near) {
            *takes &= near.is_none();
        }
        let among = candidates::Plan::new(unique.rules, collection.recipe().sketches, collection.len(), unique.recall);
        let takes = |document: u32| self.takes[document as usize];
        let clusters = cluster_among(collection, &takes, &among, &Keep::First, unique.effort, observer)?;
        crowded += clusters.crowded;
        for document in 0..collection.len() as u32 {
            let survivor = clusters.survivor(document);
            if self.takes[document as usize] && survivor != document {
                let (figures, held) = collection.judge(document, survivor, &unique.rules);
                self.near[document as usize] = Some(Near::Taken(survivor, figures, held));
                self.takes[document as usize] = false;
            }
            if let Some(document) = self.rejected(document, collection, segments) {
                rejected(&document);
            }
        }
        Ok(crowded)
    }

    fn rejected<'a>(&self, document: u32, collection: &'a Collection, segments: &'a Segments) -> Option<Rejected<'a>> {
        let (resembles, figures, rules) = match self.near.get(document as usize)?.as_ref()? {
            Near::There(found) => (segments.id(found.place), found.figures, found.rules),
            Near::Taken(other, figures, held) => (collection.id(*other), *figures, *held),
        };
        Some(Rejected { id: collection.id(document), resembles, figures, rules })
    }
}
