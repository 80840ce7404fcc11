//! Attested typos in a corpus that is spread over machines: words counted by many workers, and letters read by one.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::Int64Array;
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_schema::DataType;
use nearcopy::search::removals::{Asked, Count, Counts, Other};
use nearcopy::texts::typos;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::columns::{batches, column, numbers, streamed};
use crate::distributed::words_of;
use crate::errors::raised;
use crate::table::{Table, table};

/// The numbers of an [`Other`] in a column of lists.
const NUMBERS: usize = 6;

/// The question about a document as a list of numbers: the numbers of kept words of it and of its survivor, and the words.
pub(crate) fn flat(kept: [usize; 2], words: &[Other]) -> Vec<Option<i64>> {
    let numbers = words.iter().flat_map(|&Other { places: [a, b], words: [own, other], texts: [x, y] }| {
        [a as i64, b as i64, own.into(), other.into(), x.cast_signed(), y.cast_signed()]
    });
    kept.map(|kept| kept as i64).into_iter().chain(numbers).map(Some).collect()
}

/// The `document`s, their `survivor`s, and what is `asked` of each ([`flat`]); returns also the number of kept words of each.
fn asked(rows: &Bound<'_, PyAny>) -> PyResult<(Vec<Asked>, HashMap<u32, usize>)> {
    let (mut all, mut kept) = (Vec::new(), HashMap::new());
    for batch in batches(rows)? {
        let pairs: Vec<(i64, i64)> = numbers(&batch, "document")?.zip(numbers(&batch, "survivor")?).collect();
        let lists = batch.column_by_name("asked").and_then(|lists| lists.as_list_opt::<i32>());
        let lists = lists.ok_or_else(|| PyValueError::new_err("no column 'asked' of lists"))?;
        for (row, (document, survivor)) in pairs.into_iter().enumerate() {
            let list = lists.value(row);
            let list = list.as_primitive::<Int64Type>().values();
            let ([own, other], words) =
                list.split_first_chunk().ok_or_else(|| PyValueError::new_err("an empty list"))?;
            let [document, survivor] = [document, survivor].map(|number| number.cast_unsigned() as u32);
            kept.extend([(document, own.cast_unsigned() as usize), (survivor, other.cast_unsigned() as usize)]);
            let words = words.as_chunks::<NUMBERS>().0.iter();
            let words = words.map(|&[a, b, own, other, x, y]| Other {
                places: [a, b].map(|place| place.cast_unsigned() as usize),
                words: [own, other].map(|word| word.cast_unsigned() as u32),
                texts: [x, y].map(i64::cast_unsigned),
            });
            all.push(Asked { document, survivor, words: words.collect() });
        }
    }
    Ok((all, kept))
}

/// Counts some words in all `documents`: `words`, and `is_text`, which is false for those that equal an earlier one.
/// Returns `word`, its number of `occurrences` and that of the `texts` that have it.
#[pyfunction]
pub(crate) fn count(words: Vec<u32>, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
    let mut counts = Counts::new(words.iter().copied());
    for batch in streamed(documents)? {
        let batch = batch?;
        let kept = column(&batch, "words", &DataType::Binary)?.as_binary::<i32>();
        let is_text = column(&batch, "is_text", &DataType::Boolean)?.as_boolean();
        (0..batch.num_rows()).for_each(|row| counts.add(&words_of(kept, row), is_text.value(row)));
    }
    let of = |each: fn(Count) -> u64| {
        Arc::new(words.iter().map(|&word| each(counts.of(word)) as i64).collect::<Int64Array>())
    };
    Ok(table(vec![
        ("word", Arc::new(words.iter().map(|&word| i64::from(word)).collect::<Int64Array>())),
        ("occurrences", of(|count| count.all)),
        ("texts", of(|count| count.texts)),
    ]))
}

/// The documents that go by containment, since their words that differ are attested typos; given what is asked of each,
/// the counts of these words ([`count`], in any number of parts), and the number of all documents. `read` is called
/// with numbers of documents and returns an iterator of these numbers and their texts.
#[pyfunction]
pub(crate) fn attested(
    rows: &Bound<'_, PyAny>,
    counts: &Bound<'_, PyAny>,
    documents: usize,
    read: &Bound<'_, PyAny>,
) -> PyResult<Vec<u32>> {
    let (all, kept) = asked(rows)?;
    let words: HashSet<u32> = all.iter().flat_map(|asked| asked.words.iter().flat_map(|other| other.words)).collect();
    let mut sums = Counts::new(words);
    for batch in batches(counts)? {
        let occurrences = numbers(&batch, "occurrences")?.zip(numbers(&batch, "texts")?);
        for (word, (all, texts)) in numbers(&batch, "word")?.zip(occurrences) {
            let [all, texts] = [all, texts].map(i64::cast_unsigned);
            sums.add_count(word.cast_unsigned() as u32, Count { all, texts });
        }
    }
    let candidates = all.iter().filter_map(|asked| asked.candidate(&sums)).collect();
    let mut failed = None;
    let mut read_again = |wanted: &[u32], each: &mut dyn FnMut(u32, &str)| {
        let mut read = || -> PyResult<()> {
            for row in read.call1((wanted.to_vec(),))?.try_iter()? {
                let (document, text): (u32, PyBackedStr) = row?.extract()?;
                each(document, &text);
            }
            Ok(())
        };
        failed = failed.take().or_else(|| read().err());
    };
    let kept = |document: u32| kept.get(&document).copied().unwrap_or_default();
    let found = typos::attested(candidates, documents, &kept, &mut read_again, &()).map_err(raised)?;
    failed.map_or(Ok(()), Err)?;
    Ok(found.into_iter().map(|(candidate, _)| candidate.document).collect())
}
