//! The trigrams of a text: how often each occurs, and its rank.
//!
//! The letters of the text are numbered in the order of their code points, so that three numbers make an index
//! whose order is that of the trigrams. Trigrams are counted in a flat table by that index; a set of bits lists
//! those that occur in order, and a count of the counts gives their ranks: nothing is sorted. A text with very
//! many different letters, or a long one, goes the plain way: its trigrams are sorted.
//!
//! Cost: 2 ns for a character, and no memory from the system once the tables are there.

use std::char::ToLowercase;
use std::cmp::Reverse;
use std::mem::take;

use super::profiles::STOP;

/// The letters below this code point find their numbers in a table.
const TABLE: usize = 0x3000;

/// Largest number of different letters of a text whose trigrams are counted in a table.
const MAX_LETTERS: usize = 128;

/// Smallest number of bits of a letter in an index; for whole groups of words.
const MIN_BITS: u32 = 5;

/// Largest size in bytes of such a text, so that a count fits 16 bits.
const MAX_SIZE: usize = u16::MAX as usize;

/// The numbers at first of the stop character, of a to z, and of the first letter beyond ASCII.
const FIRST_STOP: u8 = 0;
const FIRST_A: u8 = 1;
const FIRST_OTHER: u8 = 27;

/// The number of a letter that has not been seen.
const UNSEEN: u8 = u8::MAX;

/// The first numbers of ASCII characters, in lower case. The only control character that whatlang does not stop
/// at, U+007F, is left to the plain way.
static ASCII: [u8; 128] = {
    let mut numbers = [FIRST_STOP; 128];
    let mut letter = 0;
    while letter < 26 {
        numbers[b'a' as usize + letter] = FIRST_A + letter as u8;
        numbers[b'A' as usize + letter] = FIRST_A + letter as u8;
        letter += 1;
    }
    numbers[0x7f] = UNSEEN;
    numbers
};

/// The letter whose lower case depends on its place in the word.
const SIGMA: char = 'Σ';

/// The different trigrams of a text and the number of their occurrences, in descending order of their letters.
#[derive(Debug, Default)]
pub(crate) struct Trigrams {
    /// The lower-case letters of the text in the order of their code points, [`STOP`] first.
    pub(crate) letters: Vec<char>,
    /// The trigrams by the places of their letters, [`Self::bits`] each, the first letter highest.
    counted: Vec<(u64, u32)>,
    /// Number of bits of a letter.
    bits: u32,
    /// Number of trigrams by count.
    of_count: Vec<u32>,
}

impl Trigrams {
    /// Number of different trigrams.
    pub(crate) fn len(&self) -> usize {
        self.counted.len()
    }

    /// Forgets the trigrams.
    fn clear(&mut self) {
        self.counted.clear();
        self.of_count.clear();
    }

    /// Adds a trigram that is less than the one before.
    #[inline]
    fn push(&mut self, index: u64, count: u32) {
        self.counted.push((index, count));
        if self.of_count.len() <= count as usize {
            self.of_count.resize(count as usize + 1, 0);
        }
        self.of_count[count as usize] += 1;
    }

    /// Calls a function with each trigram: the places of its letters, the number of its occurrences, its rank.
    ///
    /// The rank is the number of trigrams that occur more often, or as often and are greater.
    #[inline]
    pub(crate) fn each(&mut self, mut visit: impl FnMut([usize; 3], u32, u32)) {
        let next_ranks = &mut self.of_count;
        let mut rank = 0;
        for next in next_ranks.iter_mut().rev() {
            rank += std::mem::replace(next, rank);
        }
        let mask = (1 << self.bits) - 1;
        for (index, count) in &self.counted {
            let next = &mut next_ranks[*count as usize];
            let rank = *next;
            *next += 1;
            visit([2, 1, 0].map(|letter| (index >> (letter * self.bits) & mask) as usize), *count, rank);
        }
    }
}

/// Finds the trigrams of one text after another.
#[derive(Debug)]
pub(crate) struct Counter {
    /// The numbers of the lower-case characters of the text, as they appeared first, a stop character at the end.
    numbers: Vec<u8>,
    /// The lower case of the characters below [`TABLE`]; 0 if it is not known yet, or several characters.
    lower: Box<[u16]>,
    /// The letters beyond ASCII and their numbers, in the order of their first appearance.
    others: Vec<(char, u8)>,
    /// The numbers of those that are below [`TABLE`], by code point.
    table: Box<[u8]>,
    /// The counts of trigrams, by index; 0 between texts.
    counts: Vec<u16>,
    /// The indices that occur: in the order of their appearance, then a bit each, then a bit for 64 of these.
    found: Vec<u32>,
    words: Vec<u64>,
    groups: Vec<u64>,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            numbers: Vec::new(),
            lower: vec![0; TABLE].into(),
            others: Vec::new(),
            table: vec![UNSEEN; TABLE].into(),
            counts: Vec::new(),
            found: Vec::new(),
            words: Vec::new(),
            groups: Vec::new(),
        }
    }
}

impl Counter {
    /// Finds the trigrams of a text.
    pub(crate) fn find(&mut self, text: &str, trigrams: &mut Trigrams) {
        let numbers = if text.len() < MAX_SIZE { self.read(text) } else { None };
        if let Some(numbers) = numbers {
            let places = self.order(numbers, &mut trigrams.letters);
            trigrams.bits = trigrams.letters.len().next_power_of_two().trailing_zeros().max(MIN_BITS);
            let found = self.count(numbers, &places, trigrams.bits);
            self.list(found, trigrams);
        } else {
            sorted(text, trigrams);
        }
        for (letter, _) in self.others.drain(..) {
            if let Some(number) = self.table.get_mut(letter as usize) {
                *number = UNSEEN;
            }
        }
    }

    /// Reads the lower-case characters of a text and returns their number; `None` if the text must go the plain
    /// way.
    fn read(&mut self, text: &str) -> Option<usize> {
        // A character has no more lower-case characters than bytes; a stop character follows the last.
        if self.numbers.len() <= text.len() {
            self.numbers.resize(text.len() + 1, FIRST_STOP);
        }
        let mut length = 0;
        let mut push = |numbers: &mut [u8], number| {
            numbers[length] = number;
            length += 1;
            number != UNSEEN
        };
        for c in text.chars() {
            let is_known = if c.is_ascii() {
                push(&mut self.numbers, ASCII[c as usize])
            } else {
                match self.lower.get(c as usize) {
                    Some(lower) if *lower != 0 => {
                        let number = self.number(char::from_u32(u32::from(*lower)).unwrap_or(c));
                        push(&mut self.numbers, number)
                    }
                    _ if c == SIGMA => false,
                    _ => self.lower_case(c).all(|c| {
                        let number = self.number(c);
                        push(&mut self.numbers, number)
                    }),
                }
            };
            if !is_known {
                return None;
            }
        }
        self.numbers[length] = FIRST_STOP;
        Some(length + 1)
    }

    /// The lower case of a character, which is remembered if it is one character.
    fn lower_case(&mut self, c: char) -> ToLowercase {
        let mut lower = c.to_lowercase();
        if let (Some(only), None, Some(known)) = (lower.next(), lower.next(), self.lower.get_mut(c as usize)) {
            *known = only as u16;
        }
        c.to_lowercase()
    }

    /// The number of a lower-case character; [`UNSEEN`] if there are too many.
    #[inline]
    fn number(&mut self, c: char) -> u8 {
        match self.table.get(c as usize) {
            Some(&UNSEEN) | None => self.new_number(c),
            Some(number) => *number,
        }
    }

    /// The number of an ASCII character, of one beyond [`TABLE`], or of one that appears first.
    #[cold]
    fn new_number(&mut self, c: char) -> u8 {
        if c.is_ascii() {
            return ASCII[c as usize];
        }
        if let Some((_, number)) = self.others.iter().find(|(other, _)| *other == c) {
            return *number;
        }
        let number = FIRST_OTHER + self.others.len() as u8;
        if usize::from(number) >= MAX_LETTERS {
            return UNSEEN;
        }
        self.others.push((c, number));
        if let Some(of_table) = self.table.get_mut(c as usize) {
            *of_table = number;
        }
        number
    }

    /// Lists the letters in the order of their code points and returns their places there by their numbers.
    fn order(&mut self, numbers: usize, letters: &mut Vec<char>) -> [u8; 256] {
        let mut places = [0; 256];
        letters.clear();
        letters.push(STOP);
        if self.numbers[..numbers].iter().any(|number| (FIRST_A..FIRST_OTHER).contains(number)) {
            for number in FIRST_A..FIRST_OTHER {
                places[usize::from(number)] = letters.len() as u8;
                letters.push(char::from(b'a' + number - FIRST_A));
            }
        }
        self.others.sort_unstable();
        for (letter, number) in &self.others {
            places[usize::from(*number)] = letters.len() as u8;
            letters.push(*letter);
        }
        places
    }

    /// Counts the trigrams of the characters with these places, and returns the number of different ones.
    fn count(&mut self, numbers: usize, places: &[u8; 256], bits: u32) -> usize {
        let size = 1 << (3 * bits);
        if self.counts.len() < size {
            self.counts = vec![0; size];
            self.words = vec![0; size / 64];
            self.groups = vec![0; size / 4096];
        }
        if self.found.len() < numbers {
            self.found.resize(numbers, 0);
        }
        let counts = &mut self.counts[..size];
        let found = &mut self.found[..numbers];
        let mut length = 0;
        let place = |number: u8| usize::from(places[usize::from(number)]);
        let mut index = place(self.numbers[0]);
        for number in &self.numbers[1..numbers] {
            index = (index << bits | place(*number)) & (size - 1);
            found[length] = index as u32;
            length += usize::from(counts[index] == 0);
            counts[index] += 1;
        }
        length
    }

    /// Lists the trigrams in descending order and clears the tables.
    fn list(&mut self, found: usize, trigrams: &mut Trigrams) {
        for index in &self.found[..found] {
            let index = *index as usize;
            self.words[index / 64] |= 1 << (index % 64);
            self.groups[index / 4096] |= 1 << (index / 64 % 64);
        }
        trigrams.clear();
        for (place, group) in self.groups[..1 << (3 * trigrams.bits) >> 12].iter_mut().enumerate().rev() {
            for word in ones(take(group)) {
                let word = place * 64 + word;
                for bit in ones(take(&mut self.words[word])) {
                    let index = word * 64 + bit;
                    let count = take(&mut self.counts[index]);
                    if is_trigram(index as u64, trigrams.bits) {
                        trigrams.push(index as u64, u32::from(count));
                    }
                }
            }
        }
    }
}

/// True unless two stop characters stand side by side, which whatlang counts in no trigram.
fn is_trigram(index: u64, bits: u32) -> bool {
    let pair = (1 << (2 * bits)) - 1;
    index & pair != 0 && index >> bits != 0
}

/// The places of the bits of a word, the highest first.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.checked_ilog2()?;
        word ^= 1 << place;
        Some(place as usize)
    })
}

/// Finds the trigrams of a text by sorting them.
fn sorted(text: &str, trigrams: &mut Trigrams) {
    let lower = text.to_lowercase();
    let lower: Vec<char> = lower.chars().chain([STOP]).map(|c| if is_stop(c) { STOP } else { c }).collect();
    trigrams.letters.clone_from(&lower);
    trigrams.letters.sort_unstable();
    trigrams.letters.dedup();
    trigrams.bits = u64::BITS / 3;
    let mask = (1 << (3 * trigrams.bits)) - 1;
    let places = lower.iter().map(|c| trigrams.letters.partition_point(|letter| letter < c) as u64);
    let mut indices: Vec<u64> = places
        .scan(0, |index, place| {
            *index = (*index << trigrams.bits | place) & mask;
            Some(*index)
        })
        .skip(1)
        .filter(|index| is_trigram(*index, trigrams.bits))
        .collect();
    indices.sort_unstable_by_key(|index| Reverse(*index));
    trigrams.clear();
    for same in indices.chunk_by(|a, b| a == b) {
        trigrams.push(same[0], same.len() as u32);
    }
}

/// True for white space, ASCII digits and signs, which tell no language.
fn is_stop(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphabetic() && c != '\x7f'
}
