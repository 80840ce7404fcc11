//! Which documents of a corpus may go, for which, and by which claim.

use nearcopy::observer::Observer;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::effort::Effort;
use nearcopy::search::keep::Policy;
use nearcopy::search::plan::Plan;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::Removal;

use crate::error::Result;
use crate::jobs::find::Gathered;

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
}

/// Decides which documents go by a claim at most, as planned; a policy chooses those that stay.
///
/// # Errors
///
/// [`nearcopy::Error::Interrupted`].
pub fn decide(
    searched: &Gathered,
    plan: &Plan,
    (keep, claim): (&Policy, Removal),
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Decided> {
    let removals = searched.corpus.removals(plan, keep, effort, observer)?;
    let across = searched.corpus.across_formats(plan, keep, effort, observer)?;
    let clusters = removals.clusters(claim);
    Ok(Decided { claim, clusters, removals, across })
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
}
