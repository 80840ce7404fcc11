//! Documents with which many others are compared, in the memory of each worker: the others pass by, and nothing else
//! is joined.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{BooleanArray, Int64Array};
use pyo3::prelude::*;

use crate::columns::{batch, batches, numbers};
use crate::distributed::{Fingerprints, Row, Steps};
use crate::table::{Table, table};

/// Fingerprints by rank and by key.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Pivots {
    /// Ascending by rank.
    documents: Vec<(i64, Row)>,
    /// The places of all documents that have a key: of the sketch, and of the simhash.
    by_key: [HashMap<i64, Vec<u32>>; 2],
}

#[pymethods]
impl Pivots {
    /// `fingerprints` has `rank`, `simhash`, `sketch` and `shingles` of each document, `keys` a row for each key by
    /// which one is found: `kind` (0 of the sketch, 1 of the simhash), `key`, `rank`.
    #[new]
    fn new(fingerprints: &Bound<'_, PyAny>, keys: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut documents = Vec::new();
        for batch in batches(fingerprints)? {
            let rows = Fingerprints::of(&batch, "")?;
            documents.extend(numbers(&batch, "rank")?.enumerate().map(|(row, rank)| (rank, rows.row(row))));
        }
        documents.sort_unstable_by_key(|(rank, _)| *rank);
        let mut by_key = [HashMap::<i64, Vec<u32>>::new(), HashMap::new()];
        for batch in batches(keys)? {
            let kinds = numbers(&batch, "kind")?;
            for ((kind, key), rank) in kinds.zip(numbers(&batch, "key")?).zip(numbers(&batch, "rank")?) {
                if let Ok(place) = documents.binary_search_by_key(&rank, |(rank, _)| *rank) {
                    by_key[usize::from(kind != 0)].entry(key).or_default().push(place as u32);
                }
            }
        }
        by_key.iter_mut().flat_map(HashMap::values_mut).for_each(|places| places.sort_unstable());
        Ok(Self { documents, by_key })
    }

    /// The near pairs of each row of `rank`, `limit`, `simhash`, `sketch` and `shingles` as `b`, and of each document
    /// `a` before its limit that shares a key. A pair is `free` if it is found without keys of the sketch.
    fn compare(&self, steps: &Bound<'_, Steps>, fingerprints: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(fingerprints)?;
        let rows = Fingerprints::of(&batch, "")?;
        let (ranks, limits): (Vec<i64>, Vec<i64>) = numbers(&batch, "rank")?.zip(numbers(&batch, "limit")?).unzip();
        let steps = steps.get();
        let pairs = fingerprints.py().detach(|| {
            let mut pairs = Vec::new();
            for (row, (&b, &limit)) in ranks.iter().zip(&limits).enumerate() {
                let document = rows.row(row);
                for place in self.candidates(&document, limit, steps) {
                    let (a, earlier) = &self.documents[place as usize];
                    let free = steps.is_within_distance(earlier, &document);
                    if free || steps.is_similar(earlier, &document) {
                        pairs.push((*a, b, free));
                    }
                }
            }
            pairs
        });
        Ok(table(vec![
            ("a", Arc::new(pairs.iter().map(|(a, ..)| *a).collect::<Int64Array>())),
            ("b", Arc::new(pairs.iter().map(|(_, b, _)| *b).collect::<Int64Array>())),
            ("free", Arc::new(pairs.iter().map(|(.., free)| Some(*free)).collect::<BooleanArray>())),
        ]))
    }
}

impl Pivots {
    /// The places of the documents before a limit that share a key with this one, ascending.
    fn candidates(&self, document: &Row, limit: i64, steps: &Steps) -> Vec<u32> {
        let mut found = Vec::new();
        for (keys, by_key) in steps.keys_of(document).iter().zip(&self.by_key) {
            for places in keys.iter().filter_map(|key| by_key.get(key)) {
                let before = places.partition_point(|&place| self.documents[place as usize].0 < limit);
                found.extend_from_slice(&places[..before]);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
