//! Borders of passages.

use proptest::prelude::*;

use super::around::{NEAR, to_sentences};
use crate::align::{Word, Words};

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
