//! The trigrams of a text, ranked: the most frequent first, of equally frequent ones the last by its letters.
//!
//! The letters of the text are numbered in the order of their code points, so that three numbers make an index
//! whose order is that of the trigrams. Trigrams are counted in a flat table by that index; a set of bits lists
//! those that occur in order, and a count of the counts gives their ranks: nothing is sorted. A text of many
//! different letters, or a long one, goes the plain way: its trigrams are sorted.
//!
//! Cost: about 3 ns for a character, and no memory from the system once the tables are there.

use std::cmp::Reverse;
use std::sync::LazyLock;

use super::profiles::STOP;

/// Code points below are their own codes; the others get codes from here on, in the order of their appearance.
const DIRECT: usize = 0x3000;

/// Largest number of different letters of a text whose trigrams are counted in a table.
const MAX_LETTERS: usize = 128;

/// Largest number of characters of such a text, so that a count fits 16 bits.
const MAX_CHARACTERS: usize = u16::MAX as usize;

/// The number of a letter that has not been seen.
const UNSEEN: u8 = u8::MAX;

/// A trigram of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trigram {
    /// The numbers of its letters, [`Ranked::bits`] each, the first letter highest.
    index: u64,
    /// Number of its occurrences.
    pub(super) count: u32,
    /// Number of trigrams of the text before it.
    pub(super) rank: u32,
}

/// The trigrams of a text.
#[derive(Debug, Default)]
pub(super) struct Ranked {
    /// Its different lower-case letters in the order of their code points, [`STOP`] first.
    pub(super) letters: Vec<char>,
    /// All of its trigrams, the last by their letters first.
    pub(super) trigrams: Vec<Trigram>,
    /// Number of bits of a letter in [`Trigram::index`].
    bits: u32,
}

impl Ranked {
    /// The places in [`Self::letters`] of the letters of a trigram.
    #[inline]
    pub(super) fn places(&self, trigram: &Trigram) -> [usize; 3] {
        let mask = (1 << self.bits) - 1;
        [2, 1, 0].map(|place| (trigram.index >> (place * self.bits) & mask) as usize)
    }
}

/// Finds the trigrams of one text after another.
#[derive(Debug)]
pub(super) struct Counter {
    /// The lower-case characters of the text as codes, a stop character at the end.
    codes: Vec<u16>,
    /// The characters from [`DIRECT`] on.
    rare: Vec<char>,
    /// The different letters and their codes.
    letters: Vec<(char, u16)>,
    /// The numbers of the letters, by code.
    numbers: Box<[u8]>,
    /// The counts of trigrams, by index; 0 between texts.
    counts: Vec<u16>,
    /// The indices that occur: in the order of their appearance, then a bit each, then a bit for 64 of these.
    found: Vec<u32>,
    words: Vec<u64>,
    groups: Vec<u64>,
    /// Number of trigrams by count, then the rank of the next one.
    of_count: Vec<u32>,
}

/// The codes of ASCII characters.
static ASCII: [u8; 128] = {
    let mut codes = [b' '; 128];
    let mut byte = 0u8;
    while byte < 128 {
        if byte.is_ascii_alphabetic() || byte == 0x7f {
            codes[byte as usize] = byte.to_ascii_lowercase();
        }
        byte += 1;
    }
    codes
};

/// In [`LOWER`], a character whose lower case is none or several characters, or depends on others.
const SPECIAL: u16 = u16::MAX;

/// The lower case of the characters below [`DIRECT`].
static LOWER: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let lower = |code: usize| {
        let mut lower = char::from_u32(code as u32)?.to_lowercase();
        let first = lower.next().filter(|c| lower.next().is_none() && (*c as usize) < DIRECT)?;
        (code != SIGMA as usize).then_some(first as u16)
    };
    (0..DIRECT).map(|code| lower(code).unwrap_or(SPECIAL)).collect()
});

/// The letter whose lower case depends on its place in the word.
const SIGMA: char = 'Σ';

impl Default for Counter {
    fn default() -> Self {
        Self {
            codes: Vec::new(),
            rare: Vec::new(),
            letters: Vec::new(),
            numbers: vec![UNSEEN; DIRECT + MAX_LETTERS].into(),
            counts: Vec::new(),
            found: Vec::new(),
            words: Vec::new(),
            groups: Vec::new(),
            of_count: Vec::new(),
        }
    }
}

impl Counter {
    /// Ranks the trigrams of a text.
    pub(super) fn rank(&mut self, text: &str, ranked: &mut Ranked) {
        ranked.letters.clear();
        ranked.trigrams.clear();
        let fits = text.len() < MAX_CHARACTERS
            && if text.contains(SIGMA) { self.read(&text.to_lowercase()) } else { self.read(text) };
        if fits {
            self.number();
            ranked.letters.extend(self.letters.iter().map(|(letter, _)| *letter));
            ranked.bits = (ranked.letters.len() as u32).next_power_of_two().trailing_zeros().max(5);
            let found = self.count(ranked.bits);
            self.list(found, ranked.bits, &mut ranked.trigrams);
            self.rank_by_count(&mut ranked.trigrams);
        }
        for (_, code) in &self.letters {
            self.numbers[usize::from(*code)] = UNSEEN;
        }
        if !fits {
            sorted(text, ranked);
        }
    }

    /// Reads the lower-case characters of a text; false if they are too many different ones.
    fn read(&mut self, text: &str) -> bool {
        let lower = &**LOWER;
        self.codes.clear();
        self.rare.clear();
        self.letters.clear();
        for c in text.chars() {
            let code = match c as usize {
                ascii @ ..0x80 => u16::from(ASCII[ascii]),
                direct @ ..DIRECT => lower[direct],
                _ => SPECIAL,
            };
            if code != SPECIAL {
                self.push(code);
                continue;
            }
            for c in c.to_lowercase() {
                let code = if (c as usize) < DIRECT { c as usize } else { self.rare_code(c) };
                if code == self.numbers.len() {
                    return false;
                }
                self.push(code as u16);
            }
        }
        self.push(STOP as u16);
        self.letters.len() <= MAX_LETTERS
    }

    /// Appends a character by its code.
    fn push(&mut self, code: u16) {
        let number = &mut self.numbers[usize::from(code)];
        if *number == UNSEEN {
            *number = 0;
            let letter = match usize::from(code).checked_sub(DIRECT) {
                Some(place) => self.rare[place],
                None => char::from_u32(u32::from(code)).unwrap_or(STOP),
            };
            self.letters.push((letter, code));
        }
        self.codes.push(code);
    }

    /// The code of a character from [`DIRECT`] on; no code if there are too many of these.
    fn rare_code(&mut self, c: char) -> usize {
        let place = self.rare.iter().position(|known| *known == c).unwrap_or_else(|| {
            self.rare.push(c);
            self.rare.len() - 1
        });
        (DIRECT + place).min(self.numbers.len())
    }

    /// Numbers the letters in the order of their code points; the first is the stop character.
    fn number(&mut self) {
        self.letters.sort_unstable();
        for (number, (_, code)) in self.letters.iter().enumerate() {
            self.numbers[usize::from(*code)] = number as u8;
        }
    }

    /// Counts the trigrams, whose index has thrice so many bits, and returns the number of different ones.
    fn count(&mut self, bits: u32) -> usize {
        let size = 1 << (3 * bits);
        if self.counts.len() < size {
            self.counts = vec![0; size];
            self.words = vec![0; size / 64];
            self.groups = vec![0; (size / 4096).max(1)];
        }
        if self.found.len() < self.codes.len() {
            self.found.resize(self.codes.len(), 0);
        }
        let counts = &mut self.counts[..size];
        let low = (1 << (2 * bits)) - 1;
        let mut index = 0;
        let mut length = 0;
        let numbers = |code: &u16| usize::from(self.numbers[usize::from(*code)]);
        let (first, others) = self.codes.split_first().expect("a text ends with a stop character");
        index = numbers(first);
        for code in others {
            index = (index << bits | numbers(code)) & (size - 1);
            // Two stop characters side by side are in no trigram.
            let is_trigram = index & low != 0 && index > low >> bits;
            self.found[length] = index as u32;
            length += usize::from(is_trigram && counts[index] == 0);
            counts[index] += u16::from(is_trigram);
        }
        length
    }

    /// Lists the trigrams, the last first, and clears the tables.
    fn list(&mut self, found: usize, bits: u32, trigrams: &mut Vec<Trigram>) {
        for index in &self.found[..found] {
            let index = *index as usize;
            self.words[index / 64] |= 1 << (index % 64);
            self.groups[index / 4096] |= 1 << (index / 64 % 64);
        }
        for group in (0..1 << (3 * bits) >> 12).rev() {
            for word in ones(std::mem::take(&mut self.groups[group])) {
                let word = group * 64 + word;
                for bit in ones(std::mem::take(&mut self.words[word])) {
                    let index = word * 64 + bit;
                    let count = u32::from(std::mem::take(&mut self.counts[index]));
                    trigrams.push(Trigram { index: index as u64, count, rank: 0 });
                }
            }
        }
    }

    /// Ranks listed trigrams: those of a higher count come first, and in a count the order is kept.
    fn rank_by_count(&mut self, trigrams: &mut [Trigram]) {
        let largest = trigrams.iter().map(|trigram| trigram.count).max().unwrap_or_default();
        self.of_count.clear();
        self.of_count.resize(largest as usize + 1, 0);
        for trigram in &*trigrams {
            self.of_count[trigram.count as usize] += 1;
        }
        let mut rank = 0;
        for count in self.of_count.iter_mut().rev() {
            rank += std::mem::replace(count, rank);
        }
        for trigram in trigrams {
            let next = &mut self.of_count[trigram.count as usize];
            trigram.rank = *next;
            *next += 1;
        }
    }
}

/// The places of the bits of a word, the highest first.
pub(super) fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.checked_ilog2()?;
        word ^= 1 << place;
        Some(place as usize)
    })
}

/// Ranks the trigrams of a text by sorting them.
fn sorted(text: &str, ranked: &mut Ranked) {
    let lower: Vec<char> = text.to_lowercase().chars().chain([STOP]).map(|c| if is_stop(c) { STOP } else { c }).collect();
    ranked.letters = lower.clone();
    ranked.letters.sort_unstable();
    ranked.letters.dedup();
    ranked.bits = u64::BITS / 3;
    let mut indices = Vec::with_capacity(lower.len());
    let mut index = 0;
    for (place, c) in lower.iter().enumerate() {
        let number = ranked.letters.binary_search(c).expect("all letters are listed") as u64;
        index = (index << ranked.bits | number) & ((1 << (3 * ranked.bits)) - 1);
        if place > 0 && index & ((1 << (2 * ranked.bits)) - 1) != 0 && index >> ranked.bits != 0 {
            indices.push(index);
        }
    }
    indices.sort_unstable_by(|a, b| b.cmp(a));
    ranked.trigrams = indices
        .chunk_by(|a, b| a == b)
        .map(|same| Trigram { index: same[0], count: same.len() as u32, rank: 0 })
        .collect();
    let mut order: Vec<usize> = (0..ranked.trigrams.len()).collect();
    order.sort_by_key(|place| Reverse(ranked.trigrams[*place].count));
    for (rank, place) in order.into_iter().enumerate() {
        ranked.trigrams[place].rank = rank as u32;
    }
}

/// True for white space, ASCII digits and signs, which tell no language.
fn is_stop(c: char) -> bool {
    c.is_ascii() && !c.is_ascii_alphabetic() && c != '\x7f'
}
