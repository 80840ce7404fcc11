//! Reads a whole fingerprint file and names the first fault in it.
//!
//! Checksums come first: they detect any damage on a disk or in transfer. Then the
//! records are checked: a file with correct checksums may still come from a faulty or
//! hostile program.
//!
//! Cost: one pass for the checksums, one over all but the digests for the contents.

use std::sync::atomic::Ordering;

use super::{FileRow, FingerprintFile, Lookup, PassageIndex, Section, Stated, checksum, u32_at};
use crate::error::{Error, Result};
use crate::observer::{Observer, go_on};
use crate::similarity::KEPT_WORDS;

/// Number of bytes read between two checks for interruption.
const PIECE: usize = 16 << 20;

/// Checks everything in several files, reported as one task: an undetected changed byte would
/// give a wrong answer. A file that was checked since it was opened is skipped.
///
/// # Errors
///
/// Those of [`FingerprintFile::verify_watched`].
pub fn verify_all<'f>(
    task: &str,
    files: impl Iterator<Item = &'f FingerprintFile> + Clone,
    observer: &dyn Observer,
) -> Result<()> {
    let length = |file: &FingerprintFile| file.sections().map(|(_, length)| length).sum::<u64>();
    let files = files.filter(|file| !file.is_checked.load(Ordering::Relaxed));
    let bytes: u64 = files.clone().map(length).sum();
    if bytes > 0 {
        observer.begin(task, Some(bytes));
    }
    for file in files {
        file.verify_watched(observer)?;
    }
    Ok(())
}

impl FingerprintFile {
    /// Checks everything in the file.
    ///
    /// # Errors
    ///
    /// [`Error::DamagedSection`] with the section, the record in it and the fault.
    pub fn verify(&self) -> Result<()> {
        self.verify_watched(&())
    }

    /// As [`verify`](Self::verify), reporting to an observer: a step is a byte.
    ///
    /// # Errors
    ///
    /// Those of [`verify`](Self::verify), and [`Error::Interrupted`].
    pub fn verify_watched(&self, observer: &dyn Observer) -> Result<()> {
        for row in &self.header.table {
            let mut hasher = blake3::Hasher::new();
            for piece in self.bytes(row.section).chunks(PIECE) {
                go_on(observer)?;
                hasher.update(piece);
                observer.advance(piece.len() as u64);
            }
            if checksum(&hasher) != row.checksum {
                return Err(self.damaged(row.section, None, "its checksum does not agree"));
            }
        }
        self.verify_documents()?;
        self.verify_places()?;
        self.verify_strings(Section::IdOffsets, Section::Ids)?;
        self.verify_strings(Section::PathOffsets, Section::Paths)?;
        self.verify_strings(Section::KeyOffsets, Section::Keys)?;
        if std::str::from_utf8(self.bytes(Section::KeyField)).is_err() {
            return Err(self.damaged(Section::KeyField, None, "it is not UTF-8"));
        }
        self.verify_shingles()?;
        self.verify_strings(Section::TextOffsets, Section::Texts)?;
        self.verify_strings(Section::AuthorOffsets, Section::Authors)?;
        self.passages().map_or(Ok(()), |index| self.verify_passages(&index))?;
        self.lookup().map_or(Ok(()), |lookup| self.verify_lookup(&lookup))?;
        self.is_checked.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Checks that heads ascend and cover the sections that they point into, that every entry of a
    /// key is under its head, and that all documents exist.
    fn verify_lookup(&self, lookup: &Lookup<'_>) -> Result<()> {
        let covers = |heads: &[u64], entries: usize| {
            heads.first() == Some(&0) && heads.last() == Some(&(entries as u64)) && heads.is_sorted()
        };
        if !covers(lookup.key_heads, lookup.keys.len()) {
            return Err(self.damaged(
                Section::KeyTableHeads,
                None,
                "they do not cover the section that they point into",
            ));
        }
        if !covers(lookup.block_heads, lookup.parts.len()) {
            return Err(self.damaged(Section::BlockHeads, None, "they do not cover the sections that they point into"));
        }
        let is_none = |&document: &u32| document as usize >= self.len();
        if let Some(i) = lookup.documents.iter().position(is_none) {
            return Err(self.damaged(Section::BlockDocuments, Some(i), "there is no such document"));
        }
        if let Some(i) = lookup.keys.iter().position(|&entry| is_none(&(entry as u32))) {
            return Err(self.damaged(Section::KeyTable, Some(i), "there is no such document"));
        }
        match lookup.misplaced() {
            Some(i) => Err(self.damaged(Section::KeyTable, Some(i), "it is under the wrong head or out of order")),
            None => Ok(()),
        }
    }

    /// Checks that documents without n-grams have no simhash, empty ones no sketch, and that languages are codes.
    fn verify_documents(&self) -> Result<()> {
        let sketches = self.sketches().chunks_exact(self.recipe.sketches);
        for (document, (simhash, sketch)) in self.simhashes().iter().zip(sketches).enumerate() {
            if self.language(document).is_empty() {
                return Err(self.damaged(Section::Languages, Some(document), "it is not a three-letter code"));
            }
            if self.counts(document).ngrams == 0 && *simhash != 0 {
                let what = "it is not zero, although the document has no n-grams";
                return Err(self.damaged(Section::Simhashes, Some(document), what));
            }
            if self.is_empty_document(document) && sketch.iter().any(|&minimum| minimum != 0) {
                let what = "it is not zero, although the document is empty";
                return Err(self.damaged(Section::Sketches, Some(document), what));
            }
        }
        Ok(())
    }

    /// Checks that the input file of every document exists, and that the origins of dates are known.
    fn verify_places(&self) -> Result<()> {
        for (document, place) in self.elements::<[u8; 12]>(Section::Places).iter().enumerate() {
            if u64::from(u32_at(place, 0)) >= self.header.files {
                return Err(self.damaged(Section::Places, Some(document), "there is no such input file"));
            }
        }
        for (file, row) in self.elements::<FileRow>(Section::Files).iter().enumerate() {
            let [_, _, unread, ..] = row[2].to_le_bytes();
            if unread > 1 {
                return Err(self.damaged(Section::Files, Some(file), "its mark of an unread file is neither 0 nor 1"));
            }
            // An unknown origin gives no date, as does a date without an origin.
            if Stated::encode(Stated::decode(row[3])) != row[3].to_le_bytes() {
                return Err(self.damaged(Section::Files, Some(file), "the origin of its date is unknown"));
            }
        }
        Ok(())
    }

    fn verify_strings(&self, offsets: Section, strings: Section) -> Result<()> {
        self.verify_offsets(offsets, self.bytes(strings).len())?;
        for i in 0..self.elements::<u64>(offsets).len().saturating_sub(1) {
            if self.string(offsets, strings, i).is_none() {
                return Err(self.damaged(strings, Some(i), "it is not UTF-8"));
            }
        }
        Ok(())
    }

    fn verify_shingles(&self) -> Result<()> {
        let offsets: &[u64] = self.elements(Section::ShingleOffsets);
        self.verify_offsets(Section::WordOffsets, self.elements::<u32>(Section::Words).len())?;
        self.verify_offsets(Section::ShingleOffsets, self.elements::<u64>(Section::Shingles).len())?;
        for document in 0..offsets.len().saturating_sub(1) {
            let Some(shingles) = self.stored_shingles(document) else {
                return Err(self.damaged(Section::Shingles, Some(document), "they do not ascend"));
            };
            let all = self.counts(document).shingles;
            if shingles.is_empty() != (all == 0) || shingles.len() as u64 > all {
                let what = "their number contradicts the document's counts";
                return Err(self.damaged(Section::Shingles, Some(document), what));
            }
            if self.stored_words(document).map_or(0, <[u32]>::len) as u64
                != self.counts(document).tokens.min(KEPT_WORDS as u64)
            {
                return Err(self.damaged(
                    Section::Words,
                    Some(document),
                    "their number contradicts the document's counts",
                ));
            }
        }
        Ok(())
    }

    /// Checks that blocks and features ascend, that every feature has a block, and that heads cover the features.
    fn verify_passages(&self, index: &PassageIndex<'_>) -> Result<()> {
        if index.first_blocks.first() != Some(&0) || !index.first_blocks.is_sorted() {
            return Err(self.damaged(Section::FirstBlocks, None, "they do not ascend from 0"));
        }
        if let Some(i) = index.features.windows(2).position(|pair| pair[0] >= pair[1]) {
            return Err(self.damaged(Section::TextFeatures, Some(i), "it does not ascend"));
        }
        let blocks = index.first_blocks.last().copied().unwrap_or(0);
        if let Some(i) = index.features.iter().position(|&feature| feature as u32 >= blocks) {
            return Err(self.damaged(Section::TextFeatures, Some(i), "there is no such block"));
        }
        let is_whole = index.heads.last() == Some(&(index.features.len() as u64));
        if !is_whole || index.heads.first() != Some(&0) || !index.heads.is_sorted() {
            return Err(self.damaged(Section::Heads, None, "they do not cover the section that they point into"));
        }
        Ok(())
    }

    /// Checks that offsets begin at 0, ascend, and end with the section that they point into.
    fn verify_offsets(&self, section: Section, end: usize) -> Result<()> {
        let offsets: &[u64] = self.elements(section);
        if let Some(i) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            return Err(self.damaged(section, Some(i), "it does not ascend"));
        }
        if offsets.first().is_some_and(|&first| first != 0) || offsets.last().is_some_and(|&last| last != end as u64) {
            return Err(self.damaged(section, None, "it does not cover the section that it points into"));
        }
        Ok(())
    }

    pub(super) fn damaged(&self, section: Section, record: Option<usize>, what: &'static str) -> Error {
        let record = record.map(|i| i as u64 + 1);
        Error::DamagedSection { path: self.path.clone(), section: section.name(), record, what }
    }
}
