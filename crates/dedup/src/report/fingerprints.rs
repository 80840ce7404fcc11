//! The contents of a fingerprint file, for people and for programs.

#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, Write};
use std::path::Path;

use nearcopy::observer::Observer;
use nearcopy::sketch::recipe::Recipe;
use nearcopy::store::file::map::FingerprintFile;
use nearcopy_corpus::NewFile;
use serde::Serialize;

use super::figures::{counted, grouped};
use super::listing::Item;
use super::listing::seal::digits;
use super::table::Cell;
use super::{hex, json, shown, write_json, write_recipe};
use crate::error::Result;

/// The fingerprint of one document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Row<'a> {
    /// The document's id.
    pub id: &'a str,
    /// The simhash, written as 16 hex digits; `None` if the text has no terms.
    #[serde(serialize_with = "as_hex")]
    pub simhash: Option<u64>,
    /// The `MinHash` minima; empty if the text has no shingles.
    pub sketch: &'a [u32],
    /// The first 128 bits of the text's BLAKE3 hash, written as hex digits.
    #[serde(serialize_with = "as_digits")]
    pub digest: [u8; 16],
    /// The ISO 639-3 code of the language that the text was read in.
    pub language: &'a str,
    /// The length of the text in bytes.
    pub bytes: u64,
    /// The number of words.
    pub tokens: u64,
    /// The number of terms.
    pub terms: u64,
    /// The number of n-grams of terms, repeated ones counted as often as they occur.
    pub ngrams: u64,
    /// The number of shingles, repeated ones counted as often as they occur.
    pub shingles: u64,
    /// The file that the document came from.
    pub file: &'a str,
    /// The document's number in the file, from 1; 0 if the file is the document.
    pub record: u64,
}

#[expect(clippy::ref_option, reason = "serde gives references")]
fn as_hex<S: serde::Serializer>(simhash: &Option<u64>, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    simhash.map(hex).serialize(serializer)
}

fn as_digits<S: serde::Serializer>(digest: &[u8; 16], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&digits(*digest))
}

/// The fingerprints of a file, in order.
pub fn rows(file: &FingerprintFile) -> impl Iterator<Item = Row<'_>> {
    (0..file.len()).map(|document| Row::of(file, document))
}

impl<'a> Row<'a> {
    /// The fingerprint of one document in a file.
    pub fn of(file: &'a FingerprintFile, document: usize) -> Self {
        let (counts, place) = (file.counts(document), file.place(document));
        Self {
            id: file.id(document),
            simhash: file.simhash(document),
            sketch: file.sketch(document),
            digest: file.digest(document),
            language: file.language(document),
            bytes: counts.bytes,
            tokens: counts.tokens,
            terms: counts.terms,
            ngrams: counts.ngrams,
            shingles: counts.shingles,
            file: file.file(place.file).map_or("", |file| file.path),
            record: place.record,
        }
    }
}

impl Item for Row<'_> {
    const COLUMNS: &'static [&'static str] =
        &["id", "simhash", "digest", "language", "bytes", "tokens", "terms", "ngrams", "shingles", "file", "record"];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", shown(self.id))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        vec![vec![
            Cell::text(self.id),
            Cell::figure_if(self.simhash.map(hex)),
            Cell::figure(digits(self.digest)),
            Cell::figure(self.language),
            Cell::figure(self.bytes),
            Cell::figure(self.tokens),
            Cell::figure(self.terms),
            Cell::figure(self.ngrams),
            Cell::figure(self.shingles),
            Cell::text(self.file),
            Cell::figure(self.record),
        ]]
    }
}

/// Writes one JSON object per document, a line each.
///
/// # Errors
///
/// Those of the writer.
pub fn write_jsonl(out: &mut impl Write, file: &FingerprintFile) -> io::Result<()> {
    for row in rows(file) {
        json::write(out, &row)?;
        writeln!(out)?;
    }
    Ok(())
}

/// Writes a Parquet file, which appears when it is complete.
///
/// # Errors
///
/// [`nearcopy::Error::Write`]; [`nearcopy::Error::Interrupted`].
#[cfg(feature = "parquet")]
pub fn to_parquet(new: NewFile, path: &Path, file: &FingerprintFile, observer: &dyn Observer) -> Result<()> {
    let new = parquet::write(new, file.recipe(), rows(file).take_while(|_| !observer.is_stopped()))
        .map_err(|source| nearcopy::Error::Write { path: nearcopy::error::shown(path), source })?;
    nearcopy::observer::go_on(observer)?;
    Ok(new.finish()?)
}

/// Returns an error: this build writes no Parquet.
///
/// # Errors
///
/// Always.
#[cfg(not(feature = "parquet"))]
pub fn to_parquet(_: NewFile, path: &Path, _: &FingerprintFile, _: &dyn Observer) -> Result<()> {
    Err(nearcopy::Error::Write { path: nearcopy::error::shown(path), source: super::no_parquet() }.into())
}

/// Writes a summary of a file for a person.
///
/// # Errors
///
/// Those of the writer.
pub fn write_info(out: &mut impl Write, name: &str, file: &FingerprintFile) -> io::Result<()> {
    let recipe = file.recipe();
    writeln!(out, "{}", shown(name))?;
    let files = counted(file.files().len() as u64, "input file");
    writeln!(out, "   documents     {} from {files}", grouped(file.len() as u64))?;
    write_recipe(out, recipe, &hex(file.recipe_id()))?;
    if let Some(field) = file.key_field() {
        writeln!(out, "   key field     {}", shown(field))?;
    }
    writeln!(out, "   sections")?;
    for (section, bytes) in file.sections() {
        writeln!(out, "      {section:<16} {bytes:>14} bytes")?;
    }
    Ok(())
}

/// Writes a summary of a file for a program.
///
/// # Errors
///
/// Those of the writer.
pub fn write_info_json(out: &mut impl Write, name: &str, file: &FingerprintFile) -> io::Result<()> {
    #[derive(Serialize)]
    struct Json<'a> {
        file: &'a str,
        documents: usize,
        input_files: usize,
        recipe_id: String,
        recipe: &'a Recipe,
        #[serde(skip_serializing_if = "Option::is_none")]
        key_field: Option<&'a str>,
        sections: serde_json::Map<String, serde_json::Value>,
    }
    let sections = file.sections().map(|(section, bytes)| (section.to_owned(), bytes.into())).collect();
    let (documents, input_files, recipe_id) = (file.len(), file.files().len(), hex(file.recipe_id()));
    let (recipe, key_field) = (file.recipe(), file.key_field());
    write_json(out, &Json { file: name, documents, input_files, recipe_id, recipe, key_field, sections })
}
