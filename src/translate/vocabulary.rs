//! The words of a text as translations are told by them: keys of its own, and keys of their counterparts.

use std::collections::HashMap;
use std::ops::Range;

use super::compounds::Compounds;
use super::evidence::Asks;
use super::letters::{consonants, digits, skeleton};
use super::lexicon::Lexicon;
use crate::align::{Correspondence, Words};
use crate::text::Language;
use crate::text::fold::folded;
use crate::text::normalise::Normaliser;

/// The entry of a word that tells nothing, such as a stop word.
pub(super) const NONE: u32 = u32::MAX;

/// Numbers of letters by which words begin alike.
const PREFIXES: [usize; 2] = [4, 6];

/// Maximum number of translations of a word that are asked for.
const TRANSLATIONS: usize = 64;

/// The different words of a text, and where each stands.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The entry of each word of the text; [`NONE`] for one that tells nothing.
    pub(super) words: Vec<u32>,
    entries: Vec<Entry>,
}

/// A word as others find it.
#[derive(Debug)]
struct Entry {
    stem: u32,
    is_number: bool,
    /// The key of a name in the other kind of script; 0 for none.
    name_elsewhere: u32,
    /// The stems of the two words that it is put together from; 0 for none.
    parts: [u32; 2],
    /// Its keys beside the stems; 0 for none.
    keys: [(u32, Correspondence); PREFIXES.len() + 1],
}

impl Entry {
    fn new(stem: u32, word: &str, parts: [u32; 2]) -> Self {
        let mut keys = [(0, Correspondence::Cognate); PREFIXES.len() + 1];
        if let Some(digits) = digits(word) {
            keys[0] = (key(Correspondence::Number, &digits), Correspondence::Number);
            return Self { stem, is_number: true, name_elsewhere: 0, parts: [0; 2], keys };
        }
        let letters = skeleton(word);
        for (key_of, length) in keys.iter_mut().zip(PREFIXES) {
            if let Some(prefix) = letters.get(..length) {
                key_of.0 = key(Correspondence::Cognate, prefix);
            }
        }
        let mut name_elsewhere = 0;
        if let Some(mut consonants) = consonants(&letters) {
            // In one script a name has the same letters.
            let scripts = if word.is_ascii() { ["latin", "other"] } else { ["other", "latin"] };
            let length = consonants.len();
            let [own, elsewhere] = scripts.map(|script| {
                consonants.truncate(length);
                consonants.push_str(script);
                key(Correspondence::Name, &consonants)
            });
            keys[PREFIXES.len()] = (own, Correspondence::Name);
            name_elsewhere = elsewhere;
        }
        Self { stem, is_number: false, name_elsewhere, parts, keys }
    }

    /// Its stem, and those of its parts; a number has none.
    fn stems(&self) -> impl Iterator<Item = u32> + '_ {
        let stem = (!self.is_number).then_some(self.stem);
        stem.into_iter().chain(self.parts.into_iter().filter(|stem| *stem != 0))
    }

    fn keys(&self) -> impl Iterator<Item = (u32, Correspondence)> + '_ {
        let stems = self.stems().map(|stem| (of_stem(stem), Correspondence::Lexicon));
        stems.chain(self.keys.iter().copied().filter(|(key, _)| *key != 0))
    }
}

/// The key of a stem.
fn of_stem(stem: u32) -> u32 {
    stem.wrapping_mul(0x9E37_79B1) | 1
}

/// The key of letters or digits.
fn key(class: Correspondence, letters: &str) -> u32 {
    let seed = 0xCBF2_9CE4_8422_2325 ^ class as u64;
    let hash = letters.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    (hash ^ (hash >> 32)) as u32 & !1 | 2
}

impl Vocabulary {
    /// The words of a text in a language. Words that `is_left_out` tell nothing.
    pub fn new(
        text: &str,
        words: &Words,
        language: Language,
        lexicons: &[Lexicon],
        is_left_out: impl Fn(usize) -> bool,
    ) -> Self {
        let normaliser = Normaliser::new(language);
        let mut compounds = Compounds::of(language, lexicons);
        let (mut known, mut form) = (HashMap::new(), String::new());
        let mut vocabulary = Self { words: Vec::with_capacity(words.len()), entries: Vec::new() };
        for (number, word) in words.as_slice().iter().enumerate() {
            let entry = if word.is_common || is_left_out(number) {
                NONE
            } else {
                *known.entry(word.form).or_insert_with(|| {
                    normaliser.normalise(&text[word.start as usize..word.end as usize], &mut form);
                    let parts = compounds.as_mut().and_then(|compounds| compounds.parts(&form)).unwrap_or_default();
                    vocabulary.entries.push(Entry::new(word.stem, &folded(&form), parts));
                    vocabulary.entries.len() as u32 - 1
                })
            };
            vocabulary.words.push(entry);
        }
        vocabulary
    }

    /// The keys by which a word is found.
    pub(super) fn keys(&self, word: usize) -> impl Iterator<Item = (u32, Correspondence)> + '_ {
        self.entries.get(self.words[word] as usize).into_iter().flat_map(Entry::keys)
    }

    /// The keys of the counterparts that the words may have in another language, whose blocks have `postings` of a key.
    pub fn asked(
        &self,
        from: Language,
        to: Language,
        lexicons: &[Lexicon],
        postings: impl Fn(u32) -> Postings,
    ) -> Asked {
        let tables: Vec<_> = lexicons.iter().filter_map(|lexicon| lexicon.translations(from, to)).collect();
        let mut asked = Asked { entries: Vec::with_capacity(self.entries.len()), keys: Vec::new(), absent: 0.0 };
        let mut own = Vec::new();
        for entry in &self.entries {
            own.clear();
            let by_letters = |class| matches!(class, Correspondence::Cognate | Correspondence::Number);
            own.extend(entry.keys().filter(|(_, class)| by_letters(*class)));
            own.extend((entry.name_elsewhere != 0).then_some((entry.name_elsewhere, Correspondence::Name)));
            let of_stem_in_all = |stem: u32| tables.iter().flat_map(move |of| of(stem)).take(TRANSLATIONS);
            let mut translations: Vec<u32> = entry.stems().flat_map(of_stem_in_all).collect();
            translations.sort_unstable();
            translations.dedup();
            let class = match (entry.is_number, translations.is_empty()) {
                (true, _) => Asks::Number,
                (_, false) => Asks::Known,
                _ => Asks::Unknown,
            };
            own.extend(translations.into_iter().map(|stem| (of_stem(stem), Correspondence::Lexicon)));
            let (start, mut absent) = (asked.keys.len(), 0);
            for &(key, class) in &own {
                let Postings { places, rate } = postings(key);
                if places.is_empty() {
                    (absent, asked.absent) = (absent + 1, rate);
                } else {
                    asked.keys.push(AskedKey { key, class, rate, places });
                }
            }
            asked.keys[start..].sort_by(|x, y| x.rate.total_cmp(&y.rate).then(x.key.cmp(&y.key)));
            asked.entries.push(AskedEntry { class, absent, keys: start as u32..asked.keys.len() as u32 });
        }
        asked
    }
}

/// The counterparts that the words of a text may have in another language.
#[derive(Debug)]
pub struct Asked {
    entries: Vec<AskedEntry>,
    keys: Vec<AskedKey>,
    /// The rate of a key that no block has.
    absent: f32,
}

/// Where the blocks of a language that have a key stand in its index, and their share of all blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Postings {
    pub(super) places: Range<u32>,
    pub(super) rate: f32,
}

#[derive(Debug)]
pub(super) struct AskedEntry {
    pub(super) class: Asks,
    /// Number of counterparts that stand in no block, for most words most of them: a lexicon lists more than is used.
    absent: u32,
    keys: Range<u32>,
}

/// The key of a counterpart.
#[derive(Debug, Clone)]
pub(super) struct AskedKey {
    pub(super) key: u32,
    pub(super) class: Correspondence,
    /// The share of the blocks of the other language that have it.
    pub(super) rate: f32,
    /// Where those blocks stand in the index.
    pub(super) places: Range<u32>,
}

impl Asked {
    /// The rates of the counterparts of an entry that stand in no block. They come before those of its keys.
    pub(super) fn absent(&self, entry: &AskedEntry) -> impl Iterator<Item = f32> {
        std::iter::repeat_n(self.absent, entry.absent as usize)
    }

    /// The class of an entry, and the keys of its counterparts that stand in blocks, the rarest first.
    pub(super) fn of(&self, entry: u32) -> Option<(&AskedEntry, &[AskedKey])> {
        let entry = self.entries.get(entry as usize)?;
        Some((entry, &self.keys[entry.keys.start as usize..entry.keys.end as usize]))
    }
}
