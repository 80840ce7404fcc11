//! Near-duplicates among texts.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use arrow_array::{ArrayRef, BooleanArray, Int32Array, StringArray};
use nearcopy::fingerprint::digest;
use nearcopy::observer::go_on;
use nearcopy::search::cluster::Clusters;
use nearcopy::search::removals::Removals;
use nearcopy::{Error, FindOptions, Found, Removal};
use nearcopy_corpus::{NewFile, Replace};
use nearcopy_dedup::report::overview::{Claims, Origin, Overview};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::corpus::no_field;
use crate::fingerprinter::Fingerprinter;
use crate::options::{self, Keeping};
use crate::run::{Watcher, run, run_within};
use crate::table::{Likeness, Table, other_table, other_text, rows, table};
use crate::texts::{Names, Positions, Source};

/// Maximum number of characters of a text on a page.
const CHARACTERS: usize = 200_000;

/// Fingerprinted texts, ready to be searched.
#[pyclass(frozen, module = "nearcopy._native")]
pub(crate) struct Search {
    found: Found,
    /// The rows of the first table, and those of the second if there is one.
    positions: [Positions; 2],
    has_ids: bool,
    threads: usize,
    /// The widest claim by which rows are removed; `None` if near-duplicates are only listed.
    remove: Option<Removal>,
    /// The rows that go by each claim, if rows are removed.
    removals: Option<Removals>,
    clusters: OnceLock<Clusters>,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (texts, against, text, id, fingerprinter, keep, similarity, distance, remove, recall, threads, max_memory, progress))]
    fn new(
        texts: &Bound<'_, PyAny>,
        against: Option<&Bound<'_, PyAny>>,
        text: &str,
        id: Option<&str>,
        fingerprinter: &Fingerprinter,
        keep: &str,
        similarity: Option<f64>,
        distance: Option<i128>,
        remove: Option<&str>,
        recall: f64,
        threads: Option<i128>,
        max_memory: Option<i128>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut making = fingerprinter.options.clone();
        let (remove, rules) = options::searching(remove, similarity, distance, &mut making)?;
        let threads = options::threads(threads)?;
        let keeping = options::keep(keep)?;
        let mut options =
            FindOptions::new().fingerprint(making).rules(rules).recall(options::recall(recall)?).threads(threads);
        let max_memory = options::max_memory(max_memory)?;
        if let Some(bytes) = max_memory {
            options = options.max_memory(bytes);
        }
        if let Keeping::Text(keep) = keeping {
            options = options.keep(keep);
        }
        let source = Source::with(texts, Names { text, id, key: keeping.column(), url: None })?;
        let second = against.map(|against| Source::of(against, text, id)).transpose()?;
        let has_ids = source.has_ids;
        let (found, removals, positions) = run_within(texts.py(), progress.as_ref(), max_memory, |watcher| {
            let mut documents = source.documents(watcher);
            let mut others = second.map(|second| second.documents(watcher));
            let found = match (&mut others, &keeping) {
                (None, Keeping::Text(_)) => options.find(&mut documents, watcher)?,
                (None, Keeping::Column(order, _)) => options.find_by_keys(documents.with_keys(), *order, watcher)?,
                (Some(others), _) => options.find_against(&mut documents, others, watcher)?,
            };
            let others = others.map_or_else(Positions::default, |others| others.positions);
            let (searched, plan, keep, effort) = found.parts();
            let removals = remove.map(|_| searched.removals(plan, keep, effort, watcher)).transpose()?;
            Ok((found, removals, [documents.positions, others]))
        })?;
        if let Some(key) = keeping.column().filter(|_| !found.is_empty()) {
            let collection = &found.parts().0.collection;
            if (0..collection.len() as u32).all(|document| collection.key(document).is_none()) {
                return Err(PyValueError::new_err(no_field(key)));
            }
        }
        Ok(Self { found, positions, has_ids, threads, remove, removals, clusters: OnceLock::new() })
    }

    /// For each row: if it is kept, its survivor, the figures of the two, and the claim by which it is removed.
    fn verdicts(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Table> {
        run(py, progress.as_ref(), |watcher| {
            let clusters = self.clusters(watcher)?;
            let removals = self.removals(watcher)?;
            let (searched, plan, ..) = self.found.parts();
            let [positions, _] = &self.positions;
            let mut judged = searched.collection.judge_each(clusters.gone(), &plan.rules, self.threads);
            let mut likeness = Likeness::default();
            let (mut keep, mut survivors) = (Vec::with_capacity(positions.rows), Vec::with_capacity(positions.rows));
            let mut ids: Vec<Option<&str>> = Vec::new();
            let mut documents = (0..positions.documents() as u32).peekable();
            for row in 0..positions.rows {
                let document = documents.next_if(|&document| positions.row(document as usize) == row);
                let survivor = document.map(|document| clusters.survivor(document));
                let pair = document.zip(survivor).filter(|(document, survivor)| document != survivor);
                keep.push(pair.is_none());
                survivors.push(survivor.map(|survivor| positions.row(survivor as usize)));
                // A row that `find` keeps may be removed for another that has it whole.
                let removal = match (self.remove, removals) {
                    (Some(_), Some(removals)) => pair.and_then(|(document, other)| removals.between([document, other])),
                    _ => document.and_then(|document| claim(removals, document)),
                };
                likeness.push(pair.and_then(|_| judged.next()), removal);
                if self.has_ids {
                    ids.push(survivor.map(|survivor| searched.collection.id(survivor)));
                }
            }
            let mut columns: Vec<(&str, ArrayRef)> =
                vec![("keep", Arc::new(BooleanArray::from(keep))), ("survivor", rows(survivors))];
            if self.has_ids {
                columns.push(("survivor_id", Arc::new(StringArray::from(ids))));
            }
            columns.extend(likeness.columns());
            Ok(table(columns))
        })
    }

    /// Every member of a cluster with its survivor, cluster by cluster.
    fn members(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Table> {
        run(py, progress.as_ref(), |watcher| {
            let clusters = self.clusters(watcher)?;
            let removals = self.removals(watcher)?;
            let (searched, plan, ..) = self.found.parts();
            let (mut likeness, mut pairs) = (Likeness::default(), Vec::new());
            let judged = searched.collection.judge_each(clusters.pairs(), &plan.rules, self.threads);
            for ([member, survivor], judged) in clusters.pairs().zip(judged) {
                let removal = match (self.remove, removals) {
                    (Some(_), Some(removals)) => removals.between([member, survivor]),
                    _ => claim(removals, member),
                };
                likeness.push(Some(judged), removal);
                pairs.push([survivor, member]);
            }
            Ok(self.table_of(&pairs, ["survivor", "member"], likeness, None))
        })
    }

    /// Every row that stays and that a wider claim would remove, with its survivor then.
    fn to_review(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Table> {
        run(py, progress.as_ref(), |watcher| {
            let removals = self.removals(watcher)?;
            let (searched, plan, ..) = self.found.parts();
            let to_review = self.remove.zip(removals).map(|(widest, removals)| removals.to_review(widest, None));
            let pairs: Vec<[u32; 2]> = to_review.into_iter().flatten().map(|(_, pair)| pair).collect();
            let mut likeness = Likeness::default();
            let judged = searched.collection.judge_each(pairs.iter().copied(), &plan.rules, self.threads);
            for (&[document, _], judged) in pairs.iter().zip(judged) {
                likeness.push(Some(judged), claim(removals, document));
            }
            Ok(self.table_of(&pairs, ["row", "survivor"], likeness, None))
        })
    }

    /// Every near pair.
    fn pairs(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<Table> {
        run(py, progress.as_ref(), |watcher| {
            let removals = self.removals(watcher)?;
            let (searched, plan, _, effort) = self.found.parts();
            let (mut likeness, mut pairs) = (Likeness::default(), Vec::new());
            searched.pairs(plan, effort, watcher, |pair, figures, rules| {
                likeness.push(Some((figures, rules)), self.found.between(removals, pair));
                pairs.push(pair);
                std::ops::ControlFlow::Continue(())
            })?;
            Ok(self.table_of(&pairs, ["a", "b"], likeness, None))
        })
    }

    /// The nearest `count` rows of each row.
    fn neighbours(&self, py: Python<'_>, count: usize, progress: Option<Py<PyAny>>) -> PyResult<Table> {
        run(py, progress.as_ref(), |watcher| {
            let (searched, plan, ..) = self.found.parts();
            let all: Vec<u32> = (0..searched.collection.len() as u32).collect();
            let (mut likeness, mut pairs, mut ranks) = (Likeness::default(), Vec::new(), Vec::new());
            for one in searched.neighbours(&all, count, self.threads, watcher)? {
                for (rank, (other, figures)) in (1..).zip(one.neighbours) {
                    let removal = searched.collection.claim(one.document, other);
                    likeness.push(Some((figures, plan.rules.judge(&figures))), removal);
                    pairs.push([one.document, other]);
                    ranks.push(rank);
                }
            }
            Ok(self.table_of(&pairs, ["row", "neighbour"], likeness, Some(ranks)))
        })
    }

    /// Writes the overview as an HTML page, with texts of `again`, the same rows.
    fn report(
        &self,
        py: Python<'_>,
        path: PathBuf,
        inputs: Vec<String>,
        command: String,
        again: Option<&Bound<'_, PyAny>>,
        text: &str,
        id: Option<&str>,
        overwrite: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let source = again.map(|again| Source::of(again, text, id)).transpose()?;
        run(py, progress.as_ref(), |watcher| {
            let clusters = self.clusters(watcher)?;
            let claims =
                self.remove.zip(self.removals(watcher)?).map(|(widest, removals)| Claims::of(removals, widest, None));
            let mut page = NewFile::create(&path, replacing(overwrite))?;
            let (searched, plan, keep, _) = self.found.parts();
            // The page asks for the texts of its documents once.
            let source = std::sync::Mutex::new(source);
            let texts = |wanted: &[u32]| {
                let source = source.lock().ok().and_then(|mut source| source.take());
                source.map_or_else(HashMap::new, |source| self.texts(source, wanted, watcher))
            };
            let overview = Overview::of(&Origin {
                command: &command,
                command_line: "",
                inputs: &inputs,
                tally: None,
                texts: &texts,
                collection: &searched.collection,
                clusters,
                keep,
                plan,
                with_texts: true,
                claims,
            });
            let written = overview.write_html(&mut page);
            written.map_err(|source| Error::Write { path: path.display().to_string(), source })?;
            // Other texts than those that were searched make no page.
            go_on(watcher)?;
            page.finish()
        })
    }
}

/// The file that a page may replace: the one that is there now, or none.
pub(crate) fn replacing(overwrite: bool) -> Replace {
    if overwrite { Replace::Found } else { Replace::Nothing }
}

/// The narrowest claim by which a document is removed.
fn claim(removals: Option<&Removals>, document: u32) -> Option<Removal> {
    removals.and_then(|removals| removals.of(document)).map(|(claim, _)| claim)
}

impl Search {
    /// The beginnings of the texts of some documents, which must be those that were searched.
    fn texts(&self, source: Source, wanted: &[u32], watcher: &Watcher) -> HashMap<u32, String> {
        let (collection, [positions, _]) = (&self.found.parts().0.collection, &self.positions);
        let wanted: HashSet<u32> = wanted.iter().copied().collect();
        let (mut texts, mut documents) = (HashMap::new(), source.documents(watcher));
        for document in 0.. {
            let Some((_, text)) = documents.next() else { break };
            let text: &str = text.as_ref();
            if wanted.contains(&document) {
                if digest(text) != collection.digest(document) {
                    watcher.fail(other_text(documents.positions.rows - 1));
                }
                texts.insert(document, text.chars().take(CHARACTERS).collect());
            }
        }
        if documents.positions.rows != positions.rows {
            watcher.fail(other_table(positions.rows));
        }
        texts
    }

    /// The clusters, which are found once.
    fn clusters(&self, watcher: &Watcher) -> nearcopy::Result<&Clusters> {
        if let Some(clusters) = self.clusters.get() {
            return Ok(clusters);
        }
        let clusters = if let Some((widest, removals)) = self.remove.zip(self.removals.as_ref()) {
            removals.clusters(widest)
        } else {
            let (searched, plan, keep, effort) = self.found.parts();
            searched.clusters(plan, keep, effort, watcher)?
        };
        // Of two threads that both searched, the first wins; they found the same.
        Ok(self.clusters.get_or_init(|| clusters))
    }

    /// The rows that go by each claim, which are found once: by the rules of this search if it removes rows, and else
    /// those that `clean` would remove.
    fn removals(&self, watcher: &Watcher) -> nearcopy::Result<Option<&Removals>> {
        match self.remove {
            Some(_) => Ok(self.removals.as_ref()),
            None => self.found.removable(watcher),
        }
    }

    fn table_of(
        &self,
        pairs: &[[u32; 2]],
        names: [&'static str; 2],
        likeness: Likeness,
        ranks: Option<Vec<i32>>,
    ) -> Table {
        let collection = &self.found.parts().0.collection;
        let [first, second] = &self.positions;
        let row = |document: u32| match (document as usize).checked_sub(first.documents()) {
            None => first.row(document as usize),
            Some(document) => second.row(document),
        };
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        for (side, name) in names.into_iter().enumerate() {
            columns.push((name, rows(pairs.iter().map(|pair| Some(row(pair[side]))))));
        }
        if self.has_ids {
            let with_id = |name| match name {
                "a" => "a_id",
                "b" => "b_id",
                "row" => "id",
                "neighbour" => "neighbour_id",
                "survivor" => "survivor_id",
                _ => "member_id",
            };
            for (side, name) in names.into_iter().enumerate() {
                let ids = pairs.iter().map(|pair| Some(collection.id(pair[side])));
                columns.push((with_id(name), Arc::new(ids.collect::<StringArray>())));
            }
        }
        if let Some(ranks) = ranks {
            columns.push(("rank", Arc::new(Int32Array::from(ranks))));
        }
        columns.extend(likeness.columns());
        table(columns)
    }
}
