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
pub struct Words {
    words: Vec<Word>,
    /// Indices of the words, sorted by stem, then by place.
    by_stem: Vec<u32>,
}

impl Words {
    /// Maximum number of words of a text that are compared: two texts of this length take 50 MB, their index at
    /// most 55 MB, and aligning them some 100 MB. The longest novels have half as many.
    pub const MOST: usize = if cfg!(test) { 1 << 14 } else { 1 << 20 };

    /// Indexes the words of a text. Cost: sorting them; 24 bytes a word.
    pub fn new(mut words: Vec<Word>) -> Self {
        words.shrink_to_fit();
        let by_stem = sorted(&words, |word| word.stem);
        Self { words, by_stem }
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

    /// Indices of the words, sorted by stem, then by place.
    pub(super) fn by_stem(&self) -> &[u32] {
        &self.by_stem
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
    pub(super) fn begins_sentence(&self, word: usize) -> bool {
        word == 0 || self.words.get(word).is_none_or(|word| word.begins_sentence)
    }
}

/// Appends a run of words that begins no earlier than those before, and joins it to the last one if they touch or
/// overlap.
pub fn append_run(runs: &mut Vec<Range<usize>>, run: Range<usize>) {
    match runs.last_mut() {
        Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
        _ => runs.push(run),
    }
}

/// Indices of words, sorted by a key, then by place.
pub(super) fn sorted(words: &[Word], key: impl Fn(&Word) -> u32) -> Vec<u32> {
    let mut keyed: Vec<u64> =
        words.iter().zip(0u64..).map(|(word, place)| u64::from(key(word)) << 32 | place).collect();
    keyed.sort_unstable();
    // Collecting in place would keep the larger allocation.
    keyed.iter().map(|&keyed| keyed as u32).collect()
}
