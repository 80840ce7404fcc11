//! The places where a text meets a candidate, and a first look at the two texts there.
//!
//! A run of five words or a few rarer ones make two texts candidates ([`Candidates`](super::Candidates)); of ten such
//! pairs of English manual pages nine share no passage. So the words around these places are aligned first. The texts
//! are aligned as a whole only if that shows a piece of a passage, or if the run in which they meet is itself part of a
//! passage.
//!
//! Words of a notice ([`Boilerplate`](super::Boilerplate)) are set aside in the first look: two texts that share nothing else are
//! not compared, whatever common words stand beside it.

use std::ops::Range;
use std::sync::Arc;

use super::Options;
use super::pair::{NONE, Pair};
use super::passage_keys::{BLOCK, REPEATS, RUN};
use crate::runs::joined;

/// A text, and a place where another met it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) text: u32,
    pub(super) place: Place,
}

/// A place of the first of two texts where they meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Not one place: one or both of the texts consist of what they share, or one lost its accents.
    Anywhere,
    /// A run that begins at a word.
    Run { start: u32 },
    /// Enough rarer words of a block and the one before stand close together in the other text.
    Words { own: u32 },
}

/// A text that may share a passage with another.
#[derive(Debug, Clone)]
pub struct Candidate {
    text: u32,
    /// The places where they meet, in order.
    places: Vec<Place>,
    /// The words of the other text in and around notices.
    common: Arc<[Range<usize>]>,
}

impl Candidate {
    /// The candidates of a text that was met at these places, in the order of their numbers.
    pub(super) fn all(mut met: Vec<Hit>, common: &Arc<[Range<usize>]>) -> Vec<Self> {
        met.sort_unstable();
        met.dedup();
        let candidate = |met: &[Hit]| Self {
            text: met[0].text,
            places: met.iter().map(|met| met.place).collect(),
            common: Arc::clone(common),
        };
        met.chunk_by(|x, y| x.text == y.text).map(candidate).collect()
    }

    /// A text that contains a short one or is contained in it ([`Wholes`](super::Wholes)).
    pub fn with_whole(text: u32) -> Self {
        Self { text, places: vec![Place::Anywhere], common: Arc::default() }
    }

    /// Its number.
    pub fn text(&self) -> u32 {
        self.text
    }

    /// The words of the text around the places where they meet.
    fn around(&self) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        for place in &self.places {
            let met = match *place {
                Place::Anywhere => continue,
                Place::Run { start } => start as usize..start as usize + RUN,
                Place::Words { own } => (own as usize).saturating_sub(1) * BLOCK..(own as usize + 1) * BLOCK,
            };
            parts.push(met.start.saturating_sub(BLOCK)..met.end + BLOCK);
        }
        joined(parts)
    }

    /// True if the texts are to be compared as a whole: the first is the one that met the candidate.
    /// `has_piece` tells if the words in these parts of the first make a piece of a passage.
    pub(super) fn is_promising(
        &self,
        pair: &mut Pair<'_>,
        options: Options,
        has_piece: impl FnOnce(&mut Pair<'_>, Vec<Range<usize>>) -> bool,
    ) -> bool {
        let is_certain = |place: &Place| match *place {
            Place::Anywhere => true,
            Place::Run { start } => is_passage(pair, start as usize, options.min_words),
            Place::Words { .. } => false,
        };
        if self.places.iter().any(is_certain) {
            return true;
        }
        let shared = pair.a.shared.clone();
        for words in self.common.iter() {
            pair.a.shared[words.start.min(shared.len())..words.end.min(shared.len())].fill(NONE);
        }
        let is_promising = has_piece(pair, self.around());
        pair.a.shared = shared;
        is_promising
    }
}

/// True if the run at `start` of the first text is part of one of `least` equal words or more, or one of the texts is.
fn is_passage(pair: &Pair<'_>, start: usize, least: usize) -> bool {
    let (a, b) = (&pair.a.shared, &pair.b.shared);
    // An inconsistent index may name any place.
    let start = start.min(a.len());
    let is_same = |(x, y): &(&u32, &u32)| x == y && **x != NONE;
    let length = |other: usize| {
        let before = a[..start].iter().rev().zip(b[..other].iter().rev()).take_while(is_same).count();
        before + a[start..].iter().zip(&b[other..]).take_while(is_same).count()
    };
    let run = &a[start..(start + RUN).min(a.len())];
    // Two runs may have the same hash.
    if run.contains(&NONE) {
        return false;
    }
    let rarest = run.iter().zip(0..).min_by_key(|(word, _)| pair.b.places(**word).len());
    let Some((&word, ahead)) = rarest else { return false };
    let places = pair.b.places(word);
    let begins = places.iter().filter_map(|&place| (place as usize).checked_sub(ahead));
    let least = least.min(a.len()).min(b.len());
    // A run that may stand in more places is taken as a passage.
    places.len() > REPEATS || begins.map(length).any(|length| length >= least)
}

#[cfg(test)]
mod tests {
    use super::super::passage_keys::RUN_FOUND;
    use super::super::tests::words;
    use super::super::{
        AlignmentMemory, Among, Background, Boilerplate, Candidates, Collocations, Counted, Key, Words, align,
        align_among,
    };
    use super::*;

    /// The number of passages that the first text shares with the second, one of many.
    fn passages(texts: &[Words]) -> usize {
        let index = Candidates::new(texts);
        let found = Boilerplate::new(vec![&index]).search().of(&texts[0], |_, _| true).remove(0);
        found.iter().find(|candidate| candidate.text() == 1).map_or(0, |candidate| aligned(texts, candidate))
    }

    /// The number of passages of the first two texts, of which the first met the second.
    fn aligned(texts: &[Words], met: &Candidate) -> usize {
        let pair = [0, 1].map(|text: usize| Counted { words: &texts[text], is_counted: false, common: &[] });
        let (background, collocations) = (Background::default(), Collocations::default());
        let memory = AlignmentMemory::default();
        let among = Among { background: &background, collocations: &collocations, language: 0, memory: &memory };
        align_among(pair, Some(met), Key::Stem, Options::default(), among).len()
    }

    /// Different words for each number.
    fn own(number: u32, length: u32) -> Vec<u32> {
        (0..length).map(|word| 1_000_000 + number * 10_000 + word).collect()
    }

    #[test]
    fn a_run_of_twenty_words_is_found_wherever_it_stands() {
        let run: Vec<u32> = (0..RUN_FOUND as u32).collect();
        for place in [0, 70, 300] {
            let (mut a, mut b) = (own(1, 400), own(2, 500));
            a.splice(place..place, run.clone());
            b.splice(400..400, run.clone());
            assert_eq!(passages(&[words(&a), words(&b)]), 1, "{place}");
            // The run stands in both, but what it belongs to in only one place of the first.
            let often = [vec![run[5..15].to_vec(); 30].concat(), a].concat();
            assert_eq!(passages(&[words(&often), words(&b)]), 1, "repeated, {place}");
        }
    }

    #[test]
    fn words_of_notices_are_set_aside_for_the_first_look_only() {
        let texts = [own(1, 200), own(1, 200)].map(|text| words(&text));
        let mut pair = Pair::new(&texts[0], &texts[1], Key::Stem);
        let shared = pair.a.shared.clone();
        // Ranges overlap, and may reach beyond the text.
        let common: Arc<[Range<usize>]> = vec![10..60, 40..90, 150..300].into();
        let candidate = Candidate { text: 1, places: vec![Place::Words { own: 0 }], common };
        candidate.is_promising(&mut pair, Options::default(), |pair, _| {
            let left = |place: usize| pair.a.shared[place] != NONE;
            assert!((0..200).all(|place| left(place) == (place < 10 || (90..150).contains(&place))));
            false
        });
        assert_eq!(pair.a.shared, shared);
    }

    #[test]
    fn a_text_that_lost_its_accents_needs_no_first_look() {
        let bare: Vec<u32> = (100..300).collect();
        let full: Vec<u32> = bare.iter().map(|word| if word % 4 > 0 { word + 1000 } else { *word }).collect();
        let accented: Vec<(u32, u32)> = (0..)
            .zip(&bare)
            .filter(|(_, word)| **word % 4 > 0)
            .map(|(at, &word)| (at, word.wrapping_mul(31)))
            .collect();
        let texts = [words(&bare), Words::accented(words(&full).as_slice().to_vec(), &accented)];
        let candidate =
            Candidate { text: 1, places: vec![Place::Words { own: 0 }], common: std::iter::once(0..200).collect() };
        assert_eq!(aligned(&texts, &candidate), 1);
    }

    #[test]
    fn a_short_run_is_not_worth_an_alignment() {
        let (a, b) = (
            [own(1, 300), vec![1, 2, 3, 4, 5, 6], own(3, 300)].concat(),
            [own(2, 300), vec![1, 2, 3, 4, 5, 6]].concat(),
        );
        assert_eq!(passages(&[words(&a), words(&b)]), 0);
    }

    #[test]
    fn a_notice_is_no_passage_of_texts_that_share_nothing_else() {
        let notice: Vec<u32> = (0..60).collect();
        let text = |number, beside: &[u32]| {
            [own(number, 200), beside.to_vec(), own(number + 900, 3), notice.clone(), own(number + 500, 100)].concat()
        };
        let other: Vec<u32> = (500..508).collect();
        // Near the notice the first two have eight words in common, which make them candidates.
        let all = |beside: &[u32]| -> Vec<Words> {
            (0..80).map(|number| words(&text(number, if number < 2 { beside } else { &[] }))).collect()
        };
        let texts = all(&other);
        assert_eq!(passages(&texts), 0);
        assert_eq!(align(&texts[0], &texts[1], Key::Stem, Options::default()).len(), 1);
        let more: Vec<u32> = (500..540).collect();
        assert_eq!(passages(&all(&more)), 1, "with what stands beside it");
    }
}
