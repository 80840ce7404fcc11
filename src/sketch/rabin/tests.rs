use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

/// The specification: a polynomial as a list of bits, divided bit by bit.
fn divide(bits: impl Iterator<Item = bool>) -> u64 {
    bits.fold(0, |remainder, bit| {
        let shifted = remainder << 1 | u64::from(bit);
        if remainder >> 63 == 1 { shifted ^ POLYNOMIAL } else { shifted }
    })
}

fn bits(bytes: &[u8]) -> impl Iterator<Item = bool> + '_ {
    bytes.iter().flat_map(|byte| (0..8).rev().map(move |i| byte >> i & 1 == 1))
}

fn naive_word(word: &[u8]) -> u64 {
    divide(bits(word).chain([false; 64]))
}

/// Σ Wᵢ·x^(64(n−i)), added up as a list of bits, times x^64, modulo P.
fn naive_ngram(words: &[&[u8]]) -> u64 {
    let length = words.iter().map(|word| word.len() * 8).max().unwrap() + 64 * words.len();
    let mut sum = vec![false; length];
    for (i, word) in words.iter().enumerate() {
        let place = 64 * (words.len() - 1 - i);
        let first = length - place - word.len() * 8;
        for (j, bit) in bits(word).enumerate() {
            sum[first + j] ^= bit;
        }
    }
    divide(sum.into_iter().chain([false; 64]))
}

/// Polynomials modulo P as u64, multiplied by school arithmetic.
fn times(a: u64, b: u64) -> u64 {
    (0..64).rev().fold(0, |product, i| shift_bits(product, 1) ^ (a & (b >> i & 1).wrapping_neg()))
}

/// The greatest common divisor of P and a polynomial of degree below 64.
fn gcd_with_p(other: u64) -> u128 {
    let (mut a, mut b) = (1 << 64 | u128::from(POLYNOMIAL), u128::from(other));
    while b != 0 {
        while a != 0 && a.ilog2() >= b.ilog2() {
            a ^= b << (a.ilog2() - b.ilog2());
        }
        (a, b) = (b, a);
    }
    a
}

/// Rabin's criterion for degree 64 = 2^6: x^(2^64) ≡ x (mod P), and
/// x^(2^32) − x has no factor in common with P.
#[test]
fn the_polynomial_is_irreducible() {
    let x = 2;
    let mut power = x;
    for i in 1..=64 {
        power = times(power, power);
        if i == 32 {
            assert_eq!(gcd_with_p(power ^ x), 1);
        }
    }
    assert_eq!(power, x);
}

#[test]
fn the_polynomial_is_dense() {
    assert!((24..=40).contains(&POLYNOMIAL.count_ones()), "{POLYNOMIAL:b}");
}

fn both() -> [Rabin; 2] {
    [Rabin::portable(), Rabin::new()]
}

#[test]
fn an_empty_list_of_words_has_no_ngram() {
    for rabin in both() {
        let mut out = Vec::new();
        rabin.ngrams(&[], 3, &mut out);
        rabin.ngrams(&[1, 2], 3, &mut out);
        assert!(out.is_empty());
    }
}

#[test]
fn word_boundaries_count() {
    let rabin = Rabin::new();
    let feature = |words: &[&str]| {
        let hashes: Vec<u64> = words.iter().map(|word| rabin.word(word.as_bytes())).collect();
        let mut out = Vec::new();
        rabin.ngrams(&hashes, words.len(), &mut out);
        out[0]
    };
    let features = [&["ab", "c"][..], &["a", "bc"], &["abc"], &["c", "ab"], &["a", "b", "c"]].map(feature);
    assert_eq!(BTreeSet::from(features).len(), features.len());
}

proptest! {
    #[test]
    fn words_equal_bitwise_division(word in prop::collection::vec(any::<u8>(), 0..70)) {
        for rabin in both() {
            prop_assert_eq!(rabin.word(&word), naive_word(&word), "{}", rabin.kernel());
        }
    }

    #[test]
    fn ngrams_equal_bitwise_division(
        words in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..20), 0..12),
        n in 1usize..9,
    ) {
        let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
        let expected: Vec<u64> = words.windows(n).map(naive_ngram).collect();
        for rabin in both() {
            let hashes: Vec<u64> = words.iter().map(|word| rabin.word(word)).collect();
            let mut features = Vec::new();
            rabin.ngrams(&hashes, n, &mut features);
            prop_assert_eq!(&features, &expected, "{}", rabin.kernel());
        }
    }

    #[test]
    fn the_longest_ngrams_agree(hashes in prop::collection::vec(any::<u64>(), 100..110)) {
        let [a, b] = both().map(|rabin| {
            let mut out = Vec::new();
            rabin.ngrams(&hashes, MAX_NGRAM, &mut out);
            out
        });
        prop_assert_eq!(a.len(), hashes.len() - 99);
        prop_assert_eq!(a, b);
    }
}

/// 12,000 words that look like words: three to nine ASCII letters in the
/// proportions of English consonants and vowels, from a fixed seed.
fn generated_words() -> Vec<String> {
    let mut seed = 1u64;
    let mut random = move |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    let mut words = BTreeSet::new();
    while words.len() < 12_000 {
        let length = 3 + random(7);
        let word: String = (0..length)
            .map(|i| {
                let letters: &[u8] = if i % 2 == 0 { b"ttnnsshrrdlcmfpgwbvk" } else { b"eeeaaoiiu" };
                char::from(letters[random(letters.len())])
            })
            .collect();
        words.insert(word);
    }
    words.into_iter().collect()
}

/// The worst deviation of a bit's frequency from one half, and the mean Hamming
/// distance of two words' hashes.
fn balance(hashes: &[u64]) -> (f64, f64) {
    let n = hashes.len() as f64;
    let worst = (0..64)
        .map(|bit| (hashes.iter().filter(|&&hash| hash >> bit & 1 == 1).count() as f64 / n - 0.5).abs())
        .fold(0.0, f64::max);
    // Every word with the one half a list away: as many pairs as words.
    let half = hashes.len() / 2;
    let apart: u32 = (0..hashes.len()).map(|i| (hashes[i] ^ hashes[(i + half) % hashes.len()]).count_ones()).sum();
    (worst, f64::from(apart) / n)
}

#[test]
fn bits_are_balanced_over_real_looking_words() {
    let hashes: Vec<u64> = generated_words().iter().map(|word| Rabin::new().word(word.as_bytes())).collect();
    let (worst, distance) = balance(&hashes);
    assert!(worst <= 0.02, "worst |p − ½| = {worst}");
    assert!((31.0..=33.0).contains(&distance), "mean pair distance {distance}");
}

/// What the older program did: sparse x^64+x^4+x^3+x+1, no factor x^64.
#[test]
fn the_sparse_polynomial_without_the_shift_fails_the_same_test() {
    let sparse = |word: &str| {
        bits(word.as_bytes()).fold(0u64, |remainder, bit| {
            let shifted = remainder << 1 | u64::from(bit);
            if remainder >> 63 == 1 { shifted ^ 0b11011 } else { shifted }
        })
    };
    let hashes: Vec<u64> = generated_words().iter().map(|word| sparse(word)).collect();
    let (worst, distance) = balance(&hashes);
    assert!(worst > 0.02, "worst |p − ½| = {worst}");
    assert!(!(31.0..=33.0).contains(&distance), "mean pair distance {distance}");
}
