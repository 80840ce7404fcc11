//! The Hamming self-join on made-up simhashes: its time, its pairs and its memory.
//!
//! `random` simhashes are all different and far apart. Of `clustered` ones a third is random and a third equal
//! to others, half of these to a few hundred. The last third is within four bits of a centre; MEMBERS share a
//! centre.
//!
//! `write` puts the distinct ones into a file of little-endian numbers of 64 bits, which `scripts/bench-hamming`
//! gives to several programs; `file` joins such a file.

use std::collections::HashSet;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use nearcopy::search::hamming::{Groups, join};
use nearcopy::sketch::minhash::mix;

const USAGE: &str = "usage: eval hamming random|clustered COUNT DISTANCE [MEMBERS of a centre, 1000 unless given]
       eval hamming write random|clustered COUNT FILE [MEMBERS]
       eval hamming file FILE DISTANCE";

/// Maximum number of originals that half of the copies share.
const COPIED: u64 = 500;

/// The factor of the lesser simhash in the sum of all pairs: 2^64 divided by the golden ratio, and odd.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<&str> = args.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", kind @ ("random" | "clustered"), count, file] => write(kind, count, file, "1000"),
        ["write", kind @ "clustered", count, file, members] => write(kind, count, file, members),
        ["file", file, distance] => {
            println!("{file}, distance {distance}");
            joined(read(Path::new(file))?.into_iter(), distance)
        }
        [kind @ ("random" | "clustered"), count, distance] => {
            println!("{count} {kind} simhashes, distance {distance}");
            joined(simhashes(kind, count, "1000")?, distance)
        }
        [kind @ "clustered", count, distance, members] => {
            println!("{count} {kind} simhashes, distance {distance}");
            joined(simhashes(kind, count, members)?, distance)
        }
        _ => Err(USAGE.into()),
    }
}

/// Groups and joins simhashes, and prints the figures.
fn joined(simhashes: impl Iterator<Item = u64>, distance: &str) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let groups = Groups::new((0..).zip(simhashes));
    let grouped = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (mut pairs, mut check) = (0u64, 0u64);
    let _: ControlFlow<()> = join(&groups, distance.parse()?, |a, b, _| {
        pairs += 1;
        // Groups ascend by their simhashes.
        check = check.wrapping_add(groups.simhash(a).wrapping_mul(FACTOR) ^ groups.simhash(b));
        ControlFlow::Continue(())
    })?;
    let joined = start.elapsed().as_secs_f64();

    println!("groups {:>12}   {grouped:.3} s", groups.len());
    println!("pairs  {pairs:>12}   {joined:.3} s   (sum of all {check:016x})");
    if let Some(memory) = peak_memory() {
        println!("memory {memory:>12}   at most");
    }
    Ok(())
}

/// The simhashes of a kind, none of which are stored.
fn simhashes(kind: &str, count: &str, members: &str) -> Result<impl Iterator<Item = u64>, Box<dyn Error>> {
    let (random, count, members) = (kind == "random", count.parse::<u32>()?, members.parse::<u64>()?.max(1));
    Ok((0..count).map(move |i| if random { mix(i.into()) } else { clustered(i.into(), members) }))
}

fn write(kind: &str, count: &str, file: &str, members: &str) -> Result<(), Box<dyn Error>> {
    let mut known = HashSet::new();
    let mut output = BufWriter::new(File::create(file)?);
    for simhash in simhashes(kind, count, members)?.filter(|&simhash| known.insert(simhash)) {
        output.write_all(&simhash.to_le_bytes())?;
    }
    output.flush()?;
    println!("{}", known.len());
    Ok(())
}

fn read(file: &Path) -> Result<Vec<u64>, Box<dyn Error>> {
    let bytes = fs::read(file)?;
    let (simhashes, []) = bytes.as_chunks() else {
        return Err(format!("{}: the size is no multiple of eight bytes", file.display()).into());
    };
    Ok(simhashes.iter().map(|&simhash| u64::from_le_bytes(simhash)).collect())
}

/// The `i`-th clustered simhash, a function of `i`.
fn clustered(i: u64, members: u64) -> u64 {
    let (third, random) = (i / 3, mix(!i));
    match i % 3 {
        0 => mix(i),
        1 => {
            let originals = if random & 1 == 0 { COPIED.min(third + 1) } else { third + 1 };
            let original = random % originals;
            clustered(3 * original + 2 * (random >> 63), members)
        }
        _ => (0..random % 5)
            .fold(mix(third / members * members), |simhash, flip| simhash ^ 1 << (mix(random + flip) % 64)),
    }
}

/// The peak memory of this process; `None` where the system does not report it.
fn peak_memory() -> Option<String> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = kilobytes.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(format!("{:.0} MB", kilobytes * 1024.0 / 1e6))
}
