//! Hash tables that find documents by any key that they share with a query.
//!
//! Each key has a chained hash table, the newest document first: the chain of a key
//! holds the documents that have it. Documents are numbered as they are inserted
//! (their *slot*), so the documents from a given slot on are the front of each chain.
//!
//! Cost: one cache miss per key to insert or to query, and one for each document met; 12 to
//! 16 bytes per key and document.

/// The end of a chain.
const NONE: u32 = 0;

/// Number of keys whose chains are fetched before the first of them is followed, so that the waits for memory overlap.
const TOGETHER: usize = 16;

/// Hash tables of documents, one for each of their keys.
#[derive(Debug)]
pub struct Tables {
    keys: usize,
    mask: u32,
    /// For each key and each place of its table, the newest slot plus 1.
    heads: Vec<u32>,
    /// For each slot, a link for each key.
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

impl Tables {
    /// Tables for up to `capacity` documents with `keys` keys each. Memory is taken as
    /// they fill.
    pub fn new(keys: usize, capacity: usize) -> Self {
        let places = capacity.max(1).next_power_of_two();
        Self {
            keys,
            mask: places as u32 - 1,
            heads: vec![NONE; keys * places],
            links: Vec::with_capacity(keys * capacity),
        }
    }

    /// Memory in bytes of tables filled with `documents` documents.
    pub fn memory(keys: usize, documents: usize) -> usize {
        keys * (4 * documents.max(1).next_power_of_two() + 8 * documents)
    }

    /// The place of a key's chain among the heads.
    #[inline]
    fn place(&self, key: usize, hash: u64) -> usize {
        key * (self.mask as usize + 1) + (tag(hash) & self.mask) as usize
    }

    /// The link of a slot, given plus 1.
    #[inline]
    fn link(&self, at: u32, key: usize) -> Link {
        self.links[(at - 1) as usize * self.keys + key]
    }

    /// Inserts a document by those of its keys that are admitted; it is not found by the others.
    pub fn insert(&mut self, keys: &[u64], mut admits: impl FnMut(usize, u64) -> bool) {
        let slot = (self.links.len() / self.keys.max(1)) as u32;
        for (key, &hash) in keys.iter().enumerate() {
            let place = self.place(key, hash);
            let head = &mut self.heads[place];
            self.links.push(Link { tag: tag(hash), next: *head });
            if admits(key, hash) {
                *head = slot + 1;
            }
        }
    }

    /// Adds the slots from `from` on that share one of these keys: the `first`-th key of a
    /// document and those after it. A slot may be added more than once. Returns true if some
    /// were left out because more than `most` documents share a key.
    ///
    /// Keys are compared by 32 bits, so one unrelated document in 2^32 is met as well.
    #[expect(clippy::needless_bitwise_bool, reason = "a lazy operator would be a branch, often mispredicted")]
    pub fn find(&self, first: usize, keys: &[u64], from: u32, most: usize, found: &mut Vec<u32>) -> bool {
        let mut left_out = false;
        for (group, keys) in keys.chunks(TOGETHER).enumerate() {
            let first = first + group * TOGETHER;
            let mut newest = [(NONE, Link::END); TOGETHER];
            for ((key, &hash), (at, _)) in (first..).zip(keys).zip(&mut newest) {
                *at = self.heads[self.place(key, hash)];
            }
            // Half of the keys have a chain, so a branch would often be mispredicted: the others read the first link.
            if !self.links.is_empty() {
                for (key, (at, link)) in (first..).zip(&mut newest[..keys.len()]) {
                    *link = self.link(1 + u32::from(*at > from) * at.wrapping_sub(1), key);
                }
            }
            for ((key, &hash), &(mut at, mut link)) in (first..).zip(keys).zip(&newest) {
                if !((at > from) & ((link.tag == tag(hash)) | (link.next > from))) {
                    continue;
                }
                let met = found.len();
                while at > from {
                    if link.tag == tag(hash) {
                        if found.len() - met == most {
                            left_out = true;
                            break;
                        }
                        found.push(at - 1);
                    }
                    at = link.next;
                    if at > from {
                        link = self.link(at, key);
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
            from in 0u32..40,
            first in 0usize..3,
        ) {
            let mut tables = Tables::new(3, documents.len());
            for keys in &documents {
                tables.insert(&keys.map(mix), |_, _| true);
            }
            let mut found = Vec::new();
            prop_assert!(!tables.find(first, &query.map(mix)[first..], from, usize::MAX, &mut found));
            found.sort_unstable();
            found.dedup();
            let shares = |keys: &[u64; 3]| keys[first..].iter().zip(&query[first..]).any(|(a, b)| a == b);
            let expected: Vec<u32> = (0u32..).zip(&documents).filter(|(slot, keys)| *slot >= from && shares(keys)).map(|(slot, _)| slot).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_key_that_all_share_is_cut_short() {
        let mut tables = Tables::new(1, 9);
        for _ in 0..9 {
            tables.insert(&[7], |_, _| true);
        }
        let mut found = Vec::new();
        assert!(tables.find(0, &[7], 0, 4, &mut found));
        assert_eq!(found, [8, 7, 6, 5]);
    }

    #[test]
    fn a_document_is_found_by_its_admitted_keys() {
        let mut tables = Tables::new(2, 2);
        tables.insert(&[7, 8].map(mix), |key, hash| (key, hash) != (0, mix(7)));
        tables.insert(&[7, 9].map(mix), |_, _| true);
        let found = |keys: [u64; 2]| {
            let mut found = Vec::new();
            tables.find(0, &keys.map(mix), 0, usize::MAX, &mut found);
            found
        };
        assert_eq!((found([7, 1]), found([1, 8])), (vec![1], vec![0]));
    }
}
