//! The lines or paragraphs of a text, and their hashes.
//!
//! Two lines are equal if their letters and digits are: in NFKC and lower case, without accents, with 0 for each digit, and
//! with one space for whatever stands between words. A hash has 128 bits of BLAKE3.
//!
//! Cost: linear; lines of ASCII are folded byte by byte.

use crate::text::Language;
use crate::text::fold::folded;
use crate::text::normalise::Normaliser;
use crate::text::plain_words::{self, Word};

/// The hash of a folded line.
pub(super) type Hash = [u64; 2];

/// A line or a paragraph that is not empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its first byte.
    pub(super) start: u32,
    /// The byte behind its line ending; of a paragraph, behind the empty lines that follow.
    pub(super) end: u32,
    /// Number of words before it in the text.
    pub(super) before: u32,
    /// Number of its words.
    pub(super) words: u32,
    /// `None` without letters and digits.
    pub(super) hash: Option<Hash>,
}

/// Reads the lines or paragraphs of texts, on one thread.
#[derive(Debug)]
pub(super) struct Reader {
    by_paragraph: bool,
    words: plain_words::Reader,
    found: Vec<Word>,
    folder: Folder,
}

impl Reader {
    pub(super) fn new(by_paragraph: bool) -> Self {
        let folder = Folder { normaliser: Normaliser::new(Language::UNDETERMINED), form: String::new() };
        Self { by_paragraph, words: plain_words::Reader::new(false), found: Vec::new(), folder }
    }

    /// Calls `take` with each line or paragraph that is not empty; returns the number of words of the text.
    pub(super) fn read(&mut self, text: &str, mut take: impl FnMut(Unit)) -> u32 {
        let Self { by_paragraph, words, found, folder } = self;
        words.read(text, found);
        let (mut before, mut folded) = (0, String::new());
        let mut unit = |start: usize, end: usize| {
            let starts = &found[before..];
            let count = starts.partition_point(|word| (word.start as usize) < end);
            folder.fold(&text[start..end], &mut folded);
            let hash = (!folded.is_empty()).then(|| hash(&folded));
            take(Unit { start: start as u32, end: end as u32, before: before as u32, words: count as u32, hash });
            before += count;
        };
        // The paragraph that has begun.
        let mut open: Option<usize> = None;
        let (mut at, mut is_behind_empty) = (0, false);
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            let is_empty = line.trim().is_empty();
            match (*by_paragraph, is_empty) {
                (false, true) => {}
                (false, false) => unit(start, at),
                (true, true) => is_behind_empty = true,
                (true, false) => {
                    if std::mem::take(&mut is_behind_empty)
                        && let Some(first) = open.take()
                    {
                        unit(first, start);
                    }
                    open.get_or_insert(start);
                }
            }
        }
        if let Some(first) = open {
            unit(first, at);
        }
        found.len() as u32
    }
}

fn hash(folded: &str) -> Hash {
    halves(&blake3::hash(folded.as_bytes()))
}

/// The first 128 bits of a hash.
pub(super) fn halves(hash: &blake3::Hash) -> Hash {
    let (halves, _) = hash.as_bytes().as_chunks::<8>();
    [halves[0], halves[1]].map(u64::from_le_bytes)
}

/// Brings lines to their common form.
#[derive(Debug)]
struct Folder {
    normaliser: Normaliser,
    form: String,
}

impl Folder {
    fn fold(&mut self, line: &str, out: &mut String) {
        out.clear();
        if !line.is_ascii() {
            self.fold_any(line, out);
            return;
        }
        let mut is_between = false;
        for byte in line.bytes() {
            if !byte.is_ascii_alphanumeric() {
                is_between = !out.is_empty();
                continue;
            }
            if std::mem::take(&mut is_between) {
                out.push(' ');
            }
            out.push(if byte.is_ascii_digit() { '0' } else { byte.to_ascii_lowercase().into() });
        }
    }

    /// Folds any line: the specification of the shorter path.
    fn fold_any(&mut self, line: &str, out: &mut String) {
        self.normaliser.normalise(line, &mut self.form);
        let mut is_between = false;
        for c in folded(&self.form).chars() {
            if !c.is_alphanumeric() {
                is_between = !out.is_empty();
                continue;
            }
            if std::mem::take(&mut is_between) {
                out.push(' ');
            }
            out.push(if c.is_numeric() { '0' } else { c });
        }
    }
}

/// The folded form of a line.
#[cfg(test)]
pub(super) fn fold_plainly(line: &str) -> String {
    let mut out = String::new();
    Reader::new(false).folder.fold_any(line, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, by_paragraph: bool) -> Vec<(&str, u32)> {
        let mut units = Vec::new();
        let words = Reader::new(by_paragraph).read(text, |unit| units.push(unit));
        assert!(units.last().is_none_or(|unit| unit.before + unit.words == words));
        units.iter().map(|unit| (&text[unit.start as usize..unit.end as usize], unit.words)).collect()
    }

    #[test]
    fn a_text_is_lines_or_paragraphs() {
        let text = "\n  \r\nOne two\r\nthree\n\n \n---\n研究 it's";
        assert_eq!(read(text, false), [("One two\r\n", 2), ("three\n", 1), ("---\n", 0), ("研究 it's", 3)]);
        assert_eq!(read(text, true), [("One two\r\nthree\n\n \n", 3), ("---\n研究 it's", 3)]);
        assert_eq!(read(" \n", true), []);
    }

    #[test]
    fn lines_are_folded() {
        for (line, expected) in [
            ("  Page 12 of 345.\r\n", "page 00 of 000"),
            ("© Café – ÉTÉ, ٣٤ x²", "cafe ete 00 x0"),
            ("don’t (stop)", "don t stop"),
            ("研究，海洋", "研究 海洋"),
            ("👍 *** 👍", ""),
        ] {
            assert_eq!(fold_plainly(line), expected);
        }
    }

    proptest! {
        #[test]
        fn lines_of_ascii_have_the_form_of_any(line in "[ -~\t\r\n]{0,40}") {
            let mut folded = String::new();
            Reader::new(false).folder.fold(&line, &mut folded);
            prop_assert_eq!(folded, fold_plainly(&line));
        }
    }
}
