//! Results written down, for people and for programs.
//!
//! Everything that a person sees names its unit; the keys that programs see are
//! the same in every command.

pub mod attributes;
pub mod audit;
pub mod changes;
#[cfg(feature = "parquet")]
mod columnar;
pub mod comparison;
pub mod cutting;
pub mod decontamination;
mod difference;
mod escape;
pub mod explanation;
mod figures;
pub mod fingerprints;
pub mod index;
pub mod json;
pub mod languages;
pub mod lexicon;
pub mod lines;
pub mod listing;
pub mod overview;
mod page;
pub mod plan;
pub mod reading;
pub mod repeats;
pub mod screening;
mod spans;
pub mod table;

use std::io::{self, Write};

pub use self::figures::{bytes, counted, crowded_in_words, grouped};

use nearcopy::sketch::recipe::Recipe;
use nearcopy::text::{Detection, Language};
use nearcopy_corpus::{Document, Format};

use self::escape::visible;

/// Writes a value as indented JSON with a final newline.
fn write_json(out: &mut impl Write, value: &impl serde::Serialize) -> io::Result<()> {
    json::write_indented(out, value)?;
    writeln!(out)
}

/// Text from a document or a file, made safe for a terminal: characters that control the terminal or the
/// direction of text become U+FFFD.
pub fn shown(text: &str) -> String {
    text.replace(|c| !is_safe(c), "\u{FFFD}")
}

/// True if a character controls neither a terminal nor the direction of text.
pub fn is_safe(c: char) -> bool {
    visible(c) == c
}

#[cfg(not(feature = "parquet"))]
fn no_parquet() -> io::Error {
    io::Error::other("this build writes no Parquet; install it with --features parquet")
}

/// A 64-bit value as 16 hex digits.
fn hex(value: u64) -> String {
    format!("{value:016x}")
}

/// Writes the recipe of fingerprints for a person.
fn write_recipe(out: &mut impl Write, recipe: &Recipe, id: &str) -> io::Result<()> {
    let Recipe { min_ngram, max_ngram, stop_words, language, shingles, sketches, .. } = recipe;
    let stems = if recipe.stem { "stems" } else { "no stems" };
    writeln!(out, "   n-grams       min {min_ngram}, max {max_ngram}; shingles of {}", shown(shingles))?;
    writeln!(out, "   terms         stop words {}, {stems}", shown(stop_words))?;
    writeln!(out, "   language      {}", shown(language))?;
    writeln!(out, "   sketches      {sketches}")?;
    writeln!(out, "   recipe        {id}")
}

/// A language and the confidence of its detection: `English (eng), reliable (confidence 1.00)`.
fn language(detection: &Detection) -> String {
    let Detection { language, likeliest, confidence, .. } = detection;
    if detection.forced {
        format!("{language}, as specified")
    } else if detection.reliable {
        format!("{language}, reliable (confidence {confidence:.2})")
    } else if language == likeliest && *likeliest != Language::UNDETERMINED {
        format!("{language}, the likeliest (confidence {confidence:.2})")
    } else if *likeliest == Language::UNDETERMINED {
        format!("{language}: no language could be detected")
    } else {
        format!("{language}: perhaps {likeliest}, but not reliably (confidence {confidence:.2})")
    }
}

/// A detected language as programs see it.
#[derive(serde::Serialize)]
struct LanguageJson {
    language: Language,
    likeliest_language: Language,
    language_confidence: f64,
    language_reliable: bool,
}

impl LanguageJson {
    /// Combines a detection with the language that the text was read in.
    fn new(detection: &Detection, language: Language) -> Self {
        Self {
            language,
            likeliest_language: detection.likeliest,
            language_confidence: detection.confidence,
            language_reliable: detection.reliable,
        }
    }
}

/// `UTF-8 text`, `windows-1252 web page, its main content` or `DOCX, its text`.
fn origin(document: &Document) -> String {
    let (format, title) = (document.format, document.format.title());
    match format {
        Format::Text => format!("{} {title}", document.encoding),
        _ if format.is_of_characters() => format!("{} {title}, its main content", document.encoding),
        _ => format!("{title}, its text"),
    }
}
