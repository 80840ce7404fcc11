//! Boilerplate: runs of words that so many texts contain that they make no candidates by themselves.
//!
//! A licence notice in a thousand manual pages would be half a million pairs, all with the same passage. So runs that
//! stand in at least [`CROWD`] texts make no candidates, and neither do those beside one that stand in [`BESIDE`]: the
//! names in a notice vary, and at its ends winnowing keeps a run only in texts whose own words let it. Texts that share
//! anything else are found by that. Two kinds of copies are found however many there are: more than [`NOTICE`] words in
//! crowds on end, and two texts that consist mostly of such runs.
//!
//! All indexes of a search are counted together, so that a text is common whether it is archived or read.
//!
//! Cost: a pass over each index; for a text, a look-up of each of its runs in each index.

use std::ops::Range;
use std::sync::Arc;

use super::Words;
use super::candidates::{Candidates, Run as OfText, Runs, Search as OfIndex};
use super::hits::{Candidate, Hit, Place};
use super::passage_keys::{RUN, RUN_MARK, WINDOW, in_other_accents, winnow};
use super::rare::Rare;
use crate::runs::append_run;

/// Minimum number of texts with a run that makes no candidates.
pub const CROWD: usize = 64;

/// Minimum number of texts with a run that makes none beside a run in a crowd.
const BESIDE: usize = 4;

/// Maximum length, in words, of a notice: of the text in crowds on end that makes no candidates.
const NOTICE: usize = 200;

/// A run of a text.
struct Run {
    hash: u32,
    start: usize,
    /// Number of texts that contain it, counted up to [`CROWD`].
    texts: usize,
}

/// The crowds of several indexes.
#[derive(Debug)]
pub struct Boilerplate<'i> {
    indexes: Vec<&'i Candidates<'i>>,
    /// For each index, the texts that consist mostly of runs in crowds, ascending.
    copies: Vec<Vec<u32>>,
}

impl<'i> Boilerplate<'i> {
    /// Finds the crowds of indexes that are searched together.
    pub fn new(indexes: Vec<&'i Candidates<'i>>) -> Self {
        let mut runs: Vec<Vec<u32>> = indexes.iter().map(|index| vec![0; index.len()]).collect();
        for (number, index) in indexes.iter().enumerate() {
            for same in index.table().chunk_by(|x, y| x >> 32 == y >> 32) {
                let hash = (same[0] >> 32) as u32;
                let is_known = || indexes[..number].iter().any(|index| !index.entries(hash).is_empty());
                let is_rare = indexes.len() == 1 && same.len() < CROWD;
                if hash & RUN_MARK == 0 || is_rare || is_known() || texts_with(&indexes, hash) < CROWD {
                    continue;
                }
                for (index, runs) in indexes.iter().zip(&mut runs) {
                    for &entry in index.entries(hash) {
                        // An inconsistent index has entries of no text.
                        if let Some(runs) = runs.get_mut(index.text_of(entry as u32) as usize) {
                            *runs += 1;
                        }
                    }
                }
            }
        }
        let copies = |(index, runs): (&&Candidates<'_>, &Vec<u32>)| {
            let is_copy = |&text: &u32| is_mostly(runs[text as usize] as usize, index.words_at_most(text as usize));
            (0..runs.len() as u32).filter(is_copy).collect()
        };
        Self { copies: indexes.iter().zip(&runs).map(copies).collect(), indexes }
    }

    /// Prepares for queries, on one thread.
    pub fn search(&self) -> Search<'_> {
        let indexes = self.indexes.iter().map(|index| index.search()).collect();
        Search { crowds: self, indexes, rare: Rare::new(self.indexes.clone()) }
    }

    /// The runs of a text; true if it consists mostly of runs in crowds.
    fn runs(&self, text: &Words) -> (Runs, bool) {
        let mut all: Vec<Run> = Vec::new();
        winnow(text.forms(), &mut |hash, start| {
            all.push(Run { hash, start, texts: texts_with(&self.indexes, hash) });
        });
        let mut are_common: Vec<bool> = (0..all.len()).map(|at| is_common(&all, at)).collect();
        let is_copy = is_mostly(are_common.iter().filter(|is| **is).count(), text.len());
        let mut common: Vec<Range<usize>> = Vec::new();
        let mut first = 0;
        for same in are_common.chunk_by_mut(|x, y| x == y) {
            let (from, to) = (all[first].start, all[first + same.len() - 1].start + RUN);
            first += same.len();
            if to - from > NOTICE {
                same.fill(false);
            } else if same[0] {
                append_run(&mut common, from.saturating_sub(WINDOW)..to + WINDOW);
            }
        }
        let runs = all.iter().zip(are_common);
        let runs = runs.map(|(run, is_common)| OfText { hash: run.hash, start: run.start as u32, is_common }).collect();
        (Runs { runs, common }, is_copy)
    }
}

/// True if a run stands in a crowd, or beside one and in enough texts.
fn is_common(runs: &[Run], at: usize) -> bool {
    let Run { start, texts, .. } = runs[at];
    let near = |other: &&Run| other.start.abs_diff(start) <= WINDOW + RUN;
    let is_beside = || {
        let before = runs[..at].iter().rev().take_while(near);
        before.chain(runs[at..].iter().take_while(near)).any(|other| other.texts >= CROWD)
    };
    texts >= CROWD || texts >= BESIDE && is_beside()
}

/// Queries the indexes, one text after another.
pub struct Search<'i> {
    crowds: &'i Boilerplate<'i>,
    indexes: Vec<OfIndex<'i>>,
    rare: Rare<'i>,
}

impl Search<'_> {
    /// For each index the texts that may share a passage with this one, in order. A text is found by its rare words if
    /// this one `is_compared` with it, given the numbers of index and text; others may be among the rest.
    pub fn of(&mut self, text: &Words, is_compared: impl Fn(usize, u32) -> bool) -> Vec<Vec<Candidate>> {
        let (runs, is_copy) = self.crowds.runs(text);
        let of_index = |(index, copies): (&mut OfIndex<'_>, &Vec<u32>)| {
            index.of(text, &runs, |text| is_copy && copies.binary_search(&text).is_ok())
        };
        let mut found: Vec<Vec<Hit>> = self.indexes.iter_mut().zip(&self.crowds.copies).map(of_index).collect();
        let indexes = &self.crowds.indexes;
        in_other_accents(text, runs.runs.iter().map(|run| run.hash), |key| {
            // Most keys stand in no text, and need not be counted.
            if indexes.iter().any(|index| !index.entries(key).is_empty()) && texts_with(indexes, key) < CROWD {
                for (index, found) in indexes.iter().zip(&mut found) {
                    found.extend(index.texts(key).map(|text| Hit { text, place: Place::Anywhere }));
                }
            }
        });
        self.rare.add(text, &runs.common, is_compared, &mut found);
        let common: Arc<[Range<usize>]> = runs.common.into();
        found.into_iter().map(|met| Candidate::all(met, &common)).collect()
    }
}

/// True if so many runs are more than half of a text's words. On average winnowing keeps two runs of every
/// [`WINDOW`] + 1.
fn is_mostly(runs: usize, words: usize) -> bool {
    runs * (WINDOW + 1) > words
}

/// Number of texts of all indexes that contain a run, counted up to [`CROWD`].
pub(super) fn texts_with(indexes: &[&Candidates<'_>], hash: u32) -> usize {
    let mut found = 0;
    for index in indexes {
        found += index.texts_with(hash, CROWD - found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::tests::words;
    use super::*;

    /// Number of texts of a test: more than a crowd.
    const MANY: u32 = CROWD as u32 + 20;

    /// Different words for each number.
    fn own(number: u32, length: u32) -> Vec<u32> {
        (0..length).map(|word| 1_000_000 + number * 10_000 + word).collect()
    }

    /// Texts, each of the common words in its own.
    fn texts(common: u32, own_words: u32) -> Vec<Vec<u32>> {
        let common: Vec<u32> = (0..common).collect();
        (0..MANY)
            .map(|number| [own(number, own_words), common.clone(), own(MANY + number, own_words)].concat())
            .collect()
    }

    /// The candidates of the first text among all, itself included.
    fn of_first(texts: &[Vec<u32>]) -> Vec<u32> {
        let texts: Vec<Words> = texts.iter().map(|text| words(text)).collect();
        let index = Candidates::new(&texts);
        Boilerplate::new(vec![&index])
            .search()
            .of(&texts[0], |_, _| true)
            .remove(0)
            .iter()
            .map(Candidate::text)
            .collect()
    }

    #[test]
    fn a_notice_makes_no_candidates_and_anything_else_does() {
        let mut texts = texts(60, 150);
        assert_eq!(of_first(&texts), [0]);
        let few = &texts[..CROWD - 1];
        assert_eq!(of_first(few).len(), few.len(), "a notice in few texts is found in all");
        let shared = texts[0][10..35].to_vec();
        texts[70].splice(40..40, shared);
        // Beside the notice, where common words are set aside.
        let beside = texts[0][210..235].to_vec();
        texts[71].splice(210..210, beside);
        assert_eq!(of_first(&texts), [0, 70, 71]);
    }

    #[test]
    fn copies_are_found_however_many_there_are() {
        let all: Vec<u32> = (0..MANY).collect();
        assert_eq!(of_first(&texts(180, 20)), all, "most of each text");
        assert_eq!(of_first(&texts(NOTICE as u32 + 50, 400)), all, "a long part of each text");
        assert_eq!(of_first(&texts(400, 0)), all, "whole texts");
    }

    #[test]
    fn names_in_a_notice_may_vary() {
        let mut texts = texts(60, 150);
        for (text, number) in texts.iter_mut().zip(0..) {
            // Four teams, each in more texts than `BESIDE`.
            text.splice(180..180, own(500 + number % 4, 8));
        }
        assert_eq!(of_first(&texts), [0]);
    }

    #[test]
    fn a_crowd_may_be_spread_over_several_indexes() {
        let texts: Vec<Words> = texts(60, 150).iter().map(|text| words(text)).collect();
        let (some, others) = texts.split_at(texts.len() / 2);
        let (first, second) = (Candidates::new(some), Candidates::new(others));
        let found = Boilerplate::new(vec![&first, &second]).search().of(&texts[0], |_, _| true);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(Boilerplate::new(vec![&second]).search().of(&texts[0], |_, _| true)[0].len(), others.len());
    }
}
