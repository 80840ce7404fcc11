//! The stretch of two texts that translate each other, in parts of them that are known to be near each other.
//!
//! Both texts advance together, along a line that need not be known well: a word counts as matched if a counterpart stands
//! within some words of where the line has it. The evidence of the words is added up; the stretch with the greatest sum
//! is the piece, in either text by its own words. The line is then fitted to the matched words, and all is repeated with
//! a narrower band.
//!
//! By chance a word is matched as often as the keys of its counterparts occur in the other language, and around the place
//! itself, which has the words of its subject more often.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Side;
use crate::align::{Correspondence, Words};
use crate::translate::evidence::{Asks, log_odds, log_odds_of_none, share_of};
use crate::translate::index::BLOCK;
use crate::translate::vocabulary::FOREIGN;

/// The distance in words from the line within which a counterpart counts, turn by turn.
const BANDS: [f32; 4] = [40.0, 28.0, 20.0, 14.0];

/// The words by which the line may be off that of a seed, whose blocks begin anywhere.
const OFF: f32 = 32.0;

/// Words of a translation for each word: the mean and the standard deviation over passages.
const SLOPES: (f32, f32) = (1.0, 0.15);

/// Length, in words of 64 bits, of the filter of the keys of a part.
const BITS: usize = 128;

/// Maximum number of places of a key that are looked at in a part.
const PLACES: usize = 16;

/// Number of blocks of the whole language that are counted beside those around the place.
const PRIOR: f32 = 24.0;

/// Number of words by which a border may move to the start of a sentence, and the evidence that it may cost, in nats.
pub(super) const NEAR: usize = 16;
const COST: f32 = 6.0;

/// A word of one text, with the places of its counterparts in the other.
#[derive(Debug)]
struct Sought {
    share: f32,
    /// Expected number of counterparts in a block.
    rate: f32,
    /// Places of counterparts.
    places: Vec<Place>,
}

/// A place of a counterpart.
#[derive(Debug, Clone, Copy)]
struct Place {
    word: u32,
    /// The number of counterparts that are rarer.
    rank: u32,
    class: Correspondence,
}

/// A part of two texts, with what is known of its words.
pub(super) struct Around {
    /// The words of either text.
    words: [Range<usize>; 2],
    /// Of each word; `None` for one that tells nothing.
    sought: [Vec<Option<Sought>>; 2],
}

/// A stretch of both texts along one line.
pub(super) struct Piece {
    /// The words of either text, from one sentence to another where these begin near.
    pub(super) words: [Range<usize>; 2],
    /// The evidence of either text's words, and that of the first one's different words.
    pub(super) sums: [f32; 2],
    pub(super) different: f32,
    /// Number of words of the first text that tell something, and of those with a counterpart.
    pub(super) told: usize,
    pub(super) count: usize,
    /// Words with a counterpart.
    pub(super) matched: Vec<Matched>,
}

/// Where the second text is expected to be for a word of the first.
#[derive(Debug, Clone, Copy)]
struct Line {
    slope: f32,
    offset: f32,
}

impl Line {
    fn at(self, word: usize) -> f32 {
        self.slope * word as f32 + self.offset
    }

    fn turned(self) -> Self {
        Self { slope: 1.0 / self.slope, offset: -self.offset / self.slope }
    }
}

impl Around {
    /// The words of these ranges of two texts.
    pub(super) fn new([a, b]: [Side<'_>; 2], words: [Range<usize>; 2]) -> Self {
        let [of_a, of_b] = words.clone();
        let sought = [sought(a, of_a.clone(), b, of_b.clone()), sought(b, of_b, a, of_a)];
        Self { words, sought }
    }

    /// The stretch with the greatest evidence, where the second text is about so many words behind the first. Its borders
    /// move to sentences within these words.
    pub(super) fn piece(&self, texts: [Side<'_>; 2], offset: f32, within: &[Range<usize>; 2]) -> Option<Piece> {
        let sum = |line: &Line| self.stretch(0, *line, BANDS[0]).map_or(0.0, |(_, sum)| sum);
        let lines = [0.0, -OFF, OFF].map(|off| Line { slope: SLOPES.0, offset: offset + off });
        let mut line = lines.into_iter().rev().max_by(|x, y| sum(x).total_cmp(&sum(y)))?;
        let mut found = None;
        for band in BANDS {
            let stretches = [self.stretch(0, line, band)?, self.stretch(1, line.turned(), band)?];
            let matched = self.matched(line, band, &stretches[0].0, &stretches[1].0);
            let next = fitted(&matched, band)?;
            found = Some((stretches, line, matched));
            line = next;
        }
        let ([(of_a, sum_a), (of_b, sum_b)], of_sums, mut matched) = found?;
        let band = BANDS[BANDS.len() - 1];
        let different = different(&matched, texts[0]);
        let sum_a = sum_a - self.excess_of_numbers(0, of_sums, band, &of_a);
        let sum_b = sum_b - self.excess_of_numbers(1, of_sums.turned(), band, &of_b);
        let told = of_a.clone().filter(|&word| self.sought(0, word).is_some()).count();
        let count = matched.len();
        let of_a = to_sentences(texts[0].words, of_a, &within[0], |word| self.weight(0, word, line, band));
        let of_b = to_sentences(texts[1].words, of_b, &within[1], |word| self.weight(1, word, line.turned(), band));
        matched.retain(|&(i, j, ..)| of_a.contains(&(i as usize)) && of_b.contains(&(j as usize)));
        Some(Piece { words: [of_a, of_b], sums: [sum_a, sum_b], different, told, count, matched })
    }

    /// The places of a word's counterparts; `None` for a stop word, one that is left out, and one outside these parts.
    fn sought(&self, side: usize, word: usize) -> Option<&Sought> {
        self.sought[side].get(word.checked_sub(self.words[side].start)?)?.as_ref()
    }

    /// The evidence of a word in nats; 0 for one whose counterparts are not sought.
    fn weight(&self, side: usize, word: usize, line: Line, band: f32) -> f32 {
        self.evidence(side, word, line, band).map_or(0.0, |(evidence, _)| evidence)
    }

    /// The evidence of a word, and the place of its counterpart.
    fn evidence(
        &self,
        side: usize,
        word: usize,
        line: Line,
        band: f32,
    ) -> Option<(f32, Option<(u32, Correspondence)>)> {
        let sought = self.sought(side, word)?;
        let blocks = (2.0 * band + 1.0) / BLOCK as f32;
        let expected = line.at(word);
        let distance = |place: &Place| (place.word as f32 - expected).abs();
        let near = sought.places.iter().filter(|place| distance(place) <= band);
        // A rare one tells no more, since chance finds a rare one among many, too; but it more often is the counterpart.
        let rarest = |x: &&Place, y: &&Place| x.rank.cmp(&y.rank).then(distance(x).total_cmp(&distance(y)));
        Some(match near.min_by(rarest) {
            Some(&Place { word, class, .. }) => (log_odds(sought.share, sought.rate * blocks), Some((word, class))),
            // The line leads out of the other text, where there is no counterpart.
            None => (log_odds_of_none(sought.share, sought.rate * blocks), None),
        })
    }

    /// The stretch of a text with the greatest sum of evidence, and its sum.
    fn stretch(&self, side: usize, line: Line, band: f32) -> Option<(Range<usize>, f32)> {
        let (mut best, mut start, mut sum) = ((0..0, 0.0), self.words[side].start, 0.0);
        for word in self.words[side].clone() {
            if sum <= 0.0 {
                (start, sum) = (word, 0.0);
            }
            sum += self.weight(side, word, line, band);
            if sum > best.1 {
                best = (start..word + 1, sum);
            }
        }
        (best.1 > 0.0).then_some(best)
    }

    /// The evidence by which numbers exceed the other words of a stretch: tables have the same numbers in any language, so
    /// that they tell no more than the words around them.
    fn excess_of_numbers(&self, side: usize, line: Line, band: f32, words: &Range<usize>) -> f32 {
        let (mut numbers, mut others) = (0.0, 0.0);
        for (evidence, place) in words.clone().filter_map(|word| self.evidence(side, word, line, band)) {
            let is_number = place.is_some_and(|(_, class)| class == Correspondence::Number);
            *(if is_number { &mut numbers } else { &mut others }) += evidence;
        }
        f32::max(numbers - f32::max(others, 0.0), 0.0)
    }

    /// The words of a stretch of the first text with counterparts in one of the second, and the evidence of each.
    fn matched(&self, line: Line, band: f32, of_a: &Range<usize>, of_b: &Range<usize>) -> Vec<Matched> {
        let pair = |word: usize| {
            let (evidence, place) = self.evidence(0, word, line, band)?;
            let (place, class) = place?;
            of_b.contains(&(place as usize)).then_some((word as u32, place, class, evidence))
        };
        of_a.clone().filter_map(pair).collect()
    }
}

/// The words of one text, with the places of their counterparts in a part of the other.
fn sought(from: Side<'_>, words: Range<usize>, to: Side<'_>, there: Range<usize>) -> Vec<Option<Sought>> {
    let mut table: Vec<(u32, u32)> = Vec::new();
    for word in there.clone() {
        table.extend(to.vocabulary.keys(word).map(|(key, _)| (key, word as u32)));
    }
    table.sort_unstable();
    // Most keys are not there, which a bit tells sooner than the table.
    let bit = |key: u32| ((key >> 6) as usize % BITS, 1u64 << (key & 63));
    let mut bits = [0; BITS];
    for (place, bit) in table.iter().map(|&(key, _)| bit(key)) {
        bits[place] |= bit;
    }
    let is_there = |key: u32| bits[bit(key).0] & bit(key).1 != 0;
    let blocks = there.len() as f32 / BLOCK as f32;
    let of_word = |word: usize| {
        let entry = from.vocabulary.words[word];
        if entry == FOREIGN {
            return Some(Sought { share: share_of(Asks::Known), rate: 0.0, places: Vec::new() });
        }
        let of_word = from.asked.of(entry)?;
        // What stands in no block stands nowhere here.
        let rate = PRIOR * of_word.absent / (blocks + PRIOR);
        let mut sought = Sought { share: share_of(of_word.class), rate, places: Vec::new() };
        for (rank, key) in (0..).zip(&of_word.keys) {
            let places = if is_there(key.key) { places_of(&table, key.key) } else { &[] };
            // One of them may be the counterpart itself.
            let others = places.len().saturating_sub(1) as f32;
            sought.rate += (others + PRIOR * key.rate) / (blocks + PRIOR);
            if places.len() <= PLACES {
                sought.places.extend(places.iter().map(|&(_, word)| Place { word, rank, class: key.class }));
            }
        }
        Some(sought)
    };
    words.map(of_word).collect()
}

/// The part of a sorted table that has a key.
fn places_of(table: &[(u32, u32)], key: u32) -> &[(u32, u32)] {
    let start = table.partition_point(|&(known, _)| known < key);
    let length = table[start..].partition_point(|&(known, _)| known == key);
    &table[start..start + length]
}

/// A word with a counterpart: both places, what they have in common, and the evidence.
pub(super) type Matched = (u32, u32, Correspondence, f32);

/// The evidence of the different words among those that are matched: a word of the subject is repeated in both texts.
fn different(matched: &[Matched], from: Side<'_>) -> f32 {
    let entry = |&(word, .., evidence): &Matched| (from.vocabulary.words[word as usize], evidence);
    let of_each: BTreeMap<u32, f32> = matched.iter().map(entry).collect();
    of_each.into_values().sum()
}

/// The line that fits words matched within a band, by least squares weighted by their evidence.
///
/// A word that is matched by chance stands anywhere in the band, whatever the slope, so a few words of one place would turn
/// the line: the slope has a prior, which counts as much as words that vary so much would.
fn fitted(matched: &[Matched], band: f32) -> Option<Line> {
    let total: f32 = matched.iter().map(|(.., weight)| weight).sum();
    if matched.len() < 3 || total <= 0.0 {
        return None;
    }
    let mean = |of: &dyn Fn(f32, f32) -> f32| {
        matched.iter().map(|&(i, j, _, weight)| weight * of(i as f32, j as f32)).sum::<f32>() / total
    };
    let (x, y) = (mean(&|i, _| i), mean(&|_, j| j));
    let (xx, xy) = (mean(&|i, _| (i - x).powi(2)), mean(&|i, j| (i - x) * (j - y)));
    let prior = band.powi(2) / 3.0 / SLOPES.1.powi(2) / matched.len() as f32;
    let slope = ((xy + prior * SLOPES.0) / (xx + prior)).clamp(0.5, 2.0);
    Some(Line { slope, offset: y - slope * x })
}

/// The words of a stretch, with borders at the starts of sentences that cost the least evidence, if any costs little.
/// They lie in some words of the text; `evidence` is that of a word.
pub(super) fn to_sentences(
    words: &Words,
    range: Range<usize>,
    within: &Range<usize>,
    evidence: impl Fn(usize) -> f32,
) -> Range<usize> {
    let at_sentence = |border: usize| {
        let near = border.saturating_sub(NEAR).max(within.start)..=(border + NEAR).min(within.end);
        // The evidence of words that are lost, and against those that are added.
        let cost = |to: usize| {
            let between = border.min(to)..border.max(to);
            let sign = if range.contains(&between.start) { 1.0 } else { -1.0 };
            // The sum of no words is zero of either sign.
            (sign * between.map(&evidence).sum::<f32>() + 0.0, to.abs_diff(border), to)
        };
        let costs = near.filter(|&word| words.begins_sentence(word)).map(cost).filter(|(cost, ..)| *cost <= COST);
        // Of equal ones the nearest.
        let cheapest = costs.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        cheapest.map_or(border, |(.., word)| word)
    };
    let (start, end) = (at_sentence(range.start), at_sentence(range.end));
    if start < end { start..end } else { range }
}
