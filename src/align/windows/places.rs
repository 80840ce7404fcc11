//! The words that a window shares with others, place by place.

use std::ops::Range;

use crate::align::pair::{Anchor, NONE};

/// Length of a window, in words: about two sentences.
pub(in crate::align) const WINDOW: usize = 32;

/// The places in a window of each word that locates a passage.
pub(super) struct Places {
    window: Range<usize>,
    /// For each shared word its last place in the window, counted from 1; 0 for others.
    last: Vec<u8>,
    /// For each place of the window the one before of the same word, counted in the same way.
    before: [u8; WINDOW],
}

impl Places {
    pub(super) fn new(words: usize) -> Self {
        Self { window: 0..0, last: vec![0; words], before: [0; WINDOW] }
    }

    /// Enters the words of a window for which `tells` is true.
    pub(super) fn fill(&mut self, window: Range<usize>, shared: &[u32], tells: &[bool]) {
        for (place, &word) in (1..).zip(&shared[window.clone()]) {
            if word != NONE && tells[word as usize] {
                self.before[place as usize - 1] = std::mem::replace(&mut self.last[word as usize], place);
            }
        }
        self.window = window;
    }

    /// Adds the pairs of equal words of the window and another; of each word of the window only the first pair if
    /// `is_one_enough`.
    pub(super) fn add_anchors(
        &self,
        other: Range<usize>,
        shared: &[u32],
        is_one_enough: bool,
        anchors: &mut Vec<Anchor>,
    ) {
        let mut paired = [false; WINDOW];
        for there in other {
            let mut place = self.last.get(shared[there] as usize).copied().unwrap_or_default() as usize;
            while place > 0 {
                if !(is_one_enough && std::mem::replace(&mut paired[place - 1], true)) {
                    anchors.push(((self.window.start + place - 1) as u32, there as u32));
                }
                place = self.before[place - 1] as usize;
            }
        }
    }

    pub(super) fn forget(&mut self, shared: &[u32]) {
        for &word in shared[self.window.clone()].iter().filter(|&&word| word != NONE) {
            self.last[word as usize] = 0;
        }
    }
}
