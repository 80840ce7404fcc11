//! The items of lists, with the columns of their rows in CSV and their lines for people.

use std::io::{self, Write};

use chrono::{DateTime, SecondsFormat};
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::DateOrigin;
use serde::Serialize;

use super::Item;
use super::likeness::{LIKENESS, Likeness, columns};
use super::seal::{SEAL, Seal};
use crate::jobs::find::Opaque;
use crate::report::figures::percent;
use crate::report::shown;
use crate::report::table::Cell;

/// The file that a document came from, as it was when the document was read.
#[derive(Debug, Clone, Serialize)]
pub struct File {
    /// Its size in bytes.
    file_bytes: u64,
    /// Its modification time, RFC 3339 in UTC.
    file_modified: String,
}

impl File {
    /// The file of a document; `None` if it came from standard input.
    pub fn of(collection: &Collection, document: u32) -> Option<Self> {
        let (file, _) = collection.place(document);
        file.filter(|file| file.path != "-").map(|file| Self::new(file.size, file.modified))
    }

    /// The file of a document that could not be read as text.
    pub fn unread(file: &Opaque) -> Self {
        Self::new(file.size, file.modified)
    }

    /// A file with its size in bytes and its modification time in nanoseconds since 1970.
    pub(super) fn new(file_bytes: u64, modified: i64) -> Self {
        Self { file_bytes, file_modified: rfc_3339(modified, SecondsFormat::Secs) }
    }

    pub(super) fn cells(file: Option<&Self>) -> [Cell; 2] {
        [Cell::figure_if(file.map(|file| file.file_bytes)), Cell::figure_if(file.map(|file| &file.file_modified))]
    }
}

/// The dates by which a survivor was chosen.
#[derive(Debug, Clone, Serialize)]
pub struct Dates {
    /// The document's date, RFC 3339 in UTC.
    date: Option<String>,
    /// Its origin.
    date_from: Option<DateOrigin>,
    /// The same of the survivor.
    survivor_date: Option<String>,
    survivor_date_from: Option<DateOrigin>,
}

impl Dates {
    /// The dates of a document and its survivor.
    pub fn of(collection: &Collection, pair: [u32; 2]) -> Self {
        // Fractions of a second decide too.
        let shown = |(date, origin)| (rfc_3339(date, SecondsFormat::AutoSi), origin);
        let [(date, date_from), (survivor_date, survivor_date_from)] =
            pair.map(|document| collection.date(document).map(shown).unzip());
        Self { date, date_from, survivor_date, survivor_date_from }
    }

    fn cells(dates: Option<&Self>) -> [Cell; 4] {
        let date = |date: fn(&Self) -> &Option<String>| Cell::figure_if(dates.and_then(|dates| date(dates).as_ref()));
        let origin =
            |origin: fn(&Self) -> Option<DateOrigin>| Cell::figure_if(dates.and_then(origin).map(origin_in_words));
        [
            date(|dates| &dates.date),
            origin(|dates| dates.date_from),
            date(|dates| &dates.survivor_date),
            origin(|dates| dates.survivor_date_from),
        ]
    }
}

/// The origin of a date as in JSON.
pub(in crate::report) fn origin_in_words(origin: DateOrigin) -> &'static str {
    match origin {
        DateOrigin::Document => "document",
        DateOrigin::Archive => "archive",
        DateOrigin::File => "file",
    }
}

/// A time in nanoseconds since 1970 by RFC 3339, in UTC.
pub(in crate::report) fn rfc_3339(nanoseconds: i64, fraction: SecondsFormat) -> String {
    DateTime::from_timestamp_nanos(nanoseconds).to_rfc3339_opts(fraction, true)
}

/// Two documents that are near.
#[derive(Debug, Serialize)]
pub struct Pair<'a> {
    /// One document's id.
    pub a: &'a str,
    /// The other's.
    pub b: &'a str,
    /// Their likeness.
    #[serde(flatten)]
    pub likeness: Likeness,
}

impl Item for Pair<'_> {
    const COLUMNS: &'static [&'static str] = &columns::<{ 2 + LIKENESS.len() }>(&["a", "b"], &[]);

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}  {}", shown(self.a), shown(self.b), self.likeness.in_words())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let ids = [self.a, self.b].map(Cell::text);
        vec![ids.into_iter().chain(self.likeness.cells()).collect()]
    }
}

/// A text that stands in a larger one.
#[derive(Debug, Serialize)]
pub struct Contained<'a> {
    /// The id of the text.
    pub a: &'a str,
    /// The id of the larger one.
    pub b: &'a str,
    /// The share of the text's shingles that stand in the larger one.
    pub containment_a: Option<f64>,
    /// The share of the larger one's that stand in the text.
    pub containment_b: Option<f64>,
    /// Their Jaccard coefficient.
    pub jaccard: Option<f64>,
}

impl Item for Contained<'_> {
    const COLUMNS: &'static [&'static str] = &["a", "b", "containment_a", "containment_b", "jaccard"];

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{:>9}  of {}  stands in  {}", percent(self.containment_a), shown(self.a), shown(self.b))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let figures = [self.containment_a, self.containment_b, self.jaccard].map(Cell::figure_if);
        vec![[self.a, self.b].map(Cell::text).into_iter().chain(figures).collect()]
    }
}

/// A document and its likeness to another that is named elsewhere.
#[derive(Debug, Serialize)]
pub struct Member<'a> {
    /// The document's id.
    pub id: &'a str,
    /// Its likeness to the other document; this one is A.
    #[serde(flatten)]
    pub likeness: Likeness,
    /// The file that it came from, if reported.
    #[serde(flatten)]
    pub file: Option<File>,
}

/// A survivor and the documents near to it; none if documents in no cluster are listed too.
#[derive(Debug, Serialize)]
pub struct Cluster<'a> {
    /// Its number among all, from 1.
    pub group: u64,
    /// The id of the document that is kept.
    pub survivor: &'a str,
    /// The file that it came from.
    #[serde(flatten)]
    pub file: Option<File>,
    /// True if the survivor has a row to itself in a table.
    #[serde(skip)]
    pub has_own_row: bool,
    /// The documents near to the survivor.
    pub members: Vec<Member<'a>>,
}

impl Item for Cluster<'_> {
    const COLUMNS: &'static [&'static str] =
        &columns::<{ 5 + LIKENESS.len() }>(&["survivor", "id"], &["group", "file_bytes", "file_modified"]);

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_group(out, self.survivor, &self.members)
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let row = |id: &str, likeness: Vec<Cell>, file: Option<&File>| -> Vec<Cell> {
            let ids = [self.survivor, id].map(Cell::text).into_iter();
            ids.chain(likeness).chain([Cell::figure(self.group)]).chain(File::cells(file)).collect()
        };
        let nothing = || vec![Cell::figure(""); LIKENESS.len()];
        let own = self.has_own_row.then(|| row(self.survivor, nothing(), self.file.as_ref()));
        let member = |it: &Member<'_>| row(it.id, it.likeness.cells().collect(), it.file.as_ref());
        own.into_iter().chain(self.members.iter().map(member)).collect()
    }
}

/// A document that was removed.
#[derive(Debug, Serialize)]
pub struct Removed<'a> {
    /// The number of its cluster, as `find` and a dry run count clusters; `None` where there are no clusters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u64>,
    /// The document's id.
    pub id: &'a str,
    /// The id of the kept document that it was compared with.
    pub survivor: &'a str,
    /// Their likeness; the removed document is A.
    #[serde(flatten)]
    pub likeness: Likeness,
    /// The file that it came from, if reported.
    #[serde(flatten)]
    pub file: Option<File>,
    /// The dates of both, if they decided.
    #[serde(flatten)]
    pub dates: Option<Dates>,
    /// The digests of both texts.
    #[serde(flatten)]
    pub seal: Seal,
}

impl Item for Removed<'_> {
    const COLUMNS: &'static [&'static str] = &columns::<{ 12 + LIKENESS.len() }>(
        &["id", "survivor"],
        &[
            "group",
            "file_bytes",
            "file_modified",
            "date",
            "date_from",
            "survivor_date",
            "survivor_date_from",
            SEAL[0],
            SEAL[1],
            SEAL[2],
        ],
    );

    const IS_SEALED: bool = true;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  resembles  {}  {}", shown(self.id), shown(self.survivor), self.likeness.in_words())
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let ids = [self.id, self.survivor].map(Cell::text).into_iter();
        let rest = [Cell::figure_if(self.group)].into_iter().chain(File::cells(self.file.as_ref()));
        let rest = rest.chain(Dates::cells(self.dates.as_ref())).chain(self.seal.cells());
        vec![ids.chain(self.likeness.cells()).chain(rest).collect()]
    }
}

/// A document that was removed because a list names it.
#[derive(Debug, Serialize)]
pub struct ListedRemoval<'a> {
    /// The document's id.
    pub id: &'a str,
    /// The list, as the user named it.
    pub listed_in: &'a str,
    /// The file that it came from.
    #[serde(flatten)]
    pub file: Option<File>,
    /// The survivor that the list names, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub survivor: Option<&'a str>,
    /// The digest of its text, and that of the survivor.
    #[serde(flatten)]
    pub seal: Seal,
}

impl Item for ListedRemoval<'_> {
    const COLUMNS: &'static [&'static str] =
        &["id", "listed_in", "file_bytes", "file_modified", "survivor", SEAL[0], SEAL[1], SEAL[2]];

    const IS_SEALED: bool = true;

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", shown(self.id))
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let ids = [self.id, self.listed_in].map(Cell::text).into_iter();
        let survivor = Cell::text(self.survivor.unwrap_or_default());
        let rest = File::cells(self.file.as_ref()).into_iter().chain([survivor]).chain(self.seal.cells());
        vec![ids.chain(rest).collect()]
    }
}

/// A document and its nearest neighbours.
#[derive(Debug, Serialize)]
pub struct Nearest<'a> {
    /// The document's id.
    pub id: &'a str,
    /// The neighbours, nearest first.
    pub neighbours: Vec<Member<'a>>,
}

impl Item for Nearest<'_> {
    const COLUMNS: &'static [&'static str] = &columns::<{ 2 + LIKENESS.len() }>(&["id", "neighbour"], &[]);

    fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        write_group(out, self.id, &self.neighbours)
    }

    fn rows(&self) -> Vec<Vec<Cell>> {
        let row = |member: &Member<'_>| {
            [self.id, member.id].map(Cell::text).into_iter().chain(member.likeness.cells()).collect()
        };
        self.neighbours.iter().map(row).collect()
    }
}

/// Writes a head line and the members below it, their figures aligned.
fn write_group(out: &mut dyn Write, head: &str, members: &[Member<'_>]) -> io::Result<()> {
    writeln!(out, "{}", shown(head))?;
    let width = members.iter().map(|member| member.id.chars().count()).max().unwrap_or(0).min(60);
    for Member { id, likeness, .. } in members {
        writeln!(out, "   {:<width$}  {}", shown(id), likeness.in_words())?;
    }
    Ok(())
}
