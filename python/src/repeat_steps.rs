//! Runs of words that stand twice, where the texts are spread over machines: `python/nearcopy/spark/_repeats.py`.
//!
//! Each step takes a batch of rows and returns a row for each; an engine that joins tables does the rest, as
//! [`nearcopy::repeats::steps`] says. A document is known by its place, and what was cut of it by the lists `done_starts` and
//! `done_ends`, in bytes.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, BinaryArray, RecordBatch, StringArray};
use arrow_schema::DataType;
use nearcopy::cutting::Fate;
use nearcopy::repeats::Settings;
use nearcopy::repeats::steps::{Decider, Reader, Stretch, locate};
use pyo3::prelude::*;

use crate::columns::{Ranges, batch, column, list, lists, named, number_column, rows_of, signed, texts_of, whole};
use crate::corpus::{CUT, GOES, SPARED};
use crate::cutting::{RepeatRules, repeat_settings};
use crate::distributed::sort_keys;
use crate::options::Keeping;
use crate::table::{Table, table};

/// The options of a search for runs that is spread over machines.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct RepeatSteps {
    settings: Settings,
    keeping: Keeping,
}

#[pymethods]
impl RepeatSteps {
    #[new]
    fn new(words: i128, verbatim: bool, keep: &str, min_left: i128, max_cut: f64) -> PyResult<Self> {
        let (settings, keeping) = repeat_settings(RepeatRules { words, verbatim, min_left, max_cut }, keep)?;
        Ok(Self { settings, keeping })
    }

    /// The samples of what is left of each row's `text`: a list `samples`; its `words` and `bytes`; and for a policy with a
    /// field `key`, the value of `field` as bytes whose order is that of the policy.
    fn samples(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let documents = Documents::of(&batch)?;
        let mut reader = Reader::new(&self.settings);
        let [mut words, mut bytes] = [(); 2].map(|()| Int64Builder::with_capacity(batch.num_rows()));
        let mut samples = lists();
        for row in 0..batch.num_rows() {
            let (found, of_words, of_bytes) = reader.samples(documents.texts.value(row), &documents.done(row)?);
            samples.append_value(found.into_iter().map(|sample| Some(sample.cast_signed())));
            words.append_value(of_words.into());
            bytes.append_value(of_bytes.into());
        }
        let mut columns: Vec<(&str, ArrayRef)> = vec![
            ("samples", Arc::new(samples.finish())),
            ("words", Arc::new(words.finish())),
            ("bytes", Arc::new(bytes.finish())),
        ];
        if let Keeping::Column(order, name) = &self.keeping {
            columns.push(("key", sort_keys(&batch, *order, name)?));
        }
        Ok(table(columns))
    }

    /// The windows of each row whose sample is in its list `wanted`: lists `ats` of their first words, and `a` and `b` of their
    /// hashes.
    fn windows(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let (documents, wanted) = (Documents::of(&batch)?, list(&batch, "wanted")?);
        let mut reader = Reader::new(&self.settings);
        let [mut ats, mut first, mut second] = [(); 3].map(|()| lists());
        for row in 0..batch.num_rows() {
            let wanted: HashSet<u64> = signed(wanted, row)?.into_iter().map(i64::cast_unsigned).collect();
            let windows =
                reader.windows(documents.texts.value(row), &documents.done(row)?, |hash| wanted.contains(&hash));
            ats.append_value(windows.iter().map(|(at, _)| Some(i64::from(*at))));
            first.append_value(windows.iter().map(|(_, hash)| Some(hash[0].cast_signed())));
            second.append_value(windows.iter().map(|(_, hash)| Some(hash[1].cast_signed())));
        }
        Ok(table(named(["ats", "a", "b"], [ats, first, second]).collect()))
    }

    /// The windows of each row, in any order, as `stretches` that other steps read: lists `ats`, `documents` and `firsts` of
    /// the places where they stand first, and `counts` of their places.
    #[staticmethod]
    fn stretches(windows: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(windows)?;
        let [ats, documents, firsts, counts] = ["ats", "documents", "firsts", "counts"].map(|name| list(&batch, name));
        let (ats, documents, firsts, counts) = (ats?, documents?, firsts?, counts?);
        let mut stretches = BinaryBuilder::new();
        for row in 0..batch.num_rows() {
            let places = signed(documents, row)?.into_iter().zip(whole(firsts, row)?);
            let mut windows: Vec<_> = whole(ats, row)?.into_iter().zip(places.zip(whole(counts, row)?)).collect();
            windows.sort_unstable();
            let mut of_row = Vec::new();
            for (at, ((document, first), count)) in windows {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                Stretch::push(&mut of_row, at as u32, (document.cast_unsigned(), first as u32), count);
            }
            stretches.append_value(
                of_row.into_iter().flat_map(Stretch::row).flat_map(u64::to_le_bytes).collect::<Vec<u8>>(),
            );
        }
        Ok(table(vec![("stretches", Arc::new(stretches.finish()))]))
    }

    /// Where each row's `text` loses the runs `starts` to `ends`, all that is left of it if its `fate` is to go: lists
    /// `span_starts`, `span_ends`, `span_start_bytes`, `span_end_bytes`, `span_words` and `runs`, the numbers of the runs; and
    /// where the words of the list `asked` stand, lists `asked_starts` and `asked_bytes`.
    #[staticmethod]
    fn locate(texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let (documents, runs) = (Documents::of(&batch)?, Ranges::of(&batch, "starts", "ends")?);
        let (asked, fates): (_, &StringArray) =
            (list(&batch, "asked")?, column(&batch, "fate", &DataType::Utf8)?.as_string());
        let mut columns = [(); 8].map(|()| lists());
        for row in 0..batch.num_rows() {
            let runs: Vec<Range<u32>> =
                runs.row(row)?.into_iter().map(|run| run.start as u32..run.end as u32).collect();
            let asked: Vec<u32> = whole(asked, row)?.into_iter().map(|word| word as u32).collect();
            let goes = fates.is_valid(row) && fates.value(row) == GOES;
            let located = locate(documents.texts.value(row), &documents.done(row)?, &runs, goes, &asked);
            let [starts, ends, start_bytes, end_bytes, words, numbers, asked_starts, asked_bytes] = &mut columns;
            let spans = &located.spans;
            starts.append_value(spans.iter().map(|span| Some(span.start.character.into())));
            ends.append_value(spans.iter().map(|span| Some(span.end.character.into())));
            start_bytes.append_value(spans.iter().map(|span| Some(span.start.byte.into())));
            end_bytes.append_value(spans.iter().map(|span| Some(span.end.byte.into())));
            words.append_value(spans.iter().map(|span| Some(span.words.into())));
            numbers.append_value(spans.iter().map(|span| span.run.map(|run| run as i64)));
            asked_starts.append_value(located.asked.iter().map(|place| Some(place.character.into())));
            asked_bytes.append_value(located.asked.iter().map(|place| Some(place.byte.into())));
        }
        let names = [
            "span_starts",
            "span_ends",
            "span_start_bytes",
            "span_end_bytes",
            "span_words",
            "runs",
            "asked_starts",
            "asked_bytes",
        ];
        Ok(table(named(names, columns).collect()))
    }
}

/// Decides about the documents of a partition, batch by batch, in their order.
#[pyclass(module = "nearcopy._native")]
pub(crate) struct RepeatDecider(Decider);

#[pymethods]
impl RepeatDecider {
    #[new]
    fn new(steps: &RepeatSteps) -> Self {
        Self(Decider::new(&steps.settings))
    }

    /// The fates of the next documents, given their `place`, number of `words` and `stretches`. A document has a row if an
    /// earlier place keeps one of its runs: its `place`, its `fate`, and lists with an entry for each such run: its first word
    /// `starts` and the word behind it `ends`, the document and the word that keep it, `documents` and `firsts`, and `counts`.
    fn take(&mut self, documents: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(documents)?;
        let (mut places, mut fates) = (Int64Builder::new(), StringBuilder::new());
        let mut columns = [(); 5].map(|()| lists());
        let (own, words) = (number_column(&batch, "place")?, number_column(&batch, "words")?);
        let stretches: &BinaryArray = column(&batch, "stretches", &DataType::Binary)?.as_binary();
        for row in 0..batch.num_rows() {
            let of_row: Vec<Stretch> = rows_of(stretches.value(row)).map(Stretch::of).collect();
            let place = own.value(row);
            let (fate, losses) = self.0.take(place.cast_unsigned(), words.value(row).cast_unsigned() as u32, &of_row);
            if losses.is_empty() {
                continue;
            }
            places.append_value(place);
            fates.append_value(match fate {
                Fate::Goes => GOES,
                Fate::Cut => CUT,
                Fate::Stays => SPARED,
            });
            let [starts, ends, documents, firsts, counts] = &mut columns;
            starts.append_value(losses.iter().map(|loss| Some(loss.words.start.into())));
            ends.append_value(losses.iter().map(|loss| Some(loss.words.end.into())));
            documents.append_value(losses.iter().map(|loss| Some(loss.document.cast_signed())));
            firsts.append_value(losses.iter().map(|loss| Some(loss.first.into())));
            counts.append_value(losses.iter().map(|loss| Some(loss.count.into())));
        }
        let mut made: Vec<(&str, ArrayRef)> =
            vec![("place", Arc::new(places.finish())), ("fate", Arc::new(fates.finish()))];
        made.extend(named(["starts", "ends", "documents", "firsts", "counts"], columns));
        Ok(table(made))
    }
}

/// The columns of texts that may be cut already.
struct Documents<'a> {
    texts: &'a StringArray,
    /// Present from the second round on.
    done: Option<Ranges<'a>>,
}

impl<'a> Documents<'a> {
    fn of(batch: &'a RecordBatch) -> PyResult<Self> {
        let done = batch.column_by_name("done_starts").map(|_| Ranges::of(batch, "done_starts", "done_ends"));
        Ok(Self { texts: texts_of(batch)?, done: done.transpose()? })
    }

    /// The spans that were cut from a text, in order.
    fn done(&self, row: usize) -> PyResult<Vec<Range<usize>>> {
        let mut spans = self.done.as_ref().map_or(Ok(Vec::new()), |done| done.row(row))?;
        spans.sort_unstable_by_key(|span| span.start);
        Ok(spans)
    }
}
