//! Adding fingerprints to an index, all or none: which documents are taken, and the change.

use std::collections::HashSet;

use super::near_each;
use super::query::AT_ONCE;
use crate::error::{Error, Result, shown};
use crate::observer::Observer;
use crate::search::effort::Effort;
use crate::search::hot_keys::Crowded;
use crate::search::keep::Keep;
use crate::search::plan;
use crate::search::removals::removals;
use crate::similarity::{Figures, Removal, RuleSet, Rules};
use crate::store::file::collection::Collection;
use crate::store::index::query::{Found, Plan};
use crate::store::index::{Address, Editor, Part, Segments};

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
}

/// The outcome of adding.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Added {
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

/// The documents of a collection that are to be added, and why others are not.
pub struct Taken {
    takes: Vec<bool>,
    added: Added,
    /// The first document that has the id of one before.
    repeated: Option<u32>,
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
    /// The documents whose ids are new, or are known and do not prevent adding. `may_repeat` is false if no two of them
    /// have the same id.
    ///
    /// # Errors
    ///
    /// [`Error::KnownId`] if known ids are refused.
    pub fn new(collection: &Collection, segments: &Segments, known: Known, may_repeat: bool) -> Result<Self> {
        let takes = vec![true; collection.len()];
        let mut this = Self { takes, added: Added::default(), repeated: None, known: Vec::new(), near: Vec::new() };
        let mut ids = HashSet::new();
        for document in 0..collection.len() as u32 {
            let id = collection.id(document);
            if may_repeat && !ids.insert(blake3::hash(id.as_bytes())) {
                this.added.repeated += 1;
                this.repeated.get_or_insert(document);
                this.takes[document as usize] = false;
                continue;
            }
            if let Some(place) = segments.find(id) {
                this.known.push((document, place));
            }
        }
        match (known, &this.known[..]) {
            (Known::Refuse, [(first, _), others @ ..]) => Err(Error::KnownId {
                path: shown(segments.folder()),
                id: collection.id(*first).to_owned(),
                others: others.len(),
            }),
            (Known::Skip, known) => {
                for (document, _) in known {
                    this.takes[*document as usize] = false;
                }
                this.added.known = this.known.len();
                Ok(this)
            }
            _ => Ok(this),
        }
    }

    /// Leaves out the documents whose ids the index has, but for those ids that may be replaced; returns them.
    pub fn leave_others(&mut self, collection: &Collection, may_replace: impl Fn(&str) -> bool) -> Vec<u32> {
        let (known, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.known)
            .into_iter()
            .partition(|&(document, _)| may_replace(collection.id(document)));
        self.known = known;
        let others: Vec<u32> = others.into_iter().map(|(document, _)| document).collect();
        for &document in &others {
            self.takes[document as usize] = false;
        }
        others
    }

    /// The first id that a document before it has too.
    pub fn first_repeated<'c>(&self, collection: &'c Collection) -> Option<&'c str> {
        self.repeated.map(|document| collection.id(document))
    }

    /// Leaves out documents that are near to a document of the index, or to one that is taken before them.
    ///
    /// # Errors
    ///
    /// Those of searching the index, and [`Error::Interrupted`].
    pub fn keep_unique(
        &mut self,
        collection: &Collection,
        segments: &Segments,
        unique: &Unique,
        threads: usize,
        observer: &dyn Observer,
        rejected: &mut dyn FnMut(&Rejected<'_>),
    ) -> Result<()> {
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
        let among = plan::Plan::new(unique.rules, collection.recipe().sketches, collection.len(), unique.recall);
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
                self.added.rejected += 1;
            }
        }
        self.added.crowded = clusters.crowded;
        Ok(())
    }

    /// True if a document is to be added.
    pub fn takes(&self, document: u32) -> bool {
        self.takes[document as usize]
    }

    /// The rejection of a document that is near to another; `None` if it is none.
    pub fn rejected<'a>(
        &self,
        document: u32,
        collection: &'a Collection,
        segments: &'a Segments,
    ) -> Option<Rejected<'a>> {
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

    /// Adds the documents by one change; those that replace others are exchanged in the same change.
    ///
    /// # Errors
    ///
    /// Those of [`Editor::change`]. The index is then unchanged.
    pub fn add(
        self,
        editor: &mut Editor,
        collection: &Collection,
        known: Known,
        observer: &dyn Observer,
    ) -> Result<Added> {
        let Self { takes, mut added, known: there, .. } = self;
        added.added = takes.iter().filter(|&&takes| takes).count();
        let remove: Vec<Address> = if known == Known::Replace {
            there.iter().filter(|(document, _)| takes[*document as usize]).map(|&(_, place)| place).collect()
        } else {
            Vec::new()
        };
        added.replaced = remove.len();
        let is_taken = &takes;
        let in_file: Vec<_> =
            collection.files().map(|(first, _)| move |document: u32| is_taken[(first + document) as usize]).collect();
        let parts: Vec<Part<'_>> =
            collection.files().zip(&in_file).map(|((_, file), takes)| Part { file, takes, renamed: None }).collect();
        editor.change(&parts, &remove, observer)?;
        added.unmerged = editor.unmerged().map(ToString::to_string);
        added.all = editor.segments().len();
        added.takes = takes;
        Ok(added)
    }
}
