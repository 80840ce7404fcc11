//! The rows of a table, a list or an iterator, one by one: an id, a text, which is not copied, and a sort key.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray, StructArray, make_array};
use arrow_schema::{DataType, Field, Fields};
use nearcopy::Observer;
use nearcopy_corpus::records::shown;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyIterator;

use crate::arrow::{Imported, import, unusable};
use crate::objects::{Taken, taken};
use crate::run::Watcher;

/// The rows of a Python object.
pub(crate) struct Source {
    rows: Rows,
    pub(crate) has_ids: bool,
}

enum Rows {
    Arrow { arrays: Imported, columns: Columns },
    Python { rows: Py<PyIterator>, has_more: bool },
}

/// The names of the columns that are used.
#[derive(Clone, Copy)]
pub(crate) struct Names<'a> {
    pub(crate) text: &'a str,
    pub(crate) id: Option<&'a str>,
    /// The column of sort keys.
    pub(crate) key: Option<&'a str>,
    /// The column of addresses.
    pub(crate) url: Option<&'a str>,
}

/// The columns of a table that are used; without any, the array is the column of texts.
struct Columns(Option<Places>);

/// The places of the columns of texts, ids, sort keys and addresses.
struct Places {
    text: usize,
    id: Option<usize>,
    key: Option<usize>,
    url: Option<usize>,
}

impl Source {
    /// The rows of an object: Arrow data, whose columns have these names, or else an iterable of texts, or of ids and
    /// texts if `id` is not `None`.
    pub(crate) fn of(object: &Bound<'_, PyAny>, text: &str, id: Option<&str>) -> PyResult<Self> {
        Self::with(object, Names { text, id, key: None, url: None })
    }

    /// As [`Source::of`], with columns of sort keys and addresses; if either has a name, an iterable gives ids, texts, sort
    /// keys and addresses.
    pub(crate) fn with(object: &Bound<'_, PyAny>, Names { text, id, key, url }: Names<'_>) -> PyResult<Self> {
        let Some(arrays) = import(object)? else {
            let found = || object.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
            let iterator = object.try_iter().map_err(|_| {
                PyTypeError::new_err(format!(
                    "{}: expected a table or an array with the Arrow interface, a list of str, or an iterator of str",
                    found()
                ))
            })?;
            return Ok(Self {
                rows: Rows::Python { rows: iterator.unbind(), has_more: key.is_some() || url.is_some() },
                has_ids: id.is_some(),
            });
        };
        let columns = if let DataType::Struct(fields) = arrays.field.data_type() {
            let text = place(fields, "text", text)?;
            expect(&fields[text], is_text, TEXT)?;
            let id = id.map(|id| place(fields, "id", id)).transpose()?;
            let is_id: fn(&DataType) -> bool = |of| is_text(of) || of.is_integer();
            id.map_or(Ok(()), |id| expect(&fields[id], is_id, "strings or integers"))?;
            let key = key.map(|key| place(fields, "keep", key)).transpose()?;
            key.map_or(Ok(()), |key| expect_key(fields[key].name(), fields[key].data_type()))?;
            let url = url.map(|url| place(fields, "url", url)).transpose()?;
            url.map_or(Ok(()), |url| expect(&fields[url], is_text, TEXT))?;
            Columns(Some(Places { text, id, key, url }))
        } else {
            expect(&arrays.field, is_text, TEXT)?;
            if let Some((name, of)) = key.map(|key| (key, "keep")).or(url.map(|url| (url, "url"))) {
                return Err(PyKeyError::new_err(format!(
                    "no column '{name}', which {of} names: these are texts alone"
                )));
            }
            Columns(None)
        };
        Ok(Self {
            has_ids: matches!(columns, Columns(Some(Places { id: Some(_), .. }))),
            rows: Rows::Arrow { arrays, columns },
        })
    }

    /// Its documents. An error of the source goes to the watcher, and ends them.
    pub(crate) fn documents(self, watcher: &Watcher) -> Documents<'_> {
        let (waiting, positions) = (Batch::Python(Vec::new().into_iter()), Positions::default());
        Documents { rows: self.rows, watcher, waiting, positions, needs_ids: false }
    }
}

/// The place of a column; `of` is the argument that names it.
fn place(fields: &Fields, of: &str, name: &str) -> PyResult<usize> {
    let names: Vec<&str> = fields.iter().map(|field| field.name().as_str()).collect();
    names.iter().position(|found| *found == name).ok_or_else(|| {
        let names = names.join(", ");
        PyKeyError::new_err(format!("no column '{name}'; name one of these by {of}=: {names}"))
    })
}

const TEXT: &str = "strings (utf8, large_utf8, string_view, or a dictionary of these)";

fn is_text(of: &DataType) -> bool {
    match of {
        // A column without a value may be of any type.
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View | DataType::Null => true,
        DataType::Dictionary(_, values) => is_text(values),
        _ => false,
    }
}

fn is_key(of: &DataType) -> bool {
    match of {
        DataType::Boolean
        | DataType::Date32
        | DataType::Date64
        | DataType::Time32(_)
        | DataType::Time64(_)
        | DataType::Timestamp(..) => true,
        DataType::Dictionary(_, values) => is_key(values),
        of => is_text(of) || of.is_numeric(),
    }
}

/// Checks that a column of this type can have sort keys.
pub(crate) fn expect_key(name: &str, of: &DataType) -> PyResult<()> {
    expect(&Field::new(name, of.clone(), true), is_key, "strings, numbers or times")
}

fn expect(field: &Field, is_fit: fn(&DataType) -> bool, expected: &str) -> PyResult<()> {
    if is_fit(field.data_type()) {
        return Ok(());
    }
    let name = if field.name().is_empty() { "the array".to_owned() } else { format!("column '{}'", field.name()) };
    Err(PyTypeError::new_err(format!("{name}: is of type {}; expected {expected}", field.data_type())))
}

/// A column of texts.
pub(crate) enum Texts {
    Utf8(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    /// The number of each row's value, and the values.
    Dictionary(ArrayRef, Box<Texts>),
}

impl Texts {
    fn of(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string().clone()),
            DataType::LargeUtf8 => Self::Large(array.as_string().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone()),
            DataType::Null => Self::Utf8(StringArray::new_null(array.len())),
            _ => {
                let dictionary = array.as_any_dictionary();
                Self::Dictionary(make_array(dictionary.keys().to_data()), Box::new(Self::of(dictionary.values())))
            }
        }
    }

    fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Utf8(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Large(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::View(texts) => texts.is_valid(row).then(|| texts.value(row)),
            Self::Dictionary(keys, texts) => {
                integer(keys, row).and_then(|key| usize::try_from(key).ok()).and_then(|key| texts.get(key))
            }
        }
    }
}

/// The number at a row of a column of integers.
fn integer(array: &ArrayRef, row: usize) -> Option<i128> {
    macro_rules! value {
        ($of:ty) => {
            array.as_primitive::<$of>().value(row).into()
        };
    }
    array.is_valid(row).then(|| match array.data_type() {
        DataType::Int8 => value!(Int8Type),
        DataType::Int16 => value!(Int16Type),
        DataType::Int32 => value!(Int32Type),
        DataType::Int64 => value!(Int64Type),
        DataType::UInt8 => value!(UInt8Type),
        DataType::UInt16 => value!(UInt16Type),
        DataType::UInt32 => value!(UInt32Type),
        _ => value!(UInt64Type),
    })
}

/// A column of ids.
enum Ids {
    Texts(Texts),
    Numbers(ArrayRef),
}

impl Ids {
    fn of(array: &ArrayRef) -> Self {
        if array.data_type().is_integer() { Self::Numbers(array.clone()) } else { Self::Texts(Texts::of(array)) }
    }

    fn get(&self, row: usize) -> Option<String> {
        match self {
            Self::Texts(texts) => texts.get(row).map(str::to_owned),
            Self::Numbers(numbers) => integer(numbers, row).map(|number| number.to_string()),
        }
    }
}

/// Rows that were read together.
enum Batch {
    Arrow { texts: Arc<Texts>, ids: Option<Ids>, keys: Option<ArrayRef>, urls: Option<ArrayRef>, rows: Range<usize> },
    Python(std::vec::IntoIter<Taken>),
}

impl Batch {
    fn of(array: &ArrayRef, columns: &Columns) -> Self {
        let rows = 0..array.len();
        match columns.0 {
            None => Self::Arrow { texts: Arc::new(Texts::of(array)), ids: None, keys: None, urls: None, rows },
            Some(Places { text, id, key, url }) => {
                let table: &StructArray = array.as_struct();
                Self::Arrow {
                    texts: Arc::new(Texts::of(table.column(text))),
                    ids: id.map(|id| Ids::of(table.column(id))),
                    keys: key.map(|key| table.column(key).clone()),
                    urls: url.map(|url| table.column(url).clone()),
                    rows,
                }
            }
        }
    }
}

impl Iterator for Batch {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        match self {
            Self::Python(rows) => rows.next().map(Row::from),
            Self::Arrow { texts, ids, keys, urls, rows } => {
                let row = rows.next()?;
                let text = texts.get(row).is_some().then(|| Text::Arrow(Arc::clone(texts), row));
                let key = keys.as_ref().and_then(|keys| shown(keys, row));
                let url = urls.as_ref().and_then(|urls| shown(urls, row));
                Some(Row { id: ids.as_ref().and_then(|ids| ids.get(row)), text, key, url })
            }
        }
    }
}

/// A text, in the memory of the object that it came from.
pub(crate) enum Text {
    /// A row of a column, which has a text there.
    Arrow(Arc<Texts>, usize),
    Python(PyBackedStr),
}

impl From<Taken> for Row {
    fn from(Taken { id, text, key, url }: Taken) -> Self {
        Self { id, text: text.map(Text::Python), key, url }
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        match self {
            Self::Arrow(texts, row) => texts.get(*row).unwrap_or_default(),
            Self::Python(text) => text,
        }
    }
}

/// A row.
pub(crate) struct Row {
    /// Its id, if it has one.
    pub(crate) id: Option<String>,
    /// Its text, if it is not null.
    pub(crate) text: Option<Text>,
    /// Its sort key and its address, if it has them.
    pub(crate) key: Option<String>,
    pub(crate) url: Option<String>,
}

/// The id of a row without one: its number.
pub(crate) fn number_as_id(row: usize) -> String {
    format!("{row:010}")
}

/// The row of each document, as rows without a text are not documents.
#[derive(Default)]
pub(crate) struct Positions {
    /// Number of rows.
    pub(crate) rows: usize,
    /// The rows of all documents, from the first null on.
    of: Option<Vec<u32>>,
}

impl Positions {
    /// The row of a document.
    pub(crate) fn row(&self, document: usize) -> usize {
        self.of.as_ref().map_or(document, |of| of[document] as usize)
    }

    /// Number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.of.as_ref().map_or(self.rows, Vec::len)
    }

    fn push(&mut self, is_document: bool) {
        let row = self.rows as u32;
        if !is_document {
            self.of.get_or_insert_with(|| (0..row).collect());
        } else if let Some(of) = &mut self.of {
            of.push(row);
        }
        self.rows += 1;
    }
}

/// The documents of a source: each an id and a text.
///
/// A row without an id gets its number, with zeros in front: of rows that the policy ranks equal, the first survives.
pub(crate) struct Documents<'w> {
    rows: Rows,
    watcher: &'w Watcher,
    /// The rows that were read together with the last one.
    waiting: Batch,
    pub(crate) positions: Positions,
    /// True if a document without an id is an error.
    pub(crate) needs_ids: bool,
}

impl Documents<'_> {
    /// The next row; null rows too. None once the work is stopped.
    pub(crate) fn next_row(&mut self) -> Option<Row> {
        while !self.watcher.is_stopped() {
            if let Some(row) = self.waiting.next() {
                self.positions.push(row.text.is_some());
                return Some(row);
            }
            let more: Option<PyResult<Batch>> = match &mut self.rows {
                Rows::Arrow { arrays, columns } => {
                    arrays.arrays.next().map(|array| Ok(Batch::of(&array.map_err(unusable)?, columns)))
                }
                Rows::Python { rows, has_more } => {
                    let first = self.positions.rows;
                    let taken = Python::attach(|py| taken(rows.bind(py), *has_more, first).transpose());
                    taken.map(|rows| Ok(Batch::Python(rows?.into_iter())))
                }
            };
            match more? {
                Ok(batch) => self.waiting = batch,
                Err(error) => {
                    self.watcher.fail(error);
                    return None;
                }
            }
        }
        None
    }
}

impl Documents<'_> {
    /// The documents, each with its sort key.
    pub(crate) fn with_keys(&mut self) -> impl Iterator<Item = (String, Text, Option<String>)> {
        std::iter::from_fn(|| self.next_document())
    }

    fn next_document(&mut self) -> Option<(String, Text, Option<String>)> {
        loop {
            if let Row { id, text: Some(text), key, .. } = self.next_row()? {
                let row = self.positions.rows - 1;
                if self.needs_ids && id.is_none() {
                    self.watcher
                        .fail(PyValueError::new_err(format!("row {row}: has no id; an index needs one of each text")));
                    return None;
                }
                return Some((id.unwrap_or_else(|| number_as_id(row)), text, key));
            }
        }
    }
}

impl Iterator for Documents<'_> {
    type Item = (String, Text);

    fn next(&mut self) -> Option<Self::Item> {
        self.next_document().map(|(id, text, _)| (id, text))
    }
}
