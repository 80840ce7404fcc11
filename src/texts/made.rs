//! A text's fingerprint with the data that is stored beside it.

use std::borrow::Cow;

use crate::align::{Indexing, PassageKeys};
use crate::error::{Problem, Result};
use crate::fingerprint::{Analysis, Fingerprinter, Options};
use crate::screen::Preparer;
use crate::store::file::format::{Counts, Provenance};
use crate::store::file::write::{Entry, Store, Writer};

/// A fingerprinted document.
#[derive(Debug)]
pub struct Fingerprinted {
    /// Its id.
    pub id: String,
    /// Its number in its file, from 1; 0 if the file is the document, or there is none.
    pub number: u64,
    /// The value of the key field.
    pub key: Option<String>,
    /// The length of its text in bytes.
    pub bytes: u64,
    /// Its fingerprint and its shingles.
    pub analysis: Analysis,
    /// The data that passages need, if they are asked for.
    pub passages: Option<Passages>,
}

impl Fingerprinted {
    /// Its approximate size in memory, in bytes.
    pub fn size(&self) -> usize {
        let Analysis { shingles, words, hashes, fingerprint, .. } = &self.analysis;
        let kept = self.passages.as_ref().map_or(0, |kept| kept.text.len() + 8 * kept.features.len());
        let kept = kept + 8 * (shingles.len() + hashes.len()) + 4 * words.len() + 4 * fingerprint.sketch.len();
        kept + self.id.len() + size_of::<Self>()
    }

    /// Adds the document to a fingerprint file, as one of this input file.
    ///
    /// # Errors
    ///
    /// Those of [`Writer::push`].
    pub fn push<S: Store>(&self, writer: &mut Writer<S>, file: u32) -> Result<()> {
        let fingerprint = &self.analysis.fingerprint;
        writer.push(&Entry {
            id: &self.id,
            simhash: fingerprint.simhash,
            sketch: &fingerprint.sketch,
            digest: fingerprint.digest,
            letters: fingerprint.letters,
            language: fingerprint.language.code(),
            counts: Counts {
                bytes: self.bytes,
                tokens: fingerprint.tokens as u64,
                terms: fingerprint.terms as u64,
                ngrams: fingerprint.ngrams as u64,
                shingles: fingerprint.shingles as u64,
            },
            place: Provenance { file, record: self.number },
            key: self.key.as_deref(),
            shingles: self.analysis.shingles.as_slice(),
            words: &self.analysis.words,
            hashes: &self.analysis.hashes,
            text: self.passages.as_ref().map_or("", |kept| &kept.text),
            author: self.passages.as_ref().and_then(|kept| kept.author.as_deref()),
        })
    }
}

/// The parts of a document that are kept for passages.
#[derive(Debug)]
pub struct Passages {
    /// Its text.
    pub text: String,
    /// Its author, if known.
    pub author: Option<String>,
    /// The passage keys of the text.
    pub features: PassageKeys,
    /// The problem of a text that has more words than are searched for passages.
    pub cut_short: Option<Problem>,
}

/// Writes the index of the passage keys of a file's texts.
///
/// # Errors
///
/// Those of [`Writer::passages`].
pub fn write_passages<S: Store>(writer: &mut Writer<S>, indexing: Indexing) -> Result<()> {
    writer.passages(indexing.finish().index())
}

/// Makes fingerprints of texts on one thread.
pub struct Maker {
    fingerprinter: Fingerprinter,
    /// Divides texts for passages, if they are asked for.
    preparer: Option<Preparer>,
}

impl Maker {
    /// A maker of fingerprints by these options, with the data that passages need if `passages` is set.
    ///
    /// # Errors
    ///
    /// Those of [`Fingerprinter::new`].
    pub fn new(options: &Options, passages: bool) -> Result<Self> {
        let fingerprinter = Fingerprinter::new(options.clone())?;
        Ok(Self { fingerprinter, preparer: passages.then(|| Preparer::new(None)) })
    }

    /// The analysis of a text, and the data that passages need.
    pub fn make(&mut self, text: Cow<'_, str>, author: Option<String>) -> (Analysis, Option<Passages>) {
        let analysis = self.fingerprinter.analyse(&text);
        let passages = self.preparer.as_mut().map(|preparer| {
            let language = analysis.fingerprint.language;
            let prepared = preparer.prepare_in(language, String::new(), author, text.into_owned());
            let (features, cut_short) = (PassageKeys::of(&prepared.words), prepared.cut_short());
            Passages { features, cut_short, text: prepared.text, author: prepared.author }
        });
        (analysis, passages)
    }
}
