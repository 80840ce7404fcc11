//! Copies that lost their accents, as if typed on a keyboard that lacks them.
//!
//! Where one text has accents and a stretch of the other has none, the two are aligned a second time, by words without
//! accents. Of the passages found so, only those count in which one side has lost its accents: between other texts,
//! words that differ in their accents are different words. Such a passage takes the place of what the first alignment
//! found there, if it matches more words.
//!
//! Cost: a second alignment, of such texts only.

use super::pair::{Pair, Side, common};
use super::{Passage, Words};

/// Number of words with accents that a stretch without any would have, at the other text's rate, for a text that may
/// have lost its accents: if they came independently, one such stretch in 3,000 would have none.
const EXPECTED: usize = 8;

/// Minimum number of words with accents on one side of a passage whose other side has lost them.
const FEWEST: usize = 3;

/// The side of a passage that lost its accents has less than one for so many of the other side.
const LOST: usize = 4;

/// True if one of the texts, or a stretch of it, may have lost the accents that the other has.
pub(super) fn is_possible(a: &Words, b: &Words) -> bool {
    let lost = |bare: &Words, full: &Words| {
        full.folded().is_some() && bare.longest_bare() * full.accents() >= EXPECTED * full.len()
    };
    lost(a, b) || lost(b, a)
}

/// True if one of the texts has words without accents that the other has with accents, at least [`FEWEST`] of them. The
/// words of the pair are compared without accents.
pub(super) fn is_seen(pair: &Pair<'_>) -> bool {
    words_lost(pair).iter().sum::<usize>() >= FEWEST
}

/// True if so many different words have lost their accents that they are no coincidence of two languages, such as `à` and
/// `a`.
pub(super) fn is_plain(pair: &Pair<'_>) -> bool {
    words_lost(pair).len() >= EXPECTED
}

/// For each word that one of the texts has without accents and the other with them, the number of its places with them;
/// of the text that lost more.
fn words_lost(pair: &Pair<'_>) -> Vec<usize> {
    let words = || 0..pair.frequencies.len() as u32;
    let lost = |full: &Side<'_>, bare: &Side<'_>| {
        let is_bare = |word| bare.places(word).iter().any(|&place| !bare.text.has_accent(place as usize));
        let accents = |word| full.places(word).iter().filter(|&&place| full.text.has_accent(place as usize)).count();
        words()
            .map(|word| (accents(word), word))
            .filter(|&(accents, word)| accents > 0 && is_bare(word))
            .map(|(accents, _)| accents)
            .collect::<Vec<usize>>()
    };
    [lost(&pair.a, &pair.b), lost(&pair.b, &pair.a)]
        .into_iter()
        .max_by_key(|lost| lost.iter().sum::<usize>())
        .unwrap_or_default()
}

/// The passages `found`, with those found `without` accents.
pub(super) fn with(mut found: Vec<Passage>, without: Vec<Passage>, a: &Words, b: &Words) -> Vec<Passage> {
    for passage in without {
        let accents = [a.with_accents(passage.a.clone()), b.with_accents(passage.b.clone())];
        let (few, many) = (accents[0].min(accents[1]), accents[0].max(accents[1]));
        if many < FEWEST || few * LOST >= many {
            continue;
        }
        let replaced = |other: &Passage| 2 * common(&passage.a, &other.a) > other.a.len().min(passage.a.len());
        let known: usize = found.iter().filter(|other| replaced(other)).map(|other| other.matched.len()).sum();
        if passage.matched.len() > known {
            found.retain(|other| !replaced(other));
            found.push(passage);
        }
    }
    found.sort_by_key(|passage| (passage.a.start, passage.b.start));
    found
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::super::{Key, Options, Word, align};
    use super::*;

    /// A text of words, given by their numbers. Words of 1,000 and more have accents; without them they are the words
    /// less 1,000.
    fn text(words: &[u32]) -> Words {
        let word = |(at, &form): (u32, &u32)| {
            let (start, end) = (6 * at, 6 * at + 5);
            Word { start, end, form, stem: form, begins_sentence: at % 15 == 0, is_common: false }
        };
        let accented = (0..).zip(words).filter(|(_, form)| **form >= 1000).map(|(at, form)| (at, form - 1000));
        Words::accented((0..).zip(words).map(word).collect(), &accented.collect::<Vec<_>>())
    }

    /// Words of which each second has accents.
    fn accented(words: Range<u32>) -> Vec<u32> {
        words.map(|word| if word % 2 == 0 { word + 1000 } else { word }).collect()
    }

    fn found(a: &[u32], b: &[u32]) -> Vec<(Range<usize>, usize)> {
        let (a, b) = (text(a), text(b));
        let passages = align(&a, &b, Key::Stem, Options::default());
        passages.into_iter().map(|passage| (passage.a, passage.matched.len())).collect()
    }

    #[test]
    fn a_passage_that_lost_its_accents_is_found() {
        let bare: Vec<u32> = (100..200).collect();
        let mixed = [accented(300..400), bare.clone(), accented(400..500)].concat();
        for (a, b, place) in [(&mixed, accented(100..200), 100..200), (&accented(100..200), mixed.clone(), 0..100)] {
            assert_eq!(found(a, &b), [(place, 100)]);
        }
        // It takes the place of what is found by the words that never had any.
        assert_eq!(found(&bare, &accented(100..200)), [(0..100, 100)]);
    }

    #[test]
    fn words_with_other_accents_are_other_words() {
        // Each text has accents where the other has none.
        let other: Vec<u32> = (100..200).map(|word| if word % 2 == 1 { word + 1000 } else { word }).collect();
        let apart: Vec<u32> = (500..600).collect();
        assert_eq!(found(&[apart.clone(), accented(100..200)].concat(), &[other, apart].concat()).len(), 1);
    }

    #[test]
    fn few_accents_are_not_looked_for() {
        let few: Vec<u32> = (0..400).map(|word| if word % 40 == 0 { word + 1000 } else { word }).collect();
        let bare = text(&(0..400).collect::<Vec<u32>>());
        assert!(!is_possible(&text(&few), &bare) && !is_possible(&bare, &bare));
        assert!(is_possible(&text(&accented(0..400)), &bare));
        assert!(!is_possible(&text(&accented(0..400)), &text(&accented(0..400))));
    }
}
