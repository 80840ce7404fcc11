//! What a lexicon was made of.

use std::io::{self, Write};

use nearcopy::translate::Lexicon;
use nearcopy::translate::lexicon::Head;
use serde::Serialize;

use super::figures::grouped;
use super::shown;

#[derive(Serialize)]
struct Info<'a> {
    file: &'a str,
    pairs: usize,
    #[serde(flatten)]
    head: &'a Head,
}

/// Writes it for a program.
///
/// # Errors
///
/// Those of the writer.
pub fn write_json(out: &mut impl Write, name: &str, lexicon: &Lexicon) -> io::Result<()> {
    super::write_json(out, &Info { file: name, pairs: lexicon.len(), head: lexicon.head() })
}

/// Writes it for a person.
///
/// # Errors
///
/// Those of the writer.
pub fn write_text(out: &mut impl Write, name: &str, lexicon: &Lexicon) -> io::Result<()> {
    let Head { name: dictionary, licence, sources, entries, .. } = lexicon.head();
    let [a, b] = lexicon.languages();
    writeln!(out, "{}", shown(name))?;
    writeln!(out, "languages   {} and {}", a.name(), b.name())?;
    writeln!(out, "pairs       {} of words, from {} entries", grouped(lexicon.len() as u64), grouped(*entries))?;
    writeln!(out, "dictionary  {}", stated(dictionary))?;
    writeln!(out, "licence     {}", stated(licence))?;
    for source in sources {
        writeln!(
            out,
            "file        {}  {} bytes  blake3 {}",
            shown(&source.file),
            grouped(source.bytes),
            source.blake3
        )?;
    }
    Ok(())
}

fn stated(text: &str) -> String {
    if text.is_empty() { "not stated".into() } else { shown(text) }
}

/// The languages, the dictionary and the digest of a lexicon, in a line.
pub(in crate::report) fn in_words(lexicon: &Lexicon) -> String {
    let [a, b] = lexicon.languages();
    let Head { name, licence, sources, .. } = lexicon.head();
    let digests: Vec<&str> = sources.iter().map(|source| &source.blake3[..source.blake3.len().min(16)]).collect();
    format!(
        "lexicon of {} and {}: {} (licence: {}; blake3 {})",
        a.name(),
        b.name(),
        stated(name),
        stated(licence),
        digests.join(", ")
    )
}
