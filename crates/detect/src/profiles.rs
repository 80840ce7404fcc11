//! The alphabets and trigram profiles of the languages that share a script, inverted.
//!
//! `profiles.txt` has whatlang's table: of each language its alphabet and its 300 commonest trigrams, ranked.
//! `others.txt` has the same of languages that whatlang lacks; they follow whatlang's.
//! It is turned round once: from a trigram to the languages that rank it, and from a letter to the languages
//! whose alphabet has it. A text is then looked up trigram by trigram, not profile by profile.
//!
//! A trigram of a few languages has a list of them; a trigram of many has a row with the rank in every language,
//! which the processor compares eight at a time.
//!
//! Cost: .7 ms to build those of Latin, at first use; 5 ns to look up and compare a trigram.

use std::sync::OnceLock;

use whatlang::Lang;

/// Number of ranks in a profile.
pub(crate) const RANKS: u16 = 300;

/// Number of trigrams of a text that are compared with the profiles: the most frequent.
pub(crate) const COMPARED: usize = 2 * RANKS as usize;

/// Largest number of languages of a script; a multiple of eight.
pub(crate) const MAX_LANGUAGES: usize = 48;

/// The stop character in texts and profiles: white space, ASCII digits and signs.
pub(crate) const STOP: char = ' ';

/// The letters of profiles are below this code point.
const LETTERS_END: usize = 0x3000;

/// Number of letters whose trigrams have a table of their own: the stop character and those that come first in
/// `profiles.txt`. It is a power of two.
const COMMON: usize = 32;

/// The number of letters that stand in no profile and no alphabet of the script.
const UNKNOWN: u8 = u8::MAX;

/// Largest number of languages of a trigram that has a list.
const LISTED: usize = 4;

/// The language of an entry of a list that has fewer, and number of languages with that one.
const NOBODY: u8 = MAX_LANGUAGES as u8;
const LANES: usize = MAX_LANGUAGES + 1;

/// The rank of a trigram in a profile that lacks it.
const MISSING: i16 = -1;

/// The place of a trigram in [`Profiles::lists`] or [`Profiles::rows`]: an index, above two bits that tell which.
const NOWHERE: u16 = 0;
const IN_LISTS: u16 = 1;
const IN_ROWS: u16 = 2;

/// Number of trigrams whose contributions to a distance, below [`RANKS`] each, add up to 16 bits.
const BATCH: usize = i16::MAX as usize / RANKS as usize;

/// The profiles of one script.
#[derive(Debug)]
pub(crate) struct Profiles {
    /// whatlang's languages, in its order.
    pub(crate) langs: Vec<Lang>,
    /// The codes of the others, which follow them in all tables.
    pub(crate) others: Vec<&'static str>,
    /// True if whatlang has their alphabets.
    pub(crate) has_alphabets: bool,
    /// The numbers of letters, by code point.
    numbers: Box<[u8]>,
    /// The languages whose alphabet has a letter, by its number: a bit each.
    alphabets: Vec<u64>,
    /// The places of the trigrams of common letters, by their numbers.
    common: Vec<u16>,
    /// A hash table with linear probing, at most half full, of the other trigrams and their places; the key of a
    /// free slot is 0.
    slots: Vec<(u32, u16)>,
    /// The place of a key in the table: its hash, shifted so far.
    shift: u32,
    /// The languages of trigrams of few languages, and their ranks.
    lists: Vec<[(u8, i16); LISTED]>,
    /// The ranks of trigrams of many languages.
    rows: Vec<[i16; MAX_LANGUAGES]>,
}

/// The trigrams of a text that profiles have, with their ranks in the text: by list and by row.
#[derive(Debug)]
pub(crate) struct Matches {
    lists: [(u16, i16); COMPARED + 1],
    rows: [(u16, i16); COMPARED + 1],
    list_count: usize,
    row_count: usize,
}

impl Default for Matches {
    fn default() -> Self {
        Self { lists: [(0, 0); COMPARED + 1], rows: [(0, 0); COMPARED + 1], list_count: 0, row_count: 0 }
    }
}

/// Number of scripts with several languages.
const SCRIPTS: usize = 5;

/// The profiles of one of the scripts with several languages: Latin, Cyrillic, Arabic, Devanagari, Hebrew.
pub(crate) fn of_script(place: usize) -> &'static Profiles {
    static PROFILES: [OnceLock<Profiles>; SCRIPTS] = [const { OnceLock::new() }; SCRIPTS];
    PROFILES[place].get_or_init(|| {
        let [section, others] =
            [include_str!("profiles.txt"), include_str!("others.txt")].map(|table| table.split("\n[").nth(place + 1));
        Profiles::parse(section.expect("the table has five sections"), others.unwrap_or_default())
    })
}

impl Profiles {
    /// Parses the lines of one script in both tables, of which the first is its name.
    fn parse(section: &'static str, others: &'static str) -> Self {
        let mut profiles = Self {
            langs: Vec::new(),
            others: Vec::new(),
            has_alphabets: false,
            numbers: vec![UNKNOWN; LETTERS_END].into(),
            alphabets: Vec::new(),
            common: vec![NOWHERE; COMMON.pow(3)],
            slots: Vec::new(),
            shift: 0,
            lists: Vec::new(),
            rows: Vec::new(),
        };
        profiles.number_or_new(STOP);
        let mut ranked: Vec<(u32, u8, i16)> = Vec::new();
        for (language, line) in section.lines().skip(1).chain(others.lines().skip(1)).enumerate() {
            let fields: Vec<&str> = line.split(' ').collect();
            let [code, alphabet, trigrams] = fields[..] else { unreachable!("a line has three fields") };
            match Lang::from_code(code) {
                Some(lang) => profiles.langs.push(lang),
                None => profiles.others.push(code),
            }
            profiles.has_alphabets |= alphabet != "-";
            for letter in alphabet.chars().filter(|letter| *letter != '-') {
                let number = profiles.number_or_new(letter);
                profiles.alphabets[usize::from(number)] |= 1 << language;
            }
            let letters: Vec<char> = trigrams.chars().map(|c| if c == '_' { STOP } else { c }).collect();
            for (rank, trigram) in (0..).zip(letters.chunks_exact(3)) {
                let [a, b, c] = [0, 1, 2].map(|letter| profiles.number_or_new(trigram[letter]));
                ranked.push((key([a, b, c]), language as u8, rank));
            }
        }
        profiles.invert(ranked);
        profiles
    }

    /// Number of its languages.
    pub(crate) fn count(&self) -> usize {
        self.langs.len() + self.others.len()
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

    /// Makes the tables of trigrams from their keys, languages and ranks.
    fn invert(&mut self, mut ranked: Vec<(u32, u8, i16)>) {
        // As one number, which is compared in half the time.
        ranked.sort_unstable_by_key(|(key, language, _)| u64::from(*key) << 8 | u64::from(*language));
        let trigrams: Vec<_> = ranked.chunk_by(|a, b| a.0 == b.0).collect();
        self.slots = vec![(0, NOWHERE); (2 * trigrams.len()).next_power_of_two()];
        self.shift = u32::BITS - self.slots.len().trailing_zeros();
        for same in trigrams {
            let place = if same.len() <= LISTED {
                let entry = |(_, language, rank): &(u32, u8, i16)| (*language, *rank);
                self.lists.push(std::array::from_fn(|i| same.get(i).map_or((NOBODY, 0), entry)));
                (self.lists.len() - 1) << 2 | usize::from(IN_LISTS)
            } else {
                let mut row = [MISSING; MAX_LANGUAGES];
                for (_, language, rank) in same {
                    row[usize::from(*language)] = *rank;
                }
                self.rows.push(row);
                (self.rows.len() - 1) << 2 | usize::from(IN_ROWS)
            } as u16;
            let key = same[0].0;
            if let Some(common) = common_index(key) {
                self.common[common] = place;
                continue;
            }
            let mut slot = self.slot(key);
            while self.slots[slot].0 != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = (key, place);
        }
    }

    /// The first slot of a key.
    fn slot(&self, key: u32) -> usize {
        (key.wrapping_mul(0x9e37_79b1) >> self.shift) as usize
    }

    /// The place of the trigram of the letters with these numbers.
    #[inline]
    fn place(&self, trigram: [u8; 3]) -> u16 {
        let key = key(trigram);
        if let Some(common) = common_index(key) {
            return self.common[common];
        }
        let mut slot = self.slot(key);
        loop {
            let (found, place) = self.slots[slot];
            if found == key || found == 0 {
                return place;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a trigram of a text, with its rank there, to the matches if a profile has it.
    #[inline]
    pub(crate) fn find(&self, trigram: [u8; 3], rank: u32, matches: &mut Matches) {
        let place = self.place(trigram);
        // Both are written and one is counted: a branch would be mispredicted.
        matches.lists[matches.list_count] = (place >> 2, rank as i16);
        matches.rows[matches.row_count] = (place >> 2, rank as i16);
        matches.list_count += usize::from(place & IN_LISTS != 0);
        matches.row_count += usize::from(place & IN_ROWS != 0);
    }

    /// Change in the distance of each profile from the text that the matches make, in ranks; they are then forgotten.
    /// A match counts the difference of the ranks instead of [`RANKS`], the distance of a missing trigram.
    pub(crate) fn distances(&self, matches: &mut Matches) -> [i32; MAX_LANGUAGES] {
        let mut sums = [0; LANES];
        for (place, rank) in &matches.lists[..matches.list_count] {
            for (language, of_profile) in &self.lists[usize::from(*place)] {
                sums[usize::from(*language)] += i32::from((rank - of_profile).abs()) - i32::from(RANKS);
            }
        }
        for batch in matches.rows[..matches.row_count].chunks(BATCH) {
            let mut of_batch = [0_i16; MAX_LANGUAGES];
            for (place, rank) in batch {
                for (sum, of_profile) in of_batch.iter_mut().zip(&self.rows[usize::from(*place)]) {
                    let difference = (rank - of_profile).abs() - RANKS.cast_signed();
                    // The sign of MISSING clears the difference.
                    *sum += difference & !(of_profile >> (i16::BITS - 1));
                }
            }
            for (sum, of_batch) in sums.iter_mut().zip(of_batch) {
                *sum += i32::from(of_batch);
            }
        }
        (matches.list_count, matches.row_count) = (0, 0);
        std::array::from_fn(|language| sums[language])
    }

    /// The number of a letter in these profiles and alphabets, [`UNKNOWN`] if it is in none.
    pub(crate) fn number(&self, letter: char) -> u8 {
        self.numbers.get(letter as usize).copied().unwrap_or(UNKNOWN)
    }

    /// The languages whose alphabet has the letter with this number: a bit each.
    pub(crate) fn alphabets(&self, number: u8) -> u64 {
        self.alphabets.get(usize::from(number)).copied().unwrap_or_default()
    }
}

/// The key of a trigram; that of common letters may be 0, that of others is not.
fn key([a, b, c]: [u8; 3]) -> u32 {
    u32::from_be_bytes([0, a, b, c])
}

/// The place in [`Profiles::common`] of a trigram of common letters.
fn common_index(key: u32) -> Option<usize> {
    let [_, a, b, c] = key.to_be_bytes().map(usize::from);
    ((a | b | c) < COMMON).then_some((a * COMMON + b) * COMMON + c)
}
