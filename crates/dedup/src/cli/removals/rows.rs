//! The rows of a list of documents to remove: plain ids, JSON Lines or CSV.

use std::borrow::Cow;
use std::io::{BufRead, Cursor, Read};

use nearcopy_corpus::compression::Compression;
use serde_json::Value;

use super::Wrong;
use crate::report::listing::seal::END;
use crate::report::table::text_of;

/// Maximum length of a line in bytes. An id, or an object with an id and a sketch, is far shorter.
const MAX_LINE: u64 = 16 << 20;

/// The error of a line that names a survivor and cannot be verified.
pub(super) const NOT_SEALED: &str = "names a survivor, but has no digests and check value by which both texts could be \
                                     verified; name the list that `dedup clean` wrote, or one of ids alone";

/// The error of a list of parts of documents, such as `clean --repeats` writes.
const OF_PARTS: &str =
    "names a part of a document, and whole documents would be removed; name a list of documents, or one of ids alone";

/// The error of bytes that are no text.
const NOT_UTF8: &str = "is not UTF-8, as ids must be; name a list of one id a line";

/// A row of a list.
#[derive(Debug)]
pub(super) enum Row<'a> {
    /// The heading of a table with the columns of digests and check values.
    SealedHeading,
    /// A document.
    Line(Fields<'a>),
    /// The closing line: the number of documents, and its check value.
    Closing { documents: u64, check: &'a str },
}

/// The fields of a document, as they are written.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub(super) id: &'a str,
    pub(super) survivor: Option<&'a str>,
    pub(super) digest: Option<&'a str>,
    pub(super) survivor_digest: Option<&'a str>,
    pub(super) check: Option<&'a str>,
    /// True if the ids are cells of a table, in which texts are escaped unless it is raw.
    is_cell: bool,
}

impl Fields<'_> {
    /// The id, as a table that is not raw has it.
    pub(super) fn id(&self) -> Cow<'_, str> {
        if self.is_cell { text_of(self.id) } else { self.id.into() }
    }

    /// What the ids of the document and the survivor may be.
    pub(super) fn readings(&self) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
        let survivor = self.survivor.unwrap_or_default();
        let escaped = self.is_cell.then(|| (text_of(self.id), text_of(survivor)));
        escaped.into_iter().chain([(self.id.into(), survivor.into())])
    }
}

/// The form of a list.
#[derive(Debug, Clone, Copy)]
enum Form {
    Ids,
    Objects,
    /// CSV with this separator.
    Table(u8),
}

/// Calls `take` with each row and the number of its line; returns true if the list is a table.
pub(super) fn each_row(
    mut from: &mut dyn BufRead,
    take: &mut dyn FnMut(u64, Row<'_>) -> Result<(), Wrong>,
) -> Result<bool, Wrong> {
    let mut form = None;
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let wrong = |what: &str| Wrong::Line(number, what.to_owned());
        let read = (&mut from).take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        if read as u64 > MAX_LINE {
            return Err(wrong("is longer than 16 MiB, the most that is allowed; name a list of one id a line"));
        }
        let text = line.strip_suffix(b"\n").map_or(&line[..], |line| line.strip_suffix(b"\r").unwrap_or(line));
        let is_packed = number == 1 && Compression::recognise(text).is_some();
        let text = std::str::from_utf8(text)
            .map_err(|_| wrong(if is_packed { "is compressed; decompress the list first" } else { NOT_UTF8 }))?;
        let text = if number == 1 { text.trim_start_matches('\u{feff}') } else { text };
        if text.is_empty() {
            continue;
        }
        let form = match form {
            Some(form) => form,
            None => *form.insert(form_of(text)),
        };
        match form {
            Form::Ids => take(number, Row::Line(Fields { id: text, ..Fields::default() }))?,
            Form::Objects => {
                let cut = "is not a JSON object on a line of its own, as if the list had been cut or edited";
                let object = parsed(text).ok_or_else(|| wrong(cut))?;
                take(number, object.row().map_err(|what| wrong(&what))?)?;
            }
            Form::Table(separator) => {
                let heading = format!("{text}\n");
                table(Cursor::new(heading).chain(from), number, separator, take)?;
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The form of a list with this first line.
fn form_of(line: &str) -> Form {
    let begins = line.trim_start();
    // What begins like JSON is no id, even if the line was cut.
    let is_like_json =
        ["{\"", "{ \"", "[{"].iter().any(|start| begins.starts_with(start)) || ["{", "["].contains(&begins);
    if is_like_json || parsed(line).is_some() {
        return Form::Objects;
    }
    let separator = [b',', b';', b'\t'].into_iter().find(|&separator| {
        let names = csv::ReaderBuilder::new().delimiter(separator).from_reader(line.as_bytes()).headers().cloned();
        names.is_ok_and(|names| (names.len() > 1 || &names[0] == "id") && names.iter().any(|name| name.trim() == "id"))
    });
    separator.map_or(Form::Ids, Form::Table)
}

/// The values of a line of JSON. In lists of other programs they may have any type.
#[derive(serde::Deserialize)]
struct Object {
    id: Option<Value>,
    survivor: Option<Value>,
    digest: Option<Value>,
    survivor_digest: Option<Value>,
    check: Option<Value>,
    end_of_list: Option<Value>,
    start: Option<Value>,
    spans: Option<Value>,
}

/// The object on a line; an id that is a number becomes a string.
fn parsed(line: &str) -> Option<Object> {
    // An array of values would do for `serde`.
    let mut object: Object = line.trim_start().starts_with('{').then(|| serde_json::from_str(line).ok()).flatten()?;
    if let Some(Value::Number(number)) = &object.id {
        object.id = Some(number.to_string().into());
    }
    Some(object)
}

impl Object {
    fn row(&self) -> Result<Row<'_>, String> {
        if let (None, Some(end)) = (&self.id, &self.end_of_list) {
            let (documents, check) = (end["documents"].as_u64(), end["check"].as_str());
            return documents
                .zip(check)
                .map(|(documents, check)| Row::Closing { documents, check })
                .ok_or_else(|| format!("'{END}' needs a number of documents and a check value; restore the line"));
        }
        if self.start.is_some() || self.spans.is_some() {
            return Err(OF_PARTS.into());
        }
        Ok(Row::Line(Fields {
            id: text_field(self.id.as_ref()).ok_or("is not a JSON object with an id, which is a string or a number")?,
            survivor: text_field(self.survivor.as_ref()),
            digest: text_field(self.digest.as_ref()),
            survivor_digest: text_field(self.survivor_digest.as_ref()),
            check: text_field(self.check.as_ref()),
            is_cell: false,
        }))
    }
}

/// Calls `take` with each row of a table whose heading is line `first`.
fn table(
    from: impl Read,
    first: u64,
    separator: u8,
    take: &mut dyn FnMut(u64, Row<'_>) -> Result<(), Wrong>,
) -> Result<(), Wrong> {
    let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(from);
    let of_csv = |error: csv::Error| {
        let line = error.position().map_or(first, |place| place.line() + first - 1);
        let what = match error.kind() {
            csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
                format!("has {len} fields where the heading has {expected_len}, as if the list had been cut or edited")
            }
            csv::ErrorKind::Utf8 { .. } => NOT_UTF8.into(),
            _ => error.to_string(),
        };
        match error.into_kind() {
            csv::ErrorKind::Io(error) => Wrong::Unreadable(error),
            _ => Wrong::Line(line, what),
        }
    };
    let heading = reader.headers().map_err(of_csv)?.clone();
    let column = |name: &str| heading.iter().position(|column| column.trim() == name);
    let [id, survivor, digest, survivor_digest, check] =
        ["id", "survivor", "digest", "survivor_digest", "check"].map(column);
    let is_sealed = digest.is_some() && check.is_some();
    if is_sealed {
        take(first, Row::SealedHeading)?;
    } else if survivor.is_some() {
        return Err(Wrong::Line(first, NOT_SEALED.into()));
    }
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(of_csv)? {
        let line = row.position().map_or(first, |place| place.line() + first - 1);
        // Lists that were joined have further headings.
        if row == heading {
            continue;
        }
        let cell = |column: Option<usize>| column.and_then(|column| row.get(column)).filter(|cell| !cell.is_empty());
        let fields = Fields {
            id: cell(id).unwrap_or_default(),
            survivor: cell(survivor),
            digest: cell(digest),
            survivor_digest: cell(survivor_digest),
            check: cell(check),
            is_cell: true,
        };
        match (fields.id, fields.digest, fields.check) {
            (END, None, Some(check)) if is_sealed => {
                let documents = fields.survivor.and_then(|number| number.parse().ok());
                let documents = documents.ok_or_else(|| {
                    Wrong::Line(line, format!("'{END}' needs a number of documents in the column survivor"))
                })?;
                take(line, Row::Closing { documents, check })?;
            }
            _ => take(line, Row::Line(fields))?,
        }
    }
    Ok(())
}

/// The text of a field that is a string.
fn text_field(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}
