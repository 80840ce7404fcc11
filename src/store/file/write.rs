//! Writes a fingerprint file from documents that arrive one by one.
//!
//! The number of documents is known only at the end, but a file's sections lie one after
//! another. So each section is first spooled to a file of its own, in the folder
//! `OUTPUT.partial` beside the output; [`Writer::finish`] joins them and renames the result
//! over the output. Whenever the program or the machine stops, the output is the old file or
//! the new one, never a part of one.
//!
//! [`Writer::checkpoint`] secures everything pushed so far: it syncs the spools to disk and
//! then replaces a small journal with their lengths. After a crash [`Writer::resume`]
//! truncates the spools to these lengths and continues. The same entries in the same order
//! give the same bytes, however often the work was interrupted. A checkpoint can also record
//! an earlier moment, a [`Mark`], such as the end of an input file.
//!
//! Cost: memory is constant, a buffer of 64 KiB per section. The disk holds the sections twice
//! while `finish` copies them, and a checkpoint waits for the disk about once per section. A file that only
//! this process needs lies in memory up to a bound, and beyond it is read from its spools ([`Memory`]).

mod checkpoint;
mod entry;
mod finish;
mod memory;
mod spool;

pub use entry::Entry;
pub use memory::Memory;

use std::path::{Path, PathBuf};

use super::format::{ALIGNMENT, Header, InputFile, Row, Section, Sections, Stated, checksum};
use super::packed::Packer;
use crate::durable::disk::{self, Stored};
use crate::durable::paths;
use crate::durable::place::Replace;
use crate::error::{Error, Result};
use crate::memory::Map;
use crate::sketch::minhash::MAX_SKETCHES;
use crate::sketch::recipe::Recipe;
use spool::{Assembly, Partial, Spool, failed};

/// The file name of the output of [`Writer::scratch`].
const SCRATCH: &str = "fingerprints";

/// Checks that a file can hold the sketches of a recipe.
fn check(recipe: &Recipe) -> Result<()> {
    if !(1..=MAX_SKETCHES).contains(&recipe.sketches) {
        return Err(Error::Sketches { found: recipe.sketches, limit: MAX_SKETCHES });
    }
    Ok(())
}

/// The sketch of an empty document.
static NO_SKETCH: [u32; MAX_SKETCHES] = [0; MAX_SKETCHES];

/// The sections that hold the offsets of strings and lists.
const OFFSETS: [Section; 7] = [
    Section::IdOffsets,
    Section::PathOffsets,
    Section::KeyOffsets,
    Section::ShingleOffsets,
    Section::WordOffsets,
    Section::TextOffsets,
    Section::AuthorOffsets,
];

/// Writes one fingerprint file. If one on disk is dropped without [`finish`](Writer::finish), it
/// leaves its spools for [`resume`](Writer::resume).
#[derive(Debug)]
pub struct Writer<S = Disk> {
    store: S,
    sections: Sections,
    recipe: Recipe,
    documents: u64,
    files: u64,
    /// True if all sections hold the same documents: false after a failed write.
    sound: bool,
    /// Packs the lists of documents where the store wants it; `None` if no list can be packed.
    packer: Option<Packer>,
}

/// The place of the sections of an unfinished file.
pub trait Store {
    /// Appends to a section, if it is kept.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    fn write(&mut self, section: Section, bytes: &[u8]) -> Result<()>;

    /// The length of a section in bytes.
    fn length(&self, section: Section) -> u64;

    /// The file as the user named it.
    fn name(&self) -> &str;

    /// True if the lists of the next document should take less room. Only this process can unpack them.
    fn packs(&self) -> bool {
        false
    }

    /// Records how far the file is, so that an interrupted run can resume. A store that ends with this process records
    /// nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the previous checkpoint is still valid.
    fn checkpoint(&mut self, _: &Checkpoint<'_>) -> Result<()> {
        Ok(())
    }

    /// Removes what was written.
    ///
    /// # Errors
    ///
    /// [`Error::Write`].
    fn discard(self) -> Result<()>;
}

/// The state of an unfinished file.
#[derive(Debug)]
pub struct Checkpoint<'a> {
    /// How far it is.
    pub mark: &'a Mark,
    /// The id of its recipe.
    pub recipe: u64,
    /// Its sections.
    pub sections: Sections,
    /// The caller's progress.
    pub progress: &'a serde_json::Value,
}

/// The spools in the folder beside an output.
#[derive(Debug)]
pub struct Disk {
    /// A spool for each of [`Section::ALL`] that is kept.
    spools: Vec<Option<Spool>>,
    /// Declared after the spools, so that they are closed before the lock is released.
    partial: Partial,
    /// True if the output must outlive this process.
    durable: bool,
}

impl Disk {
    fn new(output: &Path, sections: Sections, durable: bool) -> Result<Self> {
        let partial = Partial::lock(output)?;
        partial.clear()?;
        let mut spools: Vec<Option<Spool>> = Section::ALL.iter().map(|_| None).collect();
        for section in Section::kept(sections) {
            spools[section as usize] = Some(Spool::open(partial.spool(section), 0)?);
        }
        Ok(Self { spools, partial, durable })
    }

    /// The maps of the sections that have any bytes.
    fn maps(&mut self) -> Result<Vec<(Section, Map)>> {
        let mut maps = Vec::new();
        for section in Section::ALL {
            if let Some(spool) = &mut self.spools[section as usize] {
                maps.extend(spool.map()?.map().map(|map| (section, map)));
            }
        }
        Ok(maps)
    }
}

impl Store for Disk {
    fn write(&mut self, section: Section, bytes: &[u8]) -> Result<()> {
        self.spools[section as usize].as_mut().map_or(Ok(()), |spool| spool.write(bytes))
    }

    fn length(&self, section: Section) -> u64 {
        self.spools[section as usize].as_ref().map_or(0, Spool::length)
    }

    fn name(&self) -> &str {
        self.partial.name()
    }

    fn checkpoint(&mut self, of: &Checkpoint<'_>) -> Result<()> {
        if self.durable { self.write_journal(of) } else { Ok(()) }
    }

    fn discard(mut self) -> Result<()> {
        self.spools.clear();
        self.partial.remove()
    }
}

/// The progress of a [`Writer`] at some moment.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// The number of documents.
    pub documents: u64,
    /// The number of input files.
    pub files: u64,
    lengths: [u64; Section::ALL.len()],
}

impl Writer {
    /// Begins a file. The remains of an interrupted run are discarded; an existing file
    /// is replaced when the new one is complete.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] or [`Error::Write`] if no file can be written there,
    /// [`Error::Locked`] if another run is writing it, [`Error::Sketches`] if the recipe
    /// has none or too many.
    pub fn create(output: &Path, recipe: &Recipe, sections: Sections) -> Result<Self> {
        let writer = Self::new(output, recipe, sections, true)?;
        writer.store.partial.sync_name()?;
        Ok(writer)
    }

    /// Begins a durable file that is not resumed if it is interrupted: nothing waits for the disk
    /// before the end.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn segment(output: &Path, recipe: &Recipe, sections: Sections) -> Result<Self> {
        Self::new(output, recipe, sections, true)
    }

    /// Begins a file in a folder, for this process only: nothing waits for the disk,
    /// and [`checkpoint`](Self::checkpoint) does nothing. The file will be at
    /// [`output`](Self::output).
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn scratch(folder: &Path, recipe: &Recipe, sections: Sections) -> Result<Self> {
        Self::new(&folder.join(SCRATCH), recipe, sections, false)
    }

    fn new(output: &Path, recipe: &Recipe, sections: Sections, durable: bool) -> Result<Self> {
        check(recipe)?;
        Self::begun(Disk::new(output, sections, durable)?, recipe, sections)
    }

    /// Limits what the output may replace; by default it replaces any file.
    ///
    /// # Errors
    ///
    /// [`Error::Exists`] if a file is there that may not be replaced.
    pub fn replacing(mut self, replace: Replace) -> Result<Self> {
        let output = self.store.partial.output().to_owned();
        self.store.partial.replacing(&output, replace)?;
        Ok(self)
    }

    /// The paths written for an output: the file itself, and the folder of its spools.
    ///
    /// # Errors
    ///
    /// [`Error::Output`] if a folder or a device has that path.
    pub fn written(output: &Path) -> Result<[PathBuf; 2]> {
        spool::places(output).map(|(target, folder)| [target, folder])
    }

    /// The path of the finished file.
    pub fn output(&self) -> &Path {
        self.store.partial.output()
    }

    /// Joins the spools into the file, replaces the output by it, and removes the spools.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the output is then unchanged, unless the error names the folder of
    /// the spools: then only its removal failed. [`Error::Exists`] if a file has appeared there that may not be
    /// replaced.
    pub fn finish(mut self) -> Result<()> {
        self.begin()?;
        let path = self.store.partial.assembled();
        let mut file = Stored(paths::create(&path).map_err(failed(&path))?);
        self.assemble(&mut file, &path)?;
        paths::keep_mode(&file.0, self.store.partial.output()).map_err(failed(&path))?;
        if self.store.durable {
            disk::sync(&file.0, &path).map_err(failed(&path))?;
        }
        drop(file);
        self.store.partial.put(self.store.durable)?;
        self.store.spools.clear();
        self.store.partial.remove()
    }

    fn assemble(&mut self, file: &mut Stored, path: &Path) -> Result<()> {
        let kept: Vec<Section> = Section::kept(self.sections).collect();
        let mut assembly = Assembly::to(file, path);
        assembly.zeros(Header::size(kept.len()) as u64)?;
        let mut table = Vec::with_capacity(kept.len());
        for section in kept {
            let offset = assembly.position().next_multiple_of(ALIGNMENT);
            assembly.zeros(offset - assembly.position())?;
            let Some(spool) = &mut self.store.spools[section as usize] else { continue };
            let (element, length) = (section.element(self.recipe.sketches), spool.length());
            let checksum = checksum(&assembly.append(spool)?);
            table.push(Row { section, element, offset, length, checksum });
        }
        assembly.rewrite_start(&self.header(assembly.position(), table).encode())
    }
}

impl<S: Store> Writer<S> {
    /// A file without documents.
    fn begun(store: S, recipe: &Recipe, sections: Sections) -> Result<Self> {
        let mut writer = Self::with(store, recipe, sections);
        let text = serde_json::to_vec(recipe).expect("plain strings and numbers");
        writer.store.write(Section::Recipe, &text)?;
        for offsets in OFFSETS {
            writer.store.write(offsets, &0u64.to_le_bytes())?;
        }
        Ok(writer)
    }

    fn with(store: S, recipe: &Recipe, sections: Sections) -> Self {
        Self { store, sections, recipe: recipe.clone(), documents: 0, files: 0, sound: true, packer: None }
    }

    /// The number of rows of a sketch.
    pub fn sketches(&self) -> usize {
        self.recipe.sketches
    }

    /// The number of documents so far.
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// The number of input files so far.
    pub fn files(&self) -> u64 {
        self.files
    }

    /// Names the field of the sort keys. Call it once, before anything else.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the writer is then unusable.
    pub fn key_field(&mut self, name: &str) -> Result<()> {
        self.begin()?;
        self.store.write(Section::KeyField, name.as_bytes())?;
        self.sound = true;
        Ok(())
    }

    /// Adds an input file and returns its number, for [`Provenance::file`](super::format::Provenance::file).
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the writer is then unusable.
    ///
    /// # Panics
    ///
    /// If there are 2^32 input files already.
    pub fn file(&mut self, file: &InputFile) -> Result<u32> {
        let number = u32::try_from(self.files).expect("no more than 2^32 input files");
        self.begin()?;
        self.string(Section::PathOffsets, Section::Paths, file.path)?;
        let mut record = [0; 48];
        record[..8].copy_from_slice(&file.size.to_le_bytes());
        record[8..16].copy_from_slice(&file.modified.to_le_bytes());
        record[16..19].copy_from_slice(&[file.kind, file.format, file.is_unread.into()]);
        record[19..24].copy_from_slice(&file.carried.to_le_bytes()[..5]);
        record[24..32].copy_from_slice(&Stated::encode(file.stated));
        record[32..].copy_from_slice(&file.digest.unwrap_or_default());
        self.store.write(Section::Files, &record)?;
        self.files += 1;
        self.sound = true;
        Ok(number)
    }

    /// The header of a file of this length, with these rows.
    fn header(&self, length: u64, table: Vec<Row>) -> Header {
        let (documents, files, recipe) = (self.documents, self.files, self.recipe.id());
        Header { documents, files, recipe, length, table }
    }

    /// Marks the spools as inconsistent until a write is complete; fails if an earlier write did.
    fn begin(&mut self) -> Result<()> {
        if !std::mem::replace(&mut self.sound, false) {
            let source = std::io::Error::other("an earlier write to it has failed");
            return Err(Error::Write { path: self.store.name().to_owned(), source });
        }
        Ok(())
    }
}
