//! Features, simhashes and sketches, in features (or words) per second.

mod support;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
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
