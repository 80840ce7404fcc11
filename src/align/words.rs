//! A text as a list of words and their places.

use std::ops::Range;

/// Hash of a sequence of words, each given as a number; the order counts.
pub fn hash_of_run(words: impl IntoIterator<Item = u32>) -> u64 {
    words
        .into_iter()
        .fold(0, |hash: u64, word| (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29))
}

/// One word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Start, in bytes of the text.
    pub start: u32,
    /// End, in bytes of the text.
    pub end: u32,
    /// Hash of its normal form.
    pub form: u32,
    /// Hash of its stem.
    pub stem: u32,
    /// True if a sentence or a paragraph begins with it.
    pub begins_sentence: bool,
    /// True for a stop word of its language.
    pub is_common: bool,
}

/// The words of a text in order, with an index by stem.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_field_names, reason = "the words of a text are its words")]
pub struct Words {
    words: Vec<Word>,
    by_stem: Order,
    /// Hash of each word without its accents; empty for a text with few accents ([`Words::ACCENTED`]).
    folded: Vec<u32>,
    /// Number of words with accents.
    accents: usize,
    /// Length of the longest run of words without accents.
    bare: usize,
}

impl Words {
    /// Maximum number of words of a text that are compared: two texts of this length take 50 MB, their index at
    /// most 55 MB, and aligning them some 100 MB. The longest novels have half as many.
    pub const MOST: usize = if cfg!(test) { 1 << 14 } else { 1 << 20 };

    /// Minimum share of words with accents, one in so many, for a text to be also known without them. Fewer do not
    /// keep a copy that lost its accents from being found: one word in ten has accents in German, nine in ten have in
    /// Vietnamese.
    const ACCENTED: usize = 20;

    /// Indexes the words of a text. Cost: sorting them; 24 bytes a word, and 8 for each different stem.
    pub fn new(words: Vec<Word>) -> Self {
        Self::accented(words, &[])
    }

    /// Indexes the words of a text, of which some have accents: their places in order, each with the hash of the word
    /// without them. Cost: that of [`Self::new`], and 4 bytes a word if at least one of 20 has accents.
    pub fn accented(mut words: Vec<Word>, accented: &[(u32, u32)]) -> Self {
        words.shrink_to_fit();
        let by_stem = Order::new(words.iter().map(|word| word.stem));
        let mut folded = Vec::new();
        if !accented.is_empty() && accented.len() * Self::ACCENTED >= words.len() {
            folded = words.iter().map(|word| word.form).collect();
            for &(place, hash) in accented {
                folded[place as usize] = hash;
            }
        }
        let ends = accented.iter().map(|&(place, _)| place as usize).chain([words.len()]);
        let starts = [0].into_iter().chain(accented.iter().map(|&(place, _)| place as usize + 1));
        let bare = starts.zip(ends).map(|(start, end)| end - start).max().unwrap_or(0);
        Self { words, by_stem, folded, accents: accented.len(), bare }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// True if the text has no words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in order.
    pub fn as_slice(&self) -> &[Word] {
        &self.words
    }

    /// The words by stem.
    pub(super) fn by_stem(&self) -> &Order {
        &self.by_stem
    }

    /// The normal forms of the words, in order, as hashes.
    pub(super) fn forms(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().map(|word| word.form)
    }

    /// The words without accents, in order; `None` for a text with few accents.
    pub(super) fn folded(&self) -> Option<&[u32]> {
        Some(self.folded.as_slice()).filter(|folded| !folded.is_empty())
    }

    /// The hash of a word without its accents. Of a text with few accents, that of the word itself.
    pub fn folded_form(&self, word: usize) -> u32 {
        self.folded.get(word).copied().unwrap_or_else(|| self.words[word].form)
    }

    /// True if a word has accents; false for all words of a text with few.
    pub(super) fn has_accent(&self, word: usize) -> bool {
        self.folded_form(word) != self.words[word].form
    }

    /// Number of words with accents in a part of the text; 0 for a text with few.
    pub(super) fn with_accents(&self, words: Range<usize>) -> usize {
        words.filter(|&word| self.has_accent(word)).count()
    }

    /// Number of words with accents.
    pub(super) fn accents(&self) -> usize {
        self.accents
    }

    /// Length of the longest run of words without accents.
    pub(super) fn longest_bare(&self) -> usize {
        self.bare
    }

    /// The span of a run of words, in bytes of the text.
    pub fn bytes(&self, words: Range<usize>) -> Range<usize> {
        match self.words.get(words) {
            Some([first, .., last]) => first.start as usize..last.end as usize,
            Some([word]) => word.start as usize..word.end as usize,
            _ => 0..0,
        }
    }

    /// True if a sentence begins at a word. The first word and the end of the text count as beginnings.
    pub(crate) fn begins_sentence(&self, word: usize) -> bool {
        word == 0 || self.words.get(word).is_none_or(|word| word.begins_sentence)
    }
}

/// Number of words that two runs share.
pub(crate) fn shared_words(x: &Range<usize>, y: &Range<usize>) -> usize {
    x.end.min(y.end).saturating_sub(x.start.max(y.start))
}

/// True if a word is in one of some runs, which are in order.
pub(crate) fn in_runs(runs: &[Range<usize>], word: usize) -> bool {
    let run = runs.partition_point(|run| run.end <= word);
    runs.get(run).is_some_and(|run| run.contains(&word))
}

/// The words of a text, sorted by a key.
#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    /// The words' indices, by key, then by place.
    places: Vec<u32>,
    /// Each key, ascending, and where in `places` its words begin.
    keys: Vec<(u32, u32)>,
}

impl Order {
    /// Sorts words, given by their keys.
    pub(super) fn new(keys: impl Iterator<Item = u32>) -> Self {
        let mut keyed: Vec<u64> = keys.zip(0u64..).map(|(key, place)| u64::from(key) << 32 | place).collect();
        keyed.sort_unstable();
        let key = |&keyed: &u64| (keyed >> 32) as u32;
        let mut keys: Vec<(u32, u32)> = Vec::new();
        for (at, keyed) in (0..).zip(&keyed) {
            if keys.last().is_none_or(|last| last.0 != key(keyed)) {
                keys.push((key(keyed), at));
            }
        }
        keys.shrink_to_fit();
        // Collecting in place would keep the larger allocation.
        Self { places: keyed.iter().map(|&keyed| keyed as u32).collect(), keys }
    }

    /// The words of these indices of the order.
    pub(super) fn places(&self, run: &Range<u32>) -> &[u32] {
        &self.places[run.start as usize..run.end as usize]
    }

    /// Each key, ascending, with the number of its words.
    pub(super) fn keys(&self) -> impl Iterator<Item = (u32, usize)> {
        (0..self.keys.len()).map(|key| (self.keys[key].0, self.of_key(key).len()))
    }

    /// The keys that two texts share: for each the indices of its words in either order.
    pub(super) fn shared(&self, other: &Self) -> impl Iterator<Item = [Range<u32>; 2]> {
        let (mut a, mut b) = (0, 0);
        std::iter::from_fn(move || {
            loop {
                let (x, y) = (self.keys.get(a)?.0, other.keys.get(b)?.0);
                if x == y {
                    (a, b) = (a + 1, b + 1);
                    return Some([self.of_key(a - 1), other.of_key(b - 1)]);
                }
                // Without a branch that depends on the keys.
                a += usize::from(x < y);
                b += usize::from(y < x);
            }
        })
    }

    fn of_key(&self, key: usize) -> Range<u32> {
        let end = self.keys.get(key + 1).map_or(self.places.len() as u32, |next| next.1);
        self.keys[key].1..end
    }
}
