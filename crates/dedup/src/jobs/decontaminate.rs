//! Items of test sets among the documents of a corpus ([`mod@nearcopy::decontaminate`]).
//!
//! 1. The items are read ([`benchmark`]).
//! 2. The corpus is read, and counted: only n-grams of items are. Documents that have one are noted.
//! 3. The corpus is read again, and the documents that were noted are searched; for items in other words, all are.
//! 4. If documents or items are to be dropped, the inputs are read once more, and the rest is copied unchanged (`kept`).
//!
//! A file that has changed between two readings ends the run.
//!
//! Cost: memory for the items ([`nearcopy::decontaminate::items`]; for those in other words [`nearcopy::decontaminate::rewritten::size`] too), 16 bytes a document that has an n-gram of an item, up to
//! `MOST_NOTED` of them, and 8 bytes a file.

pub mod benchmark;
mod item_found;
mod noted;
pub mod worst;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use nearcopy::decontaminate::rewritten::{RewrittenIndex, RewrittenSearch};
use nearcopy::decontaminate::saved::{self, SavedCounts, Total};
use nearcopy::decontaminate::{Counts, Found, Items, Lookup, Rewritten, Telling};
use nearcopy::durable::known::KnownCorpus;
use nearcopy::error::Problem;
use nearcopy::observer::Observer;
use nearcopy::runs::joined;
use nearcopy::screen::or_problem;
use nearcopy_corpus::inputs::Selection;
use nearcopy_corpus::records::cut::Edit;
use nearcopy_corpus::records::{Batch, Reader, Reading, Record};

use super::kept::{Copied, Unwritten, copy_kept};
use super::passes::{Passes, Tally, Text};
use super::reading::{Make, expect_id};
use super::seen::Seen;
use crate::error::Result;
use benchmark::Benchmark;
pub use item_found::{ItemFound, Verdict, in_document, is_rewritten};
use noted::Noted;

/// The inputs and options of a decontamination.
#[derive(Debug, Clone)]
pub struct Job {
    /// The files and folders of the corpus, which are read twice.
    pub corpus: Vec<PathBuf>,
    /// The selection of files in folders of the corpus.
    pub selection: Selection,
    /// The options by which files are split into documents.
    pub reading: Reading,
    /// The test sets, each a file or a folder.
    pub against: Vec<PathBuf>,
    /// The parts of an item.
    pub parts: benchmark::Parts,
    /// The least share of an item's telling words that contaminates a document.
    pub coverage: f64,
    /// Least probability that a passage is a copy, to look for items in other words too.
    pub rewritten: Option<f64>,
    /// A file of counts of other corpora, to which those of this one are added.
    pub counts: Option<PathBuf>,
    /// True if the spans of contaminated documents are kept, to be cut.
    pub cut: bool,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// Number of threads.
    pub threads: usize,
}

/// A share with four places.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// A document of the corpus with items in it.
#[derive(Debug)]
pub struct Contaminated {
    /// Its id.
    pub id: String,
    /// The name of its file.
    pub file: String,
    /// Its number in the file, from 1; 0 if it is the file.
    pub record: u64,
    /// True if spans can be cut from it: it is a record in UTF-8, or a file that is all text.
    pub can_cut: bool,
    /// The items, with spans in bytes.
    pub found: Vec<Found>,
    /// The spans of each item in characters.
    pub characters: Vec<Vec<Range<usize>>>,
}

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// The test sets.
    pub benchmark: Benchmark,
    /// Of each item.
    pub items: Vec<ItemFound>,
    /// The places of contaminated documents, in order: the number of the file, and of the record.
    pub contaminated: Vec<(u32, u64)>,
    /// The spans to cut of each of them, if asked for; `None` for a document that cannot be cut.
    pub cuts: Vec<Option<Vec<Range<usize>>>>,
    /// Number of items that were searched for in other words, if that was asked for.
    pub rewritten: Option<u64>,
    /// Number of documents that have items in other words only.
    pub only_rewritten: u64,
    /// Sizes of the file of counts, if there is one.
    pub counted: Option<Total>,
    /// What was read.
    pub tally: Tally,
    /// The files as they were read.
    pub seen: Seen,
}

impl Job {
    fn passes<'a>(&'a self, observer: &'a dyn Observer) -> Passes<'a> {
        let Self { corpus, selection, reading, strict, threads, .. } = self;
        Passes { inputs: corpus, selection, reading, strict: *strict, threads: *threads, observer }
    }
}

impl Findings {
    /// Number of documents that cannot be cut, and are dropped instead.
    pub fn uncut(&self) -> u64 {
        self.cuts.iter().filter(|cut| cut.is_none()).count() as u64
    }

    /// Copies the documents that are not contaminated, and what is left of the others if they are cut; `reader` reads the
    /// corpus, of these inputs.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Changed`]; those of reading and writing; [`nearcopy::Error::Interrupted`].
    pub fn without_documents(
        &self,
        reader: (Reader, &[PathBuf]),
        output: Unwritten,
        observer: &dyn Observer,
    ) -> Result<Copied> {
        let edit = |file: u32, record: u64| match self.contaminated.binary_search(&(file, record)) {
            Err(_) => Edit::Keep,
            Ok(found) => self.cuts.get(found).cloned().flatten().map_or(Edit::Drop, Edit::Cut),
        };
        observer.begin("writing", None);
        copy_kept(reader, &self.seen, &edit, output, observer)
    }

    /// Copies the items of the only test set that are not contaminated.
    ///
    /// # Errors
    ///
    /// As [`Findings::without_documents`].
    pub fn without_items(&self, job: &Job, output: Unwritten, observer: &dyn Observer) -> Result<Copied> {
        let is_contaminated = |item: &ItemFound| item.verdict() == Verdict::Contaminated;
        let places = self.benchmark.places.iter().zip(&self.items);
        let dropped: Vec<(u32, u64)> =
            places.filter(|(_, item)| is_contaminated(item)).map(|(place, _)| *place).collect();
        let (inputs, reading) = benchmark::inputs(job, &job.against[0])?;
        let reading = Reading { bundles: false, long_lines: true, ..reading };
        let edit = |file: u32, record: u64| match dropped.binary_search(&(file, record)) {
            Ok(_) => Edit::Drop,
            Err(_) => Edit::Keep,
        };
        observer.begin("writing the test set", None);
        copy_kept((Reader::new(inputs, reading), &job.against), &self.benchmark.seen[0], &edit, output, observer)
    }
}

/// Searches a corpus for items; `take` receives the contaminated documents in order.
///
/// # Errors
///
/// Those of reading the test sets; [`crate::Error::Changed`] if a file changes meanwhile; [`nearcopy::Error::Strict`] at the first
/// problem, if the job is strict; [`nearcopy::Error::Interrupted`]; those of `take`.
pub fn decontaminate(
    job: &Job,
    observer: &dyn Observer,
    take: &mut (dyn FnMut(&Benchmark, Contaminated) -> Result<()> + Send),
) -> Result<Findings> {
    let mut tally = Tally::default();
    let benchmark = benchmark::read(job, &mut tally, observer)?;
    let items = &benchmark.items;
    // Begun before the work, so that two runs with one file are told at once.
    let saved = job.counts.as_ref().map(|path| SavedCounts::open(path, items)).transpose()?;
    let passes = job.passes(observer);
    let First { counts, corpus, noted, seen } = count(job, items, &passes, saved.is_some(), &mut tally, observer)?;
    let (counts, counted) = match saved {
        Some(saved) => {
            let (counts, total) = saved.add(items, corpus, counts)?;
            (counts, Some(total))
        }
        None => (counts, None),
    };
    let telling = Telling::new(Arc::clone(items), &counts, job.coverage);
    drop(counts);
    let in_other_words = |least| Rewritten::new(&telling, least, job.threads, job.reading.max_memory / 2, observer);
    let rewritten = job.rewritten.map(in_other_words).transpose()?;
    let index = rewritten.as_ref().map(Rewritten::index);
    let mut found = ItemFound::all(&telling, items);
    let (mut contaminated, mut cuts) = (Vec::new(), Vec::new());
    let (mut files, mut only_rewritten) = (0, 0);
    let searcher = || {
        let rewritten = index.as_ref().map(RewrittenIndex::search);
        Searcher { telling: &telling, noted: &noted, lookup: Lookup::default(), rewritten, observer }
    };
    passes.read("searching", &searcher, &mut |file, number, made| {
        seen.again(number, file)?;
        files = files.max(number.wrapping_add(1) as usize);
        // Problems were reported in the first reading.
        for SearchedDocument { contaminated: of_document, problem } in made.into_iter().flatten() {
            tally.note(job.strict, observer, problem.map_or(Ok(()), Err))?;
            let Some(mut document) = of_document else { continue };
            ItemFound::note(&mut found, &document.id, &mut document.found, &mut document.characters);
            if !document.found.is_empty() {
                only_rewritten += u64::from(document.found.iter().all(|found| found.probability.is_some()));
                contaminated.push((number, document.record));
                if job.cut {
                    cuts.push(
                        document
                            .can_cut
                            .then(|| joined(document.found.iter().flat_map(|found| found.spans.clone()).collect())),
                    );
                }
                document.file.clone_from(&file.name);
                take(&benchmark, document)?;
            }
        }
        Ok(())
    })?;
    drop(telling);
    seen.expect(files, &job.corpus)?;
    drop(index);
    let rewritten = rewritten.map(|rewritten| rewritten.len() as u64);
    Ok(Findings { items: found, contaminated, cuts, rewritten, only_rewritten, counted, tally, seen, benchmark })
}

/// The result of the first reading.
struct First {
    counts: Counts,
    corpus: KnownCorpus,
    noted: Noted,
    seen: Seen,
}

/// Counts the n-grams of the items in the corpus, and notes the documents that have any.
fn count(
    job: &Job,
    items: &Items,
    passes: &Passes<'_>,
    saves: bool,
    tally: &mut Tally,
    observer: &dyn Observer,
) -> Result<First> {
    let (counts, mut corpus) = (Counts::new(items), KnownCorpus::default());
    let (mut noted, mut seen) = (Noted::default(), Seen::default());
    passes.read(
        "counting",
        &|| Counter { items, counts: &counts, lookup: Lookup::default(), saves },
        &mut |file, number, made| {
            seen.first(number, file);
            for made in made {
                if let Err(problem) = &made {
                    seen.problem(number, problem);
                }
                let Some(Counted { record, text, hash, has_items }) =
                    tally.note_document(job.strict, observer, made)?
                else {
                    continue;
                };
                tally.add(text);
                expect_id(&job.reading, tally.unnamed, tally.documents)?;
                corpus.add(hash);
                if has_items {
                    noted.push((number, record));
                }
            }
            Ok(())
        },
    )?;
    tally.words = counts.words();
    tally.files = seen.files.len() as u64;
    Ok(First { counts, corpus, noted, seen })
}

/// The result for one document in the first reading.
#[derive(Debug)]
struct Counted {
    record: u64,
    text: Text,
    /// The hash of its text, if counts are saved.
    hash: [u64; 2],
    has_items: bool,
}

struct Counter<'a> {
    items: &'a Items,
    counts: &'a Counts,
    lookup: Lookup,
    saves: bool,
}

impl Make for Counter<'_> {
    type Made = Counted;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, _: &Batch, record: Record<'_>) -> Counted {
        let has_items = self.counts.count(self.items, &mut self.lookup, &record.text);
        let hash = if self.saves { saved::hash(&record.text) } else { [0; 2] };
        Counted { record: record.number, text: Text::of(&record), hash, has_items }
    }

    fn renew(&mut self) {
        self.lookup = Lookup::default();
    }

    fn size(_: &Counted) -> usize {
        size_of::<Counted>()
    }
}

/// The result for one document in the second reading.
#[derive(Debug)]
struct SearchedDocument {
    contaminated: Option<Contaminated>,
    /// Why it was not searched whole for items in other words.
    problem: Option<Problem>,
}

struct Searcher<'a> {
    telling: &'a Telling,
    noted: &'a Noted,
    lookup: Lookup,
    rewritten: Option<RewrittenSearch<'a>>,
    observer: &'a dyn Observer,
}

impl Searcher<'_> {
    /// Adds what a document has in other words to what was found in it; returns the problem of one that was not searched whole.
    fn in_other_words(&mut self, batch: &Batch, record: &Record<'_>, found: &mut Vec<Found>) -> Option<Problem> {
        let (search, observer) = (self.rewritten.as_mut()?, self.observer);
        let (file, place) = (&batch.file.name, batch.place(record.number));
        match or_problem(file, place, || search.add(&record.text, found, observer)) {
            Ok(reason) => reason.map(|reason| Problem::of(&*file, place, reason)),
            Err(problem) => {
                self.rewritten = self.rewritten.take().map(RewrittenSearch::renewed);
                Some(problem)
            }
        }
    }
}

impl Make for Searcher<'_> {
    type Made = SearchedDocument;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> SearchedDocument {
        let is_noted = self.noted.has((batch.file_number, record.number));
        let mut found = if is_noted { self.telling.find(&mut self.lookup, &record.text) } else { Vec::new() };
        let problem = self.in_other_words(batch, &record, &mut found);
        let characters = in_characters(&record.text, &found);
        let contaminated = (!found.is_empty()).then_some(Contaminated {
            id: record.id,
            file: String::new(),
            can_cut: record.is_exact,
            record: record.number,
            found,
            characters,
        });
        SearchedDocument { contaminated, problem }
    }

    fn renew(&mut self) {
        self.lookup = Lookup::default();
        self.rewritten = self.rewritten.take().map(RewrittenSearch::renewed);
    }

    fn size(made: &Self::Made) -> usize {
        made.contaminated.as_ref().map_or(0, |made| 64 + made.id.len() + made.found.len() * (size_of::<Found>() + 64))
    }
}

/// The spans of each item in characters.
pub fn in_characters(text: &str, found: &[Found]) -> Vec<Vec<Range<usize>>> {
    let mut ends: Vec<usize> =
        found.iter().flat_map(|found| &found.spans).flat_map(|span| [span.start, span.end]).collect();
    ends.sort_unstable();
    ends.dedup();
    let (mut places, mut at, mut count) = (BTreeMap::new(), 0, 0);
    for end in ends {
        count += text[at..end].chars().count();
        at = end;
        places.insert(end, count);
    }
    let span = |span: &Range<usize>| places[&span.start]..places[&span.end];
    found.iter().map(|found| found.spans.iter().map(span).collect()).collect()
}
