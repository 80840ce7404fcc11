//! Removals among the documents of some components of a corpus that is spread over machines.
//!
//! The decision of [`nearcopy::search::removals`] about a document depends only on documents that share words or keys with
//! it, in any number of steps. So components that come together give what the whole corpus gives, and here they do: it is the
//! same code.
//!
//! Cost: as in one process; fingerprints beyond half of the bound of memory go to temporary files.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Int64Array};
use nearcopy::durable::scratch;
use nearcopy::search::effort::Effort;
use nearcopy::store::file::collection::Collection;
use nearcopy::store::file::format::{Counts, InputFile, Provenance, Sections};
use nearcopy::store::file::write::{Entry, Memory, Writer};
use nearcopy::texts::loaded::{LoadedCorpus, Search};
use nearcopy::{Keep, Removal};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::{numbers, streamed};
use crate::distributed::{Fingerprints, Row, Steps};
use crate::errors::raised;
use crate::table::{Likeness, Table, table};

/// The documents that go by some claim, among whole components of documents in the order of the policy: `place`,
/// `simhash`, `sketch`, `shingles`, `digest`, `letters` and `words`.
///
/// Each has its `place`, that of its `survivor`, the figures and the claim; `goes` is false if only a wider claim than
/// that of the steps removes it.
#[pyfunction]
pub(crate) fn clean(
    py: Python<'_>,
    steps: &Bound<'_, Steps>,
    documents: &Bound<'_, PyAny>,
    max_memory: usize,
) -> PyResult<Table> {
    let steps = steps.get();
    let widest = steps.remove.ok_or_else(|| PyValueError::new_err("these steps remove nothing"))?;
    let effort = Effort { threads: 1, max_memory: max_memory / 2 };
    let (places, collection) = read(steps, documents, effort.max_memory)?;
    py.detach(|| {
        let corpus = LoadedCorpus::new(collection, None, scratch::parent(), None);
        let plan = corpus.plan(&Search { rules: steps.rules, recall: steps.recall, effort });
        let removals = corpus.removals(&plan, &Keep::First.into(), effort, &()).map_err(raised)?;
        let gone = removals.gone(widest).map(|(claim, pair)| (pair, claim, true));
        let to_review = removals.to_review(widest, None);
        let to_review = to_review.into_iter().map(|(claim, pair)| (pair, claim, false));
        let mut all: Vec<([u32; 2], Removal, bool)> = gone.chain(to_review).collect();
        all.sort_unstable_by_key(|(pair, ..)| *pair);
        let mut likeness = Likeness::default();
        let pairs = all.iter().map(|(pair, ..)| *pair);
        let judged = corpus.collection.judge_each(pairs, &plan.rules, effort.threads);
        for ((_, claim, _), judged) in all.iter().zip(judged) {
            likeness.push(Some(judged), Some(*claim));
        }
        let place = |side: usize| -> ArrayRef {
            Arc::new(all.iter().map(|(pair, ..)| places[pair[side] as usize]).collect::<Int64Array>())
        };
        let goes = BooleanArray::from(all.iter().map(|(.., goes)| *goes).collect::<Vec<_>>());
        let mut columns: Vec<(&str, ArrayRef)> =
            vec![("place", place(0)), ("survivor", place(1)), ("goes", Arc::new(goes))];
        columns.extend(likeness.columns());
        Ok(table(columns))
    })
}

/// The places of documents and their fingerprints, of which so many bytes stay in memory.
fn read(steps: &Steps, documents: &Bound<'_, PyAny>, bound: usize) -> PyResult<(Vec<i64>, Collection)> {
    let recipe = nearcopy::Fingerprinter::new(steps.options.clone()).map_err(raised)?.recipe().clone();
    let sections = Sections { shingles: true, ..Sections::default() };
    let mut writer = Writer::in_memory(&recipe, sections, bound as u64, &scratch::parent()).map_err(raised)?;
    let file = writer.file(&InputFile::default()).map_err(raised)?;
    let mut places = Vec::new();
    for batch in streamed(documents)? {
        let batch = batch?;
        let rows = Fingerprints::of(&batch, "")?;
        places.extend(numbers(&batch, "place")?);
        (0..batch.num_rows()).try_for_each(|row| push(&mut writer, file, &rows.row(row))).map_err(raised)?;
    }
    let collection = writer.finish_in_memory().and_then(|file| Collection::of(vec![file])).map_err(raised)?;
    Ok((places, collection))
}

/// Adds a document. Ids and sizes have decided its rank already.
fn push(writer: &mut Writer<Memory>, file: u32, document: &Row) -> nearcopy::Result<()> {
    let view = document.view();
    let [tokens, shingles] = [view.words.len(), view.shingles.len()].map(|length| length as u64);
    let terms = u64::from(view.simhash.is_some());
    writer.push(&Entry {
        id: "",
        simhash: view.simhash,
        sketch: view.sketch,
        digest: view.digest,
        letters: view.letters,
        language: "und",
        counts: Counts { bytes: 0, tokens, terms, ngrams: terms, shingles },
        place: Provenance { file, record: 0 },
        key: None,
        shingles: &view.shingles,
        words: &view.words,
        hashes: &[],
        text: "",
        author: None,
    })
}
