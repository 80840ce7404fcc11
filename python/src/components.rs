//! Components: which documents are connected by pairs of them, however many steps apart.

use std::sync::Arc;

use arrow_array::Int64Array;
use pyo3::prelude::*;

use crate::columns::{batches, numbers};
use crate::table::{Table, table};

/// The `document`s of pairs `a`, `b`, ascending, each with its `component`: the least document of all that are
/// connected with it.
///
/// Cost: a sort of the pairs; some 60 bytes a pair.
#[pyfunction]
pub(crate) fn components(py: Python<'_>, pairs: &Bound<'_, PyAny>) -> PyResult<Table> {
    let mut edges: Vec<[i64; 2]> = Vec::new();
    for batch in batches(pairs)? {
        edges.extend(numbers(&batch, "a")?.zip(numbers(&batch, "b")?).map(|(a, b)| [a, b]));
    }
    py.detach(|| {
        let mut documents: Vec<i64> = edges.iter().flatten().copied().collect();
        documents.sort_unstable();
        documents.dedup();
        let place = |document: i64| documents.partition_point(|&other| other < document);
        // Each document's parent is itself or an earlier one, so a root is the least of its component.
        let mut parents: Vec<usize> = (0..documents.len()).collect();
        for [a, b] in edges {
            let [a, b] = [place(a), place(b)].map(|place| root(&mut parents, place));
            parents[a.max(b)] = a.min(b);
        }
        let components = (0..documents.len()).map(|place| documents[root(&mut parents, place)]).collect::<Vec<_>>();
        Ok(table(vec![
            ("document", Arc::new(Int64Array::from(documents.clone()))),
            ("component", Arc::new(Int64Array::from(components))),
        ]))
    })
}

/// The root of a place; halves the path to it.
fn root(parents: &mut [usize], mut place: usize) -> usize {
    while parents[place] != place {
        parents[place] = parents[parents[place]];
        place = parents[place];
    }
    place
}
