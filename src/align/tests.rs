//! Alignment of synthetic texts, with passages copied from one to the other.

use std::ops::Range;

use proptest::prelude::*;

use super::*;

/// A pseudo-random generator with a fixed seed.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    /// Words distributed as in a language: half of them from a few common ones, the others rare.
    fn text(&mut self, words: usize) -> Vec<u32> {
        (0..words)
            .map(|_| if self.below(2) == 0 { self.below(60) as u32 } else { 60 + self.below(20_000) as u32 })
            .collect()
    }
}

/// A text of words, given by their stems.
pub(super) fn words(stems: &[u32]) -> Words {
    let word = |(i, &stem): (usize, &u32)| Word {
        start: 6 * i as u32,
        end: 6 * i as u32 + 5,
        form: stem.wrapping_mul(31),
        stem,
        begins_sentence: i % 15 == 0,
        is_common: false,
    };
    Words::new(stems.iter().enumerate().map(word).collect())
}

/// The spans of a passage in both texts.
type Spans = (Range<usize>, Range<usize>);

fn spans(a: &[u32], b: &[u32]) -> Vec<Spans> {
    let passages = align(&words(a), &words(b), Key::Stem, Options::default());
    passages.into_iter().map(|passage| (passage.a, passage.b)).collect()
}

/// Two texts, the second with a passage of the first that has `length` words there, and its spans.
fn with_passage(
    numbers: &mut Numbers,
    length: usize,
    disguise: impl Fn(&mut Numbers, &[u32]) -> Vec<u32>,
) -> ([Vec<u32>; 2], Spans) {
    let a = numbers.text(1500);
    let at = 15 * (1 + numbers.below(60));
    let copy = disguise(numbers, &a[at..at + length]);
    let (before, after) = (15 * (1 + numbers.below(40)), numbers.below(600));
    let b = [numbers.text(before), copy.clone(), numbers.text(after)].concat();
    ([a, b], (at..at + length, before..before + copy.len()))
}

fn is_about(found: &Range<usize>, truth: &Range<usize>, off: usize) -> bool {
    found.start.abs_diff(truth.start) <= off && found.end.abs_diff(truth.end) <= off
}

fn assert_found(numbers: &mut Numbers, length: usize, off: usize, disguise: impl Fn(&mut Numbers, &[u32]) -> Vec<u32>) {
    for _ in 0..40 {
        let ([a, b], truth) = with_passage(numbers, length, &disguise);
        let found = spans(&a, &b);
        assert_eq!(found.len(), 1, "{found:?} for {truth:?}");
        assert!(
            is_about(&found[0].0, &truth.0, off) && is_about(&found[0].1, &truth.1, off),
            "{found:?} for {truth:?}"
        );
    }
}

#[test]
fn a_verbatim_passage_has_exact_borders() {
    assert_found(&mut Numbers(1), 60, 2, |_, copy| copy.to_vec());
}

#[test]
fn replaced_and_dropped_words_do_not_hide_a_copy() {
    assert_found(&mut Numbers(2), 120, 10, |numbers, copy| {
        let mut copy = copy.to_vec();
        for _ in 0..copy.len() / 4 {
            let at = numbers.below(copy.len());
            copy[at] = 60 + numbers.below(20_000) as u32;
        }
        copy.retain(|_| numbers.below(8) != 0);
        copy
    });
}

#[test]
fn shuffled_words_do_not_hide_a_copy() {
    assert_found(&mut Numbers(3), 120, 10, |numbers, copy| {
        let mut copy = copy.to_vec();
        for window in copy.chunks_mut(12) {
            for i in (1..window.len()).rev() {
                window.swap(i, numbers.below(i + 1));
            }
        }
        copy
    });
}

#[test]
fn sentences_in_another_order_are_one_passage() {
    assert_found(&mut Numbers(4), 120, 6, |_, copy| {
        let sentences: Vec<&[u32]> = copy.chunks(15).collect();
        [5, 2, 7, 0, 4, 1, 6, 3].iter().flat_map(|&i| sentences[i].iter().copied()).collect()
    });
}

#[test]
fn strangers_share_nothing() {
    let mut numbers = Numbers(5);
    for _ in 0..200 {
        let (a, b) = (numbers.text(1500), numbers.text(1500));
        assert_eq!(spans(&a, &b), []);
    }
}

#[test]
fn two_passages_far_apart_are_two() {
    let mut numbers = Numbers(6);
    for _ in 0..20 {
        let a = numbers.text(2000);
        let b = [&a[300..400], &numbers.text(150), &a[1200..1320]].concat();
        let found = spans(&a, &b);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(is_about(&found[0].0, &(300..400), 3) && is_about(&found[1].0, &(1200..1320), 3), "{found:?}");
    }
}

#[test]
fn a_long_sentence_put_in_or_left_out_does_not_cut_a_passage() {
    let mut numbers = Numbers(9);
    for _ in 0..20 {
        let a = numbers.text(1000);
        let b = [&numbers.text(200), &a[300..400], &numbers.text(50), &a[400..500], &numbers.text(200)].concat();
        for (a, b, [x, y]) in [(&a, &b, [300..500, 200..450]), (&b, &a, [200..450, 300..500])] {
            let found = spans(a, b);
            assert!(found.len() == 1 && is_about(&found[0].0, &x, 3) && is_about(&found[0].1, &y, 3), "{found:?}");
        }
        // Passages from two different places stay two, and so do two with as many words between them in both
        // texts.
        let b = [&a[100..200], &a[500..600]].concat();
        assert_eq!(spans(&a, &b).len(), 2);
        let b = [&a[100..200], &numbers.text(50), &a[250..350]].concat();
        assert_eq!(spans(&a, &b).len(), 2);
    }
}

/// A text that quotes another and then says it again in other words.
#[test]
fn a_rewritten_copy_behind_a_verbatim_one_is_found_too() {
    let mut numbers = Numbers(12);
    for _ in 0..20 {
        let b = numbers.text(600);
        let others = numbers.text(90);
        let again: Vec<u32> =
            b[200..290].iter().zip(&others).enumerate().map(|(at, (&x, &y))| if at % 4 == 3 { y } else { x }).collect();
        let a = [&numbers.text(300), &b[200..300], &again[..], &numbers.text(300)].concat();
        let found = spans(&a, &b);
        let (from, to) = (found[0].0.start, found[found.len() - 1].0.end);
        assert!(is_about(&(from..to), &(300..490), 6), "{found:?}");
    }
}

/// The words of a copy match in order, although phrases are repeated in it.
#[test]
fn a_phrase_that_is_repeated_has_its_own_counterpart() {
    let mut numbers = Numbers(10);
    let phrase = numbers.text(7);
    let copied: Vec<u32> = (0..8).flat_map(|_| [&phrase[..], &numbers.text(3)].concat()).collect();
    let a = [&numbers.text(60), &copied[..], &numbers.text(60)].concat();
    let b = [&numbers.text(33), &copied[..], &numbers.text(91)].concat();
    let found = align(&words(&a), &words(&b), Key::Stem, Options::default());
    let own = (60..60 + copied.len() as u32).map(|i| (i, i - 60 + 33));
    assert!(found.len() == 1 && own.into_iter().all(|pair| found[0].matched.contains(&pair)), "{found:?}");
}

#[test]
fn a_text_and_itself_share_everything() {
    let mut numbers = Numbers(7);
    for text in [numbers.text(3000), numbers.text(30), vec![1; 500], vec![3], [1, 2].repeat(200), numbers.text(7)] {
        assert_eq!(spans(&text, &text), [(0..text.len(), 0..text.len())]);
    }
    assert_eq!(spans(&[], &[]), []);
    assert_eq!(spans(&[], &[1, 2, 3]), []);
}

/// A source that repeats a passage with a word replaced, before the passage or after it, in 40 texts.
#[test]
fn the_better_of_two_places_is_taken() {
    let mut numbers = Numbers(11);
    for case in 0..40 {
        let (passage, gap) = (numbers.text(113), 40 * numbers.below(20));
        let mut poorer = passage.clone();
        poorer[5 + numbers.below(100)] = 1_000_000;
        let a = [numbers.text(300), passage.clone(), numbers.text(300)].concat();
        let (before, between) = (numbers.text(300), numbers.text(gap));
        let places = [300, 300 + 113 + gap];
        let (first, second) = if case % 2 == 0 { (&passage, &poorer) } else { (&poorer, &passage) };
        let b = [&before, first, &between, second, &numbers.text(400)].map(Vec::as_slice).concat();
        let found = align(&words(&a), &words(&b), Key::Stem, Options::default());
        let near =
            |place: usize, words: &Range<usize>| words.start.abs_diff(place) <= 12 && words.len().abs_diff(113) <= 16;
        let (better, other) = (places[case % 2], places[1 - case % 2]);
        assert!(found.len() == 1 && near(better, &found[0].b), "{case}: {found:?}");
        // Places close to each other are one neighbourhood, of which only the best part is found.
        assert!(gap < 200 || found[0].elsewhere.len() == 1 && near(other, &found[0].elsewhere[0]), "{case}: {found:?}");
    }
}

#[test]
fn texts_of_two_languages_meet_by_forms() {
    let mut numbers = Numbers(8);
    let text = numbers.text(200);
    let a = words(&text);
    let b: Vec<Word> = a.as_slice().iter().map(|word| Word { stem: !word.stem, ..*word }).collect();
    let b = Words::new(b);
    assert!(align(&a, &b, Key::Stem, Options::default()).is_empty());
    assert_eq!(align(&a, &b, Key::Form, Options::default()).len(), 1);
}

#[test]
fn time_is_about_linear_in_hostile_texts() {
    // One word, two words, a refrain: with quadratic seeds these would take minutes.
    let mut numbers = Numbers(9);
    let refrain = numbers.text(40);
    for text in [vec![7; 30_000], [7, 8].repeat(15_000), refrain.repeat(750)] {
        let mut other = numbers.text(50);
        other.extend(&text[..text.len() - 100]);
        let found = spans(&text, &other);
        assert!(found.len() <= 1000, "{}", found.len());
    }
}

/// Replaces every seventh word.
fn every_seventh_replaced(numbers: &mut Numbers, copy: &[u32]) -> Vec<u32> {
    let mut copy = copy.to_vec();
    copy.iter_mut().step_by(7).for_each(|word| *word = 60 + numbers.below(20_000) as u32);
    copy
}

/// Long texts are aligned in stretches; a passage across their borders stays one.
#[test]
fn a_passage_across_stretches_is_one() {
    let mut numbers = Numbers(12);
    for start in [2000, 2300, 2480, 4990] {
        let a = numbers.text(9000);
        let copied = every_seventh_replaced(&mut numbers, &a[start..start + 3000]);
        let b = [numbers.text(400), copied, numbers.text(400)].concat();
        let found = spans(&a, &b);
        assert!(found.len() == 1 && is_about(&found[0].0, &(start..start + 3000), 3), "{found:?}");
        assert!(is_about(&found[0].1, &(400..3400), 3), "{found:?}");
    }
}

#[test]
fn stretches_on_several_threads_give_the_same_passages() {
    let mut numbers = Numbers(14);
    for starts in [[200, 2300], [1900, 3400], [2450, 3600]] {
        let a = numbers.text(5200);
        let mut copied = |start: usize| every_seventh_replaced(&mut numbers, &a[start..start + 1200]);
        let b = starts.map(&mut copied).concat();
        let (a, b) = (words(&a), words(&b));
        let on = |threads| format!("{:?}", align(&a, &b, Key::Stem, Options { threads, ..Options::default() }));
        assert!(memory_bound::at_once(a.len() + b.len(), 3, 3) > 1);
        assert_eq!([on(2), on(5)], [on(1), on(1)]);
        assert_ne!(on(1), "[]");
    }
}

/// A text of one repeated word has more candidates than one batch.
#[test]
fn words_of_texts_that_repeat_one_have_counterparts_each() {
    let mut numbers = Numbers(13);
    for text in [vec![7; 8000], [7, 8].repeat(4000), numbers.text(11).repeat(700)] {
        let other = [&text[..], &numbers.text(5)].concat();
        let found = align(&words(&text), &words(&other), Key::Stem, Options::default());
        let mut matched: Vec<u32> = found.iter().flat_map(|passage| &passage.matched).map(|pair| pair.0).collect();
        matched.sort_unstable();
        matched.dedup();
        assert!(matched.len() * 100 >= text.len() * 99, "{} of {}", matched.len(), text.len());
        let twice = found.iter().any(|passage| {
            let mut there: Vec<u32> = passage.matched.iter().map(|pair| pair.1).collect();
            there.sort_unstable();
            there.windows(2).any(|pair| pair[0] == pair[1])
        });
        assert!(!twice || found.len() > 1, "a word stands for one");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A run of the promised length is in a passage, whatever surrounds it.
    #[test]
    fn a_shared_run_is_found(seed: u64, length in 20usize..40) {
        let mut numbers = Numbers(seed);
        let ([a, b], truth) = with_passage(&mut numbers, length, |_, copy| copy.to_vec());
        let found = spans(&a, &b);
        let covers = |x: &Range<usize>, y: &Range<usize>| x.start <= y.start + 2 && x.end + 2 >= y.end;
        prop_assert!(found.iter().any(|found| covers(&found.0, &truth.0) && covers(&found.1, &truth.1)), "{:?} for {:?}", found, truth);
    }

    #[test]
    fn passages_are_in_order_and_inside_their_texts(
        a in prop::collection::vec(0u32..12, 0..300),
        b in prop::collection::vec(0u32..12, 0..300),
    ) {
        let passages = align(&words(&a), &words(&b), Key::Stem, Options::default());
        for passage in &passages {
            prop_assert!(passage.a.end <= a.len() && passage.b.end <= b.len());
            prop_assert!(passage.matched.iter().all(|&(i, j)| a[i as usize] == b[j as usize]));
            prop_assert!(passage.matched.iter().all(|&(i, j)| passage.a.contains(&(i as usize)) && passage.b.contains(&(j as usize))));
            prop_assert!(passage.matched.is_sorted());
        }
        prop_assert!(passages.is_sorted_by_key(|passage| passage.a.start));
    }
}

/// A patchwork: many pieces, each between unshared words.
#[test]
fn every_piece_of_a_patchwork_is_found() {
    let mut numbers = Numbers(11);
    let (mut a, mut b, mut pieces) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..60 {
        let piece = numbers.text(25);
        for text in [&mut a, &mut b] {
            text.extend(numbers.text(45));
        }
        pieces.push(a.len()..a.len() + 25);
        a.extend(&piece);
        b.extend(&piece);
    }
    let found = spans(&a, &b);
    for piece in pieces {
        let words = piece.clone().filter(|word| found.iter().any(|(here, _)| here.contains(word))).count();
        assert!(words >= 22, "{words} words of {piece:?}");
    }
}

proptest! {
    /// The promise about runs of equal words also holds in texts that repeat themselves.
    #[test]
    fn a_run_of_equal_words_is_found(
        sentence in prop::collection::vec(0u32..300, 20..30),
        times in 1usize..40,
        around in [prop::collection::vec(300u32..600, 0..200), prop::collection::vec(600u32..900, 0..200)],
    ) {
        let run = sentence.repeat(times);
        let [a, b] = around.map(|words| [&words[..], &run, &words[..words.len() / 2]].concat());
        let found = spans(&a, &b);
        let covered = (0..a.len()).filter(|word| found.iter().any(|(here, _)| here.contains(word))).count();
        prop_assert!(covered * 10 >= run.len() * 9, "{covered} of {} in {found:?}", run.len());
    }
}
