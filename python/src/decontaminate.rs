//! Items of test sets among texts.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::Float64Array;
use nearcopy::Keep;
use nearcopy::cutting::{Documents as _, Made, Place};
use nearcopy::decontaminate::rewritten::{RewrittenIndex, RewrittenSearch};
use nearcopy::decontaminate::saved::{self, SavedCounts};
use nearcopy::decontaminate::{Counts, Found, Lookup, Rewritten, Telling};
use nearcopy::durable::known::KnownCorpus;
use nearcopy::error::Reason;
use nearcopy_dedup::jobs::decontaminate::{ItemFound, in_characters, rounded};
use pyo3::prelude::*;

use crate::corpus::{Corpus, Span};
use crate::options::{self, Keeping};
use crate::run::{Watcher, run_within};
use crate::table::{Table, table};
use crate::test_set::{TestSet, parts, records};
use crate::texts::Source;

/// The spans of items, the fates of the rows, the number of words of all texts, the items, and warnings.
type Decontaminated = (Table, Table, u64, Table, Vec<String>);

/// Finds the items of a test set in texts.
#[pyfunction]
#[pyo3(signature = (texts, text, id, against, fields, need, item_id, coverage, rewritten, counts, threads, max_memory, progress))]
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
    counts: Option<PathBuf>,
    threads: Option<i128>,
    max_memory: Option<i128>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Decontaminated> {
    let parts = parts(fields, need, item_id)?;
    let (coverage, threads) = (options::share("coverage", coverage)?, options::threads(threads)?);
    let rewritten = rewritten.map(|least| options::share("rewritten", least)).transpose()?;
    let source = Source::of(texts, text, id)?;
    let records = records(against, &parts)?;
    let max_memory = options::max_memory(max_memory)?;
    run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
        let set = TestSet::of(&records, &parts, rewritten.is_some(), watcher)?;
        drop(records);
        let mut corpus = Corpus::of(source, &Keeping::Text(Keep::First), None, threads, watcher)?;
        let max_memory = max_memory.map_or(u64::MAX, |bytes| bytes as u64 / 2);
        search(
            &mut corpus,
            set,
            (coverage, counts.as_deref()),
            |telling: &Telling| {
                rewritten.map(|least| Rewritten::new(telling, least, threads, max_memory, watcher)).transpose()
            },
            watcher,
        )
    })
}

/// A document after counting: true if it has an n-gram of an item, and the hash of its text, if counts are saved.
struct Counted {
    has_items: bool,
    hash: [u64; 2],
}

impl Made for Counted {
    fn size(&self) -> usize {
        size_of::<Self>()
    }
}

/// The items in a document, and their spans in characters.
#[derive(Default)]
struct InDocument {
    found: Vec<Found>,
    characters: Vec<Vec<Range<usize>>>,
    /// Why not all of it was searched for items in other words.
    problem: Option<Reason>,
}

impl Made for InDocument {
    fn size(&self) -> usize {
        size_of::<Self>() + self.found.len() * (size_of::<Found>() + 64)
    }
}

/// Searches a corpus, given the least coverage and the file of counts; for items in other words too, if `rewritten` makes an index
/// of them.
fn search(
    corpus: &mut Corpus<'_>,
    set: TestSet,
    (coverage, saved): (f64, Option<&Path>),
    rewritten: impl FnOnce(&Telling) -> nearcopy::Result<Option<Rewritten>>,
    watcher: &Watcher,
) -> nearcopy::Result<Decontaminated> {
    let items = &set.items;
    let saved = saved.map(|path| SavedCounts::open(path, items)).transpose()?;
    let (counts, mut counted) = (Counts::new(items), KnownCorpus::default());
    let mut noted = vec![false; corpus.len()];
    let count = |lookup: &mut Lookup, _, text: &str| Counted {
        has_items: counts.count(items, lookup, text),
        hash: if saved.is_some() { saved::hash(text) } else { [0; 2] },
    };
    corpus.each("counting", &Lookup::default, &count, &mut |document, Counted { has_items, hash }| {
        noted[document.key as usize] = has_items;
        counted.add(hash);
        Ok(())
    })?;
    let words = counts.words();
    let counts = match saved {
        Some(saved) => saved.add(items, counted, counts)?.0,
        None => counts,
    };
    let telling = Telling::new(Arc::clone(items), &counts, coverage);
    let mut all: Vec<ItemFound<u32>> = ItemFound::all(&telling, items);
    let rewritten = rewritten(&telling)?;
    let index = rewritten.as_ref().map(Rewritten::index);
    let searcher = || (Lookup::default(), index.as_ref().map(RewrittenIndex::search));
    let find = |(lookup, search): &mut (Lookup, Option<RewrittenSearch<'_>>), key: u64, text: &str| {
        let mut found = if noted[key as usize] { telling.find(lookup, text) } else { Vec::new() };
        let problem = search.as_mut().and_then(|search| search.add(text, &mut found, watcher));
        InDocument { characters: in_characters(text, &found), found, problem }
    };
    let (mut spans, mut of_spans, mut shares, mut probabilities) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut long = Vec::new();
    corpus.each("searching", &searcher, &find, &mut |document, mut made| {
        let document = document.key as u32;
        long.extend(made.problem.take().map(|reason| format!("row {document}: {reason}")));
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
    let warnings = set.left_out.into_iter().chain(searched_in_part(&long)).collect();
    Ok((corpus.spans(&spans, more), fates, words, table(columns), warnings))
}

/// A warning of texts that were not searched whole, if there are any.
fn searched_in_part(long: &[String]) -> Option<String> {
    let first = long.first()?;
    Some(format!("{} texts not searched whole for items in other words; {first}", long.len()))
}
