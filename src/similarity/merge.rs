//! The number of common elements of two ascending lists without repeats.
//!
//! With AVX2 four elements of one list are compared with four of the other at a time, and the four pass by whose last is the
//! less; without it, one by one.
//!
//! Cost: linear in both lists. It ends as soon as too many elements of one are missing in the other.
//!
//! Source: Lemire, Boytsov and Kurz 2016, SIMD compression and the intersection of sorted integers, section 5.

/// Number of elements compared at a time.
#[cfg(any(target_arch = "x86_64", test))]
const LANES: usize = 4;

/// Number of steps between two looks at what is missing.
const STEPS: usize = 32;

/// How far a comparison has come: elements of both lists that were passed, and those in common so far.
#[derive(Debug, Clone, Copy, Default)]
struct Passed {
    a: usize,
    b: usize,
    shared: usize,
}

impl Passed {
    /// True if no more than `spare` elements of each list are missing in the other so far: what was passed and is not shared
    /// is missing.
    fn is_within(self, [a, b]: [usize; 2]) -> bool {
        self.a <= a.saturating_add(self.shared) && self.b <= b.saturating_add(self.shared)
    }
}

/// The number of common elements; `None` if more than `spare` elements of a list are missing in the other, which may be
/// known early.
pub(super) fn shared_within(a: &[u64], b: &[u64], spare: [usize; 2]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        fn with_avx2(a: &[u64], b: &[u64], spare: [usize; 2]) -> Option<Passed> {
            in_lanes(a, b, spare)
        }
        #[expect(unsafe_code, reason = "a loop without intrinsics, compiled for AVX2")]
        // SAFETY: the processor has AVX2, as checked above.
        let passed = unsafe { with_avx2(a, b, spare) };
        return one_by_one(a, b, spare, passed?);
    }
    one_by_one(a, b, spare, Passed::default())
}

/// The number of common elements from a place on.
fn one_by_one(a: &[u64], b: &[u64], spare: [usize; 2], mut passed: Passed) -> Option<usize> {
    while passed.a < a.len() && passed.b < b.len() {
        let steps = STEPS.min(a.len() - passed.a).min(b.len() - passed.b);
        for _ in 0..steps {
            let (x, y) = (a[passed.a], b[passed.b]);
            passed.shared += usize::from(x == y);
            passed.a += usize::from(x <= y);
            passed.b += usize::from(y <= x);
        }
        if !passed.is_within(spare) {
            return None;
        }
    }
    (a.len() - passed.shared <= spare[0] && b.len() - passed.shared <= spare[1]).then_some(passed.shared)
}

/// Compares four elements with four until fewer are left of a list. Two equal ones meet exactly once, as those pass by that are
/// less than all that follow in the other list.
#[cfg(any(target_arch = "x86_64", test))]
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for the processor that calls it")]
fn in_lanes(a: &[u64], b: &[u64], spare: [usize; 2]) -> Option<Passed> {
    let (all_a, all_b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let (mut in_a, mut in_b, mut shared) = (0, 0, 0);
    while in_a < all_a.len() && in_b < all_b.len() {
        let mut equal = [0u64; LANES];
        let steps = STEPS.min(all_a.len() - in_a).min(all_b.len() - in_b);
        for _ in 0..steps {
            let (x, y) = (&all_a[in_a], &all_b[in_b]);
            for &y in y {
                for lane in 0..LANES {
                    equal[lane] += u64::from(x[lane] == y);
                }
            }
            let (last_x, last_y) = (x[LANES - 1], y[LANES - 1]);
            in_a += usize::from(last_x <= last_y);
            in_b += usize::from(last_y <= last_x);
        }
        shared += equal.iter().sum::<u64>() as usize;
        let passed = Passed { a: in_a * LANES, b: in_b * LANES, shared };
        if !passed.is_within(spare) {
            return None;
        }
    }
    Some(Passed { a: in_a * LANES, b: in_b * LANES, shared })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_have_in_common_what_sets_have(
            common in prop::collection::btree_set(0u64..2000, 0..200),
            [a, b] in prop::array::uniform2(prop::collection::btree_set(0u64..2000, 0..200)),
            spare in prop::array::uniform2(prop_oneof![Just(usize::MAX), 0usize..250]),
        ) {
            let [a, b]: [Vec<u64>; 2] = [&a, &b].map(|own| own.union(&common).copied().collect());
            let sets = [&a, &b].map(|list| list.iter().copied().collect::<BTreeSet<u64>>());
            let shared = sets[0].intersection(&sets[1]).count();
            let is_within = a.len() - shared <= spare[0] && b.len() - shared <= spare[1];
            prop_assert_eq!(shared_within(&a, &b, spare), is_within.then_some(shared));
            prop_assert_eq!(one_by_one(&a, &b, spare, Passed::default()), is_within.then_some(shared));
            // The loop itself, whatever the processor has.
            let passed = in_lanes(&a, &b, spare);
            prop_assert_eq!(passed.and_then(|passed| one_by_one(&a, &b, spare, passed)), is_within.then_some(shared));
        }
    }
}
