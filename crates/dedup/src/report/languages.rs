//! The table of languages.

use std::io::{self, Write};

use nearcopy::text::{Language, StopSet, stem};

use super::write_json;

#[derive(serde::Serialize)]
struct Row {
    code: &'static str,
    short_code: Option<&'static str>,
    name: &'static str,
    detected: bool,
    stop_words: usize,
    stemmer: Option<String>,
    segmentation: &'static str,
}

fn rows() -> impl Iterator<Item = Row> {
    Language::all().map(|language| Row {
        code: language.code(),
        short_code: Some(language.short_code()).filter(|code| !code.is_empty()),
        name: language.name(),
        detected: language.is_detected(),
        stop_words: StopSet::of_language(language).len(),
        stemmer: stem::describe(language),
        segmentation: if language.has_spaces() { "spaces" } else { "dictionary" },
    })
}

/// Writes the table for a person.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "code  short  {:<14} detected  stop words  {:<25} words by", "name", "stemmer")?;
    for row in rows() {
        let Row { code, name, stop_words, segmentation, .. } = row;
        let short = row.short_code.unwrap_or("-");
        let detected = if row.detected { "yes" } else { "no" };
        let stop_words = if stop_words == 0 { "-".into() } else { stop_words.to_string() };
        let stemmer = row.stemmer.unwrap_or("-".into());
        writeln!(out, "{code:<5} {short:<6} {name:<14} {detected:<9} {stop_words:>10}  {stemmer:<25} {segmentation}")?;
    }
    Ok(())
}

/// Writes the table for a program.
///
/// # Errors
///
/// Those of the writer.
pub fn write_as_json(out: &mut impl Write) -> io::Result<()> {
    write_json(out, &rows().collect::<Vec<_>>())
}
