//! Which documents of a corpus may go, for which, and by which claim.

use nearcopy::observer::Observer;
use nearcopy::search::candidates::Plan;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::Policy;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Removal, Rules};
use nearcopy::texts::loaded::Search;

use crate::error::Result;
use crate::jobs::find::{Gathered, Judged};

/// The documents that may go.
#[derive(Debug)]
pub struct Decided {
    /// The widest claim by which documents are removed.
    pub claim: Removal,
    /// The clusters of documents that go by it, each with the one that stays.
    pub clusters: Clusters,
    /// What goes by any claim.
    pub removals: Removals,
    /// What would go across formats, if these are kept apart.
    pub across: Option<Removals>,
    /// The rules of edited copies.
    rules: Rules,
    threads: usize,
}

/// Decides which documents go by a claim at most, as planned; a policy chooses those that stay.
///
/// # Errors
///
/// [`nearcopy::Error::Interrupted`]; those of reading texts again.
pub fn decide(
    searched: &Gathered,
    (search, plan): (&Search, &Plan),
    keep: &Policy,
    claim: Removal,
    observer: &dyn Observer,
) -> Result<Decided> {
    let removals = searched.removals(plan, keep, search.effort, observer)?;
    let across = searched.across_formats(plan, keep, search.effort, observer)?;
    let clusters = removals.clusters(claim);
    Ok(Decided { claim, clusters, removals, across, rules: search.rules, threads: search.effort.threads })
}

impl Decided {
    /// The documents that only a wider claim would remove, each with its survivor then.
    pub fn to_review(&self) -> Vec<[u32; 2]> {
        self.removals.to_review(self.claim, self.across.as_ref()).into_iter().map(|(_, pair)| pair).collect()
    }

    /// The narrowest claim by which one of two documents goes for the other.
    pub fn removal(&self, pair: [u32; 2]) -> Option<Removal> {
        self.removals.between(pair).or_else(|| self.across.as_ref()?.between(pair))
    }

    /// What is said of pairs, in order.
    pub fn judged<'a, P: Iterator<Item = [u32; 2]> + 'a>(
        &'a self,
        searched: &'a Gathered,
        pairs: impl Fn() -> P,
    ) -> impl Iterator<Item = Judged> + 'a {
        let judged = searched.corpus.collection.judge_each(pairs(), &self.rules, self.threads);
        judged.zip(pairs()).map(|((figures, rules), pair)| (figures, rules, self.removal(pair)))
    }
}
