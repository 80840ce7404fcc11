//! Hash tables that find documents by any key that they share with a query.
//!
//! Each key has a chained hash table, the newest document first: the chain of a key
//! holds the documents that have it. Documents are numbered as they are inserted
//! (their *slot*).
//!
//! Cost: one cache miss per key to insert or to query, and one for each document met; 12 to
//! 16 bytes per key and document.

use std::sync::{Mutex, PoisonError};

use crate::parallel;

/// The end of a chain.
const NONE: u32 = 0;

/// Number of keys whose chains are fetched before the first of them is followed, so that the waits for memory overlap.
const TOGETHER: usize = 16;

/// Hash tables of documents, one for each of their keys.
#[derive(Debug)]
pub struct Tables {
    of_keys: Vec<Table>,
}

/// The chains of one key.
#[derive(Debug)]
struct Table {
    /// For each place, the newest slot plus 1.
    heads: Vec<u32>,
    /// A link for each slot.
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    tag: u32,
    /// The next older slot of the chain plus 1.
    next: u32,
}

impl Link {
    const END: Self = Self { tag: 0, next: NONE };
}

/// The bits of a hash by which keys are compared.
#[inline]
fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

impl Table {
    /// The place of a hash among the heads, whose number is a power of two.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        tag(hash) as usize & (self.heads.len() - 1)
    }

    /// The link of a slot, given plus 1.
    #[inline]
    fn link(&self, at: u32) -> Link {
        self.links[(at - 1) as usize]
    }

    /// Gives the next slot to a document, which is found by this key if it is `admitted`.
    #[inline]
    fn insert(&mut self, hash: u64, admitted: bool) {
        let (slot, place) = (self.links.len() as u32, self.place(hash));
        let head = &mut self.heads[place];
        self.links.push(Link { tag: tag(hash), next: *head });
        if admitted {
            *head = slot + 1;
        }
    }
}

impl Tables {
    /// Tables for up to `capacity` documents with `keys` keys each. Memory is taken as
    /// they fill.
    pub fn new(keys: usize, capacity: usize) -> Self {
        let heads = capacity.max(1).next_power_of_two();
        let table = || Table { heads: vec![NONE; heads], links: Vec::with_capacity(capacity) };
        Self { of_keys: std::iter::repeat_with(table).take(keys).collect() }
    }

    /// Memory in bytes of tables filled with `documents` documents.
    pub fn memory(keys: usize, documents: usize) -> usize {
        keys * (4 * documents.max(1).next_power_of_two() + 8 * documents)
    }

    /// Inserts a document, given its keys; it is found by those that are `admitted`.
    pub fn insert(&mut self, keys: &[u64], admitted: &[bool]) {
        for ((table, &hash), &admitted) in self.of_keys.iter_mut().zip(keys).zip(admitted) {
            table.insert(hash, admitted);
        }
    }

    /// Inserts documents, given the keys of each, one document after another, as [`insert`](Self::insert) would.
    pub fn append(&mut self, keys: &[u64], admitted: &[bool], threads: usize) {
        if keys.is_empty() {
            return;
        }
        let count = self.of_keys.len();
        let tables: Vec<Mutex<&mut Table>> = self.of_keys.iter_mut().map(Mutex::new).collect();
        let append = |key: usize| {
            let mut table = tables[key].lock().unwrap_or_else(PoisonError::into_inner);
            for (&hash, &admitted) in keys.iter().zip(admitted).skip(key).step_by(count) {
                table.insert(hash, admitted);
            }
            Ok(())
        };
        // No table fails.
        _ = parallel::map(count, threads, append);
    }

    /// Adds the slots that share one of these keys: the `first`-th key of a document and those after it. A slot may
    /// be added more than once. Returns true if some were left out because more than `most` documents share a key.
    ///
    /// Keys are compared by 32 bits, so one unrelated document in 2^32 is met as well.
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would be a branch, often mispredicted")]
    pub fn find(&self, first: usize, keys: &[u64], most: usize, found: &mut Vec<u32>) -> bool {
        let mut left_out = false;
        for (tables, keys) in self.of_keys[first..].chunks(TOGETHER).zip(keys.chunks(TOGETHER)) {
            if tables[0].links.is_empty() {
                return false;
            }
            let mut newest = [(NONE, Link::END); TOGETHER];
            for ((table, &hash), (at, _)) in tables.iter().zip(keys).zip(&mut newest) {
                *at = table.heads[table.place(hash)];
            }
            // Half of the keys have a chain, so a branch would often be mispredicted: the others read the first link.
            for (table, (at, link)) in tables.iter().zip(&mut newest[..keys.len()]) {
                *link = table.link((*at).max(1));
            }
            for ((table, &hash), &(mut at, mut link)) in tables.iter().zip(keys).zip(&newest) {
                if !((at > NONE) & ((link.tag == tag(hash)) | (link.next > NONE))) {
                    continue;
                }
                let met = found.len();
                while at > NONE {
                    if link.tag == tag(hash) {
                        if found.len() - met == most {
                            left_out = true;
                            break;
                        }
                        found.push(at - 1);
                    }
                    at = link.next;
                    if at > NONE {
                        link = table.link(at);
                    }
                }
            }
        }
        left_out
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::sketch::minhash::mix;

    proptest! {
        #[test]
        fn whoever_shares_a_key_is_found(
            documents in prop::collection::vec(prop::array::uniform3(0u64..6), 0..60),
            query in prop::array::uniform3(0u64..6),
            first in 0usize..3,
        ) {
            let mut tables = Tables::new(3, documents.len());
            for keys in &documents {
                tables.insert(&keys.map(mix), &[true; 3]);
            }
            let mut found = Vec::new();
            prop_assert!(!tables.find(first, &query.map(mix)[first..], usize::MAX, &mut found));
            found.sort_unstable();
            found.dedup();
            let shares = |keys: &[u64; 3]| keys[first..].iter().zip(&query[first..]).any(|(a, b)| a == b);
            let expected: Vec<u32> = (0u32..).zip(&documents).filter(|(_, keys)| shares(keys)).map(|(slot, _)| slot).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn many_at_once_are_inserted_as_one_by_one(
            documents in prop::collection::vec((prop::array::uniform5(0u64..9), any::<[bool; 5]>()), 0..60),
            parts in prop::collection::vec(0usize..30, 0..4),
            threads in 1usize..4,
        ) {
            let [mut one_by_one, mut at_once] = [(); 2].map(|()| Tables::new(5, documents.len()));
            let mut left = documents.as_slice();
            for part in parts.into_iter().chain([usize::MAX]) {
                let (part, rest) = left.split_at(part.min(left.len()));
                left = rest;
                for (keys, admitted) in part {
                    one_by_one.insert(&keys.map(mix), admitted);
                }
                let keys: Vec<u64> = part.iter().flat_map(|(keys, _)| keys.map(mix)).collect();
                let admitted: Vec<bool> = part.iter().flat_map(|(_, admitted)| *admitted).collect();
                at_once.append(&keys, &admitted, threads);
            }
            prop_assert_eq!(format!("{one_by_one:?}"), format!("{at_once:?}"));
        }
    }

    #[test]
    fn a_key_that_all_share_is_cut_short() {
        let mut tables = Tables::new(1, 9);
        for _ in 0..9 {
            tables.insert(&[7], &[true]);
        }
        let mut found = Vec::new();
        assert!(tables.find(0, &[7], 4, &mut found));
        assert_eq!(found, [8, 7, 6, 5]);
    }

    #[test]
    fn a_document_is_found_by_its_admitted_keys() {
        let mut tables = Tables::new(2, 2);
        tables.insert(&[7, 8].map(mix), &[false, true]);
        tables.insert(&[7, 9].map(mix), &[true, true]);
        let found = |keys: [u64; 2]| {
            let mut found = Vec::new();
            tables.find(0, &keys.map(mix), usize::MAX, &mut found);
            found
        };
        assert_eq!((found([7, 1]), found([1, 8])), (vec![1], vec![0]));
    }
}
