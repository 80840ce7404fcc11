//! Items of test sets, where the texts are spread over machines: `python/nearcopy/spark/_decontaminate.py`.
//!
//! Each step takes a batch of rows and returns a row for each; an engine that joins tables does the rest. Every machine has all
//! items, and what all texts together have of them.

use std::sync::{Arc, OnceLock};

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, Float64Array, Int64Array};
use arrow_schema::DataType;
use nearcopy::decontaminate::rewritten::RewrittenIndex;
use nearcopy::decontaminate::{Counts, Lookup, Rewritten, Telling};
use nearcopy_dedup::jobs::decontaminate::{ItemFound, in_characters, in_document, is_rewritten, rounded};
use pyo3::prelude::*;

use crate::columns::{batch, batches, column, lists, named, numbers, texts_of};
use crate::errors::raised;
use crate::options;
use crate::run::run;
use crate::table::{Table, table};
use crate::test_set::{TestSet, parts, records};

/// The items of a test set, and the options of a search for them that is spread over machines.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct ItemSteps {
    set: Arc<TestSet>,
    coverage: f64,
    rewritten: Option<f64>,
}

#[pymethods]
impl ItemSteps {
    #[new]
    #[pyo3(signature = (against, fields, need, item_id, coverage, rewritten))]
    fn new(
        against: &Bound<'_, PyAny>,
        fields: Vec<String>,
        need: Vec<String>,
        item_id: Option<String>,
        coverage: f64,
        rewritten: Option<f64>,
    ) -> PyResult<Self> {
        let (parts, coverage) = (parts(fields, need, item_id)?, options::share("coverage", coverage)?);
        let rewritten = rewritten.map(|least| options::share("rewritten", least)).transpose()?;
        let records = records(against, &parts)?;
        let set = run(against.py(), None, |watcher| TestSet::of(&records, &parts, rewritten.is_some(), watcher))?;
        Ok(Self { set: Arc::new(set), coverage, rewritten })
    }

    /// Why items were left out; `None` if none was.
    #[getter]
    fn left_out(&self) -> Option<&str> {
        self.set.left_out.as_deref()
    }

    /// The numbers of the n-grams of items in each row's `text`, a list `numbers`, and its number of `words`. A text without
    /// numbers has no item.
    fn counted(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let (texts, mut lookup) = (texts_of(&batch)?, Lookup::default());
        let (mut words, mut of_items) = (Int64Builder::new(), lists());
        for row in 0..batch.num_rows() {
            let (counted, of_text) = lookup.counted(&self.set.items, texts.value(row));
            words.append_value(of_text.cast_signed());
            of_items.append_value(counted.iter().map(|&number| Some(number.into())));
        }
        Ok(table(vec![("numbers", Arc::new(of_items.finish())), ("words", Arc::new(words.finish()))]))
    }

    /// The search among all texts, given how many `documents` have each `number`, and the number of words of all.
    fn finder(&self, documents: &Bound<'_, PyAny>, words: u64) -> PyResult<ItemFinder> {
        let mut counted = Vec::new();
        for batch in batches(documents)? {
            let [numbers, documents] = [numbers(&batch, "number")?, numbers(&batch, "documents")?];
            counted.extend(numbers.zip(documents).map(|(number, documents)| (saturated(number), saturated(documents))));
        }
        let counts = Counts::of(&self.set.items, counted, words);
        let telling = Telling::new(Arc::clone(&self.set.items), &counts, self.coverage);
        Ok(ItemFinder { set: Arc::clone(&self.set), telling, least: self.rewritten, rewritten: OnceLock::new() })
    }
}

/// Finds the items of a test set in texts, given what all texts have of them.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct ItemFinder {
    set: Arc<TestSet>,
    telling: Telling,
    /// Least probability that a passage is a copy, to look for items in other words too.
    least: Option<f64>,
    /// These items, indexed where texts are searched.
    rewritten: OnceLock<Rewritten>,
}

#[pymethods]
impl ItemFinder {
    /// The items in each row's `text`. Lists with an entry for each item of which it has anything: `items`; the greatest
    /// coverage in one place, `most`; `has`, 1 if that contaminates the text, and `rewritten`, 1 if it has it in other words only.
    /// Lists with an entry for each span of those: the row of its item in the test set, `rows`, and `ids` if a field of ids was
    /// named; `starts`, `ends`, `start_bytes`, `end_bytes`, `words`, `coverages` and `probabilities`. `in_part` is true of a text
    /// that was too long to be searched whole for items in other words.
    fn find(&self, texts: &Bound<'_, PyAny>) -> PyResult<Table> {
        let batch = batch(texts)?;
        let (texts, mut lookup) = (texts_of(&batch)?, Lookup::default());
        let rewritten = self.rewritten()?;
        let index = rewritten.map(Rewritten::index);
        let mut search = index.as_ref().map(RewrittenIndex::search);
        let (mut whole, mut most, mut coverages) = ([(); 9].map(|()| lists()), shares(), shares());
        let (mut probabilities, mut in_part) = (shares(), BooleanBuilder::new());
        let mut ids = self.set.ids.as_ref().map(|ids| (ids, ListBuilder::new(StringBuilder::new())));
        for row in 0..batch.num_rows() {
            let text = texts.value(row);
            let mut found = self.telling.find(&mut lookup, text);
            in_part.append_value(search.as_mut().is_some_and(|search| search.add(text, &mut found, &()).is_some()));
            for of_item in found.chunk_by(|a, b| a.item == b.item) {
                let (has, coverage) = in_document(of_item);
                whole[0].values().append_value(of_item[0].item.into());
                whole[1].values().append_value(has.into());
                whole[2].values().append_value(is_rewritten(of_item).into());
                most.values().append_value(coverage);
            }
            for (found, characters) in found.iter().zip(in_characters(text, &found)) {
                for (bytes, characters) in found.spans.iter().zip(characters) {
                    let ends = [characters.start, characters.end, bytes.start, bytes.end].map(|end| end as i64);
                    let of_set = self.set.rows[found.item as usize] as i64;
                    let numbers = [of_set, ends[0], ends[1], ends[2], ends[3], found.words.into()];
                    for (list, number) in whole[3..].iter_mut().zip(numbers) {
                        list.values().append_value(number);
                    }
                    coverages.values().append_value(rounded(found.coverage));
                    probabilities.values().append_option(found.probability.map(rounded));
                    if let Some((ids, list)) = &mut ids {
                        list.values().append_option(ids[found.item as usize].as_deref());
                    }
                }
            }
            for list in &mut whole {
                list.append(true);
            }
            for list in [&mut most, &mut coverages, &mut probabilities] {
                list.append(true);
            }
            if let Some((_, list)) = &mut ids {
                list.append(true);
            }
        }
        let names = ["items", "has", "rewritten", "rows", "starts", "ends", "start_bytes", "end_bytes", "words"];
        let mut columns: Vec<(&str, ArrayRef)> = named(names, whole).collect();
        columns.push(("most", Arc::new(most.finish())));
        columns.push(("coverages", Arc::new(coverages.finish())));
        columns.push(("probabilities", Arc::new(probabilities.finish())));
        columns.push(("in_part", Arc::new(in_part.finish())));
        columns.extend(ids.map(|(_, mut list)| ("ids", Arc::new(list.finish()) as ArrayRef)));
        Ok(table(columns))
    }

    /// The verdicts on all items, in their order. `found` has a row for each item that a text has anything of: its number `item`,
    /// the number of `documents` that it contaminates, that of those with it in other words only, `rewritten`, the greatest
    /// `coverage`, 0 to 1, and the `place` of the first document with that.
    fn items(&self, found: &Bound<'_, PyAny>) -> PyResult<Table> {
        let mut all: Vec<ItemFound<i64>> = ItemFound::all(&self.telling, &self.set.items);
        for batch in batches(found)? {
            let [items, documents] = [numbers(&batch, "item")?, numbers(&batch, "documents")?];
            let coverages: &Float64Array = column(&batch, "coverage", &DataType::Float64)?.as_primitive();
            let [rewritten, places] = [numbers(&batch, "rewritten")?, numbers(&batch, "place")?];
            for (row, (((item, documents), rewritten), place)) in
                items.zip(documents).zip(rewritten).zip(places).enumerate()
            {
                let of_item = &mut all[saturated(item) as usize];
                of_item.documents = documents.cast_unsigned();
                of_item.rewritten = rewritten.cast_unsigned();
                of_item.coverage = coverages.value(row);
                of_item.document = Some(place);
            }
        }
        let mut columns = self.set.verdicts(&all);
        columns.push(("place", Arc::new(all.iter().map(|item| item.document).collect::<Int64Array>())));
        Ok(table(columns))
    }
}

impl ItemFinder {
    /// The items that are looked for in other words, if they are.
    fn rewritten(&self) -> PyResult<Option<&Rewritten>> {
        let Some(least) = self.least else { return Ok(None) };
        if self.rewritten.get().is_none() {
            let made = Rewritten::new(&self.telling, least, 1, u64::MAX, &()).map_err(raised)?;
            return Ok(Some(self.rewritten.get_or_init(|| made)));
        }
        Ok(self.rewritten.get())
    }
}

/// A builder of lists of shares.
fn shares() -> ListBuilder<Float64Builder> {
    ListBuilder::new(Float64Builder::new())
}

fn saturated(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
