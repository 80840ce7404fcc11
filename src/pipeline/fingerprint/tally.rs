//! What a run has read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::pipeline::fingerprint::workers::Fingerprinted;

/// What a run has read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The input files that could be opened.
    pub files: u64,
    /// The documents that were read.
    pub documents: u64,
    /// The bytes of their texts.
    pub bytes: u64,
    /// The documents without words.
    pub empty: u64,
    /// The documents with malformed bytes, which became U+FFFD.
    pub replaced: u64,
    /// The documents that are named by file and line, as another had their id.
    pub renamed: u64,
    /// The documents of which passages are looked for in part, as they have too many words.
    pub in_part: u64,
    /// What could not be read, by the kind of reason.
    pub problems: BTreeMap<String, u64>,
    /// The documents of each language, by its code.
    pub languages: BTreeMap<String, u64>,
    /// The symbolic links in folders that were left out.
    pub links: u64,
}

impl Tally {
    /// How many files and records could not be read.
    pub fn skipped(&self) -> u64 {
        self.problems.values().sum()
    }

    /// Whether something could not be read, or not be kept for passages as a whole.
    pub fn is_incomplete(&self) -> bool {
        self.skipped() > 0 || self.in_part > 0
    }

    /// This run and another one together.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.files += other.files;
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.empty += other.empty;
        self.replaced += other.replaced;
        self.renamed += other.renamed;
        self.in_part += other.in_part;
        self.links += other.links;
        for (sum, counts) in [(&mut self.problems, &other.problems), (&mut self.languages, &other.languages)] {
            for (name, count) in counts {
                *sum.entry(name.clone()).or_default() += count;
            }
        }
        self
    }

    /// Counts a document.
    pub(super) fn add(&mut self, document: &Fingerprinted) {
        let fingerprint = &document.analysis.fingerprint;
        self.documents += 1;
        self.bytes += document.bytes;
        self.empty += u64::from(fingerprint.shingles == 0);
        self.replaced += u64::from(document.replaced > 0);
        self.in_part += u64::from(document.passages.as_ref().is_some_and(|kept| kept.cut_short.is_some()));
        let code = fingerprint.language.code();
        match self.languages.get_mut(code) {
            Some(count) => *count += 1,
            None => _ = self.languages.insert(code.to_owned(), 1),
        }
    }
}
