//! The lines or paragraphs of a text, and their hashes.
//!
//! Two lines are equal if their forms are ([`fold`](super::fold)). A hash has 128 bits of BLAKE3.
//!
//! Cost: linear.

use super::fold::Folder;
use crate::durable::known::halves;
use crate::text::plain_words;

/// The hash of a folded line.
pub type Hash = [u64; 2];

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
    /// The first bytes of the words of a text.
    words: Vec<u32>,
    folder: Folder,
    form: Vec<u8>,
}

impl Reader {
    pub(super) fn new(by_paragraph: bool) -> Self {
        Self { by_paragraph, words: Vec::new(), folder: Folder::default(), form: Vec::new() }
    }

    /// Calls `take` with each line or paragraph that is not empty; returns the number of words of the text.
    pub(super) fn read(&mut self, text: &str, mut take: impl FnMut(Unit)) -> u32 {
        let Self { by_paragraph, words, folder, form } = self;
        plain_words::starts(text, words);
        let mut before = 0;
        let mut unit = |start: usize, end: usize| {
            let count = words[before..].partition_point(|&word| (word as usize) < end);
            folder.fold(&text[start..end], form);
            let hash = (!form.is_empty()).then(|| halves(&blake3::hash(form)));
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
        words.len() as u32
    }
}

#[cfg(test)]
mod tests {
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
}
