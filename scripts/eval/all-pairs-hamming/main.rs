//! Joins a file of simhashes by the crate all-pairs-hamming: `all-pairs-hamming-join FILE DISTANCE CHUNKS`.
//!
//! A simhash is given as one chunk of 64 bits or as two of 32. The output is that of `eval hamming`.

use std::error::Error;
use std::time::Instant;

use all_pairs_hamming::ChunkedJoiner;
use all_pairs_hamming::sketch::Sketch;

/// The factor of the lesser simhash in the sum of all pairs, as in `eval hamming`.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, distance, chunks] = &args[..] else {
        return Err("usage: all-pairs-hamming-join FILE DISTANCE CHUNKS".into());
    };
    let bytes = std::fs::read(file)?;
    let simhashes: Vec<u64> = bytes.as_chunks().0.iter().map(|&simhash| u64::from_le_bytes(simhash)).collect();
    drop(bytes);
    match chunks.as_str() {
        "1" => join(&simhashes, distance.parse()?, |simhash| [simhash]),
        "2" => join(&simhashes, distance.parse()?, |simhash| [simhash as u32, (simhash >> 32) as u32]),
        _ => Err(format!("{chunks} chunks: expected 1 or 2").into()),
    }
}

fn join<S: Sketch, const N: usize>(
    simhashes: &[u64],
    distance: u32,
    chunks: impl Fn(u64) -> [S; N],
) -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut joiner = ChunkedJoiner::new(N);
    for &simhash in simhashes {
        joiner.add(chunks(simhash))?;
    }
    // A quotient of 64 is exact.
    let pairs = joiner.similar_pairs(f64::from(distance) / 64.0);
    let check = pairs.iter().fold(0u64, |check, &(a, b, _)| {
        let (a, b) = (simhashes[a], simhashes[b]);
        check.wrapping_add(a.min(b).wrapping_mul(FACTOR) ^ a.max(b))
    });
    println!("pairs  {:>12}   {:.3} s   (sum of all {check:016x})", pairs.len(), start.elapsed().as_secs_f64());
    Ok(())
}
