//! Several fingerprint files of one recipe, presented as one.
//!
//! Documents are numbered from 0 through all files, in the order in which the files
//! are named. An id that occurs in two files gives two documents.

use std::borrow::Cow;
use std::path::PathBuf;

use super::format::{Counts, DateOrigin, InputFile, Provenance};
use super::map::FingerprintFile;
use crate::error::{Error, Result};
use crate::parallel;
use crate::similarity::{Figures, Removal, RuleSet, Rules};
use crate::similarity::{FingerprintView, equality_key, formats_agree};
use crate::sketch::recipe::Recipe;

/// Maximum number of documents: their numbers are 32 bits.
pub const MAX_DOCUMENTS: usize = u32::MAX as usize - 1;

/// Number of pairs that are judged before the first of them is wanted.
const JUDGED_TOGETHER: usize = if cfg!(test) { 70 } else { 1 << 12 };

/// Number of pairs that a thread judges at a time.
const PART: usize = if cfg!(test) { 8 } else { 64 };

/// Fingerprint files of one recipe.
#[derive(Debug)]
pub struct Collection {
    files: Vec<FingerprintFile>,
    /// The number of each file's first document, and of all documents at the end.
    starts: Vec<u32>,
}

impl Collection {
    /// Opens these files.
    ///
    /// # Errors
    ///
    /// As [`FingerprintFile::open`], and [`push`](Self::push).
    pub fn open(paths: &[PathBuf]) -> Result<Self> {
        Self::of(paths.iter().map(|path| FingerprintFile::open(path)).collect::<Result<_>>()?)
    }

    /// A collection of open files.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    pub fn of(files: Vec<FingerprintFile>) -> Result<Self> {
        let mut collection = Self { files: Vec::new(), starts: vec![0] };
        files.into_iter().try_for_each(|file| collection.push(file))?;
        Ok(collection)
    }

    /// Adds a file after the others.
    ///
    /// # Errors
    ///
    /// [`Error::RecipesOf`] if its recipe differs; [`Error::TooMany`] documents.
    pub fn push(&mut self, file: FingerprintFile) -> Result<()> {
        if let Some(first) = self.files.first().filter(|first| first.recipe_id() != file.recipe_id()) {
            return Err(first.is_unlike(file.path(), file.recipe(), file.recipe_id()));
        }
        let all = self.len() + file.len();
        if all > MAX_DOCUMENTS {
            return Err(Error::TooMany { found: all, limit: MAX_DOCUMENTS });
        }
        self.starts.push(all as u32);
        self.files.push(file);
        Ok(())
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.starts.last().map_or(0, |&all| all as usize)
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The recipe of all files; there must be one.
    pub fn recipe(&self) -> &Recipe {
        self.files[0].recipe()
    }

    /// The files, in order, each with the number of its first document.
    pub fn files(&self) -> impl Iterator<Item = (u32, &FingerprintFile)> + Clone {
        self.starts.iter().copied().zip(&self.files)
    }

    /// The file of a document, and its number in it.
    fn at(&self, document: u32) -> (&FingerprintFile, usize) {
        let file = match &self.files[..] {
            [_] => 0,
            _ => self.starts.partition_point(|&start| start <= document) - 1,
        };
        (&self.files[file], (document - self.starts[file]) as usize)
    }

    /// True if a document has no shingles, so that no other is near to it.
    pub fn is_empty_document(&self, document: u32) -> bool {
        let (file, i) = self.at(document);
        file.is_empty_document(i)
    }

    /// The simhash of a document; `None`: it has none.
    pub fn simhash(&self, document: u32) -> Option<u64> {
        let (file, i) = self.at(document);
        file.simhash(i)
    }

    /// The sketch of a document; empty for an empty document.
    pub fn sketch(&self, document: u32) -> &[u32] {
        let (file, i) = self.at(document);
        file.sketch(i)
    }

    /// The digest of a document's text.
    pub fn digest(&self, document: u32) -> [u8; 16] {
        let (file, i) = self.at(document);
        file.digest(i)
    }

    /// A key of a document that is equal for texts of equal words.
    pub fn equality_key(&self, document: u32) -> [u8; 16] {
        let (file, i) = self.at(document);
        equality_key(file.letters(i), file.digest(i))
    }

    /// The size of a document's text.
    pub fn counts(&self, document: u32) -> Counts {
        let (file, i) = self.at(document);
        file.counts(i)
    }

    /// The language that a document was read in.
    pub fn language(&self, document: u32) -> &str {
        let (file, i) = self.at(document);
        file.language(i)
    }

    /// A document's id.
    pub fn id(&self, document: u32) -> &str {
        let (file, i) = self.at(document);
        file.id(i)
    }

    /// A document's sort key.
    pub fn key(&self, document: u32) -> Option<&str> {
        let (file, i) = self.at(document);
        file.key(i)
    }

    /// The origin of a document.
    pub fn place(&self, document: u32) -> (Option<InputFile<'_>>, Provenance) {
        let (file, i) = self.at(document);
        let place = file.place(i);
        (file.file(place.file), place)
    }

    /// The date of a document, in nanoseconds since 1970, and its origin; `None` if it has none.
    pub fn date(&self, document: u32) -> Option<(i64, DateOrigin)> {
        self.place(document).0?.date()
    }

    /// True if two documents were extracted from files of one format, and surely all of their words.
    pub fn formats_agree(&self, a: u32, b: u32) -> bool {
        formats_agree(self.format(a), self.format(b))
    }

    /// The number of the format that a document's text was extracted from.
    pub fn format(&self, document: u32) -> u8 {
        let (file, i) = self.at(document);
        file.format(i)
    }

    /// The first 128 bits of the BLAKE3 hash of the file that a document is; `None` if the file is not one document.
    pub fn digest_of_file(&self, document: u32) -> Option<[u8; 16]> {
        let (file, i) = self.at(document);
        file.digest_of_file(i)
    }

    /// The shingles of a document; none if it is empty or they are not kept.
    pub fn shingles(&self, document: u32) -> Cow<'_, [u64]> {
        let (file, i) = self.at(document);
        file.shingles(i).unwrap_or_default()
    }

    /// The kept words of a document; none if they are not kept.
    pub fn words(&self, document: u32) -> Cow<'_, [u32]> {
        let (file, i) = self.at(document);
        file.words(i).unwrap_or_default()
    }

    /// The number of kept words of a document.
    pub fn kept_words(&self, document: u32) -> usize {
        let (file, i) = self.at(document);
        file.kept_words(i)
    }

    /// True if the shingles of all documents are kept.
    pub fn has_shingles(&self) -> bool {
        self.files.iter().all(FingerprintFile::has_shingles)
    }

    /// True if the sort keys of all documents are kept.
    pub fn has_keys(&self) -> bool {
        self.files.iter().all(FingerprintFile::has_keys)
    }

    /// A document's fingerprint.
    pub fn view(&self, document: u32) -> FingerprintView<'_> {
        let (file, i) = self.at(document);
        file.view(i)
    }

    /// The figures of two documents. Jaccard and containment are `None` where shingles are not
    /// kept.
    pub fn figures(&self, a: u32, b: u32) -> Figures {
        self.view(a).figures(&self.view(b))
    }

    /// The figures of two documents, and the rules that hold.
    pub fn judge(&self, a: u32, b: u32, rules: &Rules) -> (Figures, RuleSet) {
        self.view(a).judge(&self.view(b), rules)
    }

    /// The narrowest claim by which one of two documents may be removed if the other stays; `None` if there is none,
    /// or their formats differ.
    pub fn claim(&self, a: u32, b: u32) -> Option<Removal> {
        if !self.formats_agree(a, b) {
            return None;
        }
        self.view(a).claim_of_either(&self.view(b), &Rules::removing())
    }

    /// The figures of many pairs and the rules that hold, in their order; some thousand at a time, on several threads.
    pub fn judge_each(
        &self,
        mut pairs: impl Iterator<Item = [u32; 2]>,
        rules: &Rules,
        threads: usize,
    ) -> impl Iterator<Item = (Figures, RuleSet)> {
        let judged = move || {
            let some: Vec<[u32; 2]> = pairs.by_ref().take(JUDGED_TOGETHER).collect();
            let parts: Vec<&[[u32; 2]]> = some.chunks(PART).collect();
            let judge = |&[a, b]: &[u32; 2]| self.judge(a, b, rules);
            let judged =
                parallel::map(parts.len(), threads, |number| Ok(parts[number].iter().map(judge).collect::<Vec<_>>()));
            // No part fails.
            (!some.is_empty()).then(|| judged.into_iter().flatten().flatten())
        };
        std::iter::from_fn(judged).flatten()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::test_collections::collection;
    use super::*;

    proptest! {
        #[test]
        fn many_pairs_are_judged_as_one_by_one(count in 0usize..200, threads in 0usize..4) {
            let documents: Vec<_> = (0..5u64).map(|i| (i.to_string(), (i..i + 4).collect(), i)).collect();
            let (_folder, collection) = collection(&documents);
            let pairs: Vec<[u32; 2]> = (0..count as u32).map(|pair| [pair % 5, pair % 3]).collect();
            let rules = Rules::default();
            let plain: Vec<_> = pairs.iter().map(|&[a, b]| collection.judge(a, b, &rules)).collect();
            let judged: Vec<_> = collection.judge_each(pairs.into_iter(), &rules, threads).collect();
            prop_assert_eq!(format!("{judged:?}"), format!("{plain:?}"));
        }
    }
}
