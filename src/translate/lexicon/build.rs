//! Making a lexicon of the entries of dictionaries.
//!
//! A gloss of several words counts as the rarest of them among the glosses of its language, stop words aside: of
//! `waste disposal plant` it is the one that other entries use least. The same holds for headwords. An entry that
//! translates itself by more than [`GLOSSES`] glosses lists the usual ones first, and the rest would make every word a
//! translation of every other.

use std::collections::HashMap;
use std::path::Path;

use super::pairs::Pairs;
use super::{Head, Source};
use crate::durable::new_file::NewFile;
use crate::error::Result;
use crate::fingerprint::{Fingerprinter, Options};
use crate::text::Language;
use crate::text::read_words::WordReader;

/// Maximum number of glosses of an entry that are used.
pub const GLOSSES: usize = 8;

/// Maximum number of words of a phrase, stop words aside: longer ones are explanations.
const WORDS: usize = 4;

/// The recipe of this program, as a head names it.
pub(super) fn recipe() -> Result<String> {
    Ok(format!("{:016x}", Fingerprinter::new(Options::default())?.recipe().id()))
}

/// The entries of dictionaries between two languages.
#[derive(Debug)]
pub struct Dictionary {
    languages: [Language; 2],
    readers: [WordReader; 2],
    /// The stems of all phrases of either language, one phrase after the other, and where each begins.
    stems: [Vec<u32>; 2],
    starts: [Vec<u32>; 2],
    /// Pairs of phrases, one of either language.
    pairs: Vec<(u32, u32)>,
    entries: u64,
    names: Vec<String>,
    licences: Vec<String>,
    sources: Vec<Source>,
}

impl Dictionary {
    /// An empty dictionary between two languages.
    pub fn new(languages: [Language; 2]) -> Self {
        Self {
            languages,
            readers: languages.map(WordReader::new),
            stems: Default::default(),
            starts: Default::default(),
            pairs: Vec::new(),
            entries: 0,
            names: Vec::new(),
            licences: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Notes a file that entries come from.
    pub fn note_source(&mut self, file: String, content: &[u8]) {
        let blake3 = blake3::hash(content).to_hex().to_string();
        self.sources.push(Source { file, bytes: content.len() as u64, blake3 });
    }

    /// Notes the name and the licence that a dictionary states; either may be empty.
    pub fn note_origin(&mut self, name: &str, licence: &str) {
        for (all, new) in [(&mut self.names, name), (&mut self.licences, licence)] {
            if !new.is_empty() && !all.iter().any(|known| known == new) {
                all.push(new.to_owned());
            }
        }
    }

    /// Adds an entry. If it `is_turned`, the headword is of the second language and the glosses are of the first.
    pub fn add<'g>(&mut self, headword: &str, glosses: impl IntoIterator<Item = &'g str>, is_turned: bool) {
        self.entries += 1;
        let (from, to) = if is_turned { (1, 0) } else { (0, 1) };
        let Some(head) = self.phrase(from, headword) else { return };
        for gloss in glosses.into_iter().take(GLOSSES) {
            if let Some(gloss) = self.phrase(to, gloss) {
                self.pairs.push(if is_turned { (gloss, head) } else { (head, gloss) });
            }
        }
    }

    /// Number of entries.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// Adds a phrase of one of the languages; `None` if it has no word that counts, or too many.
    fn phrase(&mut self, side: usize, phrase: &str) -> Option<u32> {
        let (reader, stems) = (&mut self.readers[side], &mut self.stems[side]);
        let start = stems.len();
        let mut spans = Vec::new();
        reader.analyser.words(phrase, |span| spans.push(span));
        for span in spans {
            let read = reader.memo.read(&reader.analyser, &phrase[span]);
            stems.extend(read.filter(|read| !read.is_common).map(|read| read.stem));
        }
        if stems.len() == start || stems.len() - start > WORDS {
            stems.truncate(start);
            return None;
        }
        self.starts[side].push(u32::try_from(start).ok()?);
        Some((self.starts[side].len() - 1) as u32)
    }

    /// The rarest stem of each phrase of a language.
    fn rarest(&self, side: usize) -> Vec<u32> {
        let (stems, starts) = (&self.stems[side], &self.starts[side]);
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for stem in stems {
            *counts.entry(*stem).or_default() += 1;
        }
        let ends = starts.iter().skip(1).map(|&start| start as usize).chain([stems.len()]);
        let phrases = starts.iter().zip(ends).map(|(&start, end)| &stems[start as usize..end]);
        phrases.map(|phrase| *phrase.iter().min_by_key(|stem| counts[*stem]).expect("a phrase has a word")).collect()
    }

    /// True for a phrase of one word.
    fn is_word(&self, side: usize, phrase: u32) -> bool {
        let start = self.starts[side][phrase as usize] as usize;
        let end = self.starts[side].get(phrase as usize + 1).map_or(self.stems[side].len(), |&end| end as usize);
        end - start == 1
    }

    /// The pairs of stems, each weighted by the entries that have it, those of phrases that are one word twice.
    fn pairs(&self) -> Result<Pairs> {
        let head = Head {
            languages: self.languages.map(|language| language.code().to_owned()),
            name: self.names.join("; "),
            licence: self.licences.join("; "),
            sources: self.sources.clone(),
            entries: self.entries,
            recipe: recipe()?,
        };
        let [a, b] = [self.rarest(0), self.rarest(1)];
        let weighted = self.pairs.iter().map(|&(head, gloss)| {
            let is_word = self.is_word(0, head) && self.is_word(1, gloss);
            (a[head as usize], b[gloss as usize], 1 + u64::from(is_word))
        });
        Ok(Pairs::new(head, weighted.collect()))
    }

    /// Writes the lexicon to a new file that was begun at this path; returns the number of pairs.
    ///
    /// # Errors
    ///
    /// [`Error::EmptyLexicon`](crate::Error::EmptyLexicon) if there are no pairs; those of writing a file.
    pub fn write(&self, path: &Path, file: NewFile) -> Result<usize> {
        self.pairs()?.write(path, file)
    }
}
