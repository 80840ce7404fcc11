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

/// x^exponent mod P, one factor after another.
fn naive_power(exponent: usize) -> u64 {
    divide(std::iter::once(true).chain(std::iter::repeat_n(false, exponent)))
}

/// (Σ Wᵢ·B^(n−i))·x^64 mod P.
fn naive_ngram(words: &[&[u8]]) -> u64 {
    words.iter().fold(0, |state, word| times(state, PLACE) ^ naive_word(word))
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
fn a_place_is_two_to_the_forty_bits() {
    // B follows from repeated squaring: squaring agrees with the power where that can be counted out …
    assert_eq!(naive_power(1 << 12), (0..12).fold(2, |power, _| times(power, power)));
    // … and PLACE is x squared forty times.
    assert_eq!(PLACE, (0..40).fold(2, |power, _| times(power, power)));
    assert_eq!(shift_bits(1, 64), naive_power(64));
}

#[test]
fn the_polynomial_is_dense() {
    assert!((24..=40).contains(&POLYNOMIAL.count_ones()), "{POLYNOMIAL:b}");
}

proptest! {
    #[test]
    fn short_words_have_the_hashes_of_words(words in prop::collection::vec(prop::collection::vec(1u8.., 0..=MAX_SHORT), 0..9)) {
        let digits = |word: &Vec<u8>| {
            let mut padded = [0; MAX_SHORT];
            padded[MAX_SHORT - word.len()..].copy_from_slice(word);
            let (eights, _) = padded.as_chunks::<8>();
            std::array::from_fn(|i| u64::from_be_bytes(eights[i]))
        };
        let digits: Vec<ShortWord> = words.iter().map(digits).collect();
        for rabin in both() {
            let mut hashes = vec![0; words.len()];
            rabin.short_words(&digits, &mut hashes);
            prop_assert_eq!(hashes, words.iter().map(|word| naive_word(word)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn words_written_as_one_have_the_hash_of_their_letters(
        first in prop::collection::vec(1u8.., 0..200),
        words in prop::collection::vec(prop::collection::vec(1u8.., 0..=MAX_BYTES), 0..20),
    ) {
        for rabin in both() {
            let whole = naive_word(&[&first[..], &words.concat()].concat());
            let hashes: Vec<u64> = words.iter().map(|word| rabin.word(word)).collect();
            let bytes: Vec<u8> = words.iter().map(|word| word.len() as u8).collect();
            prop_assert_eq!(rabin.joined(rabin.word(&first), &hashes, &bytes), whole);
        }
    }
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
    let features = [
        &["ab", "c"][..],
        &["a", "bc"],
        &["abc"],
        &["c", "ab"],
        &["a", "b", "c"],
        // Words of more than eight bytes do not reach into their neighbours' places.
        &["ex", "inhibition"],
        &["in", "exhibition"],
        &["a", "bcccccccc"],
        &["b", "acccccccc"],
        &["ab", "cdefghij"],
        &["abcdefghij"],
        &["в", "входа"],
        &["с", "схода"],
        &["хода"],
    ]
    .map(feature);
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

    /// Few letters and words of all lengths, to provoke collisions between places.
    #[test]
    fn different_ngrams_have_different_features(
        a in prop::collection::vec("[ab]{1,20}", 1..4),
        b in prop::collection::vec("[ab]{1,20}", 1..4),
    ) {
        let rabin = Rabin::new();
        let [x, y] = [&a, &b].map(|words| {
            let hashes: Vec<u64> = words.iter().map(|word| rabin.word(word.as_bytes())).collect();
            let mut out = Vec::new();
            rabin.ngrams(&hashes, words.len(), &mut out);
            out[0]
        });
        prop_assert_eq!(x == y, a == b);
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

/// The method of the older program: sparse x^64+x^4+x^3+x+1, no factor x^64.
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
