//! Hash tables that find documents by any key that they share with a query.
//!
//! Each key has a chained hash table, the newest document first: the chain of a key
//! holds the documents that have it. Documents are numbered as they are inserted
//! (their *slot*), and each stands in the tables of the keys that others may share with it ([`super::shared_keys`]).
//!
//! Cost: one cache miss per key to insert or to query, and one for each document met; 16 to
//! 20 bytes per key that a document is found by.

use std::sync::{Mutex, PoisonError};

use crate::parallel;

/// The end of a chain.
const NONE: u32 = 0;

/// Number of keys whose chains are fetched before the first of them is followed, so that the waits for memory overlap.
const TOGETHER: usize = 16;

/// One key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Which of its keys.
    pub number: u32,
    /// Its hash.
    pub hash: u64,
}

/// Hash tables of documents, one for each of their keys.
#[derive(Debug)]
pub struct Tables {
    of_keys: Vec<Table>,
}

/// The chains of one key.
#[derive(Debug)]
struct Table {
    /// For each place, the newest link plus 1.
    heads: Vec<u32>,
    links: Vec<Link>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    tag: u32,
    /// The next older link of the chain plus 1.
    next: u32,
    slot: u32,
}

impl Link {
    const END: Self = Self { tag: 0, next: NONE, slot: 0 };
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

    /// A link, given plus 1; the end for none.
    #[inline]
    fn link(&self, at: u32) -> Link {
        self.links.get((at as usize).wrapping_sub(1)).copied().unwrap_or(Link::END)
    }

    #[inline]
    fn insert(&mut self, hash: u64, slot: u32) {
        let place = self.place(hash);
        let head = &mut self.heads[place];
        self.links.push(Link { tag: tag(hash), next: *head, slot });
        *head = self.links.len() as u32;
    }
}

/// Number of heads for so many documents.
fn heads(documents: usize) -> usize {
    documents.max(1).next_power_of_two()
}

impl Tables {
    /// Tables for as many documents with each key as said. Memory is taken as they fill.
    pub fn new(documents: impl IntoIterator<Item = usize>) -> Self {
        let table = |documents| Table { heads: vec![NONE; heads(documents)], links: Vec::with_capacity(documents) };
        Self { of_keys: documents.into_iter().map(table).collect() }
    }

    /// Memory in bytes of tables filled with as many documents with each key as said.
    pub fn memory(documents: impl IntoIterator<Item = usize>) -> usize {
        documents.into_iter().map(|documents| 4 * heads(documents) + size_of::<Link>() * documents).sum()
    }

    /// Lets a slot be found by a key.
    pub fn insert(&mut self, key: Key, slot: u32) {
        self.of_keys[key.number as usize].insert(key.hash, slot);
    }

    /// Inserts keys with their slots, counted from the `first`, as [`insert`](Self::insert) would.
    pub fn append(&mut self, keys: &[(u32, Key)], first: u32, threads: usize) {
        let tables: Vec<Mutex<&mut Table>> = self.of_keys.iter_mut().map(Mutex::new).collect();
        let append = |number: usize| {
            let mut table = tables[number].lock().unwrap_or_else(PoisonError::into_inner);
            for (slot, key) in keys.iter().filter(|(_, key)| key.number as usize == number) {
                table.insert(key.hash, first + slot);
            }
            Ok(())
        };
        // No table fails.
        _ = parallel::map(tables.len(), threads, append);
    }

    /// Adds the slots that share one of these keys. A slot may be added more than once. Returns true if some were left
    /// out because more than `most` documents share a key.
    ///
    /// Keys are compared by 32 bits, so one unrelated document in 2^32 is met as well.
    pub fn find(&self, keys: &[Key], most: usize, found: &mut Vec<u32>) -> bool {
        let mut left_out = false;
        for keys in keys.chunks(TOGETHER) {
            let mut newest = [(NONE, Link::END); TOGETHER];
            for (key, (at, _)) in keys.iter().zip(&mut newest) {
                let table = &self.of_keys[key.number as usize];
                *at = table.heads[table.place(key.hash)];
            }
            for (key, (at, link)) in keys.iter().zip(&mut newest) {
                *link = self.of_keys[key.number as usize].link(*at);
            }
            for (key, &(mut at, mut link)) in keys.iter().zip(&newest) {
                let met = found.len();
                while at > NONE {
                    if link.tag == tag(key.hash) {
                        if found.len() - met == most {
                            left_out = true;
                            break;
                        }
                        found.push(link.slot);
                    }
                    at = link.next;
                    if at > NONE {
                        link = self.of_keys[key.number as usize].link(at);
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

    /// The keys of a document, of which those that are `admitted` find it.
    fn keys<const N: usize>(of: [u64; N], admitted: [bool; N]) -> Vec<Key> {
        let all = (0..).zip(of).zip(admitted).filter(|(_, admitted)| *admitted);
        all.map(|((number, key), _)| Key { number, hash: mix(key) }).collect()
    }

    proptest! {
        #[test]
        fn whoever_shares_a_key_is_found(
            documents in prop::collection::vec((prop::array::uniform3(0u64..6), any::<[bool; 3]>()), 0..60),
            query in (prop::array::uniform3(0u64..6), any::<[bool; 3]>()),
        ) {
            let mut tables = Tables::new([documents.len(), 1, 3]);
            for (slot, &(of, admitted)) in (0..).zip(&documents) {
                for key in keys(of, admitted) {
                    tables.insert(key, slot);
                }
            }
            let asked = keys(query.0, query.1);
            let mut found = Vec::new();
            prop_assert!(!tables.find(&asked, usize::MAX, &mut found));
            found.sort_unstable();
            found.dedup();
            let shares = |&(of, admitted): &([u64; 3], [bool; 3])| keys(of, admitted).iter().any(|key| asked.contains(key));
            let expected: Vec<u32> = (0u32..).zip(&documents).filter(|(_, it)| shares(it)).map(|(slot, _)| slot).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn many_at_once_are_inserted_as_one_by_one(
            documents in prop::collection::vec((prop::array::uniform5(0u64..9), any::<[bool; 5]>()), 0..60),
            parts in prop::collection::vec(0usize..30, 0..4),
            threads in 1usize..4,
        ) {
            let [mut one_by_one, mut at_once] = [(); 2].map(|()| Tables::new([documents.len(); 5]));
            let (mut left, mut first) = (documents.as_slice(), 0);
            for part in parts.into_iter().chain([usize::MAX]) {
                let (part, rest) = left.split_at(part.min(left.len()));
                left = rest;
                let numbered = (0..).zip(part).flat_map(|(i, &(of, admitted))| keys(of, admitted).into_iter().map(move |key| (i, key)));
                let all: Vec<(u32, Key)> = numbered.collect();
                for &(i, key) in &all {
                    one_by_one.insert(key, first + i);
                }
                at_once.append(&all, first, threads);
                first += part.len() as u32;
            }
            prop_assert_eq!(format!("{one_by_one:?}"), format!("{at_once:?}"));
        }
    }

    #[test]
    fn a_key_that_all_share_is_cut_short() {
        let mut tables = Tables::new([9]);
        for slot in 0..9 {
            tables.insert(Key { number: 0, hash: 7 }, slot);
        }
        let mut found = Vec::new();
        assert!(tables.find(&[Key { number: 0, hash: 7 }], 4, &mut found));
        assert_eq!(found, [8, 7, 6, 5]);
    }
}
