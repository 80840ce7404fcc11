//! Lines that stand in many texts, where the texts are spread over machines: `python/nearcopy/spark/_lines.py`.
//!
//! Each step takes a batch of rows and returns a row for each; an engine that joins tables does the rest, as
//! [`nearcopy::lines::steps`] says. A line is known by its key: its hash, and the site behind it if it is counted there.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, BinaryArray, BooleanArray, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_schema::DataType;
use nearcopy::cutting::{Fate, Place};
use nearcopy::lines::steps::{Steps, may_go_whole};
use nearcopy::lines::{About, Cut, Decision, Hash, LEAST_PAGES, Occurrence, Settings};
use nearcopy_dedup::jobs::cutting::host;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::columns::{batch, column, list, lists, named, number_column, rows_of, streamed, texts_of, whole};
use crate::corpus::{CUT, GOES, SPARED, STAYS};
use crate::cutting::{LineRules, line_settings};
use crate::distributed::sort_keys;
use crate::options::Keeping;
use crate::table::{Table, table};

/// A number of a span.
type Number = fn(&Cut) -> Option<u32>;

/// Length of a hash in bytes.
const HASH: usize = 16;

/// The options of a search for lines that is spread over machines.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct LineSteps {
    settings: Settings,
    keeping: Keeping,
}

#[pymethods]
impl LineSteps {
    #[new]
    #[pyo3(signature = (url, max_documents, per_site, paragraphs, all_lines, keep, min_left, max_cut))]
    fn new(
        url: Option<&str>,
        max_documents: i128,
        per_site: Option<f64>,
        paragraphs: bool,
        all_lines: bool,
        keep: &str,
        min_left: i128,
        max_cut: f64,
    ) -> PyResult<Self> {
        let rules = LineRules { max_documents, per_site, paragraphs, all_lines, min_left, max_cut };
        let (settings, keeping) = line_settings(rules, url, keep)?;
        Ok(Self { settings, keeping })
    }

    /// The least number of pages of a site that have a line which is cut by its share of them.
    #[classattr]
    const LEAST_PAGES: u32 = LEAST_PAGES;

    /// The lines of each row's `text`, each once: a list `hashes`. If there is a column `url`, also the `site`, and for a
    /// policy with a field `key`, the value of `field` as bytes whose order is that of the policy.
    fn count(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let mut steps = self.steps();
        let mut hashes = ListBuilder::new(BinaryBuilder::new());
        for text in texts_of(&batch)? {
            let lines = steps.count(text.unwrap_or_default());
            hashes.append_value(lines.into_iter().map(|hash| Some(bytes_of(hash))));
        }
        let mut columns: Vec<(&str, ArrayRef)> = vec![("hashes", Arc::new(hashes.finish()))];
        if batch.column_by_name("url").is_some() {
            let urls = column(&batch, "url", &DataType::Utf8)?.as_string::<i32>();
            columns.push(("site", Arc::new(urls.iter().map(|url| host(url?)).collect::<StringArray>())));
        }
        if let Keeping::Column(order, name) = &self.keeping {
            columns.push(("key", sort_keys(&batch, *order, name)?));
        }
        Ok(table(columns))
    }

    /// The places where each row's `text` may lose a line whose key is in its list `keys`: `lines`, which other steps read;
    /// for each key the first place, lists `starts` and `start_bytes`; the `words`, the `end` and the `end_bytes` of the
    /// text; and `may_go`, true if it may go as a whole.
    fn occurrences(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let (texts, keys) = (texts_of(&batch)?, list(&batch, "keys")?);
        let mut steps = self.steps();
        let [mut words, mut ends, mut end_bytes] = [(); 3].map(|()| Int64Builder::with_capacity(batch.num_rows()));
        let [mut starts, mut start_bytes] = [(); 2].map(|()| lists());
        let (mut lines, mut may) = (BinaryBuilder::new(), Vec::with_capacity(batch.num_rows()));
        for row in 0..batch.num_rows() {
            let text = texts.value(row);
            let keys = binary(&keys.value(row))?;
            let mut numbers: Vec<(Hash, u32)> =
                (0..).zip(keys.iter()).map(|(number, key)| (hash_of(key), number)).collect();
            numbers.sort_unstable();
            let number = |hash| numbers.binary_search_by_key(&hash, |(hash, _)| *hash).ok().map(|at| numbers[at].1);
            let (found, about) = steps.occurrences(text, number);
            let mut firsts = vec![None; keys.len()];
            for line in &found {
                firsts[line.line as usize].get_or_insert(line.start);
            }
            starts.append_value(firsts.iter().map(|first| first.map(|place| i64::from(place.character))));
            start_bytes.append_value(firsts.iter().map(|first| first.map(|place| i64::from(place.byte))));
            words.append_value(about.words.into());
            ends.append_value(about.end.character.into());
            end_bytes.append_value(about.end.byte.into());
            may.push(may_go_whole(&found, &about, self.settings.limits));
            lines.append_value(
                found.iter().flat_map(|line| line.row(0)).flat_map(u64::to_le_bytes).collect::<Vec<u8>>(),
            );
        }
        Ok(table(vec![
            ("words", Arc::new(words.finish())),
            ("end", Arc::new(ends.finish())),
            ("end_bytes", Arc::new(end_bytes.finish())),
            ("lines", Arc::new(lines.finish())),
            ("may_go", Arc::new(BooleanArray::from(may))),
            ("starts", Arc::new(starts.finish())),
            ("start_bytes", Arc::new(start_bytes.finish())),
        ]))
    }

    /// The lines that texts keep which may go as a whole, and come in their order: `place`, and the `number` of the key. Each
    /// row has the columns of [`LineSteps::occurrences`] and in `goes` the numbers of the keys that an earlier one of the other
    /// texts keeps.
    fn keepers(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let mut kept: HashSet<Vec<u8>> = HashSet::new();
        let (mut places, mut numbers) = (Int64Builder::new(), Int64Builder::new());
        for batch in streamed(texts)? {
            let batch = batch?;
            let documents = Documents::of(&batch)?;
            let (own, keys) = (number_column(&batch, "place")?, list(&batch, "keys")?);
            for row in 0..batch.num_rows() {
                let (lines, about, goes) = documents.row(row)?;
                let keys = binary(&keys.value(row))?;
                let name = |line: &Occurrence| keys.value(line.line as usize);
                let is_kept = |line: &Occurrence| goes.contains(&line.line) || kept.contains(name(line));
                if Decision::of(&lines, &about, self.settings.limits, is_kept).fate == Fate::Goes {
                    continue;
                }
                for line in &lines {
                    if !goes.contains(&line.line) && kept.insert(name(line).to_owned()) {
                        places.append_value(own.value(row));
                        numbers.append_value(line.line.into());
                    }
                }
            }
        }
        Ok(table(vec![("place", Arc::new(places.finish())), ("number", Arc::new(numbers.finish()))]))
    }

    /// The `fate` of each text, and lists of its spans: `starts`, `ends`, `start_bytes`, `end_bytes`, `span_words`, `keys_of`
    /// (the number of the key) and `why`. The list `goes` has the numbers of the keys that another text keeps.
    fn cuts(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let documents = Documents::of(&batch)?;
        let mut fates = Vec::with_capacity(batch.num_rows());
        let mut numbers = [(); 6].map(|()| lists());
        let mut why = ListBuilder::new(StringBuilder::new());
        for row in 0..batch.num_rows() {
            let (lines, about, goes) = documents.row(row)?;
            let goes = |line: &Occurrence| self.settings.keeps_none || goes.contains(&line.line);
            let decision = Decision::of(&lines, &about, self.settings.limits, goes);
            fates.push(match decision.fate {
                Fate::Goes => GOES,
                Fate::Cut => CUT,
                Fate::Stays if decision.words > 0 => SPARED,
                Fate::Stays => STAYS,
            });
            let cuts = decision.cuts(0, &about);
            let columns: [Number; 6] = [
                |cut| Some(cut.start.character),
                |cut| Some(cut.end.character),
                |cut| Some(cut.start.byte),
                |cut| Some(cut.end.byte),
                |cut| Some(cut.words),
                |cut| cut.line,
            ];
            for (list, of) in numbers.iter_mut().zip(columns) {
                list.append_value(cuts.iter().map(|cut| of(cut).map(i64::from)));
            }
            why.append_value(cuts.iter().map(Cut::why));
        }
        let mut columns: Vec<(&str, ArrayRef)> = vec![("fate", Arc::new(StringArray::from(fates)))];
        let names = ["starts", "ends", "start_bytes", "end_bytes", "span_words", "keys_of"];
        columns.extend(named(names, numbers));
        columns.push(("why", Arc::new(why.finish())));
        Ok(table(columns))
    }
}

impl LineSteps {
    fn steps(&self) -> Steps {
        Steps::new(self.settings.by_paragraph, self.settings.all_lines)
    }
}

/// The columns of texts whose lines were found.
struct Documents<'a> {
    words: &'a Int64Array,
    ends: [&'a Int64Array; 2],
    lines: &'a BinaryArray,
    goes: &'a ListArray,
}

impl<'a> Documents<'a> {
    fn of(batch: &'a RecordBatch) -> PyResult<Self> {
        Ok(Self {
            words: number_column(batch, "words")?,
            ends: [number_column(batch, "end_bytes")?, number_column(batch, "end")?],
            lines: column(batch, "lines", &DataType::Binary)?.as_binary(),
            goes: list(batch, "goes")?,
        })
    }

    /// The lines of a text, what is known of it, and the numbers of the keys that others keep.
    fn row(&self, row: usize) -> PyResult<(Vec<Occurrence>, About, HashSet<u32>)> {
        let [byte, character] = self.ends.map(|ends| ends.value(row).cast_unsigned() as u32);
        let about = About {
            words: self.words.value(row).cast_unsigned() as u32,
            end: Place { byte, character },
            can_cut: true,
            site: 0,
        };
        let lines = rows_of(self.lines.value(row)).map(|row| Occurrence::of(row).1).collect();
        let goes = whole(self.goes, row)?.into_iter().map(|key| key as u32).collect();
        Ok((lines, about, goes))
    }
}

fn binary(array: &ArrayRef) -> PyResult<BinaryArray> {
    Ok(array.as_binary_opt().ok_or_else(|| PyTypeError::new_err("column 'keys': expected lists of bytes"))?.clone())
}

fn bytes_of(hash: Hash) -> Vec<u8> {
    hash.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The hash at the beginning of a key.
fn hash_of(key: Option<&[u8]>) -> Hash {
    let halves =
        key.and_then(|key| key.get(..HASH)).map(|hash| hash.as_chunks().0.iter().map(|&half| u64::from_le_bytes(half)));
    let mut halves = halves.into_iter().flatten();
    [halves.next().unwrap_or_default(), halves.next().unwrap_or_default()]
}
