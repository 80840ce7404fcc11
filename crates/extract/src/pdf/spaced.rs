//! Letter-spaced lines: how far apart their letters are set.
//!
//! Cost: n log n in the glyphs of a line.

use super::layout::{SPACE, Sign};

/// Least number of pairs of letters in a line from which their distance is told.
const MIN_PAIRS: usize = 10;

/// Letters farther apart, in ems, are those of a table.
const MOST: f32 = 0.7;

/// The distance between the letters of a line, in ems (its lower quartile), if it is set wide: three in four pairs have gaps that would
/// be spaces, at least half of them nearly equal, and words are still farther apart or divided by spaces. Else 0.
pub(super) fn spacing(signs: &[Sign], characters: &str) -> f32 {
    let first = |sign: &Sign| characters[sign.start..sign.end].chars().next();
    let is_letter = |sign: &Sign| first(sign).is_some_and(char::is_alphabetic);
    let pairs = signs.windows(2).filter(|pair| pair.iter().all(is_letter));
    let mut gaps: Vec<f32> = pairs.map(|pair| pair[0].place.gap(&pair[1].place)).collect();
    if gaps.len() < MIN_PAIRS {
        return 0.0;
    }
    gaps.sort_unstable_by(f32::total_cmp);
    let quartile = gaps[gaps.len() / 4];
    if !(SPACE..MOST).contains(&quartile) {
        return 0.0;
    }
    let alike = gaps.iter().filter(|&&gap| (gap - quartile).abs() < SPACE / 2.0).count();
    let has_words = gaps.iter().any(|&gap| gap > quartile + SPACE)
        || signs.iter().any(|sign| first(sign).is_some_and(char::is_whitespace));
    if 2 * alike >= gaps.len() && has_words { quartile } else { 0.0 }
}
