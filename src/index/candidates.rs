//! Which documents are worth a look: those that share a key.
//!
//! [`Plan`] chooses the keys: [`Bands`] of the sketch for the Jaccard rule, [`Blocks`]
//! of the simhash for the Hamming rule, or a look at every simhash where distances
//! are too great for keys. [`Candidates`] holds documents and gives those that a query
//! may be near to; whoever asks verifies each.

use std::cmp::Reverse;

use super::bands::Bands;
use super::blocks::Blocks;
use super::collection::Collection;
use super::scan;
use super::tables::Tables;
use crate::similarity::{Overlap, Rules};

/// Of documents that share keys with too many, so many others are looked at.
const LIKELIEST: usize = 64;

/// How candidates are found.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The rules that candidates are to be verified by.
    pub rules: Rules,
    /// Keys of sketches; `None`: the Jaccard rule is not asked.
    pub bands: Option<Bands>,
    /// Keys of simhashes; `None`: the Hamming rule is not asked, or every simhash is
    /// looked at.
    pub blocks: Option<Blocks>,
}

impl Plan {
    /// The plan for so many documents with sketches of this size that finds pairs at the
    /// Jaccard threshold with this chance. Pairs within the distance are always found.
    pub fn new(rules: Rules, sketches: usize, documents: usize, recall: f64) -> Self {
        Self {
            rules,
            bands: rules.min_similarity.map(|similarity| Bands::choose(sketches, similarity, recall)),
            blocks: rules.max_distance.and_then(|distance| Blocks::choose(distance, documents)),
        }
    }

    /// Whether every simhash is looked at.
    pub fn scans(&self) -> bool {
        self.rules.max_distance.is_some() && self.blocks.is_none()
    }

    /// The number of keys of a document.
    pub fn keys(&self) -> usize {
        self.bands.as_ref().map_or(0, Bands::len) + self.blocks.as_ref().map_or(0, Blocks::len)
    }

    /// The memory for candidates among so many documents, in bytes.
    pub fn memory(&self, documents: usize) -> usize {
        Tables::memory(self.keys(), documents) + 12 * documents
    }

    /// The keys of a document that is not empty.
    fn keys_of(&self, simhash: u64, sketch: &[u32], keys: &mut Vec<u64>) {
        keys.clear();
        if let Some(bands) = &self.bands {
            keys.extend((0..bands.len()).map(|key| bands.key(key, sketch)));
        }
        if let Some(blocks) = &self.blocks {
            keys.extend((0..blocks.len()).map(|key| blocks.key(key, simhash)));
        }
    }

    /// Whether two documents that are not empty are near by a rule.
    ///
    /// Sketches that have too little in common, and sets that are too unlike in size,
    /// are told without a look at the features.
    pub fn is_near(&self, collection: &Collection, a: u32, b: u32) -> bool {
        let distance = collection.simhash(a).zip(collection.simhash(b)).map(|(a, b)| (a ^ b).count_ones());
        if distance.zip(self.rules.max_distance).is_some_and(|(distance, most)| distance <= most) {
            return true;
        }
        let Some((bands, similarity)) = self.bands.as_ref().zip(self.rules.min_similarity) else { return false };
        if !bands.is_candidate(collection.sketch(a), collection.sketch(b)) {
            return false;
        }
        let [a, b] = [a, b].map(|document| collection.features(document));
        Overlap::greatest_jaccard(a.len(), b.len()) >= similarity
            && Overlap::of(a, b).jaccard().is_some_and(|jaccard| jaccard >= similarity)
    }
}

/// Documents among which a query's candidates are found.
#[derive(Debug)]
pub struct Candidates<'a> {
    plan: &'a Plan,
    collection: &'a Collection,
    tables: Tables,
    documents: Vec<u32>,
    /// Their simhashes, where every one is looked at.
    simhashes: Vec<u64>,
    capacity: usize,
}

/// What a thread needs to ask for candidates.
#[derive(Debug, Default)]
pub struct Query {
    keys: Vec<u64>,
    found: Vec<u32>,
    /// How many queries shared a key with too many documents to meet them all.
    pub crowded: u64,
}

impl<'a> Candidates<'a> {
    /// Room for so many documents.
    pub fn new(plan: &'a Plan, collection: &'a Collection, capacity: usize) -> Self {
        let tables = Tables::new(plan.keys(), capacity);
        Self { plan, collection, tables, documents: Vec::new(), simhashes: Vec::new(), capacity }
    }

    /// The number of documents in it.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether no document is in it.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// Whether there is room for no further document.
    pub fn is_full(&self) -> bool {
        self.len() >= self.capacity
    }

    /// Adds a document that is not empty.
    pub fn insert(&mut self, document: u32, query: &mut Query) {
        let Some(simhash) = self.collection.simhash(document) else { return };
        self.plan.keys_of(simhash, self.collection.sketch(document), &mut query.keys);
        self.tables.insert(&query.keys);
        self.documents.push(document);
        if self.plan.scans() {
            self.simhashes.push(simhash);
        }
    }

    /// The first document, in the order of inserting and from the `from`-th on, that is
    /// near to this one.
    pub fn first_near(&self, document: u32, from: usize, query: &mut Query) -> Option<u32> {
        self.ask(document, from, query);
        query
            .found
            .iter()
            .map(|&slot| self.documents[slot as usize])
            .find(|&other| self.plan.is_near(self.collection, document, other))
    }

    /// The slots that share a key, ascending.
    fn ask(&self, document: u32, from: usize, query: &mut Query) {
        query.found.clear();
        let Some(simhash) = self.collection.simhash(document) else { return };
        self.plan.keys_of(simhash, self.collection.sketch(document), &mut query.keys);
        let is_crowded = self.tables.find(&query.keys, from as u32, &mut query.found);
        if let Some(distance) = self.plan.rules.max_distance.filter(|_| self.plan.scans()) {
            scan::within(&self.simhashes[from..], simhash, distance, |at, _| query.found.push((from + at) as u32));
        }
        query.found.sort_unstable();
        query.found.dedup();
        if is_crowded {
            query.crowded += 1;
            self.keep_likeliest(document, &mut query.found);
        }
    }

    /// Among too many, those are looked at whose sketches have most in common.
    fn keep_likeliest(&self, document: u32, found: &mut Vec<u32>) {
        if found.len() > LIKELIEST {
            let sketch = self.collection.sketch(document);
            let equal = |slot: &u32| {
                let other = self.collection.sketch(self.documents[*slot as usize]);
                Reverse(other.iter().zip(sketch).filter(|(a, b)| a == b).count())
            };
            let mut ranked: Vec<_> = found.drain(..).map(|slot| (equal(&slot), slot)).collect();
            ranked.select_nth_unstable(LIKELIEST);
            found.extend(ranked[..LIKELIEST].iter().map(|&(_, slot)| slot));
            found.sort_unstable();
        }
    }
}
