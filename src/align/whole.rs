//! Short texts that stand word for word in longer ones, such as an answer of eight words in an essay.
//!
//! A text of less than [`RUN_FOUND`] words may have none of the runs that the index of candidates keeps of another text, and
//! its few words need not tell its language, on which all other keys depend. So it is looked up as a whole, by one hash of
//! its words as they are written.
//!
//! Cost: a step for each word of all texts and each length of a short one.
//!
//! Source: Karp, Rabin, *Efficient randomized pattern-matching algorithms*, IBM Journal 1987: the hash rolls.

use std::collections::{BTreeSet, HashMap};

use super::passage_keys::{RUN, RUN_FOUND};
use super::{CROWD, Words};
use crate::error::Result;
use crate::parallel;

/// The texts that stand whole in others.
#[derive(Debug, Default)]
pub struct Wholes {
    /// Numbers of two texts of which one stands in the other, in both orders, sorted.
    pairs: Vec<(u32, u32)>,
}

impl Wholes {
    /// Finds the texts of five to nineteen words that stand in others of these. Those in a crowd of others are phrases that
    /// everybody writes, and left out.
    ///
    /// # Errors
    ///
    /// Those of `go_on`, which is called before each text.
    pub fn among(texts: &[&Words], threads: usize, go_on: impl Fn() -> Result<()> + Sync) -> Result<Self> {
        let mut short: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut lengths: BTreeSet<usize> = BTreeSet::new();
        for (text, number) in texts.iter().zip(0..).filter(|(text, _)| (RUN..RUN_FOUND).contains(&text.len())) {
            lengths.insert(text.len());
            each_window(text, text.len(), |hash| short.entry(hash).or_default().push(number));
        }
        // Most words begin no short text, and are spared the look-up.
        let mut may_be = vec![false; 1 << 16];
        for hash in short.keys() {
            may_be[(hash >> 48) as usize] = true;
        }
        let found = parallel::map(texts.len(), threads, |number| {
            go_on()?;
            let mut found: BTreeSet<u64> = BTreeSet::new();
            for &length in lengths.iter().filter(|&&length| length < texts[number].len()) {
                each_window(texts[number], length, |hash| {
                    if may_be[(hash >> 48) as usize] && short.contains_key(&hash) {
                        found.insert(hash);
                    }
                });
            }
            Ok(found)
        })?;
        let mut long: HashMap<u64, Vec<u32>> = HashMap::new();
        for (hashes, number) in found.into_iter().zip(0..) {
            for hash in hashes {
                long.entry(hash).or_default().push(number);
            }
        }
        let few = long.iter().map(|(hash, long)| (&short[hash], long)).filter(|(x, y)| x.len().max(y.len()) < CROWD);
        let pairs = few.flat_map(|(short, long)| short.iter().flat_map(|&x| long.iter().map(move |&y| (x, y))));
        let mut pairs: Vec<(u32, u32)> = pairs.flat_map(|(x, y)| [(x, y), (y, x)]).collect();
        pairs.sort_unstable();
        Ok(Self { pairs })
    }

    /// True if one of two texts stands in the other.
    pub fn are_two(&self, text: u32, other: u32) -> bool {
        self.pairs.binary_search(&(text, other)).is_ok()
    }

    /// The texts in which this one stands, and those that stand in it, in order.
    pub fn of(&self, text: u32) -> impl Iterator<Item = u32> + '_ {
        let from = self.pairs.partition_point(|pair| pair.0 < text);
        self.pairs[from..].iter().take_while(move |pair| pair.0 == text).map(|pair| pair.1)
    }
}

/// Calls `each` with the hash of all words in a row, of so many.
fn each_window(text: &Words, length: usize, mut each: impl FnMut(u64)) {
    const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
    let highest = (0..length).fold(1u64, |power, _| power.wrapping_mul(BASE));
    let form = |word: usize| u64::from(text.as_slice()[word].form) + 1;
    let mut hash = 0u64;
    for end in 0..text.len() {
        hash = hash.wrapping_mul(BASE).wrapping_add(form(end));
        if end >= length {
            hash = hash.wrapping_sub(highest.wrapping_mul(form(end - length)));
        }
        if end + 1 >= length {
            each(hash.wrapping_mul(BASE));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::words;
    use super::*;

    proptest! {
        /// The specification: every text looked for at each place of every other.
        #[test]
        fn pairs_are_those_of_the_plain_way(texts in prop::collection::vec(prop::collection::vec(0u32..2, 0..24), 0..9)) {
            let texts: Vec<Words> = texts.iter().map(|text| words(text)).collect();
            let all: Vec<&Words> = texts.iter().collect();
            let found = Wholes::among(&all, 2, || Ok(())).unwrap();
            let forms = |text: usize| texts[text].as_slice().iter().map(|word| word.form).collect::<Vec<u32>>();
            for (x, y) in (0..all.len()).flat_map(|x| (0..all.len()).map(move |y| (x, y))) {
                let stands = |x: usize, y: usize| {
                    let (short, long) = (forms(x), forms(y));
                    (RUN..RUN_FOUND).contains(&short.len()) && short.len() < long.len()
                        && long.windows(short.len()).any(|window| window == short)
                };
                let expected = stands(x, y) || stands(y, x);
                prop_assert_eq!(found.of(x as u32).any(|other| other == y as u32), expected);
                prop_assert_eq!(found.are_two(x as u32, y as u32), expected);
            }
        }
    }

    #[test]
    fn what_stands_in_a_crowd_is_left_out() {
        let pairs = |many: u32| {
            let texts: Vec<Words> =
                (0..many).map(|own| words(&[100 + own, 1, 2, 3, 4, 5])).chain([words(&[1, 2, 3, 4, 5])]).collect();
            Wholes::among(&texts.iter().collect::<Vec<_>>(), 1, || Ok(())).unwrap().of(many).count()
        };
        assert_eq!((pairs(63), pairs(64)), (63, 0));
    }
}
