//! Candidates: documents that share a key with a query, and so are worth comparing.
//!
//! Of documents that share a band of the sketch, a bounded number is found ([`super::hot_keys`]). Where
//! too many share a key of the simhash, all simhashes are scanned: every document within the
//! distance is always a candidate.

use super::hot_keys::HotKeys;
use super::plan::Plan;
use super::shared_keys::SharedKeys;
use super::tables::{Key, Tables};
use crate::sketch::scan;
use crate::store::file::collection::Collection;

/// Number of documents that may share a key of the simhash before a scan of all simhashes costs less.
const WORTH_MEETING: usize = 256;

/// The documents among which the candidates of a query are found.
#[derive(Debug)]
pub struct Candidates<'a> {
    plan: &'a Plan,
    collection: &'a Collection,
    tables: Tables,
    documents: Vec<u32>,
    /// Their simhashes; empty without the Hamming rule.
    simhashes: Vec<u64>,
}

/// The documents that were inserted into some candidates, with the keys by which each is found, for those that
/// [`append`](Candidates::append) them.
#[derive(Debug, Default)]
pub struct Keyed {
    documents: Vec<u32>,
    /// The keys, with the place of the document in that list.
    keys: Vec<(u32, Key)>,
}

impl<'a> Candidates<'a> {
    /// An empty set, for as many documents with each key as said.
    pub fn new(plan: &'a Plan, collection: &'a Collection, sharing: impl IntoIterator<Item = usize>) -> Self {
        let tables = Tables::new(sharing);
        Self { plan, collection, tables, documents: Vec::new(), simhashes: Vec::new() }
    }

    /// The number of documents in it.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// True if no document is in it.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Appends the shared keys of a document that is not empty.
    pub fn add_keys(&self, document: u32, shared: &SharedKeys, keys: &mut Vec<Key>) {
        let key = self.plan.keys_of(self.collection, document);
        keys.extend(shared.of(document).map(|number| Key { number: number as u32, hash: key(number) }));
    }

    /// Adds a document that is not empty, with its [keys](Self::add_keys), and appends both to `keyed`. Returns the bits of
    /// the bands that are crowded and do not find it.
    pub fn insert(&mut self, document: u32, keys: &[Key], crowds: &mut HotKeys, keyed: &mut Keyed) -> u64 {
        let (slot, number) = (self.documents.len() as u32, keyed.documents.len() as u32);
        let mut crowded = 0;
        for &key in keys {
            if (key.number as usize) < self.plan.bands() && !crowds.admits(key.hash) {
                crowded |= 1 << key.number;
                continue;
            }
            self.tables.insert(key, slot);
            keyed.keys.push((number, key));
        }
        keyed.documents.push(document);
        self.add_documents(&[document]);
        crowded
    }

    /// Adds the documents that were inserted into other candidates of the same plan.
    pub fn append(&mut self, keyed: &Keyed, threads: usize) {
        self.tables.append(&keyed.keys, self.documents.len() as u32, threads);
        self.add_documents(&keyed.documents);
    }

    fn add_documents(&mut self, documents: &[u32]) {
        self.documents.extend(documents);
        if self.plan.rules.max_distance.is_some() {
            // Verification rejects documents without a simhash.
            let simhash = |&document: &u32| self.collection.simhash(document).unwrap_or_default();
            self.simhashes.extend(documents.iter().map(simhash));
        }
    }

    /// Finds the documents that may be near to this one, in the order of insertion, given its [keys](Self::add_keys).
    pub fn find(&self, document: u32, keys: &[Key], found: &mut Vec<u32>) {
        self.ask(document, keys, found);
        for slot in found {
            *slot = self.documents[*slot as usize];
        }
    }

    /// Finds the slots that share a key or are within the distance, ascending.
    fn ask(&self, document: u32, keys: &[Key], found: &mut Vec<u32>) {
        found.clear();
        let of_bands = keys.partition_point(|key| (key.number as usize) < self.plan.bands());
        let (bands, blocks) = keys.split_at(of_bands);
        self.tables.find(bands, usize::MAX, found);
        if let Some(distance) = self.plan.rules.max_distance
            && let Some(simhash) = self.collection.simhash(document)
        {
            let by_bands = found.len();
            if self.plan.scans() || self.tables.find(blocks, WORTH_MEETING, found) {
                // Most documents that crowd a key of the simhash are beyond the distance.
                found.truncate(by_bands);
                scan::within(&self.simhashes, simhash, distance, |at, _| found.push(at as u32));
            } else {
                // The same candidates as by a scan, so that the result does not depend on which was done.
                let mut others = found.split_off(by_bands);
                others.retain(|&slot| (self.simhashes[slot as usize] ^ simhash).count_ones() <= distance);
                found.append(&mut others);
            }
        }
        put_in_order(found);
    }
}

/// Sorts slots and drops repeats. Documents that share a page find the same few hundred slots by many keys: setting
/// their bits takes less time than sorting them.
fn put_in_order(slots: &mut Vec<u32>) {
    let (Some(&least), Some(&most)) = (slots.iter().min(), slots.iter().max()) else { return };
    let blocks = (most - least) as usize / 64 + 1;
    if blocks > slots.len() {
        slots.sort_unstable();
        slots.dedup();
        return;
    }
    let mut bits = vec![0_u64; blocks];
    for slot in slots.drain(..) {
        bits[(slot - least) as usize / 64] |= 1 << ((slot - least) % 64);
    }
    for (mut block, first) in bits.into_iter().zip((least..).step_by(64)) {
        while block != 0 {
            slots.push(first + block.trailing_zeros());
            block &= block - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::similarity::Rules;
    use crate::sketch::minhash::mix;
    use crate::store::file::test_collections::{SKETCHES, collection_of, made};

    proptest! {
        #[test]
        fn slots_are_sorted_once_each(
            first in prop::sample::select(vec![0, 1000, u32::MAX - 5000]),
            slots in (1u32..5000).prop_flat_map(|most| prop::collection::vec(0..=most, 0..200)),
        ) {
            let mut slots: Vec<u32> = slots.into_iter().map(|slot| first + slot).collect();
            let expected: std::collections::BTreeSet<u32> = slots.iter().copied().collect();
            put_in_order(&mut slots);
            prop_assert_eq!(slots, expected.into_iter().collect::<Vec<_>>());
        }
    }

    /// The first document near to the last one, and the number of documents that a crowded band does not find.
    fn first_near(documents: &[(u64, std::ops::Range<u64>)], rules: Rules) -> (Option<u32>, usize) {
        let made = |(i, (simhash, shingles)): (usize, &(u64, std::ops::Range<u64>))| {
            (made(&format!("{i}"), shingles.clone(), 1), Some(*simhash))
        };
        let documents: Vec<_> = documents.iter().enumerate().map(made).collect();
        let (_folder, collection) = collection_of(&documents);
        let plan = Plan::new(rules, SKETCHES, 30_000, 0.995);
        assert!(!plan.scans());
        let last = documents.len() as u32 - 1;
        let all: Vec<u32> = (0..=last).collect();
        let shared = SharedKeys::new(&plan, &collection, &all, 2, 0, &()).unwrap();
        let empty = || Candidates::new(&plan, &collection, shared.counts(&all));
        let mut candidates = empty();
        let keys = |candidates: &Candidates<'_>, document| {
            let mut keys = Vec::new();
            candidates.add_keys(document, &shared, &mut keys);
            keys
        };
        let others = &all[..all.len() - 1];
        let mut crowds = HotKeys::new(&plan, &collection, &shared, others, 1, &()).unwrap();
        let mut keyed = Keyed::default();
        let mut is_crowded = |&&other: &&u32| {
            let keys = keys(&candidates, other);
            candidates.insert(other, &keys, &mut crowds, &mut keyed) != 0
        };
        let crowded = others.iter().filter(&mut is_crowded).count();
        let first_near = |candidates: &Candidates<'_>| {
            let mut found = Vec::new();
            candidates.find(last, &keys(candidates, last), &mut found);
            found.into_iter().find(|&other| plan.is_near(&collection, last, other))
        };
        let mut appended = empty();
        appended.append(&keyed, 2);
        assert_eq!(first_near(&appended), first_near(&candidates));
        (first_near(&candidates), crowded)
    }

    /// The n-grams of an unrelated document, by number.
    fn stranger(i: u64) -> std::ops::Range<u64> {
        1000 * (i + 1)..1000 * (i + 1) + 50
    }

    #[test]
    fn a_crowded_key_of_the_simhash_hides_no_near_one() {
        // All share the uppermost sixteen bits, but only the first is near: it differs
        // in one bit of each other block.
        let mut documents = vec![(0x1234_0000_0000_0000, stranger(0))];
        documents.extend((1..600).map(|i| (0x1234 << 48 | mix(i) >> 16, stranger(i))));
        documents.push((0x1234_0001_0001_0001, stranger(600)));
        let rules = Rules::of(Some(3), None);
        assert_eq!(first_near(&documents, rules), (Some(0), 0));
    }

    #[test]
    fn a_crowded_band_hides_no_near_simhash() {
        // The first is near by its simhash alone. All others are a notice that the last one
        // contains, too small a part of it to be near.
        let mut documents = vec![(7, stranger(0))];
        documents.extend((1..600).map(|i| (mix(i), 0..40)));
        documents.push((3, 0..100));
        assert_eq!(first_near(&documents, Rules::default()), (Some(0), 599 - 64));
    }
}
