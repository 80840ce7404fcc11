//! The manifest: the list of the files of an index.
//!
//! A line of JSON behind its hash ([`checked_json`]). A new one is written beside the old one, synced
//! to disk, and renamed over it.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::damaged;
use crate::durable::checked_json;
use crate::durable::disk;
use crate::durable::paths;
use crate::error::{Error, Result, shown};
use crate::sketch::minhash::MAX_SKETCHES;
use crate::sketch::recipe::Recipe;
use crate::store::file::format::Sections;
use crate::store::file::lookup::LookupPlan;

/// The version of the format of an index that is written, and the newest that is read.
pub(super) const VERSION: u32 = 2;

/// The name of the manifest in the folder, and that of a new one before it replaces the old one.
pub(super) const NAME: &str = "manifest";
const UNFINISHED: &str = "manifest.new";

/// The name of the lock in the folder.
pub(super) const LOCK: &str = "lock";

/// Upper bound of generations and numbers of segments: they count up from 0, and no genuine index reaches it.
const TOO_GREAT: u64 = 1 << 53;

/// The settings with which an index was made; they never change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The recipe of all fingerprints.
    pub recipe: Recipe,
    /// The words of the user's list of stop words, if one was given.
    pub stop_words: Option<Vec<String>>,
    /// True if shingles are kept, for exact figures.
    pub shingles: bool,
    /// True if texts and their passage index are kept.
    pub passages: bool,
    /// The plan of the search tables.
    pub lookup: LookupPlan,
}

impl Settings {
    /// The sections of its segments.
    pub(crate) fn sections(&self) -> Sections {
        Sections { shingles: self.shingles, keys: false, passages: self.passages, lookup: true }
    }
}

/// The settings and the segments of an index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    /// The number of changes so far.
    pub(super) generation: u64,
    pub(super) settings: Settings,
    /// The recipe's id when the index was made, in hex.
    recipe_id: String,
    /// The number of the next segment.
    pub(super) next: u64,
    pub(super) segments: Vec<Listed>,
}

/// The part common to all versions; a later version may have fields that are unknown here.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Listed {
    number: u64,
    /// The checksum of the file's header, in hex.
    checksum: String,
    removed: Option<ListedRemoved>,
}

/// The list of the removed documents of a segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ListedRemoved {
    /// The generation for which the list was written.
    generation: u64,
    documents: u64,
    /// The checksum of the list, in hex; `None` in manifests of version 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    checksum: Option<String>,
}

/// The name of a segment's file.
pub(super) fn segment_name(number: u64) -> String {
    format!("{number:08}.fp")
}

fn hex(checksum: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(checksum))
}

impl Listed {
    /// A new segment.
    pub(super) fn new(number: u64, checksum: [u8; 16]) -> Self {
        Self { number, checksum: hex(checksum), removed: None }
    }

    /// The same segment with another list of removed documents.
    pub(super) fn without(&self, generation: u64, documents: usize, checksum: [u8; 16]) -> Self {
        let checksum = Some(hex(checksum));
        let removed = Some(ListedRemoved { generation, documents: documents as u64, checksum });
        Self { number: self.number, checksum: self.checksum.clone(), removed }
    }

    pub(super) fn file(&self) -> String {
        segment_name(self.number)
    }

    pub(super) fn removed_file(&self) -> Option<String> {
        self.removed.as_ref().map(|removed| format!("{:08}.{}.removed", self.number, removed.generation))
    }

    /// The number of removed documents.
    pub(super) fn removed(&self) -> u64 {
        self.removed.as_ref().map_or(0, |removed| removed.documents)
    }

    /// The same segment with the checksum of its list of removed documents, if there is one.
    pub(super) fn with_checksum(mut self, checksum: [u8; 16]) -> Self {
        if let Some(removed) = &mut self.removed {
            removed.checksum = Some(hex(checksum));
        }
        self
    }

    fn lacks_checksum(&self) -> bool {
        self.removed.as_ref().is_some_and(|removed| removed.checksum.is_none())
    }

    /// True if a list of removed documents with this checksum is the one listed.
    pub(super) fn is_removed(&self, checksum: [u8; 16]) -> bool {
        let listed = self.removed.as_ref().and_then(|removed| removed.checksum.as_ref());
        listed.is_none_or(|listed| *listed == hex(checksum))
    }

    /// True if a file with this checksum is the one listed.
    pub(super) fn is(&self, checksum: [u8; 16]) -> bool {
        self.checksum == hex(checksum)
    }
}

impl Manifest {
    /// The manifest of an index without documents.
    pub(super) fn new(settings: Settings) -> Self {
        let recipe_id = format!("{:016x}", settings.recipe.id());
        Self { version: VERSION, generation: 0, settings, recipe_id, next: 1, segments: Vec::new() }
    }

    /// The manifest of the next change, which begins as this one.
    pub(super) fn next(&self) -> Self {
        Self { version: VERSION, generation: self.generation + 1, ..self.clone() }
    }

    pub(super) fn recipe_id(&self) -> u64 {
        self.settings.recipe.id()
    }

    /// The first invalid value in it, as a phrase that begins with a verb. All later work relies on the
    /// values, and the checksum excludes only accidental changes.
    fn fault(&self) -> Option<&'static str> {
        let Settings { recipe, lookup, .. } = &self.settings;
        let removed = |listed: &Listed| listed.removed.as_ref().map_or(0, |removed| removed.generation);
        let numbers: HashSet<u64> = self.segments.iter().map(|listed| listed.number).collect();
        let faults = [
            (self.version == 0, "has an invalid version"),
            (!(1..=MAX_SKETCHES).contains(&recipe.sketches), "has an invalid number of sketches"),
            (!(1..=recipe.max_ngram).contains(&recipe.min_ngram), "has invalid sizes of n-grams"),
            (self.recipe_id != format!("{:016x}", recipe.id()), "has a recipe that does not match its recipe id"),
            (!lookup.is_sound(recipe.sketches), "has an invalid plan of search tables"),
            (self.generation.max(self.next) >= TOO_GREAT, "has a generation or a segment number that is too great"),
            (
                self.version > 1 && self.segments.iter().any(Listed::lacks_checksum),
                "names a list of removed documents without its checksum",
            ),
            (numbers.len() < self.segments.len(), "names a segment twice"),
            // The next segment would overwrite it.
            (numbers.iter().any(|&number| number >= self.next), "names a segment whose number is not yet in use"),
            (
                self.segments.iter().any(|listed| removed(listed) > self.generation),
                "names a list of removed documents from a later generation",
            ),
        ];
        faults.into_iter().find_map(|(is_so, what)| is_so.then_some(what))
    }

    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        if paths::is_special(&path) {
            return Err(damaged(&path, "is a pipe, a socket or a device"));
        }
        let text = match disk::read(&path)
            .and_then(|bytes| String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into()))
        {
            Err(error) if error.kind() == ErrorKind::NotFound && is_lost(folder) => {
                return Err(damaged(&path, "is missing"));
            }
            Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
                return Err(Error::NotIndex { path: shown(folder) });
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(damaged(&path, "is not UTF-8 text")),
            text => text.map_err(|source| Error::Read { path: shown(&path), source })?,
        };
        let json = checked_json::json(&text).map_err(|what| damaged(&path, what))?;
        let is_none = |_| damaged(&path, "is not a manifest");
        let Versioned { version } = serde_json::from_str(json).map_err(is_none)?;
        if version > VERSION {
            return Err(Error::NewerIndex { path: shown(folder), found: version, known: VERSION });
        }
        let manifest: Self = serde_json::from_str(json).map_err(is_none)?;
        manifest.fault().map_or(Ok(manifest), |what| Err(damaged(&path, what)))
    }

    /// Replaces the old manifest by this one; the files that it names must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; [`Error::Unsynced`]: the manifest is replaced, but a power loss may bring
    /// the old one back.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let (path, unfinished) = (folder.join(NAME), folder.join(UNFINISHED));
        // A manifest that could not be opened again is never written.
        self.fault().map_or(Ok(()), |what| Err(damaged(&path, what)))?;
        let write = || {
            checked_json::write(&unfinished, self)?;
            disk::rename(&unfinished, &path)
        };
        write().map_err(|source| Error::Write { path: shown(&path), source })?;
        disk::sync_names(&path)
    }
}

/// True if a folder is an index whose manifest is missing: it contains a lock and a segment.
pub(super) fn is_lost(folder: &Path) -> bool {
    let is_segment = |entry: fs::DirEntry| Path::new(&entry.file_name()).extension().is_some_and(|end| end == "fp");
    !folder.join(NAME).exists()
        && folder.join(LOCK).is_file()
        && fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_segment))
}
