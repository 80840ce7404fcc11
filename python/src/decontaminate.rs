//! Items of test sets among texts.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Schema};
use nearcopy::Keep;
use nearcopy::cutting::{Documents as _, Made, Place};
use nearcopy::decontaminate::{Counts, Found, Items, Lookup, Telling, Undecidable};
use nearcopy::observer::{Observer, go_on};
use nearcopy_corpus::records::{row_fields, shown};
use nearcopy_dedup::jobs::decontaminate::benchmark::Parts;
use nearcopy_dedup::jobs::decontaminate::{ItemFound, in_characters, rounded};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value};

use crate::arrow::{import, unusable};
use crate::corpus::{Corpus, Span};
use crate::options::{self, Keeping};
use crate::run::{Watcher, run_within};
use crate::table::{Table, rows, table};
use crate::texts::Source;

/// The fields of an item.
type Record = Map<String, Value>;

/// The spans of items, the fates of the rows, the number of words of all texts, the items, and the reason why some were
/// left out.
type Decontaminated = (Table, Table, u64, Table, Option<String>);

/// Finds the items of a test set in texts.
#[pyfunction]
#[pyo3(signature = (texts, text, id, against, fields, need, item_id, coverage, threads, max_memory, progress))]
pub(crate) fn decontaminate(
    texts: &Bound<'_, PyAny>,
    text: &str,
    id: Option<&str>,
    against: &Bound<'_, PyAny>,
    fields: Vec<String>,
    need: Vec<String>,
    item_id: Option<String>,
    coverage: f64,
    threads: Option<usize>,
    max_memory: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Decontaminated> {
    let parts = Parts { fields, need, id: item_id };
    if parts.fields.is_empty() {
        return Err(PyValueError::new_err("fields: name the parts of an item"));
    }
    if let Some(unknown) = parts.need.iter().find(|need| !parts.fields.contains(need)) {
        let message = format!("need '{unknown}': is no part of an item; name it in fields too");
        return Err(PyValueError::new_err(message));
    }
    let (coverage, threads) = (options::share("coverage", coverage)?, options::threads(threads)?);
    let source = Source::of(texts, text, id)?;
    let records = records(against)?;
    run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
        let benchmark = Benchmark::of(&records, &parts, watcher)?;
        drop(records);
        let mut corpus = Corpus::of(source, &Keeping::Text(Keep::First), None, threads, watcher)?;
        search(&mut corpus, benchmark, coverage, parts.id.is_some())
    })
}

/// The items of a test set: Arrow data, or an iterable of JSON.
fn records(against: &Bound<'_, PyAny>) -> PyResult<Vec<Record>> {
    let mut records = Vec::new();
    let Some(arrays) = import(against)? else {
        for (row, record) in against.try_iter()?.enumerate() {
            let parsed = serde_json::from_str(record?.extract()?);
            records.push(parsed.map_err(|error| PyValueError::new_err(format!("row {row} of against: {error}")))?);
        }
        return Ok(records);
    };
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
struct Benchmark {
    items: Items,
    /// The row of each item, and its id if it has one.
    rows: Vec<usize>,
    ids: Vec<Option<String>>,
    /// Why rows were left out, if some were.
    left_out: Option<String>,
}

impl Benchmark {
    fn of(records: &[Record], parts: &Parts, watcher: &Watcher) -> nearcopy::Result<Self> {
        watcher.begin("reading the test set", Some(records.len() as u64));
        let mut read = Self { items: Items::default(), rows: Vec::new(), ids: Vec::new(), left_out: None };
        for (row, record) in records.iter().enumerate() {
            go_on(watcher)?;
            watcher.advance(1);
            match parts.push(&mut read.items, 0, record) {
                Ok(()) => {
                    read.rows.push(row);
                    read.ids.push(parts.id(record));
                }
                Err(missing) => {
                    let why = || format!("row {row} of against: {missing}; name its parts by fields=");
                    read.left_out.get_or_insert_with(why);
                }
            }
        }
        if read.rows.is_empty() {
            let why = read.left_out.take().unwrap_or_else(|| "against: has no items".to_owned());
            watcher.fail(PyValueError::new_err(why));
        }
        go_on(watcher)?;
        let left_out = records.len() - read.rows.len();
        read.left_out = read.left_out.map(|first| format!("{left_out} of {} items left out; {first}", records.len()));
        read.items = read.items.ready();
        Ok(read)
    }
}

/// True if a document has an n-gram of an item.
struct HasItems(bool);

impl Made for HasItems {
    fn size(&self) -> usize {
        size_of::<Self>()
    }
}

/// The items in a document, and their spans in characters.
#[derive(Default)]
struct InDocument {
    found: Vec<Found>,
    characters: Vec<Vec<Range<usize>>>,
}

impl Made for InDocument {
    fn size(&self) -> usize {
        size_of::<Self>() + self.found.len() * (size_of::<Found>() + 64)
    }
}

fn search(
    corpus: &mut Corpus<'_>,
    benchmark: Benchmark,
    coverage: f64,
    has_ids: bool,
) -> nearcopy::Result<Decontaminated> {
    let Benchmark { items, rows: of_items, ids, left_out } = benchmark;
    let counts = Counts::new(&items);
    let mut noted = vec![false; corpus.len()];
    let count = |lookup: &mut Lookup, _, text: &str| HasItems(counts.count(&items, lookup, text));
    corpus.each("counting", &Lookup::default, &count, &mut |document, HasItems(has)| {
        noted[document.key as usize] = has;
        Ok(())
    })?;
    let telling = Telling::new(&items, &counts, coverage);
    let mut all: Vec<ItemFound<u32>> = ItemFound::all(&telling, &items);
    let find = |lookup: &mut Lookup, key: u64, text: &str| {
        if !noted[key as usize] {
            return InDocument::default();
        }
        let found = telling.find(lookup, text);
        InDocument { characters: in_characters(text, &found), found }
    };
    let (mut spans, mut of_spans, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    corpus.each("searching", &Lookup::default, &find, &mut |document, mut made| {
        let document = document.key as u32;
        ItemFound::note(&mut all, &document, &mut made.found, &mut made.characters);
        for (found, characters) in made.found.iter().zip(made.characters) {
            for (bytes, characters) in found.spans.iter().zip(characters) {
                let place = |byte: usize, character: usize| Place { byte: byte as u32, character: character as u32 };
                let ends = [place(bytes.start, characters.start), place(bytes.end, characters.end)];
                spans.push(Span { document, ends, words: found.words });
                of_spans.push(found.item as usize);
                shares.push(rounded(found.coverage));
            }
        }
        Ok(())
    })?;
    let id = |item: usize| ids[item].as_deref();
    let mut more = vec![("item", rows(of_spans.iter().map(|&item| Some(of_items[item]))))];
    if has_ids {
        more.push(("item_id", Arc::new(of_spans.iter().map(|&item| id(item)).collect::<StringArray>())));
    }
    more.push(("coverage", Arc::new(Float64Array::from(shares))));
    let fates = corpus.fates(spans.iter().map(|span| span.document), &[], &[]);
    let mut columns = vec![("row", rows(of_items.iter().map(|&row| Some(row))))];
    if has_ids {
        columns.push(("id", Arc::new((0..ids.len()).map(id).collect::<StringArray>())));
    }
    columns.extend(verdicts(&all, corpus));
    Ok((corpus.spans(&spans, more), fates, counts.words(), table(columns), left_out))
}

/// The columns of what is said of items.
fn verdicts(all: &[ItemFound<u32>], corpus: &Corpus<'_>) -> Vec<(&'static str, ArrayRef)> {
    let verdict = all.iter().map(|item| Some(item.verdict().name()));
    let reason = all.iter().map(|item| item.undecidable.map(Undecidable::name));
    let most = all.iter().map(|item| item.document).collect::<Vec<_>>();
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("verdict", Arc::new(verdict.collect::<StringArray>())),
        ("reason", Arc::new(reason.collect::<StringArray>())),
        ("words", rows(all.iter().map(|item| Some(item.words as usize)))),
        ("documents", rows(all.iter().map(|item| Some(item.documents as usize)))),
        ("coverage", Arc::new(all.iter().map(|item| Some(rounded(item.coverage))).collect::<Float64Array>())),
    ];
    let named = corpus.named(&most).into_iter();
    columns.extend(named.map(|(name, column)| (if name == "id" { "document_id" } else { "document" }, column)));
    columns
}
