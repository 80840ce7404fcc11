//! Runs of words that stand twice in a corpus are cut ([`mod@nearcopy::repeats`]).
//!
//! The documents are read twice for each round of the search, and once more to be written. A file that has changed between
//! two readings ends the run.
//!
//! Cost: two rounds if anything is cut, and a further one for runs that come together only where others were cut.
//! Memory: that of the search; and of each document its id, and 16 bytes.

mod costliest;
mod order;

use std::ops::Range;
use std::path::PathBuf;

use nearcopy::observer::Observer;
use nearcopy::repeats::{self, Document, Documents, Made, Repeats, Scanner, Settings, Take, Work};
use nearcopy::search::keep::Policy;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::cut::Edit;
use nearcopy_corpus::records::{Batch, Reader, Reading, Record};

use super::decontaminate::{Copied, Seen, Unwritten, copy_kept, joined};
use super::passes::{Passes, Tally};
use super::reading::Make;
use crate::error::Result;
pub use costliest::{Costly, Shown};
use order::Keys;

/// The inputs and options of a search for runs.
#[derive(Debug, Clone)]
pub struct Job {
    /// The files and folders.
    pub inputs: Vec<PathBuf>,
    /// The selection of files in folders.
    pub selection: Selection,
    /// The options by which files are split into documents.
    pub reading: Reading,
    /// What is a run, and what becomes of documents.
    pub settings: Settings,
    /// Which place keeps a run.
    pub keep: Policy,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// Number of threads.
    pub threads: usize,
}

impl Job {
    fn passes<'a>(&'a self, observer: &'a dyn Observer) -> Passes<'a> {
        let Self { inputs, selection, reading, threads, .. } = self;
        Passes { inputs, selection, reading, threads: *threads, observer }
    }
}

/// What was found.
#[derive(Debug)]
pub struct Findings {
    /// The runs that are cut.
    pub repeats: Repeats,
    /// What was read.
    pub tally: Tally,
    keys: Keys,
    /// The names of the files.
    files: Vec<String>,
    seen: Seen,
}

/// Bits of a key for the number of a record in its file.
const RECORD_BITS: u32 = 40;

fn key(file: u32, record: u64) -> u64 {
    u64::from(file) << RECORD_BITS | record & ((1 << RECORD_BITS) - 1)
}

impl Findings {
    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        self.keys.id(document)
    }

    /// The file of a document, and its number in it, from 1; 0 if it is the file.
    pub fn place(&self, document: u32) -> (&str, u64) {
        let key = self.repeats.keys[document as usize];
        (&self.files[(key >> RECORD_BITS) as usize], key & ((1 << RECORD_BITS) - 1))
    }

    /// Copies what is left of the documents.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Changed`]; those of reading and writing; [`nearcopy::Error::Interrupted`].
    pub fn copy(&self, job: &Job, output: Unwritten, observer: &dyn Observer) -> Result<Copied> {
        let edit = |file: u32, record: u64| {
            let Some(document) = self.repeats.number(key(file, record)) else { return Edit::Keep };
            let spans = spans(&self.repeats, document, |place| place.byte);
            match (self.repeats.gone.binary_search(&document), spans.is_empty()) {
                (Ok(_), _) => Edit::Drop,
                (_, true) => Edit::Keep,
                _ => Edit::Cut(spans),
            }
        };
        let reading = Reading { all_columns: true, ..job.reading.clone() };
        let reader = Reader::new(Inputs::new(job.inputs.clone(), job.selection.clone())?, reading);
        copy_kept((reader, &job.inputs), &self.seen, &edit, output, observer)
    }
}

/// The spans that are cut from a document, joined where they touch; in bytes or characters.
pub fn spans(repeats: &Repeats, document: u32, unit: impl Fn(repeats::Place) -> u32) -> Vec<Range<usize>> {
    let span = |cut: &repeats::Cut| unit(cut.start) as usize..unit(cut.end) as usize;
    joined(repeats.of(document).iter().map(span).collect::<Vec<_>>().iter())
}

/// Finds the runs to be cut.
///
/// # Errors
///
/// [`crate::Error::Changed`] if a file changes meanwhile; [`nearcopy::Error::Strict`] at the first problem, if the job is strict;
/// [`crate::Error::NoKeyField`] if no document has the field of the policy; [`nearcopy::Error::Interrupted`]; those of writing temporary files.
pub fn find(job: &Job, observer: &dyn Observer) -> Result<Findings> {
    let mut corpus = Corpus {
        job,
        passes: job.passes(observer),
        keys: Keys::new(job.keep.clone()),
        tally: Tally::default(),
        files: Vec::new(),
        seen: Seen::default(),
        is_known: false,
    };
    let repeats = repeats::find(&mut corpus, &job.settings)?;
    let Corpus { keys, tally, files, seen, .. } = corpus;
    Ok(Findings { repeats, tally, keys, files, seen })
}

/// The documents of a job.
struct Corpus<'a> {
    job: &'a Job,
    passes: Passes<'a>,
    keys: Keys,
    tally: Tally,
    files: Vec<String>,
    seen: Seen,
    /// True from the second reading on.
    is_known: bool,
}

impl Documents for Corpus<'_> {
    type Error = crate::Error;

    fn each(&mut self, stage: &str, work: &Work<'_>, take: &mut Take<'_, crate::Error>) -> Result<()> {
        let Self { job, passes, keys, tally, files, seen, is_known } = self;
        let is_first = !std::mem::replace(is_known, true);
        let maker = || Worker { work, scanner: Scanner::new(&job.settings), settings: &job.settings, is_first };
        let mut count = 0;
        passes.read(stage, &maker, &mut |file, number, made| {
            let is_file = number != u32::MAX;
            count = count.max(number.wrapping_add(1) as usize);
            if is_first && is_file {
                seen.first(number, file);
                if files.len() == number as usize {
                    files.push(file.name.clone());
                }
            } else {
                seen.again(number, file)?;
            }
            for made in made {
                // Problems are reported in the first reading.
                let made = if is_first { tally.note(job.strict, passes.observer, made)? } else { made.ok() };
                let Some(Worked { record, can_cut, about, made }) = made else { continue };
                if let Some(about) = about {
                    tally.documents += 1;
                    tally.bytes += about.bytes;
                    keys.push(&about, file);
                }
                take(Document { key: key(number, record), can_cut }, made)?;
            }
            Ok(())
        })?;
        if is_first {
            tally.files = files.len() as u64;
            keys.check()
        } else {
            seen.expect(count, &job.inputs)
        }
    }

    fn order(&mut self, bytes: &[u32]) -> Result<Vec<u32>> {
        Ok(self.keys.order(bytes))
    }
}

/// What was made of a document.
struct Worked {
    record: u64,
    can_cut: bool,
    /// Present in the first reading.
    about: Option<About>,
    made: Made,
}

/// What decides which document keeps a run.
struct About {
    id: String,
    key: Option<String>,
    /// The date that the document states, in seconds since 1970.
    date: Option<i64>,
    bytes: u64,
}

struct Worker<'a> {
    work: &'a Work<'a>,
    scanner: Scanner,
    settings: &'a Settings,
    is_first: bool,
}

impl Make for Worker<'_> {
    type Made = Worked;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Worked {
        let made = (self.work)(&mut self.scanner, key(batch.file_number, record.number), &record.text);
        let Record { id, key, date, number, is_file, text, .. } = record;
        let about = self.is_first.then(|| About { id, key, date, bytes: text.len() as u64 });
        Worked { record: number, can_cut: number > 0 || is_file, about, made }
    }

    fn renew(&mut self) {
        self.scanner = Scanner::new(self.settings);
    }

    fn size(made: &Worked) -> usize {
        let about = made.about.as_ref().map_or(0, |about| about.id.len() + about.key.as_ref().map_or(0, String::len));
        made.made.size() + size_of::<Worked>() + about
    }
}
