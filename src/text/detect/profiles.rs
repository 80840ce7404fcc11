//! The alphabets and trigram profiles of the languages that share a script, inverted.
//!
//! `profiles.txt` has whatlang's table: of each language its alphabet and its 300 commonest trigrams, ranked.
//! It is turned round once: from a trigram to the languages that rank it, and from a letter to the languages
//! whose alphabet has it. A text is then looked up trigram by trigram, not profile by profile.
//!
//! Cost: .3 ms to build all, at first use; a look-up touches one slot of a hash table.

use std::sync::LazyLock;

use super::super::Language;

/// Number of ranks in a profile.
pub(super) const RANKS: usize = 300;

/// Largest number of languages of a script, for a language in 6 bits and a set of them in 64.
pub(super) const MAX_LANGUAGES: usize = 64;

/// The stop character in texts and profiles: white space, ASCII digits and signs.
pub(super) const STOP: char = ' ';

/// The letters of profiles are below this code point.
const LETTERS_END: usize = 0x3000;

/// Number of letters whose trigrams have a table of their own: the stop character and those that come first in
/// `profiles.txt`. It is a power of two.
const COMMON: usize = 32;

/// The number of letters that stand in no profile and no alphabet of the script.
const UNKNOWN: u8 = u8::MAX;

/// Number of bits of the rank in an entry of [`Profiles::entries`]; the language is above.
const RANK_BITS: u32 = 10;

/// The profiles of one script.
pub(super) struct Profiles {
    /// Its languages in whatlang's order.
    pub(super) languages: Vec<Language>,
    /// True if whatlang has their alphabets.
    pub(super) has_alphabets: bool,
    /// The numbers of letters, by code point.
    numbers: Box<[u8]>,
    /// The languages whose alphabet has a letter, by its number: a bit each.
    alphabets: Vec<u64>,
    /// The first entries of the trigrams of common letters, by their numbers, with the end of the last.
    common: Vec<u16>,
    /// A hash table with linear probing, at most half full, of the other trigrams.
    slots: Vec<Slot>,
    /// The highest bits of a hash, shifted so far, are the place of a key.
    shift: u32,
    /// Language and rank of each trigram in each profile, those of one trigram side by side.
    entries: Vec<u16>,
}

/// A trigram of the profiles, and the range of its entries; the key of a free slot is 0.
#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    key: u32,
    start: u16,
    end: u16,
}

/// The profiles of the scripts with several languages: Latin, Cyrillic, Arabic, Devanagari, Hebrew.
pub(super) fn all() -> &'static [Profiles] {
    static ALL: LazyLock<Vec<Profiles>> = LazyLock::new(|| {
        include_str!("profiles.txt").split("\n[").skip(1).map(Profiles::parse).collect()
    });
    &ALL
}

impl Profiles {
    /// Parses the lines of one script, of which the first is its name.
    fn parse(section: &str) -> Self {
        let lines = section.lines().skip(1).map(|line| line.split(' ').collect::<Vec<_>>());
        let mut profiles = Self {
            languages: Vec::new(),
            has_alphabets: false,
            numbers: vec![UNKNOWN; LETTERS_END].into(),
            alphabets: Vec::new(),
            common: Vec::new(),
            slots: Vec::new(),
            shift: 0,
            entries: Vec::new(),
        };
        profiles.number_or_new(STOP);
        let mut ranked: Vec<(u32, u16)> = Vec::new();
        for (place, fields) in lines.enumerate() {
            let [code, alphabet, trigrams] = fields[..] else { unreachable!("a line of the table has three fields") };
            profiles.languages.push(Language::at(code));
            profiles.has_alphabets |= alphabet != "-";
            for letter in alphabet.chars().filter(|_| alphabet != "-") {
                let number = profiles.number_or_new(letter);
                profiles.alphabets[usize::from(number)] |= 1 << place;
            }
            let letters: Vec<char> = trigrams.replace('_', " ").chars().collect();
            for (rank, trigram) in letters.chunks(3).enumerate() {
                let [a, b, c] = [0, 1, 2].map(|i| profiles.number_or_new(trigram[i]));
                ranked.push((key(a, b, c), (place << RANK_BITS | rank) as u16));
            }
        }
        profiles.invert(ranked);
        profiles
    }

    /// The number of a letter, which it gets here if it has none.
    fn number_or_new(&mut self, letter: char) -> u8 {
        let number = &mut self.numbers[letter as usize];
        if *number == UNKNOWN {
            *number = self.alphabets.len() as u8;
            self.alphabets.push(0);
        }
        *number
    }

    /// Makes the tables of trigrams and entries.
    fn invert(&mut self, mut ranked: Vec<(u32, u16)>) {
        // Common trigrams come first, in the order of their places.
        ranked.sort_unstable_by_key(|(key, entry)| (common_place(*key).unwrap_or(usize::MAX), *key, *entry));
        self.entries = ranked.iter().map(|(_, entry)| *entry).collect();
        let others = ranked.partition_point(|(key, _)| common_place(*key).is_some());
        let mut end = 0;
        for place in 0..COMMON.pow(3) {
            self.common.push(end as u16);
            end += ranked[end..others].iter().take_while(|(key, _)| common_place(*key) == Some(place)).count();
        }
        self.common.push(end as u16);
        let count = ranked[others..].chunk_by(|a, b| a.0 == b.0).count();
        self.slots = vec![Slot::default(); (2 * count.max(1)).next_power_of_two()];
        self.shift = u32::BITS - self.slots.len().trailing_zeros();
        for same in ranked[others..].chunk_by(|a, b| a.0 == b.0) {
            let key = same[0].0;
            let mut place = self.place(key);
            while self.slots[place].key != 0 {
                place = (place + 1) & (self.slots.len() - 1);
            }
            let start = end;
            end += same.len();
            self.slots[place] = Slot { key, start: start as u16, end: end as u16 };
        }
    }

    /// The first slot of a key.
    fn place(&self, key: u32) -> usize {
        (key.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }

    /// The profiles that rank the trigram of the letters with these numbers.
    #[inline]
    fn entries(&self, [a, b, c]: [u8; 3]) -> &[u16] {
        if usize::from(a | b | c) < COMMON {
            let place = (usize::from(a) * COMMON + usize::from(b)) * COMMON + usize::from(c);
            return &self.entries[usize::from(self.common[place])..usize::from(self.common[place + 1])];
        }
        let key = key(a, b, c);
        let mut place = self.place(key);
        loop {
            let slot = self.slots[place];
            if slot.key == key {
                return &self.entries[usize::from(slot.start)..usize::from(slot.end)];
            }
            if slot.key == 0 {
                return &[];
            }
            place = (place + 1) & (self.slots.len() - 1);
        }
    }

    /// Subtracts from the distance of each profile what it is nearer for a trigram that stands at `rank` in the
    /// text: [`RANKS`], the distance of a trigram that is missing, less the difference of the ranks.
    #[inline]
    pub(super) fn compare(&self, trigram: [u8; 3], rank: u32, distances: &mut [i32; MAX_LANGUAGES]) {
        for entry in self.entries(trigram) {
            let of_profile = i32::from(entry & ((1 << RANK_BITS) - 1));
            let difference = (rank as i32 - of_profile).abs();
            distances[usize::from(entry >> RANK_BITS)] += difference - RANKS as i32;
        }
    }

    /// The number of a letter in these profiles and alphabets, [`UNKNOWN`] if it is in none.
    pub(super) fn number(&self, letter: char) -> u8 {
        self.numbers.get(letter as usize).copied().unwrap_or(UNKNOWN)
    }

    /// The languages whose alphabet has the letter with this number: a bit each.
    pub(super) fn alphabets(&self, number: u8) -> u64 {
        self.alphabets.get(usize::from(number)).copied().unwrap_or_default()
    }
}

/// The key of a trigram; that of common letters may be 0, that of others is not.
fn key(a: u8, b: u8, c: u8) -> u32 {
    u32::from_be_bytes([0, a, b, c])
}

/// The place in [`Profiles::common`] of a trigram of common letters.
fn common_place(key: u32) -> Option<usize> {
    let [_, letters @ ..] = key.to_be_bytes();
    let is_common = letters.iter().all(|number| usize::from(*number) < COMMON);
    is_common.then(|| letters.iter().fold(0, |place, number| place * COMMON + usize::from(*number)))
}
