//! The index: a folder of fingerprint files that documents are added to and removed from.
//!
//! ```text
//! DIR/
//!   manifest           the files of the index, behind a checksum; replaced by one rename
//!   lock               held by the one run that writes
//!   .ignore            keeps runs on a parent folder from reading the index as texts
//!   00000007.fp        a segment: a fingerprint file with search tables, never changed
//!   00000007.3.removed its removed documents, one bit per document
//! ```
//!
//! A change writes new files, syncs them to disk, and then replaces the manifest with a new one.
//! A reader sees all of the change or nothing of it, even after a crash.
//! Readers take no lock: they open the files that a manifest names and keep them open, so files
//! that a later change removes stay readable for them.
//!
//! Small additions make small segments. As soon as four are of about one size they are merged
//! into one ([`Editor`]), so that n documents are in at most about 1.5 log₂ n segments, and each
//! is copied ½ log₂ n times. Removed documents are dropped when their segment is merged, or by
//! [`Editor::compact`]; until then their text and fingerprint are still in the file.
//!
//! Cost: opening reads headers and the bits of removed documents; for a query see [`query`].

mod damage;
mod editor;
mod manifest;
mod merge;
pub mod query;
mod removed;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub use editor::Editor;
pub use manifest::Settings;
pub use merge::{Part, Renamed};

use self::manifest::{Listed, Manifest};
use self::removed::Removed;
use crate::error::{Error, Result, shown};
use crate::observer::Observer;
use crate::sketch::recipe::Recipe;
use crate::store::file::map::{FingerprintFile, unlike, verify_all};

/// Maximum number of times that a reader looks for a new manifest after finding a file missing.
const TRIES: usize = 64;

/// Ratio of documents to queries below which queries read most pages of the tables.
const QUERIES_OF_ALL: usize = 1000;

/// The state of an index at one moment.
#[derive(Debug)]
pub struct Segments {
    folder: PathBuf,
    manifest: Manifest,
    list: Vec<Segment>,
}

/// A fingerprint file of an index.
#[derive(Debug)]
pub struct Segment {
    file: FingerprintFile,
    removed: Removed,
}

/// A document of an index: the number of its segment, and its own in it.
pub type Address = (u32, u32);

/// True if a folder is an index, or was one before its manifest was lost.
pub fn is_index(folder: &Path) -> bool {
    folder.join(manifest::NAME).is_file() || manifest::is_lost(folder)
}

/// Checks that an input of texts is not an index.
///
/// # Errors
///
/// [`Error::NoText`]; [`Error::DamagedIndex`] if its manifest is missing.
pub fn expect_no_index(input: &Path) -> Result<()> {
    if manifest::is_lost(input) {
        return Manifest::read(input).map(|_| ());
    }
    if is_index(input) { Err(Error::NoText { path: shown(input) }) } else { Ok(()) }
}

impl Segments {
    /// Opens an index in its current state.
    ///
    /// # Errors
    ///
    /// [`Error::NotIndex`]; [`Error::NewerIndex`]; [`Error::DamagedIndex`] with the file
    /// and the fault; those of opening fingerprint files.
    pub fn open(folder: &Path) -> Result<Self> {
        let mut generation = None;
        for _ in 0..TRIES {
            let manifest = Manifest::read(folder)?;
            let is_same = generation == Some(manifest.generation);
            generation = Some(manifest.generation);
            match Self::of(folder, manifest) {
                // A change in between may have removed files that it replaced.
                Err(Error::Read { source, .. }) if source.kind() == ErrorKind::NotFound && !is_same => {}
                opened => return opened.map_err(missing),
            }
        }
        Self::of(folder, Manifest::read(folder)?).map_err(missing)
    }

    fn of(folder: &Path, manifest: Manifest) -> Result<Self> {
        let open = |listed: &Listed| Segment::open(folder, listed, &manifest);
        let list = manifest.segments.iter().map(open).collect::<Result<_>>()?;
        Ok(Self { folder: folder.to_owned(), manifest, list })
    }

    /// The folder as the user named it.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The settings with which the index was made.
    pub fn settings(&self) -> &Settings {
        &self.manifest.settings
    }

    /// Checks that fingerprints have the recipe of the index: others are never compared with it.
    ///
    /// # Errors
    ///
    /// [`Error::RecipesOf`], which calls them `name`.
    pub fn expect_recipe(&self, name: &str, recipe: &Recipe, id: u64) -> Result<()> {
        let own = self.manifest.recipe_id();
        if id == own {
            return Ok(());
        }
        let index = format!("the index {}", shown(&self.folder));
        Err(unlike((name, recipe, id), (&index, &self.settings().recipe, own)))
    }

    /// The number of changes so far.
    pub fn generation(&self) -> u64 {
        self.manifest.generation
    }

    /// The segments, in the order of addition.
    pub fn segments(&self) -> &[Segment] {
        &self.list
    }

    /// Takes the segments out.
    pub fn into_segments(self) -> Vec<Segment> {
        self.list
    }

    /// The number of documents, without those that were removed.
    pub fn len(&self) -> usize {
        self.list.iter().map(Segment::len).sum()
    }

    /// True if there is no document.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document with an id.
    pub fn find(&self, id: &str) -> Option<Address> {
        (0u32..).zip(&self.list).find_map(|(number, segment)| Some((number, segment.find(id)?)))
    }

    /// Every document, in the order of addition.
    pub fn documents(&self) -> impl Iterator<Item = Address> {
        (0u32..)
            .zip(&self.list)
            .flat_map(|(number, segment)| segment.documents().map(move |document| (number, document)))
    }

    /// A document's id.
    pub fn id(&self, (segment, document): Address) -> &str {
        self.list.get(segment as usize).map_or("", |segment| segment.file.id(document as usize))
    }

    /// The digest of a document's text.
    pub fn digest(&self, (segment, document): Address) -> [u8; 16] {
        self.list.get(segment as usize).map_or([0; 16], |segment| segment.file.digest(document as usize))
    }

    /// Announces the number of queries to come. Few queries read few pages; for many it is faster
    /// to read large parts of the files.
    pub fn expect_queries(&self, queries: usize) {
        let are_many = queries > self.len() / QUERIES_OF_ALL;
        for segment in &self.list {
            segment.file.will_be_looked_into(!are_many);
        }
    }

    /// Checks every byte of every file.
    ///
    /// # Errors
    ///
    /// [`Error::DamagedSection`] with file, section and record; [`Error::Interrupted`].
    pub fn verify(&self, observer: &dyn Observer) -> Result<()> {
        self.expect_queries(usize::MAX);
        verify_all("checking the index", self.list.iter().map(|segment| &segment.file), observer)
    }
}

/// Turns the error of a missing file that the manifest names into one of damage.
fn missing(error: Error) -> Error {
    match error {
        Error::Read { path, source } if source.kind() == ErrorKind::NotFound => {
            Error::DamagedIndex { path, what: "is missing" }
        }
        other => other,
    }
}

/// The error of a damaged file of an index.
fn damaged(path: &Path, what: &'static str) -> Error {
    Error::DamagedIndex { path: shown(path), what }
}

impl Segment {
    fn open(folder: &Path, listed: &Listed, manifest: &Manifest) -> Result<Self> {
        let file = FingerprintFile::open_for_lookup(&folder.join(listed.file()))?;
        let Settings { shingles, passages, lookup, .. } = manifest.settings;
        let kept = (file.has_shingles(), file.passages().is_some(), file.lookup().map(|tables| tables.plan));
        let what = if !listed.is(file.checksum()) {
            Some("is not the file that the manifest lists")
        } else if file.recipe_id() != manifest.recipe_id() {
            Some("has a different recipe from the index")
        } else if kept != (shingles, passages, Some(lookup)) {
            Some("does not have the sections of the index")
        } else {
            None
        };
        if let Some(what) = what {
            return Err(Error::DamagedIndex { path: file.path().to_owned(), what });
        }
        let removed = listed.removed_file().map_or_else(
            || Ok(Removed::none(file.len())),
            |name| {
                let path = folder.join(name);
                Removed::read(&path, file.len(), listed.removed(), |checksum| listed.is_removed(checksum))
            },
        )?;
        Ok(Self { file, removed })
    }

    /// The fingerprints, including those of removed documents.
    pub fn file(&self) -> &FingerprintFile {
        &self.file
    }

    /// True if a document exists and was not removed.
    pub fn has(&self, document: u32) -> bool {
        (document as usize) < self.file.len() && !self.removed.has(document)
    }

    /// The number of documents that were not removed.
    pub fn len(&self) -> usize {
        self.file.len() - self.removed.count()
    }

    /// True if every document was removed, or there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The documents that were not removed, in order.
    pub fn documents(&self) -> impl Iterator<Item = u32> {
        (0..self.file.len() as u32).filter(|&document| self.has(document))
    }

    /// The document with an id.
    fn find(&self, id: &str) -> Option<u32> {
        let mut found = self.file.lookup()?.with_id(id);
        found.find(|&document| self.has(document) && self.file.id(document as usize) == id)
    }
}

#[cfg(test)]
mod tests;
