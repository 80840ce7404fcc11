//! Inputs become a fingerprint file.
//!
//! All threads read and fingerprint documents ([`crate::jobs::fingerprint::workers`]), which are written
//! in order. A checkpoint is made every few seconds, at the end of an input file. An interrupted
//! run makes one too, up to the last finished file. A run that was killed or interrupted resumes
//! at its last checkpoint, if its inputs are unchanged.
//!
//! Cost: that of the pipeline. Memory: 9 to 18 bytes per document, to detect repeated ids; about
//! 27 bytes per word where passages are kept.

mod tally;
pub mod workers;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nearcopy::align::Indexing;
use nearcopy::clock;
use nearcopy::error::{Location, Problem, Reason};
use nearcopy::fingerprint::digest_of;
use nearcopy::fingerprint::{Fingerprinter, Options};
use nearcopy::observer::{Observer, Read};
use nearcopy::similarity::UNSURE_FORMAT;
use nearcopy::store::file::format::{self, Sections, Stated};
use nearcopy::store::file::map::FingerprintFile;
use nearcopy::store::file::write::{self, Disk, Mark, Writer};
use nearcopy::store::index::expect_no_index;
use nearcopy::texts::made::write_passages;
use nearcopy_corpus::inputs::{self, Inputs, Selection};
use nearcopy_corpus::records::{InputFile, Kind, Reader, Reading};
use nearcopy_corpus::{Format, Replace};
use serde::{Deserialize, Serialize};

use super::authors::Authors;
use super::ids::Ids;
use crate::error::{Error, Result};
use crate::jobs::fingerprint::workers::{FromFile, Making, fingerprint_all};
use crate::jobs::reading::{Outcome, bounded, expect_field, expect_id, lacks_field};

pub use tally::Tally;

/// Minimum time between two checkpoints; the tests do not wait.
const CHECKPOINT: Duration = if cfg!(test) { Duration::ZERO } else { Duration::from_secs(3) };

/// Part of the memory beside that of reading and searching, in bytes, that fingerprints in memory leave to mapped files.
const LEFT_TO_FILES: u64 = 16 << 20;

/// The inputs to be fingerprinted, and the options.
#[derive(Debug, Clone)]
pub struct Job {
    /// Files, folders, or `-` for standard input.
    pub inputs: Vec<PathBuf>,
    /// The selection of files in folders.
    pub selection: Selection,
    /// The options by which files are split into documents.
    pub reading: Reading,
    /// The options by which documents become fingerprints.
    pub options: Options,
    /// True if shingles are kept, for exact figures.
    pub shingles: bool,
    /// The source of the authors, if texts and all else that passages need are kept.
    pub passages: Option<Authors>,
    /// True if the first problem ends the run.
    pub strict: bool,
    /// True if a document with a repeated id is a problem; else its id becomes its file and line. With `strict` it is
    /// always a problem.
    pub unique_ids: bool,
    /// Number of threads.
    pub threads: usize,
}

/// The progress recorded with a checkpoint, from which a run resumes.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Progress {
    /// The inputs and how they are read, as a string: a different job begins afresh.
    job: String,
    /// Hash of the names, sizes and times of change of the files that are done.
    files: String,
    tally: Tally,
}

/// Writes the fingerprints of a job's documents to a file.
///
/// # Errors
/// Those of writing and of the options; [`nearcopy::Error::Exists`] if a file is or appears at the output that may not be
/// replaced; [`nearcopy::Error::Strict`] at the first problem, if the job is strict;
/// [`nearcopy::Error::Interrupted`]. After either of the last two, another call resumes the work.
pub fn to_file(job: &Job, output: &Path, replace: Replace, observer: &dyn Observer) -> Result<Tally> {
    // The output may lie in an input folder.
    let mut job = job.clone();
    job.selection.except.extend(Writer::written(output)?);
    let job = &job;
    let recipe = Fingerprinter::new(job.options.clone())?.recipe().clone();
    let sections = job.sections();
    let mut store = match Writer::resume(output, &recipe, sections)? {
        Some((writer, progress)) => Store::resume(job, writer.replacing(replace)?, progress, observer)?,
        None => None,
    };
    if store.is_none() {
        // Unusable inputs are reported before the output is begun.
        let reader = job.reader()?;
        let writer = Writer::create(output, &recipe, sections)?.replacing(replace)?;
        let writer = job.begun(writer)?;
        store = Some(Store::new(job, writer, reader));
    }
    store.map_or_else(|| Ok(Tally::default()), |store| Ok(store.run_to(Writer::finish, observer)?.1))
}

/// The fingerprints of the documents of these inputs, instead of the job's own, for this process only: in memory, and
/// beyond a bound in files of the folder.
///
/// # Errors
///
/// As [`to_file`].
pub fn to_scratch(
    job: &Job,
    inputs: Inputs,
    folder: &Path,
    observer: &dyn Observer,
) -> Result<(FingerprintFile, Tally)> {
    let recipe = Fingerprinter::new(job.options.clone())?.recipe().clone();
    let bound = (job.reading.max_memory / 2).saturating_sub(LEFT_TO_FILES);
    let writer = job.begun(Writer::in_memory(&recipe, job.sections(), bound, folder)?)?;
    Store::new(job, writer, job.reader_of(inputs)).run_to(Writer::finish_in_memory, observer)
}

impl Job {
    fn sections(&self) -> Sections {
        Sections {
            shingles: self.shingles,
            keys: self.key().is_some(),
            passages: self.passages.is_some(),
            lookup: false,
        }
    }

    /// The field of the sort keys.
    fn key(&self) -> Option<&str> {
        self.reading.fields.key.as_deref()
    }

    /// The writer, with the name of the key field written if there is one.
    fn begun<S: write::Store>(&self, mut writer: Writer<S>) -> Result<Writer<S>> {
        self.key().map_or(Ok(()), |field| writer.key_field(field))?;
        Ok(writer)
    }

    fn reader(&self) -> Result<Reader> {
        self.inputs.iter().try_for_each(|input| expect_no_index(input))?;
        Ok(self.reader_of(Inputs::new(self.inputs.clone(), self.selection.clone())?))
    }

    fn reader_of(&self, inputs: Inputs) -> Reader {
        let reading = Reading { id_is_needed: self.strict || self.unique_ids, ..self.reading.clone() };
        Reader::new(inputs, if self.passages.is_some() { bounded(reading) } else { reading })
    }

    /// True if an interrupted run can resume. It cannot with standard input, which is read once, nor with
    /// passages, whose keys are in memory until the end.
    pub fn can_resume(&self) -> bool {
        self.passages.is_none() && self.inputs.iter().all(|input| input != Path::new("-"))
    }

    /// The job as a string, to be compared with an earlier one. `strict` is left out: it matters only
    /// if there were problems.
    fn in_words(&self) -> String {
        format!("{:?} {:?} {:?}", self.inputs, self.selection, self.reading)
    }
}

/// A fingerprint file that is being written.
struct Store<'a, S> {
    job: &'a Job,
    writer: Writer<S>,
    /// `None` while it is reading.
    reader: Option<Reader>,
    ids: Ids,
    files: blake3::Hasher,
    tally: Tally,
    /// Number of records without the field of texts or ids.
    without_field: u64,
    /// The passage keys of the texts, if they are kept.
    indexing: Indexing,
    /// The end of the last finished file, if more was written since.
    finished: Option<(Mark, Progress)>,
}

impl<'a> Store<'a, Disk> {
    /// Resumes an interrupted run; `None` if that run had another job or other files, or if it
    /// passed something that this run must stop at or list.
    fn resume(
        job: &'a Job,
        mut writer: Writer,
        progress: serde_json::Value,
        observer: &dyn Observer,
    ) -> Result<Option<Self>> {
        let Ok(progress) = serde_json::from_value::<Progress>(progress) else { return Ok(None) };
        if progress.job != job.in_words() || !job.can_resume() {
            return Ok(None);
        }
        let Tally { renamed, unnamed, .. } = progress.tally;
        let is_told = progress.tally.skipped() > 0 && (job.strict || observer.wants_all_problems());
        if is_told || renamed + unnamed > 0 && (job.strict || job.unique_ids) {
            return Ok(None);
        }
        let mut reader = job.reader()?;
        let mut files = blake3::Hasher::new();
        let all_there =
            reader.skip_files(writer.files() as u32, |path, size, modified| note(&mut files, path, size, modified));
        if !all_there || files.finalize().to_hex().as_str() != progress.files {
            return Ok(None);
        }
        let mut ids = Ids::default();
        writer.each_id(|id| _ = ids.insert(id))?;
        Ok(Some(Self { ids, files, tally: progress.tally, ..Self::new(job, writer, reader) }))
    }
}

impl<'a, S: write::Store + Send> Store<'a, S> {
    fn new(job: &'a Job, writer: Writer<S>, reader: Reader) -> Self {
        let (ids, files, tally) = (Ids::default(), blake3::Hasher::new(), Tally::default());
        let (reader, indexing) = (Some(reader), Indexing::default());
        Self { job, writer, reader, ids, files, tally, without_field: 0, indexing, finished: None }
    }

    /// Reads all documents and has the writer finish.
    fn run_to<T>(
        mut self,
        finish: impl FnOnce(Writer<S>) -> nearcopy::Result<T>,
        observer: &dyn Observer,
    ) -> Result<(T, Tally)> {
        match self.read(observer) {
            Ok(()) => Ok((finish(self.writer)?, self.tally)),
            Err(error) => {
                if !self.job.can_resume() {
                    // No run can resume it, and it may be as long as all texts. The next run removes what remains.
                    let _ = self.writer.discard();
                }
                Err(error)
            }
        }
    }

    /// Reads the inputs and writes everything except the end of the file.
    fn read(&mut self, observer: &dyn Observer) -> Result<()> {
        let job = self.job;
        let steps = if observer.wants_steps() { Some(inputs::total_bytes(&job.inputs, &job.selection)?) } else { None };
        observer.begin("reading", steps);
        let reader = self.reader.take().map_or_else(|| job.reader(), Ok)?;
        let mut checked = clock::now();
        let making = Making { options: &job.options, passages: job.passages.as_ref(), inputs: &job.inputs };
        let reader = fingerprint_all(reader, &making, job.threads, |outcome| {
            if observer.is_stopped() {
                return Ok(ControlFlow::Break(()));
            }
            let is_last = outcome.file.as_ref().is_some_and(|(.., is_last)| *is_last);
            self.push(outcome, observer)?;
            if is_last && clock::since(checked) >= CHECKPOINT {
                self.checkpoint()?;
                checked = clock::now();
            }
            Ok(ControlFlow::Continue(()))
        });
        let reader = match reader {
            Ok(reader) if !observer.is_stopped() => reader,
            Ok(_) => {
                self.checkpoint()?;
                return Err(nearcopy::Error::Interrupted.into());
            }
            Err(error) => {
                if let Error::Method(nearcopy::Error::Strict(_)) = error {
                    self.checkpoint()?;
                }
                return Err(error);
            }
        };
        self.tally.links = reader.links_left_out();
        self.tally.hard_links = reader.hard_links_left_out();
        if job.passages.is_some() {
            observer.begin("indexing", None);
            write_passages(&mut self.writer, std::mem::take(&mut self.indexing))?;
        }
        Ok(())
    }

    /// Writes the outcome of a batch.
    fn push(&mut self, outcome: Outcome<FromFile>, observer: &dyn Observer) -> Result<()> {
        let Outcome { file, bytes_read, others, documents } = outcome;
        let (is_new, is_last) = file
            .as_ref()
            .map_or((false, false), |(_, number, is_last)| (u64::from(*number) >= self.writer.files(), *is_last));
        // Most files are one batch and need no mark within, unless one of their documents can end
        // the run.
        if !(is_new && is_last && !self.job.strict) && self.finished.is_none() {
            self.finished = Some((self.writer.mark(), self.progress()));
        }
        if let (true, Some((file, ..))) = (is_new, &file) {
            note(&mut self.files, &file.path, file.size, file.modified);
            let is_converted =
                self.job.reading.converter.as_ref().is_some_and(|converter| converter.program(&file.name).is_some());
            self.writer.file(&in_file(file, &documents, is_converted))?;
            self.tally.files += 1;
        }
        self.tally.others += others;
        observer.advance_reading(Read {
            bytes_on_disk: bytes_read,
            documents: documents.len() as u64,
            text_bytes: documents.iter().flatten().map(|document| document.made.bytes).sum(),
        });
        for document in documents {
            let added = document.and_then(|document| self.named(document, file.as_ref().map(|(file, ..)| &**file)));
            let problem = match added {
                Ok(mut document) => {
                    let number = file.as_ref().map_or(0, |(_, number, _)| *number);
                    document.made.push(&mut self.writer, number)?;
                    document.made.passages.iter().for_each(|kept| self.indexing.add(&kept.features));
                    self.tally.add(&document);
                    expect_id(&self.job.reading, self.tally.unnamed, self.tally.documents)?;
                    document.made.passages.as_mut().and_then(|kept| kept.cut_short.take())
                }
                Err(problem) if !self.job.strict => {
                    *self.tally.problems.entry(problem.reason.kind().to_owned()).or_default() += 1;
                    self.without_field += u64::from(lacks_field(&problem));
                    expect_field(&problem, self.without_field, self.tally.documents, observer)?;
                    Some(problem)
                }
                Err(problem) => Some(problem),
            };
            match problem {
                Some(problem) if self.job.strict => {
                    observer.report_last(&problem);
                    return Err(nearcopy::Error::Strict(problem.to_string()).into());
                }
                problem => problem.iter().for_each(|problem| observer.report(problem)),
            }
        }
        if is_last {
            self.finished = None;
        }
        Ok(())
    }

    /// The document, with a unique id.
    fn named(&mut self, mut document: FromFile, file: Option<&InputFile>) -> std::result::Result<FromFile, Problem> {
        if self.ids.insert(&document.made.id) {
            return Ok(document);
        }
        let rename = |file| self.ids.rename(&document.made.id, file, document.made.number);
        match file.filter(|_| !self.job.unique_ids && !self.job.strict).and_then(rename) {
            Some(id) => {
                self.tally.renamed += 1;
                document.made.id = id;
                Ok(document)
            }
            None => Err(repeated(document, file)),
        }
    }

    /// Makes a checkpoint at the end of the last finished file.
    fn checkpoint(&mut self) -> Result<()> {
        let (mark, progress) = self.finished.take().unwrap_or_else(|| (self.writer.mark(), self.progress()));
        Ok(self.writer.checkpoint_of(&mark, &serde_json::to_value(progress).expect("names and numbers"))?)
    }

    fn progress(&self) -> Progress {
        let files = self.files.finalize().to_hex().to_string();
        Progress { job: self.job.in_words(), files, tally: self.tally.clone() }
    }
}

/// The problem of a document with a repeated id.
fn repeated(document: FromFile, file: Option<&InputFile>) -> Problem {
    let file = file.map_or_else(String::new, |file| file.name.clone());
    Problem { file, place: document.place, reason: Reason::DuplicateId(document.made.id), can_copy: false }
}

/// An input file, given the documents of its first batch; a file that is one document has no others. Another program may
/// not have read all that it says, and pictures may say more.
fn in_file<'f>(
    file: &'f InputFile,
    documents: &[std::result::Result<FromFile, Problem>],
    is_converted: bool,
) -> format::InputFile<'f> {
    let is_unread = matches!(documents, [Err(problem)] if problem.place == Location::File);
    let first = documents.iter().flatten().next();
    // Records state a date in web archives only; there the first stands for the file.
    let date = documents.iter().flatten().find_map(|document| document.date);
    let stated = if file.kind.is_one_document() { Stated::Document } else { Stated::Archive };
    let format = Kind::Document(first.map_or(Format::Text, |first| first.format));
    let is_unsure = file.kind.is_one_document() && first.is_some_and(|first| first.is_unsure);
    let kind = if file.kind.is_one_document() { format } else { file.kind };
    format::InputFile {
        path: file.own_name(),
        size: file.size,
        modified: file.modified,
        kind: kind.code(),
        format: if is_converted || is_unsure { UNSURE_FORMAT } else { format.code() },
        is_unread,
        carried: first.filter(|_| file.kind.is_one_document()).map_or(0, |first| first.carried),
        stated: date.map(stated).or_else(|| file.packed_date.map(Stated::Archive)),
        // The bytes of an archive's member cannot be read again.
        digest: first.and_then(|first| first.file).or_else(|| file.packed_hash.filter(|_| is_unread).map(digest_of)),
    }
}

fn note(files: &mut blake3::Hasher, path: &Path, size: u64, modified: i64) {
    files.update(path.as_os_str().as_encoded_bytes());
    files.update(&[0]);
    files.update(&size.to_le_bytes());
    files.update(&modified.to_le_bytes());
    files.update(&changed(path).to_le_bytes());
}

/// The time of the last change of a file or its attributes, in nanoseconds since 1970, or that of the archive it is
/// in. A program that gives a changed file its old size and modification time cannot set this one.
#[cfg(unix)]
fn changed(path: &Path) -> i128 {
    use std::os::unix::fs::MetadataExt;
    let file = path.ancestors().find_map(|path| std::fs::metadata(path).ok());
    file.map_or(0, |file| i128::from(file.ctime()) * 1_000_000_000 + i128::from(file.ctime_nsec()))
}

/// Always 0: nothing tells.
#[cfg(not(unix))]
fn changed(_: &Path) -> i128 {
    0
}

#[cfg(test)]
pub(super) mod tests;
