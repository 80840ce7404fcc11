//! The Hamming self-join and the scan, in simhashes per second.

mod support;

use std::ops::ControlFlow;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use nearcopy::search::hamming::{Groups, join, join_plain};
use nearcopy::sketch::scan;

use support::Random;

fn main() {
    divan::main();
}

/// Number of members of a centre among the clustered simhashes.
const MEMBERS: usize = 1000;

fn random(count: usize) -> Vec<u64> {
    let mut random = Random(1);
    (0..count).map(|_| random.next()).collect()
}

/// Simhashes of which a third are random, a third equal to others, and a third within four bits of a centre.
fn clustered(count: usize) -> Vec<u64> {
    let mut random = Random(2);
    let (mut simhashes, mut centre) = (Vec::with_capacity(count + 2), 0);
    while simhashes.len() < count {
        if simhashes.len() % (3 * MEMBERS) < 3 {
            centre = random.next();
        }
        let member = (0..random.below(5)).fold(centre, |member, _| member ^ 1 << random.below(64));
        simhashes.extend([random.next(), member]);
        simhashes.push(simhashes[random.below(simhashes.len())]);
    }
    simhashes.truncate(count);
    simhashes
}

fn groups(simhashes: &[u64]) -> Groups {
    Groups::new((0..).zip(simhashes.iter().copied()))
}

fn bench_join(bencher: Bencher, simhashes: &[u64], distance: u32) {
    let groups = groups(simhashes);
    bencher.counter(ItemsCount::new(simhashes.len())).bench(|| {
        let mut pairs = 0u64;
        let joined = join(black_box(&groups), distance, |_, _, _| {
            pairs += 1;
            ControlFlow::Continue(())
        });
        (joined, pairs)
    });
}

const JOINS: [(usize, u32); 5] = [(1_000_000, 3), (1_000_000, 6), (1_000_000, 8), (1_000_000, 12), (10_000_000, 3)];

#[divan::bench(args = JOINS, sample_count = 3, sample_size = 1)]
fn join_random(bencher: Bencher, (count, distance): (usize, u32)) {
    bench_join(bencher, &random(count), distance);
}

#[divan::bench(args = JOINS, sample_count = 3, sample_size = 1)]
fn join_clustered(bencher: Bencher, (count, distance): (usize, u32)) {
    bench_join(bencher, &clustered(count), distance);
}

#[divan::bench(args = [10_000], sample_count = 3, sample_size = 1)]
fn join_all_with_all(bencher: Bencher, count: usize) {
    let groups = groups(&random(count));
    bencher
        .counter(ItemsCount::new(count))
        .bench(|| join_plain(black_box(&groups), 3, |_, _, _| ControlFlow::Continue(())));
}

#[divan::bench(args = [1_000_000, 10_000_000], sample_count = 3, sample_size = 1)]
fn group_random(bencher: Bencher, count: usize) {
    let simhashes = random(count);
    bencher.counter(ItemsCount::new(count)).bench(|| groups(black_box(&simhashes)));
}

#[divan::bench(args = ["within", "within_plain"])]
fn scan_million(bencher: Bencher, how: &str) {
    let simhashes = random(1_000_000);
    bencher.counter(ItemsCount::new(simhashes.len())).bench(|| {
        let mut found = 0;
        let count = |_, _| found += 1;
        let simhashes = black_box(&simhashes);
        match how {
            "within" => scan::within(simhashes, 0, 12, count),
            _ => scan::within_plain(simhashes, 0, 12, count),
        }
        found
    });
}
