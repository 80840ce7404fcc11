//! Fingerprints of texts.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeBinaryBuilder, ListBuilder, StringBuilder, UInt32Builder};
use arrow_array::{ArrayRef, Int64Array, UInt64Array};
use nearcopy::sketch::minhash::MAX_SKETCHES;
use nearcopy::text::ngrams::MAX_SIZE;
use nearcopy::texts::fingerprint::fingerprint_texts;
use nearcopy::{Fingerprint, Language, NgramRange, Options, Shingles, StopList, StopWords};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raised;
use crate::options;
use crate::run::run;
use crate::table::{Table, table};
use crate::texts::Source;

/// The options by which texts become fingerprints.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Fingerprinter {
    pub(crate) options: Options,
}

#[pymethods]
impl Fingerprinter {
    #[new]
    #[pyo3(signature = (language, min, max, sketches, stop_words, stem, shingles))]
    fn new(
        language: Option<&str>,
        min: i128,
        max: i128,
        sketches: i128,
        stop_words: Option<Vec<String>>,
        stem: bool,
        shingles: &str,
    ) -> PyResult<Self> {
        let language = language.map(str::parse::<Language>).transpose().map_err(raised)?;
        let stop_words = match stop_words {
            None => StopWords::Auto,
            Some(words) if words.is_empty() => StopWords::None,
            Some(words) => StopWords::List(Arc::new(StopList::parse(&words.join("\n")))),
        };
        let shingles: Shingles = shingles
            .parse()
            .map_err(|_| PyValueError::new_err(format!("shingles '{shingles}': expected 'words' or 'terms'")))?;
        let [min, max, sketches] =
            [("min", min, MAX_SIZE), ("max", max, MAX_SIZE), ("sketches", sketches, MAX_SKETCHES)]
                .map(|(name, value, most)| options::number(name, value, 1, most as u32).map(|value| value as usize));
        let mut options = Options::default()
            .stop_words(stop_words)
            .ngrams(NgramRange::new(min?, max?).map_err(raised)?)
            .sketches(sketches?)
            .shingles(shingles);
        (options.text.language, options.text.stem) = (language, stem);
        // An option that is out of bounds is an error here, not at the first text.
        nearcopy::Fingerprinter::new(options.clone()).map_err(raised)?;
        Ok(Self { options })
    }

    /// The fingerprint of each row.
    fn fingerprint(
        &self,
        texts: &Bound<'_, PyAny>,
        text: &str,
        threads: Option<i128>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let source = Source::of(texts, text, None)?;
        let threads = options::threads(threads)?;
        let columns = run(texts.py(), progress.as_ref(), |watcher| {
            let mut documents = source.documents(watcher);
            let mut columns = Columns::new();
            let rows = std::iter::from_fn(|| documents.next_row().map(|row| row.text));
            fingerprint_texts(rows, &self.options, threads, watcher, |made| columns.push(made.as_ref()))?;
            Ok(columns)
        })?;
        Ok(columns.finish())
    }
}

struct Columns {
    simhashes: Vec<Option<u64>>,
    sketches: ListBuilder<UInt32Builder>,
    digests: FixedSizeBinaryBuilder,
    languages: StringBuilder,
    counts: [Vec<Option<i64>>; 4],
}

impl Columns {
    fn new() -> Self {
        Self {
            simhashes: Vec::new(),
            sketches: ListBuilder::default(),
            digests: FixedSizeBinaryBuilder::new(16),
            languages: StringBuilder::new(),
            counts: Default::default(),
        }
    }

    fn push(&mut self, made: Option<&Fingerprint>) {
        self.simhashes.push(made.and_then(|made| made.simhash));
        self.sketches.append_option(made.map(|made| made.sketch.iter().map(|&minimum| Some(minimum))));
        match made {
            Some(made) => self.digests.append_value(made.digest).expect("a digest has 16 bytes"),
            None => self.digests.append_null(),
        }
        self.languages.append_option(made.map(|made| made.language.code()));
        let counts = |made: &Fingerprint| [made.tokens, made.terms, made.ngrams, made.shingles];
        for (number, column) in self.counts.iter_mut().enumerate() {
            column.push(made.map(|made| counts(made)[number] as i64));
        }
    }

    fn finish(mut self) -> Table {
        let [tokens, terms, ngrams, shingles] =
            self.counts.map(|column| -> ArrayRef { Arc::new(Int64Array::from(column)) });
        table(vec![
            ("simhash", Arc::new(UInt64Array::from(self.simhashes))),
            ("sketch", Arc::new(self.sketches.finish())),
            ("digest", Arc::new(self.digests.finish())),
            ("language", Arc::new(self.languages.finish())),
            ("tokens", tokens),
            ("terms", terms),
            ("ngrams", ngrams),
            ("shingles", shingles),
        ])
    }
}
