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
//! this process needs is read from its spools instead ([`Writer::finish_apart`]).

mod entry;
mod finish;
mod spool;

pub use entry::Entry;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::ascend;
use super::format::{ALIGNMENT, Header, InputFile, Row, Section, Sections, Stated, VERSION, checksum};
use crate::durable::disk;
use crate::durable::paths;
use crate::error::{Error, Result};
use crate::similarity::KEPT_WORDS;
use crate::sketch::minhash::MAX_SKETCHES;
use crate::sketch::recipe::Recipe;
use spool::{Assembly, Journal, Partial, Spool, failed, replace};

/// The file name of the output of [`Writer::scratch`].
const SCRATCH: &str = "fingerprints";

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

/// Writes one fingerprint file. If it is dropped without [`finish`](Writer::finish), it
/// leaves its spools for [`resume`](Writer::resume).
#[derive(Debug)]
pub struct Writer {
    /// A spool for each of [`Section::ALL`] that is kept.
    spools: Vec<Option<Spool>>,
    /// Declared after the spools, so that they are closed before the lock is released.
    partial: Partial,
    sections: Sections,
    recipe: Recipe,
    /// True if the output must outlive this process.
    durable: bool,
    documents: u64,
    files: u64,
    /// True if all spools hold the same documents: false after a failed write.
    sound: bool,
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
        writer.partial.sync_name()?;
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
    /// [`output`](Self::output), unless it is finished [apart](Self::finish_apart).
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn scratch(folder: &Path, recipe: &Recipe, sections: Sections) -> Result<Self> {
        Self::new(&folder.join(SCRATCH), recipe, sections, false)
    }

    fn new(output: &Path, recipe: &Recipe, sections: Sections, durable: bool) -> Result<Self> {
        if !(1..=MAX_SKETCHES).contains(&recipe.sketches) {
            return Err(Error::Sketches { found: recipe.sketches, limit: MAX_SKETCHES });
        }
        let partial = Partial::lock(output)?;
        partial.clear()?;
        let mut spools: Vec<Option<Spool>> = Section::ALL.iter().map(|_| None).collect();
        for section in Section::kept(sections) {
            spools[section as usize] = Some(Spool::open(partial.spool(section), 0)?);
        }
        let mut writer = Self::with(partial, recipe, sections, durable, spools);
        let text = serde_json::to_vec(recipe).expect("plain strings and numbers");
        writer.write(Section::Recipe, &text)?;
        for offsets in OFFSETS {
            writer.write(offsets, &0u64.to_le_bytes())?;
        }
        Ok(writer)
    }

    fn with(partial: Partial, recipe: &Recipe, sections: Sections, durable: bool, spools: Vec<Option<Spool>>) -> Self {
        Self { partial, sections, recipe: recipe.clone(), durable, documents: 0, files: 0, spools, sound: true }
    }

    /// Resumes at the last checkpoint of an interrupted run, and returns the progress that it
    /// recorded. `None`: there is nothing to resume, or it has another recipe or other
    /// sections; [`create`](Self::create) begins afresh.
    ///
    /// # Errors
    ///
    /// As for `create`, and [`Error::Read`] if the journal cannot be read.
    pub fn resume(output: &Path, recipe: &Recipe, sections: Sections) -> Result<Option<(Self, serde_json::Value)>> {
        let Some(partial) = Partial::lock_existing(output)? else {
            return Ok(None);
        };
        let Some(journal) = Journal::read(&partial.journal())? else {
            return Ok(None);
        };
        if (journal.version, journal.recipe, journal.sections) != (VERSION, recipe.id(), sections) {
            return Ok(None);
        }
        let mut spools: Vec<Option<Spool>> = Section::ALL.iter().map(|_| None).collect();
        for section in Section::kept(sections) {
            let length = journal.lengths.get(section.name()).copied();
            let fits = |&length: &u64| section.fits(length, recipe.sketches, journal.documents, journal.files);
            let path = partial.spool(section);
            let there = fs::metadata(&path).map_or(0, |metadata| metadata.len());
            let Some(length) = length.filter(fits).filter(|&length| length <= there) else {
                return Ok(None);
            };
            spools[section as usize] = Some(Spool::open(path, length)?);
        }
        let writer = Self::with(partial, recipe, sections, true, spools);
        let writer = Self { documents: journal.documents, files: journal.files, ..writer };
        Ok(Some((writer, journal.progress)))
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
        self.partial.output()
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

    /// Calls `found` with the id of every document so far.
    ///
    /// # Errors
    ///
    /// [`Error::Write`] if the spools cannot be read again.
    pub fn each_id(&mut self, mut found: impl FnMut(&str)) -> Result<()> {
        let documents = self.documents;
        let [Some(offsets), Some(ids)] = self
            .spools
            .get_disjoint_mut([Section::IdOffsets as usize, Section::Ids as usize])
            .map_or([None, None], |spools| spools.map(Option::as_mut))
        else {
            return Ok(());
        };
        let path = ids.path().to_owned();
        let (mut offsets, mut ids) = (offsets.reader()?, ids.reader()?);
        let mut read = || -> std::io::Result<()> {
            let mut offset = [0; 8];
            offsets.read_exact(&mut offset)?;
            let mut start = u64::from_le_bytes(offset);
            let mut id = Vec::new();
            for _ in 0..documents {
                offsets.read_exact(&mut offset)?;
                let end = u64::from_le_bytes(offset);
                id.resize(end.saturating_sub(start) as usize, 0);
                ids.read_exact(&mut id)?;
                found(&String::from_utf8_lossy(&id));
                start = end;
            }
            Ok(())
        };
        read().map_err(failed(&path))
    }

    /// Names the field of the sort keys. Call it once, before anything else.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the writer is then unusable.
    pub fn key_field(&mut self, name: &str) -> Result<()> {
        self.begin()?;
        self.write(Section::KeyField, name.as_bytes())?;
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
        record[24..32].copy_from_slice(&Stated::encode(file.stated));
        record[32..].copy_from_slice(&file.digest.unwrap_or_default());
        self.write(Section::Files, &record)?;
        self.files += 1;
        self.sound = true;
        Ok(number)
    }

    /// Adds a document.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the writer is then unusable. The last checkpoint
    /// can still be resumed.
    ///
    /// # Panics
    ///
    /// If the entry contradicts [`Entry`]: it must have a sketch and shingles or neither, a
    /// language of three lower-case letters, and a file numbered by [`file`](Self::file).
    pub fn push(&mut self, entry: &Entry) -> Result<()> {
        let Entry { id, simhash, sketch, digest, letters, language, counts, place, key, shingles, words, text, author } =
            *entry;
        let empty = counts.shingles == 0;
        assert_eq!(simhash.is_none(), counts.ngrams == 0, "a document has a simhash if it has n-grams: {id:?}");
        assert_eq!(sketch.len(), if empty { 0 } else { self.recipe.sketches }, "sketches of {id:?}");
        assert!(language.len() == 3 && language.bytes().all(|byte| byte.is_ascii_lowercase()), "language of {id:?}");
        assert!(u64::from(place.file) < self.files, "file of {id:?}");
        self.begin()?;
        self.write(Section::Simhashes, &simhash.unwrap_or(0).to_le_bytes())?;
        let sketch = if empty { &NO_SKETCH[..self.recipe.sketches] } else { sketch };
        self.write(Section::Sketches, bytemuck::cast_slice(sketch))?;
        self.write(Section::Digests, &digest)?;
        let counts = [counts.bytes, counts.tokens, counts.terms, counts.ngrams, counts.shingles];
        self.write(Section::Counts, bytemuck::cast_slice(&counts))?;
        self.write(Section::Letters, &letters.to_le_bytes())?;
        self.write(Section::Languages, language.as_bytes())?;
        self.write(Section::Languages, b"\0")?;
        self.write(Section::Places, &place.file.to_le_bytes())?;
        self.write(Section::Places, &place.record.to_le_bytes())?;
        self.string(Section::IdOffsets, Section::Ids, id)?;
        if self.sections.keys {
            self.string(Section::KeyOffsets, Section::Keys, key.unwrap_or_default())?;
        }
        if self.sections.shingles {
            assert!(ascend(shingles), "shingles of {id:?} ascend");
            let distinct = shingles.len() as u64;
            assert!((distinct == 0) == empty && distinct <= entry.counts.shingles, "shingles of {id:?}");
            self.list(Section::ShingleOffsets, Section::Shingles, shingles)?;
            assert_eq!(words.len() as u64, entry.counts.tokens.min(KEPT_WORDS as u64), "words of {id:?}");
            self.list(Section::WordOffsets, Section::Words, words)?;
        }
        if self.sections.passages {
            self.string(Section::TextOffsets, Section::Texts, text)?;
            self.string(Section::AuthorOffsets, Section::Authors, author.unwrap_or_default())?;
        }
        self.documents += 1;
        self.sound = true;
        Ok(())
    }

    /// The progress so far.
    pub fn mark(&self) -> Mark {
        let lengths = Section::ALL.map(|section| self.length(section));
        Mark { documents: self.documents, files: self.files, lengths }
    }

    /// Syncs everything pushed so far to disk, and records the caller's progress with it.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the previous checkpoint is still valid.
    pub fn checkpoint(&mut self, progress: &serde_json::Value) -> Result<()> {
        self.checkpoint_of(&self.mark(), progress)
    }

    /// As [`checkpoint`](Self::checkpoint), for an earlier moment: entries pushed since are dropped on resume.
    ///
    /// # Errors
    ///
    /// As [`checkpoint`](Self::checkpoint).
    pub fn checkpoint_of(&mut self, mark: &Mark, progress: &serde_json::Value) -> Result<()> {
        if !self.durable {
            return Ok(());
        }
        self.begin()?;
        let mut lengths = std::collections::BTreeMap::new();
        for section in Section::kept(self.sections) {
            if let Some(spool) = &mut self.spools[section as usize] {
                spool.sync()?;
                lengths.insert(section.name().to_owned(), mark.lengths[section as usize]);
            }
        }
        let (version, recipe, sections) = (VERSION, self.recipe.id(), self.sections);
        let (documents, files, progress) = (mark.documents, mark.files, progress.clone());
        let journal = Journal { version, recipe, sections, documents, files, lengths, progress };
        journal.write(&self.partial)?;
        self.sound = true;
        Ok(())
    }

    /// Joins the spools into the file, replaces the output by it, and removes the spools.
    ///
    /// # Errors
    ///
    /// [`Error::Write`]; the output is then unchanged, unless the error names the folder of
    /// the spools: then only its removal failed.
    pub fn finish(mut self) -> Result<()> {
        self.begin()?;
        let path = self.partial.assembled();
        let file = paths::create(&path).map_err(failed(&path))?;
        self.assemble(&file, &path)?;
        paths::keep_mode(&file, self.partial.output()).map_err(failed(&path))?;
        if self.durable {
            disk::sync(&file).map_err(failed(&path))?;
        }
        drop(file);
        replace(&path, self.partial.output(), self.durable)?;
        self.spools.clear();
        self.partial.remove()
    }

    fn assemble(&mut self, file: &File, path: &Path) -> Result<()> {
        let kept: Vec<Section> = Section::kept(self.sections).collect();
        let mut assembly = Assembly::to(file, path);
        assembly.zeros(Header::size(kept.len()) as u64)?;
        let mut table = Vec::with_capacity(kept.len());
        for section in kept {
            let offset = assembly.position().next_multiple_of(ALIGNMENT);
            assembly.zeros(offset - assembly.position())?;
            let Some(spool) = &mut self.spools[section as usize] else { continue };
            let (element, length) = (section.element(self.recipe.sketches), spool.length());
            let checksum = checksum(&assembly.append(spool)?);
            table.push(Row { section, element, offset, length, checksum });
        }
        assembly.rewrite_start(&self.header(assembly.position(), table).encode())
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
            return Err(Error::Write { path: self.partial.name().to_owned(), source });
        }
        Ok(())
    }

    /// Appends to a section, if it is kept.
    fn write(&mut self, section: Section, bytes: &[u8]) -> Result<()> {
        self.spools[section as usize].as_mut().map_or(Ok(()), |spool| spool.write(bytes))
    }

    fn length(&self, section: Section) -> u64 {
        self.spools[section as usize].as_ref().map_or(0, Spool::length)
    }

    fn string(&mut self, offsets: Section, strings: Section, string: &str) -> Result<()> {
        self.list(offsets, strings, string.as_bytes())
    }

    /// Writes a list, and its end in elements.
    fn list<T: bytemuck::NoUninit>(&mut self, offsets: Section, lists: Section, list: &[T]) -> Result<()> {
        self.write(lists, bytemuck::cast_slice(list))?;
        let end = self.length(lists) / size_of::<T>() as u64;
        self.write(offsets, &end.to_le_bytes())
    }
}
