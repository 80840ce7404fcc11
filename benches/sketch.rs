//! Features, simhashes, sketches and common shingles, in features (words, shingles) per second.

mod support;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use nearcopy::similarity::Overlap;
use nearcopy::sketch::rabin::Rabin;
use nearcopy::sketch::{minhash, simhash};

use support::Random;

fn main() {
    divan::main();
}

const COUNTS: [usize; 4] = [50, 300, 2_000, 30_000];

fn features(count: usize) -> Vec<u64> {
    let mut random = Random(1);
    (0..count).map(|_| random.next()).collect()
}

#[divan::bench(args = ["clmul", "portable"])]
fn rabin_words(bencher: Bencher, kernel: &str) {
    let rabin = if kernel == "portable" { Rabin::portable() } else { Rabin::new() };
    let text = support::text("eng", 100_000, 1);
    let words: Vec<&str> = text.split_whitespace().collect();
    bencher
        .counter(ItemsCount::new(words.len()))
        .bench(|| words.iter().fold(0, |sum, word| sum ^ rabin.word(black_box(word.as_bytes()))));
}

#[divan::bench(args = [("clmul", 1), ("clmul", 3), ("clmul", 5), ("portable", 3)])]
fn rabin_ngrams(bencher: Bencher, (kernel, n): (&str, usize)) {
    let rabin = if kernel == "portable" { Rabin::portable() } else { Rabin::new() };
    let words = features(4096);
    let mut out = Vec::with_capacity(words.len());
    bencher.counter(ItemsCount::new(words.len())).bench_local(|| {
        out.clear();
        rabin.ngrams(black_box(&words), n, &mut out);
    });
}

#[divan::bench(args = COUNTS)]
fn simhash_sliced(bencher: Bencher, count: usize) {
    let features = features(count);
    bencher.counter(ItemsCount::new(count)).bench(|| {
        let mut sums = simhash::Accumulator::new();
        sums.extend(black_box(&features));
        sums.simhash()
    });
}

#[divan::bench(args = COUNTS)]
fn simhash_plain(bencher: Bencher, count: usize) {
    let features = features(count);
    bencher.counter(ItemsCount::new(count)).bench(|| simhash::from_sums(&simhash::sums(black_box(&features))));
}

#[divan::bench(args = [25, 128, 256])]
fn minhash_lanes(bencher: Bencher, sketches: usize) {
    let features = features(2000);
    let mut minima = minhash::Accumulator::new(sketches);
    bencher.counter(ItemsCount::new(features.len())).bench_local(|| minima.extend(black_box(&features)));
}

#[divan::bench(args = [25, 128])]
fn minhash_plain(bencher: Bencher, sketches: usize) {
    let features = features(2000);
    bencher.counter(ItemsCount::new(features.len())).bench(|| minhash::plain(black_box(&features), sketches));
}

/// Two sorted lists of `count` features, of which so many of a hundred stand in both.
fn lists(count: usize, of_a_hundred: usize) -> [Vec<u64>; 2] {
    let (mut random, mut lists) = (Random(2), [const { Vec::new() }; 2]);
    for at in 0..count {
        let own = [random.next(), random.next()];
        let both = [own[0]; 2];
        let pair = if at * 100 < of_a_hundred * count { both } else { own };
        lists.iter_mut().zip(pair).for_each(|(list, feature)| list.push(feature));
    }
    lists.map(|mut list| {
        list.sort_unstable();
        list
    })
}

const LISTS: [(usize, usize); 6] = [(50, 95), (300, 30), (300, 60), (300, 95), (2_000, 60), (2_000, 95)];

#[divan::bench(args = LISTS)]
fn common_shingles(bencher: Bencher, (count, of_a_hundred): (usize, usize)) {
    let [a, b] = lists(count, of_a_hundred);
    bencher.counter(ItemsCount::new(2 * count)).bench(|| Overlap::of(black_box(&a), black_box(&b)));
}

/// It may stop before the end of the lists.
#[divan::bench(args = LISTS)]
fn common_shingles_within(bencher: Bencher, (count, of_a_hundred): (usize, usize)) {
    let [a, b] = lists(count, of_a_hundred);
    bencher.counter(ItemsCount::new(2 * count)).bench(|| Overlap::reaches(black_box(&a), black_box(&b), 0.7));
}

#[divan::bench(args = LISTS)]
fn common_shingles_plain(bencher: Bencher, (count, of_a_hundred): (usize, usize)) {
    let [a, b] = lists(count, of_a_hundred);
    bencher.counter(ItemsCount::new(2 * count)).bench(|| {
        let (a, b) = (black_box(&a), black_box(&b));
        let (mut in_a, mut in_b, mut shared) = (0, 0, 0);
        while in_a < a.len() && in_b < b.len() {
            let order = a[in_a].cmp(&b[in_b]);
            shared += usize::from(order.is_eq());
            in_a += usize::from(order.is_le());
            in_b += usize::from(order.is_ge());
        }
        shared
    });
}
