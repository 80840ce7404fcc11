//! Near-duplicates among texts in memory.
//!
//! Cost: that of fingerprinting and searching. The fingerprints lie in a temporary file until the [`Found`] is dropped.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::available_parallelism;

use super::{Search, Searched};
use crate::error::Result;
use crate::file::collection::Collection;
use crate::file::format::Sections;
use crate::observer::Observer;
use crate::pipeline::Options;
use crate::pipeline::find::gather::Scratch;
use crate::pipeline::fingerprint::documents::to_scratch;
use crate::pipeline::fingerprint::workers::Making;
use crate::search::candidates::Plan;
use crate::search::effort::Effort;
use crate::search::keep::{Keep, KeyOrder, Policy};
use crate::similarity::{Figures, RuleSet, Rules};

/// The options of finding near-duplicates.
///
/// ```
/// use nearcopy::{FindOptions, Keep, Rules};
///
/// let options = FindOptions::new().rules(Rules::of(None, Some(0.8))).keep(Keep::First).threads(2);
/// ```
#[derive(Debug, Clone)]
pub struct FindOptions {
    fingerprint: Options,
    keep: Keep,
    search: Search,
    temp: PathBuf,
}

impl Default for FindOptions {
    /// See [`FindOptions::new`].
    fn default() -> Self {
        let effort = Effort { threads: available_parallelism().map_or(1, Into::into), max_memory: 1 << 30 };
        Self {
            fingerprint: Options::default(),
            keep: Keep::default(),
            search: Search { rules: Rules::default(), recall: 0.995, effort },
            temp: std::env::temp_dir(),
        }
    }
}

impl FindOptions {
    /// The options of `dedup find`: Hamming distance ≤ 3 or Jaccard ≥ 0.5, the longest text survives, all processors.
    pub fn new() -> Self {
        Self::default()
    }

    /// The options of `dedup clean`: Jaccard ≥ 0.7 of words, more for short texts ([`Rules::removing`]); no language is
    /// detected.
    pub fn removing() -> Self {
        let mut options = Self::new().rules(Rules::removing());
        options.fingerprint.simhash = false;
        options
    }

    /// Sets the options by which texts become fingerprints.
    #[must_use]
    pub fn fingerprint(mut self, options: Options) -> Self {
        self.fingerprint = options;
        self
    }

    /// Sets the rules by which two documents are near.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        self.search.rules = rules;
        self
    }

    /// Sets the policy that decides which of several near-duplicates survives.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Sets the probability that a pair whose Jaccard coefficient just reaches the rule is found, 0 to less than 1.
    #[must_use]
    pub fn recall(mut self, recall: f64) -> Self {
        self.search.recall = recall;
        self
    }

    /// Sets the number of threads; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.search.effort.threads = threads.max(1);
        self
    }

    /// Sets the bound on memory in bytes, beyond the mapped temporary file.
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.search.effort.max_memory = bytes;
        self
    }

    /// Sets the folder of temporary files.
    #[must_use]
    pub fn temp(mut self, folder: impl Into<PathBuf>) -> Self {
        self.temp = folder.into();
        self
    }

    /// Fingerprints documents and plans the search among them; the observer receives the progress and can stop it.
    ///
    /// # Errors
    ///
    /// As [`find`], and [`crate::Error::Interrupted`].
    pub fn find<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.found(without_keys(documents), self.keep.into(), observer)
    }

    /// As [`FindOptions::find`], with a sort key for each document, such as its date. The keys decide which of several
    /// near-duplicates survives, in place of [`FindOptions::keep`].
    ///
    /// ```
    /// # fn main() -> nearcopy::Result<()> {
    /// use nearcopy::{FindOptions, KeyOrder};
    ///
    /// let texts = [
    ///     ("v1", "The mill stood where two brooks met.", Some("2024-05-01".to_owned())),
    ///     ("v2", "The mill stood where two brooks met!", Some("2026-02-03".to_owned())),
    ///     ("v3", "the mill stood where two brooks met", None),
    /// ];
    /// let found = FindOptions::new().find_by_keys(texts, KeyOrder::Greatest, &())?;
    /// assert_eq!(found.survivors(&())?, [1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`FindOptions::find`].
    pub fn find_by_keys<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text, Option<String>), IntoIter: Send>,
        order: KeyOrder,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.found(documents.into_iter(), Policy::Key(order), observer)
    }

    /// As [`FindOptions::find`], with a second corpus. [`Found::pairs`] then lists only pairs of a document and one of
    /// the second corpus, whose positions follow those of the documents.
    ///
    /// # Errors
    ///
    /// As [`FindOptions::find`].
    pub fn find_against<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        against: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let first = AtomicU32::new(0);
        let counted = documents.into_iter().inspect(|_| _ = first.fetch_add(1, Ordering::Relaxed));
        let mut found = self.found(without_keys(counted.chain(against)), self.keep.into(), observer)?;
        found.searched.second = Some(first.into_inner());
        Ok(found)
    }

    fn found<Id, Text>(
        &self,
        documents: impl Iterator<Item = (Id, Text, Option<String>)> + Send,
        policy: Policy,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let Search { effort, .. } = self.search;
        let scratch = Scratch::new(&self.temp)?;
        let making = Making { options: &self.fingerprint, passages: None, inputs: &[] };
        let keys = matches!(policy, Policy::Key(_));
        let sections = Sections { shingles: true, keys, ..Sections::default() };
        let writer = to_scratch(documents, (&making, sections), effort.threads, &scratch.folder, observer, |_| Ok(()))?;
        let searched = Searched::in_scratch(Collection::of(vec![writer.finish_apart()?])?, scratch);
        let plan = searched.plan(&self.search);
        Ok(Found { searched, plan, policy, effort })
    }
}

fn without_keys<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
) -> impl Iterator<Item = (Id, Text, Option<String>)> + Send {
    documents.into_iter().map(|(id, text)| (id, text, None))
}

/// Fingerprints documents, each an id and a text, and returns them ready to be searched.
///
/// Ids need not be unique: results identify documents by position, counted from 0. Ids break ties between documents
/// that the policy ranks equal.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// let texts = [
///     ("monday", "The town library opens its new reading room on Monday. Visitors can borrow headphones at the desk."),
///     ("friday", "The town library opens its new reading room on Friday. Visitors can borrow headphones at the desk."),
///     ("bees", "Bees measure the distance to a meadow by the stream of images that passes below them as they fly."),
/// ];
/// let found = nearcopy::find(texts, &nearcopy::FindOptions::new())?;
/// let pairs = found.pairs()?;
/// assert_eq!(pairs.len(), 1);
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
/// assert!(pairs[0].figures.jaccard > Some(0.5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of the options ([`crate::Fingerprinter::new`]), and [`crate::Error::Write`] for the temporary file.
pub fn find<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
    options: &FindOptions,
) -> Result<Found>
where
    Id: Into<String> + Send,
    Text: AsRef<str> + Send,
{
    options.find(documents, &())
}

/// Returns the positions of the documents that survive, ascending. Every other document is near to a survivor.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// let texts = [("a", "The vaccine is safe."), ("b", "the vaccine is safe"), ("c", "The vaccine is not safe at all.")];
/// assert_eq!(nearcopy::clean(texts, &nearcopy::FindOptions::removing())?, [0, 2]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// As [`find`].
pub fn clean<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
    options: &FindOptions,
) -> Result<Vec<usize>>
where
    Id: Into<String> + Send,
    Text: AsRef<str> + Send,
{
    options.find(documents, &())?.survivors(&())
}

/// Fingerprinted documents, ready to be searched.
#[derive(Debug)]
pub struct Found {
    searched: Searched,
    plan: Plan,
    policy: Policy,
    effort: Effort,
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
}

impl Found {
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
        self.searched.collection.id(document as u32)
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
        let found = self.searched.clusters(&self.plan, &self.policy, self.effort, observer)?;
        let cluster = |cluster: crate::search::cluster::Cluster| {
            let member = |&document: &u32| {
                let (figures, rules) = collection.judge(document, cluster.survivor, &self.plan.rules);
                Member { document: document as usize, figures, rules }
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
        let found = self.searched.clusters(&self.plan, &self.policy, self.effort, observer)?;
        let survives = |&document: &u32| found.survivor(document) == document;
        Ok((0..self.len() as u32).filter(survives).map(|document| document as usize).collect())
    }

    /// The search, its plan, its policy, and the resources for it.
    #[doc(hidden)]
    pub fn parts(&self) -> (&Searched, &Plan, &Policy, Effort) {
        (&self.searched, &self.plan, &self.policy, self.effort)
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
        self.searched.pairs(&self.plan, self.effort, observer, |[a, b], figures, rules| {
            pairs.push(Pair { a: a as usize, b: b as usize, figures, rules });
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
        let found = self.searched.neighbours(&[document as u32], count, 1, &())?;
        let all = found.into_iter().flat_map(|one| one.neighbours);
        Ok(all.map(|(document, figures)| (document as usize, figures)).collect())
    }
}

#[cfg(test)]
mod tests;
