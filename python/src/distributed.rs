//! The steps of a search that is spread over machines: fingerprints, keys, verified pairs, figures.
//!
//! Each step takes a batch of rows and returns a row for each, so that an engine which joins tables can
//! do the rest: `python/nearcopy/spark/_find.py`. 64-bit numbers are signed, as such engines have no others.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, BinaryArray, BooleanArray, Int64Array, RecordBatch};
use arrow_schema::DataType;
use nearcopy::search::keep::sort_bytes;
use nearcopy::similarity::{FingerprintView, equality_key};
use nearcopy::sketch::bands::Bands;
use nearcopy::sketch::simhash_blocks::Blocks;
use nearcopy::{KeyOrder, Options, Removal, Rules};
use nearcopy_corpus::records::shown;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::columns::{batch, column, number_column};
use crate::errors::raised;
use crate::fingerprinter::Fingerprinter;
use crate::options::{self, Keeping};
use crate::table::{Likeness, Table, table};
use crate::texts::expect_key;

/// The options of a distributed search.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Steps {
    pub(crate) options: Options,
    pub(crate) rules: Rules,
    pub(crate) recall: f64,
    /// The widest claim by which documents are removed; `None` if near-duplicates are only listed.
    pub(crate) remove: Option<Removal>,
    bands: Option<Bands>,
    blocks: Option<Blocks>,
    keep: Keeping,
}

#[pymethods]
impl Steps {
    /// `documents` is the number of documents, which decides the keys of simhashes but not the result.
    #[new]
    #[pyo3(signature = (fingerprinter, keep, similarity, distance, remove, recall, documents))]
    fn new(
        fingerprinter: &Fingerprinter,
        keep: &str,
        similarity: Option<f64>,
        distance: Option<i128>,
        remove: Option<&str>,
        recall: f64,
        documents: usize,
    ) -> PyResult<Self> {
        let mut options = fingerprinter.options.clone();
        let (remove, rules) = options::searching(remove, similarity, distance, &mut options)?;
        let recall = options::recall(recall)?;
        let keep = options::keep(keep)?;
        let bands = rules.min_similarity.map(|similarity| Bands::choose(options.sketches, similarity, recall));
        let blocks = rules.max_distance.and_then(|distance| Blocks::choose(distance, documents));
        Ok(Self { options, rules, recall, remove, bands, blocks, keep })
    }

    /// The fingerprint of each row: `digest`, `bytes`, `simhash`, `sketch`, `shingles`; where documents are removed, also
    /// `letters`, `words` and `same`, which is equal for texts of equal words. If the policy has a field, also `key`: the
    /// value of `field` as bytes whose order is that of the policy.
    fn fingerprints(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let texts = column(&batch, "text", &DataType::Utf8)?.as_string::<i32>();
        let mut columns = fingerprints_of(texts.iter().map(Option::unwrap_or_default), texts.len(), &self.options)?;
        if self.remove.is_none() {
            columns.truncate(LISTED);
        }
        if let Keeping::Column(order, name) = &self.keep {
            columns.push(("key", sort_keys(&batch, *order, name)?));
        }
        Ok(table(columns))
    }

    /// The keys of each row by `simhash` and `sketch`: lists `bands` and `blocks`.
    fn keys(&self, fingerprints: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(fingerprints)?;
        let rows = Fingerprints::of(&batch, "")?;
        let [mut by_band, mut by_block] = [(); 2].map(|()| ListBuilder::new(Int64Builder::new()));
        for row in 0..batch.num_rows() {
            let [bands, blocks] = self.keys_of(&rows.row(row));
            by_band.append_value(bands.into_iter().map(Some));
            by_block.append_value(blocks.into_iter().map(Some));
        }
        Ok(table(vec![("bands", Arc::new(by_band.finish())), ("blocks", Arc::new(by_block.finish()))]))
    }

    /// True for each pair that may be near by `simhash_a`, `sketch_a`, `simhash_b` and `sketch_b`; with `shingles_a`
    /// and `shingles_b`, for each that is near.
    fn near(&self, pairs: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(pairs)?;
        let [a, b] = ["_a", "_b"].map(|side| Fingerprints::of(&batch, side));
        let (a, b) = (a?, b?);
        let near = pairs.py().detach(|| (0..batch.num_rows()).map(|row| self.is_near(&a, &b, row)).collect::<Vec<_>>());
        Ok(table(vec![("near", Arc::new(BooleanArray::from(near)))]))
    }

    /// The figures of each pair.
    fn judge(&self, pairs: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(pairs)?;
        let [a, b] = ["_a", "_b"].map(|side| Fingerprints::of(&batch, side));
        let (a, b) = (a?, b?);
        let mut likeness = Likeness::default();
        for row in 0..batch.num_rows() {
            let [a, b] = [a.row(row), b.row(row)];
            likeness.push(Some(a.view().judge(&b.view(), &self.rules)), None);
        }
        Ok(table(likeness.figures()))
    }
}

impl Steps {
    /// The keys of a document: of its sketch, and of its simhash.
    pub(crate) fn keys_of(&self, document: &Row) -> [Vec<i64>; 2] {
        let bands = self.bands.as_ref().filter(|_| !document.sketch.is_empty());
        let bands = bands.map_or_else(Vec::new, |bands| {
            (0..bands.len()).map(|key| bands.key(key, &document.sketch).cast_signed()).collect()
        });
        let blocks = match (document.simhash.filter(|_| self.rules.max_distance.is_some()), &self.blocks) {
            (Some(simhash), Some(blocks)) => {
                (0..blocks.len()).map(|key| blocks.key(key, simhash).cast_signed()).collect()
            }
            // Without keys, each is compared with each.
            (Some(_), None) => vec![0],
            (None, _) => Vec::new(),
        };
        [bands, blocks]
    }

    pub(crate) fn is_within_distance(&self, a: &Row, b: &Row) -> bool {
        let distance = a.simhash.zip(b.simhash).map(|(a, b)| (a ^ b).count_ones());
        distance.zip(self.rules.max_distance).is_some_and(|(distance, most)| distance <= most)
    }

    /// True if the sketches have enough in common, and the shingles are similar.
    pub(crate) fn is_similar(&self, a: &Row, b: &Row) -> bool {
        self.may_be_similar(a, b) && a.view().is_similar(&b.view(), &self.rules)
    }

    fn may_be_similar(&self, a: &Row, b: &Row) -> bool {
        self.bands.as_ref().is_some_and(|bands| bands.is_candidate(&a.sketch, &b.sketch))
    }

    /// The rule of `Plan::is_near`.
    fn is_near(&self, a: &Fingerprints<'_>, b: &Fingerprints<'_>, row: usize) -> bool {
        let has_shingles = a.shingles.is_some();
        let (a, b) = (a.row(row), b.row(row));
        self.is_within_distance(&a, &b)
            || if has_shingles { self.is_similar(&a, &b) } else { self.may_be_similar(&a, &b) }
    }
}

/// The columns of fingerprints.
pub(crate) struct Fingerprints<'a> {
    simhashes: &'a Int64Array,
    sketches: &'a BinaryArray,
    shingles: Option<&'a BinaryArray>,
    digests: Option<&'a BinaryArray>,
    words: Option<&'a BinaryArray>,
    letters: Option<&'a Int64Array>,
}

/// A fingerprint, read from its columns.
pub(crate) struct Row {
    simhash: Option<u64>,
    sketch: Vec<u32>,
    shingles: Vec<u64>,
    digest: [u8; 16],
    words: Vec<u32>,
    letters: u64,
}

impl Row {
    pub(crate) fn view(&self) -> FingerprintView<'_> {
        let Self { simhash, ref sketch, ref shingles, digest, ref words, letters } = *self;
        let (shingles, words) = (shingles.into(), words.into());
        FingerprintView { simhash, sketch, digest, shingles, words, letters, ..FingerprintView::default() }
    }
}

impl<'a> Fingerprints<'a> {
    /// Those whose columns have names that end in `side`.
    pub(crate) fn of(batch: &'a RecordBatch, side: &str) -> PyResult<Self> {
        let binary =
            |name: &str| column(batch, &format!("{name}{side}"), &DataType::Binary).map(AsArray::as_binary::<i32>);
        let optional = |name: &str| batch.column_by_name(&format!("{name}{side}")).map(|_| binary(name)).transpose();
        let whole = |name: &str| number_column(batch, &format!("{name}{side}"));
        let has_letters = batch.column_by_name(&format!("letters{side}")).is_some();
        Ok(Self {
            simhashes: whole("simhash")?,
            sketches: binary("sketch")?,
            shingles: optional("shingles")?,
            digests: optional("digest")?,
            words: optional("words")?,
            letters: has_letters.then(|| whole("letters")).transpose()?,
        })
    }

    fn simhash(&self, row: usize) -> Option<u64> {
        self.simhashes.is_valid(row).then(|| self.simhashes.value(row).cast_unsigned())
    }

    pub(crate) fn row(&self, row: usize) -> Row {
        let shingles = self.shingles.map_or(&[][..], |shingles| shingles.value(row));
        let digest = self.digests.and_then(|digests| digests.value(row).first_chunk().copied());
        Row {
            simhash: self.simhash(row),
            sketch: words_of(self.sketches, row),
            shingles: shingles.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes)).collect(),
            digest: digest.unwrap_or_default(),
            words: self.words.map(|words| words_of(words, row)).unwrap_or_default(),
            letters: self.letters.map_or(0, |letters| letters.value(row).cast_unsigned()),
        }
    }
}

/// The numbers of 32 bits at a row.
pub(crate) fn words_of(array: &BinaryArray, row: usize) -> Vec<u32> {
    array.value(row).as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect()
}

/// Number of columns of a fingerprint that is only listed.
const LISTED: usize = 5;

fn fingerprints_of<'a>(
    texts: impl Iterator<Item = &'a str>,
    count: usize,
    options: &Options,
) -> PyResult<Vec<(&'static str, ArrayRef)>> {
    let mut fingerprinter = nearcopy::Fingerprinter::new(options.clone()).map_err(raised)?;
    let [mut digests, mut sketches, mut shingles, mut words, mut same] = [(); 5].map(|()| BinaryBuilder::new());
    let [mut bytes, mut simhashes, mut letters] = [(); 3].map(|()| Int64Builder::with_capacity(count));
    for text in texts {
        let made = fingerprinter.analyse(text);
        digests.append_value(made.fingerprint.digest);
        same.append_value(equality_key(made.fingerprint.letters, made.fingerprint.digest));
        bytes.append_value(text.len() as i64);
        letters.append_value(made.fingerprint.letters.cast_signed());
        words.append_value(made.words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        simhashes.append_option(made.fingerprint.simhash.map(u64::cast_signed));
        sketches.append_value(made.fingerprint.sketch.iter().flat_map(|row| row.to_le_bytes()).collect::<Vec<u8>>());
        shingles.append_value(
            made.shingles.as_slice().iter().flat_map(|shingle| shingle.to_le_bytes()).collect::<Vec<u8>>(),
        );
    }
    Ok(vec![
        ("digest", Arc::new(digests.finish())),
        ("bytes", Arc::new(bytes.finish())),
        ("simhash", Arc::new(simhashes.finish())),
        ("sketch", Arc::new(sketches.finish())),
        ("shingles", Arc::new(shingles.finish())),
        ("letters", Arc::new(letters.finish())),
        ("words", Arc::new(words.finish())),
        ("same", Arc::new(same.finish())),
    ])
}

/// The column `field`, which has this name, as bytes in the order of a policy.
pub(crate) fn sort_keys(batch: &RecordBatch, order: KeyOrder, name: &str) -> PyResult<ArrayRef> {
    let field = batch.column_by_name("field").ok_or_else(|| PyKeyError::new_err("no column 'field'"))?;
    expect_key(name, field.data_type())?;
    // A text without characters is no value, as in a fingerprint file.
    let keys = (0..field.len()).map(|row| shown(field, row).filter(|key| !key.is_empty()));
    let bytes = keys.map(|key| key.map(|key| sort_bytes(&key, order == KeyOrder::Greatest)));
    Ok(Arc::new(bytes.collect::<BinaryArray>()))
}
