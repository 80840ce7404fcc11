//! Candidates: documents that share a key with a query, and so are worth comparing.
//!
//! [`Plan`] chooses the keys: [`Bands`] of the sketch for the Jaccard rule, [`Blocks`]
//! of the simhash for the Hamming rule, or a scan of all simhashes where the distance is
//! too great for keys. [`Candidates`] holds documents, finds those that may be near to a query,
//! and verifies each.
//!
//! Of documents that share a band of the sketch, a bounded number is found ([`super::hot_keys`]). Where
//! too many share a key of the simhash, all simhashes are scanned: every document within the
//! distance is always a candidate.

use super::hot_keys::HotKeys;
use super::tables::Tables;
use crate::similarity::Rules;
use crate::sketch::bands::Bands;
use crate::sketch::minhash::mix;
use crate::sketch::scan;
use crate::sketch::simhash_blocks::Blocks;
use crate::store::file::collection::Collection;

/// Usual expected recall of pairs whose Jaccard coefficient just reaches the rule.
pub const RECALL: f64 = 0.995;

/// Number of documents that may share a key of the simhash before a scan of all simhashes costs less.
const WORTH_MEETING: usize = 256;

/// The rules, and the keys by which candidates are found.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The rules by which candidates are verified.
    pub rules: Rules,
    /// Keys of sketches; `None` without the Jaccard rule.
    pub bands: Option<Bands>,
    /// Keys of simhashes; `None` without the Hamming rule, or where all simhashes are
    /// scanned.
    pub blocks: Option<Blocks>,
    /// True if documents of different formats may be near.
    pub across_formats: bool,
}

impl Plan {
    /// The plan for `documents` documents with `sketches` sketches each. Pairs at the Jaccard
    /// threshold are found with probability `recall`, unless their bands are crowded. Pairs
    /// within the distance are always found.
    pub fn new(rules: Rules, sketches: usize, documents: usize, recall: f64) -> Self {
        Self {
            rules,
            bands: rules.min_similarity.map(|similarity| Bands::choose(sketches, similarity, recall)),
            blocks: rules.max_distance.and_then(|distance| Blocks::choose(distance, documents)),
            across_formats: true,
        }
    }

    /// True if the formats of two documents let one represent the other.
    pub fn formats_allow(&self, collection: &Collection, a: u32, b: u32) -> bool {
        self.across_formats || collection.formats_agree(a, b)
    }

    /// True if all simhashes are scanned.
    pub fn scans(&self) -> bool {
        self.rules.max_distance.is_some() && self.blocks.is_none()
    }

    /// The number of keys of a document.
    pub fn keys(&self) -> usize {
        self.bands.as_ref().map_or(0, Bands::len) + self.blocks.as_ref().map_or(0, Blocks::len)
    }

    /// Memory in bytes for candidates among `documents` documents.
    pub fn memory(&self, documents: usize) -> usize {
        Tables::memory(self.keys(), documents) + 12 * documents
    }

    /// True if two documents that are not empty are near by a rule.
    pub fn is_near(&self, collection: &Collection, a: u32, b: u32) -> bool {
        self.is_near_if(collection, a, b, true)
    }

    /// True if two documents that are not empty are near by a rule, of which that of Jaccard holds only if they may be
    /// similar.
    ///
    /// Pairs whose sketches have too little in common, or whose sets differ too much in size,
    /// are rejected without reading the shingles.
    pub(super) fn is_near_if(&self, collection: &Collection, a: u32, b: u32, may_be_similar: bool) -> bool {
        let is_within = |most: u32| {
            let both = collection.simhash(a).zip(collection.simhash(b));
            both.is_some_and(|(a, b)| (a ^ b).count_ones() <= most)
        };
        let is_within = self.rules.max_distance.is_some_and(is_within);
        if !is_within && !may_be_similar || !self.formats_allow(collection, a, b) {
            return false;
        }
        if is_within {
            return true;
        }
        self.bands.as_ref().is_some_and(|bands| bands.is_candidate(collection.sketch(a), collection.sketch(b)))
            && collection.view(a).is_similar(&collection.view(b), &self.rules)
    }
}

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
    /// The keys of each, one document after another.
    keys: Vec<u64>,
    /// For each key, false if it is crowded.
    admitted: Vec<bool>,
}

impl<'a> Candidates<'a> {
    /// An empty set with room for `capacity` documents.
    pub fn new(plan: &'a Plan, collection: &'a Collection, capacity: usize) -> Self {
        let tables = Tables::new(plan.keys(), capacity);
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

    /// The number of keys of a document.
    pub fn keys(&self) -> usize {
        self.plan.keys()
    }

    /// Appends the keys of a document that is not empty, as many as [`keys`](Self::keys). Without a simhash, a hash of
    /// the sketch's first row takes its place, so that such documents do not all share one key.
    pub fn add_keys(&self, document: u32, keys: &mut Vec<u64>) {
        let sketch = self.collection.sketch(document);
        if let Some(bands) = &self.plan.bands {
            keys.extend((0..bands.len()).map(|key| bands.key(key, sketch)));
        }
        if let Some(blocks) = &self.plan.blocks {
            let hash = || mix(sketch.first().map_or(0, |&row| row.into()));
            let simhash = self.collection.simhash(document).unwrap_or_else(hash);
            keys.extend((0..blocks.len()).map(|key| blocks.key(key, simhash)));
        }
    }

    /// Adds a document that is not empty, with its [keys](Self::add_keys), and appends both to `keyed`. Returns the bits of
    /// the bands that are crowded and do not find it.
    pub fn insert(&mut self, document: u32, keys: &[u64], crowds: &mut HotKeys, keyed: &mut Keyed) -> u64 {
        let bands = self.plan.bands.as_ref().map_or(0, Bands::len);
        let before = keyed.admitted.len();
        keyed.documents.push(document);
        keyed.keys.extend(keys);
        keyed.admitted.extend(keys.iter().enumerate().map(|(key, &hash)| key >= bands || crowds.admits(hash)));
        let admitted = &keyed.admitted[before..];
        self.tables.insert(keys, admitted);
        self.add_documents(&[document]);
        (0..64).zip(admitted).fold(0, |bits, (key, &admitted)| bits | u64::from(!admitted) << key)
    }

    /// Adds the documents that were inserted into other candidates of the same plan.
    pub fn append(&mut self, keyed: &Keyed, threads: usize) {
        self.tables.append(&keyed.keys, &keyed.admitted, threads);
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
    pub fn find(&self, document: u32, keys: &[u64], found: &mut Vec<u32>) {
        self.ask(document, keys, found);
        for slot in found {
            *slot = self.documents[*slot as usize];
        }
    }

    /// Finds the slots that share a key or are within the distance, ascending.
    fn ask(&self, document: u32, keys: &[u64], found: &mut Vec<u32>) {
        found.clear();
        let (bands, blocks) = keys.split_at(self.plan.bands.as_ref().map_or(0, Bands::len));
        self.tables.find(0, bands, usize::MAX, found);
        if let Some(distance) = self.plan.rules.max_distance
            && let Some(simhash) = self.collection.simhash(document)
        {
            let by_bands = found.len();
            if self.plan.scans() || self.tables.find(bands.len(), blocks, WORTH_MEETING, found) {
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
        let mut candidates = Candidates::new(&plan, &collection, documents.len());
        let keys = |candidates: &Candidates<'_>, document| {
            let mut keys = Vec::new();
            candidates.add_keys(document, &mut keys);
            keys
        };
        let last = documents.len() as u32 - 1;
        let others: Vec<u32> = (0..last).collect();
        let mut crowds = HotKeys::new(plan.bands.as_ref(), &collection, &others, 1, &()).unwrap();
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
        let mut appended = Candidates::new(&plan, &collection, documents.len());
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
