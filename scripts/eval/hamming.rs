//! The Hamming self-join on made-up simhashes: its time, its pairs and its memory.
//!
//! `random` simhashes are all different and far apart. Of `clustered` ones a third is random and a third equal
//! to others, half of these to a few hundred. The last third is within four bits of a centre; MEMBERS share a
//! centre.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use nearcopy::search::hamming::{Groups, join};
use nearcopy::sketch::minhash::mix;

const USAGE: &str = "usage: eval hamming random|clustered COUNT DISTANCE [MEMBERS of a centre, 1000 unless given]";

/// Maximum number of originals that half of the copies share.
const COPIED: u64 = 500;

pub(crate) fn run(args: &[String]) -> Result<(), Box<dyn Error>> {
    let arguments: Vec<&str> = args.iter().map(String::as_str).collect();
    let (kind, count, distance, members) = match arguments[..] {
        [kind @ ("random" | "clustered"), count, distance] => (kind, count, distance, "1000"),
        [kind @ "clustered", count, distance, members] => (kind, count, distance, members),
        _ => return Err(USAGE.into()),
    };
    let (count, distance, members) = (count.parse::<u32>()?, distance.parse()?, members.parse::<u64>()?.max(1));

    let start = Instant::now();
    let groups = if kind == "random" {
        Groups::new((0..count).map(|i| (i, mix(i.into()))))
    } else {
        Groups::new((0..count).map(|i| (i, clustered(i.into(), members))))
    };
    let grouped = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let (mut pairs, mut check) = (0u64, 0u64);
    let _: ControlFlow<()> = join(&groups, distance, |a, b, distance| {
        pairs += 1;
        check = check.wrapping_add(mix(u64::from(a) << 32 | u64::from(b)) ^ u64::from(distance));
        ControlFlow::Continue(())
    })?;
    let joined = start.elapsed().as_secs_f64();

    println!("{count} {kind} simhashes, distance {distance}");
    println!("groups {:>12}   {grouped:.3} s", groups.len());
    println!("pairs  {pairs:>12}   {joined:.3} s   (sum of all {check:016x})");
    if let Some(memory) = peak_memory() {
        println!("memory {memory:>12}   at most");
    }
    Ok(())
}

/// The `i`-th simhash, a function of `i`, so that none are stored.
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
