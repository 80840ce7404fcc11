//! Runs of words that stand twice, and lines that stand in many texts, are cut.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use nearcopy::cutting::Limits;
use nearcopy::durable::scratch;
use nearcopy::{lines, repeats};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::corpus::{Corpus, Span};
use crate::options::{self, Keeping};
use crate::run::run_within;
use crate::table::{Table, rows};
use crate::texts::{Names, Source};

/// Bytes that a search may take by default.
const MAX_MEMORY: usize = 1 << 30;

/// The spans that are cut, the fates of the rows, and the number of words of all texts.
type Made = (Table, Table, u64);

fn limits(min_left: i128, max_cut: f64) -> PyResult<Limits> {
    Ok(Limits {
        min_left: options::number("min_left", min_left, 0, u32::MAX)?,
        max_cut: options::share("max_cut", max_cut)?,
    })
}

/// Searches the texts of a source, in the order of a policy.
fn searched(
    texts: &Bound<'_, PyAny>,
    (text, id, url): (&str, Option<&str>, Option<&str>),
    keeping: &Keeping,
    (threads, max_memory, progress): (Option<i128>, Option<usize>, Option<Py<PyAny>>),
    search: impl FnOnce(Corpus<'_>) -> nearcopy::Result<Made> + Send,
) -> PyResult<Made> {
    let threads = options::threads(threads)?;
    let source = Source::with(texts, Names { text, id, key: keeping.column(), url })?;
    run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
        search(Corpus::of(source, keeping, url, threads, watcher)?)
    })
}

/// The options of a search for runs, as Python gives them.
pub(crate) struct RepeatRules {
    pub(crate) words: i128,
    pub(crate) verbatim: bool,
    pub(crate) min_left: i128,
    pub(crate) max_cut: f64,
}

/// The same as the library takes them, and the policy.
pub(crate) fn repeat_settings(rules: RepeatRules, keep: &str) -> PyResult<(repeats::Settings, Keeping)> {
    let RepeatRules { words, verbatim, min_left, max_cut } = rules;
    let (keeping, keeps_none) = options::keep_or_none(keep)?;
    let settings = repeats::Settings {
        words: options::number("words", words, 5, 10_000)?,
        is_verbatim: verbatim,
        keeps_none,
        limits: limits(min_left, max_cut)?,
        memory: MAX_MEMORY / 2,
        bytes: 0,
        temp: scratch::parent(),
        checkpoint: None,
    };
    Ok((settings, keeping))
}

/// Cuts runs of words that stand twice.
#[pyfunction]
#[pyo3(signature = (texts, text, id, words, verbatim, keep, min_left, max_cut, threads, max_memory, progress))]
pub(crate) fn clean_repeats(
    texts: &Bound<'_, PyAny>,
    text: &str,
    id: Option<&str>,
    words: i128,
    verbatim: bool,
    keep: &str,
    min_left: i128,
    max_cut: f64,
    threads: Option<i128>,
    max_memory: Option<i128>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let rules = RepeatRules { words, verbatim, min_left, max_cut };
    let (mut settings, keeping) = repeat_settings(rules, keep)?;
    let max_memory = options::max_memory(max_memory)?;
    settings.memory = max_memory.unwrap_or(MAX_MEMORY) / 2;
    searched(texts, (text, id, None), &keeping, (threads, max_memory, progress), |mut corpus| {
        settings.bytes = corpus.bytes();
        let found = repeats::find(&mut corpus, &settings)?;
        let span = |cut: &repeats::Cut| Span { document: cut.document, ends: [cut.start, cut.end], words: cut.words };
        let spans: Vec<Span> = found.cuts.iter().map(span).collect();
        let firsts: Vec<_> = found.cuts.iter().map(|cut| cut.first).collect();
        let counts = rows(found.cuts.iter().map(|cut| Some(cut.count as usize)));
        let spans = corpus.spans(&spans, vec![("first", corpus.first(&firsts)), ("count", counts)]);
        let fates = corpus.fates(found.cuts.iter().map(|cut| cut.document), &found.gone, &found.spared);
        Ok((spans, fates, found.words))
    })
}

/// The options of a search for lines, as Python gives them.
pub(crate) struct LineRules {
    pub(crate) max_documents: i128,
    pub(crate) per_site: Option<f64>,
    pub(crate) paragraphs: bool,
    pub(crate) all_lines: bool,
    pub(crate) min_left: i128,
    pub(crate) max_cut: f64,
}

/// The same as the library takes them, and the policy; `url` is the column of addresses.
pub(crate) fn line_settings(rules: LineRules, url: Option<&str>, keep: &str) -> PyResult<(lines::Settings, Keeping)> {
    let LineRules { max_documents, per_site, paragraphs, all_lines, min_left, max_cut } = rules;
    let (keeping, keeps_none) = options::keep_or_none(keep)?;
    if per_site.is_some() != url.is_some() {
        let message = "per_site and url belong together: a share of a site's pages, and the column of their addresses";
        return Err(PyValueError::new_err(message));
    }
    let settings = lines::Settings {
        by_paragraph: paragraphs,
        max_documents: options::number("max_documents", max_documents, 1, u32::MAX)?,
        per_site: per_site.map(|share| options::share("per_site", share)).transpose()?,
        counts: None,
        all_lines,
        keeps_none,
        limits: limits(min_left, max_cut)?,
        memory: MAX_MEMORY / 2,
        temp: scratch::parent(),
    };
    Ok((settings, keeping))
}

/// Cuts lines that stand in many texts.
#[pyfunction]
#[pyo3(signature = (texts, text, id, url, max_documents, per_site, paragraphs, all_lines, counts, keep, min_left, max_cut, threads, max_memory, progress))]
pub(crate) fn clean_lines(
    texts: &Bound<'_, PyAny>,
    text: &str,
    id: Option<&str>,
    url: Option<&str>,
    max_documents: i128,
    per_site: Option<f64>,
    paragraphs: bool,
    all_lines: bool,
    counts: Option<PathBuf>,
    keep: &str,
    min_left: i128,
    max_cut: f64,
    threads: Option<i128>,
    max_memory: Option<i128>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Made> {
    let rules = LineRules { max_documents, per_site, paragraphs, all_lines, min_left, max_cut };
    let (mut settings, keeping) = line_settings(rules, url, keep)?;
    settings.counts = counts;
    let max_memory = options::max_memory(max_memory)?;
    settings.memory = max_memory.unwrap_or(MAX_MEMORY) / 2;
    searched(texts, (text, id, url), &keeping, (threads, max_memory, progress), |mut corpus| {
        let found = lines::find(&mut corpus, &settings)?;
        let (mut spans, mut firsts, mut counts, mut reasons) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for cut in found.cuts.read()? {
            let cut = cut?;
            let line = cut.line.map(|line| found.lines[line as usize]);
            spans.push(Span { document: cut.document, ends: [cut.start, cut.end], words: cut.words });
            firsts.push(line.and_then(|line| line.first));
            counts.push(Some(line.map_or(0, |line| line.documents as usize)));
            reasons.push(cut.why());
        }
        let why: ArrayRef = Arc::new(StringArray::from(reasons));
        let fates = corpus.fates(spans.iter().map(|span| span.document), &found.gone, &found.spared);
        let more = vec![("first", corpus.first(&firsts)), ("documents", rows(counts)), ("why", why)];
        Ok((corpus.spans(&spans, more), fates, found.words))
    })
}
