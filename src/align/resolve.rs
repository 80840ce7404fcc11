//! Selection of the passages to report: long enough, certain enough, and none twice.

use super::chain::{LOST, PIECE, WHOLE, chained, longest_run, words_in_runs};
use super::collocations::Among;
use super::log_odds;
use super::matches::REACH;
use super::pair::{Pair, common};
use super::passage_keys::{BLOCK, REPEATS};
use super::windows::WINDOW;
use super::{Options, Passage, VERBATIM, evidence};

/// Probability below which a passage without a long run is weak evidence: one of 1,000 pairs of unrelated texts on one
/// subject has a passage that reaches it.
pub(crate) const SURE: f32 = 0.9;

/// Number of equal words in a row from which on a passage is no weak evidence, however short the passages that are asked for.
pub(super) const CERTAIN_RUN: usize = 20;

/// Number of equal words from which on a passage is no weak evidence if they stand in runs of whole sentences, and the length
/// of such a run: two texts on one subject share one phrase of a form letter, but not three.
const CERTAIN_SENTENCES: usize = 30;
const SENTENCE: usize = 10;

/// Minimum probability of a passage that is worth a look.
pub const LEAD: f32 = 0.05;

/// Share of the longer of two passages' words in the first text, as a fraction, from which on they are the same words.
const ALIKE: (usize, usize) = (9, 10);

/// The passages that count: pieces, chained across the text between them.
pub(super) fn resolve(
    pair: &Pair<'_>,
    mut passages: Vec<Passage>,
    options: Options,
    among: Option<Among<'_>>,
) -> Vec<Passage> {
    if pair.has_common() {
        passages.retain(|passage| is_piece(passage, || pair.own_run(passage), options));
    }
    let mut found = chained(best(passages, options));
    for passage in &mut found {
        let own = passage.b.clone();
        passage.elsewhere.retain(|place| common(place, &own) == 0);
        passage.score -= owed(pair, passage, among.filter(|_| longest_run(&passage.matched) < options.min_words));
    }
    evidence::judge(pair, &mut found);
    for passage in &mut found {
        passage.own_run = pair.own_run(passage);
    }
    found.retain(|passage| counts(pair, passage, options));
    found
}

/// The share of a passage's words that are kept, as scores of words suppose it.
fn kept(passage: &Passage) -> f32 {
    let share = passage.matched.len() as f32 / passage.a.len() as f32;
    share.clamp(log_odds::KEPT_WITHIN.0, log_odds::KEPT_WITHIN.1)
}

/// Number of words among which the counterpart of a word may stand.
const AROUND: f32 = 2.0 * REACH as f32;

/// Part of a passage's score that it has only because the texts' subjects differ, if it is short, and because its words
/// stand together in many other documents.
fn owed(pair: &Pair<'_>, passage: &Passage, among: Option<Among<'_>>) -> f32 {
    // Texts on different subjects may still report one event, and agree by chance in a sentence or two.
    let is_short = passage.a.len().min(passage.b.len()) < WINDOW;
    let chances = among.map(|among| among.chances([pair.a.text, pair.b.text], passage)).unwrap_or_default();
    let kept = kept(passage);
    let of_word = |(at, &(word, there)): (usize, &(u32, u32))| {
        let shared = pair.a.shared[word as usize];
        let supposed = pair.chance(shared, AROUND);
        if pair.is_common((word, there)) {
            return 0.0;
        }
        let alone = if is_short { log_odds::chance(pair.frequency_of_one_subject(shared), AROUND) } else { supposed };
        let beside = chances.get(at).copied().unwrap_or(0.0);
        log_odds::hit(kept, supposed) - log_odds::hit(kept, alone.max(beside))
    };
    passage.matched.iter().enumerate().map(of_word).sum()
}

/// The passages that may be pieces of one that counts.
pub(super) fn pieces(passages: &[Passage], options: Options) -> impl Iterator<Item = &Passage> + Clone {
    passages.iter().filter(move |passage| is_piece(passage, || longest_run(&passage.matched), options))
}

/// True if a passage is a piece, by its score or by the length of its longest run.
fn is_piece(passage: &Passage, longest: impl FnOnce() -> usize, options: Options) -> bool {
    let (score, run) = least_piece(options);
    passage.score >= score || longest() >= run.min(passage.a.len().max(passage.b.len()))
}

/// The least score of a piece, in nats, and the least number of words of a run that is a piece whatever its score.
pub(super) fn least_piece(options: Options) -> (f32, usize) {
    (PIECE, options.min_words)
}

/// Removes passages that are no pieces; if passages overlap by more than half in the first text, only the best is
/// kept. The places of others in the second text are noted.
pub(super) fn best(mut passages: Vec<Passage>, options: Options) -> Vec<Passage> {
    passages.retain(|passage| is_piece(passage, || longest_run(&passage.matched), options));
    passages
        .sort_by(|x, y| y.score.total_cmp(&x.score).then_with(|| (x.a.start, x.b.start).cmp(&(y.a.start, y.b.start))));
    let mut kept: Vec<Passage> = Vec::new();
    for passage in passages {
        match kept.iter_mut().find(|better| common(&passage.a, &better.a) * 2 > passage.a.len()) {
            Some(better) if is_same(&passage, better) => repeat(better, passage, options),
            Some(_) => {}
            None => kept.push(passage),
        }
    }
    kept
}

/// True if two passages are about the same words of the first text.
fn is_same(x: &Passage, y: &Passage) -> bool {
    common(&x.a, &y.a) * ALIKE.1 >= x.a.len().max(y.a.len()) * ALIKE.0
}

/// Notes the place of another passage of the same words in the second text. Of two near copies the one with more
/// matched words is better: their scores also depend on what stands around them, by more than a word is worth.
fn repeat(better: &mut Passage, mut other: Passage, options: Options) {
    let is_certain = other.score >= WHOLE || longest_run(&other.matched) >= options.min_words;
    if !is_certain || common(&better.b, &other.b) * 2 > other.b.len() {
        return;
    }
    if !is_disguised(better) && !is_disguised(&other) && other.matched.len() > better.matched.len() {
        std::mem::swap(better, &mut other);
    }
    let places = std::mem::take(&mut other.elsewhere).into_iter().chain([other.b]);
    better.elsewhere.extend(places);
    better.elsewhere.sort_unstable_by_key(|place| (place.start, place.end));
    better.elsewhere.dedup_by(|next, last| common(next, last) * 2 > next.len());
    better.elsewhere.truncate(REPEATS);
}

/// True if a passage has lost more than a fourth of its words.
pub(super) fn is_disguised(passage: &Passage) -> bool {
    (passage.matched.len() as f32) < (1.0 - LOST) * passage.a.len() as f32
}

fn counts(pair: &Pair<'_>, passage: &Passage, options: Options) -> bool {
    let [own_a, own_b] = pair.own_words(passage);
    if own_a.min(own_b) < options.min_words {
        return options.whole_texts && is_whole(pair, passage);
    }
    passage.counts(options) || options.leads && passage.probability >= LEAD
}

impl Passage {
    /// True if a passage that was found counts, and is not only worth a look.
    pub fn counts(&self, options: Options) -> bool {
        self.probability >= options.min_probability || self.own_run >= options.min_words.min(self.a.len())
    }
}

/// True for the whole of a text that stands verbatim in the other.
fn is_whole(pair: &Pair<'_>, passage: &Passage) -> bool {
    let is_whole = passage.a.len() == pair.a.len() || passage.b.len() == pair.b.len();
    is_whole && passage.own_run == passage.a.len().max(passage.b.len())
}

/// True if neither the probability nor a run of equal words leaves no doubt.
pub(super) fn is_weak(pair: &Pair<'_>, passage: &Passage) -> bool {
    let is_certain = passage.probability >= SURE
        || passage.own_run >= CERTAIN_RUN
        || passage.own_run >= SENTENCE && words_in_runs(&pair.own_matched(passage), SENTENCE) >= CERTAIN_SENTENCES
        || is_whole(pair, passage);
    is_anybodys(passage) || !is_certain
}

/// True for a whole text such as "See attached file", which says little about who wrote it first.
pub(super) fn is_anybodys(passage: &Passage) -> bool {
    passage.a.len() < VERBATIM && passage.probability < SURE
}

/// True if two passages have a pair of words in common around a place of the first text: one passage, found
/// from two sides.
pub(super) fn are_one(x: &Passage, y: &Passage, around: usize) -> bool {
    let near = |passage: &Passage| {
        let place = |word: usize| passage.matched.partition_point(|pair| (pair.0 as usize) < word);
        place(around.saturating_sub(BLOCK))..place(around + BLOCK)
    };
    let of_y = &y.matched[near(y)];
    x.matched[near(x)].iter().any(|pair| of_y.binary_search(pair).is_ok())
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use proptest::prelude::*;

    use super::super::tests::words;
    use super::super::{Evidence, Key};
    use super::*;

    /// A piece with a counterpart for every `each`-th word.
    fn piece(a: Range<usize>, b: usize, score: f32, each: usize) -> Passage {
        let matched = a.clone().step_by(each).map(|word| (word as u32, (b + word - a.start) as u32)).collect();
        Passage { b: b..b + a.len(), a, score, best: score, matched, ..Passage::default() }
    }

    /// Texts of the same words are on one subject, so that little evidence is left.
    const OPTIONS: Options =
        Options { min_words: 20, min_probability: 0.005, whole_texts: true, leads: false, threads: 1 };

    fn resolved(pieces: Vec<Passage>) -> Vec<(Range<usize>, f32)> {
        let text = words(&(0..2000).collect::<Vec<u32>>());
        let found = resolve(&Pair::new(&text, &text, Key::Stem), pieces, OPTIONS, None);
        found.into_iter().map(|passage| (passage.a, passage.score)).collect()
    }

    #[test]
    fn pieces_are_chained_before_they_count() {
        let (one, other) = (piece(100..160, 300, 21.0, 2), piece(170..200, 370, 15.0, 2));
        assert_eq!(resolved(vec![one.clone()]), []);
        let found = resolved(vec![other, one]);
        assert!(found.len() == 1 && found[0].0 == (100..200) && (25.0..36.0).contains(&found[0].1), "{found:?}");
    }

    #[test]
    fn of_two_places_the_better_one_is_taken_and_the_other_noted() {
        let mut later = piece(100..213, 900, 304.3, 1);
        later.matched.remove(10);
        let whole = piece(100..213, 300, 302.6, 1);
        let text = words(&(0..2000).collect::<Vec<u32>>());
        let pair = Pair::new(&text, &text, Key::Stem);
        let found = |pieces: Vec<Passage>| {
            let of =
                |passage: Passage| Passage { probability: 0.0, evidence: Evidence::default(), own_run: 0, ..passage };
            resolve(&pair, pieces, OPTIONS, None).into_iter().map(of).collect::<Vec<_>>()
        };
        let both = found(vec![later.clone(), whole.clone()]);
        assert_eq!(both, [Passage { elsewhere: std::iter::once(900..1013).collect(), ..whole.clone() }]);
        // Neither another part of the text nor a piece that would not count alone is a repeat.
        let other = piece(100..160, 900, 60.0, 1);
        let weak = piece(100..213, 900, 20.0, 8);
        assert_eq!(found(vec![whole.clone(), other, weak]), [whole]);
        // Of disguised copies the scores decide: a matched word more may be a common one.
        let (more, certain) = (piece(100..220, 300, 60.0, 2), piece(100..220, 900, 70.0, 3));
        assert_eq!(found(vec![more.clone(), certain.clone()]), [Passage { elsewhere: vec![more.b], ..certain }]);
    }

    proptest! {
        /// The order in which pieces were found does not matter.
        #[test]
        fn order_does_not_matter(
            pieces in prop::collection::vec((0usize..900, 20usize..90, 0usize..900, 5u16..60, 1usize..4), 0..12),
            seed: u64,
        ) {
            let pieces: Vec<Passage> = pieces
                .into_iter()
                .map(|(a, length, b, score, each)| piece(a..a + length, b, f32::from(score), each))
                .collect();
            let mut other = pieces.clone();
            other.sort_by_key(|piece| (piece.a.start as u64 ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let distinct = |x: &Passage, y: &Passage| (x.score, x.a.start, x.b.start) != (y.score, y.a.start, y.b.start);
            prop_assume!((1..pieces.len()).all(|at| pieces[..at].iter().all(|piece| distinct(piece, &pieces[at]))));
            prop_assert_eq!(resolved(pieces), resolved(other));
        }
    }
}
