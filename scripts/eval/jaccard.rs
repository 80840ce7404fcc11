//! The exact pairs of near-duplicates among sets of n-grams: the truth of `scripts/bench-peers`.
//!
//! The input has one record a document, in little-endian numbers of 64 bits: the number of its n-grams, then
//! their hashes, each once. The output has a line for each pair at or above the threshold: two numbers of
//! documents, counted from 0.
//!
//! Two sets of a Jaccard coefficient of at least t share an n-gram among the rarest |x| - ⌈t|x|⌉ + 1 of each, so
//! only these are looked up (R. Bayardo, Y. Ma and R. Srikant, *Scaling Up All Pairs Similarity Search*, WWW
//! 2007). Each pair that is met so is compared exactly.

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};

const USAGE: &str = "usage: eval jaccard FILE THRESHOLD";

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let [file, threshold] = args else {
        return Err(USAGE.into());
    };
    let sets = read(&fs::read(file)?).ok_or_else(|| format!("{file}: truncated"))?;
    let mut output = BufWriter::new(std::io::stdout().lock());
    for (a, b) in pairs(&sets, threshold.parse()?) {
        writeln!(output, "{a} {b}")?;
    }
    output.flush()?;
    Ok(())
}

fn read(bytes: &[u8]) -> Option<Vec<Vec<u64>>> {
    let (numbers, []) = bytes.as_chunks() else {
        return None;
    };
    let mut numbers = numbers.iter().map(|&number| u64::from_le_bytes(number));
    let mut sets = Vec::new();
    while let Some(count) = numbers.next() {
        let set: Vec<u64> = numbers.by_ref().take(usize::try_from(count).ok()?).collect();
        if set.len() as u64 != count {
            return None;
        }
        sets.push(set);
    }
    Some(sets)
}

/// The pairs `a < b` of sets whose Jaccard coefficient is at least `threshold`. An empty set is in none.
fn pairs(sets: &[Vec<u64>], threshold: f64) -> Vec<(u32, u32)> {
    let sets = by_rarity(sets);
    let mut holders: HashMap<u32, Vec<u32>> = HashMap::new();
    // The last set for which each earlier one was compared.
    let mut compared = vec![u32::MAX; sets.len()];
    let mut pairs = Vec::new();
    for (b, set) in (0u32..).zip(&sets) {
        // The shared n-grams of a pair begin no later than where enough are left; a product rounded up must not
        // cut this short.
        let needed = threshold * set.len() as f64 - 1e-6;
        for (place, ngram) in set.iter().enumerate() {
            if ((set.len() - place) as f64) < needed {
                break;
            }
            let earlier = holders.entry(*ngram).or_default();
            for &a in &*earlier {
                if compared[a as usize] != b {
                    compared[a as usize] = b;
                    if jaccard(&sets[a as usize], set) >= threshold {
                        pairs.push((a, b));
                    }
                }
            }
            earlier.push(b);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The sets with their n-grams numbered from the rarest on, ascending.
fn by_rarity(sets: &[Vec<u64>]) -> Vec<Vec<u32>> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for ngram in sets.iter().flatten() {
        *counts.entry(*ngram).or_default() += 1;
    }
    let mut ngrams: Vec<(u32, u64)> = counts.iter().map(|(&ngram, &count)| (count, ngram)).collect();
    ngrams.sort_unstable();
    let mut numbers = counts;
    for (number, (_, ngram)) in (0..).zip(ngrams) {
        numbers.insert(ngram, number);
    }
    let numbered = |set: &Vec<u64>| {
        let mut set: Vec<u32> = set.iter().map(|ngram| numbers[ngram]).collect();
        set.sort_unstable();
        set
    };
    sets.iter().map(numbered).collect()
}

/// The Jaccard coefficient of two ascending sets, 0 if both are empty.
fn jaccard(a: &[u32], b: &[u32]) -> f64 {
    let (mut i, mut j, mut shared) = (0, 0, 0usize);
    while i < a.len() && j < b.len() {
        let order = a[i].cmp(&b[j]);
        shared += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
    }
    shared as f64 / (a.len() + b.len() - shared).max(1) as f64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The join finds what comparing all with all finds.
        #[test]
        fn equals_all_with_all(
            sets in prop::collection::vec(prop::collection::btree_set(0u64..12, 0..8), 0..12),
            threshold in prop::sample::select(vec![0.1, 0.25, 1.0 / 3.0, 0.5, 0.7, 1.0]),
        ) {
            let mut expected = Vec::new();
            for (b, right) in sets.iter().enumerate() {
                for (a, left) in sets[..b].iter().enumerate() {
                    let shared = left.intersection(right).count() as f64;
                    if shared > 0.0 && shared / left.union(right).count() as f64 >= threshold {
                        expected.push((a as u32, b as u32));
                    }
                }
            }
            expected.sort_unstable();
            let sets: Vec<Vec<u64>> = sets.into_iter().map(BTreeSet::into_iter).map(Iterator::collect).collect();
            prop_assert_eq!(pairs(&sets, threshold), expected);
        }

        /// A file holds the sets; one that is cut is refused.
        #[test]
        fn reads_what_is_written(sets in prop::collection::vec(prop::collection::vec(any::<u64>(), 0..4), 1..4)) {
            let mut numbers = Vec::new();
            for set in &sets {
                numbers.push(set.len() as u64);
                numbers.extend(set);
            }
            let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            prop_assert_eq!(read(&bytes), Some(sets));
            prop_assert_eq!(read(&bytes[1..]), None);
        }
    }
}
