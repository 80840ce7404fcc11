//! The samples and the windows of a text.

use super::Settings;
use super::samples::Sampler;
use crate::text::plain_words::{Reader, Word};

/// Number of windows that begin in a piece of a text, at least.
const PIECE: usize = 1 << 12;

/// Reads texts, on one thread.
#[derive(Debug)]
pub(super) struct Scanner {
    reader: Reader,
    sampler: Sampler,
    /// The words of a piece.
    words: Vec<Word>,
    /// Number of windows that begin in a piece.
    pub(super) piece: usize,
}

impl Scanner {
    /// A scanner by these settings.
    pub(super) fn new(settings: &Settings) -> Self {
        let window = settings.words as usize;
        Self {
            reader: Reader::new(settings.is_verbatim),
            sampler: Sampler::new(window),
            words: Vec::new(),
            // The words that two pieces share are few.
            piece: PIECE.max(window * 4),
        }
    }

    /// Calls `each` with the words of each piece of a text and the number of the first; returns the number of all words.
    fn each_piece(&mut self, text: &str, mut each: impl FnMut(&mut Sampler, &[Word], u32)) -> u32 {
        let Self { reader, sampler, words, piece } = self;
        words.clear();
        let mut first = 0;
        reader.read(text, |word| {
            words.push(word);
            if words.len() == *piece + sampler.window() - 1 {
                each(sampler, words, first);
                words.drain(..*piece);
                first += *piece as u32;
            }
        });
        each(sampler, words, first);
        first + words.len() as u32
    }

    /// Calls `each` with the samples of what is left of a text, each place once; returns the number of its words.
    pub(super) fn samples(&mut self, left: &str, mut each: impl FnMut(u64)) -> u32 {
        let mut last = None;
        self.each_piece(left, |sampler, words, first| {
            sampler.samples(words, |at, hash| {
                if last.replace(first + at) != Some(first + at) {
                    each(hash);
                }
            });
        })
    }

    /// The same for those windows alone that stand around joints: the bytes of what is left, in order, before which a text
    /// was cut. All others stood in it before. A sample that stood there before may be among them.
    pub(super) fn samples_around(&mut self, left: &str, joints: &[usize], mut each: impl FnMut(u64)) -> u32 {
        let mut next = 0;
        self.each_piece(left, |sampler, words, first| {
            let Some(begin) = words.first() else { return };
            // Of the joints before the piece only the last one has windows in it.
            let from = joints.partition_point(|&joint| joint <= begin.start as usize);
            let mut done = None;
            for &joint in &joints[from.saturating_sub(1)..] {
                // The two words at a joint may have become one.
                let behind = words.partition_point(|word| (word.start as usize) < joint);
                if done.replace(behind) == Some(behind) {
                    continue;
                }
                let window = sampler.window();
                let around = behind.saturating_sub(window + 1)..words.len().min(behind + window);
                let start = first + around.start as u32;
                sampler.samples(&words[around], |at, hash| {
                    if start + at >= next {
                        next = start + at + 1;
                        each(hash);
                    }
                });
                // No other joint is nearer to the piece.
                if behind == words.len() {
                    break;
                }
            }
        })
    }

    /// Calls `each`, at most once a piece, with the first word and the hash of the windows of what is left of a text whose sample
    /// is wanted.
    pub(super) fn windows(
        &mut self,
        left: &str,
        is_wanted: impl Fn(u64) -> bool,
        mut each: impl FnMut(&[(u32, [u64; 2])]),
    ) {
        let mut windows = Vec::new();
        self.each_piece(left, |sampler, words, first| {
            sampler.windows(words, &is_wanted, |at, hash| windows.push((first + at, hash)));
            if !windows.is_empty() {
                each(&windows);
                windows.clear();
            }
        });
    }
}
