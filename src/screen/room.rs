//! Room for the texts of a run, which are all held until it ends.

use super::{Settings, Text};
use crate::align::AlignmentMemory;
use crate::error::{Location, Problem, Reason};

/// Number of texts that are read before it is asked whether they find room.
pub(super) const AT_ONCE: usize = 1 << 8;

/// Memory in bytes for each word of a text: the word, and its keys in the index of candidates.
const OF_A_WORD: u64 = 64;

/// The same for its keys in the index of translations, and its vocabulary.
const TO_TRANSLATE: u64 = 80;

/// The memory that is left for texts.
pub struct TextRoom {
    left: u64,
    /// Memory in bytes for each word.
    of_a_word: u64,
    /// Maximum number of words of a text.
    longest: usize,
}

impl TextRoom {
    /// Room as the settings say.
    pub fn new(settings: &Settings) -> Self {
        let of_a_word = OF_A_WORD + if settings.translation.is_wanted() { TO_TRANSLATE } else { 0 };
        let longest = AlignmentMemory::new(settings.alignment_memory()).words();
        Self { left: settings.max_memory, of_a_word, longest }
    }

    /// Takes the room of a text.
    ///
    /// # Errors
    ///
    /// A problem if there is too little.
    pub fn admit(&mut self, text: &Text) -> Result<(), Problem> {
        let fail = |reason| Err(Problem::of(&*text.id, Location::File, reason));
        if text.words.len() > self.longest {
            return fail(Reason::TooLongToAlign { words: text.words.len() as u64, most: self.longest as u64 });
        }
        let of_parts = text.size_of_parts() as u64;
        let needed =
            of_parts + text.text.len() as u64 + text.words.len() as u64 * self.of_a_word + size_of::<Text>() as u64;
        match self.left.checked_sub(needed) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => fail(Reason::NoRoom { needed, left: self.left }),
        }
    }
}
