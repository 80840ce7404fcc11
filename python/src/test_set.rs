//! The items of a test set, read from a table or an iterable, and what is said of them.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Fields, Schema};
use nearcopy::decontaminate::{Items, Undecidable};
use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::records::{row_fields, shown};
use nearcopy_dedup::jobs::decontaminate::benchmark::Parts;
use nearcopy_dedup::jobs::decontaminate::{ItemFound, rounded};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::arrow::{import, unusable};
use crate::run::Watcher;
use crate::table::rows;

/// The fields of an item.
pub(crate) type Record = Map<String, Value>;

/// The parts of an item, checked.
pub(crate) fn parts(fields: Vec<String>, need: Vec<String>, id: Option<String>) -> PyResult<Parts> {
    if fields.is_empty() {
        return Err(PyValueError::new_err("fields: name the parts of an item"));
    }
    if let Some((_, twice)) = fields.iter().enumerate().find(|(at, field)| fields[..*at].contains(field)) {
        return Err(PyValueError::new_err(format!("fields: '{twice}' is named twice; name each part of an item once")));
    }
    if let Some(unknown) = need.iter().find(|need| !fields.contains(need)) {
        let message = format!("need '{unknown}': is no part of an item; name it in fields too");
        return Err(PyValueError::new_err(message));
    }
    Ok(Parts { fields, need, id })
}

/// Checks that a field is a column, or leads into one; `of` is the argument that names it.
fn expect_column(columns: &Fields, of: &str, field: &str) -> PyResult<()> {
    let names: Vec<&str> = columns.iter().map(|column| column.name().as_str()).collect();
    let leads = |name: &&str| field.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    if names.iter().any(leads) {
        return Ok(());
    }
    let names = names.join(", ");
    Err(PyKeyError::new_err(format!("against: no column '{field}'; name one of these by {of}=: {names}")))
}

/// The items of a test set: Arrow data, or an iterable of JSON.
pub(crate) fn records(against: &Bound<'_, PyAny>, parts: &Parts) -> PyResult<Vec<Record>> {
    let mut records = Vec::new();
    let Some(arrays) = import(against)? else {
        for (row, record) in against.try_iter()?.enumerate() {
            let parsed = serde_json::from_str(record?.extract()?);
            records.push(parsed.map_err(|error| PyValueError::new_err(format!("row {row} of against: {error}")))?);
        }
        return Ok(records);
    };
    if let DataType::Struct(columns) = arrays.field.data_type() {
        parts.fields.iter().try_for_each(|field| expect_column(columns, "fields", field))?;
        parts.id.iter().try_for_each(|id| expect_column(columns, "item_id", id))?;
    }
    for array in arrays.arrays {
        let array = array.map_err(unusable)?;
        if let DataType::Struct(fields) = array.data_type() {
            let columns = array.as_struct().columns().to_vec();
            let batch = RecordBatch::try_new(Arc::new(Schema::new(fields.clone())), columns).map_err(unusable)?;
            records.extend((0..batch.num_rows()).map(|row| row_fields(&batch, row)));
        } else {
            let of = |row| [("text".to_owned(), shown(&array, row).map_or(Value::Null, Value::String))];
            records.extend((0..array.len()).map(|row| of(row).into_iter().collect::<Record>()));
        }
    }
    Ok(records)
}

/// The items of a test set.
pub(crate) struct TestSet {
    pub(crate) items: Arc<Items>,
    /// The row of each item.
    pub(crate) rows: Vec<usize>,
    /// The id of each item that has one; `None` if no field of ids was named.
    pub(crate) ids: Option<Vec<Option<String>>>,
    /// Why rows were left out, if some were.
    pub(crate) left_out: Option<String>,
}

impl TestSet {
    /// The items of records; `with_texts` for a search in other words.
    pub(crate) fn of(records: &[Record], parts: &Parts, with_texts: bool, watcher: &Watcher) -> nearcopy::Result<Self> {
        watcher.begin("reading the test set", Some(records.len() as u64));
        let mut items = if with_texts { Items::with_texts() } else { Items::default() };
        let (mut rows, mut ids, mut left_out) = (Vec::new(), Vec::new(), None);
        let mut nowhere = parts.nowhere();
        for (row, record) in records.iter().enumerate() {
            go_on(watcher)?;
            watcher.advance(1);
            nowhere.note(record);
            match parts.push(&mut items, 0, record) {
                Ok(()) => {
                    rows.push(row);
                    ids.push(parts.id(record));
                }
                Err(missing) => {
                    let why = || format!("row {row} of against: {missing}; name its parts by fields=");
                    left_out.get_or_insert_with(why);
                }
            }
        }
        if rows.is_empty() {
            let why = left_out.take().unwrap_or_else(|| "against: has no items".to_owned());
            watcher.fail(PyValueError::new_err(why));
        } else if let Some(field) = nowhere.first() {
            let message = format!("no item of against has the field '{field}'; check its name, or leave it out");
            watcher.fail(PyValueError::new_err(message));
        }
        go_on(watcher)?;
        let without = records.len() - rows.len();
        let left_out = left_out.map(|first| format!("{without} of {} items left out; {first}", records.len()));
        Ok(Self { items: Arc::new(items.ready()), rows, ids: parts.id.is_some().then_some(ids), left_out })
    }

    /// The columns that name these items: the row, and the id if a field of ids was named.
    pub(crate) fn named(
        &self,
        items: &[usize],
        [row, id]: [&'static str; 2],
    ) -> impl Iterator<Item = (&'static str, ArrayRef)> {
        let named = self.ids.as_ref().map(|ids| {
            let ids: StringArray = items.iter().map(|&item| ids[item].as_deref()).collect();
            (id, Arc::new(ids) as ArrayRef)
        });
        [(row, rows(items.iter().map(|&item| Some(self.rows[item]))))].into_iter().chain(named)
    }

    /// The columns of what is said of all items, except for documents.
    pub(crate) fn verdicts<D: Clone + Default>(&self, all: &[ItemFound<D>]) -> Vec<(&'static str, ArrayRef)> {
        let verdict = all.iter().map(|item| Some(item.verdict().name()));
        let reason = all.iter().map(|item| item.undecidable.map(Undecidable::name));
        let mut columns: Vec<_> = self.named(&(0..all.len()).collect::<Vec<_>>(), ["row", "id"]).collect();
        columns.extend([
            ("verdict", Arc::new(verdict.collect::<StringArray>()) as ArrayRef),
            ("reason", Arc::new(reason.collect::<StringArray>())),
            ("words", rows(all.iter().map(|item| Some(item.words as usize)))),
            ("documents", rows(all.iter().map(|item| Some(item.documents as usize)))),
            ("rewritten", rows(all.iter().map(|item| Some(item.rewritten as usize)))),
            ("coverage", Arc::new(all.iter().map(|item| Some(rounded(item.coverage))).collect::<Float64Array>())),
        ]);
        columns
    }
}
