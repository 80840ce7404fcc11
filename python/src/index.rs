//! An index of texts on disk.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, BooleanArray, Int32Array, StringArray};
use nearcopy::search::effort::Effort;
use nearcopy::texts::index::{Known, Rejected, Unique};
use nearcopy::{Contents, Index as LibraryIndex};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::fingerprinter::Fingerprinter;
use crate::options;
use crate::run::{run, run_within};
use crate::table::{Likeness, Table, rows, table};
use crate::texts::Source;

/// Memory for the search among the documents that are added, in bytes.
const MAX_MEMORY: usize = 1 << 29;

/// An index of texts on disk.
///
/// No lock is held while rows are read: an iterator of Python may ask the index for the ids that it has.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Index {
    path: PathBuf,
    /// The index as of opening it, or of the last change by this object.
    present: Mutex<Arc<LibraryIndex>>,
}

#[pymethods]
impl Index {
    /// Makes an index in a new folder.
    #[staticmethod]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        fingerprinter: &Fingerprinter,
        similarity: Option<f64>,
        distance: Option<i128>,
        passages: bool,
    ) -> PyResult<Self> {
        let mut contents = Contents::default();
        (contents.rules, contents.passages) = (options::rules(similarity, distance)?, passages);
        let created = py.detach(|| LibraryIndex::create(&path, &fingerprinter.options, contents));
        created.map(|index| Self::new(path, index)).map_err(raised)
    }

    /// Opens an index.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| LibraryIndex::open(&path));
        opened.map(|index| Self::new(path, index)).map_err(raised)
    }

    fn __len__(&self) -> usize {
        self.present().len()
    }

    fn __contains__(&self, id: &str) -> bool {
        self.present().contains(id)
    }

    /// Adds rows. For each row: if it was added, and else the document that it is near to.
    #[pyo3(signature = (texts, text, id, known, unique, similarity, distance, threads, max_memory, progress))]
    fn add(
        &self,
        texts: &Bound<'_, PyAny>,
        text: &str,
        id: &str,
        known: &str,
        unique: Option<&str>,
        similarity: Option<f64>,
        distance: Option<i128>,
        threads: Option<i128>,
        max_memory: Option<i128>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let known = match known {
            "refuse" => Known::Refuse,
            "skip" => Known::Skip,
            "replace" => Known::Replace,
            _ => return Err(PyValueError::new_err(format!("known '{known}': expected refuse, skip or replace"))),
        };
        let removing = options::removing("unique", unique, similarity, distance)?;
        let threads = options::threads(threads)?;
        let max_memory = options::max_memory(max_memory)?;
        let effort = Effort { threads, max_memory: max_memory.map_or(MAX_MEMORY, |bytes| bytes / 2) };
        let recall = nearcopy::texts::index::RECALL;
        let unique = removing.map(|(claim, rules)| Unique { claim, rules, recall, effort });
        let source = Source::of(texts, text, Some(id))?;
        run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
            let mut documents = source.documents(watcher);
            documents.needs_ids = true;
            let mut rejected = HashMap::new();
            let mut reject = |near: &Rejected<'_>| {
                rejected.insert(near.document, (near.resembles.to_owned(), (near.figures, near.rules), near.removal));
            };
            let added = self
                .change(|index| index.add_documents(&mut documents, (known, unique), threads, watcher, &mut reject))?;
            let positions = documents.positions;
            let (mut likeness, mut resembles) = (Likeness::default(), Vec::new());
            let mut takes = vec![false; positions.rows];
            let mut of_rows: Vec<Option<u32>> = vec![None; positions.rows];
            for (document, &is_taken) in added.takes.iter().enumerate() {
                takes[positions.row(document)] = is_taken;
                of_rows[positions.row(document)] = Some(document as u32);
            }
            for document in of_rows {
                let near = document.and_then(|document| rejected.remove(&document));
                likeness.push(
                    near.as_ref().map(|&(_, judged, _)| judged),
                    near.as_ref().and_then(|&(_, _, removal)| removal),
                );
                resembles.push(near.map(|(id, ..)| id));
            }
            let mut columns: Vec<(&str, ArrayRef)> = vec![
                ("added", Arc::new(BooleanArray::from(takes))),
                ("resembles", Arc::new(StringArray::from(resembles))),
            ];
            columns.extend(likeness.columns());
            Ok(table(columns))
        })
    }

    /// The documents that are near to each row, most similar first.
    fn query(
        &self,
        texts: &Bound<'_, PyAny>,
        text: &str,
        similarity: Option<f64>,
        distance: Option<i128>,
        top: Option<i128>,
        threads: Option<i128>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let rules = options::rules(similarity, distance)?;
        let threads = options::threads(threads)?;
        let top = top.map(|top| options::number("top", top, 0, u32::MAX)).transpose()?;
        let top = top.map_or(usize::MAX, |top| top as usize);
        let source = Source::of(texts, text, None)?;
        run(texts.py(), progress.as_ref(), |watcher| {
            let mut documents = source.documents(watcher);
            let texts = documents.by_ref().map(|(_, text)| text);
            let (mut likeness, mut found, mut ids, mut ranks) =
                (Likeness::default(), Vec::new(), Vec::new(), Vec::<i32>::new());
            self.present().query_documents(texts, (rules, top), threads, watcher, |document, id, near| {
                let rank = match (found.last(), ranks.last()) {
                    (Some(&last), Some(&rank)) if last == document => rank + 1,
                    _ => 1,
                };
                found.push(document);
                ranks.push(rank);
                ids.push(id.to_owned());
                likeness.push(Some((near.figures, near.rules)), near.removal);
            })?;
            let positions = documents.positions;
            let mut columns: Vec<(&str, ArrayRef)> = vec![
                ("row", rows(found.iter().map(|&document| Some(positions.row(document as usize))))),
                ("id", Arc::new(StringArray::from_iter_values(ids))),
                ("rank", Arc::new(Int32Array::from(ranks))),
            ];
            columns.extend(likeness.columns());
            Ok(table(columns))
        })
    }

    /// Removes documents; returns true for each id that there was.
    fn remove(&self, py: Python<'_>, ids: Vec<String>) -> PyResult<Vec<bool>> {
        run(py, None, |_| self.change(|index| index.remove_all(ids.iter().map(String::as_str))))
    }

    /// Merges all segments into one, without the removed documents.
    fn compact(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        run(py, progress.as_ref(), |watcher| self.change(|index| index.compact(watcher)))
    }
}

impl Index {
    fn new(path: PathBuf, index: LibraryIndex) -> Self {
        Self { path, present: Mutex::new(Arc::new(index)) }
    }

    fn present(&self) -> Arc<LibraryIndex> {
        Arc::clone(&self.present.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Changes the index on disk, and takes note of the change.
    fn change<T>(&self, change: impl FnOnce(&mut LibraryIndex) -> nearcopy::Result<T>) -> nearcopy::Result<T> {
        let changed = change(&mut LibraryIndex::open(&self.path)?);
        // After some errors the change is made all the same. Of two threads, the last to come opens the newest.
        let mut present = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        match LibraryIndex::open(&self.path) {
            Ok(index) => *present = Arc::new(index),
            Err(error) if changed.is_ok() => return Err(error),
            Err(_) => {}
        }
        changed
    }
}
