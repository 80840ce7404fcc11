//! Two texts, with their shared words numbered.

use std::borrow::Cow;
use std::ops::Range;

use libm::powf;

use super::background::{Background, Counted, Others};
use super::log_odds::{self, Known};
use super::words::{Order, Words};

/// Marks a word that the other text does not contain.
pub(super) const NONE: u32 = u32::MAX;

/// Two words that may match: a place in the first text, one in the second.
pub(super) type Anchor = (u32, u32);

/// Sorts anchors and removes duplicates.
pub(super) fn in_order(anchors: &mut Vec<Anchor>) {
    // One number is compared faster than two.
    anchors.sort_unstable_by_key(|&(a, b)| u64::from(a) << 32 | u64::from(b));
    anchors.dedup();
}

/// The form by which words are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// By stem: for two texts that were read in one language.
    Stem,
    /// By normal form: for texts of different languages, whose stems are not comparable.
    Form,
    /// By normal form without accents: for a text whose accents were dropped (`unaccented`).
    Folded,
}

impl Key {
    fn of(self, text: &Words, word: usize) -> u32 {
        match self {
            Self::Stem => text.as_slice()[word].stem,
            Self::Form => text.as_slice()[word].form,
            Self::Folded => text.folded_form(word),
        }
    }

    /// The background of two texts compared by this key: only stems of one language are counted.
    pub(super) fn others<'b>(self, background: &'b Background, texts: [Counted<'_>; 2], language: u32) -> Others<'b> {
        if self == Self::Stem { background.of_pair(texts, language) } else { Others::default() }
    }

    /// The words of a text by this form.
    fn order(self, text: &Words) -> Cow<'_, Order> {
        match self {
            Self::Stem => Cow::Borrowed(text.by_stem()),
            Self::Form | Self::Folded => Cow::Owned(Order::new((0..text.len()).map(|word| self.of(text, word)))),
        }
    }
}

/// Two texts and the words that they share.
pub(super) struct Pair<'t> {
    pub(super) a: Side<'t>,
    pub(super) b: Side<'t>,
    /// Frequency of each shared word, by the subjects of the texts ([`Self::set_subject`]); at first that of one
    /// subject.
    pub(super) frequencies: Vec<f32>,
    /// Frequency of each shared word in other documents.
    elsewhere: Vec<f32>,
    /// Weight of the other documents, from 0 to 1.
    weight: f32,
    /// The share of their subject that the texts have in common.
    in_common: f32,
    /// The words of each text that many documents share, as runs in order.
    pub(super) common: [&'t [Range<usize>]; 2],
}

/// One of two texts.
pub(super) struct Side<'t> {
    pub(super) text: &'t Words,
    /// The number of each word among the shared ones, or [`NONE`].
    pub(super) shared: Vec<u32>,
    order: Cow<'t, Order>,
    /// The range of `order` that holds each shared word's places.
    runs: Vec<Range<u32>>,
}

impl<'t> Side<'t> {
    fn new(text: &'t Words, order: Cow<'t, Order>, runs: Vec<Range<u32>>) -> Self {
        let mut shared = vec![NONE; text.len()];
        for (run, number) in runs.iter().zip(0..) {
            for &place in order.places(run) {
                shared[place as usize] = number;
            }
        }
        Self { text, shared, order, runs }
    }

    /// The places of a shared word, in order.
    pub(super) fn places(&self, shared: u32) -> &[u32] {
        self.order.places(&self.runs[shared as usize])
    }

    /// Calls `found` with its places within a short range, in order.
    pub(super) fn each_place_in(&self, shared: u32, range: Range<usize>, mut found: impl FnMut(u32)) {
        let (words, start) = (&self.shared[range.clone()], range.start as u32);
        // Most ranges do not contain the word. Finding that out is fast, as several words are compared at once.
        if words.contains(&shared) {
            (start..).zip(words).filter(|(_, word)| **word == shared).for_each(|(place, _)| found(place));
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }
}

impl<'t> Pair<'t> {
    /// A pair of texts without other documents.
    #[cfg(test)]
    pub(super) fn new(a: &'t Words, b: &'t Words, key: Key) -> Self {
        Self::among(a, b, key, Others::default())
    }

    /// Numbers the words that both texts contain. Cost: linear (unless by stem: sorting both).
    pub(super) fn among(a: &'t Words, b: &'t Words, key: Key, others: Others<'_>) -> Self {
        let orders = [a, b].map(|text| key.order(text));
        let weight = others.weight();
        let mut runs = [Vec::new(), Vec::new()];
        let (mut frequencies, mut elsewhere): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for shared in orders[0].shared(&orders[1]) {
            let places = [0, 1].map(|side| orders[side].places(&shared[side]));
            let stem = a.as_slice()[places[0][0] as usize].stem;
            let places = places.map(<[u32]>::len);
            let known = Known { frequency: others.frequency(stem, places), weight };
            elsewhere.push(known.frequency);
            frequencies.push(frequency_of(places, [a.len(), b.len()], known));
            runs.iter_mut().zip(shared).for_each(|(runs, run)| runs.push(run));
        }
        let ([order_a, order_b], [of_a, of_b]) = (orders, runs);
        let (a, b) = (Side::new(a, order_a, of_a), Side::new(b, order_b, of_b));
        Self { a, b, frequencies, elsewhere, weight, in_common: 1.0, common: [&[], &[]] }
    }

    /// The same pair; these words of its texts are shared by many documents.
    pub(super) fn with_common(self, common: [&'t [Range<usize>]; 2]) -> Self {
        Self { common, ..self }
    }

    /// Sets the frequencies from the share of their subject that the texts have in common (`topic`), from 0 to 1:
    /// the geometric mean of the frequencies of one subject and of two, weighted by it.
    pub(super) fn set_subject(&mut self, in_common: f32) {
        self.in_common = in_common;
        for word in 0..self.frequencies.len() as u32 {
            let frequency = self.frequency(word, self.known(word));
            self.frequencies[word as usize] = frequency;
        }
    }

    /// Frequency of a shared word by the two texts alone.
    pub(super) fn frequency_alone(&self, word: u32) -> f32 {
        if self.weight > 0.0 { self.frequency(word, Known::default()) } else { self.frequencies[word as usize] }
    }

    /// Frequency of a shared word, given that in other documents.
    fn frequency(&self, word: u32, known: Known) -> f32 {
        let places = [self.a.places(word).len(), self.b.places(word).len()];
        let words = [self.a.len(), self.b.len()];
        let one = frequency_of(places, words, known);
        if self.in_common < 1.0 {
            let two = log_odds::frequency_apart(places, words, known);
            two * powf(one / two, self.in_common)
        } else {
            one
        }
    }

    /// Frequency of a shared word if the texts have one subject, whatever was set.
    pub(super) fn frequency_of_one_subject(&self, word: u32) -> f32 {
        let places = [self.a.places(word).len(), self.b.places(word).len()];
        frequency_of(places, [self.a.len(), self.b.len()], self.known(word))
    }

    /// The frequency of a shared word in other documents.
    fn known(&self, word: u32) -> Known {
        Known { frequency: self.elsewhere[word as usize], weight: self.weight }
    }

    /// Weight of other documents, from 0 (there are none) to 1.
    pub(super) fn weight(&self) -> f32 {
        self.weight
    }

    /// Probability that a shared word stands by chance somewhere among `words` others.
    pub(super) fn chance(&self, shared: u32, words: f32) -> f32 {
        log_odds::chance(self.frequencies[shared as usize], words)
    }
}

/// Number of words that two ranges have in common.
pub(super) fn common(x: &Range<usize>, y: &Range<usize>) -> usize {
    x.end.min(y.end).saturating_sub(x.start.max(y.start))
}

/// Frequency of a word in two texts on one subject.
fn frequency_of(places: [usize; 2], words: [usize; 2], known: Known) -> f32 {
    log_odds::frequency(places.iter().sum(), words.iter().sum(), known)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::words;
    use super::*;

    proptest! {
        /// Two words are shared words of one number if they are the same.
        #[test]
        fn words_have_one_number_if_they_are_the_same(
            a in prop::collection::vec(0u32..12, 0..40),
            b in prop::collection::vec(4u32..16, 0..40),
        ) {
            let (first, second) = (words(&a), words(&b));
            let pair = Pair::new(&first, &second, Key::Stem);
            for (i, word) in a.iter().enumerate() {
                prop_assert_eq!(pair.a.shared[i] != NONE, b.contains(word));
                for (j, other) in b.iter().enumerate() {
                    prop_assert_eq!(pair.a.shared[i] != NONE && pair.a.shared[i] == pair.b.shared[j], word == other);
                }
                if pair.a.shared[i] != NONE {
                    let places: Vec<u32> = (0..).zip(&b).filter(|(_, other)| *other == word).map(|(at, _)| at).collect();
                    prop_assert_eq!(pair.b.places(pair.a.shared[i]), places);
                }
            }
        }
    }
}
