//! Lossless conversion of records between formats.
//!
//! A row of a table becomes a row of another table, or a JSON object of strings with the heading's names as keys.
//! A JSON object becomes a row if it is flat, has the same fields as the first object, and contains no null, which a
//! table cannot distinguish from an empty field. Numbers keep their spelling. `columns` has the rules for Parquet.
//!
//! Cost: linear in the bytes.

#[cfg(feature = "parquet")]
mod columns;

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use serde_json::value::RawValue;

use super::Kind;
#[cfg(feature = "parquet")]
pub use columns::Columns;
#[cfg(feature = "parquet")]
pub(crate) use columns::Type;

/// A value of a record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Text(String),
    /// A number or a boolean, as spelt in JSON.
    Plain(String),
}

impl Value {
    /// The characters of a string; any other value as in JSON.
    fn spelt(&self) -> &str {
        match self {
            Self::Null => "null",
            Self::Text(value) | Self::Plain(value) => value,
        }
    }

    /// The length of the characters in bytes.
    #[cfg(feature = "parquet")]
    pub(crate) fn len(&self) -> usize {
        self.spelt().len()
    }
}

/// A record: its names and values, in order.
pub(crate) type Row = Vec<(String, Value)>;

/// Writes records in a given format.
#[derive(Debug)]
pub(crate) struct Converter {
    to: Kind,
    /// The names of a table's columns; `None` before the first record.
    columns: Option<Vec<String>>,
}

/// The reason why a record was not converted.
#[derive(Debug)]
pub(crate) enum NotConverted {
    /// The loss, in words.
    Lossy(String),
    /// The columns that differ from those of the first file, in words.
    #[cfg(feature = "parquet")]
    OtherColumns(String),
    /// The reason why its text cannot be cut, with the remedy.
    Uncut(String),
    Write(io::Error),
}

impl From<io::Error> for NotConverted {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// True if records of one format can be converted to the other in principle; single records may still be refused.
pub fn is_possible(from: Kind, to: Kind) -> bool {
    let has_fields = |kind| matches!(kind, Kind::Csv | Kind::Tsv | Kind::Jsonl | Kind::Parquet);
    match from {
        // Its texts were extracted, and cannot be put back.
        Kind::Warc => has_fields(to),
        _ => from == to || has_fields(from) && has_fields(to),
    }
}

impl Converter {
    pub(crate) fn new(to: Kind) -> Self {
        Self { to, columns: None }
    }

    /// The names of the columns, once a heading was written.
    pub(crate) fn columns(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// Notes the names of the columns of a table whose heading was written otherwise.
    pub(crate) fn note(&mut self, names: Vec<String>) {
        self.columns = Some(names);
    }

    /// Writes the heading of a table once; does nothing for JSON Lines.
    pub(crate) fn heading<'a>(
        &mut self,
        names: impl Iterator<Item = &'a String> + Clone,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.to != Kind::Jsonl && self.columns.is_none() {
            out.write_all(&self.row(names.clone().map(String::as_str))?)?;
            self.columns = Some(names.cloned().collect());
        }
        Ok(())
    }

    /// Writes a record.
    pub(crate) fn record(&mut self, fields: &Row, out: &mut dyn Write) -> Result<(), NotConverted> {
        let lossy = |what: String| Err(NotConverted::Lossy(what));
        if let Some(name) = twice(fields) {
            return lossy(two_fields(name));
        }
        if self.to == Kind::Jsonl {
            return Ok(write_object(fields, out)?);
        }
        self.heading(fields.iter().map(|(name, _)| name), out)?;
        if let Some((name, _)) = fields.iter().find(|(_, value)| *value == Value::Null) {
            return lossy(format!("its field '{name}' is null, which a table cannot distinguish from an empty field"));
        }
        let columns = self.columns.as_deref().unwrap_or_default();
        let values: HashMap<_, _> = fields.iter().map(|(name, value)| (name, value)).collect();
        if let Some(missing) = columns.iter().find(|column| !values.contains_key(column)) {
            return lossy(format!("it has no field '{missing}', which the first record has"));
        }
        if fields.len() > columns.len() {
            let known: HashSet<_> = columns.iter().collect();
            let more = fields.iter().find(|(name, _)| !known.contains(name)).map_or("", |(name, _)| name);
            return lossy(format!("it has a field '{more}', which the first record lacks"));
        }
        let row = self.row(columns.iter().filter_map(|column| values.get(column)).map(|value| value.spelt()))?;
        Ok(out.write_all(&row)?)
    }

    fn row<'a>(&self, values: impl Iterator<Item = &'a str>) -> io::Result<Vec<u8>> {
        let separator = if self.to == Kind::Tsv { b'\t' } else { b',' };
        let mut writer = csv::WriterBuilder::new().delimiter(separator).from_writer(Vec::new());
        writer.write_record(values)?;
        writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

/// The first name that an earlier field has too.
fn twice(fields: &Row) -> Option<&str> {
    let mut names = HashSet::with_capacity(fields.len());
    fields.iter().map(|(name, _)| name.as_str()).find(|name| !names.insert(*name))
}

/// The loss of a record with two fields of one name.
pub(crate) fn two_fields(name: &str) -> String {
    format!("it has two fields '{name}'")
}

fn write_object(fields: &Row, out: &mut dyn Write) -> io::Result<()> {
    for (at, (name, value)) in fields.iter().enumerate() {
        out.write_all(if at == 0 { b"{" } else { b"," })?;
        serde_json::to_writer(&mut *out, name)?;
        out.write_all(b":")?;
        match value {
            Value::Text(text) => serde_json::to_writer(&mut *out, text)?,
            Value::Plain(_) | Value::Null => out.write_all(value.spelt().as_bytes())?,
        }
    }
    out.write_all(if fields.is_empty() { b"{}\n" } else { b"}\n" })
}

/// The fields of a JSON object; `Err` is the reason why another format cannot hold them.
pub(crate) fn of_json(line: &str) -> Result<Row, String> {
    struct Object<'a>(Vec<(String, &'a RawValue)>);
    impl<'de: 'a, 'a> serde::Deserialize<'de> for Object<'a> {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Object(Vec::new()))
        }
    }
    impl<'de: 'a, 'a> serde::de::Visitor<'de> for Object<'a> {
        type Value = Self;

        fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            out.write_str("an object")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
            while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
                self.0.push((name, value));
            }
            Ok(self)
        }
    }
    let Object(fields) = serde_json::from_str(line).map_err(|error| format!("it cannot be read: {error}"))?;
    fields.into_iter().map(|(name, raw)| value(&name, raw.get()).map(|value| (name, value))).collect()
}

/// A value, parsed from its JSON source.
fn value(name: &str, raw: &str) -> Result<Value, String> {
    match raw.as_bytes().first() {
        Some(b'"') => {
            let text = serde_json::from_str::<String>(raw);
            text.map(Value::Text).map_err(|error| format!("its field '{name}' is not a valid string: {error}"))
        }
        Some(b'n') => Ok(Value::Null),
        Some(b'{' | b'[') => Err(format!("its field '{name}' is a list or an object")),
        _ => Ok(Value::Plain(raw.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn converted(to: Kind, records: Vec<Row>) -> Result<String, String> {
        let (mut converter, mut out) = (Converter::new(to), Vec::new());
        for record in records {
            match converter.record(&record, &mut out) {
                Err(NotConverted::Lossy(what)) => return Err(what),
                other => other.unwrap(),
            }
        }
        Ok(String::from_utf8(out).unwrap())
    }

    fn of_lines(to: Kind, lines: &str) -> Result<String, String> {
        converted(to, lines.lines().map(of_json).collect::<Result<_, _>>()?)
    }

    #[test]
    fn flat_objects_are_rows() {
        let lines = "{\"id\":\"a\",\"n\":1.50,\"text\":\"one, \\\"two\\\"\"}\n{\"n\":true,\"text\":\"\",\"id\":\"=b\"}";
        assert_eq!(of_lines(Kind::Csv, lines).unwrap(), "id,n,text\na,1.50,\"one, \"\"two\"\"\"\n=b,true,\n");
        assert_eq!(of_lines(Kind::Tsv, lines).unwrap(), "id\tn\ttext\na\t1.50\t\"one, \"\"two\"\"\"\n=b\ttrue\t\n");
        assert_eq!(of_lines(Kind::Csv, "{\"a\":\"\"}").unwrap(), "a\n\"\"\n", "no blank line, which is no row");
    }

    #[test]
    fn what_would_be_lost_is_told() {
        for (lines, expected) in [
            ("{\"a\":null}", "its field 'a' is null, which a table cannot distinguish from an empty field"),
            ("{\"a\":{}}", "its field 'a' is a list or an object"),
            ("{\"a\":[1]}", "its field 'a' is a list or an object"),
            ("{\"a\":\"x\",\"a\":\"y\"}", "it has two fields 'a'"),
            ("{\"a\":\"x\"}\n{\"b\":\"x\"}", "it has no field 'a', which the first record has"),
            ("{\"a\":\"x\"}\n{\"a\":\"x\",\"b\":1}", "it has a field 'b', which the first record lacks"),
        ] {
            assert_eq!(of_lines(Kind::Csv, lines).unwrap_err(), expected);
        }
        assert!(is_possible(Kind::Tsv, Kind::Jsonl) && is_possible(Kind::Parquet, Kind::Csv));
        assert!(!is_possible(Kind::Lines, Kind::Jsonl) && !is_possible(Kind::Csv, Kind::Lines));
    }

    proptest! {
        #[test]
        fn texts_come_back(values in prop::collection::vec(".{0,9}", 2)) {
            let record = || ["text", "a \"name\""].into_iter().zip(&values)
                .map(|(name, value)| (name.to_owned(), Value::Text(value.clone()))).collect::<Row>();
            prop_assert_eq!(of_json(&converted(Kind::Jsonl, vec![record()]).unwrap()).unwrap(), record());
            for (to, separator) in [(Kind::Csv, b','), (Kind::Tsv, b'\t')] {
                let table = converted(to, vec![record()]).unwrap();
                let mut reader = csv::ReaderBuilder::new().delimiter(separator).from_reader(table.as_bytes());
                let row = reader.records().next().unwrap().unwrap();
                prop_assert_eq!(row.iter().collect::<Vec<_>>(), values.iter().collect::<Vec<_>>());
            }
        }
    }
}
