//! The words of a text, and the keys by which those of other languages find them.

use std::collections::HashMap;

use super::compounds::Compounds;
use super::letters::{consonants, digits, skeleton};
use super::lexicon::Lexicon;
use crate::align::{Correspondence, Word};
use crate::text::Language;
use crate::text::fold::folded;
use crate::text::normalise::Normaliser;

/// The entry of a word that tells nothing, such as a stop word.
pub(super) const NONE: u32 = u32::MAX;

/// The entry of a word in another language than the vocabulary, which can have no counterpart.
pub(super) const FOREIGN: u32 = NONE - 1;

/// Numbers of letters by which words begin alike.
const PREFIXES: [usize; 2] = [4, 6];

/// Maximum number of words of a language that a reader remembers.
const REMEMBERED: usize = 1 << 15;

/// The different words of a text, and where each stands.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The entry of each word of the text; [`NONE`] for one that tells nothing, [`FOREIGN`] for one in another language.
    pub(super) words: Vec<u32>,
    pub(super) entries: Vec<Entry>,
}

/// The clue of a word to translations from one language.
#[derive(Debug, Clone, Copy)]
pub enum Telling<'w> {
    /// A word whose counterparts are searched for.
    Word(&'w Word),
    /// None: a stop word, or one that is left out.
    Nothing,
    /// A word in another language, where every translation ends.
    Foreign,
}

/// A word as others find it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    stem: u32,
    pub(super) is_number: bool,
    /// The key of a name in the other kind of script; 0 for none.
    pub(super) name_elsewhere: u32,
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
    pub(super) fn stems(&self) -> impl Iterator<Item = u32> + '_ {
        let stem = (!self.is_number).then_some(self.stem);
        stem.into_iter().chain(self.parts.into_iter().filter(|stem| *stem != 0))
    }

    pub(super) fn keys(&self) -> impl Iterator<Item = (u32, Correspondence)> + '_ {
        let stems = self.stems().map(|stem| (of_stem(stem), Correspondence::Lexicon));
        stems.chain(self.keys.iter().copied().filter(|(key, _)| *key != 0))
    }
}

/// The key of a stem.
pub(super) fn of_stem(stem: u32) -> u32 {
    stem.wrapping_mul(0x9E37_79B1) | 1
}

/// The key of letters or digits.
fn key(class: Correspondence, letters: &str) -> u32 {
    let seed = 0xCBF2_9CE4_8422_2325 ^ class as u64;
    let hash = letters.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    (hash ^ (hash >> 32)) as u32 & !1 | 2
}

impl Vocabulary {
    /// The keys by which a word is found.
    pub(super) fn keys(&self, word: usize) -> impl Iterator<Item = (u32, Correspondence)> + '_ {
        self.entries.get(self.words[word] as usize).into_iter().flat_map(Entry::keys)
    }
}

/// Reads the vocabularies of texts, on one thread. It remembers words, as most of those of a text are also in others.
#[derive(Debug)]
pub struct Reader<'l> {
    lexicons: &'l [Lexicon],
    languages: HashMap<Language, OfLanguage<'l>>,
}

/// The reader of one language.
#[derive(Debug)]
struct OfLanguage<'l> {
    normaliser: Normaliser,
    compounds: Option<Compounds<'l>>,
    /// Words in their normal form.
    known: HashMap<String, Entry>,
}

impl<'l> Reader<'l> {
    /// A reader that divides compounds by these lexicons.
    pub fn new(lexicons: &'l [Lexicon]) -> Self {
        Self { lexicons, languages: HashMap::new() }
    }

    /// The words of a text that are in a language, and what stands between them.
    pub fn read<'w>(&mut self, text: &str, language: Language, words: impl Iterator<Item = Telling<'w>>) -> Vocabulary {
        let lexicons = self.lexicons;
        let of_language = self.languages.entry(language).or_insert_with(|| OfLanguage {
            normaliser: Normaliser::new(language),
            compounds: Compounds::of(language, lexicons),
            known: HashMap::new(),
        });
        let (mut of_text, mut form) = (HashMap::new(), String::new());
        let mut vocabulary = Vocabulary { words: Vec::with_capacity(words.size_hint().0), entries: Vec::new() };
        for word in words {
            let entry = match word {
                Telling::Word(word) => *of_text.entry(word.form).or_insert_with(|| {
                    of_language.normaliser.normalise(&text[word.start as usize..word.end as usize], &mut form);
                    vocabulary.entries.push(of_language.entry(word.stem, &form));
                    vocabulary.entries.len() as u32 - 1
                }),
                Telling::Nothing => NONE,
                Telling::Foreign => FOREIGN,
            };
            vocabulary.words.push(entry);
        }
        vocabulary
    }
}

impl OfLanguage<'_> {
    /// The entry of a word in its normal form.
    fn entry(&mut self, stem: u32, form: &str) -> Entry {
        if let Some(entry) = self.known.get(form).filter(|entry| entry.stem == stem) {
            return entry.clone();
        }
        let parts = self.compounds.as_mut().and_then(|compounds| compounds.parts(form)).unwrap_or_default();
        let entry = Entry::new(stem, &folded(form), parts);
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(form.to_owned(), entry.clone());
        entry
    }
}
