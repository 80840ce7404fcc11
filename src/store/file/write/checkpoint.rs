//! Checkpoints of an unfinished file, and resuming at the last one.
//!
//! A checkpoint has the length and the digest of each spool. The digest is of what the spool's file holds, read back
//! since the last checkpoint, so that writing costs no hashing between checkpoints. Resuming reads the spools once: a
//! spool that is not as it was written is an error, because a finished file gives all its bytes a checksum, damaged ones
//! too.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::spool::{Journal, Partial, Spool, failed};
use super::{Checkpoint, Disk, Mark, Store, Writer};
use crate::error::Result;
use crate::sketch::recipe::Recipe;
use crate::store::file::format::{Section, Sections, VERSION};

impl Writer {
    /// Resumes at the last checkpoint of an interrupted run, and returns the progress that it
    /// recorded. `None`: there is nothing to resume, or it has another recipe or other
    /// sections; [`create`](Self::create) begins afresh.
    ///
    /// # Errors
    ///
    /// As for `create`; [`crate::Error::Read`] if the journal cannot be read; [`crate::Error::DamagedSpool`] if a spool is not as it
    /// was written.
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
            let mut spool = Spool::open(path.clone(), length)?;
            if journal.digests.get(section.name()) != Some(&spool.digest(length)?) {
                return Err(partial.damaged(&path, "is not as it was written: its checksum does not match"));
            }
            spools[section as usize] = Some(spool);
        }
        let writer = Self::with(Disk { spools, partial, durable: true }, recipe, sections);
        let writer = Self { documents: journal.documents, files: journal.files, ..writer };
        Ok(Some((writer, journal.progress)))
    }

    /// Calls `found` with the id of every document so far.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`] if the spools cannot be read again.
    pub fn each_id(&mut self, mut found: impl FnMut(&str)) -> Result<()> {
        let documents = self.documents;
        let [Some(offsets), Some(ids)] = self
            .store
            .spools
            .get_disjoint_mut([Section::IdOffsets as usize, Section::Ids as usize])
            .map_or([None, None], |spools| spools.map(Option::as_mut))
        else {
            return Ok(());
        };
        let (path, all) = (ids.path().to_owned(), ids.length());
        let (mut offsets, mut ids) = (offsets.reader()?, ids.reader()?);
        let mut read = || -> std::io::Result<()> {
            let mut offset = [0; 8];
            offsets.read_exact(&mut offset)?;
            let mut start = u64::from_le_bytes(offset);
            let mut id = Vec::new();
            for _ in 0..documents {
                offsets.read_exact(&mut offset)?;
                let end = u64::from_le_bytes(offset);
                // A wrong offset must not be taken for the length of an id.
                let length = end.checked_sub(start).filter(|_| end <= all).ok_or(ErrorKind::InvalidData)?;
                id.resize(length as usize, 0);
                ids.read_exact(&mut id)?;
                found(&String::from_utf8_lossy(&id));
                start = end;
            }
            Ok(())
        };
        read().map_err(failed(&path))
    }
}

impl<S: Store> Writer<S> {
    /// The progress so far.
    pub fn mark(&self) -> Mark {
        let lengths = Section::ALL.map(|section| self.store.length(section));
        Mark { documents: self.documents, files: self.files, lengths }
    }

    /// Syncs everything pushed so far to disk, and records the caller's progress with it.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`]; the previous checkpoint is still valid.
    pub fn checkpoint(&mut self, progress: &serde_json::Value) -> Result<()> {
        self.checkpoint_of(&self.mark(), progress)
    }

    /// As [`checkpoint`](Self::checkpoint), for an earlier moment: entries pushed since are dropped on resume.
    ///
    /// # Errors
    ///
    /// As [`checkpoint`](Self::checkpoint).
    pub fn checkpoint_of(&mut self, mark: &Mark, progress: &serde_json::Value) -> Result<()> {
        self.begin()?;
        let (recipe, sections) = (self.recipe.id(), self.sections);
        self.store.checkpoint(&Checkpoint { mark, recipe, sections, progress })?;
        self.sound = true;
        Ok(())
    }
}

impl Disk {
    /// Syncs the spools, and writes the journal that resuming reads.
    pub(super) fn write_journal(&mut self, of: &Checkpoint<'_>) -> Result<()> {
        let &Checkpoint { mark, recipe, sections, progress } = of;
        let (mut lengths, mut digests) = (BTreeMap::new(), BTreeMap::new());
        for section in Section::kept(sections) {
            if let Some(spool) = &mut self.spools[section as usize] {
                spool.sync()?;
                let length = mark.lengths[section as usize];
                lengths.insert(section.name().to_owned(), length);
                digests.insert(section.name().to_owned(), spool.digest(length)?);
            }
        }
        let (documents, files, progress) = (mark.documents, mark.files, progress.clone());
        let journal = Journal { version: VERSION, recipe, sections, documents, files, lengths, digests, progress };
        journal.write(&self.partial)
    }
}
