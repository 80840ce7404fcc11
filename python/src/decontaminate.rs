//! Items of test sets among texts.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::Float64Array;
use nearcopy::Keep;
use nearcopy::cutting::{Documents as _, Made, Place};
use nearcopy::decontaminate::{Counts, Found, Lookup, Telling};
use nearcopy_dedup::jobs::decontaminate::{ItemFound, in_characters, rounded};
use pyo3::prelude::*;

use crate::corpus::{Corpus, Span};
use crate::options::{self, Keeping};
use crate::run::run_within;
use crate::table::{Table, table};
use crate::test_set::{TestSet, parts, records};
use crate::texts::Source;

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
    let parts = parts(fields, need, item_id)?;
    let (coverage, threads) = (options::share("coverage", coverage)?, options::threads(threads)?);
    let source = Source::of(texts, text, id)?;
    let records = records(against)?;
    run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
        let set = TestSet::of(&records, &parts, watcher)?;
        drop(records);
        let mut corpus = Corpus::of(source, &Keeping::Text(Keep::First), None, threads, watcher)?;
        search(&mut corpus, set, coverage)
    })
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

fn search(corpus: &mut Corpus<'_>, set: TestSet, coverage: f64) -> nearcopy::Result<Decontaminated> {
    let items = &set.items;
    let counts = Counts::new(items);
    let mut noted = vec![false; corpus.len()];
    let count = |lookup: &mut Lookup, _, text: &str| HasItems(counts.count(items, lookup, text));
    corpus.each("counting", &Lookup::default, &count, &mut |document, HasItems(has)| {
        noted[document.key as usize] = has;
        Ok(())
    })?;
    let telling = Telling::new(Arc::clone(items), &counts, coverage);
    let mut all: Vec<ItemFound<u32>> = ItemFound::all(&telling, items);
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
    let mut more: Vec<_> = set.named(&of_spans, ["item", "item_id"]).collect();
    more.push(("coverage", Arc::new(Float64Array::from(shares))));
    let fates = corpus.fates(spans.iter().map(|span| span.document), &[], &[]);
    let mut columns = set.verdicts(&all);
    let named = corpus.named(&all.iter().map(|item| item.document).collect::<Vec<_>>()).into_iter();
    columns.extend(named.map(|(name, column)| (if name == "id" { "document_id" } else { "document" }, column)));
    Ok((corpus.spans(&spans, more), fates, counts.words(), table(columns), set.left_out))
}
