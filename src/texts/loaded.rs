//! Fingerprints that are loaded and searched: plan, then clusters, pairs or neighbours.
//!
//! [`Search`] states what counts as near and what the search may cost, and a [`LoadedCorpus`] answers.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::durable::scratch::Scratch;
use crate::error::Result;
use crate::observer::Observer;
use crate::search::cluster::{Clusters, cluster};
use crate::search::effort::Effort;
use crate::search::keep::Policy;
use crate::search::neighbours::{Neighbours, nearest};
use crate::search::pairs::{self, near_pairs};
use crate::search::plan::Plan;
use crate::search::removals::{Removals, removals};
use crate::similarity::{Figures, RuleSet, Rules};
use crate::store::file::collection::Collection;

/// The options of a search.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// The rules by which two documents are near.
    pub rules: Rules,
    /// Probability that a pair whose Jaccard coefficient just reaches the rule is found, 0 to less than 1.
    pub recall: f64,
    /// Threads and memory.
    pub effort: Effort,
}

/// Fingerprints that can be searched.
#[derive(Debug)]
pub struct LoadedCorpus {
    /// All fingerprints.
    pub collection: Collection,
    /// The number of the first document of the second corpus.
    pub second: Option<u32>,
    /// The folder of temporary files, should the search need any.
    temp: PathBuf,
    /// The folder of the fingerprints, if they were written for this search.
    scratch: Option<Scratch>,
}

impl LoadedCorpus {
    /// Fingerprints, those of a second corpus from `second` on; a folder for temporary files; and one that these
    /// fingerprints need.
    pub fn new(collection: Collection, second: Option<u32>, temp: PathBuf, scratch: Option<Scratch>) -> Self {
        Self { collection, second, temp, scratch }
    }

    /// The folder of the temporary files of this search. They must be left out when the inputs
    /// are read again.
    pub fn scratch(&self) -> &Path {
        self.scratch.as_ref().map_or(&self.temp, |scratch| &scratch.folder)
    }

    /// The plan of a search.
    pub fn plan(&self, search: &Search) -> Plan {
        Plan::new(search.rules, self.collection.recipe().sketches, self.collection.len(), search.recall)
    }

    /// Returns the survivors chosen by a policy, and the documents near to each.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn clusters(&self, plan: &Plan, keep: &Policy, effort: Effort, observer: &dyn Observer) -> Result<Clusters> {
        cluster(&self.collection, plan, keep, effort, observer)
    }

    /// The documents that `dedup clean` would remove, by which claim; `None` if it cannot be known, because shingles are
    /// not kept or there are two corpora.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn removable(&self, search: &Search, keep: &Policy, observer: &dyn Observer) -> Result<Option<Removals>> {
        if self.second.is_some() || !self.collection.has_shingles() || self.collection.is_empty() {
            return Ok(None);
        }
        let plan = self.plan(&Search { rules: Rules::removing(), ..*search });
        let plan = Plan { across_formats: false, ..plan };
        self.removals(&plan, keep, search.effort, observer).map(Some)
    }

    /// The removals across formats, if the plan keeps these apart and there are several; see [`Self::removals`].
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn across_formats(
        &self,
        plan: &Plan,
        keep: &Policy,
        effort: Effort,
        observer: &dyn Observer,
    ) -> Result<Option<Removals>> {
        let differs = |document: u32| !self.collection.formats_agree(0, document);
        if plan.across_formats || !(1..self.collection.len() as u32).any(differs) {
            return Ok(None);
        }
        let plan = Plan { across_formats: true, ..plan.clone() };
        self.removals(&plan, keep, effort, observer).map(Some)
    }

    /// Decides which documents may be removed, and by which claim. The rules of the plan decide which are edited copies.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn removals(&self, plan: &Plan, keep: &Policy, effort: Effort, observer: &dyn Observer) -> Result<Removals> {
        removals(&self.collection, &|_| true, plan, keep, effort, observer)
    }

    /// Calls `found` with every near pair in ascending order, until it breaks. If a second corpus was gathered, each
    /// pair has one document from each corpus.
    ///
    /// # Errors
    ///
    /// Those of [`near_pairs`].
    pub fn pairs(
        &self,
        plan: &Plan,
        effort: Effort,
        observer: &dyn Observer,
        found: impl FnMut([u32; 2], Figures, RuleSet) -> ControlFlow<()>,
    ) -> Result<()> {
        self.pairs_of(None, plan, effort, observer, found)
    }

    /// The same of the documents that are marked in `of`.
    ///
    /// # Errors
    ///
    /// Those of [`near_pairs`].
    pub fn pairs_of(
        &self,
        of: Option<&[bool]>,
        plan: &Plan,
        effort: Effort,
        observer: &dyn Observer,
        mut found: impl FnMut([u32; 2], Figures, RuleSet) -> ControlFlow<()>,
    ) -> Result<()> {
        let Effort { threads, max_memory } = effort;
        let options = pairs::Options { second: self.second, of, threads, max_memory, temp: self.scratch() };
        near_pairs(&self.collection, plan, &options, observer, |a, b| {
            let (figures, rules) = self.collection.judge(a, b, &plan.rules);
            found([a, b], figures, rules)
        })
    }

    /// Returns the `count` nearest documents of each document in `of`, whether or not a rule holds.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn neighbours(
        &self,
        of: &[u32],
        count: usize,
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Vec<Neighbours>> {
        nearest(&self.collection, of, count, threads, observer)
    }
}
