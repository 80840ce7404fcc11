//! Texts that are read again and again, and the parts of them that are cut.
//!
//! Cost: the texts stay where they are; up to 32 bytes each, and its id. Those of an iterator or a stream are kept in memory.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, LargeStringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, ArrayRef, BooleanArray, RecordBatch, StringArray, StructArray};
use arrow_schema::{Field, Fields};
use nearcopy::cutting::{Document, Documents, Made, Place, Take, Work};
use nearcopy::fingerprint::digest;
use nearcopy::observer::{Observer, go_on};
use nearcopy::parallel;
use nearcopy::runs::joined;
use nearcopy::texts::fingerprint::MAX_WAITING;
use nearcopy_corpus::records::cut::without;
use nearcopy_dedup::jobs::cutting::{Keys, Sites};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::options::Keeping;
use crate::run::{Watcher, run};
use crate::table::{Array, Table, other_table, other_text, rows, table};
use crate::texts::{Source, Text, number_as_id};

/// Number of texts that a thread takes at a time.
const AT_ONCE: usize = 64;

/// The fate of a row from which nothing is cut.
pub(crate) const STAYS: &str = "stays";
/// That of one left whole because too much would be cut.
pub(crate) const SPARED: &str = "spared";
/// That of one that loses a part.
pub(crate) const CUT: &str = "cut";
/// That of one that goes as a whole.
pub(crate) const GOES: &str = "goes";

/// The texts of a source, in memory: one a row. A null is an empty text, as the program counts it, so that both know a
/// table by the same counts.
pub(crate) struct Corpus<'w> {
    texts: Vec<Option<Text>>,
    keys: Keys,
    /// The number of the site of each; empty without a column of addresses.
    sites: Vec<u32>,
    has_ids: bool,
    threads: usize,
    watcher: &'w Watcher,
}

impl<'w> Corpus<'w> {
    /// Takes all texts of a source; `keeping` orders them, and `url` is the column of addresses that it was given. An
    /// error goes to the watcher, which then is stopped.
    pub(crate) fn of(
        source: Source,
        keeping: &Keeping,
        url: Option<&str>,
        threads: usize,
        watcher: &'w Watcher,
    ) -> nearcopy::Result<Self> {
        let has_ids = source.has_ids;
        let mut documents = source.documents(watcher);
        let (mut texts, mut keys) = (Vec::new(), Keys::new(keeping.policy()));
        let (mut sites, mut known) = (Vec::new(), Sites::default());
        watcher.begin("reading", None);
        let mut is_fit = true;
        while let Some(row) = documents.next_row() {
            is_fit &= u32::try_from(string(row.text.as_ref()).len()).is_ok();
            keys.push_row(&row.id.unwrap_or_else(|| number_as_id(texts.len())), row.key.as_deref());
            if url.is_some() {
                sites.push(known.number(row.url.as_deref()));
            }
            texts.push(row.text);
            watcher.advance(1);
        }
        if !is_fit {
            let is_too_long = |text: &Option<Text>| u32::try_from(string(text.as_ref()).len()).is_err();
            let row = texts.iter().position(is_too_long).unwrap_or_default();
            watcher.fail(PyValueError::new_err(format!("row {row}: has 4 GiB of text or more; divide it")));
        } else if let (true, Some(key)) = (keys.lack_field(), keeping.column()) {
            watcher.fail(PyValueError::new_err(no_field(key)));
        } else if let (true, false, Some(url)) = (known.is_empty(), sites.is_empty(), url) {
            let message = format!("no row has an address in the column '{url}'; check its name, or leave out per_site");
            watcher.fail(PyValueError::new_err(message));
        }
        go_on(watcher)?;
        Ok(Self { texts, keys, sites, has_ids, threads, watcher })
    }

    /// Bytes of all texts.
    pub(crate) fn bytes(&self) -> u64 {
        self.texts.iter().map(|text| string(text.as_ref()).len() as u64).sum()
    }

    /// The columns of row numbers and, if there are, of ids; null where there is no document.
    pub(crate) fn named(&self, documents: &[Option<u32>]) -> Vec<(&'static str, ArrayRef)> {
        let mut columns = vec![("row", rows(documents.iter().map(|document| document.map(|row| row as usize))))];
        if self.has_ids {
            let ids = documents.iter().map(|document| document.map(|document| self.keys.id(document)));
            columns.push(("id", Arc::new(ids.collect::<StringArray>())));
        }
        columns
    }

    /// The table of spans; `more` are columns behind those of all spans.
    pub(crate) fn spans(&self, spans: &[Span], more: Vec<(&'static str, ArrayRef)>) -> Table {
        let mut columns = self.named(&spans.iter().map(|span| Some(span.document)).collect::<Vec<_>>());
        columns.extend(ends(spans));
        columns.push(("words", rows(spans.iter().map(|span| Some(span.words as usize)))));
        columns.extend(more);
        table(columns)
    }

    /// The places that keep what was cut.
    pub(crate) fn first(&self, firsts: &[Option<(u32, Place)>]) -> ArrayRef {
        let at = |of: fn(Place) -> u32| rows(firsts.iter().map(|first| first.map(|(_, place)| of(place) as usize)));
        let mut columns =
            self.named(&firsts.iter().map(|first| first.map(|(document, _)| document)).collect::<Vec<_>>());
        columns.push(("start", at(|place| place.character)));
        columns.push(("start_bytes", at(|place| place.byte)));
        let fields: Fields =
            columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        Arc::new(StructArray::new(fields, arrays, Some(firsts.iter().map(Option::is_some).collect())))
    }

    /// Number of texts.
    pub(crate) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The fate of each row, true if all of its text is left, and the digest of the text otherwise.
    pub(crate) fn fates(&self, cut: impl Iterator<Item = u32>, gone: &[u32], spared: &[u32]) -> Table {
        let mut fates = vec![STAYS; self.texts.len()];
        let mut digests: Vec<Option<[u8; 16]>> = vec![None; fates.len()];
        for document in cut.collect::<BTreeSet<u32>>() {
            let row = document as usize;
            fates[row] = CUT;
            digests[row] = Some(digest(string(self.texts[row].as_ref())));
        }
        for &document in gone {
            fates[document as usize] = GOES;
        }
        // A later round may spare what an earlier one cut.
        for fate in spared.iter().map(|&document| document as usize) {
            if fates[fate] == STAYS {
                fates[fate] = SPARED;
            }
        }
        let mut digested = FixedSizeBinaryBuilder::new(16);
        for digest in digests {
            match digest {
                Some(digest) => digested.append_value(digest).expect("16 bytes"),
                None => digested.append_null(),
            }
        }
        let whole: BooleanArray = fates.iter().map(|&fate| Some([STAYS, SPARED].contains(&fate))).collect();
        table(vec![
            ("fate", Arc::new(StringArray::from(fates))),
            ("whole", Arc::new(whole)),
            ("digest", Arc::new(digested.finish())),
        ])
    }
}

/// A text, or that of a null.
fn string(text: Option<&Text>) -> &str {
    text.map_or("", AsRef::as_ref)
}

/// A span of a document.
pub(crate) struct Span {
    pub(crate) document: u32,
    pub(crate) ends: [Place; 2],
    pub(crate) words: u32,
}

/// The ends of spans in characters and bytes.
fn ends(spans: &[Span]) -> Vec<(&'static str, ArrayRef)> {
    let column = |end: usize, of: fn(Place) -> u32| rows(spans.iter().map(|span| Some(of(span.ends[end]) as usize)));
    vec![
        ("start", column(0, |place| place.character)),
        ("end", column(1, |place| place.character)),
        ("start_bytes", column(0, |place| place.byte)),
        ("end_bytes", column(1, |place| place.byte)),
    ]
}

/// The message about a policy by a field that no row has.
pub(crate) fn no_field(key: &str) -> String {
    format!("no row has the field '{key}' of keep; check its name, or name another")
}

impl Documents for Corpus<'_> {
    type Error = nearcopy::Error;

    fn each<S: Send, M: Made>(
        &mut self,
        stage: &str,
        new: &(dyn Fn() -> S + Sync),
        work: &Work<'_, S, M>,
        take: &mut Take<'_, M, nearcopy::Error>,
    ) -> nearcopy::Result<()> {
        let Self { texts, sites, threads, watcher, .. } = self;
        watcher.begin(stage, Some(texts.len() as u64));
        let states = (0..*threads).map(|_| new()).collect();
        let size = |made: &(u64, Vec<M>)| made.1.iter().map(Made::size).sum();
        let work = |state: &mut S, (batch, texts): (usize, &[Option<Text>])| {
            let first = (batch * AT_ONCE) as u64;
            (first, texts.iter().zip(first..).map(|(text, key)| work(state, key, string(text.as_ref()))).collect())
        };
        let batches = texts.chunks(AT_ONCE).enumerate();
        let _ = parallel::in_order(batches, states, MAX_WAITING, size, work, |(first, made)| {
            go_on(*watcher)?;
            watcher.advance(made.len() as u64);
            (first..).zip(made).try_for_each(|(key, made)| {
                let of = sites.get(key as usize).copied().unwrap_or_default();
                take(Document { key, can_cut: true, site: of }, made)
            })?;
            Ok(ControlFlow::Continue(()))
        })?;
        go_on(*watcher)
    }

    fn order(&mut self, bytes: &[u32]) -> nearcopy::Result<Vec<u32>> {
        Ok(self.keys.order(bytes))
    }
}

/// The rows that do not go, and their texts without the spans that are cut. `spans` and `fates` are tables of a result,
/// whose texts these must be.
#[pyfunction]
pub(crate) fn cut(
    py: Python<'_>,
    texts: &Bound<'_, PyAny>,
    text: &str,
    spans: &Bound<'_, Table>,
    fates: &Bound<'_, Table>,
) -> PyResult<(Array, Array)> {
    let source = Source::of(texts, text, None)?;
    let [spans, fates] = [spans, fates].map(|table| &table.get().0);
    let (keep, kept) = run(py, None, |watcher| {
        let spans = by_row(spans);
        let mut spans = spans.chunk_by(|a, b| a.0 == b.0).peekable();
        let (of, digests) = (fates["fate"].as_string::<i32>(), fates["digest"].as_fixed_size_binary());
        let (mut keep, mut kept) = (Vec::with_capacity(of.len()), LargeStringBuilder::new());
        let mut documents = source.documents(watcher);
        while let Some(row) = documents.next_row() {
            let number = keep.len();
            if number == of.len() {
                watcher.fail(other_table(of.len()));
                break;
            }
            let text = row.text.as_ref().map(AsRef::as_ref);
            if digests.is_valid(number) && text.is_none_or(|text| digest(text) != digests.value(number)) {
                watcher.fail(other_text(number));
                break;
            }
            let own = spans.next_if(|spans| spans[0].0 == number);
            keep.push(of.value(number) != GOES);
            match (text, own) {
                _ if of.value(number) == GOES => {}
                (Some(text), Some(own)) => {
                    kept.append_option(without(text, &joined(own.iter().map(|(_, span)| span.clone()).collect())));
                }
                (text, _) => kept.append_option(text),
            }
        }
        go_on(watcher)?;
        if keep.len() < of.len() {
            watcher.fail(other_table(of.len()));
        }
        Ok((keep, kept.finish()))
    })?;
    Ok((Array::of("keep", Arc::new(BooleanArray::from(keep))), Array::of(text, Arc::new(kept))))
}

/// The spans of a table in bytes, each with its row, in the order of rows.
fn by_row(spans: &RecordBatch) -> Vec<(usize, Range<usize>)> {
    let [rows, starts, ends] = ["row", "start_bytes", "end_bytes"].map(|name| {
        let column = spans[name].as_primitive::<Int64Type>().values().iter();
        column.map(|&number| usize::try_from(number).unwrap_or_default())
    });
    rows.zip(starts.zip(ends).map(|(start, end)| start..end)).collect()
}
