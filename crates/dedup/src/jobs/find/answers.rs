//! What a search says of the documents that were gathered.

use std::ops::ControlFlow;

use nearcopy::observer::Observer;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::keep::Policy;
use nearcopy::search::plan::Plan;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Figures, Removal, RuleSet};
use nearcopy::texts::loaded::Search;

use super::{EqualFiles, Gathered};
use crate::error::Result;

/// What is said of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Judged {
    /// The figures of the two.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which one of the two may be removed.
    pub removal: Option<Removal>,
    /// True if it is removed for a third document.
    pub is_for_another: bool,
}

impl Judged {
    /// What is said of a pair of which one may be removed for the other.
    pub fn of(figures: Figures, rules: RuleSet, removal: Option<Removal>) -> Self {
        Self { figures, rules, removal, is_for_another: false }
    }
}

/// The clusters of a corpus.
#[derive(Debug)]
pub struct Clustered {
    /// Of its texts.
    pub clusters: Clusters,
    /// Of its files that are compared by their bytes alone.
    pub equal: EqualFiles,
    /// What may be removed; `None` if it cannot be known.
    removals: Option<Removals>,
}

impl Clustered {
    /// The narrowest claim by which a member of a cluster may be removed, and true if that is for another document than the
    /// survivor of its cluster.
    pub fn removal(&self, [member, survivor]: [u32; 2]) -> Option<(Removal, bool)> {
        let (claim, other) = self.removals.as_ref()?.of(member)?;
        Some((claim, other != survivor))
    }
}

impl Gathered {
    /// The clusters whose survivors a policy chooses, as planned.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`].
    pub fn clusters(&self, search: &Search, plan: &Plan, keep: &Policy, observer: &dyn Observer) -> Result<Clustered> {
        Ok(Clustered {
            clusters: self.corpus.clusters(plan, keep, search.effort, observer)?,
            removals: self.corpus.removable(search, keep, observer)?,
            equal: self.equal_files(search.effort.threads, observer)?,
        })
    }

    /// What is said of pairs, in order; `removal` tells the claim by which one of a pair may be removed, and whether that is for
    /// a third document.
    pub fn judged<'a, P: Iterator<Item = [u32; 2]> + 'a>(
        &'a self,
        search: &'a Search,
        pairs: impl Fn() -> P,
        removal: impl Fn([u32; 2]) -> Option<(Removal, bool)> + 'a,
    ) -> impl Iterator<Item = Judged> + 'a {
        let judged = self.corpus.collection.judge_each(pairs(), &search.rules, search.effort.threads);
        judged.zip(pairs()).map(move |((figures, rules), pair)| {
            let (removal, is_for_another) = removal(pair).unzip();
            Judged { figures, rules, removal, is_for_another: is_for_another == Some(true) }
        })
    }

    /// Calls `take` with each near pair in ascending order, until it breaks; then returns the equal files.
    ///
    /// # Errors
    ///
    /// As [`Self::clusters`], and those of temporary files.
    pub fn pairs(
        &self,
        search: &Search,
        plan: &Plan,
        keep: &Policy,
        observer: &dyn Observer,
        mut take: impl FnMut([u32; 2], Judged) -> ControlFlow<()>,
    ) -> Result<EqualFiles> {
        let removals = self.corpus.removable(search, keep, observer)?;
        let equal = self.equal_files(search.effort.threads, observer)?;
        self.corpus.pairs(plan, search.effort, observer, |pair, figures, rules| {
            let removal = match &removals {
                Some(removals) => removals.between(pair),
                None => self.corpus.collection.claim(pair[0], pair[1]),
            };
            let goes = |document: u32| removals.as_ref().is_some_and(|removals| removals.of(document).is_some());
            let is_for_another = removal.is_none() && pair.into_iter().any(goes);
            take(pair, Judged { figures, rules, removal, is_for_another })
        })?;
        Ok(equal)
    }
}
