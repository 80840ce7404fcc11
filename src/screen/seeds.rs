//! Where to look: pairs of places that stand for each other in a copy.
//!
//! Two kinds of seeds, for neither finds all:
//! - **Runs** of [`RUN`] equal words: verbatim copies, however short.
//! - **Windows** of [`WINDOW`] words that have more in common than chance would
//!   give, in any order: copies whose words were shuffled, replaced, dropped.
//!
//! Cost: runs, sorting; windows, a step for each place of each shared word of a window. Words
//! that are nearly everywhere and runs that stand in many places are passed over, which keeps both
//! near-linear for texts of a language.

use super::odds;
use super::pair::{NONE, Pair, Side};

/// Two words that may stand for each other: a place in the first text, one in the second.
pub(super) type Anchor = (u32, u32);

/// The length of a run, in words.
pub(super) const RUN: usize = 5;

/// A run that stands in more pairs of places than this tells nothing of either.
const MOST_PLACES: usize = 64;

/// The length of a window, in words: about two sentences.
const WINDOW: usize = 32;

/// The windows of a text begin so many words apart.
const STEP: usize = 16;

/// The share of words that a copy worth finding has kept.
pub(super) const KEPT: f32 = 0.5;

/// Windows are alike from so many nats on. The borders decide later; a wrong seed
/// costs time only.
const ALIKE: f32 = 6.0;

/// Words by chance in more than this share of windows are not counted.
const EVERYWHERE: f32 = 0.9;

/// Words that are by chance in more than this share of windows tell no place.
const ANYWHERE: f32 = 0.5;

/// All anchors of two texts, sorted.
pub(super) fn anchors(pair: &Pair<'_>) -> Vec<Anchor> {
    let mut anchors = Vec::new();
    of_runs(pair, &mut anchors);
    of_windows(pair, &mut anchors);
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

fn of_runs(pair: &Pair<'_>, anchors: &mut Vec<Anchor>) {
    let (runs_a, runs_b) = (runs(&pair.a), runs(&pair.b));
    let mut rest = runs_b.as_slice();
    for same in runs_a.chunk_by(|run, next| run.0 == next.0) {
        let hash = same[0].0;
        rest = &rest[rest.partition_point(|run| run.0 < hash)..];
        let there = &rest[..rest.iter().take_while(|run| run.0 == hash).count()];
        if same.len() * there.len() > MOST_PLACES {
            continue;
        }
        for &(_, here) in same {
            for &(_, there) in there {
                anchors.extend((0..RUN as u32).map(|word| (here + word, there + word)));
            }
        }
    }
}

/// The runs of words that the other text has too, by hash.
fn runs(side: &Side<'_>) -> Vec<(u64, u32)> {
    let of = |words: &[u32]| {
        words
            .iter()
            .fold(0u64, |hash, &word| (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
    };
    let windows = side.shared.windows(RUN).zip(0..).filter(|(words, _)| !words.contains(&NONE));
    let mut runs: Vec<(u64, u32)> = windows.map(|(words, place)| (of(words), place)).collect();
    runs.sort_unstable();
    runs
}

fn of_windows(pair: &Pair<'_>, anchors: &mut Vec<Anchor>) {
    let (windows_a, windows_b) = (windows(pair.a.len()), windows(pair.b.len()));
    let mut scores = vec![0f32; windows_b];
    // The word that was counted last in each window, and how often.
    let mut counted = vec![(NONE, 0u32); windows_b];
    let mut touched: Vec<u32> = Vec::new();
    let mut words: Vec<u32> = Vec::new();
    for window in 0..windows_a {
        let range = of_window(window, pair.a.len());
        let against = range.len() as f32 * odds::absent(KEPT);
        words.clear();
        words.extend(pair.a.shared[range.clone()].iter().filter(|&&word| word != NONE));
        words.sort_unstable();
        for same in words.chunk_by(|x, y| x == y) {
            let (word, times) = (same[0], same.len() as u32);
            let chance = pair.chance(word, WINDOW as f32);
            if chance > EVERYWHERE {
                continue;
            }
            let gain = odds::hit(KEPT, chance) - odds::absent(KEPT);
            for &place in pair.b.places(word) {
                for other in windows_of(place as usize, windows_b) {
                    let last = &mut counted[other];
                    if last.0 != word {
                        *last = (word, 0);
                    }
                    if last.1 < times {
                        last.1 += 1;
                        if scores[other] == 0.0 {
                            touched.push(other as u32);
                        }
                        scores[other] += gain;
                    }
                }
            }
        }
        for other in touched.drain(..) {
            let other = other as usize;
            if against + scores[other] >= ALIKE {
                let there = of_window(other, pair.b.len());
                for i in range.clone() {
                    let word = pair.a.shared[i];
                    if word != NONE && pair.chance(word, WINDOW as f32) <= ANYWHERE {
                        anchors.extend(pair.b.places_in(word, &there).iter().map(|&place| (i as u32, place)));
                    }
                }
            }
            scores[other] = 0.0;
            counted[other] = (NONE, 0);
        }
    }
}

/// How many windows a text of so many words has.
fn windows(words: usize) -> usize {
    words.saturating_sub(WINDOW).div_ceil(STEP) + 1
}

/// The words of a window.
fn of_window(window: usize, words: usize) -> std::ops::Range<usize> {
    window * STEP..(window * STEP + WINDOW).min(words)
}

/// The windows that a word stands in.
fn windows_of(word: usize, windows: usize) -> std::ops::RangeInclusive<usize> {
    let last = (word / STEP).min(windows - 1);
    let first = (word + 1).saturating_sub(WINDOW).div_ceil(STEP).min(last);
    first..=last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_every_word() {
        for words in [1, 31, 32, 33, 48, 49, 1000] {
            let count = windows(words);
            assert_eq!(of_window(count - 1, words).end, words);
            for word in 0..words {
                let within: Vec<usize> =
                    (0..count).filter(|&window| of_window(window, words).contains(&word)).collect();
                assert_eq!(windows_of(word, count).collect::<Vec<_>>(), within, "word {word} of {words}");
            }
        }
    }
}
