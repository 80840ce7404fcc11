//! The likeliest of the languages that share a script, and the confidence.
//!
//! A language has two scores from 0 to 1. By its alphabet: the letters of the text that it has less those that it
//! lacks. By its trigrams: how near their ranks in the text are to those in its profile. A weight that depends on
//! the length combines them; the confidence is the lead of the best language over the second.
//!
//! All figures are computed in whatlang's order of operations, as the results must have the same bits.
//!
//! Cost: 5 ns for a different trigram of the text.

use std::cmp::{Ordering, Reverse};

use whatlang::Lang;

use crate::profiles::{self, COMPARED, MAX_LANGUAGES, Matches, Profiles, RANKS};
use crate::trigrams::{Counter, Trigrams, ones};

/// Lead from which the confidence is 1, for texts with very many trigrams.
const LEAD: f64 = 0.015;

/// Memory that one text after another uses.
#[derive(Debug, Default)]
pub(crate) struct Scorer {
    counter: Counter,
    trigrams: Trigrams,
    /// The numbers of the letters in the profiles.
    numbers: Vec<u8>,
    /// The number of occurrences of the letters.
    occurrences: Vec<usize>,
    matches: Matches,
}

/// Evidence in a text for each language of a script, whatlang's first.
struct Evidence {
    /// Number of letters of the text.
    letters: usize,
    /// Number of letters that the alphabet has, minus the number of those that it lacks, at least 0.
    alphabets: [usize; MAX_LANGUAGES],
    /// Number of trigrams that were compared.
    trigrams: u16,
    /// Sums of the differences of ranks.
    distances: [u32; MAX_LANGUAGES],
}

/// The likeliest languages of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Likeliest {
    /// The likeliest of whatlang's languages.
    pub(crate) lang: Lang,
    /// whatlang's confidence in it.
    pub(crate) confidence: f64,
    /// The code of the likeliest of the languages that whatlang lacks, if it is likelier, and the confidence in it.
    pub(crate) other: Option<(&'static str, f64)>,
}

impl Scorer {
    /// The likeliest languages of a text among those of the profiles at `place`.
    pub(crate) fn likeliest(&mut self, place: usize, text: &str) -> Likeliest {
        let profiles = profiles::of_script(place);
        let evidence = self.evidence(profiles, text);
        let scores = evidence.scores(profiles);
        let (of_langs, of_others) = scores[..profiles.count()].split_at(profiles.langs.len());
        let (best, first, second) = evidence.best(profiles, of_langs);
        let likelier = |(code, score): (&&'static str, &f64)| {
            (*score > first).then(|| (*code, confidence(*score, first, evidence.trigrams)))
        };
        Likeliest {
            lang: profiles.langs[best],
            confidence: confidence(first, second, evidence.trigrams),
            other: profiles.others.iter().zip(of_others).max_by(|a, b| a.1.total_cmp(b.1)).and_then(likelier),
        }
    }

    /// The distances of profiles and the scores of alphabets.
    #[cfg(test)]
    pub(crate) fn raw(&mut self, profiles: &Profiles, text: &str) -> ([u32; MAX_LANGUAGES], [usize; MAX_LANGUAGES]) {
        let evidence = self.evidence(profiles, text);
        (evidence.distances, evidence.alphabets)
    }

    fn evidence(&mut self, profiles: &Profiles, text: &str) -> Evidence {
        let Self { counter, trigrams, numbers, occurrences, matches } = self;
        counter.find(text, trigrams);
        numbers.clear();
        numbers.extend(trigrams.letters.iter().map(|letter| profiles.number(*letter)));
        occurrences.clear();
        occurrences.resize(trigrams.letters.len(), 0);
        trigrams.each(|letters, count, rank| {
            // Every letter is in the middle of one trigram.
            occurrences[letters[1]] += count as usize;
            if (rank as usize) < COMPARED {
                profiles.find(letters.map(|letter| numbers[letter]), rank, matches);
            }
        });
        occurrences[0] = 0;
        let compared = trigrams.len().min(COMPARED) as u16;
        let distances = profiles.distances(matches).map(|nearer| distance(nearer, compared));
        Evidence {
            letters: occurrences.iter().sum(),
            alphabets: self.alphabets(profiles),
            trigrams: compared,
            distances,
        }
    }

    /// Number of letters of the text that each alphabet has less number of those that it lacks, at least 0.
    fn alphabets(&self, profiles: &Profiles) -> [usize; MAX_LANGUAGES] {
        let every = u64::MAX >> (u64::BITS as usize - profiles.count());
        let letters: usize = self.occurrences.iter().sum();
        // The letters that an alphabet has are counted in one of two ways, the shorter: most are in most alphabets or
        // in few.
        let mut had_by_most = 0;
        let mut had = [0; MAX_LANGUAGES];
        let mut lacked = [0; MAX_LANGUAGES];
        for (number, count) in self.numbers.iter().zip(&self.occurrences) {
            let having = profiles.alphabets(*number);
            if 2 * having.count_ones() < every.count_ones() {
                for language in ones(having) {
                    had[language] += count;
                }
            } else {
                had_by_most += count;
                for language in ones(every & !having) {
                    lacked[language] += count;
                }
            }
        }
        std::array::from_fn(|language| (2 * (had_by_most + had[language] - lacked[language])).saturating_sub(letters))
    }
}

impl Evidence {
    /// The score of each language.
    fn scores(&self, profiles: &Profiles) -> [f64; MAX_LANGUAGES] {
        let mut scores = [0.0; MAX_LANGUAGES];
        let (letters, alphabets) = self.letters(profiles);
        let weight = (-(letters as f64 / 300.0) + 2.0 / 3.0).clamp(1.0 / 3.0, 2.0 / 3.0);
        let farthest = u32::from(self.trigrams) * u32::from(RANKS);
        for language in 0..profiles.count() {
            let by_alphabet = alphabets[language] as f64 / letters as f64;
            let by_trigrams = f64::from(farthest - self.distances[language]) / f64::from(farthest);
            scores[language] = by_alphabet * weight + by_trigrams * (1.0 - weight);
        }
        scores
    }

    /// The letters of the text, and of those that each alphabet has; where there are no alphabets they do not count.
    fn letters(&self, profiles: &Profiles) -> (usize, [usize; MAX_LANGUAGES]) {
        if profiles.has_alphabets { (self.letters, self.alphabets) } else { (1, [1; MAX_LANGUAGES]) }
    }

    /// The place of the best of whatlang's languages, given their scores, its score and that of the second.
    fn best(&self, profiles: &Profiles, scores: &[f64]) -> (usize, f64, f64) {
        let count = scores.len();
        let largest = scores.iter().copied().fold(0.0, f64::max);
        let mut leaders = (0..count).filter(|language| scores[*language] >= largest);
        let first = leaders.next().unwrap_or_default();
        if leaders.next().is_some() {
            let (_, alphabets) = self.letters(profiles);
            return (first_of_equals(&alphabets[..count], scores), largest, largest);
        }
        let others = scores.iter().enumerate().filter(|(language, _)| *language != first);
        (first, largest, others.map(|(_, score)| *score).fold(0.0, f64::max))
    }
}

/// The distance of a profile from a text of which so many trigrams are compared.
fn distance(nearer: i32, trigrams: u16) -> u32 {
    let ranks = i32::from(RANKS);
    let missing = i32::from(RANKS.saturating_sub(trigrams)) * ranks;
    (ranks * ranks + nearer - missing).clamp(0, ranks * ranks).unsigned_abs()
}

/// The best of languages of which several have the same score.
///
/// whatlang sorts the languages twice, by alphabet and by score, and takes the first. The unstable sort of as many
/// elements of the same size leaves equal scores in the same order.
fn first_of_equals(alphabets: &[usize], scores: &[f64]) -> usize {
    let mut by_alphabet: Vec<(u8, usize)> = (0..).zip(alphabets.iter().copied()).collect();
    by_alphabet.sort_unstable_by_key(|(_, score)| Reverse(*score));
    let mut by_score: Vec<(u8, f64)> =
        by_alphabet.into_iter().map(|(language, _)| (language, scores[usize::from(language)])).collect();
    by_score.sort_unstable_by(|a, b| b.1.partial_cmp(&a.1).unwrap_or(Ordering::Less));
    usize::from(by_score[0].0)
}

/// The confidence in a language from its score, that of the second and the number of trigrams.
fn confidence(first: f64, second: f64, trigrams: u16) -> f64 {
    if first == 0.0 {
        return 0.0;
    }
    if second == 0.0 {
        return first;
    }
    let certain = (3.0 / f64::from(trigrams)) + LEAD;
    let lead = (first - second) / second;
    if lead > certain { 1.0 } else { lead / certain }
}
