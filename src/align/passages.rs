//! Alignment of two texts: from anchors to passages.
//!
//! Each group of anchors is refined in turns. The words of the first text that have counterparts form a
//! segment, and their counterparts form one in the second text. Only anchors and counterparts inside both
//! segments enter the next turn, which also uses the observed share of kept words. So a verbatim copy gets
//! borders that are exact to a word, and a disguised one a wider tolerance. Anchors left out by a turn are
//! refined separately.
//!
//! A long first text is aligned in stretches: a passage across a border is found from both sides and joined.
//! This bounds memory for any texts: 60 bytes a word of both, and some 80 MB for each stretch in work. That is one, or
//! two if the texts are short enough and there are several threads ([`memory_bound`](super::memory_bound)).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};

use super::background::{Background, Counted, Others as Elsewhere};
use super::chain::{PIECE, chained, join};
use super::collocations::{Among, Collocations};
use super::groups::groups;
use super::log_odds;
use super::matches::{self, Matches};
use super::pair::{Anchor, Key, NONE, Pair, in_order};
use super::passage_keys::{BLOCK, RUN};
use super::resolve::{are_one, best, is_anybodys, is_weak, least_piece, pieces, resolve};
use super::seeds::Seeds;
use super::segments::{ScoredSegment, segments};
use super::work_bound::Work;
use super::{
    AlignmentMemory, Candidate, Options, Passage, Words, evidence, extend, memory_bound, topic, unaccented, verbatim,
};
use crate::parallel;

/// Maximum number of turns; borders settle in two or three. Anchors left out of a group are refined again as often at most:
/// one refinement separates all passages of a group, but texts that repeat themselves always leave some.
const TURNS: usize = 4;

/// Number of words by which counterparts may lie outside the other text's segment; without it a border could
/// only move inward.
const SLACK: usize = 8;

/// Length of a stretch of the first text, in words.
const STRETCH: usize = if cfg!(test) { 2_500 } else { 1 << 16 };

/// Decrease of the subject in common (`topic`) once passages are set aside, at which texts are aligned again.
const AGAIN: f32 = 0.05;

/// The passages that two texts share, in the order of the first.
///
/// A passage of the first text has one counterpart, the best; several passages may have the same counterpart in
/// the second text. A text aligned with itself is one passage.
///
/// If one of the texts may have lost its accents, the two are compared a second time without any (`unaccented`).
pub fn align(a: &Words, b: &Words, key: Key, options: Options) -> Vec<Passage> {
    let text = |words| Counted { words, is_counted: false, common: &[] };
    let (background, collocations) = (Background::default(), Collocations::default());
    let memory = AlignmentMemory::default();
    let among = Among { background: &background, collocations: &collocations, language: 0, memory: &memory };
    align_among([text(a), text(b)], None, key, options, among)
}

/// The same for two texts among others. If the first `met` the second as a candidate, they are aligned only if a first
/// look at the places where they met shows that there may be a passage.
pub fn align_among(
    [a, b]: [Counted<'_>; 2],
    met: Option<&Candidate>,
    key: Key,
    options: Options,
    among: Among<'_>,
) -> Vec<Passage> {
    let words = a.words.len() + b.words.len();
    let options = Options { threads: among.memory.threads(words, options.threads), ..options };
    let _room = among.memory.enter(words, at_once(a.words.len(), words, options));
    let others = key.others(among.background, [a, b], among.language);
    let mut pair = Pair::among(a.words, b.words, key, others).with_common([a.common, b.common]);
    if met.is_some_and(|candidate| !is_promising(&mut pair, candidate, options)) {
        return Vec::new();
    }
    of_pair(pair, options, among)
}

/// True if a first look at a candidate shows that there may be a passage, by the words as they are or, if one of the
/// texts may have lost its accents, without any. A text that plainly lost them may have been met in any place by the few
/// words that never had any.
fn is_promising(pair: &mut Pair<'_>, candidate: &Candidate, options: Options) -> bool {
    if looks_promising(pair, candidate, options) {
        return true;
    }
    let (a, b) = (pair.a.text, pair.b.text);
    unaccented::is_possible(a, b) && {
        let mut folded = Pair::among(a, b, Key::Folded, Elsewhere::default());
        unaccented::is_plain(&folded)
            || unaccented::is_seen(&folded) && looks_promising(&mut folded, candidate, options)
    }
}

fn looks_promising(pair: &mut Pair<'_>, candidate: &Candidate, options: Options) -> bool {
    candidate.is_promising(pair, options, |pair, parts| {
        let in_common = topic::in_common(pair, [].iter());
        pair.set_subject(in_common);
        let found = chained(best(Stretches { pair, options }.within(parts), options));
        found.iter().any(|passage| passage.score >= PIECE)
    })
}

/// The passages that two texts share, also if one of them lost its accents.
fn of_pair(pair: Pair<'_>, options: Options, among: Among<'_>) -> Vec<Passage> {
    let (a, b, common) = (pair.a.text, pair.b.text, pair.common);
    let found = by(pair, options, Some(among));
    if !unaccented::is_possible(a, b) {
        return found;
    }
    let folded = Pair::among(a, b, Key::Folded, Elsewhere::default()).with_common(common);
    if unaccented::is_seen(&folded) { unaccented::with(found, by(folded, options, None), a, b) } else { found }
}

/// The passages that two texts share by one form of their words.
fn by(mut pair: Pair<'_>, options: Options, among: Option<Among<'_>>) -> Vec<Passage> {
    if is_same(&pair) {
        let whole = verbatim::passage(&pair, 0..pair.a.len(), 0..pair.b.len());
        let mut found = resolve(&pair, vec![whole], options, among);
        for passage in &mut found {
            passage.is_weak = is_anybodys(passage);
        }
        return found;
    }
    let passages = passages(&mut pair, options);
    let mut found = resolve(&pair, passages, options, among);
    // The whole of a short text may score too little for a piece.
    let whole = if options.whole_texts { pair.a.len().min(pair.b.len()).max(RUN) } else { usize::MAX };
    let runs = verbatim::runs(&pair, options.min_words.min(whole), &found);
    if !runs.is_empty() {
        found.extend(runs);
        evidence::judge(&pair, &mut found);
        found = chained(found);
    }
    // Two passages may meet between what was found of them.
    if extend::extend(&pair, &mut found) {
        found = chained(found);
    }
    for passage in &mut found {
        passage.own_run = pair.own_run(passage);
        passage.is_weak = is_weak(&pair, passage);
    }
    found
}

/// The passages of two texts, before any is joined. If these are most of what the texts have in common, their
/// subjects differ, which is known only now, and the texts are aligned again.
fn passages(pair: &mut Pair<'_>, options: Options) -> Vec<Passage> {
    let in_common = topic::in_common(pair, [].iter());
    pair.set_subject(in_common);
    let found = Stretches { pair, options }.passages();
    if found.is_empty() || in_common == 0.0 {
        return found;
    }
    let apart = topic::in_common(pair, pieces(&found, options));
    if in_common - apart < AGAIN {
        return found;
    }
    pair.set_subject(apart);
    Stretches { pair, options }.passages()
}

/// Number of stretches that are aligned at a time, given the words of the first text and of both.
fn at_once(first: usize, both: usize, options: Options) -> usize {
    memory_bound::at_once(both, first.div_ceil(STRETCH), options.threads)
}

/// The alignment of the first text, stretch by stretch.
#[derive(Clone, Copy)]
struct Stretches<'p> {
    pair: &'p Pair<'p>,
    options: Options,
}

impl Stretches<'_> {
    fn passages(&self) -> Vec<Passage> {
        let Self { pair, options } = *self;
        let end = pair.a.len();
        let starts = (0..end).step_by(STRETCH);
        let at_once = at_once(end, end + pair.b.len(), options);
        let seeds = Seeds::new(pair, (options.threads / at_once).max(1));
        let passages = |start: usize| self.of_anchors(seeds.anchors(&(start..(start + STRETCH).min(end))));
        let mut found = Passages::default();
        let mut add = |start: usize, passages: Vec<Passage>| {
            for passage in passages {
                found.add(self, passage, start);
            }
        };
        if at_once == 1 {
            starts.for_each(|start| add(start, passages(start)));
        } else {
            let work = |(): &mut (), start: usize| (start, passages(start));
            let receive = |(start, passages)| {
                add(start, passages);
                Ok::<_, Infallible>(ControlFlow::Continue(()))
            };
            _ = parallel::in_order(starts, vec![(); at_once], 0, |_| 1, work, receive);
        }
        found.found
    }

    /// The passages around anchors in these parts of the first text.
    fn within(&self, parts: Vec<Range<usize>>) -> Vec<Passage> {
        let seeds = Seeds::new(self.pair, self.options.threads);
        let end = self.pair.a.len();
        let mut anchors = Vec::new();
        for part in parts {
            anchors.extend(seeds.anchors(&(part.start.min(end)..part.end.min(end))));
        }
        in_order(&mut anchors);
        self.of_anchors(anchors)
    }

    /// The passages around anchors of a stretch.
    fn of_anchors(&self, anchors: Vec<Anchor>) -> Vec<Passage> {
        let mut found = Passages::default();
        let mut groups = groups(&anchors);
        // The groups hold copies of all anchors; free the originals.
        drop(anchors);
        let both = |group: &[Anchor]| around_both(self.pair, group);
        let mut work = Work::new(self.pair, &mut groups, both, least_piece(self.options));
        let mut left: Vec<(Vec<Anchor>, usize)> = groups.into_iter().map(|group| (group, 0)).collect();
        while let Some((group, depth)) = left.pop() {
            if !work.take(&both(&group)) {
                continue;
            }
            let mut others = BTreeMap::new();
            if let Some(passage) = refine(self.pair, group, &mut others) {
                found.add(self, passage, 0);
            }
            if depth < TURNS {
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
    /// Number of matched pairs of words in `found`.
    matched: usize,
    /// Number of pairs after the last clean-up; [`matches::MOST`] more cause the next.
    room: usize,
}

impl Passages {
    /// Adds a passage, or joins it with the one that continues it across the border where its stretch begins.
    fn add(&mut self, of: &Stretches<'_>, passage: Passage, border: usize) {
        self.matched += passage.matched.len();
        let before = if passage.a.start < border { self.found.as_mut_slice() } else { &mut [] };
        match before.iter_mut().find(|other| border < other.a.end && are_one(other, &passage, border)) {
            Some(other) => join(other, passage),
            None => self.found.push(passage),
        }
        if self.matched > self.room + matches::MOST {
            self.found = best(std::mem::take(&mut self.found), of.options);
            self.matched = self.found.iter().map(|passage| passage.matched.len()).sum();
            self.room = self.matched;
        }
    }
}

/// True if the texts have the same words in the same order.
fn is_same(pair: &Pair<'_>) -> bool {
    !pair.a.shared.is_empty() && pair.a.shared == pair.b.shared && !pair.a.shared.contains(&NONE)
}

/// Anchors of other passages, by turn and by their segment in either text.
type Others = BTreeMap<(usize, usize, usize), Vec<Anchor>>;

/// The best passage of a group of anchors. Anchors of other passages are added to `others`.
pub(super) fn refine(pair: &Pair<'_>, mut anchors: Vec<Anchor>, others: &mut Others) -> Option<Passage> {
    let mut kept = log_odds::KEPT;
    let mut found: Option<(ScoredSegment, ScoredSegment)> = None;
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
        let (in_a, in_b) = (Strong::new(&segments_a), Strong::new(&segments_b));
        for anchor in other {
            let cell = (in_a.of(anchor.0), in_b.of(anchor.1));
            if cell != (NOWHERE, NOWHERE) {
                others.entry((turn, cell.0, cell.1)).or_default().push(anchor);
            } else if !a.words.contains(&(anchor.0 as usize)) {
                // It may be of a second copy, whose words have lost their counterparts to the first.
                let is_behind = usize::from(anchor.0 as usize >= a.words.end);
                others.entry((TURNS, is_behind, 0)).or_default().push(anchor);
            }
        }
        if inside.is_empty() {
            return passage;
        }
        passage = Some(Passage {
            a: a.words.clone(),
            b: b.words.clone(),
            score: a.score.min(b.score),
            best: a.score.min(b.score),
            matched: matches.pairs(&a.words, &b.words),
            ..Passage::default()
        });
        let is_settled = found.as_ref().is_some_and(|(x, y)| x.words == a.words && y.words == b.words);
        kept = f32::midpoint(a.matched, b.matched).clamp(log_odds::KEPT_WITHIN.0, log_odds::KEPT_WITHIN.1);
        found = Some((a, b));
        if is_settled {
            break;
        }
        // Words are matched again only if an anchor was left out: in a long copy, matching takes most of the
        // time.
        if inside.len() < of_all {
            matches = matches_around(pair, &inside);
        }
        anchors = inside;
    }
    passage
}

/// Matches the words around these anchors.
fn matches_around(pair: &Pair<'_>, anchors: &[Anchor]) -> Matches {
    let [a, b] = around_both(pair, anchors);
    Matches::new(pair, anchors, a, b)
}

/// The words around these anchors in both texts.
pub(super) fn around_both(pair: &Pair<'_>, anchors: &[Anchor]) -> [Range<usize>; 2] {
    [around(anchors, |anchor| anchor.0, pair.a.len()), around(anchors, |anchor| anchor.1, pair.b.len())]
}

/// The best segment that contains one of these places. Other segments may belong to a better passage, which has
/// anchors of its own.
fn best_of(segments: &[ScoredSegment], places: impl Iterator<Item = u32>) -> Option<ScoredSegment> {
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

/// The index of a place that lies in no segment.
const NOWHERE: usize = usize::MAX;

/// The index of the segment in which a place lies. Borders that were moved to sentences may overlap a little.
fn segment_at(segments: &[ScoredSegment], place: u32) -> usize {
    let near = segments.partition_point(|segment| segment.words.start <= place as usize);
    let around = near.saturating_sub(2)..(near + 1).min(segments.len());
    around.rev().find(|&at| segments[at].words.contains(&(place as usize))).unwrap_or(NOWHERE)
}

/// Segments that may be pieces of a passage, and whose anchors are refined separately if there are several.
struct Strong<'s> {
    segments: &'s [ScoredSegment],
    are_several: bool,
}

impl<'s> Strong<'s> {
    fn new(segments: &'s [ScoredSegment]) -> Self {
        let are_several = segments.iter().filter(|segment| segment.score >= PIECE).nth(1).is_some();
        Self { segments, are_several }
    }

    /// The index of the strong segment in which a place lies, or [`NOWHERE`].
    fn of(&self, place: u32) -> usize {
        let at = segment_at(self.segments, place);
        if self.are_several && at != NOWHERE && self.segments[at].score >= PIECE { at } else { NOWHERE }
    }
}

/// The words from the first anchor to the last, and [`BLOCK`] words on either side.
fn around(anchors: &[Anchor], place: impl Fn(&Anchor) -> u32, words: usize) -> Range<usize> {
    let (mut first, mut last) = (u32::MAX, 0);
    for anchor in anchors {
        first = first.min(place(anchor));
        last = last.max(place(anchor));
    }
    (first as usize).saturating_sub(BLOCK)..(last as usize + 1 + BLOCK).min(words)
}
