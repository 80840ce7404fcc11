//! The documents among texts in memory that may go, as `dedup clean` decides them.

use std::path::PathBuf;

use super::found::Found;
use super::{FindOptions, without_keys};
use crate::error::Result;
use crate::fingerprint::Options;
use crate::observer::Observer;
use crate::search::cluster::Clusters;
use crate::search::keep::{Keep, KeyOrder, Policy};
use crate::search::removals::Removals;
use crate::similarity::{Figures, Removal, RuleSet, Rules};

/// The options of removing near-duplicates.
///
/// ```
/// use nearcopy::{CleanOptions, Keep, Removal, Rules};
///
/// let options = CleanOptions::new().remove(Removal::Same).keep(Keep::First).threads(2);
/// let wider = CleanOptions::edited(Rules { min_similarity: Some(0.9), ..Rules::removing() });
/// ```
#[derive(Debug, Clone)]
pub struct CleanOptions {
    /// The search; its rules are those of edited copies.
    find: FindOptions,
    remove: Removal,
}

impl Default for CleanOptions {
    /// See [`CleanOptions::new`].
    fn default() -> Self {
        Self { find: FindOptions::new().rules(Rules::removing()), remove: Removal::Contained }
    }
}

impl CleanOptions {
    /// The options of `dedup clean`: removes what stands whole in a survivor ([`Removal::Contained`]), the longest text
    /// survives, all processors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes edited copies too ([`Removal::Edited`]), by these rules. Those of `dedup clean --remove edited` are
    /// [`Rules::removing`].
    ///
    /// # Panics
    ///
    /// As [`FindOptions::rules`].
    pub fn edited(rules: Rules) -> Self {
        Self { find: FindOptions::new().rules(rules), remove: Removal::Edited }
    }

    /// Sets the widest claim that a removal may make. Edited copies are then those by [`Rules::removing`];
    /// [`CleanOptions::edited`] takes other rules.
    #[must_use]
    pub fn remove(mut self, widest: Removal) -> Self {
        self.find = self.find.rules(Rules::removing());
        self.remove = widest;
        self
    }

    /// Sets the options by which texts become fingerprints. A simhash is made only if the rules of edited copies have a
    /// distance.
    #[must_use]
    pub fn fingerprint(mut self, options: Options) -> Self {
        self.find = self.find.fingerprint(options);
        self
    }

    /// Sets the policy that decides which of several near-duplicates survives.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.find = self.find.keep(keep);
        self
    }

    /// Sets the probability that an edited copy whose Jaccard coefficient just reaches the rule is found.
    ///
    /// # Panics
    ///
    /// If it is not from 0 to less than 1.
    #[must_use]
    pub fn recall(mut self, recall: f64) -> Self {
        self.find = self.find.recall(recall);
        self
    }

    /// Sets the number of threads; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.find = self.find.threads(threads);
        self
    }

    /// Sets the bound on memory in bytes, as [`FindOptions::max_memory`].
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.find = self.find.max_memory(bytes);
        self
    }

    /// Sets the folder of temporary files.
    #[must_use]
    pub fn temp(mut self, folder: impl Into<PathBuf>) -> Self {
        self.find = self.find.temp(folder);
        self
    }

    /// As [`clean()`], with an observer, which receives the progress and can stop the work.
    ///
    /// # Errors
    ///
    /// As [`clean()`], and [`crate::Error::Interrupted`].
    pub fn clean<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        observer: &dyn Observer,
    ) -> Result<Cleaned>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.cleaned(without_keys(documents), self.find.keep.into(), observer)
    }

    /// As [`CleanOptions::clean`], with a sort key for each document, such as its date. The keys decide which of several
    /// near-duplicates survives, in place of [`CleanOptions::keep`].
    ///
    /// # Errors
    ///
    /// As [`CleanOptions::clean`].
    pub fn clean_by_keys<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text, Option<String>), IntoIter: Send>,
        order: KeyOrder,
        observer: &dyn Observer,
    ) -> Result<Cleaned>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.cleaned(documents.into_iter(), Policy::Key(order), observer)
    }

    fn cleaned<Id, Text>(
        &self,
        documents: impl Iterator<Item = (Id, Text, Option<String>)> + Send,
        policy: Policy,
        observer: &dyn Observer,
    ) -> Result<Cleaned>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let mut find = self.find.clone();
        // Without the Hamming rule only words are compared, and they need no language.
        find.fingerprint.simhash = find.search.rules.max_distance.is_some();
        let found = find.found(documents, policy, observer)?;
        let (searched, plan, policy, effort) = found.parts();
        let removals = searched.removals(plan, policy, effort, observer)?;
        let clusters = removals.clusters(self.remove);
        Ok(Cleaned { found, removals, clusters, remove: self.remove })
    }
}

/// Decides which documents, each an id and a text, may be removed because a survivor says the same.
///
/// Each text is read once.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// use nearcopy::{CleanOptions, Removal, clean};
///
/// let mill = "The mill stood where two brooks met, and its wheel had not turned since the war of the two brothers. \
///     They had quarrelled over the water, which neither of them owned, and each had sworn to see the other's race run \
///     dry before he would grind another sack. Nobody in the village could say any more who had begun it.";
/// let quoted = format!("A guide says this. {mill} So it stands.");
/// let edited = mill.replace("Nobody in the village", "Nobody in the whole village");
/// let cleaned = clean([("a", mill), ("b", &*quoted), ("c", &*edited)], &CleanOptions::new())?;
/// assert_eq!(cleaned.survivors(), [1, 2]);
/// let removed = &cleaned.removed()[0];
/// assert_eq!((removed.document, removed.survivor, removed.removal), (0, 1, Removal::Contained));
/// // What only a wider claim removes is kept, and is listed.
/// let review = &cleaned.to_review()[0];
/// assert_eq!((review.document, review.survivor, review.removal), (2, 1, Removal::Edited));
/// # Ok(())
/// # }
/// ```
///
/// The rules of listing are no rules of removal, so [`FindOptions`] are refused:
///
/// ```compile_fail
/// nearcopy::clean([("a", "The vaccine is safe.")], &nearcopy::FindOptions::new());
/// ```
///
/// # Errors
///
/// As [`find`](super::find).
pub fn clean<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
    options: &CleanOptions,
) -> Result<Cleaned>
where
    Id: Into<String> + Send,
    Text: AsRef<str> + Send,
{
    options.clean(documents, &())
}

/// The documents that survive, those that are removed, and those that a wider claim would remove.
#[derive(Debug)]
pub struct Cleaned {
    found: Found,
    removals: Removals,
    /// The survivors by the widest claim that was allowed.
    clusters: Clusters,
    remove: Removal,
}

/// A document that may be removed, and its survivor.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Removable {
    /// The position of the document.
    pub document: usize,
    /// The position of its survivor.
    pub survivor: usize,
    /// The narrowest claim by which the document goes.
    pub removal: Removal,
    /// Its figures against the survivor; A is the document.
    pub figures: Figures,
    /// The rules of edited copies that hold.
    pub rules: RuleSet,
}

impl Cleaned {
    /// Number of documents.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// The id of a document.
    ///
    /// # Panics
    ///
    /// If there is no document at this position.
    pub fn id(&self, document: usize) -> &str {
        self.found.id(document)
    }

    /// The positions of the documents that survive, ascending.
    pub fn survivors(&self) -> Vec<usize> {
        let survives = |&document: &usize| self.clusters.survivor(document as u32) == document as u32;
        (0..self.len()).filter(survives).collect()
    }

    /// The documents that are removed, ascending. Every one was compared with its survivor.
    pub fn removed(&self) -> Vec<Removable> {
        let claimed = self.removals.gone(self.remove);
        self.judged(&claimed.collect::<Vec<_>>())
    }

    /// The documents that survive and that a wider claim would remove, ascending, each with its survivor then. None if
    /// [edited copies](Removal::Edited) are removed.
    pub fn to_review(&self) -> Vec<Removable> {
        self.judged(&self.removals.all().filter(|&(claim, _)| claim > self.remove).collect::<Vec<_>>())
    }

    fn judged(&self, pairs: &[(Removal, [u32; 2])]) -> Vec<Removable> {
        let (searched, plan, _, effort) = self.found.parts();
        let documents = pairs.iter().map(|&(_, pair)| pair);
        let judged = searched.collection.judge_each(documents, &plan.rules, effort.threads);
        let removable = |((figures, rules), (removal, [document, survivor])): (_, (_, [u32; 2]))| Removable {
            document: document as usize,
            survivor: survivor as usize,
            removal,
            figures,
            rules,
        };
        judged.zip(pairs.iter().copied()).map(removable).collect()
    }
}
