//! Near-duplicates among texts in memory: the options and the search. What it [found](Found) answers in `found.rs`,
//! and `clean.rs` decides which documents may go.
//!
//! Cost: that of fingerprinting and searching. The fingerprints lie in memory, and beyond half of its
//! bound in temporary files, until the [`Found`] is dropped.

mod clean;
mod found;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::available_parallelism;

pub use clean::{CleanOptions, Cleaned, Removable, clean};
pub use found::{Cluster, Found, Member, Pair};

use crate::durable::scratch;
use crate::error::Result;
use crate::fingerprint::Options;
use crate::observer::Observer;
use crate::search::effort::Effort;
use crate::search::keep::{Keep, KeyOrder, Policy};
use crate::search::plan::RECALL;
use crate::similarity::Rules;
use crate::sketch::recipe::Recipe;
use crate::store::file::collection::Collection;
use crate::store::file::format::Sections;
use crate::store::file::write::Writer;
use crate::texts::fingerprint::write_texts;
use crate::texts::loaded::{LoadedCorpus, Search};

/// The options of finding near-duplicates.
///
/// ```
/// use nearcopy::{FindOptions, Keep, Rules};
///
/// let options = FindOptions::new().rules(Rules::of(None, Some(0.8))).keep(Keep::First).threads(2);
/// ```
#[derive(Debug, Clone)]
pub struct FindOptions {
    fingerprint: Options,
    keep: Keep,
    /// Its memory is half of the bound.
    search: Search,
    temp: PathBuf,
}

impl Default for FindOptions {
    /// See [`FindOptions::new`].
    fn default() -> Self {
        let effort = Effort { threads: available_parallelism().map_or(1, Into::into), max_memory: 1 << 29 };
        Self {
            fingerprint: Options::default(),
            keep: Keep::default(),
            search: Search { rules: Rules::default(), recall: RECALL, effort },
            temp: scratch::parent(),
        }
    }
}

impl FindOptions {
    /// The options of `dedup find`: Hamming distance ≤ 3 or Jaccard ≥ 0.5, the longest text survives, all processors.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the options by which texts become fingerprints.
    #[must_use]
    pub fn fingerprint(mut self, options: Options) -> Self {
        self.fingerprint = options;
        self
    }

    /// Sets the rules by which two documents are near.
    ///
    /// # Panics
    ///
    /// If the least Jaccard coefficient is not from 0 to 1.
    #[must_use]
    pub fn rules(mut self, rules: Rules) -> Self {
        let is_share = rules.min_similarity.is_none_or(|least| (0.0..=1.0).contains(&least));
        assert!(is_share, "a Jaccard coefficient is from 0 to 1");
        self.search.rules = rules;
        self
    }

    /// Sets the policy that decides which of several near-duplicates survives.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.keep = keep;
        self
    }

    /// Sets the probability that a pair whose Jaccard coefficient just reaches the rule is found.
    ///
    /// # Panics
    ///
    /// If it is not from 0 to less than 1.
    #[must_use]
    pub fn recall(mut self, recall: f64) -> Self {
        assert!((0.0..1.0).contains(&recall), "the probability that a pair is found is from 0 to less than 1");
        self.search.recall = recall;
        self
    }

    /// Sets the number of threads; the result does not depend on it.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.search.effort.threads = threads.max(1);
        self
    }

    /// Sets the bound on memory in bytes. Fingerprints may take half of it, more of them go to temporary files; the search
    /// has the other half.
    #[must_use]
    pub fn max_memory(mut self, bytes: usize) -> Self {
        self.search.effort.max_memory = bytes / 2;
        self
    }

    /// Sets the folder of temporary files.
    #[must_use]
    pub fn temp(mut self, folder: impl Into<PathBuf>) -> Self {
        self.temp = folder.into();
        self
    }

    /// Fingerprints documents and plans the search among them; the observer receives the progress and can stop it.
    ///
    /// # Errors
    ///
    /// As [`find`], and [`crate::Error::Interrupted`].
    pub fn find<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.found(without_keys(documents), self.keep.into(), observer)
    }

    /// As [`FindOptions::find`], with a sort key for each document, such as its date. The keys decide which of several
    /// near-duplicates survives, in place of [`FindOptions::keep`].
    ///
    /// ```
    /// # fn main() -> nearcopy::Result<()> {
    /// use nearcopy::{FindOptions, KeyOrder};
    ///
    /// let texts = [
    ///     ("v1", "The mill stood where two brooks met.", Some("2024-05-01".to_owned())),
    ///     ("v2", "The mill stood where two brooks met!", Some("2026-02-03".to_owned())),
    ///     ("v3", "the mill stood where two brooks met", None),
    /// ];
    /// let found = FindOptions::new().find_by_keys(texts, KeyOrder::Greatest, &())?;
    /// assert_eq!(found.survivors(&())?, [1]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As [`FindOptions::find`].
    pub fn find_by_keys<Id, Text>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text, Option<String>), IntoIter: Send>,
        order: KeyOrder,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        self.found(documents.into_iter(), Policy::Key(order), observer)
    }

    /// As [`FindOptions::find`], with a second corpus. [`Found::pairs`] then lists only pairs of a document and one of
    /// the second corpus, whose positions follow those of the documents.
    ///
    /// # Errors
    ///
    /// As [`FindOptions::find`].
    pub fn find_against<Id, Text, OtherId, OtherText>(
        &self,
        documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
        against: impl IntoIterator<Item = (OtherId, OtherText), IntoIter: Send>,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
        OtherId: Into<String> + Send,
        OtherText: AsRef<str> + Send,
    {
        let first = AtomicU32::new(0);
        let counted = documents.into_iter().inspect(|_| _ = first.fetch_add(1, Ordering::Relaxed));
        let documents = counted.map(|(id, text)| (id.into(), OfEither::Document(text)));
        let against = against.into_iter().map(|(id, text)| (id.into(), OfEither::Other(text)));
        let mut found = self.found(without_keys(documents.chain(against)), self.keep.into(), observer)?;
        found.searched.second = Some(first.into_inner());
        Ok(found)
    }

    fn found<Id, Text>(
        &self,
        documents: impl Iterator<Item = (Id, Text, Option<String>)> + Send,
        policy: Policy,
        observer: &dyn Observer,
    ) -> Result<Found>
    where
        Id: Into<String> + Send,
        Text: AsRef<str> + Send,
    {
        let Search { effort, .. } = self.search;
        let keys = matches!(policy, Policy::Key(_));
        let sections = Sections { shingles: true, keys, ..Sections::default() };
        let bound = effort.max_memory as u64;
        let begin = |recipe: &Recipe| Writer::in_memory(recipe, sections, bound, &self.temp);
        let writer =
            write_texts(documents, (&self.fingerprint, sections), effort.threads, begin, observer, |_| Ok(()))?;
        let collection = Collection::of(vec![writer.finish_in_memory()?])?;
        let searched = LoadedCorpus::new(collection, None, self.temp.clone(), None);
        Ok(Found::new(searched, self.search, policy))
    }
}

/// A text of either corpus, as each has its own type of texts.
enum OfEither<Text, OtherText> {
    Document(Text),
    Other(OtherText),
}

impl<Text: AsRef<str>, OtherText: AsRef<str>> AsRef<str> for OfEither<Text, OtherText> {
    fn as_ref(&self) -> &str {
        match self {
            Self::Document(text) => text.as_ref(),
            Self::Other(text) => text.as_ref(),
        }
    }
}

fn without_keys<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
) -> impl Iterator<Item = (Id, Text, Option<String>)> + Send {
    documents.into_iter().map(|(id, text)| (id, text, None))
}

/// Fingerprints documents, each an id and a text, and returns them ready to be searched.
///
/// Ids need not be unique: results identify documents by position, counted from 0. Ids break ties between documents
/// that the policy ranks equal.
///
/// ```
/// # fn main() -> nearcopy::Result<()> {
/// let texts = [
///     ("monday", "The town library opens its new reading room on Monday. Visitors can borrow headphones at the desk."),
///     ("friday", "The town library opens its new reading room on Friday. Visitors can borrow headphones at the desk."),
///     ("bees", "Bees measure the distance to a meadow by the stream of images that passes below them as they fly."),
/// ];
/// let found = nearcopy::find(texts, &nearcopy::FindOptions::new())?;
/// let pairs = found.pairs()?;
/// assert_eq!(pairs.len(), 1);
/// assert_eq!((pairs[0].a, pairs[0].b), (0, 1));
/// assert!(pairs[0].figures.jaccard > Some(0.5));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
///
/// Those of the options ([`crate::Fingerprinter::new`]), and [`crate::Error::Write`] for the temporary file.
pub fn find<Id, Text>(
    documents: impl IntoIterator<Item = (Id, Text), IntoIter: Send>,
    options: &FindOptions,
) -> Result<Found>
where
    Id: Into<String> + Send,
    Text: AsRef<str> + Send,
{
    options.find(documents, &())
}

#[cfg(test)]
mod tests;
