//! The rules of a search, and the keys by which it finds candidates.
//!
//! [`Plan`] chooses the keys: [`Bands`] of the sketch for the Jaccard rule, [`Blocks`]
//! of the simhash for the Hamming rule, or a scan of all simhashes where the distance is
//! too great for keys.

use super::tables::Tables;
use crate::similarity::Rules;
use crate::sketch::bands::Bands;
use crate::sketch::minhash::mix;
use crate::sketch::simhash_blocks::Blocks;
use crate::store::file::collection::Collection;

/// Usual expected recall of pairs whose Jaccard coefficient just reaches the rule.
pub const RECALL: f64 = 0.995;

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
        self.bands() + self.blocks.as_ref().map_or(0, Blocks::len)
    }

    /// Number of keys of a sketch.
    pub(super) fn bands(&self) -> usize {
        self.bands.as_ref().map_or(0, Bands::len)
    }

    /// The keys of a document that is not empty, by number.
    pub fn keys_of<'a>(&'a self, collection: &'a Collection, document: u32) -> impl Fn(usize) -> u64 + 'a {
        let sketch = collection.sketch(document);
        let simhash = self.blocks.as_ref().map(|blocks| {
            // Without a simhash a hash of the sketch's first row takes its place, so that such documents do not all share
            // one key.
            let hash = || mix(sketch.first().map_or(0, |&row| row.into()));
            (blocks, collection.simhash(document).unwrap_or_else(hash))
        });
        let of_bands = self.bands();
        move |number| match (&self.bands, simhash) {
            (Some(bands), _) if number < of_bands => bands.key(number, sketch),
            (_, Some((blocks, simhash))) => blocks.key(number - of_bands, simhash),
            _ => 0,
        }
    }

    /// The greatest memory in bytes for candidates among `documents` documents: where each shares all its keys.
    pub fn memory(&self, documents: usize) -> usize {
        memory(&vec![documents; self.keys()], documents)
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

/// Memory in bytes for candidates among so many documents, of which as many share each key as said, or all if that is more.
pub fn memory(sharing: &[usize], documents: usize) -> usize {
    Tables::memory(sharing.iter().map(|&sharing| sharing.min(documents))) + 12 * documents
}
