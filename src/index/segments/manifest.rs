//! Which files are the index.
//!
//! A line of JSON behind its hash ([`noted`]). It is written beside the old one, sent to the disk, and
//! renamed.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::damaged;
use crate::disk;
use crate::error::{Error, Result, shown};
use crate::index::format::Sections;
use crate::index::lookup::LookupPlan;
use crate::index::noted;
use crate::sketch::recipe::Recipe;

/// The version of the format of an index that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// The manifest's name in the folder, and that of a new one before it takes its place.
pub(super) const NAME: &str = "manifest";
const UNFINISHED: &str = "manifest.new";

/// How an index was made; that never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The recipe of all fingerprints.
    pub recipe: Recipe,
    /// The words of a list of stop words that the user gave.
    pub stop_words: Option<Vec<String>>,
    /// Whether features are kept, for exact figures.
    pub features: bool,
    /// Whether texts are kept, and what else passages need.
    pub passages: bool,
    /// What the search tables are for.
    pub lookup: LookupPlan,
}

impl Settings {
    /// The sections of its segments.
    pub(crate) fn sections(&self) -> Sections {
        Sections { features: self.features, keys: false, passages: self.passages, lookup: true }
    }
}

/// What an index is made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Manifest {
    version: u32,
    /// How often it was changed.
    pub(super) generation: u64,
    pub(super) settings: Settings,
    /// The recipe's id when the index was made, in hex.
    recipe_id: String,
    /// The number of the next segment.
    pub(super) next: u64,
    pub(super) segments: Vec<Listed>,
}

/// What every version says: a later one may say more than this one understands.
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

/// Which of its documents were removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ListedRemoved {
    /// The generation that the list was written for.
    generation: u64,
    documents: u64,
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

    /// The same with another list of removed documents.
    pub(super) fn without(&self, generation: u64, documents: usize) -> Self {
        let removed = Some(ListedRemoved { generation, documents: documents as u64 });
        Self { number: self.number, checksum: self.checksum.clone(), removed }
    }

    pub(super) fn file(&self) -> String {
        segment_name(self.number)
    }

    pub(super) fn removed_file(&self) -> Option<String> {
        self.removed.as_ref().map(|removed| format!("{:08}.{}.removed", self.number, removed.generation))
    }

    /// How many documents were removed.
    pub(super) fn removed(&self) -> u64 {
        self.removed.as_ref().map_or(0, |removed| removed.documents)
    }

    pub(super) fn checksum(&self) -> Result<[u8; 16]> {
        let checksum = u128::from_str_radix(&self.checksum, 16).map(u128::to_be_bytes);
        checksum.map_err(|_| damaged(Path::new(NAME), "has a checksum that is none"))
    }
}

impl Manifest {
    /// That of an index without documents.
    pub(super) fn new(settings: Settings) -> Self {
        let recipe_id = format!("{:016x}", settings.recipe.id());
        Self { version: VERSION, generation: 0, settings, recipe_id, next: 1, segments: Vec::new() }
    }

    pub(super) fn recipe_id(&self) -> u64 {
        u64::from_str_radix(&self.recipe_id, 16).unwrap_or_default()
    }

    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        let text = match fs::read_to_string(&path) {
            Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
                return Err(Error::NotIndex { path: shown(folder) });
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(damaged(&path, "is no text")),
            text => text.map_err(|source| Error::Read { path: shown(&path), source })?,
        };
        let json = noted::json(&text).map_err(|what| damaged(&path, what))?;
        let damaged = |_| damaged(&path, "is no manifest");
        let Versioned { version } = serde_json::from_str(json).map_err(damaged)?;
        if version > VERSION {
            return Err(Error::NewerIndex { path: shown(folder), found: version, known: VERSION });
        }
        serde_json::from_str(json).map_err(damaged)
    }

    /// Puts this manifest in the place of the old one; what it names must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; [`Error::Unsynced`]: it is in its place, and after a power loss the old one
    /// may be.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let (path, unfinished) = (folder.join(NAME), folder.join(UNFINISHED));
        let write = || {
            noted::write(&unfinished, self)?;
            disk::rename(&unfinished, &path)
        };
        write().map_err(|source| Error::Write { path: shown(&path), source })?;
        disk::sync_names(&path)
    }
}
