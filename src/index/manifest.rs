//! Which files are the index.
//!
//! A line of JSON behind its hash ([`noted`]). It is written beside the old one, sent to the disk, and
//! renamed.

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
use crate::file::format::Sections;
use crate::file::lookup::LookupPlan;
use crate::sketch::minhash::MAX_SKETCHES;
use crate::sketch::recipe::Recipe;

/// The version of the format of an index that is written, and the newest that is read.
pub(super) const VERSION: u32 = 1;

/// The manifest's name in the folder, and that of a new one before it takes its place.
pub(super) const NAME: &str = "manifest";
const UNFINISHED: &str = "manifest.new";

/// The name of the lock in the folder.
pub(super) const LOCK: &str = "lock";

/// Generations and numbers of segments count up from 0: none of an honest index is as great as this.
const TOO_GREAT: u64 = 1 << 53;

/// How an index was made; that never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The recipe of all fingerprints.
    pub recipe: Recipe,
    /// The words of a list of stop words that the user gave.
    pub stop_words: Option<Vec<String>>,
    /// Whether shingles are kept, for exact figures.
    pub shingles: bool,
    /// Whether texts are kept, and what else passages need.
    pub passages: bool,
    /// What the search tables are for.
    pub lookup: LookupPlan,
}

impl Settings {
    /// The sections of its segments.
    pub(crate) fn sections(&self) -> Sections {
        Sections { shingles: self.shingles, keys: false, passages: self.passages, lookup: true }
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

    /// Whether this is the file that was listed, by its checksum.
    pub(super) fn is(&self, checksum: [u8; 16]) -> bool {
        self.checksum == hex(checksum)
    }
}

impl Manifest {
    /// That of an index without documents.
    pub(super) fn new(settings: Settings) -> Self {
        let recipe_id = format!("{:016x}", settings.recipe.id());
        Self { version: VERSION, generation: 0, settings, recipe_id, next: 1, segments: Vec::new() }
    }

    pub(super) fn recipe_id(&self) -> u64 {
        self.settings.recipe.id()
    }

    /// What in it cannot be, beginning with a verb. All later work relies on it, and a checksum tells
    /// only that nobody has changed it by accident.
    fn fault(&self) -> Option<&'static str> {
        let Settings { recipe, lookup, .. } = &self.settings;
        let removed = |listed: &Listed| listed.removed.as_ref().map_or(0, |removed| removed.generation);
        let numbers: HashSet<u64> = self.segments.iter().map(|listed| listed.number).collect();
        let faults = [
            (self.version == 0, "has a version that cannot be"),
            (!(1..=MAX_SKETCHES).contains(&recipe.sketches), "has a number of sketches that cannot be"),
            (!(1..=recipe.max_ngram).contains(&recipe.min_ngram), "has sizes of n-grams that cannot be"),
            (self.recipe_id != format!("{:016x}", recipe.id()), "has a recipe that is not the one it names"),
            (!lookup.is_sound(recipe.sketches), "has a plan of search tables that cannot be"),
            (self.generation.max(self.next) >= TOO_GREAT, "has a number that is too great"),
            (numbers.len() < self.segments.len(), "names a segment twice"),
            // The next one would be written over it.
            (numbers.iter().any(|&number| number >= self.next), "names a segment that is still to come"),
            (
                self.segments.iter().any(|listed| removed(listed) > self.generation),
                "names a list that is still to come",
            ),
        ];
        faults.into_iter().find_map(|(is_so, what)| is_so.then_some(what))
    }

    pub(super) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(NAME);
        if paths::is_special(&path) {
            return Err(damaged(&path, "is a pipe, a socket or a device"));
        }
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound && is_lost(folder) => {
                return Err(damaged(&path, "is missing"));
            }
            Err(error) if [ErrorKind::NotFound, ErrorKind::NotADirectory].contains(&error.kind()) => {
                return Err(Error::NotIndex { path: shown(folder) });
            }
            Err(error) if error.kind() == ErrorKind::InvalidData => return Err(damaged(&path, "is no text")),
            text => text.map_err(|source| Error::Read { path: shown(&path), source })?,
        };
        let json = checked_json::json(&text).map_err(|what| damaged(&path, what))?;
        let is_none = |_| damaged(&path, "is no manifest");
        let Versioned { version } = serde_json::from_str(json).map_err(is_none)?;
        if version > VERSION {
            return Err(Error::NewerIndex { path: shown(folder), found: version, known: VERSION });
        }
        let manifest: Self = serde_json::from_str(json).map_err(is_none)?;
        manifest.fault().map_or(Ok(manifest), |what| Err(damaged(&path, what)))
    }

    /// Puts this manifest in the place of the old one; what it names must be on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; [`Error::Unsynced`]: it is in its place, and after a power loss the old one
    /// may be.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let (path, unfinished) = (folder.join(NAME), folder.join(UNFINISHED));
        // What could not be opened again is never written.
        self.fault().map_or(Ok(()), |what| Err(damaged(&path, what)))?;
        let write = || {
            checked_json::write(&unfinished, self)?;
            disk::rename(&unfinished, &path)
        };
        write().map_err(|source| Error::Write { path: shown(&path), source })?;
        disk::sync_names(&path)
    }
}

/// Whether a folder is an index whose manifest is missing: its lock and a segment are there.
pub(super) fn is_lost(folder: &Path) -> bool {
    let is_segment = |entry: fs::DirEntry| Path::new(&entry.file_name()).extension().is_some_and(|end| end == "fp");
    !folder.join(NAME).exists()
        && folder.join(LOCK).is_file()
        && fs::read_dir(folder).is_ok_and(|entries| entries.flatten().any(is_segment))
}
