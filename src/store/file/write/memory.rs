//! A file that only this process needs, in memory up to a bound and on disk beyond it, where the lists of further
//! documents are [packed](crate::store::file::packed).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Disk, SCRATCH, Store, Writer, check};
use crate::durable::scratch::Scratch;
use crate::error::Result;
use crate::memory::{Aligned, Map, note_spilled};
use crate::sketch::recipe::Recipe;
use crate::store::file::format::{Section, Sections};
use crate::store::file::map::FingerprintFile;
use crate::store::file::packed::Packer;

/// The sections of a file in memory; beyond the bound they lie in a temporary folder.
#[derive(Debug)]
pub struct Memory {
    sections: Sections,
    /// One for each of [`Section::ALL`] that is kept; empty once they are on disk.
    buffers: Vec<Option<Aligned>>,
    /// Number of bytes that may still be added.
    left: u64,
    /// The folder of temporary files.
    temp: PathBuf,
    spilled: Option<(Disk, Scratch)>,
}

impl Store for Memory {
    fn write(&mut self, section: Section, bytes: &[u8]) -> Result<()> {
        if let Some((disk, _)) = &mut self.spilled {
            return write_spilled(disk, section, bytes);
        }
        let Some(buffer) = &mut self.buffers[section as usize] else { return Ok(()) };
        if let Some(left) = self.left.checked_sub(bytes.len() as u64) {
            buffer.extend(bytes);
            self.left = left;
            return Ok(());
        }
        write_spilled(self.spill()?, section, bytes)
    }

    fn length(&self, section: Section) -> u64 {
        match &self.spilled {
            Some((disk, _)) => disk.length(section),
            None => self.buffers[section as usize].as_ref().map_or(0, |buffer| buffer.len() as u64),
        }
    }

    fn name(&self) -> &str {
        self.spilled.as_ref().map_or("fingerprints in memory", |(disk, _)| disk.name())
    }

    /// True once documents go to the disk: in memory, plain lists are read without a copy.
    fn packs(&self) -> bool {
        self.spilled.is_some()
    }

    fn discard(self) -> Result<()> {
        self.spilled.map_or(Ok(()), |(disk, _)| disk.discard())
    }
}

/// Writes and counts bytes that did not fit in memory.
fn write_spilled(disk: &mut Disk, section: Section, bytes: &[u8]) -> Result<()> {
    note_spilled(bytes.len());
    disk.write(section, bytes)
}

impl Memory {
    /// No sections yet; where the process may not have the addresses for `bound` bytes, they begin on the disk.
    fn new(sections: Sections, bound: u64, temp: &Path) -> Result<Self> {
        let reserved = usize::try_from(bound).unwrap_or(usize::MAX);
        let kept = |section: &Section| Section::kept(sections).any(|other| other == *section);
        let buffer = |section| kept(section).then(|| Aligned::reserve(reserved)).transpose();
        let buffers = Section::ALL.iter().map(buffer).collect::<io::Result<Vec<_>>>();
        let memory = |buffers| Self { sections, buffers, left: bound, temp: temp.to_owned(), spilled: None };
        buffers.map(memory).or_else(|_| {
            let mut memory = memory(Vec::new());
            memory.spill()?;
            Ok(memory)
        })
    }

    /// Moves all sections to the disk.
    fn spill(&mut self) -> Result<&mut Disk> {
        let scratch = Scratch::new(&self.temp)?;
        let mut disk = Disk::new(&scratch.folder.join(SCRATCH), self.sections, false)?;
        for (section, buffer) in Section::ALL.into_iter().zip(&mut self.buffers) {
            if let Some(buffer) = buffer.take() {
                write_spilled(&mut disk, section, &buffer)?;
            }
        }
        Ok(&mut self.spilled.insert((disk, scratch)).0)
    }
}

impl Writer<Memory> {
    /// Begins a file of up to `bound` bytes in memory; a longer one goes to a folder in `temp`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Sketches`] if the recipe has none or too many; [`crate::Error::Write`].
    pub fn in_memory(recipe: &Recipe, sections: Sections, bound: u64, temp: &Path) -> Result<Self> {
        check(recipe)?;
        let writer = Self::begun(Memory::new(sections, bound, temp)?, recipe, sections)?;
        // The memory is free again once the sections are on disk.
        Ok(Self { packer: Packer::new(recipe, bound), ..writer })
    }

    /// Ends the file. It has no checksums and no search tables.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`].
    pub fn finish_in_memory(mut self) -> Result<FingerprintFile> {
        self.begin()?;
        let (header, name) = (self.header_apart(), self.store.name().to_owned());
        let dictionary = self.packer.map(Packer::into_dictionary);
        let Memory { buffers, spilled, .. } = self.store;
        let (maps, scratch) = if let Some((mut disk, scratch)) = spilled {
            (disk.maps()?, Some(scratch))
        } else {
            let of = |(section, buffer): (Section, Option<Aligned>)| {
                buffer.filter(|buffer| !buffer.is_empty()).map(|buffer| (section, Map::owned(Arc::new(buffer))))
            };
            (Section::ALL.into_iter().zip(buffers).filter_map(of).collect(), None)
        };
        Ok(FingerprintFile::of_spools(name, header, self.recipe, (maps, dictionary), scratch))
    }
}
