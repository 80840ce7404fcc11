//! Texts that stand in larger ones: a memo in a bundle of letters, a chapter in a book.
//!
//! The Jaccard coefficient of such a pair is small, so sketches do not find it. Of each text one shingle in four or
//! more is a sample, by its hash (the same shingles in every text). Texts that have half of the samples of a smaller one,
//! or of the first 64 of them, are compared with it exactly.
//!
//! Cost: 16 bytes a sample; a merge of the shingles of each candidate.
//!
//! Source: A. Broder, On the resemblance and containment of documents, 1997 (section 3: shingles that are 0 modulo m).

use std::collections::HashMap;

use crate::error::Result;
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::search::effort::Effort;
use crate::similarity::Overlap;
use crate::sketch::minhash::mix;
use crate::store::file::collection::Collection;

/// One shingle in so many is a sample, if memory allows.
const LEAST_SCALE: u64 = 4;

/// A sample that more texts have finds none: it is boilerplate.
const CROWD: usize = 256;

/// Maximum number of samples of a text that are looked up.
const MOST: usize = 64;

/// Bytes of a sample in memory.
const BYTES: u64 = 16;

/// Texts and the larger ones that they stand in.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Contained {
    /// Each text with one that contains it, in order, and what their shingles have in common.
    pub pairs: Vec<([u32; 2], Overlap)>,
    /// One shingle in so many was a sample.
    pub scale: u64,
    /// Number of texts without a sample, or with crowded ones alone, which were not looked for.
    pub unsought: u64,
}

/// Finds each text of whose shingles at least a share stands in a larger one. Texts that say the same are left out.
///
/// # Errors
///
/// [`crate::Error::Interrupted`].
pub fn contained(
    collection: &Collection,
    least: f64,
    Effort { threads, max_memory }: Effort,
    observer: &dyn Observer,
) -> Result<Contained> {
    let count = collection.len();
    let sizes: Vec<u32> = (0..count as u32).map(|document| collection.shingles(document).len() as u32).collect();
    let all: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
    let mut scale = LEAST_SCALE;
    while all / scale * BYTES > max_memory as u64 / 2 {
        scale *= 2;
    }
    observer.begin("looking for contained texts", Some(count as u64));
    let samples = |document: u32| {
        let shingles = collection.shingles(document);
        let hashes = shingles.iter().map(|&shingle| mix(shingle));
        hashes.filter(|hash| hash % scale == 0).collect::<Vec<u64>>().into_iter()
    };
    let mut postings: Vec<(u64, u32)> =
        (0..count as u32).flat_map(|document| samples(document).map(move |hash| (hash, document))).collect();
    postings.sort_unstable();
    let having = |hash: u64| {
        let start = postings.partition_point(|&(other, _)| other < hash);
        let end = start + postings[start..].partition_point(|&(other, _)| other == hash);
        &postings[start..end]
    };
    let found = parallel::map(count, threads, |number| {
        go_on(observer)?;
        observer.advance(1);
        let document = number as u32;
        let (mut met, mut sought): (HashMap<u32, usize>, usize) = (HashMap::new(), 0);
        // The least of a long text are enough to tell the texts that have most of them.
        let mut least_samples: Vec<u64> = samples(document).collect();
        least_samples.sort_unstable();
        least_samples.truncate(MOST);
        for texts in least_samples.into_iter().map(having).filter(|texts| texts.len() <= CROWD) {
            sought += 1;
            texts
                .iter()
                .filter(|(_, other)| *other != document)
                .for_each(|(_, other)| *met.entry(*other).or_default() += 1);
        }
        let size = |document: u32| (sizes[document as usize], document);
        let contained_in = |other: u32| {
            let may_be =
                size(other) > size(document) && collection.equality_key(document) != collection.equality_key(other);
            let overlap = || Overlap::of(&collection.shingles(document), &collection.shingles(other));
            let overlap = may_be.then(overlap).filter(|overlap| overlap.containment_a() >= Some(least))?;
            Some(([document, other], overlap))
        };
        let candidates = met.into_iter().filter(|(_, count)| 2 * count >= sought);
        let mut containing: Vec<_> = candidates.filter_map(|(other, _)| contained_in(other)).collect();
        containing.sort_unstable_by_key(|&(pair, _)| pair);
        Ok((sought > 0 || sizes[number] == 0, containing))
    })?;
    let unsought = found.iter().filter(|(is_sought, _)| !is_sought).count() as u64;
    let pairs = found.into_iter().flat_map(|(_, containing)| containing).collect();
    Ok(Contained { pairs, scale, unsought })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::file::test_collections::collection;

    #[test]
    fn whatever_stands_in_a_larger_text_is_found() {
        // Texts as runs of numbers: bundles of four memos, memos, an edited one, strangers.
        let memo = |number: u64| number * 1000..number * 1000 + 80;
        let mut texts: Vec<Vec<u64>> = (0..10).map(|number| memo(number).collect()).collect();
        texts.push((0..4).flat_map(memo).collect());
        texts.push((3..8).flat_map(memo).collect());
        // Nine tenths of a memo, and less.
        texts.push((0..74).chain(900_000..900_006).collect());
        texts.push((0..50).chain(910_000..910_030).collect());
        let made: Vec<_> = texts.iter().zip(0..).map(|(text, id)| (format!("{id:02}"), text.clone(), 1)).collect();
        let (_folder, collection) = collection(&made);
        let effort = Effort { threads: 2, max_memory: 1 << 30 };
        let found = contained(&collection, 0.9, effort, &()).unwrap();
        let plainly: Vec<[u32; 2]> = (0..texts.len() as u32)
            .flat_map(|a| (0..texts.len() as u32).map(move |b| [a, b]))
            .filter(|&[a, b]| {
                let (x, y) = (&texts[a as usize], &texts[b as usize]);
                let both = x.iter().filter(|word| y.contains(word)).count();
                a != b && (y.len(), b) > (x.len(), a) && both as f64 >= 0.9 * x.len() as f64
            })
            .collect();
        assert!(plainly.len() >= 10, "{plainly:?}");
        assert_eq!(found.pairs.iter().map(|(pair, _)| *pair).collect::<Vec<_>>(), plainly);
        assert_eq!((found.scale, found.unsought), (LEAST_SCALE, 0));
    }
}
