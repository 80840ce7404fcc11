//! The contents of an index, for people and for programs.

use std::io::{self, Write};

use nearcopy::error::shown as path_shown;
use nearcopy::sketch::recipe::Recipe;
use nearcopy::store::index::{Segments, Settings};
use serde::Serialize;

use super::figures::{counted, grouped};
use super::{hex, shown, write_json, write_recipe};

/// The contents of an index as programs see them.
#[derive(Debug, Serialize)]
pub struct Info<'a> {
    index: String,
    documents: usize,
    /// Number of removed documents that a segment still stores.
    removed: usize,
    segments: Vec<Segment<'a>>,
    bytes: u64,
    generation: u64,
    shingles: bool,
    passages: bool,
    /// The greatest Hamming distance that the search tables cover; below it, the shape of the bands.
    max_distance: u32,
    bands: String,
    recipe_id: String,
    recipe: &'a Recipe,
}

#[derive(Debug, Serialize)]
struct Segment<'a> {
    file: &'a str,
    documents: usize,
    removed: usize,
    bytes: u64,
}

impl<'a> Info<'a> {
    /// Collects the contents of an index.
    pub fn new(index: &'a Segments) -> Self {
        let segment = |segment: &'a nearcopy::store::index::Segment| Segment {
            file: segment.file().path(),
            documents: segment.len(),
            removed: segment.file().len() - segment.len(),
            bytes: segment.file().sections().map(|(_, length)| length).sum(),
        };
        let segments: Vec<Segment<'_>> = index.segments().iter().map(segment).collect();
        let Settings { recipe, shingles, passages, lookup, .. } = index.settings();
        Self {
            index: path_shown(index.folder()),
            documents: index.len(),
            removed: segments.iter().map(|segment| segment.removed).sum(),
            bytes: segments.iter().map(|segment| segment.bytes).sum(),
            segments,
            generation: index.generation(),
            shingles: *shingles,
            passages: *passages,
            max_distance: lookup.max_distance,
            bands: format!("{} of {} rows, {} groups", lookup.rows, lookup.of, lookup.groups),
            recipe_id: hex(recipe.id()),
            recipe,
        }
    }

    /// Writes the contents for a program.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        write_json(out, self)
    }

    /// Writes the contents for a person.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let keeps = match (self.shingles, self.passages) {
            (true, true) => "shingles and texts: Jaccard is exact, and `dedup screen` can use it",
            (true, false) => "shingles: Jaccard is exact",
            (false, true) => "texts: `dedup screen` can use it; only the Hamming rule applies",
            (false, false) => "no shingles: only the Hamming rule applies",
        };
        writeln!(out, "{}", shown(&self.index))?;
        writeln!(out, "   documents     {}", grouped(self.documents as u64))?;
        if self.removed > 0 {
            let removed = grouped(self.removed as u64);
            writeln!(out, "   removed       {removed}, still stored until segments are merged or compacted")?;
        }
        write_recipe(out, self.recipe, &self.recipe_id)?;
        writeln!(out, "   keeps         {keeps}")?;
        writeln!(out, "   tables for    distances up to {}, bands of {}", self.max_distance, self.bands)?;
        writeln!(out, "   changes       {}", grouped(self.generation))?;
        writeln!(out, "   segments      {}, {} bytes", self.segments.len(), grouped(self.bytes))?;
        for segment in &self.segments {
            let removed = if segment.removed > 0 {
                format!(", {} removed", grouped(segment.removed as u64))
            } else {
                String::new()
            };
            let (documents, bytes) = (counted(segment.documents as u64, "document"), grouped(segment.bytes));
            writeln!(out, "      {}: {documents}{removed}, {bytes} bytes", shown(segment.file))?;
        }
        Ok(())
    }
}
