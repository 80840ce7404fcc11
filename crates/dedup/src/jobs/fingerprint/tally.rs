//! The counts of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::jobs::fingerprint::workers::FromFile;

/// The counts of what a run has read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Number of input files that could be opened.
    pub files: u64,
    /// Number of documents read.
    pub documents: u64,
    /// Length of their texts, in bytes.
    pub bytes: u64,
    /// Number of documents without words.
    pub empty: u64,
    /// Number of documents whose text is null, which are equal to no other.
    pub nulls: u64,
    /// Number of documents with malformed bytes, which became U+FFFD.
    pub replaced: u64,
    /// Number of documents whose id was repeated, and is replaced by file and line.
    pub renamed: u64,
    /// Number of documents without an id in the field that is asked for, named by file and line.
    #[serde(default)]
    pub unnamed: u64,
    /// Number of documents with too many words, which are searched for passages in part.
    pub in_part: u64,
    /// Number of documents that have the field by which a policy chooses.
    pub keys: u64,
    /// Numbers of skipped files and records, by kind of reason.
    pub problems: BTreeMap<String, u64>,
    /// Number of documents in each language, by its code; empty if it was not detected.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub languages: BTreeMap<String, u64>,
    /// Number of symbolic links in folders that were skipped.
    pub links: u64,
    /// Number of further names of files that were skipped: hard links, and links that were followed.
    pub hard_links: u64,
    /// Number of records of web archives that were fetched and are no documents.
    pub others: u64,
}

impl Tally {
    /// Number of files and records that were skipped.
    pub fn skipped(&self) -> u64 {
        self.problems.values().sum()
    }

    /// True if something was skipped, or is searched for passages in part only.
    pub fn is_incomplete(&self) -> bool {
        self.skipped() > 0 || self.in_part > 0
    }

    /// The sums of this run and another.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.files += other.files;
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.empty += other.empty;
        self.nulls += other.nulls;
        self.replaced += other.replaced;
        self.renamed += other.renamed;
        self.unnamed += other.unnamed;
        self.in_part += other.in_part;
        self.keys += other.keys;
        self.links += other.links;
        self.hard_links += other.hard_links;
        self.others += other.others;
        for (sum, counts) in [(&mut self.problems, &other.problems), (&mut self.languages, &other.languages)] {
            for (name, count) in counts {
                *sum.entry(name.clone()).or_default() += count;
            }
        }
        self
    }

    /// Counts a document.
    pub(super) fn add(&mut self, document: &FromFile) {
        let fingerprint = &document.made.analysis.fingerprint;
        self.documents += 1;
        self.bytes += document.made.bytes;
        self.empty += u64::from(fingerprint.shingles == 0);
        self.nulls += u64::from(document.is_null);
        self.keys += u64::from(document.made.key.is_some());
        self.replaced += u64::from(document.replaced > 0);
        self.unnamed += u64::from(document.is_unnamed);
        self.in_part += u64::from(document.made.passages.as_ref().is_some_and(|kept| kept.cut_short.is_some()));
        let code = fingerprint.language.code();
        match self.languages.get_mut(code) {
            Some(count) => *count += 1,
            None => _ = self.languages.insert(code.to_owned(), 1),
        }
    }
}
