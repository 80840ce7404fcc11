//! What a lexicon was made of.

use std::io::{self, Write};

use nearcopy::text::Language;
use nearcopy::translate::Lexicon;
use nearcopy::translate::lexicon::Head;
use serde::Serialize;

use super::figures::{counted, grouped};
use super::shown;
use crate::jobs::lexicon::{Imported, Notice};

/// Maximum length of a name or a licence in a line of the summary, in characters.
const BEGINNING: usize = 80;

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
    writeln!(out, "pairs       {} of words, from {}", grouped(lexicon.len() as u64), counted(*entries, "entry"))?;
    writeln!(out, "dictionary  {}", stated(dictionary))?;
    writeln!(out, "licence     {}", stated(licence))?;
    for source in sources {
        writeln!(
            out,
            "file        {}  {} bytes unpacked, blake3 {} of these",
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

/// The languages, number of pairs and number of entries of a lexicon that was written, then what its maker should know.
pub fn written(output: &str, made: &Imported) -> Vec<String> {
    let [a, b] = made.languages.map(Language::name);
    let (pairs, entries) = (counted(made.pairs as u64, "pair"), counted(made.entries, "entry"));
    let first = format!("{}: {a} and {b}, {pairs} of words from {entries}", shown(output));
    std::iter::once(first).chain(made.notices.iter().map(noticed)).collect()
}

fn noticed(notice: &Notice) -> String {
    match notice {
        Notice::Turned { file, languages } => {
            let [from, to] = languages.map(Language::name);
            format!("{}: was read from {from} to {to}, as its name says, not as --from and --to say", shown(file))
        }
        Notice::Reversed { file, languages, is_named } => {
            let [from, to] = languages.map(Language::name);
            let remedy = if *is_named { "the two languages in its name" } else { "--from and --to" };
            format!(
                "{}: was read from {from} to {to}, but its headwords look {to} and its translations {from}; if they are, \
                 exchange {remedy}",
                shown(file)
            )
        }
    }
}

/// The languages of a lexicon, and the first words of the name and the licence of its dictionary, in a line.
pub(in crate::report) fn in_short(lexicon: &Lexicon) -> String {
    let [a, b] = lexicon.languages().map(Language::name);
    let Head { name, licence, .. } = lexicon.head();
    let [(name, is_whole_name), (licence, is_whole_licence)] = [name, licence].map(|text| beginning(text));
    let more = if is_whole_name && is_whole_licence { "" } else { "; `dedup lexicon info` has all of it" };
    format!("lexicon of {a} and {b}: {name} (licence: {licence}{more})")
}

/// The first characters of what a dictionary states, and whether that is all.
fn beginning(text: &str) -> (String, bool) {
    match text.char_indices().nth(BEGINNING) {
        Some((end, _)) => (format!("{} …", shown(text[..end].trim_end())), false),
        None => (stated(text), true),
    }
}

/// The languages, the dictionary and the digest of a lexicon, in a line.
pub(in crate::report) fn in_words(lexicon: &Lexicon) -> String {
    let [a, b] = lexicon.languages();
    let Head { name, licence, sources, .. } = lexicon.head();
    let digests: Vec<&str> = sources.iter().map(|source| &source.blake3[..source.blake3.len().min(16)]).collect();
    format!(
        "Lexicon of {} and {}: {} (licence: {}; blake3 {})",
        a.name(),
        b.name(),
        stated(name),
        stated(licence),
        digests.join(", ")
    )
}
