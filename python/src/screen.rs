//! Passages that texts share.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float32Array, StringArray};
use nearcopy::screen::{Exclude, Screening as Screened};
use nearcopy::{Error, Language, ScreenOptions};
use nearcopy_corpus::NewFile;
use nearcopy_dedup::report::screening::Page;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::options;
use crate::run::{run, run_within};
use crate::search::replacing;
use crate::table::{Table, rows, table};
use crate::texts::{Positions, Source};

/// The passages that texts share with sources, or with each other.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Screening {
    screened: Screened,
    page: Page,
    /// The rows of the texts, and of the sources.
    positions: [Positions; 2],
}

#[pymethods]
impl Screening {
    #[new]
    #[expect(clippy::fn_params_excessive_bools, reason = "Python names its arguments")]
    #[pyo3(signature = (texts, against, with_each_other, ignore, text, id, language, min_words, min_probability, no_quotations, no_bibliography, no_code, no_common, threads, max_memory, progress))]
    fn new(
        texts: &Bound<'_, PyAny>,
        against: Option<&Bound<'_, PyAny>>,
        with_each_other: bool,
        ignore: Option<&Bound<'_, PyAny>>,
        text: &str,
        id: Option<&str>,
        language: Option<&str>,
        min_words: i128,
        min_probability: f64,
        no_quotations: bool,
        no_bibliography: bool,
        no_code: bool,
        no_common: bool,
        threads: Option<i128>,
        max_memory: Option<i128>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let exclude =
            Exclude { quotations: no_quotations, bibliography: no_bibliography, code: no_code, common: no_common };
        let min_words = options::number("min_words", min_words, 1, u32::MAX)? as usize;
        let min_probability = options::share("min_probability", min_probability)?;
        let mut options =
            ScreenOptions::new().exclude(exclude).with_each_other(with_each_other).threads(options::threads(threads)?);
        // What differs from the defaults holds for whole texts too.
        let defaults = nearcopy::align::Options::default();
        if min_words != defaults.min_words {
            options = options.min_words(min_words);
        }
        if (min_probability as f32).total_cmp(&defaults.min_probability).is_ne() {
            options = options.min_probability(min_probability as f32);
        }
        if let Some(language) = language {
            options = options.language(language.parse::<Language>().map_err(raised)?);
        }
        let max_memory = options::max_memory(max_memory)?;
        if let Some(bytes) = max_memory {
            options = options.max_memory(bytes as u64);
        }
        let sources = [
            Some(Source::of(texts, text, id)?),
            against.map(|against| Source::of(against, text, id)).transpose()?,
            ignore.map(|ignore| Source::of(ignore, text, None)).transpose()?,
        ];
        let mut page = Page::new(min_words);
        (page.against, page.exclude) = (against.is_some(), exclude);
        page.whole_texts = options.finds_whole_texts();
        let (screened, [first, second, templates]) =
            run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
                let mut positions: [Positions; 3] = Default::default();
                let mut all: [Vec<(String, String)>; 3] = Default::default();
                // A source with the id and the text of a document would be that document.
                let rows = ["row", "row of against", "row of ignore"];
                for (((source, positions), texts), row) in
                    sources.into_iter().zip(&mut positions).zip(&mut all).zip(rows)
                {
                    if let Some(source) = source {
                        let has_ids = source.has_ids;
                        let mut documents = source.documents(watcher);
                        // A text is kept with the places of its words.
                        while let Some((id, text)) = documents.next() {
                            let id = if has_ids { id } else { format!("{row} {}", documents.positions.rows - 1) };
                            texts.push((id, text.as_ref().to_owned()));
                        }
                        *positions = documents.positions;
                    }
                }
                let [documents, sources, ignored] = all;
                let options = ignored.into_iter().fold(options, |options, (_, text)| options.ignore(text));
                Ok((options.screening([documents, sources], watcher)?, positions))
            })?;
        page.templates = templates.documents();
        Ok(Self { screened, page, positions: [first, second] })
    }

    /// The passages, pair by pair, the greatest share first.
    fn passages(&self, py: Python<'_>) -> Table {
        py.detach(|| self.table())
    }

    /// Writes the page for readers.
    fn report(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        run(py, None, |_| {
            let mut page = NewFile::create(&path, replacing(overwrite))?;
            let written = self.page.write(&self.screened, &mut page);
            written.map_err(|source| Error::Write { path: path.display().to_string(), source })?;
            page.finish()
        })
    }
}

impl Screening {
    fn table(&self) -> Table {
        const COUNTS: [&str; 16] = [
            "offset",
            "length",
            "source_offset",
            "source_length",
            "words",
            "words_counted",
            "source_words",
            "verbatim",
            "exact",
            "stemmed",
            "folded",
            "replaced",
            "missing",
            "repeats",
            "document",
            "source",
        ];
        let Screened { texts, matches, suspicious, .. } = &self.screened;
        let mut counts: [Vec<Option<usize>>; COUNTS.len()] = Default::default();
        let (mut scores, mut probabilities) = (Vec::new(), Vec::new());
        let (mut in_table, mut weak, mut code) = (Vec::new(), Vec::new(), Vec::new());
        let (mut kinds, mut quotations) = (Vec::new(), Vec::new());
        let [first, second] = &self.positions;
        for found in matches {
            let [a, b] = [found.suspicious, found.source].map(|text| &texts[text as usize]);
            let row = |text: u32| match (text as usize).checked_sub(*suspicious) {
                None => first.row(text as usize),
                Some(text) => second.row(text),
            };
            for passage in &found.passages {
                let kept = self.screened.kept(found, passage);
                let (here, there) = (a.place(passage.a.clone()), b.place(passage.b.clone()));
                let values = [
                    here.offset,
                    here.length,
                    there.offset,
                    there.length,
                    passage.a.len(),
                    a.counted_in(passage.a.clone()),
                    passage.b.len(),
                    kept.verbatim,
                    kept.exact,
                    kept.stemmed,
                    kept.folded,
                    kept.replaced,
                    kept.missing,
                    passage.elsewhere.len(),
                    row(found.suspicious),
                    row(found.source),
                ];
                counts.iter_mut().zip(values).for_each(|(column, value)| column.push(Some(value)));
                in_table.push((found.source as usize) < *suspicious);
                scores.push(passage.score);
                probabilities.push(passage.probability);
                weak.push(passage.is_weak);
                kinds.push(self.screened.kind(found, passage).name());
                quotations.push(a.quotation(&passage.a).name());
                code.push(a.is_code(passage.a.clone()));
            }
        }
        let mut columns: Vec<(&str, ArrayRef)> =
            COUNTS.into_iter().zip(counts).map(|(name, column)| (name, rows(column))).collect();
        // The rows come first.
        columns.rotate_right(2);
        columns.push(("in_table", Arc::new(BooleanArray::from(in_table))));
        columns.push(("score", Arc::new(Float32Array::from(scores))));
        columns.push(("probability", Arc::new(Float32Array::from(probabilities))));
        columns.push(("weak", Arc::new(BooleanArray::from(weak))));
        columns.push(("kind", Arc::new(StringArray::from(kinds))));
        columns.push(("quotation", Arc::new(StringArray::from(quotations))));
        columns.push(("code", Arc::new(BooleanArray::from(code))));
        table(columns)
    }
}
