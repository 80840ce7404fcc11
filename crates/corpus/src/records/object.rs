//! Records with all their fields, as JSON: what the items of a test set are read from.
//!
//! Cost: a value for each field; for the records of a corpus [`Batch::each`] is far cheaper.

use nearcopy::error::{Location, Problem};
use serde_json::{Map, Value};

use super::batch::Content;
use super::{Batch, Kind};
use crate::error::Reason;

/// A record's number in its file (0 if the file is the document), and its fields.
pub type Object = (u64, Map<String, Value>);

impl Batch {
    /// Calls `found` with the fields of each record, or with the problem of reading it, in order. The fields of a line `ID
    /// text` and of a file that is one document are `id` and `text`.
    pub fn each_object(&self, mut found: impl FnMut(Result<Object, Problem>)) {
        let fail = |place, reason: Reason| Problem::of(&*self.file.name, place, reason);
        match &self.content {
            #[cfg(feature = "parquet")]
            Content::Table(rows) => {
                for (row, number) in (0..rows.batch.num_rows()).zip(rows.first..) {
                    found(Ok((number, super::parquet::row_fields(&rows.batch, row))));
                }
            }
            Content::Block { columns: None, .. } if self.file.kind == Kind::Jsonl => self.each_raw(|number, line| {
                if line.trim_ascii().is_empty() {
                    return;
                }
                let place = Location::Line(number);
                let line = self.decode(line).0;
                let parsed = serde_json::from_str(line.trim_start_matches('\u{feff}'));
                found(match parsed {
                    Ok(Value::Object(fields)) => Ok((number, fields)),
                    Ok(_) => Err(fail(place, Reason::NotObject("no object"))),
                    Err(error) => Err(fail(place, Reason::Json(error.to_string()))),
                });
            }),
            Content::Block { columns: Some(columns), .. } => self.each_raw(|number, row| {
                let values: Vec<Value> =
                    columns.dialect.fields(row).map(|field| self.decode(&field).0.into_owned().into()).collect();
                // `each` has the same rule.
                if values.len() == columns.names.len() {
                    found(Ok((number, columns.names.iter().cloned().zip(values).collect())));
                } else {
                    let what = format!("{} fields where the heading has {}", values.len(), columns.names.len());
                    found(Err(fail(Location::Row(number), Reason::Csv(what))));
                }
            }),
            _ => self.each(|record| {
                found(record.map(|record| {
                    let fields = [("id", record.id), ("text", record.text.into_owned())];
                    (record.number, fields.map(|(name, value)| (name.to_owned(), value.into())).into_iter().collect())
                }));
            }),
        }
    }
}
