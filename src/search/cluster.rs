//! Clusters by a leader search: survivors, and the documents that are near to each.
//!
//! Documents are taken in the order of the [`Keep`] policy, and each is compared with the
//! survivors so far. A document that is near to one becomes a member of the first such survivor;
//! any other survives. So every member is verified against its survivor, and none is removed by
//! transitivity: with A near B and B near C but not A near C, C stays when A does. Identical
//! texts count as one document, the first of them; the others are its copies.
//!
//! ```text
//!  documents ──sort by policy──▶ copies of one text collapse ──▶ chunk
//!     ┌──────────────────────────────────────────────────────────┘
//!     ├─▶ near to a survivor so far?  (all threads)  ──yes──▶ its member
//!     └─▶ near to one of this chunk?  (in order)     ──yes──▶ its member
//!                    └──no──▶ a survivor, inserted with those of the chunk  (all threads)
//! ```
//!
//! Only survivors are searched, so a million copies with one word changed cost a million
//! comparisons with one document. If the survivors exceed the bound of memory, the search is
//! emptied and the remaining documents pass through it again: the result is the same. It does
//! not depend on the number of threads either, nor on the order of the input, unless the policy
//! asks for positions.
//!
//! Where the rules are careful, members that differ from their survivor in the same places as others do survive
//! after all ([`families`]).
//!
//! Cost: about 25 cache misses per document and rule, and the verification of each candidate;
//! 24 bytes per document, and [`Plan::memory`] for the survivors. A page contained in half of
//! all documents gives bands that all of these share. By each such band only the first survivors
//! are found ([`crate::search::crowds`]), and [`Clusters::crowded`] counts the others. Documents within the
//! Hamming distance are always found: where too many simhashes share a key, all of them are scanned.

use std::borrow::Cow;

use crate::error::Result;
use crate::file::collection::Collection;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::search::candidates::{Candidates, Keyed, Plan};
use crate::search::crowds::Crowds;
use crate::search::families;
use crate::search::keep::{Keep, order};

/// Number of documents that pass the search together.
const CHUNK: usize = if cfg!(test) { 50 } else { 1 << 11 };

/// Number of documents of a chunk that a thread takes at a time.
const PART: usize = 1 << 7;

/// Number of survivors that a search always has room for.
const LEAST_ROOM: usize = if cfg!(test) { 100 } else { 1 << 16 };

/// The survivors, and the survivor that each document belongs to.
#[derive(Debug)]
pub struct Clusters {
    /// Each document's survivor; itself if it survives.
    survivors: Vec<u32>,
    /// All documents in the order of the policy.
    order: Vec<u32>,
    /// Number of survivors that later documents do not find by some band, because too many
    /// earlier survivors have it.
    pub crowded: u64,
    /// Number of survivors that stay because they belong to a family ([`families`]).
    pub in_families: u64,
}

/// A survivor and the documents that are near to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// The document that stays.
    pub survivor: u32,
    /// The documents that go, in the order of the policy.
    pub members: Vec<u32>,
}

/// The resources for the work; they do not affect the result.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Number of threads.
    pub threads: usize,
    /// Maximum memory in bytes, beyond the mapped files.
    pub max_memory: usize,
}

/// Finds the survivors and their members.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn cluster(
    collection: &Collection,
    plan: &Plan,
    keep: &Keep,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Clusters> {
    cluster_among(collection, &|_| true, plan, keep, effort, observer)
}

/// As [`cluster()`], among some documents only; the others are near to none.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn cluster_among(
    collection: &Collection,
    among: &dyn Fn(u32) -> bool,
    plan: &Plan,
    keep: &Keep,
    effort: Effort,
    observer: &dyn Observer,
) -> Result<Clusters> {
    let mut order = order(collection, keep);
    order.retain(|&document| among(document));
    let mut survivors: Vec<u32> = (0..collection.len() as u32).collect();
    collapse(collection, &order, &mut survivors);
    let leads = |&document: &u32| survivors[document as usize] == document && !collection.is_empty_document(document);
    let all: Vec<u32> = order.iter().copied().filter(leads).collect();
    observer.begin("looking for near-duplicates", Some(all.len() as u64));
    let free = effort.max_memory.saturating_sub(24 * collection.len());
    let mut left = Cow::Borrowed(all.as_slice());
    let mut crowds = Crowds::new(plan.bands.as_ref(), collection, &left, effort.threads, observer)?;
    let mut crowded = 0;
    while !left.is_empty() {
        let mut room = left.len();
        while plan.memory(room) > free && room > LEAST_ROOM {
            room /= 2;
        }
        let mut search = Search {
            plan,
            collection,
            candidates: Candidates::new(plan, collection, room),
            room,
            crowds: &mut crowds,
            threads: effort.threads,
            crowded: 0,
        };
        let mut later = Vec::new();
        for chunk in left.chunks(CHUNK) {
            search.chunk(chunk, &mut survivors, &mut later, observer)?;
            observer.advance(chunk.len() as u64);
        }
        crowded += search.crowded;
        left = Cow::Owned(later);
        if !left.is_empty() {
            observer.begin("looking for near-duplicates among the rest", Some(left.len() as u64));
        }
    }
    let mut in_families = 0;
    if plan.rules.careful {
        in_families = families::restore(collection, plan, &all, &mut survivors, effort.threads, observer)?;
    }
    // A copy belongs to the survivor of its text.
    for document in 0..survivors.len() {
        survivors[document] = survivors[survivors[document] as usize];
    }
    Ok(Clusters { survivors, order, crowded, in_families })
}

/// The survivors so far, and the search among them.
struct Search<'a> {
    plan: &'a Plan,
    collection: &'a Collection,
    candidates: Candidates<'a>,
    /// Maximum number of survivors in it.
    room: usize,
    /// Lasts for all passes.
    crowds: &'a mut Crowds,
    threads: usize,
    crowded: u64,
}

impl Search<'_> {
    fn chunk(
        &mut self,
        chunk: &[u32],
        survivors: &mut [u32],
        later: &mut Vec<u32>,
        observer: &dyn Observer,
    ) -> Result<()> {
        // The survivors of this chunk, in tables that fit the cache.
        let mut new = Candidates::new(self.plan, self.collection, chunk.len());
        let (mut keyed, mut found) = (Keyed::default(), Vec::new());
        for (part, asked) in chunk.chunks(PART).zip(self.near_survivors(chunk, observer)?) {
            let mut keys = asked.keys.as_slice();
            for (&document, near) in part.iter().zip(asked.near) {
                if let Some(survivor) = near {
                    survivors[document as usize] = survivor;
                    continue;
                }
                let (own, others) = keys.split_at(self.candidates.keys());
                keys = others;
                match new.first_near(document, own, &mut found) {
                    Some(survivor) => survivors[document as usize] = survivor,
                    None if self.candidates.len() + new.len() >= self.room => later.push(document),
                    None => self.crowded += u64::from(!new.insert(document, own, self.crowds, &mut keyed)),
                }
            }
        }
        self.candidates.append(&keyed, self.threads);
        Ok(())
    }

    /// Asks for the first survivor so far that each document of each part is near to.
    fn near_survivors(&self, chunk: &[u32], observer: &dyn Observer) -> Result<Vec<Asked>> {
        let parts: Vec<&[u32]> = chunk.chunks(PART).collect();
        parallel::each(parts.len(), self.threads, Vec::new, |found, number| {
            go_on(observer)?;
            let mut keys = Vec::with_capacity(self.candidates.keys() * PART);
            let near = parts[number].iter().map(|&document| {
                let start = keys.len();
                self.candidates.add_keys(document, &mut keys);
                let near = self.candidates.first_near(document, &keys[start..], found);
                if near.is_some() {
                    keys.truncate(start);
                }
                near
            });
            Ok(Asked { near: near.collect(), keys })
        })
    }
}

/// The answers for some documents.
struct Asked {
    /// For each the first survivor that it is near to.
    near: Vec<Option<u32>>,
    /// The keys of each that is near to none, one after another.
    keys: Vec<u64>,
}

/// Assigns identical texts to the first of them in the order of the policy.
fn collapse(collection: &Collection, order: &[u32], survivors: &mut [u32]) {
    let digest = |document: u32| collection.digest(document);
    let half = |digest: [u8; 16]| u64::from_le_bytes(*digest.first_chunk().expect("16 bytes"));
    let ranked = order.iter().zip(0u32..).map(|(&document, rank)| (half(digest(document)), rank));
    let mut ranked: Vec<(u64, u32)> = ranked.collect();
    ranked.sort_unstable();
    for same in ranked.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        // Halves of digests may be equal by chance.
        let mut leaders: Vec<u32> = Vec::new();
        for &(_, rank) in same {
            let document = order[rank as usize];
            match leaders.iter().find(|&&leader| digest(leader) == digest(document)) {
                Some(&leader) => survivors[document as usize] = leader,
                None => leaders.push(document),
            }
        }
    }
}

impl Clusters {
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
