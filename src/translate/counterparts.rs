//! The counterparts that the words of texts may have in another language.
//!
//! Each word is looked up once, in the lexicons and in the index: most words of a text are also words of others, and a source
//! is asked for each document that it is compared with.
//!
//! Cost: some 500 bytes for each of the words that are remembered, [`MOST`] at most.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use super::evidence::Asks;
use super::lexicon::Lexicon;
use super::vocabulary::{Entry, Vocabulary, of_stem};
use crate::align::Correspondence;
use crate::text::Language;

/// Maximum number of translations of a word that are asked for.
const TRANSLATIONS: usize = 64;

/// Maximum number of words that are remembered; others are looked up again.
const MOST: usize = 1 << 16;

/// The counterparts of words, which are remembered.
#[derive(Debug, Default)]
pub struct Counterparts {
    known: RwLock<HashMap<Key, Arc<OfWord>>>,
}

/// A word, and the languages from which and into which it is translated.
type Key = ([Language; 2], Entry);

/// The counterparts that the words of a text may have in another language, by entries of its vocabulary.
#[derive(Debug)]
pub struct Asked(Vec<Arc<OfWord>>);

/// The counterparts of a word.
#[derive(Debug)]
pub(super) struct OfWord {
    pub(super) class: Asks,
    /// Sum of the rates of those that stand in no block, for most words most of them: a lexicon lists more than is used.
    pub(super) absent: f32,
    /// The keys of those that stand in blocks, the rarest first.
    pub(super) keys: Vec<AskedKey>,
}

/// Where the blocks of a language that have a key stand in its index, and the expected number of it in a block.
#[derive(Debug, Clone, PartialEq)]
pub struct Postings {
    pub(super) places: Range<u32>,
    pub(super) rate: f32,
}

/// The key of a counterpart.
#[derive(Debug, Clone)]
pub(super) struct AskedKey {
    pub(super) key: u32,
    pub(super) class: Correspondence,
    /// Expected number of it in a block of the other language.
    pub(super) rate: f32,
    /// Where those blocks stand in the index.
    pub(super) places: Range<u32>,
}

impl Counterparts {
    /// The counterparts that the words of a text may have in another language, whose blocks have `postings` of a key.
    /// Lexicons and index are the same whenever it is asked.
    pub fn of(
        &self,
        text: &Vocabulary,
        [from, to]: [Language; 2],
        lexicons: &[Lexicon],
        postings: impl Fn(u32) -> Postings,
    ) -> Asked {
        let key = |entry: &Entry| ([from, to], entry.clone());
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let found: Vec<Option<Arc<OfWord>>> =
            text.entries.iter().map(|entry| known.get(&key(entry)).cloned()).collect();
        drop(known);
        let tables: Vec<_> = lexicons.iter().filter_map(|lexicon| lexicon.translations(from, to)).collect();
        let of_stem_in_all = |stem: u32| tables.iter().flat_map(move |of| of(stem)).take(TRANSLATIONS);
        let mut new = Vec::new();
        let of_entry = |(entry, found): (&Entry, Option<Arc<OfWord>>)| {
            found.unwrap_or_else(|| {
                let translations = entry.stems().flat_map(of_stem_in_all).collect();
                let made = Arc::new(OfWord::new(entry, translations, &postings));
                new.push((key(entry), Arc::clone(&made)));
                made
            })
        };
        let asked = Asked(text.entries.iter().zip(found).map(of_entry).collect());
        if !new.is_empty() {
            let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
            let left = MOST.saturating_sub(known.len());
            known.extend(new.into_iter().take(left));
        }
        asked
    }
}

impl OfWord {
    fn new(entry: &Entry, mut translations: Vec<u32>, postings: impl Fn(u32) -> Postings) -> Self {
        let by_letters = |class| matches!(class, Correspondence::Cognate | Correspondence::Number);
        let mut all: Vec<_> = entry.keys().filter(|(_, class)| by_letters(*class)).collect();
        all.extend((entry.name_elsewhere != 0).then_some((entry.name_elsewhere, Correspondence::Name)));
        translations.sort_unstable();
        translations.dedup();
        let class = match (entry.is_number, translations.is_empty()) {
            (true, _) => Asks::Number,
            (_, false) => Asks::Known,
            _ => Asks::Unknown,
        };
        all.extend(translations.into_iter().map(|stem| (of_stem(stem), Correspondence::Lexicon)));
        let (mut keys, mut absent) = (Vec::new(), 0.0);
        for (key, class) in all {
            let Postings { places, rate } = postings(key);
            if places.is_empty() {
                absent += rate;
            } else {
                keys.push(AskedKey { key, class, rate, places });
            }
        }
        keys.sort_by(|x, y| x.rate.total_cmp(&y.rate).then(x.key.cmp(&y.key)));
        Self { class, absent, keys }
    }
}

impl Asked {
    /// The counterparts of an entry; `None` for one that tells nothing.
    pub(super) fn of(&self, entry: u32) -> Option<&OfWord> {
        self.0.get(entry as usize).map(|of| &**of)
    }
}
