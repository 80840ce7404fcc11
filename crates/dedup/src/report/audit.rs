//! The answer of an audit: a summary for the terminal, a row for each file, and one HTML page.

mod html;

use std::io::{self, Write};

use chrono::SecondsFormat;
use nearcopy::store::file::format::DateOrigin;
use serde::Serialize;

use super::figures::{bytes, counted, grouped};
use super::listing::{Item, origin_in_words, rfc_3339};
use super::shown;
use super::table::Cell;
use crate::jobs::audit::{Audit, Audited, Class, Members};
pub use html::Page;

/// A file as programs see it.
#[derive(Debug, Serialize)]
pub struct AuditedFile<'a> {
    file: &'a str,
    bytes: u64,
    /// RFC 3339 in UTC.
    date: Option<String>,
    date_from: Option<DateOrigin>,
    language: &'a str,
    words: u64,
    class: Class,
    /// The file that it equals, stands in or is a version of.
    of: Option<&'a str>,
    jaccard: Option<f64>,
    /// The number of its family, from 1.
    family: Option<u32>,
    /// Why it, or the first of its records that has a reason, could not be read: a short name.
    problem: Option<&'static str>,
    /// The same in words, with the remedy.
    reason: Option<&'a str>,
    /// The program that read it, if another one did.
    read_by: Option<&'static str>,
    /// Of an archive, the number of files in it, and of those whose bytes a file of its own has too.
    members: Option<u64>,
    members_outside: Option<u64>,
}

impl<'a> AuditedFile<'a> {
    /// All files, in the order of the audit.
    pub fn all(audit: &'a Audit) -> impl Iterator<Item = Self> {
        audit.files.iter().map(|file| Self::new(audit, file))
    }

    fn new(audit: &'a Audit, file: &'a Audited) -> Self {
        let (date, date_from) = file.date.unzip();
        Self {
            file: &file.name,
            bytes: file.bytes,
            date: date.map(|date| rfc_3339(date, SecondsFormat::Secs)),
            date_from,
            language: &file.language,
            words: file.words,
            class: file.class,
            of: file.of.map(|of| &*audit.files[of as usize].name),
            jaccard: file.jaccard,
            family: file.family.map(|family| family + 1),
            problem: file.problem.as_ref().map(|(kind, _)| *kind),
            reason: file.problem.as_ref().map(|(_, reason)| &**reason),
            read_by: file.read_by,
            members: file.members.map(|members| members.all),
            members_outside: file.members.map(|members| members.outside),
        }
    }
}

impl Item for AuditedFile<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "file",
        "bytes",
        "date",
        "date_from",
        "language",
        "words",
        "class",
        "of",
        "jaccard",
        "family",
        "problem",
        "reason",
        "read_by",
        "members",
        "members_outside",
    ];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let of = self.of.map_or_else(String::new, |of| format!("  of {}", shown(of)));
        let reason = self.reason.map_or_else(String::new, |reason| format!("  {}", shown(reason)));
        writeln!(out, "{:<10}{}{of}{reason}", self.class.name(), shown(self.file))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        vec![vec![
            Cell::text(self.file),
            Cell::figure(self.bytes),
            Cell::figure_if(self.date.as_ref()),
            Cell::figure_if(self.date_from.map(origin_in_words)),
            Cell::figure(self.language),
            Cell::figure(self.words),
            Cell::figure(self.class.name()),
            Cell::text(self.of.unwrap_or_default()),
            Cell::figure_if(self.jaccard),
            Cell::figure_if(self.family),
            Cell::figure_if(self.problem),
            Cell::text(self.reason.unwrap_or_default()),
            Cell::figure_if(self.read_by),
            Cell::figure_if(self.members),
            Cell::figure_if(self.members_outside),
        ]]
    }
}

/// Number of unread files, of those read in part, and of archives, that a summary names.
const NAMED: usize = 10;

/// What a class of files is, for a person.
fn meaning(class: Class) -> &'static str {
    match class {
        Class::Bytes => "have the same bytes as another",
        Class::Same => "have the words of another, in the same order",
        Class::Contained => "stand whole in another",
        Class::Version => "are versions of another",
        Class::Kept => "stand for those above",
        Class::Unique => "are near to no other",
        Class::Container => "hold others of this list",
        Class::Unread => "could not be read",
    }
}

/// Writes the number of files of each class, with the bytes of those on disk.
///
/// # Errors
///
/// Those of the writer.
pub fn write_summary(audit: &Audit, out: &mut dyn Write) -> io::Result<()> {
    let all = Class::ALL.map(|class| audit.count(class).1).iter().sum();
    let files = audit.files.iter().filter(|file| file.is_file).count();
    let inside = match audit.files.len() - files {
        0 => String::new(),
        count => format!("; {} in archives, mailboxes and files of records", grouped(count as u64)),
    };
    writeln!(out, "{}, {}{inside}", counted(files as u64, "file"), bytes(all))?;
    for class in Class::ALL {
        let (count, size) = audit.count(class);
        if count > 0 {
            writeln!(out, "{:>9}  {:>9}  {:<10} {}", grouped(count), bytes(size), class.name(), meaning(class))?;
        }
    }
    if audit.families > 0 {
        writeln!(out, "in {}", counted(u64::from(audit.families), "family"))?;
    }
    let members = |file: &Audited| file.members.filter(|members| members.outside > 0);
    for (file, members) in audit.files.iter().filter_map(|file| Some((file, members(file)?))).take(NAMED) {
        let Members { all, outside } = members;
        writeln!(
            out,
            "{}: of {} in it, also outside byte for byte: {}",
            shown(&file.name),
            counted(all, "file"),
            grouped(outside)
        )?;
    }
    write_reasons(audit, "read in part", |file| file.class == Class::Container && file.problem.is_some(), out)?;
    write_reasons(audit, "not read", |file| file.class == Class::Unread, out)
}

/// Writes the reasons of some files, the first by their names.
fn write_reasons(
    audit: &Audit,
    what: &str,
    is_told: impl Fn(&&Audited) -> bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    let told = audit.files.iter().filter(is_told).collect::<Vec<_>>();
    for file in told.iter().take(NAMED) {
        let reason = file.problem.as_ref().map_or("its text could not be read", |(_, reason)| reason);
        writeln!(out, "{what}: {}: {}", shown(&file.name), shown(reason))?;
    }
    if let Some(more) = told.len().checked_sub(NAMED).filter(|&more| more > 0) {
        writeln!(out, "{what}: {} more; --format or --html names them", grouped(more as u64))?;
    }
    Ok(())
}
