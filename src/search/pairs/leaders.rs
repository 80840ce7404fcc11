//! Documents that stand for others, so that a million copies are no 5 · 10¹¹ pairs.
//!
//! Of identical texts the first stands for all. Of texts that differ in nothing that
//! counts, in punctuation or capitals, say, the simhash, the sketch and the shingles are
//! equal: no rule can tell one from the other, and the first stands for these, too.
//!
//! Cost: 20 bytes a document and a sort; the shingles of those whose simhashes and
//! sketches are equal are read once.

use std::collections::HashMap;
use std::sync::Mutex;

use super::Handful;
use crate::error::Result;
use crate::file::collection::Collection;
use crate::search::candidates::Plan;
use crate::search::sorter::Sorter;
use crate::sketch::minhash::mix;

/// Documents that stand for those that are equal to them.
#[derive(Debug, Default)]
pub(super) struct Leaders {
    /// Those that are not empty, ascending.
    pub(super) documents: Vec<u32>,
    /// The others that each stands for, for leaders of the first of two corpora.
    pub(super) copies: HashMap<u32, Vec<u32>>,
}

impl Leaders {
    /// Finds them, and notes the pairs that nobody need look for again: those of a leader
    /// and its copies, and between two corpora those of identical texts.
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

    /// One for each text, on each side.
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

    /// Of leaders that no rule can tell from each other, the first of each side stays one.
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
                // Sketches may be equal although shingles are not, as they are a sample.
                for (hash, leader) in &mut *alike {
                    *hash = collection.shingles(*leader).iter().fold(*hash, |hash, &shingle| mix(hash ^ shingle));
                }
                alike.sort_unstable();
            }
            for same in alike.chunk_by(|a, b| a.0 == b.0) {
                let (_, first) = same[0];
                self.documents.push(first);
                // A hash may be equal by chance, and without a rule only texts are compared.
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

    /// Notes copies of a leader on its side.
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
            // Of the second corpus the leader alone is listed.
            if copies.peek().is_some() && !is_second(second, leader) {
                self.copies.entry(leader).or_default().extend(copies);
            }
            Ok(())
        }
    }
}

/// Whether a document is one of the second corpus.
fn is_second(second: Option<u32>, document: u32) -> bool {
    second.is_some_and(|second| second <= document)
}
