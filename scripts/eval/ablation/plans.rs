//! Plans of candidates: the pairs of sketches that are worth an exact comparison.
//!
//! A plan cuts k sketch rows into ⌊k/m⌋ groups of m rows; a pair is a candidate if any r rows of a group are
//! equal in both. With r = m these are the bands of locality-sensitive hashing. Each row is equal with
//! probability J, so a pair is found with probability 1 − P(Bin(m, J) < r)^⌊k/m⌋.
//!
//! Source: A. Rajaraman and J. Ullman, *Mining of Massive Datasets*, 2011, 3.4.

use super::{Reading, SKETCHES, in_threads, short};

/// Least Jaccard coefficient of the pairs that must be found.
const SIMILAR: f64 = 0.5;

/// Greatest Jaccard coefficient of the hardest of them.
const HARD: f64 = 0.6;

/// The rows, of up to 256, in which two sketches are equal.
struct Equal([u64; 4]);

impl Equal {
    /// Compares two sketches of up to 256 rows.
    fn new(a: &[u32], b: &[u32]) -> Self {
        let mut bits = [0; 4];
        for (bits, (a, b)) in bits.iter_mut().zip(a.chunks(64).zip(b.chunks(64))) {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                *bits |= u64::from(a == b) << i;
            }
        }
        Self(bits)
    }

    fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    fn count(&self, from: usize, rows: usize) -> usize {
        (from / 64..(from + rows).div_ceil(64))
            .map(|word| {
                let [low, high] = [from, from + rows].map(|row| row.saturating_sub(64 * word).min(64) as u32);
                let below = |row: u32| 1u64.checked_shl(row).unwrap_or(0).wrapping_sub(1);
                (self.0[word] & below(high) & !below(low)).count_ones() as usize
            })
            .sum()
    }
}

/// A plan: any `r` of `m` rows must be equal in one of the groups of `k` sketches.
#[derive(Debug, Clone, Copy)]
struct Plan {
    k: usize,
    r: usize,
    m: usize,
}

impl Plan {
    fn groups(self) -> usize {
        self.k / self.m
    }

    /// The number of keys a document: one for each choice of r rows of each group.
    fn keys(self) -> usize {
        let choices = (0..self.r).fold(1, |choices, i| choices * (self.m - i) / (i + 1));
        self.groups() * choices
    }

    fn finds(self, equal: &Equal) -> bool {
        (0..self.groups()).any(|group| equal.count(group * self.m, self.m) >= self.r)
    }

    /// The probability that a pair of this Jaccard coefficient is found.
    fn predicted(self, jaccard: f64) -> f64 {
        // P(Bin(m, J) = i), from i = 0 up.
        let mut choices = 1.0;
        let mut fewer = 0.0;
        for i in 0..self.r {
            fewer += choices * power(jaccard, i) * power(1.0 - jaccard, self.m - i);
            choices *= (self.m - i) as f64 / (i + 1) as f64;
        }
        1.0 - power(fewer, self.groups())
    }
}

fn power(base: f64, exponent: usize) -> f64 {
    base.powf(exponent as f64)
}

/// The pairs that a plan should find, those found and those predicted.
#[derive(Default, Clone)]
struct Recall {
    pairs: u64,
    found: u64,
    predicted: f64,
}

impl Recall {
    fn note(&mut self, found: bool, predicted: f64) {
        self.pairs += 1;
        self.found += u64::from(found);
        self.predicted += predicted;
    }

    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.found += other.found;
        self.predicted += other.predicted;
    }

    fn shares(&self) -> [String; 2] {
        [self.found as f64, self.predicted].map(|sum| short(sum / self.pairs as f64))
    }
}

/// Recall and cost of one plan.
#[derive(Default, Clone)]
struct Outcome {
    candidates: u64,
    all: Recall,
    hard: Recall,
}

impl Outcome {
    fn note(&mut self, plan: Plan, equal: &Equal, jaccard: f64) {
        let found = plan.finds(equal);
        self.candidates += u64::from(found);
        if jaccard >= SIMILAR {
            let predicted = plan.predicted(jaccard);
            self.all.note(found, predicted);
            if jaccard < HARD {
                self.hard.note(found, predicted);
            }
        }
    }
}

/// Prints recall and cost of every plan.
pub(super) fn tables(readings: &[Reading]) {
    let mut plans = Vec::new();
    for k in SKETCHES {
        for r in 1..=6 {
            plans.extend((r..=r + 3).map(|m| Plan { k, r, m }));
        }
    }
    let parts = in_threads(|thread, threads| {
        let mut outcomes = vec![Outcome::default(); plans.len()];
        for (i, a) in readings.iter().enumerate().skip(thread).step_by(threads) {
            for b in &readings[i + 1..] {
                let equal = Equal::new(&a.fingerprint.sketch, &b.fingerprint.sketch);
                let jaccard = a.jaccard(b, SIMILAR);
                // Most pairs have no equal row, and are candidates of no plan.
                if jaccard < SIMILAR && equal.is_empty() {
                    continue;
                }
                for (outcome, plan) in outcomes.iter_mut().zip(&plans) {
                    outcome.note(*plan, &equal, jaccard);
                }
            }
        }
        outcomes
    });
    let outcomes = parts.into_iter().reduce(|mut all, part| {
        for (a, b) in all.iter_mut().zip(&part) {
            a.candidates += b.candidates;
            a.all.add(&b.all);
            a.hard.add(&b.hard);
        }
        all
    });
    let outcomes = outcomes.expect("there is a thread");

    let (pairs, hard) = (outcomes[0].all.pairs, outcomes[0].hard.pairs);
    println!(
        "\nPlans of candidates: any r of m rows equal in one of ⌊k/m⌋ groups. {pairs} pairs have Jaccard ≥ {SIMILAR}, \
         {hard} of them < {HARD}; {} documents.",
        readings.len()
    );
    println!(
        "\n| k | r of m | groups | keys a document | recall | predicted | recall < {HARD} | predicted | candidate pairs a document |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (plan, Outcome { candidates, all, hard }) in plans.iter().zip(&outcomes) {
        let cost = *candidates as f64 / readings.len() as f64;
        let [[recall, predicted], [hard, hard_predicted]] = [all.shares(), hard.shares()];
        let Plan { k, r, m } = plan;
        println!(
            "| {k} | {r} of {m} | {} | {} | {recall} | {predicted} | {hard} | {hard_predicted} | {cost:.2} |",
            plan.groups(),
            plan.keys()
        );
    }
}

#[cfg(test)]
mod tests {
    use nearcopy::sketch::minhash;

    use super::*;

    #[test]
    fn rows_are_counted_as_they_are_compared() {
        let sketch = |salt: u64| (0..256u64).map(|i| (minhash::mix(i * salt) % 3) as u32).collect::<Vec<_>>();
        let [a, b] = [3, 7].map(sketch);
        let equal = Equal::new(&a, &b);
        for from in [0, 1, 63, 64, 100, 190, 250] {
            for rows in 0..=(256 - from).min(70) {
                let plain = a[from..from + rows].iter().zip(&b[from..]).filter(|(a, b)| a == b).count();
                assert_eq!(equal.count(from, rows), plain, "{rows} rows from {from}");
            }
        }
        assert!(!equal.is_empty() && Equal::new(&a, &a.iter().map(|row| row + 1).collect::<Vec<_>>()).is_empty());
    }

    #[test]
    fn the_prediction_is_what_random_rows_give() {
        for (plan, jaccard) in
            [(Plan { k: 25, r: 2, m: 2 }, 0.5), (Plan { k: 64, r: 3, m: 5 }, 0.4), (Plan { k: 256, r: 6, m: 9 }, 0.5)]
        {
            let mut random = 0;
            let mut found = 0;
            for _ in 0..20_000 {
                let rows = std::array::from_fn(|_| {
                    (0..64).fold(0, |bits, i| {
                        random += 1;
                        bits | u64::from((minhash::mix(random) >> 11) as f64 / (1u64 << 53) as f64 <= jaccard) << i
                    })
                });
                found += u32::from(plan.finds(&Equal(rows)));
            }
            let share = f64::from(found) / 20_000.0;
            // Four standard errors of 20,000 throws.
            assert!((share - plan.predicted(jaccard)).abs() < 0.015, "{plan:?}: {share}");
        }
    }

    #[test]
    fn a_document_has_a_key_for_each_choice_of_rows() {
        assert_eq!(Plan { k: 25, r: 2, m: 4 }.keys(), 6 * 6);
        assert_eq!(Plan { k: 25, r: 5, m: 5 }.keys(), 5);
    }
}
