//! What [`repeats`](super::repeats) and [`lines`](super::lines) share: documents that are read several times, and copied
//! without parts of their texts.
//!
//! A file that has changed between two readings ends the run.
//!
//! Cost: memory for the id of each document, and 25 to 34 bytes.

mod costliest;
mod order;
mod sites;

use std::ops::Range;
use std::path::PathBuf;

use nearcopy::cutting::{Document, Documents, Made, Place, Take, Work};
use nearcopy::error::{Problem, Reason};
use nearcopy::observer::Observer;
use nearcopy::runs::joined;
use nearcopy::search::keep::Policy;
use nearcopy_corpus::inputs::{Inputs, Selection};
use nearcopy_corpus::records::cut::Edit;
use nearcopy_corpus::records::{Batch, InputFile, Purpose, Reader, Reading, Record};

use super::ids::Ids;
use super::kept::{Copied, Unwritten, copy_kept};
use super::passes::{Passes, Tally, Text};
use super::reading::{Make, expect_id};
use super::seen::Seen;
use crate::error::Result;
pub use costliest::Costly;
pub(super) use costliest::{MOST, PLACES, Wanted, costly};
pub use order::Keys;
pub use sites::{Sites, host};

/// The inputs and options of a search for what is cut.
#[derive(Debug, Clone)]
pub struct Job<S> {
    /// The files and folders.
    pub inputs: Vec<PathBuf>,
    /// The selection of files in folders.
    pub selection: Selection,
    /// The options by which files are split into documents.
    pub reading: Reading,
    /// What is cut, and what becomes of documents.
    pub settings: S,
    /// Which document keeps what others lose.
    pub keep: Policy,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// Number of threads.
    pub threads: usize,
}

impl<S> Job<S> {
    fn passes<'a>(&'a self, observer: &'a dyn Observer) -> Passes<'a> {
        let Self { inputs, selection, reading, strict, threads, .. } = self;
        Passes { inputs, selection, reading, strict: *strict, threads: *threads, observer }
    }
}

/// What is known of the documents of a job.
#[derive(Debug)]
pub struct Known {
    /// What was read.
    pub tally: Tally,
    keys: Keys,
    /// The names of the files.
    files: Vec<String>,
    /// The sites of documents with an address.
    pub sites: Sites,
    seen: Seen,
}

/// Bits of a key for the number of a record in its file; the others are enough for 268 million files.
const RECORD_BITS: u32 = 36;

fn key(file: u32, record: u64) -> u64 {
    u64::from(file) << RECORD_BITS | record & ((1 << RECORD_BITS) - 1)
}

/// The file and the record of a key.
fn place(key: u64) -> (u32, u64) {
    ((key >> RECORD_BITS) as u32, key & ((1 << RECORD_BITS) - 1))
}

impl Known {
    /// The id of a document.
    pub fn id(&self, document: u32) -> &str {
        self.keys.id(document)
    }

    /// The names of the files.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(String::as_str)
    }

    /// The file of a document, given its key, and its number in it, from 1; 0 if it is the file.
    pub fn place(&self, key: u64) -> (&str, u64) {
        let (file, record) = place(key);
        (&self.files[file as usize], record)
    }

    /// Copies the documents as `edit` says of their keys.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Changed`]; those of reading and writing; [`nearcopy::Error::Interrupted`].
    pub(super) fn copy<S>(
        &self,
        job: &Job<S>,
        edit: &dyn Fn(u64) -> Edit,
        output: Unwritten,
        observer: &dyn Observer,
    ) -> Result<Copied> {
        let reading = Reading { all_columns: true, purpose: Purpose::Cutting, long_lines: true, ..job.reading.clone() };
        let reader = Reader::new(Inputs::new(job.inputs.clone(), job.selection.clone())?, reading);
        observer.begin("writing", None);
        copy_kept((reader, &job.inputs), &self.seen, &|file, record| edit(key(file, record)), output, observer)
    }
}

/// The number of the document with this key.
pub(super) fn number(keys: &[u64], key: u64) -> Option<u32> {
    keys.binary_search(&key).ok().map(|number| number as u32)
}

/// Spans of a document, joined where they touch; in bytes or characters.
pub(super) fn spans(cuts: impl Iterator<Item = [Place; 2]>, unit: impl Fn(Place) -> u32) -> Vec<Range<usize>> {
    joined(cuts.map(|[start, end]| unit(start) as usize..unit(end) as usize).collect())
}

/// The documents of a job.
pub(super) struct Corpus<'a> {
    inputs: &'a [PathBuf],
    strict: bool,
    passes: Passes<'a>,
    known: Known,
    /// True from the second reading on.
    is_known: bool,
}

impl<'a> Corpus<'a> {
    pub(super) fn new<S>(job: &'a Job<S>, observer: &'a dyn Observer) -> Self {
        Self {
            inputs: &job.inputs,
            strict: job.strict,
            passes: job.passes(observer),
            known: Known {
                tally: Tally::default(),
                keys: Keys::new(job.keep.clone()),
                files: Vec::new(),
                sites: Sites::default(),
                seen: Seen::default(),
            },
            is_known: false,
        }
    }

    pub(super) fn known(self) -> Known {
        self.known
    }
}

impl Documents for Corpus<'_> {
    type Error = crate::Error;

    fn each<S: Send, M: Made>(
        &mut self,
        stage: &str,
        new: &(dyn Fn() -> S + Sync),
        work: &Work<'_, S, M>,
        take: &mut Take<'_, M, crate::Error>,
    ) -> Result<()> {
        let Self { inputs, strict, passes, known: Known { tally, keys, files, sites, seen }, is_known } = self;
        let origin = passes.reading.fields.origin.as_ref();
        let is_first = !std::mem::replace(is_known, true);
        let maker = || Worker { work, new, state: new(), is_first };
        let (mut count, mut ids) = (0, Ids::default());
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
                if let (Err(problem), true) = (&made, is_first) {
                    seen.problem(number, problem);
                }
                // Problems are reported in the first reading.
                let made = if is_first {
                    let made = made.and_then(|made| named(made, &mut ids, *strict, file));
                    tally.note_document(*strict, passes.observer, made)?
                } else {
                    made.ok()
                };
                let Some(Worked { record, can_cut, about, made }) = made else { continue };
                let mut site = 0;
                if let Some(about) = about {
                    *tally.renamed.get_or_insert(0) += u64::from(about.is_renamed);
                    if origin.is_some() {
                        site = sites.number(about.origin.as_deref());
                    }
                    tally.add(about.text);
                    expect_id(passes.reading, tally.unnamed, tally.documents)?;
                    keys.push(&about, file);
                }
                take(Document { key: key(number, record), can_cut, site }, made)?;
            }
            Ok(())
        })?;
        if is_first {
            tally.files = files.len() as u64;
            if let (Some(field), true) = (origin, sites.is_empty() && tally.documents > 0) {
                return Err(crate::Error::NoAddress { field: field.clone(), has: passes.fields_of_one()? });
            }
            if let (Some(field), true) = (&passes.reading.fields.key, keys.lack_field()) {
                return Err(crate::Error::NoKeyField { field: field.clone(), has: passes.fields_of_one()? });
            }
            Ok(())
        } else {
            seen.expect(count, inputs)
        }
    }

    fn order(&mut self, bytes: &[u32]) -> Result<Vec<u32>> {
        Ok(self.known.keys.order(bytes))
    }
}

/// What was made of a document.
struct Worked<M> {
    record: u64,
    can_cut: bool,
    /// Present in the first reading.
    about: Option<About>,
    made: M,
}

/// What decides which document keeps what others lose.
struct About {
    id: String,
    /// True if the id is in place of a repeated one.
    is_renamed: bool,
    key: Option<String>,
    /// The date that the document states, in seconds since 1970.
    date: Option<i64>,
    /// The address, if a field has it.
    origin: Option<String>,
    text: Text,
}

/// The document with an id that no other has; a problem if it has a repeated one, and the job is strict or the record was read
/// twice.
fn named<M>(
    mut made: Worked<M>,
    ids: &mut Ids,
    strict: bool,
    file: &InputFile,
) -> std::result::Result<Worked<M>, Problem> {
    if let Some(about) = made.about.as_mut().filter(|about| !ids.insert(&about.id)) {
        let named = if strict { None } else { ids.rename(&about.id, file, made.record) };
        let repeated = |id: &mut String| {
            let reason = Reason::DuplicateId(std::mem::take(id));
            Problem::of(&*file.name, file.place(made.record), reason)
        };
        about.id = named.ok_or_else(|| repeated(&mut about.id))?;
        about.is_renamed = true;
    }
    Ok(made)
}

struct Worker<'a, S, M> {
    work: &'a Work<'a, S, M>,
    new: &'a (dyn Fn() -> S + Sync),
    state: S,
    is_first: bool,
}

impl<S: Send, M: Made> Make for Worker<'_, S, M> {
    type Made = Worked<M>;

    fn begin(&mut self, _: &Batch) {}

    fn make(&mut self, batch: &Batch, record: Record<'_>) -> Worked<M> {
        let made = (self.work)(&mut self.state, key(batch.file_number, record.number), &record.text);
        let text = Text::of(&record);
        let Record { id, key, date, origin, number, is_exact, .. } = record;
        let about = self.is_first.then_some(About { id, is_renamed: false, key, date, origin, text });
        Worked { record: number, can_cut: is_exact, about, made }
    }

    fn renew(&mut self) {
        self.state = (self.new)();
    }

    fn size(made: &Worked<M>) -> usize {
        let length = |field: &Option<String>| field.as_ref().map_or(0, String::len);
        let about = made.about.as_ref().map_or(0, |about| about.id.len() + length(&about.key) + length(&about.origin));
        made.made.size() + size_of::<Worked<M>>() + about
    }
}
