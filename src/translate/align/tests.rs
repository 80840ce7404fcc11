//! Borders of passages, and those that are longer than what is aligned at a time.

use proptest::prelude::*;

use super::around::{NEAR, to_sentences};
use super::*;
use crate::align::Word;
use crate::text::word_hash::mixed;
use crate::translate::index::tests::{language, lexicon, text};
use crate::translate::{Counterparts, Index};

/// Words of which these begin a sentence.
fn words(count: usize, starts: &[usize]) -> Words {
    let word = |number: usize| Word {
        start: number as u32 * 2,
        end: number as u32 * 2 + 1,
        form: 0,
        stem: 0,
        begins_sentence: starts.contains(&number),
        is_common: false,
    };
    Words::new((0..count).map(word).collect())
}

#[test]
fn a_border_moves_to_the_start_of_a_sentence_that_costs_least() {
    // Counterparts from 22 to 58; the one at 14 matches by chance, in a sentence without others.
    let evidence = |word: usize| if word == 14 || (22..58).contains(&word) { 2.0 } else { -0.5 };
    let of = |starts: &[usize], range| to_sentences(&words(80, starts), range, &(0..80), evidence);
    assert_eq!(of(&[10, 20, 60], 14..58), 20..60);
    // Outward, where the start of a sentence is left out.
    assert_eq!(of(&[10, 20, 60], 22..58), 20..60);
    // No sentence begins near, or only where much would be lost.
    assert_eq!(of(&[0, 44], 22..58), 22..58);
    assert_eq!(of(&[28, 52], 22..58), 22..58);
    // The ends of the text are borders, and nothing lies beyond those that were given.
    assert_eq!(to_sentences(&words(60, &[40]), 4..58, &(0..60), |_| 0.0), 0..60);
    assert_eq!(to_sentences(&words(80, &[20, 60]), 22..58, &(21..59), evidence), 22..58);
}

proptest! {
    #[test]
    fn borders_are_those_of_sentences_or_stay(
        starts in prop::collection::vec(0usize..70, 0..9),
        evidence in prop::collection::vec(-2.0f32..4.0, 70),
        range in (0usize..69).prop_flat_map(|start| (Just(start), start + 1..71)),
    ) {
        let of_text = words(70, &starts);
        let found = to_sentences(&of_text, range.0..range.1, &(0..70), |word| evidence[word]);
        let is_border = |word: usize| word == 0 || word == 70 || starts.contains(&word);
        prop_assert!(found.start < found.end && found.end <= 70);
        prop_assert!(is_border(found.start) || found.start == range.0);
        prop_assert!(is_border(found.end) || found.end == range.1);
        prop_assert!(found.start.abs_diff(range.0) <= NEAR && found.end.abs_diff(range.1) <= NEAR);
    }
}

#[test]
fn a_long_passage_is_one_and_ends_where_the_texts_part() {
    const ALL: usize = 700;
    let folder = tempfile::tempdir().unwrap();
    let lexicons = [lexicon(folder.path(), ALL)];
    // Words in no order; half of the passage's have no counterpart, and the translation is shorter by an eleventh.
    let number = |at: usize, salt: usize| mixed(mixed(0, salt as u64), at as u64) as usize % ALL;
    let own = |salt: usize, count: usize| (0..count).map(move |at| number(at, salt)).collect::<Vec<_>>();
    let passage = own(3, 1_600);
    let of_passage: Vec<usize> = (0..passage.len()).filter(|at| at % 11 != 5).map(|at| passage[at]).collect();
    let document = [own(1, 160), passage, own(2, 160)].concat();
    let changed = |(at, word): (usize, &usize)| if at % 2 == 0 { *word } else { number(at, 9) };
    let of_passage: Vec<usize> = of_passage.iter().enumerate().map(changed).collect();
    let end = 240 + of_passage.len();
    let source = [own(5, 240), of_passage, own(6, 240)].concat();
    let (words, vocabulary) = text("deu", &document, &lexicons);
    let (there, of_source) = text("eng", &source, &lexicons);
    let mut index = Index::default();
    index.add(0, language("deu"), &vocabulary);
    index.add(1, language("eng"), &of_source);
    index.complete();
    let counterparts = Counterparts::default();
    let asked = |vocabulary: &Vocabulary, from: &str, to: &str| {
        let to = language(to);
        counterparts.of(vocabulary, [language(from), to], &lexicons, index.postings(to))
    };
    let (asked_a, asked_b) = (asked(&vocabulary, "deu", "eng"), asked(&of_source, "eng", "deu"));
    let seeds = index.seeds(&vocabulary, &asked_a, language("eng"), |_| true);
    let a = Side { words: &words, vocabulary: &vocabulary, asked: &asked_a };
    let b = Side { words: &there, vocabulary: &of_source, asked: &asked_b };
    let found = translated(a, b, &seeds, Options::default());
    let borders: Vec<_> = found.iter().map(|passage| (passage.a.clone(), passage.b.clone())).collect();
    let [(of_a, of_b)] = &borders[..] else { panic!("{borders:?}") };
    // A sentence has eight words.
    assert_eq!((of_a, of_b), (&(160..1_760), &(240..end.next_multiple_of(8))));
    let is_in = |&(i, j): &(u32, u32)| of_a.contains(&(i as usize)) && of_b.contains(&(j as usize));
    assert!(
        found[0].matched.iter().all(is_in) && found[0].matched.is_sorted_by_key(|(i, _)| *i),
        "{:?}",
        found[0].matched
    );
}
