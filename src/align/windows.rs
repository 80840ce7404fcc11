//! Windows of two texts that share more words than chance would give, in any order.
//!
//! A window of the first text is compared with all of the second at once: each of its words adds to the scores
//! of the windows that contain it there. Common words stand in most windows. So the commonest words, those that
//! together could not make two windows alike, are set aside, and added only to windows that the other words
//! have brought close enough.
//!
//! Cost: for each window a step for each place of its rarer words, up to a limit. Long texts are divided among
//! threads in blocks; the result does not depend on the number of threads.

mod places;

use std::cmp::Reverse;
use std::ops::Range;

use self::places::Places;
pub(super) use self::places::WINDOW;
use super::log_odds::{self, KEPT};
use super::pair::{Anchor, NONE, Pair, in_order};
use super::passage_keys::REPEATS;
use crate::parallel;

/// Distance between the starts of two windows, in words.
const STEP: usize = 16;

/// Minimum score of two windows that are alike, in nats. Borders are decided later, so a wrong seed only costs
/// time.
const ALIKE: f32 = 6.0;

/// Words expected by chance in more than this share of windows do not locate a passage and give no anchors.
const ANYWHERE: f32 = 0.5;

/// Maximum number of places of a window's rarer words, all together, on average over the windows of a block so far; in
/// texts of few words none is rare.
const MEAN_PLACES: usize = 4096;

/// Share of the score needed that the commonest words of a window, which are set aside, may add up to.
const LEFT: f32 = 0.75;

/// Number of windows in a block; a thread takes one block after another, and each further thread needs one.
const BLOCK: usize = if cfg!(test) { 4 } else { 512 };

/// Maximum number of anchors for each word of a block. Near it, each further word is paired only with the first
/// equal word of a window. Copies have about four.
pub(super) const MOST_ANCHORS: usize = 32;

/// Two texts, and the weights of their shared words.
pub(super) struct Windows<'p> {
    pair: &'p Pair<'p>,
    /// Threads that look for windows.
    threads: usize,
    weights: Weights,
    /// For each window of the first text, true if it may be alike to one of the second.
    promising: Vec<bool>,
}

/// The weights of the words that two texts share.
struct Weights {
    /// Score that each shared word adds to a window that contains it.
    gains: Vec<f32>,
    /// True for each word that is rare enough to locate a passage; see [`ANYWHERE`].
    tells: Vec<bool>,
}

impl Weights {
    fn new(pair: &Pair<'_>) -> Self {
        let chances = (0..pair.frequencies.len() as u32).map(|word| pair.chance(word, WINDOW as f32));
        let weight = |chance| (log_odds::hit(KEPT, chance) - log_odds::absent(KEPT), chance <= ANYWHERE);
        let (gains, tells) = chances.map(weight).unzip();
        Self { gains, tells }
    }

    /// For each window of a text the most that another can share with it: the score of all of its words.
    fn at_most(&self, shared: &[u32]) -> Vec<f32> {
        let gain = |word: &u32| self.gains.get(*word as usize).copied().unwrap_or_default();
        let steps: Vec<f32> = shared.chunks(STEP).map(|step| step.iter().map(gain).sum()).collect();
        let sum = |window: usize| steps.iter().skip(window).take(WINDOW / STEP).sum();
        (0..windows(shared.len())).map(sum).collect()
    }
}

impl<'p> Windows<'p> {
    pub(super) fn new(pair: &'p Pair<'p>, threads: usize) -> Self {
        let weights = Weights::new(pair);
        let most = weights.at_most(&pair.b.shared).into_iter().fold(0.0, f32::max);
        let is_promising =
            |(window, at_most): (usize, f32)| at_most.min(most) >= needed(of_window(window, pair.a.len()).len());
        let promising = weights.at_most(&pair.a.shared).into_iter().enumerate().map(is_promising).collect();
        Self { pair, threads, weights, promising }
    }

    /// Adds anchors: the words that the windows of this stretch of the first text share with those alike.
    pub(super) fn anchors(&self, stretch: &Range<usize>, anchors: &mut Vec<Anchor>) {
        let all = windows(self.pair.a.len());
        let is_last = stretch.end == self.pair.a.len();
        let windows = stretch.start / STEP..if is_last { all } else { all.min(stretch.end / STEP) };
        let threads = self.threads.min(windows.len() / BLOCK).max(1);
        let blocks: Vec<usize> = windows.clone().step_by(BLOCK).collect();
        let found = parallel::each(
            blocks.len(),
            threads,
            || Alike::new(self),
            |alike, number| {
                let start = blocks[number];
                Ok(self.of_block(alike, start..windows.end.min(start + BLOCK)))
            },
        );
        anchors.extend(found.into_iter().flatten().flatten());
    }

    /// The words that the windows of a block share with those alike.
    fn of_block(&self, alike: &mut Alike<'_>, block: Range<usize>) -> Vec<Anchor> {
        let Pair { a, b, .. } = self.pair;
        let mut anchors = Vec::new();
        let mut most = MOST_ANCHORS * STEP * block.len();
        let mut is_one_enough = false;
        let mut places = Places::new(self.pair.frequencies.len());
        alike.each(block, |window, others| {
            places.fill(of_window(window, a.len()), &a.shared, &self.weights.tells);
            for &(other, _) in others {
                places.add_anchors(of_window(other, b.len()), &b.shared, is_one_enough, &mut anchors);
                if anchors.len() > most {
                    in_order(&mut anchors);
                    // From here on fewer anchors than the limit can be added, so it is lifted.
                    (most, is_one_enough) =
                        if anchors.len() * 2 > most { (usize::MAX, true) } else { (most, is_one_enough) };
                }
            }
            places.forget(&a.shared);
        });
        in_order(&mut anchors);
        anchors
    }
}

/// A word of a window.
#[derive(Debug, Clone, Copy)]
struct Shared {
    word: u32,
    /// Number of times it stands in the window.
    times: u32,
    /// Score that it adds to a window that contains it, for each time.
    gain: f32,
}

/// Finds windows that are alike, on one thread.
struct Alike<'w> {
    of: &'w Windows<'w>,
    scores: Scores,
    common: Common,
}

impl<'w> Alike<'w> {
    fn new(of: &'w Windows<'w>) -> Self {
        let scores = Scores::new(windows(of.pair.b.len()));
        Self { of, scores, common: Common::new(of.pair.frequencies.len()) }
    }

    /// Calls `found` with each window of `some` in the first text that has any alike, and those: their numbers in the
    /// second text, and their scores.
    fn each(&mut self, some: Range<usize>, mut found: impl FnMut(usize, &[(usize, f32)])) {
        let Self { of: Windows { pair, weights, promising, .. }, scores, common } = self;
        let (mut words, mut alike) = (Vec::new(), Vec::new());
        // Places that the windows before have left.
        let mut spare = 0;
        for window in some.filter(|&window| promising[window]) {
            let needed = shared(pair, &weights.gains, window, &mut words);
            // The commonest words first.
            words.sort_unstable_by_key(|shared| Reverse(pair.b.places(shared.word).len()));
            let rarer = common.take(pair, &words, needed * LEFT, MEAN_PLACES + spare);
            spare += MEAN_PLACES;
            for shared in rarer {
                scores.add(pair, *shared);
                spare -= pair.b.places(shared.word).len();
            }
            scores.drain(|other, score| {
                if score + common.most >= needed {
                    alike.push((other, score));
                }
            });
            // To complete those with the best scores so far takes as many steps as the places of the rarer words.
            keep_best(&mut alike, MEAN_PLACES / WINDOW, window);
            for (other, score) in &mut alike {
                *score += common.in_window(&pair.b.shared[of_window(*other, pair.b.len())]);
            }
            common.forget();
            alike.retain(|&(_, score)| score >= needed);
            // Where texts repeat themselves, many are alike.
            keep_best(&mut alike, REPEATS, window);
            if !alike.is_empty() {
                found(window, &alike);
                alike.clear();
            }
        }
    }
}

/// Keeps the `most` windows with the best scores, which are positive; of equal ones those nearest to this window's own
/// place.
#[expect(clippy::cast_sign_loss, reason = "scores are positive")]
fn keep_best(alike: &mut Vec<(usize, f32)>, most: usize, window: usize) {
    if alike.len() > most {
        let rank = |&(other, score): &(usize, f32)| (Reverse((score * 8.0) as u32), other.abs_diff(window), other);
        alike.select_nth_unstable_by_key(most, rank);
        alike.truncate(most);
    }
}

/// The commonest words of a window, set aside.
struct Common {
    words: Vec<Shared>,
    /// The place of each shared word in `words`, plus 1; 0 for others.
    places: Vec<u8>,
    /// Maximum score that they add together.
    most: f32,
}

impl Common {
    fn new(words: usize) -> Self {
        Self { words: Vec::new(), places: vec![0; words], most: 0.0 }
    }

    /// Sets aside words, the commonest first, as long as together they add less than `limit`, and more while
    /// the rest stands in more than `most` places. Returns the rest.
    fn take<'w>(&mut self, pair: &Pair<'_>, words: &'w [Shared], limit: f32, most: usize) -> &'w [Shared] {
        self.most = 0.0;
        let mut places: usize = words.iter().map(|shared| pair.b.places(shared.word).len()).sum();
        for shared in words {
            let more = shared.gain * shared.times as f32;
            if self.most + more >= limit && places <= most {
                break;
            }
            places -= pair.b.places(shared.word).len();
            self.most += more;
            self.words.push(*shared);
            self.places[shared.word as usize] = self.words.len() as u8;
        }
        &words[self.words.len()..]
    }

    /// Score that they add to a window of the other text.
    fn in_window(&self, window: &[u32]) -> f32 {
        let mut left = [0; WINDOW];
        self.words.iter().zip(&mut left).for_each(|(shared, left)| *left = shared.times);
        let mut sum = 0.0;
        for &word in window.iter().filter(|&&word| word != NONE) {
            let place = self.places[word as usize] as usize;
            if place > 0 && left[place - 1] > 0 {
                left[place - 1] -= 1;
                sum += self.words[place - 1].gain;
            }
        }
        sum
    }

    fn forget(&mut self) {
        self.words.drain(..).for_each(|shared| self.places[shared.word as usize] = 0);
    }
}

/// Collects the shared words of a window; returns the score that they must reach to make another window alike.
fn shared(pair: &Pair<'_>, gains: &[f32], window: usize, words: &mut Vec<Shared>) -> f32 {
    let range = of_window(window, pair.a.len());
    let mut all = [NONE; WINDOW];
    all[..range.len()].copy_from_slice(&pair.a.shared[range.clone()]);
    all.sort_unstable();
    let all = &all[..all.partition_point(|&word| word != NONE)];
    words.clear();
    let of_word = |same: &[u32]| Shared { word: same[0], times: same.len() as u32, gain: gains[same[0] as usize] };
    words.extend(all.chunk_by(|x, y| x == y).map(of_word));
    needed(range.len())
}

/// Score at which another window is alike to one of so many words.
fn needed(words: usize) -> f32 {
    ALIKE - words as f32 * log_odds::absent(KEPT)
}

/// Scores of the windows of the second text.
struct Scores {
    windows: Vec<Score>,
    touched: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Score {
    sum: f32,
    /// The word that was counted last, and its number of times.
    word: u32,
    times: u32,
}

const NOTHING: Score = Score { sum: 0.0, word: NONE, times: 0 };

impl Scores {
    fn new(windows: usize) -> Self {
        Self { windows: vec![NOTHING; windows], touched: Vec::new() }
    }

    fn add(&mut self, pair: &Pair<'_>, Shared { word, times, gain }: Shared) {
        let windows = self.windows.len();
        for &place in pair.b.places(word) {
            let range = windows_of(place as usize, windows);
            let first = range.start as u32;
            for (score, other) in self.windows[range].iter_mut().zip(first..) {
                if score.word != word {
                    (score.word, score.times) = (word, 0);
                }
                if score.times < times {
                    score.times += 1;
                    if score.sum == 0.0 {
                        self.touched.push(other);
                    }
                    score.sum += gain;
                }
            }
        }
    }

    /// Calls `seen` with every window that has a score, and resets it.
    fn drain(&mut self, mut seen: impl FnMut(usize, f32)) {
        for other in self.touched.drain(..) {
            let score = std::mem::replace(&mut self.windows[other as usize], NOTHING);
            seen(other as usize, score.sum);
        }
    }
}

/// Number of windows of a text of `words` words.
fn windows(words: usize) -> usize {
    words.saturating_sub(WINDOW).div_ceil(STEP) + 1
}

/// The words of a window.
fn of_window(window: usize, words: usize) -> Range<usize> {
    window * STEP..(window * STEP + WINDOW).min(words)
}

/// The windows that contain a word: two, or one at either end of a text.
fn windows_of(word: usize, windows: usize) -> Range<usize> {
    const { assert!(WINDOW == 2 * STEP) };
    let step = word / STEP;
    step.saturating_sub(1)..(step + 1).min(windows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Key;
    use super::super::tests::words;
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

    /// Reference: all windows compared with all, word by word.
    fn plain(pair: &Pair<'_>) -> Vec<(usize, usize, f32)> {
        let mut scores = Vec::new();
        let (Weights { gains, .. }, mut words) = (Weights::new(pair), Vec::new());
        for window in 0..windows(pair.a.len()) {
            let needed = shared(pair, &gains, window, &mut words);
            for other in 0..windows(pair.b.len()) {
                let there = &pair.b.shared[of_window(other, pair.b.len())];
                let times = |shared: &Shared| there.iter().filter(|&&word| word == shared.word).count();
                let gain = |shared: &Shared| shared.gain * times(shared).min(shared.times as usize) as f32;
                scores.push((window, other, words.iter().map(gain).sum::<f32>() - needed));
            }
        }
        scores
    }

    proptest! {
        #[test]
        fn alike_windows_are_those_of_the_plain_way(
            // Some words are common, most are rare.
            a in prop::collection::vec(prop_oneof![0u32..6, 6u32..60, 60u32..2000], 0..300),
            b in prop::collection::vec(prop_oneof![0u32..6, 6u32..60, 60u32..2000], 0..300),
            copied in 0usize..200,
        ) {
            let b = [&b[..], &a[..copied.min(a.len())]].concat();
            let (a, b) = (words(&a), words(&b));
            let pair = Pair::new(&a, &b, Key::Stem);
            let mut found = std::collections::HashSet::new();
            let all = Windows::new(&pair, 2);
            Alike::new(&all).each(0..windows(pair.a.len()), |window, others| {
                found.extend(others.iter().map(|other| (window, other.0)));
            });
            for (window, other, over) in plain(&pair) {
                let is_found = found.contains(&(window, other));
                prop_assert!(over.abs() < 1e-3 || (over > 0.0) == is_found, "{window} {other} {over}");
            }
        }
    }
}
