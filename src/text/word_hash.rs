//! Hashes of words, the same on every machine.

/// The first two are the constants of wyhash's mixing step, whose product of 128 bits spreads every bit.
const MULTIPLIER: u64 = 0xA076_1D64_78BD_642F;
const SEED: u64 = 0xE703_7ED1_A0B4_28DB;

/// A hash with eight more bytes in it.
pub fn mixed(hash: u64, block: u64) -> u64 {
    let product = u128::from(hash ^ block) * u128::from(MULTIPLIER);
    product as u64 ^ (product >> 64) as u64
}

/// The hash of a form.
pub fn hash(form: &str) -> u64 {
    let bytes = form.as_bytes();
    let blocks = (0..bytes.len()).step_by(8).map(|at| block(bytes, at, (bytes.len() - at).min(8)));
    mixed(blocks.fold(SEED ^ bytes.len() as u64, mixed), SEED)
}

/// The hash of a word of ASCII letters and digits, in lower case.
pub fn hash_of_ascii(text: &[u8], start: usize, length: usize) -> u64 {
    const LOWER: u64 = 0x2020_2020_2020_2020;
    let blocks = (0..length).step_by(8).map(|at| {
        let count = (length - at).min(8);
        block(text, start + at, count) | LOWER & low_bytes(count)
    });
    mixed(blocks.fold(SEED ^ length as u64, mixed), SEED)
}

/// The `count` bytes, at most 8, that begin at a place.
fn block(bytes: &[u8], at: usize, count: usize) -> u64 {
    if let Some(eight) = bytes[at..].first_chunk::<8>() {
        return u64::from_le_bytes(*eight) & low_bytes(count);
    }
    let mut eight = [0; 8];
    eight[..count].copy_from_slice(&bytes[at..at + count]);
    u64::from_le_bytes(eight)
}

fn low_bytes(count: usize) -> u64 {
    u64::MAX >> (64 - 8 * count as u32)
}
