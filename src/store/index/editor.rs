//! Changes to an index: each writes new files, then replaces the manifest by one rename, which makes it valid.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::manifest::{LOCK, Listed, Manifest, Settings, is_lost, segment_name};
use super::merge::{Part, Renamed, merge};
use super::removed::Removed;
use super::{Address, Segments, damaged};
use crate::durable::disk;
use crate::durable::lock::{Busy, Lock};
use crate::durable::paths;
use crate::error::{Error, Result, shown};
use crate::observer::Observer;
use crate::store::file::format::InputFile;
use crate::store::file::map::{FingerprintFile, verify_all};
use crate::store::file::write::Writer;

/// Number of segments of one size that are merged, and the factor between sizes.
const FAN: usize = 4;

/// The name of the file of additions while it is made.
const UNFINISHED: &str = "unfinished";

/// Checks that a folder has nothing but the remains of a run that was killed while it made an index.
fn expect_empty(folder: &Path) -> Result<()> {
    let is_other = |name: &OsStr| ![LOCK, "lock.owner", ".ignore", "manifest.new"].map(OsStr::new).contains(&name);
    let failed = |source| Error::Write { path: shown(folder), source };
    let mut entries = fs::read_dir(folder).map_err(failed)?.flatten();
    if entries.any(|entry| is_other(&entry.file_name())) {
        is_lost(folder).then(|| Manifest::read(folder)).transpose()?;
        return Err(Error::NotEmpty { path: shown(folder) });
    }
    Ok(())
}

/// Exclusive access to an index, for changes.
#[derive(Debug)]
pub struct Editor {
    segments: Segments,
    unmerged: Option<Error>,
    /// Held for as long as this lives.
    _lock: Lock,
}

impl Editor {
    /// Makes an index without documents in a new or empty folder.
    ///
    /// # Errors
    ///
    /// [`Error::NotEmpty`], [`Error::Output`] or [`Error::Write`]; [`Error::IndexLocked`].
    pub fn create(folder: &Path, settings: Settings) -> Result<Self> {
        let failed = |source| Error::Write { path: shown(folder), source };
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                if !folder.is_dir() {
                    return Err(Error::Output { path: shown(folder), kind: "not a folder" });
                }
                expect_empty(folder)?;
            }
            made => made.map_err(failed)?,
        }
        let lock = lock(folder)?;
        // Another run may have made one meanwhile.
        expect_empty(folder)?;
        // Runs that read the folder around the index skip it.
        paths::create(&folder.join(".ignore")).and_then(|mut file| file.write_all(b"*\n")).map_err(failed)?;
        Manifest::new(settings).write(folder)?;
        disk::sync_names(folder)?;
        Ok(Self { segments: Segments::open(folder)?, unmerged: None, _lock: lock })
    }

    /// Opens an index to change it, and removes the remains of a killed run.
    ///
    /// # Errors
    ///
    /// Those of [`Segments::open`]; [`Error::IndexLocked`] if another run is changing it;
    /// [`Error::Write`] if nothing can be written there.
    pub fn open(folder: &Path) -> Result<Self> {
        Manifest::read(folder)?;
        let lock = lock(folder)?;
        let editor = Self { segments: Segments::open(folder)?, unmerged: None, _lock: lock };
        editor.sweep();
        Ok(editor)
    }

    /// Opens an index to change it, and permanently drops the segments with damaged files. Returns
    /// the fault of each.
    ///
    /// # Errors
    ///
    /// Those of [`open`](Self::open) and [`Segments::check`].
    pub fn open_sound(folder: &Path, observer: &dyn Observer) -> Result<(Self, Vec<Error>)> {
        Manifest::read(folder)?;
        let lock = lock(folder)?;
        let (segments, faults) = Segments::check(folder, observer)?;
        let mut editor = Self { segments, unmerged: None, _lock: lock };
        if faults.is_empty() {
            editor.sweep();
        } else {
            editor.commit(&BTreeMap::new(), &HashSet::new(), None)?;
        }
        Ok((editor, faults))
    }

    /// The current index; releases the lock.
    pub fn into_segments(self) -> Segments {
        self.segments
    }

    /// The current index.
    pub fn segments(&self) -> &Segments {
        &self.segments
    }

    /// The path of fingerprints while they are made. The same work resumes from an unfinished file
    /// there; other work removes it.
    pub fn unfinished(&self) -> PathBuf {
        self.segments.folder.join(UNFINISHED)
    }

    /// Adds documents and removes others, all or nothing.
    ///
    /// Ids stay unique if no added document has the id of one that remains.
    ///
    /// # Errors
    ///
    /// [`Error::RecipesOf`], [`Error::NoShingles`] or [`Error::NoPassages`] if a file does not
    /// match the index; those of checking it; [`Error::TooMany`]; [`Error::Write`];
    /// [`Error::Interrupted`]. The index is then unchanged. After [`Error::Unsynced`] it is changed,
    /// but a power loss may undo the change.
    pub fn change(&mut self, add: &[Part<'_>], remove: &[Address], observer: &dyn Observer) -> Result<()> {
        if add.is_empty() {
            self.forget_unfinished()?;
        }
        for part in add {
            self.fits(part.file)?;
        }
        verify_all("checking the additions", add.iter().map(|part| part.file), observer)?;
        let takes_any = |part: &Part<'_>| (0..part.file.len() as u32).any(part.takes);
        let new = if add.iter().any(|part| takes_any(part) || self.has_new_unread(part.file)) {
            Some(self.write(add, observer)?)
        } else {
            None
        };
        let mut removed: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &(segment, document) in remove {
            removed.entry(segment).or_default().push(document);
        }
        self.commit(&removed, &HashSet::new(), new)?;
        // The change is made. Merging is only for speed; the next change retries one that fails.
        self.unmerged = self.merge_small(observer).err();
        Ok(())
    }

    /// Gives documents new names, each with the file that it is; nothing else of them changes.
    ///
    /// # Errors
    ///
    /// Those of [`change`](Self::change).
    pub fn rename(&mut self, names: &HashMap<Address, Renamed>, observer: &dyn Observer) -> Result<()> {
        let files: Vec<(u32, FingerprintFile)> = {
            let mut numbers: Vec<u32> = names.keys().map(|&(segment, _)| segment).collect();
            numbers.sort_unstable();
            numbers.dedup();
            let open = |number: u32| {
                let path = self.segments.list[number as usize].file().path();
                Ok((number, FingerprintFile::open(Path::new(path))?))
            };
            numbers.into_iter().map(open).collect::<Result<_>>()?
        };
        let renamed = |number: u32| -> HashMap<u32, Renamed> {
            let own = names.iter().filter(|((segment, _), _)| *segment == number);
            own.map(|((_, document), name)| (*document, name.clone())).collect()
        };
        let renamed: Vec<HashMap<u32, Renamed>> = files.iter().map(|(number, _)| renamed(*number)).collect();
        let takes: Vec<_> = renamed.iter().map(|names| |document: u32| names.contains_key(&document)).collect();
        let parts = files.iter().zip(&renamed).zip(&takes);
        let parts: Vec<Part<'_>> =
            parts.map(|(((_, file), renamed), takes)| Part { file, takes, renamed: Some(renamed) }).collect();
        let mut old: Vec<Address> = names.keys().copied().collect();
        old.sort_unstable();
        self.change(&parts, &old, observer)
    }

    /// True if a file has files that could not be read, and that the index does not know as they are.
    fn has_new_unread(&self, file: &FingerprintFile) -> bool {
        let key = |input: &InputFile<'_>| (input.path.to_owned(), input.size, input.modified);
        if file.unread().next().is_none() {
            return false;
        }
        let known: HashSet<_> = self
            .segments
            .list
            .iter()
            .flat_map(|segment| segment.file().unread())
            .map(|(_, input)| key(&input))
            .collect();
        file.unread().any(|(_, input)| !known.contains(&key(&input)))
    }

    /// The error of merging segments after the last change; the change itself is made.
    pub fn unmerged(&self) -> Option<&Error> {
        self.unmerged.as_ref()
    }

    /// Checks that a file has the recipe and the sections of the segments.
    ///
    /// # Errors
    ///
    /// [`Error::RecipesOf`], [`Error::NoShingles`] or [`Error::NoPassages`].
    pub fn fits(&self, file: &FingerprintFile) -> Result<()> {
        let settings = self.segments.settings();
        let path = || file.path().to_owned();
        self.segments.expect_recipe(file.path(), file.recipe(), file.recipe_id())?;
        if settings.shingles && !file.has_shingles() {
            return Err(Error::NoShingles { path: path() });
        }
        if settings.passages && file.passages().is_none() {
            return Err(Error::NoPassages { path: path() });
        }
        Ok(())
    }

    /// Merges segments until fewer than [`FAN`] are of one size.
    fn merge_small(&mut self, observer: &dyn Observer) -> Result<()> {
        loop {
            let mut sizes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for (number, segment) in self.segments.list.iter().enumerate() {
                sizes.entry(segment.len().max(1).ilog(FAN)).or_default().push(number);
            }
            let Some(numbers) = sizes.into_values().find(|numbers| numbers.len() >= FAN) else { return Ok(()) };
            self.merge(&numbers, observer)?;
        }
    }

    /// Merges all segments into one, and permanently drops removed documents. Returns false, and
    /// reads nothing, if there is nothing to do.
    ///
    /// # Errors
    ///
    /// Those of [`change`](Self::change); [`Error::DamagedSection`] if a segment is damaged:
    /// nothing is dropped then.
    pub fn compact(&mut self, observer: &dyn Observer) -> Result<bool> {
        self.forget_unfinished()?;
        match &self.segments.list[..] {
            [] => Ok(false),
            [one] if one.removed.count() == 0 => Ok(false),
            all => self.merge(&(0..all.len()).collect::<Vec<_>>(), observer).map(|()| true),
        }
    }

    /// Permanently removes all documents.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    pub fn clear(&mut self) -> Result<()> {
        self.forget_unfinished()?;
        let all = (0..self.segments.list.len()).collect();
        self.commit(&BTreeMap::new(), &all, None)
    }

    /// Removes the remains of an interrupted addition: they contain texts, and may fill the disk.
    fn forget_unfinished(&self) -> Result<()> {
        let begun = paths::beside(&self.unfinished(), "", ".partial");
        match fs::remove_dir_all(&begun) {
            Err(source) if source.kind() != ErrorKind::NotFound => Err(Error::Write { path: shown(&begun), source }),
            _ => Ok(()),
        }
    }

    /// Merges some segments into one.
    fn merge(&mut self, numbers: &[usize], observer: &dyn Observer) -> Result<()> {
        self.segments.expect_queries(usize::MAX);
        let old: Vec<&super::Segment> = numbers.iter().map(|&number| &self.segments.list[number]).collect();
        verify_all("checking segments", old.iter().map(|segment| segment.file()), observer)?;
        let has: Vec<_> = old.iter().map(|segment| |document| segment.has(document)).collect();
        let parts: Vec<Part<'_>> =
            old.iter().zip(&has).map(|(segment, takes)| Part { file: segment.file(), takes, renamed: None }).collect();
        let has_any = |segment: &&super::Segment| !segment.is_empty() || segment.file().unread().next().is_some();
        let new = if old.iter().any(has_any) { Some(self.write(&parts, observer)?) } else { None };
        self.commit(&BTreeMap::new(), &numbers.iter().copied().collect(), new)
    }

    /// Writes a new segment; [`commit`](Self::commit) makes it part of the index.
    fn write(&self, parts: &[Part<'_>], observer: &dyn Observer) -> Result<Listed> {
        let number = self.segments.manifest.next;
        let path = self.segments.folder.join(segment_name(number));
        let settings = self.segments.settings();
        let writer = Writer::segment(&path, &settings.recipe, settings.sections())?;
        merge(writer, parts, settings.lookup, observer).map_err(Error::of_a_step)?;
        Ok(Listed::new(number, FingerprintFile::open(&path)?.checksum()))
    }

    /// Commits a change: removes documents and drops segments, and adds a new one.
    fn commit(
        &mut self,
        removed: &BTreeMap<u32, Vec<u32>>,
        dropped: &HashSet<usize>,
        new: Option<Listed>,
    ) -> Result<()> {
        let folder = &self.segments.folder;
        let mut manifest = self.segments.manifest.next();
        // A manifest of version 1 names lists without their checksums.
        let with_checksum =
            |(listed, segment): (Listed, &super::Segment)| listed.with_checksum(segment.removed.checksum());
        manifest.segments = manifest.segments.into_iter().zip(&self.segments.list).map(with_checksum).collect();
        manifest.next += u64::from(new.is_some());
        for (&number, documents) in removed {
            let Some(segment) = self.segments.list.get(number as usize) else { continue };
            let mut removed: Removed = segment.removed.clone();
            removed.add(documents.iter().copied());
            let listed =
                manifest.segments[number as usize].without(manifest.generation, removed.count(), removed.checksum());
            if let Some(name) = listed.removed_file() {
                removed.write(&folder.join(name))?;
            }
            manifest.segments[number as usize] = listed;
        }
        // A new segment takes the place of the first that it replaces, so that documents stay
        // roughly in the order of addition.
        let place = dropped.iter().min().copied().unwrap_or(manifest.segments.len());
        let kept = |(number, listed): (usize, Listed)| (!dropped.contains(&number)).then_some(listed);
        let mut segments: Vec<Listed> = manifest.segments.into_iter().enumerate().filter_map(kept).collect();
        if let Some(new) = new {
            segments.insert(place.min(segments.len()), new);
        }
        manifest.segments = segments;
        if !removed.is_empty() {
            disk::sync_folder(folder).map_err(|source| Error::Write { path: shown(folder), source })?;
        }
        // Opened before the change is made: an error after it would deny a change that is made.
        let segments = Segments::of(folder, manifest)?;
        let written = segments.manifest.write(folder);
        if !matches!(written, Ok(()) | Err(Error::Unsynced { .. })) {
            return written;
        }
        self.segments = segments;
        // A power loss may bring the old manifest back: the files that it names must then exist.
        written?;
        self.sweep();
        Ok(())
    }

    /// Removes segments and lists that are no longer part of the index, left by this run or a
    /// killed one. The next change retries those that could not be removed.
    fn sweep(&self) {
        let listed = &self.segments.manifest.segments;
        let kept: HashSet<String> =
            listed.iter().flat_map(|listed| [Some(listed.file()), listed.removed_file()]).flatten().collect();
        for entry in fs::read_dir(&self.segments.folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if kept.contains(&name) {
                continue;
            }
            if name == UNFINISHED || is_own(&name, ".fp") || is_own(&name, ".removed") {
                let _ = disk::remove(&entry.path());
            } else if is_own(&name, ".fp.partial") {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// True if a file has a name as in an index: digits and dots, then `end`.
fn is_own(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|start| {
        start.len() >= 8
            && start.starts_with(|c: char| c.is_ascii_digit())
            && start.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}

/// Locks an index for one run.
fn lock(folder: &Path) -> Result<Lock> {
    let path = folder.join(LOCK);
    let failed = |source| Error::Write { path: shown(&path), source };
    if paths::is_special(&path) {
        return Err(damaged(&path, "is a pipe, a socket or a device"));
    }
    let taken = Lock::take(&path).map_err(failed)?;
    taken.map_err(|Busy(by)| Error::IndexLocked { path: shown(folder), by })
}
