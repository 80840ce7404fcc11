//! Lists of documents to remove.
//!
//! A list is one that `clean` wrote, whose lines are sealed ([`seal`]), or one of ids alone. Sealed lines may be left
//! out, but not be changed, and the closing line must be there. Sealed lists can be joined end to end.
//!
//! Cost: memory grows with the number of different lines.

mod rows;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use nearcopy_corpus::source;

use crate::jobs::clean::listed::{Line, List, Sealed};
use crate::report::listing::seal;
use rows::{Fields, NOT_SEALED, Row, each_row};

/// An error in a list.
#[derive(Debug)]
enum Wrong {
    Unreadable(io::Error),
    /// The number of a line, and its error.
    Line(u64, String),
    /// The closing line is missing.
    Cut,
    /// A table has a heading alone.
    NoRow,
}

impl Wrong {
    fn in_words(self, name: &str) -> String {
        match self {
            Self::Unreadable(source) => nearcopy::Error::Read { path: name.into(), source }.to_string(),
            Self::Line(number, what) => format!("{name}, line {number}: {what}; nothing was removed"),
            Self::Cut => format!(
                "{name}: its closing line is missing, as if the list had been cut; leave out lines if you like, but \
                 keep the last one; nothing was removed"
            ),
            Self::NoRow => {
                format!("{name}: has a heading and no row, as if the list had been cut; nothing was removed")
            }
        }
    }
}

impl From<io::Error> for Wrong {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Reads a list of documents to remove (`-`: standard input), each line once.
///
/// The list has one id a line, empty lines ignored, or JSON Lines of objects with an `id`, or CSV with a column `id`;
/// its first line decides which. Sealed lines are verified.
///
/// # Errors
///
/// A message that the list cannot be read or was cut, or that names a wrong line and its error.
pub(super) fn read(path: &Path) -> Result<List, String> {
    let name = source::name(path);
    let is_sealed = ["jsonl", "csv"]
        .iter()
        .any(|ending| ["removed", "review"].iter().any(|what| name.ends_with(&format!(".{what}.{ending}"))));
    let listed = || -> Result<List, Wrong> {
        if path == Path::new("-") {
            list(&mut io::stdin().lock(), is_sealed)
        } else {
            list(&mut BufReader::new(File::open(path)?), is_sealed)
        }
    };
    listed().map_err(|wrong| wrong.in_words(&name))
}

/// Reads a list; `is_sealed` is true if its name says that `clean` wrote it, so that an empty one was cut.
fn list(from: &mut dyn BufRead, is_sealed: bool) -> Result<List, Wrong> {
    let mut checking = Checking::default();
    let is_table =
        each_row(from, &mut |number, row| checking.take(row).map_err(|what| Wrong::Line(number, what.into())))?;
    let Checking { list, is_sealed: found, unclosed, is_closed, .. } = checking;
    match found {
        Some(true) if unclosed > 0 || !is_closed => Err(Wrong::Cut),
        Some(true) => Ok(list),
        _ if is_sealed => Err(Wrong::Cut),
        None if is_table => Err(Wrong::NoRow),
        _ => Ok(list),
    }
}

/// The verification of a list, line by line.
#[derive(Default)]
struct Checking {
    list: List,
    seen: HashSet<[u8; 32]>,
    /// True if the lines are sealed; `None` before the first.
    is_sealed: Option<bool>,
    /// Number of lines since the last closing line.
    unclosed: u64,
    /// True if a closing line was met.
    is_closed: bool,
}

impl Checking {
    fn take(&mut self, row: Row<'_>) -> Result<(), &'static str> {
        match row {
            Row::SealedHeading => {
                self.is_sealed = Some(true);
                Ok(())
            }
            Row::Line(fields) => self.line(&fields),
            Row::Closing { documents, check } => self.close(documents, check),
        }
    }

    fn line(&mut self, fields: &Fields<'_>) -> Result<(), &'static str> {
        let is_sealed = fields.digest.is_some() && fields.check.is_some();
        match (self.is_sealed, is_sealed) {
            (Some(true), false) => return Err("has no digest and check value, unlike the list it is in"),
            (Some(false), true) => return Err("has a digest and a check value, unlike the lines before it"),
            _ => self.is_sealed = Some(is_sealed),
        }
        let line = match (fields.digest, fields.check) {
            (Some(digest), Some(check)) => sealed(fields, digest, check)
                .ok_or("was changed: its check value fits other ids or digests; restore the line or leave it out")?,
            _ if fields.survivor.is_some() => return Err(NOT_SEALED),
            _ => Line { id: fields.id().into_owned(), sealed: None },
        };
        self.unclosed += 1;
        let key = (&line.id, fields.check.unwrap_or_default());
        if self.seen.insert(*blake3::hash(format!("{}\0{}", key.0, key.1).as_bytes()).as_bytes()) {
            self.list.lines.push(line);
        }
        Ok(())
    }

    fn close(&mut self, documents: u64, check: &str) -> Result<(), &'static str> {
        if self.is_sealed == Some(false) {
            return Err("closes a list that `dedup clean` wrote, but the lines before it have no digests");
        }
        if seal::closing_check(documents) != check {
            return Err("was changed: it closes the list, and its check value fits another number of documents");
        }
        let Some(left_out) = documents.checked_sub(self.unclosed) else {
            return Err("closes a list of fewer lines than stand before it: lines were added or repeated");
        };
        self.list.left_out += left_out;
        (self.is_sealed, self.unclosed, self.is_closed) = (Some(true), 0, true);
        Ok(())
    }
}

/// The line of these fields; `None` if it does not fit its check value.
fn sealed(fields: &Fields<'_>, digest: &str, check: &str) -> Option<Line> {
    // Tables may be raw or not, which the check value decides.
    let (id, survivor) = fields.readings().find(|(id, survivor)| {
        let survivor = fields.survivor_digest.map(|digest| (&**survivor, digest));
        seal::check((id, digest), survivor) == check
    })?;
    let survivor = match fields.survivor_digest {
        Some(digest) => Some((survivor.into_owned(), bytes_of(digest)?)),
        None => None,
    };
    Some(Line { id: id.into_owned(), sealed: Some(Sealed { digest: bytes_of(digest)?, survivor }) })
}

/// The digest with these hex digits.
fn bytes_of(digits: &str) -> Option<[u8; 16]> {
    u128::from_str_radix(digits, 16).ok().map(u128::to_be_bytes)
}
