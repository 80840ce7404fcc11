//! MinHash: the smallest of many hashes of the shingles, as a sketch of their set.
//!
//! Two sets have the same minimum under a random hash with probability J, their Jaccard coefficient. The share
//! m/k of equal sketches therefore estimates J, with standard error sqrt(J(1 − J)/k): at most 0.1 for the
//! default of 25 sketches. The bias comes from chance collisions of 32-bit hashes, about n/2^32 for sets of n
//! shingles: negligible up to some ten million.
//!
//! The shingles first pass a 64-bit bijection ([`mix`]): Rabin fingerprints are linear over GF(2), and a linear
//! structure under a linear hash shows in the minima. Then sketch i keeps the minimum of aᵢ·x + bᵢ mod 2^32, aᵢ
//! odd (multiply-add hashing, Dietzfelbinger et al. 1997), over the upper 32 bits x of the mixed shingle. The
//! aᵢ and bᵢ come from [`SEED`] by SplitMix64, so that the first k sketches of a longer list are the list of k
//! sketches.
//!
//! Cost: k multiplications a shingle, 32 at a time in vector registers; AVX2 where the processor has it, chosen
//! at run time.
//!
//! Source: A. Z. Broder, *On the resemblance and containment of documents*, 1997; J. L. Carter and M. N.
//! Wegman, *Universal classes of hash functions*, 1979.

/// Seed of all coefficients; part of the recipe.
pub const SEED: u64 = 0x6d69_6e68_6173_6831;

/// Maximum number of sketches: 4 KiB a document.
pub const MAX_SKETCHES: usize = 1024;

/// Number of sketches computed together: four AVX2 registers of minima.
const LANES: usize = 32;

/// A 64-bit bijection whose every output bit depends on every input bit
/// (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
#[inline]
pub fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The coefficients (a, b) of sketch `i`.
fn coefficients(i: usize) -> (u32, u32) {
    let random = mix(SEED.wrapping_add((i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    ((random >> 32) as u32 | 1, random as u32)
}

/// The sketch of a list of shingles, sketch by sketch: the specification.
pub fn plain(shingles: &[u64], sketches: usize) -> Vec<u32> {
    (0..sketches)
        .map(|i| {
            let (a, b) = coefficients(i);
            let hash = |&shingle: &u64| a.wrapping_mul((mix(shingle) >> 32) as u32).wrapping_add(b);
            shingles.iter().map(hash).min().unwrap_or(u32::MAX)
        })
        .collect()
}

/// The share of equal sketches, an estimate of the Jaccard coefficient.
///
/// `None` if there are no sketches or their numbers differ.
pub fn estimate(a: &[u32], b: &[u32]) -> Option<f64> {
    if a.is_empty() || a.len() != b.len() {
        return None;
    }
    let equal = a.iter().zip(b).filter(|(a, b)| a == b).count();
    Some(equal as f64 / a.len() as f64)
}

/// The standard error sqrt(J(1 − J)/k) of an estimate of `jaccard` by `sketches`.
pub fn standard_error(jaccard: f64, sketches: usize) -> f64 {
    (jaccard * (1.0 - jaccard) / sketches as f64).sqrt()
}

/// Keeps the minima of shingles that are added piece by piece.
#[derive(Debug, Clone)]
pub struct Accumulator {
    groups: Vec<Group>,
    sketches: usize,
    mixed: Vec<u32>,
}

/// The coefficients and minima of [`LANES`] sketches.
#[derive(Debug, Clone)]
struct Group {
    a: [u32; LANES],
    b: [u32; LANES],
    minima: [u32; LANES],
}

impl Accumulator {
    /// An empty accumulator for `sketches` sketches.
    pub fn new(sketches: usize) -> Self {
        let group = |g: usize| {
            let pairs: [(u32, u32); LANES] = std::array::from_fn(|lane| coefficients(g * LANES + lane));
            Group { a: pairs.map(|(a, _)| a), b: pairs.map(|(_, b)| b), minima: [u32::MAX; LANES] }
        };
        let groups = (0..sketches.div_ceil(LANES)).map(group).collect();
        Self { groups, sketches, mixed: Vec::new() }
    }

    /// Adds shingles; repeated ones change nothing.
    pub fn extend(&mut self, shingles: &[u64]) {
        self.mixed.clear();
        self.mixed.extend(shingles.iter().map(|&shingle| (mix(shingle) >> 32) as u32));
        for group in &mut self.groups {
            lower(group, &self.mixed);
        }
    }

    /// The minima so far, one a sketch; `u32::MAX` where nothing was added.
    pub fn sketch(&self) -> Vec<u32> {
        self.groups.iter().flat_map(|group| group.minima).take(self.sketches).collect()
    }

    /// Forgets the shingles, keeps the coefficients.
    pub fn clear(&mut self) {
        for group in &mut self.groups {
            group.minima = [u32::MAX; LANES];
        }
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "each caller compiles it for another processor")]
fn lower_lanes(group: &mut Group, hashes: &[u32]) {
    let (a, b) = (group.a, group.b);
    let mut minima = group.minima;
    for &hash in hashes {
        for lane in 0..LANES {
            minima[lane] = minima[lane].min(a[lane].wrapping_mul(hash).wrapping_add(b[lane]));
        }
    }
    group.minima = minima;
}

fn lower(group: &mut Group, hashes: &[u32]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn lower_avx2(group: &mut Group, hashes: &[u32]) {
            lower_lanes(group, hashes);
        }
        #[expect(unsafe_code, reason = "the same loop, compiled for AVX2")]
        // SAFETY: the processor has AVX2, as tested above.
        return unsafe { lower_avx2(group, hashes) };
    }
    lower_lanes(group, hashes);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn fast(shingles: &[u64], sketches: usize) -> Vec<u32> {
        let mut accumulator = Accumulator::new(sketches);
        accumulator.extend(shingles);
        accumulator.sketch()
    }

    #[test]
    fn sketches_of_a_known_list_never_change() {
        // Fingerprint files live for years: these numbers must outlive every
        // change of this module.
        assert_eq!(plain(&[1, 2, 3], 4), [571_755_162, 715_584_184, 840_772_836, 934_080_302]);
    }

    #[test]
    fn estimates_need_equal_sketches() {
        assert_eq!(estimate(&[1, 2, 3, 4], &[1, 9, 3, 8]), Some(0.5));
        assert_eq!(estimate(&[], &[]), None);
        assert_eq!(estimate(&[1], &[1, 2]), None);
    }

    /// Sketches pairs of sets of running numbers with a known Jaccard coefficient; returns the bias and the
    /// root mean square error of the estimates.
    fn errors(sketches: usize, shared: u64, own: u64, pairs: u64) -> (f64, f64) {
        let jaccard = shared as f64 / (shared + 2 * own) as f64;
        let (mut sum, mut squares) = (0.0, 0.0);
        for pair in 0..pairs {
            let base = pair << 20;
            let a: Vec<u64> = (base..base + shared + own).collect();
            let b: Vec<u64> = (base..base + shared).chain(base + shared + own..base + shared + 2 * own).collect();
            let error = estimate(&fast(&a, sketches), &fast(&b, sketches)).unwrap() - jaccard;
            sum += error;
            squares += error * error;
        }
        (sum / pairs as f64, (squares / pairs as f64).sqrt())
    }

    #[test]
    fn the_error_is_the_documented_one() {
        for (shared, own) in [(10u32, 45u32), (100, 50), (180, 10), (19, 1)] {
            for sketches in [25, 128] {
                let jaccard = f64::from(shared) / f64::from(shared + 2 * own);
                let expected = standard_error(jaccard, sketches);
                let pairs = 2000;
                let (bias, error) = errors(sketches, shared.into(), own.into(), pairs);
                // The mean of 2,000 estimates is within four of its standard errors, their spread within a
                // tenth of the theory.
                assert!(
                    bias.abs() < 4.0 * expected / f64::from(pairs as u32).sqrt(),
                    "J {jaccard} k {sketches}: bias {bias}"
                );
                assert!((error / expected - 1.0).abs() < 0.1, "J {jaccard} k {sketches}: {error} against {expected}");
            }
        }
    }

    #[test]
    fn coefficients_differ() {
        let distinct: BTreeSet<_> = (0..MAX_SKETCHES).map(coefficients).collect();
        assert_eq!(distinct.len(), MAX_SKETCHES);
    }

    proptest! {
        #[test]
        fn lanes_equal_plain(
            shingles in prop::collection::vec(any::<u64>(), 0..300),
            sketches in 1usize..100,
            cut in 0usize..300,
        ) {
            let cut = cut.min(shingles.len());
            let mut accumulator = Accumulator::new(sketches);
            accumulator.extend(&shingles[..cut]);
            accumulator.extend(&shingles[cut..]);
            prop_assert_eq!(accumulator.sketch(), plain(&shingles, sketches));
        }
    }
}
