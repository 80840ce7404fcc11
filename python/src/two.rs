//! Two texts compared, and one explained.

use nearcopy::{Figures, Fingerprint, Rule, fingerprint};
use nearcopy_corpus::{Document, Format, Hidden};
use nearcopy_dedup::report::explanation;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::raised;
use crate::fingerprinter::Fingerprinter;
use crate::options::rules;

/// The figures of two texts, and the rules that hold.
#[pyfunction]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    a: &str,
    b: &str,
    fingerprinter: &Fingerprinter,
    similarity: Option<f64>,
    distance: Option<i128>,
) -> PyResult<Bound<'py, PyDict>> {
    let rules = rules(similarity, distance)?;
    let mut maker = nearcopy::Fingerprinter::new(fingerprinter.options.clone()).map_err(raised)?;
    let (analyses, comparison) = py.detach(|| {
        let analyses = maker.analyse_pair(a, b);
        let comparison = nearcopy::compare(&analyses[0], &analyses[1]);
        (analyses, comparison)
    });
    let comparison = comparison.map_err(raised)?;
    let held: Vec<&str> = rules.judge(&comparison.figures).iter().map(Rule::name).collect();
    let found = PyDict::new(py);
    found.set_item("distance", comparison.figures.distance)?;
    for (name, share) in Figures::SHARES {
        found.set_item(name, share(&comparison.figures))?;
    }
    found.set_item("shared_shingles", comparison.overlap.shared)?;
    found.set_item("near_duplicate", !held.is_empty())?;
    found.set_item("rules", PyList::new(py, held)?)?;
    let documents = analyses.iter().map(|analysis| document(py, &analysis.fingerprint));
    found.set_item("documents", PyList::new(py, documents.collect::<PyResult<Vec<_>>>()?)?)?;
    Ok(found)
}

fn document<'py>(py: Python<'py>, made: &Fingerprint) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    found.set_item("simhash", made.simhash)?;
    found.set_item("sketch", &made.sketch)?;
    found.set_item("language", made.language.code())?;
    found.set_item("tokens", made.tokens)?;
    found.set_item("terms", made.terms)?;
    found.set_item("ngrams", made.ngrams)?;
    found.set_item("shingles", made.shingles)?;
    Ok(found)
}

/// Every step from a text to its fingerprint, as JSON.
#[pyfunction]
pub(crate) fn explain(py: Python<'_>, text: &str, fingerprinter: &Fingerprinter) -> PyResult<String> {
    let maker = nearcopy::Fingerprinter::new(fingerprinter.options.clone()).map_err(raised)?;
    py.detach(|| {
        let explained = fingerprint::explain(text, &fingerprinter.options);
        let document = Document {
            id: String::new(),
            text: text.into(),
            format: Format::Text,
            encoding: "UTF-8",
            replaced: 0,
            hidden: Hidden::default(),
            pictured: 0,
            date: None,
        };
        let mut json = Vec::new();
        let written = explanation::write_as_json(&mut json, &document, &explained, maker.recipe());
        Ok(written.and_then(|()| String::from_utf8(json).map_err(std::io::Error::other))?)
    })
}
