//! The borders of a translated passage, around a window of one text and one of another that may translate it.
//!
//! Both texts advance together, along a line that need not be known well: a word counts as matched if a counterpart stands
//! within some words of where the line has it. The evidence of the words is added up; the stretch with the greatest sum
//! is the passage, in either text by its own words. The line is then fitted to the matched words, and all is repeated with
//! a narrower band.
//!
//! By chance a word is matched as often as the keys of its counterparts occur in the other language, and around the place
//! itself, which has the words of its subject more often.
//!
//! Cost: the words around a seed, [`AROUND`] on each side, and the places of their counterparts there.

use std::ops::Range;

use super::counterparts::Asked;
use super::evidence::{evidence, log_odds, log_odds_of_none, probability, share_of};
use super::index::{BLOCK, Seed};
use super::vocabulary::Vocabulary;
use crate::align::{Correspondence, LEAD, Options, Passage, Words};

/// Number of words on each side of a seed that are aligned.
const AROUND: usize = 192;

/// Least sum of evidence of either text, in nats, with which a seed is followed after the first turn.
const PROMISING: f32 = 6.0;

/// The distance in words from the line within which a counterpart counts, turn by turn.
const BANDS: [f32; 4] = [40.0, 28.0, 20.0, 14.0];

/// The words by which the line may be off that of a seed, whose blocks begin anywhere.
const OFF: f32 = 32.0;

/// Words of a translation for each word: the mean and the standard deviation over passages.
const SLOPES: (f32, f32) = (1.0, 0.15);

/// Length, in words of 64 bits, of the filter of the keys around a seed.
const BITS: usize = 128;

/// Maximum number of places of a key that are looked at around a seed.
const PLACES: usize = 16;

/// Number of blocks of the whole language that are counted beside those around the place.
const PRIOR: f32 = 24.0;

/// Distances from the line, in words, at which only chance matches words.
const BESIDE: [f32; 4] = [-110.0, -60.0, 60.0, 110.0];

/// Number of words by which a border may move to the start of a sentence, and the evidence that it may cost, in nats.
const NEAR: usize = 16;
const COST: f32 = 6.0;

/// Probability below which a passage is weak evidence, as that of a copy.
const SURE: f32 = 0.9;

/// One of the two texts.
#[derive(Clone, Copy)]
pub struct Side<'t> {
    /// Its words.
    pub words: &'t Words,
    /// Their vocabulary.
    pub vocabulary: &'t Vocabulary,
    /// The counterparts that they may have in the language of the other text.
    pub asked: &'t Asked,
}

/// The translated passages around seeds of one pair of texts, which come the best first; in the order of the first text.
pub fn translated(a: Side<'_>, b: Side<'_>, seeds: &[Seed], options: Options) -> Vec<Passage> {
    let mut found: Vec<Passage> = Vec::new();
    let overlaps = |x: &Range<usize>, y: &Range<usize>| x.start < y.end && y.start < x.end;
    for seed in seeds {
        if found.iter().any(|passage| overlaps(&passage.a, &seed.a) && overlaps(&passage.b, &seed.b)) {
            continue;
        }
        let passage = Around::new(a, b, seed).passage(seed, a, b);
        let counts = |passage: &Passage| {
            let is_likely = passage.counts(options) || options.leads && passage.probability >= LEAD;
            is_likely && passage.a.len().min(passage.b.len()) >= options.min_words
        };
        let Some(passage) = passage.filter(counts) else { continue };
        // Of two that overlap the better one counts.
        if found.iter().all(|other| !overlaps(&other.a, &passage.a) || other.score < passage.score) {
            found.retain(|other| !overlaps(&other.a, &passage.a));
            found.push(passage);
        }
    }
    found.sort_by_key(|passage| passage.a.start);
    found
}

/// A word of one text, with the places of its counterparts in the other.
#[derive(Debug)]
struct Sought {
    share: f32,
    /// Expected number of counterparts in a block.
    rate: f32,
    /// Places of counterparts, the rarest first.
    places: Vec<Place>,
}

/// A place of a counterpart.
#[derive(Debug, Clone, Copy)]
struct Place {
    word: u32,
    /// Expected number of counterparts at least as rare in a block.
    rate: f32,
    class: Correspondence,
}

/// The words around a seed.
struct Around {
    a: Range<usize>,
    b: Range<usize>,
    /// The words of `a` and those of `b`; `None` for words that tell nothing.
    sought: [Vec<Option<Sought>>; 2],
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

    fn beside(self, words: f32) -> Self {
        Self { offset: self.offset + words, ..self }
    }
}

impl Around {
    fn new(a: Side<'_>, b: Side<'_>, seed: &Seed) -> Self {
        let around = |seed: &Range<usize>, end: usize| seed.start.saturating_sub(AROUND)..(seed.end + AROUND).min(end);
        let (of_a, of_b) = (around(&seed.a, a.words.len()), around(&seed.b, b.words.len()));
        let sought = [sought(a, of_a.clone(), b, of_b.clone()), sought(b, of_b.clone(), a, of_a.clone())];
        Self { a: of_a, b: of_b, sought }
    }

    fn passage(&self, seed: &Seed, a: Side<'_>, b: Side<'_>) -> Option<Passage> {
        let sum = |line: &Line| self.stretch(0, *line, BANDS[0]).map_or(0.0, |(_, sum)| sum);
        let lines = [0.0, -OFF, OFF].map(|off| Line { slope: SLOPES.0, offset: seed.offset + off });
        let mut line = lines.into_iter().rev().max_by(|x, y| sum(x).total_cmp(&sum(y)))?;
        let mut found: Option<[(Range<usize>, f32); 2]> = None;
        let mut matched = Vec::new();
        for band in BANDS {
            let stretches = [self.stretch(0, line, band)?, self.stretch(1, line.turned(), band)?];
            if stretches.iter().any(|(_, sum)| *sum < PROMISING) {
                return None;
            }
            matched = self.matched(line, band, &stretches[0].0, &stretches[1].0);
            line = fitted(&matched, band)?;
            found = Some(stretches);
        }
        let [(of_a, score_a), (of_b, score_b)] = found?;
        let band = BANDS[BANDS.len() - 1];
        let beside = BESIDE.map(|words| self.sum(0, line.beside(words), band, &of_a)).into_iter().fold(0.0, f32::max);
        let told = self.sought[0][of_a.start - self.a.start..of_a.end - self.a.start].iter().flatten().count();
        let share = matched.len() as f32 / told.max(1) as f32;
        let of_a = to_sentences(a.words, of_a, |word| self.weight(0, word, line, band));
        let of_b = to_sentences(b.words, of_b, |word| self.weight(1, word, line.turned(), band));
        matched.retain(|&(i, j, ..)| of_a.contains(&(i as usize)) && of_b.contains(&(j as usize)));
        let evidence = evidence([score_a, score_b], beside, of_a.len().min(of_b.len()), share);
        let probability = probability(evidence);
        Some(Passage {
            a: of_a,
            b: of_b,
            score: score_a.min(score_b),
            best: score_a.min(score_b),
            probability,
            evidence,
            own_run: 0,
            is_weak: probability < SURE,
            correspondences: matched.iter().map(|&(_, _, class, _)| class).collect(),
            matched: matched.into_iter().map(|(i, j, ..)| (i, j)).collect(),
            elsewhere: Vec::new(),
        })
    }

    /// The words around the seed in one of the texts.
    fn range(&self, side: usize) -> &Range<usize> {
        if side == 0 { &self.a } else { &self.b }
    }

    /// The evidence of a word; none for one that tells nothing or is not around the seed.
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
        let sought = self.sought[side].get(word.checked_sub(self.range(side).start)?)?.as_ref()?;
        let blocks = (2.0 * band + 1.0) / BLOCK as f32;
        let expected = line.at(word);
        let distance = |place: &Place| (place.word as f32 - expected).abs();
        let near = sought.places.iter().filter(|place| distance(place) <= band);
        let rarest = |x: &&Place, y: &&Place| x.rate.total_cmp(&y.rate).then(distance(x).total_cmp(&distance(y)));
        Some(match near.min_by(rarest) {
            Some(&Place { word, rate, class }) => (log_odds(sought.share, rate * blocks), Some((word, class))),
            // The line leads out of the other text, where there is no counterpart.
            None => (log_odds_of_none(sought.share, sought.rate * blocks), None),
        })
    }

    /// The stretch of a text with the greatest sum of evidence, and its sum.
    fn stretch(&self, side: usize, line: Line, band: f32) -> Option<(Range<usize>, f32)> {
        let (mut best, mut start, mut sum) = ((0..0, 0.0), self.range(side).start, 0.0);
        for word in self.range(side).clone() {
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

    /// The greatest sum of evidence of consecutive words.
    fn sum(&self, side: usize, line: Line, band: f32, words: &Range<usize>) -> f32 {
        let of_word = |(best, sum): (f32, f32), word| {
            let sum = (sum + self.weight(side, word, line, band)).max(0.0);
            (best.max(sum), sum)
        };
        words.clone().fold((0.0, 0.0), of_word).0
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
        let of_word = from.asked.of(from.vocabulary.words[word])?;
        // What stands in no block stands nowhere here.
        let rate = PRIOR * of_word.absent / (blocks + PRIOR);
        let mut sought = Sought { share: share_of(of_word.class), rate, places: Vec::new() };
        for key in &of_word.keys {
            let places = if is_there(key.key) { places_of(&table, key.key) } else { &[] };
            // One of them may be the counterpart itself.
            let others = places.len().saturating_sub(1) as f32;
            sought.rate += (others + PRIOR * key.rate) / (blocks + PRIOR);
            if places.len() <= PLACES {
                let place = |&(_, word): &(u32, u32)| Place { word, rate: sought.rate, class: key.class };
                sought.places.extend(places.iter().map(place));
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
type Matched = (u32, u32, Correspondence, f32);

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
/// `evidence` is that of a word.
fn to_sentences(words: &Words, range: Range<usize>, evidence: impl Fn(usize) -> f32) -> Range<usize> {
    let starts = |word: usize| word == 0 || words.as_slice().get(word).is_none_or(|word| word.begins_sentence);
    let at_sentence = |border: usize| {
        let near = (border.saturating_sub(NEAR)..(border + NEAR).min(words.len()) + 1).filter(|&word| starts(word));
        // The evidence of words that are lost, and against those that are added.
        let cost = |to: usize| {
            let between = border.min(to)..border.max(to);
            let sign = if range.contains(&between.start) { 1.0 } else { -1.0 };
            (sign * between.map(&evidence).sum::<f32>(), to)
        };
        let cheapest = near.map(cost).filter(|(cost, _)| *cost <= COST).min_by(|x, y| x.0.total_cmp(&y.0));
        cheapest.map_or(border, |(_, word)| word)
    };
    let (start, end) = (at_sentence(range.start), at_sentence(range.end));
    if start < end { start..end } else { range }
}

#[cfg(test)]
mod tests;
