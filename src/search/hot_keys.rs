//! Keys of sketches that more survivors have than are worth comparing.
//!
//! A page that half of all documents contain gives keys that all of these share. Only the first
//! [`MOST`] survivors are found by such a key. Survivors come in the order of the policy, so
//! the result is a function of the corpus and the policy: neither memory nor threads change it.
//!
//! Only keys that more than [`MOST`] documents share can become crowded, and only these are counted.
//!
//! Cost: two passes over the keys that documents share, with one or two bytes a document and thread while they last; then
//! some 20 bytes per counted key, which are at most about one in 64 of all keys.

use std::collections::BTreeMap;

use super::plan::Plan;
use super::shared_keys::SharedKeys;
use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::sketch::bands::Bands;
use crate::sketch::hashed::{HashMapOfHashes, HashSetOfHashes};
use crate::store::file::collection::Collection;

/// Maximum number of survivors that are found by a key of the sketch.
pub const MOST: u16 = 64;

/// Maximum number of keys of a sketch that are counted in one pass, so that the counts fit the cache.
const AT_ONCE: usize = 8;

/// Number of documents that share a count. The counts of some keys fit the cache then, and a count of different keys
/// exceeds [`MOST`] only by a very rare chance, which costs a few bytes.
const SHARING: usize = 8;

/// The documents that stay, by the bits of the keys that are crowded and do not find them: none for most.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Crowded(BTreeMap<u64, u64>);

impl Crowded {
    /// Counts a document that stays.
    pub fn count(&mut self, keys: u64) {
        *self.0.entry(keys).or_default() += 1;
    }

    /// Number of documents that stay and that later ones do not find by some key.
    pub fn documents(&self) -> u64 {
        self.0.iter().filter(|&(&keys, _)| keys != 0).map(|(_, count)| count).sum()
    }

    /// The probability that a pair of this Jaccard coefficient becomes a candidate: a lower bound, on average over the
    /// documents that stay.
    pub fn recall(&self, bands: &Bands, jaccard: f64) -> f64 {
        if self.documents() == 0 {
            return bands.recall(jaccard);
        }
        let found = |(&keys, &count): (&u64, &u64)| count as f64 * bands.recall_without(keys, jaccard);
        self.0.iter().map(found).sum::<f64>() / self.0.values().sum::<u64>() as f64
    }
}

/// The survivors counted by the keys that may become crowded.
#[derive(Debug, Clone, Default)]
pub struct HotKeys {
    counts: HashMapOfHashes<u16>,
}

impl HotKeys {
    /// Finds the keys that many of these documents share.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Interrupted`].
    pub fn new(
        plan: &Plan,
        collection: &Collection,
        shared: &SharedKeys,
        documents: &[u32],
        threads: usize,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let bands = plan.bands();
        if bands == 0 || documents.len() <= usize::from(MOST) {
            return Ok(Self::default());
        }
        let buckets = (documents.len() / SHARING).next_power_of_two();
        // As far as possible each thread has the same number of passes.
        let passes = bands.div_ceil(AT_ONCE).next_multiple_of(threads.clamp(1, bands));
        let at_once = bands.div_ceil(passes);
        let hot = parallel::map(bands.div_ceil(at_once), threads, |group| {
            let group = group * at_once..bands.min((group + 1) * at_once);
            // Each key of each document, with its place among the counts.
            let each = |found: &mut dyn FnMut(u64, usize)| {
                for &document in documents {
                    let shared = shared.of(document).skip_while(|&key| key < group.start);
                    let mut shared = shared.take_while(|&key| key < group.end).peekable();
                    if shared.peek().is_none() {
                        continue;
                    }
                    let key = plan.keys_of(collection, document);
                    for band in shared {
                        let key = key(band);
                        found(key, (band - group.start) * buckets + (key as usize & (buckets - 1)));
                    }
                }
            };
            go_on(observer)?;
            let mut counts = vec![0_u8; group.len() * buckets];
            each(&mut |_, place| counts[place] = counts[place].saturating_add(1));
            let is_full = |count: u8| u16::from(count) > MOST;
            let mut hot = HashSetOfHashes::default();
            if counts.iter().any(|&count| is_full(count)) {
                go_on(observer)?;
                each(&mut |key, place| {
                    if is_full(counts[place]) {
                        hot.insert(key);
                    }
                });
            }
            Ok(hot)
        })?;
        let mut counts = HashMapOfHashes::default();
        counts.reserve(hot.iter().map(HashSetOfHashes::len).sum());
        counts.extend(hot.into_iter().flatten().map(|key| (key, 0)));
        Ok(Self { counts })
    }

    /// Counts one more survivor with this key; false if the key is crowded.
    pub fn admits(&mut self, key: u64) -> bool {
        let Some(count) = self.counts.get_mut(&key) else { return true };
        *count = (*count + 1).min(MOST + 1);
        *count <= MOST
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::similarity::Rules;
    use crate::store::file::test_collections::{SKETCHES, collection, made};

    #[test]
    fn the_recall_is_that_of_the_documents_on_average() {
        let bands = Bands::choose(SKETCHES, 0.5, 0.995);
        let (mut crowded, all) = (Crowded::default(), bands.recall(0.5));
        assert_eq!((crowded.documents(), crowded.recall(&bands, 0.5)), (0, all));
        for keys in [0, 0, 1, u64::MAX] {
            crowded.count(keys);
        }
        let expected = (2.0 * all + bands.recall_without(1, 0.5)) / 4.0;
        assert_eq!(crowded.documents(), 2);
        assert!((crowded.recall(&bands, 0.5) - expected).abs() < 1e-12);
    }

    #[test]
    fn only_keys_that_many_share_are_counted() {
        let documents: Vec<_> = (0..700_u64)
            .map(|i| {
                let shingles = if i < 600 { 0..40 } else { 1000 * i..1000 * i + 40 };
                (format!("{i:03}"), shingles.chain([1_000_000 + i]).collect(), 1)
            })
            .chain([made("other", 90_000_000..90_000_040, 1)])
            .collect();
        let (_folder, collection) = collection(&documents);
        let bands = Bands::choose(SKETCHES, 0.5, 0.995);
        let all: Vec<u32> = (0..collection.len() as u32).collect();
        let plan = Plan::new(Rules::of(None, Some(0.5)), SKETCHES, 700, 0.995);
        let shared = SharedKeys::new(&plan, &collection, &all, 2, usize::MAX, &()).unwrap();
        let mut crowds = HotKeys::new(&plan, &collection, &shared, &all, 2, &()).unwrap();
        assert!(!crowds.counts.is_empty());
        let mut crowded = 0;
        for band in 0..bands.len() {
            let key = |document| bands.key(band, collection.sketch(document));
            let sharing = |document| all.iter().filter(|&&other| key(other) == key(document)).count();
            let mut admitted = |document| (0..300).filter(|_| crowds.admits(key(document))).count();
            if sharing(0) >= 256 {
                crowded += 1;
                assert_eq!(admitted(0), 64, "band {band}");
            }
            assert_eq!((sharing(700), admitted(700)), (1, 300), "band {band}");
        }
        assert!(crowded > 0);
    }
}
