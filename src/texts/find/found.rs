//! Results of a search of texts in memory: clusters, pairs and neighbours.

use std::ops::ControlFlow;
use std::sync::OnceLock;

use crate::error::Result;
use crate::observer::Observer;
use crate::search::effort::Effort;
use crate::search::keep::Policy;
use crate::search::plan::Plan;
use crate::search::removals::Removals;
use crate::similarity::{Figures, Removal, RuleSet};
use crate::texts::loaded::{LoadedCorpus, Search};

/// Fingerprinted documents, ready to be searched.
#[derive(Debug)]
pub struct Found {
    pub(super) searched: LoadedCorpus,
    pub(super) plan: Plan,
    pub(super) policy: Policy,
    search: Search,
    /// The documents that may be removed, found once.
    removable: OnceLock<Option<Removals>>,
}

/// A survivor and the documents near to it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Cluster {
    /// The position of the survivor.
    pub survivor: usize,
    /// The documents near to the survivor, in the order of the policy.
    pub members: Vec<Member>,
}

/// A document that is near to a survivor.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Member {
    /// The position of the document.
    pub document: usize,
    /// Its figures against the survivor; A is the member.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which [`clean`](super::clean) removes the document, for this survivor or another; `None`
    /// if it stays, or if there is a second corpus.
    pub removal: Option<Removal>,
}

/// Two documents that are near.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Pair {
    /// The position of the first document.
    pub a: usize,
    /// The position of the second, which is greater.
    pub b: usize,
    /// Their figures.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which [`clean`](super::clean) removes one of them for the other, and with a second corpus
    /// the narrowest by which one may be removed if the other stays; `None` if there is none.
    pub removal: Option<Removal>,
}

impl Found {
    pub(super) fn new(searched: LoadedCorpus, search: Search, policy: Policy) -> Self {
        let plan = searched.plan(&search);
        Self { searched, plan, policy, search, removable: OnceLock::new() }
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.searched.collection.len()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The id of a document.
    ///
    /// # Panics
    ///
    /// If there is no document at this position.
    pub fn id(&self, document: usize) -> &str {
        self.searched.collection.id(self.number(document))
    }

    fn number(&self, document: usize) -> u32 {
        assert!(document < self.len(), "no document at position {document} of {}", self.len());
        document as u32
    }

    /// Returns each survivor that has near-duplicates, with these, in the order of the policy. Every member was
    /// compared with its survivor.
    ///
    /// # Errors
    ///
    /// None without an observer that stops the work.
    pub fn clusters(&self) -> Result<Vec<Cluster>> {
        self.clusters_watched(&())
    }

    /// As [`Found::clusters`], with an observer.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn clusters_watched(&self, observer: &dyn Observer) -> Result<Vec<Cluster>> {
        let collection = &self.searched.collection;
        let found = self.searched.clusters(&self.plan, &self.policy, self.search.effort, observer)?;
        let removable = self.removable(observer)?;
        let cluster = |cluster: crate::search::cluster::Cluster| {
            let member = |&document: &u32| {
                let (figures, rules) = collection.judge(document, cluster.survivor, &self.plan.rules);
                let removal = removable.and_then(|removable| removable.of(document)).map(|(claim, _)| claim);
                Member { document: document as usize, figures, rules, removal }
            };
            Cluster { survivor: cluster.survivor as usize, members: cluster.members.iter().map(member).collect() }
        };
        Ok(found.clusters().map(cluster).collect())
    }

    /// The positions of the documents that survive, ascending.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn survivors(&self, observer: &dyn Observer) -> Result<Vec<usize>> {
        let found = self.searched.clusters(&self.plan, &self.policy, self.search.effort, observer)?;
        let survives = |&document: &u32| found.survivor(document) == document;
        Ok((0..self.len() as u32).filter(survives).map(|document| document as usize).collect())
    }

    /// The search, its plan, its policy, and the resources for it.
    pub fn parts(&self) -> (&LoadedCorpus, &Plan, &Policy, Effort) {
        (&self.searched, &self.plan, &self.policy, self.search.effort)
    }

    /// The documents that [`clean`](super::clean) removes, by which claim; `None` if there is a second corpus, or no document.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn removable(&self, observer: &dyn Observer) -> Result<Option<&Removals>> {
        if let Some(removable) = self.removable.get() {
            return Ok(removable.as_ref());
        }
        let removable = self.searched.removable(&self.search, &self.policy, observer)?;
        // Of two threads that both searched, the first wins; they found the same.
        Ok(self.removable.get_or_init(|| removable).as_ref())
    }

    /// The claim of a [`Pair`].
    pub fn between(&self, removable: Option<&Removals>, [a, b]: [u32; 2]) -> Option<Removal> {
        removable.map_or_else(|| self.searched.collection.claim(a, b), |removable| removable.between([a, b]))
    }

    /// Every near pair, ascending. Identical texts are represented by the first: it is paired with every match and
    /// once with each copy.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Distance`] if the Hamming rule asks for more bits than a join can find; [`crate::Error::Write`] for
    /// temporary files.
    pub fn pairs(&self) -> Result<Vec<Pair>> {
        self.pairs_watched(&())
    }

    /// As [`Found::pairs`], with an observer.
    ///
    /// # Errors
    ///
    /// As [`Found::pairs`], and [`crate::Error::Interrupted`].
    pub fn pairs_watched(&self, observer: &dyn Observer) -> Result<Vec<Pair>> {
        let mut pairs = Vec::new();
        let removable = self.removable(observer)?;
        self.searched.pairs(&self.plan, self.search.effort, observer, |[a, b], figures, rules| {
            let removal = self.between(removable, [a, b]);
            pairs.push(Pair { a: a as usize, b: b as usize, figures, rules, removal });
            ControlFlow::Continue(())
        })?;
        Ok(pairs)
    }

    /// Returns up to `count` nearest documents of one, greatest Jaccard coefficient first, whether or not a rule holds.
    ///
    /// # Errors
    ///
    /// None without an observer that stops the work.
    ///
    /// # Panics
    ///
    /// If there is no document at this position.
    pub fn neighbours(&self, document: usize, count: usize) -> Result<Vec<(usize, Figures)>> {
        let found = self.searched.neighbours(&[self.number(document)], count, 1, &())?;
        let all = found.into_iter().flat_map(|one| one.neighbours);
        Ok(all.map(|(document, figures)| (document as usize, figures)).collect())
    }
}
