//! Clusters: survivors, and the documents that are near to each by the rules.
//!
//! Documents are taken in the order of the [`Policy`] policy, and each is compared with the
//! survivors so far ([`leaders`](super::leaders)). A document that is near to one becomes a member of the first such
//! survivor; any other survives. So every member is verified against its survivor, and none is removed by
//! transitivity: with A near B and B near C but not A near C, C stays when A does. Identical
//! texts count as one document, the first of them; the others are its copies.
//!
//! Only survivors are searched, so a million copies with one word changed cost a million
//! comparisons with one document. The result does not depend on memory or the number of threads, nor on the order of
//! the input, unless the policy asks for positions.
//!
//! Cost: that of the search; 24 bytes per document. A page contained in half of
//! all documents gives bands that all of these share. By each such band only the first survivors
//! are found ([`crate::search::hot_keys`]), and [`Clusters::crowded`] counts the others. Documents within the
//! Hamming distance are always found: where too many simhashes share a key, all of them are scanned.

use crate::error::Result;
use crate::observer::Observer;
use crate::search::effort::Effort;
use crate::search::hot_keys::Crowded;
use crate::search::keep::{Policy, order};
use crate::search::leaders::{By, lead};
use crate::search::plan::Plan;
use crate::store::file::collection::Collection;

/// The survivors, and the survivor that each document belongs to.
#[derive(Debug)]
pub struct Clusters {
    /// Each document's survivor; itself if it survives.
    survivors: Vec<u32>,
    /// All documents in the order of the policy.
    order: Vec<u32>,
    /// Number of survivors that later documents do not find by some band, because too many
    /// earlier survivors have it.
    pub crowded: Crowded,
}

/// A survivor and the documents that are near to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The document that stays.
    pub survivor: u32,
    /// The documents that go, in the order of the policy.
    pub members: Vec<u32>,
}

/// Finds the survivors and their members.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn cluster(
    collection: &Collection,
    plan: &Plan,
    keep: &Policy,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Clusters> {
    let order = order(collection, keep, &|_| true);
    let copies = collapse(&order, collection.len(), |document| collection.digest(document));
    let texts = leaders_of(collection, &order, &copies);
    let led = lead(collection, &texts, plan, By::Rules, effort, observer)?;
    // A copy belongs to the survivor of its text.
    let survivors = copies.iter().map(|&text| led.gone[text as usize]).collect();
    Ok(Clusters { survivors, order, crowded: led.crowded })
}

/// The documents that represent their text, in the order of the policy; those without words represent none.
pub(super) fn leaders_of(collection: &Collection, order: &[u32], copies: &[u32]) -> Vec<u32> {
    let leads = |&document: &u32| copies[document as usize] == document && !collection.is_empty_document(document);
    order.iter().copied().filter(leads).collect()
}

/// Assigns the documents of one key to the first of them in the order of the policy, others to themselves.
pub(super) fn collapse(order: &[u32], documents: usize, key: impl Fn(u32) -> [u8; 16]) -> Vec<u32> {
    let half = |key: [u8; 16]| u64::from_le_bytes(*key.first_chunk().expect("16 bytes"));
    let ranked = order.iter().zip(0u32..).map(|(&document, rank)| (half(key(document)), rank));
    let mut ranked: Vec<(u64, u32)> = ranked.collect();
    ranked.sort_unstable();
    let mut first: Vec<u32> = (0..documents as u32).collect();
    for same in ranked.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        // Halves of keys may be equal by chance.
        let mut leaders: Vec<u32> = Vec::new();
        for &(_, rank) in same {
            let document = order[rank as usize];
            match leaders.iter().find(|&&leader| key(leader) == key(document)) {
                Some(&leader) => first[document as usize] = leader,
                None => leaders.push(document),
            }
        }
    }
    first
}

impl Clusters {
    pub(super) fn new(survivors: Vec<u32>, order: Vec<u32>, crowded: Crowded) -> Self {
        Self { survivors, order, crowded }
    }

    /// The survivor that a document belongs to; itself if it survives.
    pub fn survivor(&self, document: u32) -> u32 {
        self.survivors[document as usize]
    }

    /// The number of documents that survive.
    pub fn kept(&self) -> usize {
        (0..).zip(&self.survivors).filter(|(document, survivor)| document == *survivor).count()
    }

    /// Each document that goes, with its survivor, in the order of the documents.
    pub fn gone(&self) -> impl Iterator<Item = [u32; 2]> {
        (0..).zip(&self.survivors).map(|(document, &survivor)| [document, survivor]).filter(|[x, y]| x != y)
    }

    /// Each member with its survivor, in the order of [`clusters`](Self::clusters).
    pub fn pairs(&self) -> impl Iterator<Item = [u32; 2]> {
        let pairs = |cluster: Cluster| cluster.members.into_iter().map(move |member| [member, cluster.survivor]);
        self.clusters().flat_map(pairs)
    }

    /// Every survivor without members, in the order of the policy, as a cluster of one.
    pub fn singles(&self) -> impl Iterator<Item = Cluster> {
        let mut has_members = vec![false; self.survivors.len()];
        for (document, &survivor) in (0..).zip(&self.survivors) {
            has_members[survivor as usize] |= survivor != document;
        }
        let stays = |&document: &u32| self.survivor(document) == document && !has_members[document as usize];
        let singles: Vec<u32> = self.order.iter().copied().filter(stays).collect();
        singles.into_iter().map(|survivor| Cluster { survivor, members: Vec::new() })
    }

    /// Every survivor that has members, in the order of the policy.
    pub fn clusters(&self) -> impl Iterator<Item = Cluster> {
        let mut ranks = vec![0u32; self.order.len()];
        for (rank, &document) in (0..).zip(&self.order) {
            ranks[document as usize] = rank;
        }
        let gone = self.order.iter().filter(|&&document| self.survivor(document) != document);
        let mut members: Vec<(u32, u32)> =
            gone.map(|&document| (ranks[self.survivor(document) as usize], ranks[document as usize])).collect();
        members.sort_unstable();
        let mut members = members.into_iter().peekable();
        std::iter::from_fn(move || {
            let (survivor, first) = members.next()?;
            let mut cluster =
                Cluster { survivor: self.order[survivor as usize], members: vec![self.order[first as usize]] };
            while let Some((_, member)) = members.next_if(|(other, _)| *other == survivor) {
                cluster.members.push(self.order[member as usize]);
            }
            Some(cluster)
        })
    }
}

#[cfg(test)]
mod tests;
