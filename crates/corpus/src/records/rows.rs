//! Rows of a table with separated fields (RFC 4180).

use std::borrow::Cow;

use super::table::{Dialect, mark};
use super::{Batch, Encoding, Location, Problem, Purpose, Reason, Record, Values, decode};
use crate::error::Serves;

/// The heading of a table, and the columns of the wanted fields.
#[derive(Debug)]
pub(super) struct Columns {
    /// The bytes of the first row, unchanged.
    pub(super) heading: Vec<u8>,
    /// The column names, untrimmed.
    pub(super) names: Vec<String>,
    /// True if a name has malformed characters, which were replaced.
    pub(super) is_malformed: bool,
    pub(super) dialect: Dialect,
    pub(super) text: usize,
    id: Option<usize>,
    key: Option<usize>,
    origin: Option<usize>,
}

impl Columns {
    /// Finds the fields in the first row.
    ///
    /// # Errors
    ///
    /// [`Reason::MissingField`] if one is missing, [`Reason::TwoColumns`] if two have its name.
    pub(super) fn new(heading: Vec<u8>, dialect: Dialect, reading: &super::Reading) -> Result<Self, Reason> {
        let fields = &reading.fields;
        let encoding = reading.encoding.unwrap_or(Encoding::UTF_8);
        let mut is_malformed = false;
        let name = |field: Cow<'_, [u8]>| {
            let decoded = decode::decode(&field, Some(encoding));
            is_malformed |= decoded.replaced > 0;
            decoded.text.into_owned()
        };
        let names: Vec<String> = dialect.fields(&heading[mark(&heading)..]).map(name).collect();
        let find = |serves| {
            let names = &names;
            move |wanted: &String| {
                let mut places = (0..names.len()).filter(|&place| names[place].trim() == wanted);
                match (places.next(), places.next()) {
                    (Some(place), None) => Ok(place),
                    (Some(_), Some(_)) => Err(Reason::TwoColumns(wanted.clone())),
                    (None, _) => Err(Reason::MissingField { wanted: wanted.clone(), serves, found: names.clone() }),
                }
            }
        };
        Ok(Self {
            dialect,
            text: if reading.purpose == Purpose::Objects { 0 } else { find(Serves::TextOrId)(&fields.text)? },
            id: fields.id.as_ref().map(find(Serves::TextOrId)).transpose()?,
            key: fields.key.as_ref().map(find(Serves::Key)).transpose()?,
            origin: fields.origin.as_ref().map(find(Serves::Origin)).transpose()?,
            heading,
            names,
            is_malformed,
        })
    }
}

/// The length of the first row with its line break.
pub(super) fn first_row(bytes: &[u8], dialect: Dialect) -> usize {
    let mark = mark(bytes);
    mark + dialect.rows(&bytes[mark..]).next().map_or(0, <[u8]>::len)
}

/// Calls `found` with each row as a record, or with the reason why it could not be read.
pub(super) fn each(
    bytes: &[u8],
    first: u64,
    columns: &Columns,
    batch: &Batch,
    found: &mut impl FnMut(Result<Record<'_>, Problem>),
) {
    let mut fields = Vec::new();
    // Users count from the first row after the heading; the heading is row 0.
    for (row, number) in columns.dialect.rows(bytes).zip(first - 1..) {
        let fail = |reason: Reason| Problem::of(&*batch.file.name, Location::Row(number), reason);
        fields.clear();
        fields.extend(columns.dialect.fields(row));
        if fields.len() != columns.names.len() {
            let noun = if fields.len() == 1 { "field" } else { "fields" };
            let what = format!("{} {noun} where the heading has {}", fields.len(), columns.names.len());
            found(Err(fail(Reason::Csv(what))));
        } else if let Err(reason) = batch.admit(fields.iter().map(|field| field.len() as u64).sum()) {
            found(Err(fail(reason)));
        } else {
            let (text, replaced) = batch.decode(&fields[columns.text]);
            let value = |column: usize| batch.decode(&fields[column]).0.into_owned();
            let [id, key, origin] = [columns.id, columns.key, columns.origin].map(|column| column.map(value));
            found(Ok(batch.record(Values { id, key, origin }, Some(Cow::Borrowed(&text)), number, replaced)));
        }
    }
}

/// The bytes of each row with its line break.
pub(super) fn each_raw(bytes: &[u8], first: u64, columns: &Columns, mut found: impl FnMut(u64, &[u8])) {
    for (row, number) in columns.dialect.rows(bytes).zip(first - 1..) {
        found(number, row);
    }
}
