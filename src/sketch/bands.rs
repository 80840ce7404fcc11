//! Keys of a sketch: documents that share one are candidates for the Jaccard rule.
//!
//! The rows of a sketch are dealt into groups of `of` rows. Every choice of `rows` of them makes a key, a
//! *band*, so two documents share a key of a group if at least `rows` of its `of` rows are equal. With `of` =
//! `rows` these are the usual bands. Overlapping bands get more out of few sketches: at a Jaccard coefficient
//! of .5, twelve bands of two of 25 rows find 96.8 % of the pairs, eight groups of two in three 99.6 %.
//!
//! Cost: `groups · C(of, rows)` keys a document.
//!
//! Source: Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, 3.4 (bands); the binomial of a group is
//! elementary.

use crate::sketch::minhash::mix;

/// Maximum number of keys a document.
const MAX_KEYS: usize = 64;

/// Number of rows from which a key is selective: unrelated documents with a Jaccard coefficient of .05 share one key of
/// three rows in 8,000. More rows are worth no further key, since each costs a wait for memory.
const SELECTIVE: usize = 3;

/// Maximum number of rows of a group whose equal rows are enumerated.
const MAX_ENUMERATED: usize = 12;

/// The rows of a sketch that make each key.
#[derive(Debug, Clone, PartialEq)]
pub struct Bands {
    rows: usize,
    of: usize,
    groups: usize,
    sketches: usize,
    /// Minimum number of equal rows of a candidate, over the whole sketch.
    least_equal: usize,
    /// The rows of each key, `rows` to each.
    choices: Vec<u16>,
}

impl Bands {
    /// Chooses the bands that find a pair of Jaccard coefficient `similarity` with probability `recall`: the fewest keys
    /// of three or more rows, else the fewest of two. If none reach it, each key is a single row.
    ///
    /// Keys of few rows come last because many unrelated documents share them.
    pub fn choose(sketches: usize, similarity: f64, recall: f64) -> Self {
        let mut best = Self::new(sketches, 1, 1, sketches.min(MAX_KEYS), similarity, recall);
        for rows in (1..=sketches.min(16)).rev() {
            for of in rows..=sketches.min(rows + 6) {
                let missed = below(of, similarity, rows);
                let may_miss = 0.9 * (1.0 - recall);
                let most = (sketches / of).min(MAX_KEYS / choose(of, rows));
                let Some(groups) = (1..=most).find(|&groups| missed.powf(groups as f64) <= may_miss) else { continue };
                let bands = Self::new(sketches, rows, of, groups, similarity, recall);
                if best.rows < rows.min(SELECTIVE) || bands.len() < best.len() {
                    best = bands;
                }
            }
            if rows <= SELECTIVE && best.rows >= rows {
                break;
            }
        }
        best
    }

    /// Bands of a given [`shape`](Self::shape), chosen earlier and perhaps for another coefficient;
    /// `of · groups` must be at most `sketches`.
    pub fn of_shape(sketches: usize, (rows, of, groups): (usize, usize, usize), similarity: f64, recall: f64) -> Self {
        Self::new(sketches, rows, of, groups, similarity, recall)
    }

    /// True if bands of this shape have at most as many keys as allowed.
    pub(crate) fn are_few(rows: usize, of: usize, groups: usize) -> bool {
        // [`Bands::choose`] never makes larger groups, whose number of keys could overflow.
        of <= 24 && rows <= of && groups.saturating_mul(choose(of, rows)) <= MAX_KEYS
    }

    fn new(sketches: usize, rows: usize, of: usize, groups: usize, similarity: f64, recall: f64) -> Self {
        // A tenth of the allowed loss is spent here: it sets a minimum of equal rows that rejects most
        // unrelated documents sharing a key.
        let spare = (1.0 - recall) / 10.0;
        let least_equal = most_below(sketches, similarity, spare, rows);
        let mut choices = Vec::new();
        for group in 0..groups {
            combinations(of, rows, &mut |rows| choices.extend(rows.iter().map(|row| (group * of + row) as u16)));
        }
        Self { rows, of, groups, sketches, least_equal, choices }
    }

    /// The number of keys of a document.
    pub fn len(&self) -> usize {
        self.choices.len() / self.rows
    }

    /// True if there are no keys, which [`Bands::choose`] never returns.
    pub fn is_empty(&self) -> bool {
        self.choices.is_empty()
    }

    /// The rows of a key, the rows of a group and the number of groups.
    pub fn shape(&self) -> (usize, usize, usize) {
        (self.rows, self.of, self.groups)
    }

    /// Minimum number of equal rows before a candidate is compared exactly.
    pub fn least_equal(&self) -> usize {
        self.least_equal
    }

    /// The probability that a pair of this Jaccard coefficient becomes a candidate: a lower bound, because the
    /// probabilities of the two ways to miss it are added.
    pub fn recall(&self, jaccard: f64) -> f64 {
        self.recall_without(0, jaccard)
    }

    /// The same probability if the keys whose bits are set in `left_out` find nothing.
    pub fn recall_without(&self, left_out: u64, jaccard: f64) -> f64 {
        let keys = choose(self.of, self.rows);
        let is_left_out = |key: usize| left_out >> key & 1 != 0;
        let missed = |group: usize| {
            let range = group * keys..(group + 1) * keys;
            if !range.clone().any(is_left_out) {
                return below(self.of, jaccard, self.rows);
            }
            if self.of > MAX_ENUMERATED || range.clone().all(is_left_out) {
                return 1.0;
            }
            // The chance of each choice of equal rows that has no key which is not left out.
            let mask = |key: usize| self.rows_of(key).fold(0, |mask, row| mask | 1u32 << (row - group * self.of));
            let kept: Vec<u32> = range.filter(|&key| !is_left_out(key)).map(mask).collect();
            let misses = (0..1u32 << self.of).filter(|equal| !kept.iter().any(|key| key & equal == *key));
            let chance = |equal: u32| {
                let rows = f64::from(equal.count_ones());
                jaccard.powf(rows) * (1.0 - jaccard).powf(self.of as f64 - rows)
            };
            misses.map(chance).sum()
        };
        let no_key: f64 = (0..self.groups).map(missed).product();
        let too_few = if self.least_equal > self.rows { below(self.sketches, jaccard, self.least_equal) } else { 0.0 };
        (1.0 - no_key - too_few).max(0.0)
    }

    /// The probability that a pair of this Jaccard coefficient is found if every pair of sketches is compared, with a shared key or without.
    pub fn recall_of_all(&self, jaccard: f64) -> f64 {
        1.0 - below(self.sketches, jaccard, self.least_equal)
    }

    /// The hash of all rows of a key.
    pub fn key(&self, key: usize, sketch: &[u32]) -> u64 {
        self.rows_of(key).fold(key as u64, |hash, row| mix(hash.rotate_left(32) ^ u64::from(sketch[row])))
    }

    /// True if two sketches share this key.
    pub fn is_shared(&self, key: usize, a: &[u32], b: &[u32]) -> bool {
        self.rows_of(key).all(|row| a[row] == b[row])
    }

    /// True if at least `least_equal` rows are equal.
    pub fn is_candidate(&self, a: &[u32], b: &[u32]) -> bool {
        a.iter().zip(b).map(|(a, b)| usize::from(a == b)).sum::<usize>() >= self.least_equal
    }

    fn rows_of(&self, key: usize) -> impl Iterator<Item = usize> {
        self.choices[key * self.rows..(key + 1) * self.rows].iter().map(|&row| usize::from(row))
    }
}

/// n over k.
pub(crate) fn choose(n: usize, k: usize) -> usize {
    let product = (0..k).fold(1, |product: u128, i| product * (n - i) as u128 / (i + 1) as u128);
    usize::try_from(product).unwrap_or(usize::MAX)
}

/// The probabilities that none, one, two … of `n` rows are equal, each with probability `p` below 1.
fn chances(n: usize, p: f64) -> impl Iterator<Item = f64> {
    // The first ones of many rows are less than any number, so their logarithms are added.
    let (mut chance, odds) = (n as f64 * (-p).ln_1p(), (p / (1.0 - p)).ln());
    (0..=n).map(move |equal| {
        let this = chance.exp();
        chance += odds + ((n - equal) as f64 / (equal + 1) as f64).ln();
        this
    })
}

/// The probability that fewer than `least` of `n` rows are equal, each with probability `p`.
fn below(n: usize, p: f64, least: usize) -> f64 {
    if p >= 1.0 {
        return if least > n { 1.0 } else { 0.0 };
    }
    chances(n, p).take(least).sum()
}

/// The greatest number of equal rows such that fewer than it have at most this probability; at least `rows`.
fn most_below(n: usize, p: f64, probability: f64, rows: usize) -> usize {
    if p >= 1.0 {
        return n;
    }
    let mut sum = 0.0;
    let few = chances(n, p).take_while(|chance| {
        sum += chance;
        sum <= probability
    });
    few.count().clamp(rows, n)
}

/// Calls `found` with every choice of `k` of `n` numbers, ascending.
pub(crate) fn combinations(n: usize, k: usize, found: &mut impl FnMut(&[usize])) {
    fn extend(n: usize, k: usize, chosen: &mut Vec<usize>, found: &mut impl FnMut(&[usize])) {
        if chosen.len() == k {
            return found(chosen);
        }
        for next in chosen.last().map_or(0, |last| last + 1)..n {
            chosen.push(next);
            extend(n, k, chosen, found);
            chosen.pop();
        }
    }
    extend(n, k, &mut Vec::with_capacity(k), found);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_number_of_choices_is_too_great() {
        assert_eq!([choose(5, 2), choose(64, 63), choose(64, 32)], [10, 64, 1_832_624_140_942_590_534]);
    }

    #[test]
    fn the_usual_choices() {
        let bands = Bands::choose(25, 0.5, 0.99);
        assert_eq!((bands.shape(), bands.len(), bands.least_equal()), ((2, 3, 7), 21, 5));
        assert!((0.99..0.993).contains(&bands.recall(0.5)), "{}", bands.recall(0.5));
        assert!(bands.recall(0.9) > 0.999_999);
        // One sketch can promise no more than the coefficient itself.
        let one = Bands::choose(1, 0.5, 0.99);
        assert_eq!((one.shape(), one.recall(0.5)), ((1, 1, 1), 0.5));
        // Three rows are enough: four need 60 keys.
        assert_eq!(Bands::choose(25, 0.7, 0.995).shape(), (3, 4, 6));
        assert_eq!(Bands::choose(128, 0.5, 0.995).shape(), (3, 3, 41));
    }

    #[test]
    fn the_chance_of_few_equal_rows_of_many() {
        // By exact sums of rational numbers.
        for (n, p, least, expected) in [
            (25, 0.5, 6, 2.038_657_665e-3),
            (1024, 0.7, 668, 4.509_632_483e-4),
            (1024, 0.7, 717, 0.490_026_470),
            (1024, 0.999, 1024, 0.641_028_522),
            (512, 0.8, 0, 0.0),
        ] {
            let chance = below(n, p, least);
            assert!((chance - expected).abs() <= 1e-6 * expected, "{n} {p} {least}: {chance:e}");
        }
        for (sketches, similarity, expected) in
            [(1024, 0.7, 671), (620, 0.7, 398), (512, 0.8, 381), (400, 0.9, 340), (256, 0.95, 231)]
        {
            assert_eq!(Bands::choose(sketches, similarity, 0.99).least_equal(), expected);
        }
    }

    #[test]
    fn keys_that_are_left_out_cost_recall() {
        // Any 3 of 4 rows in 6 groups: four keys to each.
        let bands = Bands::choose(25, 0.7, 0.995);
        let [all, one, group, none] = [0, 1, 0b1111, u64::MAX].map(|left_out| bands.recall_without(left_out, 0.7));
        let missed = below(4, 0.7, 3);
        let expected = |first: f64| 1.0 - first * missed.powi(5) - below(25, 0.7, bands.least_equal());
        // A choice of three of four rows has one way to be equal alone.
        assert!((one - expected(missed + 0.7f64.powi(3) * 0.3)).abs() < 1e-12);
        assert!((group - expected(1.0)).abs() < 1e-12);
        assert!(all > one && one > group && none == 0.0);
    }

    /// Random sketches whose rows are equal with a given probability.
    #[test]
    fn the_chance_is_as_predicted() {
        for (sketches, similarity) in [(25, 0.5), (25, 0.8), (64, 0.3), (128, 0.5)] {
            let bands = Bands::choose(sketches, similarity, 0.95);
            let mut state = 1u64;
            let mut random = || {
                state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                mix(state) >> 11
            };
            let trials = 4000;
            let mut found = 0;
            for _ in 0..trials {
                let a: Vec<u32> = (0..sketches).map(|_| random() as u32).collect();
                let change = |&row: &u32| if (random() as f64) < similarity * 2f64.powi(53) { row } else { !row };
                let b: Vec<u32> = a.iter().map(change).collect();
                let shared = (0..bands.len()).any(|key| bands.key(key, &a) == bands.key(key, &b));
                assert_eq!(shared, (0..bands.len()).any(|key| bands.is_shared(key, &a, &b)));
                found += u32::from(shared && bands.is_candidate(&a, &b));
            }
            let (share, predicted) = (f64::from(found) / f64::from(trials), bands.recall(similarity));
            assert!((share - predicted).abs() < 0.02, "{sketches} {similarity}: {share} against {predicted}");
        }
    }

    proptest! {
        #[test]
        fn plans_keep_their_promise(sketches in 1usize..300, similarity in 0.05f64..1.0, recall in 0.5f64..0.999) {
            let bands = Bands::choose(sketches, similarity, recall);
            let (rows, of, groups) = bands.shape();
            prop_assert!(1 <= rows && rows <= of && of * groups <= sketches && bands.len() <= MAX_KEYS);
            prop_assert!(bands.choices.iter().all(|&row| usize::from(row) < sketches));
            for (lower, higher) in [(0.2, 0.4), (0.5, 0.6), (0.9, 1.0)] {
                prop_assert!(bands.recall(lower) <= bands.recall(higher) + 1e-12);
            }
        }

        #[test]
        fn binomials_sum_up(n in 1usize..60, p in 0.0f64..1.0) {
            prop_assert!((below(n, p, n + 1) - 1.0).abs() < 1e-9);
            prop_assert!(below(n, p, 0) <= 0.0);
        }
    }
}
