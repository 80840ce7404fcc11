//! The pages of `dedup screen`, and the names behind the numbers in them.

use std::io::{self, Write};
use std::path::Path;

use nearcopy::screen::{Screening, Skipped, Text};
use nearcopy_corpus::NewFile;

use super::super::overview::{command_line, made};
use super::OutputArgs;
use crate::jobs::screen::Job;
use crate::report::screening::{Page, is_called, most_like};
use crate::report::shown;
use crate::report::table::{self, Cell};

/// Maximum number of documents that an error names.
const TOLD: usize = 5;

/// Writes the page, of all documents or of one.
pub(super) fn write(
    reporting: &OutputArgs,
    job: &Job,
    screening: &Screening,
    dossier: Option<u32>,
    (path, mut file): (&Path, NewFile),
) -> nearcopy::Result<()> {
    let mut page = Page::of(job);
    page.dossier = dossier;
    page.title = reporting.title.clone().unwrap_or_default();
    page.made = made();
    // The command line names the inputs.
    if !reporting.anonymise {
        page.command_line = command_line();
    }
    let failed = |source| nearcopy::Error::Write { path: path.display().to_string(), source };
    page.write(screening, &mut file).map_err(failed)?;
    file.finish()
}

/// The number of the document that a name stands for: its id, the end of its id, or its author.
///
/// # Errors
///
/// A message that says that no document or several have the name; if `is_nameless`, without the names of others.
pub(super) fn document(screening: &Screening, name: &str, is_nameless: bool) -> Result<u32, String> {
    let documents = || (0..).zip(&screening.texts[..screening.suspicious]);
    let numbers = |is: &dyn Fn(&Text) -> bool| -> Vec<u32> {
        documents().filter(|(_, text)| is(text)).map(|(number, _)| number).collect()
    };
    let mut found = numbers(&|text| text.id == name);
    if found.is_empty() {
        found = numbers(&|text| is_called(text, name));
    }
    match found[..] {
        [number] => Ok(number),
        [] => Err(unknown(screening, name, is_nameless)),
        _ if is_nameless => Err(format!(
            "{} documents are called '{}'; give a whole id (--anonymise names none here)",
            found.len(),
            shown(name)
        )),
        _ => {
            let ids = found.iter().take(TOLD).map(|&number| shown(&screening.texts[number as usize].id));
            let more = if found.len() > TOLD { ", …" } else { "" };
            let ids = ids.collect::<Vec<_>>().join(", ");
            Err(format!("{} documents are called '{}' ({ids}{more}); give a whole id", found.len(), shown(name)))
        }
    }
}

/// Says what a name without a document may be.
fn unknown(screening: &Screening, name: &str, is_nameless: bool) -> String {
    let called = shown(name);
    if screening.texts[screening.suspicious..].iter().any(|text| is_called(text, name)) {
        return format!("'{called}' is a source; a dossier is of a document that was handed in");
    }
    let is_unread = |unread: &&Skipped| unread.name.split(['/', '_']).any(|part| part.eq_ignore_ascii_case(name));
    if let Some(unread) = screening.unread.iter().find(is_unread) {
        if is_nameless {
            return format!("the document of '{called}' could not be read: {}", unread.kind);
        }
        return format!("the document of '{called}' could not be read: {}: {}", shown(&unread.name), unread.kind);
    }
    if is_nameless {
        return format!(
            "no document is called '{called}'; --list documents without --anonymise lists their ids and authors"
        );
    }
    match &most_like(screening, name)[..] {
        [] => format!("no document is called '{called}'; --list documents lists their ids and authors"),
        near => {
            let near: Vec<String> = near.iter().take(TOLD).map(|name| format!("'{}'", shown(name))).collect();
            format!("no document is called '{called}'; did you mean {}?", near.join(" or "))
        }
    }
}

/// Writes the numbers and the names behind them.
pub(super) fn write_names(numbered: &[(String, String)], (path, mut file): (&Path, NewFile)) -> nearcopy::Result<()> {
    let failed = |source: io::Error| nearcopy::Error::Write { path: path.display().to_string(), source };
    let mut write = || -> io::Result<()> {
        file.write_all(&table::heading(&["number", "name"])?)?;
        numbered
            .iter()
            .try_for_each(|(number, name)| file.write_all(&table::row(&[Cell::figure(number), Cell::text(name)])?))
    };
    write().map_err(failed)?;
    file.finish()
}
