//! Rows of a table, fields between separators (RFC 4180).

use std::borrow::Cow;

use csv::{ByteRecord, ReaderBuilder};

use super::{Batch, Place, Problem, Reason, Record};

/// The heading of a table, and where the wanted fields are.
#[derive(Debug)]
pub(super) struct Columns {
    /// The first row as it stands in the file.
    pub(super) heading: Vec<u8>,
    separator: u8,
    count: usize,
    text: usize,
    id: Option<usize>,
    key: Option<usize>,
}

impl Columns {
    /// Finds the fields in the first row.
    ///
    /// # Errors
    ///
    /// [`Reason::MissingField`] if one is not there.
    pub(super) fn new(heading: Vec<u8>, separator: u8, fields: &super::Fields) -> Result<Self, Reason> {
        let mut row = ByteRecord::new();
        let bytes = heading.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&heading);
        // Rows that were cut are whole: reading them cannot fail.
        reader(bytes, separator).read_byte_record(&mut row).map_err(|error| Reason::Csv(error.to_string()))?;
        let names: Vec<_> = row.iter().map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        let find = |wanted: &String| {
            names
                .iter()
                .position(|name| name == wanted)
                .ok_or_else(|| Reason::MissingField { wanted: wanted.clone(), found: names.clone() })
        };
        Ok(Self {
            separator,
            count: names.len(),
            text: find(&fields.text)?,
            id: fields.id.as_ref().map(find).transpose()?,
            key: fields.key.as_ref().map(find).transpose()?,
            heading,
        })
    }
}

fn reader(bytes: &[u8], separator: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new().delimiter(separator).has_headers(false).flexible(true).from_reader(bytes)
}

/// The length of the first row with its line break.
pub(super) fn first_row(bytes: &[u8], separator: u8) -> usize {
    let mut reader = reader(bytes, separator);
    let mut row = ByteRecord::new();
    // Rows that were cut are whole: reading them cannot fail.
    let _ = reader.read_byte_record(&mut row);
    end_of_row(bytes, &reader)
}

/// Where the row that was just read ends.
fn end_of_row(bytes: &[u8], reader: &csv::Reader<&[u8]>) -> usize {
    let end = reader.position().byte() as usize;
    // The reader stops between the two bytes of a Windows line break.
    end + usize::from(bytes[..end].ends_with(b"\r") && bytes[end..].starts_with(b"\n"))
}

/// Takes rows apart.
pub(super) fn each(
    bytes: &[u8],
    first: u64,
    columns: &Columns,
    batch: &Batch,
    found: &mut impl FnMut(Result<Record<'_>, Problem>),
) {
    let mut reader = reader(bytes, columns.separator);
    let mut row = ByteRecord::new();
    // The heading is row 0 of what the user counts.
    let mut number = first - 1;
    while reader.read_byte_record(&mut row).unwrap_or(false) {
        let fail = |reason| Problem { file: batch.file.name.clone(), place: Place::Row(number), reason };
        if row.len() != columns.count {
            let what = format!("{} fields where the heading has {}", row.len(), columns.count);
            found(Err(fail(Reason::Csv(what))));
        } else if let Err(reason) = batch.admit(row.as_slice().len() as u64) {
            found(Err(fail(reason)));
        } else {
            let (text, replaced) = batch.decode(&row[columns.text]);
            let value = |column: usize| batch.decode(&row[column]).0.into_owned();
            let key = columns.key.map(value);
            found(Ok(batch.record(columns.id.map(value), Cow::Borrowed(&text), key, number, replaced)));
        }
        number += 1;
    }
}

/// The bytes of each row with its line break.
pub(super) fn each_raw(bytes: &[u8], first: u64, columns: &Columns, mut found: impl FnMut(u64, &[u8])) {
    let mut reader = reader(bytes, columns.separator);
    let mut row = ByteRecord::new();
    let (mut start, mut number) = (0, first - 1);
    while reader.read_byte_record(&mut row).unwrap_or(false) {
        let end = end_of_row(bytes, &reader);
        found(number, &bytes[start..end]);
        (start, number) = (end, number + 1);
    }
}
