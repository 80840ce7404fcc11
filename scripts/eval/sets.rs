//! Feature sets for comparing all pairs, and the threads to do so.

use std::thread;

use nearcopy::similarity::ShingleSet;

/// A shingle set with a bit for each shingle; several shingles can share a bit.
pub(crate) struct Set {
    pub(crate) shingles: ShingleSet,
    bits: Vec<u64>,
}

impl Set {
    /// Number of bits of a set: several times the shingles of a long text, 2 KiB.
    const BITS: usize = 1 << 14;

    pub(crate) fn new(shingles: ShingleSet) -> Self {
        let mut bits = vec![0; Self::BITS / 64];
        for shingle in shingles.as_slice() {
            let place = *shingle as usize % Self::BITS;
            bits[place / 64] |= 1 << (place % 64);
        }
        Self { shingles, bits }
    }

    /// The Jaccard coefficient, or 0 if the sizes of the sets or their bits show that it is less than `least`;
    /// for most pairs they do, in a tenth of the time.
    pub(crate) fn jaccard(&self, other: &Self, least: f64) -> f64 {
        let [x, y] = [self.shingles.len(), other.shingles.len()];
        let falls_short = |shared: usize| (shared as f64) < least * (x + y - shared) as f64;
        if falls_short(x.min(y)) {
            return 0.0;
        }
        // A bit that only one set has stands for at least one shingle that only it has.
        let pairs = self.bits.iter().zip(&other.bits);
        let only: u32 = pairs.map(|(a, b)| (a & !b).count_ones()).sum();
        if falls_short(x.min(y).min(x - only as usize)) {
            return 0.0;
        }
        self.shingles.compare(&other.shingles).jaccard().unwrap_or(0.0)
    }
}

/// Runs `part` in every thread, given the thread's number and the number of threads.
pub(crate) fn in_threads<T: Send>(part: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn({
                    let part = &part;
                    move || part(thread, threads)
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().expect("no thread panics")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_never_hide_a_pair() {
        let set =
            |from: u64, to: u64| Set::new(ShingleSet::new((from..to).map(|i| i.wrapping_mul(0x9e37_79b9)).collect()));
        let sets: Vec<Set> = (0..40).map(|i| set(7 * i, 7 * i + 20 * (i % 9))).collect();
        for a in &sets {
            for b in &sets {
                let plain = a.shingles.compare(&b.shingles).jaccard().unwrap_or(0.0);
                for least in [0.0, 0.3, 0.5, 0.9] {
                    let found = a.jaccard(b, least);
                    assert!(
                        (found - plain).abs() < 1e-12 || (found <= 0.0 && plain < least),
                        "{plain} {least} {found}"
                    );
                }
            }
        }
    }
}
