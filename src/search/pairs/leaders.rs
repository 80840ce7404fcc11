//! Documents that represent others, so that a million copies do not become 5 · 10¹¹ pairs.
//!
//! The first of identical texts represents all of them. It also represents texts that differ
//! only in what fingerprints ignore, such as punctuation or capitals: their simhashes, sketches
//! and shingles are equal, so no rule can distinguish them.
//!
//! Cost: 20 bytes per document and a sort; the shingles of documents whose simhashes and
//! sketches are equal are read once.

use std::collections::HashMap;
use std::sync::Mutex;

use super::Handful;
use crate::error::Result;
use crate::search::plan::Plan;
use crate::sketch::minhash::mix;
use crate::sorter::Sorter;
use crate::store::file::collection::Collection;

/// Documents that represent those equal to them.
#[derive(Debug, Default)]
pub(super) struct Leaders {
    /// The leaders that are not empty, ascending.
    pub(super) documents: Vec<u32>,
    /// The other documents that each represents; only for leaders in the first of two corpora.
    pub(super) copies: HashMap<u32, Vec<u32>>,
}

impl Leaders {
    /// Finds the leaders. Adds the pairs that need no search: each leader with its copies and,
    /// between two corpora, identical texts.
    pub(super) fn of(
        collection: &Collection,
        plan: &Plan,
        second: Option<u32>,
        sorter: &Mutex<Sorter>,
    ) -> Result<Self> {
        let nobody = Self::default();
        let mut pairs = Handful::new(sorter, &nobody);
        let mut leaders = Self::of_texts(collection, second, &mut pairs)?;
        leaders.join_equals(collection, plan, second, &mut pairs)?;
        pairs.hand_on()?;
        leaders.documents.sort_unstable();
        Ok(leaders)
    }

    /// One leader for each text, on each side.
    fn of_texts(collection: &Collection, second: Option<u32>, pairs: &mut Handful<'_>) -> Result<Self> {
        let mut ranked: Vec<([u8; 16], u32)> =
            (0..collection.len() as u32).map(|document| (collection.digest(document), document)).collect();
        ranked.sort_unstable();
        let mut leaders = Self::default();
        for same in ranked.chunk_by(|a, b| a.0 == b.0) {
            let sides = same.split_at(same.partition_point(|&(_, document)| !is_second(second, document)));
            for group in <[_; 2]>::from(sides) {
                let Some((&(_, leader), copies)) = group.split_first() else { continue };
                if !collection.is_empty_document(leader) {
                    leaders.documents.push(leader);
                }
                let copies = copies.iter().map(|&(_, copy)| copy);
                leaders.stands_for(leader, copies, second, pairs)?;
            }
            if let (Some(_), (first, [(_, leader), ..])) = (second, sides) {
                first.iter().try_for_each(|&(_, document)| pairs.push(document, *leader))?;
            }
        }
        Ok(leaders)
    }

    /// Merges leaders that no rule can distinguish: the first on each side remains.
    fn join_equals(
        &mut self,
        collection: &Collection,
        plan: &Plan,
        second: Option<u32>,
        pairs: &mut Handful<'_>,
    ) -> Result<()> {
        let side = |document: u32| u64::from(is_second(second, document));
        let fingerprint = |document: u32| {
            let simhash = mix(collection.simhash(document).unwrap_or(0) ^ side(document));
            collection.sketch(document).iter().fold(simhash, |hash, &row| mix(hash ^ u64::from(row)))
        };
        let mut ranked: Vec<(u64, u32)> =
            self.documents.drain(..).map(|leader| (fingerprint(leader), leader)).collect();
        ranked.sort_unstable();
        for alike in ranked.chunk_by_mut(|a, b| a.0 == b.0) {
            if alike.len() > 1 {
                // Sketches are samples: they may be equal where shingles differ.
                for (hash, leader) in &mut *alike {
                    *hash = collection.shingles(*leader).iter().fold(*hash, |hash, &shingle| mix(hash ^ shingle));
                }
                alike.sort_unstable();
            }
            for same in alike.chunk_by(|a, b| a.0 == b.0) {
                let (_, first) = same[0];
                self.documents.push(first);
                // Hashes may be equal by chance; without a rule, only identical texts are equal.
                let is_equal = |other: u32| {
                    collection.shingles(first) == collection.shingles(other)
                        && collection.simhash(first) == collection.simhash(other)
                        && plan.is_near(collection, first, other)
                };
                for &(_, other) in &same[1..] {
                    if !is_equal(other) {
                        self.documents.push(other);
                        continue;
                    }
                    let others = self.copies.remove(&other).unwrap_or_default();
                    self.stands_for(first, [other].into_iter().chain(others), second, pairs)?;
                }
            }
        }
        Ok(())
    }

    /// Records the copies of a leader on its side.
    fn stands_for(
        &mut self,
        leader: u32,
        copies: impl Iterator<Item = u32>,
        second: Option<u32>,
        pairs: &mut Handful<'_>,
    ) -> Result<()> {
        let mut copies = copies.peekable();
        if second.is_none() {
            copies.try_for_each(|copy| pairs.push(leader, copy))
        } else {
            // In the second corpus only the leader is listed.
            if copies.peek().is_some() && !is_second(second, leader) {
                self.copies.entry(leader).or_default().extend(copies);
            }
            Ok(())
        }
    }
}

/// True if a document is in the second corpus.
fn is_second(second: Option<u32>, document: u32) -> bool {
    second.is_some_and(|second| second <= document)
}
