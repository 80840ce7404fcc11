//! An index of texts, which finds the documents that are near to a text.
//!
//! ```
//! use nearcopy::{Contents, Index, Options};
//!
//! # fn main() -> Result<(), nearcopy::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let folder = folder.path().join("letters");
//! # let ferry = "The ferry leaves at nine from the old pier, and nobody has ever seen it come back.";
//! # let again = "The ferry leaves at nine from the old pier. Nobody has ever seen it come back!";
//! # let coal = "Quite another letter, about the price of coal and the winter that was expected.";
//! let mut index = Index::create(&folder, &Options::default(), Contents::default())?;
//! index.add("first", ferry)?;
//! for similar in index.find_similar(again)? {
//!     println!("{} is near: {:?}", similar.id, similar.figures.jaccard);
//! }
//! index.remove("first")?;
//!
//! // Keeps the texts of a list that have no near-duplicate before them.
//! let mut new = Vec::new();
//! for (number, text) in [ferry, again, coal].into_iter().enumerate() {
//!     if index.find_similar(text)?.is_empty() {
//!         index.add(&number.to_string(), text)?;
//!         new.push(text);
//!     }
//! }
//! assert_eq!(new, [ferry, coal]);
//! # Ok(())
//! # }
//! ```
//!
//! A change is on disk when the call returns, and survives a crash of the program or the machine
//! ([`segments`](crate::store::index)). Each call waits for the disk, so many documents are best added by one.

mod add;
mod documents;
mod query;
mod settings;

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub use add::{Added, Known, Rejected, Taken, Unique};
pub use query::query;
pub use settings::{Contents, options, settings};

use crate::durable::scratch::Scratch;
use crate::error::{Error, Result, shown};
use crate::fingerprint::{Fingerprinter, Options};
use crate::observer::{Observer, go_on};
use crate::parallel;
use crate::similarity::FingerprintView;
use crate::similarity::{Figures, Removal, RuleSet, Rules};
use crate::store::file::collection::Collection;
use crate::store::file::map::FingerprintFile;
use crate::store::index::query::{Found, Plan};
use crate::store::index::{Editor, Part, Segments};

/// Probability that a document at the Jaccard threshold is found.
pub const RECALL: f64 = 0.995;

/// An index of texts, on disk.
///
/// Any number of programs may have it open. Only one may change it at a time; the others get
/// [`Error::IndexLocked`].
#[derive(Debug)]
pub struct Index {
    folder: PathBuf,
    segments: Segments,
    options: Options,
    /// Those that no thread uses at the moment.
    fingerprinters: Mutex<Vec<Fingerprinter>>,
    rules: Rules,
}

/// A document of an index that is near to a text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Similar {
    /// Its id.
    pub id: String,
    /// The figures of the pair; A is the text.
    pub figures: Figures,
    /// The rules that hold.
    pub rules: RuleSet,
    /// The narrowest claim by which the text may be removed if the document stays; `None` if there is none.
    pub removal: Option<Removal>,
}

impl Index {
    /// Makes an index in a folder that does not exist or is empty.
    ///
    /// # Errors
    ///
    /// Those of the options, and of [`Editor::create`].
    pub fn create(folder: &Path, options: &Options, kept: Contents) -> Result<Self> {
        Editor::create(folder, settings(options, kept)?)?;
        Self::open(folder)
    }

    /// Opens an index.
    ///
    /// # Errors
    ///
    /// Those of [`Segments::open`]; [`Error::RecipesOf`] if this program does not make fingerprints of
    /// the index's recipe.
    pub fn open(folder: &Path) -> Result<Self> {
        let segments = Segments::open(folder)?;
        let options = options(&segments)?;
        let fingerprinters = Mutex::new(vec![Fingerprinter::new(options.clone())?]);
        Ok(Self { folder: folder.to_owned(), segments, options, fingerprinters, rules: Rules::default() })
    }

    /// Sets the rules by which documents are near; the default is Hamming distance ≤ 3 or Jaccard ≥ 0.5.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// The index as of opening it, or of the last change through this value.
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// Number of documents.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// True if there is a document with this id.
    pub fn contains(&self, id: &str) -> bool {
        self.segments.find(id).is_some()
    }

    /// Returns the documents that are near to a text, most similar first. Several threads may ask at once.
    ///
    /// # Errors
    ///
    /// [`Error::IndexNoShingles`] if the rules include Jaccard and the index keeps no shingles.
    pub fn find_similar(&self, text: &str) -> Result<Vec<Similar>> {
        let plan = Plan::new(&self.segments, self.rules, RECALL)?;
        let free = || self.fingerprinters.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = free().pop();
        let mut fingerprinter = idle.map_or_else(|| Fingerprinter::new(self.options.clone()), Ok)?;
        let analysis = fingerprinter.analyse(text);
        free().push(fingerprinter);
        let found = self.segments.near(&analysis.view(), &plan);
        let similar = |found: Found| Similar {
            id: self.segments.id(found.place).to_owned(),
            figures: found.figures,
            rules: found.rules,
            removal: found.removal,
        };
        Ok(found.into_iter().map(similar).collect())
    }

    /// Adds a document.
    ///
    /// # Errors
    ///
    /// As [`extend`](Self::extend).
    pub fn add(&mut self, id: &str, text: &str) -> Result<()> {
        self.extend([(id, text)])
    }

    /// Adds all of these documents, or none if there is an error.
    ///
    /// # Errors
    ///
    /// [`Error::KnownId`] if the index has a document with one of the ids, or two of these share an id;
    /// those of changing an index ([`Editor::open`], [`Editor::change`]).
    pub fn extend<'t>(
        &mut self,
        documents: impl IntoIterator<Item = (&'t str, &'t str), IntoIter: Send>,
    ) -> Result<()> {
        self.change(|index, editor| {
            let scratch = Scratch::new(&std::env::temp_dir())?;
            let mut ids = HashSet::new();
            let path = index.to_scratch(documents.into_iter(), 1, &scratch, &(), |id| {
                if editor.segments().find(id).is_some() || !ids.insert(id.to_owned()) {
                    return Err(Error::KnownId { path: shown(&index.folder), id: id.to_owned(), others: 0 });
                }
                Ok(())
            })?;
            let file = FingerprintFile::open(&path)?;
            editor.change(&[Part { file: &file, takes: &|_| true, renamed: None }], &[], &())
        })
    }

    /// Removes a document, which is then no longer found. Its fingerprint and text stay in a file until
    /// [`compact`](Self::compact) or the next merge of that file. Returns true if there was one.
    ///
    /// # Errors
    ///
    /// Those of changing an index.
    pub fn remove(&mut self, id: &str) -> Result<bool> {
        self.change(|_, editor| {
            let Some(place) = editor.segments().find(id) else { return Ok(false) };
            editor.change(&[], &[place], &())?;
            Ok(true)
        })
    }

    /// Merges all segments into one, without the removed documents.
    ///
    /// # Errors
    ///
    /// Those of changing an index; [`Error::Interrupted`].
    pub fn compact(&mut self, observer: &dyn Observer) -> Result<()> {
        self.change(|_, editor| editor.compact(observer).map(|_| ()))
    }

    /// Removes all documents.
    ///
    /// # Errors
    ///
    /// Those of changing an index.
    pub fn clear(&mut self) -> Result<()> {
        self.change(|_, editor| editor.clear())
    }

    fn change<T>(&mut self, change: impl FnOnce(&Self, &mut Editor) -> Result<T>) -> Result<T> {
        let mut editor = Editor::open(&self.folder)?;
        let changed = change(self, &mut editor);
        // After some errors the change is made all the same.
        self.segments = editor.into_segments();
        changed
    }
}

/// Maximum numbers of documents that are searched for together, and of their words.
const TOGETHER: usize = 1 << 10;
const WORDS_TOGETHER: u64 = 1 << 18;

/// The answer of an index for each of these documents, in order, found by all threads. Documents that
/// are not `asked` get an empty answer.
fn near_each(
    (collection, documents): (&Collection, Range<u32>),
    asked: impl Fn(u32) -> bool + Sync,
    (segments, plan): (&Segments, &Plan),
    threads: usize,
    observer: &dyn Observer,
) -> Result<Vec<Vec<Found>>> {
    let all: Vec<u32> = documents.collect();
    let words_of = |document: u32| collection.counts(document).tokens;
    let mut words = all.first().map_or(0, |&first| words_of(first));
    let fit = |_: &u32, &next: &u32| {
        let of_next = words_of(next);
        let fits = words + of_next <= WORDS_TOGETHER;
        words = if fits { words + of_next } else { of_next };
        fits
    };
    let parts: Vec<&[u32]> = all.chunk_by(fit).flat_map(|part| part.chunks(TOGETHER)).collect();
    let answers = parallel::map(parts.len(), threads, |number| {
        go_on(observer)?;
        let part = parts[number];
        let views: Vec<FingerprintView<'_>> =
            part.iter().filter(|document| asked(**document)).map(|&document| collection.view(document)).collect();
        let mut answers = segments.near_all(&views, plan).into_iter();
        let answer = |&document: &u32| if asked(document) { answers.next().unwrap_or_default() } else { Vec::new() };
        let answers: Vec<Vec<Found>> = part.iter().map(answer).collect();
        observer.advance(part.len() as u64);
        Ok(answers)
    })?;
    Ok(answers.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests;
