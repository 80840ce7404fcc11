//! Every pair of near documents.
//!
//! The first of identical texts represents its copies: it is paired with each of them, and it
//! alone with other texts. Documents with equal fingerprints are represented likewise
//! (`leaders.rs`). Candidates come from the Hamming join, which is exact, and from the bands of
//! the sketches, one at a time: sorting the keys of a band brings documents that share one
//! together, and each such pair is verified. Sorting all pairs drops those found twice.
//!
//! Candidates are never listed. Near pairs are kept in memory up to the bound, and on disk
//! beyond it.
//!
//! Cost: for each band a sort of 16 bytes per document; then one verification per pair that
//! shares a key, near or by chance. If all documents share a key, every wanted pair is compared.
//! The output is not bounded: n documents that are all near, but differ in some n-gram,
//! are n² / 2 pairs; clusters are n lines.

mod leaders;

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::hamming::{self, Groups};
use super::plan::Plan;
use crate::error::{Error, Result};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::sketch::bands::Bands;
use crate::sorter::Sorter;
use crate::store::file::collection::Collection;
use leaders::Leaders;

/// Number of pairs that a thread gathers before it passes them to the sorter.
const HANDFUL: usize = 4096;

/// The wanted pairs, and the bounds on resources.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a> {
    /// The number of the first document of the second corpus: only pairs of a document
    /// before it with one from it on are wanted. `None`: all pairs.
    pub second: Option<u32>,
    /// For each document whether its pairs are wanted; `None`: those of all are.
    pub of: Option<&'a [bool]>,
    /// Number of threads.
    pub threads: usize,
    /// Maximum memory in bytes, beyond the mapped files.
    pub max_memory: usize,
    /// The folder of temporary files: 8 bytes for each pair that exceeds the memory.
    pub temp: &'a Path,
}

impl Options<'_> {
    /// True if a document has pairs that are wanted whatever the other is.
    fn wants(&self, document: u32) -> bool {
        self.of.is_none_or(|of| of[document as usize])
    }

    /// True if one of a pair is such a document.
    fn wants_one_of(&self, a: u32, b: u32) -> bool {
        self.wants(a) || self.wants(b)
    }

    /// Of ascending documents, those that can come first in a wanted pair, and those that can
    /// come second.
    fn sides<'a, T: Copy>(&self, documents: &'a [T], number: fn(T) -> u32) -> [&'a [T]; 2] {
        let Some(second) = self.second else { return [documents; 2] };
        documents.split_at(documents.partition_point(|&document| number(document) < second)).into()
    }

    /// Calls `found` with each wanted pair of ascending documents. Unwanted pairs cost no
    /// time: a million documents of one side have 5 · 10¹¹.
    fn each_pair<T: Copy>(
        &self,
        documents: &[T],
        number: fn(T) -> u32,
        found: &mut impl FnMut(u32, u32) -> Result<()>,
    ) -> Result<()> {
        let [firsts, seconds] = self.sides(documents, number);
        for (i, &a) in firsts.iter().enumerate() {
            let others = if self.second.is_none() { &seconds[i + 1..] } else { seconds };
            others.iter().try_for_each(|&b| found(number(a), number(b)))?;
        }
        Ok(())
    }

    /// As [`each_pair`](Self::each_pair), with one document from each of two lists.
    fn each_pair_between(&self, x: &[u32], y: &[u32], found: &mut impl FnMut(u32, u32) -> Result<()>) -> Result<()> {
        let product = |firsts: &[u32], seconds: &[u32], found: &mut dyn FnMut(u32, u32) -> Result<()>| {
            firsts.iter().try_for_each(|&a| seconds.iter().try_for_each(|&b| found(a, b)))
        };
        let [[x_first, x_second], [y_first, y_second]] = [x, y].map(|documents| self.sides(documents, |it| it));
        product(x_first, y_second, found)?;
        if self.second.is_none() { Ok(()) } else { product(y_first, x_second, found) }
    }
}

/// The resources that listing pairs takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Memory in bytes, besides the mapped files and the pairs themselves.
    pub memory: usize,
    /// Number of parts in which the keys of a band are sorted, as memory allows.
    pub parts: usize,
}

/// Estimates the resources for listing the pairs of `documents` documents.
pub fn cost(plan: &Plan, documents: usize, threads: usize, max_memory: usize) -> Cost {
    // The documents themselves; their texts' digests; groups of simhashes and their
    // partition; the sorted keys of as many bands as there are threads.
    let joined = if plan.rules.max_distance.is_some() { 40 * documents } else { 0 };
    let threads = plan.bands.as_ref().map_or(0, |bands| threads.clamp(1, bands.len()));
    let at_once = keys_at_once(threads, max_memory).min(documents);
    let memory = 4 * documents + joined.max(20 * documents).max(16 * at_once * threads);
    Cost { memory, parts: documents.div_ceil(at_once.max(1)).max(1) }
}

/// Number of keys of a band that each thread sorts at once.
fn keys_at_once(threads: usize, max_memory: usize) -> usize {
    (max_memory / 2 / 16 / threads.max(1)).max(1 << 16)
}

/// Calls `found` with every near pair, the lesser number first, in ascending order, until
/// it breaks.
///
/// Of identical texts, and of texts that no rule can distinguish, the first is paired with
/// each of the others, and it alone with other texts. Between two corpora each document of the
/// first corpus has its own pairs, with the first of such texts in the second.
///
/// # Errors
///
/// Those of temporary files, [`Error::Distance`], and [`Error::Interrupted`].
pub fn near_pairs(
    collection: &Collection,
    plan: &Plan,
    options: &Options<'_>,
    observer: &dyn Observer,
    mut found: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> Result<()> {
    let sorter = Mutex::new(Sorter::new(options.max_memory / 4, options.temp));
    let leaders = Leaders::of(collection, plan, options.second, &sorter)?;
    if let Some(distance) = plan.rules.max_distance {
        observer.begin("comparing simhashes", None);
        let mut pairs = Handful::new(&sorter, &leaders);
        join(collection, distance, options, observer, &mut pairs)?;
        pairs.hand_on()?;
    }
    if let Some(bands) = &plan.bands {
        observer.begin("comparing sketches", Some(bands.len() as u64));
        let threads = options.threads.clamp(1, bands.len());
        let bound = keys_at_once(threads, options.max_memory);
        parallel::map(bands.len(), threads, |number| {
            let mut pairs = Handful::new(&sorter, &leaders);
            Band { collection, plan, bands, number, options, observer }.join(bound, &mut pairs)?;
            pairs.hand_on()?;
            observer.advance(1);
            Ok(())
        })?;
    }
    let sorter = sorter.into_inner().unwrap_or_else(PoisonError::into_inner);
    sorter.finish(|pair| Ok(found((pair >> 32) as u32, pair as u32)))
}

/// Pairs gathered for the sorter.
struct Handful<'a> {
    pairs: Vec<u64>,
    sorter: &'a Mutex<Sorter>,
    leaders: &'a Leaders,
}

impl<'a> Handful<'a> {
    fn new(sorter: &'a Mutex<Sorter>, leaders: &'a Leaders) -> Self {
        Self { pairs: Vec::new(), sorter, leaders }
    }

    /// Adds a pair, and the pairs of the copies of its first document.
    fn push(&mut self, a: u32, b: u32) -> Result<()> {
        let (a, b) = (a.min(b), a.max(b));
        let copies = self.leaders.copies.get(&a).into_iter().flatten();
        self.pairs.extend([a].iter().chain(copies).map(|&a| u64::from(a) << 32 | u64::from(b)));
        if self.pairs.len() >= HANDFUL { self.hand_on() } else { Ok(()) }
    }

    fn hand_on(&mut self) -> Result<()> {
        let mut sorter = self.sorter.lock().unwrap_or_else(PoisonError::into_inner);
        sorter.extend(&self.pairs)?;
        self.pairs.clear();
        Ok(())
    }
}

/// Finds the pairs of the Hamming rule.
fn join(
    collection: &Collection,
    distance: u32,
    options: &Options<'_>,
    observer: &dyn Observer,
    pairs: &mut Handful<'_>,
) -> Result<()> {
    let documents = pairs.leaders.documents.iter();
    let groups = Groups::new(documents.filter_map(|&document| Some((document, collection.simhash(document)?))));
    let mut push = |a: u32, b: u32| -> Result<()> {
        if options.wants_one_of(a, b) {
            pairs.push(a, b)?;
        }
        go_on(observer)
    };
    (0..groups.len() as u32).try_for_each(|group| options.each_pair(groups.members(group), |it| it, &mut push))?;
    let mut outcome = Ok(());
    let of_near = hamming::join(&groups, distance, |x, y, _| {
        outcome = options.each_pair_between(groups.members(x), groups.members(y), &mut push);
        if outcome.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // If the join was stopped early, `outcome` holds the error.
    of_near.map(drop).map_err(|_| Error::Distance { found: distance, limit: hamming::MAX_DISTANCE })?;
    outcome.and_then(|()| go_on(observer))
}

/// One band of sketches.
struct Band<'a> {
    collection: &'a Collection,
    plan: &'a Plan,
    bands: &'a Bands,
    number: usize,
    options: &'a Options<'a>,
    observer: &'a dyn Observer,
}

impl Band<'_> {
    /// Finds the near pairs that share its key, with up to `bound` keys in memory at once.
    fn join(&self, bound: usize, pairs: &mut Handful<'_>) -> Result<()> {
        let documents = &pairs.leaders.documents;
        let parts = documents.len().div_ceil(bound).max(1) as u64;
        for part in 0..parts {
            let key = |document: u32| self.bands.key(self.number, self.collection.sketch(document));
            let keys = documents.iter().map(|&document| (key(document), document));
            let mut keys: Vec<(u64, u32)> = keys.filter(|(key, _)| key % parts == part).collect();
            keys.sort_unstable();
            let is_wanted = |bucket: &&[(u64, u32)]| bucket.iter().any(|&(_, document)| self.options.wants(document));
            for bucket in keys.chunk_by(|a, b| a.0 == b.0).filter(is_wanted) {
                self.options.each_pair(bucket, |(_, document)| document, &mut |a, b| {
                    go_on(self.observer)?;
                    if self.is_near(a, b) { pairs.push(a, b) } else { Ok(()) }
                })?;
            }
        }
        Ok(())
    }

    /// True if a pair is wanted and near, and was not compared in an earlier band.
    fn is_near(&self, a: u32, b: u32) -> bool {
        let [x, y] = [a, b].map(|document| self.collection.sketch(document));
        self.options.wants_one_of(a, b)
            && !(0..self.number).any(|earlier| self.bands.is_shared(earlier, x, y))
            && self.plan.is_near(self.collection, a, b)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::similarity::Rules;
    use crate::store::file::test_collections::{Made, SKETCHES, collection, collection_of_texts, made};

    fn found(collection: &Collection, rules: Rules, second: Option<u32>, threads: usize) -> Vec<(u32, u32)> {
        found_of(None, collection, rules, second, threads)
    }

    fn found_of(
        of: Option<&[bool]>,
        collection: &Collection,
        rules: Rules,
        second: Option<u32>,
        threads: usize,
    ) -> Vec<(u32, u32)> {
        let plan = Plan::new(rules, SKETCHES, collection.len(), 0.9999);
        let mut found = Vec::new();
        let options = Options { second, of, threads, max_memory: 1 << 20, temp: &std::env::temp_dir() };
        near_pairs(collection, &plan, &options, &(), |a, b| {
            found.push((a, b));
            ControlFlow::Continue(())
        })
        .unwrap();
        found
    }

    /// Every near pair, by comparing all with all; the texts all differ.
    fn plainly(collection: &Collection, rules: &Rules, second: Option<u32>) -> Vec<(u32, u32)> {
        let documents = 0..collection.len() as u32;
        let pairs = documents.clone().flat_map(|a| (a + 1..documents.end).map(move |b| (a, b)));
        let is_wanted = |&(a, b): &(u32, u32)| {
            let sides = second.is_none_or(|second| a < second && second <= b);
            sides && !collection.judge(a, b, rules).1.is_empty()
        };
        pairs.filter(is_wanted).collect()
    }

    const JACCARD: Rules = Rules::of(None, Some(0.5));

    #[test]
    fn of_one_text_the_first_stands_for_all() {
        let texts =
            [made("a", 0..60, 1), made("b", 0..60, 1), made("c", 0..61, 1), made("d", 0..60, 1), made("e", 0..61, 1)];
        let (_folder, collection) = collection(&texts);
        assert_eq!(found(&collection, JACCARD, None, 2), [(0, 1), (0, 2), (0, 3), (2, 4)]);
        // Between corpora each document of the first has its own pairs.
        assert_eq!(found(&collection, JACCARD, Some(2), 2), [(0, 2), (0, 3), (1, 2), (1, 3)]);
    }

    #[test]
    fn empty_texts_are_pairs_of_their_copies_only() {
        let (_folder, collection) = collection(&[made("a", 0..0, 1), made("b", 0..9, 1), made("c", 0..0, 1)]);
        assert_eq!(found(&collection, Rules::default(), None, 1), [(0, 2)]);
        assert_eq!(found(&collection, Rules::default(), Some(1), 1), [(0, 2)]);
    }

    #[test]
    fn a_great_many_texts_that_differ_in_nothing_that_counts() {
        let same = |i: u64| (i.to_string().into_bytes(), made(&format!("{i}"), 0..60, 1));
        let (_folder, collection) = collection_of_texts(&(0..20_000).map(same).collect::<Vec<_>>());
        let rules_of_three = [JACCARD, Rules::default(), Rules::of(Some(0), None)];
        for rules in rules_of_three {
            let pairs = found(&collection, rules, None, 2);
            assert!(pairs.iter().copied().eq((1..20_000).map(|other| (0, other))), "{}", pairs.len());
            // In the second corpus the first represents all.
            let pairs = found(&collection, rules, Some(19_000), 2);
            assert!(pairs.iter().copied().eq((0..19_000).map(|first| (first, 19_000))), "{}", pairs.len());
        }
        let none = Rules::of(None, None);
        assert_eq!(found(&collection, none, None, 1), [], "no rule calls them near");
    }

    #[test]
    fn nothing_is_done_for_pairs_that_are_not_wanted() {
        let options = |second| Options { second, of: None, threads: 1, max_memory: 0, temp: Path::new("") };
        let documents: Vec<u32> = (0..200_000).collect();
        let pairs = |second, documents: &[u32]| {
            let mut pairs = Vec::new();
            let mut push = |a, b| {
                pairs.push((a, b));
                Ok(())
            };
            options(second).each_pair(documents, |it| it, &mut push).unwrap();
            pairs
        };
        assert_eq!(pairs(None, &[2, 5, 9]), [(2, 5), (2, 9), (5, 9)]);
        assert_eq!(pairs(Some(5), &[2, 3, 5, 9]), [(2, 5), (2, 9), (3, 5), (3, 9)]);
        assert_eq!(pairs(Some(200_000), &documents), [], "twenty thousand million pairs of one side");
        let between = |second| {
            let mut pairs = Vec::new();
            let mut push = |a, b| {
                pairs.push((a, b));
                Ok(())
            };
            options(second).each_pair_between(&[1, 7], &[2, 8], &mut push).unwrap();
            pairs
        };
        assert_eq!(between(None), [(1, 2), (1, 8), (7, 2), (7, 8)]);
        assert_eq!(between(Some(5)), [(1, 8), (2, 7)]);
    }

    #[test]
    fn the_caller_can_end_it() {
        let texts: Vec<Made> = (0..20).map(|i| made(&format!("{i}"), 0..60 + i, 1)).collect();
        let (_folder, collection) = collection(&texts);
        let plan = Plan::new(JACCARD, SKETCHES, 20, 0.99);
        let mut seen = 0;
        let temp = std::env::temp_dir();
        let options = Options { second: None, of: None, threads: 1, max_memory: 1 << 20, temp: &temp };
        near_pairs(&collection, &plan, &options, &(), |_, _| {
            seen += 1;
            if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(seen, 5);
        let far = Plan::new(Rules::of(Some(13), None), SKETCHES, 20, 0.99);
        let refused = near_pairs(&collection, &far, &options, &(), |_, _| ControlFlow::Continue(()));
        assert!(refused.unwrap_err().to_string().contains("up to 12"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn by_distance_every_pair_is_found(
            documents in prop::collection::btree_set((0u64..4, 0u64..40, 20u64..60), 0..50),
            distance in 0u32..13,
            second in prop::option::of(0u32..50),
        ) {
            let made = |(i, (centre, start, length)): (usize, (u64, u64, u64))| {
                made(&format!("{i}"), centre * 1000 + start..centre * 1000 + start + length, 1)
            };
            let texts: Vec<Made> = documents.into_iter().enumerate().map(made).collect();
            let (_folder, collection) = collection(&texts);
            let rules = Rules::of(Some(distance), None);
            prop_assert_eq!(found(&collection, rules, second, 1), plainly(&collection, &rules, second));
            // By the Jaccard rule every pair found is near, and recall is at least 95 %.
            let [some, all] = [found(&collection, JACCARD, second, 3), plainly(&collection, &JACCARD, second)];
            prop_assert!(some.iter().all(|pair| all.contains(pair)));
            prop_assert!(some.len() * 100 >= all.len() * 95, "{} of {}", some.len(), all.len());
            // Those of some documents are those of all that have one of them.
            let of: Vec<bool> = (0..collection.len()).map(|document| document % 3 == 0).collect();
            for rules in [rules, JACCARD] {
                let mut all = found(&collection, rules, second, 1);
                all.retain(|&(a, b)| of[a as usize] || of[b as usize]);
                prop_assert_eq!(found_of(Some(&of), &collection, rules, second, 2), all);
            }
        }
    }
}
