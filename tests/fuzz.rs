//! The fuzz targets on mutated seeds, without a fuzzer: deterministic, and for a time.
//!
//! Each target gets its seeds unchanged, and mutations of them for `FUZZ_SECONDS` (1 by default). `scripts/check` asks
//! for 10; `scripts/fuzz` has a fuzzer that sees which code a mutation reaches, and runs for longer.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

#[path = "../fuzz/bodies/documents.rs"]
mod documents;
#[path = "../fuzz/bodies/fingerprint_file.rs"]
mod fingerprint_file;
#[path = "../fuzz/bodies/index.rs"]
mod index;
#[path = "../fuzz/bodies/packages.rs"]
mod packages;
#[path = "../fuzz/bodies/records.rs"]
mod records;

/// Maximum length of a seed in bytes; a longer one is cut, so that a mutation costs little.
const MAX_SEED: usize = 1 << 14;

/// Longest time that one input may take.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Deterministic random numbers (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % end.max(1) as u64) as usize
    }
}

fn read(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    let mut bytes = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    bytes.truncate(MAX_SEED);
    bytes
}

/// Each file with each choice of a format before it.
fn chosen(names: &[&str]) -> Vec<Vec<u8>> {
    let files: Vec<Vec<u8>> = names.iter().map(|name| read(name)).collect();
    (0..17u8).flat_map(|choice| files.iter().map(move |file| [&[choice], &file[..]].concat())).collect()
}

/// Changes a few places: bytes replaced, runs removed, repeated or taken from another seed.
fn mutated(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(6) {
        let (at, other) = (random.below(bytes.len()), &seeds[random.below(seeds.len())]);
        let end = at + random.below((bytes.len() - at).min(64));
        match random.below(5) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff, b'<', b'"', b'{'][random.below(8)],
            2 => drop(bytes.drain(at..end)),
            3 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            _ => {
                let from = random.below(other.len());
                let run = other[from..from + random.below((other.len() - from).min(64))].to_vec();
                drop(bytes.splice(at..end, run));
            }
        }
    }
    bytes
}

fn fuzz(target: fn(&[u8]), seeds: &[Vec<u8>]) {
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|seconds| seconds.parse().ok()).unwrap_or(1);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(1);
    let run = |bytes: &[u8]| {
        let start = Instant::now();
        let ended = std::panic::catch_unwind(|| target(bytes));
        if ended.is_err() || start.elapsed() > MAX_TIME {
            let kept = std::env::temp_dir().join(format!("fuzz-{}", blake3::hash(bytes).to_hex()));
            fs::write(&kept, bytes).unwrap();
            panic!("{:?} after {:?}: the input is in {}", ended.err(), start.elapsed(), kept.display());
        }
    };
    for seed in seeds {
        run(seed);
    }
    let mut count = 0;
    while Instant::now() < end {
        run(&mutated(seeds, &mut random));
        count += 1;
    }
    assert!(count > 0 || seconds == 0, "the seeds alone take all the time");
}

#[test]
fn documents_of_any_bytes() {
    let seeds = [
        "data/web/windmill.html",
        "data/texts/eng/tides.txt",
        "data/texts/jpn/tides.txt",
        "fuzz/seeds/plain.rtf",
        "fuzz/seeds/mail.eml",
        "fuzz/seeds/plain.pdf",
    ];
    fuzz(documents::run, &chosen(&seeds));
}

#[test]
fn packages_of_any_members() {
    let names = ["docx", "odt", "pptx", "epub"].map(|name| format!("fuzz/seeds/{name}.xml"));
    fuzz(packages::run, &chosen(&names.each_ref().map(String::as_str)));
}

#[test]
fn records_of_any_bytes() {
    fuzz(records::run, &chosen(&["fuzz/seeds/records.jsonl", "fuzz/seeds/records.csv", "fuzz/seeds/records.warc"]));
}

#[test]
fn fingerprint_files_of_any_bytes() {
    fuzz(fingerprint_file::run, &[read("tests/formats/v1.fp")]);
}

#[test]
fn manifests_of_any_content() {
    let json = |version: u32| {
        let manifest = String::from_utf8(read(&format!("tests/formats/index-v{version}/manifest"))).unwrap();
        manifest.split_once('\n').unwrap().1.as_bytes().to_vec()
    };
    fuzz(index::run, &[json(1), json(2)]);
}
