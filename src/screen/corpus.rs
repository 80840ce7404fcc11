//! All documents of a run.

use std::collections::HashMap;

use super::archive::Archive;
use super::exclude::Exclusions;
use super::{Settings, Text};

/// All documents of a run: those that were read, then those of archives, numbered in this order.
pub(super) struct Corpus<'a> {
    /// The suspicious documents, then the sources.
    pub(super) texts: &'a [Text],
    pub(super) suspicious: usize,
    pub(super) archives: &'a [Archive],
    pub(super) exclusions: &'a Exclusions<'a>,
}

impl Corpus<'_> {
    /// True if the suspicious documents are compared with each other.
    pub(super) fn with_each_other(&self, settings: &Settings) -> bool {
        settings.with_each_other || self.texts.len() == self.suspicious && self.archives.is_empty()
    }

    /// The archive of a text and its number there, given its number after the texts that were read.
    pub(super) fn archived(&self, number: usize) -> Option<(usize, usize)> {
        let mut number = number.checked_sub(self.texts.len())?;
        for (place, archive) in self.archives.iter().enumerate() {
            match number.checked_sub(archive.len()) {
                Some(rest) => number = rest,
                None => return Some((place, number)),
            }
        }
        None
    }

    /// The texts of the suspicious documents by their ids, if these are compared with each other: a source that is one of
    /// them is not compared again.
    pub(super) fn known(&self, with_each_other: bool) -> HashMap<&str, &str> {
        let documents = self.texts[..self.suspicious].iter().filter(|_| with_each_other);
        documents.map(|text| (text.id.as_str(), text.text.as_str())).collect()
    }
}
