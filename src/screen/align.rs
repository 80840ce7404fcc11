//! Two texts in, the passages that they share out.
//!
//! Each group of anchors is refined in turns: the words of the first text that have
//! counterparts make a segment; among these counterparts the words of the second text make
//! one; only anchors and counterparts inside both count in the next turn, with the share of words
//! that was kept as it showed itself. A verbatim copy so gets borders that are exact to a
//! word, a disguised one wider tolerance. What a turn leaves out is looked at by itself.
//!
//! A long first text is looked at in stretches: a passage across a border is found from both sides, and
//! joined. So memory is bounded, whatever the texts: 60 bytes a word of both, and some 80 MB ([`room`]).

use std::collections::BTreeMap;
use std::ops::Range;

use super::groups::{GAP, groups};
use super::matches::Matches;
use super::odds;
use super::pair::{Anchor, Key, NONE, Pair};
use super::resolve::{are_one, best, is_weak, join, joined, resolve};
use super::seeds::Seeds;
use super::stretches::{Stretch, segments};
use super::{Options, Passage, Words, room, verbatim};

/// Borders settle in two or three turns.
const TURNS: usize = 4;

/// What is left out of a group is taken apart so many times: in passages that repeat
/// themselves there is always something left. All passages of a group are told apart at once.
const DEPTH: usize = 8;

/// The least and the greatest share of words that a copy is taken to have kept.
const KEPT: (f32, f32) = (0.4, 0.98);

/// Counterparts may stand so many words outside of the other text's segment, or a border
/// could only move inward.
const SLACK: usize = 8;

/// The words of the first text that are looked at together.
const STRETCH: usize = if cfg!(test) { 2_500 } else { 1 << 16 };

/// So many pairs of words wait together to be told which passages are the best: 8 MB.
const MOST_MATCHED: usize = if cfg!(test) { 20_000 } else { 1 << 20 };

/// The passages that two texts share, in the order of the first.
///
/// A passage of the first text has one counterpart, the best; passages may share one in the
/// second. A text and itself share all their words.
pub fn align(a: &Words, b: &Words, key: Key, options: Options) -> Vec<Passage> {
    let _room = room::enter(a.len() + b.len());
    let pair = Pair::new(a, b, key);
    if is_same(&pair) {
        let whole = verbatim::passage(&pair, 0..a.len(), 0..b.len());
        return resolve(&pair, vec![whole], options);
    }
    let passages = Stretches { pair: &pair, options }.passages();
    let mut found = resolve(&pair, passages, options);
    let runs = verbatim::runs(&pair, options.min_words, &found);
    if !runs.is_empty() {
        found.extend(runs);
        found = joined(found);
    }
    for passage in &mut found {
        passage.is_weak = is_weak(passage, options);
    }
    found
}

/// The first text, looked at in stretches.
struct Stretches<'p> {
    pair: &'p Pair<'p>,
    options: Options,
}

impl Stretches<'_> {
    fn passages(&self) -> Vec<Passage> {
        let seeds = Seeds::new(self.pair, self.options.threads);
        let mut found = Passages::default();
        for start in (0..self.pair.a.len()).step_by(STRETCH) {
            let stretch = start..(start + STRETCH).min(self.pair.a.len());
            for passage in self.of_anchors(seeds.anchors(&stretch)) {
                found.add(self, passage, start);
            }
        }
        found.found
    }

    /// The passages around anchors of a stretch.
    fn of_anchors(&self, anchors: Vec<Anchor>) -> Vec<Passage> {
        let mut found = Passages::default();
        let mut left: Vec<(Vec<Anchor>, usize)> = groups(&anchors).into_iter().map(|group| (group, 0)).collect();
        // The groups hold them all: memory is not to hold them twice.
        drop(anchors);
        while let Some((group, depth)) = left.pop() {
            let mut others = BTreeMap::new();
            if let Some(passage) = refine(self.pair, group, self.options, &mut others) {
                found.add(self, passage, 0);
            }
            if depth < DEPTH {
                left.extend(others.into_values().map(|group| (group, depth + 1)));
            }
        }
        found.found
    }
}

/// Passages as they are found.
#[derive(Default)]
struct Passages {
    found: Vec<Passage>,
    /// How many pairs of words they hold.
    matched: usize,
    /// When they hold so many more, all but the best are forgotten.
    room: usize,
}

impl Passages {
    /// Adds a passage. If it is one with another across the border where its stretch begins, they are joined.
    fn add(&mut self, of: &Stretches<'_>, passage: Passage, border: usize) {
        self.matched += passage.matched.len();
        let before = if passage.a.start < border { self.found.as_mut_slice() } else { &mut [] };
        match before.iter_mut().find(|other| border < other.a.end && are_one(other, &passage, border)) {
            Some(other) => join(other, passage),
            None => self.found.push(passage),
        }
        if self.matched > self.room + MOST_MATCHED {
            self.found = best(of.pair, std::mem::take(&mut self.found), of.options);
            self.matched = self.found.iter().map(|passage| passage.matched.len()).sum();
            self.room = self.matched;
        }
    }
}

/// Whether the texts have the same words in the same order.
fn is_same(pair: &Pair<'_>) -> bool {
    !pair.a.shared.is_empty() && pair.a.shared == pair.b.shared && !pair.a.shared.contains(&NONE)
}

/// Anchors of other passages, by the turn and the segments of both texts in which they lie.
type Others = BTreeMap<(usize, usize, usize), Vec<Anchor>>;

/// The best passage of a group of anchors; those that belong to `others` go there.
fn refine(pair: &Pair<'_>, mut anchors: Vec<Anchor>, options: Options, others: &mut Others) -> Option<Passage> {
    let mut kept = odds::KEPT;
    let mut found: Option<(Stretch, Stretch)> = None;
    let mut passage = None;
    let mut matches = matches_around(pair, &anchors);
    for turn in 0..TURNS {
        let within = match &found {
            Some((_, b)) => b.words.start.saturating_sub(SLACK)..b.words.end + SLACK,
            None => matches.b.clone(),
        };
        let segments_a = segments(&matches.scores_a(pair, &within, kept), pair.a.text, matches.a.start);
        let a = best_of(&segments_a, anchors.iter().map(|anchor| anchor.0))?;
        let segments_b = segments(&matches.scores_b(pair, &a.words, kept), pair.b.text, matches.b.start);
        let of_a = anchors.iter().filter(|anchor| a.words.contains(&(anchor.0 as usize)));
        let b = best_of(&segments_b, of_a.map(|anchor| anchor.1))?;
        let of_all = anchors.len();
        let (inside, other): (Vec<Anchor>, Vec<Anchor>) = anchors
            .into_iter()
            .partition(|anchor| a.words.contains(&(anchor.0 as usize)) && b.words.contains(&(anchor.1 as usize)));
        let (in_a, in_b) = (Strong::new(&segments_a, options), Strong::new(&segments_b, options));
        for anchor in other {
            let cell = (in_a.of(anchor.0), in_b.of(anchor.1));
            if cell != (NOWHERE, NOWHERE) {
                others.entry((turn, cell.0, cell.1)).or_default().push(anchor);
            }
        }
        if inside.is_empty() {
            return passage;
        }
        passage = Some(Passage {
            a: a.words.clone(),
            b: b.words.clone(),
            score: a.score.min(b.score),
            is_weak: false,
            matched: matches.pairs(&a.words, &b.words),
        });
        let is_settled = found.as_ref().is_some_and(|(x, y)| x.words == a.words && y.words == b.words);
        kept = f32::midpoint(a.matched, b.matched).clamp(KEPT.0, KEPT.1);
        found = Some((a, b));
        if is_settled {
            break;
        }
        // Words are matched anew only if some anchor was left out: in a long copy that takes longest.
        if inside.len() < of_all {
            matches = matches_around(pair, &inside);
        }
        anchors = inside;
    }
    passage
}

/// The words around these anchors with their counterparts.
fn matches_around(pair: &Pair<'_>, anchors: &[Anchor]) -> Matches {
    let a = around(anchors, |anchor| anchor.0, pair.a.len());
    let b = around(anchors, |anchor| anchor.1, pair.b.len());
    Matches::new(pair, anchors, a, b)
}

/// The best segment in which one of these places lies: what stands around may belong to a better
/// passage, which has anchors of its own.
fn best_of(segments: &[Stretch], places: impl Iterator<Item = u32>) -> Option<Stretch> {
    let mut is_of = vec![false; segments.len()];
    for place in places {
        let at = segment_at(segments, place);
        if at != NOWHERE {
            is_of[at] = true;
        }
    }
    let own = segments.iter().zip(is_of).filter(|(_, is_of)| *is_of).map(|(segment, _)| segment);
    own.max_by(|x, y| x.score.total_cmp(&y.score)).cloned()
}

/// In no segment.
const NOWHERE: usize = usize::MAX;

/// The segment in which a place lies. Borders that were moved to sentences may overlap a little.
fn segment_at(segments: &[Stretch], place: u32) -> usize {
    let near = segments.partition_point(|segment| segment.words.start <= place as usize);
    let around = near.saturating_sub(2)..(near + 1).min(segments.len());
    around.rev().find(|&at| segments[at].words.contains(&(place as usize))).unwrap_or(NOWHERE)
}

/// Segments that are worth a look by themselves, if there are several.
struct Strong<'s> {
    segments: &'s [Stretch],
    least: f32,
    are_several: bool,
}

impl<'s> Strong<'s> {
    fn new(segments: &'s [Stretch], options: Options) -> Self {
        let least = options.min_score / 2.0;
        let are_several = segments.iter().filter(|segment| segment.score > least).nth(1).is_some();
        Self { segments, least, are_several }
    }

    /// The strong segment in which a place lies.
    fn of(&self, place: u32) -> usize {
        let at = segment_at(self.segments, place);
        if self.are_several && at != NOWHERE && self.segments[at].score > self.least { at } else { NOWHERE }
    }
}

/// The words from the first anchor to the last and a gap beyond.
fn around(anchors: &[Anchor], place: impl Fn(&Anchor) -> u32, words: usize) -> Range<usize> {
    let (mut first, mut last) = (u32::MAX, 0);
    for anchor in anchors {
        first = first.min(place(anchor));
        last = last.max(place(anchor));
    }
    (first as usize).saturating_sub(GAP)..(last as usize + 1 + GAP).min(words)
}
