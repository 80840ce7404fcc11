//! The steps after the last document: writing the sections that depend on all of them, or discarding the file.

use super::spool::Spool;
use super::{Store, Writer};
use crate::error::Result;
use crate::store::file::format::{Checksum, Header, PassageIndex, Row, Section};
use crate::store::file::lookup::{LookupPlan, Made, Piece, make};

impl<S: Store> Writer<S> {
    /// True if texts and their passage index are kept.
    pub fn keeps_passages(&self) -> bool {
        self.sections.passages
    }

    /// Adds the passage index of the texts, if passages are kept. Call it once, after the last
    /// document.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`]; the writer is then unusable.
    ///
    /// # Panics
    ///
    /// If the numbers of its texts and of the documents differ.
    pub fn passages(&mut self, index: &PassageIndex<'_>) -> Result<()> {
        assert_eq!(index.first_blocks.len() as u64, self.documents + 1, "texts of the index");
        self.begin()?;
        self.store.write(Section::FirstBlocks, bytemuck::cast_slice(&index.first_blocks))?;
        self.store.write(Section::Heads, bytemuck::cast_slice(&index.heads))?;
        self.store.write(Section::TextFeatures, bytemuck::cast_slice(&index.features))?;
        self.sound = true;
        Ok(())
    }

    /// Discards the file and what was written of it; nothing can be resumed.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`]; the next run discards the remains.
    pub fn discard(self) -> Result<()> {
        self.store.discard()
    }

    /// The header of a file whose sections are apart.
    pub(super) fn header_apart(&self) -> Header {
        let row = |section: Section| {
            let (element, length) = (section.element(self.recipe.sketches), self.store.length(section));
            Row { section, element, offset: 0, length, checksum: Checksum::default() }
        };
        self.header(0, Section::kept(self.sections).map(row).collect())
    }
}

impl Writer {
    /// Adds search tables, if they are kept. Call it once, after the last document.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Write`]; the writer is then unusable.
    ///
    /// # Panics
    ///
    /// If the plan is not for sketches of this size.
    pub fn lookup(&mut self, plan: LookupPlan) -> Result<()> {
        assert!(plan.is_sound(self.recipe.sketches), "bands of the sketches that there are");
        if !self.sections.lookup {
            return Ok(());
        }
        self.begin()?;
        let maps = [
            Section::Simhashes,
            Section::Sketches,
            Section::Digests,
            Section::Letters,
            Section::Counts,
            Section::IdOffsets,
            Section::Ids,
        ];
        let maps = maps.map(|section| self.store.spools[section as usize].as_mut().map(Spool::map).transpose());
        let [simhashes, sketches, digests, letters, counts, id_offsets, ids] = maps;
        let maps =
            [simhashes?, sketches?, digests?, letters?, counts?, id_offsets?, ids?].map(Option::unwrap_or_default);
        let [simhashes, sketches, digests, letters, counts, id_offsets, ids] = &maps;
        let made = Made {
            simhashes: simhashes.elements(),
            sketches: sketches.elements(),
            rows: self.recipe.sketches,
            digests: digests.elements(),
            letters: letters.elements(),
            counts: counts.elements(),
            id_offsets: id_offsets.elements(),
            ids: ids.elements(),
        };
        self.store.write(Section::LookupPlan, &serde_json::to_vec(&plan).expect("plain numbers"))?;
        make(plan, &made, &mut |piece| match piece {
            Piece::KeyHeads(heads) => self.store.write(Section::KeyTableHeads, bytemuck::cast_slice(heads)),
            Piece::Keys(entries) => self.store.write(Section::KeyTable, bytemuck::cast_slice(entries)),
            Piece::BlockHeads(heads) => self.store.write(Section::BlockHeads, bytemuck::cast_slice(heads)),
            Piece::Parts(parts) => self.store.write(Section::BlockParts, bytemuck::cast_slice(parts)),
            Piece::Documents(documents) => self.store.write(Section::BlockDocuments, bytemuck::cast_slice(documents)),
        })?;
        self.sound = true;
        Ok(())
    }
}
