//! Keys that more than one document has.
//!
//! Most keys of most documents are theirs alone. No document is found by such a key, so no table is asked for it, and
//! none keeps it: what is left of a search fits the cache, or at least the memory.
//!
//! A key shares one of sixteen places a document with others, so about one in sixteen is asked for although no other
//! document has it.
//!
//! Cost: two passes over the keys, with four bytes a document and thread while they last; then a bit for each key of a
//! document.

use std::sync::atomic::{AtomicU32, Ordering};

use super::plan::Plan;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::store::file::collection::Collection;

/// Maximum number of keys for which the documents are read together.
const TOGETHER: usize = 8;

/// Number of places for each document.
const PLACES: usize = 16;

/// For each place of each key whether no, one or more documents have it, in two bits.
struct Places(Vec<u64>);

impl Places {
    fn of(documents: usize) -> Self {
        Self(vec![0; (documents * PLACES).div_ceil(32)])
    }

    /// The block of a hash, and where its two bits begin.
    #[inline]
    fn at(&self, hash: u64) -> (usize, u32) {
        let block = (u128::from(hash) * self.0.len() as u128) >> 64;
        (block as usize, hash as u32 % 32 * 2)
    }

    #[inline]
    fn add(&mut self, hash: u64) {
        let (block, at) = self.at(hash);
        let was_there = self.0[block] >> at & 1;
        self.0[block] |= (1 | was_there << 1) << at;
    }

    /// True if more than one document has this place.
    #[inline]
    fn is_shared(&self, hash: u64) -> bool {
        let (block, at) = self.at(hash);
        self.0[block] >> at & 2 != 0
    }
}

/// Number of blocks of bits for the keys of a document.
fn blocks(plan: &Plan) -> usize {
    plan.keys().div_ceil(32)
}

/// The keys of each document that another has too, and some others.
#[derive(Debug)]
pub struct SharedKeys {
    /// Number of blocks of bits for each document.
    blocks: usize,
    /// For each document of the collection a bit for each key.
    bits: Vec<u32>,
    keys: usize,
}

impl SharedKeys {
    /// Memory in bytes for each document.
    pub fn of_a_document(plan: &Plan) -> usize {
        size_of::<u32>() * blocks(plan)
    }

    /// Finds the keys that more than one of these documents has; none of them is empty, and each is named once. It
    /// takes no more threads than fit into the memory, and one at least.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn new(
        plan: &Plan,
        collection: &Collection,
        documents: &[u32],
        threads: usize,
        max_memory: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let (keys, blocks) = (plan.keys(), blocks(plan));
        let bits: Vec<AtomicU32> = std::iter::repeat_with(AtomicU32::default).take(blocks * collection.len()).collect();
        // As far as memory allows, so many keys together, on so many threads.
        let fit = max_memory / (documents.len() * PLACES / 4).max(1);
        let threads = threads.min(fit).max(1);
        let together = (fit / threads).clamp(1, TOGETHER);
        parallel::map(keys.div_ceil(together), threads, |group| {
            let group = group * together..keys.min((group + 1) * together);
            let mut places: Vec<Places> = group.clone().map(|_| Places::of(documents.len())).collect();
            go_on(observer)?;
            for &document in documents {
                let key = plan.keys_of(collection, document);
                for (number, places) in group.clone().zip(&mut places) {
                    places.add(key(number));
                }
            }
            go_on(observer)?;
            for &document in documents {
                let key = plan.keys_of(collection, document);
                for (number, places) in group.clone().zip(&places) {
                    if places.is_shared(key(number)) {
                        let block = &bits[document as usize * blocks + number / 32];
                        block.fetch_or(1 << (number % 32), Ordering::Relaxed);
                    }
                }
            }
            Ok(())
        })?;
        Ok(Self { blocks, bits: bits.into_iter().map(AtomicU32::into_inner).collect(), keys })
    }

    /// The numbers of a document's shared keys, ascending.
    pub fn of(&self, document: u32) -> impl Iterator<Item = usize> {
        let start = document as usize * self.blocks;
        self.bits[start..start + self.blocks].iter().zip((0..).step_by(32)).flat_map(|(&bits, first)| {
            let rest = |&bits: &u32| Some(bits & (bits - 1)).filter(|&rest| rest != 0);
            let each = std::iter::successors(Some(bits).filter(|&bits| bits != 0), rest);
            each.map(move |bits| first + bits.trailing_zeros() as usize)
        })
    }

    /// The number of these documents by which each key is shared.
    pub fn counts(&self, documents: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.keys];
        for &document in documents {
            self.of(document).for_each(|key| counts[key] += 1);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;
    use crate::similarity::Rules;
    use crate::sketch::minhash::mix;
    use crate::store::file::collection::Collection;
    use crate::store::file::test_collections::{SKETCHES, collection_of, made};

    /// The keys that more than one document has, counted one by one.
    fn plainly(plan: &Plan, collection: &Collection, documents: &[u32]) -> Vec<Vec<usize>> {
        let keys = |document: u32| {
            let key = plan.keys_of(collection, document);
            (0..plan.keys()).map(move |number| (number, key(number)))
        };
        let mut counts = HashMap::new();
        for key in documents.iter().flat_map(|&document| keys(document)) {
            *counts.entry(key).or_insert(0) += 1;
        }
        let shared = |&document: &u32| keys(document).filter(|key| counts[key] > 1).map(|(key, _)| key).collect();
        documents.iter().map(shared).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn every_shared_key_is_found(
            documents in prop::collection::vec((0u64..4, 0u64..30, prop::option::of(0u64..6)), 1..40),
            threads in 1usize..4,
        ) {
            let made = |(i, &(family, start, simhash)): (usize, &(u64, u64, Option<u64>))| {
                let shingles = 1000 * family + start..1000 * family + start + 60;
                (made(&i.to_string(), shingles, 1), simhash.map(|bits| mix(family) ^ bits))
            };
            let (_folder, collection) = collection_of(&documents.iter().enumerate().map(made).collect::<Vec<_>>());
            let plan = Plan::new(Rules::default(), SKETCHES, 30_000, 0.995);
            let all: Vec<u32> = (0..collection.len() as u32).collect();
            let shared = SharedKeys::new(&plan, &collection, &all, threads, usize::MAX, &()).unwrap();
            for (&document, expected) in all.iter().zip(plainly(&plan, &collection, &all)) {
                let found: Vec<usize> = shared.of(document).collect();
                prop_assert!(found.is_sorted() && expected.iter().all(|key| found.contains(key)), "{found:?} {expected:?}");
            }
            let sum = |count: &[usize]| count.iter().sum::<usize>();
            prop_assert_eq!(sum(&shared.counts(&all)), all.iter().map(|&document| shared.of(document).count()).sum::<usize>());
        }
    }

    #[test]
    fn few_keys_of_strangers_count_as_shared() {
        let strangers: Vec<_> =
            (0..2000u64).map(|i| (made(&i.to_string(), 1000 * i..1000 * i + 60, 1), Some(mix(i)))).collect();
        let (_folder, collection) = collection_of(&strangers);
        let plan = Plan::new(Rules::default(), SKETCHES, 30_000, 0.995);
        let all: Vec<u32> = (0..2000).collect();
        let shared = SharedKeys::new(&plan, &collection, &all, 1, 0, &()).unwrap();
        let [found, keys] = [shared.counts(&all).iter().sum::<usize>(), 2000 * plan.keys()];
        assert!(found * 10 < keys, "{found} of {keys}");
    }
}
