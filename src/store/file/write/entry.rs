//! The record of one document.

use super::{NO_SKETCH, Store, Writer};
use crate::error::Result;
use crate::similarity::KEPT_WORDS;
use crate::store::file::ascend;
use crate::store::file::format::{Counts, Provenance, Section};

/// The record of one document, as it is written to a fingerprint file.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its simhash; `None` if and only if it has no n-grams of terms.
    pub simhash: Option<u64>,
    /// Its minima, as many as the recipe says; none if it has no shingles.
    pub sketch: &'a [u32],
    /// The first 128 bits of the BLAKE3 hash of its text.
    pub digest: [u8; 16],
    /// The hash of what the text says; 0 for a text without words.
    pub letters: u64,
    /// The ISO 639-3 code of the language that it was read in.
    pub language: &'a str,
    /// The size of its text.
    pub counts: Counts,
    /// Its origin.
    pub place: Provenance,
    /// Its sort key, if keys are kept; an empty one counts as none.
    pub key: Option<&'a str>,
    /// Its distinct shingles, ascending, if shingles are kept.
    pub shingles: &'a [u64],
    /// The hashes of its first [`KEPT_WORDS`](crate::similarity::KEPT_WORDS) words in their order, if shingles are kept.
    pub words: &'a [u32],
    /// The hash of each word, if all shingles were made of these and all words are kept; none otherwise.
    pub hashes: &'a [u64],
    /// Its text, if passages are kept.
    pub text: &'a str,
    /// Its author, if known and if passages are kept.
    pub author: Option<&'a str>,
}

impl<S: Store> Writer<S> {
    /// Adds a document.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`]; the writer is then unusable. The last checkpoint
    /// can still be resumed.
    ///
    /// # Panics
    ///
    /// If the entry contradicts [`Entry`]: it must have a sketch and shingles or neither, a
    /// language of three lower-case letters, and a file numbered by [`file`](Self::file).
    pub fn push(&mut self, entry: &Entry) -> Result<()> {
        let Entry { id, simhash, sketch, digest, letters, language, counts, place, key, text, author, .. } = *entry;
        let empty = counts.shingles == 0;
        assert_eq!(simhash.is_none(), counts.ngrams == 0, "a document has a simhash if it has n-grams: {id:?}");
        assert_eq!(sketch.len(), if empty { 0 } else { self.recipe.sketches }, "sketches of {id:?}");
        assert!(language.len() == 3 && language.bytes().all(|byte| byte.is_ascii_lowercase()), "language of {id:?}");
        assert!(u64::from(place.file) < self.files, "file of {id:?}");
        self.begin()?;
        self.store.write(Section::Simhashes, &simhash.unwrap_or(0).to_le_bytes())?;
        let sketch = if empty { &NO_SKETCH[..self.recipe.sketches] } else { sketch };
        self.store.write(Section::Sketches, bytemuck::cast_slice(sketch))?;
        self.store.write(Section::Digests, &digest)?;
        let counts = [counts.bytes, counts.tokens, counts.terms, counts.ngrams, counts.shingles];
        self.store.write(Section::Counts, bytemuck::cast_slice(&counts))?;
        self.store.write(Section::Letters, &letters.to_le_bytes())?;
        self.store.write(Section::Languages, language.as_bytes())?;
        self.store.write(Section::Languages, b"\0")?;
        self.store.write(Section::Places, &place.file.to_le_bytes())?;
        self.store.write(Section::Places, &place.record.to_le_bytes())?;
        self.string(Section::IdOffsets, Section::Ids, id)?;
        if self.sections.keys {
            self.string(Section::KeyOffsets, Section::Keys, key.unwrap_or_default())?;
        }
        if self.sections.shingles {
            self.lists(entry)?;
        }
        if self.sections.passages {
            self.string(Section::TextOffsets, Section::Texts, text)?;
            self.string(Section::AuthorOffsets, Section::Authors, author.unwrap_or_default())?;
        }
        self.documents += 1;
        self.sound = true;
        Ok(())
    }

    /// Adds the shingles and the words of a document. Packed words have no shingles beside them.
    fn lists(&mut self, entry: &Entry<'_>) -> Result<()> {
        let Entry { id, counts, shingles, words, hashes, .. } = *entry;
        assert!(ascend(shingles), "shingles of {id:?} ascend");
        let distinct = shingles.len() as u64;
        assert!((distinct == 0) == (counts.shingles == 0) && distinct <= counts.shingles, "shingles of {id:?}");
        assert_eq!(words.len() as u64, counts.tokens.min(KEPT_WORDS as u64), "words of {id:?}");
        let packs = self.store.packs() && !hashes.is_empty() && hashes.len() == words.len();
        if let Some(mut packer) = self.packer.take_if(|_| packs) {
            packer.pack(hashes, words);
            debug_assert_eq!(packer.last().lists(), (shingles.to_vec(), words.to_vec()), "lists of {id:?}");
            let pushed = self.list(Section::ShingleOffsets, Section::Shingles, &[0u64; 0]);
            let pushed = pushed.and_then(|()| self.list(Section::WordOffsets, Section::Words, packer.last().bytes));
            self.packer = Some(packer);
            return pushed;
        }
        self.list(Section::ShingleOffsets, Section::Shingles, shingles)?;
        self.list(Section::WordOffsets, Section::Words, words)
    }

    pub(super) fn string(&mut self, offsets: Section, strings: Section, string: &str) -> Result<()> {
        self.list(offsets, strings, string.as_bytes())
    }

    /// Writes a list, and its end in elements.
    fn list<T: bytemuck::NoUninit>(&mut self, offsets: Section, lists: Section, list: &[T]) -> Result<()> {
        self.store.write(lists, bytemuck::cast_slice(list))?;
        let end = self.store.length(lists) / size_of::<T>() as u64;
        self.store.write(offsets, &end.to_le_bytes())
    }
}
