//! The same search in steps, for documents that are spread over machines: what joins tables does the rest.
//!
//! 1. [`Steps::count`]: the lines of each document, which are then counted.
//! 2. [`Steps::occurrences`]: those of many documents where they may be cut.
//! 3. [`may_go_whole`]: true for a document that may go as a whole. Any other keeps each line that no earlier one keeps, whatever
//!    becomes of the others, so the first of them is known by the order alone. Those that may go are decided one after the
//!    other, in their order.
//! 4. [`Decision`]: what each document loses, once the first document of each of its lines is known.

use super::cuts::{About, Decision, Occurrence};
use super::units::{Hash, Reader};
use super::{Counted, end_of, occurrences};
use crate::cutting::{Fate, Limits};

/// Reads texts, on one thread.
#[derive(Debug)]
pub struct Steps {
    reader: Reader,
    all_lines: bool,
}

impl Steps {
    /// Steps by lines or by paragraphs; `all_lines` is true if those of program code and tables are cut, too.
    pub fn new(by_paragraph: bool, all_lines: bool) -> Self {
        Self { reader: Reader::new(by_paragraph), all_lines }
    }

    /// The lines of a text that count, each once, in ascending order.
    pub fn count(&mut self, text: &str) -> Vec<Hash> {
        Counted::of(&mut self.reader, text).hashes
    }

    /// The places where a text may lose a line of many documents, of which `number` tells the number; and the length of the
    /// text.
    pub fn occurrences(&mut self, text: &str, number: impl Fn(Hash) -> Option<u32>) -> (Vec<Occurrence>, About) {
        let (found, words) = occurrences(&mut self.reader, text, |unit| number(unit.hash?), self.all_lines);
        (found, About { words, end: end_of(text), can_cut: true, site: 0 })
    }
}

/// True for a document that would go as a whole if it lost all of these lines. If it would not, it does not go.
pub fn may_go_whole(lines: &[Occurrence], about: &About, limits: Limits) -> bool {
    Decision::of(lines, about, limits, |_| true).fate == Fate::Goes
}
