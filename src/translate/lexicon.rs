//! A lexicon: the pairs of words of two languages that translate each other, as hashes of stems.
//!
//! ```text
//! offset  size  header
//!      0     8  magic: 89 64 6C 78 0D 0A 1A 0A
//!      8     4  version of the format: 1
//!     12     4  h, the length of the head
//!     16     8  n, the number of pairs
//!     24    16  checksum of bytes 0 to 23 and of all bytes from 40 on
//!     40     h  head: JSON in UTF-8
//!         0..7  zeros, up to a multiple of 8
//!          8·n  u64: stem in the first language in the upper half, in the second in the lower; ascending
//!          8·n  the same with the halves exchanged; ascending
//! ```
//!
//! Numbers are little-endian; the checksum is the first 16 bytes of a BLAKE3 hash. The head names the languages, the
//! dictionary, its licence, the digest of its files and the recipe by which words were stemmed: a lexicon of another
//! recipe is refused. `docs/translated.md` has the same drawing.
//!
//! Cost: opening maps the file and reads it once for the checksum. A look-up is a binary search.

mod build;
mod chain;
mod pairs;

use std::path::Path;

use memmap2::Mmap;
use serde::{Deserialize, Serialize};

pub use build::{Dictionary, GLOSSES};
pub use chain::chain;
pub use pairs::Pairs;

use crate::durable::{disk, paths};
use crate::error::{Error, Result, shown};
use crate::memory::Map;
use crate::text::Language;

const MAGIC: [u8; 8] = *b"\x89dlx\r\n\x1a\n";
const VERSION: u32 = 1;
/// Offset of the checksum, which covers the bytes before it.
const CHECKSUM: usize = 24;
/// Offset of the head.
const HEAD: usize = 40;
/// Maximum length of the head in bytes.
const MAX_HEAD: usize = 1 << 20;

/// Origin of a lexicon: its languages, dictionaries and recipe.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// ISO 639-3 codes of the two languages.
    pub languages: [String; 2],
    /// The names of the dictionaries, as they give them.
    pub name: String,
    /// Their licences, as they state them; empty if they state none.
    pub licence: String,
    /// The name, length in bytes and BLAKE3 digest of each file.
    pub sources: Vec<Source>,
    /// Number of entries that were read.
    pub entries: u64,
    /// The recipe by which words were stemmed, 16 hexadecimal digits.
    pub recipe: String,
}

/// A file of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its name without folders.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Its digest, in hexadecimal digits.
    pub blake3: String,
}

/// A lexicon in a mapped file.
#[derive(Debug)]
pub struct Lexicon {
    map: Map,
    head: Head,
    languages: [Language; 2],
    /// Offset of the pairs.
    pairs: usize,
    /// Number of pairs.
    count: usize,
}

/// True if a file begins as a lexicon does.
pub fn is_lexicon(path: &Path) -> bool {
    disk::begins_with(path, MAGIC)
}

impl Lexicon {
    /// Opens a lexicon and checks all of it. The file must not change while it is open.
    ///
    /// # Errors
    ///
    /// [`Error::Read`], [`Error::NotLexicon`], [`Error::NewerLexicon`], [`Error::DamagedLexicon`].
    pub fn open(path: &Path) -> Result<Self> {
        let name = || shown(path);
        let error = |source| Error::Read { path: name(), source };
        if paths::is_special(path) || path.is_dir() {
            return Err(Error::NotLexicon { path: name() });
        }
        let file = disk::open(path).map_err(error)?;
        if file.metadata().map_err(error)?.len() == 0 {
            return Err(Error::NotLexicon { path: name() });
        }
        #[expect(unsafe_code, reason = "a file's pages stand in for memory")]
        // SAFETY: the map is read-only and private to this process. What remains uncertain is another program that
        // writes to the file meanwhile, which nothing here can prevent.
        let map = unsafe { Mmap::map(&file) }.map_err(error)?;
        Self::of(&name(), Map::new(map))
    }

    fn of(path: &str, map: Map) -> Result<Self> {
        let damaged = |what| Error::DamagedLexicon { path: path.to_owned(), what };
        if !map.starts_with(&MAGIC) {
            return Err(Error::NotLexicon { path: path.to_owned() });
        }
        if map.len() < HEAD {
            return Err(damaged("is truncated"));
        }
        let found = u32::from_le_bytes(*map[8..].first_chunk().expect("inside"));
        if found > VERSION {
            return Err(Error::NewerLexicon { path: path.to_owned(), found, known: VERSION });
        }
        let length = u32::from_le_bytes(*map[12..].first_chunk().expect("inside")) as usize;
        let count = u64_at(&map, 16);
        let pairs = (HEAD + length.min(MAX_HEAD)).next_multiple_of(8);
        let expected = count.checked_mul(16).and_then(|bytes| bytes.checked_add(pairs as u64));
        if length > MAX_HEAD || expected != Some(map.len() as u64) {
            return Err(damaged("has another length than its header says"));
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&map[..CHECKSUM]).update(&map[HEAD..]);
        if hasher.finalize().as_bytes()[..HEAD - CHECKSUM] != map[CHECKSUM..HEAD] {
            return Err(damaged("is damaged: its checksum does not match"));
        }
        let head: Head = serde_json::from_slice(&map[HEAD..HEAD + length]).map_err(|_| damaged("has no valid head"))?;
        let [a, b] = [0, 1].map(|side| head.languages[side].parse());
        Ok(Self { languages: [a?, b?], head, pairs, count: count as usize, map })
    }

    /// The same lexicon, if its words were stemmed as this program stems.
    ///
    /// # Errors
    ///
    /// [`Error::OtherLexicon`].
    pub fn for_this_version(self, path: &Path) -> Result<Self> {
        let now = build::recipe()?;
        if self.head.recipe == now {
            return Ok(self);
        }
        Err(Error::OtherLexicon { path: shown(path), found: self.head.recipe, now })
    }

    /// Its origin.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Its two languages.
    pub fn languages(&self) -> [Language; 2] {
        self.languages
    }

    /// Number of pairs of words.
    pub fn len(&self) -> usize {
        self.count
    }

    /// True if it has no pairs.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The translations of a stem into the other language; `None` if the lexicon has none from or to these.
    pub(super) fn translations<'l>(&'l self, from: Language, to: Language) -> Option<impl Fn(u32) -> Translations<'l>> {
        let side = match self.languages {
            [a, b] if (a, b) == (from, to) => 0,
            [a, b] if (b, a) == (from, to) => 1,
            _ => return None,
        };
        Some(move |stem: u32| {
            let first = u64::from(stem) << 32;
            let (mut low, mut high) = (0, self.count);
            while low < high {
                let middle = usize::midpoint(low, high);
                if self.pair(side, middle) < first { low = middle + 1 } else { high = middle }
            }
            Translations { lexicon: self, side, at: low, stem }
        })
    }

    /// True if a stem of one of its languages has a translation.
    pub(super) fn has(&self, language: Language, stem: u32) -> bool {
        let other = self.languages.into_iter().find(|other| *other != language);
        let translations = other.and_then(|other| self.translations(language, other));
        translations.is_some_and(|of| of(stem).next().is_some())
    }

    /// The stems of a language, ascending, each with its translations.
    fn groups(&self, side: usize) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let stem = (at < self.count).then(|| (self.pair(side, at) >> 32) as u32)?;
            let translations: Vec<u32> = Translations { lexicon: self, side, at, stem }.collect();
            at += translations.len();
            Some((stem, translations))
        })
    }

    fn pair(&self, side: usize, number: usize) -> u64 {
        u64_at(&self.map, self.pairs + 8 * (side * self.count + number))
    }
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(*bytes[offset..].first_chunk().expect("inside"))
}

/// The translations of a stem, ascending.
pub(super) struct Translations<'l> {
    lexicon: &'l Lexicon,
    side: usize,
    at: usize,
    stem: u32,
}

impl Iterator for Translations<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        let pair = (self.at < self.lexicon.count).then(|| self.lexicon.pair(self.side, self.at))?;
        self.at += 1;
        ((pair >> 32) as u32 == self.stem).then_some(pair as u32)
    }
}

#[cfg(test)]
mod tests;
