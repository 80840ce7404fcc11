//! What a document that does not go is to another: part of a larger one, or, if it stands for no others and goes for none,
//! near to a member of a family, though not to the one that stands for it. A first draft may be near to the second alone.
//!
//! Cost: that of `dedup find --pairs` for the documents without a family, and of `dedup find --contained`.

use std::collections::HashMap;
use std::ops::ControlFlow;

use nearcopy::observer::Observer;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::contained::contained;
use nearcopy::search::plan::Plan;
use nearcopy::search::removals::Removals;
use nearcopy::similarity::{Removal, Rules};
use nearcopy::texts::loaded::{LoadedCorpus, Search};

use super::Class;
use crate::error::Result;

/// The relations of documents that stay.
#[derive(Debug, Default)]
pub(super) struct Relations(HashMap<u32, (Class, u32)>);

impl Relations {
    /// Finds them.
    ///
    /// # Errors
    ///
    /// [`nearcopy::Error::Interrupted`].
    pub(super) fn of_kept(
        corpus: &LoadedCorpus,
        (search, plan): (&Search, &Plan),
        clusters: &Clusters,
        removals: Option<&Removals>,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let collection = &corpus.collection;
        if corpus.second.is_some() || !collection.has_shingles() {
            return Ok(Self::default());
        }
        let mut alone = vec![true; collection.len()];
        for cluster in clusters.clusters() {
            cluster.members.iter().chain([&cluster.survivor]).for_each(|&document| alone[document as usize] = false);
        }
        for (document, alone) in (0..).zip(&mut alone) {
            *alone &= removals.is_none_or(|removals| removals.of(document).is_none());
        }
        let mut nearest: HashMap<u32, (f64, u32)> = HashMap::new();
        corpus.pairs_of(Some(&alone), plan, search.effort, observer, |[a, b], figures, _| {
            for (document, other) in [(a, b), (b, a)] {
                let jaccard = figures.jaccard.unwrap_or(0.0);
                if alone[document as usize] && nearest.get(&document).is_none_or(|(best, _)| jaccard > *best) {
                    nearest.insert(document, (jaccard, other));
                }
            }
            ControlFlow::Continue(())
        })?;
        let mut found: HashMap<u32, (Class, u32)> =
            nearest.into_iter().map(|(document, (_, other))| (document, (Class::Version, other))).collect();
        let mut parts = contained(collection, 1.0, search.effort, observer)?.pairs;
        parts.retain(|&([part, whole], _)| {
            let claim = || collection.view(part).claim(&collection.view(whole), &Rules::removing());
            let goes = || removals.and_then(|removals| removals.of(part));
            goes().is_none_or(|(claim, _)| claim > Removal::Contained)
                && clusters.survivor(whole) != part
                && claim().is_some_and(|claim| claim <= Removal::Contained)
        });
        // Of several larger ones the smallest comes last, and is kept.
        parts.sort_by_key(|&([part, whole], _)| (part, std::cmp::Reverse(collection.counts(whole).tokens)));
        found.extend(parts.into_iter().map(|([part, whole], _)| (part, (Class::Contained, whole))));
        Ok(Self(found))
    }

    /// What a document is to another, and to which.
    pub(super) fn of(&self, document: u32) -> Option<(Class, u32)> {
        self.0.get(&document).copied()
    }
}
