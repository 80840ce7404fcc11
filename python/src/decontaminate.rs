//! Items of test sets among texts.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::Float64Array;
use nearcopy::Keep;
use nearcopy::cutting::{Documents as _, Made, Place};
use nearcopy::decontaminate::rewritten::Search;
use nearcopy::decontaminate::{Counts, Found, Lookup, Rewritten, Telling};
use nearcopy_dedup::jobs::decontaminate::{ItemFound, in_characters, rounded};
use pyo3::prelude::*;

use crate::corpus::{Corpus, Span};
use crate::options::{self, Keeping};
use crate::run::run_within;
use crate::table::{Table, table};
use crate::test_set::{TestSet, parts, records};
use crate::texts::Source;

/// The spans of items, the fates of the rows, the number of words of all texts, the items, and warnings.
type Decontaminated = (Table, Table, u64, Table, Vec<String>);

/// Finds the items of a test set in texts.
#[pyfunction]
#[pyo3(signature = (texts, text, id, against, fields, need, item_id, coverage, rewritten, threads, max_memory, progress))]
pub(crate) fn decontaminate(
    texts: &Bound<'_, PyAny>,
    text: &str,
    id: Option<&str>,
    against: &Bound<'_, PyAny>,
    fields: Vec<String>,
    need: Vec<String>,
    item_id: Option<String>,
    coverage: f64,
    rewritten: Option<f64>,
    threads: Option<usize>,
    max_memory: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Decontaminated> {
    let parts = parts(fields, need, item_id)?;
    let (coverage, threads) = (options::share("coverage", coverage)?, options::threads(threads)?);
    let rewritten = rewritten.map(|least| options::share("rewritten", least)).transpose()?;
    let source = Source::of(texts, text, id)?;
    let records = records(against)?;
    run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
        let set = TestSet::of(&records, &parts, rewritten.is_some(), watcher)?;
        drop(records);
        let mut corpus = Corpus::of(source, &Keeping::Text(Keep::First), None, threads, watcher)?;
        let max_memory = max_memory.map_or(u64::MAX, |bytes| bytes as u64 / 2);
        search(&mut corpus, set, coverage, |telling: &Telling| {
            rewritten.map(|least| Rewritten::new(telling, least, threads, max_memory, watcher)).transpose()
        })
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
    /// True if only a part of it was searched for items in other words.
    in_part: bool,
}

impl Made for InDocument {
    fn size(&self) -> usize {
        size_of::<Self>() + self.found.len() * (size_of::<Found>() + 64)
    }
}

/// Searches a corpus; for items in other words too, if `rewritten` makes an index of them.
fn search(
    corpus: &mut Corpus<'_>,
    set: TestSet,
    coverage: f64,
    rewritten: impl FnOnce(&Telling) -> nearcopy::Result<Option<Rewritten>>,
) -> nearcopy::Result<Decontaminated> {
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
    let rewritten = rewritten(&telling)?;
    let boilerplate = rewritten.as_ref().map(Rewritten::boilerplate);
    let searcher = || {
        let search = rewritten.as_ref().zip(boilerplate.as_ref()).map(|(rewritten, shared)| rewritten.search(shared));
        (Lookup::default(), search)
    };
    let find = |(lookup, search): &mut (Lookup, Option<Search<'_>>), key: u64, text: &str| {
        let mut found = if noted[key as usize] { telling.find(lookup, text) } else { Vec::new() };
        let in_part = search.as_mut().is_some_and(|search| !search.add(text, &mut found));
        InDocument { characters: in_characters(text, &found), found, in_part }
    };
    let (mut spans, mut of_spans, mut shares, mut probabilities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut in_part = 0;
    corpus.each("searching", &searcher, &find, &mut |document, mut made| {
        let document = document.key as u32;
        in_part += usize::from(made.in_part);
        ItemFound::note(&mut all, &document, &mut made.found, &mut made.characters);
        for (found, characters) in made.found.iter().zip(made.characters) {
            for (bytes, characters) in found.spans.iter().zip(characters) {
                let place = |byte: usize, character: usize| Place { byte: byte as u32, character: character as u32 };
                let ends = [place(bytes.start, characters.start), place(bytes.end, characters.end)];
                spans.push(Span { document, ends, words: found.words });
                of_spans.push(found.item as usize);
                shares.push(rounded(found.coverage));
                probabilities.push(found.probability.map(rounded));
            }
        }
        Ok(())
    })?;
    let mut more: Vec<_> = set.named(&of_spans, ["item", "item_id"]).collect();
    more.push(("coverage", Arc::new(Float64Array::from(shares))));
    more.push(("probability", Arc::new(Float64Array::from(probabilities))));
    let fates = corpus.fates(spans.iter().map(|span| span.document), &[], &[]);
    let mut columns = set.verdicts(&all);
    let named = corpus.named(&all.iter().map(|item| item.document).collect::<Vec<_>>()).into_iter();
    columns.extend(named.map(|(name, column)| (if name == "id" { "document_id" } else { "document" }, column)));
    let warnings = set.left_out.into_iter().chain(searched_in_part(in_part)).collect();
    Ok((corpus.spans(&spans, more), fates, counts.words(), table(columns), warnings))
}

/// A warning of texts that were too long to be searched whole, if there are any.
pub(crate) fn searched_in_part(texts: usize) -> Option<String> {
    (texts > 0).then(|| format!("{texts} texts are too long to be searched whole for items in other words"))
}
