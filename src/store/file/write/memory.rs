//! A file that only this process needs, in memory up to a bound and on disk beyond it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Disk, SCRATCH, Store, Writer, check};
use crate::durable::scratch::Scratch;
use crate::error::Result;
use crate::memory::{Aligned, Map};
use crate::sketch::recipe::Recipe;
use crate::store::file::format::{Section, Sections};
use crate::store::file::map::FingerprintFile;

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
            return disk.write(section, bytes);
        }
        let Some(buffer) = &mut self.buffers[section as usize] else { return Ok(()) };
        buffer.extend(bytes);
        match self.left.checked_sub(bytes.len() as u64) {
            Some(left) => self.left = left,
            None => self.spill()?,
        }
        Ok(())
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
}

impl Memory {
    /// Moves all sections to the disk.
    fn spill(&mut self) -> Result<()> {
        let scratch = Scratch::new(&self.temp)?;
        let mut disk = Disk::new(&scratch.folder.join(SCRATCH), self.sections, false)?;
        for (section, buffer) in Section::ALL.into_iter().zip(&mut self.buffers) {
            if let Some(buffer) = buffer.take() {
                disk.write(section, &buffer)?;
            }
        }
        self.spilled = Some((disk, scratch));
        Ok(())
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
        let kept = |section: &Section| Section::kept(sections).any(|other| other == *section);
        let buffers = Section::ALL.iter().map(|section| kept(section).then(Aligned::default)).collect();
        let memory = Memory { sections, buffers, left: bound, temp: temp.to_owned(), spilled: None };
        Self::begun(memory, recipe, sections)
    }

    /// Ends the file. It has no checksums and no search tables.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`].
    pub fn finish_in_memory(mut self) -> Result<FingerprintFile> {
        self.begin()?;
        let (header, name) = (self.header_apart(), self.store.name().to_owned());
        let Memory { buffers, spilled, .. } = self.store;
        let (maps, scratch) = if let Some((mut disk, scratch)) = spilled {
            (disk.maps()?, Some(scratch))
        } else {
            let of = |(section, buffer): (Section, Option<Aligned>)| {
                buffer.filter(|buffer| !buffer.is_empty()).map(|buffer| (section, Map::owned(Arc::new(buffer))))
            };
            (Section::ALL.into_iter().zip(buffers).filter_map(of).collect(), None)
        };
        Ok(FingerprintFile::of_spools(name, header, self.recipe, maps, scratch))
    }
}
